//! `foretrace trace --batch`: programs in, files of recordings out, resumable.
//!
//! File `K.jsonl` of the folder holds programs K*N … K*N+N-1 of the input, in order: the
//! input's object as `{"program":…}`, then the recording (none if it could not be made).
//! A file is written under another name and renamed when whole, so what is there is done.

use crate::cli::failure::Failure;
use crate::cli::{input, out};
use crate::cpython::{self, BatchJob, Error};
use crate::program::{Entry, Program, SourceFile};
use crate::trace::{Exit, Recording, write_recording};
use anyhow::{Context as _, Result, bail};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A line of the input; further fields are handed through.
#[derive(serde::Deserialize)]
struct Input {
    code: String,
    entry: Option<String>,
}

/// How the line of a program begins in a recorded file.
const PROGRAM: &[u8] = b"{\"program\":";

/// Input lines on their way, by number.
type Lines = Arc<Mutex<HashMap<u64, String>>>;

/// What became of the programs.
#[derive(Debug, Default)]
struct Counts {
    normal: u64,
    error: u64,
    cut: u64,
    states: u64,
    /// By kind of error.
    failed: BTreeMap<&'static str, u64>,
}

/// Runs a batch.
///
/// # Errors
/// One line that says which file is wrong, or that there is no interpreter.
pub fn run(
    programs: &Path,
    folder: &Path,
    per_file: u64,
    workers: usize,
    options: &cpython::Options,
) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let done = (0..).find(|&k| !part(folder, k).exists()).unwrap_or(0);
    let input = input::open(programs)?;
    if done > 0 {
        let recorded = recorded(programs, folder, done, per_file)?;
        out::note(format_args!("{}: {recorded} programs are recorded already", folder.display()));
    }
    let cancel = Arc::new(AtomicBool::new(false));
    let (sender, jobs) = crossbeam_channel::bounded(64);
    let results = cpython::record_all(jobs, options, workers, cancel);
    let results = results.map_err(|error| Failure::of(&error))?;
    let lines: Lines = Arc::default();
    let feeder = {
        let lines = lines.clone();
        std::thread::Builder::new()
            .name("programs".into())
            .spawn(move || feed(BufReader::new(input), done * per_file, &lines, &sender))?
    };
    let mut writer = Writer::new(folder, per_file, done);
    let mut waiting = BTreeMap::new();
    let mut progress = Progress::new();
    for (job, result) in results {
        waiting.insert(job.number, result);
        while let Some(result) = waiting.remove(&writer.next) {
            let line = lines.lock().ok().and_then(|mut lines| lines.remove(&writer.next));
            writer.put(&line.unwrap_or_default(), result)?;
        }
        progress.tell(&writer.counts);
    }
    match feeder.join() {
        Ok(fed) => fed.with_context(|| format!("{}", programs.display()))?,
        Err(_) => bail!("the reader of {} failed", programs.display()),
    }
    writer.finish()?;
    out::note(writer.counts.summary(progress.begun.elapsed()));
    Ok(())
}

/// How many programs are in the files that are done, if a resumed batch would go on right
/// after them: each holds `per_file`, but for a last one that ends with the input.
fn recorded(programs: &Path, folder: &Path, done: u64, per_file: u64) -> Result<u64> {
    let count = |path: &Path, start: &[u8]| {
        lines_that_begin(path, start).with_context(|| path.display().to_string())
    };
    let last = part(folder, done - 1);
    let first = count(&part(folder, 0), PROGRAM)?;
    let in_last = count(&last, PROGRAM)?;
    if first > per_file || done > 1 && first != per_file {
        let why = format!("holds files of {first} programs: give --per-file {first}");
        return Err(Failure::usage(format!("{} {why}, or another folder", folder.display())).into());
    }
    let all = (done - 1) * per_file + in_last;
    if in_last != per_file && count(programs, b"")? != all {
        let why = format!("holds {in_last} programs, not {per_file}, and the input goes on");
        let what = "remove that file, or name another folder";
        return Err(Failure::usage(format!("{} {why}: {what}", last.display())).into());
    }
    Ok(all)
}

/// The lines of a file that begin so.
fn lines_that_begin(path: &Path, start: &[u8]) -> std::io::Result<u64> {
    let mut file = BufReader::with_capacity(1 << 18, File::open(path)?);
    let (mut line, mut count) = (Vec::new(), 0);
    while file.read_until(b'\n', &mut line)? > 0 {
        count += u64::from(line.starts_with(start));
        line.clear();
    }
    Ok(count)
}

