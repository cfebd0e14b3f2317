//! The rows of the variables pane, as data: variables with their open parts, predicted
//! beside real, then the watched expressions.
//!
//! Must not know: widths, cells, colours beyond roles.

use super::tree::{self, Child};
use crate::program::literal::same;
use crate::session::{Session, Stop, Variable, Watch};
use crate::trace::Part;
use crate::tui::look::Mark;
use crate::tui::theme::Role;
use std::collections::BTreeSet;

/// One row of the pane.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ValueRow {
    /// The way from a variable, such as `d['a']`; identifies the row.
    pub path: String,
    /// How deep in the tree.
    pub level: usize,
    /// The name, or the last part of the way.
    pub label: String,
    /// What is predicted (or known).
    pub value: Side,
    /// What CPython has, when compared.
    pub actual: Option<Side>,
    /// Changed, added, wrong, …
    pub mark: Option<(Role, Mark)>,
    /// The value before the last move, when it was another one.
    pub old: Option<String>,
    /// How sure the model was.
    pub confidence: Option<f32>,
    /// Whether it has parts, and whether they are shown.
    pub open: Option<bool>,
}

/// A value on one side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Side {
    /// The text.
    Text(String),
    /// Why there is none.
    Note(String),
    /// The language does not carry it at this event.
    #[default]
    Hidden,
    /// This side does not have the name.
    Absent,
    /// The same as predicted.
    Same,
}

/// All rows, in order. Where the model's text is no state, its lines.
pub fn rows(session: &Session, open: &BTreeSet<String>) -> Vec<ValueRow> {
    if let Some(Stop::Malformed { text, .. }) = session.present().map(|e| &e.stop.stop) {
        let row = |line: &str| ValueRow { value: Side::Text(line.into()), ..ValueRow::default() };
        return text.lines().map(row).collect();
    }
    let mut rows = Vec::new();
    for variable in session.variables() {
        let sides = Sides {
            value: variable.value.as_ref().map(|v| v.text()),
            actual: variable.actual.as_ref().map(|v| v.text()),
            old: variable.old.as_ref().map(|v| v.text()),
        };
        push(&mut rows, open, of_variable(&variable), &sides);
    }
    for watch in session.watches() {
        let sides = Sides {
            value: watch.value.as_ref().and_then(|v| v.as_ref().ok()).map(|v| v.text()),
            actual: None,
            old: watch.old.as_ref().map(|v| v.text()),
        };
        push(&mut rows, open, of_watch(watch, session.selected()), &sides);
    }
    rows
}

fn of_variable(variable: &Variable) -> ValueRow {
    let mark = match variable.verdict {
        Some(Part::Different | Part::Missing | Part::Extra) => Some((Role::Wrong, Mark::Mismatch)),
        _ if variable.edited => Some((Role::Notice, Mark::Edited)),
        _ if variable.added => Some((Role::Changed, Mark::Added)),
        _ if variable.old.is_some() => Some((Role::Changed, Mark::Changed)),
        Some(Part::NotComparable) => Some((Role::Unknown, Mark::NotComparable)),
        _ => None,
    };
    let value = match (&variable.value, variable.verdict) {
        (Some(value), _) => Side::Text(value.text().to_owned()),
        (None, Some(Part::Missing)) => Side::Absent,
        (None, _) => Side::Hidden,
    };
    let actual = match (variable.verdict, &variable.actual) {
        (None, None) => None,
        (Some(Part::Same), _) => Some(Side::Same),
        (_, Some(actual)) => Some(Side::Text(actual.text().to_owned())),
        (Some(Part::NotComparable), None) => Some(Side::Hidden),
        (Some(_), None) => Some(Side::Absent),
    };
    ValueRow {
        path: variable.name.to_string(),
        label: variable.name.to_string(),
        value,
        actual,
        mark,
        old: variable.old.as_ref().map(|v| v.text().to_owned()),
        confidence: variable.confidence,
        ..ValueRow::default()
    }
}

fn of_watch(watch: &Watch, selected: u32) -> ValueRow {
    let old = watch.old.as_ref().map(|v| v.text().to_owned());
    let value = match &watch.value {
        Some(Ok(value)) => Side::Text(value.text().to_owned()),
        Some(Err(why)) => Side::Note(why.clone()),
        None => Side::Hidden,
    };
    let changed = matches!(&value, Side::Text(new) if old.as_ref().is_some_and(|old| old != new));
    ValueRow {
        path: format!("display {}", watch.name(u32::MAX)),
        label: format!("display {}", watch.name(selected)),
        value,
        mark: changed.then_some((Role::Changed, Mark::Changed)),
        old: old.filter(|_| changed),
        ..ValueRow::default()
    }
}

