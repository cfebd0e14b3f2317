//! `foretrace eval cruxeval`: the data set's lines in, the three tasks' figures out.

use super::{Asked, Printed};
use crate::cli::answers::Answers;
use crate::cli::failure::Failure;
use crate::cli::numbers::whole;
use crate::cli::ports::{CpythonRecorder, Fault};
use crate::cli::{input, out};
use crate::config::Config;
use crate::cpython::{self, Limits};
use crate::eval::cruxeval::{CruxEval, Item};
use anyhow::{Context as _, Result};
use std::io::{BufRead as _, BufReader, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;

/// CruxEval's tasks: a function's output, its variables where it returns, its input.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Runs every function with real CPython, in the sandbox: to have its steps, and to see what
predicted arguments return.

Examples:
  foretrace eval cruxeval cruxeval.jsonl
  foretrace eval cruxeval cruxeval.jsonl --model other.gguf --limit 100 --markdown")]
pub(super) struct Args {
    /// The data set: a file of lines {\"code\": …, \"input\": …, \"output\": …}.
    file: PathBuf,
    #[command(flatten)]
    asked: Asked,
    /// Functions to ask about: the first so many.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64, 1, 1_000_000_000>)]
    limit: u64,
    /// The interpreter; else that of $VIRTUAL_ENV, else python3.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    #[command(flatten)]
    printed: Printed,
}

/// The data set's functions take far less; a busy machine may be slow.
const LIMITS: Limits = Limits {
    events: 20_000,
    seconds: 20.0,
    bytes: 16 << 20,
    output: 1 << 18,
    memory: 1 << 30,
    chars: 1000,
};

pub(super) fn run(args: Args, config: &Config) -> Result<()> {
    let options =
        cpython::Options { python: args.python, limits: LIMITS, ..cpython::Options::default() };
    let file = input::open(&args.file)?;
    let what = cpython::describe(&options).map_err(|error| Failure::of(&error))?;
    out::note(format_args!("runs every function: {what}"));
    let recorder =
        CpythonRecorder { options, fault: Arc::new(Fault::default()), answers: Answers::none() };
    let mut oracle = args.asked.open(config, 0)?;
    let mut eval = CruxEval::new(&mut oracle, &recorder);
    let watched = std::io::stderr().is_terminal();
    for (number, line) in (1u64..=args.limit).zip(BufReader::new(file).lines()) {
        let at = || format!("{}: line {number}", args.file.display());
        let item: Item = serde_json::from_str(&line.with_context(at)?).with_context(at)?;
        eval.item(&item)?;
        if watched {
            out::progress(format_args!("{number} functions"));
        }
    }
    if watched {
        out::note("");
    }
    let report = eval.finish();
    args.printed.print(|style| report.text(style), || report.json())
}
