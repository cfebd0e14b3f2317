//! What an execution is: events, states, moves, trees of states.
//!
//! Must not know: models, tokens, CPython, terminals. Does no I/O (readers and writers
//! are handed in) and starts no threads. States are defined by what `sys.settrace`
//! reports, under the rules of the `cpython` room's tracer.
//!
//! | file | what it decides |
//! |---|---|
//! | this one | the words: [`Event`], [`State`], [`Locals`], [`Move`], [`Segment`], [`Exit`] |
//! | `tree` | who called whom: [`StateTree`], built state by state by [`TreeBuilder`] |
//! | `moves` | where every move leads: [`StateTree::go`] |
//! | `diff` | what changed between two [`Locals`]: for people ([`changes`]), for files ([`Patch`]) |
//! | `compare` | when values and states are equal, and which parts of two states differ |
//! | `statement` | which line states are one execution of one statement |
//! | `stack` | the [`CallStack`] along a path, as far as the path tells it |
//! | `recording` | a whole [`Recording`], and its file format |

use crate::program::Loc;
use std::fmt;
use std::sync::Arc;

/// What kind of stop a state is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// A frame begins, or a suspended one resumes ([`State::suspension`]).
    Call,
    /// A line is about to run.
    Line,
    /// Inverse only: the line once more, *after* the call it made (`inv_line_call`).
    LineAfterCall,
    /// A frame returns, or a generator yields ([`State::suspension`]).
    Return,
    /// An exception is raised in, or passes through, the frame.
    Exception,
}

impl Event {
    /// The word used in JSON, on screen and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Event::Call => "call",
            Event::Line => "line",
            Event::LineAfterCall => "line_after_call",
            Event::Return => "return",
            Event::Exception => "exception",
        }
    }
}

/// A value as one line of text: its repr under the recording's rules.
///
/// A value cut by size carries the mark `…` outside the quotes, so it ends with it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub Arc<str>);

impl Value {
    /// The text, as shown and compared.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether the value was cut by size and is therefore incomplete.
    pub fn is_cut(&self) -> bool {
        self.0.ends_with('…')
    }

    /// Whether there is a value of which no text could be had: its own `__repr__` raised, or
    /// took too long.
    pub fn is_textless(&self) -> bool {
        let late = self.0.starts_with("<repr of ") && self.0.ends_with(" timed out>");
        late || self.0.starts_with("<unrepresentable ")
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value(text.into())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The variables of a frame in order of first assignment: parameters first, a name that
/// was deleted and assigned again goes to the end. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Locals(Arc<Vec<(Arc<str>, Value)>>);

impl Locals {
    /// Names and values in order.
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&Arc<str>, &Value)> + ExactSizeIterator + Clone {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(n, _)| &**n == name).map(|(_, v)| v)
    }

    /// How many names are bound.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no name is bound.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether both are the same allocation, and therefore equal. A cheap first question.
    pub fn is_same_memory(&self, other: &Locals) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Binds or rebinds a name; a new name goes to the end.
    pub fn set(&mut self, name: Arc<str>, value: Value) {
        let list = Arc::make_mut(&mut self.0);
        match list.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = value,
            None => list.push((name, value)),
        }
    }

    /// Unbinds a name; nothing happens if it was not bound.
    pub fn remove(&mut self, name: &str) {
        if self.get(name).is_some() {
            Arc::make_mut(&mut self.0).retain(|(n, _)| &**n != name);
        }
    }
}

impl<N: Into<Arc<str>>, V: Into<Value>> FromIterator<(N, V)> for Locals {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(iter: I) -> Self {
        let mut locals = Locals::default();
        for (name, value) in iter {
            locals.set(name.into(), value.into());
        }
        locals
    }
}

/// One stop of an execution. A guess and a fact are both a `State`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// What kind of stop.
    pub event: Event,
    /// Where. A call is at the `def` line (a module's at line 1; a resume where it goes on).
    pub loc: Loc,
    /// `co_name` of the frame's code: `f`, `<module>`, `<lambda>`, a class's name.
    pub function: Arc<str>,
    /// Frames below this one; the entry frame has 0.
    pub depth: u32,
    /// The frame's variables before the line runs. `None`: not carried by the dialect at
    /// this event. Recordings always have them.
    pub locals: Option<Locals>,
    /// Return: the value. Exception: `repr` of the exception. Else `None`.
    pub arg: Option<Value>,
    /// Call: the frame resumes where it had suspended. Return: the frame suspends
    /// (yield, await) and lives on.
    pub suspension: bool,
}

/// How an execution ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// The entry frame returned (also `SystemExit` with None or 0).
    Normal,
    /// An exception left the entry frame.
    Error,
    /// The program loops for ever.
    Never,
    /// The recording was stopped by a limit; nothing is known beyond.
    Cut,
    /// Inverse: walked back past the entry.
    Entry,
}

impl Exit {
    /// The word used in JSON, on screen and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Exit::Normal => "normal",
            Exit::Error => "error",
            Exit::Never => "never",
            Exit::Cut => "cut",
            Exit::Entry => "entry",
        }
    }
}