fn part(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:05}.jsonl"))
}

/// Reads programs and hands them to the interpreters.
fn feed(
    input: impl std::io::BufRead,
    skip: u64,
    lines: &Lines,
    jobs: &crossbeam_channel::Sender<BatchJob>,
) -> Result<()> {
    for (number, line) in (0..).zip(input.lines()) {
        let line = line?;
        if number < skip {
            continue;
        }
        let Input { code, entry } =
            serde_json::from_str(&line).with_context(|| format!("line {}", number + 1))?;
        let entry = match entry {
            Some(entry) if entry != "<module>" => call(entry),
            _ => Entry::Module,
        };
        let (file, _) = SourceFile::from_text("program.py", &code);
        if let Ok(mut lines) = lines.lock() {
            lines.insert(number, line);
        }
        let program = Program { files: vec![file], entry };
        if jobs.send(BatchJob { number, program }).is_err() {
            bail!("the interpreters are gone");
        }
    }
    Ok(())
}

/// A call expression as an entry; whether there is such a function, CPython will say.
fn call(expression: String) -> Entry {
    let function = expression.split('(').next().unwrap_or_default().trim().to_owned();
    Entry::Call { function, expression }
}

/// Writes results in order, so many to a file.
struct Writer<'a> {
    folder: &'a Path,
    per_file: u64,
    next: u64,
    open: Option<(PathBuf, BufWriter<File>)>,
    counts: Counts,
}

impl<'a> Writer<'a> {
    fn new(folder: &'a Path, per_file: u64, done: u64) -> Self {
        let next = done * per_file;
        Writer { folder, per_file, next, open: None, counts: Counts::default() }
    }

    fn put(&mut self, line: &str, result: Result<Recording, Error>) -> Result<()> {
        let (_, file) = match &mut self.open {
            Some(open) => open,
            none => {
                let path = part(self.folder, self.next / self.per_file).with_extension("part");
                let file = File::create(&path).with_context(|| format!("{}", path.display()))?;
                none.insert((path, BufWriter::with_capacity(1 << 18, file)))
            }
        };
        writeln!(file, "{{\"program\":{}}}", line.trim())?;
        if let Ok(recording) = &result {
            write_recording(recording, &mut *file)?;
        }
        self.counts.add(&result);
        self.next += 1;
        if self.next.is_multiple_of(self.per_file) {
            self.finish()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if let Some((path, mut file)) = self.open.take() {
            file.flush()?;
            std::fs::rename(&path, path.with_extension("jsonl"))?;
        }
        Ok(())
    }
}

impl Counts {
    fn add(&mut self, result: &Result<Recording, Error>) {
        match result {
            Ok(recording) => {
                self.states += recording.tree.len() as u64;
                match recording.tree.exit() {
                    Exit::Error => self.error += 1,
                    Exit::Cut => self.cut += 1,
                    _ => self.normal += 1,
                }
            }
            Err(error) => *self.failed.entry(kind(error)).or_default() += 1,
        }
    }

    fn all(&self) -> u64 {
        self.normal + self.error + self.cut + self.failed.values().sum::<u64>()
    }

    fn summary(&self, time: Duration) -> String {
        let mut text = format!(
            "{} programs: {} ended normally, {} with an exception, {} were cut",
            self.all(),
            self.normal,
            self.error,
            self.cut
        );
        for (kind, count) in &self.failed {
            text.push_str(&format!(", {count} {kind}"));
        }
        let rate = self.all() as f64 / time.as_secs_f64().max(1e-3);
        text.push_str(&format!("; {} states; {rate:.0} programs/s", self.states));
        text
    }
}

fn kind(error: &Error) -> &'static str {
    match error {
        Error::Syntax(_) => "do not compile",
        Error::Entry(_) => "never reached their entry",
        Error::Unsupported(_) => "have an entry that cannot be run",
        _ => "failed",
    }
}

/// One line on stderr every few seconds.
struct Progress {
    begun: Instant,
    told: Instant,
}

impl Progress {
    fn new() -> Self {
        Progress { begun: Instant::now(), told: Instant::now() }
    }

    fn tell(&mut self, counts: &Counts) {
        if self.told.elapsed() > Duration::from_secs(5) {
            self.told = Instant::now();
            out::note(counts.summary(self.begun.elapsed()));
        }
    }
}
