//! What may be said in the prompted dialect: everything but values is fixed by the program.
//!
//! Must not know: vocabularies.

use super::changes::{Listing, Memory, Names};
use super::text::{EXITS, Numbers, code, word};
use crate::codec::context::Context;
use crate::codec::grammar::Expr;
use crate::codec::place::{self, MODULE};
use crate::codec::{legal, reach};
use crate::program::{Loc, Program};
use crate::trace::{Event, Move, Segment, State};
use std::collections::BTreeMap;

/// The answer to a move: a place and the variables listed there, or an end; an empty line.
pub(super) fn answer(
    program: &Program,
    numbers: &Numbers,
    context: &Context,
    segment: &Segment,
    memory: &Memory,
    ask: &Move,
) -> Expr {
    let names = Names::of(program, context, segment);
    // Places by the variables that may be listed there.
    let mut places: BTreeMap<Listing, Vec<Expr>> = BTreeMap::new();
    for (event, depth, loc) in possible(program, context, segment, ask) {
        for listing in memory.listings(program, &names, event, depth, loc) {
            places.entry(listing).or_default().push(at(program, numbers, event, loc));
        }
    }
    if program.files.len() > 1 {
        let calls = (1u16..).zip(program.files.iter().skip(1)).map(|(file, _)| {
            let number = numbers.number(Loc { file, line: 1 });
            Expr::text(format!("call {number}: {MODULE}"))
        });
        places.entry(Listing::default()).or_default().extend(calls);
    }
    let exits = legal::exits(program, segment, ask);
    let words = EXITS.iter().filter(|(exit, _)| exits.contains(exit));
    let mut answers: Vec<Expr> = words.map(|(_, words)| Expr::text(format!("{words}\n"))).collect();
    for (listing, places) in places {
        answers.push(Expr::Seq(vec![Expr::Any(places), Expr::text("\n"), changes(&listing)]));
    }
    Expr::Seq(vec![Expr::Any(answers), Expr::text("\n")])
}

/// Where the move can lead.
fn possible(
    program: &Program,
    context: &Context,
    segment: &Segment,
    ask: &Move,
) -> Vec<(Event, u32, Loc)> {
    if let Some(possible) = reach::possible(program, segment, ask) {
        return possible.iter().map(|p| (p.event, p.depth, p.loc)).collect();
    }
    let mut all = Vec::new();
    for event in legal::events(segment, ask) {
        let lines = legal::lines(program, context, segment, ask, event);
        for depth in place::depths(segment.direction, segment.present(), event, ask.action) {
            all.extend(lines.iter().map(|&loc| (event, depth, loc)));
        }
    }
    all
}

/// Variables, each at most once.
fn changes(listing: &Listing) -> Expr {
    let first = listing.first.iter().map(|name| set(name));
    let others = listing.others.iter().map(|name| set(name).optional());
    let gone = listing.gone.iter().map(|name| Expr::text(format!("del {name}\n")).optional());
    Expr::Seq(first.chain(others).chain(gone).collect())
}

fn set(name: &str) -> Expr {
    Expr::Seq(vec![Expr::text(format!("{name} = ")), Expr::line(), Expr::text("\n")])
}

/// A call, and its arguments, which are to be invented.
pub(super) fn completion(program: &Program, numbers: &Numbers, call: &State) -> Expr {
    let parameters = legal::parameters(program, call);
    let mut parts = vec![at(program, numbers, Event::Call, call.loc), Expr::text("\n")];
    parts.extend(parameters.iter().map(|name| set(name)));
    parts.push(Expr::text("\n"));
    Expr::Seq(parts)
}

fn at(program: &Program, numbers: &Numbers, event: Event, loc: Loc) -> Expr {
    let (word, number, code) = (word(event), numbers.number(loc), code(program, loc));
    let text = format!("{word} {number}: {code}");
    match event {
        Event::Return | Event::Exception => {
            Expr::Seq(vec![Expr::text(format!("{text} => ")), Expr::line()])
        }
        _ => Expr::text(text),
    }
}
