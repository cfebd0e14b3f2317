//! From options to a program, ports and a session.

use super::args::{OracleChoice, SessionArgs};
use super::factory::Models;
use super::failure::Failure;
use super::input;
use super::keep::KeptFile;
use super::models;
use super::ports::{CpythonEvaluator, CpythonRecorder, RecordingFile, Replays};
use crate::config::{Config, Folders};
use crate::cpython;
use crate::oracle::{OracleFactory, Recorder, neural};
use crate::program::outline::Maker;
use crate::program::{self, Entry, Program, Severity, entry};
use crate::session::worker::{Keeper, Ports, Workers};
use crate::session::{Effect, Reply, Session, Setup, Unit};
use crate::trace::{ReadLimits, Recording, read_recording};
use crossbeam_channel::Receiver;
use std::io::{BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A session that is ready to be driven, and what drives it.
pub struct Opened {
    /// The session.
    pub session: Session,
    /// Its first effects.
    pub started: Vec<Effect>,
    /// The threads that perform effects.
    pub workers: Workers,
    /// Their replies.
    pub replies: Receiver<Reply>,
}

/// Opens a session. `unit` is used where the options do not say; `kept` is where
/// breakpoints and watches outlive it.
///
/// # Errors
/// [`Failure`] for everything that the options or the file get wrong.
pub fn open(
    args: &SessionArgs,
    config: &Config,
    unit: Unit,
    kept: Option<KeptFile>,
) -> anyhow::Result<Opened> {
    let args = &args.clone().with(config);
    let seed = args.seed.unwrap_or(0);
    let recording = args.replay.as_deref().map(replay).transpose()?;
    let Source { program, mut notes, refused } = program(args, recording.as_deref())?;
    let program = Arc::new(program);
    let options = cpython::Options {
        python: args.python.clone(),
        trust: args.trust,
        argv: args.argv.clone(),
        seed: u32::try_from(seed).unwrap_or(u32::MAX),
        ..cpython::Options::default()
    };
    let recorder: Arc<dyn Recorder> = match &recording {
        Some(recording) => Arc::new(RecordingFile(recording.clone())),
        None => Arc::new(CpythonRecorder { options }),
    };
    let oracle: Arc<dyn OracleFactory> = match (args.oracle, &recording) {
        (Some(OracleChoice::Cpython), _) | (None, Some(_)) => {
            Arc::new(Replays { recorder: recorder.clone(), program: program.clone() })
        }
        (Some(OracleChoice::Model) | None, _) => {
            let device = args.device().parse().map_err(Failure::usage)?;
            let threads = args.threads.map(usize::from);
            let options = neural::Options { device, threads, seed, ..neural::Options::default() };
            let folders = Folders::find();
            let path = args.model.as_deref().map(|given| models::named(given, folders.as_ref()));
            Arc::new(Models { path, options })
        }
    };
    if args.trust {
        notes.push("not sandboxed: --trust".into());
    }
    let ports = Ports {
        oracle,
        recorder: Ok(recorder),
        evaluator: Ok(Arc::new(CpythonEvaluator::new(args.python.clone()))),
        keeper: kept.clone().map(|file| Arc::new(file) as Arc<dyn Keeper>),
    };
    let (sender, replies) = crossbeam_channel::unbounded();
    let workers = Workers::start(ports, sender)?;
    let setup = Setup {
        breakpoints: args.breakpoints.clone(),
        watches: Vec::new(),
        kept: kept.map(|file| file.read()),
        unit: args.unit.unwrap_or(unit),
        history: args.history.unwrap_or_default(),
        jump: args.jump.unwrap_or_default(),
        verify: args.verify || args.replay.is_some(),
        seed,
        notes,
        refused,
    };
    let (session, started) = Session::new(program, setup);
    Ok(Opened { session, started, workers, replies })
}

/// A program as read, and what there is to know about it.
struct Source {
    program: Program,
    notes: Vec<String>,
    /// Why CPython would not run it.
    refused: Option<String>,
}

/// Reads the file and finds the entry; a recording has its own, and must be of this file.
fn program(args: &SessionArgs, recording: Option<&Recording>) -> anyhow::Result<Source> {
    let name = args.file.display().to_string();
    let bytes = read(&args.file)?;
    let (mut file, problems) = program::decode(&name, &bytes);
    let (mut notes, mut refused) = (Vec::new(), None);
    if let Some(problem) = problems.iter().find(|p| p.severity == Severity::Error) {
        // Where the outline is whole nevertheless, it is the bytes that CPython refuses.
        let unreadable = file.outline.maker() == Maker::Parser;
        match cpython::outline(&file, args.python.as_deref(), &AtomicBool::new(false)) {
            _ if unreadable => refused = Some(format!("{name}: {problem}")),
            Ok(outline) => file.outline = Arc::new(outline),
            Err(cpython::Error::Syntax(why)) => {
                refused = Some(format!("{name}: {problem} ({why})"))
            }
            Err(_) => notes.push(format!(
                "{name}: {problem}; without Python to ask, its structure is guessed"
            )),
        }
    }
    if refused.is_none() && file.outline.statements().is_empty() {
        let why = format!("{name} is empty: there is nothing to step through");
        return Err(Failure::usage(why).into());
    }
    let files = vec![file];
    let found = match (&args.entry, &args.at, &args.returns) {
        _ if refused.is_some() => Ok(Entry::Module),
        (Some(text), _, _) => entry::parse(text, &files[0]),
        (_, Some(text), _) => entry::at(text, args.locals.as_deref(), &files),
        (_, _, Some(text)) => entry::returns(text, &files[0]),
        _ if let Some(recording) = recording => entry::parse(&recording.entry, &files[0]),
        _ => entry::of_file(&files[0]).map(|entry| entry.unwrap_or(Entry::Module)),
    };
    let entry = found.map_err(|why| Failure::usage(why.to_string()))?;
    if let Some(recording) = recording {
        let same = recording.files.first().is_some_and(|(_, hash)| *hash == files[0].sha256);
        if !same {
            let why = format!("the recording is of another program, or of an older {name}");
            return Err(Failure::usage(why).into());
        }
        if recording.entry != entry.to_string() {
            let why = format!("the recording starts at {}, not at {entry}", recording.entry);
            return Err(Failure::usage(why).into());
        }
    }
    Ok(Source { program: Program { files, entry }, notes, refused })
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    let mut bytes = Vec::new();
    let read = input::open(path)?.read_to_end(&mut bytes);
    read.map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    let head = bytes.get(..1024).unwrap_or(&bytes);
    if head.contains(&0) {
        return Err(Failure::usage(format!("{name} is a binary file, not Python source")).into());
    }
    Ok(bytes)
}

fn replay(path: &Path) -> anyhow::Result<Arc<Recording>> {
    let failure = |why: String| Failure::usage(format!("{}: {why}", path.display()));
    let recording = read_recording(BufReader::new(input::open(path)?), ReadLimits::default());
    Ok(Arc::new(recording.map_err(|error| failure(error.to_string()))?))
}
