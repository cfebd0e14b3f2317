//! Source lines to pieces: names, operators and characters.
//!
//! Layout is dropped (it is never decoded: the program holds its text), string contents
//! are kept character by character. Works on any text: broken Python gives some pieces.

use super::vocab::{self, Token};

/// A part of a source line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    /// An identifier or keyword.
    Name(&'a str),
    /// An operator, `, ` or `: `.
    Token(Token),
    /// Any other character.
    Char(char),
}

/// What the end of a line leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Open {
    /// A string literal.
    Text { quote: char, shown: char, triple: bool, fields: bool },
    /// A replacement field of an f-string, with its open brackets.
    Field { brackets: u32 },
    /// The format specification of a replacement field.
    Format,
}

/// Reads the lines of a file in order; knows which lines continue the one above.
#[derive(Debug, Clone, Default)]
pub struct Lexer {
    open: Vec<Open>,
    brackets: u32,
    backslash: bool,
}

impl Lexer {
    /// Whether the next line continues the statement of the line before.
    pub fn continues(&self) -> bool {
        self.brackets > 0 || self.backslash || !self.open.is_empty()
    }

    /// The pieces of the next line, without its comment.
    pub fn line<'a>(&mut self, text: &'a str) -> Vec<Piece<'a>> {
        self.backslash = false;
        let mut out = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let used = match self.open.last() {
                Some(&Open::Text { .. }) => self.in_text(rest, c, &mut out),
                Some(Open::Format) => self.in_format(c, &mut out),
                Some(Open::Field { .. }) | None => self.in_code(rest, c, &mut out),
            };
            match used {
                Some(bytes) => rest = rest.get(bytes..).unwrap_or(""),
                None => break,
            }
        }
        self.end_of_line(text);
        out
    }

    /// A string of one line ends with it, unless a backslash continues it.
    fn end_of_line(&mut self, text: &str) {
        let one_line = |open: &Open| matches!(open, Open::Text { triple: false, .. });
        if let Some(at) = self.open.iter().position(one_line) {
            if text.ends_with('\\') {
                self.backslash = true;
            } else {
                self.open.truncate(at);
            }
        }
    }

    fn in_text<'a>(&mut self, rest: &str, c: char, out: &mut Vec<Piece<'a>>) -> Option<usize> {
        let Some(&Open::Text { quote, shown, triple, fields }) = self.open.last() else {
            return None;
        };
        let next = rest.chars().nth(1);
        let mut take = |count: usize| {
            out.extend(rest.chars().take(count).map(Piece::Char));
            Some(rest.chars().take(count).map(char::len_utf8).sum())
        };
        if c == '\\' {
            // In a raw string too a backslash protects a quote.
            return take(2);
        }
        if c == quote {
            if !triple {
                self.open.pop();
                out.push(Piece::Char(shown));
                return Some(c.len_utf8());
            }
            if rest.chars().take(3).filter(|&c| c == quote).count() == 3 {
                self.open.pop();
                return take(3);
            }
        }
        if fields && c == '{' && next == Some('{') || fields && c == '}' && next == Some('}') {
            return take(2);
        }
        if fields && c == '{' {
            self.open.push(Open::Field { brackets: 0 });
        }
        take(1)
    }

    fn in_format<'a>(&mut self, c: char, out: &mut Vec<Piece<'a>>) -> Option<usize> {
        match c {
            '{' => self.open.push(Open::Field { brackets: 0 }),
            '}' => {
                self.open.pop();
                self.open.pop();
            }
            _ => {}
        }
        out.push(Piece::Char(c));
        Some(c.len_utf8())
    }

    fn in_code<'a>(&mut self, rest: &'a str, c: char, out: &mut Vec<Piece<'a>>) -> Option<usize> {
        if c.is_whitespace() {
            return Some(c.len_utf8());
        }
        if c == '#' {
            return None;
        }
        if c == '\\' && rest.len() == 1 {
            self.backslash = true;
            return None;
        }
        if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            let Some(quote @ ('\'' | '"')) = after.chars().next().filter(|_| is_prefix(name))
            else {
                out.push(Piece::Name(name));
                return Some(end);
            };
            out.extend(name.chars().map(Piece::Char));
            return Some(end + self.open_text(after, quote, name, out));
        }
        if let '\'' | '"' = c {
            return Some(self.open_text(rest, c, "", out));
        }
        if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
            let number = rest.get(..end.unwrap_or(rest.len()))?;
            out.extend(number.chars().map(Piece::Char));
            return Some(number.len());
        }
        Some(self.punctuation(rest, c, out))
    }

    fn open_text<'a>(
        &mut self,
        text: &'a str,
        quote: char,
        prefix: &str,
        out: &mut Vec<Piece<'a>>,
    ) -> usize {
        let quotes = text.chars().take(3).take_while(|&c| c == quote).count();
        let triple = quotes == 3;
        let has = |letters: [char; 2]| prefix.contains(letters);
        let nested = self.open.iter().any(|open| matches!(open, Open::Text { .. }));
        let shown = if triple || nested { quote } else { as_repr_quotes(text, quote) };
        let fields = has(['f', 'F']) || has(['t', 'T']);
        self.open.push(Open::Text { quote, shown, triple, fields });
        let count = if triple { 3 } else { 1 };
        out.extend(std::iter::repeat_n(Piece::Char(shown), count));
        count
    }

    fn punctuation<'a>(&mut self, rest: &str, c: char, out: &mut Vec<Piece<'a>>) -> usize {
        let mut follows = rest.chars().skip(1).skip_while(|c| c.is_whitespace());
        let ends = matches!(follows.next(), None | Some('#' | '\\'));
        let spaced = rest.chars().nth(1).is_some_and(char::is_whitespace);
        if let Some(Open::Field { brackets }) = self.open.last_mut() {
            match c {
                '(' | '[' | '{' => *brackets += 1,
                ')' | ']' => *brackets = brackets.saturating_sub(1),
                '}' if *brackets > 0 => *brackets -= 1,
                '}' => {
                    self.open.pop();
                }
                ':' if *brackets == 0 => self.open.push(Open::Format),
                '!' if *brackets == 0 && !rest.starts_with("!=") => {
                    let two = rest.chars().take(2);
                    out.extend(two.clone().map(Piece::Char));
                    return two.map(char::len_utf8).sum();
                }
                _ => {}
            }
            if matches!(self.open.last(), Some(Open::Format)) || self.open.is_empty() || c == '}' {
                out.push(Piece::Char(c));
                return c.len_utf8();
            }
        } else {
            match c {
                '(' | '[' | '{' => self.brackets += 1,
                ')' | ']' | '}' => self.brackets = self.brackets.saturating_sub(1),
                _ => {}
            }
        }
        if let Some(at) = vocab::OPERATORS.iter().position(|op| rest.starts_with(op)) {
            out.push(Piece::Token(vocab::OPERATOR.start + at as Token));
            return vocab::OPERATORS.get(at).map_or(1, |op| op.len());
        }
        out.push(match c {
            // As `repr` writes displays, so that a literal and its value look alike.
            ',' if !ends => Piece::Token(vocab::COMMA),
            ':' if !ends && spaced => Piece::Token(vocab::COLON),
            _ => Piece::Char(c),
        });
        c.len_utf8()
    }
}

