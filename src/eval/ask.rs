//! Putting one question to an oracle: directly, or by single steps on its own states.
//!
//! Must not know: the truth, scores.

use super::states::EvalError;
use crate::oracle::{Answer, Control, Oracle, OracleError, Query};
use crate::program::Program;
use crate::trace::{Move, Segment};
use std::sync::Arc;

/// What came of a question.
#[derive(Debug)]
pub(super) enum Reply {
    /// An answer.
    Answer(Answer),
    /// Single steps came to an end (an exit, or no state) before the number asked for.
    Early {
        /// The last answer was no state.
        malformed: bool,
    },
    /// The program or the history is beyond what the oracle takes.
    Refused,
}

impl Reply {
    /// The answer, if there is one.
    pub(super) fn answer(&self) -> Option<&Answer> {
        match self {
            Reply::Answer(answer) => Some(answer),
            Reply::Early { .. } | Reply::Refused => None,
        }
    }
}

/// Asks once.
pub(super) fn direct(
    oracle: &mut dyn Oracle,
    program: &Arc<Program>,
    segment: &Segment,
    ask: &Move,
) -> Result<Reply, EvalError> {
    let query = Query { program: program.clone(), segment: segment.clone(), ask: ask.clone() };
    match oracle.answer(&query, &Control::silent()) {
        Ok(answer) => Ok(Reply::Answer(answer)),
        Err(OracleError::Limit(_)) => Ok(Reply::Refused),
        Err(error) => Err(error.into()),
    }
}

/// Takes so many single steps, each from the oracle's own state, and gives the last answer.
pub(super) fn chained(
    oracle: &mut dyn Oracle,
    program: &Arc<Program>,
    mut segment: Segment,
    step: &Move,
    steps: usize,
) -> Result<Reply, EvalError> {
    for _ in 1..steps {
        match direct(oracle, program, &segment, step)? {
            Reply::Answer(Answer::State(prediction)) => {
                segment.steps.push((step.clone(), prediction.state));
            }
            Reply::Answer(answer) => {
                let malformed = matches!(answer, Answer::Malformed { .. });
                return Ok(Reply::Early { malformed });
            }
            other => return Ok(other),
        }
    }
    direct(oracle, program, &segment, step)
}
