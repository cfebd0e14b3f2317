//! The terminal: what a debugging session looks like, and which key does what.
//!
//! ```text
//!  keyboard ─┐                 ┌─► Effect ─► session's workers ─┐
//!  signals ──┼─► Event ─► App ─┤                                │
//!  colours ──┤       update    └─► draw(&App) ─► cells          │
//!  replies ──┴──────────────────────────────────────────────────┘
//! ```
//!
//! [`run`] is the front door: it gets a ready [`Session`] and its workers. [`driver`] is
//! the loop, [`app`](mod@app) the state and its changes ([`input`]: by keys and mouse), [`view`]
//! the panes, one a file. `update` does no I/O, `draw` mutates nothing, an idle screen
//! uses no CPU. Must not know: models, tokens, CPython.

pub mod app;
pub mod colour;
pub mod command;
pub mod driver;
pub mod event;
pub mod highlight;
pub mod input;
pub mod keymap;
pub mod layout;
pub mod listing;
pub mod look;
pub mod prompt;
pub mod scroll;
pub mod terminal;
pub mod text;
pub mod theme;
pub mod view;

pub use app::Ending;
pub use colour::Depth;
pub use text::Charset;

use crate::session::worker::Workers;
use crate::session::{self, Reply, Session};
use app::{App, Overlay};
use crossbeam_channel::Receiver;
use driver::{Driver, Until};
use keymap::Keymap;
use look::Look;
use prompt::Prompt;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use theme::{Theme, ThemeError};

/// How the screen is to look and behave. [`Default`] is a dark theme in full colour.
#[derive(Debug, Clone)]
pub struct Options {
    /// Name of the theme; `None` chooses by [`Options::depth`].
    pub theme: Option<String>,
    /// The user's own themes.
    pub theme_dir: Option<PathBuf>,
    /// Colours that may be used; see [`Depth::detect`].
    pub depth: Depth,
    /// Characters that may be used; see [`Charset::detect`].
    pub charset: Charset,
    /// Whether the mouse is listened to (then the terminal selects text with Shift).
    pub mouse: bool,
    /// Content of `keys.toml`.
    pub keys: String,
    /// Where typed commands are remembered.
    pub history: Option<PathBuf>,
    /// Show what this is before anything else.
    pub welcome: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            theme: None,
            theme_dir: None,
            depth: Depth::True,
            charset: Charset::Unicode,
            mouse: true,
            keys: String::new(),
            history: None,
            welcome: false,
        }
    }
}

/// Why there is no screen. One line that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The theme cannot be used.
    #[error(transparent)]
    Theme(#[from] ThemeError),
    /// The terminal cannot be used.
    #[error("terminal: {0}")]
    Terminal(#[from] io::Error),
}

/// Takes the terminal over and runs a session on it until the person leaves.
///
/// `started` are the effects of [`Session::new`]; `replies` is the channel that `workers`
/// send to.
///
/// # Errors
/// [`Error`]; the terminal has been given back.
pub fn run(
    session: Session,
    started: Vec<session::Effect>,
    workers: Workers,
    replies: Receiver<Reply>,
    options: &Options,
) -> Result<Ending, Error> {
    if let Some(folder) = options.history.as_deref().and_then(Path::parent)
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        tracing::warn!("commands will not be remembered: {}: {error}", folder.display());
    }
    let app = app(session, options)?;
    let guard = terminal::Guard::new(options.mouse)?;
    let screen = Terminal::new(CrosstermBackend::new(BufWriter::new(io::stdout())))?;
    let history = options.history.clone();
    let mut driver = Driver::new(screen, app, started, workers, replies, Some(guard), history)?;
    terminal::read_signals(driver.sender())?;
    terminal::read_input(driver.sender());
    let ending = driver.run(Until::Ended)?;
    Ok(ending.unwrap_or(Ending::Quit))
}

/// The first screen of a session.
///
/// # Errors
/// Those of the theme. Mistakes in `keys.toml` are said on the screen.
pub fn app(session: Session, options: &Options) -> Result<App, Error> {
    let name = Theme::chosen(options.theme.as_deref(), options.depth);
    let theme = Theme::load(name, options.theme_dir.as_deref(), options.depth)?;
    let (keymap, problems) = Keymap::load(&options.keys);
    let history = options.history.as_deref().map(read_history).unwrap_or_default();
    let look = Look { theme, charset: options.charset };
    let mut app = App::new(session, look, keymap, Prompt::new(history));
    app.overlay = options.welcome.then_some(Overlay::Welcome);
    app.message = problems.first().map(|first| match problems.len() {
        1 => first.clone(),
        n => format!("{first} (and {} more)", n - 1),
    });
    Ok(app)
}

/// The lines entered in earlier sessions; a file that cannot be read is no history.
fn read_history(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
}
