//! `trace --batch`: failures kept apart, and a run that was stopped goes on as if it had not.
#![cfg(unix)]

use crate::Folder;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Ten good programs, of which some take a moment, and one of each kind of failure.
fn programs() -> String {
    let mut lines: Vec<Value> = (0..10)
        .map(|n| {
            let slow = if n % 3 == 1 { "import time\n" } else { "" };
            let wait = if n % 3 == 1 { "    time.sleep(0.3)\n" } else { "" };
            let code = format!("{slow}def f(n):\n{wait}    m = n + {n}\n    return m\n");
            json!({ "code": code, "entry": "f(1)", "family": n })
        })
        .collect();
    lines.insert(2, json!({ "code": "x = (\n" }));
    lines.insert(5, json!({ "code": "while True:\n    pass\n" }));
    lines.insert(12, json!({ "code": "x = 1\n", "entry": "f(1)" }));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

const ARGS: [&str; 10] =
    ["trace", "--batch", "in.jsonl", "--per-file", "4", "--workers", "2", "--events", "50", "-o"];

fn args(out: &str) -> Vec<&str> {
    ARGS.into_iter().chain([out]).collect()
}

/// Everything in a folder, by name.
fn files(folder: &Path) -> Vec<(String, String)> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let read = |path: &Path| std::fs::read_to_string(path).expect("a text file");
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), read(&entry.path())))
        .collect();
    files.sort();
    files
}

fn whole(folder: &Folder) -> Vec<(String, String)> {
    folder.write("in.jsonl", programs().as_bytes());
    let (status, _, stderr) = folder.run(&args("whole"));
    assert_eq!((status, stderr.lines().count()), (0, 1), "{stderr}");
    assert!(stderr.contains("13 programs: 10 ended normally, 0 with an exception, 1 were cut"));
    files(&folder.path().join("whole"))
}

#[test]
fn failures_are_counted_and_kept_apart() {
    let folder = Folder::new();
    let files = whole(&folder);
    let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
    let batches = ["00000.jsonl", "00001.jsonl", "00002.jsonl", "00003.jsonl"];
    assert_eq!(names, [&batches[..], &["failures.ndjson"]].concat());
    let failed: Vec<Value> =
        files[4].1.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let numbers: Vec<_> = failed.iter().map(|failed| failed["number"].as_u64()).collect();
    assert_eq!(numbers, [Some(2), Some(5), Some(12)]);
    let kinds: Vec<_> = failed.iter().map(|failed| failed["kind"].as_str()).collect();
    assert_eq!(kinds, [Some("do not compile"), Some("cut"), Some("never reached their entry")]);
    for (failed, reason) in failed.iter().zip(["program.py:1: ", "50", "f"]) {
        assert!(failed["reason"].as_str().expect("a reason").contains(reason), "{failed}");
    }
    // What could not be recorded is no document, and no hindrance.
    let (status, stdout, stderr) = folder.run(&["dataset", "whole", "-o", "out"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("2 not recorded"), "{stdout}");
}

/// A file cut anywhere, as a kill leaves it, is taken up after its last whole program.
#[test]
fn a_half_file_is_taken_up_where_it_is_whole() {
    let folder = Folder::new();
    let expected = whole(&folder);
    let text = &expected[1].1;
    let starts: Vec<usize> = text.match_indices("{\"program\":").map(|(at, _)| at).collect();
    let mut cuts = vec![0, 1, starts[1], starts[1] + 20, starts[2] - 1, starts[3] + 200];
    cuts.push(text.len());
    for cut in cuts {
        let out = folder.path().join("out");
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir(&out).expect("a folder");
        std::fs::write(out.join("00000.jsonl"), &expected[0].1).expect("a file");
        std::fs::write(out.join("00001.part"), &text[..cut]).expect("a file");
        // A failure ahead of what was kept is written anew, and half a line is none.
        let failures = format!("{}{{\"number\":", expected[4].1);
        std::fs::write(out.join("failures.ndjson"), failures).expect("a file");
        let (status, _, stderr) = folder.run(&args("out"));
        assert_eq!(status, 0, "{cut}: {stderr}");
        let kept = 4 + starts.iter().filter(|&&start| start > 0 && start <= cut).count();
        let least = kept - usize::from(kept > 4);
        let told = stderr.lines().next().expect("a line");
        let told =
            (least..=8).any(|count| told.contains(&format!("{count} programs are recorded")));
        assert!(told, "{cut}: {stderr}");
        assert!(files(&out) == expected, "{cut}");
    }
}

#[test]
fn a_batch_that_was_stopped_goes_on_and_ends_as_one_that_was_not() {
    let folder = Folder::new();
    let expected = whole(&folder);
    for signal in ["KILL", "INT", "TERM"] {
        let out = folder.path().join(signal);
        let child = Command::new(env!("CARGO_BIN_EXE_foretrace"))
            .args(args(signal))
            .current_dir(folder.path())
            .env("FORETRACE_HOME", folder.path().join("home"))
            // Whoever is killed outright leaves its temporary folders: they go with this one.
            .env("TMPDIR", folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let start = Instant::now();
        while !out.join("00000.jsonl").exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "nothing is recorded");
            std::thread::sleep(Duration::from_millis(5));
        }
        let number = child.id().to_string();
        let sent = Command::new("kill").args([&format!("-{signal}"), &number]).status();
        assert!(sent.expect("kill is there").success());
        let said = child.wait_with_output().expect("it ended").stderr;
        let said = String::from_utf8_lossy(&said);
        let lines = if signal == "KILL" { 0 } else { 1 };
        assert_eq!(said.lines().count(), lines, "{said}");
        assert!(lines == 0 || said.contains("run it again to go on"), "{said}");
        assert!(!out.join("00003.jsonl").exists(), "{signal} came too late to test anything");
        let (status, _, stderr) = folder.run(&args(signal));
        assert!(status == 0 && stderr.contains("programs are recorded already"), "{stderr}");
        assert!(files(&out) == expected, "{signal}");
    }
}

