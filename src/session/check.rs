//! Guesses backwards, checked by running them forwards.
//!
//! An inverse step has no unique truth: many states may lead to the known one. A guess is
//! *consistent* if CPython, started from it, reaches the known state: a whole call from its
//! arguments, or one statement from its variables. Must not know: who runs it. Pure
//! functions; what cannot be started (methods, values that are no literals) stays
//! *unverifiable*.

use super::entry::{Entry, Mark};
use crate::program::Program;
use crate::trace::{
    Action, Direction, Event, Exit, Landing, Move, Place, Recording, State, Value, restart,
    same_value,
};
use std::sync::Arc;

/// A run that decides whether a guess is consistent.
#[derive(Debug, Clone)]
pub(super) struct Check {
    /// The guess.
    pub mark: Mark,
    /// The program, started from the guess.
    pub program: Arc<Program>,
    /// The state it must reach.
    known: State,
    /// How far the known state is: one statement, or anywhere in the call.
    one_statement: bool,
}

/// The run that would check a guess made from a known state; `None` if CPython cannot be
/// started there.
pub(super) fn plan(program: &Program, mark: Mark, guess: &Entry, known: &State) -> Option<Check> {
    let state = guess.stop.stop.state()?;
    let single = guess.via.is_empty();
    let inverse = guess.stop.ask.as_ref().is_some_and(|ask| ask.direction == Direction::Inverse);
    if !inverse || (known.depth, &known.function) != (state.depth, &state.function) {
        return None;
    }
    let (start, one_statement) = match state.event {
        Event::Call if !state.suspension => (restart::call(program, state)?, false),
        Event::Line if single => (restart::line(state)?, true),
        _ => return None,
    };
    let program = Arc::new(Program { entry: start, ..program.clone() });
    Some(Check { mark, program, known: known.clone(), one_statement })
}

impl Check {
    /// Whether the run reached the known state; `None` if it was cut before it could.
    pub fn decide(&self, run: &Recording) -> Option<bool> {
        let tree = &run.tree;
        if self.one_statement {
            let over = Move::forward(Action::StepOver);
            return match tree.go(Some(Place::At(0)), &over).filter(|_| !tree.is_empty())? {
                Landing::At(place) => Some(self.is_known(&tree.at(place))),
                Landing::Exit(Exit::Cut) => None,
                Landing::Exit(_) => Some(false),
            };
        }
        let reached = tree.states().any(|state| state.depth == 0 && self.is_known(&state));
        (reached || tree.exit() != Exit::Cut).then_some(reached)
    }

    /// Whether a state is the known one, as far as that is known. Its depth is not
    /// compared: the run starts at the guess, whose frame has depth 0 there.
    fn is_known(&self, state: &State) -> bool {
        let known = &self.known;
        let arg = match (&known.arg, &state.arg) {
            (Some(mine), Some(real)) => same_value(mine, real),
            (None, _) => true,
            _ => false,
        };
        let locals = match (&known.locals, &state.locals) {
            (Some(mine), Some(real)) => {
                let same = |(name, value): (&Arc<str>, &Value)| {
                    real.get(name).is_some_and(|real| same_value(value, real))
                };
                mine.len() == real.len() && mine.iter().all(same)
            }
            _ => true,
        };
        (known.event, known.loc) == (state.event, state.loc) && arg && locals
    }
}
