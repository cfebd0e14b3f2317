//! Programs recorded here and now by the python3 on the PATH.

use crate::support::{golden, program};
use foretrace::cpython::{self, BatchJob, Limits, Options};
use foretrace::program::{Entry, Program, SourceFile, entry};
use foretrace::trace::Recording;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// A program and what CPython did with it.
pub struct Recorded {
    pub name: String,
    pub program: Arc<Program>,
    pub recording: Recording,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The sample programs, the fixtures, and programs of the kind that is learned from.
pub fn all(generated: usize) -> Vec<Recorded> {
    let mut programs = Vec::new();
    let mut samples: Vec<PathBuf> = std::fs::read_dir(root().join("sample_programs"))
        .expect("sample programs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .collect();
    samples.sort();
    samples.push(root().join("tests/fixtures/compact/hard.py"));
    for path in samples {
        let mut program = program(&read(&path));
        if let Some(entry) = entry::of_file(&program.files[0]).expect("an entry line") {
            program.entry = entry;
        }
        programs.push((path.file_name().unwrap().to_string_lossy().into_owned(), program));
    }
    for (source, call) in [
        ("program.py", "main()"),
        ("rules.py", "outer(1)"),
        ("tricky.py", "everything()"),
        ("tricky.py", "list(count(2))"),
    ] {
        let file = program(&golden(source)).files.remove(0);
        programs.push((format!("{source} {call}"), call_of(file, call)));
    }
    let hard = program(&read(&root().join("tests/fixtures/compact/hard.py"))).files.remove(0);
    programs.push(("hard.py main(3)".into(), call_of(hard, "main(3)")));
    let mut recorded = record(programs);
    recorded.extend(self::generated(generated).into_iter().map(|(_, recorded)| recorded));
    recorded
}

/// Programs of the kind that is learned from, each with its line of JSON.
pub fn generated(count: usize) -> Vec<(String, Recorded)> {
    let made = made(count);
    let lines: Vec<&str> = made.lines().collect();
    let programs = lines.iter().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).expect("a program line");
        let file = program(line["code"].as_str().unwrap()).files.remove(0);
        let program = match line["entry"].as_str() {
            None | Some("<module>") => Program { files: vec![file], entry: Entry::Module },
            Some(call) => call_of(file, call),
        };
        (line["family"].to_string(), program)
    });
    let recorded = record(programs.collect());
    assert_eq!(recorded.len(), count, "all can be recorded");
    lines.into_iter().map(str::to_owned).zip(recorded).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn call_of(file: SourceFile, call: &str) -> Program {
    let entry = entry::parse(call, &file).expect("an entry");
    Program { files: vec![file], entry }
}

/// Programs made by the training recipe, one JSON object a line.
fn made(count: usize) -> String {
    let output = Command::new("python3")
        .arg(root().join("training/programs"))
        .args(["--seed", "77", "--easy", "0.2", "--count", &count.to_string()])
        .output()
        .expect("python3 is on the PATH");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("JSON")
}

/// One program and what CPython did with it, by its text and the call.
pub fn one(text: &str, call: &str) -> Recorded {
    let file = program(text).files.remove(0);
    record(vec![(call.into(), call_of(file, call))]).remove(0)
}

fn record(programs: Vec<(String, Program)>) -> Vec<Recorded> {
    let (sender, jobs) = crossbeam_channel::unbounded();
    for (number, (_, program)) in programs.iter().enumerate() {
        let job = BatchJob { number: number as u64, program: program.clone() };
        sender.send(job).expect("a queue");
    }
    drop(sender);
    let limits = Limits { events: 3000, chars: 120, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let results = cpython::record_all(jobs, &options, 2, Arc::default()).expect("a python3");
    let mut recorded: Vec<(u64, Recorded)> = results
        .iter()
        .filter_map(|(job, result)| {
            let (name, program) = programs[job.number as usize].clone();
            let recording = result.ok()?;
            Some((job.number, Recorded { name, program: Arc::new(program), recording }))
        })
        .collect();
    recorded.sort_by_key(|(number, _)| *number);
    assert!(recorded.len() * 10 > programs.len() * 9, "{} recordings", recorded.len());
    recorded.into_iter().map(|(_, recorded)| recorded).collect()
}
