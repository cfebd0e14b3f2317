//! `foretrace trace`: one recording to the terminal, or a batch of them to files.

use super::failure::Failure;
use super::input;
use crate::cpython::{self, Limits};
use crate::program::{self, Entry, Program};
use crate::trace::write_recording;
use anyhow::{Context as _, Result, bail};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

mod batch;

/// Runs a program with real CPython, in a sandbox, and prints what it did.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The Python file.
    #[arg(required_unless_present = "batch")]
    file: Option<PathBuf>,
    /// A call to record, e.g. 'f(3)', or '<module>'; else the file's own '# entry: …'
    /// first line, else the module.
    #[arg(long, value_name = "CALL")]
    entry: Option<String>,
    /// Where the recording goes; with --batch, the folder for recordings.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Records many programs: a file of lines {"code": …, "entry": …}.
    #[arg(long, value_name = "PROGRAMS.jsonl", conflicts_with_all = ["file", "entry"], requires = "output")]
    batch: Option<PathBuf>,
    /// Programs in one file of a batch.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    per_file: u64,
    /// Interpreters at work in a batch.
    #[arg(long, value_name = "N", default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    workers: usize,
    /// The interpreter; else that of $VIRTUAL_ENV, else python3.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Most states of a recording.
    #[arg(long, value_name = "N")]
    events: Option<u64>,
    /// Longest run in seconds.
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
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

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.001..=1e6).contains(number));
    number.ok_or_else(|| "a number of seconds from 0.001 to 1000000".into())
}

/// Runs the command.
///
/// # Errors
/// One line that says what to do.
pub fn run(args: Args) -> Result<()> {
    let mut limits = if args.batch.is_some() { BATCH } else { Limits::default() };
    limits.events = args.events.unwrap_or(limits.events);
    limits.seconds = args.seconds.unwrap_or(limits.seconds);
    let options = cpython::Options {
        python: args.python,
        limits,
        trust: args.trust,
        argv: args.argv,
        seed: 0,
    };
    match (args.batch, args.file, args.output) {
        (Some(programs), _, Some(folder)) => {
            batch::run(&programs, &folder, args.per_file, args.workers, &options)
        }
        (None, Some(file), output) => one(&file, args.entry, output, &options),
        _ => bail!("name a Python file, or --batch with -o"),
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
    let mut bytes = Vec::new();
    let read = input::open(file)?.read_to_end(&mut bytes);
    read.with_context(|| format!("{}", file.display()))?;
    // Whether it is valid Python, CPython itself will say.
    let (source, _) = program::decode(&file.display().to_string(), &bytes);
    let entry = match entry {
        Some(text) => program::entry::parse(&text, &source)?,
        None => program::entry::of_file(&source)?.unwrap_or(Entry::Module),
    };
    let program = Program { files: vec![source], entry };
    let cancel = AtomicBool::new(false);
    let recording = cpython::record(&program, options, &[], &cancel)?;
    match output {
        Some(path) => {
            let file =
                std::fs::File::create(&path).with_context(|| format!("{}", path.display()))?;
            let mut out = std::io::BufWriter::new(file);
            write_recording(&recording, &mut out)?;
            out.flush()?;
        }
        None => write_recording(&recording, &mut std::io::stdout().lock())?,
    }
    if !recording.note.is_empty() {
        eprintln!("{}: {}", file.display(), recording.note);
    }
    Ok(())
}
