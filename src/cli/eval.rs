//! `foretrace eval`: how often a model is right, on recorded programs or on a benchmark's.

mod cruxeval;

use super::factory::Models;
use super::failure::Failure;
use super::input;
use super::models;
use super::numbers::whole;
use super::out;
use crate::config::{Config, Folders};
use crate::dataset::batch::{Content, Items};
use crate::dataset::build::batch_files;
use crate::eval::report::Style;
use crate::eval::{Options, States};
use crate::oracle::{NeuralOracle, Oracle as _, neural};
use anyhow::{Context as _, Result};
use std::io::{BufReader, IsTerminal as _, Write as _};
use std::path::PathBuf;

/// Measures how often a model is right.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Exact match of predicted states, by action and component, on recorded programs.
    States(StatesArgs),
    /// CruxEval's tasks: a function's output, its variables where it returns, its input.
    Cruxeval(cruxeval::Args),
}

/// Which model is asked, and where it runs.
#[derive(Debug, clap::Args)]
struct Asked {
    /// A GGUF file in place of the model that comes with this program.
    #[arg(long, value_name = "PATH")]
    model: Option<PathBuf>,
    /// Where the model runs: auto, cpu, cuda, cuda:N or metal.
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
}

impl Asked {
    fn open(self, config: &Config, seed: u64) -> Result<NeuralOracle> {
        let device = self.device.or_else(|| config.device.clone());
        let device = device.as_deref().unwrap_or("auto").parse().map_err(Failure::usage)?;
        let options = neural::Options { device, seed, ..neural::Options::default() };
        let folders = Folders::find();
        let given = self.model.or_else(|| config.model.clone());
        let path = given.and_then(|given| models::named(&given, folders.as_ref()));
        let models = Models { path, options };
        let oracle = models.open().map_err(|error| Failure::unusable(error.to_string()))?;
        if let Some(why) = oracle.capabilities().note {
            out::warn(why);
        }
        Ok(oracle)
    }
}

/// How the figures are printed.
#[derive(Debug, clap::Args)]
struct Printed {
    /// Prints one JSON object a line.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Prints the table in Markdown.
    #[arg(long)]
    markdown: bool,
}

impl Printed {
    fn print(&self, text: impl Fn(Style) -> String, json: impl Fn() -> String) -> Result<()> {
        let mut out = out::stdout();
        let style = if self.markdown { Style::Markdown } else { Style::Text };
        match self.json {
            true => out.write_all(json().as_bytes())?,
            false => text(style).lines().try_for_each(|line| out.line(line))?,
        }
        out.flush()?;
        Ok(())
    }
}

/// Exact match of predicted states, by action and component, on recorded programs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  foretrace trace --batch programs.jsonl -o recordings
  foretrace eval states recordings
  foretrace eval states recordings --model other.gguf --limit 200 --free 200 --markdown")]
struct StatesArgs {
    /// Batch files made by `foretrace trace --batch`, or folders of them (*.jsonl).
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    #[command(flatten)]
    asked: Asked,
    /// Programs to ask about: the first so many that the model takes.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole::<u64, 1, 1_000_000_000>)]
    limit: u64,
    /// Questions per action and program.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<usize, 1, 1000>)]
    samples: usize,
    /// The same seed and recordings give the same questions, whichever model is asked.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64, 0, { u64::MAX }>)]
    seed: u64,
    /// What stands before a question: the true states.
    #[arg(long, value_parser = ["guided"], default_value = "guided")]
    history: String,
    /// Short programs that are also run from entry to exit on the model's own states.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64, 0, 1_000_000_000>)]
    free: u64,
    /// Longest jump, in states, that is made of single steps if the model has no answer
    /// of its own to it.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<usize, 0, 100_000>)]
    chain: usize,
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
///
/// # Errors
/// One line that says which file or model is wrong and what to do.
pub fn run(args: Args, config: &Config) -> Result<()> {
    match args.what {
        What::States(args) => states(args, config),
        What::Cruxeval(args) => cruxeval::run(args, config),
    }
}

fn states(args: StatesArgs, config: &Config) -> Result<()> {
    let files = batch_files(&args.recordings)?;
    let mut oracle = args.asked.open(config, args.seed)?;
    let StatesArgs { samples, seed, chain, free, limit, .. } = args;
    let mut states = States::new(&mut oracle, Options { samples, seed, chain, free });
    let (mut next, mut taken) = (0, 0);
    let watched = std::io::stderr().is_terminal();
    'files: for path in files {
        let at = || path.display().to_string();
        let file = input::open(&path)?;
        for item in Items::new(BufReader::new(file), &path, next) {
            if taken >= limit {
                break 'files;
            }
            let item = item.with_context(at)?;
            next = item.number + 1;
            let Content::Run(run) = item.read().with_context(at)? else { continue };
            taken += u64::from(states.program(item.number, &run.program, &run.recording.tree)?);
            if watched {
                out::progress(format_args!("{taken} of {limit} programs"));
            }
        }
    }
    if watched {
        out::note("");
    }
    let report = states.finish();
    args.printed.print(|style| report.text(style), || report.json())
}
