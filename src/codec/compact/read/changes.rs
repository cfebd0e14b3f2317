//! The changes of variables, in the one order in which they are written.

use crate::codec::compact::names::Names;
use crate::codec::compact::set::TokenSet;
use crate::trace::{Locals, Patch, Value};
use std::sync::Arc;

/// Changes so far, against what was shown before.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    base: Vec<(Arc<str>, Value)>,
    locals: Locals,
    patch: Patch,
    /// Index in `base` of the last name deleted.
    deleted: Option<usize>,
    /// Index in `base` of the last name set in its place.
    changed: Option<usize>,
    /// Whether a name was set at the end of the order.
    appended: bool,
}

/// What can be done with a name now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// It can be unbound.
    pub delete: bool,
    /// It can be bound to a value other than `old`.
    pub set: bool,
    /// The value that stays if nothing is written.
    pub old: Option<Value>,
}

impl Changes {
    /// No changes against these variables.
    pub fn against(base: Locals) -> Self {
        let list = base.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Changes { base: list, locals: base, ..Changes::default() }
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.patch.is_empty()
    }

    /// Unbinds a name.
    pub fn delete(&mut self, name: Arc<str>) {
        self.deleted = self.index(&name);
        self.patch.deleted.push(name);
    }

    /// Binds a name.
    pub fn set(&mut self, name: Arc<str>, value: Value) {
        match self.index(&name).filter(|_| !self.patch.deleted.contains(&name)) {
            Some(at) => self.changed = Some(at),
            None => self.appended = true,
        }
        self.patch.set.push((name, value));
    }

    /// The variables after the changes.
    pub fn apply(&self) -> Locals {
        self.patch.apply(&self.locals)
    }

    /// Names before and after the changes, some twice.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let new = self.patch.set.iter().map(|(name, _)| &**name);
        self.base.iter().map(|(name, _)| &**name).chain(new)
    }

    /// Whether a name is bound after the changes so far.
    pub fn is_bound(&self, name: &str) -> bool {
        let set = self.patch.set.iter().any(|(other, _)| **other == *name);
        let deleted = self.patch.deleted.iter().any(|other| **other == *name);
        set || self.index(name).is_some() && !deleted
    }

    /// Its place before the changes.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.base.iter().position(|(other, _)| **other == *name)
    }

    /// What can be done with a name: first deletions, then new values, both in the order of
    /// the base, then names at the end.
    pub fn options(&self, name: &str) -> Options {
        if self.patch.set.iter().any(|(other, _)| **other == *name) {
            return Options::default();
        }
        let Some(at) = self.index(name) else {
            return Options { delete: false, set: true, old: None };
        };
        if self.patch.deleted.iter().any(|other| **other == *name) {
            // Set again, because its place moved: behind a new name, or behind one that stays.
            let kept = |(name, _): &(Arc<str>, Value)| !self.patch.deleted.contains(name);
            let last = self.base.iter().rposition(kept);
            let moved = self.appended || last.is_some_and(|last| last > at);
            return Options { delete: false, set: moved, old: None };
        }
        Options {
            delete: self.patch.set.is_empty() && self.deleted.is_none_or(|last| at > last),
            set: !self.appended && self.changed.is_none_or(|last| at > last),
            old: self.base.get(at).map(|(_, value)| value.clone()),
        }
    }

    /// Takes names out of a set with which nothing can be done.
    pub fn restrict(&self, names: &Names, set: &mut TokenSet) {
        let bound = self.base.iter().map(|(name, _)| name);
        let new = self.patch.set.iter().map(|(name, _)| name);
        for name in bound.chain(new) {
            let options = self.options(name);
            if let Some(token) = names.token(name)
                && !options.set
                && !options.delete
            {
                set.remove(token);
            }
        }
    }
}
