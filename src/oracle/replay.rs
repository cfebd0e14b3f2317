//! The oracle that knows: a recorded execution, walked either way.
//!
//! Must not know: who recorded, moves (the tree has them), verdicts.

mod growth;

use super::{
    Answer, Capabilities, Control, Ending, Oracle, OracleError, Prediction, Progress, Query,
};
use crate::program::Program;
use crate::trace::{
    Action, Direction, Event, Exit, Landing, Move, NodeId, Place, Recording, Segment, State,
    StateTree, same_state,
};
use growth::Growth;
use std::sync::Arc;

/// Answers from a recording; every answer is a fact. What the recording does not hold (a
/// state that was edited or guessed) is [`OracleError::Unsupported`].
#[derive(Debug)]
pub struct ReplayOracle {
    /// All that happened, or what is recorded so far.
    recording: Arc<Recording>,
    /// Where later ones come from, and the number of this one, while the run goes on.
    growth: Option<(Growth, u64)>,
    /// Whether whoever asks was told which recording this is.
    shown: bool,
    /// Where the segment asked about last went, so that the next question about it need not
    /// search: equal states recur, and a loop may hold the present one thousands of times.
    trail: Vec<Stop>,
    /// Which way it went.
    direction: Direction,
}

/// A place of the trail and the move that led there (none for a segment's first).
#[derive(Debug, Clone)]
struct Stop {
    by: Option<Move>,
    place: Place,
}

impl ReplayOracle {
    /// Replays a recording.
    pub fn new(recording: Arc<Recording>) -> Self {
        ReplayOracle {
            recording,
            growth: None,
            shown: false,
            trail: Vec::new(),
            direction: Direction::Forward,
        }
    }

    /// Replays a recording while it is made, by `record` on a thread of its own: answers are
    /// given as soon as they are sure, and a question beyond what is recorded so far waits.
    ///
    /// # Errors
    /// Those of `record`, if it has no state to show before.
    pub fn growing(
        record: impl FnOnce(&Control) -> Result<Recording, OracleError> + Send + 'static,
        control: &Control,
    ) -> Result<Self, OracleError> {
        let growth = Growth::start(record)?;
        let nothing = || OracleError::Failed("internal error: a recorder without an end".into());
        let (number, recording, goes_on) = growth.later(None, control)?.ok_or_else(nothing)?;
        let growth = goes_on.then_some((growth, number));
        let mut oracle = ReplayOracle { growth, ..ReplayOracle::new(recording) };
        oracle.show(control);
        Ok(oracle)
    }

    /// What `find` finds; while it finds nothing, later recordings are waited for.
    fn once_recorded<T>(
        &mut self,
        control: &Control,
        mut find: impl FnMut(&mut Self) -> Option<T>,
    ) -> Result<Option<T>, OracleError> {
        loop {
            let found = find(self);
            let Some((growth, number)) = self.growth.as_mut().filter(|_| found.is_none()) else {
                return Ok(found);
            };
            let later = growth.later(Some(*number), control)?;
            if let Some((later, recording, _)) = &later {
                (*number, self.recording, self.shown) = (*later, recording.clone(), false);
            }
            if !later.is_some_and(|(.., goes_on)| goes_on) {
                self.growth = None;
            }
        }
    }

    fn tree(&self) -> &StateTree {
        &self.recording.tree
    }

    fn callers(&self, node: NodeId) -> Vec<State> {
        let callers = self.tree().callers(node);
        callers.into_iter().map(|node| self.tree().state(node)).collect()
    }

    /// Tells whoever asks which recording the answers come from.
    fn show(&mut self, control: &Control) {
        if !std::mem::replace(&mut self.shown, true) {
            control.report(Progress::Replays(self.recording.clone()));
        }
    }

