//! What the timeline holds: entries, each what was asked and the steps that answered it.
//!
//! Must not know: how entries are ordered (that is `timeline`), commands, workers.

use super::goal::Goal;
use super::verdict::{Cursor, Fault, Verdict};
use crate::oracle::{Confidence, Ending, RunnerUp};
use crate::program::Loc;
use crate::trace::{Direction, Exit, Move, NodeId, Outcome, State, StopAt, Value};
use std::fmt;
use std::sync::Arc;

/// A place in the timeline: segment and step, both from 0. `0.0` is the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Mark {
    /// Number of the segment, in order of creation.
    pub segment: u32,
    /// Entry within the segment.
    pub step: u32,
}

impl fmt::Display for Mark {
    /// `SEGMENT.STEP`, as `goto` reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.segment, self.step)
    }
}

/// What a person asked for; one entry of the timeline answers it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Go {
    /// `s`, or `S` backwards.
    Into(Direction),
    /// `n`, or `N` backwards.
    Over(Direction),
    /// `r`: to the end of the frame.
    Return,
    /// `F`: back to the call of the frame, that is, its arguments.
    Call,
    /// `c`, or `C` backwards: to a breakpoint or the end.
    Continue(Direction),
    /// `unt [LINE]`: to a line below the present one (at or below LINE) in this frame, or
    /// the end of the frame.
    Until(Option<u32>),
    /// `t`, `advance LOCATION`: to this line or call, or a breakpoint, or the end.
    To(StopAt),
}

impl Go {
    /// Which way it goes.
    pub fn direction(&self) -> Direction {
        match self {
            Go::Into(d) | Go::Over(d) | Go::Continue(d) => *d,
            Go::Return | Go::Until(_) | Go::To(_) => Direction::Forward,
            Go::Call => Direction::Inverse,
        }
    }

    /// The word a person would type for it.
    pub fn word(&self) -> &'static str {
        use Direction::{Forward, Inverse};
        match self {
            Go::Into(Forward) => "step",
            Go::Into(Inverse) => "bstep",
            Go::Over(Forward) => "next",
            Go::Over(Inverse) => "bnext",
            Go::Return => "return",
            Go::Call => "bfinish",
            Go::Continue(Forward) => "continue",
            Go::Continue(Inverse) => "bcontinue",
            Go::Until(_) => "until",
            Go::To(_) => "advance",
        }
    }

    /// Whether it may skip states, so that direct and chained answers differ.
    pub fn is_jump(&self) -> bool {
        !matches!(self, Go::Into(_) | Go::Over(_))
    }
}

/// Where a state comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Given by the person or bound from literal arguments.
    Given,
    /// Guessed by the model.
    Predicted,
    /// Recorded by CPython.
    Recorded,
    /// A variable was rewritten by the person.
    Edited,
    /// Arguments (or a return line) made up by the model.
    Invented,
}

impl Origin {
    /// The word used in JSON and on screen.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Given => "given",
            Origin::Predicted => "predicted",
            Origin::Recorded => "recorded",
            Origin::Edited => "edited",
            Origin::Invented => "invented",
        }
    }
}

/// How a move was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// By one prediction.
    Direct,
    /// By single steps until the stop.
    Chained,
}

impl Way {
    /// `direct` or `chained`.
    pub fn name(self) -> &'static str {
        match self {
            Way::Direct => "direct",
            Way::Chained => "chained",
        }
    }
}

/// Where one prediction led.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// A state.
    State(State),
    /// The end of the execution.
    Exit(Exit),
    /// Text that is no state: the text and why.
    Malformed {
        /// All that was generated.
        text: String,
        /// Why it is not a state, in one line.
        why: String,
    },
}

impl Stop {
    /// The state, if it is one.
    pub fn state(&self) -> Option<&State> {
        match self {
            Stop::State(state) => Some(state),
            _ => None,
        }
    }
}

/// One prediction (or the first state) and what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The question; `None` for a state that was given or edited.
    pub ask: Option<Move>,
    /// The answer.
    pub stop: Stop,
    /// Where the answer comes from.
    pub origin: Origin,
    /// Other locations the answer may mean; empty = certain.
    pub candidates: Vec<Loc>,
    /// How sure the oracle was, under the grammar's constraint.
    pub confidence: Option<Confidence>,
    /// How sure it was without the constraint.
    pub raw_confidence: Option<Confidence>,
    /// Alternatives, likeliest first.
    pub runners_up: Vec<RunnerUp>,
    /// The generated text.
    pub raw: String,
    /// What CPython did, when verified and on the same path.
    pub actual: Option<Outcome>,
    /// What the comparison says.
    pub verdict: Verdict,
    /// The calling frames' states, outermost first, where whoever gave the state knew them;
    /// `None`: they follow from the path.
    pub callers: Option<Vec<State>>,
    /// The same for the recorded state, where a jump led there.
    pub actual_callers: Option<Vec<State>>,
    /// At an end: what is known of it.
    pub ending: Option<Ending>,
    /// Where the recorded execution ended: what is known of that.
    pub actual_ending: Option<Ending>,
    /// Where the truth is after this step.
    pub(super) truth: Cursor,
    /// The state's number in the recording that answered.
    pub(super) node: Option<NodeId>,
}

