//! What control flow leaves possible after a move: from a segment to `program::flow`.
//!
//! Every dialect's mask may use it. Sound: what CPython can do is always in it. Must not
//! know: how states are spelled, which lines a model reads.

use crate::program::flow::{Flow, Frame, Step, Stop};
use crate::program::{Loc, Program};
use crate::trace::{Action, CallStack, Direction, Event, Move, Segment, State};

/// Events and places that a move can lead to, likeliest first, each once; exits not
/// counted. `None`: flow does not say (a jump, a caller that is not known).
pub fn possible(program: &Program, segment: &Segment, ask: &Move) -> Option<Vec<(Event, Loc)>> {
    let present = segment.present();
    let frame = frame(program, present);
    let flow = Flow::of(program);
    let mut found = match (ask.direction, ask.action) {
        (Direction::Forward, Action::StepInto | Action::StepOver) => {
            let stop = stop(present);
            let caller = match present.depth.checked_sub(1) {
                None => None,
                Some(above) => {
                    let states = CallStack::of(segment).states();
                    let caller = states.get(above as usize).and_then(Option::as_ref);
                    let left = matches!(stop, Stop::Return | Stop::Yield | Stop::Exception);
                    if caller.is_none() && left {
                        return None;
                    }
                    caller.map(|state| self::frame(program, state))
                }
            };
            let steps = flow.next(stop, frame, caller);
            let over = ask.action == Action::StepOver;
            steps.iter().filter(|step| !over || step.level <= 0).map(event).collect::<Vec<_>>()
        }
        _ => return None,
    };
    let mut seen = std::collections::HashSet::new();
    found.retain(|place| seen.insert(*place));
    Some(found)
}

/// Lines of the same frame from which, going backwards, a line state can have come; likeliest
/// (nearest) first. `None`: not known.
pub fn before(program: &Program, state: &State) -> Option<Vec<Loc>> {
    let Frame { loc, scope } = frame(program, state);
    let scope = scope?;
    let flow = Flow::of(program);
    let graph = flow.graph(loc.file)?;
    let lines = match state.event {
        Event::Line => graph.before(scope, loc.line),
        // A frame returns from the line it was last reported at.
        Event::Return => vec![loc.line],
        _ => return None,
    };
    Some(lines.into_iter().map(|line| Loc { file: loc.file, line }).collect())
}

fn frame(program: &Program, state: &State) -> Frame {
    Frame::of(program, &state.function, state.loc)
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

fn event(step: &Step) -> (Event, Loc) {
    let event = match step.stop {
        Stop::Call | Stop::Resume => Event::Call,
        Stop::Line => Event::Line,
        Stop::Return | Stop::Yield => Event::Return,
        Stop::Exception => Event::Exception,
    };
    (event, step.loc)
}
