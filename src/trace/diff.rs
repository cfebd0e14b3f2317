//! What changed between two sets of variables, by text.
//!
//! Must not know: what a difference means ([`super::compare`] judges), how it is written.

use super::{Locals, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// One variable that is not as it was. `old: None` is a new name, `new: None` a deleted one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The variable.
    pub name: Arc<str>,
    /// Its value before.
    pub old: Option<Value>,
    /// Its value now.
    pub new: Option<Value>,
}

/// The variables that changed: new and rebound names in their present order, then deleted
/// ones in their old order.
pub fn changes(old: &Locals, new: &Locals) -> Vec<Change> {
    if old.is_same_memory(new) {
        return Vec::new();
    }
    let (before, now) = (by_name(old), by_name(new));
    let rebound = new.iter().filter_map(|(name, value)| {
        let old = before.get(&**name).copied();
        (old != Some(value)).then(|| Change {
            name: name.clone(),
            old: old.cloned(),
            new: Some(value.clone()),
        })
    });
    let deleted = old
        .iter()
        .filter(|(name, _)| !now.contains_key(&***name))
        .map(|(name, value)| Change { name: name.clone(), old: Some(value.clone()), new: None });
    rebound.chain(deleted).collect()
}

fn by_name(locals: &Locals) -> HashMap<&str, &Value> {
    locals.iter().map(|(name, value)| (&**name, value)).collect()
}

/// What turns one set of variables into another, order included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// Names to unbind first: those that are gone, and those that move towards the end.
    pub deleted: Vec<Arc<str>>,
    /// Names to bind then, in order.
    pub set: Vec<(Arc<str>, Value)>,
}

impl Patch {
    /// The patch from `old` to `new`. Names that keep their order and value are not in it.
    pub fn between(old: &Locals, new: &Locals) -> Patch {
        let mut patch = Patch::default();
        if old.is_same_memory(new) {
            return patch;
        }
        // Binding appends, so names stay in place up to the first one that is new or that
        // came earlier in the old order.
        let mut rest = old.iter();
        let mut in_place = true;
        for (name, value) in new.iter() {
            let skipped = if in_place { rest.clone().position(|(n, _)| n == name) } else { None };
            match skipped {
                Some(skipped) => {
                    let gone = rest.by_ref().take(skipped).map(|(name, _)| name.clone());
                    patch.deleted.extend(gone);
                    if rest.next().is_none_or(|(_, before)| before != value) {
                        patch.set.push((name.clone(), value.clone()));
                    }
                }
                None => {
                    in_place = false;
                    patch.set.push((name.clone(), value.clone()));
                }
            }
        }
        patch.deleted.extend(rest.map(|(name, _)| name.clone()));
        patch
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.deleted.is_empty() && self.set.is_empty()
    }

    /// The variables after the patch. Shares memory with `old` if nothing changes.
    pub fn apply(&self, old: &Locals) -> Locals {
        let mut locals = old.clone();
        self.apply_to(&mut locals);
        locals
    }

    /// Applies the patch in place.
    pub fn apply_to(&self, locals: &mut Locals) {
        for name in &self.deleted {
            locals.remove(name);
        }
        for (name, value) in &self.set {
            locals.set(name.clone(), value.clone());
        }
    }
}
