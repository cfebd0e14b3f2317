//! The outline by rustpython-parser: the only file that names it.
//!
//! The parser knows Python 3.12 without PEP 701 f-strings and stops at the first error.

mod expressions;

use super::scan::Scan;
use super::{
    Arm, Lines, Maker, NameUse, Parts, Scope, ScopeId, ScopeKind, Statement, StatementId,
    StatementKind, Use,
};
use crate::program::Problem;
use rustpython_parser::ast::{self, Constant, Expr, Pattern, Ranged, Stmt};
use rustpython_parser::{Parse, text_size::TextSize};
use std::collections::HashMap;
use std::sync::Arc;

/// Parses a file given its physical lines.
///
/// # Errors
/// The first syntax error, with its place.
pub fn parse(lines: &[Arc<str>], scan: &Scan) -> Result<Parts, Problem> {
    let mut text = String::with_capacity(lines.iter().map(|l| l.len() + 1).sum());
    let mut starts = Vec::with_capacity(lines.len());
    for line in lines {
        starts.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
        text.push_str(line);
        text.push('\n');
    }
    let suite = ast::Suite::parse(&text, "").map_err(|error| {
        let line = line_of(&starts, error.offset);
        let start = starts.get(line as usize - 1).map_or(0, |&s| s as usize);
        let column = text.get(start..error.offset.to_usize()).map_or(0, |t| t.chars().count());
        let message = format!("syntax error: {}", error.error);
        Problem::error(line, message).at_column(u32::try_from(column + 1).unwrap_or(1))
    })?;
    let mut walk = Walk::new(&text, starts, scan);
    walk.block(&suite, Place { scope: 0, parent: None, arm: Arm::Body });
    Ok(walk.finish())
}

/// The 1-based line of a byte offset.
fn line_of(starts: &[u32], offset: TextSize) -> u32 {
    let after = starts.partition_point(|&start| start <= u32::from(offset));
    u32::try_from(after).unwrap_or(u32::MAX).max(1)
}

/// Where a block is.
#[derive(Clone, Copy)]
struct Place {
    scope: ScopeId,
    parent: Option<StatementId>,
    arm: Arm,
}

/// The parts of a `def` or `async def`.
struct Def<'a> {
    name: &'a str,
    args: &'a ast::Arguments,
    body: &'a [Stmt],
    decorators: &'a [Expr],
    returns: Option<&'a Expr>,
    type_params: &'a [ast::TypeParam],
    is_async: bool,
}

