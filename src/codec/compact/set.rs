//! A set of tokens.

use super::vocab::{SIZE, Token};
use std::ops::RangeBounds;

const WORDS: usize = SIZE.div_ceil(64);

/// A set of tokens, as bits over the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenSet([u64; WORDS]);

impl TokenSet {
    /// No token.
    pub const EMPTY: TokenSet = TokenSet([0; WORDS]);

    /// Adds a token.
    pub fn insert(&mut self, token: Token) {
        if let Some(word) = self.0.get_mut(token as usize / 64) {
            *word |= 1 << (token % 64);
        }
    }

    /// Takes a token out.
    pub fn remove(&mut self, token: Token) {
        if let Some(word) = self.0.get_mut(token as usize / 64) {
            *word &= !(1 << (token % 64));
        }
    }

    /// Adds all tokens of another set.
    pub fn add(&mut self, other: &TokenSet) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine |= theirs;
        }
    }

    /// Whether a token is in it.
    pub fn contains(&self, token: Token) -> bool {
        self.0.get(token as usize / 64).is_some_and(|word| word >> (token % 64) & 1 == 1)
    }

    /// Number of tokens in it.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no token is in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The tokens, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Token> {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at as Token * 64 + bit)
            })
        })
    }

    /// The only token, if it has exactly one.
    pub fn single(&self) -> Option<Token> {
        let mut tokens = self.iter();
        tokens.next().filter(|_| tokens.next().is_none())
    }

    /// The bits, lowest token first.
    pub fn words(&self) -> &[u64] {
        &self.0
    }
}

impl Default for TokenSet {
    fn default() -> Self {
        TokenSet::EMPTY
    }
}

impl FromIterator<Token> for TokenSet {
    fn from_iter<I: IntoIterator<Item = Token>>(tokens: I) -> Self {
        let mut set = TokenSet::EMPTY;
        set.extend(tokens);
        set
    }
}

impl Extend<Token> for TokenSet {
    fn extend<I: IntoIterator<Item = Token>>(&mut self, tokens: I) {
        tokens.into_iter().for_each(|token| self.insert(token));
    }
}

impl TokenSet {
    /// The tokens of the set that lie in a range.
    pub fn within(&self, range: impl RangeBounds<Token>) -> impl Iterator<Item = Token> {
        self.iter().filter(move |token| range.contains(token))
    }
}
