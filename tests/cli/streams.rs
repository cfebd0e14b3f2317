//! Standard output and standard error that are closed, full, or read by nobody; and signals.
#![cfg(unix)]

use crate::Folder;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for something that should happen at once, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command in the folder, with temporary files in its `tmp`.
fn command(folder: &Folder, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foretrace"));
    let tmp = folder.path().join("tmp");
    std::fs::create_dir_all(&tmp).expect("a folder");
    command.env("FORETRACE_HOME", folder.path().join("home")).env("TMPDIR", tmp);
    // A data set is made anew each time.
    let _ = std::fs::remove_dir_all(folder.path().join("out"));
    command.env_remove("VIRTUAL_ENV").current_dir(folder.path()).args(args).stdin(Stdio::null());
    command
}

fn full() -> File {
    File::options().write(true).open("/dev/full").expect("Linux")
}

/// The commands that print something to standard output.
fn printing() -> [&'static [&'static str]; 7] {
    [
        &["predict", "prog.py", "--oracle", "cpython", "-c", "s"],
        &["predict", "prog.py", "--oracle", "cpython", "--json", "-c", "s"],
        &["trace", "prog.py"],
        &["doctor"],
        &["dataset", "batch", "-o", "out"],
        &["eval", "states", "batch", "--limit", "1", "--free", "0", "--samples", "1"],
        &["--help"],
    ]
}

