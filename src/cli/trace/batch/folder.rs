//! The folder of a batch: files of recordings, whole or begun, and the list of failures.
//!
//! File `K.jsonl` holds programs K*N … K*N+N-1 of the input, in order: the input's object as
//! `{"program":…}`, then the recording (none if it could not be made). While it is written it
//! is `K.part`, and renamed when it is whole. `failures.ndjson` names each program that has no
//! recording, or none to its end: `{"number":…,"kind":…,"reason":…}`, numbers from 0.
//!
//! A run that was stopped, however, is taken up after the last program that is whole in its
//! `K.part`: a failure is written before the program is, so none is missing then, and one of a
//! later program is dropped. Must not know: interpreters.

use crate::cli::failure::Failure;
use crate::cpython::Error;
use crate::trace::{Exit, Recording, write_recording};
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// How the line of a program begins in a recorded file.
const PROGRAM: &[u8] = b"{\"program\":";
/// How the last line of a recording begins.
const END: &[u8] = b"{\"end\":";

/// A line of the list of failures.
#[derive(Debug, Serialize, Deserialize)]
struct Failed {
    number: u64,
    kind: String,
    reason: String,
}

/// The folder, open for the next program.
#[derive(Debug)]
pub(super) struct Folder {
    folder: PathBuf,
    per_file: u64,
    next: u64,
    open: Option<(PathBuf, BufWriter<File>)>,
    failures: File,
}

impl Folder {
    /// Opens a folder, which may hold a part of the same batch.
    ///
    /// # Errors
    /// What is wrong with a file; or one line that says why a batch of these programs cannot
    /// go on in this folder.
    pub(super) fn open(folder: &Path, programs: &Path, per_file: u64) -> Result<Self> {
        if folder.exists() && !folder.is_dir() {
            let why = "is not a folder; name one for the recordings";
            return Err(Failure::usage(format!("{} {why}", folder.display())).into());
        }
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        let done = (0..).find(|&k| !part(folder, k).exists()).unwrap_or(0);
        let mut last = Vec::new();
        let mut next = 0;
        if done > 0 {
            (next, last) = whole(programs, folder, done, per_file)?;
        }
        let path = part(folder, done).with_extension("part");
        let mut open = None;
        if path.exists() && next == done * per_file {
            let begun = Seen::of(&path).with_context(|| path.display().to_string())?;
            if begun.count > per_file {
                let why = format!("holds {} programs: give that --per-file or more", begun.count);
                return Err(Failure::usage(format!("{} {why}", path.display())).into());
            }
            let file = OpenOptions::new().append(true).open(&path)?;
            file.set_len(begun.whole)?;
            open = Some((path, BufWriter::with_capacity(1 << 18, file)));
            next += begun.count;
            if begun.count > 0 {
                last = begun.last;
            }
        }
        if next > 0 && !is_line(programs, next, &last)? {
            let why = format!("line {next} is not the last program recorded there");
            let what = "give the same programs, or name another folder";
            let (programs, folder) = (programs.display(), folder.display());
            return Err(Failure::usage(format!("{programs}, {folder}: {why}; {what}")).into());
        }
        let failures = failures(&folder.join("failures.ndjson"), next)?;
        let mut this = Folder { folder: folder.to_owned(), per_file, next, open, failures };
        if this.open.is_some() && next > 0 && next.is_multiple_of(per_file) {
            this.close()?; // stopped before it could be renamed
        }
        Ok(this)
    }

    /// Its name, for people.
    pub(super) fn name(&self) -> impl std::fmt::Display {
        self.folder.display()
    }

    /// Number of the next program, and how many there are.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Adds the next program: its line of the input, and what became of it.
    ///
    /// # Errors
    /// Writing failed.
    pub(super) fn put(&mut self, line: &str, result: &Result<Recording, Error>) -> Result<()> {
        self.note(result)?;
        let (_, file) = match &mut self.open {
            Some(open) => open,
            none => {
                let path = part(&self.folder, self.next / self.per_file).with_extension("part");
                let file = File::create(&path).with_context(|| format!("{}", path.display()))?;
                none.insert((path, BufWriter::with_capacity(1 << 18, file)))
            }
        };
        writeln!(file, "{{\"program\":{}}}", line.trim())?;
        if let Ok(recording) = result {
            write_recording(recording, &mut *file)?;
        }
        self.next += 1;
        if self.next.is_multiple_of(self.per_file) {
            self.close()?;
        }
        Ok(())
    }

    /// Lists a program that has no whole recording.
    fn note(&mut self, result: &Result<Recording, Error>) -> Result<()> {
        let (kind, reason) = match result {
            Err(error) => (kind(error), error.to_string()),
            Ok(recording) if recording.tree.exit() == Exit::Cut => ("cut", recording.note.clone()),
            Ok(_) => return Ok(()),
        };
        let failed = Failed { number: self.next, kind: kind.to_owned(), reason };
        let mut line = serde_json::to_vec(&failed)?;
        line.push(b'\n');
        Ok(self.failures.write_all(&line)?)
    }

    /// Writes what is held back, so that a run that is killed loses little.
    ///
    /// # Errors
    /// Writing failed.
    pub(super) fn flush(&mut self) -> Result<()> {
        if let Some((_, file)) = &mut self.open {
            file.flush()?;
        }
        Ok(())
    }

