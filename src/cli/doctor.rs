//! `foretrace doctor`: what this program finds on this machine.

use super::out;
use crate::config::{Folders, Problem};
use crate::cpython;
use crate::model::gpu;
use clap::Args;
use std::io::Write as _;
use std::path::PathBuf;

/// Says what is found here: Python, sandbox, model, GPU, folders.
#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    /// The interpreter; else that of $VIRTUAL_ENV, of the .venv or venv of the project that the
    /// working directory is in, or python3.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Those of standard output; what is missing is printed.
pub fn run(
    args: DoctorArgs,
    folders: Option<&Folders>,
    problems: &[Problem],
) -> anyhow::Result<()> {
    let mut out = out::stdout();
    out.line(format_args!("foretrace {}", env!("CARGO_PKG_VERSION")))?;
    let folder = std::env::current_dir().ok();
    let options = cpython::Options { python: args.python, folder, ..cpython::Options::default() };
    match cpython::describe(&options) {
        Ok(what) => out.line(format_args!("verify with   {what}"))?,
        Err(why) => out.line(format_args!("verify with   nothing: {why}"))?,
    }
    let limits = options.limits;
    out.line(format_args!(
        "limits        {limits}; sandboxed, also files of 64 MB, 256 open, and 64 more processes"
    ))?;
    let passed = cpython::PASSED.join(" ");
    out.line(format_args!("environment   {passed}; and --env NAME=VALUE"))?;
    out.line(format_args!("model         {}", super::factory::default_model()))?;
    match gpu() {
        Ok(gpu) => {
            out.line(format_args!("GPU           {gpu}, for larger models than the built-in one"))?
        }
        Err(why) => out.line(format_args!("GPU           none: {why}; models run on the CPU"))?,
    }
    match folders {
        None => out.line("folders       none: there is no home folder")?,
        Some(folders) => {
            let state =
                |path: &std::path::Path| if path.exists() { "" } else { " (not yet there)" };
            for (name, path) in [
                ("config", &folders.config),
                ("state", &folders.state),
                ("models", &folders.data),
                ("cache", &folders.cache),
            ] {
                out.line(format_args!("{name:<13} {}{}", path.display(), state(path)))?;
            }
        }
    }
    for problem in problems {
        out.line(format_args!("config        {problem}"))?;
    }
    out.flush()?;
    Ok(())
}
