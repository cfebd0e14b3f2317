//! `foretrace trace`: one recording to the terminal, or a batch of them to files.

use super::args::{folder, program};
use super::failure::Failure;
use super::input;
use super::numbers::{MOST_WORKERS, cores, seconds, whole};
use super::out;
use super::signals::Watch;
use super::source::{self, Wanted};
use crate::cpython::{self, Limits, Variable};
use crate::session::Source;
use crate::trace::write_recording;
use anyhow::{Context as _, Result, bail};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

mod batch;

/// Runs a program with real CPython, in a sandbox, and prints what it did.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The Python file.
    #[arg(required_unless_present_any = ["batch", "module"])]
    file: Option<PathBuf>,
    /// A module of the working directory in place of the file, as 'python -m' runs it.
    #[arg(short, long, value_name = "MODULE", conflicts_with = "file")]
    module: Option<String>,
    /// A call to record, e.g. 'f(3)', or '<module>'; else the file's own '# entry: …'
    /// first line, else the module.
    #[arg(long, value_name = "CALL")]
    entry: Option<String>,
    /// Where the recording goes; with --batch, the folder for recordings.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Records many programs: a file of lines {"code": …, "entry": …}.
    #[arg(long, value_name = "PROGRAMS.jsonl", conflicts_with_all = ["file", "module", "entry"], requires = "output")]
    batch: Option<PathBuf>,
    /// Programs in one file of a batch.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64, 1, 1_000_000>)]
    per_file: u64,
    /// Interpreters at work in a batch.
    #[arg(long, value_name = "N", default_value_t = cores(), value_parser = whole::<usize, 1, MOST_WORKERS>)]
    workers: usize,
    /// The interpreter; else that of $VIRTUAL_ENV, of the project's .venv or venv (not with
    /// --batch), or python3.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// A variable of the program's environment; repeatable. Of yours it sees PATH, LANG, LC_ALL,
    /// LC_CTYPE, TZ, PYTHONPATH, VIRTUAL_ENV, USER and TERM.
    #[arg(long = "env", value_name = "NAME=VALUE")]
    variables: Vec<Variable>,
    /// Most states of a recording.
    #[arg(long, value_name = "N", value_parser = whole::<u64, 1, 10_000_000>)]
    events: Option<u64>,
    /// Longest run in seconds.
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    /// What the program reads: its input() and sys.stdin, which are empty otherwise.
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// Runs the program without the sandbox.
    #[arg(long)]
    trust: bool,
    /// The program's own arguments, after `--`.
    #[arg(last = true)]
    argv: Vec<String>,
}

/// In a batch: programs are short, and one that is not is of no use.
const BATCH: Limits = Limits {
    events: 5_000,
    seconds: 3.0,
    bytes: 8 << 20,
    output: 1 << 18,
    memory: 1 << 30,
    chars: 1000,
};

/// Runs the command.
///
/// # Errors
/// One line that says what to do.
pub fn run(args: Args, watch: Watch) -> Result<()> {
    let mut limits = if args.batch.is_some() { BATCH } else { Limits::default() };
    limits.events = args.events.unwrap_or(limits.events);
    limits.seconds = args.seconds.unwrap_or(limits.seconds);
    let mut options = cpython::Options {
        python: args.python,
        folder: None,
        variables: args.variables,
        module: None,
        limits,
        trust: args.trust,
        argv: args.argv,
        seed: 0,
        stdin: args.stdin.as_deref().map(input::text).transpose()?.map(Arc::from),
    };
    match (args.batch, args.output) {
        (Some(programs), Some(folder)) => {
            batch::run(&programs, &folder, args.per_file, args.workers, &options, watch)
        }
        (None, output) => {
            let (file, module) = program(args.file.as_deref(), args.module.as_deref())?;
            (options.folder, options.module) = (folder(&file), module);
            one(&file, args.entry, output, &options)
        }
        (Some(_), None) => bail!("--batch needs a folder for recordings: -o"),
    }
}

fn one(
    file: &std::path::Path,
    entry: Option<String>,
    output: Option<PathBuf>,
    options: &cpython::Options,
) -> Result<()> {
    let same = |out: &PathBuf| out.canonicalize().ok() == file.canonicalize().ok();
    if output.as_ref().is_some_and(|out| out.exists() && same(out)) {
        let why = format!("-o {}: that is the program itself; name another file", file.display());
        return Err(Failure::usage(why).into());
    }
    let Source { program, notes, refused } = source::read(&Wanted {
        file,
        entry: entry.as_deref(),
        at: None,
        locals: None,
        returns: None,
        python: options.python.as_deref(),
        replay: None,
    })?;
    if let Some(why) = refused {
        return Err(Failure::usage(why).into());
    }
    notes.iter().for_each(out::warn);
    let cancel = AtomicBool::new(false);
    let recording = cpython::record(&program, options, &[], &cancel);
    let recording = recording.map_err(|error| Failure::of(&error))?;
    match output {
        Some(path) => {
            let write = || -> std::io::Result<()> {
                let mut out = std::io::BufWriter::new(std::fs::File::create(&path)?);
                write_recording(&recording, &mut out)?;
                out.flush()
            };
            write().with_context(|| path.display().to_string())?;
        }
        None => {
            let mut out = std::io::BufWriter::new(out::stdout());
            write_recording(&recording, &mut out)?;
            out.flush()?;
        }
    }
    if !recording.note.is_empty() {
        out::note(format_args!("{}: {}", file.display(), recording.note));
    }
    Ok(())
}