    /// Brings the trail to the segment's present, and says where that is.
    fn locate(&mut self, segment: &Segment) -> Result<Place, OracleError> {
        if self.is_on_trail(segment) {
            self.trail.truncate(segment.steps.len() + 1);
        } else {
            self.trail = self.search(segment).ok_or_else(|| unknown(segment.present()))?;
            self.direction = segment.direction;
        }
        self.trail.last().map(|stop| stop.place).ok_or_else(|| unknown(segment.present()))
    }

    /// Whether the trail leads to the segment's present by the segment's moves. The states
    /// between were compared when each was the present.
    fn is_on_trail(&self, segment: &Segment) -> bool {
        let (first, present) = match (self.trail.first(), self.trail.get(segment.steps.len())) {
            (Some(first), Some(present)) if self.direction == segment.direction => (first, present),
            _ => return false,
        };
        let moves = segment.steps.iter().map(|(ask, _)| Some(ask));
        let same_moves = self.trail.iter().skip(1).zip(moves).all(|(s, by)| s.by.as_ref() == by);
        same_moves
            && self.is_first(first.place, segment)
            && same_state(&self.tree().at(present.place), segment.present())
    }

    /// The first way through the tree that shows the segment's states. A segment that turns
    /// round starts where the last one was: the trail's places are tried before others,
    /// latest first. (Of states that are equal with all their callers, a question cannot
    /// say which one is meant; the answer is then true of one of them.)
    fn search(&self, segment: &Segment) -> Option<Vec<Stop>> {
        let near = self.trail.iter().rev().map(|stop| stop.place);
        let all = (0..self.tree().len() as NodeId).map(|node| match segment.first.event {
            Event::LineAfterCall => Place::AfterCall(node),
            _ => Place::At(node),
        });
        near.chain(all)
            .filter(|place| self.is_first(*place, segment))
            .find_map(|place| self.follow(place, segment))
    }

    fn is_first(&self, place: Place, segment: &Segment) -> bool {
        let (tree, first) = (self.tree(), &segment.first);
        let kind = match (place, tree.event(place.node())) {
            (Place::AfterCall(node), Event::Line) if tree.made_calls(node) => Event::LineAfterCall,
            (Place::AfterCall(_), _) => return false,
            (Place::At(_), event) => event,
        };
        if kind != first.event || tree.loc(place.node()) != first.loc {
            return false;
        }
        same_state(&tree.at(place), first) && self.are_callers(place.node(), &segment.callers)
    }

    /// Whether the callers given, outermost first, are the innermost ones of a state.
    fn are_callers(&self, node: NodeId, callers: &[State]) -> bool {
        let mut above = self.tree().parent(node);
        callers.iter().rev().all(|caller| {
            let Some(node) = above else { return false };
            above = self.tree().parent(node);
            same_state(&self.tree().state(node), caller)
        })
    }

    fn follow(&self, first: Place, segment: &Segment) -> Option<Vec<Stop>> {
        let mut trail = vec![Stop { by: None, place: first }];
        let mut here = first;
        for (ask, state) in &segment.steps {
            let Some(Landing::At(next)) = self.tree().go(Some(here), ask) else { return None };
            if !same_state(&self.tree().at(next), state) {
                return None;
            }
            trail.push(Stop { by: Some(ask.clone()), place: next });
            here = next;
        }
        Some(trail)
    }
}

fn unknown(state: &State) -> OracleError {
    OracleError::Unsupported(format!(
        "the recording has no such state at line {} of {}; record the program again, or ask a model",
        state.loc.line, state.function
    ))
}

fn fact(tree: &StateTree, place: Place, callers: Option<Vec<State>>) -> Answer {
    let node = Some(place.node());
    Answer::State(Box::new(Prediction { node, ..Prediction::exact(tree.at(place), callers) }))
}

impl Oracle for ReplayOracle {
    fn label(&self) -> String {
        format!("CPython {}", self.recording.python)
    }

