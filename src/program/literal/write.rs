//! Writing values as CPython's `repr` does.

use super::{Float, Literal};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Literal {
    /// The repr. The order of a set is ours: CPython's depends on hashes.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Literal::None => f.write_str("None"),
            Literal::Ellipsis => f.write_str("Ellipsis"),
            Literal::Dots => f.write_str("..."),
            Literal::Bool(true) => f.write_str("True"),
            Literal::Bool(false) => f.write_str("False"),
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Float(value) => float(f, *value, true),
            Literal::Complex(real, imaginary) => complex(f, *real, *imaginary),
            Literal::Str(points) => string(f, points, false),
            Literal::Bytes(bytes) => {
                f.write_char('b')?;
                string(f, &bytes.iter().map(|&b| u32::from(b)).collect::<Vec<_>>(), true)
            }
            Literal::List(items) => list(f, '[', items, "]"),
            Literal::Tuple(items) => list(f, '(', items, if items.len() == 1 { ",)" } else { ")" }),
            Literal::Dict(pairs) if pairs.as_slice() == [(Literal::Dots, Literal::Dots)] => {
                f.write_str("{...}")
            }
            Literal::Dict(pairs) => {
                f.write_char('{')?;
                for (i, (key, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{key}: {value}", comma(i))?;
                }
                f.write_char('}')
            }
            Literal::Set(items) if items.is_empty() => f.write_str("set()"),
            Literal::Set(items) => list(f, '{', items, "}"),
            Literal::FrozenSet(items) if items.is_empty() => f.write_str("frozenset()"),
            Literal::FrozenSet(items) => {
                f.write_str("frozenset(")?;
                list(f, '{', items, "})")
            }
            Literal::Object(name, arguments) => {
                write!(f, "{name}(")?;
                for (i, (name, value)) in arguments.iter().enumerate() {
                    f.write_str(comma(i))?;
                    match name {
                        Some(name) => write!(f, "{name}={value}")?,
                        None => write!(f, "{value}")?,
                    }
                }
                f.write_char(')')
            }
        }
    }
}

fn comma(i: usize) -> &'static str {
    if i == 0 { "" } else { ", " }
}

fn list<'a>(
    f: &mut Formatter<'_>,
    open: char,
    items: impl IntoIterator<Item = &'a Literal>,
    close: &str,
) -> fmt::Result {
    f.write_char(open)?;
    for (i, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", comma(i))?;
    }
    f.write_str(close)
}

/// The shortest digits that read back, an exponent from 1e16 and below 1e-4.
fn float(f: &mut Formatter<'_>, value: Float, point: bool) -> fmt::Result {
    let Float(value) = value;
    if value.is_nan() {
        return f.write_str("nan");
    }
    if value.is_infinite() {
        return f.write_str(if value > 0.0 { "inf" } else { "-inf" });
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value == 0.0 || (-4..16).contains(&exponent) {
        let text = value.to_string();
        f.write_str(&text)?;
        return if point && !text.contains('.') { f.write_str(".0") } else { Ok(()) };
    }
    write!(f, "{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn complex(f: &mut Formatter<'_>, real: Float, imaginary: Float) -> fmt::Result {
    if real == Float(0.0) {
        float(f, imaginary, false)?;
        return f.write_char('j');
    }
    f.write_char('(')?;
    float(f, real, false)?;
    if imaginary.0.is_nan() || imaginary.0.is_sign_positive() {
        f.write_char('+')?;
    }
    float(f, imaginary, false)?;
    f.write_str("j)")
}

fn string(f: &mut Formatter<'_>, points: &[u32], bytes: bool) -> fmt::Result {
    let has = |c: char| points.contains(&u32::from(c));
    let quote = if has('\'') && !has('"') { '"' } else { '\'' };
    f.write_char(quote)?;
    for &point in points {
        match char::from_u32(point) {
            Some(c) if c == quote || c == '\\' => write!(f, "\\{c}")?,
            Some('\n') => f.write_str("\\n")?,
            Some('\r') => f.write_str("\\r")?,
            Some('\t') => f.write_str("\\t")?,
            Some(c @ ' '..='~') => f.write_char(c)?,
            Some(c) if !bytes && is_printable(c) => f.write_char(c)?,
            _ if point < 0x100 => write!(f, "\\x{point:02x}")?,
            _ if point < 0x1_0000 => write!(f, "\\u{point:04x}")?,
            _ => write!(f, "\\U{point:08x}")?,
        }
    }
    f.write_char(quote)
}

/// `str.isprintable` by the Unicode tables of Rust's standard library, which may be of
/// another version than the interpreter's. A letter goes first, because a combining mark
/// is printable after one.
fn is_printable(c: char) -> bool {
    c > '\u{a0}' && {
        let text: String = ['a', c].iter().collect();
        text.escape_debug().eq(text.chars())
    }
}
