//! The binary: parses the arguments, runs the command, turns a failure into one line on
//! stderr and an exit code.

use clap::Parser;
use foretrace::cli::failure::Failure;
use foretrace::cli::{Cli, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody reads on: `foretrace predict … | head`.
            let broken_pipe = |e: &std::io::Error| e.kind() == std::io::ErrorKind::BrokenPipe;
            if error.downcast_ref::<std::io::Error>().is_some_and(broken_pipe) {
                return ExitCode::SUCCESS;
            }
            eprintln!("foretrace: {error:#}");
            ExitCode::from(error.downcast_ref::<Failure>().map_or(2, |failure| failure.code))
        }
    }
}
