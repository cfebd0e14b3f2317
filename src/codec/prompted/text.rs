//! States ⇄ the plain text of the prompted dialect.
//!
//! Must not know: tokens, templates, what is legal.

use super::changes::{Memory, Names};
use crate::codec::context::Context;
use crate::codec::place::{self, MODULE, Named, Said};
use crate::codec::reply::Read;
use crate::codec::{Component, Reading};
use crate::program::{Loc, Program};
use crate::trace::{Event, Exit, Move, Segment, State, Value};
use std::fmt::Write;

/// Numbers of lines over all files: those of the first file are its own, those of the next
/// follow.
#[derive(Debug)]
pub(super) struct Numbers {
    /// Lines before each file.
    before: Vec<u32>,
}

impl Numbers {
    pub(super) fn new(program: &Program) -> Self {
        let mut total = 0u32;
        let before = program.files.iter().map(|file| {
            let before = total;
            total = total.saturating_add(file.lines.len() as u32);
            before
        });
        Numbers { before: before.collect() }
    }

    pub(super) fn number(&self, loc: Loc) -> u32 {
        self.before.get(usize::from(loc.file)).map_or(0, |before| before.saturating_add(loc.line))
    }

    fn loc(&self, number: u32) -> Option<Loc> {
        let file = self.before.partition_point(|&before| before < number).checked_sub(1)?;
        Some(Loc { file: u16::try_from(file).ok()?, line: number - self.before.get(file)? })
    }
}

/// The lines that the model reads, with their numbers.
pub(super) fn listing(program: &Program, numbers: &Numbers, context: &Context) -> String {
    let mut text = String::new();
    let mut file = None;
    for &loc in &context.lines {
        if program.files.len() > 1 && file != Some(loc.file) {
            file = Some(loc.file);
            let name = program.files.get(usize::from(loc.file)).map_or("", |file| &file.name);
            let _ = writeln!(text, "# file: {name}");
        }
        let line = program.source(loc).map_or("", |line| line);
        let _ = writeln!(text, "{}: {line}", numbers.number(loc));
    }
    text
}

/// The word of an event.
pub(super) fn word(event: Event) -> &'static str {
    match event {
        Event::Call => "call",
        Event::Line | Event::LineAfterCall => "line",
        Event::Return => "return",
        Event::Exception => "exception",
    }
}

/// The code of a line, without its indentation.
pub(super) fn code(program: &Program, loc: Loc) -> &str {
    program.source(loc).map_or("", |line| line.trim())
}

/// A value that is empty, as only a user's `__repr__` makes them.
const EMPTY: &str = "<empty>";

