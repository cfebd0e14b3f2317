//! Where a state that was read from text is: its line, function and depth.
//!
//! Text dialects carry an event and a line (as its text, or its number), no depth. Both are
//! told from the stack that the segment shows and from what each move can lead to; what
//! stays open is listed. Must not know: how states are spelled.

use super::reach;
use crate::program::outline::{Outline, Scope, ScopeId, ScopeKind, StatementKind};
use crate::program::{Loc, Program};
use crate::trace::{Action, CallStack, Direction, Event, Move, Segment, State};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Name of the code of a module body.
pub const MODULE: &str = "<module>";

/// How a text names a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named<'a> {
    /// By its text, with indentation.
    Source(&'a str),
    /// Exactly.
    At(Loc),
}

/// What a text says of a state, as far as its place depends on it.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// The event.
    pub event: Event,
    /// The line.
    pub named: Named<'a>,
    /// The value of a return.
    pub arg: Option<&'a str>,
    /// Whether it lists variables.
    pub lists: bool,
}

impl Said<'_> {
    /// Whether a place is what it says.
    fn at(&self, program: &Program, loc: Loc) -> bool {
        match self.named {
            Named::At(named) => named == loc,
            Named::Source(text) => program.source(loc).is_some_and(|line| &**line == text),
        }
    }
}

/// Where a state is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its line.
    pub loc: Loc,
    /// Other lines that it may as well be, nearest first.
    pub candidates: Vec<Loc>,
    /// `co_name` of its frame's code.
    pub function: Arc<str>,
    /// Frames below it.
    pub depth: u32,
    /// A resume or a yield.
    pub suspension: bool,
}

/// A frame that the segment shows to be open.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Frames below it.
    pub depth: u32,
    /// `co_name` of its code.
    pub function: Arc<str>,
    /// The file of its code.
    pub file: u16,
    /// Where it was last; `None` if a jump may have moved it.
    pub loc: Option<Loc>,
    /// Its code, if the outline has it.
    pub scope: Option<ScopeId>,
}

/// Finds the place of an event that a move led to. `None` if the program has no such line.
pub fn find(program: &Program, segment: &Segment, ask: &Move, said: Said<'_>) -> Option<Found> {
    let Said { event, named, .. } = said;
    let stack = stack(program, segment);
    let present = segment.present();
    if event == Event::Call && named == Named::Source(MODULE) {
        return Some(module_call(segment));
    }
    let lines: Vec<Loc> = match named {
        Named::At(loc) => program.source(loc).map(|_| loc).into_iter().collect(),
        Named::Source(text) => spelled(program, text),
    };
    let stops = || ask.stops.iter().map(|stop| stop.loc).filter(|loc| lines.contains(loc));
    let lines: Vec<Loc> = match ask.action {
        Action::Breakpoint if stops().next().is_some() => {
            // The text is a stop's; other lines of equal text are stops only to a reader.
            let rest = lines.iter().copied().filter(|loc| !stops().any(|stop| stop == *loc));
            stops().chain(rest).collect()
        }
        _ => lines,
    };
    if let Some(possible) = reach::possible(program, segment, ask) {
        let mut possible = possible.iter().filter(|f| f.event == event && said.at(program, f.loc));
        if let Some(first) = possible.next() {
            let frame = stack.iter().find(|frame| frame.depth == first.depth);
            let same = possible.filter(|follow| follow.depth == first.depth);
            let all: BTreeSet<Loc> = std::iter::once(first).chain(same).map(|f| f.loc).collect();
            let mut found =
                choose(program, event, all.into_iter().collect(), first.depth, frame, present)?;
            found.suspension = suspension(program, segment, &found, said);
            return Some(found);
        }
    }
    let wanted = depths(segment.direction, present, event, ask.action);
    for &depth in &wanted {
        let frame = frame_of(&stack, segment, event, depth);
        let inside: Vec<Loc> = lines
            .iter()
            .copied()
            .filter(|&loc| fits(program, event, loc, frame.filter(|_| event != Event::Call)))
            .collect();
        if let Some(mut found) = choose(program, event, inside, depth, frame, present) {
            found.suspension = suspension(program, segment, &found, said);
            return Some(found);
        }
    }
    // In no frame where the move can lead: kept all the same, as the text says.
    let depth = wanted.first().copied().unwrap_or(present.depth);
    let mut found = choose(program, event, lines, depth, None, present)?;
    found.suspension = suspension(program, segment, &found, said);
    Some(found)
}

