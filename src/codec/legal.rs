//! What can follow, for text dialects: which events, exits and lines an answer may name.
//!
//! Sound rather than tight: whatever CPython can do is legal. Must not know: how states are
//! spelled.

use super::context::Context;
use super::{place, reach};
use crate::program::outline::{Outline, ScopeId, ScopeKind, StatementKind};
use crate::program::{Loc, Program};
use crate::trace::{Action, Direction, Event, Exit, Move, Segment, State};
use std::collections::BTreeSet;

/// Events that a move can lead to.
pub fn events(segment: &Segment, ask: &Move) -> Vec<Event> {
    use Event::{Call, Exception, Line, LineAfterCall, Return};
    let present = segment.present();
    let ended = matches!(present.event, Return | Exception);
    match (ask.direction, ask.action) {
        (_, Action::Continue) => Vec::new(),
        (Direction::Forward, Action::Breakpoint) => {
            let mut events = Vec::new();
            if ask.stops.iter().any(|stop| !stop.call) {
                events.push(Line);
            }
            if ask.stops.iter().any(|stop| stop.call) {
                events.push(Call);
            }
            events
        }
        (Direction::Forward, Action::StepReturn) if !ended => vec![Return, Exception],
        (Direction::Forward, Action::StepOver) if !ended => vec![Line, Return, Exception],
        (Direction::Forward, _) => vec![Line, Call, Return, Exception],
        (Direction::Inverse, Action::StepCall) if present.event != Call => vec![Call],
        (Direction::Inverse, _) => vec![Line, LineAfterCall, Call, Return, Exception],
    }
}

/// Exits that a move can lead to. One step leaves the program only from the entry frame's
/// end, or where a line may end the process (`os._exit`), which takes a call or an import.
pub fn exits(program: &Program, segment: &Segment, ask: &Move) -> Vec<Exit> {
    let present = segment.present();
    if ask.direction == Direction::Inverse {
        let entry = present.depth == 0 && present.event == Event::Call;
        // A state may be the first that is known of its frame.
        let leaves = entry || ask.action == Action::StepCall;
        return if leaves { vec![Exit::Entry] } else { Vec::new() };
    }
    if ask.action != Action::StepInto {
        return vec![Exit::Normal, Exit::Error, Exit::Never];
    }
    let leaves = match present.event {
        Event::Return | Event::Exception => present.depth == 0,
        Event::Call => false,
        Event::Line | Event::LineAfterCall => may_end(program, present.loc),
    };
    if leaves {
        return vec![Exit::Normal, Exit::Error];
    }
    Vec::new()
}

/// Whether a line does anything that could end the process at once.
fn may_end(program: &Program, loc: Loc) -> bool {
    let Some(outline) = program.files.get(usize::from(loc.file)).map(|file| &file.outline) else {
        return true;
    };
    let imports = program.source(loc).is_some_and(|line| line.contains("import"));
    imports || !outline.calls(loc.line).is_empty()
}

/// Lines at which an event can be after a move: of the frames it can lead to, where those
/// are known, among the lines that the model reads.
pub fn lines(
    program: &Program,
    context: &Context,
    segment: &Segment,
    ask: &Move,
    event: Event,
) -> Vec<Loc> {
    if ask.action == Action::Breakpoint {
        return ask.stops.iter().map(|stop| stop.loc).collect();
    }
    if let Some(possible) = reach::possible(program, segment, ask) {
        let lines: BTreeSet<Loc> =
            possible.iter().filter(|p| p.event == event).map(|p| p.loc).collect();
        return lines.into_iter().filter(|loc| program.source(*loc).is_some()).collect();
    }
    if ask.direction == Direction::Inverse
        && ask.action != Action::StepCall
        && matches!(event, Event::Line | Event::LineAfterCall)
        && let Some(before) = reach::before(program, segment.present())
    {
        return before;
    }
    let read: BTreeSet<Loc> = context.lines.iter().copied().collect();
    if event == Event::Call && segment.direction == Direction::Forward {
        return calls(program).into_iter().filter(|loc| read.contains(loc)).collect();
    }
    let frames = place::stack(program, segment);
    let mut lines = BTreeSet::new();
    for depth in place::depths(segment.direction, segment.present(), event, ask.action) {
        let frame = place::frame_of(&frames, segment, event, depth);
        match frame.and_then(|frame| Some((frame.file, frame.scope?))) {
            Some((file, scope)) if event == Event::Call => {
                lines.extend(begins(program, file, scope))
            }
            Some((file, scope)) => lines.extend(own(program, file, scope)),
            None if event == Event::Call => lines.extend(calls(program)),
            None => lines.extend(anywhere(program).into_iter().filter(|loc| read.contains(loc))),
        }
    }
    lines.into_iter().collect()
}

