//! README says what the program does: its list of keys and commands is the table's own, and
//! every option it names exists.

use assert_cmd::Command;
use foretrace::tui::keymap::Keymap;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str = "<!-- keys: written by `UPDATE_README=1 cargo test --test readme` -->\n";
const END: &str = "<!-- end of keys -->";

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

/// The table of all keys and commands, in Markdown.
fn keys() -> String {
    let cell = |text: &str| match text {
        "" => String::new(),
        text => format!("`{}`", text.replace('|', "\\|")),
    };
    let mut text = String::new();
    let mut heading = "";
    for row in Keymap::load("").0.table() {
        if row.heading != heading {
            heading = row.heading;
            writeln!(text, "\n| keys | typed | {heading} |\n|---|---|---|").unwrap();
        }
        let keys: Vec<_> = row.keys.iter().map(|key| cell(&key.to_string())).collect();
        writeln!(text, "| {} | {} | {} |", keys.join(" "), cell(&row.words), row.doc).unwrap();
    }
    text
}

#[test]
fn the_list_of_keys_is_the_programs_own() {
    let readme = std::fs::read_to_string(path()).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("README marks where the list begins");
    let (list, after) = rest.split_once(END).expect("README marks where the list ends");
    let wanted = format!("{}\n", keys());
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(path(), format!("{before}{BEGIN}{wanted}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(list, wanted, "run: UPDATE_README=1 cargo test --test readme");
}

#[test]
fn every_option_it_names_exists() {
    let readme = std::fs::read_to_string(path()).unwrap();
    let mut known = BTreeSet::new();
    for command in ["", "predict", "trace", "dataset", "eval", "doctor", "models pull"] {
        let mut binary = Command::cargo_bin("foretrace").unwrap();
        let args = command.split_whitespace().chain(["--help"]);
        let help = binary.args(args).output().unwrap();
        assert!(help.status.success(), "{command} --help");
        known.extend(options(&String::from_utf8_lossy(&help.stdout)));
    }
    // Cargo's, bash's and pip's own, and those of servers.
    let theirs = [
        "--release",
        "--features",
        "--path",
        "--open",
        "--test",
        "--bench",
        "--port",
        "--tensor-parallel-size",
        "--max-model-len",
        "--max-logprobs",
    ];
    // the trainer says its own with --help
    let ours = readme.lines().filter(|line| !line.trim_start().starts_with("python training/"));
    let named = options(&ours.collect::<Vec<_>>().join("\n"));
    assert!(named.len() > 10, "{named:?}");
    for option in named {
        assert!(
            known.contains(&option) || theirs.contains(&option.as_str()),
            "{option} is no option of foretrace"
        );
    }
}

/// Words that begin with two dashes and a letter.
fn options(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| {
            word.strip_prefix("--")
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        })
        .map(str::to_owned)
        .collect()
}
