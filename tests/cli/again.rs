//! What is said of a program that was edited meanwhile, that was refused something, or that was
//! named by too much.

use crate::{Folder, PROGRAM, foretrace};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Reads lines until one holds these words.
fn until(lines: &mut impl Iterator<Item = std::io::Result<String>>, words: &str) -> String {
    lines.map(|line| line.expect("text")).find(|line| line.contains(words)).expect("the line")
}

/// A file that is edited while the session is open is read again by `restart`.
#[test]
fn an_edit_counts_after_a_restart() {
    for options in [&[][..], &["--verify"], &["--oracle", "cpython"]] {
        let folder = Folder::new();
        let built = foretrace(folder.path());
        let mut child = Command::new(built.get_program())
            .args(["predict", "prog.py", "--entry", "add(1, 2)", "-b", "3"])
            .args(options)
            .current_dir(folder.path())
            .env("FORETRACE_HOME", folder.path().join("home"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut to = child.stdin.take().expect("a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        until(&mut lines, "-> def add(a, b):");
        folder.write("prog.py", format!("# edited\n{PROGRAM}").as_bytes());
        writeln!(to, "restart\nc").expect("it reads");
        until(&mut lines, "prog.py has changed: it is read again");
        until(&mut lines, "breakpoint 1 is at line 4 now");
        until(&mut lines, "> prog.py(2)add()");
        until(&mut lines, "> prog.py(4)add()");
        folder.write("prog.py", b"def add(a, b:\n");
        writeln!(to, "restart\ny\ns").expect("it reads");
        until(&mut lines, "breakpoint 1 is gone: ");
        until(&mut lines, "*** Python does not run this file: prog.py:1: ");
        std::fs::remove_file(folder.path().join("prog.py")).expect("a file");
        writeln!(to, "restart").expect("it reads");
        until(&mut lines, "*** the program stays as it was read: prog.py: there is no such file");
        drop(to);
        for line in lines {
            line.expect("text");
        }
        child.wait().expect("it ends");
    }
}

/// What the sandbox refuses is said once, whoever asked for the run.
#[test]
fn what_is_refused_to_a_program_is_said() {
    let folder = Folder::new();
    // Also where the run is shown before it has ended.
    let text = b"try:\n    open('/proc/version', 'w')\nexcept OSError:\n    pass\nfor i in range(400):\n    pass\n";
    folder.write("writes.py", text);
    let cpython = ["--oracle", "cpython", "-c", "c"];
    for options in [
        &["--verify"][..],
        &cpython,
        &["--oracle", "cpython", "--verify", "-c", "c"],
        &["--oracle", "model"],
    ] {
        let args = [&["predict", "writes.py", "-c", "s"], options].concat();
        let (code, stdout, stderr) = folder.run(&args);
        assert_eq!((code, stderr.as_str()), (0, ""), "{options:?}");
        let said = stdout.matches("refused, by the sandbox or the system: '/proc/version'").count();
        let runs = options != ["--oracle", "model"];
        assert_eq!(said, usize::from(runs), "{options:?}: {stdout}");
    }
}

/// Whatever is too long is not repeated whole by whoever refuses it.
#[test]
fn a_long_argument_is_cut_where_it_is_repeated() {
    let folder = Folder::new();
    let long = "x".repeat(4_000);
    let options = [
        "--entry",
        "--at",
        "--returns",
        "--break",
        "--model",
        "--device",
        "--seed",
        "--python",
        "--env",
        "--endpoint",
        "--stdin",
        "--replay",
        "--unit",
        "--threads",
        "-c",
    ];
    for option in options {
        for value in [long.clone(), format!("{long}(1)"), format!("{long} = 3")] {
            // Typed, those are Python, and Python's own errors are short.
            if option == "-c" && value != long {
                continue;
            }
            let mut args = vec!["predict", "prog.py", option, &value];
            if option != "-c" {
                args.extend(["--verify", "-c", "s"]);
            }
            let (code, stdout, stderr) = folder.run(&args);
            let echo = format!("(fdb) {value}\n");
            let said = format!("{}{stderr}", stdout.replace(&echo, ""));
            assert!(code == 2 || code == 3, "{option}: {code} {said:.500}");
            assert!(!said.contains(&long[..1_000]), "{option}: {said}");
            let marked = said.contains("x…") || said.contains(" … ");
            assert!(marked || !said.contains("xxx"), "{option}: {said}");
        }
    }
    for args in [&["predict", &long, "-c", "s"][..], &["trace", &long], &["predict", "-m", &long]] {
        let (code, _, stderr) = folder.run(args);
        assert!(code == 2 && stderr.len() < 1_000, "{stderr}");
    }
}
