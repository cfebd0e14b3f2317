//! Numbers in digits: which digit may follow, given the numbers that are meant.

use crate::codec::compact::set::TokenSet;
use crate::codec::compact::vocab::{self, Token};
use std::ops::{Range, RangeInclusive};

/// Largest number of digits that is read.
const DIGITS: u32 = 9;

/// Some numbers, as ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbers(pub Vec<RangeInclusive<u32>>);

impl Numbers {
    /// Whether there is no number.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(RangeInclusive::is_empty)
    }

    /// Those from a number on.
    pub fn from(&self, least: u32) -> Numbers {
        Numbers(self.0.iter().map(|r| *r.start().max(&least)..=*r.end()).collect())
    }

    fn touches(&self, range: RangeInclusive<u32>) -> bool {
        self.0.iter().any(|r| !r.is_empty() && r.start() <= range.end() && range.start() <= r.end())
    }

    /// Inserts the tokens of the numbers that have one, in a range of tokens that begins
    /// with `first`'s, and `beyond` if there are larger ones.
    pub fn first(&self, tokens: Range<Token>, first: u32, beyond: Token, set: &mut TokenSet) {
        for token in tokens.clone() {
            let number = first + (token - tokens.start);
            if self.touches(number..=number) {
                set.insert(token);
            }
        }
        if self.touches(first + tokens.len() as u32..=10u32.pow(DIGITS) - 1) {
            set.insert(beyond);
        }
    }
}

/// Digits so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Number {
    value: u32,
    digits: u32,
}

impl Number {
    /// Takes a digit; `false` if the token is none.
    pub fn push(&mut self, token: Token) -> bool {
        let digit = vocab::as_ascii(token).and_then(|c| c.to_digit(10));
        let Some(digit) = digit.filter(|_| self.digits < DIGITS) else { return false };
        self.value = self.value * 10 + digit;
        self.digits += 1;
        true
    }

    /// The number.
    pub fn value(self) -> u32 {
        self.value
    }

    /// Inserts the digits that may follow; returns whether the number may end.
    pub fn allowed(self, meant: &Numbers, set: &mut TokenSet) -> bool {
        for (digit, c) in (0u64..).zip('0'..='9') {
            // No number begins with 0 but 0 itself.
            if self.digits == DIGITS || self.digits == 1 && self.value == 0 {
                break;
            }
            let value = u64::from(self.value) * 10 + digit;
            if self.digits == 0 && digit == 0 {
                if meant.touches(0..=0) {
                    set.extend(vocab::ascii(c));
                }
                continue;
            }
            let fits = (0..DIGITS - self.digits).any(|more| {
                let low = value * 10u64.pow(more);
                let high = low + 10u64.pow(more) - 1;
                let low = u32::try_from(low).unwrap_or(u32::MAX);
                meant.touches(low..=u32::try_from(high).unwrap_or(u32::MAX))
            });
            if fits {
                set.extend(vocab::ascii(c));
            }
        }
        self.digits > 0 && meant.touches(self.value..=self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(meant: &Numbers, text: &str) -> bool {
        let mut number = Number::default();
        for c in text.chars() {
            let mut set = TokenSet::EMPTY;
            number.allowed(meant, &mut set);
            let token = vocab::ascii(c).unwrap();
            if !set.contains(token) {
                return false;
            }
            assert!(number.push(token));
        }
        let mut set = TokenSet::EMPTY;
        number.allowed(meant, &mut set)
    }

    #[test]
    fn exactly_the_numbers_meant_can_be_spelled() {
        let meant = Numbers(vec![0..=0, 7..=12, 300..=301, 64..=999_999_999]);
        for number in (0..1000).chain([999_999_999]) {
            let fits = meant.0.iter().any(|range| range.contains(&number));
            assert_eq!(spelled(&meant, &number.to_string()), fits, "{number}");
        }
        assert!(!spelled(&meant, "07"));
        assert!(!spelled(&meant, ""));
    }
}
