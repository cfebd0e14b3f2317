//! Variables that a person gives as JSON, checked against the program.

use super::EntryError;
use crate::program::outline::Maker;
use crate::program::{Literal, SourceFile};

/// Words that are no names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Reads `--locals`: names that the function at the line has, and values as reprs.
///
/// # Errors
/// [`EntryError::Form`] in one line that names what is wrong.
pub(super) fn read(
    text: &str,
    file: &SourceFile,
    line: u32,
) -> Result<Vec<(String, String)>, EntryError> {
    let form = |what: String| EntryError::Form { text: text.into(), what };
    let value: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| form(format!("is no JSON object of variables: {error}")))?;
    let serde_json::Value::Object(map) = value else {
        return Err(form("is no JSON object of variables such as {\"n\": 3}".into()));
    };
    let mut locals = Vec::new();
    for (name, value) in map {
        if !is_name(&name) {
            return Err(form(format!("names {name:?}, which is no Python name")));
        }
        if !occurs(&name, file, line) {
            return Err(form(format!("names '{name}', which is no variable at line {line}")));
        }
        let value = match value {
            serde_json::Value::String(repr) if is_repr(&repr) => repr,
            serde_json::Value::String(repr) => {
                let what = format!(
                    "gives {name} the value {repr}, which is no Python value: a string has quotes \
                     of its own, \"'abc'\", and an object is written <…>"
                );
                return Err(form(what));
            }
            other => match from_json(&other, 0) {
                Some(value) => value.to_string(),
                None => return Err(form(format!("has no Python value for {name}"))),
            },
        };
        locals.push((name, value));
    }
    Ok(locals)
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next().is_some_and(|c| c == '_' || c.is_alphabetic());
    first && chars.all(|c| c == '_' || c.is_alphanumeric()) && !KEYWORDS.contains(&text)
}

/// Whether a name stands in the function around a line: other names it cannot have.
fn occurs(name: &str, file: &SourceFile, line: u32) -> bool {
    let outline = &file.outline;
    let Some(scope) = outline.scope(outline.scope_at(line)) else { return true };
    if outline.maker() == Maker::Indentation {
        return true;
    }
    let last = file.lines.len() as u32;
    let (first, last) = match scope.parent {
        None => (1, last),
        Some(_) => (scope.first_line, scope.body.last),
    };
    let used = |line| outline.names(line).iter().any(|used| used.name == name);
    scope.params.iter().any(|param| param.name == name) || (first..=last).any(used)
}

/// Whether a text can be what Python shows of a value: a literal or constructor, something
/// that shows itself in angle brackets, or a value that was cut.
fn is_repr(text: &str) -> bool {
    Literal::read(text).is_some() || text.contains('<') && text.contains('>') || text.ends_with('…')
}

fn from_json(value: &serde_json::Value, depth: usize) -> Option<Literal> {
    use serde_json::Value;
    if depth > 100 {
        return None;
    }
    Some(match value {
        Value::Null => Literal::None,
        Value::Bool(value) => Literal::Bool(*value),
        Value::Number(number) => return Literal::read(&number.to_string()),
        Value::String(text) => Literal::Str(text.chars().map(u32::from).collect()),
        Value::Array(items) => {
            Literal::List(items.iter().map(|v| from_json(v, depth + 1)).collect::<Option<_>>()?)
        }
        Value::Object(map) => {
            let pair = |(key, value): (&String, &Value)| {
                let key = Literal::Str(key.chars().map(u32::from).collect());
                Some((key, from_json(value, depth + 1)?))
            };
            Literal::Dict(map.iter().map(pair).collect::<Option<_>>()?)
        }
    })
}
