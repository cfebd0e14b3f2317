//! Equality and comparison of states: the one definition that verdicts, evaluation and the
//! replay oracle share.
//!
//! Must not know: who predicted, scores, screens.

use super::{Event, Locals, State, Value};
use crate::program::{Loc, literal};
use std::sync::Arc;

/// Whether two values are equal as Python values where both are literals, and as text
/// otherwise. `1`, `True` and `1.0` differ; the order of a dict counts, that of a set does
/// not; `-0.0` differs from `0.0`.
pub fn same_value(a: &Value, b: &Value) -> bool {
    literal::same(a.text(), b.text())
}

/// Whether two states are one: event, place, function, depth, variables and argument.
/// Variables that one side does not carry are not compared, nor is whether a return is a
/// yield, which text dialects cannot say.
pub fn same_state(a: &State, b: &State) -> bool {
    let locals = match (&a.locals, &b.locals) {
        (Some(a), Some(b)) => same_locals(a, b),
        _ => true,
    };
    let arg = match (&a.arg, &b.arg) {
        (Some(a), Some(b)) => same_value(a, b),
        (None, None) => true,
        _ => false,
    };
    locals
        && arg
        && (a.event, a.loc, a.depth) == (b.event, b.loc, b.depth)
        && a.function == b.function
}

/// Equal as maps: order does not count here, because it depends on Python's version.
fn same_locals(a: &Locals, b: &Locals) -> bool {
    let same = |(name, value): (&Arc<str>, &Value)| {
        b.get(name).is_some_and(|other| same_value(value, other))
    };
    a.is_same_memory(b) || (a.len() == b.len() && a.iter().all(same))
}

/// How one part of a predicted state stands beside the real one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Equal.
    Same,
    /// Both have it, with different values.
    Different,
    /// Only the real state has it.
    Missing,
    /// Only the predicted state has it.
    Extra,
    /// It differs from run to run, or the real value was cut, so that nothing can be said.
    NotComparable,
}

/// What a comparison makes allowance for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Leeway<'a> {
    /// The same state in a recording made with another hash seed, time and random seed:
    /// what differs between the two real states is not comparable.
    pub other: Option<&'a State>,
    /// Other places that the predicted text may mean (only after a direct jump in a text
    /// dialect, which cannot tell equal lines apart).
    pub places: &'a [Loc],
}

/// A predicted state beside the real one, part by part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The event.
    pub event: Part,
    /// The source line: location and depth.
    pub source: Part,
    /// Each variable, in the real order, then those only predicted. `None` if one side does
    /// not carry variables at this event.
    pub locals: Option<Vec<(Arc<str>, Part)>>,
    /// Return value or exception; `None` if neither side has one.
    pub arg: Option<Part>,
    /// In one line, what differs first and how many parts differ besides; empty if nothing.
    pub note: String,
}

impl Comparison {
    /// Everything together: a difference if there is one, else *not comparable* if a part
    /// is, else the same.
    pub fn all(&self) -> Part {
        let mut all = Part::Same;
        for part in self.parts() {
            match part {
                Part::Same => {}
                Part::NotComparable => all = Part::NotComparable,
                Part::Different | Part::Missing | Part::Extra => return Part::Different,
            }
        }
        all
    }

    /// Whether both are on one path: event, location and depth are the same.
    pub fn on_path(&self) -> bool {
        self.event == Part::Same && self.source == Part::Same
    }

    fn parts(&self) -> impl Iterator<Item = Part> {
        let locals = self.locals.iter().flatten().map(|(_, part)| *part);
        [self.event, self.source].into_iter().chain(locals).chain(self.arg)
    }
}

