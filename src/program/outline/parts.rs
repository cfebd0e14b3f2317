//! An outline as plain data: what a parser supplies, here or in another process.
//!
//! Nothing is computed from it in this file but whether it is well formed.

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

    /// Parameters as `f_locals` lists them: positional, keyword-only, `*args`, `**kwargs`.
    pub fn in_frame_order(&self) -> impl Iterator<Item = &Param> {
        let star = |p: &&Param| match p.kind {
            ParamKind::Args => 1,
            ParamKind::Kwargs => 2,
            _ => 0,
        };
        (0..3).flat_map(move |turn| self.params.iter().filter(move |p| star(p) == turn))
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
    pub(super) fn module(maker: Maker, last_line: u32) -> Self {
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

    pub(super) fn push_statement(&mut self, statement: Statement) -> StatementId {
        let id = u32::try_from(self.statements.len()).unwrap_or(u32::MAX);
        self.statements.push(statement);
        id
    }

    /// Adds a scope, with its qualified name, created by a statement.
    pub(super) fn open(&mut self, mut scope: Scope, by: Option<StatementId>) -> ScopeId {
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

impl Parts {
    /// Checks that all indices and lines are in range and in order, for a file of so many
    /// lines.
    pub(super) fn check(&self, line_count: usize) -> Result<(), String> {
        let inside = |l: Lines| l.first >= 1 && l.first <= l.last && l.last as usize <= line_count;
        if self.scopes.first().is_none_or(|s| s.kind != ScopeKind::Module) {
            return Err("the first scope is not the module".into());
        }
        for (id, scope) in (0..).zip(&self.scopes) {
            let parent_before = scope.parent.map_or(id == 0, |parent| parent < id);
            let ordered = scope.first_line >= 1 && scope.first_line <= scope.line;
            if !parent_before || id > 0 && !(ordered && inside(scope.body)) {
                return Err(format!("scope {id} ({}) is out of range", scope.qualname));
            }
        }
        let scope_exists = |scope: ScopeId| (scope as usize) < self.scopes.len();
        let mut previous = 0;
        for (id, s) in (0..).zip(&self.statements) {
            let parent_before = s.parent.is_none_or(|parent| parent < id);
            let scopes = scope_exists(s.scope) && s.opens.is_none_or(scope_exists);
            let ordered = s.lines.first >= previous && s.end >= s.lines.last;
            if !(parent_before
                && scopes
                && ordered
                && inside(s.lines)
                && s.end as usize <= line_count)
            {
                return Err(format!("statement {id} at line {} is out of range", s.lines.first));
            }
            previous = s.lines.first;
        }
        let names = self.names.iter().map(|n| n.scope);
        match names.chain(self.calls.iter().map(|c| c.scope)).all(scope_exists) {
            true => Ok(()),
            false => Err("a name or call is in an unknown scope".into()),
        }
    }
}
