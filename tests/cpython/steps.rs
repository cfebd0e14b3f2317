//! Every event of the fixture programs, in tables that a person can read beside the source; and
//! `sys.monitoring` as a second observer of the same.
//!
//! A row that some versions lack begins with those that have it: `@3.11+`, `@-3.9`, `@3.9`,
//! `@3.10-3.12`. A program that older versions cannot parse begins with `# python: 3.11+`.

use crate::support::{all_fixtures, file, minor, pythons, record, rows};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Of 3.2: 2.
fn number(text: &str) -> Option<u32> {
    text.strip_prefix("3.")?.parse().ok()
}

fn wanted(table: &str, minor: u32) -> Vec<&str> {
    table
        .lines()
        .filter_map(|row| {
            let Some(marked) = row.strip_prefix('@') else { return Some(row) };
            let (mark, row) = marked.split_once(' ').expect("a row after its mark");
            let (first, last) = match mark.split_once('-') {
                Some((first, last)) => {
                    (number(first).unwrap_or(0), number(last).expect("a version"))
                }
                None => match mark.strip_suffix('+') {
                    Some(first) => (number(first).expect("a version"), u32::MAX),
                    None => (number(mark).expect("a version"), number(mark).expect("a version")),
                },
            };
            (first..=last).contains(&minor).then_some(row)
        })
        .collect()
}

/// The fixture programs that this version can parse.
fn programs(minor: u32) -> Vec<PathBuf> {
    let parses = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a program");
        let first = text.lines().next().and_then(|line| line.strip_prefix("# python: "));
        let least = first.and_then(|mark| number(mark.strip_suffix('+')?));
        least.is_none_or(|least| least <= minor)
    };
    all_fixtures().into_iter().filter(parses).collect()
}

#[test]
fn fixture_programs_give_the_events_of_their_tables() {
    for python in pythons() {
        let minor = minor(&python);
        for path in programs(minor) {
            let table = std::fs::read_to_string(path.with_extension("steps")).expect("table");
            let wanted = wanted(&table, minor).join("\n");
            let found = rows(&record(&python, &file(&path))).join("\n");
            assert_eq!(found, wanted, "{} on Python {}", path.display(), python.version());
        }
    }
}

/// The tracer observes by `sys.settrace`; a second observer by `sys.monitoring`, which has
/// other events in another order, comes to the same states.
#[test]
fn sys_monitoring_gives_the_same_states() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for python in pythons() {
        let minor = minor(&python);
        if minor < 12 {
            eprintln!("Python {} has no sys.monitoring", python.version());
            continue;
        }
        let programs = programs(minor);
        let output = Command::new(python.path())
            .arg(folder.join("tests/cpython/monitoring.py"))
            .arg(folder.join("src/cpython/tracer/values.py"))
            .args(&programs)
            .env("PYTHONHASHSEED", "0")
            .output()
            .expect("it runs");
        let said = String::from_utf8(output.stdout).expect("JSON");
        let observed: Vec<Vec<String>> =
            said.lines().map(|line| serde_json::from_str(line).expect("rows")).collect();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(observed.len(), programs.len(), "{told}");
        for (path, theirs) in programs.iter().zip(observed) {
            let ours = rows(&record(&python, &file(path)));
            let what = format!("{} on Python {}", path.display(), python.version());
            assert_eq!(ours.join("\n"), theirs.join("\n"), "{what}");
        }
    }
}
