//! What comes from outside is shown so that a terminal does not obey it, and is refused the
//! same way whichever command meets it.

use crate::{Folder, json};

/// Characters that a terminal obeys, or that hide what they stand in.
const HOSTILE: [char; 8] =
    ['\x1b', '\x07', '\r', '\u{7f}', '\u{85}', '\u{9b}', '\u{202e}', '\u{2066}'];

fn obeyed(text: &str) -> Vec<char> {
    text.chars()
        .filter(|c| HOSTILE.contains(c) || (c.is_control() && !"\n\t".contains(*c)))
        .collect()
}

/// All of them in names, source, values, settings, models and recordings: no stream shows
/// any, and JSON keeps them.
#[test]
fn a_terminal_is_never_given_what_it_would_obey() {
    let folder = Folder::new();
    let bad: String = HOSTILE.iter().collect();
    let name = format!("{bad}.py");
    folder.write(&name, b"print(1)\n");
    let text = "\u{1b}]0;owned\u{7}\u{202e}\u{9b}31m";
    let program = format!("def f(s):\n    t = '{text}'  # {text}\n    return s + t\n");
    folder.write("prog.py", program.as_bytes());
    folder.write("syntax.py", format!("x = '{text}\n").as_bytes());
    folder.write("model.gguf", format!("GGUF{text}").as_bytes());
    let (status, _, stderr) =
        folder.run(&["trace", "prog.py", "--entry", "f('a')", "-o", "run.rec"]);
    assert_eq!(status, 0, "{stderr}");
    let home = folder.path().join("home/config");
    std::fs::create_dir_all(&home).expect("a folder");
    folder.write("home/config/config.toml", b"\"\\u001b]0;owned\\u0007\" = 3\n");
    let missing = format!("absent{bad}");
    let entry = format!("nope{bad}(1)");
    let python = format!("/no/{bad}");
    let call = format!("f('{text}')");
    let table: &[&[&str]] = &[
        &["predict", &name, "-c", "s"],
        &["predict", &missing, "-c", "s"],
        &["predict", "syntax.py", "-c", "s"],
        &["predict", "prog.py", "--entry", &entry, "-c", "s"],
        &[
            "predict",
            "prog.py",
            "--oracle",
            "cpython",
            "--entry",
            &call,
            "-c",
            "s;;s;;s;;w;;a",
            "-c",
            "p s",
        ],
        &["predict", "prog.py", "--replay", "run.rec", "-c", "s;;s;;s;;l", "-c", "p t", "-c", text],
        &["predict", "prog.py", "--replay", &missing, "-c", "s"],
        &["predict", "prog.py", "--model", &missing, "-c", "s"],
        &["predict", "prog.py", "--model", "model.gguf", "-c", "s"],
        &["predict", "prog.py", "--python", &python, "--oracle", "cpython", "-c", "s"],
        &["predict", "prog.py", "--device", text, "-c", "s"],
        &["predict", "prog.py", &format!("--{text}")],
        &["predict", "prog.py", "--unit", text],
        &["trace", &missing],
        &["trace", "syntax.py"],
        &["trace", "prog.py", "--entry", &entry],
        &["dataset", &missing, "-o", "out"],
        &["dataset", &name, "-o", "out"],
        &["eval", "states", &missing],
        &["doctor", "--python", &python],
        &[text],
    ];
    for args in table {
        let (_, stdout, stderr) = folder.run(args);
        assert_eq!(obeyed(&stdout), [], "{args:?}: {stdout:?}");
        assert_eq!(obeyed(&stderr), [], "{args:?}: {stderr:?}");
        let said = if args[0] == "doctor" { &stdout } else { &stderr };
        assert!(said.contains("config.toml") || said.starts_with("error:"), "{args:?}: {said:?}");
    }
    let args = ["predict", "prog.py", "--replay", "run.rec", "--json", "-c", "s;;s"];
    let (status, stdout, _) = folder.run(&args);
    assert_eq!(status, 0);
    let value = json(&stdout).last().expect("a step")["locals"]["t"].clone();
    assert!(value.as_str().is_some_and(|value| value.contains("owned")), "{value}");
}

/// A recording and a session refuse the same input in the same words, with the same code.
#[test]
fn trace_and_predict_refuse_alike() {
    let folder = Folder::new();
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    folder.write("empty.py", b"\n# nothing\n");
    folder.write("binary.py", b"\x7fELF\x02\x01\x01\x00\x00\x00");
    folder.write("syntax.py", b"def f(:\n    pass\n");
    folder.write("deep.py", format!("x = {}1\n", "-".repeat(50_000)).as_bytes());
    folder.write("latin.py", b"s = '\xe9'\n");
    folder.write("wide.py", &[b"\xff\xfe", &wide("print(1)\n")[..]].concat());
    folder.write("unmarked.py", &wide("print(1)\n"));
    folder.write("raises.py", b"1 / 0\ndef f(n):\n    return n\n");
    folder.write("wish.py", b"# entry: nope(1)\nx = 1\n");
    let table: &[(&[&str], i32, &str)] = &[
        (&["absent.py"], 2, "absent.py: there is no such file"),
        (&["."], 2, ". is a folder; name a file in it"),
        (&["/dev/zero"], 2, "/dev/zero is a device or a pipe"),
        (&["empty.py"], 2, "empty.py has no statements"),
        (&["binary.py"], 2, "binary.py is a binary file"),
        (&["wide.py"], 2, "wide.py is UTF-16 text"),
        (&["unmarked.py"], 2, "unmarked.py is UTF-16LE text"),
        (&["syntax.py"], 2, "syntax.py:1: "),
        (&["deep.py"], 2, "deep.py: it is nested more deeply than CPython can read"),
        (&["latin.py"], 2, "latin.py: line 1"),
        (&["wish.py"], 2, "no function \"nope\""),
        (&["prog.py", "--entry", "nope(1)"], 2, "no function \"nope\""),
        (&["prog.py", "--entry", "add(1)"], 2, "lacks 'b'"),
        (&["prog.py", "--entry", "add"], 2, "CPython needs arguments to call add"),
        (&["prog.py", "--entry", "add(absent, 1)"], 2, "NameError"),
        (&["raises.py", "--entry", "f(1)"], 2, "the module raised ZeroDivisionError"),
        (&["prog.py", "--python", "/no/python"], 3, "--python: /no/python was not found"),
        (&["prog.py", "--python", "/bin/true"], 3, "/bin/true is not a usable Python 3"),
    ];
    for (args, code, words) in table {
        let traced = folder.run(&[&["trace"], *args, &["-o", "out.rec"]].concat());
        let predicted =
            folder.run(&[&["predict"], *args, &["--oracle", "cpython", "-c", "s"]].concat());
        assert_eq!((traced.0, predicted.0), (*code, *code), "{args:?}: {traced:?} {predicted:?}");
        assert_eq!(traced.2, predicted.2, "{args:?}");
        assert_eq!(traced.2.lines().count(), 1, "{traced:?}");
        assert!(traced.2.contains(words), "{traced:?}");
        let said = traced.2.trim_start_matches("foretrace: ");
        let halves: Vec<&str> = said.split(": ").collect();
        assert!(halves.windows(2).all(|pair| pair[0] != pair[1]), "said twice: {said}");
    }
}

