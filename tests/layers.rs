//! The house rules that a compiler does not check: which room may use which, how long a
//! file may be, and that each says what it is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The table of `src/lib.rs`: a room and what it may use, besides itself.
const MAY_USE: &[(&str, &[&str])] = &[
    ("program", &[]),
    ("trace", &["program"]),
    ("gguf", &[]),
    ("model", &["gguf"]),
    ("codec", &["program", "trace", "gguf"]),
    ("decode", &["model"]),
    ("cpython", &["program", "trace"]),
    ("tls", &[]),
    ("oracle", &["program", "trace", "gguf", "model", "codec", "decode", "cpython", "tls"]),
    ("dataset", &["program", "trace", "gguf", "model", "codec", "decode", "cpython"]),
    ("session", &["program", "trace", "oracle"]),
    ("lesson", &["program", "trace", "oracle"]),
    (
        "eval",
        &[
            "program", "trace", "gguf", "model", "codec", "decode", "cpython", "oracle", "dataset",
            "lesson",
        ],
    ),
    ("config", &["program"]),
    ("tui", &["session", "lesson", "trace", "program", "oracle", "config"]),
];

/// What the session, the lesson and the screen may name of the oracle's room: its plain
/// data and traits, never an implementation.
const ORACLE_PORTS: &[&str] = &[
    "Answer",
    "Capabilities",
    "Confidence",
    "Control",
    "Ending",
    "Evaluator",
    "OTHERS",
    "Oracle",
    "OracleError",
    "OracleFactory",
    "Prediction",
    "Progress",
    "Query",
    "Recorder",
    "RunnerUp",
    "Work",
];

/// Lines of a file, its tests at the end not counted.
const LONGEST: usize = 700;

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
        let mut entries: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(&path, into);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                into.push(path);
            }
        }
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&src, &mut paths);
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.strip_prefix(&src).unwrap().to_path_buf(), text)
    };
    paths.into_iter().map(read).collect()
}

fn room(path: &Path) -> String {
    let first = path.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

fn is_test(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name == "tests" || name == "tests.rs" || name == "arbitrary.rs"
    })
}

/// A file without its inline tests and comments.
fn code(text: &str) -> String {
    let body = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let line = |line: &str| match line.find("//") {
        Some(at) if !line[..at].contains('"') => line[..at].to_string(),
        _ => line.to_string(),
    };
    body.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Paths that follow `crate::` in a file: `oracle::Answer`, with groups taken apart.
fn crate_paths(code: &str) -> BTreeSet<String> {
    fn expand(text: &str, prefix: &str, into: &mut BTreeSet<String>) -> usize {
        let mut path = String::from(prefix);
        for (at, c) in text.char_indices() {
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | ':' => path.push(c),
                '{' => {
                    let mut from = at + 1;
                    loop {
                        from += expand(&text[from..], &path, into);
                        match text[from..].chars().next() {
                            Some(',') => from += 1,
                            Some('}') => return from + 1,
                            _ => return text.len(),
                        }
                    }
                }
                c if c.is_whitespace() && path.ends_with(':') => {}
                c if c.is_whitespace() && path == prefix => {}
                _ => {
                    if path != prefix {
                        into.insert(path);
                    }
                    return at;
                }
            }
        }
        into.insert(path);
        text.len()
    }
    let mut paths = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        expand(&code[at + 7..], "", &mut paths);
    }
    paths
}