/// Whether a call is a resume, and a return a yield, which text does not say.
fn suspension(program: &Program, segment: &Segment, found: &Found, said: Said<'_>) -> bool {
    let Some(outline) = outline(program, found.loc) else { return false };
    let line = found.loc.line;
    let scope = outline.scope_named(&found.function, line).and_then(|id| outline.scope(id));
    let Some(scope) = scope.filter(|scope| scope.is_generator || scope.is_async) else {
        return false;
    };
    match (said.event, scope.kind) {
        // A generator expression yields without saying so; it ends with None.
        (Event::Return, ScopeKind::Generator) => said.arg != Some("None"),
        (Event::Return, _) => outline.suspends(line),
        // It begins and goes on at the same line. What was suspended last goes on.
        (Event::Call, ScopeKind::Generator) => {
            let same = |state: &&State| state.function == found.function && state.loc == found.loc;
            let mut ends =
                segment.states().filter(same).filter(|state| state.event == Event::Return);
            match segment.direction {
                Direction::Forward => ends.next_back().is_some_and(|state| state.suspension),
                Direction::Inverse => said.lists,
            }
        }
        (Event::Call, _) => outline.suspends(line) && !heads(scope).contains(&line),
        _ => false,
    }
}

/// The call of a module: of the first file's at the bottom, of another's where it is
/// imported, which the text does not say.
fn module_call(segment: &Segment) -> Found {
    let present = segment.present();
    let (file, depth) = match segment.direction {
        Direction::Forward => (1, present.depth + 1),
        Direction::Inverse => (present.loc.file, present.depth),
    };
    Found {
        loc: Loc { file, line: 1 },
        candidates: Vec::new(),
        function: MODULE.into(),
        depth,
        suspension: false,
    }
}

/// The frames that the segment shows to be open at its end, innermost last.
pub fn stack(program: &Program, segment: &Segment) -> Vec<Frame> {
    let frames = (0u32..).zip(CallStack::of(segment).frames());
    let known = frames.filter_map(|(depth, frame)| {
        let function = frame.function?;
        let file = frame.loc.map_or(0, |loc| loc.file);
        let outline = program.outline(file)?;
        let by_name = || {
            let mut same = (0..).zip(outline.scopes()).filter(|(_, s)| *s.name == *function);
            same.next().filter(|_| same.next().is_none()).map(|(id, _)| id)
        };
        let loc = frame.loc.filter(|loc| loc.line > 0);
        let scope = match loc {
            Some(loc) => outline.scope_named(&function, loc.line),
            None => by_name(),
        };
        Some(Frame { depth, function, file, loc, scope })
    });
    known.collect()
}

fn outline(program: &Program, loc: Loc) -> Option<&Outline> {
    program.files.get(usize::from(loc.file)).map(|file| &*file.outline)
}

/// All lines with a text.
fn spelled(program: &Program, text: &str) -> Vec<Loc> {
    let mut lines = Vec::new();
    for (file, source) in (0u16..).zip(&program.files) {
        let same = (1u32..).zip(&source.lines).filter(|(_, line)| &***line == text);
        lines.extend(same.map(|(line, _)| Loc { file, line }));
    }
    lines
}

/// The frame that an event at a depth is in, if the segment shows it. Backwards, the end of
/// a frame right before a call at its depth is that of an earlier call, not of the present
/// frame.
pub fn frame_of<'a>(
    frames: &'a [Frame],
    segment: &Segment,
    event: Event,
    depth: u32,
) -> Option<&'a Frame> {
    let present = segment.present();
    let another = segment.direction == Direction::Inverse
        && (present.event, present.depth) == (Event::Call, depth)
        && matches!(event, Event::Return | Event::Exception);
    frames.iter().find(|frame| frame.depth == depth && !another)
}

/// The place of a first state whose line was asked for.
pub fn first(program: &Program, first: &State, named: Named<'_>) -> Option<Found> {
    let lines = match named {
        Named::At(loc) => vec![loc],
        Named::Source(text) => spelled(program, text),
    };
    let mut lines: Vec<Loc> = lines.into_iter().filter(|loc| loc.file == first.loc.file).collect();
    if first.loc.line > 0 {
        lines.retain(|loc| *loc == first.loc);
    }
    let segment = Segment::new(Direction::Forward, Vec::new(), first.clone());
    let frame = stack(program, &segment).pop();
    lines.retain(|&loc| fits(program, first.event, loc, frame.as_ref()));
    let mut found = choose(program, first.event, lines, first.depth, frame.as_ref(), first)?;
    found.function = first.function.clone();
    Some(found)
}

