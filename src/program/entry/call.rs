//! The calls in an expression, found by brackets and quotes.

use crate::program::Literal;

/// A call expression as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call<'a> {
    /// The dotted name before the parenthesis.
    pub callee: &'a str,
    /// From the callee to the closing parenthesis.
    pub text: &'a str,
    /// Arguments in order.
    pub arguments: Vec<Argument<'a>>,
}

/// One argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument<'a> {
    /// `value`.
    Positional(&'a str),
    /// `name=value`.
    Keyword(&'a str, &'a str),
    /// `*value` or `**value`.
    Starred,
}

/// Whether a text is a name, or names joined by dots.
pub fn is_dotted_name(text: &str) -> bool {
    text.split('.').all(|part| {
        part.starts_with(|c: char| c == '_' || c.is_alphabetic())
            && part.chars().all(|c| c == '_' || c.is_alphanumeric())
            || part == "<locals>"
    })
}

/// The function that is called with nothing but literals, by position: `f` in `f(3, [])`.
pub fn of_literals(text: &str) -> Option<&str> {
    let (callee, arguments) = text.strip_suffix(')')?.split_once('(')?;
    let plain = |text: &str| Literal::read(&format!("[{text}]")).is_some_and(|l| l.is_plain());
    (is_dotted_name(callee) && !callee.contains('<') && plain(arguments)).then_some(callee)
}

/// All calls of named functions in an expression, in order of their first character.
pub fn calls(text: &str) -> Vec<Call<'_>> {
    let mut calls = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new(); // start of the name, of the arguments
    let mut word: Option<usize> = None;
    let mut spaced = false;
    scan(text, |at, c, _| match c {
        '(' | '[' | '{' => {
            let start = if c == '(' { word.take().unwrap_or(at) } else { at };
            open.push((start, at));
            word = None;
        }
        ')' | ']' | '}' => {
            word = None;
            let Some((start, paren)) = open.pop() else { return };
            let callee = text.get(start..paren).unwrap_or_default().trim_end();
            if is_dotted_name(callee) {
                calls.push(Call {
                    callee,
                    text: text.get(start..=at).unwrap_or_default(),
                    arguments: arguments(text.get(paren + 1..at).unwrap_or_default()),
                });
            }
        }
        _ if c == '_' || c == '.' || c.is_alphanumeric() => {
            if std::mem::take(&mut spaced) {
                word = None;
            }
            word.get_or_insert(at);
        }
        // `f (3)` is a call, too.
        _ if c.is_whitespace() => spaced = true,
        _ => word = None,
    });
    calls.sort_by_key(|call| call.text.as_ptr() as usize);
    calls
}

/// The method that a chain of calls ends in: `push` in `Stack(3).push(2)`.
pub fn last_method(text: &str) -> Option<String> {
    let outside = outside(text);
    let (_, last) = outside.strip_suffix("()")?.rsplit_once(')')?;
    let names = last.trim().strip_prefix('.')?;
    Some(names.rsplit('.').next().unwrap_or(names).trim().to_owned())
}

/// The outer brackets of a text and what is outside of them.
fn outside(text: &str) -> String {
    let mut outside = String::new();
    scan(text, |_, c, depth| {
        if depth == 0 {
            outside.push(c);
        }
    });
    outside
}

/// Whether an expression is one call and nothing else: `f(3)`, `Stack(3).push(2)`.
pub fn is_one_call(text: &str) -> bool {
    let outside = outside(text);
    let parts = outside.strip_suffix(')').unwrap_or("").split("()").flat_map(|p| p.split('('));
    let mut parts = parts.map(str::trim);
    parts.next().is_some_and(is_dotted_name)
        && parts.all(|part| {
            let method = part.strip_prefix('.').map(str::trim);
            part.is_empty() || method.is_some_and(is_dotted_name)
        })
}

fn arguments(text: &str) -> Vec<Argument<'_>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    scan(text, |at, c, depth| {
        if c == ',' && depth == 0 {
            pieces.push(text.get(start..at).unwrap_or_default());
            start = at + 1;
        }
    });
    pieces.push(text.get(start..).unwrap_or_default());
    let pieces = pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty());
    pieces
        .map(|piece| {
            let keyword = piece.split_once('=').filter(|(name, value)| {
                is_dotted_name(name.trim()) && !name.contains('.') && !value.starts_with('=')
            });
            match keyword {
                _ if piece.starts_with('*') => Argument::Starred,
                Some((name, value)) => Argument::Keyword(name.trim(), value.trim()),
                None => Argument::Positional(piece),
            }
        })
        .collect()
}

/// Calls `visit(byte, character, bracket depth)` for all characters outside strings.
fn scan(text: &str, mut visit: impl FnMut(usize, char, usize)) {
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                visit(at, c, depth);
            }
            None => {
                if matches!(c, ')' | ']' | '}') {
                    depth = depth.saturating_sub(1);
                }
                visit(at, c, depth);
                if matches!(c, '(' | '[' | '{') {
                    depth += 1;
                }
            }
        }
    }
}
