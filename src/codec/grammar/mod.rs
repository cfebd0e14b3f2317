//! What may be written, token by token: a language of bytes and control tokens, walked
//! together with a vocabulary.
//!
//! ```text
//! Expr ──► Nfa (nfa.rs) ──► Machine: states made when met, masks cached (machine.rs)
//!                               └──► Cursor: one text being written (cursor.rs)
//! ```
//!
//! Languages here are regular: a state of the debugger is a flat record, so nothing needs
//! a stack. Must not know: Python, states, dialects.

mod cursor;
mod machine;
mod nfa;

pub use cursor::Cursor;
pub use machine::{Machine, Vocabulary};

use crate::codec::TokenId;

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByteSet([u128; 2]);

impl ByteSet {
    /// The bytes of some inclusive ranges.
    pub fn ranges(ranges: &[(u8, u8)]) -> Self {
        let mut set = ByteSet::default();
        for &(first, last) in ranges {
            for byte in first..=last {
                set.0[usize::from(byte >> 7)] |= 1 << (byte & 127);
            }
        }
        set
    }

    /// Whether a byte is in it.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 7)] >> (byte & 127) & 1 == 1
    }

    /// The same without some bytes.
    pub fn without(mut self, bytes: &[u8]) -> Self {
        for &byte in bytes {
            self.0[usize::from(byte >> 7)] &= !(1 << (byte & 127));
        }
        self
    }
}

/// A language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// Exactly this control token.
    Control(TokenId),
    /// Exactly these bytes.
    Text(String),
    /// One byte of a set.
    Class(ByteSet),
    /// One after another.
    Seq(Vec<Expr>),
    /// One of these.
    Any(Vec<Expr>),
    /// Any number of times, also none.
    Many(Box<Expr>),
}

impl Expr {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Expr::Text(text.into())
    }

    /// One of some texts.
    pub fn one_of<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Expr::Any(texts.into_iter().map(Expr::text).collect())
    }

    /// This, or nothing.
    pub fn optional(self) -> Self {
        Expr::Any(vec![Expr::Seq(Vec::new()), self])
    }

    /// Any number of times.
    pub fn many(self) -> Self {
        Expr::Many(Box::new(self))
    }

    /// These, any number of them, with a separator between.
    pub fn separated(self, separator: &str) -> Self {
        let rest = Expr::Seq(vec![Expr::text(separator), self.clone()]).many();
        Expr::Seq(vec![self, rest]).optional()
    }

    /// A JSON string as `json.dumps` writes it: printable ASCII and escapes.
    pub fn json_string() -> Self {
        let plain = Expr::Class(ByteSet::ranges(&[(b' ', b'~')]).without(b"\"\\"));
        let hex = || Expr::Class(ByteSet::ranges(&[(b'0', b'9'), (b'a', b'f')]));
        let short = Expr::Class(ByteSet::ranges(&[
            (b'"', b'"'),
            (b'\\', b'\\'),
            (b'n', b'n'),
            (b'r', b'r'),
            (b't', b't'),
            (b'b', b'b'),
            (b'f', b'f'),
        ]));
        let code = Expr::Seq(vec![Expr::text("u"), hex(), hex(), hex(), hex()]);
        let escape = Expr::Seq(vec![Expr::text("\\"), Expr::Any(vec![short, code])]);
        let inner = Expr::Any(vec![plain, escape]).many();
        Expr::Seq(vec![Expr::text("\""), inner, Expr::text("\"")])
    }

    /// One line of UTF-8 text of at least one character, without its end.
    pub fn line() -> Self {
        let range = |first, last| Expr::Class(ByteSet::ranges(&[(first, last)]));
        let tail = || range(0x80, 0xBF);
        let wide = || {
            Expr::Any(vec![
                Expr::Seq(vec![range(0xC2, 0xDF), tail()]),
                Expr::Seq(vec![range(0xE0, 0xE0), range(0xA0, 0xBF), tail()]),
                Expr::Seq(vec![range(0xE1, 0xEC), tail(), tail()]),
                Expr::Seq(vec![range(0xED, 0xED), range(0x80, 0x9F), tail()]),
                Expr::Seq(vec![range(0xEE, 0xEF), tail(), tail()]),
                Expr::Seq(vec![range(0xF0, 0xF0), range(0x90, 0xBF), tail(), tail()]),
                Expr::Seq(vec![range(0xF1, 0xF3), tail(), tail(), tail()]),
                Expr::Seq(vec![range(0xF4, 0xF4), range(0x80, 0x8F), tail(), tail()]),
            ])
        };
        let one = Expr::Any(vec![range(b' ', b'~'), range(b'\t', b'\t'), wide()]);
        Expr::Seq(vec![one.clone(), one.many()])
    }
}

#[cfg(test)]
mod tests;
