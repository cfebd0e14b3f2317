//! A name that is spelled, character by character.

use crate::codec::compact::names::Names;
use crate::codec::compact::set::TokenSet;
use crate::codec::compact::text::Text;
use crate::codec::compact::vocab::{self, BYTE, CHAR, CUT, Token};
use std::sync::Arc;

/// The characters so far.
#[derive(Debug, Clone, Default)]
pub struct Spelled(Text);

impl Spelled {
    /// Takes a character; `false` if the token is none, or the one that ends names.
    pub fn push(&mut self, token: Token) -> bool {
        let ends = vocab::ascii('=') == Some(token);
        !ends && self.0.push(token)
    }

    /// The name so far.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// The name, which gets a slot if one is free.
    pub fn finish(self, names: &mut Names) -> Arc<str> {
        names.assign(self.0.text());
        self.0.text().into()
    }

    /// Inserts the characters that may follow; returns whether the name may end. A name
    /// that has a token is not spelled.
    pub fn allowed(&self, names: &Names, set: &mut TokenSet) -> bool {
        if !self.0.is_whole() {
            self.0.continuation(set);
            return false;
        }
        set.extend(CHAR);
        set.insert(CUT);
        set.extend(BYTE.filter(|&token| Text::begins(token)));
        if let Some(ends) = vocab::ascii('=') {
            set.remove(ends);
        }
        !self.0.text().is_empty() && names.token(self.0.text()).is_none()
    }
}