fn value(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

fn read_value(text: &str) -> Value {
    Value::from(if text == EMPTY { "" } else { text })
}

/// One state: its place, its variables, an empty line.
pub(super) fn state(
    program: &Program,
    numbers: &Numbers,
    names: &Names,
    memory: &mut Memory,
    state: &State,
) -> String {
    let mut text = String::new();
    let module = state.event == Event::Call && &*state.function == MODULE;
    let code = if module { MODULE } else { code(program, state.loc) };
    let _ = write!(text, "{} {}: {code}", word(state.event), numbers.number(state.loc));
    if let Some(arg) = &state.arg {
        let _ = write!(text, " => {}", value(arg.text()));
    }
    text.push('\n');
    if let Some(locals) = &state.locals {
        let base = memory.base(state.event, state.depth);
        let first = memory.first(program, state);
        let listed = |name: &str, value: &Value| {
            base.get(name) != Some(value) || first.iter().any(|target| target == name)
        };
        let listed = locals.iter().filter(|(name, value)| listed(name, value));
        let mut set: Vec<_> = listed.map(|(name, value)| (name.clone(), value.clone())).collect();
        names.sort(&first, &mut set);
        for (name, text_of) in set {
            let _ = writeln!(text, "{name} = {}", value(text_of.text()));
        }
        let gone = base.iter().filter(|(name, _)| locals.get(name).is_none());
        let mut gone: Vec<_> = gone.map(|(name, _)| (name.clone(), ())).collect();
        names.sort(&[], &mut gone);
        for (name, ()) in gone {
            let _ = writeln!(text, "del {name}");
        }
    }
    text.push('\n');
    memory.visit(state);
    text
}

/// The words of the exits that the dialect has.
pub(super) const EXITS: [(Exit, &str); 3] =
    [(Exit::Normal, "end normal"), (Exit::Error, "end error"), (Exit::Never, "end never")];

/// Reads an answer. `first`: it completes this state instead of following the segment.
pub(super) fn read(
    program: &Program,
    segment: &Segment,
    memory: &Memory,
    ask: &Move,
    first: Option<&State>,
    text: &str,
) -> Read {
    let mut spans = Vec::new();
    let mut lines = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.strip_suffix('\n')))
    });
    let Some((_, Some(line))) = lines.next() else {
        return Read::malformed(0, "the answer does not say where");
    };
    let exit = EXITS.iter().find(|(_, words)| *words == line).map(|(exit, _)| *exit);
    let placed = Placed::read(program, line);
    match (&exit, &placed) {
        (Some(_), _) => spans.push((Component::Event, 0..line.len())),
        (None, Some(placed)) => {
            spans.push((Component::Event, 0..placed.event_end));
            spans.push((Component::Source, placed.event_end..placed.source_end));
            if placed.arg.is_some() {
                spans.push((Component::Arg, placed.source_end..line.len()));
            }
        }
        (None, None) => return Read::malformed(0, format!("{line:?} is no place of the program")),
    }
    let mut changes: Vec<(&str, Option<&str>)> = Vec::new();
    loop {
        let change = match lines.next() {
            Some((start, Some(line))) if !line.is_empty() => (start, line),
            Some((_, Some(_))) => break,
            Some((start, None)) => return Read::malformed(start, "a line that does not end"),
            None => return Read::malformed(text.len(), "no empty line at the end"),
        };
        let (start, line) = change;
        let change = match (line.strip_prefix("del "), line.split_once(" = ")) {
            (Some(name), _) if is_name(name) => (name, None),
            (_, Some((name, value))) if is_name(name) => (name, Some(value)),
            _ => return Read::malformed(start, format!("{line:?} is no variable")),
        };
        spans.push((Component::Local(change.0.into()), start..start + line.len()));
        changes.push(change);
    }
    if let Some((start, _)) = lines.next() {
        return Read::malformed(start, "the answer goes on after its end");
    }
    let Some(placed) = placed.filter(|_| exit.is_none()) else {
        let exit = exit.unwrap_or(Exit::Cut);
        return Read { reading: Reading::Exit(exit), candidates: Vec::new(), spans };
    };
    let named = match placed.module {
        true => Named::Source(MODULE),
        false => Named::At(placed.loc),
    };
    let said = Said { event: placed.event, named, arg: placed.arg, lists: !changes.is_empty() };
    let found = match first {
        Some(first) => place::first(program, first, named),
        None => place::find(program, segment, ask, said),
    };
    let Some(found) = found else {
        return Read::malformed(0, format!("no {} can be there", word(placed.event)));
    };
    let mut locals = memory.base(placed.event, found.depth);
    for (name, value) in changes {
        match value {
            Some(value) => locals.set(name.into(), read_value(value)),
            None => locals.remove(name),
        }
    }
    let state = State {
        event: placed.event,
        loc: found.loc,
        function: found.function,
        depth: found.depth,
        locals: Some(locals),
        arg: placed.arg.map(read_value),
        suspension: found.suspension,
    };
    Read { reading: Reading::State(state), candidates: found.candidates, spans }
}

/// Whether a text can be a variable's name.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_')
}

/// A line that says where execution is.
struct Placed<'a> {
    event: Event,
    loc: Loc,
    module: bool,
    arg: Option<&'a str>,
    event_end: usize,
    source_end: usize,
}

impl<'a> Placed<'a> {
    fn read(program: &Program, line: &'a str) -> Option<Self> {
        let events = [Event::Line, Event::Call, Event::Return, Event::Exception];
        let (event, rest) = events
            .into_iter()
            .find_map(|event| Some((event, line.strip_prefix(word(event))?.strip_prefix(' ')?)))?;
        let (number, rest) = rest.split_once(": ")?;
        let loc = Numbers::new(program).loc(number.parse().ok()?)?;
        let module = event == Event::Call && rest == MODULE;
        let rest = match module {
            true => "",
            false => rest.strip_prefix(code(program, loc))?,
        };
        let arg = match event {
            Event::Return | Event::Exception => Some(rest.strip_prefix(" => ")?),
            _ if rest.is_empty() => None,
            _ => return None,
        };
        let source_end = line.len() - rest.len();
        Some(Placed { event, loc, module, arg, event_end: word(event).len(), source_end })
    }
}
