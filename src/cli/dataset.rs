//! `foretrace dataset`: recordings to token shards.

use super::input;
use crate::dataset::policy::Actions;
use crate::dataset::trajectory::Recipe;
use crate::dataset::{Options, Report, build};
use anyhow::{Context as _, Result, anyhow};
use std::collections::HashSet;
use std::path::PathBuf;

/// Turns recordings into token shards to train a model on.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Batch files made by `foretrace trace --batch`, or folders of them (*.jsonl).
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Folder for the shards and their manifest.
    #[arg(short, long)]
    output: PathBuf,
    /// How states are written.
    #[arg(long, value_parser = ["compact"], default_value = "compact")]
    dialect: String,
    /// Longest document in tokens.
    #[arg(long, default_value_t = 512)]
    window: usize,
    /// The same seed and input give the same documents.
    #[arg(long, default_value_t = 1)]
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
    #[arg(long, default_value_t = 4)]
    documents: usize,
    /// Only part I of N parts of the input, counted from 0.
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = part)]
    shard: (u64, u64),
    /// Worker threads.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
    /// File of SHA-256 hashes (first word of each line) of programs never to learn from.
    #[arg(long, default_value = "sample_programs/HASHES")]
    exclude: Vec<PathBuf>,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("not between 0 and 1".into()) }
}

fn part(text: &str) -> Result<(u64, u64), String> {
    let numbers = text
        .split_once('/')
        .and_then(|(part, parts)| Some((part.parse::<u64>().ok()?, parts.parse::<u64>().ok()?)));
    numbers.filter(|(part, parts)| part < parts).ok_or("write it as 0/4, 1/4, 2/4 or 3/4".into())
}

/// Runs the command.
///
/// # Errors
/// One line that says which file is wrong and what to do.
pub fn run(args: Args) -> Result<()> {
    for input in args.inputs.iter().filter(|input| !input.is_dir()) {
        input::open(input)?;
    }
    let mut excluded = HashSet::new();
    for path in &args.exclude {
        let text = std::fs::read_to_string(path).with_context(|| {
            format!(
                "{}: cannot read the hashes of excluded programs; name the file with --exclude",
                path.display()
            )
        })?;
        excluded.extend(
            text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned),
        );
    }
    if args.window > u32::MAX as usize / 4 {
        return Err(anyhow!("--window {}: too long", args.window));
    }
    let report = build(&Options {
        inputs: args.inputs,
        output: args.output.clone(),
        recipe: Recipe {
            window: args.window,
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
    println!("{}: {}", args.output.display(), summary(&report));
    Ok(())
}

fn summary(report: &Report) -> String {
    let Report { programs, documents, tokens, learned, skipped, .. } = report;
    let left_out: Vec<String> =
        skipped.iter().map(|(why, count)| format!("{count} {why}")).collect();
    let left_out = if left_out.is_empty() { "none".into() } else { left_out.join(", ") };
    format!(
        "{documents} documents of {programs} programs, {tokens} tokens ({learned} learned); left out: {left_out}"
    )
}
