//! What the program's outline says about lines and names: where frames begin, which lines
//! and names are a function's own.
//!
//! Everything here is read off the text, and errs on the side of more.

use super::context::Context;
use super::read::Entering;
use super::set::TokenSet;
use super::vocab::{SLOT, Token, WORD};
use crate::program::outline::{Lines, Maker, Outline, Scope, ScopeId, ScopeKind};

/// Words with which a function's variables can be other than its text says.
const OPENING: [&str; 4] = ["exec", "eval", "locals", "vars"];

impl Context {
    /// Whether a frame of the program can begin at a line.
    pub(super) fn begins(&self, line: u32) -> bool {
        let begins = |scope: &Scope| match scope.kind {
            ScopeKind::Module => false,
            ScopeKind::Class | ScopeKind::Function => {
                (scope.first_line..=scope.line).contains(&line)
            }
            ScopeKind::Lambda | ScopeKind::Generator => extent(scope).contains(line),
        };
        self.outline().scopes().iter().any(begins)
    }

    /// Whether a line can be about to run. A docstring is: of a module or class.
    pub(super) fn runs(&self, line: u32) -> bool {
        self.outline().is_executable(line) || self.hidden().contains(&line)
    }

    /// Whether a frame can be suspended at a line.
    pub(super) fn suspends(&self, line: u32) -> bool {
        let scopes = self.outline().scopes().iter();
        let mut suspendable = scopes.filter(|scope| scope.is_generator || scope.is_async);
        suspendable.any(|scope| extent(scope).contains(line))
    }

    /// Whether a line can be in the frame of a function that was seen at another line.
    pub(super) fn is_in(&self, function: &str, seen: u32, line: u32) -> bool {
        let outline = self.outline();
        let Some(id) = outline.scope_named(function, seen) else { return true };
        let Some(scope) = outline.scope(id) else { return true };
        let around = scope.kind == ScopeKind::Module || extent(scope).contains(line);
        around && !self.is_in_nested(id, line)
    }

    /// Whether a line belongs to a function or class inside a scope, and not to its header.
    fn is_in_nested(&self, around: ScopeId, line: u32) -> bool {
        let outline = self.outline();
        (0..).zip(outline.scopes()).any(|(id, scope)| {
            let code = matches!(scope.kind, ScopeKind::Function | ScopeKind::Class);
            code && id > around
                && scope.body.contains(line)
                && line > header_end(outline, id, scope)
                && is_inside(outline, id, around)
        })
    }

    /// The tokens of the names that a function's variables can have; `None` if its text does
    /// not tell.
    pub(super) fn names_of(&self, function: &str, seen: u32) -> Option<TokenSet> {
        let scope = self.outline().scope(self.outline().scope_named(function, seen)?)?;
        if matches!(scope.kind, ScopeKind::Module | ScopeKind::Class) {
            return None;
        }
        let lines = extent(scope);
        if self.hidden().iter().any(|&line| lines.contains(line)) {
            return None;
        }
        let mut set = TokenSet::EMPTY;
        for token in lines.iter().filter_map(|line| self.text_of(line)).flatten() {
            if !SLOT.contains(token) && !WORD.contains(token) {
                continue;
            }
            let name = self.names.text(*token)?;
            // In a class `__x` is `_Class__x`.
            if name.starts_with("__") && !name.ends_with("__") || OPENING.contains(&name) {
                return None;
            }
            set.insert(*token);
        }
        Some(set)
    }

    /// What the variables of a frame are as it begins at a line; `None` if the text does
    /// not tell.
    pub(super) fn entering(&self, function: &str, line: u32) -> Option<Entering<'_>> {
        let outline = self.outline();
        let here = |scope: &Scope| match scope.kind {
            ScopeKind::Module => true,
            ScopeKind::Class | ScopeKind::Function => {
                (scope.first_line..=scope.line).contains(&line)
            }
            ScopeKind::Lambda | ScopeKind::Generator => extent(scope).contains(line),
        };
        let mut found = outline.scopes().iter().filter(|s| s.name == function && here(s));
        let entering = entering(outline, found.next()?)?;
        // Lambdas of one line may differ.
        let same = |scope| self::entering(outline, scope).as_ref() == Some(&entering);
        found.all(same).then_some(entering)
    }

    fn text_of(&self, physical: u32) -> Option<&[Token]> {
        self.statement(physical).map(|(tokens, _)| tokens)
    }
}

/// All lines of a scope, with decorators and header.
fn extent(scope: &Scope) -> Lines {
    Lines { first: scope.first_line, last: scope.body.last.max(scope.line) }
}

/// See [`Context::entering`].
fn entering<'a>(outline: &'a Outline, scope: &'a Scope) -> Option<Entering<'a>> {
    if outline.maker() == Maker::Indentation || scope.kind == ScopeKind::Class {
        return None;
    }
    let mut required = Vec::new();
    for param in scope.in_frame_order() {
        match (param.name.starts_with("__"), param.name.ends_with("__")) {
            _ if param.name.starts_with('.') => {}
            (true, true) => {}            // Never shown.
            (true, false) => return None, // In a class `__x` is `_Class__x`.
            (false, _) => required.push(param.name.as_str()),
        }
    }
    let around = |id: ScopeId| outline.scope(id).map(|scope| scope.kind);
    let parents = std::iter::successors(scope.parent, |id| outline.scope(*id)?.parent);
    let inside = |kind| !matches!(kind, ScopeKind::Module | ScopeKind::Class);
    Some(Entering { required, open: parents.filter_map(around).any(inside) })
}

fn header_end(outline: &Outline, id: ScopeId, scope: &Scope) -> u32 {
    let mut statements = outline.statements().iter();
    let header = statements.find(|statement| statement.opens == Some(id));
    header.map_or(scope.line, |statement| statement.lines.last)
}

fn is_inside(outline: &Outline, inner: ScopeId, outer: ScopeId) -> bool {
    let parent = |id: &ScopeId| outline.scope(*id).and_then(|scope| scope.parent);
    std::iter::successors(Some(inner), parent).skip(1).any(|id| id == outer)
}
