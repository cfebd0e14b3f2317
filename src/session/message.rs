//! What a session asks of the world, and what it hears back: plain data both ways.
//!
//! Must not know: who performs an effect. Every request carries a [`Ticket`]; a reply to
//! a ticket the session no longer waits for is ignored, so late answers do no harm.

use super::keep::Kept;
use crate::oracle::{Answer, Capabilities, OracleError, Progress, Query};
use crate::program::Program;
use crate::trace::{Direction, Edit, Recording, State, Value};
use std::sync::Arc;

/// Number of one request; a newer request has a larger one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// A request to the world. Performed by [`super::worker::Workers`], or by a test.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Open the oracle that predicts and check that the program fits it.
    Open {
        /// Answered by [`Reply::Opened`].
        ticket: Ticket,
        /// The program it must accept.
        program: Arc<Program>,
    },
    /// One prediction.
    Ask {
        /// Answered by [`Reply::Answered`].
        ticket: Ticket,
        /// The question.
        query: Query,
    },
    /// Fill in the unknown parts of a first state.
    Complete {
        /// Answered by [`Reply::Answered`].
        ticket: Ticket,
        /// The program.
        program: Arc<Program>,
        /// The state with unknown parts.
        partial: State,
        /// Which way the session will go on.
        direction: Direction,
    },
    /// Say what recording would run, and under which protection.
    Describe {
        /// Answered by [`Reply::Described`].
        ticket: Ticket,
    },
    /// Run the program with real CPython and record it.
    Record {
        /// Answered by [`Reply::Recorded`].
        ticket: Ticket,
        /// The program and its entry.
        program: Arc<Program>,
        /// Variables to change on the way.
        edits: Vec<Edit>,
    },
    /// Record once more with other seeds, to see what differs from run to run.
    Vary {
        /// Answered by [`Reply::Varied`].
        ticket: Ticket,
        /// The program and its entry.
        program: Arc<Program>,
        /// Variables to change on the way.
        edits: Vec<Edit>,
    },
    /// Evaluate an expression over literal values, without the program's code.
    Evaluate {
        /// Answered by [`Reply::Evaluated`].
        ticket: Ticket,
        /// A Python expression.
        expression: String,
        /// Names and reprs it may read.
        locals: Vec<(Arc<str>, Value)>,
    },
    /// Read the program anew: its file may have been edited.
    Read {
        /// Answered by [`Reply::Read`].
        ticket: Ticket,
    },
    /// Hand the program that runs for this request the line it waits for.
    Answer {
        /// The request's own.
        ticket: Ticket,
        /// Without its end; `None` ends the program's input.
        line: Option<String>,
    },
    /// Breakpoints or watches changed: keep them for the next session.
    Keep(Kept),
    /// Raise the cancel flag of the prediction, evaluation or recording in flight.
    Cancel,
    /// The session is over; leave.
    Quit,
}

/// A program as read, and what there is to know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file and its entry.
    pub program: Program,
    /// What the person should know.
    pub notes: Vec<String>,
    /// Why CPython would not run it.
    pub refused: Option<String>,
}

/// What an opened oracle says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Its label, for the header.
    pub label: String,
    /// What it can be asked.
    pub capabilities: Capabilities,
}

/// An answer from the world.
#[derive(Debug, Clone)]
pub enum Reply {
    /// To [`Effect::Open`].
    Opened {
        /// Whose answer this is.
        ticket: Ticket,
        /// The oracle, or why there is none.
        result: Result<Opened, OracleError>,
    },
    /// To [`Effect::Ask`] and [`Effect::Complete`].
    Answered {
        /// Whose answer this is.
        ticket: Ticket,
        /// The answer, or why there is none.
        result: Result<Answer, OracleError>,
    },
    /// To [`Effect::Describe`].
    Described {
        /// Whose answer this is.
        ticket: Ticket,
        /// One line, or why nothing can be recorded.
        result: Result<String, OracleError>,
    },
    /// To [`Effect::Record`].
    Recorded {
        /// Whose answer this is.
        ticket: Ticket,
        /// The recording, or why there is none.
        result: Result<Arc<Recording>, OracleError>,
    },
    /// To [`Effect::Vary`].
    Varied {
        /// Whose answer this is.
        ticket: Ticket,
        /// The other recording; `None` if the recorder cannot make one.
        result: Result<Option<Arc<Recording>>, OracleError>,
    },
    /// To [`Effect::Evaluate`].
    Evaluated {
        /// Whose answer this is.
        ticket: Ticket,
        /// The value, or the Python exception in one line.
        result: Result<Value, OracleError>,
    },
    /// To [`Effect::Read`].
    Read {
        /// Whose answer this is.
        ticket: Ticket,
        /// The program as its file is now, or why it cannot be read; `None` if nobody reads it.
        result: Result<Option<Box<Source>>, OracleError>,
    },
    /// Work goes on; not an answer.
    Progress {
        /// Whose progress this is.
        ticket: Ticket,
        /// How far it is.
        progress: Progress,
    },
}

/// Something the person must decide before the session goes on. Answered by
/// [`super::Session::answer`] (keys `y` and `n`), but for what a program reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Run the program's code to record the truth? Holds what would run and under which
    /// protection.
    Verify(String),
    /// Quit, although steps of this session would be lost. Holds how many.
    Quit(usize),
    /// Start again, although steps of this session would be lost. Holds how many.
    Restart(usize),
    /// This many steps were chained without reaching the stop; go on?
    GoOn(usize),
    /// What does the program read? Holds the last line that it has printed, if any. Answered by
    /// [`super::Session::enter`].
    Reads(String),
}

impl Question {
    /// The question in one line.
    pub fn text(&self) -> String {
        match self {
            Question::Verify(what) => format!("{what}. Run it?"),
            Question::Quit(1) => "Quit and lose one step?".into(),
            Question::Quit(n) => format!("Quit and lose {n} steps?"),
            Question::Restart(1) => "Restart and lose one step?".into(),
            Question::Restart(n) => format!("Restart and lose {n} steps?"),
            Question::GoOn(n) => format!("{n} steps and the stop is not reached. Go on?"),
            Question::Reads(prompt) if prompt.is_empty() => "The program reads a line:".into(),
            Question::Reads(prompt) => format!("The program asks: {prompt}"),
        }
    }
}