/// Compares a predicted state with the real one.
pub fn compare(predicted: &State, real: &State, leeway: Leeway<'_>) -> Comparison {
    let place = predicted.loc == real.loc || leeway.places.contains(&real.loc);
    let source = same_if(place && predicted.depth == real.depth);
    let event = same_if(predicted.event == real.event);
    let arg = part(
        predicted.arg.as_ref(),
        real.arg.as_ref(),
        leeway.other.map(|other| other.arg.as_ref()),
    );
    let locals = match (&predicted.locals, &real.locals) {
        (Some(ours), Some(theirs)) => {
            let other = leeway.other.and_then(|other| other.locals.as_ref());
            Some(compare_locals(ours, theirs, other))
        }
        _ => None,
    };
    let mut comparison = Comparison { event, source, locals, arg, note: String::new() };
    comparison.note = note(&comparison, predicted, real);
    comparison
}

fn same_if(same: bool) -> Part {
    if same { Part::Same } else { Part::Different }
}

fn compare_locals(ours: &Locals, theirs: &Locals, other: Option<&Locals>) -> Vec<(Arc<str>, Part)> {
    let real = theirs.iter().map(|(name, _)| name);
    let extra = ours.iter().map(|(name, _)| name).filter(|name| theirs.get(name).is_none());
    real.chain(extra)
        .filter_map(|name| {
            let other = other.map(|other| other.get(name));
            Some((name.clone(), part(ours.get(name), theirs.get(name), other)?))
        })
        .collect()
}

/// `other`: the value in another recording, if there is one.
fn part(
    predicted: Option<&Value>,
    real: Option<&Value>,
    other: Option<Option<&Value>>,
) -> Option<Part> {
    let steady = match (real, other) {
        (_, None) | (None, Some(None)) => true,
        (Some(real), Some(Some(other))) => same_value(real, other),
        _ => false,
    };
    Some(match (predicted, real) {
        (None, None) => return None,
        (Some(ours), Some(theirs)) if same_value(ours, theirs) => Part::Same,
        _ if !steady => Part::NotComparable,
        (Some(_), Some(theirs)) if theirs.is_cut() || theirs.is_textless() => Part::NotComparable,
        (Some(_), Some(_)) => Part::Different,
        (None, Some(_)) => Part::Missing,
        (Some(_), None) => Part::Extra,
    })
}

fn note(comparison: &Comparison, predicted: &State, real: &State) -> String {
    let mut notes = Vec::new();
    if comparison.event != Part::Same {
        notes.push(format!("predicted {}, real {}", what(predicted), what(real)));
    }
    if comparison.source != Part::Same {
        notes.push(if predicted.loc != real.loc {
            format!("predicted line {}, real line {}", predicted.loc.line, real.loc.line)
        } else {
            format!("predicted depth {}, real depth {}", predicted.depth, real.depth)
        });
    }
    let locals = comparison.locals.iter().flatten().map(|(name, part)| {
        let get =
            |state: &State| state.locals.as_ref().and_then(|locals| locals.get(name)).cloned();
        (&**name, *part, get(predicted), get(real))
    });
    let arg = comparison.arg.map(|part| {
        let name = if real.event == Event::Exception { "exception" } else { "return value" };
        (name, part, predicted.arg.clone(), real.arg.clone())
    });
    for (name, part, ours, theirs) in locals.chain(arg) {
        let (ours, theirs) = (short(ours.as_ref()), short(theirs.as_ref()));
        match part {
            Part::Same | Part::NotComparable => {}
            Part::Different => notes.push(format!("{name}: predicted {ours}, real {theirs}")),
            Part::Missing => notes.push(format!("{name} missing, real {theirs}")),
            Part::Extra => notes.push(format!("{name} predicted {ours}, does not exist")),
        }
    }
    match notes.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first}; {} more", rest.len()),
    }
}

fn what(state: &State) -> &'static str {
    match (state.event, state.suspension) {
        (Event::Call, true) => "resume",
        (Event::Return, true) => "yield",
        (event, _) => event.name(),
    }
}

/// A value short enough for a note.
fn short(value: Option<&Value>) -> String {
    const CHARS: usize = 40;
    let text = value.map_or("?", Value::text);
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests;
