//! The call stack along a path of states, as far as the path tells it.
//!
//! Must not know: trees (a predicted path has none), screens.

use super::{Action, Direction, Event, Locals, Move, Segment, State};
use crate::program::Loc;
use std::sync::Arc;

/// A frame of the call stack. What a direct jump may have changed is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StackFrame {
    /// Name of the function; `None`: it is not known which frame this is.
    pub function: Option<Arc<str>>,
    /// The line it is at: for a caller, the line that called.
    pub loc: Option<Loc>,
    /// Its variables there.
    pub locals: Option<Locals>,
}

/// The frames of the present state and its callers. Follows a path state by state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallStack {
    /// By depth. A caller's latest state, or only its function if it may have moved.
    frames: Vec<Known>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    At(State),
    Somewhere(Arc<str>),
    Nothing,
}

impl CallStack {
    /// The stack of a first state. `callers`: the calling states as far as they are known,
    /// outermost first; the last one called the first state's frame.
    pub fn new(callers: &[State], first: &State) -> Self {
        let depth = first.depth as usize;
        let known = callers.iter().rev().take(depth).rev().cloned().map(Known::At);
        let mut frames = vec![Known::Nothing; depth - known.len()];
        frames.extend(known);
        frames.push(Known::At(first.clone()));
        CallStack { frames }
    }

    /// The stack at the end of a segment.
    pub fn of(segment: &Segment) -> Self {
        let mut stack = Self::new(&segment.callers, &segment.first);
        for (by, state) in &segment.steps {
            stack.follow(by, state);
        }
        stack
    }

    /// Goes on to the state that a move led to, in one prediction. A breakpoint reached by
    /// single steps is not one move but those steps.
    pub fn follow(&mut self, by: &Move, state: &State) {
        let depth = state.depth as usize;
        if by.action == Action::Breakpoint {
            // Everything but the entry frame may have returned and been called again.
            self.frames.truncate(1);
            self.forget_last_line();
        } else if by.direction == Direction::Inverse && depth >= self.frames.len() {
            // A line is met again after its calls before they are entered. What else made a
            // call (an exception whose unwinding ran a finalizer) is not.
            let last = self.frames.last();
            if !matches!(last, Some(Known::At(state)) if state.event == Event::LineAfterCall) {
                self.forget_last_line();
            }
        }
        // Every other move leaves the callers of where it lands as they were.
        self.frames.resize(depth, Known::Nothing);
        self.frames.push(Known::At(state.clone()));
    }

    fn forget_last_line(&mut self) {
        if let Some(Known::At(state)) = self.frames.last() {
            let function = state.function.clone();
            self.frames.pop();
            self.frames.push(Known::Somewhere(function));
        }
    }

    /// The frames, the entry frame first.
    pub fn frames(&self) -> Vec<StackFrame> {
        let frame = |known: &Known| match known {
            Known::At(state) => StackFrame {
                function: Some(state.function.clone()),
                loc: Some(state.loc),
                locals: state.locals.clone(),
            },
            Known::Somewhere(function) => {
                StackFrame { function: Some(function.clone()), ..StackFrame::default() }
            }
            Known::Nothing => StackFrame::default(),
        };
        self.frames.iter().map(frame).collect()
    }

    /// The latest state of each frame where it is known, the entry frame first.
    pub fn states(&self) -> Vec<Option<State>> {
        let state = |known: &Known| match known {
            Known::At(state) => Some(state.clone()),
            _ => None,
        };
        self.frames.iter().map(state).collect()
    }

    /// Whether every frame is known.
    pub fn is_whole(&self) -> bool {
        self.frames.iter().all(|known| matches!(known, Known::At(_)))
    }

    /// The calling states that are known without a gap from the present frame upwards,
    /// outermost first: what a new [`Segment`] gives as its callers.
    pub fn callers(&self) -> Vec<State> {
        let (_, callers) = self.frames.split_last().unwrap_or((&Known::Nothing, &[]));
        let known = callers.iter().rev().map_while(|known| match known {
            Known::At(state) => Some(state.clone()),
            _ => None,
        });
        let mut callers: Vec<_> = known.collect();
        callers.reverse();
        callers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::arbitrary::trees;
    use crate::trace::tests::{state, tree};
    use crate::trace::{Exit, Landing, NodeId, Place, StateTree, StopAt};
    use proptest::prelude::*;

    /// What is known of each frame, and what it is in the tree.
    fn check(stack: &CallStack, tree: &StateTree, place: Place) -> Result<(), TestCaseError> {
        let mut truth: Vec<_> = tree.callers(place.node());
        truth.push(place.node());
        prop_assert_eq!(stack.frames().len(), truth.len());
        for (frame, node) in stack.frames().iter().zip(truth) {
            let real = tree.state(node);
            if let Some(function) = &frame.function {
                prop_assert_eq!(function, &real.function);
            }
            if let Some(loc) = frame.loc {
                prop_assert_eq!(loc, real.loc);
                prop_assert_eq!(&frame.locals, &real.locals);
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_known_is_true(
            tree in trees(),
            start in any::<prop::sample::Index>(),
            inverse: bool,
            choices in prop::collection::vec(0usize..5, 0..40),
        ) {
            let mut place = Place::At(start.index(tree.len()) as NodeId);
            let callers: Vec<_> = tree.callers(place.node()).into_iter().map(|n| tree.state(n)).collect();
            let mut stack = CallStack::new(&callers, &tree.at(place));
            prop_assert!(stack.is_whole());
            prop_assert_eq!(stack.callers(), callers);
            let mut jumped = false;
            for choice in choices {
                let ask = if inverse {
                    let actions = [Action::StepInto, Action::StepInto, Action::StepOver, Action::StepCall];
                    Move::inverse(actions[choice % 4])
                } else {
                    let stop = StopAt { loc: Loc::main(3), call: false };
                    let actions = [Action::StepInto, Action::StepInto, Action::StepOver, Action::StepReturn];
                    actions.get(choice).map_or(Move::breakpoint(vec![stop]), |a| Move::forward(*a))
                };
                let Some(Landing::At(next)) = tree.go(Some(place), &ask) else { continue };
                stack.follow(&ask, &tree.at(next));
                check(&stack, &tree, next)?;
                jumped |= ask.action == Action::Breakpoint;
                prop_assert!(jumped || inverse || stack.is_whole());
                place = next;
            }
        }
    }

    #[test]
    fn a_direct_jump_leaves_the_stack_partly_unknown() {
        let tree = tree("C1 L2 .C5 .L6 ..C8 ..L9 ..R9 .R6 R2", Exit::Normal);
        let mut segment = Segment::new(Direction::Forward, Vec::new(), tree.state(0));
        let stop = StopAt { loc: Loc::main(9), call: false };
        segment.steps.push((Move::breakpoint(vec![stop]), state("..L9")));
        let stack = CallStack::of(&segment);
        let known: Vec<_> = stack
            .frames()
            .iter()
            .map(|frame| (frame.function.as_deref().map(str::to_owned), frame.loc.map(|l| l.line)))
            .collect();
        let expected = [(Some("f0".into()), None), (None, None), (Some("f2".into()), Some(9))];
        assert_eq!(known, expected);
        assert!(!stack.is_whole());
        assert_eq!(stack.callers(), []);
    }
}
