//! What control flow leaves possible after a move: from a segment to `program::flow`.
//!
//! Every dialect's mask may use it. Sound: what CPython can do is always in it. Must not
//! know: how states are spelled, which lines a model reads.

use super::place;
use crate::program::flow::{Flow, Frame, Step, Stop};
use crate::program::{Loc, Program};
use crate::trace::{Action, Direction, Event, Move, Segment, State};
use std::collections::HashSet;

/// A possible answer, without its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Possible {
    /// Its event.
    pub event: Event,
    /// Frames below it.
    pub depth: u32,
    /// Its line. A call is at its `def` line.
    pub loc: Loc,
}

/// What a move can lead to, likeliest first, each once; exits not counted. `None`: flow does
/// not say (a jump, a caller that is not known).
pub fn possible(program: &Program, segment: &Segment, ask: &Move) -> Option<Vec<Possible>> {
    let over = match (ask.direction, ask.action) {
        (Direction::Forward, Action::StepInto) => false,
        (Direction::Forward, Action::StepOver) => true,
        _ => return None,
    };
    let present = segment.present();
    let ended = matches!(present.event, Event::Return | Event::Exception);
    let here = Frame::of(program, &present.function, present.loc);
    let caller = match present.depth.checked_sub(1) {
        None => None,
        Some(above) => {
            let caller = place::stack(program, segment).into_iter().find(|f| f.depth == above);
            let caller = caller.and_then(|f| Some(Frame { loc: f.loc?, scope: f.scope }));
            if caller.is_none() && ended {
                return None;
            }
            caller
        }
    };
    let flow = Flow::of(program);
    let mut steps = flow.next(stop(present), here, caller);
    if over && !ended {
        steps.retain(|step| step.level < 1);
    }
    if ended && caller.is_none() {
        // The expression of the entry, which is no frame, may call again.
        let again = flow.next(Stop::Line, here, None).into_iter().filter(|step| step.level == 1);
        steps.extend(again.map(|step| Step { level: 0, ..step }));
    }
    let mut seen = HashSet::new();
    let possible = steps.iter().filter_map(|step| {
        let depth = i64::from(present.depth) + i64::from(step.level);
        Some(Possible { event: event(step), depth: u32::try_from(depth).ok()?, loc: step.loc })
    });
    Some(possible.filter(|possible| seen.insert(*possible)).collect())
}

/// Lines of the same frame from which, going backwards, a state can have come; likeliest
/// (nearest) first. `None`: not known.
pub fn before(program: &Program, state: &State) -> Option<Vec<Loc>> {
    let Frame { loc, scope } = Frame::of(program, &state.function, state.loc);
    let scope = scope?;
    let flow = Flow::of(program);
    let graph = flow.graph(loc.file)?;
    let lines = match state.event {
        Event::Line => graph.before(scope, loc.line),
        // A frame returns from the line it was last reported at; before its calls a line is
        // where it is after them.
        Event::Return | Event::LineAfterCall => vec![loc.line],
        Event::Call | Event::Exception => return None,
    };
    Some(lines.into_iter().map(|line| Loc { file: loc.file, line }).collect())
}

fn stop(state: &State) -> Stop {
    match (state.event, state.suspension) {
        (Event::Call, false) => Stop::Call,
        (Event::Call, true) => Stop::Resume,
        (Event::Line | Event::LineAfterCall, _) => Stop::Line,
        (Event::Return, false) => Stop::Return,
        (Event::Return, true) => Stop::Yield,
        (Event::Exception, _) => Stop::Exception,
    }
}

fn event(step: &Step) -> Event {
    match step.stop {
        Stop::Call | Stop::Resume => Event::Call,
        Stop::Line => Event::Line,
        Stop::Return | Stop::Yield => Event::Return,
        Stop::Exception => Event::Exception,
    }
}
