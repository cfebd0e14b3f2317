//! Programs, interpreters, and traces as text.

use foretrace::cpython::{self, Error, Limits, Options};
use foretrace::program::{Entry, Program, SourceFile, decode};
use foretrace::trace::{Edit, Event, Recording, changes};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The interpreters to test with: the one that users get, and those named.
pub fn pythons() -> Vec<cpython::Python> {
    let named = std::env::var_os("FORETRACE_PYTHONS").unwrap_or_default();
    let named = std::env::split_paths(&named).filter(|path| path.is_file()).map(Some);
    let all: Vec<Option<PathBuf>> = std::iter::once(None).chain(named).collect();
    all.iter()
        .map(|path| cpython::Python::find(path.as_deref()).expect("a Python to test with"))
        .collect()
}

/// The minor version: 11 of 3.11.7.
pub fn minor(python: &cpython::Python) -> u32 {
    python.version().split('.').nth(1).and_then(|n| n.parse().ok()).expect("a version")
}

pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/traces").join(name)
}

/// Stems of all fixture programs.
pub fn fixtures() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(fixture(""))
        .expect("fixtures")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let python = path.extension()? == "py";
            python.then(|| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        })
        .collect();
    names.sort();
    assert!(names.len() >= 10, "{names:?}");
    names
}

/// All programs that have a table: those of `fixtures`, and one for each construct of Python.
pub fn all_fixtures() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fixtures().iter().map(|name| fixture(&format!("{name}.py"))).collect();
    let constructs = fixture("../constructs").canonicalize().expect("a folder");
    let entries = std::fs::read_dir(constructs).expect("constructs");
    let constructs = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.extend(constructs.filter(|path| path.extension().is_some_and(|e| e == "py")));
    paths.sort();
    paths
}

/// A file of this machine as a program run as a module.
pub fn file(path: &Path) -> Program {
    let bytes = std::fs::read(path).expect("a program");
    let (file, _) = decode(&path.display().to_string(), &bytes);
    Program { files: vec![file], entry: Entry::Module }
}

/// Text as a program.
pub fn text(text: &str) -> Program {
    let (file, _) = SourceFile::from_text("program.py", text);
    Program { files: vec![file], entry: Entry::Module }
}

/// The same, entered by a call.
pub fn call(source: &str, expression: &str) -> Program {
    let function = expression.split('(').next().unwrap_or_default().to_owned();
    let entry = Entry::Call { function, expression: expression.into() };
    Program { entry, ..text(source) }
}

/// Bounds that end a hostile program soon.
pub fn options(python: &cpython::Python) -> Options {
    let limits = Limits { seconds: 10.0, events: 5_000, output: 1 << 18, ..Limits::default() };
    Options { python: Some(python.path().into()), limits, ..Options::default() }
}

pub fn try_record(
    python: &cpython::Python,
    program: &Program,
    edits: &[Edit],
) -> Result<Recording, Error> {
    cpython::record(program, &options(python), edits, &AtomicBool::new(false))
}

pub fn record(python: &cpython::Python, program: &Program) -> Recording {
    try_record(python, program, &[]).expect("a recording")
}

/// One line a state: `call 5 add a=1 b=2`, `line 6 c=3 -d`, `return 6 -> 3`,
/// `exception 6 ! KeyError()`; indented by depth; only the variables that changed in the
/// frame since its last state.
pub fn rows(recording: &Recording) -> Vec<String> {
    let tree = &recording.tree;
    let mut latest = HashMap::new();
    let mut rows = Vec::new();
    for node in 0..u32::try_from(tree.len()).expect("few states") {
        let state = tree.state(node);
        let event = match (state.event, state.suspension) {
            (Event::Call, true) => "resume",
            (Event::Return, true) => "yield",
            (event, _) => event.name(),
        };
        let mut row = "  ".repeat(state.depth as usize);
        row.push_str(&format!("{event} {}", state.loc.line));
        if event == "call" {
            row.push_str(&format!(" {}", state.function));
        }
        let locals = state.locals.expect("recordings have locals");
        let before = latest.insert(tree.frame(node), locals.clone()).unwrap_or_default();
        let (mut deleted, mut set) = (String::new(), String::new());
        for change in changes(&before, &locals) {
            match change.new {
                None => deleted.push_str(&format!(" -{}", change.name)),
                Some(value) => set.push_str(&format!(" {}={value}", change.name)),
            }
        }
        row.push_str(&deleted);
        row.push_str(&set);
        if let Some(arg) = state.arg {
            row.push_str(if state.event == Event::Exception { " ! " } else { " -> " });
            row.push_str(arg.text());
        }
        rows.push(row);
    }
    rows.push(format!("exit {} {}", tree.exit().name(), recording.note).trim_end().into());
    rows
}
