//! Where a person's step begins: statements over the events of a movement.
//!
//! Must not know: who predicts. What a statement execution is, `trace` says.

use super::goal::Goal;
use crate::program::Program;
use crate::trace::{State, goes_on};

/// Whether `now` begins another statement execution than the states of a movement before
/// it. Everything that is no line state does.
pub(super) fn starts(goal: &Goal, before: &[State], now: &State, program: &Program) -> bool {
    // The frame's latest state; calls below it lie between.
    let latest = before
        .iter()
        .rev()
        .chain(std::iter::once(&goal.start))
        .chain(goal.callers.iter().rev())
        .find(|state| state.depth <= now.depth)
        .filter(|state| state.depth == now.depth && state.function == now.function);
    latest.is_none_or(|latest| !goes_on(program, latest, now))
}
