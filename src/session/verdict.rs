//! What can be said about a prediction beside the truth, component by component.
//!
//! Must not know: who recorded, how the truth is walked (that is `truth`).

use crate::trace::{Comparison, Part, Place};
use std::fmt;

/// What the comparison with CPython says about one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Not compared: no recording (yet), or the truth is unknown after an edit.
    Unverified,
    /// On one path before: compared component by component.
    Compared(Comparison),
    /// Both end here; whether in the same way.
    Exit(bool),
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
    /// The real run goes another way from time to time here: not comparable.
    Unsteady,
    /// Inverse: equals this run's predecessor.
    Recorded,
    /// Inverse: running it forward reaches the known state.
    Consistent,
    /// Inverse: running it forward does not reach the known state.
    Inconsistent,
    /// Inverse: differs from this run's predecessor, and nothing more is known: many
    /// predecessors may fit.
    Unverifiable,
    /// A movement by several steps, one of which is wrong although nothing wrong can be
    /// said about where it stopped. Only entries have it, never a single step.
    OnTheWay(Fault),
}

/// The first wrong step of a movement by several steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Which step it is, from 1.
    pub step: usize,
    /// How many steps the movement has, its stop included.
    pub of: usize,
    /// What differs there, in one line.
    pub note: String,
}

impl fmt::Display for Fault {
    /// `step 5 of 16: total: predicted 0, real 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} of {}: {}", self.step, self.of, self.note)
    }
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
            Verdict::Unsteady => "not comparable",
            Verdict::Recorded => "recorded",
            Verdict::Consistent => "consistent",
            Verdict::Inconsistent => "inconsistent",
            Verdict::Unverifiable => "unverifiable",
            Verdict::OnTheWay(_) => "wrong on the way",
        }
    }

    /// Whether the whole step is right, where that can be said.
    pub fn right(&self) -> Option<bool> {
        match self {
            Verdict::Compared(comparison) => match comparison.all() {
                Part::Same => Some(true),
                Part::NotComparable => None,
                Part::Different | Part::Missing | Part::Extra => Some(false),
            },
            Verdict::Exit(right) => Some(*right),
            Verdict::EndedEarly | Verdict::RanOn | Verdict::Malformed | Verdict::OnTheWay(_) => {
                Some(false)
            }
            _ => None,
        }
    }

    /// Whether the step was made on CPython's path, so that its parts can be laid beside
    /// the recorded ones.
    pub fn on_path(&self) -> bool {
        matches!(self, Verdict::Compared(_) | Verdict::Recorded | Verdict::Unverifiable)
    }

    /// The components, where they were compared.
    pub fn comparison(&self) -> Option<&Comparison> {
        match self {
            Verdict::Compared(comparison) => Some(comparison),
            _ => None,
        }
    }

    /// What differs, in one line; empty if nothing does or nothing more can be said.
    pub fn note(&self) -> String {
        match self {
            Verdict::Compared(comparison) => comparison.note.clone(),
            Verdict::OnTheWay(fault) => fault.to_string(),
            _ => String::new(),
        }
    }

    /// The verdict on one variable, where it was compared.
    pub fn local(&self, name: &str) -> Option<Part> {
        let locals = self.comparison()?.locals.as_ref()?;
        locals.iter().find(|(n, _)| &**n == name).map(|(_, part)| *part)
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
        /// Whether the prediction ended with it, so that backwards both are on one path.
        together: bool,
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