/// One value in its three versions, as text.
#[derive(Clone, Copy)]
struct Sides<'a> {
    value: Option<&'a str>,
    actual: Option<&'a str>,
    old: Option<&'a str>,
}

/// Appends a row and, where it is open, its parts, matched by label.
fn push(rows: &mut Vec<ValueRow>, open: &BTreeSet<String>, mut row: ValueRow, sides: &Sides<'_>) {
    let compound = sides.value.or(sides.actual).is_some_and(tree::is_compound);
    row.open = compound.then(|| open.contains(&row.path));
    let (path, level, is_open) = (row.path.clone(), row.level, row.open == Some(true));
    rows.push(row);
    if !is_open {
        return;
    }
    let children = |text: Option<&str>| text.map(tree::children).unwrap_or_default();
    let (mine, theirs, before) =
        (children(sides.value), children(sides.actual), children(sides.old));
    let find = |side: &[Child], label: &str| {
        side.iter().find(|child| child.label == label).map(|child| child.text.clone())
    };
    let only_theirs = theirs.iter().filter(|t| !mine.iter().any(|m| m.label == t.label));
    for label in mine.iter().chain(only_theirs).map(|child| &child.label) {
        let (value, actual, old) = (find(&mine, label), find(&theirs, label), find(&before, label));
        let part = Sides {
            value: value.as_deref(),
            actual: actual.as_deref(),
            old: old.as_deref().filter(|old| value.as_deref().is_some_and(|new| new != *old)),
        };
        let row = of_part(label, &part, sides);
        let row = ValueRow { path: format!("{path}{label}"), level: level + 1, ..row };
        push(rows, open, row, &part);
    }
}

/// The row of a part, given the whole it belongs to.
fn of_part(label: &str, part: &Sides<'_>, whole: &Sides<'_>) -> ValueRow {
    let agree = match (part.value, part.actual, whole.actual) {
        (_, _, None) => None,
        (Some(a), Some(b), _) => Some(same(a, b)),
        _ => Some(false),
    };
    let text = |side: Option<&str>| side.map_or(Side::Absent, |text| Side::Text(text.to_owned()));
    // A whole that had another value before: a part without one before is new.
    let added = whole.old.is_some_and(|old| {
        part.value.is_some() && !tree::children(old).iter().any(|child| child.label == label)
    });
    let mark = match agree {
        Some(false) => Some((Role::Wrong, Mark::Mismatch)),
        _ if added => Some((Role::Changed, Mark::Added)),
        _ if part.old.is_some() => Some((Role::Changed, Mark::Changed)),
        _ => None,
    };
    ValueRow {
        label: label.to_owned(),
        value: text(part.value),
        actual: agree.map(|agree| if agree { Side::Same } else { text(part.actual) }),
        mark,
        old: part.old.map(str::to_owned),
        ..ValueRow::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &str, actual: Option<&str>, old: Option<&str>, open: &[&str]) -> Vec<String> {
        let open = open.iter().map(|path| (*path).to_owned()).collect();
        let mut rows = Vec::new();
        let row = ValueRow { path: "d".into(), label: "d".into(), ..ValueRow::default() };
        push(&mut rows, &open, row, &Sides { value: Some(value), actual, old });
        rows.into_iter()
            .skip(1)
            .map(|r| {
                format!(
                    "{}{} {:?} {:?}",
                    "-".repeat(r.level),
                    r.label,
                    r.mark.map(|m| m.1),
                    r.actual
                )
            })
            .collect()
    }

    #[test]
    fn parts_are_laid_beside_each_other_by_label() {
        let (value, actual) = ("{'a': 1, 'b': [2, 3]}", "{'b': [2, 4], 'c': 0}");
        assert_eq!(shown(value, None, None, &[]), [""; 0], "closed");
        assert_eq!(
            shown(value, Some(actual), None, &["d", "d['b']"]),
            [
                "-['a'] Some(Mismatch) Some(Absent)",
                "-['b'] Some(Mismatch) Some(Text(\"[2, 4]\"))",
                "--[0] None Some(Same)",
                "--[1] Some(Mismatch) Some(Text(\"4\"))",
                "-['c'] Some(Mismatch) Some(Text(\"0\"))",
            ]
        );
    }

    #[test]
    fn changed_and_new_parts_are_marked() {
        assert_eq!(
            shown("[1, 5, 3]", None, Some("[1, 2]"), &["d"]),
            ["-[0] None None", "-[1] Some(Changed) None", "-[2] Some(Added) None"]
        );
    }
}
