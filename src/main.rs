use clap::Parser;
use foretrace::cli::{Cli, run};

fn main() -> std::process::ExitCode {
    match run(Cli::parse()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("foretrace: {error:#}");
            std::process::ExitCode::from(2)
        }
    }
}
