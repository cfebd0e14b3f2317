//! From a file that a person named to a program, or the one line that says why not: the same
//! for a session and for a recording of its own.

use super::args::SessionArgs;
use super::failure::Failure;
use super::input;
use crate::cpython;
use crate::program::outline::Maker;
use crate::program::{self, Entry, Program, Severity, SourceFile, entry};
use crate::session::Source;
use crate::session::worker::Reader;
use crate::trace::Recording;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is wanted, as typed.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The Python file.
    pub file: &'a Path,
    /// `--entry`.
    pub entry: Option<&'a str>,
    /// `--at`.
    pub at: Option<&'a str>,
    /// `--locals`.
    pub locals: Option<&'a str>,
    /// `--returns`.
    pub returns: Option<&'a str>,
    /// The interpreter to ask about syntax that the built-in parser does not know.
    pub python: Option<&'a Path>,
    /// The recording to replay, and where it is.
    pub replay: Option<(&'a Path, &'a Recording)>,
}

/// Reads a session's file anew, as it was read when the session was opened.
#[derive(Debug, Clone)]
pub struct SourceReader {
    /// The Python file.
    pub file: PathBuf,
    /// The options.
    pub args: SessionArgs,
    /// The recording that `args` names.
    pub recording: Option<Arc<Recording>>,
}

impl SourceReader {
    /// Reads it.
    ///
    /// # Errors
    /// As [`read`].
    pub fn source(&self) -> Result<Source, Failure> {
        let SourceReader { file, args, recording } = self;
        read(&Wanted {
            file,
            entry: args.entry.as_deref(),
            at: args.at.as_deref(),
            locals: args.locals.as_deref(),
            returns: args.returns.as_deref(),
            python: args.python.as_deref(),
            replay: args.replay.as_deref().zip(recording.as_deref()),
        })
    }
}

impl Reader for SourceReader {
    fn read(&self) -> Result<Source, String> {
        self.source().map_err(|failure| failure.message)
    }
}

/// Reads the file and finds the entry; a recording has its own, and must be of this file.
///
/// # Errors
/// One line, exit code 2.
pub fn read(wanted: &Wanted<'_>) -> Result<Source, Failure> {
    let name = wanted.file.display().to_string();
    let bytes = input::source(wanted.file)?;
    let (mut file, problems) = program::decode(&name, &bytes);
    let (mut notes, mut refused) = (Vec::new(), None);
    if let Some(problem) = problems.iter().find(|p| p.severity == Severity::Error) {
        // Where the outline is whole nevertheless, it is the bytes that CPython refuses.
        let unreadable = file.outline.maker() == Maker::Parser;
        match cpython::outline(&file, wanted.python, &AtomicBool::new(false)) {
            _ if unreadable => refused = Some(format!("{name}: {problem}")),
            Ok(outline) => file.outline = Arc::new(outline),
            Err(cpython::Error::Syntax(why)) => refused = Some(why),
            Err(_) => notes.push(format!(
                "{name}: {problem}; without Python to ask, its structure is guessed"
            )),
        }
    }
    if refused.is_none() && file.outline.statements().is_empty() {
        let blank = file.lines.iter().all(|line| line.trim().is_empty());
        let what = if blank { "is empty" } else { "has no statements" };
        let why = format!("{name} {what}: there is nothing to step through");
        return Err(Failure::usage(why));
    }
    if let Some((path, recording)) = wanted.replay {
        of_this(path, recording, &file)?;
    }
    let files = vec![file];
    let found = match (wanted.entry, wanted.at, wanted.returns) {
        _ if refused.is_some() => Ok(Entry::Module),
        (Some(text), _, _) => entry::parse(&of_pytest(text, wanted.file)?, &files[0]),
        (_, Some(text), _) => entry::at(text, wanted.locals, &files),
        (_, _, Some(text)) => entry::returns(text, &files[0]),
        _ if let Some((_, recording)) = wanted.replay => entry::parse(&recording.entry, &files[0]),
        _ => entry::of_file(&files[0]).map(|entry| entry.unwrap_or(Entry::Module)),
    };
    let entry = found.map_err(|why| Failure::usage(why.to_string()))?;
    if let Some((path, recording)) = wanted.replay
        && recording.entry != entry.to_string()
    {
        let (path, start) = (path.display(), &recording.entry);
        let why =
            format!("{path}: the recording starts at {start}, not at {entry}; leave that out");
        return Err(Failure::usage(why));
    }
    Ok(Source { program: Program { files, entry }, notes, refused })
}

/// A test as pytest names it, `FILE::test` or `FILE::Class::test`, as the call that runs it; any
/// other entry as it is.
fn of_pytest(text: &str, file: &Path) -> Result<String, Failure> {
    let Some((named, test)) = text.split_once("::").filter(|_| !text.contains('(')) else {
        return Ok(text.into());
    };
    let same = Path::new(named) == file || named.is_empty();
    if !same && file.canonicalize().ok() != Path::new(named).canonicalize().ok() {
        let file = file.display();
        return Err(Failure::usage(format!("{text} is no test of {file}: name it {file}::{test}")));
    }
    Ok(match test.split_once("::") {
        Some((class, method)) => format!("{class}().{method}()"),
        None => format!("{test}()"),
    })
}

/// Whether a recording is of this very file.
fn of_this(path: &Path, recording: &Recording, file: &SourceFile) -> Result<(), Failure> {
    let (path, name) = (path.display(), &file.name);
    let last = |name: &str| Path::new(name).file_name().map(|name| name.to_os_string());
    let again = format!("record it with foretrace trace {name} -o RECORDING");
    Err(Failure::usage(match recording.files.first() {
        Some((_, hash)) if *hash == file.sha256 => return Ok(()),
        Some((other, _)) if last(other) == last(name) => {
            format!("{path} is a recording of {other} as it was before a change: {again}")
        }
        Some((other, _)) => {
            format!("{path} is a recording of {other}, not of {name}: name that file, or {again}")
        }
        None => format!("{path} names no program: {again}"),
    }))
}
