//! A whole document back to the segment it says.

use super::context::Context;
use super::legal::Legal;
use super::memory::Memory;
use super::read::Reader;
use super::vocab::{self, ACTION, ACTIONS, AT, EVENT, FOCUS, LINE, SEGMENT, Token};
use crate::program::Loc;
use crate::trace::{Direction, Event, Exit, Move, Outcome, Segment, State, StopAt};
use std::sync::Arc;

/// What a document says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The states and the moves between them.
    pub segment: Segment,
    /// The move that led out of the execution, if the document ends so.
    pub exit: Option<(Move, Exit)>,
}

/// Reads a document of a context; `None` if the tokens are none. The reverse of
/// [`Writer`](super::Writer).
pub fn read(context: &Arc<Context>, direction: Direction, ids: &[Token]) -> Option<Document> {
    let rest = ids.strip_prefix(context.ids())?.strip_prefix(&[SEGMENT])?;
    let mut input = Input { context, memory: Memory::new(context, direction), rest };
    let mut given = Vec::new();
    while input.rest.first().is_some_and(|token| EVENT.contains(token)) {
        given.push(input.state()?);
    }
    let first = given.pop()?;
    let mut segment = Segment::new(direction, given, first);
    while !input.rest.is_empty() {
        let ask = input.question()?;
        match input.answer()? {
            Outcome::State(state) => segment.steps.push((ask, state)),
            Outcome::Exit(exit) => {
                let exit = Some((ask, exit));
                return input.rest.is_empty().then_some(Document { segment, exit });
            }
        }
    }
    Some(Document { segment, exit: None })
}

/// What is left of a document.
struct Input<'a> {
    context: &'a Arc<Context>,
    memory: Memory,
    rest: &'a [Token],
}

impl Input<'_> {
    fn next(&mut self) -> Option<Token> {
        let (&token, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(token)
    }

    fn state(&mut self) -> Option<State> {
        match self.answer()? {
            Outcome::State(state) => Some(state),
            Outcome::Exit(_) => None,
        }
    }

    fn answer(&mut self) -> Option<Outcome> {
        let mut reader = Reader::new(self.context.clone(), self.memory.clone(), Legal::free());
        while !reader.done() {
            let token = self.next()?;
            reader.push(token).then_some(())?;
        }
        self.memory = reader.memory().clone();
        reader.outcome().cloned()
    }

    fn question(&mut self) -> Option<Move> {
        let mut token = self.next()?;
        if token == FOCUS {
            // It repeats what is known; an action ends it.
            while !ACTION.contains(&token) {
                token = self.next()?;
            }
        }
        let &(direction, action) = ACTIONS.get(token.checked_sub(ACTION.start)? as usize)?;
        let mut stops = Vec::new();
        while let Some(stop) = self.stop() {
            stops.push(stop);
        }
        if !stops.is_empty() {
            self.memory.skip();
        }
        Some(Move { action, direction, stops })
    }

    /// A place to stop. A call that is followed by a line and not by a depth.
    fn stop(&mut self) -> Option<StopAt> {
        let is_place = |token: &Token| LINE.contains(token) || *token == AT;
        let call = self.rest.first() == Some(&vocab::event(Event::Call, false));
        if !self.rest.get(usize::from(call)).is_some_and(is_place) {
            return None;
        }
        self.rest = self.rest.get(usize::from(call)..)?;
        let token = self.next()?;
        let line = if token == AT { self.digits() } else { self.context.physical(token)? };
        Some(StopAt { loc: Loc::main(line), call })
    }

    fn digits(&mut self) -> u32 {
        let mut value = 0u32;
        let digit = |token: &Token| vocab::as_ascii(*token).and_then(|c| c.to_digit(10));
        while let Some(digit) = self.rest.first().and_then(digit) {
            value = value.saturating_mul(10).saturating_add(digit);
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
        value
    }
}