#[test]
fn every_room_uses_only_what_the_table_allows() {
    let table: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut broken = Vec::new();
    for (path, text) in sources() {
        let room = room(&path);
        if is_test(&path) || matches!(room.as_str(), "cli" | "main" | "lib") {
            continue;
        }
        let allowed = table.get(room.as_str()).unwrap_or_else(|| panic!("no room {room}"));
        for used in crate_paths(&code(&text)) {
            let mut parts = used.split("::");
            let (first, second) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
            if first == room || first.is_empty() {
                continue;
            }
            if !allowed.contains(&first) {
                broken.push(format!("{}: {room} may not use {used}", path.display()));
            }
            let ports_only = matches!(room.as_str(), "session" | "lesson" | "tui");
            if first == "oracle" && ports_only && !ORACLE_PORTS.contains(&second) {
                broken.push(format!("{}: {room} may not name {used}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// The scanner itself: a rule that cannot see an offence is none.
#[test]
fn paths_are_found_in_groups_and_in_code() {
    let text = "use crate::oracle::{\n    Answer, Query,\n    neural::{self, Options},\n};\n\
                fn f() { crate::trace::changes(a, b); } // crate::not::this\n";
    let found: Vec<String> = crate_paths(&code(text)).into_iter().collect();
    assert_eq!(
        found,
        [
            "oracle::Answer",
            "oracle::Query",
            "oracle::neural::Options",
            "oracle::neural::self",
            "trace::changes",
        ]
    );
}

/// The table here and the table in `lib.rs` are one.
#[test]
fn the_map_lists_every_room() {
    let lib = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs")).unwrap();
    for (room, _) in MAY_USE {
        assert!(lib.contains(&format!("[`{room}`]")), "lib.rs does not list {room}");
        assert!(lib.contains(&format!("pub mod {room};")), "lib.rs does not declare {room}");
    }
}

#[test]
fn no_file_is_too_long_and_each_says_what_it_is() {
    let mut broken = Vec::new();
    for (path, text) in sources() {
        if is_test(&path) {
            continue;
        }
        let lines = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or("").lines().count();
        if lines > LONGEST {
            broken.push(format!("{}: {lines} lines; what is its second job?", path.display()));
        }
        if !text.starts_with("//!") {
            broken.push(format!("{}: no module head", path.display()));
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// The macros that print panic where a stream is closed or full, and print what a terminal
/// would obey: `cli::out` does neither.
#[test]
fn nothing_prints_but_through_the_border() {
    let macros = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
    for (path, text) in sources().into_iter().filter(|(path, _)| !is_test(path)) {
        for name in macros {
            assert!(!code(&text).contains(name), "{}: {name}; use cli::out", path.display());
        }
    }
}

/// The front page of a room says what it must not know.
#[test]
fn every_room_says_what_it_must_not_know() {
    let mut broken = Vec::new();
    for (room, _) in MAY_USE.iter().filter(|(room, _)| !matches!(*room, "dataset" | "eval")) {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let folder = src.join(room).join("mod.rs");
        let path = if folder.exists() { folder } else { src.join(format!("{room}.rs")) };
        let text = std::fs::read_to_string(path).unwrap();
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let head = head.join(" ").to_lowercase();
        if !["must not know", "knows no", "never"].iter().any(|words| head.contains(words)) {
            broken.push(*room);
        }
    }
    assert!(broken.is_empty(), "rooms that do not say what they must not know: {broken:?}");
}

#[test]
fn every_command_has_its_line_of_help() {
    for row in foretrace::session::COMMANDS {
        assert!(!row.doc.is_empty() && !row.doc.ends_with('.'), "{}: {:?}", row.name, row.doc);
        assert!(row.doc.chars().count() <= 70, "{}: {} characters", row.name, row.doc.len());
    }
}

/// The tracer's parts are joined into one namespace: a second definition of a name would
/// silently replace the first one's meaning in another part.
#[test]
fn no_part_of_the_tracer_redefines_a_name_of_another() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cpython/tracer");
    let mut defined: BTreeMap<String, PathBuf> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let Some(name) = defines(line) else { continue };
            let before = defined.insert(name.to_owned(), path.clone());
            assert!(before.is_none(), "{name}: {path:?} and {before:?}");
        }
    }
    assert!(defined.len() > 50, "{}", defined.len());
    assert_eq!(defines("CONTAINERS = {"), Some("CONTAINERS"));
    assert_eq!(defines("def f(x):"), Some("f"));
}

/// The name that a line without indentation defines.
fn defines(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("def ").or(line.strip_prefix("class ")).unwrap_or(line);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, after) = rest.split_at(end);
    let is_definition = rest.len() < line.len() || after.starts_with(" = ");
    (is_definition && !name.is_empty()).then_some(name)
}
