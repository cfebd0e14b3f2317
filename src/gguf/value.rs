//! Metadata values: borrowed views with checked conversions.

use std::fmt;

/// The type of a metadata value, by its number in the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the format's
pub enum ValueKind {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    Array,
    U64,
    I64,
    F64,
}

impl ValueKind {
    /// All kinds, indexed by their number.
    pub const ALL: [ValueKind; 13] = {
        use ValueKind::*;
        [U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64]
    };

    /// The kind with this number, if the format has it.
    pub fn from_id(id: u32) -> Option<Self> {
        Self::ALL.get(id as usize).copied()
    }

    /// Its number in the format.
    pub fn id(self) -> u32 {
        self as u32
    }

    /// Bytes of one value; `None` for strings and arrays, which vary.
    pub fn size(self) -> Option<usize> {
        use ValueKind::*;
        match self {
            U8 | I8 | Bool => Some(1),
            U16 | I16 => Some(2),
            U32 | I32 | F32 => Some(4),
            U64 | I64 | F64 => Some(8),
            String | Array => None,
        }
    }
}

/// Text from a file as messages show it: in quotes, cut at 60 characters.
pub fn quoted(text: &str) -> String {
    let mut rest = text.chars();
    let head: String = rest.by_ref().take(60).collect();
    format!("{head:?}{}", if rest.next().is_some() { "…" } else { "" })
}

/// One metadata value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Any unsigned integer.
    Uint(u64),
    /// Any signed integer.
    Int(i64),
    /// Either float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A string; UTF-8 by the format, but that is checked only by [`Value::as_str`].
    String(&'a [u8]),
    /// An array of one kind.
    Array(Array<'a>),
}

impl<'a> Value<'a> {
    /// The string, if it is one and UTF-8.
    pub fn as_str(&self) -> Option<&'a str> {
        match self {
            Value::String(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// The integer, if it is one and not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match *self {
            Value::Uint(n) => Some(n),
            Value::Int(n) => u64::try_from(n).ok(),
            _ => None,
        }
    }

    /// The number as a float, if it is a number.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Value::Float(x) => Some(x),
            Value::Uint(n) => Some(n as f64),
            Value::Int(n) => Some(n as f64),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match *self {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<Array<'a>> {
        match *self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// A scalar from its little-endian bytes (exactly [`ValueKind::size`] of them; a byte
    /// of a boolean that is not 0 counts as true).
    pub(super) fn scalar(kind: ValueKind, bytes: &[u8]) -> Option<Self> {
        let uint = bytes.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        let unused = 64 - 8 * kind.size()? as u32;
        let int = ((uint << unused) as i64) >> unused;
        use ValueKind::*;
        Some(match kind {
            U8 | U16 | U32 | U64 => Value::Uint(uint),
            I8 | I16 | I32 | I64 => Value::Int(int),
            F32 => Value::Float(f64::from(f32::from_bits(uint as u32))),
            F64 => Value::Float(f64::from_bits(uint)),
            Bool => Value::Bool(uint != 0),
            String | Array => return None,
        })
    }
}

impl fmt::Display for Value<'_> {
    /// For people: strings cut at 60 characters, arrays by kind and length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Uint(n) => write!(f, "{n}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Float(x) => write!(f, "{x}"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::String(bytes) => f.write_str(&quoted(&String::from_utf8_lossy(bytes))),
            Value::Array(array) => write!(f, "{} × {:?}", array.len, array.kind),
        }
    }
}

/// An array of scalars or strings, borrowed; its extent was checked by the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array<'a> {
    /// What the elements are; never [`ValueKind::Array`].
    pub kind: ValueKind,
    /// How many elements.
    pub len: usize,
    /// The elements as the file has them.
    pub(super) bytes: &'a [u8],
}

impl<'a> Array<'a> {
    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let (kind, mut rest) = (self.kind, self.bytes);
        std::iter::from_fn(move || {
            let size = match kind.size() {
                Some(size) => size,
                None => {
                    let (len, tail) = rest.split_first_chunk::<8>()?;
                    rest = tail;
                    usize::try_from(u64::from_le_bytes(*len)).ok()?
                }
            };
            let (value, tail) = rest.split_at_checked(size)?;
            if size == 0 && kind != ValueKind::String {
                return None;
            }
            rest = tail;
            match kind {
                ValueKind::String => Some(Value::String(value)),
                _ => Value::scalar(kind, value),
            }
        })
    }

    /// Bytes of the elements in the file, the lengths of strings included.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The elements as strings; `None` if one is no UTF-8 string.
    pub fn strings(&self) -> Option<Vec<&'a str>> {
        self.iter().map(|v| v.as_str()).collect()
    }
}
