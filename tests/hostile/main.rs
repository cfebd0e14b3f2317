//! Model files from strangers: whatever their bytes, there is one clear line, or a model that
//! talks nonsense; never a panic, and never more memory than the file is long and a constant.

mod counting;
mod header;
mod model;
#[path = "../../src/gguf/raw.rs"]
mod raw;

use assert_cmd::Command;
use counting::peak;
use foretrace::gguf::Gguf;
use foretrace::model::{DeviceChoice, Model};
use foretrace::oracle::neural::{self, Options};
use header::Bad;
use model::{Key, Small};
use raw::{Raw, info};
use std::path::Path;

/// Of a line that refuses a file, in bytes.
const LENGTHS: std::ops::Range<usize> = 10..400;

fn all() -> Vec<Bad> {
    header::files().into_iter().chain(model::files()).collect()
}

fn open(file: &[u8]) -> Result<(), String> {
    let options = Options { device: DeviceChoice::Cpu, ..Options::default() };
    let gguf = Gguf::read(file).map_err(|error| error.to_string())?;
    neural::open(&gguf, "x", options).map(drop).map_err(|error| error.to_string())
}

/// What `models inspect` looks at: the header, the card and the tensors' shapes.
fn looks_right(file: &[u8]) -> bool {
    let gguf = Gguf::read(file);
    gguf.is_ok_and(|gguf| {
        Model::needs(&gguf, DeviceChoice::Cpu).is_ok() && neural::Card::read(&gguf).is_ok()
    })
}

#[test]
fn the_file_that_the_others_are_made_from_opens() {
    assert_eq!(open(&Small::new(0.5).file()), Ok(()));
}