    /// Ends the file that is open: it is whole.
    ///
    /// # Errors
    /// Writing failed.
    pub(super) fn close(&mut self) -> Result<()> {
        if let Some((path, mut file)) = self.open.take() {
            file.flush()?;
            std::fs::rename(&path, path.with_extension("jsonl"))?;
        }
        Ok(())
    }
}

/// What kind of failure it is, as the summary says it of several.
pub(super) fn kind(error: &Error) -> &'static str {
    match error {
        Error::Syntax(_) => "do not compile",
        Error::Entry(_) => "never reached their entry",
        Error::Unsupported(_) => "have an entry that cannot be run",
        _ => "failed",
    }
}

/// How many programs are in the files that are whole, if a resumed batch would go on right
/// after them: each holds `per_file`, but for a last one that ends with the input. And the
/// line of the last.
fn whole(programs: &Path, folder: &Path, done: u64, per_file: u64) -> Result<(u64, Vec<u8>)> {
    let seen = |path: &Path| Seen::of(path).with_context(|| path.display().to_string());
    let path = part(folder, done - 1);
    let last = seen(&path)?;
    let first = if done > 1 { seen(&part(folder, 0))?.count } else { last.count };
    if first > per_file || done > 1 && first != per_file {
        let why = format!("holds files of {first} programs: give --per-file {first}");
        return Err(Failure::usage(format!("{} {why}, or another folder", folder.display())).into());
    }
    let all = (done - 1) * per_file + last.count;
    if last.count != per_file {
        let lines = lines(programs);
        if lines.with_context(|| programs.display().to_string())? != all {
            let why = format!("holds {} programs, not {per_file}, and the input", last.count);
            let what = "goes on: remove that file, or name another folder";
            return Err(Failure::usage(format!("{} {why} {what}", path.display())).into());
        }
    }
    Ok((all, last.last))
}

/// What a file of recordings holds.
struct Seen {
    /// Programs that are whole.
    count: u64,
    /// The line of the last of them.
    last: Vec<u8>,
    /// Where it ends.
    whole: u64,
}

impl Seen {
    /// Reads a file. A program without a recording is whole when another follows, or, as the
    /// last, in a file that is.
    fn of(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(1 << 18, File::open(path)?);
        let mut seen = Seen { count: 0, last: Vec::new(), whole: 0 };
        let (mut at, mut line, mut open) = (0, Vec::new(), None);
        while file.read_until(b'\n', &mut line)? > 0 {
            let ends = line.ends_with(b"\n");
            let here = at;
            at += line.len() as u64;
            if ends && line.starts_with(PROGRAM) {
                if let Some(program) = open.replace(std::mem::take(&mut line)) {
                    seen.add(program, here);
                }
            } else if ends
                && line.starts_with(END)
                && let Some(program) = open.take()
            {
                seen.add(program, at);
            }
            line.clear();
        }
        let is_whole = path.extension().is_some_and(|extension| extension == "jsonl");
        if let Some(program) = open.filter(|_| is_whole) {
            seen.add(program, at);
        }
        Ok(seen)
    }

    fn add(&mut self, program: Vec<u8>, end: u64) {
        self.count += 1;
        self.last = program;
        self.whole = end;
    }
}

/// Whether a line of the input, from 1, is that of a recorded program.
fn is_line(programs: &Path, number: u64, recorded: &[u8]) -> Result<bool> {
    let read = || -> io::Result<bool> {
        let mut file = BufReader::with_capacity(1 << 18, File::open(programs)?);
        let mut line = Vec::new();
        for _ in 0..number {
            line.clear();
            file.read_until(b'\n', &mut line)?;
        }
        let inner = recorded.trim_ascii().strip_prefix(PROGRAM);
        Ok(inner.and_then(|inner| inner.strip_suffix(b"}")) == Some(line.trim_ascii()))
    };
    read().with_context(|| programs.display().to_string())
}

/// The list of failures, with those of the programs before a number.
fn failures(path: &Path, next: u64) -> Result<File> {
    let open = || -> io::Result<File> {
        let mut kept = Vec::new();
        if path.exists() {
            let mut file = BufReader::new(File::open(path)?);
            let mut line = Vec::new();
            while file.read_until(b'\n', &mut line)? > 0 {
                let failed = serde_json::from_slice::<Failed>(&line);
                if line.ends_with(b"\n") && failed.is_ok_and(|failed| failed.number < next) {
                    kept.extend_from_slice(&line);
                }
                line.clear();
            }
        }
        // Replaced in one step, so that none is lost if that is where a run is stopped.
        let fresh = path.with_extension("ndjson.new");
        std::fs::write(&fresh, kept)?;
        std::fs::rename(&fresh, path)?;
        OpenOptions::new().append(true).open(path)
    };
    open().with_context(|| path.display().to_string())
}

fn part(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:05}.jsonl"))
}

/// How many lines a file has.
pub(super) fn lines(path: &Path) -> io::Result<u64> {
    let mut file = BufReader::with_capacity(1 << 18, File::open(path)?);
    let (mut line, mut count) = (Vec::new(), 0);
    while file.read_until(b'\n', &mut line)? > 0 {
        count += 1;
        line.clear();
    }
    Ok(count)
}
