//! The variables of a call: the parameters of its function, and what its closure holds.
//!
//! Keeps to what can still be finished: whatever is chosen, the rest can follow.

use super::changes::{Changes, Options};

/// What a frame's variables are as it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entering<'a> {
    /// Names that it has, in the order in which recordings list them.
    pub required: Vec<&'a str>,
    /// Whether it may have variables of functions around it besides.
    pub open: bool,
}

impl Entering<'_> {
    /// Whether the variables so far are those of the call.
    pub fn is_complete(&self, changes: &Changes) -> bool {
        self.extra(changes).is_none() && self.missing(changes).next().is_none()
    }

    /// What can be done with a name now, so that the call can still be completed.
    pub fn options(&self, changes: &Changes, name: &str) -> Options {
        let mut options = changes.options(name);
        let at = changes.index(name);
        if let Some(extra) = self.extra(changes) {
            // Deletions come first, in order, and this one must.
            options.set = false;
            options.delete &= at.is_some_and(|at| at <= extra);
        }
        if !self.required.contains(&name) {
            // A closure's variable comes after the parameters.
            options.set &= self.open && self.missing(changes).next().is_none();
            return options;
        }
        options.delete &= self.comes_back(changes, name);
        if !changes.is_bound(name) {
            options.set &= self.missing(changes).next() == Some(name);
        }
        options
    }

    /// Whether a parameter that is unbound can be bound again: only behind one that comes
    /// before it and is bound anew, or stays behind its place.
    fn comes_back(&self, changes: &Changes, name: &str) -> bool {
        let at = changes.index(name);
        let before = self.required.iter().take_while(|other| **other != name);
        let mut others = before.map(|other| (changes.is_bound(other), changes.index(other)));
        others.any(|(bound, place)| !bound || place.is_none() || place > at)
    }

    /// Parameters that are not bound yet.
    pub fn missing(&self, changes: &Changes) -> impl Iterator<Item = &str> {
        self.required.iter().copied().filter(|name| !changes.is_bound(name))
    }

    /// Index of the first variable that the call cannot have.
    fn extra(&self, changes: &Changes) -> Option<usize> {
        let names = changes.names().filter(|name| !self.open && !self.required.contains(name));
        names.filter(|name| changes.is_bound(name)).filter_map(|name| changes.index(name)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Locals, Value};
    use proptest::prelude::*;

    /// Every way through the options ends with the parameters, whatever was shown before;
    /// and what CPython could show is among them.
    #[derive(Debug, Clone)]
    struct Case {
        base: Vec<usize>,
        required: usize,
        picks: Vec<usize>,
    }

    const NAMES: [&str; 6] = ["a", "b", "c", "x", "y", "z"];

    fn cases() -> impl Strategy<Value = Case> {
        let base = Just((0..NAMES.len()).collect::<Vec<_>>()).prop_shuffle();
        let picks = prop::collection::vec(0..50usize, 40);
        (base, 0..7usize, 0..4usize, picks).prop_map(|(mut base, len, required, picks)| {
            base.truncate(len);
            Case { base, required, picks }
        })
    }

    proptest! {
        #[test]
        fn no_choice_leads_astray(case in cases()) {
            let base: Locals = case.base.iter().map(|&i| (NAMES[i], "1")).collect();
            let required = NAMES[..case.required].to_vec();
            let entering = Entering { required, open: false };
            let mut changes = Changes::against(base);
            for pick in &case.picks {
                let mut ways: Vec<(&str, bool)> = Vec::new();
                for name in NAMES {
                    let options = entering.options(&changes, name);
                    ways.extend(options.set.then_some((name, true)));
                    ways.extend(options.delete.then_some((name, false)));
                }
                if entering.is_complete(&changes) && (pick % 3 == 0 || ways.is_empty()) {
                    break;
                }
                prop_assert!(!ways.is_empty(), "stuck: {changes:?}");
                match ways[pick % ways.len()] {
                    (name, true) => changes.set(name.into(), Value::from("2")),
                    (name, false) => changes.delete(name.into()),
                }
            }
            prop_assert!(entering.is_complete(&changes));
            let names: Vec<String> = changes.apply().iter().map(|(n, _)| n.to_string()).collect();
            let mut sorted = names.clone();
            sorted.sort();
            prop_assert_eq!(&sorted, &NAMES[..case.required]);
        }

        #[test]
        fn the_call_itself_is_never_refused(case in cases()) {
            let base: Locals = case.base.iter().map(|&i| (NAMES[i], "1")).collect();
            let required = NAMES[..case.required].to_vec();
            let call: Locals = required.iter().map(|name| (*name, "2")).collect();
            let entering = Entering { required, open: false };
            let patch = crate::trace::Patch::between(&base, &call);
            let mut changes = Changes::against(base);
            for name in patch.deleted {
                prop_assert!(entering.options(&changes, &name).delete, "del {name}: {changes:?}");
                changes.delete(name);
            }
            for (name, value) in patch.set {
                prop_assert!(entering.options(&changes, &name).set, "{name}: {changes:?}");
                changes.set(name, value);
            }
            prop_assert!(entering.is_complete(&changes));
        }
    }
}
