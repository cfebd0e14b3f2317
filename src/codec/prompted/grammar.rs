//! What may be said in the prompted dialect: everything but values is fixed by the program.
//!
//! Must not know: vocabularies.

use super::text::{EXITS, Numbers, code, word};
use crate::codec::context::Context;
use crate::codec::grammar::Expr;
use crate::codec::legal;
use crate::codec::place::MODULE;
use crate::program::{Loc, Program};
use crate::trace::{Event, Move, Segment, State};
use std::collections::BTreeSet;

/// The answer to a move: changed variables, then a place or an end.
pub(super) fn answer(
    program: &Program,
    numbers: &Numbers,
    context: &Context,
    segment: &Segment,
    ask: &Move,
) -> Expr {
    let mut places = Vec::new();
    for event in legal::events(segment, ask) {
        for loc in legal::lines(program, context, segment, ask, event) {
            places.push(place(program, numbers, event, loc));
        }
        if event == Event::Call && program.files.len() > 1 {
            let calls = (1u16..).zip(program.files.iter().skip(1)).map(|(file, _)| {
                let number = numbers.number(Loc { file, line: 1 });
                Expr::text(format!("call {number}: {MODULE}"))
            });
            places.extend(calls);
        }
    }
    let exits = legal::exits(program, segment, ask);
    let words = EXITS.iter().filter(|(exit, _)| exits.contains(exit));
    let ends = Expr::Any(words.map(|(_, words)| Expr::text(*words)).collect());
    let names = Expr::one_of(names(program, context, segment));
    let set = Expr::Seq(vec![names.clone(), Expr::text(" = "), Expr::line(), Expr::text("\n")]);
    let delete = Expr::Seq(vec![Expr::text("del "), names, Expr::text("\n")]);
    let state = Expr::Seq(vec![Expr::Any(vec![set, delete]).many(), Expr::Any(places)]);
    Expr::Seq(vec![Expr::Any(vec![state, ends]), Expr::text("\n")])
}

/// The arguments of a call that are to be invented, then the call.
pub(super) fn completion(program: &Program, numbers: &Numbers, call: &State) -> Expr {
    let mut parts = Vec::new();
    for name in legal::parameters(program, call) {
        parts.extend([Expr::text(format!("{name} = ")), Expr::line(), Expr::text("\n")]);
    }
    parts.push(place(program, numbers, Event::Call, call.loc));
    parts.push(Expr::text("\n"));
    Expr::Seq(parts)
}

fn place(program: &Program, numbers: &Numbers, event: Event, loc: Loc) -> Expr {
    let (word, number, code) = (word(event), numbers.number(loc), code(program, loc));
    let text = format!("{word} {number}: {code}");
    match event {
        Event::Return | Event::Exception => {
            Expr::Seq(vec![Expr::text(format!("{text} => ")), Expr::line()])
        }
        _ => Expr::text(text),
    }
}

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Words of the lines that the model reads, and names already bound: what a variable can
/// be called.
fn names(program: &Program, context: &Context, segment: &Segment) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in context.lines.iter().filter_map(|&loc| program.source(loc)) {
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words =
            words.filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_numeric()));
        names.extend(words.filter(|word| !KEYWORDS.contains(word)).map(str::to_owned));
    }
    for locals in segment.states().filter_map(|state| state.locals.as_ref()) {
        names.extend(locals.iter().map(|(name, _)| name.to_string()));
    }
    names
}
