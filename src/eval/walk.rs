//! Which questions are put about a recorded run: drawn by the seed, never by the oracle.
//!
//! Must not know: oracles, scores.

use crate::dataset::policy::Stops;
use crate::dataset::random::Random;
use crate::program::{Loc, Program};
use crate::trace::{
    Action, Direction, Event, Exit, Landing, Move, NodeId, Outcome, Place, Segment, State,
    StateTree,
};
use std::collections::HashMap;

/// What is asked, in the order of reports.
pub(super) const ASKED: [(Direction, Action); 8] = [
    (Direction::Forward, Action::StepInto),
    (Direction::Forward, Action::StepOver),
    (Direction::Forward, Action::StepReturn),
    (Direction::Forward, Action::Breakpoint),
    (Direction::Forward, Action::Continue),
    (Direction::Inverse, Action::StepInto),
    (Direction::Inverse, Action::StepOver),
    (Direction::Inverse, Action::StepCall),
];

/// A whole run by single steps in one direction: forwards from its first state, or
/// backwards from its last.
#[derive(Debug)]
pub(super) struct Walk {
    /// Every place, in the order of the steps.
    places: Vec<Place>,
    /// What is seen there.
    states: Vec<State>,
    /// The calling states of the first place.
    callers: Vec<State>,
    /// How it ends.
    exit: Exit,
    step: Move,
}

impl Walk {
    /// Walks a recorded run; `None` if nothing was recorded.
    pub(super) fn new(tree: &StateTree, direction: Direction) -> Option<Self> {
        let first = match direction {
            Direction::Forward => 0,
            Direction::Inverse => (tree.len() as NodeId).checked_sub(1)?,
        };
        if tree.is_empty() {
            return None;
        }
        let step = Move { action: Action::StepInto, direction, stops: Vec::new() };
        let mut places = vec![Place::At(first)];
        let exit = loop {
            match tree.go(places.last().copied(), &step)? {
                Landing::At(place) => places.push(place),
                Landing::Exit(exit) => break exit,
            }
        };
        let states = places.iter().map(|&place| tree.at(place)).collect();
        let callers = tree.callers(first).into_iter().map(|node| tree.state(node)).collect();
        Some(Walk { places, states, callers, exit, step })
    }

    /// The single step of this direction.
    pub(super) fn step(&self) -> &Move {
        &self.step
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The state in which the entry, a function's call, returns its value.
    pub(super) fn returned(&self) -> Option<State> {
        let first = self.states.first().filter(|state| state.event == Event::Call)?;
        let returns = |state: &&State| state.event == Event::Return && state.depth == first.depth;
        self.states.iter().rev().find(returns).filter(|state| state.arg.is_some()).cloned()
    }

    /// Where so many single steps lead; beyond the last state is the exit.
    pub(super) fn outcome(&self, steps: usize) -> Outcome {
        let state = self.states.get(steps);
        state.map_or(Outcome::Exit(self.exit), |state| Outcome::State(state.clone()))
    }

    /// Forwards: the line that runs next after so many steps, if one is about to.
    pub(super) fn about_to_run(&self, steps: usize) -> Option<Loc> {
        let forward = self.step.direction == Direction::Forward;
        let state = self.states.get(steps).filter(|state| forward && state.event == Event::Line)?;
        Some(state.loc)
    }

    /// The true history of so many steps.
    pub(super) fn segment(&self, steps: usize) -> Option<Segment> {
        let first = self.states.first()?.clone();
        let mut segment = Segment::new(self.step.direction, self.callers.clone(), first);
        let on_the_way = self.states.get(1..=steps)?;
        segment.steps = on_the_way.iter().map(|state| (self.step.clone(), state.clone())).collect();
        Some(segment)
    }
}

/// A move asked after a true history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// Index in [`ASKED`].
    pub(super) action: usize,
    /// Steps of the history.
    pub(super) history: usize,
    /// The move.
    pub(super) ask: Move,
    /// How many single steps it stands for, at least 1.
    pub(super) steps: usize,
}

/// Draws, for each action of this direction, so many different questions, ordered by
/// history, so that one prompt begins as the one before. Short runs have fewer.
pub(super) fn questions(
    walk: &Walk,
    (program, tree): (&Program, &StateTree),
    samples: usize,
    random: &mut Random,
) -> Vec<Question> {
    let order: HashMap<Place, usize> =
        walk.places.iter().enumerate().map(|(at, &place)| (place, at)).collect();
    let stops = Stops::new(tree, executable(program));
    let mut questions: Vec<Question> = Vec::new();
    for (index, &(direction, action)) in ASKED.iter().enumerate() {
        if direction != walk.step.direction {
            continue;
        }
        for _ in 0..samples {
            let history = random.below(walk.len());
            let Some(&place) = walk.places.get(history) else { continue };
            let ask = match action {
                Action::Breakpoint => stops.draw(place.node(), random),
                _ => Some(Move { action, direction, stops: Vec::new() }),
            };
            let Some(ask) = ask else { continue };
            let end = match tree.go(Some(place), &ask) {
                // Nothing is known about what lies beyond.
                None | Some(Landing::Exit(Exit::Cut)) => continue,
                Some(Landing::Exit(_)) => walk.len(),
                Some(Landing::At(place)) => match order.get(&place) {
                    Some(&end) => end,
                    None => continue,
                },
            };
            let Some(steps) = end.checked_sub(history).filter(|&steps| steps > 0) else { continue };
            let question = Question { action: index, history, ask, steps };
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
    }
    questions.sort_by_key(|question| (question.history, question.action));
    questions
}

fn executable(program: &Program) -> impl Iterator<Item = u32> {
    let outline = program.outline(0);
    let lines = program.files.first().map_or(0, |file| file.lines.len() as u32);
    (1..=lines).filter(move |&line| outline.is_some_and(|outline| outline.is_executable(line)))
}
