//! Where a person's step begins: statements over the events of a movement.
//!
//! Must not know: who predicts. What a statement execution is, `trace` says.

use crate::program::Program;
use crate::trace::{State, goes_on};

/// Whether `now` begins another statement execution than the states before it, in order
/// `start` then `before`. Everything that is no line state does.
pub(super) fn starts(start: &State, before: &[State], now: &State, program: &Program) -> bool {
    // The frame's latest state; calls below it lie between.
    let latest = before
        .iter()
        .rev()
        .chain(std::iter::once(start))
        .find(|state| state.depth <= now.depth)
        .filter(|state| state.depth == now.depth && state.function == now.function);
    latest.is_none_or(|latest| !goes_on(program, latest, now))
}