/// The depths at which an event can follow, likeliest first.
pub fn depths(direction: Direction, present: &State, event: Event, action: Action) -> Vec<u32> {
    let (here, deeper) = (present.depth, present.depth + 1);
    let above = present.depth.checked_sub(1);
    let list = |depths: &[Option<u32>]| depths.iter().copied().flatten().collect();
    let ended = matches!(present.event, Event::Return | Event::Exception);
    if action == Action::Breakpoint {
        let outer = (0..here).rev().map(Some);
        return [Some(here), Some(deeper)].into_iter().chain(outer).flatten().collect();
    }
    match direction {
        Direction::Forward => match (event, present.event) {
            (Event::Call, Event::Return) => list(&[Some(here)]),
            (Event::Call, Event::Exception) => list(&[Some(deeper), Some(here)]),
            (Event::Call, _) => list(&[Some(deeper)]),
            (_, Event::Return) => list(&[above, Some(here)]),
            (Event::Exception, Event::Exception) => list(&[above, Some(here)]),
            _ => list(&[Some(here), above.filter(|_| ended)]),
        },
        Direction::Inverse => match (event, present.event) {
            (Event::Return | Event::Exception, Event::LineAfterCall) => list(&[Some(deeper)]),
            (Event::Return, Event::Call) => list(&[Some(here)]),
            (Event::Exception, Event::Call) => list(&[Some(here), above]),
            (Event::Return, _) => list(&[Some(deeper)]),
            (Event::Exception, _) => list(&[Some(here), Some(deeper)]),
            (_, Event::Call) => list(&[above, Some(here)]),
            _ => list(&[Some(here)]),
        },
    }
}

/// Whether an event can be at a line, as far as the outline knows; in a frame whose code is
/// known, only at its lines.
fn fits(program: &Program, event: Event, loc: Loc, frame: Option<&Frame>) -> bool {
    let Some(outline) = outline(program, loc) else { return false };
    if event == Event::Call {
        return !called(outline, loc.line).is_empty() || outline.suspends(loc.line);
    }
    match frame.and_then(|frame| Some((frame.file, frame.scope?))) {
        Some((file, scope)) => file == loc.file && within(outline, scope, loc.line),
        None => true,
    }
}

/// Lines at which the first call of a frame of this scope can be: its `def`, its first
/// decorator.
pub fn heads(scope: &Scope) -> Vec<u32> {
    match scope.kind {
        ScopeKind::Module => Vec::new(),
        _ => vec![scope.line, scope.first_line],
    }
}

/// Scopes whose first call can be at a line.
pub fn called(outline: &Outline, line: u32) -> Vec<ScopeId> {
    let all = (0..).zip(outline.scopes());
    all.filter(|(_, scope)| heads(scope).contains(&line)).map(|(id, _)| id).collect()
}

/// Whether a line is one of a scope's own: of its head or body, not of what is nested in
/// it.
pub fn within(outline: &Outline, scope: ScopeId, line: u32) -> bool {
    let Some(it) = outline.scope(scope) else { return true };
    match it.kind {
        ScopeKind::Lambda | ScopeKind::Generator => it.body.contains(line),
        _ => outline.scope_at(line) == scope || it.line == line || it.first_line == line,
    }
}

/// The lambda or generator expression on a line, if a frame entered from its end there is
/// rather that than the function around it: where the caller stands on the same line, or
/// where the function could not return.
fn inner(outline: &Outline, loc: Loc, present: &State) -> Option<ScopeId> {
    let small = |scope: &Scope| matches!(scope.kind, ScopeKind::Lambda | ScopeKind::Generator);
    let mut scopes = (0..).zip(outline.scopes());
    let (id, _) = scopes.find(|(_, scope)| small(scope) && scope.body.contains(loc.line))?;
    let returns = outline.statements_at(loc.line).any(|(_, s)| s.kind == StatementKind::Return);
    (present.loc == loc || !returns).then_some(id)
}

/// The nearest of some lines, with what else follows from it.
fn choose(
    program: &Program,
    event: Event,
    mut lines: Vec<Loc>,
    depth: u32,
    frame: Option<&Frame>,
    present: &State,
) -> Option<Found> {
    let near = frame.and_then(|frame| frame.loc).unwrap_or(present.loc);
    if lines.len() > 1 && event != Event::Call {
        lines.sort_by_key(|loc| (loc.file != near.file, loc.line.abs_diff(near.line)));
    }
    let loc = *lines.first()?;
    let outline = outline(program, loc)?;
    let known = frame.filter(|_| event != Event::Call).map(|frame| frame.function.clone());
    let scope = match event {
        Event::Call => called(outline, loc.line).first().copied(),
        Event::Return | Event::Exception if frame.is_none() => inner(outline, loc, present),
        _ => None,
    };
    let scope = scope.unwrap_or_else(|| outline.scope_at(loc.line));
    let function = known.or_else(|| Some(outline.scope(scope)?.name.as_str().into()))?;
    let candidates = lines.split_off(1);
    Some(Found { loc, candidates, function, depth, suspension: false })
}
