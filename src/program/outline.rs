//! What is where in a Python file: scopes, statements, names, calls.
//!
//! An [`Outline`] always exists. It is made by rustpython-parser ([`parse`], the only file
//! that names it), else by the user's own CPython (which fills [`Parts`] with its `ast`),
//! else from indentation and first words ([`lines`]), with a [`Problem`] that says why.
//! Must not know: executions, models, terminals. All lines are 1-based.

mod lines;
mod parse;
mod scan;

use super::Problem;
use serde::{Deserialize, Serialize};

/// An inclusive range of 1-based lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lines {
    /// First line.
    pub first: u32,
    /// Last line; not before `first`.
    pub last: u32,
}

impl Lines {
    /// Whether a line lies in the range.
    pub fn contains(self, line: u32) -> bool {
        (self.first..=self.last).contains(&line)
    }

    /// The lines in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = u32> {
        self.first..=self.last
    }
}

/// Who made an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Maker {
    /// The built-in parser.
    Parser,
    /// CPython's own `ast` module.
    Python,
    /// Indentation and first words only, because the file does not parse.
    Indentation,
}

/// Index of a [`Scope`] in [`Parts::scopes`]; 0 is the module.
pub type ScopeId = u32;

/// Index of a [`Statement`] in [`Parts::statements`].
pub type StatementId = u32;

/// What kind of code object a scope becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeKind {
    /// The module body.
    Module,
    /// A class body.
    Class,
    /// A `def` or `async def`.
    Function,
    /// A lambda.
    Lambda,
    /// A generator expression. (List, set and dict comprehensions are no scopes here:
    /// they never are frames.)
    Generator,
}

/// Code that runs in a frame of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// What it is.
    pub kind: ScopeKind,
    /// `co_name`: `f`, `<module>`, `<lambda>`, `<genexpr>`, a class's name.
    pub name: String,
    /// `co_qualname`, e.g. `Stack.push` or `outer.<locals>.inner`.
    pub qualname: String,
    /// The scope around it; `None` for the module.
    pub parent: Option<ScopeId>,
    /// First line with decorators (`co_firstlineno`).
    pub first_line: u32,
    /// The `def`, `class` or `lambda` line.
    pub line: u32,
    /// The body, with everything nested in it. For lambdas and generator expressions the
    /// whole expression.
    pub body: Lines,
    /// Parameters in order of declaration.
    pub params: Vec<Param>,
    /// Whether its own body has a `yield` (always true for generator expressions).
    pub is_generator: bool,
    /// Whether it is `async`.
    pub is_async: bool,
}

impl Scope {
    /// Whether a person can call it by name.
    pub fn is_function(&self) -> bool {
        self.kind == ScopeKind::Function
    }
}

/// How a parameter takes its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParamKind {
    /// Before `/`.
    PositionalOnly,
    /// Positional or by keyword.
    Plain,
    /// `*args`.
    Args,
    /// After `*`.
    KeywordOnly,
    /// `**kwargs`.
    Kwargs,
}

/// A parameter of a function or lambda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// How it takes its argument.
    pub kind: ParamKind,
    /// Source text of its default.
    pub default: Option<String>,
}

/// What a statement does to control flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    /// Runs and goes on to the next statement.
    Simple,
    /// `pass`, `...`, a bare constant: may get no event (3.8, 3.9).
    Pass,
    /// In functions a docstring, `global`, `nonlocal` or a bare annotation: gets no event.
    Silent,
    /// `return`.
    Return,
    /// `raise`.
    Raise,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// A function definition: decorators to the colon.
    Def,
    /// A class definition: decorators to the colon.
    Class,
    /// `if`, and `elif` as an `if` in the other arm.
    If,
    /// `while`.
    While,
    /// `for`, `async for`.
    For,
    /// `with`, `async with`.
    With,
    /// `try`.
    Try,
    /// `except`: a child of its `try`.
    Except,
    /// `except*`: a child of its `try`; every one of them is visited.
    ExceptStar,
    /// `match`.
    Match,
    /// `case`: a child of its `match`.
    Case,
}

/// Which part of its parent a statement is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// The first block.
    Body,
    /// `else` (of `if`, loops and `try`) or the `elif`.
    Else,
    /// An `except` or `case` clause itself.
    Clause,
    /// `finally`.
    Finally,
}

/// A simple statement or the header of a compound one: the unit a person steps by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Its own lines; for compound statements the header up to the colon.
    pub lines: Lines,
    /// Last line with everything nested in it.
    pub end: u32,
    /// The scope it runs in.
    pub scope: ScopeId,
    /// The compound statement around it, in the same scope.
    pub parent: Option<StatementId>,
    /// Its place in the parent, or [`Arm::Body`] directly in the scope.
    pub arm: Arm,
    /// For `def` and `class`: the scope it creates.
    pub opens: Option<ScopeId>,
    /// For `if` and `while`: the test is this constant.
    pub always: Option<bool>,
}