fn prepared() -> Folder {
    let folder = Folder::new();
    folder.write(
        "programs.jsonl",
        b"{\"code\": \"def f(n):\\n    m = n + 1\\n    return m\\n\", \"entry\": \"f(1)\"}\n",
    );
    let (status, _, stderr) =
        folder.run(&["trace", "--batch", "programs.jsonl", "-o", "batch", "--workers", "1"]);
    assert_eq!(status, 0, "{stderr}");
    folder
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_line_and_a_reader_gone_is_none() {
    let folder = prepared();
    for args in printing() {
        let output = command(&folder, args).stdout(full()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("No space left"), "{args:?}: {said}");
        let last = said.lines().filter(|line| !line.contains("programs")).count();
        assert_eq!(last, 1, "{args:?}: {said}");

        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command(&folder, args).stdout(writer).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
        assert!(!said.contains("pipe") && !said.contains("panicked"), "{args:?}: {said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn nobody_to_complain_to_changes_nothing_else() {
    let folder = prepared();
    let failing: [&[&str]; 4] = [
        &["predict", "absent.py", "-c", "s"],
        &["trace", "absent.py"],
        &["--nonsense"],
        &["prog.py"],
    ];
    for args in printing().into_iter().chain(failing) {
        let expected = command(&folder, args).stderr(Stdio::null()).output().expect("it runs");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        for stderr in [Stdio::from(full()), Stdio::from(writer)] {
            let mut there = command(&folder, args);
            let output = there.stdout(Stdio::piped()).stderr(stderr).spawn().expect("it starts");
            let output = output.wait_with_output().expect("it ends");
            assert_eq!(output.status.code(), expected.status.code(), "{args:?}");
            assert_eq!(output.stdout, expected.stdout, "{args:?}");
        }
        let both = command(&folder, args).stdout(full()).stderr(full()).status().expect("it runs");
        assert_eq!(both.code(), Some(2), "{args:?}");
    }
    // A warning of the configuration and a program's note go to standard error too.
    std::fs::create_dir_all(folder.path().join("home/config")).expect("a folder");
    folder.write("home/config/config.toml", b"nonsense = 1\n");
    folder.write("prog.py", b"import sys\nsys.exit(3)\n");
    let status = command(&folder, &["trace", "prog.py", "-o", "x.rec"]).stderr(full()).status();
    assert_eq!(status.expect("it runs").code(), Some(0));
}

#[test]
fn closed_streams_are_no_failure() {
    let folder = prepared();
    for closed in [">&-", "2>&-", ">&- 2>&-", "<&-"] {
        for args in printing() {
            let _ = std::fs::remove_dir_all(folder.path().join("out"));
            let mut shell = Command::new("/bin/sh");
            let script = format!("exec \"$@\" {closed}");
            let binary = env!("CARGO_BIN_EXE_foretrace");
            shell.args(["-c", &script, "sh", binary]).args(args).current_dir(folder.path());
            shell.env("FORETRACE_HOME", folder.path().join("home"));
            let output = shell.output().expect("a shell");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{closed} {args:?}: {said}");
        }
    }
}

/// What is left in the folder for temporary files.
fn left(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("tmp")).expect("the folder is there");
    entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect()
}

fn wait(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("our child") {
            return status;
        }
        assert!(start.elapsed() < PATIENCE, "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn nothing_is_left_behind_after_evaluations() {
    let folder = Folder::new();
    for args in [
        &[
            "predict",
            "prog.py",
            "--oracle",
            "cpython",
            "--entry",
            "add(1, 2)",
            "-c",
            "s",
            "-c",
            "p a + b",
        ][..],
        &[
            "predict", "prog.py", "--oracle", "cpython", "--verify", "-c", "s", "-c", "p 1", "-c",
            "q",
        ],
        &["predict", "prog.py", "--entry", "add(1, 2)", "-c", "p a + b", "-c", "nonsense"],
        &["trace", "prog.py"],
    ] {
        let status = command(&folder, args).stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.is_ok(), "{args:?}");
        assert_eq!(left(folder.path()), [""; 0], "{args:?}");
    }
}

#[test]
fn a_signal_ends_what_runs_and_leaves_nothing_behind() {
    use std::os::unix::process::ExitStatusExt;
    let folder = Folder::new();
    folder.write("slow.py", b"import time\nopen('/dev/null')\ntime.sleep(1000)\n");
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1), ("QUIT", 3)] {
        for args in [
            &["trace", "slow.py", "--seconds", "500"][..],
            &["predict", "slow.py", "--oracle", "cpython", "-c", "s"],
        ] {
            let mut there = command(&folder, args);
            let mut child =
                there.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
            let start = Instant::now();
            while left(folder.path()).is_empty() {
                assert!(start.elapsed() < PATIENCE, "it never starts the interpreter");
                std::thread::sleep(Duration::from_millis(5));
            }
            let pid = child.id().to_string();
            let sent = Command::new("kill").args([&format!("-{name}"), &pid]).status();
            assert!(sent.expect("kill is there").success());
            let status = wait(&mut child);
            assert_eq!(status.signal(), Some(number), "{name} {args:?}: {status}");
            assert_eq!(left(folder.path()), [""; 0], "{name} {args:?}");
            let said = child.wait_with_output().expect("ended").stderr;
            assert!(said.is_empty(), "{}", String::from_utf8_lossy(&said));
        }
    }
}

/// `nohup` means it.
#[test]
#[cfg(target_os = "linux")]
fn an_ignored_signal_stays_ignored() {
    let folder = Folder::new();
    folder.write("short.py", b"import time\ntime.sleep(2)\n");
    let mut shell = Command::new("/bin/sh");
    let binary = env!("CARGO_BIN_EXE_foretrace");
    shell.args(["-c", "trap '' HUP; exec \"$@\"", "sh", binary, "trace", "short.py"]);
    shell.current_dir(folder.path()).env("TMPDIR", folder.path().join("tmp"));
    std::fs::create_dir_all(folder.path().join("tmp")).expect("a folder");
    let mut child = shell.stdout(Stdio::null()).spawn().expect("it starts");
    let start = Instant::now();
    while left(folder.path()).is_empty() {
        assert!(start.elapsed() < PATIENCE, "it never starts the interpreter");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-HUP", &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
    assert_eq!(wait(&mut child).code(), Some(0));
}
