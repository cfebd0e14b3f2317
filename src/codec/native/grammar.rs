//! What may be said natively: the language of one answer, as far as the program, the
//! present state and the move narrow it.
//!
//! Must not know: vocabularies beyond the ids of words.

use super::dialect::Ids;
use super::history::History;
use super::json;
use super::word::Word;
use super::write::{self, locals_first};
use crate::codec::OTHERS;
use crate::codec::context::Context;
use crate::codec::grammar::{ByteSet, Expr};
use crate::codec::legal;
use crate::codec::place::{self, MODULE};
use crate::program::Program;
use crate::trace::{Direction, Event, Move, Segment, State};
use std::collections::BTreeSet;

/// The answer to a move: a state up to `<|action_sep|>`, or an exit up to `<|end_of_text|>`.
/// The first token is the event.
pub(super) fn answer(
    ids: &Ids,
    program: &Program,
    context: &Context,
    segment: &Segment,
    ask: &Move,
    history: &History,
) -> Expr {
    let mut answers = Vec::new();
    for event in legal::events(segment, ask) {
        let lines = legal::lines(program, context, segment, ask, event);
        let depths = place::depths(segment.direction, segment.present(), event, ask.action);
        let marker = depths.iter().any(|&depth| history.may_omit(event, depth));
        let mut sources: BTreeSet<String> =
            lines.iter().map(|&loc| write::source(program, event, loc, "")).collect();
        if event == Event::Call && legal::module_call(program, segment, ask) {
            sources.insert(MODULE.to_owned());
        }
        answers.extend(state(ids, segment.direction, event, sources, marker));
    }
    for exit in legal::exits(program, segment, ask) {
        answers.extend(words(ids, &[Word::Exit(exit), Word::TraceEnd, Word::EndOfText]));
    }
    Expr::Any(answers)
}

/// The rest of a first state that the prompt has opened (see `write`).
pub(super) fn completion(ids: &Ids, program: &Program, first: &State) -> Expr {
    let mut parts = Vec::new();
    if first.event == Event::Call {
        let names = legal::parameters(program, first);
        let mut object = vec![Expr::text("{")];
        for (index, name) in names.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            object.push(Expr::text(format!("{comma}{}: ", json::string(name))));
            object.push(Expr::json_string());
        }
        object.push(Expr::text("}"));
        parts.push(Expr::Seq(object));
    } else {
        let lines = legal::ends(program, first).into_iter();
        parts.push(Expr::one_of(lines.map(|loc| write::source(program, first.event, loc, ""))));
        parts.extend(words(ids, &[Word::ArgSep]));
        parts.push(match &first.arg {
            Some(value) => Expr::text(json::string(value.text())),
            None => Expr::json_string(),
        });
    }
    parts.extend(words(ids, &[Word::ActionSep]));
    Expr::Seq(parts)
}

/// Some words one after another; `None` if the vocabulary lacks one.
fn words(ids: &Ids, words: &[Word]) -> Option<Expr> {
    let parts = words.iter().map(|word| ids.get(*word).map(Expr::Control));
    parts.collect::<Option<Vec<_>>>().map(Expr::Seq)
}

fn state(
    ids: &Ids,
    direction: Direction,
    event: Event,
    sources: BTreeSet<String>,
    marker: bool,
) -> Option<Expr> {
    if sources.is_empty() {
        return None;
    }
    let source = Expr::Seq(vec![words(ids, &[Word::SrcSep])?, Expr::one_of(sources)]);
    let payload = match event {
        Event::Return | Event::Exception => Expr::json_string(),
        _ => locals(marker),
    };
    let payload = Expr::Seq(vec![words(ids, &[Word::ArgSep])?, payload]);
    let (first, second) =
        if locals_first(direction, event) { (payload, source) } else { (source, payload) };
    let event = words(ids, &[Word::Event(direction, event)])?;
    Some(Expr::Seq(vec![event, first, second, words(ids, &[Word::ActionSep])?]))
}

/// One JSON object of identifiers and strings, with or without the collapsed pair.
fn locals(marker: bool) -> Expr {
    let start = Expr::Class(ByteSet::ranges(&[(b'a', b'z'), (b'A', b'Z'), (b'_', b'_')]));
    let digit = Expr::Class(ByteSet::ranges(&[(b'0', b'9')]));
    let hex = || Expr::Class(ByteSet::ranges(&[(b'0', b'9'), (b'a', b'f')]));
    let other = Expr::Seq(vec![Expr::text("\\u"), hex(), hex(), hex(), hex()]);
    let first = Expr::Any(vec![start, other]);
    let name = Expr::Seq(vec![first.clone(), Expr::Any(vec![first, digit]).many()]);
    let pair = Expr::Seq(vec![Expr::text("\""), name, Expr::text("\": "), Expr::json_string()]);
    let mut bodies = vec![pair.clone().separated(", ")];
    if marker {
        let rest = Expr::Seq(vec![Expr::text(", "), pair]).many();
        bodies.push(Expr::Seq(vec![Expr::text(format!("\"{OTHERS}\": \"{OTHERS}\"")), rest]));
    }
    Expr::Seq(vec![Expr::text("{"), Expr::Any(bodies), Expr::text("}")])
}
