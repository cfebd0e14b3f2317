//! What a screen (or a text or JSON printer) can see of a session: plain data.
//!
//! Must not know: panes, colours, terminals.

use super::entry::{Go, Mark, Way};
use crate::oracle::Progress;
use crate::program::Loc;
use crate::program::outline::Lines;
use crate::trace::{Output, Part, State, Value};
use std::sync::Arc;

/// One variable of the selected frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// The value; `None`: hidden by the language here (shown as `?`), or CPython has the
    /// name and the prediction does not (then `actual` is set).
    pub value: Option<Value>,
    /// The value before the last move, where it was another one.
    pub old: Option<Value>,
    /// Whether the name is new since the last move.
    pub added: bool,
    /// How sure the oracle was of it, in 0..=1; `None`: carried over, given or exact.
    pub confidence: Option<f32>,
    /// CPython's value, when verified and on the same path.
    pub actual: Option<Value>,
    /// The verdict on it, when compared.
    pub verdict: Option<Part>,
    /// Whether the person rewrote it here.
    pub edited: bool,
}

impl Variable {
    /// A variable about which nothing more is known.
    pub(super) fn plain(name: &Arc<str>, value: &Value) -> Variable {
        Variable {
            name: name.clone(),
            value: Some(value.clone()),
            old: None,
            added: false,
            confidence: None,
            actual: None,
            verdict: None,
            edited: false,
        }
    }
}

/// One function activation of the call stack.
#[derive(Debug, Clone, PartialEq)]
pub struct StackFrame {
    /// Frames below this one; the entry frame has 0.
    pub depth: u32,
    /// Name of its function; `None`: it is not known which frame this is.
    pub function: Option<Arc<str>>,
    /// The frame's latest state; `None`: unknown after a direct jump or at a start in
    /// the middle.
    pub state: Option<State>,
    /// Whether it is the selected one (`u`, `d`).
    pub selected: bool,
}

/// What a cell of the timeline strip stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// The start, or a state that was given, edited or resynced to.
    Given,
    /// A prediction right in every component.
    Right,
    /// A prediction wrong in some component.
    Wrong,
    /// Predicted after the path had differed.
    OffPath,
    /// Predicted, not verified (or not comparable).
    Unverified,
    /// Text that is no state.
    Malformed,
}

/// One cell of the timeline strip: the path through the cursor, one entry each, the
/// entries that `redo` would visit included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Where `goto` would lead.
    pub mark: Mark,
    /// What it stands for.
    pub kind: CellKind,
    /// Whether it was asked backwards.
    pub inverse: bool,
    /// How it was answered.
    pub way: Way,
    /// What was asked.
    pub go: Option<Go>,
    /// Steps on the way to its stop.
    pub substeps: usize,
    /// Whether a segment starts here.
    pub border: bool,
    /// How many other entries continue from the same predecessor.
    pub branches: usize,
    /// Whether the cursor is here.
    pub present: bool,
}

/// What a log line is, so that a screen can mark and colour it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogKind {
    /// A command as typed (or as its key would be typed).
    Command,
    /// `--Call--`, `--Return-- value`, exception, resume, yield and end banners.
    Banner,
    /// `> file(line)function()`.
    Place,
    /// `-> source line`.
    Source,
    /// The same three for a state guessed backwards.
    Inverse,
    /// `name: old -> new`.
    Change,
    /// A value that was asked for.
    Value,
    /// What the truth says about the last step.
    Verdict,
    /// Something worth knowing.
    Note,
    /// The command could not be done; says what to do.
    Error,
}

/// One line of the session's log: what the command pane shows and `predict` prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// What it is.
    pub kind: LogKind,
    /// One line, without its end.
    pub text: String,
}

/// What the program wrote.
#[derive(Debug, Clone, PartialEq)]
pub enum OutputView<'a> {
    /// Output is not predicted, and nothing is recorded; says how to run.
    NotPredicted,
    /// Recorded output up to where the truth is, in order.
    Recorded(Vec<&'a Output>),
}

/// What the session is waiting for.
#[derive(Debug, Clone, PartialEq)]
pub struct Busy {
    /// In words, e.g. `predicting step_into` or `recording with CPython`.
    pub what: String,
    /// Steps of the present jump so far.
    pub substeps: usize,
    /// The latest progress report (partial text, prompt position).
    pub progress: Option<Progress>,
}

/// Facts for the header line.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The oracle's label; empty until it is open.
    pub model: String,
    /// Version of the Python that verifies, once it has.
    pub python: Option<String>,
    /// The dialect it speaks; `None` for a replay.
    pub dialect: Option<String>,
    /// Where the oracle computes; `None` for a replay.
    pub device: Option<String>,
    /// What records and under which protection, once that was asked.
    pub recorder: Option<String>,
    /// Where the session started, as a person would type it.
    pub entry: String,
    /// The seed predictions are made with.
    pub seed: u64,
    /// Things to know: limits, outline by fallback, not sandboxed, context cuts.
    pub notes: Vec<String>,
    /// Whether the last steps were predicted by an exact oracle (a replay).
    pub exact: bool,
    /// Whether the oracle predicts backwards; until it is open, that is supposed.
    pub backwards: bool,
}

/// A watched expression (`display`).
#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    /// As typed.
    pub expression: String,
    /// The frame that it is evaluated in: its depth and function. `None`: the newest one.
    pub frame: Option<(u32, Arc<str>)>,
    /// Its value at the present state; `Err` says why there is none.
    pub value: Option<Result<Value, String>>,
    /// The value at the stop before.
    pub old: Option<Value>,
}

impl Watch {
    /// One that is evaluated wherever the session is, and has no value yet.
    pub fn anywhere(expression: String) -> Watch {
        Watch { expression, frame: None, value: None, old: None }
    }

    /// The expression; with its function, where the selected frame, of this depth, is another.
    pub fn name(&self, selected: u32) -> String {
        match &self.frame {
            Some((depth, function)) if *depth != selected => {
                format!("{} in {function}", self.expression)
            }
            _ => self.expression.clone(),
        }
    }
}

/// A breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakpoint {
    /// Number by which commands name it; never reused.
    pub number: u32,
    /// The first line of the statement it is bound to.
    pub loc: Loc,
    /// All lines of that statement; for a function its `def` line, decorators included.
    pub lines: Lines,
    /// Set for a function breakpoint: stops at the function's call.
    pub function: Option<String>,
    /// Stops only where this is true.
    pub condition: Option<String>,
    /// Disappears at its first hit.
    pub temporary: bool,
    /// Whether it stops at all.
    pub enabled: bool,
    /// Hits still to ignore.
    pub ignore: u32,
    /// Times it was reached (with a true condition).
    pub hits: u32,
}