struct Walk<'a> {
    text: &'a str,
    starts: Vec<u32>,
    scan: &'a Scan,
    parts: Parts,
    /// The statement being added is the first of its scope: a string is its docstring.
    leading: bool,
    /// Where a generator expression begins that shares the parentheses of a call.
    parentheses: HashMap<TextSize, TextSize>,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, starts: Vec<u32>, scan: &'a Scan) -> Self {
        let last = u32::try_from(starts.len()).unwrap_or(u32::MAX).max(1);
        let parts = Parts::module(Maker::Parser, last);
        Walk { text, starts, scan, parts, leading: false, parentheses: HashMap::new() }
    }

    fn finish(mut self) -> Parts {
        // Stable: within a line the order of the walk stays, left to right.
        self.parts.names.sort_by_key(|n| n.line);
        self.parts.calls.sort_by_key(|c| c.line);
        for lines in [&mut self.parts.suspensions, &mut self.parts.comprehensions] {
            lines.sort_unstable();
            lines.dedup();
        }
        self.parts
    }

    fn line(&self, offset: TextSize) -> u32 {
        line_of(&self.starts, offset)
    }

    /// Lines of a header: from a line to the end of the logical line at `line`.
    fn header(&self, first: u32, line: u32) -> Lines {
        Lines { first, last: self.scan.last_line(line) }
    }

    fn block(&mut self, block: &[Stmt], place: Place) {
        for (i, stmt) in block.iter().enumerate() {
            self.leading = i == 0 && place.parent.is_none();
            self.stmt(stmt, place);
        }
    }

    /// Adds a statement whose own lines start at a node.
    fn add(&mut self, kind: StatementKind, node: &impl Ranged, place: Place) -> StatementId {
        let first = self.line(node.start());
        self.add_at(kind, self.header(first, first), node.end(), place)
    }

    fn add_at(
        &mut self,
        kind: StatementKind,
        lines: Lines,
        end: TextSize,
        place: Place,
    ) -> StatementId {
        let end = self.line(end).max(lines.last);
        let Place { scope, parent, arm } = place;
        let statement =
            Statement { kind, lines, end, scope, parent, arm, opens: None, always: None };
        self.parts.push_statement(statement)
    }

    fn stmt(&mut self, stmt: &Stmt, place: Place) {
        use StatementKind as K;
        let scope = place.scope;
        match stmt {
            Stmt::FunctionDef(d) => self.def(
                stmt,
                place,
                &Def {
                    name: &d.name,
                    args: &d.args,
                    body: &d.body,
                    decorators: &d.decorator_list,
                    returns: d.returns.as_deref(),
                    type_params: &d.type_params,
                    is_async: false,
                },
            ),
            Stmt::AsyncFunctionDef(d) => self.def(
                stmt,
                place,
                &Def {
                    name: &d.name,
                    args: &d.args,
                    body: &d.body,
                    decorators: &d.decorator_list,
                    returns: d.returns.as_deref(),
                    type_params: &d.type_params,
                    is_async: true,
                },
            ),
            Stmt::ClassDef(d) => self.class(d, place),
            Stmt::Return(s) => {
                self.add(K::Return, s, place);
                self.exprs(s.value.as_deref(), scope);
            }
            Stmt::Delete(s) => {
                self.add(K::Simple, s, place);
                self.exprs(&s.targets, scope);
            }
            Stmt::Assign(s) => {
                self.add(K::Simple, s, place);
                self.exprs(s.targets.iter().chain([&*s.value]), scope);
            }
            Stmt::TypeAlias(s) => {
                self.add(K::Simple, s, place);
                self.exprs([&*s.name], scope);
            }
            Stmt::AugAssign(s) => {
                self.add(K::Simple, s, place);
                // The target is read before it is bound.
                if let Expr::Name(n) = &*s.target {
                    self.name(n.range.start(), &n.id, Use::Read, scope);
                }
                self.exprs([&*s.target, &*s.value], scope);
            }
            Stmt::AnnAssign(s) => {
                let bare = s.value.is_none() && matches!(*s.target, Expr::Name(_));
                let silent = bare && self.is_function(scope);
                self.add(if silent { K::Silent } else { K::Simple }, s, place);
                if !bare {
                    self.exprs([&*s.target].into_iter().chain(s.value.as_deref()), scope);
                }
            }
            Stmt::For(s) => {
                let id = self.add(K::For, s, place);
                self.exprs([&*s.target, &*s.iter], scope);
                self.arms(id, scope, &s.body, &s.orelse);
            }
            Stmt::AsyncFor(s) => {
                let id = self.add(K::For, s, place);
                self.suspend(s.start());
                self.exprs([&*s.target, &*s.iter], scope);
                self.arms(id, scope, &s.body, &s.orelse);
            }
            Stmt::While(s) => {
                let id = self.add(K::While, s, place);
                self.constant_test(id, &s.test);
                self.exprs([&*s.test], scope);
                self.arms(id, scope, &s.body, &s.orelse);
            }
            Stmt::If(s) => self.if_chain(s, place),
            Stmt::With(s) => self.with(K::With, s, &s.items, &s.body, place),
            Stmt::AsyncWith(s) => {
                self.suspend(s.start());
                self.with(K::With, s, &s.items, &s.body, place);
            }
            Stmt::Match(s) => self.match_(s, place),
            Stmt::Raise(s) => {
                self.add(K::Raise, s, place);
                self.exprs(s.exc.as_deref().into_iter().chain(s.cause.as_deref()), scope);
            }
            Stmt::Try(s) => {
                let blocks: [&[Stmt]; 3] = [&s.body, &s.orelse, &s.finalbody];
                self.try_(s, place, blocks, K::Except, &s.handlers);
            }
            Stmt::TryStar(s) => {
                let blocks: [&[Stmt]; 3] = [&s.body, &s.orelse, &s.finalbody];
                self.try_(s, place, blocks, K::ExceptStar, &s.handlers);
            }
            Stmt::Assert(s) => {
                self.add(K::Simple, s, place);
                self.exprs([&*s.test].into_iter().chain(s.msg.as_deref()), scope);
            }
            Stmt::Import(s) => {
                self.add(K::Simple, s, place);
                self.imports(&s.names, scope);
            }
            Stmt::ImportFrom(s) => {
                self.add(K::Simple, s, place);
                self.imports(&s.names, scope);
            }
            Stmt::Global(s) => {
                self.add(K::Silent, s, place);
            }
            Stmt::Nonlocal(s) => {
                self.add(K::Silent, s, place);
            }
            Stmt::Expr(s) => {
                let kind = self.expression_kind(&s.value, scope);
                self.add(kind, s, place);
                self.exprs([&*s.value], scope);
            }
            Stmt::Pass(s) => {
                self.add(K::Pass, s, place);
            }
            Stmt::Break(s) => {
                self.add(K::Break, s, place);
            }
            Stmt::Continue(s) => {
                self.add(K::Continue, s, place);
            }
        }
    }

    /// A function's docstring is silent (a module's or class's is stored), another constant
    /// may be, anything else runs.
    fn expression_kind(&self, value: &Expr, scope: ScopeId) -> StatementKind {
        let Expr::Constant(constant) = value else { return StatementKind::Simple };
        match constant.value {
            Constant::Str(_) if self.leading && !self.is_function(scope) => StatementKind::Simple,
            Constant::Str(_) if self.leading => StatementKind::Silent,
            _ => StatementKind::Pass,
        }
    }

    fn is_function(&self, scope: ScopeId) -> bool {
        self.parts.scopes.get(scope as usize).is_some_and(Scope::is_function)
    }

    fn arms(&mut self, id: StatementId, scope: ScopeId, body: &[Stmt], orelse: &[Stmt]) {
        self.block(body, Place { scope, parent: Some(id), arm: Arm::Body });
        self.block(orelse, Place { scope, parent: Some(id), arm: Arm::Else });
    }

    fn constant_test(&mut self, id: StatementId, test: &Expr) {
        let value = match test {
            Expr::Constant(c) => match &c.value {
                Constant::Bool(value) => Some(*value),
                Constant::None => Some(false),
                Constant::Int(value) => Some(value.to_string() != "0"),
                Constant::Str(value) => Some(!value.is_empty()),
                _ => None,
            },
            Expr::Name(n) if &*n.id == "__debug__" => Some(true),
            _ => None,
        };
        if let Some(statement) = self.parts.statements.get_mut(id as usize) {
            statement.always = value;
        }
    }

    /// An `if` with its `elif`s: a loop, because chains can be long.
    fn if_chain(&mut self, mut s: &ast::StmtIf, mut place: Place) {
        loop {
            let id = self.add(StatementKind::If, s, place);
            self.constant_test(id, &s.test);
            self.exprs([&*s.test], place.scope);
            self.block(&s.body, Place { parent: Some(id), arm: Arm::Body, ..place });
            place = Place { parent: Some(id), arm: Arm::Else, ..place };
            match s.orelse.as_slice() {
                [Stmt::If(next)] => s = next,
                rest => return self.block(rest, place),
            }
        }
    }

    fn with(
        &mut self,
        kind: StatementKind,
        node: &impl Ranged,
        items: &[ast::WithItem],
        body: &[Stmt],
        place: Place,
    ) {
        let id = self.add(kind, node, place);
        for item in items {
            self.exprs(
                [&item.context_expr].into_iter().chain(item.optional_vars.as_deref()),
                place.scope,
            );
        }
        self.arms(id, place.scope, body, &[]);
    }

    fn try_(
        &mut self,
        node: &impl Ranged,
        place: Place,
        [body, orelse, finalbody]: [&[Stmt]; 3],
        clause_kind: StatementKind,
        handlers: &[ast::ExceptHandler],
    ) {
        let scope = place.scope;
        let id = self.add(StatementKind::Try, node, place);
        let inside = |arm| Place { scope, parent: Some(id), arm };
        self.block(body, inside(Arm::Body));
        for ast::ExceptHandler::ExceptHandler(handler) in handlers {
            let clause = self.add(clause_kind, handler, inside(Arm::Clause));
            self.exprs(handler.type_.as_deref(), scope);
            if let Some(name) = &handler.name {
                self.name(handler.start(), name, Use::Bind, scope);
            }
            self.arms(clause, scope, &handler.body, &[]);
        }
        self.block(orelse, inside(Arm::Else));
        self.block(finalbody, inside(Arm::Finally));
    }

    fn match_(&mut self, s: &ast::StmtMatch, place: Place) {
        let scope = place.scope;
        let id = self.add(StatementKind::Match, s, place);
        self.exprs([&*s.subject], scope);
        for case in &s.cases {
            // A case has no range of its own; its pattern's logical line is its header.
            let at = self.line(case.pattern.start());
            let first = self.scan.first_line(at);
            let end = case.body.last().map_or(case.pattern.end(), Ranged::end);
            let inside = Place { scope, parent: Some(id), arm: Arm::Clause };
            let clause = self.add_at(StatementKind::Case, self.header(first, first), end, inside);
            self.pattern(&case.pattern, scope);
            self.exprs(case.guard.as_deref(), scope);
            self.arms(clause, scope, &case.body, &[]);
        }
    }

    fn pattern(&mut self, pattern: &Pattern, scope: ScopeId) {
        let at = pattern.start();
        let bind = |walk: &mut Self, name: &Option<ast::Identifier>| {
            if let Some(name) = name {
                walk.name(at, name, Use::Bind, scope);
            }
        };
        match pattern {
            Pattern::MatchValue(p) => self.exprs([&*p.value], scope),
            Pattern::MatchSingleton(_) => {}
            Pattern::MatchSequence(p) => p.patterns.iter().for_each(|p| self.pattern(p, scope)),
            Pattern::MatchMapping(p) => {
                self.exprs(&p.keys, scope);
                p.patterns.iter().for_each(|p| self.pattern(p, scope));
                bind(self, &p.rest);
            }
            Pattern::MatchClass(p) => {
                self.exprs([&*p.cls], scope);
                p.patterns.iter().chain(&p.kwd_patterns).for_each(|p| self.pattern(p, scope));
            }
            Pattern::MatchStar(p) => bind(self, &p.name),
            Pattern::MatchAs(p) => {
                p.pattern.iter().for_each(|p| self.pattern(p, scope));
                bind(self, &p.name);
            }
            Pattern::MatchOr(p) => p.patterns.iter().for_each(|p| self.pattern(p, scope)),
        }
    }

    fn imports(&mut self, names: &[ast::Alias], scope: ScopeId) {
        for alias in names {
            let bound = match &alias.asname {
                Some(name) => name.as_str(),
                None => alias.name.split('.').next().unwrap_or_default(),
            };
            if bound != "*" {
                self.name(alias.start(), bound, Use::Bind, scope);
            }
        }
    }

    fn def(&mut self, node: &Stmt, place: Place, def: &Def) {
        let scope = place.scope;
        let lines = self.definition_lines(node, def.decorators);
        let id = self.add_at(StatementKind::Def, lines.0, node.end(), place);
        self.name_on(lines.1, def.name, Use::Bind, scope);
        self.exprs(def.decorators, scope);
        let params = self.params(def.args, scope);
        self.exprs(def.returns, scope);
        self.type_params(def.type_params, scope);
        let opened = self.parts.open(
            Scope {
                kind: ScopeKind::Function,
                name: def.name.into(),
                qualname: String::new(),
                parent: Some(scope),
                first_line: lines.0.first,
                line: lines.1,
                body: self.body_lines(def.body, lines.1),
                params,
                is_generator: false,
                is_async: def.is_async,
            },
            Some(id),
        );
        self.block(def.body, Place { scope: opened, parent: None, arm: Arm::Body });
    }

    fn class(&mut self, d: &ast::StmtClassDef, place: Place) {
        let scope = place.scope;
        let lines = self.definition_lines(d, &d.decorator_list);
        let id = self.add_at(StatementKind::Class, lines.0, d.end(), place);
        self.name_on(lines.1, &d.name, Use::Bind, scope);
        self.exprs(&d.decorator_list, scope);
        self.exprs(d.bases.iter().chain(d.keywords.iter().map(|k| &k.value)), scope);
        self.type_params(&d.type_params, scope);
        let opened = self.parts.open(
            Scope {
                kind: ScopeKind::Class,
                name: d.name.to_string(),
                qualname: String::new(),
                parent: Some(scope),
                first_line: lines.0.first,
                line: lines.1,
                body: self.body_lines(&d.body, lines.1),
                params: Vec::new(),
                is_generator: false,
                is_async: false,
            },
            Some(id),
        );
        self.block(&d.body, Place { scope: opened, parent: None, arm: Arm::Body });
    }

    /// Header lines with decorators, and the line of `def` or `class`.
    fn definition_lines(&self, node: &impl Ranged, decorators: &[Expr]) -> (Lines, u32) {
        let start = self.line(node.start());
        // Some parsers count decorators into the node, some do not.
        let line = decorators.last().map_or(start, |d| {
            let below = self.scan.last_line(self.line(d.end())) + 1;
            self.scan.next_line(below).max(start)
        });
        let first = decorators.first().map_or(line, |d| self.line(d.start())).min(start);
        (self.header(first, line), line)
    }

    fn body_lines(&self, body: &[Stmt], line: u32) -> Lines {
        let first = body.first().map_or(line, |s| self.line(s.start()));
        let first = match body.first() {
            Some(Stmt::FunctionDef(d)) => self.definition_lines(d, &d.decorator_list).0.first,
            Some(Stmt::AsyncFunctionDef(d)) => self.definition_lines(d, &d.decorator_list).0.first,
            Some(Stmt::ClassDef(d)) => self.definition_lines(d, &d.decorator_list).0.first,
            _ => first,
        };
        let last = body.last().map_or(line, |s| self.scan.last_line(self.line(s.end())));
        Lines { first, last: last.max(first) }
    }

    fn type_params(&mut self, params: &[ast::TypeParam], scope: ScopeId) {
        for param in params {
            if let ast::TypeParam::TypeVar(var) = param {
                self.exprs(var.bound.as_deref(), scope);
            }
        }
    }

    fn name(&mut self, at: TextSize, name: &str, usage: Use, scope: ScopeId) {
        self.name_on(self.line(at), name, usage, scope);
    }

    fn name_on(&mut self, line: u32, name: &str, usage: Use, scope: ScopeId) {
        self.parts.names.push(NameUse { line, name: name.into(), usage, scope });
    }

    fn suspend(&mut self, at: TextSize) {
        let line = self.line(at);
        self.parts.suspensions.push(line);
    }
}