impl Step {
    /// A state that nobody predicted.
    pub(super) fn given(state: State, origin: Origin) -> Step {
        Step::new(Stop::State(state), origin)
    }

    /// A stop about which nothing more is known.
    pub(super) fn new(stop: Stop, origin: Origin) -> Step {
        Step {
            ask: None,
            stop,
            origin,
            candidates: Vec::new(),
            confidence: None,
            raw_confidence: None,
            runners_up: Vec::new(),
            raw: String::new(),
            actual: None,
            verdict: Verdict::Unverified,
            callers: None,
            actual_callers: None,
            ending: None,
            actual_ending: None,
            truth: Cursor::Unknown,
            node: None,
        }
    }
}

/// One entry: what was asked, and the prediction(s) that answered it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What was asked; `None` for the start, an edit and a resync.
    pub go: Option<Go>,
    /// How it was answered.
    pub way: Way,
    /// A chained jump's steps before its stop, in order; also the events of one statement.
    pub via: Vec<Step>,
    /// Where it stopped.
    pub stop: Step,
    /// Whether it stopped because it was interrupted, short of its stop.
    pub interrupted: bool,
    /// Backwards: whether CPython, started from here, reached the known state.
    pub checked: Option<bool>,
    /// The variable that was rewritten here, and its value.
    pub edit: Option<(Arc<str>, Value)>,
    /// Where its single steps were laid out as entries of their own: the first of them.
    pub(super) opened: Option<Mark>,
    /// The movement, as it was when asked; `None` where nothing was.
    pub(super) goal: Option<Goal>,
}

impl Entry {
    /// An entry that nobody predicted.
    pub(super) fn given(stop: Step) -> Entry {
        Entry {
            go: None,
            way: Way::Direct,
            via: Vec::new(),
            stop,
            interrupted: false,
            checked: None,
            edit: None,
            opened: None,
            goal: None,
        }
    }

    /// The paper's name of the action that was asked for, whichever way it was answered;
    /// `until` for the one that the paper does not have. `None` where nothing was asked.
    pub fn action(&self) -> Option<&'static str> {
        use Direction::{Forward, Inverse};
        let stops = self.goal.as_ref().is_some_and(|goal| !goal.stops.is_empty());
        Some(match self.go.as_ref()? {
            Go::Into(Forward) => "step_into",
            Go::Into(Inverse) => "inv_step_into",
            Go::Over(Forward) => "step_over",
            Go::Over(Inverse) => "inv_step_over",
            Go::Return => "step_return",
            Go::Call => "inv_step_call",
            Go::Continue(Forward) if stops => "breakpoint",
            Go::Continue(Forward) => "continue",
            Go::Continue(Inverse) => "inv_continue",
            Go::Until(_) => "until",
            Go::To(_) => "breakpoint",
        })
    }

    /// The verdict on the whole movement. Its stop may equal the truth (ends of programs
    /// have little to compare) although a step on the way did not: then it is wrong on the
    /// way. The steps keep their own verdicts, which the score counts.
    pub fn verdict(&self) -> Verdict {
        match self.fault() {
            Some(fault) if self.stop.verdict.right() != Some(false) => Verdict::OnTheWay(fault),
            _ => self.stop.verdict.clone(),
        }
    }

    /// The first wrong step before the stop. Backwards there is none: many ways may lead
    /// to a state.
    pub(super) fn fault(&self) -> Option<Fault> {
        let forward = self.go.as_ref().is_some_and(|go| go.direction() == Direction::Forward);
        let wrong = |step: &&Step| step.verdict.right() == Some(false);
        let (step, wrong) = (1..).zip(&self.via).find(|(_, step)| forward && wrong(step))?;
        let note = wrong.verdict.note();
        let note = if note.is_empty() { wrong.verdict.name().into() } else { note };
        Some(Fault { step, of: self.via.len() + 1, note })
    }

    /// All steps in order, the stop last.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.via.iter().chain(std::iter::once(&self.stop))
    }
}
