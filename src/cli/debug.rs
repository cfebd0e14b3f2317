//! `foretrace FILE`: the debugger on the terminal.

use super::args::SessionArgs;
use super::failure::Failure;
use super::keep::KeptFile;
use super::open::{Opened, open};
use crate::config::{Config, Folders};
use crate::session::Unit;
use crate::tui::{self, Charset, Depth, Ending};
use clap::Args;
use std::io::IsTerminal;

/// Opens the debugger on a Python file.
#[derive(Debug, Clone, Args)]
pub struct DebugArgs {
    /// What to debug, and who predicts.
    #[command(flatten)]
    pub session: SessionArgs,

    /// How it looks and begins.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

/// The options that only a screen has.
#[derive(Debug, Clone, Args)]
pub struct ScreenArgs {
    /// A command to begin with, as in pdb; repeatable.
    #[arg(short = 'c', long = "command", value_name = "COMMAND", help_heading = "Stepping")]
    commands: Vec<String>,

    /// A theme: one of the built-in ones, or a file in the themes folder.
    #[arg(long, value_name = "NAME", help_heading = "Screen")]
    theme: Option<String>,

    /// Use colours: as the terminal and NO_COLOR have it, or in any case, or not at all.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Screen")]
    color: When,

    /// Draw with ASCII characters only.
    #[arg(long, help_heading = "Screen")]
    ascii: bool,

    /// Leave the mouse to the terminal.
    #[arg(long, help_heading = "Screen")]
    no_mouse: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// Runs the debugger until the person leaves.
///
/// # Errors
/// [`Failure`], and those of the terminal.
pub fn run(args: DebugArgs, config: &Config, folders: Option<&Folders>) -> anyhow::Result<()> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        let why = "the debugger needs a terminal; without one: foretrace predict FILE -c s";
        return Err(Failure::usage(why).into());
    }
    let kept = folders.map(|f| KeptFile(f.project(&args.session.file).join("session.json")));
    let Opened { mut session, mut started, workers, replies } =
        open(&args.session, config, Unit::Statement, kept)?;
    for command in &args.screen.commands {
        started.extend(session.execute(command));
    }
    let options = screen(&args, config, folders);
    match tui::run(session, started, workers, replies, &options)? {
        Ending::Quit => Ok(()),
        Ending::Signal(signal) => Err(Failure::signal(signal.number()).into()),
    }
}

fn screen(args: &DebugArgs, config: &Config, folders: Option<&Folders>) -> tui::Options {
    let env = |name: &str| std::env::var(name).ok();
    let depth = match (args.screen.color, Depth::detect(env)) {
        (When::Auto, depth) => depth,
        // What the terminal is thought to do at least.
        (When::Always, Depth::Mono) => Depth::Ansi,
        (When::Always, depth) => depth,
        (When::Never, _) => Depth::Mono,
    };
    let ascii = args.screen.ascii || config.ascii == Some(true);
    let keys = folders.map(|folders| folders.config.join("keys.toml"));
    tui::Options {
        theme: args
            .screen
            .theme
            .clone()
            .or_else(|| config.theme.clone())
            .or_else(|| background(env)),
        theme_dir: folders.map(|folders| folders.config.join("themes")),
        depth,
        charset: if ascii { Charset::Ascii } else { Charset::detect(env) },
        mouse: !args.screen.no_mouse && config.mouse != Some(false),
        keys: keys.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default(),
        history: folders.map(|folders| folders.project(&args.session.file).join("history")),
        welcome: folders.is_some_and(|folders| !folders.state.exists()),
    }
}

/// The theme for the terminal's background, where the terminal says what that is.
fn background(env: impl Fn(&str) -> Option<String>) -> Option<String> {
    let colors = env("COLORFGBG")?;
    let light = matches!(colors.rsplit(';').next()?, "7" | "15");
    light.then(|| "light".to_owned())
}
