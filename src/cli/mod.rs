//! The command line: one file per subcommand.
//!
//! The only place that builds oracles, recorders and evaluators and hands them in. Errors
//! are one line each ([`failure::Failure`] has the exit codes).

use crate::config::Folders;
use clap::{Parser, Subcommand};

mod answers;
pub mod args;
pub mod dataset;
pub mod debug;
pub mod doctor;
pub mod eval;
pub mod factory;
pub mod failure;
mod input;
mod json;
mod keep;
mod live;
pub mod models;
mod module;
mod numbers;
mod open;
pub mod out;
pub mod ports;
pub mod predict;
pub mod signals;
mod source;
pub mod trace;

/// A neural debugger for Python in the terminal: a local model predicts every next state
/// instead of running the code; real CPython can stand beside it as the truth.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    after_help = "Keys: s n r c step forwards, S N F C guess backwards, ← → rewind, v verifies, ? helps."
)]
pub struct Cli {
    /// What to do; without a subcommand the debugger opens.
    #[command(subcommand)]
    command: Option<Command>,

    // Two parts: clap gives an optional group only if one of its own arguments is there,
    // and the file, which makes it there, is the session's.
    #[command(flatten)]
    session: Option<args::SessionArgs>,

    #[command(flatten)]
    screen: debug::ScreenArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum Command {
    /// Opens the debugger (also without this word).
    Debug(Box<debug::DebugArgs>),
    /// Predicts without a screen: commands in, text or JSON out.
    Predict(Box<predict::PredictArgs>),
    /// Runs a program with real CPython and prints its recording.
    Trace(trace::Args),
    /// Turns recordings into documents to train a model on: token shards, or JSON Lines.
    Dataset(dataset::Args),
    /// Measures how often a model is right, on recorded programs.
    Eval(eval::Args),
    /// Which models there are, and what a model file is.
    Models(models::ModelsArgs),
    /// Says what is found here: Python, sandbox, model, folders.
    Doctor(doctor::DoctorArgs),
}

/// Runs the command that was asked for.
///
/// # Errors
/// One line for people.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    // The screen reads signals itself.
    let watch = signals::watch()?;
    let folders = Folders::find();
    let (config, problems) = folders.as_ref().map(Folders::load).unwrap_or_default();
    let command = match (cli.command, cli.session) {
        (Some(command), _) => command,
        (None, Some(session)) => {
            Command::Debug(Box::new(debug::DebugArgs { session, screen: cli.screen }))
        }
        (None, None) => {
            let why = "name a Python file, e.g. foretrace prog.py; --help says more";
            return Err(failure::Failure::usage(why).into());
        }
    };
    // The debugger and the doctor show them.
    if !matches!(command, Command::Debug(_) | Command::Doctor(_)) {
        problems.iter().for_each(out::warn);
    }
    match command {
        Command::Debug(args) => debug::run(*args, &config, folders.as_ref(), &problems, watch),
        Command::Predict(args) => predict::run(&args, &config),
        Command::Trace(args) => trace::run(args, watch),
        Command::Dataset(args) => dataset::run(args),
        Command::Eval(args) => eval::run(args, &config),
        Command::Models(args) => models::run(args, folders.as_ref(), watch),
        Command::Doctor(args) => doctor::run(args, folders.as_ref(), &problems),
    }
}
