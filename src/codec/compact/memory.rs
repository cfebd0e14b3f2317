//! What reader and writer both remember of a segment: names, and the variables last shown
//! on each level.

use super::context::Context;
use super::names::Names;
use crate::trace::{Direction, Event, Locals, State};
use std::sync::Arc;

/// The memory after the states of a segment so far.
#[derive(Debug, Clone)]
pub struct Memory {
    pub(super) names: Names,
    direction: Direction,
    /// The levels shown, by depth, ascending; those jumped over are missing.
    shown: Vec<(u32, Shown)>,
    /// The next state lies an unknown number of lines ahead.
    skipped: bool,
}

/// A level as it was shown last.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) function: Arc<str>,
    pub(super) locals: Option<Locals>,
    /// The physical line it was last seen at.
    at: u32,
    /// Whether it is surely still the same frame.
    certain: bool,
    /// The physical line of its last line state, unless lines may have run since.
    pub(super) line: Option<u32>,
    /// The `for` statements it is in, by their first line, with the number of times each
    /// has taken an element; those begun before anything was shown are missing.
    loops: Vec<(u32, u32)>,
}

impl Memory {
    /// Nothing shown yet.
    pub fn new(context: &Context, direction: Direction) -> Self {
        Memory { names: context.names.clone(), direction, shown: Vec::new(), skipped: false }
    }

    /// The names.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// What was last shown at a depth.
    pub(super) fn shown(&self, depth: u32) -> Option<&Shown> {
        self.shown.iter().rev().find(|(at, _)| *at == depth).map(|(_, shown)| shown)
    }

    /// The variables that a state of this kind is written against: those last shown at its
    /// depth, none if it begins a level (a call or, walking back, a return) or is in another
    /// function. Lossless whatever was jumped over, because only what both sides know
    /// decides.
    pub(super) fn base(&self, event: Event, depth: u32, function: &str) -> Locals {
        let begins = match self.direction {
            Direction::Forward => Event::Call,
            Direction::Inverse => Event::Return,
        };
        let shown =
            self.shown(depth).filter(|shown| event != begins && *shown.function == *function);
        shown.and_then(|shown| shown.locals.clone()).unwrap_or_default()
    }

    /// The frames that are surely on the stack: depth, function and a line of it.
    pub(super) fn frames(&self) -> Vec<(u32, Arc<str>, u32)> {
        let certain = self.shown.iter().filter(|(_, shown)| shown.certain);
        certain.map(|(depth, shown)| (*depth, shown.function.clone(), shown.at)).collect()
    }

    /// How often a `for` statement in progress has taken an element, if all of it was shown.
    pub(super) fn taken(&self, depth: u32, header: u32) -> Option<u32> {
        let loops = &self.shown(depth)?.loops;
        loops.iter().find(|(line, _)| *line == header).map(|&(_, count)| count)
    }

    /// Lines of any level may have run unseen.
    pub(super) fn skip(&mut self) {
        for (_, shown) in &mut self.shown {
            shown.line = None;
            shown.certain = false;
            shown.loops.clear();
        }
        self.skipped = true;
    }

    /// Takes note of a state; levels below it are over.
    pub(super) fn note(&mut self, context: &Context, state: &State) {
        let skipped = std::mem::take(&mut self.skipped);
        let before = self.shown(state.depth);
        let before = before.filter(|shown| shown.function == state.function && !skipped);
        let (line, loops) = match state.event {
            Event::Line | Event::LineAfterCall => {
                let line = state.loc.line;
                (Some(line), before.map_or_else(Vec::new, |before| before.loops_at(context, line)))
            }
            Event::Call => (None, Vec::new()),
            Event::Return | Event::Exception => {
                before.map_or((None, Vec::new()), |before| (before.line, before.loops.clone()))
            }
        };
        while self.shown.last().is_some_and(|&(depth, _)| depth >= state.depth) {
            self.shown.pop();
        }
        let (function, locals) = (state.function.clone(), state.locals.clone());
        let at = state.loc.line;
        self.shown.push((state.depth, Shown { function, locals, at, certain: true, line, loops }));
    }
}

impl Shown {
    /// The loops in progress at the level's next line.
    fn loops_at(&self, context: &Context, line: u32) -> Vec<(u32, u32)> {
        let mut loops = Vec::new();
        for r#loop in context.loops().iter().filter(|r#loop| r#loop.whole.contains(line)) {
            let first = r#loop.header.first;
            let known = self.loops.iter().find(|(header, _)| *header == first);
            let inside = self.line.is_some_and(|before| r#loop.whole.contains(before));
            let in_header = self.line.is_some_and(|l| l != first && r#loop.header.contains(l));
            let count = match known {
                // Not entered through its header, so nothing is known.
                None if inside || line != first => continue,
                _ if !inside => 0,
                Some((_, count)) if line == first && !in_header => count + 1,
                Some((_, count)) => *count,
                None => 0,
            };
            loops.push((first, count));
        }
        loops
    }
}
