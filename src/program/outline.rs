//! What is where in a Python file: scopes, statements, names, calls.
//!
//! An [`Outline`] always exists. It is made by rustpython-parser (`parse`, the only file
//! that names it), else by the user's own CPython (which fills [`Parts`] with its `ast`),
//! else from indentation and first words (`lines`), with a [`Problem`] that says why.
//! Must not know: executions, models, terminals. All lines are 1-based.

mod lines;
mod parse;
mod parts;
mod scan;

pub(super) use lines::{Token, tokens};
pub use parts::{
    Arm, CallSite, Lines, Maker, NameUse, Param, ParamKind, Parts, Scope, ScopeId, ScopeKind,
    Statement, StatementId, StatementKind, Use,
};
pub(super) use scan::Logical;

use super::Problem;

/// What is where in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    parts: Parts,
    /// For each line the first statement whose own lines hold it.
    at: Vec<Option<StatementId>>,
}

impl Outline {
    /// Outlines a file given its physical lines. Never fails: what does not parse is
    /// outlined by indentation, and the problem says where and why.
    pub fn of(lines: &[std::sync::Arc<str>]) -> (Self, Vec<Problem>) {
        let scan = scan::Scan::of(lines);
        let refused = scan.refused.clone();
        let parsed = match refused {
            Some(problem) => Err(problem),
            None => parse::parse(lines, &scan),
        };
        let (parts, problems) = match parsed {
            Ok(parts) => (parts, Vec::new()),
            Err(problem) => (lines::guess(lines, &scan), vec![problem]),
        };
        (Self::index(parts, lines.len()), problems)
    }

    /// Takes an outline made elsewhere for a file of `line_count` lines.
    ///
    /// # Errors
    /// One line, if an index or a line is out of range or out of order.
    pub fn from_parts(mut parts: Parts, line_count: usize) -> Result<Self, String> {
        parts.check(line_count)?;
        parts.names.sort_by_key(|n| n.line);
        parts.calls.sort_by_key(|c| c.line);
        for lines in [&mut parts.suspensions, &mut parts.comprehensions] {
            lines.sort_unstable();
            lines.dedup();
        }
        Ok(Self::index(parts, line_count))
    }

    fn index(parts: Parts, line_count: usize) -> Self {
        let mut at = vec![None; line_count];
        for (id, statement) in (0..).zip(&parts.statements) {
            for line in statement.lines.iter() {
                if let Some(slot) = at.get_mut(line as usize - 1)
                    && slot.is_none()
                {
                    *slot = Some(id);
                }
            }
        }
        Outline { parts, at }
    }

    /// The plain data.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Who made it.
    pub fn maker(&self) -> Maker {
        self.parts.maker
    }

    /// All scopes; the module is first.
    pub fn scopes(&self) -> &[Scope] {
        &self.parts.scopes
    }

    /// All statements in source order.
    pub fn statements(&self) -> &[Statement] {
        &self.parts.statements
    }

    /// A scope by index.
    pub fn scope(&self, id: ScopeId) -> Option<&Scope> {
        self.parts.scopes.get(id as usize)
    }

    /// A statement by index.
    pub fn statement(&self, id: StatementId) -> Option<&Statement> {
        self.parts.statements.get(id as usize)
    }

    /// Functions a person can name, with their index.
    pub fn functions(&self) -> impl Iterator<Item = (ScopeId, &Scope)> {
        (0..).zip(&self.parts.scopes).filter(|(_, scope)| scope.is_function())
    }

    /// The function with a qualified name, else the only one whose last name it is.
    pub fn function(&self, name: &str) -> Option<(ScopeId, &Scope)> {
        // A later definition of the same name is the one that stays bound.
        if let Some(found) = self.functions().filter(|(_, s)| s.qualname == name).last() {
            return Some(found);
        }
        let mut same = self.functions().filter(|(_, s)| s.name == name);
        same.next().filter(|_| same.next().is_none())
    }

    /// The first (outermost) statement whose own lines hold a line.
    pub fn statement_at(&self, line: u32) -> Option<(StatementId, &Statement)> {
        let id = (*self.at.get((line as usize).checked_sub(1)?)?)?;
        Some((id, self.statement(id)?))
    }

