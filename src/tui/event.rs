//! Everything that can happen to the screen. Closed: a new source of events is a new
//! variant here, handled in one place.

use super::highlight::Colours;
use crate::session::Reply;

/// One thing that happened.
#[derive(Debug)]
pub enum Event {
    /// A key, the mouse, pasted text, a new size.
    Input(crossterm::event::Event),
    /// A worker of the session answers or reports progress.
    Reply(Reply),
    /// Colours of some lines of a file are known.
    Colours(Colours),
    /// The operating system wants something.
    Signal(Signal),
    /// Time passes; sent only while something is busy.
    Tick,
}

/// What the operating system may want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// End, because of the signal of this number.
    End(u8),
    /// Cancel what runs (an INT from outside; the key Ctrl-C is a key).
    Interrupt,
    /// Stop until continued.
    Suspend,
}

impl Signal {
    /// Its number on every Unix.
    pub fn number(self) -> u8 {
        match self {
            Signal::End(number) => number,
            Signal::Interrupt => 2,
            Signal::Suspend => 20,
        }
    }
}
