//! Every event of the fixture programs, in tables that a person can read beside the source.
//!
//! A row that some versions lack begins with those that have it: `@3.11+`, `@-3.9`, `@3.9`.

use crate::support::{file, fixture, fixtures, minor, pythons, record, rows};

fn wanted(table: &str, minor: u32) -> Vec<&str> {
    let number = |text: &str| -> Option<u32> { text.strip_prefix("3.")?.parse().ok() };
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

#[test]
fn fixture_programs_give_the_events_of_their_tables() {
    for python in pythons() {
        for name in fixtures() {
            let table = std::fs::read_to_string(fixture(&format!("{name}.steps"))).expect("table");
            let recording = record(&python, &file(&fixture(&format!("{name}.py"))));
            let wanted = wanted(&table, minor(&python)).join("\n");
            let found = rows(&recording).join("\n");
            assert_eq!(found, wanted, "{name} on Python {}", python.version());
        }
    }
}
