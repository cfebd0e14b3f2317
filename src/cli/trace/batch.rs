//! `foretrace trace --batch`: programs in, files of recordings out, resumable.
//!
//! Must not know: how the files are kept (`folder`), what is counted (`counts`).

mod counts;
mod folder;

use crate::cli::failure::Failure;
use crate::cli::{input, out, signals};
use crate::cpython::{self, BatchJob};
use crate::program::{Entry, Program, SourceFile};
use anyhow::{Context as _, Result, bail};
use counts::Progress;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use folder::Folder;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often a waiting writer looks for signals.
const TICK: Duration = Duration::from_millis(50);
/// Programs, for each worker, that may be on their way at once: a slow one holds up the
/// writing of those after it, and they wait in memory.
const AHEAD: usize = 128;

/// A line of the input; further fields are handed through.
#[derive(serde::Deserialize)]
struct Input {
    code: String,
    entry: Option<String>,
}

/// Input lines on their way, by number.
type Lines = Arc<Mutex<HashMap<u64, String>>>;

/// Runs a batch, or what is left of it.
///
/// # Errors
/// One line that says which file is wrong, that there is no interpreter, or that a signal
/// ended it and how to go on.
pub fn run(
    programs: &Path,
    folder: &Path,
    per_file: u64,
    workers: usize,
    options: &cpython::Options,
    watch: signals::Watch,
) -> Result<()> {
    let input = input::open(programs)?;
    let mut folder = Folder::open(folder, programs, per_file)?;
    let first = folder.next();
    if first > 0 {
        out::note(format_args!("{}: {first} programs are recorded already", folder.name()));
    }
    drop(watch); // a signal is a request from here on
    let flag = signals::flag()?;
    let signal = || u8::try_from(flag.load(Ordering::Relaxed)).ok().filter(|&number| number > 0);
    let mut progress = Progress::new(programs, first)?;
    let cancel = Arc::new(AtomicBool::new(false));
    let (sender, jobs) = bounded(64);
    let results = cpython::record_all(jobs, options, workers, cancel.clone());
    let results = results.map_err(|error| Failure::of(&error))?;
    let (permit, permits) = bounded(AHEAD * workers);
    let lines: Lines = Arc::default();
    let feeder = {
        let lines = lines.clone();
        let feed = move || feed(BufReader::new(input), first, &lines, &permit, &sender);
        std::thread::Builder::new().name("programs".into()).spawn(feed)?
    };
    let mut waiting = BTreeMap::new();
    let ended = loop {
        if let Some(number) = signal() {
            break Some(number);
        }
        match results.recv_timeout(TICK) {
            Ok((job, result)) => {
                waiting.insert(job.number, result);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break None,
        }
        while let Some(result) = waiting.remove(&folder.next()) {
            let line = lines.lock().ok().and_then(|mut lines| lines.remove(&folder.next()));
            folder.put(&line.unwrap_or_default(), &result)?;
            progress.add(&result);
            let _ = permits.try_recv();
        }
        if progress.tell() {
            folder.flush()?;
        }
    };
    progress.end();
    if let Some(number) = ended {
        stop(&cancel, permits, &results);
        folder.flush()?;
        let message = format!(
            "stopped by a signal: {} programs are recorded; run it again to go on",
            folder.next()
        );
        return Err(Failure { message, ..Failure::signal(number) }.into());
    }
    match feeder.join() {
        // What was recorded before a wrong line stays, for a run that goes on after it.
        Ok(fed) => fed.or_else(|error| folder.flush().and(Err(error))),
        Err(_) => bail!("the reader of {} failed", programs.display()),
    }
    .with_context(|| format!("{}", programs.display()))?;
    folder.close()?;
    out::note(progress.summary());
    Ok(())
}

/// Ends the interpreters and waits for them.
fn stop<T>(cancel: &AtomicBool, permits: Receiver<()>, results: &Receiver<T>) {
    cancel.store(true, Ordering::Relaxed);
    drop(permits); // the feeder ends, and with it the jobs
    while results.recv().is_ok() {}
}

/// Reads programs and hands them to the interpreters.
fn feed(
    input: impl BufRead,
    skip: u64,
    lines: &Lines,
    permit: &Sender<()>,
    jobs: &Sender<BatchJob>,
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
        if permit.send(()).is_err() {
            return Ok(());
        }
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
