//! Tokenizers of real model files against llama.cpp, so ignored by default: on the lines whose
//! ids `fixtures/ask_llama_cpp.py` stored, and, where there is a Python with llama-cpp-python, on
//! 10,000 lines of code and prose.
//!
//! ```sh
//! export FORETRACE_SMOLLM2=$(tests/fetch_smollm2.sh) FORETRACE_GEMMA=$(tests/fetch_gemma.sh)
//! [FORETRACE_LLAMA_PYTHON=venv/bin/python] cargo test --release --test tokenizer -- --ignored
//! ```

use foretrace::codec::tokenizer::{Spec, Tokenizer};
use foretrace::gguf::{FileBytes, Gguf};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Prints the ids of each line, which are JSON strings, without recognising control tokens.
const LLAMA: &str = r#"
import ctypes, json, sys
import llama_cpp as L
@L.llama_log_callback
def quiet(level, text, data): pass
L.llama_log_set(quiet, ctypes.c_void_p(0))
p = L.llama_model_default_params(); p.vocab_only = True
v = L.llama_model_get_vocab(L.llama_model_load_from_file(sys.argv[1].encode(), p))
buffer = (L.llama_token * 65536)()
for line in open(sys.argv[2], encoding="utf-8"):
    text = json.loads(line).encode()
    print(json.dumps(list(buffer[: L.llama_tokenize(v, text, len(text), buffer, 65536, False, False)])))
"#;

/// Code and prose from this repository, three lines at a time every tenth time, and what
/// tokenizers trip over.
fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut lines = Vec::new();
    for place in ["README.md", "training", "sample_programs", "benches", "src", "tests"] {
        collect(&root.join(place), &mut lines);
    }
    let mut texts: Vec<String> = [
        "<|im_start|>user\nhi<|im_end|>",
        "<bos><eos><start_of_turn>",
        "a\u{0}b",
        "  \t \t x",
        "e\u{301}\u{200d}👩‍👩‍👧 日本語 ﷺ",
        "1234567890 0x1F 3.14e-10",
        "don't WE'LL I'm",
        "\n\n\n\n x\n\n",
        "\u{feff}x",
        "   ",
        "ÀÉ ß ﬁ ½",
        "a'b\"c`d",
        "::->=>!=",
        "\r\n\r\n",
        "▁▁x ▁",
    ]
    .map(str::to_owned)
    .to_vec();
    for (i, three) in lines.windows(3).enumerate().take(10_000) {
        texts.push(if i % 10 == 0 { three.join("\n") } else { three[0].clone() });
    }
    texts
}

fn collect(path: &Path, lines: &mut Vec<String>) {
    if path.is_dir() {
        let mut inside: Vec<PathBuf> =
            std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        inside.sort();
        inside.iter().for_each(|path| collect(path, lines));
    } else if let Ok(text) = std::fs::read_to_string(path) {
        lines.extend(text.lines().filter(|line| line.len() < 2000).map(str::to_owned));
    }
}

/// What llama.cpp makes of the texts, one by one.
fn asked(python: &str, model: &str, texts: &[String]) -> Vec<Vec<u32>> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for text in texts {
        writeln!(file, "{}", serde_json::to_string(text).unwrap()).unwrap();
    }
    let run = Command::new(python).args(["-c", LLAMA, model]).arg(file.path()).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8(run.stdout).unwrap();
    said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[derive(serde::Deserialize)]
struct Fixture {
    tokens: Vec<(String, Vec<u32>)>,
}

fn agrees(variable: &str, fixture: &str) {
    let model = std::env::var(variable).expect("see the head of this file");
    let Fixture { mut tokens } = serde_json::from_str(fixture).unwrap();
    assert!(tokens.len() > 200);
    if let Ok(python) = std::env::var("FORETRACE_LLAMA_PYTHON") {
        let texts = texts();
        assert!(texts.len() > 10_000);
        let said = asked(&python, &model, &texts);
        assert_eq!(said.len(), texts.len());
        tokens.extend(texts.into_iter().zip(said));
    }
    let bytes = FileBytes::open(Path::new(&model)).unwrap();
    let gguf = Gguf::read(&bytes).unwrap();
    let tokenizer = Tokenizer::new(Spec::from_gguf(&gguf).unwrap()).unwrap();
    let mut differ = Vec::new();
    for (text, theirs) in &tokens {
        let ours = tokenizer.encode_start(text);
        if ours != *theirs {
            differ.push((text, ours, theirs));
        }
    }
    let first: Vec<_> = differ.iter().take(5).collect();
    assert!(differ.is_empty(), "{} of {} texts differ: {first:?}", differ.len(), tokens.len());
}

#[test]
#[ignore = "needs a model file; see the head of this file"]
fn byte_level_bpe_gives_llama_cpp_s_ids() {
    agrees("FORETRACE_SMOLLM2", include_str!("fixtures/smollm2.json"));
}

#[test]
#[ignore = "needs a model file; see the head of this file"]
fn sentencepiece_gives_llama_cpp_s_ids() {
    agrees("FORETRACE_GEMMA", include_str!("fixtures/gemma.json"));
}
