//! The state tree: a whole execution in event order, and who called whom.
//!
//! The moves over it are in `moves`. Must not know: files, moves, oracles. The columns
//! below are private so that they can become keyframes and changes without a caller
//! noticing.

use super::{Event, Exit, Locals, State, Value};
use crate::program::Loc;
use std::sync::Arc;

/// Index of a state in event order.
pub type NodeId = u32;

/// Identity of a function activation, unique within a tree. A generator keeps its frame
/// over all its resumes.
pub type FrameId = u32;

/// A position in the tree that a move can start from or lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// At a state.
    At(NodeId),
    /// Inverse only: at a line state, after the call(s) it made.
    AfterCall(NodeId),
}

impl Place {
    /// The state it is at, or after whose calls it is.
    pub fn node(self) -> NodeId {
        match self {
            Place::At(node) | Place::AfterCall(node) => node,
        }
    }
}

/// An execution as a tree: the states of one call are children of the calling line's
/// state, in execution order (paper section 2.2). Nodes are stored in event order.
///
/// A *level* is what lies between a call and the return, yield or exception that ends it.
/// A generator's frame has one level per resume; each hangs under the line that resumed it.
/// A frame that nobody visible called (two calls in one entry expression) is a root.
#[derive(Debug, Clone, PartialEq)]
pub struct StateTree {
    nodes: Vec<Node>,
    levels: Vec<Level>,
    exit: Exit,
}

/// One state without what its level already says.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    event: Event,
    suspension: bool,
    loc: Loc,
    level: u32,
    /// The first later state that is not below this one; the number of states if none.
    after: NodeId,
    locals: Option<Locals>,
    arg: Option<Value>,
}

#[derive(Debug, Clone, PartialEq)]
struct Level {
    frame: FrameId,
    function: Arc<str>,
    depth: u32,
    parent: Option<NodeId>,
    first: NodeId,
    last: NodeId,
    /// Whether the level's last state is known to be its last: false only where the
    /// recording ends inside it.
    ended: bool,
}

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
    /// Indices of the levels still open, by depth.
    open: Vec<u32>,
    next_frame: FrameId,
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
        for &level in self.open.iter().skip(depth) {
            let last = self.levels[level as usize].last;
            self.nodes[last as usize].after = id;
        }
        for level in self.open.drain(kept.min(self.open.len())..) {
            self.levels[level as usize].ended = true;
        }
        let level = if opens { self.open_level(&state, frame, id) } else { self.open[depth] };
        let locals = state.locals.map(|locals| self.shared(locals, level));
        let running = &mut self.levels[level as usize];
        running.last = id;
        running.ended = state.event == Event::Return;
        self.nodes.push(Node {
            event: state.event,
            suspension: state.suspension,
            loc: state.loc,
            level,
            after: NodeId::MAX,
            locals,
            arg: state.arg,
        });
        Ok(id)
    }

    /// Ends the execution. A level left open by a limit, or by the process being ended from
    /// inside, has no known last state.
    pub fn finish(mut self, exit: Exit) -> StateTree {
        let len = self.nodes.len() as NodeId;
        for &level in &self.open {
            let level = &mut self.levels[level as usize];
            let last = &mut self.nodes[level.last as usize];
            last.after = len;
            // An exception that leaves every frame closes them all.
            level.ended |=
                last.event == Event::Exception && matches!(exit, Exit::Normal | Exit::Error);
        }
        StateTree { nodes: self.nodes, levels: self.levels, exit }
    }

    fn check_running(&self, state: &State, frame: Option<FrameId>) -> Result<(), TreeError> {
        let level = self.open.get(state.depth as usize).map(|&level| &self.levels[level as usize]);
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

    fn open_level(&mut self, state: &State, frame: Option<FrameId>, id: NodeId) -> u32 {
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
        let parent = self.open.last().map(|&level| self.levels[level as usize].last);
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
        self.open.push(level);
        level
    }

    /// The same locals, in the memory of the level's previous state where they are equal.
    fn shared(&self, locals: Locals, level: u32) -> Locals {
        let previous = self.nodes.get(self.levels[level as usize].last as usize);
        match previous.and_then(|node| node.locals.as_ref()) {
            Some(previous) if *previous == locals => previous.clone(),
            _ => locals,
        }
    }
}

