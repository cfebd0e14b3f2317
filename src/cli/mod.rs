//! The command line: one file per subcommand. The only place that builds oracles, recorders and evaluators and hands them in.

use clap::{Parser, Subcommand};

pub mod dataset;
pub mod factory;
pub mod ports;
pub mod trace;

/// A neural debugger for Python in the terminal.
#[derive(Debug, Parser)]
#[command(version, about)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Turns recordings into token shards to train a model on.
    Dataset(dataset::Args),
    /// Runs a program with real CPython and prints its recording.
    Trace(trace::Args),
}

/// Runs the command that was asked for.
///
/// # Errors
/// One line for people.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Dataset(args) => dataset::run(args),
        Command::Trace(args) => trace::run(args),
    }
}
