//! Where a person's step begins: statements over events.
//!
//! Must not know: who predicts.

use crate::program::Program;
use crate::trace::{Event, State};

/// Whether `now` begins another statement execution than the states before it, in order
/// `start` then `before`. Everything that is no line state does.
pub(super) fn starts(start: &State, before: &[State], now: &State, program: &Program) -> bool {
    if now.event != Event::Line {
        return true;
    }
    // The latest state of this frame; anything shallower means that the frame is new.
    let same = before
        .iter()
        .rev()
        .chain(std::iter::once(start))
        .take_while(|state| state.depth >= now.depth)
        .find(|state| state.depth == now.depth && state.event != Event::Return);
    let Some(last) = same.filter(|state| state.event == Event::Line) else { return true };
    let outline = program.outline(now.loc.file);
    let statement = |line| outline.and_then(|o| o.statement_at(line)).map(|(id, s)| (id, s.lines));
    match (statement(last.loc.line), statement(now.loc.line)) {
        (Some((a, lines)), Some((b, _))) => a != b || lines.first == lines.last,
        _ => true,
    }
}