/// Which way time goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards later states.
    Forward,
    /// Towards earlier states.
    Inverse,
}

impl Direction {
    /// `forward` or `inverse`.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Forward => "forward",
            Direction::Inverse => "inverse",
        }
    }
}

/// What the debugger is asked to do (paper section 3, table of actions).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// The next state.
    StepInto,
    /// The next state on the same level or up, never down.
    StepOver,
    /// Forward only: the frame's last state.
    StepReturn,
    /// Inverse only: the current function's call, that is, its arguments.
    StepCall,
    /// Forward only: the first future state in the stop set.
    Breakpoint,
    /// Forward only: the exit.
    Continue,
}

/// A place where a `breakpoint` move stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StopAt {
    /// The line.
    pub loc: Loc,
    /// Stop at the *call* of the function defined there (a function breakpoint) instead of
    /// at a *line* state.
    pub call: bool,
}

/// A question about an execution: an action, a direction and a stop set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Move {
    /// What to do.
    pub action: Action,
    /// Which way.
    pub direction: Direction,
    /// Where to stop; used by [`Action::Breakpoint`] only.
    pub stops: Vec<StopAt>,
}

impl Move {
    /// A forward move without a stop set.
    pub fn forward(action: Action) -> Self {
        Move { action, direction: Direction::Forward, stops: Vec::new() }
    }

    /// An inverse move.
    pub fn inverse(action: Action) -> Self {
        Move { action, direction: Direction::Inverse, stops: Vec::new() }
    }

    /// Run to the first of these places, or to the exit.
    pub fn breakpoint(stops: Vec<StopAt>) -> Self {
        Move { action: Action::Breakpoint, direction: Direction::Forward, stops }
    }

    /// The paper's name, e.g. `step_into` or `inv_step_call`.
    pub fn name(&self) -> &'static str {
        match (self.direction, self.action) {
            (Direction::Forward, Action::StepInto) => "step_into",
            (Direction::Forward, Action::StepOver) => "step_over",
            (Direction::Forward, Action::StepReturn) => "step_return",
            (Direction::Forward, Action::StepCall) => "step_call",
            (Direction::Forward, Action::Breakpoint) => "breakpoint",
            (Direction::Forward, Action::Continue) => "continue",
            (Direction::Inverse, Action::StepInto) => "inv_step_into",
            (Direction::Inverse, Action::StepOver) => "inv_step_over",
            (Direction::Inverse, Action::StepReturn) => "inv_step_return",
            (Direction::Inverse, Action::StepCall) => "inv_step_call",
            (Direction::Inverse, Action::Breakpoint) => "inv_breakpoint",
            (Direction::Inverse, Action::Continue) => "inv_continue",
        }
    }

    /// Whether the language has this combination of action and direction.
    pub fn exists(&self) -> bool {
        use Action::*;
        match self.direction {
            Direction::Forward => self.action != StepCall,
            Direction::Inverse => matches!(self.action, StepInto | StepOver | StepCall),
        }
    }
}

/// Where a move leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A state.
    State(State),
    /// The end of the execution in that direction.
    Exit(Exit),
}

/// One run of states in one direction: what a prompt holds after the program's context.
///
/// Changing direction, editing a variable or filling the model's window starts a new
/// segment from the present state. An inverse segment never contains the forward history
/// that holds its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Which way its moves go.
    pub direction: Direction,
    /// The line states of the calling frames, outermost first, when `first` is not in the
    /// entry frame and they are known.
    pub callers: Vec<State>,
    /// The first state, given in full. With unknown parts (`locals: None` at a call whose
    /// arguments are to be invented) it is completed by [`crate::oracle::Oracle::complete`].
    pub first: State,
    /// The moves made so far and the states they led to.
    pub steps: Vec<(Move, State)>,
}

impl Segment {
    /// A segment that begins, and so far ends, at a state.
    pub fn new(direction: Direction, callers: Vec<State>, first: State) -> Self {
        Segment { direction, callers, first, steps: Vec::new() }
    }

    /// All states in order, beginning with the first.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = &State> {
        std::iter::once(&self.first).chain(self.steps.iter().map(|(_, state)| state))
    }

    /// The state the next move starts from.
    pub fn present(&self) -> &State {
        self.steps.last().map_or(&self.first, |(_, state)| state)
    }
}

mod compare;
mod diff;
mod moves;
mod recording;
pub mod restart;
mod stack;
mod statement;
mod tree;
pub use compare::{Comparison, Leeway, Part, compare, same_state, same_value};
pub use diff::{Change, Patch, changes};
pub use moves::Landing;
pub use recording::{
    Edit, Limits, Output, ReadLimits, Recording, RecordingError, ReprRules, read_recording,
    write_recording,
};
pub use stack::{CallStack, StackFrame};
pub use statement::goes_on;
pub use tree::{FrameId, NodeId, Place, StateTree, TreeBuilder, TreeError};

#[cfg(test)]
pub(crate) mod arbitrary;
#[cfg(test)]
mod tests;
