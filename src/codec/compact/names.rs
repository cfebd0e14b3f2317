//! Which token stands for a name: one of Python's own words, a slot, or none yet.

use super::set::TokenSet;
use super::value::in_name;
use super::vocab::{self, BYTE, CODE_NAME, CUT, SLOT, SPELL, Token, WORD};
use std::collections::HashMap;
use std::sync::Arc;

/// The program's own names and their slots, in order of appearance: first over the
/// context, then over names and values as they are written. Writer and reader keep the
/// same table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    slots: Vec<Arc<str>>,
    index: HashMap<Arc<str>, Token>,
    /// Slots whose names are names in values too (see [`super::value::in_name`]).
    plain: TokenSet,
}

impl Names {
    /// The token of a name, if it has one.
    pub fn token(&self, name: &str) -> Option<Token> {
        vocab::word(name).or_else(|| self.index.get(name).copied())
    }

    /// The name a token stands for.
    pub fn text(&self, token: Token) -> Option<&str> {
        if SLOT.contains(&token) {
            return self.slots.get((token - SLOT.start) as usize).map(|name| &**name);
        }
        (token >= vocab::CODE_NAME.start).then(|| vocab::text(token)).flatten()
    }

    /// Gives a name the next free slot; `false` if none is free.
    pub fn assign(&mut self, name: &str) -> bool {
        if self.token(name).is_some() {
            return true;
        }
        let token = SLOT.start + self.slots.len() as Token;
        if !SLOT.contains(&token) {
            return false;
        }
        if name.chars().all(in_name) && !name.starts_with(|c: char| c.is_ascii_digit()) {
            self.plain.insert(token);
        }
        let name: Arc<str> = name.into();
        self.slots.push(name.clone());
        self.index.insert(name, token);
        true
    }

    /// Inserts the tokens of all names a code object can have but one.
    pub(super) fn insert_functions(&self, but: &str, set: &mut TokenSet) {
        set.extend(CODE_NAME);
        set.extend(WORD);
        set.extend(SLOT.take(self.used()));
        if let Some(token) = self.token(but) {
            set.remove(token);
        }
    }

    /// The slots that can stand in values.
    pub(super) fn plain(&self) -> &TokenSet {
        &self.plain
    }

    /// Number of slots in use.
    pub fn used(&self) -> usize {
        self.slots.len()
    }

    /// Writes a name: its token, or spelled, in which case it gets a slot if one is free.
    pub fn write(&mut self, name: &str, out: &mut Vec<Token>) {
        match self.token(name) {
            Some(token) => out.push(token),
            None => {
                out.push(SPELL);
                characters(name, out);
                self.assign(name);
            }
        }
    }
}

/// Writes text character by character; what has no token, as bytes.
pub fn characters(text: &str, out: &mut Vec<Token>) {
    for c in text.chars() {
        character(c, out);
    }
}

/// Writes one character.
pub fn character(c: char, out: &mut Vec<Token>) {
    if let Some(token) = vocab::ascii(c) {
        out.push(token);
    } else if c == '…' {
        out.push(CUT);
    } else {
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).bytes();
        out.extend(bytes.map(|byte| BYTE.start + Token::from(byte)));
    }
}
