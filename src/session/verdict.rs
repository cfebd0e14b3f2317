//! What can be said about a prediction beside the truth, component by component.
//!
//! Must not know: who recorded, how the truth is walked (that is `truth`).

use crate::trace::{Place, State, Value};
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
    /// The answer was no state.
    Malformed,
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
            Verdict::Malformed => "malformed",
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
            Verdict::EndedEarly | Verdict::RanOn | Verdict::Malformed => Some(false),
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

/// Compares a predicted state with the recorded one.
pub(super) fn compare(predicted: &State, actual: &State) -> Components {
    let judged = |same: bool| if same { Judged::Right } else { Judged::Wrong };
    let value = |a: &Value, b: &Value| judged(a == b);
    let mut locals = Vec::new();
    if let Some(real) = &actual.locals {
        for (name, real) in real.iter() {
            let verdict = match &predicted.locals {
                None => Judged::Hidden,
                Some(mine) => mine.get(name).map_or(Judged::Wrong, |mine| value(mine, real)),
            };
            locals.push((name.clone(), verdict));
        }
    }
    if let (Some(mine), Some(real)) = (&predicted.locals, &actual.locals) {
        let extra = mine.iter().filter(|(name, _)| real.get(name).is_none());
        locals.extend(extra.map(|(name, _)| (name.clone(), Judged::Wrong)));
    }
    Components {
        event: judged(
            predicted.event == actual.event && predicted.suspension == actual.suspension,
        ),
        source: judged(predicted.loc == actual.loc && predicted.depth == actual.depth),
        locals,
        arg: match (&predicted.arg, &actual.arg) {
            (None, None) => None,
            (Some(mine), Some(real)) => Some(value(mine, real)),
            _ => Some(Judged::Wrong),
        },
    }
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

impl Score {
    /// Counts one prediction's verdict.
    pub(super) fn count(&mut self, verdict: &Verdict) {
        match (verdict, verdict.right()) {
            (_, Some(true)) | (Verdict::Recorded, _) => self.right += 1,
            (_, Some(false)) => self.wrong += 1,
            (Verdict::OffPath, _) => self.off_path += 1,
            _ => self.other += 1,
        }
    }
}