#[test]
fn other_programs_are_not_mixed_in() {
    let folder = Folder::new();
    let expected = whole(&folder);
    let other = programs().replace("\"family\":9", "\"family\":10").replace("x = 1\\n", "x = 2\\n");
    folder.write("in.jsonl", other.as_bytes());
    let (status, _, stderr) = folder.run(&args("whole"));
    assert_eq!((status, stderr.lines().count()), (2, 1), "{stderr}");
    assert!(stderr.contains("line 13 is not the last program recorded there"), "{stderr}");
    assert!(files(&folder.path().join("whole")) == expected);
}

/// Programs that tell where they are, in every way: the folder they run in is a new one each time.
#[test]
fn two_batches_of_the_same_programs_are_equal() {
    const ALL: [(&str, &str); 7] = [
        ("def f():\n    return {}['a']\nf()\n", "File \\\"program.py\\\", line 2, in f"),
        ("print(__file__)\n", "\"program.py\\n\""),
        ("import warnings\nwarnings.warn('old')\n", "program.py:2: UserWarning: old"),
        ("import os\nhere = os.getcwd()\n", "'/tmp/foretrace'"),
        ("import os, sys\nprint(sys.path[0], os.path.abspath(__file__))\n", "/tmp/foretrace/pro"),
        ("import os\nos.system('pwd')\nprint(1)\n", "{\"output\":"),
        ("import pathlib\nraise OSError(pathlib.Path.home())\n", "OSError: /tmp/foretrace"),
    ];
    let folder = Folder::new();
    // A file of that name where foretrace is started is another.
    folder.write("program.py", b"x = 1\n");
    let lines = ALL.map(|(code, _)| format!("{}\n", json!({ "code": code })));
    folder.write("in.jsonl", lines.concat().as_bytes());
    let batch = |out: &str| {
        let (status, _, stderr) =
            folder.run(&["trace", "--batch", "in.jsonl", "--per-file", "1", "-o", out]);
        assert_eq!(status, 0, "{stderr}");
        files(&folder.path().join(out))
    };
    let first = batch("first");
    for ((name, text), (code, told)) in first.iter().zip(ALL) {
        assert!(text.contains(told), "{name}: {code}{text}");
    }
    assert!(first == batch("second"));
}
