//! The context: what of the program a prompt shows, as tokens.

use super::Limit;
use super::names::Names;
use super::source::{Lexer, Piece};
use super::vocab::{CONTEXT, CONTINUED, INDENT, LINE, RUN, Token};
use crate::codec::context as choose;
use crate::program::outline::{Arm, Lines, Outline, ScopeKind, Statement, StatementKind};
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
    outline: Arc<Outline>,
    loops: Vec<Loop>,
    /// Physical lines that a state can be at and that are not shown.
    hidden: Vec<u32>,
    /// Blocks of the program that the entry reaches and that are not shown.
    pub cut: usize,
}

/// One line of the context.
#[derive(Debug, Clone)]
struct Line {
    physical: u32,
    /// Its text, without number and indentation.
    tokens: Vec<Token>,
}

/// A `for` statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loop {
    pub(super) header: Lines,
    /// Header and body, without `else`.
    pub(super) whole: Lines,
}

impl Context {
    /// The context of a program: the lines that [`choose`](fn@choose) keeps within a budget of tokens,
    /// without those that hold no code, and the call the session starts from.
    ///
    /// # Errors
    /// The [`Limit`] that the program exceeds.
    pub fn new(program: &Program, budget: usize) -> Result<Self, Limit> {
        let [file] = program.files.as_slice() else {
            return Err(Limit::Files(program.files.len()));
        };
        let mut lexer = Lexer::default();
        let lexed = file.lines.iter().map(|text| (lexer.continues(), lexer.line(text)));
        let lexed: Vec<(bool, Vec<Piece<'_>>)> = lexed.collect();
        let chosen = choose(program, budget, |loc, text| {
            let pieces = match lexed.get((loc.line as usize).wrapping_sub(1)) {
                Some((false, pieces)) => pieces.len(),
                // What a line costs depends on it alone.
                _ => Lexer::default().line(text).len(),
            };
            if pieces == 0 { 0 } else { pieces + 2 }
        });
        let mut kept = vec![false; file.lines.len()];
        for loc in &chosen.lines {
            if let Some(kept) = kept.get_mut((loc.line as usize).saturating_sub(1)) {
                *kept = true;
            }
        }
        let outline = file.outline.clone();
        let mut context = Context {
            names: Names::default(),
            ids: vec![CONTEXT],
            lines: Vec::new(),
            numbers: vec![0; file.lines.len()],
            loops: loops(&outline),
            outline,
            hidden: Vec::new(),
            cut: chosen.cut.len(),
        };
        let mut columns = Vec::new();
        for (((physical, text), kept), (continued, pieces)) in
            (1..).zip(&file.lines).zip(kept).zip(lexed)
        {
            let code = !pieces.is_empty();
            if !code || !kept || context.is_docstring(physical, &pieces, continued) {
                // A module begins at line 1, whatever is there.
                context.hidden.extend(Some(physical).filter(|&line| code || line == 1));
                continue;
            }
            let indent = indent(text, continued, &mut columns);
            context.line(physical, indent, &pieces)?;
        }
        if let Entry::Call { expression, .. } = &program.entry {
            context.ids.push(RUN);
            for piece in Lexer::default().line(expression) {
                piece_token(&piece, &mut context.names, &mut context.ids)?;
            }
        }
        Ok(context)
    }

    /// Whether a line is nothing but (a part of) a string that no one uses.
    fn is_docstring(&self, physical: u32, pieces: &[Piece<'_>], continued: bool) -> bool {
        let silent = |kind| kind == StatementKind::Silent;
        let text = matches!(pieces.first(), Some(Piece::Char('\'' | '"' | 'r' | 'R' | 'u' | 'U')));
        let mut statements = self.outline.statements_at(physical);
        statements.all(|(_, statement)| silent(statement.kind) && (continued || text))
            && self.outline.statement_at(physical).is_some()
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
        self.lines.push(Line { physical, tokens });
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

    /// The tokens of a physical line's text and the names it reads.
    pub(super) fn statement(&self, physical: u32) -> Option<(&[Token], Vec<&str>)> {
        let at = self.line_token(physical)? - LINE.start;
        let line = self.lines.get(at as usize)?;
        Some((&line.tokens, self.outline.reads(physical)))
    }

    /// Physical lines that a state can be at and that are not shown.
    pub(super) fn hidden(&self) -> &[u32] {
        &self.hidden
    }

    pub(super) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The `for` statements.
    pub(super) fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// The function that a state of this event on this line is in, as far as the line
    /// tells. A default, not a truth: a state in another code object of the line (a lambda,
    /// a generator expression) names it. A call belongs to what its line defines, a resume
    /// to what is around it.
    pub(super) fn suggested(&self, event: Event, suspension: bool, line: u32) -> &str {
        let named = |kind| matches!(kind, ScopeKind::Function | ScopeKind::Class);
        let mut defined =
            self.outline.scopes().iter().rev().filter(|scope| {
                named(scope.kind) && (scope.first_line..=scope.line).contains(&line)
            });
        let called = event == Event::Call && !suspension;
        let scope = defined.next().filter(|_| called);
        let scope = scope.or_else(|| self.outline.scope(self.outline.scope_at(line)));
        scope.map_or("<module>", |scope| &scope.name)
    }
}

fn loops(outline: &Outline) -> Vec<Loop> {
    let statements = outline.statements();
    let mut last: Vec<u32> = statements.iter().map(|statement| statement.lines.last).collect();
    for statement in statements.iter().filter(|statement| statement.arm == Arm::Body) {
        if let Some(last) = statement.parent.and_then(|id| last.get_mut(id as usize)) {
            *last = statement.end.max(*last);
        }
    }
    let loops = statements.iter().zip(last).filter(|(s, _)| s.kind == StatementKind::For);
    let whole = |s: &Statement, last| Lines { first: s.lines.first, last };
    loops.map(|(s, last)| Loop { header: s.lines, whole: whole(s, last) }).collect()
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
