//! Every event that pdb's `step` shows is recorded, in order, and a session over CPython stops
//! where pdb does, except where a table says why not. (What `next`, `return` and breakpoints do
//! over a recording: `tests/steps.rs`.)

use crate::support::{all_fixtures, file, fixture, fixtures, minor, pythons, record};
use foretrace::cpython::Python;
use foretrace::trace::{Event, NodeId, StateTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::Command;

/// Every difference from pdb's stops: a name, the minor versions that have it, the reason.
const DIFFERENCES: &[(&str, RangeInclusive<u32>, &str)] = &[
    (
        "unwinding",
        8..=99,
        "an exception leaves a frame: pdb shows --Return-- None, we the exception",
    ),
    ("unwound", 8..=99, "… and if the frame has shown that exception already, pdb stops once more"),
    ("closed", 8..=12, "closing a suspended generator that catches nothing runs none of its lines"),
    ("decorated", 8..=99, "a call stands at its def line, in pdb at the first decorator"),
    ("iterator end", 8..=9, "the end of a for loop's iterator shows as an exception in pdb"),
];

/// Where pdb stopped; `None` outside the program's file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stop {
    kind: String,
    line: u32,
    function: String,
    said: String,
}

/// Stops of scripts: for each, where pdb began and where it was after each command.
fn pdb(python: &Python, name: &str, scripts: &[String]) -> Vec<Vec<Option<Stop>>> {
    type Raw = Option<(String, u32, String, String, String)>;
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cpython/pdb_stops.py");
    let program = format!("{name}.py");
    let output = Command::new(python.path())
        .arg(driver)
        .arg(fixture(&program))
        .args(scripts)
        .output()
        .expect("pdb runs");
    let said = String::from_utf8(output.stdout).expect("JSON");
    let runs: Vec<_> = said
        .lines()
        .map(|line| {
            let raw: Vec<Raw> = serde_json::from_str(line).expect("stops");
            let stop = |raw: Raw| {
                let (kind, line, function, file, said) = raw?;
                let hidden = ["<listcomp>", "<setcomp>", "<dictcomp>"].contains(&&*function);
                (file == program && !hidden).then_some(Stop { kind, line, function, said })
            };
            raw.into_iter().map(stop).collect()
        })
        .collect();
    assert_eq!(runs.len(), scripts.len(), "{}", String::from_utf8_lossy(&output.stderr));
    runs
}

/// A state in pdb's words.
fn ours(tree: &StateTree, node: NodeId) -> Stop {
    let kind = match tree.event(node) {
        Event::Call => "call",
        Event::Return => "return",
        Event::Exception => "exception",
        Event::Line | Event::LineAfterCall => "line",
    };
    Stop {
        kind: kind.into(),
        line: tree.loc(node).line,
        function: tree.function(node).to_string(),
        said: String::new(),
    }
}

impl Stop {
    fn is(&self, kind: &str) -> bool {
        self.kind == kind
    }

    fn at(&self, other: &Stop) -> bool {
        (self.line, &self.function) == (other.line, &other.function)
    }
}

/// Why pdb's next stops are not ours: the rule, how many of pdb's and of ours it takes.
fn explain(
    before: Option<&Stop>,
    theirs: &[&Stop],
    ours: Option<&Stop>,
) -> Option<(&'static str, usize, usize)> {
    let next = *theirs.first()?;
    if let Some(ours) = ours {
        if next.is("return") && ours.is("exception") && next.at(ours) {
            return Some(("unwinding", 1, 1));
        }
        if next.is("call")
            && ours.is("call")
            && next.function == ours.function
            && next.line < ours.line
        {
            return Some(("decorated", 1, 1));
        }
    }
    if next.is("return") && before.is_some_and(|before| before.is("exception") && before.at(next)) {
        return Some(("unwound", 1, 0));
    }
    if next.is("exception") && next.said == "Internal StopIteration" {
        return Some(("iterator end", 1, 0));
    }
    if next.is("call") && theirs.get(1).is_some_and(|stop| stop.said.starts_with("GeneratorExit")) {
        let count = theirs.iter().take_while(|stop| stop.at(next)).count();
        return Some(("closed", count, 0));
    }
    None
}

