//! The variables of many states in little memory: a frame's first state in each block of
//! states has them whole, its others what they change.
//!
//! Must not know: events, levels.

use super::{Node, NodeId};
use crate::trace::{Locals, Patch};

/// States in a block. Reading a state costs at most so many patches.
const BLOCK: NodeId = 16;

/// The variables of one state.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Vars {
    /// Not recorded.
    Unknown,
    /// All of them.
    Whole(Locals),
    /// Against the frame's previous state, which has variables. `None`: nothing changed.
    Changed { previous: NodeId, patch: Option<Box<Patch>> },
}

/// A frame's latest state and its variables there.
#[derive(Debug, Clone)]
pub(super) struct Latest {
    node: NodeId,
    locals: Option<Locals>,
}

impl Vars {
    /// How to keep the variables of a frame's next state.
    pub(super) fn next(
        latest: Option<&Latest>,
        node: NodeId,
        locals: Option<Locals>,
    ) -> (Vars, Latest) {
        let old = latest.and_then(|latest| Some((latest.node, latest.locals.as_ref()?)));
        let (vars, locals) = match (old, locals) {
            (_, None) => (Vars::Unknown, None),
            (None, Some(new)) => (Vars::Whole(new.clone()), Some(new)),
            (Some((previous, old)), Some(new)) => {
                let patch = Patch::between(old, &new);
                let patch = (!patch.is_empty()).then(|| Box::new(patch));
                let new = if patch.is_none() { old.clone() } else { new };
                if previous / BLOCK == node / BLOCK {
                    (Vars::Changed { previous, patch }, Some(new))
                } else {
                    (Vars::Whole(new.clone()), Some(new))
                }
            }
        };
        (vars, Latest { node, locals })
    }

    /// The variables of a state.
    pub(super) fn read(nodes: &[Node], mut node: NodeId) -> Option<Locals> {
        let mut patches = Vec::new();
        let mut locals = loop {
            match &nodes[node as usize].vars {
                Vars::Unknown => return None,
                Vars::Whole(locals) => break locals.clone(),
                Vars::Changed { previous, patch } => {
                    patches.extend(patch.as_deref());
                    node = *previous;
                }
            }
        };
        for patch in patches.into_iter().rev() {
            patch.apply_to(&mut locals);
        }
        Some(locals)
    }
}
