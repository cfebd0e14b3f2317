//! Legal continuations against real recordings: whatever CPython does must be legal, and
//! allowing everything must not pass for an answer.
//!
//! By default `python3` records; `FORETRACE_PYTHONS` may name more, separated by colons.

use foretrace::cpython::{BatchJob, Error, Limits, Options, record_all};
use foretrace::program::flow::{Flow, Frame, Stop};
use foretrace::program::{Entry, Program, decode, entry};
use foretrace::trace::{Event, Recording, State};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

/// Counts over all recordings.
#[derive(Default)]
struct Count {
    states: usize,
    lines: usize,
    legal_lines: usize,
    own_lines: usize,
    first: usize,
}

#[test]
fn every_recorded_state_is_legal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "sample_programs",
        "benches/programs",
        "tests/fixtures/flow",
        "tests/fixtures/golden",
        "tests/fixtures/steps",
        "tests/fixtures/traces",
    ];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        // Scripts that make fixtures trace programs themselves.
        .filter(|path| !path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("make_")))
        .collect();
    paths.sort();
    let pythons = env::var("FORETRACE_PYTHONS").unwrap_or_else(|_| "python3".into());
    let mut errors = Vec::new();
    let mut count = Count::default();
    for python in pythons.split(':') {
        // Warm interpreters fork for each program.
        let (sender, jobs) = crossbeam_channel::unbounded();
        for (number, path) in (0..).zip(&paths) {
            sender.send(BatchJob { number, program: program(path) }).expect("a receiver");
        }
        drop(sender);
        let limits = Limits { events: 1_000, ..Limits::default() };
        let options = Options { python: Some(python.into()), limits, ..Options::default() };
        let results = record_all(jobs, &options, 2, Arc::default()).expect("an interpreter");
        for (job, recording) in results {
            match recording {
                // Newer syntax than this interpreter's.
                Err(Error::Syntax(_)) => {}
                Err(error) => panic!("{python} {}: {error}", job.program.files[0].name),
                Ok(recording) => check(&job.program, &recording, &mut count, &mut errors),
            }
        }
    }
    let mean = |sum: usize| sum as f64 / count.lines as f64;
    println!(
        "{} states; legal next lines {:.2} on average, of {:.2} in the frame; \
         the likeliest is right {:.1} %",
        count.states,
        mean(count.legal_lines),
        mean(count.own_lines),
        100.0 * mean(count.first)
    );
    assert!(errors.is_empty(), "{} illegal:\n{}", errors.len(), errors.join("\n"));
    assert!(count.states > 1500 && mean(count.legal_lines) < 0.5 * mean(count.own_lines));
}

fn program(path: &Path) -> Program {
    let name = path.file_name().expect("a name").to_string_lossy();
    let (file, _) = decode(&name, &fs::read(path).expect("a file"));
    let entry = entry::of_file(&file).expect("a good entry").unwrap_or(Entry::Module);
    Program { files: vec![file], entry }
}

fn check(program: &Program, recording: &Recording, count: &mut Count, errors: &mut Vec<String>) {
    let (python, name) = (&recording.python, &program.files[0].name);
    let flow = Flow::of(program);
    let mut stack: Vec<Frame> = Vec::new();
    let mut before: Option<Stop> = None;
    for state in recording.tree.states() {
        count.states += 1;
        let stop = stop(&state);
        let frame = Frame::of(program, &state.function, state.loc);
        if frame.scope.is_none() {
            errors.push(format!(
                "{python} {name}: no scope for {} {}",
                state.function, state.loc.line
            ));
        }
        if let (Some(before), Some(&present)) = (before, stack.last()) {
            let caller = stack.len().checked_sub(2).map(|i| stack[i]);
            let steps = flow.next(before, present, caller);
            let level = state.depth as i64 - (stack.len() as i64 - 1);
            let same = |s: &&foretrace::program::flow::Step| {
                s.stop == stop && i64::from(s.level) == level && s.loc == state.loc
            };
            if !steps.iter().any(|step| same(&step)) {
                errors.push(format!(
                    "{} {name}: {before:?} at {} (depth {}), then {stop:?} at {} in {} ({level:+}, caller at {:?})",
                    python,
                    present.loc.line,
                    stack.len() - 1,
                    state.loc.line,
                    state.function,
                    caller.map(|c| c.loc.line)
                ));
            }
            if stop == Stop::Line {
                count.lines += 1;
                count.legal_lines += steps.iter().filter(|s| s.stop == Stop::Line).count();
                let scope = frame.scope.unwrap_or(0);
                let own = flow.graph(0).map_or(0, |graph| graph.lines_of(scope).len());
                count.own_lines += own;
                let first = steps.iter().find(|s| s.stop == Stop::Line);
                count.first += usize::from(first.is_some_and(|s| same(&s)));
            }
        }
        stack.truncate(state.depth as usize);
        stack.push(frame);
        before = Some(stop);
    }
}

fn stop(state: &State) -> Stop {
    match (state.event, state.suspension) {
        (Event::Call, false) => Stop::Call,
        (Event::Call, true) => Stop::Resume,
        (Event::Line | Event::LineAfterCall, _) => Stop::Line,
        (Event::Return, false) => Stop::Return,
        (Event::Return, true) => Stop::Yield,
        (Event::Exception, _) => Stop::Exception,
    }
}
