//! Text from character and byte tokens, valid at every character.

use super::set::TokenSet;
use super::vocab::{self, BYTE, CHAR, COLON, COMMA, CUT, Token};

/// Text so far, with the bytes of a character that is not whole yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    text: String,
    pending: Vec<u8>,
}

impl Text {
    /// The whole characters so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the last character is whole.
    pub fn is_whole(&self) -> bool {
        self.pending.is_empty()
    }

    /// Appends text.
    pub fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Takes a character, a byte or a pair of characters; `false` if the token is none.
    pub fn push(&mut self, token: Token) -> bool {
        if BYTE.contains(&token) {
            self.pending.push((token - BYTE.start) as u8);
            if let Ok(text) = std::str::from_utf8(&self.pending) {
                self.text.push_str(text);
                self.pending.clear();
            }
            return true;
        }
        if !CHAR.contains(&token) && ![COMMA, COLON, CUT].contains(&token) {
            return false;
        }
        self.text.push_str(vocab::text(token).unwrap_or_default());
        true
    }

    /// Whether a byte token begins a character that has no token of its own.
    pub fn begins(token: Token) -> bool {
        let byte = token.wrapping_sub(BYTE.start);
        matches!(byte, 0x00..=0x1f | 0x7f | 0xc2..=0xf4)
    }

    /// Inserts the bytes that can go on with the character that is not whole (RFC 3629,
    /// without `…`, which has a token).
    pub fn continuation(&self, set: &mut TokenSet) {
        let range = match *self.pending.as_slice() {
            [0xe0] => 0xa0..=0xbf,
            [0xed] => 0x80..=0x9f,
            [0xf0] => 0x90..=0xbf,
            [0xf4] => 0x80..=0x8f,
            _ => 0x80..=0xbf,
        };
        set.extend(range.map(|byte| BYTE.start + byte));
        if self.pending == [0xe2, 0x80] {
            set.remove(BYTE.start + 0xa6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::compact::names::character;

    #[test]
    fn every_character_has_one_legal_spelling() {
        for c in (0..=0x10_ffff).step_by(7).filter_map(char::from_u32).chain(['…', '\u{7f}']) {
            let mut tokens = Vec::new();
            character(c, &mut tokens);
            let mut text = Text::default();
            for &token in &tokens {
                if BYTE.contains(&token) {
                    let mut set = TokenSet::EMPTY;
                    text.continuation(&mut set);
                    let legal =
                        if text.is_whole() { Text::begins(token) } else { set.contains(token) };
                    assert!(legal, "{c:?}");
                }
                assert!(text.push(token));
            }
            assert!(text.is_whole());
            assert_eq!(text.text(), c.to_string());
        }
    }
}
