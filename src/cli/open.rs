//! From options to a program, ports and a session.

use super::answers::Answers;
use super::args::{OracleChoice, SessionArgs, folder};
use super::factory::{Models, Servers};
use super::failure::Failure;
use super::input;
use super::keep::KeptFile;
use super::models;
use super::ports::{CpythonEvaluator, CpythonRecorder, Fault, RecordingFile, Replays};
use super::source::SourceReader;
use crate::config::{Config, Folders};
use crate::cpython;
use crate::oracle::remote::{self, Key};
use crate::oracle::{OracleFactory, Recorder, neural};
use crate::program::{Entry, entry};
use crate::session::worker::{Keeper, Ports, Workers};
use crate::session::{Effect, Reply, Session, Setup, Source, Unit};
use crate::trace::{ReadLimits, Recording, read_recording};
use crossbeam_channel::Receiver;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

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
    /// Whose fault it is when CPython gives no answer.
    pub fault: Arc<Fault>,
}

/// Opens a session. `unit` is used where the options do not say; `kept` is where
/// breakpoints and watches outlive it; `answers`: somebody is there to be asked what the program
/// reads; `notes` are shown with the program's own.
///
/// # Errors
/// [`Failure`] for everything that the options or the file get wrong.
pub fn open(
    args: &SessionArgs,
    config: &Config,
    unit: Unit,
    kept: Option<KeptFile>,
    answers: Answers,
    mut notes: Vec<String>,
) -> anyhow::Result<Opened> {
    if let (Some(_), Some(local)) = (&args.endpoint, args.local()) {
        let why = format!("{local} is for a model that runs here; leave it, or --endpoint, out");
        return Err(Failure::usage(why).into());
    }
    let args = &args.clone().with(config);
    let seed = args.seed.unwrap_or(0);
    let recording = args.replay.as_deref().map(replay).transpose()?;
    let (file, module) = args.program()?;
    let reader =
        SourceReader { file: file.clone(), args: args.clone(), recording: recording.clone() };
    let Source { program, notes: of_source, refused } = reader.source()?;
    notes.extend(of_source);
    let program = Arc::new(program);
    let fault = Arc::new(Fault::default());
    let options = cpython::Options {
        python: args.python.clone(),
        folder: folder(&file),
        trust: args.trust,
        argv: args.argv.clone(),
        variables: args.variables.clone(),
        module,
        seed: u32::try_from(seed).unwrap_or(u32::MAX),
        stdin: args.stdin.as_deref().map(input::text).transpose()?.map(Arc::from),
        ..cpython::Options::default()
    };
    let recorder: Arc<dyn Recorder> = match &recording {
        Some(recording) => Arc::new(RecordingFile(recording.clone())),
        None => Arc::new(CpythonRecorder { options, fault: fault.clone(), answers }),
    };
    let oracle: Arc<dyn OracleFactory> = match (args.oracle, &recording) {
        (Some(OracleChoice::Cpython), _) | (None, Some(_)) => {
            Arc::new(Replays { recorder: recorder.clone() })
        }
        (Some(OracleChoice::Model) | None, _) if args.endpoint.is_some() => {
            Arc::new(servers(args, seed)?)
        }
        (Some(OracleChoice::Model) | None, _) => {
            let device = args.device().parse().map_err(Failure::usage)?;
            let options = neural::Options {
                device,
                threads: args.threads,
                seed,
                ..neural::Options::default()
            };
            let folders = Folders::find();
            let given = args.model.as_deref();
            let path = given.and_then(|given| models::named(given, folders.as_ref()));
            let models = Models { path, options };
            models.look().map_err(|error| Failure::unusable(error.to_string()))?;
            Arc::new(models)
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
        reader: Some(Arc::new(reader)),
    };
    let (sender, replies) = crossbeam_channel::unbounded();
    let workers = Workers::start(ports, sender)?;
    let kept = kept.map(|file| file.read()).map(|(kept, note)| {
        notes.extend(note);
        kept
    });
    // Who asks CPython to predict has agreed to run the program, to find the first state too.
    let unknown_start = args.oracle == Some(OracleChoice::Cpython)
        && matches!(program.entry, Entry::Call { .. })
        && entry::bind(&program).is_none();
    let setup = Setup {
        breakpoints: args.breakpoints.clone(),
        watches: Vec::new(),
        kept,
        unit: args.unit.unwrap_or(unit),
        history: args.history.unwrap_or_default(),
        jump: args.jump.unwrap_or_default(),
        verify: args.verify || args.replay.is_some() || unknown_start,
        seed,
        notes,
        refused,
    };
    let (session, started) = Session::new(program, setup);
    Ok(Opened { session, started, workers, replies, fault })
}

/// The server that is named, with the key from the environment.
fn servers(args: &SessionArgs, seed: u64) -> Result<Servers, Failure> {
    let endpoint = args.endpoint.as_deref().unwrap_or_default();
    let endpoint = endpoint.parse().map_err(Failure::usage)?;
    let key = std::env::var_os(Key::VARIABLE).unwrap_or_default();
    let key = Key::new(&key.to_string_lossy()).map_err(Failure::usage)?;
    let timeout = args.endpoint_timeout.map_or(remote::Options::TIMEOUT, Duration::from_secs_f64);
    Ok(Servers { endpoint, options: remote::Options { key, timeout, seed } })
}

fn replay(path: &Path) -> anyhow::Result<Arc<Recording>> {
    let failure = |why: String| Failure::usage(format!("{}: {why}", path.display()));
    let recording = read_recording(BufReader::new(input::open(path)?), ReadLimits::default());
    Ok(Arc::new(recording.map_err(|error| failure(error.to_string()))?))
}
