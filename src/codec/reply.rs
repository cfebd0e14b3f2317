//! The reply of a text dialect: a cursor in its grammar, and a reader of what was written.
//!
//! Must not know: how states are spelled.

use super::grammar::{Cursor, Vocabulary};
use super::{Component, Decoded, Reading, Reply, TokenId};
use crate::program::Loc;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What a reader makes of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// What it says.
    pub reading: Reading,
    /// Other locations that it may mean.
    pub candidates: Vec<Loc>,
    /// Which bytes of the spelled text belong to which component, in order.
    pub spans: Vec<(Component, Range<usize>)>,
}

impl Read {
    /// Text that is no state.
    pub fn malformed(at: usize, why: impl Into<String>) -> Self {
        let reading = Reading::Malformed { at, why: why.into() };
        Read { reading, candidates: Vec::new(), spans: Vec::new() }
    }
}

/// Turns a reply's ids into a state. Knows the question that they answer.
pub trait Reader: Clone + Send + fmt::Debug + 'static {
    /// Reads a whole reply; control tokens count with their spelling in byte offsets.
    fn read(&self, vocabulary: &Vocabulary, ids: &[TokenId]) -> Read;
}

/// A reply being written in a text dialect.
#[derive(Debug, Clone)]
pub struct TextReply<R> {
    cursor: Cursor,
    vocabulary: Arc<Vocabulary>,
    reader: R,
}

impl<R: Reader> TextReply<R> {
    /// Nothing written yet.
    pub fn new(cursor: Cursor, vocabulary: Arc<Vocabulary>, reader: R) -> Self {
        TextReply { cursor, vocabulary, reader }
    }
}

impl<R: Reader> Reply for TextReply<R> {
    fn allowed(&mut self) -> &[TokenId] {
        self.cursor.allowed()
    }

    fn forced(&mut self) -> Vec<TokenId> {
        self.cursor.forced()
    }

    fn push(&mut self, id: TokenId) -> bool {
        self.cursor.push(id)
    }

    fn done(&self) -> bool {
        self.cursor.done()
    }

    fn text(&self) -> String {
        self.vocabulary.tokenizer.decode(self.cursor.pushed())
    }

    fn decode(&self) -> Decoded {
        let ids = self.cursor.pushed();
        let read = self.reader.read(&self.vocabulary, ids);
        let mut starts = Vec::with_capacity(ids.len());
        let mut at = 0;
        for &id in ids {
            starts.push(at);
            at += self.vocabulary.tokenizer.bytes(id).len();
        }
        // An id belongs to the component that its first byte lies in; one that only ends
        // in a component belongs to the punctuation before it.
        let index = |byte: usize| starts.partition_point(|&start| start < byte);
        let spans = read.spans.into_iter().map(|(component, bytes)| {
            let first = index(bytes.start);
            (component, first..index(bytes.end).max(first))
        });
        Decoded {
            reading: read.reading,
            candidates: read.candidates,
            spans: spans.filter(|(_, ids)| !ids.is_empty()).collect(),
            text: self.text(),
        }
    }

    fn fork(&self) -> Box<dyn Reply> {
        Box::new(self.clone())
    }
}