    fn capabilities(&self) -> Capabilities {
        use Action::{Breakpoint, Continue, StepCall, StepInto, StepOver, StepReturn};
        let forward = [StepInto, StepOver, StepReturn, Breakpoint, Continue];
        let inverse = [StepInto, StepOver, StepCall];
        let direct = forward.map(|action| (Direction::Forward, action)).into_iter();
        Capabilities {
            directions: vec![Direction::Forward, Direction::Inverse],
            direct_actions: direct.chain(inverse.map(|a| (Direction::Inverse, a))).collect(),
            completes: true,
            exact: true,
            dialect: None,
            limits: match self.tree().exit() {
                Exit::Cut if self.growth.is_none() => {
                    format!("the first {} states", self.tree().len())
                }
                _ => String::new(),
            },
            device: None,
            note: Some(self.recording.note.clone()).filter(|note| !note.is_empty()),
        }
    }

    fn accepts(&self, program: &Program) -> Result<(), OracleError> {
        let recorded = &self.recording.files;
        for (file, (name, sha256)) in program.files.iter().zip(recorded) {
            if file.sha256 != *sha256 {
                return Err(OracleError::Limit(format!(
                    "{} is not as it was recorded (as {name}); record the program again, or choose a model with --model",
                    file.name
                )));
            }
        }
        if program.files.len() > recorded.len() {
            return Err(OracleError::Limit(
                "the recording has fewer files than the program; record it again".into(),
            ));
        }
        Ok(())
    }

    fn answer(&mut self, query: &Query, control: &Control) -> Result<Answer, OracleError> {
        if control.cancelled() {
            return Err(OracleError::Cancelled);
        }
        let here = self.once_recorded(control, |this| this.locate(&query.segment).ok())?;
        let here = here.ok_or_else(|| unknown(query.segment.present()))?;
        let landing = self.once_recorded(control, |this| {
            let landing = this.tree().go(Some(here), &query.ask);
            // Forwards, what is recorded so far ends where nothing need end.
            let forward = query.ask.direction == Direction::Forward;
            let open = forward && matches!(landing, Some(Landing::Exit(_)));
            (!open || this.growth.is_none()).then_some(landing)
        })?;
        let landing = landing.flatten().ok_or_else(|| {
            OracleError::Unsupported(format!("there is no move {}", query.ask.name()))
        })?;
        self.show(control);
        if let Landing::At(place) = landing {
            self.trail.push(Stop { by: Some(query.ask.clone()), place });
        }
        Ok(match landing {
            Landing::At(place) => {
                // A single step leaves them open only where it enters a call from its end; and
                // there may be very many of both.
                let deeper = self.tree().depth(place.node()) > query.segment.present().depth;
                let enters = query.ask.direction == Direction::Inverse && deeper;
                let open = enters || query.ask.action != Action::StepInto;
                let callers = open.then(|| self.callers(place.node()));
                fact(self.tree(), place, callers)
            }
            Landing::Exit(exit) => {
                let ending = match query.ask.direction {
                    Direction::Forward => Ending::of(&self.recording),
                    Direction::Inverse => Ending::default(),
                };
                let ending = Box::new(ending);
                Answer::Exit { exit, confidence: None, ending, raw: String::new() }
            }
        })
    }

    fn complete(
        &mut self,
        _program: &Program,
        partial: &State,
        _direction: Direction,
        control: &Control,
    ) -> Result<Answer, OracleError> {
        let fits = |tree: &StateTree, node: &NodeId| {
            if tree.event(*node) != partial.event || tree.function(*node) != &partial.function {
                return false;
            }
            // What is unknown fits whatever was recorded.
            let mut state = tree.state(*node);
            if partial.arg.is_none() {
                state.arg = None;
            }
            if partial.loc.line == 0 {
                state.loc = partial.loc;
            }
            same_state(&state, partial)
        };
        let node = self.once_recorded(control, |this| {
            (0..this.tree().len() as NodeId).find(|node| fits(this.tree(), node))
        })?;
        let node = node.ok_or_else(|| unknown(partial))?;
        self.show(control);
        Ok(fact(self.tree(), Place::At(node), Some(self.callers(node))))
    }
}

#[cfg(test)]
mod tests;
