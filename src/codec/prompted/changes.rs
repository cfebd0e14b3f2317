//! Which variables a state lists, and in which order.
//!
//! Each variable is listed at most once, so that a small model cannot go round in circles:
//! first what the line just run assigns for certain (even if the value is the same: a model
//! that must say it cannot skip it) or, at a call, the parameters; then others in the order
//! in which the program's text names them. Must not know: tokens.

use crate::codec::context::Context;
use crate::codec::place::{self, MODULE};
use crate::program::outline::{Outline, Scope, ScopeKind, StatementKind};
use crate::program::{Loc, Program};
use crate::trace::{Event, Locals, Segment, State};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// The names that variables can have, in order of listing.
#[derive(Debug, Clone)]
pub(super) struct Names {
    order: Vec<Arc<str>>,
    index: HashMap<Arc<str>, usize>,
}

impl Names {
    /// Words of the lines that the model reads, then of others that were met, then names
    /// that are bound already.
    pub(super) fn of(program: &Program, context: &Context, segment: &Segment) -> Self {
        let mut names = Names { order: Vec::new(), index: HashMap::new() };
        let met = segment.callers.iter().chain(segment.states()).map(|state| state.loc);
        let lines = context.lines.iter().copied().chain(met);
        for line in lines.filter_map(|loc| program.source(loc)) {
            words(line).filter(|word| !KEYWORDS.contains(word)).for_each(|word| names.add(word));
        }
        let bound: HashSet<&Arc<str>> = segment
            .callers
            .iter()
            .chain(segment.states())
            .filter_map(|state| state.locals.as_ref())
            .flat_map(|locals| locals.iter().map(|(name, _)| name))
            .collect();
        let mut bound: Vec<_> = bound.into_iter().collect();
        bound.sort_unstable();
        bound.into_iter().for_each(|name| names.add(name));
        names
    }

    fn add(&mut self, name: &str) {
        if !self.index.contains_key(name) {
            let name: Arc<str> = name.into();
            self.index.insert(name.clone(), self.order.len());
            self.order.push(name);
        }
    }

    /// Sorts names into the order of listing: `first` as given, then the others; unknown
    /// ones last.
    pub(super) fn sort<T>(&self, first: &[String], list: &mut [(Arc<str>, T)]) {
        list.sort_by_key(|(name, _)| {
            let given = first.iter().position(|known| **known == **name).unwrap_or(usize::MAX);
            (given, self.index.get(name).copied().unwrap_or(usize::MAX))
        });
    }

    /// Those of a set, in the order of listing.
    fn among(&self, set: &HashSet<String>) -> Vec<String> {
        self.order.iter().filter(|name| set.contains(&***name)).map(|n| n.to_string()).collect()
    }

    fn all(&self) -> Vec<String> {
        self.order.iter().map(|name| name.to_string()).collect()
    }
}

/// The variables that an answer may list.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Listing {
    /// In any case, in this order.
    pub(super) first: Vec<String>,
    /// Then any of these, in this order.
    pub(super) others: Vec<String>,
    /// Then any of these as deleted.
    pub(super) gone: Vec<String>,
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !is_letter(c))
        .filter(|word| word.starts_with(|c: char| is_letter(c) && !c.is_numeric()))
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What was shown last of each open frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    frames: Vec<Option<Seen>>,
}

#[derive(Debug, Clone)]
struct Seen {
    locals: Locals,
    function: Arc<str>,
    loc: Loc,
    /// It is about to do this line, or was left by a call on it.
    doing: bool,
}

impl Memory {
    /// The variables that a state is written against.
    pub(super) fn base(&self, event: Event, depth: u32) -> Locals {
        match event {
            Event::Call => Locals::default(),
            _ => self.seen(depth).map(|seen| seen.locals.clone()).unwrap_or_default(),
        }
    }