/// The quote that `repr` would put around a text, so that a literal and its value look
/// alike; the text's own where it is not that simple. `text` begins with the quote.
fn as_repr_quotes(text: &str, quote: char) -> char {
    let body = text.get(1..).and_then(|rest| rest.split(quote).next()).unwrap_or_default();
    if body.contains(['\'', '\\']) { quote } else { '\'' }
}

fn is_prefix(name: &str) -> bool {
    name.len() <= 2 && name.chars().all(|c| "rbfutRBFUT".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces as text, names in brackets.
    fn show(lines: &str) -> Vec<String> {
        let mut lexer = Lexer::default();
        let piece = |piece: &Piece| match *piece {
            Piece::Name(name) => format!("[{name}]"),
            Piece::Token(token) => format!("<{}>", vocab::text(token).unwrap_or("?")),
            Piece::Char(c) => c.to_string(),
        };
        lines.lines().map(|line| lexer.line(line).iter().map(piece).collect()).collect()
    }

    #[test]
    fn lines_become_pieces() {
        let table = [
            ("x  =  foo( 1,2 )  # note", "[x]=[foo](1<, >2)"),
            ("if a<=b: return {'k': 1}", "[if] [a]<<=>[b]<: >[return]{'k'<: >1}"),
            ("y = xs[1:-1] ** 2", "[y]=[xs][1:-1]<**>2"),
            ("for i, x in enumerate(xs):", "[for][i]<, >[x][in][enumerate]([xs]):"),
            ("s = 'a, # b' + \"it's\"", "[s]='a, # b'+\"it's\""),
            ("z = 1e-5 + 0xff", "[z]=1e-5+0xff"),
            ("b = rb'\\n' + b''", "[b]=rb'\\n'+b''"),
            ("f'{x!r:>{w}} {{y}} {a + 1:.2f}'", "f'{[x]!r:>{[w]}} {{y}} {[a]+1:.2f}'"),
            ("f(*args, **kw)", "[f](*[args]<, ><**>[kw])"),
            ("f'{d[\"k\"]}' if ok else ''", "f'{[d][\"k\"]}'[if][ok][else]''"),
        ];
        for (line, pieces) in table {
            assert_eq!(show(line), [pieces.replace("[if] [a]", "[if][a]")], "{line}");
        }
    }

    #[test]
    fn lines_continue_in_brackets_strings_and_after_a_backslash() {
        let mut lexer = Lexer::default();
        let source = "x = [\n 1,\n]\ny = '''a\nb # c\n'''\nz = 1 + \\\n 2\nw = 'open\nv = 1";
        let continued: Vec<bool> = source
            .lines()
            .map(|line| {
                let before = lexer.continues();
                lexer.line(line);
                before
            })
            .collect();
        let t = true;
        assert_eq!(continued, [false, t, t, false, t, t, false, t, false, false]);
        assert_eq!(show("y = '''a\nb # c'''"), ["[y]='''a", "b # c'''"]);
        assert_eq!(show("f(\"a\", \"it's\")"), ["[f]('a'<, >\"it's\")"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(lines in proptest::collection::vec("[ -~é…]{0,30}", 0..6)) {
            let mut lexer = Lexer::default();
            for line in &lines {
                lexer.line(line);
            }
        }
    }
}