/// And without more memory than the file is long: one that claims much must not cost that.
#[test]
fn malformed_files_are_refused_in_one_line_that_says_why() {
    const SPARE: usize = 4 << 20;
    let files = all();
    assert!(files.len() > 200, "{}", files.len());
    let mut broken = Vec::new();
    for (name, file, words) in files {
        let (opened, peak) = peak(|| open(&file));
        let error = opened.err().unwrap_or_default();
        if !error.contains(&words) || error.contains('\n') || !LENGTHS.contains(&error.len()) {
            broken.push(format!("{name}: {error}"));
        }
        if peak > file.len() + SPARE {
            broken.push(format!("{name}: {peak} bytes for a file of {}", file.len()));
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// The longest lists that are read: the constant is theirs.
#[test]
fn the_longest_lists_take_a_bounded_amount_of_memory() {
    let many = |count: usize, each: fn(usize) -> String| (0..count).map(each).collect::<Vec<_>>();
    let keys: Vec<Vec<u8>> =
        many(10_000, |i| format!("k{i}")).iter().map(|k| raw::kv(k.as_bytes(), 7, &[1])).collect();
    let infos: Vec<Vec<u8>> = many(100_000, |i| format!("{i}"))
        .iter()
        .enumerate()
        .map(|(i, name)| info(name.as_bytes(), &[1; 4], 0, 32 * i as u64))
        .collect();
    let million = 1 << 20;
    let tokens = |text: fn(usize) -> String| {
        Small::new(0.5)
            .key("tokenizer.ggml.tokens", Key::Texts(many(million, text)))
            .key("tokenizer.ggml.token_type", Key::Ints(vec![1; million]))
            .key("tokenizer.ggml.scores", Key::Floats(vec![0.0; million]))
            .numbers("token_embd.weight", &[million, 32], 0.5)
            .file()
    };
    for (name, file, most) in [
        ("keys", Raw { keys, ..Raw::default() }.plain(), 8 << 20),
        ("tensors", Raw { infos, data: 3_200_000, ..Raw::default() }.plain(), 64 << 20),
        ("tokens", tokens(|i| format!("{i:012}")), 1 << 30),
    ] {
        let (_, peak) = peak(|| open(&file));
        println!("{name}: {peak} bytes for a file of {}", file.len());
        assert!(peak <= file.len() + most, "{name}: {peak} bytes for {}", file.len());
    }
}

fn foretrace(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("foretrace").expect("the binary is built");
    command.env("FORETRACE_HOME", folder.join("home")).current_dir(folder);
    let output = command.args(args).output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

const PREDICT: [&str; 5] = ["predict", "prog.py", "-c", "s", "--model"];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("prog.py"), "x = 1\ny = x + 1\n").expect("a program");
    folder
}

#[test]
fn the_binary_refuses_them_too() {
    let folder = folder();
    for (name, file, words) in all() {
        std::fs::write(folder.path().join("bad.gguf"), &file).expect("a file");
        let args = [&PREDICT[..], &["bad.gguf"]].concat();
        let (status, _, stderr) = foretrace(folder.path(), &args);
        assert_eq!((status, stderr.lines().count()), (3, 1), "{name}: {stderr}");
        assert!(stderr.contains("bad.gguf: ") && stderr.len() < 600, "{name}: {stderr}");
        let (status, stdout, stderr) = foretrace(folder.path(), &["models", "inspect", "bad.gguf"]);
        let expected = if looks_right(&file) { (0, 0) } else { (2, 1) };
        assert_eq!((status, stderr.lines().count()), expected, "{name}: {stdout}{stderr}");
        assert!(status == 0 || stderr.contains(&words), "{name}: {stderr}");
    }
}

/// Odd models open, or are refused like the others; nothing else comes of them.
#[test]
fn nonsense_is_only_nonsense() {
    let folder = folder();
    for (name, file) in model::odd() {
        std::fs::write(folder.path().join("odd.gguf"), &file).expect("a file");
        let args = [&PREDICT[..], &["odd.gguf", "-c", "n", "--json"]].concat();
        let (status, stdout, stderr) = foretrace(folder.path(), &args);
        assert!([0, 2, 3].contains(&status), "{name}: {status} {stdout}{stderr}");
        assert!(stderr.lines().all(|line| LENGTHS.contains(&line.len())), "{name}: {stderr}");
        assert!(!stderr.contains("panicked"), "{name}: {stderr}");
        let (status, stdout, stderr) = foretrace(folder.path(), &["models", "inspect", "odd.gguf"]);
        assert_eq!(status, 0, "{name}: {stderr}");
        assert!(stdout.lines().all(|line| line.len() < LENGTHS.end), "{name}");
    }
}

/// More than the machine has, in a file that takes no room on the disk.
#[test]
#[cfg(target_os = "linux")]
fn a_model_larger_than_memory_is_refused_before_it_is_read() {
    let folder = folder();
    let path = folder.path().join("giant.gguf");
    let rows = 1u64 << 34; // 2^41 bytes of F32
    let mut small = Small::new(0.5).file();
    // the embedding comes first: its number of rows, and behind it the others' offsets
    let name = b"token_embd.weight";
    let at = small.windows(name.len()).position(|bytes| bytes == name).expect("the embedding");
    let dims = at + name.len() + 4;
    small[dims + 8..dims + 16].copy_from_slice(&rows.to_le_bytes());
    let grown = (rows - 258) * 32 * 4;
    for name in [
        "blk.0.attn_q",
        "blk.0.attn_k",
        "blk.0.attn_v",
        "blk.0.attn_output",
        "blk.0.ffn_gate",
        "blk.0.ffn_up",
        "blk.0.ffn_down",
        "blk.0.attn_norm",
        "blk.0.ffn_norm",
        "output_norm",
    ] {
        let name = format!("{name}.weight");
        let at = small.windows(name.len()).position(|bytes| bytes == name.as_bytes()).expect("it");
        let dims = if name.contains("norm") { 1 } else { 2 };
        let offset = at + name.len() + 4 + 8 * dims + 4;
        let old = u64::from_le_bytes(small[offset..offset + 8].try_into().expect("8 bytes"));
        small[offset..offset + 8].copy_from_slice(&(old + grown).to_le_bytes());
    }
    std::fs::write(&path, &small).expect("a file");
    let file = std::fs::OpenOptions::new().write(true).open(&path).expect("the file");
    if file.set_len(small.len() as u64 + grown).is_err() {
        return; // a disk that has no files of that size
    }
    let args = [&PREDICT[..], &["giant.gguf"]].concat();
    let (status, _, stderr) = foretrace(folder.path(), &args);
    assert_eq!((status, stderr.lines().count()), (3, 1), "{stderr}");
    assert!(stderr.contains("MB of memory, and"), "{stderr}");
    let (status, stdout, stderr) = foretrace(folder.path(), &["models", "inspect", "giant.gguf"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("does not fit"), "{stdout}");
}

/// The files themselves, as the beginning of a fuzzer's corpus; `fuzz/README.md` has the call.
#[test]
#[ignore = "writes files, into the folder that FORETRACE_SEEDS names"]
fn write_seeds() {
    let folder = std::env::var_os("FORETRACE_SEEDS").expect("set FORETRACE_SEEDS to a folder");
    let odd = model::odd().into_iter().map(|(_, file)| file);
    let files = all().into_iter().map(|(_, file, _)| file).chain(odd);
    for (i, file) in files.filter(|file| file.len() < 1 << 16).enumerate() {
        std::fs::write(Path::new(&folder).join(format!("{i:03}.gguf")), file).expect("a file");
    }
}
