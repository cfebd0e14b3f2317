//! The real terminal: taken over, and given back exactly once on every way out.
//!
//! A [`Guard`] switches on raw mode, the alternate screen, bracketed paste and (if wanted)
//! the mouse. Whatever ends the program (return, error, panic, a signal) ends in one
//! `leave`, which undoes all of it and is idempotent. Suspending (Ctrl-Z, or TSTP from
//! outside) leaves and enters again. Must not know: what is drawn.

use super::event::{Event, Signal};
use crossbeam_channel::Sender;
use crossterm::{cursor, event, execute, terminal};
use std::io::{self, IsTerminal};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the terminal is ours at the moment.
static ENTERED: AtomicBool = AtomicBool::new(false);
/// Whether the mouse was asked for.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Holds the terminal; gives it back when dropped.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal over and arranges that a panic of this thread gives it back.
    ///
    /// # Errors
    /// When standard output is no terminal, with what to use instead; or when the terminal
    /// refuses.
    pub fn new(mouse: bool) -> io::Result<Guard> {
        if !io::stdout().is_terminal() {
            return Err(io::Error::other(
                "standard output is not a terminal; `foretrace predict FILE -c s` works without one",
            ));
        }
        MOUSE.store(mouse, Ordering::Relaxed);
        hook_panics();
        enter()?;
        Ok(Guard(()))
    }

    /// Gives the terminal back, stops the process until it is continued, takes it again.
    /// The caller must draw everything anew.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn suspend(&self) -> io::Result<()> {
        leave();
        #[cfg(unix)]
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        enter()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

fn enter() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    ENTERED.store(true, Ordering::SeqCst);
    execute!(io::stdout(), terminal::EnterAlternateScreen, event::EnableBracketedPaste)?;
    if MOUSE.load(Ordering::Relaxed) {
        execute!(io::stdout(), event::EnableMouseCapture)?;
    }
    Ok(())
}

/// Gives the terminal back if it is ours. Errors are of no use to anyone here: the
/// terminal may be gone.
fn leave() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    if MOUSE.load(Ordering::Relaxed) {
        let _ = execute!(io::stdout(), event::DisableMouseCapture);
    }
    let _ = execute!(
        io::stdout(),
        event::DisableBracketedPaste,
        terminal::LeaveAlternateScreen,
        cursor::Show
    );
    let _ = terminal::disable_raw_mode();
}

/// A panic of the thread that owns the screen gives the terminal back before its message
/// is printed. Another thread's panic must not touch the screen: it goes to the log, and
/// whoever waits for that thread tells the person.
fn hook_panics() {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let screen = std::thread::current().id();
        let old = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().id() == screen {
                leave();
            } else if ENTERED.load(Ordering::SeqCst) {
                tracing::error!("a worker failed: {info}");
                return;
            }
            old(info);
        }));
    });
}

/// What the end of the terminal means.
const HANG_UP: Signal = Signal::End(1);

/// Reads the keyboard on a thread of its own until the terminal or the receiver is gone.
pub fn read_input(events: Sender<Event>) {
    std::thread::spawn(move || {
        loop {
            let event = match event::read() {
                Ok(event) => Event::Input(event),
                Err(_) => Event::Signal(HANG_UP),
            };
            let last = matches!(event, Event::Signal(_));
            if events.send(event).is_err() || last {
                return;
            }
        }
    });
}

/// Turns signals into events on a thread of its own. The same ending signal a second time
/// ends the process at once, should the screen be stuck.
///
/// # Errors
/// When the handlers cannot be installed.
#[cfg(unix)]
pub fn read_signals(events: Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{
        SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGXCPU,
    };
    use std::sync::Arc;
    // All that would end the process, and can be caught without harm.
    let ending = [SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU];
    for signal in ending {
        let again = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, again.clone())?;
        signal_hook::flag::register(signal, again)?;
    }
    let wanted = ending.into_iter().chain([SIGINT, SIGTSTP]);
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let event = match signal {
                SIGINT => Signal::Interrupt,
                SIGTSTP => Signal::Suspend,
                number => Signal::End(u8::try_from(number).unwrap_or_default()),
            };
            if events.send(Event::Signal(event)).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Elsewhere the terminal alone speaks.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn read_signals(_events: Sender<Event>) -> io::Result<()> {
    Ok(())
}
