//! `foretrace dataset`: recordings to documents to learn from.

use super::failure::Failure;
use super::input;
use super::numbers::{MOST_WORKERS, cores, share, whole};
use super::out;
use crate::dataset::build::batch_files;
use crate::dataset::policy::Actions;
use crate::dataset::trajectory::Recipe;
use crate::dataset::{Dialect, Format, Options, Report, build};
use anyhow::Result;
use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

/// Turns recordings into documents to train a model on: token shards, or JSON Lines.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Batch files made by `foretrace trace --batch`, or folders of them (*.jsonl).
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Folder for the files and their manifest.
    #[arg(short, long)]
    output: PathBuf,
    /// How states are written.
    #[arg(long, value_enum, default_value = "compact")]
    dialect: Dialect,
    /// What kind of files: flat files of token ids (compact's default), or lines of JSON with
    /// the text or ids and the parts of it to learn (native's).
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Longest document: tokens of compact, bytes of native text [default: 512, native 8192].
    #[arg(long, value_name = "N", value_parser = whole::<usize, 64, 1_000_000_000>)]
    window: Option<usize>,
    /// The same seed and input give the same documents.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64, 0, { u64::MAX }>)]
    seed: u64,
    /// Forward moves: step_into only, or the paper's mix.
    #[arg(long, value_enum, default_value = "mix")]
    actions: Actions,
    /// Share of runs walked backwards.
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    inverse: f64,
    /// Share of runs in which an inner call is the entry.
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    inner: f64,
    /// Share of runs that begin somewhere on the way.
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    midway: f64,
    /// Share of the runs begun at a call in which its arguments are to be invented.
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    invent: f64,
    /// Share of documents whose lines and names are numbered from a random start, so that
    /// large programs are met with small ones.
    #[arg(long, default_value_t = 0.2, value_parser = share)]
    spread: f64,
    /// Most documents of one run; where the window is full, the next goes on.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<usize, 1, 100_000>)]
    documents: usize,
    /// Only part I of N parts of the input, counted from 0.
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = part)]
    shard: (u64, u64),
    /// Worker threads.
    #[arg(long, value_name = "N", default_value_t = cores(), value_parser = whole::<usize, 1, MOST_WORKERS>)]
    threads: usize,
    /// File of SHA-256 hashes (first word of each line) of programs never to learn from,
    /// beside the sample programs. Repeatable.
    #[arg(long, value_name = "FILE")]
    exclude: Vec<PathBuf>,
}

/// The sample programs, which no model may have seen.
const SAMPLES: &str = include_str!("../../sample_programs/HASHES");
/// Most parts that an input is divided into.
const MOST_PARTS: u64 = 1_000_000;

fn part(text: &str) -> Result<(u64, u64), String> {
    let numbers = text
        .split_once('/')
        .and_then(|(part, parts)| Some((part.parse::<u64>().ok()?, parts.parse::<u64>().ok()?)));
    numbers
        .filter(|(part, parts)| part < parts && *parts <= MOST_PARTS)
        .ok_or("write it as 0/4, 1/4, 2/4 or 3/4, with 1000000 parts at most".into())
}

/// Runs the command.
///
/// # Errors
/// One line that says which file is wrong and what to do.
pub fn run(args: Args) -> Result<()> {
    for file in batch_files(&args.inputs)? {
        input::open(&file)?;
    }
    let mut excluded = hashes(SAMPLES);
    for path in &args.exclude {
        let mut text = String::new();
        let read = input::open(path)?.read_to_string(&mut text);
        read.map_err(|error| Failure::usage(format!("--exclude {}: {error}", path.display())))?;
        excluded.extend(hashes(&text));
    }
    let report = build(&Options {
        inputs: args.inputs,
        output: args.output.clone(),
        format: args.format.unwrap_or(match args.dialect {
            Dialect::Compact => Format::Shards,
            Dialect::Native => Format::Jsonl,
        }),
        recipe: Recipe {
            dialect: args.dialect,
            window: args.window.unwrap_or(args.dialect.window()),
            actions: args.actions,
            inverse: args.inverse,
            inner: args.inner,
            midway: args.midway,
            invent: args.invent,
            spread: args.spread,
            documents: args.documents,
        },
        seed: args.seed,
        part: args.shard,
        threads: args.threads,
        excluded,
    })?;
    let mut out = out::stdout();
    out.line(format_args!("{}: {}", args.output.display(), summary(&report, args.dialect)))?;
    out.flush()?;
    Ok(())
}

/// The first word of each line.
fn hashes(text: &str) -> HashSet<String> {
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn summary(report: &Report, dialect: Dialect) -> String {
    let unit = dialect.unit();
    let Report { programs, documents, tokens, learned, skipped, .. } = report;
    let left_out: Vec<String> =
        skipped.iter().map(|(why, count)| format!("{count} {why}")).collect();
    let left_out = if left_out.is_empty() { "none".into() } else { left_out.join(", ") };
    format!(
        "{documents} documents of {programs} programs, {tokens} {unit} ({learned} learned); left out: {left_out}"
    )
}
