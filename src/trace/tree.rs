//! The state tree: the one definition of every move.

use super::{Exit, State};

/// Index of a state in event order.
pub type NodeId = u32;

/// A position in the tree that a move can start from or lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// At a state.
    At(NodeId),
    /// Inverse only: at a line state, after the call(s) it made.
    AfterCall(NodeId),
}

/// An execution as a tree: the states of one call are children of the calling line's
/// state, in execution order (paper section 2.2). Nodes are stored in event order.
#[derive(Debug, Clone, PartialEq)]
pub struct StateTree {
    states: Vec<State>,
    exit: Exit,
}
