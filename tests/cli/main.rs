//! The binary without a screen: what it prints, and how it fails.

mod again;
mod batch;
mod border;
mod files;
mod pull;
mod run;
mod streams;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The binary in an empty home, so that nobody's configuration counts.
fn foretrace(home: &Path) -> Command {
    let mut command = Command::cargo_bin("foretrace").expect("the binary is built");
    command.env("FORETRACE_HOME", home.join("home")).current_dir(home);
    command.env_remove("VIRTUAL_ENV").env_remove("NO_COLOR");
    command
}

const PROGRAM: &str = "\
def add(a, b):
    total = a + b
    return total

def twice(n):
    once = add(n, 1)
    return add(once, once)

print(twice(2))
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a temporary folder"));
        folder.write("prog.py", PROGRAM.as_bytes());
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, bytes).expect("a file in the temporary folder");
        path
    }

    /// Exit code, stdout, stderr.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        self.run_with(args, |_| {})
    }

    fn run_with(&self, args: &[&str], change: impl Fn(&mut Command)) -> (i32, String, String) {
        let mut command = foretrace(self.path());
        change(&mut command);
        let output = command.args(args).output().expect("the binary runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }
}

/// Bad input: one line on stderr that says what to do, and the exit code of its kind.
#[test]
fn bad_input_is_one_line_and_an_exit_code() {
    let folder = Folder::new();
    folder.write("empty.py", b"");
    folder.write("comment.py", b"# nothing\n\n");
    folder.write("binary.py", b"\x7fELF\x02\x01\x01\x00\x00\x00");
    folder.write("syntax.py", b"def f(:\n    pass\n");
    folder.write("latin.py", b"s = '\xe9'\n");
    folder.write("broken.gguf", b"GGUF\x03\x00\x00\x00oops");
    folder.write("text.gguf", b"hello");
    folder.write("broken.rec", b"{\"v\": 99}\n");
    let cpython = ["--oracle", "cpython"];
    let table: &[(&[&str], i32, &str)] = &[
        (&["predict", "absent.py", "-c", "s"], 2, "absent.py: there is no such file"),
        (&["predict", ".", "-c", "s"], 2, ". is a folder"),
        (&["predict", "/dev/zero", "-c", "s"], 2, "/dev/zero is a device or a pipe"),
        (&["predict", "prog.py", "--replay", "/dev/zero", "-c", "s"], 2, "is a device or a pipe"),
        (&["predict", "prog.py", "--model", "/dev/zero", "-c", "s"], 3, "is not a regular file"),
        (&["trace", "prog.py", "-o", "prog.py"], 2, "that is the program itself"),
        (&["trace", "/dev/zero"], 2, "/dev/zero is a device or a pipe"),
        (&["trace", "--batch", "/dev/zero", "-o", "out"], 2, "/dev/zero is a device or a pipe"),
        (&["dataset", "/dev/zero", "-o", "out"], 2, "/dev/zero is a device or a pipe"),
        (&["dataset", "absent.jsonl", "-o", "out"], 2, "absent.jsonl: there is no such file"),
        (&["eval", "states", "/dev/zero"], 2, "/dev/zero is a device or a pipe"),
        (&["predict", "binary.py", "-c", "s"], 2, "binary.py is a binary file"),
        (&["predict", "empty.py", "-c", "s"], 2, "empty.py is empty"),
        (&["predict", "comment.py", "-c", "s"], 2, "comment.py has no statements"),
        (&["predict", "syntax.py", "-c", "s"], 2, "syntax.py:1: "),
        (&["predict", "prog.py", "--oracle", "cpython", "-b", "99", "-c", "s"], 2, "no line 99"),
        (&["predict", "latin.py", "-c", "s"], 2, "latin.py: line 1"),
        (&["predict", "prog.py", "--entry", "nope(1)", "-c", "s"], 2, "no function \"nope\""),
        (&["predict", "prog.py", "--entry", "add(1)", "-c", "s"], 2, "lacks 'b'"),
        (&["predict", "prog.py", "--entry", "add(1, 2, 3)", "-c", "s"], 2, "add(1, 2, 3)"),
        (&["predict", "prog.py", "--at", "99", "-c", "s"], 2, "past the last line"),
        (&["predict", "prog.py", "--at", "x", "-c", "s"], 2, "is no place"),
        (&["predict", "prog.py", "--at", "4", "-c", "s"], 2, "the next line of prog.py is 5"),
        (
            &["predict", "prog.py", "--at", "2", "--locals", "{\"zz\": 1}", "-c", "s"],
            2,
            "names 'zz', which is no variable at line 2",
        ),
        (
            &["predict", "prog.py", "--at", "2", "--locals", "{\"a\": \"x y\"}", "-c", "s"],
            2,
            "the value x y, which is no Python value",
        ),
        (&["predict", "prog.py", "--entry", "add(1, 2)+1", "-c", "s"], 2, "is more than a call"),
        (&["predict", "prog.py", "-b", "99", "-c", "s"], 2, "breakpoint 99: there is no line 99"),
        (
            &["predict", "prog.py", "-b", "99", "--json", "-c", "s"],
            2,
            "foretrace: breakpoint 99: there is no line 99",
        ),
        (&["predict", "prog.py", "--at", "2", "--locals", "{", "-c", "s"], 2, "no JSON object"),
        (&["predict", "prog.py", "--returns", "add", "-c", "s"], 2, "is no return"),
        (
            &["predict", "prog.py", "--returns", "add:5 = 3", "-c", "s"],
            2,
            "has no return on line 5",
        ),
        (
            &["predict", "prog.py", "--model", "absent.gguf", "-c", "s"],
            3,
            "absent.gguf: there is no such file",
        ),
        (&["predict", "prog.py", "--model", "broken.gguf", "-c", "s"], 3, "broken.gguf"),
        (&["predict", "prog.py", "--model", "text.gguf", "-c", "s"], 3, "text.gguf"),
        (&["predict", "prog.py", "--device", "toaster", "-c", "s"], 2, "toaster"),
        (&["predict", "prog.py", "--replay", "broken.rec", "-c", "s"], 2, "broken.rec"),
        (&["predict", "prog.py", "--replay", "absent.rec", "-c", "s"], 2, "absent.rec"),
        (&["predict", "prog.py", cpython[0], cpython[1], "-c", "frobnicate"], 2, "'frobnicate'"),
        (&["predict", "prog.py", cpython[0], cpython[1], "-c", "stpe"], 2, "did you mean 'step'"),
        (
            &["predict", "prog.py", cpython[0], cpython[1], "--python", "/no/python", "-c", "s"],
            3,
            "/no/python",
        ),
        (&["predict", "prog.py", "-c", "S"], 2, "here type 'bstep' or 'rs'"),
        (&["predict", "prog.py", "-c", "j 3"], 2, "'advance 3' predicts on to it"),
        (
            &["predict", "prog.py", "--verify", "--env", "PYTHONHOME=/nowhere", "-c", "s"],
            3,
            "No module named 'encodings' (PYTHONHOME = '/nowhere')",
        ),
        (&["prog.py"], 2, "the debugger needs a terminal"),
    ];
    for (args, code, words) in table {
        let (status, stdout, stderr) = folder.run(args);
        assert_eq!(status, *code, "{args:?}: {stderr}");
        let said = format!("{stdout}{stderr}");
        assert!(said.contains(words), "{args:?}: {said}");
        assert_eq!(stderr.trim_end().lines().count(), 1, "{args:?}: {stderr}");
    }
}

/// Without any Python on the PATH: predictions need none, the truth says what is missing.
#[test]
fn no_python() {
    let folder = Folder::new();
    let no_path = |command: &mut Command| {
        command.env("PATH", "");
    };
    let args = ["predict", "prog.py", "--oracle", "cpython", "-c", "s"];
    let (status, _, stderr) = folder.run_with(&args, no_path);
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.to_lowercase().contains("python"), "{stderr}");
    let (status, _, stderr) = folder.run_with(&["trace", "prog.py"], |command| {
        command.env("TMPDIR", "/nowhere");
    });
    assert_eq!(status, 3, "{stderr}");
    assert!(stderr.contains("temporary folder (see $TMPDIR)"), "{stderr}");
    let (status, stdout, _) = folder.run_with(&["doctor"], no_path);
    assert_eq!(status, 0);
    assert!(stdout.contains("verify with   nothing"), "{stdout}");
    assert!(stdout.lines().any(|line| line.starts_with("GPU           ")), "{stdout}");
}