/// Walks both side by side; the rules used are counted.
fn align(
    tree: &StateTree,
    run: &[Option<Stop>],
    used: &mut BTreeMap<&'static str, u32>,
) -> Result<(), String> {
    let stops: Vec<&Stop> = run.iter().flatten().collect();
    let (mut theirs, mut node) = (0, 1); // pdb begins at the first line, which is state 1
    while theirs < stops.len() || node < tree.len() {
        let state = (node < tree.len()).then(|| ours(tree, node as NodeId));
        if let (Some(stop), Some(state)) = (stops.get(theirs), &state)
            && stop.at(state)
            && stop.kind == state.kind
        {
            (theirs, node) = (theirs + 1, node + 1);
            continue;
        }
        let before = theirs.checked_sub(1).map(|i| stops[i]);
        let rest = &stops[theirs..];
        let Some((rule, eaten, made)) = explain(before, rest, state.as_ref()) else {
            return Err(format!("pdb: {:?}\nours: {state:?}", rest.first()));
        };
        *used.entry(rule).or_default() += 1;
        (theirs, node) = (theirs + eaten, node + made);
    }
    Ok(())
}

#[test]
fn every_step_of_pdb_is_recorded() {
    for python in pythons() {
        let mut used = BTreeMap::new();
        for name in fixtures() {
            let tree = record(&python, &file(&fixture(&format!("{name}.py")))).tree;
            // Enough for the import of a library, too.
            let run = pdb(&python, &name, &["s ".repeat(tree.len() * 3 + 3000)]).remove(0);
            let what = format!("{name}, Python {}", python.version());
            align(&tree, &run, &mut used).unwrap_or_else(|why| panic!("{what}: {why}"));
        }
        // The table holds what there is, no more: the fixtures show each difference.
        let minor = minor(&python);
        let wanted: Vec<&str> = DIFFERENCES
            .iter()
            .filter(|(_, versions, _)| versions.contains(&minor))
            .map(|(name, ..)| *name)
            .collect();
        let mut found: Vec<&str> = used.into_keys().collect();
        found.sort_by_key(|rule| wanted.iter().position(|name| name == rule));
        assert_eq!(found, wanted, "Python {}", python.version());
    }
}

/// Every difference of a session from pdb when both are given the same commands: a rule of
/// `peer.py`, and its reason.
const BY_COMMANDS: &[(&str, &str)] = &[
    ("breakpoint on a line without code", "pdb takes it and never stops; ours moves to the next"),
    ("decorated", "a call stands at its def line, in pdb at the first decorator"),
    ("generator", "pdb's n and r follow a generator's frame through its yields, ours the level"),
    ("hidden frame", "pdb stops in a library's or a comprehension's frame, which is none of ours"),
    ("iterator end", "pdb shows StopIteration between frames; a loop's end is no exception"),
    ("several lines", "a breakpoint is on the statement, in pdb on one of its lines"),
    ("until at the end of a frame", "pdb's until has no frame to go on in there"),
    ("unwinding", "an exception leaves a frame: pdb shows --Return-- None, we the exception"),
    ("unwound", "… and if the frame has shown that exception already, pdb stops once more"),
];

/// What `peer.py` says of one file: name, commands given, stops compared, rules used, and the
/// difference that none explains.
type Compared = (String, Vec<String>, usize, Vec<String>, Option<String>);

#[test]
fn random_commands_stop_where_pdb_stops() {
    let python = &pythons()[0];
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut programs = all_fixtures();
    for more in ["sample_programs", "tests/fixtures/steps"] {
        let entries = std::fs::read_dir(folder.join(more)).expect("programs");
        programs.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "py"));
    programs.sort();
    let peer = |programs: &[PathBuf]| -> Vec<Compared> {
        let output = Command::new(python.path())
            .arg(folder.join("tests/cpython/peer.py"))
            .args([env!("CARGO_BIN_EXE_foretrace"), "1", "30"])
            .args(programs)
            .output()
            .expect("it runs");
        let said = String::from_utf8(output.stdout).expect("JSON");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        said.lines().map(|line| serde_json::from_str(line).expect("a comparison")).collect()
    };
    let (first, second) = programs.split_at(programs.len() / 2);
    let compared: Vec<Compared> = std::thread::scope(|scope| {
        let other = scope.spawn(|| peer(second));
        let mut all = peer(first);
        all.extend(other.join().expect("the other half"));
        all
    });
    let (mut used, mut stops) = (BTreeSet::new(), 0);
    for (file, given, count, rules, why) in compared.iter() {
        assert!(why.is_none(), "{file}: {given:?}\n{}", why.as_deref().unwrap_or_default());
        used.extend(rules.iter().map(String::as_str));
        stops += count;
    }
    assert!(compared.len() >= 60 && stops > 300, "{} programs, {stops} stops", compared.len());
    let listed: BTreeSet<&str> = BY_COMMANDS.iter().map(|(rule, _)| *rule).collect();
    assert!(used.is_subset(&listed), "{used:?}");
    // The commands are the same on every machine; what they meet is a version's.
    if minor(python) == 11 {
        assert_eq!(used, listed, "a difference that no longer occurs");
    }
}
