//! Values opened into parts, where they read as Python literals.
//!
//! Must not know: rows, marks. Parts of two values (predicted and real, old and new) are
//! matched by label.

use crate::program::literal::Literal;

/// Parts shown of one value; a debugger is not a pager.
const MOST: usize = 500;
/// Longer reprs stay closed: reading them for every drawing would be felt.
const LONGEST: usize = 20_000;

/// One part of a value: how Python would reach it, and its repr.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// `[0]`, `['key']`, `.attribute`; for sets, which have no way in, an ordinal.
    pub label: String,
    /// The part's repr.
    pub text: String,
}

/// Whether a value may have parts; cheap, and right for all but broken reprs.
pub fn is_compound(text: &str) -> bool {
    text.len() <= LONGEST
        && text.ends_with([']', '}', ')'])
        && !text.ends_with("[]")
        && !text.ends_with("{}")
        && !text.ends_with("()")
}

/// The parts of a value; empty if it has none or cannot be read.
pub fn children(text: &str) -> Vec<Child> {
    if !is_compound(text) {
        return Vec::new();
    }
    let part = |label: String, value: &Literal| Child { label, text: value.to_string() };
    let listed = |items: &[Literal]| {
        items.iter().enumerate().map(|(i, v)| part(format!("[{i}]"), v)).collect::<Vec<_>>()
    };
    let mut parts = match Literal::read(text) {
        Some(Literal::List(items) | Literal::Tuple(items)) => listed(&items),
        Some(Literal::Set(items) | Literal::FrozenSet(items)) => {
            items.iter().enumerate().map(|(i, v)| part(format!("#{i}"), v)).collect()
        }
        Some(Literal::Dict(items)) => {
            items.iter().map(|(k, v)| part(format!("[{k}]"), v)).collect()
        }
        Some(Literal::Object(_, fields)) => fields
            .iter()
            .enumerate()
            .map(|(i, (name, v))| match name {
                Some(name) => part(format!(".{name}"), v),
                None => part(format!("({i})"), v),
            })
            .collect(),
        _ => Vec::new(),
    };
    if parts.len() > MOST {
        let rest = parts.len() - MOST;
        parts.truncate(MOST);
        parts.push(Child { label: String::new(), text: format!("{rest} more") });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_open_by_the_way_python_reaches_into_them() {
        let labels = |text: &str| {
            children(text)
                .into_iter()
                .map(|p| format!("{} {}", p.label, p.text))
                .collect::<Vec<_>>()
        };
        assert_eq!(labels("[1, 'a']"), ["[0] 1", "[1] 'a'"]);
        assert_eq!(labels("{'k': (1, 2)}"), ["['k'] (1, 2)"]);
        assert_eq!(labels("Point(x=1, y=[2])"), [".x 1", ".y [2]"]);
        assert_eq!(labels("{3}"), ["#0 3"]);
        assert_eq!(labels("deque([1])"), ["(0) [1]"]);
        for plain in ["[]", "set()", "3", "'(a)'", "<object at 0x…>", "[1, 2…", "[1, 2"] {
            assert_eq!(labels(plain), [""; 0], "{plain}");
        }
        assert_eq!(children(&format!("[{}]", "0, ".repeat(600))).len(), MOST + 1);
    }
}
