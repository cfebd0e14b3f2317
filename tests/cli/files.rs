//! Files of every kind where one is expected: nothing waits, and each is one line.

use crate::Folder;
use std::process::Command;

fn pipe(folder: &Folder, name: &str) {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo is there");
    assert!(made.success());
}

#[test]
fn a_pipe_where_a_file_is_expected_is_refused() {
    let folder = Folder::new();
    pipe(&folder, "pipe");
    pipe(&folder, "folder/pipe.jsonl");
    let table: &[(&[&str], i32)] = &[
        (&["predict", "pipe", "-c", "s"], 2),
        (&["predict", "prog.py", "--replay", "pipe", "-c", "s"], 2),
        (&["predict", "prog.py", "--model", "pipe", "-c", "s"], 3),
        (&["trace", "pipe"], 2),
        (&["trace", "--batch", "pipe", "-o", "out"], 2),
        (&["dataset", "pipe", "-o", "out"], 2),
        (&["dataset", "prog.py", "-o", "out", "--exclude", "pipe"], 2),
        (&["dataset", "folder", "-o", "out"], 2),
        (&["eval", "states", "folder"], 2),
        (&["eval", "states", "pipe"], 2),
        (&["eval", "states", "prog.py", "--model", "pipe"], 3),
    ];
    for (args, code) in table {
        let (status, _, stderr) = folder.run(args);
        assert_eq!((status, stderr.lines().count()), (*code, 1), "{args:?}: {stderr}");
        assert!(stderr.contains("pipe"), "{args:?}: {stderr}");
    }
}

/// What is wrong with the configuration is one line, and costs only the configuration.
#[test]
fn a_configuration_that_cannot_be_read_is_said_once() {
    for kind in ["pipe", "folder", "binary", "file for a folder"] {
        let folder = Folder::new();
        let config = folder.path().join("home/config");
        match kind {
            "pipe" => pipe(&folder, "home/config/config.toml"),
            "folder" => std::fs::create_dir_all(config.join("config.toml")).expect("a folder"),
            "binary" => {
                std::fs::create_dir_all(&config).expect("a folder");
                folder.write("home/config/config.toml", b"\xff\xfe\x00");
            }
            _ => {
                std::fs::create_dir_all(folder.path().join("home")).expect("a folder");
                folder.write("home/config", b"");
            }
        }
        let (status, _, stderr) =
            folder.run(&["predict", "prog.py", "--oracle", "cpython", "-c", "s"]);
        assert_eq!((status, stderr.lines().count()), (0, 1), "{kind}: {stderr}");
        assert!(stderr.contains("home/config") && stderr.contains("built-in"), "{kind}: {stderr}");
        let (status, stdout, _) = folder.run(&["doctor"]);
        assert_eq!((status, stdout.matches("built-in ones").count()), (0, 1), "{kind}: {stdout}");
    }
}

fn program(number: usize) -> String {
    format!("{{\"code\": \"x = {number}\\n\"}}\n")
}

/// A batch goes on where it stopped, or says why it cannot; it never counts wrong.
#[test]
fn a_batch_is_resumed_only_as_it_was_begun() {
    let folder = Folder::new();
    let input = |count: usize| {
        let text: String = (0..count).map(program).collect();
        folder.write("in.jsonl", text.as_bytes());
    };
    let batch = |per_file: &str| {
        let (status, _, stderr) = folder.run(&[
            "trace",
            "--batch",
            "in.jsonl",
            "-o",
            "out",
            "--workers",
            "1",
            "--per-file",
            per_file,
        ]);
        (status, stderr)
    };
    input(5);
    let (status, stderr) = batch("2");
    assert_eq!(status, 0, "{stderr}");
    // All there: nothing to do.
    let (status, stderr) = batch("2");
    assert!(status == 0 && stderr.contains("5 programs are recorded already"), "{stderr}");
    assert!(stderr.contains("0 programs: "), "{stderr}");
    // Other numbers would begin at another program.
    for other in ["1", "3", "4", "1000"] {
        let (status, stderr) = batch(other);
        assert_eq!((status, stderr.lines().count()), (2, 1), "{other}: {stderr}");
        assert!(stderr.contains("give --per-file 2"), "{other}: {stderr}");
    }
    // The input went on after the last file was closed short.
    input(7);
    let (status, stderr) = batch("2");
    assert_eq!(status, 2, "{stderr}");
    // Without that file it goes on, and the programs are those of one run.
    std::fs::remove_file(folder.path().join("out/00002.jsonl")).expect("it was there");
    let (status, stderr) = batch("2");
    assert!(status == 0 && stderr.contains("4 programs are recorded already"), "{stderr}");
    let codes: Vec<String> = (0..4)
        .flat_map(|number| {
            let path = folder.path().join(format!("out/{number:05}.jsonl"));
            let text = std::fs::read_to_string(path).expect("a file");
            let programs =
                text.lines().filter(|line| line.starts_with("{\"program\"")).map(str::to_owned);
            programs.collect::<Vec<_>>()
        })
        .collect();
    let wanted: Vec<String> =
        (0..7).map(|number| format!("{{\"program\":{}}}", program(number).trim())).collect();
    assert_eq!(codes, wanted);
}

/// The sample programs are kept out of every data set, wherever it is made.
#[test]
fn sample_programs_are_excluded_from_any_folder() {
    let folder = Folder::new();
    let sample =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/sample_programs/gcd.py"));
    let line = serde_json::json!({ "code": sample.expect("a sample program") });
    folder.write("in.jsonl", format!("{line}\n").as_bytes());
    let (status, _, stderr) =
        folder.run(&["trace", "--batch", "in.jsonl", "-o", "batch", "--workers", "1"]);
    assert_eq!(status, 0, "{stderr}");
    let (status, _, stderr) = folder.run(&["dataset", "batch", "-o", "out"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("must not be learned from"), "{stderr}");
}
