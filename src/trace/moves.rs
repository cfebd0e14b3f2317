//! The one definition of every move over a [`StateTree`] (paper sections 2.3 and 2.4).
//!
//! Must not know: who asks, breakpoints as people set them, chaining.
//!
//! Where the paper is silent: `step_return` on the last state of a level goes on to the
//! caller, past further calls of the same line, as pdb's `return` does; `inv_step_call` on
//! its first goes back to the line that called. A yield ends a level as a return does. A
//! level of which the recording does not hold the end has no last state: `step_return`
//! there is the exit.

use super::{Action, Direction, Event, Exit, Move, NodeId, Outcome, Place, StateTree, StopAt};

/// Where a move leads in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Landing {
    /// A place in it.
    At(Place),
    /// Out of it.
    Exit(Exit),
}

impl StateTree {
    /// Where a move leads; `None` if the language has no such move ([`Move::exists`]).
    ///
    /// `from` is `None` before the first state (forward) or after the last (inverse), in
    /// the entry frame: the first and last states are then ahead, and nothing is on a
    /// deeper level than where one stands.
    pub fn go(&self, from: Option<Place>, ask: &Move) -> Option<Landing> {
        if !ask.exists() {
            return None;
        }
        let known = from.is_none_or(|place| (place.node() as usize) < self.len());
        Some(match ask.direction {
            Direction::Forward => {
                let next = if known { self.forward(from, ask) } else { None };
                next.map_or(Landing::Exit(self.exit()), |node| Landing::At(Place::At(node)))
            }
            Direction::Inverse => {
                let next = if known { self.inverse(from, ask.action) } else { None };
                next.map_or(Landing::Exit(Exit::Entry), Landing::At)
            }
        })
    }

    /// The state an execution ends with: the last of an entry frame, or, where the recording
    /// was cut, the last of all. `None` where nothing was recorded.
    pub fn last_state(&self) -> Option<NodeId> {
        let last = (self.len() as NodeId).checked_sub(1)?;
        match self.exit() {
            Exit::Cut => Some(last),
            _ => Some(self.last_at_or_above(last, 0)),
        }
    }

    /// What a landing shows.
    pub fn outcome(&self, landing: Landing) -> Outcome {
        match landing {
            Landing::At(place) => Outcome::State(self.at(place)),
            Landing::Exit(exit) => Outcome::Exit(exit),
        }
    }

    fn forward(&self, from: Option<Place>, ask: &Move) -> Option<NodeId> {
        let next = match from {
            None => (!self.is_empty()).then_some(0),
            Some(Place::At(node)) => Some(node + 1).filter(|&node| (node as usize) < self.len()),
            Some(Place::AfterCall(node)) => self.after(node),
        };
        match ask.action {
            Action::StepInto => next,
            Action::StepOver => from.map_or(next, |place| self.after(place.node())),
            Action::StepReturn => {
                let here = from.map_or(0, Place::node);
                next?;
                match self.last_of_level(here) {
                    Some(last) if from.is_some() && last == here => {
                        self.after(self.parent(here).unwrap_or(here))
                    }
                    last => last,
                }
            }
            Action::Breakpoint => {
                (next?..self.len() as NodeId).find(|&node| self.stops_at(node, &ask.stops))
            }
            Action::Continue | Action::StepCall => None,
        }
    }

    /// Whether a breakpoint among these stops at a state: at a line, or, if set on a
    /// function, at its call. A resume is no call.
    pub fn stops_at(&self, node: NodeId, stops: &[StopAt]) -> bool {
        let call = match self.event(node) {
            Event::Line => false,
            Event::Call if !self.suspension(node) => true,
            _ => return false,
        };
        stops.contains(&StopAt { loc: self.loc(node), call })
    }

    fn inverse(&self, from: Option<Place>, action: Action) -> Option<Place> {
        // The state behind, on this level or above, and the first state after its calls.
        let behind = match from {
            Some(Place::At(node)) => self.before(node).map(|before| (before, node)),
            Some(Place::AfterCall(_)) => None,
            None => {
                let len = self.len() as NodeId;
                len.checked_sub(1).map(|last| (self.last_at_or_above(last, 0), len))
            }
        };
        match (action, from) {
            (Action::StepInto, Some(Place::AfterCall(node))) => self.last_below(node),
            (Action::StepInto, _) => behind.and_then(|(node, after)| self.enter(node, after)),
            (Action::StepOver, Some(Place::AfterCall(node))) => Some(Place::At(node)),
            (Action::StepOver, _) => behind.map(|(node, after)| self.seen_from(node, after)),
            (Action::StepCall, _) => {
                let here = from.map(Place::node).or(behind.map(|(node, _)| node))?;
                let first = self.first_of_level(here);
                if from == Some(Place::At(first)) {
                    let caller = self.parent(first).map(Place::At);
                    return caller.or_else(|| self.inverse(from, Action::StepOver));
                }
                (self.event(first) == Event::Call).then_some(Place::At(first))
            }
            (Action::StepReturn | Action::Breakpoint | Action::Continue, _) => None,
        }
    }

    /// The state before this one on its level; what it called lies between.
    pub fn before_on_level(&self, node: NodeId) -> Option<NodeId> {
        (node != self.first_of_level(node)).then(|| self.before(node)).flatten()
    }

    /// The latest earlier state that is not below this one.
    fn before(&self, node: NodeId) -> Option<NodeId> {
        Some(self.last_at_or_above(node.checked_sub(1)?, self.depth(node)))
    }

    /// The state itself, or the one above it that is at most at this depth.
    fn last_at_or_above(&self, mut node: NodeId, depth: u32) -> NodeId {
        while self.depth(node) > depth {
            let Some(parent) = self.parent(node) else { break };
            node = parent;
        }
        node
    }

    /// A state of the same level or above, seen from the first state after its calls.
    fn seen_from(&self, node: NodeId, after: NodeId) -> Place {
        if node + 1 != after && self.event(node) == Event::Line {
            Place::AfterCall(node)
        } else {
            Place::At(node)
        }
    }

    /// As [`Self::seen_from`], but only lines are met a second time: into the calls that
    /// hang under anything else one goes at once.
    fn enter(&self, node: NodeId, after: NodeId) -> Option<Place> {
        if node + 1 != after && self.event(node) != Event::Line {
            return self.last_below(node);
        }
        Some(self.seen_from(node, after))
    }

    /// The last place below a state, which made calls.
    fn last_below(&self, node: NodeId) -> Option<Place> {
        let after = self.after(node).unwrap_or(self.len() as NodeId);
        let last = self.last_at_or_above(after.checked_sub(1)?, self.depth(node) + 1);
        self.enter(last, after)
    }
}