/// Where a folder is wanted, a file is refused and left as it was.
#[test]
fn a_file_is_no_folder() {
    let folder = Folder::new();
    folder.write("in.jsonl", b"");
    folder.write("file", b"kept");
    for command in [&["trace", "--batch"][..], &["dataset"]] {
        let (code, _, said) = folder.run(&[command, &["in.jsonl", "-o", "file"]].concat());
        assert_eq!((code, said.lines().count()), (2, 1), "{said}");
        assert!(said.contains("is not a folder") && !said.contains("os error"), "{said}");
    }
    assert_eq!(std::fs::read(folder.path().join("file")).unwrap(), b"kept");
}

/// Absurd numbers are refused before anything is done, with what is allowed.
#[test]
fn numbers_have_bounds_and_say_them() {
    let folder = Folder::new();
    folder.write("in.jsonl", b"");
    let dataset = ["dataset", "in.jsonl", "-o", "out"];
    let batch = ["trace", "--batch", "in.jsonl", "-o", "out"];
    let eval = ["eval", "states", "in.jsonl"];
    let (zero, huge, negative) = ("0", "18446744073709551615", "=-1");
    let table: &[(&[&str], &str, &[&str])] = &[
        (&dataset, "--threads", &[zero, "4000", huge, negative, "x"]),
        (&dataset, "--window", &[zero, "5", huge, negative]),
        (&dataset, "--documents", &[zero, huge, negative]),
        (&dataset, "--shard", &["4/4", "0/0", "0/18446744073709551615", "x"]),
        (&dataset, "--inverse", &["2", "NaN", "inf", negative]),
        (&batch, "--workers", &[zero, "4000", huge, negative]),
        (&batch, "--per-file", &[zero, huge, negative]),
        (&batch, "--events", &[zero, huge, negative]),
        (&batch, "--seconds", &[zero, "1e300", "inf", "NaN", negative]),
        (&["trace", "prog.py"], "--events", &[zero, huge]),
        (&["trace", "prog.py"], "--seconds", &[zero, "1e300"]),
        (&eval, "--samples", &[zero, huge, negative]),
        (&eval, "--limit", &[zero, huge, negative]),
        (&eval, "--chain", &[huge, negative]),
        (&eval, "--free", &[huge, negative]),
        (&["predict", "prog.py"], "--seed", &["18446744073709551616", negative, "x"]),
    ];
    for (command, option, values) in table {
        for value in *values {
            let arg = format!("{option}={}", value.trim_start_matches('='));
            let (status, stdout, stderr) = folder.run(&[*command, &[&arg]].concat());
            assert_eq!((status, stdout.as_str()), (2, ""), "{arg}: {stderr}");
            let first = stderr.lines().next().unwrap_or_default();
            assert!(first.contains(option), "{arg}: {stderr}");
            assert!(first.contains(" from ") || first.contains("write it as"), "{arg}: {stderr}");
            assert!(!folder.path().join("out").exists(), "{arg} began");
        }
    }
}

/// A recording of something else says what it is of, and what to do.
#[test]
fn a_recording_of_another_program_is_named() {
    let folder = Folder::new();
    folder.write("other.py", b"def only_here(n):\n    return n\n");
    let record = |args: &[&str]| {
        let (status, _, stderr) = folder.run(args);
        assert_eq!(status, 0, "{stderr}");
    };
    record(&["trace", "prog.py", "-o", "prog.rec"]);
    record(&["trace", "other.py", "--entry", "only_here(1)", "-o", "other.rec"]);
    let refused = |program: &str, recording: &str| {
        let (status, _, stderr) =
            folder.run(&["predict", program, "--replay", recording, "-c", "s"]);
        assert_eq!((status, stderr.lines().count()), (2, 1), "{stderr}");
        stderr
    };
    let said = refused("prog.py", "other.rec");
    assert!(said.contains("other.rec is a recording of other.py, not of prog.py"), "{said}");
    assert!(said.contains("foretrace trace prog.py -o"), "{said}");
    folder.write("prog.py", b"print(1)\n");
    let said = refused("prog.py", "prog.rec");
    assert!(said.contains("a recording of prog.py as it was before a change"), "{said}");
}
