//! Building a tree: states in event order, their depths decide who called whom.
//!
//! Must not know: who records. Refuses what no execution can be; the builder is then as it
//! was.

use super::vars::{Latest, Vars};
use super::{FrameId, Level, Node, NodeId, StateTree};
use crate::trace::{Event, Exit, State};
use std::collections::HashMap;

/// Why states do not form a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// A call deeper than one below the innermost open frame.
    #[error("a call at depth {depth}, but only {open} frames are open")]
    DepthJump {
        /// Depth of the call.
        depth: u32,
        /// Number of open frames.
        open: usize,
    },
    /// A line, return or exception in a frame that was not called or has returned.
    #[error("a {event} state at depth {depth}, where no frame is open")]
    NoFrame {
        /// The state's event.
        event: &'static str,
        /// The state's depth.
        depth: u32,
    },
    /// A state names another frame or function than the call that opened its level.
    #[error("a state of {found} at depth {depth}, where {expected} is running")]
    OtherFrame {
        /// Depth of the state.
        depth: u32,
        /// Function (and frame) of the open level.
        expected: String,
        /// Function (and frame) of the state.
        found: String,
    },
    /// `line_after_call` is a view of a line state, not a thing that happens.
    #[error("a line_after_call state cannot be recorded")]
    AfterCall,
    /// More states than a [`NodeId`] can count.
    #[error("more than {} states", u32::MAX)]
    TooMany,
}

/// Builds a [`StateTree`] from states in event order. [`State::depth`] decides the
/// structure: a call at depth *d* opens a level under the last state at depth *d - 1*; any
/// other state at depth *d* belongs to the open level there and ends those deeper.
#[derive(Debug, Clone, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    levels: Vec<Level>,
    /// The levels still open, by depth.
    open: Vec<Open>,
    /// Generators that wait to be resumed.
    suspended: HashMap<FrameId, Latest>,
    next_frame: FrameId,
}

#[derive(Debug, Clone)]
struct Open {
    /// Index of the level.
    level: u32,
    latest: Option<Latest>,
}

impl TreeBuilder {
    /// Nothing recorded yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of states so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no state was pushed.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Depth of a state pushed before; `None` if there is no such state.
    pub fn depth(&self, node: NodeId) -> Option<u32> {
        Some(self.level(node)?.depth)
    }

    /// The caller's state under which a state pushed before hangs; `None` if it hangs under
    /// none or does not exist.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.level(node)?.parent
    }

    fn level(&self, node: NodeId) -> Option<&Level> {
        self.levels.get(self.nodes.get(node as usize)?.level as usize)
    }

    /// Adds the next state. `frame` identifies the function activation; with `None` a call
    /// is a new frame and a resume continues the latest suspended frame of that name.
    ///
    /// # Errors
    /// A [`TreeError`] if no call led to this state. The builder is unchanged then.
    pub fn push(&mut self, state: State, frame: Option<FrameId>) -> Result<NodeId, TreeError> {
        let id = NodeId::try_from(self.nodes.len()).map_err(|_| TreeError::TooMany)?;
        if id == NodeId::MAX {
            return Err(TreeError::TooMany);
        }
        let depth = state.depth as usize;
        let opens = match state.event {
            Event::LineAfterCall => return Err(TreeError::AfterCall),
            Event::Call => true,
            // A session may start at any line; then no call opened the entry frame.
            _ => self.nodes.is_empty() && depth == 0,
        };
        if opens && depth > self.open.len() {
            return Err(TreeError::DepthJump { depth: state.depth, open: self.open.len() });
        }
        if !opens {
            self.check_running(&state, frame)?;
        }
        let kept = if opens { depth } else { depth + 1 };
        for open in self.open.iter().skip(depth) {
            let last = self.levels[open.level as usize].last;
            self.nodes[last as usize].after = id;
        }
        for open in self.open.drain(kept.min(self.open.len())..) {
            self.levels[open.level as usize].ended = true;
        }
        if opens {
            self.open_level(&state, frame, id);
        }
        let Open { level, latest } = &mut self.open[depth];
        let level = *level;
        let (vars, now) = Vars::next(latest.as_ref(), id, state.locals);
        let running = &mut self.levels[level as usize];
        running.last = id;
        running.ended = state.event == Event::Return;
        if running.ended && state.suspension {
            self.suspended.insert(running.frame, now.clone());
        }
        *latest = Some(now);
        self.nodes.push(Node {
            event: state.event,
            suspension: state.suspension,
            loc: state.loc,
            level,
            after: NodeId::MAX,
            vars,
            arg: state.arg,
        });
        Ok(id)
    }

    /// Ends the execution. A level left open by a limit, or by the process being ended from
    /// inside, has no known last state.
    pub fn finish(mut self, exit: Exit) -> StateTree {
        let len = self.nodes.len() as NodeId;
        for open in &self.open {
            let level = &mut self.levels[open.level as usize];
            let last = &mut self.nodes[level.last as usize];
            last.after = len;
            // An exception that leaves every frame closes them all.
            level.ended |=
                last.event == Event::Exception && matches!(exit, Exit::Normal | Exit::Error);
        }
        StateTree { nodes: self.nodes, levels: self.levels, exit }
    }

    fn check_running(&self, state: &State, frame: Option<FrameId>) -> Result<(), TreeError> {
        let open = self.open.get(state.depth as usize);
        let level = open.map(|open| &self.levels[open.level as usize]);
        let Some(level) = level.filter(|level| !level.ended) else {
            return Err(TreeError::NoFrame { event: state.event.name(), depth: state.depth });
        };
        let name = |function: &str, frame: FrameId| format!("{function} (frame {frame})");
        if level.function != state.function || frame.is_some_and(|frame| frame != level.frame) {
            return Err(TreeError::OtherFrame {
                depth: state.depth,
                expected: name(&level.function, level.frame),
                found: name(&state.function, frame.unwrap_or(level.frame)),
            });
        }
        Ok(())
    }

    fn open_level(&mut self, state: &State, frame: Option<FrameId>, id: NodeId) {
        let suspended = || {
            let same = |level: &&Level| level.function == state.function;
            let level = self.levels.iter().rev().find(same)?;
            let last = &self.nodes[level.last as usize];
            (last.event == Event::Return && last.suspension).then_some(level.frame)
        };
        let resumed =
            if state.event == Event::Call && state.suspension { suspended() } else { None };
        let frame = frame.or(resumed).unwrap_or(self.next_frame);
        self.next_frame = self.next_frame.max(frame.saturating_add(1));
        let parent = self.open.last().map(|open| self.levels[open.level as usize].last);
        let level = self.levels.len() as u32;
        self.levels.push(Level {
            frame,
            function: state.function.clone(),
            depth: state.depth,
            parent,
            first: id,
            last: id,
            ended: false,
        });
        let latest = self.suspended.remove(&frame);
        self.open.push(Open { level, latest });
    }
}
