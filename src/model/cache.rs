//! The tokens that were evaluated, as keys and values of every layer.

use super::{Decoder, candle, cpu};

/// A model's memory of a token sequence. Truncating is free; forking copies.
#[derive(Clone)]
pub struct Cache {
    pub(super) kv: Kv,
    pub(super) len: usize,
    pub(super) capacity: usize,
}

#[derive(Clone)]
pub(super) enum Kv {
    Cpu(Box<<cpu::Cpu as Decoder>::Kv>),
    Candle(<candle::Candle as Decoder>::Kv),
}

impl Cache {
    pub(super) fn new(kv: Kv, capacity: usize) -> Self {
        Cache { kv, len: 0, capacity }
    }

    /// Tokens held.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets all tokens behind the first `len`; nothing happens if there are fewer.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// An independent copy, for trying a continuation.
    pub fn fork(&self) -> Self {
        self.clone()
    }
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cache({} of {} tokens)", self.len, self.capacity)
    }
}
