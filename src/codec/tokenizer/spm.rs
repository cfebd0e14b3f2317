//! SentencePiece as llama.cpp does it: characters merge with their neighbour, the pair with
//! the highest score first (leftmost on a tie); what has no token is spelled in bytes.
//!
//! Must not know: special tokens.

use super::{Kind, Spec, TokenizerError};
use crate::codec::TokenId;
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

/// How vocabularies write a space.
const SPACE: &str = "\u{2581}";

#[derive(Debug)]
pub(super) struct Spm {
    ids: HashMap<String, TokenId>,
    scores: Vec<f32>,
    bytes: [Option<TokenId>; 256],
    unknown: Option<TokenId>,
}

impl Spm {
    pub(super) fn new(spec: &Spec, kinds: &[Kind]) -> Result<Self, TokenizerError> {
        if spec.scores.len() != spec.tokens.len() {
            return Err(TokenizerError::Corrupt(format!(
                "{} tokens, but {} scores",
                spec.tokens.len(),
                spec.scores.len()
            )));
        }
        let mut spm = Spm {
            ids: HashMap::with_capacity(spec.tokens.len()),
            scores: spec.scores.clone(),
            bytes: [None; 256],
            unknown: None,
        };
        for (id, (token, kind)) in (0..).zip(spec.tokens.iter().zip(kinds)) {
            match kind {
                Kind::Control | Kind::UserDefined | Kind::Unused => {}
                Kind::Unknown => spm.unknown = Some(id),
                Kind::Byte => {
                    if let Some(byte) = byte(token) {
                        spm.bytes[usize::from(byte)] = Some(id);
                    }
                }
                Kind::Normal => {
                    spm.ids.entry(token.clone()).or_insert(id);
                }
            }
        }
        Ok(spm)
    }

    pub(super) fn encode(&self, text: &str, ids: &mut Vec<TokenId>) {
        let text = text.replace(' ', SPACE);
        let mut symbols: Vec<Symbol> = text
            .char_indices()
            .enumerate()
            .map(|(index, (start, c))| Symbol {
                start,
                end: start + c.len_utf8(),
                previous: index.checked_sub(1),
                next: index + 1,
            })
            .collect();
        let mut pairs = BinaryHeap::new();
        for left in 0..symbols.len() {
            self.consider(&text, &symbols, left, &mut pairs);
        }
        while let Some(Pair { left, right, end, .. }) = pairs.pop() {
            let (Some(&a), Some(&b)) = (symbols.get(left), symbols.get(right)) else { continue };
            if a.start == a.end || a.next != right || b.end != end {
                continue; // one of the two has merged meanwhile
            }
            symbols[left] = Symbol { end, next: b.next, ..a };
            symbols[right].start = b.end;
            if let Some(after) = symbols.get_mut(b.next) {
                after.previous = Some(left);
            }
            if let Some(before) = a.previous {
                self.consider(&text, &symbols, before, &mut pairs);
            }
            self.consider(&text, &symbols, left, &mut pairs);
        }
        for symbol in symbols.iter().filter(|symbol| symbol.start < symbol.end) {
            let piece = text.get(symbol.start..symbol.end).unwrap_or_default();
            match self.ids.get(piece) {
                Some(&id) => ids.push(id),
                None => ids.extend(
                    piece.bytes().filter_map(|b| self.bytes[usize::from(b)].or(self.unknown)),
                ),
            }
        }
    }

    /// Puts a symbol and its right neighbour on the heap if together they are a token.
    fn consider(&self, text: &str, symbols: &[Symbol], left: usize, pairs: &mut BinaryHeap<Pair>) {
        let Some(a) = symbols.get(left) else { return };
        let Some(b) = symbols.get(a.next) else { return };
        let Some(&id) = text.get(a.start..b.end).and_then(|piece| self.ids.get(piece)) else {
            return;
        };
        let score = self.scores.get(id as usize).copied().unwrap_or(f32::MIN);
        pairs.push(Pair { score, left, right: a.next, end: b.end });
    }
}

/// A run of characters that has merged; empty once merged into its left neighbour.
#[derive(Debug, Clone, Copy)]
struct Symbol {
    start: usize,
    end: usize,
    previous: Option<usize>,
    next: usize,
}

#[derive(Debug)]
struct Pair {
    score: f32,
    left: usize,
    right: usize,
    /// Where the right one ended when the pair was found; tells whether it has changed.
    end: usize,
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(Reverse(self.left).cmp(&Reverse(other.left)))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pair {}

/// The byte that a token `<0xNN>` stands for.
fn byte(token: &str) -> Option<u8> {
    u8::from_str_radix(token.strip_prefix("<0x")?.strip_suffix('>')?, 16).ok()
}

/// How many bytes of a text that goes on cannot merge with what follows: spaces are only at
/// the beginning of tokens, so what comes before the last word is settled.
pub(super) fn settled(text: &str) -> usize {
    text.trim_end_matches(' ')
        .rfind(' ')
        .map_or(0, |last| text.get(..last).map_or(0, |before| before.trim_end_matches(' ').len()))
}

/// The bytes a token stands for.
pub(super) fn write_bytes(token: &str, kind: Kind, out: &mut Vec<u8>) {
    match byte(token).filter(|_| kind == Kind::Byte) {
        Some(byte) => out.push(byte),
        None => out.extend_from_slice(token.replace(SPACE, " ").as_bytes()),
    }
}
