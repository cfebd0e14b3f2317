//! JSON strings and flat objects exactly as Python's `json.dumps` writes them by default
//! (`ensure_ascii`, separators `", "` and `": "`), and a bounded reader that says where
//! each part lies.
//!
//! Must not know: what the strings mean.

use std::fmt::Write;
use std::ops::Range;

/// Appends a string as `json.dumps` writes it.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// A string as `json.dumps` writes it.
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(&mut out, text);
    out
}

/// An object of strings as `json.dumps` writes it.
pub fn object<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = String::from("{");
    for (index, (key, value)) in pairs.into_iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_string(&mut out, key);
        out.push_str(": ");
        write_string(&mut out, value);
    }
    out.push('}');
    out
}

/// What was wrong with a text, and at which byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// Byte offset.
    pub at: usize,
    /// Why, in one line.
    pub why: String,
}

/// One name and value of an object, and where both together lie in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The key, unescaped.
    pub key: String,
    /// The value, unescaped.
    pub value: String,
    /// Bytes from the key's opening to the value's closing quote.
    pub span: Range<usize>,
}

/// Reads a text that is one string and nothing else.
///
/// # Errors
/// [`JsonError`] where the text first stops being that.
pub fn read_string(text: &str) -> Result<String, JsonError> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.string()?;
    reader.end()?;
    Ok(value)
}

/// Reads a text that is one object whose values are all strings, in order, duplicates
/// included.
///
/// # Errors
/// [`JsonError`] where the text first stops being that.
pub fn read_object(text: &str) -> Result<Vec<Pair>, JsonError> {
    let mut reader = Reader { text, at: 0 };
    let mut pairs = Vec::new();
    reader.expect('{')?;
    reader.space();
    if !reader.take('}') {
        loop {
            reader.space();
            let start = reader.at;
            let key = reader.string()?;
            reader.space();
            reader.expect(':')?;
            reader.space();
            let value = reader.string()?;
            pairs.push(Pair { key, value, span: start..reader.at });
            reader.space();
            if reader.take('}') {
                break;
            }
            reader.expect(',')?;
        }
    }
    reader.end()?;
    Ok(pairs)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error<T>(&self, why: impl Into<String>) -> Result<T, JsonError> {
        Err(JsonError { at: self.at, why: why.into() })
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn expect(&mut self, c: char) -> Result<(), JsonError> {
        if self.take(c) {
            return Ok(());
        }
        match self.rest().chars().next() {
            Some(found) => self.error(format!("expected {c:?}, found {found:?}")),
            None => self.error(format!("expected {c:?}, found the end")),
        }
    }

    fn end(&self) -> Result<(), JsonError> {
        match self.rest().chars().next() {
            Some(found) => self.error(format!("expected the end, found {found:?}")),
            None => Ok(()),
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        if !self.rest().starts_with('"') {
            self.expect('"')?;
        }
        let rest = self.rest();
        let mut escaped = false;
        let close = rest.bytes().enumerate().skip(1).find_map(|(index, byte)| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes.then_some(index)
        });
        let Some(close) = close else { return self.error("a string that does not end") };
        let literal = rest.get(..=close).unwrap_or_default();
        match serde_json::from_str(literal) {
            Ok(value) => {
                self.at += literal.len();
                Ok(value)
            }
            Err(_) => self.error("a string with an invalid escape or control character"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn writes_as_json_dumps_does() {
        // Left: json.dumps of the right, from CPython 3.11.
        for (expected, text) in [
            (r#""'berry'""#, "'berry'"),
            (r#""\"it's\"""#, "\"it's\""),
            (r#""\\n \n \r \t \b \f""#, "\\n \n \r \t \u{8} \u{c}"),
            (r#""\u0000\u001f\u007f/""#, "\0\u{1f}\u{7f}/"),
            (r#""\u00e9\u2026\ud83d\ude42""#, "é…🙂"),
        ] {
            assert_eq!(string(text), expected);
        }
        assert_eq!(object([("s", "'a'"), ("n", "0")]), r#"{"s": "'a'", "n": "0"}"#);
        assert_eq!(object([]), "{}");
    }

    #[test]
    fn says_where_and_why_text_is_no_object() {
        for (text, at, why) in [
            ("", 0, "expected '{', found the end"),
            ("{\"a\": 1}", 6, "expected '\"', found '1'"),
            ("{\"a\": \"1\" \"b\"", 10, "expected ',', found '\"'"),
            ("{\"a\": \"1}", 6, "a string that does not end"),
            ("{\"a\": \"\\x\"}", 6, "a string with an invalid escape or control character"),
            ("{} x", 2, "expected the end, found ' '"),
        ] {
            assert_eq!(read_object(text), Err(JsonError { at, why: why.into() }), "{text}");
        }
    }

    proptest! {
        #[test]
        fn reads_back_what_it_writes(pairs: Vec<(String, String)>) {
            let text = object(pairs.iter().map(|(k, v)| (k.as_str(), v.as_str())));
            prop_assert!(text.is_ascii());
            let read = read_object(&text).unwrap();
            prop_assert_eq!(&read.iter().map(|p| (p.key.clone(), p.value.clone())).collect::<Vec<_>>(), &pairs);
        }

        #[test]
        fn never_panics(text: String) {
            let _ = read_object(&text);
            let _ = read_string(&text);
        }
    }
}
