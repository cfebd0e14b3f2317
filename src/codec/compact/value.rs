//! Value text to tokens and back, exactly: the concatenation of the tokens is the text.
//!
//! A value that looks like a Python display (strings closed, brackets balanced) is written
//! with words, slots and single characters; any other text is written raw. There is one
//! spelling of a text, so that a reader can refuse all others.

use super::names::{Names, character, characters};
use super::vocab::{COLON, COMMA, RAW, Token};

/// A part of a value's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'a> {
    /// An identifier outside strings.
    Name(&'a str),
    /// `, ` or `: ` outside strings.
    Pair(Token),
    /// Any other character.
    Char(char),
}

/// Writes a value's text. Names without a slot are spelled and get one.
pub fn write(text: &str, names: &mut Names, out: &mut Vec<Token>) {
    let Some(pieces) = pieces(text) else {
        out.push(RAW);
        return characters(text, out);
    };
    for piece in pieces {
        match piece {
            Piece::Name(name) => names.write(name, out),
            Piece::Pair(token) => out.push(token),
            Piece::Char(c) => character(c, out),
        }
    }
}

/// Whether a text has to be written raw.
pub fn is_raw(text: &str) -> bool {
    pieces(text).is_none()
}

/// The bracket that closes one.
pub fn closing(open: char) -> Option<char> {
    Some(match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => return None,
    })
}

/// Whether a character can be part of an identifier in a value. ASCII only: what lies
/// beyond stands for itself.
pub fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    let mut out = Vec::with_capacity(text.len());
    let mut brackets = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut used = c.len_utf8();
        match c {
            '\'' | '"' => {
                used = string(rest, c)?;
                out.extend(rest.get(..used)?.chars().map(Piece::Char));
            }
            '0'..='9' => {
                used = rest.find(|c| !in_name(c) && c != '.').unwrap_or(rest.len());
                out.extend(rest.get(..used)?.chars().map(Piece::Char));
            }
            _ if in_name(c) => {
                used = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
                let (name, after) = rest.split_at(used);
                if name == "b" && after.starts_with(['\'', '"']) {
                    out.push(Piece::Char(c));
                } else {
                    out.push(Piece::Name(name));
                }
            }
            ',' | ':' if rest.get(used..)?.starts_with(' ') => {
                out.push(Piece::Pair(if c == ',' { COMMA } else { COLON }));
                used += 1;
            }
            _ => {
                if let Some(close) = closing(c) {
                    brackets.push(close);
                } else if matches!(c, ')' | ']' | '}') && brackets.pop() != Some(c) {
                    return None;
                }
                out.push(Piece::Char(c));
            }
        }
        rest = rest.get(used..)?;
    }
    (brackets.is_empty() && !text.is_empty()).then_some(out)
}

/// Length of the string literal a text begins with, if it is closed.
fn string(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