/// What happens to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// Its value is read.
    Read,
    /// It is bound.
    Bind,
    /// It is unbound.
    Delete,
    /// It is the attribute in `x.name`.
    Attribute,
}

/// One occurrence of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameUse {
    /// Where.
    pub line: u32,
    /// The name. Targets of comprehensions are not listed.
    pub name: String,
    /// What happens to it.
    #[serde(rename = "use")]
    pub usage: Use,
    /// In which scope's code.
    pub scope: ScopeId,
}

/// A call expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// Line of the callee's name.
    pub line: u32,
    /// `f` of `f(…)` and of `x.f(…)`; empty where the callee has no name.
    pub callee: String,
    /// Whether the callee is an attribute.
    pub attribute: bool,
    /// In which scope's code.
    pub scope: ScopeId,
}

/// An outline as plain data, in source order: what a parser supplies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// Who made it.
    pub maker: Maker,
    /// The module first; a scope comes after its parent.
    pub scopes: Vec<Scope>,
    /// A statement comes after its parent.
    pub statements: Vec<Statement>,
    /// By line.
    pub names: Vec<NameUse>,
    /// By line.
    pub calls: Vec<CallSite>,
    /// Lines with `yield`, `yield from`, `await`, `async for` or `async with`, ascending.
    pub suspensions: Vec<u32>,
    /// First lines of list, set and dict comprehensions, ascending: where they run in the
    /// frame around them (3.12+), one line can be reported many times.
    #[serde(default)]
    pub comprehensions: Vec<u32>,
}

impl Parts {
    /// The outline of an empty module of so many lines.
    fn module(maker: Maker, last_line: u32) -> Self {
        let module = Scope {
            kind: ScopeKind::Module,
            name: "<module>".into(),
            qualname: "<module>".into(),
            parent: None,
            first_line: 1,
            line: 1,
            body: Lines { first: 1, last: last_line.max(1) },
            params: Vec::new(),
            is_generator: false,
            is_async: false,
        };
        Parts {
            maker,
            scopes: vec![module],
            statements: Vec::new(),
            names: Vec::new(),
            calls: Vec::new(),
            suspensions: Vec::new(),
            comprehensions: Vec::new(),
        }
    }

    fn push_statement(&mut self, statement: Statement) -> StatementId {
        let id = u32::try_from(self.statements.len()).unwrap_or(u32::MAX);
        self.statements.push(statement);
        id
    }

    /// Adds a scope, with its qualified name, created by a statement.
    fn open(&mut self, mut scope: Scope, by: Option<StatementId>) -> ScopeId {
        let around = scope.parent.and_then(|p| self.scopes.get(p as usize));
        scope.qualname = match around.map(|p| (p.kind, &p.qualname)) {
            None | Some((ScopeKind::Module, _)) => scope.name.clone(),
            Some((ScopeKind::Class, outer)) => format!("{outer}.{}", scope.name),
            Some((_, outer)) => format!("{outer}.<locals>.{}", scope.name),
        };
        let id = u32::try_from(self.scopes.len()).unwrap_or(u32::MAX);
        self.scopes.push(scope);
        if let Some(statement) = by.and_then(|by| self.statements.get_mut(by as usize)) {
            statement.opens = Some(id);
        }
        id
    }
}

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
        check(&parts, line_count)?;
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

fn check(parts: &Parts, line_count: usize) -> Result<(), String> {
    let inside = |l: Lines| l.first >= 1 && l.first <= l.last && l.last as usize <= line_count;
    if parts.scopes.first().is_none_or(|s| s.kind != ScopeKind::Module) {
        return Err("the first scope is not the module".into());
    }
    for (id, scope) in (0..).zip(&parts.scopes) {
        let parent_before = scope.parent.map_or(id == 0, |parent| parent < id);
        let ordered = scope.first_line >= 1 && scope.first_line <= scope.line;
        if !parent_before || id > 0 && !(ordered && inside(scope.body)) {
            return Err(format!("scope {id} ({}) is out of range", scope.qualname));
        }
    }
    let scope_exists = |scope: ScopeId| (scope as usize) < parts.scopes.len();
    let mut previous = 0;
    for (id, s) in (0..).zip(&parts.statements) {
        let parent_before = s.parent.is_none_or(|parent| parent < id);
        let scopes = scope_exists(s.scope) && s.opens.is_none_or(scope_exists);
        let ordered = s.lines.first >= previous && s.end >= s.lines.last;
        if !(parent_before && scopes && ordered && inside(s.lines) && s.end as usize <= line_count)
        {
            return Err(format!("statement {id} at line {} is out of range", s.lines.first));
        }
        previous = s.lines.first;
    }
    let names = parts.names.iter().map(|n| n.scope);
    match names.chain(parts.calls.iter().map(|c| c.scope)).all(scope_exists) {
        true => Ok(()),
        false => Err("a name or call is in an unknown scope".into()),
    }
}

#[cfg(test)]
mod tests;
