//! States to tokens: a document grows state by state.

use super::context::Context;
use super::memory::Memory;
use super::names::{Names, characters};
use super::vocab::{
    self, ARG, AT, DEEP, DEPTH, END, FOCUS, FUNCTION, ITERATION, NONE, SEGMENT, SEP, Token, UNKNOWN,
};
use super::{Limit, value};
use crate::trace::{Action, Direction, Event, Exit, Move, Patch, State};
use std::ops::Range;

/// A document: a context and one segment of one direction, written as far as it goes.
#[derive(Debug, Clone)]
pub struct Writer<'a> {
    context: &'a Context,
    memory: Memory,
    ids: Vec<Token>,
    present: Option<(Event, u32, u32)>,
}

impl<'a> Writer<'a> {
    /// A document that holds the context and begins a segment.
    pub fn new(context: &'a Context, direction: Direction) -> Self {
        let mut ids = context.ids().to_vec();
        ids.push(SEGMENT);
        Writer { context, memory: Memory::new(context, direction), ids, present: None }
    }

    /// All tokens so far.
    pub fn ids(&self) -> &[Token] {
        &self.ids
    }

    /// What both sides remember so far.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The tokens and the memory after them.
    pub fn finish(self) -> (Vec<Token>, Memory) {
        (self.ids, self.memory)
    }

    /// Writes a state; returns where it lies in the document.
    ///
    /// # Errors
    /// [`Limit::Names`] for a variable whose name cannot be spelled.
    pub fn state(&mut self, state: &State) -> Result<Range<usize>, Limit> {
        let start = self.ids.len();
        self.head(state)?;
        match &state.locals {
            None => self.ids.push(UNKNOWN),
            Some(locals) => {
                let base = self.memory.base(state.event, state.depth, &state.function);
                let patch = Patch::between(&base, locals);
                let names = &mut self.memory.names;
                for name in &patch.deleted {
                    name_and_value(name, None, names, &mut self.ids)?;
                    self.ids.push(SEP);
                }
                for (name, value) in &patch.set {
                    name_and_value(name, Some(value.text()), names, &mut self.ids)?;
                    self.ids.push(SEP);
                }
            }
        }
        if let Some(arg) = &state.arg {
            self.ids.push(ARG);
            value::write(arg.text(), &mut self.memory.names, &mut self.ids);
        }
        self.ids.push(END);
        self.memory.note(self.context, state);
        self.present = Some((state.event, state.depth, state.loc.line));
        Ok(start..self.ids.len())
    }

    /// Writes a state's event, depth, line and function, and nothing after them.
    ///
    /// # Errors
    /// [`Limit::Files`] for a state outside the first file.
    pub fn head(&mut self, state: &State) -> Result<(), Limit> {
        if state.loc.file != 0 {
            return Err(Limit::Files(usize::from(state.loc.file) + 1));
        }
        let out = &mut self.ids;
        out.push(vocab::event(state.event, state.suspension));
        if state.depth < DEPTH.len() as u32 {
            out.push(DEPTH.start + state.depth);
        } else {
            out.push(DEEP);
            characters(&state.depth.to_string(), out);
        }
        match self.context.line_token(state.loc.line) {
            Some(token) => out.push(token),
            None => {
                out.push(AT);
                characters(&state.loc.line.to_string(), out);
            }
        }
        let suggested = self.context.suggested(state.event, state.suspension, state.loc.line);
        if *state.function != *suggested {
            out.push(FUNCTION);
            self.memory.names.write(&state.function, out);
        }
        Ok(())
    }

    /// Writes the focus and the question. What follows is the answer.
    ///
    /// # Errors
    /// [`Limit::Action`] if the language has no such move.
    pub fn ask(&mut self, ask: &Move) -> Result<(), Limit> {
        let action = vocab::action(ask.direction, ask.action).filter(|_| ask.exists());
        let action = action.ok_or(Limit::Action)?;
        if ask.direction == Direction::Forward {
            self.focus()?;
        }
        self.ids.push(action);
        for stop in &ask.stops {
            if stop.call {
                self.ids.push(vocab::event(Event::Call, false));
            }
            match self.context.line_token(stop.loc.line).filter(|_| stop.loc.file == 0) {
                Some(token) => self.ids.push(token),
                None => {
                    self.ids.push(AT);
                    characters(&stop.loc.line.to_string(), &mut self.ids);
                }
            }
        }
        if ask.action == Action::Breakpoint {
            self.memory.skip();
        }
        Ok(())
    }

    /// Writes an exit; returns where it lies. A cut recording has none.
    ///
    /// # Errors
    /// [`Limit::Action`] for [`Exit::Cut`].
    pub fn exit(&mut self, exit: Exit) -> Result<Range<usize>, Limit> {
        self.ids.push(vocab::exit(exit).ok_or(Limit::Action)?);
        Ok(self.ids.len() - 1..self.ids.len())
    }

    /// Before a line runs: its text and the values it reads. After a callee has returned:
    /// the same of the caller's statement, which goes on. Only what was shown before; of a
    /// `for`, how many elements it has taken.
    fn focus(&mut self) -> Result<(), Limit> {
        let Some((event, depth, line)) = self.present else { return Ok(()) };
        let (depth, line) = match event {
            Event::Line => (depth, Some(line)),
            Event::Return => {
                let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
                (depth, self.memory.shown(depth).and_then(|shown| shown.line))
            }
            _ => return Ok(()),
        };
        let Some(line) = line else { return Ok(()) };
        let Some((tokens, reads)) = self.context.statement(line) else { return Ok(()) };
        self.ids.push(FOCUS);
        self.ids.extend(tokens);
        if let Some(taken) = self.memory.taken(depth, line) {
            self.ids.push(ITERATION);
            characters(&taken.to_string(), &mut self.ids);
        }
        let locals = self.memory.shown(depth).and_then(|shown| shown.locals.clone());
        let locals = locals.unwrap_or_default();
        for name in reads {
            if let Some(value) = locals.get(name) {
                self.ids.push(SEP);
                name_and_value(name, Some(value.text()), &mut self.memory.names, &mut self.ids)?;
            }
        }
        Ok(())
    }
}

/// Writes `name = value`.
fn name_and_value(
    name: &str,
    text: Option<&str>,
    names: &mut Names,
    out: &mut Vec<Token>,
) -> Result<(), Limit> {
    // The character that ends a spelled name.
    if name.contains('=') || name.is_empty() {
        return Err(Limit::Names);
    }
    names.write(name, out);
    out.extend(vocab::ascii('='));
    match text {
        Some(text) => value::write(text, names, out),
        None => out.push(NONE),
    }
    Ok(())
}
