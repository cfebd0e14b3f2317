//! One answer beside the truth.
//!
//! Must not know: oracles, tables.

use crate::oracle::Answer;
use crate::trace::Action;
use crate::trace::{Comparison, Leeway, Move, Outcome, Part, compare};

/// Which parts of an answer are right. `None`: the truth has no such part, the dialect does
/// not carry it, or it cannot be compared (the recorded value is cut).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Everything that the answer says, together.
    pub whole: Option<bool>,
    /// The event, or the kind of exit.
    pub event: Option<bool>,
    /// Location and depth.
    pub source: Option<bool>,
    /// All variables of the frame: none wrong, missing or invented.
    pub locals: Option<bool>,
    /// The value returned, or the exception.
    pub arg: Option<bool>,
}

/// Judges an answer to a move. Without an answer all is wrong that the truth has.
pub(super) fn judge(answer: Option<&Answer>, ask: &Move, real: &Outcome) -> Score {
    let wrong = Some(false);
    match (answer, real) {
        (Some(Answer::State(prediction)), Outcome::State(real)) => {
            // Only where a direct jump stops can equal lines not be told apart.
            let places: &[_] = match ask.action {
                Action::StepInto => &[],
                _ => &prediction.candidates,
            };
            let leeway = Leeway { other: None, places };
            let comparison = compare(&prediction.state, real, leeway);
            Score {
                whole: right(comparison.all()),
                event: right(comparison.event),
                source: right(comparison.source),
                locals: locals(&comparison),
                arg: real.arg.as_ref().and(comparison.arg).and_then(right),
            }
        }
        (Some(Answer::Exit { exit, .. }), Outcome::Exit(real)) => {
            let same = Some(exit == real);
            Score { whole: same, event: same, ..Score::default() }
        }
        (_, Outcome::Exit(_)) => Score { whole: wrong, event: wrong, ..Score::default() },
        (_, Outcome::State(real)) => Score {
            whole: wrong,
            event: wrong,
            source: wrong,
            locals: real.locals.as_ref().and(wrong),
            arg: real.arg.as_ref().and(wrong),
        },
    }
}

fn right(part: Part) -> Option<bool> {
    match part {
        Part::Same => Some(true),
        Part::NotComparable => None,
        Part::Different | Part::Missing | Part::Extra => Some(false),
    }
}

fn locals(comparison: &Comparison) -> Option<bool> {
    let parts: Vec<Option<bool>> =
        comparison.locals.as_ref()?.iter().map(|(_, part)| right(*part)).collect();
    if parts.contains(&Some(false)) {
        return Some(false);
    }
    if parts.contains(&None) { None } else { Some(true) }
}
