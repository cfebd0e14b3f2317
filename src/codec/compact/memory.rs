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
}

/// A level as it was shown last.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) function: Arc<str>,
    pub(super) locals: Option<Locals>,
    /// The physical line of its last line state.
    pub(super) line: Option<u32>,
}

impl Memory {
    /// Nothing shown yet.
    pub fn new(context: &Context, direction: Direction) -> Self {
        Memory { names: context.names.clone(), direction, shown: Vec::new() }
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

    /// Takes note of a state; levels below it are over.
    pub(super) fn note(&mut self, state: &State) {
        let line = match state.event {
            Event::Line | Event::LineAfterCall => Some(state.loc.line),
            Event::Call => None,
            Event::Return | Event::Exception => self
                .shown(state.depth)
                .filter(|shown| shown.function == state.function)
                .and_then(|shown| shown.line),
        };
        while self.shown.last().is_some_and(|&(depth, _)| depth >= state.depth) {
            self.shown.pop();
        }
        let (function, locals) = (state.function.clone(), state.locals.clone());
        self.shown.push((state.depth, Shown { function, locals, line }));
    }
}