#[test]
fn text_is_as_pdb_prints_it() {
    let folder = Folder::new();
    let (status, stdout, stderr) = folder.run(&[
        "predict",
        "prog.py",
        "--oracle",
        "cpython",
        "--entry",
        "twice(2)",
        "-c",
        "s",
        "-c",
        "s",
        "-c",
        "p a",
        "-c",
        "a",
        "-c",
        "r",
        "-c",
        "w",
        "-c",
        "p a + b * 100",
    ]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(
        stdout,
        "\
--Call--
> prog.py(5)twice()
-> def twice(n):
(fdb) s
> prog.py(6)twice()
-> once = add(n, 1)
(fdb) s
--Call--
> prog.py(1)add()
-> def add(a, b):
(fdb) p a
2
(fdb) a
'a' is the command; '!a' prints the variable
a = 2
b = 1
(fdb) r
--Return-- 3
> prog.py(3)add()->3
-> return total
   total: unset -> 3
(direct)
(fdb) w
  prog.py(6)twice()
-> once = add(n, 1)
> prog.py(3)add()->3
-> return total
(fdb) p a + b * 100
102
"
    );
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn json_is_a_header_and_one_object_a_step() {
    let folder = Folder::new();
    let (status, stdout, stderr) = folder.run(&[
        "predict", "prog.py", "--oracle", "cpython", "--verify", "--json", "-b", "2", "-c", "c",
        "-c", "c;;c", "-c", "c",
    ]);
    assert_eq!(status, 0, "{stderr}");
    let lines = json(&stdout);
    let header = &lines[0];
    assert_eq!(header["kind"], "header");
    assert_eq!(header["program"], "prog.py");
    assert_eq!((header["v"].as_u64(), header["history"].as_str()), (Some(1), Some("free")));
    assert!(header["python"].as_str().is_some_and(|v| v.starts_with('3')), "{header}");
    let places: Vec<(Option<&str>, Option<u64>)> =
        lines[1..].iter().map(|line| (line["event"].as_str(), line["line"].as_u64())).collect();
    assert_eq!(
        places,
        [(Some("call"), Some(1)), (Some("line"), Some(2)), (Some("line"), Some(2)), (None, None)]
    );
    let hit = &lines[3];
    assert_eq!(hit["locals"]["a"], "3");
    assert_eq!((&hit["action"], &hit["way"]), (&"breakpoint".into(), &"direct".into()));
    assert_eq!(hit["verdict"]["all"], "right");
    assert_eq!(hit["verdict"]["locals"]["a"], "right");
    assert_eq!(hit["actual"]["line"], 2);
    let end = &lines[4];
    assert_eq!((&end["kind"], &end["exit"]), (&"exit".into(), &"normal".into()));
    // Every step has every field.
    let names = |line: &Value| -> Vec<String> {
        line.as_object().expect("an object").keys().cloned().collect()
    };
    assert!(lines[2..].iter().all(|line| names(line) == names(&lines[1])));
}

/// One recording serves as the truth later, on a machine without Python.
#[test]
fn a_recording_is_replayed() {
    let folder = Folder::new();
    let (status, _, stderr) =
        folder.run(&["trace", "prog.py", "--entry", "twice(2)", "-o", "run.rec"]);
    assert_eq!(status, 0, "{stderr}");
    let args = ["predict", "prog.py", "--replay", "run.rec", "-c", "r"];
    let (status, stdout, stderr) = folder.run_with(&args, |command| {
        command.env("PATH", "");
    });
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("--Return-- 6"), "{stdout}");
    let other = ["predict", "prog.py", "--entry", "twice(3)", "--replay", "run.rec", "-c", "r"];
    let (status, _, stderr) = folder.run(&other);
    assert_eq!(status, 2);
    assert!(stderr.contains("the recording starts at twice(2)"), "{stderr}");
    folder.write("prog.py", b"print(1)\n");
    let (status, _, stderr) = folder.run(&args);
    assert_eq!(status, 2, "{stderr}");
}

/// Commands come from the standard input where none are given.
#[test]
fn commands_from_the_standard_input() {
    let folder = Folder::new();
    let mut command = foretrace(folder.path());
    command.args(["predict", "prog.py", "--oracle", "cpython", "--entry", "twice(2)"]);
    let output = command.write_stdin("# two steps\ns\n\nq\n").output().expect("the binary runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    assert_eq!(stdout.matches("(fdb) s").count(), 2, "{stdout}");
    let mut command = foretrace(folder.path());
    command.args(["predict", "prog.py", "--oracle", "cpython"]);
    let output = command.write_stdin(&b"s\n\xff\n"[..]).output().expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("commands on the standard input: "), "{stderr}");
}

/// What the program reads, and a test as pytest names it.
#[test]
fn a_file_of_input_and_a_test_by_its_name() {
    let folder = Folder::new();
    folder.write("ask.py", b"n = int(input())\nm = n + 1\n");
    folder.write("in.txt", b"41\n");
    let args =
        ["predict", "ask.py", "--oracle", "cpython", "--stdin", "in.txt", "-c", "r", "-c", "p m"];
    let (status, stdout, stderr) = folder.run(&args);
    assert_eq!((status, stdout.lines().last()), (0, Some("42")), "{stdout}{stderr}");
    let args = ["trace", "ask.py", "--stdin", "none.txt"];
    let (status, _, stderr) = folder.run(&args);
    assert!(
        status == 2 && stderr.contains("none.txt: ") && stderr.lines().count() == 1,
        "{stderr}"
    );

    let test = b"def test_up():\n    assert 1 + 1 == 2\n\n\nclass TestAll:\n    def test_down(self):\n        assert 1 - 1 == 1\n";
    folder.write("test_it.py", test);
    for (entry, line, end) in
        [("test_it.py::test_up", "2", "normal"), ("test_it.py::TestAll::test_down", "7", "error")]
    {
        let args = [
            "predict",
            "test_it.py",
            "--oracle",
            "cpython",
            "--entry",
            entry,
            "--json",
            "-c",
            "s;;c",
        ];
        let (status, stdout, stderr) = folder.run(&args);
        let steps = json(&stdout);
        assert_eq!(status, 0, "{stderr}");
        assert_eq!(steps[2]["line"].to_string(), line, "{stdout}");
        assert_eq!(steps[3]["exit"], end, "{stdout}");
    }
    let args = ["trace", "test_it.py", "--entry", "prog.py::test_up"];
    let (status, _, stderr) = folder.run(&args);
    assert!(status == 2 && stderr.contains("is no test of test_it.py"), "{stderr}");
}

#[test]
fn a_typo_in_the_configuration_is_said_and_the_rest_counts() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("home/config")).expect("a folder");
    folder.write("home/config/config.toml", b"sed = 3\nseed = 7\n");
    let args = ["predict", "prog.py", "--oracle", "cpython", "--json", "-c", "s"];
    let (status, stdout, stderr) = folder.run(&args);
    assert_eq!(status, 0);
    assert!(stderr.contains("config.toml:1: there is no setting 'sed'"), "{stderr}");
    assert_eq!(json(&stdout)[0]["seed"], 7);
}