    /// What a state lists first, in this order, whatever the values.
    pub(super) fn first(&self, program: &Program, state: &State) -> Vec<String> {
        match state.event {
            Event::Line => self.assigned(program, state.depth),
            Event::Call if !state.suspension => {
                let outline = program.outline(state.loc.file);
                let named = outline.and_then(|outline| {
                    outline.scope(outline.scope_named(&state.function, state.loc.line)?)
                });
                named.map(parameters).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn assigned(&self, program: &Program, depth: u32) -> Vec<String> {
        match self.seen(depth).filter(|seen| seen.doing) {
            Some(seen) => targets(program, seen.loc, &seen.function),
            None => Vec::new(),
        }
    }

    /// What answers of an event at a depth and a line may list, by what is entered.
    pub(super) fn listings(
        &self,
        program: &Program,
        names: &Names,
        event: Event,
        depth: u32,
        loc: Loc,
    ) -> Vec<Listing> {
        if event == Event::Call {
            let Some(outline) = program.outline(loc.file) else { return Vec::new() };
            let scopes = place::called(outline, loc.line);
            let entered = scopes.iter().filter_map(|&id| outline.scope(id));
            let mut listings: Vec<Listing> = entered
                .map(|scope| {
                    let first = parameters(scope);
                    let others = if closes(outline, scope) { names.all() } else { Vec::new() };
                    Listing { first, others, gone: Vec::new() }
                })
                .collect();
            if outline.suspends(loc.line) || scopes.is_empty() {
                listings.push(Listing { others: names.all(), ..Listing::default() }); // a resume
            }
            return listings;
        }
        let first = if event == Event::Line { self.assigned(program, depth) } else { Vec::new() };
        let (others, gone) = match self.seen(depth) {
            None => (names.all(), Vec::new()),
            Some(seen) => {
                let bound: HashSet<String> =
                    seen.locals.iter().map(|(name, _)| name.to_string()).collect();
                let others = match fresh(program, seen) {
                    Some(fresh) => names.among(&bound.iter().cloned().chain(fresh).collect()),
                    None => names.all(),
                };
                (others, names.among(&bound))
            }
        };
        let others = others.into_iter().filter(|name| !first.contains(name)).collect();
        vec![Listing { first, others, gone }]
    }

    fn seen(&self, depth: u32) -> Option<&Seen> {
        self.frames.get(depth as usize)?.as_ref()
    }

    /// A state was shown.
    pub(super) fn visit(&mut self, state: &State) {
        let depth = state.depth as usize;
        self.frames.truncate(depth + 1);
        self.frames.resize(depth + 1, None);
        if let Some(frame) = self.frames.get_mut(depth) {
            let old = frame.take().map(|seen| seen.locals).unwrap_or_default();
            *frame = Some(Seen {
                locals: state.locals.clone().unwrap_or(old),
                function: state.function.clone(),
                loc: state.loc,
                doing: state.event == Event::Line,
            });
        }
    }
}

/// The parameters of a function that its call shows. A name like `__x` is another inside a
/// class, and is left to the others.
fn parameters(scope: &Scope) -> Vec<String> {
    let names = scope.params.iter().map(|param| &param.name);
    names.filter(|name| !name.starts_with("__")).cloned().collect()
}

/// Whether a frame may show more at its call than its parameters: variables of functions
/// around it, mangled names.
fn closes(outline: &Outline, scope: &Scope) -> bool {
    let around = scope.parent.and_then(|id| outline.scope(id));
    let outer = around.is_none_or(|scope| {
        !matches!(scope.kind, ScopeKind::Module | ScopeKind::Class)
            || scope.parent.is_some_and(|id| id != 0)
    });
    outer || scope.params.iter().any(|param| param.name.starts_with("__"))
}

/// Names that what a frame is at may newly bind: the words of its statement. `None`: any
/// name, as others may bind variables of this frame, or it does so by names in strings.
fn fresh(program: &Program, seen: &Seen) -> Option<HashSet<String>> {
    let outline = program.outline(seen.loc.file)?;
    let scope = outline.scope(outline.scope_named(&seen.function, seen.loc.line)?)?;
    if !matches!(scope.kind, ScopeKind::Function | ScopeKind::Lambda | ScopeKind::Generator) {
        return None;
    }
    let lines = |first: u32, last: u32| {
        (first..=last).filter_map(|line| program.source(Loc { line, ..seen.loc }))
    };
    if lines(scope.body.first, scope.body.last).any(|line| line.contains("nonlocal")) {
        return None;
    }
    let mut words_of = HashSet::new();
    for (_, statement) in outline.statements_at(seen.loc.line) {
        for line in lines(statement.lines.first, statement.lines.last) {
            if ["exec", "locals", "vars"].iter().any(|word| line.contains(word)) {
                return None;
            }
            words_of.extend(words(line).map(str::to_owned));
        }
    }
    Some(words_of)
}

/// The plain names that a line binds whenever it is done without an exception, as variables
/// of its own frame that a recording shows.
fn targets(program: &Program, loc: Loc, function: &str) -> Vec<String> {
    let (Some(outline), Some(line)) = (program.outline(loc.file), program.source(loc)) else {
        return Vec::new();
    };
    let mut statements = outline.statements_at(loc.line);
    let alone = match (statements.next(), statements.next()) {
        (Some((_, one)), None) => {
            one.kind == StatementKind::Simple && one.lines.first == one.lines.last
        }
        _ => false,
    };
    let Some((left, right)) = assignment(line.trim()).filter(|_| alone && !line.contains(';'))
    else {
        return Vec::new();
    };
    let scope = outline.scope_named(function, loc.line).and_then(|id| outline.scope(id));
    let Some(scope) = scope else { return Vec::new() };
    // Modules, functions and classes are no variables of a module or class.
    let hidden = scope.kind == ScopeKind::Class || function == MODULE;
    if hidden && !right.starts_with(|c: char| c.is_ascii_digit() || "'\"[{-".contains(c)) {
        return Vec::new();
    }
    let global = |name: &str| {
        let lines = scope.body.iter().filter_map(|line| program.source(Loc { line, ..loc }));
        let mut lines = lines.filter(|line| line.trim_start().starts_with("global "));
        !hidden && lines.any(|line| words(line).any(|word| word == name))
    };
    let names = left.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.filter(|name| !name.starts_with("__") && !global(name)).map(str::to_owned).collect()
}

/// Splits `a, b = …`, `a += …` and `a: t = …` where the left side is plain names.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let names = line.find(|c: char| !(is_letter(c) || c == ',' || c == ' '))?;
    let (left, rest) = line.split_at(names);
    let rest = match rest.strip_prefix(':') {
        Some(annotated) => annotated.split_once('=')?.1,
        None => {
            let operator = rest.find('=').filter(|&at| at <= 3)?;
            let (before, after) = rest.split_at(operator);
            let known = ["", "+", "-", "*", "/", "//", "%", "**", ">>", "<<", "&", "^", "|", "@"];
            known.contains(&before).then_some(())?;
            after.strip_prefix('=')?
        }
    };
    let plain = left.split(',').map(str::trim).all(|name| {
        !name.contains(' ') && !name.starts_with(char::is_numeric) && !KEYWORDS.contains(&name)
    });
    (plain && !left.trim().is_empty() && !rest.starts_with('=')).then(|| (left, rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_assignments_are_told_from_everything_else() {
        for (line, left) in [
            ("x = 1", Some("x ")),
            ("a, b = b, a", Some("a, b ")),
            ("total += f(x)", Some("total ")),
            ("n //= 2", Some("n ")),
            ("n: int = 3", Some("n")),
            ("x == 1", None),
            ("x[0] = 1", None),
            ("self.x = 1", None),
            ("f(a=1)", None),
            ("print(x)", None),
            ("x", None),
            ("assert x", None),
            ("n <= 3", None),
            ("n: int", None),
            ("*a, b = c", None),
        ] {
            assert_eq!(assignment(line).map(|(left, _)| left), left, "{line}");
        }
    }
}