fn outlines(program: &Program) -> impl Iterator<Item = (u16, &Outline)> {
    (0u16..).zip(program.files.iter().map(|file| &*file.outline))
}

/// Whether a call that a move leads to can be that of a module, which has no line.
pub fn module_call(program: &Program, segment: &Segment, ask: &Move) -> bool {
    if segment.direction == Direction::Forward {
        return program.files.len() > 1; // an import
    }
    let depths = place::depths(segment.direction, segment.present(), Event::Call, ask.action);
    let frames = place::stack(program, segment);
    depths.into_iter().any(|depth| {
        let frame = place::frame_of(&frames, segment, Event::Call, depth);
        frame.and_then(|frame| frame.scope).is_none_or(|scope| scope == 0)
    })
}

/// Where frames can begin or go on.
fn calls(program: &Program) -> Vec<Loc> {
    let mut lines = BTreeSet::new();
    for (file, outline) in outlines(program) {
        for (scope, _) in (0..).zip(outline.scopes()) {
            lines.extend(begins(program, file, scope));
        }
    }
    lines.into_iter().collect()
}

/// Where a frame of a scope can begin or go on.
fn begins(program: &Program, file: u16, scope: ScopeId) -> Vec<Loc> {
    let Some(outline) = program.files.get(usize::from(file)).map(|file| &file.outline) else {
        return Vec::new();
    };
    let Some(it) = outline.scope(scope) else { return Vec::new() };
    let mut lines = place::heads(it);
    if it.is_generator || it.is_async {
        lines.extend(it.body.iter().filter(|&line| outline.suspends(line)));
    }
    lines.into_iter().map(|line| Loc { file, line }).collect()
}

/// Lines that hold code.
fn anywhere(program: &Program) -> Vec<Loc> {
    outlines(program)
        .flat_map(|(file, outline)| {
            (0..).zip(outline.scopes()).flat_map(move |(id, _)| own(program, file, id))
        })
        .collect()
}

/// The lines at which a frame of a scope can be: those of its statements, of its own head,
/// and, where the file does not parse, every line in it with text.
fn own(program: &Program, file: u16, scope: ScopeId) -> Vec<Loc> {
    let Some(outline) = program.files.get(usize::from(file)).map(|file| &file.outline) else {
        return Vec::new();
    };
    let Some(it) = outline.scope(scope) else { return Vec::new() };
    let body = match it.kind {
        ScopeKind::Module => 1..=u32::MAX,
        _ => it.first_line..=it.body.last,
    };
    let last = program.files.get(usize::from(file)).map_or(0, |file| file.lines.len() as u32);
    (*body.start()..=(*body.end()).min(last))
        .filter(|&line| place::within(outline, scope, line))
        .map(|line| Loc { file, line })
        .filter(|&loc| program.source(loc).is_some_and(|text| !text.trim().is_empty()))
        .collect()
}

/// Parameters of the function that a call state enters, as CPython lists them.
pub fn parameters(program: &Program, call: &State) -> Vec<String> {
    let file = program.files.get(usize::from(call.loc.file));
    let scope = file.and_then(|file| {
        let outline = &file.outline;
        outline.scope(outline.scope_named(&call.function, call.loc.line)?)
    });
    scope
        .map(|it| it.in_frame_order().map(|param| param.name.clone()).collect())
        .unwrap_or_default()
}

/// Lines at which the function of a state can return: its `return` statements; without
/// any, or in a generator, every line of it.
pub fn ends(program: &Program, state: &State) -> Vec<Loc> {
    let file = state.loc.file;
    let Some(outline) = program.files.get(usize::from(file)).map(|file| &file.outline) else {
        return Vec::new();
    };
    let named = outline.function(&state.function).map(|(id, _)| id);
    let Some(scope) = outline.scope_named(&state.function, state.loc.line).or(named) else {
        return Vec::new();
    };
    let returns: Vec<Loc> = outline
        .statements()
        .iter()
        .filter(|statement| statement.scope == scope && statement.kind == StatementKind::Return)
        .flat_map(|statement| statement.lines.iter())
        .map(|line| Loc { file, line })
        .collect();
    let given = state.arg.as_ref().is_some_and(|value| value.text() != "None");
    if given && !returns.is_empty() { returns } else { own(program, file, scope) }
}