#[test]
fn help_shows_examples_and_keys() {
    let folder = Folder::new();
    let (status, _, stderr) = folder.run(&[]);
    assert_eq!(status, 2);
    assert!(stderr.contains("Usage: foretrace"), "{stderr}");
    let (status, stdout, _) = folder.run(&["--help"]);
    assert_eq!(status, 0);
    assert!(stdout.contains("predict") && stdout.contains("Keys:"), "{stdout}");
    let (_, stdout, _) = folder.run(&["predict", "--help"]);
    assert!(stdout.contains("Examples:") && stdout.contains("Exit codes:"), "{stdout}");
}

/// A guess backwards is checked by running it forwards: here CPython's own predecessor,
/// whose run without a recording of its own is found consistent.
#[test]
fn guesses_backwards_are_run_forwards() {
    let folder = Folder::new();
    let (status, stdout, stderr) = folder.run(&[
        "predict",
        "prog.py",
        "--oracle",
        "cpython",
        "--entry",
        "add(1, 2)",
        "--verify",
        "-c",
        "r",
        "-c",
        "rf",
        "-c",
        "rewind",
        "-c",
        "rn",
        "-c",
        "rn",
    ]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(
        stdout.matches("CPython: in this run, this is what came before").count(),
        3,
        "{stdout}"
    );
}

/// A jump to the end by single steps is wrong where the same steps, taken one by one, are:
/// that both programs end is not enough. Whatever the model that comes with the binary
/// predicts, both ways must agree.
#[test]
fn a_chained_jump_is_as_wrong_as_its_steps() {
    let folder = Folder::new();
    let program = "def f(word):\n    total = 0\n    for ch in word:\n        total += int(ch == 'r')\n    return total\n";
    folder.write("letters.py", program.as_bytes());
    let run = |commands: &[&str]| {
        let fixed = ["predict", "letters.py", "--entry", "f('berry')", "--verify", "--json"];
        let commands = commands.iter().flat_map(|command| ["-c", command]);
        let args: Vec<&str> =
            fixed.into_iter().chain(["--fail-on-mismatch"]).chain(commands).collect();
        let (status, stdout, stderr) = folder.run(&args);
        assert!(matches!(status, 0 | 4), "{stderr}");
        (status, json(&stdout))
    };
    let (status, lines) = run(&["jump chained", "c"]);
    let jump = lines.last().expect("a line");
    let count = jump["substeps"].as_u64().expect("a number") as usize + 1;
    assert!(count > 1, "{jump}");
    let (single_status, steps) = run(&vec!["s"; count]);
    assert_eq!(single_status, status, "{jump}");
    let wrong = |step: &Value| matches!(step["verdict"]["all"].as_str(), Some("wrong"));
    // A header and the given state come before the first step.
    let first = steps[2..].iter().position(wrong).map(|at| at + 1);
    let (all, note) = (&jump["verdict"]["all"], jump["verdict"]["note"].as_str().unwrap_or(""));
    match first {
        None => assert_eq!((status, all), (0, &"right".into()), "{jump}"),
        Some(at) if at < count => {
            assert_eq!((status, all), (4, &"wrong on the way".into()), "{jump}");
            assert!(note.starts_with(&format!("step {at} of {count}: ")), "{jump}");
        }
        Some(_) => assert_eq!((status, all), (4, &"wrong".into()), "{jump}"),
    }
}

/// Single steps on request, the callers wherever a jump leads, and what ended the run.
#[test]
fn a_jump_to_the_end_says_its_steps_and_what_ended_it() {
    let folder = Folder::new();
    let program = "\
def get(table, key):
    return table[key]

def main(key):
    table = {'a': 1}
    return get(table, key)
";
    folder.write("keys.py", program.as_bytes());
    let run = |more: &[&str]| {
        let fixed = ["predict", "keys.py", "--oracle", "cpython", "--entry", "main('b')", "--json"];
        let args: Vec<&str> = fixed.iter().chain(more).copied().collect();
        let (status, stdout, stderr) = folder.run(&args);
        assert_eq!((status, stderr.as_str()), (0, ""));
        json(&stdout)
    };
    let lines = run(&["--jump", "chained", "--substeps", "-c", "c"]);
    let inside: Vec<&Value> = lines.iter().filter(|line| line["substep"].is_u64()).collect();
    let places: Vec<(u64, &str, u64)> = inside
        .iter()
        .map(|line| {
            let number = |name: &str| line[name].as_u64().expect("a number");
            (number("substep"), line["event"].as_str().expect("a word"), number("line"))
        })
        .collect();
    let expected = [
        (1, "line", 5),
        (2, "line", 6),
        (3, "call", 1),
        (4, "line", 2),
        (5, "exception", 2),
        (6, "exception", 6),
    ];
    assert_eq!(places, expected);
    assert!(inside.iter().all(|line| line["step"] == 1));
    let stack = |line: &Value| -> Vec<Option<u64>> {
        line["stack"].as_array().expect("a list").iter().map(|f| f["line"].as_u64()).collect()
    };
    assert_eq!(stack(inside[3]), [Some(6), Some(2)]);
    let end = lines.last().expect("a line");
    assert_eq!((&end["substep"], &end["exit"]), (&Value::Null, &"error".into()));
    assert_eq!(end["substeps"], 6);
    assert_eq!(end["ending"]["state"]["arg"], "KeyError('b')");
    let names = |line: &Value| -> Vec<String> {
        line.as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(names(inside[0]), names(end));

    // Direct: the callers come with the answer.
    let lines = run(&["-b", "2", "-c", "c", "-c", "c", "-c", "bstep"]);
    assert_eq!(stack(&lines[2]), [Some(6), Some(2)]);
    assert_eq!(lines[3]["ending"]["state"]["arg"], "KeyError('b')");
    assert_eq!((&lines[4]["event"], &lines[4]["line"]), (&"line_after_call".into(), &6.into()));
    let args = ["predict", "keys.py", "--oracle", "cpython", "--entry", "main('b')", "-c", "c"];
    let (_, stdout, _) = folder.run(&args);
    let banner = "--End-- the exception leaves the program: KeyError: 'b'";
    assert!(stdout.contains(banner), "{stdout}");
    folder.write("exits.py", b"import os\nos._exit(3)\n");
    let args = ["predict", "exits.py", "--oracle", "cpython", "-c", "c", "-c", "bstep", "-c", "w"];
    let (_, stdout, _) = folder.run(&args);
    let banner = "--Cut-- the program ended its process itself, with exit code 3; nothing is known";
    assert!(stdout.contains(banner), "{stdout}");
    assert!(stdout.contains("the last state before the end: the line at line 2"), "{stdout}");
}

/// CPython cannot start inside a loop: that is said, and the session goes on without it.
#[test]
fn a_start_in_a_loop_is_not_verified() {
    let folder = Folder::new();
    folder.write("loop.py", b"def f(n):\n    for i in range(n):\n        n += i\n    return n\n");
    let args = ["predict", "loop.py", "--at", "3", "--locals", "{\"n\": 3, \"i\": 1}", "--verify"];
    let args: Vec<&str> = args.into_iter().chain(["--json", "-c", "s"]).collect();
    let (status, stdout, stderr) = folder.run(&args);
    assert_eq!((status, stderr.lines().count()), (0, 1), "{stderr}");
    assert!(stderr.contains("not verified: ") && stderr.contains("for loop"), "{stderr}");
    let lines = json(&stdout);
    assert_eq!((lines.len(), &lines[2]["verdict"]), (3, &Value::Null));
}

/// Whoever has agreed to run the program need not agree again: to find an entry's first state,
/// and after starting anew elsewhere.
#[test]
fn consent_holds_for_the_entry_and_for_the_next() {
    let folder = Folder::new();
    let box_ = "class Box:\n    def __init__(self, n):\n        self.n = n\n    def grow(self, by):\n        self.n += by\n        return self.n\n";
    folder.write("box.py", box_.as_bytes());
    let replay = ["prog.py", "--oracle", "cpython"];
    let cases: [(&[&str], &[&str]); 4] = [
        (
            &["prog.py", "--oracle", "cpython", "--entry", "twice(add(1, 1))", "-c", "s"],
            &["prog.py(6)twice()", "once = add(n, 1)"],
        ),
        (
            &["box.py", "--oracle", "cpython", "--entry", "Box(2).grow(3)", "-c", "s", "-c", "s"],
            &["box.py(6)grow()", "Box(n=5)"],
        ),
        (
            &["prog.py", "--verify", "--entry", "twice(2)", "-c", "restart add(1, 2)", "-c", "s"],
            &["prog.py(2)add()", "recorded 4 states", "CPython: "],
        ),
        (
            &[&replay[..], &["--entry", "twice(2)", "-c", "restart add(1, 2)", "-c", "s"]].concat(),
            &["prog.py(2)add()", "total = a + b"],
        ),
    ];
    for (args, wanted) in cases {
        let (code, out, error) = folder.run(&[&["predict"], args].concat());
        assert_eq!((code, error.as_str()), (0, ""), "{args:?} {out}");
        for words in wanted {
            assert!(out.contains(words), "{args:?} lacks {words}: {out}");
        }
    }
}
