//! A bounded recursive reader of reprs.

use super::{Float, Literal};
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// Nesting beyond this is read as text.
const MAX_DEPTH: usize = 100;
/// Longer integers are read as text: converting them takes quadratic time.
const MAX_DIGITS: usize = 10_000;

pub fn read(text: &str) -> Option<Literal> {
    let mut reader = Reader { text, at: 0 };
    reader.space();
    let value = reader.value(0)?;
    reader.space();
    (reader.at == text.len()).then_some(value)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn space(&mut self) {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c');
        self.at += self.rest().len() - self.rest().trim_start_matches(blank).len();
    }

    /// The longest run of characters that satisfy a test.
    fn run(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !test(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn value(&mut self, depth: usize) -> Option<Literal> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            '[' => {
                self.at += 1;
                Some(Literal::List(self.items(']', depth)?.0))
            }
            '(' => self.tuple(depth),
            '{' => self.braces(depth),
            '\'' | '"' => self.strings(),
            '0'..='9' | '+' | '-' | '.' => self.number_or_dots(),
            c if c == '_' || c.is_alphabetic() => self.word(depth),
            _ => None,
        }
    }

    /// Items up to a closing bracket, and whether a comma came last.
    fn items(&mut self, close: char, depth: usize) -> Option<(Vec<Literal>, bool)> {
        let mut items = Vec::new();
        let mut comma = true;
        loop {
            self.space();
            if self.peek()? == close {
                self.at += 1;
                return Some((items, comma));
            }
            if !comma {
                return None;
            }
            items.push(self.value(depth + 1)?);
            self.space();
            comma = self.eat(",");
        }
    }

    /// A tuple, or one value in parentheses (as complex numbers are shown).
    fn tuple(&mut self, depth: usize) -> Option<Literal> {
        self.at += 1;
        let (mut items, comma) = self.items(')', depth)?;
        match items.len() {
            1 if !comma => items.pop(),
            _ => Some(Literal::Tuple(items)),
        }
    }

    fn braces(&mut self, depth: usize) -> Option<Literal> {
        self.at += 1;
        self.space();
        if self.eat("}") {
            return Some(Literal::Dict(Vec::new()));
        }
        let first = self.value(depth + 1)?;
        self.space();
        if !self.eat(":") {
            self.eat(",");
            let mut items = BTreeSet::from([first]);
            items.extend(self.items('}', depth)?.0);
            return Some(match items.iter().eq([&Literal::Dots]) {
                // `{...}` is how a recursive dict is shown.
                true => Literal::Dict(vec![(Literal::Dots, Literal::Dots)]),
                false => Literal::Set(items),
            });
        }
        let mut pairs: Vec<(Literal, Literal)> = Vec::new();
        let mut key = first;
        loop {
            self.space();
            let value = self.value(depth + 1)?;
            pairs.push((key, value));
            self.space();
            let comma = self.eat(",");
            self.space();
            if self.eat("}") {
                return Some(Literal::Dict(pairs));
            }
            if !comma {
                return None;
            }
            key = self.value(depth + 1)?;
            self.space();
            if !self.eat(":") {
                return None;
            }
        }
    }

    /// A constant, a prefixed string, `frozenset(…)`, or an object.
    fn word(&mut self, depth: usize) -> Option<Literal> {
        let start = self.at;
        let word = self.run(|c| c == '_' || c == '.' || c.is_alphanumeric());
        if matches!(self.peek(), Some('\'' | '"')) && word.len() <= 2 {
            self.at = start;
            return self.strings();
        }
        match word {
            "None" => return Some(Literal::None),
            "True" => return Some(Literal::Bool(true)),
            "False" => return Some(Literal::Bool(false)),
            "Ellipsis" => return Some(Literal::Ellipsis),
            "nan" | "inf" | "nanj" | "infj" => {
                self.at = start;
                return self.number_or_dots();
            }
            _ => {}
        }
        if !self.eat("(") {
            return None;
        }
        let arguments = self.arguments(depth)?;
        let mut plain = arguments.iter().filter(|(name, _)| name.is_none()).map(|(_, v)| v);
        let only = match arguments.len() {
            1 => plain.next(),
            _ => None,
        };
        match (word, only) {
            ("set", None) if arguments.is_empty() => Some(Literal::Set(BTreeSet::new())),
            ("frozenset", None) if arguments.is_empty() => {
                Some(Literal::FrozenSet(BTreeSet::new()))
            }
            ("frozenset", Some(Literal::Set(items))) => Some(Literal::FrozenSet(items.clone())),
            _ => Some(Literal::Object(word.into(), arguments)),
        }
    }

    fn arguments(&mut self, depth: usize) -> Option<Vec<(Option<String>, Literal)>> {
        let mut arguments = Vec::new();
        let mut comma = true;
        loop {
            self.space();
            if self.eat(")") {
                return Some(arguments);
            }
            if !comma {
                return None;
            }
            let start = self.at;
            let name = self.run(|c| c == '_' || c.is_alphanumeric());
            self.space();
            let named = !name.is_empty() && self.eat("=");
            if !named {
                self.at = start;
            }
            self.space();
            let value = self.value(depth + 1)?;
            arguments.push((named.then(|| name.to_string()), value));
            self.space();
            comma = self.eat(",");
        }
    }

    fn number_or_dots(&mut self) -> Option<Literal> {
        if self.eat("...") {
            return Some(Literal::Dots);
        }
        let (real, imaginary) = self.number()?;
        if imaginary {
            return Some(Literal::Complex(0.0.into(), real.float()?));
        }
        if matches!(self.peek(), Some('+' | '-')) {
            let (imaginary, is_imaginary) = self.number()?;
            let parts = (real.float()?, imaginary.float()?);
            return is_imaginary.then_some(Literal::Complex(parts.0, parts.1));
        }
        Some(match real {
            Number::Int(value) => Literal::Int(value),
            Number::MinusZero => Literal::Int(BigInt::ZERO),
            Number::Float(value) => Literal::Float(value),
        })
    }

    /// A signed number, and whether `j` follows it.
    fn number(&mut self) -> Option<(Number, bool)> {
        let negative = match self.peek()? {
            '-' => self.take() == Some('-'),
            '+' => self.take().is_none(),
            _ => false,
        };
        let sign = if negative { -1.0 } else { 1.0 };
        for (word, value) in [("nan", f64::NAN), ("inf", f64::INFINITY)] {
            if self.eat(word) {
                return Some((Number::Float((sign * value).into()), self.eat("j")));
            }
        }
        for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)]
        {
            if self.eat(prefix) {
                let digits = self.digits(radix)?;
                return Some((Number::int(digits, radix, negative)?, false));
            }
        }
        let mut text = String::new();
        text.push_str(self.digits(10)?);
        let mut is_int = true;
        if self.eat(".") {
            is_int = false;
            text.push('.');
            text.push_str(self.digits(10)?);
        }
        if !text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            is_int = false;
            self.at += 1;
            text.push('e');
            if let Some(sign @ ('+' | '-')) = self.peek() {
                self.at += 1;
                text.push(sign);
            }
            let exponent = self.digits(10)?;
            if exponent.is_empty() {
                return None;
            }
            text.push_str(exponent);
        }
        let imaginary = self.eat("j") || self.eat("J");
        let number = if is_int && !imaginary {
            Number::int(&text, 10, negative)?
        } else {
            Number::Float((sign * text.replace('_', "").parse::<f64>().ok()?).into())
        };
        Some((number, imaginary))
    }

    /// Digits, possibly none, with single underscores between them.
    fn digits(&mut self, radix: u32) -> Option<&'a str> {
        let text = self.run(|c| c == '_' || c.is_digit(radix));
        let misplaced = text.starts_with('_') || text.ends_with('_') || text.contains("__");
        (!misplaced).then_some(text)
    }

    /// One or more adjacent strings or bytes.
    fn strings(&mut self) -> Option<Literal> {
        let mut value = self.string()?;
        loop {
            let before = self.at;
            self.space();
            if !matches!(self.peek(), Some('\'' | '"')) {
                self.at = before;
                return Some(value);
            }
            match (&mut value, self.string()?) {
                (Literal::Str(a), Literal::Str(b)) => a.extend(b),
                (Literal::Bytes(a), Literal::Bytes(b)) => a.extend(b),
                _ => return None,
            }
        }
    }

    fn string(&mut self) -> Option<Literal> {
        let prefix = self.run(char::is_alphabetic).to_ascii_lowercase();
        let (raw, bytes) = match prefix.as_str() {
            "" | "u" => (false, false),
            "r" => (true, false),
            "b" => (false, true),
            "rb" | "br" => (true, true),
            _ => return None,
        };
        let quote = self.take()?;
        let double: String = [quote, quote].iter().collect();
        let triple = self.eat(&double);
        if triple && !self.eat(quote.encode_utf8(&mut [0; 4])) {
            return Some(if bytes { Literal::Bytes(vec![]) } else { Literal::Str(vec![]) });
        }
        let mut points = Vec::new();
        loop {
            let c = self.take()?;
            match c {
                '\\' if raw => points.extend([u32::from(c), u32::from(self.take()?)]),
                '\\' => self.escape(bytes, &mut points)?,
                '\n' if !triple => return None,
                _ if c == quote && (!triple || self.eat(&double)) => break,
                _ if bytes && !c.is_ascii() => return None,
                _ => points.push(u32::from(c)),
            }
        }
        if !bytes {
            return Some(Literal::Str(points));
        }
        let bytes: Result<Vec<u8>, _> = points.into_iter().map(u8::try_from).collect();
        Some(Literal::Bytes(bytes.ok()?))
    }

    fn escape(&mut self, bytes: bool, points: &mut Vec<u32>) -> Option<()> {
        let c = self.take()?;
        let point = match c {
            '\n' => return Some(()),
            '\\' | '\'' | '"' => u32::from(c),
            'a' => 7,
            'b' => 8,
            't' => 9,
            'n' => 10,
            'v' => 11,
            'f' => 12,
            'r' => 13,
            'x' => self.hex(2)?,
            'u' if !bytes => self.hex(4)?,
            'U' if !bytes => self.hex(8).filter(|&point| point <= 0x10_ffff)?,
            'N' if !bytes => return None,
            '0'..='7' => {
                let mut value = c.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
                    self.at += 1;
                    value = value * 8 + digit;
                }
                value
            }
            _ => {
                points.push(u32::from('\\'));
                u32::from(c)
            }
        };
        points.push(point);
        Some(())
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text =
            self.rest().get(..digits).filter(|t| t.chars().all(|c| c.is_ascii_hexdigit()))?;
        self.at += digits;
        u32::from_str_radix(text, 16).ok()
    }
}

enum Number {
    Int(BigInt),
    /// `-0`, which is a float's sign in `(-0+1j)`.
    MinusZero,
    Float(Float),
}

impl Number {
    fn int(digits: &str, radix: u32, negative: bool) -> Option<Number> {
        if digits.len() > MAX_DIGITS {
            return None;
        }
        let value = BigInt::parse_bytes(digits.replace('_', "").as_bytes(), radix)?;
        Some(match (negative, value == BigInt::ZERO) {
            (true, true) => Number::MinusZero,
            (true, false) => Number::Int(-value),
            (false, _) => Number::Int(value),
        })
    }

    fn float(&self) -> Option<Float> {
        match self {
            Number::Int(value) => value.to_string().parse::<f64>().ok().map(Float::from),
            Number::MinusZero => Some((-0.0).into()),
            Number::Float(value) => Some(*value),
        }
    }
}
