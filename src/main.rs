//! The binary: parses the arguments, runs the command, turns a failure into one line on
//! stderr and an exit code.

use clap::Parser;
use foretrace::cli::failure::{Failure, arguments, one_line, shortened};
use foretrace::cli::{Cli, out, run, signals};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(error) => usage(&error),
    };
    // Nothing may be left behind; and whoever is being ended by a signal waits here for that,
    // and has nothing to say.
    drop(signals::finish());
    let Err(error) = done else { return ExitCode::SUCCESS };
    // Nobody reads on: `foretrace predict … | head`.
    let broken_pipe = |e: &io::Error| e.kind() == ErrorKind::BrokenPipe;
    if error.downcast_ref::<io::Error>().is_some_and(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let failure = error.downcast_ref::<Failure>();
    let text = one_line(&error);
    if !text.is_empty() {
        out::warn(shortened(&text, arguments()));
    }
    ExitCode::from(failure.map_or(Failure::USAGE, |failure| failure.code))
}

/// Help and version go to standard output in colour; what is wrong with the arguments goes
/// to standard error, and without colour, because it repeats them.
fn usage(error: &clap::Error) -> anyhow::Result<()> {
    if !error.use_stderr() {
        error.print()?;
        io::stdout().flush()?;
        return Ok(());
    }
    for line in error.render().to_string().lines() {
        out::note(shortened(line, arguments()));
    }
    Err(Failure::usage("").into())
}
