//! What a prediction is made from: the segment of the path that one prompt holds, and
//! the call stack the path implies.
//!
//! Must not know: tokens, commands, breakpoints. Pure functions over the path's steps.

use super::command::History;
use super::entry::{Step, Stop};
use crate::oracle::Ending;
use crate::trace::{Action, CallStack, Direction, Event, Move, Outcome, Segment, State};

impl Step {
    /// The state that the next prediction starts from: the predicted one, or with guided
    /// history the recorded one where it is known.
    pub(super) fn believed(&self, history: History) -> Option<&State> {
        match (&self.actual, history) {
            (Some(Outcome::State(actual)), History::Guided) => Some(actual),
            (Some(Outcome::Exit(_)), History::Guided) => None,
            _ => self.stop.state(),
        }
    }

    /// The callers of the believed state, where they are known apart from the path.
    fn known_callers(&self, history: History) -> Option<&Vec<State>> {
        match (&self.actual, history) {
            (Some(Outcome::State(_)), History::Guided) => self.actual_callers.as_ref(),
            _ => self.callers.as_ref(),
        }
    }

    /// The end that is believed in, if the execution ends here and anything is known of it.
    pub(super) fn ending(&self, history: History) -> Option<&Ending> {
        match (&self.actual, history) {
            (Some(Outcome::Exit(_)), History::Guided) => self.actual_ending.as_ref(),
            (Some(Outcome::State(_)), History::Guided) => None,
            _ => self.ending.as_ref(),
        }
    }

    /// The state that is asked about from here: the believed one; at an end the last before
    /// it, where that is known.
    pub(super) fn departure(&self, history: History) -> Option<&State> {
        self.believed(history).or_else(|| self.ending(history)?.last.as_ref())
    }
}

/// The call stack after these steps: at an end that of the last state, where it is known.
/// `None` while there is no state.
pub(super) fn stack<'a>(
    steps: impl IntoIterator<Item = &'a Step>,
    history: History,
) -> Option<CallStack> {
    let mut stack: Option<CallStack> = None;
    for step in steps {
        let Some(state) = step.believed(history) else {
            // Text that is no state leaves the stack as it was.
            if !matches!(step.stop, Stop::Malformed { .. }) {
                let ending = step.ending(history);
                stack = ending.and_then(|e| Some(CallStack::new(&e.callers, e.last.as_ref()?)));
            }
            continue;
        };
        match (&mut stack, &step.ask, step.known_callers(history)) {
            (_, _, Some(callers)) => stack = Some(CallStack::new(callers, state)),
            (Some(stack), Some(ask), None) => stack.follow(ask, state),
            // An edit leaves the callers as they were.
            (Some(before), None, None) => *before = CallStack::new(&before.callers(), state),
            (None, _, None) => stack = Some(CallStack::new(&[], state)),
        }
    }
    stack
}

/// The segment that holds the path's end in one direction: back to where the direction
/// turned, or a state was given or edited; from an end, its last state alone. `None` if
/// there is no state to ask about.
pub(super) fn segment(steps: &[&Step], direction: Direction, history: History) -> Option<Segment> {
    steps.last()?.departure(history)?;
    let goes_on = |step: &&&Step| {
        let same = step.ask.as_ref().is_some_and(|ask| ask.direction == direction);
        same && step.believed(history).is_some()
    };
    let count = steps.iter().rev().take_while(goes_on).count();
    // The state before those is the segment's first; if there is none, the path began so.
    let start = steps.len().checked_sub(count + 1)?;
    let before = steps.get(..=start)?;
    let first = before.last()?.departure(history)?;
    let mut callers = stack(before.iter().copied(), history)?.callers();
    // Callers are lines; "after its call" is only how one met them on the way back.
    callers.iter_mut().for_each(|caller| *caller = seen(caller, Direction::Forward));
    let mut segment = Segment::new(direction, callers, seen(first, direction));
    segment.steps = steps
        .get(start + 1..)?
        .iter()
        .filter_map(|step| Some((step.ask.clone()?, step.believed(history)?.clone())))
        .collect();
    Some(segment)
}

/// A state as a segment of this direction writes it: "after its call" exists only
/// backwards.
fn seen(state: &State, direction: Direction) -> State {
    let mut state = state.clone();
    if direction == Direction::Forward && state.event == Event::LineAfterCall {
        state.event = Event::Line;
    }
    state
}

/// The move as it must be asked from a state: forwards from *after its call*, stepping
/// into the call once more would be a step back, so it is stepped over.
pub(super) fn asked_from(state: &State, ask: Move) -> Move {
    let after_call = state.event == Event::LineAfterCall;
    if after_call && ask.direction == Direction::Forward && ask.action == Action::StepInto {
        return Move { action: Action::StepOver, ..ask };
    }
    ask
}
