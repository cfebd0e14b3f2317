//! Reading and comparing reprs.
//!
//! [`same`] is the one equality of values, for verdicts and evaluation alike. Must not
//! know: executions, models, Python's grammar beyond literals. Reads hostile text: depth
//! and size are bounded, nothing is evaluated.

mod read;
mod write;

use num_bigint::BigInt;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A value as its repr shows it.
///
/// Equality is type-strict, unlike Python's: `1`, `True` and `1.0` differ, and so do `0.0`
/// and `-0.0`; `nan` equals `nan`. The order of a dict counts, that of a set does not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Literal {
    /// `None`.
    None,
    /// `Ellipsis`.
    Ellipsis,
    /// `...`: in source the same as `Ellipsis`, in a repr the mark of a recursive value.
    Dots,
    /// `True` or `False`.
    Bool(bool),
    /// An integer of any size.
    Int(BigInt),
    /// A float, also `nan`, `inf` and `-inf`.
    Float(Float),
    /// Real and imaginary part.
    Complex(Float, Float),
    /// Code points of a string; lone surrogates are possible.
    Str(Vec<u32>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Literal>),
    /// A tuple.
    Tuple(Vec<Literal>),
    /// Keys and values in order.
    Dict(Vec<(Literal, Literal)>),
    /// A set.
    Set(BTreeSet<Literal>),
    /// A frozen set.
    FrozenSet(BTreeSet<Literal>),
    /// Not a literal, but readable: what an instance shows by default or by a call of its
    /// constructor, e.g. `Point(x=1, y=2)` or `deque([1])`.
    Object(String, Vec<(Option<String>, Literal)>),
}

impl Literal {
    /// Reads a repr. `None`: it is not readable as a value (cut by size, an address, …).
    pub fn read(text: &str) -> Option<Literal> {
        read::read(text)
    }

    /// Whether it has no [`Literal::Object`] inside, so that Python can evaluate it
    /// without the program.
    pub fn is_plain(&self) -> bool {
        match self {
            Literal::Object(..) => false,
            Literal::List(items) | Literal::Tuple(items) => items.iter().all(Self::is_plain),
            Literal::Set(items) | Literal::FrozenSet(items) => items.iter().all(Self::is_plain),
            Literal::Dict(pairs) => pairs.iter().all(|(k, v)| k.is_plain() && v.is_plain()),
            _ => true,
        }
    }
}

/// A double, ordered and equal by its bits; every nan is the same.
#[derive(Debug, Clone, Copy)]
pub struct Float(f64);

impl From<f64> for Float {
    fn from(value: f64) -> Self {
        Float(if value.is_nan() { f64::NAN } else { value })
    }
}

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Float {}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Whether two reprs show the same value: as values where both can be read, else as text.
pub fn same(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    match (Literal::read(a), Literal::read(b)) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
