//! What the reader of a native text already knows about each frame's variables, and so
//! what a state may leave out (paper, section 3, "state format").
//!
//! Forward, a line state is written against what was last *shown* of its frame, and in
//! full after a return, after a breakpoint and in a frame not seen before; a call is always
//! full. Inverse, it is written against the state of its frame visited last, *shown or
//! not*: the hidden locals at the return are the first baseline.
//!
//! Must not know: text, tokens.

use crate::codec::OTHERS;
use crate::trace::{Action, Direction, Event, Locals, Move, State, Value};
use std::sync::Arc;

/// Its value in [`State::locals`]: there are variables that were never shown.
pub const HIDDEN: &str = "?";

/// The variables as one state writes them: those that differ from the baseline, and
/// whether others were left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// Names and values in order.
    pub pairs: Vec<(Arc<str>, Value)>,
    /// Whether the pair `"..": ".."` is present.
    pub others: bool,
}

/// Locals of which nothing is known.
fn hidden() -> Locals {
    [(OTHERS, HIDDEN)].into_iter().collect()
}

/// Baselines along one segment.
#[derive(Debug, Clone)]
pub struct History {
    direction: Direction,
    /// By depth: what the next line state of that frame is written against.
    frames: Vec<Option<Locals>>,
    /// The next line state is written in full.
    reveal: bool,
    last: Option<(Event, u32)>,
}

impl History {
    /// Nothing visited yet.
    pub fn new(direction: Direction) -> Self {
        History { direction, frames: Vec::new(), reveal: false, last: None }
    }

    /// A move was made; the next state is where it led.
    pub fn moved(&mut self, ask: &Move) {
        self.reveal = self.direction == Direction::Forward
            && (ask.action == Action::Breakpoint
                || matches!(self.last, Some((Event::Return, _)) | None));
    }

    /// What a state of this event and depth is written against; `None` means in full.
    fn baseline(&self, event: Event, depth: u32) -> Option<&Locals> {
        match event {
            Event::Line | Event::LineAfterCall if !self.reveal => {
                self.frames.get(depth as usize)?.as_ref()
            }
            _ => None,
        }
    }

    /// Whether the next state may leave variables out.
    pub fn may_omit(&self, event: Event, depth: u32) -> bool {
        self.baseline(event, depth).is_some_and(|known| !known.is_empty())
    }

    /// The variables as the next state writes them.
    pub fn shown(&self, event: Event, depth: u32, locals: &Locals) -> Shown {
        let baseline = self.baseline(event, depth);
        let mut shown = Shown::default();
        for (name, value) in locals.iter() {
            if &**name == OTHERS || baseline.is_some_and(|known| known.get(name) == Some(value)) {
                shown.others = true;
            } else {
                shown.pairs.push((name.clone(), value.clone()));
            }
        }
        shown
    }

    /// The variables of the next state from what it writes. Without `..` it wrote all.
    /// Names deleted meanwhile cannot be told from unchanged ones and stay.
    pub fn filled(&self, event: Event, depth: u32, shown: &Shown) -> Locals {
        if !shown.others {
            return shown.pairs.iter().map(|(n, v)| (n.clone(), v.clone())).collect();
        }
        let mut locals = self.baseline(event, depth).cloned().unwrap_or_else(hidden);
        for (name, value) in &shown.pairs {
            locals.set(name.clone(), value.clone());
        }
        locals
    }

    /// A state was visited. It becomes the baseline of its frame; deeper frames are gone.
    pub fn visit(&mut self, state: &State) {
        let depth = state.depth as usize;
        self.frames.truncate(depth + 1);
        self.frames.resize(depth + 1, None);
        let ends = matches!(state.event, Event::Return | Event::Exception);
        let frame = &mut self.frames[depth];
        match (self.direction, &state.locals) {
            (Direction::Forward, _) if ends => {}
            (Direction::Inverse, None) if ends => {
                // A frame entered from its end, as after a deeper one's or an earlier call.
                let entered = match self.last {
                    Some((event, last)) => last < state.depth || event == Event::Call,
                    None => true,
                };
                if entered || frame.is_none() {
                    *frame = Some(hidden());
                }
            }
            (_, locals) => *frame = locals.clone(),
        }
        self.last = Some((state.event, state.depth));
        self.reveal = false;
    }
}
