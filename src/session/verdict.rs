//! The truth beside the predictions: its cursor, and the verdict on each step.
//!
//! Must not know: who recorded. Pure functions over a recording's state tree.

use crate::trace::Place;
use std::sync::Arc;

/// The verdict on one component of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// As CPython had it.
    Right,
    /// Not as CPython had it.
    Wrong,
    /// Differs from run to run (addresses, time, random, set order), or was cut.
    NotComparable,
    /// The dialect does not carry it here.
    Hidden,
}

/// Verdicts on all components of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// The event.
    pub event: Judged,
    /// The source line (location and depth).
    pub source: Judged,
    /// Each variable that either side has, in the truth's order.
    pub locals: Vec<(Arc<str>, Judged)>,
    /// Return value or exception; `None` where neither side has one.
    pub arg: Option<Judged>,
}

/// What the comparison with CPython says about one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Not compared: no recording (yet), or the truth is unknown after an edit.
    Unverified,
    /// On one path: compared component by component.
    Compared(Components),
    /// The end was predicted, and its kind compared.
    Exit(Judged),
    /// The path had differed before; not judged until `resync`.
    OffPath,
    /// The end was predicted while CPython goes on.
    EndedEarly,
    /// A state was predicted while CPython had ended.
    RanOn,
    /// The recording was stopped by a limit; nothing is known here.
    TruthCut,
    /// Inverse: equals this run's predecessor.
    Recorded,
    /// Inverse: running it forward reaches the known state.
    Consistent,
    /// Inverse: running it forward does not reach the known state.
    Inconsistent,
    /// Inverse: differs from this run's predecessor, and nothing more is known: many
    /// predecessors may fit.
    Unverifiable,
}

impl Verdict {
    /// One word (or two) for screen and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Unverified => "unverified",
            Verdict::Compared(_) | Verdict::Exit(_) => match self.right() {
                Some(true) => "right",
                Some(false) => "wrong",
                None => "not comparable",
            },
            Verdict::OffPath => "off path",
            Verdict::EndedEarly => "ended early",
            Verdict::RanOn => "ran on",
            Verdict::TruthCut => "truth cut",
            Verdict::Recorded => "recorded",
            Verdict::Consistent => "consistent",
            Verdict::Inconsistent => "inconsistent",
            Verdict::Unverifiable => "unverifiable",
        }
    }

    /// Whether the whole step is right, where that can be said.
    pub fn right(&self) -> Option<bool> {
        match self {
            Verdict::Compared(c) => {
                let parts = || {
                    [c.event, c.source]
                        .into_iter()
                        .chain(c.locals.iter().map(|(_, j)| *j))
                        .chain(c.arg)
                };
                if parts().any(|j| j == Judged::Wrong) {
                    Some(false)
                } else {
                    (!parts().any(|j| j == Judged::NotComparable)).then_some(true)
                }
            }
            Verdict::Exit(j) => match j {
                Judged::Right => Some(true),
                Judged::Wrong => Some(false),
                _ => None,
            },
            Verdict::EndedEarly | Verdict::RanOn => Some(false),
            _ => None,
        }
    }

    /// The components, where they were compared.
    pub fn components(&self) -> Option<&Components> {
        match self {
            Verdict::Compared(components) => Some(components),
            _ => None,
        }
    }

    /// The verdict on one variable, where it was compared.
    pub fn local(&self, name: &str) -> Option<Judged> {
        self.components()?.locals.iter().find(|(n, _)| &**n == name).map(|(_, j)| *j)
    }
}

/// Where the truth is. `run` numbers the session's recordings (one for each set of edits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cursor {
    /// No recording, or the truth is unknown here.
    Unknown,
    /// On the same path as the prediction.
    On {
        /// Which recording.
        run: usize,
        /// Where in it.
        place: Place,
    },
    /// The paths have parted; the truth goes on by the same moves.
    Off {
        /// Which recording.
        run: usize,
        /// Where in it.
        place: Place,
    },
    /// The recorded execution is over.
    Ended {
        /// Which recording.
        run: usize,
    },
}

/// How many steps were judged, and how many of them were right. The history they were
/// made under is part of the score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Steps right in every component.
    pub right: usize,
    /// Steps wrong in some component.
    pub wrong: usize,
    /// Steps not judged because the path had differed before.
    pub off_path: usize,
    /// Steps not comparable, or not verified.
    pub other: usize,
}
