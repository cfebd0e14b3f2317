//! Random executions for property tests: what CPython could have recorded, as states.

use super::{Event, Exit, FrameId, Locals, State, StateTree, TreeBuilder, Value};
use crate::program::Loc;
use proptest::prelude::*;
use std::sync::Arc;

/// Trees of up to some hundred states: nested, repeated and recursive calls, exceptions that
/// are caught or not, generators resumed from anywhere, variables bound, rebound and
/// deleted; cut anywhere, or run to their end.
pub(crate) fn trees() -> impl Strategy<Value = StateTree> {
    let steps = prop::collection::vec((0u8..20, any::<u8>()), 0..300);
    (steps, any::<bool>()).prop_map(|(steps, cut)| {
        let mut run = Run::default();
        run.begin("<module>".into(), None, Locals::default());
        for (what, choice) in steps {
            run.step(what, choice);
        }
        if cut { run.tree.finish(Exit::Cut) } else { run.unwind() }
    })
}

#[derive(Default)]
struct Run {
    tree: TreeBuilder,
    stack: Vec<Frame>,
    /// Generators that wait to be resumed.
    suspended: Vec<Frame>,
    next: FrameId,
}

#[derive(Clone)]
struct Frame {
    id: FrameId,
    function: Arc<str>,
    locals: Locals,
    line: u32,
    /// An exception passes through: only a handler's line or the end can follow.
    raising: bool,
}

impl Run {
    fn begin(&mut self, function: Arc<str>, resumed: Option<Frame>, locals: Locals) {
        let suspension = resumed.is_some();
        let id = self.next;
        self.next += u32::from(!suspension);
        let new = Frame { id, function, locals, line: 1, raising: false };
        self.stack.push(resumed.unwrap_or(new));
        self.emit(Event::Call, suspension, None);
    }

    fn emit(&mut self, event: Event, suspension: bool, arg: Option<&str>) {
        let frame = self.stack.last().unwrap();
        let state = State {
            event,
            loc: Loc::main(frame.line),
            function: frame.function.clone(),
            depth: self.stack.len() as u32 - 1,
            locals: Some(frame.locals.clone()),
            arg: arg.map(Value::from),
            suspension,
        };
        self.tree.push(state, Some(frame.id)).unwrap();
    }

    fn step(&mut self, what: u8, choice: u8) {
        let depth = self.stack.len();
        let Some(top) = self.stack.last_mut() else { return };
        match what {
            0..9 => {
                top.raising = false;
                top.line = u32::from(choice % 7) + 1;
                let name = ["a", "b", "c", "d"][usize::from(choice % 4)];
                match choice / 4 % 4 {
                    0 => top.locals.remove(name),
                    1 => {}
                    n => top.locals.set(name.into(), Value::from(["0", "'x'"][usize::from(n) - 2])),
                }
                self.emit(Event::Line, false, None);
            }
            9..13 if depth < 6 => {
                let function: Arc<str> = ["f", "g"][usize::from(choice % 2)].into();
                let locals = [("n", "1"), ("m", "[2]")].into_iter().take(usize::from(choice % 3));
                self.begin(function, None, locals.collect());
            }
            13..15 if depth > 1 => self.leave(Event::Return, false, Some("None")),
            15 => {
                top.raising = true;
                self.emit(Event::Exception, false, Some("ValueError('x')"));
            }
            16 if depth > 1 && top.raising => {
                self.stack.pop();
                let caller = self.stack.last_mut().unwrap();
                caller.raising = true;
                self.emit(Event::Exception, false, Some("ValueError('x')"));
            }
            17 if depth > 1 => self.leave(Event::Return, true, Some("1")),
            18..20 if depth < 6 && !self.suspended.is_empty() => {
                let frame = self.suspended.swap_remove(usize::from(choice) % self.suspended.len());
                self.begin(frame.function.clone(), Some(frame), Locals::default());
            }
            _ => {}
        }
    }

    fn leave(&mut self, event: Event, suspension: bool, arg: Option<&str>) {
        self.emit(event, suspension, arg);
        let frame = self.stack.pop().unwrap();
        if suspension {
            self.suspended.push(frame);
        }
    }

    fn unwind(mut self) -> StateTree {
        let raising = self.stack.last().is_some_and(|frame| frame.raising);
        while let Some(frame) = self.stack.last_mut() {
            let already = std::mem::replace(&mut frame.raising, true);
            match (raising, already) {
                (false, _) => self.emit(Event::Return, false, Some("None")),
                (true, false) => self.emit(Event::Exception, false, Some("ValueError('x')")),
                (true, true) => {}
            }
            self.stack.pop();
        }
        self.tree.finish(if raising { Exit::Error } else { Exit::Normal })
    }
}
