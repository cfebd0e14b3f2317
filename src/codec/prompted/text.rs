//! States ⇄ the plain text of the prompted dialect.
//!
//! Must not know: tokens, templates, what is legal.

use crate::codec::context::Context;
use crate::codec::place::{self, MODULE, Named, Said};
use crate::codec::reply::Read;
use crate::codec::{Component, Reading};
use crate::program::{Loc, Program};
use crate::trace::{Event, Exit, Locals, Move, Segment, State, Value};
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

/// The last variables shown of each open frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    frames: Vec<Option<Locals>>,
}

impl Memory {
    fn base(&self, event: Event, depth: u32) -> Locals {
        match event {
            Event::Call => Locals::default(),
            _ => self.frames.get(depth as usize).cloned().flatten().unwrap_or_default(),
        }
    }

    fn visit(&mut self, state: &State) {
        let depth = state.depth as usize;
        self.frames.truncate(depth + 1);
        self.frames.resize(depth + 1, None);
        if let (Some(locals), Some(frame)) = (&state.locals, self.frames.get_mut(depth)) {
            *frame = Some(locals.clone());
        }
    }
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

/// One state, every item with its newline.
pub(super) fn state(
    program: &Program,
    numbers: &Numbers,
    memory: &mut Memory,
    state: &State,
) -> String {
    let mut text = String::new();
    if let Some(locals) = &state.locals {
        let base = memory.base(state.event, state.depth);
        for (name, value) in locals.iter().filter(|(name, value)| base.get(name) != Some(value)) {
            let _ = writeln!(text, "{name} = {value}");
        }
        for (name, _) in base.iter().filter(|(name, _)| locals.get(name).is_none()) {
            let _ = writeln!(text, "del {name}");
        }
    }
    let module = state.event == Event::Call && &*state.function == MODULE;
    let code = if module { MODULE } else { code(program, state.loc) };
    let _ = write!(text, "{} {}: {code}", word(state.event), numbers.number(state.loc));
    if let Some(value) = &state.arg {
        let _ = write!(text, " => {value}");
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
    let mut changes: Vec<(&str, Option<&str>)> = Vec::new();
    let mut spans = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(line) = line.strip_suffix('\n') else {
            return Read::malformed(start, "the answer ends inside a line");
        };
        if let Some((exit, _)) = EXITS.iter().find(|(_, words)| *words == line) {
            spans.push((Component::Event, start..at));
            return Read { reading: Reading::Exit(*exit), candidates: Vec::new(), spans };
        }
        let change = match (line.strip_prefix("del "), line.split_once(" = ")) {
            (Some(name), _) if is_name(name) => Some((name, None)),
            (_, Some((name, value))) if is_name(name) => Some((name, Some(value))),
            _ => None,
        };
        if let Some((name, value)) = change {
            spans.push((Component::Local(name.into()), start..at));
            changes.push((name, value));
            continue;
        }
        let placed = Placed::read(program, line);
        let Some(placed) = placed else {
            return Read::malformed(start, format!("{line:?} is neither a variable nor a place"));
        };
        spans.push((Component::Event, start..start + placed.event_end));
        spans.push((Component::Source, start + placed.event_end..start + placed.source_end));
        if placed.arg.is_some() {
            spans.push((Component::Arg, start + placed.source_end..at));
        }
        if at < text.len() {
            return Read::malformed(at, "the answer goes on after its place");
        }
        let named = match placed.module {
            true => Named::Source(MODULE),
            false => Named::At(placed.loc),
        };
        let found = match first {
            Some(first) => place::first(program, first, named),
            None => {
                let said = Said {
                    event: placed.event,
                    named,
                    arg: placed.arg,
                    lists: !changes.is_empty(),
                };
                place::find(program, segment, ask, said)
            }
        };
        let Some(found) = found else {
            return Read::malformed(start, format!("no {} can be there", word(placed.event)));
        };
        let mut locals = memory.base(placed.event, found.depth);
        for (name, value) in changes {
            match value {
                Some(value) => locals.set(name.into(), Value::from(value)),
                None => locals.remove(name),
            }
        }
        let state = State {
            event: placed.event,
            loc: found.loc,
            function: found.function,
            depth: found.depth,
            locals: Some(locals),
            arg: placed.arg.map(Value::from),
            suspension: found.suspension,
        };
        return Read { reading: Reading::State(state), candidates: found.candidates, spans };
    }
    Read::malformed(at, "the answer says no place")
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