    /// All statements whose own lines hold a line (several on `if a: b = 1; c = 2`).
    pub fn statements_at(&self, line: u32) -> impl Iterator<Item = (StatementId, &Statement)> {
        let from = self.statement_at(line).map_or(self.parts.statements.len(), |s| s.0 as usize);
        (0..)
            .zip(&self.parts.statements)
            .skip(from)
            .take_while(move |(_, s)| s.lines.first <= line)
            .filter(move |(_, s)| s.lines.contains(line))
    }

    /// The innermost function, class or module whose body holds a line; a `def` line
    /// belongs to the scope around it, unless the body is on it too.
    pub fn scope_at(&self, line: u32) -> ScopeId {
        (0..)
            .zip(&self.parts.scopes)
            .filter(|(_, s)| !matches!(s.kind, ScopeKind::Lambda | ScopeKind::Generator))
            .filter(|(_, s)| s.kind == ScopeKind::Module || s.body.contains(line))
            .last()
            .map_or(0, |(id, _)| id)
    }

    /// The scope of a frame known by its `co_name` and a line it is at: the innermost of
    /// that name whose lines, decorators included, hold the line.
    pub fn scope_named(&self, name: &str, line: u32) -> Option<ScopeId> {
        (0..)
            .zip(&self.parts.scopes)
            .filter(|(_, s)| s.name == name)
            .filter(|(_, s)| {
                s.kind == ScopeKind::Module || (s.first_line..=s.body.last).contains(&line)
            })
            .last()
            .map(|(id, _)| id)
    }

    /// Whether a `line` event can be at a line's statement: false for blank lines,
    /// comments, docstrings, `else:`, `global`, bare annotations.
    pub fn is_executable(&self, line: u32) -> bool {
        self.statements_at(line).any(|(_, s)| s.kind != StatementKind::Silent)
    }

    /// Where a breakpoint asked for at a line binds: the statement there, else the next
    /// executable one below. `None` after the last.
    pub fn breakable(&self, line: u32) -> Option<&Statement> {
        let count = u32::try_from(self.at.len()).unwrap_or(u32::MAX);
        (line.max(1)..=count)
            .flat_map(|line| self.statements_at(line))
            .map(|(_, s)| s)
            .find(|s| s.kind != StatementKind::Silent)
    }

    /// Uses of names on a line, in order.
    pub fn names(&self, line: u32) -> &[NameUse] {
        on_line(&self.parts.names, line, |n| n.line)
    }

    /// Names read on a line, each once, in order of appearance.
    pub fn reads(&self, line: u32) -> Vec<&str> {
        self.distinct(line, Use::Read)
    }

    /// Names bound on a line, each once, in order of appearance.
    pub fn binds(&self, line: u32) -> Vec<&str> {
        self.distinct(line, Use::Bind)
    }

    fn distinct(&self, line: u32, usage: Use) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.names(line).iter().filter(|n| n.usage == usage) {
            if !names.contains(&name.name.as_str()) {
                names.push(&name.name);
            }
        }
        names
    }

    /// Call expressions on a line, in order.
    pub fn calls(&self, line: u32) -> &[CallSite] {
        on_line(&self.parts.calls, line, |c| c.line)
    }

    /// Whether a frame can suspend at a line (`yield`, `await`, …).
    pub fn suspends(&self, line: u32) -> bool {
        self.parts.suspensions.binary_search(&line).is_ok()
    }
}

impl Outline {
    /// Whether a frame can suspend in the statement at a line, at whichever line of it.
    pub fn statement_suspends(&self, line: u32) -> bool {
        self.statements_at(line).any(|(_, s)| any_in(&self.parts.suspensions, s.lines))
    }

    /// Whether the statement at a line holds a comprehension, whose lines may repeat.
    pub fn repeats(&self, line: u32) -> bool {
        self.statements_at(line).any(|(_, s)| any_in(&self.parts.comprehensions, s.lines))
    }
}

/// Whether any of some ascending lines lies in a range.
fn any_in(ascending: &[u32], lines: Lines) -> bool {
    let after = ascending.partition_point(|&line| line < lines.first);
    ascending.get(after).is_some_and(|&line| line <= lines.last)
}

/// The run of items on one line; items are ordered by line.
fn on_line<T>(items: &[T], line: u32, line_of: impl Fn(&T) -> u32) -> &[T] {
    let start = items.partition_point(|item| line_of(item) < line);
    let rest = items.get(start..).unwrap_or_default();
    let count = rest.partition_point(|item| line_of(item) == line);
    rest.get(..count).unwrap_or_default()
}

#[cfg(test)]
mod tests;