impl StateTree {
    /// A tree from states with depths in event order, with frames told apart as
    /// [`TreeBuilder::push`] does without ids.
    ///
    /// # Errors
    /// The first [`TreeError`].
    pub fn from_states(
        states: impl IntoIterator<Item = State>,
        exit: Exit,
    ) -> Result<Self, TreeError> {
        let mut builder = TreeBuilder::new();
        for state in states {
            builder.push(state, None)?;
        }
        Ok(builder.finish(exit))
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How the execution ended.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// A state, whole.
    ///
    /// # Panics
    /// Like every method that takes a [`NodeId`]: if it is not below [`StateTree::len`].
    pub fn state(&self, node: NodeId) -> State {
        let node = self.node(node);
        let level = self.level(node);
        State {
            event: node.event,
            loc: node.loc,
            function: level.function.clone(),
            depth: level.depth,
            locals: node.locals.clone(),
            arg: node.arg.clone(),
            suspension: node.suspension,
        }
    }

    /// The state at a place: after its calls, a line has the event
    /// [`Event::LineAfterCall`] and otherwise what it had before them.
    pub fn at(&self, place: Place) -> State {
        let mut state = self.state(place.node());
        if matches!(place, Place::AfterCall(_)) {
            state.event = Event::LineAfterCall;
        }
        state
    }

    /// All states in event order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator {
        (0..self.nodes.len()).map(|node| self.state(node as NodeId))
    }

    /// What kind of stop a state is.
    pub fn event(&self, node: NodeId) -> Event {
        self.node(node).event
    }

    /// Whether a call is a resume, or a return a yield.
    pub fn suspension(&self, node: NodeId) -> bool {
        self.node(node).suspension
    }

    /// Where a state is.
    pub fn loc(&self, node: NodeId) -> Loc {
        self.node(node).loc
    }

    /// Frames below a state's frame.
    pub fn depth(&self, node: NodeId) -> u32 {
        self.level(self.node(node)).depth
    }

    /// Name of the function a state is in.
    pub fn function(&self, node: NodeId) -> &Arc<str> {
        &self.level(self.node(node)).function
    }

    /// The frame a state is in.
    pub fn frame(&self, node: NodeId) -> FrameId {
        self.level(self.node(node)).frame
    }

    /// The variables at a state, if they were recorded.
    pub fn locals(&self, node: NodeId) -> Option<&Locals> {
        self.node(node).locals.as_ref()
    }

    /// The value returned or the exception's repr, if the state has one.
    pub fn arg(&self, node: NodeId) -> Option<&Value> {
        self.node(node).arg.as_ref()
    }

    /// The caller's state under which a state's level hangs; `None` in an entry frame.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.level(self.node(node)).parent
    }

    /// The calling states of a state, outermost first.
    pub fn callers(&self, node: NodeId) -> Vec<NodeId> {
        let mut callers: Vec<_> =
            std::iter::successors(self.parent(node), |&node| self.parent(node)).collect();
        callers.reverse();
        callers
    }

    /// First state of a state's level: its call, or the line a recording began at.
    pub fn first_of_level(&self, node: NodeId) -> NodeId {
        self.level(self.node(node)).first
    }

    /// Last state of a state's level; `None` where the recording ends inside it.
    pub fn last_of_level(&self, node: NodeId) -> Option<NodeId> {
        let level = self.level(self.node(node));
        level.ended.then_some(level.last)
    }

    /// The first later state that is not below this one: on its level, or further up.
    pub fn after(&self, node: NodeId) -> Option<NodeId> {
        let after = self.node(node).after;
        ((after as usize) < self.nodes.len()).then_some(after)
    }

    /// Whether calls hang under a state.
    pub fn made_calls(&self, node: NodeId) -> bool {
        self.node(node).after.min(self.nodes.len() as NodeId) > node + 1
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    fn level(&self, node: &Node) -> &Level {
        &self.levels[node.level as usize]
    }
}
