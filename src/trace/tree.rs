//! The state tree: a whole execution in event order, and who called whom.
//!
//! The moves over it are in `moves`. Must not know: files, moves, oracles. How states lie
//! in memory is private: callers get them by value.

mod builder;
mod vars;
pub use builder::{TreeBuilder, TreeError};

use super::{Event, Exit, Locals, Patch, State, Value};
use crate::program::Loc;
use std::sync::Arc;
use vars::Vars;

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
    vars: Vars,
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
        let locals = self.locals(node);
        let node = self.node(node);
        let level = self.level(node);
        State {
            event: node.event,
            loc: node.loc,
            function: level.function.clone(),
            depth: level.depth,
            locals,
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
    pub fn locals(&self, node: NodeId) -> Option<Locals> {
        Vars::read(&self.nodes, node)
    }

    /// The frame's previous state and what changed since, if it lies in memory like that;
    /// if not, compare their [`StateTree::locals`].
    pub(super) fn patch(&self, node: NodeId) -> Option<(NodeId, Option<&Patch>)> {
        match &self.node(node).vars {
            Vars::Changed { previous, patch } => Some((*previous, patch.as_deref())),
            Vars::Unknown | Vars::Whole(_) => None,
        }
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
