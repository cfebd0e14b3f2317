//! The context: what of the program a prompt shows, as tokens.

use super::Limit;
use super::names::Names;
use super::scopes::{self, Scopes};
use super::source::{Lexer, Piece, reads};
use super::vocab::{CONTEXT, CONTINUED, INDENT, LINE, RUN, Token};
use crate::program::{Entry, Program};
use crate::trace::Event;
use std::sync::Arc;

/// A program as the compact dialect shows it: its lines numbered and in tokens, its names
/// in slots. The same in training, evaluation and sessions.
#[derive(Debug, Clone)]
pub struct Context {
    pub(super) names: Names,
    ids: Vec<Token>,
    lines: Vec<Line>,
    /// By physical line, from 1: its number in the context, from 1; 0 if it is not in it.
    numbers: Vec<u16>,
    scopes: Scopes,
}

/// One line of the context.
#[derive(Debug, Clone)]
struct Line {
    physical: u32,
    /// Its text, without number and indentation.
    tokens: Vec<Token>,
    /// Names it may read, in order of appearance.
    reads: Vec<Arc<str>>,
}

impl Context {
    /// The context of a program. `kept` are the physical lines of its first file to show,
    /// ascending; lines without code are left out in any case.
    ///
    /// # Errors
    /// The [`Limit`] that the program exceeds.
    pub fn new(program: &Program, kept: impl Fn(u32) -> bool) -> Result<Self, Limit> {
        let [file] = program.files.as_slice() else {
            return Err(Limit::Files(program.files.len()));
        };
        let mut context = Context {
            names: Names::default(),
            ids: vec![CONTEXT],
            lines: Vec::new(),
            numbers: vec![0; file.lines.len()],
            scopes: Scopes::default(),
        };
        let mut scopes = scopes::Builder::default();
        let mut lexer = Lexer::default();
        let mut columns = Vec::new();
        for (at, text) in file.lines.iter().enumerate() {
            let continued = lexer.continues();
            let pieces = lexer.line(text);
            scopes.line(text, &pieces, continued);
            let physical = at as u32 + 1;
            if pieces.is_empty() || !kept(physical) {
                continue;
            }
            let indent = indent(text, continued, &mut columns);
            context.line(physical, indent, &pieces)?;
        }
        context.scopes = scopes.finish();
        if let Entry::Call { expression, .. } = &program.entry {
            context.ids.push(RUN);
            for piece in Lexer::default().line(expression) {
                piece_token(&piece, &mut context.names, &mut context.ids)?;
            }
        }
        Ok(context)
    }

    fn line(&mut self, physical: u32, indent: Token, pieces: &[Piece<'_>]) -> Result<(), Limit> {
        let number = self.lines.len() as Token;
        if number >= LINE.len() as Token {
            return Err(Limit::Lines);
        }
        let mut tokens = Vec::new();
        for piece in pieces {
            piece_token(piece, &mut self.names, &mut tokens)?;
        }
        self.ids.extend([LINE.start + number, indent]);
        self.ids.extend(&tokens);
        let reads = reads(pieces).into_iter().map(Arc::from).collect();
        self.lines.push(Line { physical, tokens, reads });
        if let Some(slot) = self.numbers.get_mut(physical as usize - 1) {
            *slot = number as u16 + 1;
        }
        Ok(())
    }

    /// The tokens every prompt of this program begins with.
    pub fn ids(&self) -> &[Token] {
        &self.ids
    }

    /// Number of lines shown.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether no line is shown.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The physical lines it shows, ascending.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.lines.iter().map(|line| line.physical)
    }

    /// The line token of a physical line, if the context shows it.
    pub fn line_token(&self, physical: u32) -> Option<Token> {
        let number = *self.numbers.get((physical as usize).checked_sub(1)?)?;
        (number > 0).then(|| LINE.start + Token::from(number) - 1)
    }

    /// The physical line of a line token.
    pub fn physical(&self, token: Token) -> Option<u32> {
        let at = token.checked_sub(LINE.start)?;
        self.lines.get(at as usize).map(|line| line.physical)
    }

    /// The tokens of a physical line's text and the names it may read.
    pub(super) fn statement(&self, physical: u32) -> Option<(&[Token], &[Arc<str>])> {
        let at = self.line_token(physical)? - LINE.start;
        self.lines.get(at as usize).map(|line| (&*line.tokens, &*line.reads))
    }

    /// See [`Scopes::suggested`].
    pub(super) fn suggested(&self, event: Event, suspension: bool, line: u32) -> &str {
        self.scopes.suggested(event, suspension, line)
    }
}

/// The token of a line's indentation: its level, as Python's tokenizer counts.
fn indent(text: &str, continued: bool, columns: &mut Vec<usize>) -> Token {
    if continued {
        return CONTINUED;
    }
    let column = text.chars().take_while(|c| c.is_whitespace()).count();
    while columns.last().is_some_and(|&open| open > column) {
        columns.pop();
    }
    if columns.last().map_or(column > 0, |&open| open < column) {
        columns.push(column);
    }
    INDENT.start + columns.len().min(INDENT.len() - 1) as Token
}

fn piece_token(piece: &Piece<'_>, names: &mut Names, out: &mut Vec<Token>) -> Result<(), Limit> {
    match *piece {
        Piece::Name(name) => {
            if !names.assign(name) {
                return Err(Limit::Names);
            }
            out.extend(names.token(name));
        }
        Piece::Token(token) => out.push(token),
        Piece::Char(c) => super::names::character(c, out),
    }
    Ok(())
}
