//! `foretrace FILE`: the debugger on the terminal.

use super::answers::Answers;
use super::args::SessionArgs;
use super::failure::Failure;
use super::keep::KeptFile;
use super::open::{Opened, open};
use super::out;
use super::signals::Watch;
use crate::config::{Config, Folders, Problem};
use crate::session::Unit;
use crate::tui::theme::Theme;
use crate::tui::{self, Charset, Depth, Ending};
use clap::Args;
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

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

/// Runs the debugger until the person leaves. `watch` ends where the screen begins to read
/// signals itself; `problems` of the configuration are shown on it, as it would hide what is
/// printed.
///
/// # Errors
/// [`Failure`], and those of the terminal.
pub fn run(
    args: DebugArgs,
    config: &Config,
    folders: Option<&Folders>,
    problems: &[Problem],
    watch: Watch,
) -> anyhow::Result<()> {
    let mut notes: Vec<String> = problems.iter().map(Problem::to_string).collect();
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        notes.iter().for_each(out::warn);
        let why = "the debugger needs a terminal; without one: foretrace predict FILE -c s";
        return Err(Failure::usage(why).into());
    }
    let (file, _) = args.session.program()?;
    let options = screen(&args, &file, config, folders, &mut notes)?;
    let kept = folders.map(|f| KeptFile(f.project(&file).join("session.json")));
    let Opened { mut session, mut started, workers, replies, .. } =
        open(&args.session, config, Unit::Statement, kept, Answers::default(), notes)?;
    for command in &args.screen.commands {
        started.extend(session.execute(command));
    }
    drop(watch);
    match tui::run(session, started, workers, replies, &options)? {
        Ending::Quit => Ok(()),
        Ending::Signal(signal) => Err(Failure::signal(signal.number()).into()),
    }
}

/// Chooses how the screen looks; what cannot be read is noted, and the built-in is used.
fn screen(
    args: &DebugArgs,
    file: &Path,
    config: &Config,
    folders: Option<&Folders>,
    notes: &mut Vec<String>,
) -> Result<tui::Options, Failure> {
    let env = |name: &str| std::env::var(name).ok();
    let depth = match (args.screen.color, Depth::detect(env)) {
        (When::Auto, depth) => depth,
        // What the terminal is thought to do at least.
        (When::Always, Depth::Mono) => Depth::Ansi,
        (When::Always, depth) => depth,
        (When::Never, _) => Depth::Mono,
    };
    let (theme, theme_dir) = theme(args, config, folders, depth, notes)?;
    let ascii = args.screen.ascii || config.ascii == Some(true);
    let keys = folders.map(Folders::keys).unwrap_or(Ok(String::new()));
    Ok(tui::Options {
        theme,
        theme_dir,
        depth,
        charset: if ascii { Charset::Ascii } else { Charset::detect(env) },
        mouse: !args.screen.no_mouse && config.mouse != Some(false),
        keys: keys.unwrap_or_else(|problem| {
            notes.push(problem.to_string());
            String::new()
        }),
        history: folders.and_then(|folders| history(folders, file, notes)),
        welcome: folders.is_some_and(|folders| !folders.state.exists()),
    })
}

/// The theme's name and the folder it is read from. A bad one that the command line names is
/// refused; one from config.toml must not lock anybody out.
fn theme(
    args: &DebugArgs,
    config: &Config,
    folders: Option<&Folders>,
    depth: Depth,
    notes: &mut Vec<String>,
) -> Result<(Option<String>, Option<PathBuf>), Failure> {
    let folder = folders.and_then(Folders::themes);
    let typed = args.screen.theme.as_deref();
    let asked = typed.or(config.theme.as_deref()).map(str::to_owned);
    let asked = asked.or_else(|| background(|name| std::env::var(name).ok()));
    let used = Theme::chosen(asked.as_deref(), depth);
    match Theme::load(used, folder.as_deref(), depth) {
        Ok(_) => Ok((asked, folder)),
        Err(why) if typed == Some(used) => Err(Failure::usage(why.to_string())),
        Err(why) => {
            notes.push(format!("{why}; a built-in theme is used"));
            Ok((asked.filter(|name| Theme::names().any(|known| known == name)), None))
        }
    }
}

/// Where commands are remembered; nowhere, if that is no plain file.
fn history(folders: &Folders, file: &Path, notes: &mut Vec<String>) -> Option<PathBuf> {
    let path = folders.project(file).join("history");
    match std::fs::metadata(&path) {
        Ok(found) if !found.is_file() => {
            notes.push(format!("commands are not remembered: {} is no file", path.display()));
            None
        }
        Err(error) if error.kind() != ErrorKind::NotFound => None, // The folder's fault, which is said.
        _ => Some(path),
    }
}

/// The theme for the terminal's background, where the terminal says what that is.
fn background(env: impl Fn(&str) -> Option<String>) -> Option<String> {
    let colors = env("COLORFGBG")?;
    let light = matches!(colors.rsplit(';').next()?, "7" | "15");
    light.then(|| "light".to_owned())
}
