//! Replies while they are generated.

use super::context::Context;
use super::names::Names;
use super::read::Reader;
use super::vocab::{self, BYTE, CHAR, COMMA, CUT, END, SIZE, SLOT, Token};
use crate::codec::legal::ends;
use crate::codec::{Component, Decoded, Reading, Reply, TokenId};
use crate::program::Program;
use crate::trace::{Outcome, State};
use std::ops::Range;

/// A state or an exit, token by token.
#[derive(Debug, Clone)]
pub struct CompactReply {
    reader: Reader,
    ids: Vec<Token>,
    allowed: Vec<Token>,
    /// The first token that was not legal.
    broken: Option<usize>,
}

impl CompactReply {
    /// Nothing pushed yet.
    pub fn new(reader: Reader) -> Self {
        let mut reply = CompactReply { reader, ids: Vec::new(), allowed: Vec::new(), broken: None };
        reply.look();
        reply
    }

    fn look(&mut self) {
        self.allowed.clear();
        match self.broken {
            Some(_) => self.allowed.extend(0..SIZE as Token),
            None => self.allowed.extend(self.reader.allowed().iter()),
        }
    }
}

impl Reply for CompactReply {
    fn allowed(&mut self) -> &[TokenId] {
        &self.allowed
    }

    fn forced(&mut self) -> Vec<TokenId> {
        let mut forced = Vec::new();
        if self.broken.is_none() {
            let mut reader = self.reader.clone();
            while let Some(token) = reader.allowed().single() {
                reader.push(token);
                forced.push(token);
            }
        }
        forced
    }

    fn push(&mut self, id: TokenId) -> bool {
        let legal = self.broken.is_none() && self.reader.push(id);
        if !legal {
            self.broken.get_or_insert(self.ids.len());
        }
        self.ids.push(id);
        self.look();
        legal
    }

    fn done(&self) -> bool {
        match self.broken {
            None => self.reader.done(),
            Some(_) => self.ids.last().is_some_and(|id| *id == END || vocab::EXIT.contains(id)),
        }
    }

    fn text(&self) -> String {
        readable(&self.ids, self.reader.memory().names())
    }

    fn decode(&self) -> Decoded {
        let reading = match (self.broken, self.reader.outcome()) {
            (None, Some(Outcome::State(state))) => Reading::State(state.clone()),
            (None, Some(Outcome::Exit(exit))) => Reading::Exit(*exit),
            (None, None) => self.malformed(self.ids.len(), "the state is not complete"),
            (Some(at), _) => self.malformed(at, "a token that cannot stand there"),
        };
        let spans = self.reader.spans().to_vec();
        Decoded { reading, candidates: Vec::new(), spans, text: self.text() }
    }

    fn fork(&self) -> Box<dyn Reply> {
        Box::new(self.clone())
    }
}

impl CompactReply {
    fn malformed(&self, at: usize, why: &str) -> Reading {
        let before = self.ids.get(..at).unwrap_or_default();
        let at = readable(before, self.reader.memory().names()).len();
        Reading::Malformed { at, why: why.to_owned() }
    }
}

/// Which `return` line? One token.
#[derive(Debug, Clone)]
pub struct LineReply {
    choices: Vec<Token>,
    lines: Vec<u32>,
    state: State,
    ids: Vec<Token>,
}

impl LineReply {
    /// The lines of the state's function that return.
    pub fn new(context: &Context, program: &Program, state: &State) -> Self {
        let mut lines: Vec<u32> = ends(program, state).into_iter().map(|loc| loc.line).collect();
        lines.retain(|&line| context.line_token(line).is_some());
        let choices = lines.iter().filter_map(|&line| context.line_token(line)).collect();
        LineReply { choices, lines, state: state.clone(), ids: Vec::new() }
    }

    fn chosen(&self) -> Option<u32> {
        let at = self.choices.iter().position(|choice| Some(choice) == self.ids.first())?;
        self.lines.get(at).copied()
    }
}

impl Reply for LineReply {
    fn allowed(&mut self) -> &[TokenId] {
        if self.done() { &[] } else { &self.choices }
    }

    fn forced(&mut self) -> Vec<TokenId> {
        match *self.choices.as_slice() {
            [only] if !self.done() => vec![only],
            _ => Vec::new(),
        }
    }

    fn push(&mut self, id: TokenId) -> bool {
        self.ids.push(id);
        self.chosen().is_some()
    }

    fn done(&self) -> bool {
        !self.ids.is_empty()
    }

    fn text(&self) -> String {
        self.chosen().map_or_else(String::new, |line| format!("line {line}"))
    }

    fn decode(&self) -> Decoded {
        let reading = match self.chosen() {
            Some(line) => {
                let mut state = self.state.clone();
                state.loc.line = line;
                Reading::State(state)
            }
            None => Reading::Malformed { at: 0, why: "no line that returns".to_owned() },
        };
        let spans = vec![(Component::Source, Range { start: 0, end: self.ids.len() })];
        Decoded { reading, candidates: Vec::new(), spans, text: self.text() }
    }

    fn fork(&self) -> Box<dyn Reply> {
        Box::new(self.clone())
    }
}

/// Tokens for people: names and characters as they are, all else in angle brackets, apart.
fn readable(ids: &[Token], names: &Names) -> String {
    let mut bytes = Vec::new();
    for &id in ids {
        if BYTE.contains(&id) {
            bytes.push((id - BYTE.start) as u8);
            continue;
        }
        let text = match id {
            _ if SLOT.contains(&id) => names.text(id),
            _ if CHAR.contains(&id) || (COMMA..=CUT).contains(&id) => vocab::text(id),
            _ if vocab::WORD.contains(&id) => vocab::text(id),
            _ => None,
        };
        match text {
            Some(text) => bytes.extend(text.bytes()),
            None => {
                let name = vocab::STRINGS.get(id as usize).map_or("<?>", String::as_str);
                bytes.push(b' ');
                bytes.extend(name.bytes());
                bytes.push(b' ');
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
