//! What expressions read, bind and call, and the scopes they open.
//!
//! Walked with a stack of our own, so that their depth costs no call stack.

use super::ast::{self, Expr, ExprContext, Ranged};
use super::{TextSize, Walk};
use crate::program::outline::{CallSite, Lines, Param, ParamKind, Scope, ScopeId, ScopeKind, Use};

impl Walk<'_> {
    /// Parameters; defaults and annotations run in the scope around the function.
    pub(super) fn params(&mut self, args: &ast::Arguments, scope: ScopeId) -> Vec<Param> {
        let mut params = Vec::new();
        let mut stack = Vec::new();
        self.collect_params(args, scope, &mut params, &mut stack);
        self.drain(stack);
        params
    }

    fn collect_params<'e>(
        &self,
        args: &'e ast::Arguments,
        scope: ScopeId,
        params: &mut Vec<Param>,
        stack: &mut Vec<(&'e Expr, ScopeId)>,
    ) {
        let with_default = |a: &ast::ArgWithDefault, kind| Param {
            name: a.def.arg.to_string(),
            kind,
            default: a.default.as_ref().map(|d| {
                let range = d.start().to_usize()..d.end().to_usize();
                self.text.get(range).unwrap_or_default().into()
            }),
        };
        let bare = |a: &ast::Arg, kind| Param { name: a.arg.to_string(), kind, default: None };
        let posonly = args.posonlyargs.iter().map(|a| with_default(a, ParamKind::PositionalOnly));
        params.extend(posonly);
        params.extend(args.args.iter().map(|a| with_default(a, ParamKind::Plain)));
        params.extend(args.vararg.iter().map(|a| bare(a, ParamKind::Args)));
        params.extend(args.kwonlyargs.iter().map(|a| with_default(a, ParamKind::KeywordOnly)));
        params.extend(args.kwarg.iter().map(|a| bare(a, ParamKind::Kwargs)));
        let plain = args.posonlyargs.iter().chain(&args.args).chain(&args.kwonlyargs);
        for arg in plain {
            stack.extend(arg.default.iter().map(|e| (&**e, scope)));
            stack.extend(arg.def.annotation.iter().map(|e| (&**e, scope)));
        }
        for arg in args.vararg.iter().chain(&args.kwarg) {
            stack.extend(arg.annotation.iter().map(|e| (&**e, scope)));
        }
    }

    pub(super) fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>, scope: ScopeId) {
        let mut stack: Vec<_> = exprs.into_iter().map(|e| (e, scope)).collect();
        stack.reverse();
        self.drain(stack);
    }

    /// Walks expressions depth first, left to right.
    fn drain(&mut self, mut stack: Vec<(&Expr, ScopeId)>) {
        while let Some((expr, scope)) = stack.pop() {
            let mark = stack.len();
            self.expr(expr, scope, &mut stack);
            // Children were pushed left to right; the leftmost is to be popped first.
            if let Some(children) = stack.get_mut(mark..) {
                children.reverse();
            }
        }
    }

    /// Notes what one expression is and pushes its parts, left to right.
    fn expr<'e>(&mut self, expr: &'e Expr, scope: ScopeId, next: &mut Vec<(&'e Expr, ScopeId)>) {
        let mut push = |e: &'e Expr| next.push((e, scope));
        match expr {
            Expr::BoolOp(e) => e.values.iter().for_each(push),
            Expr::NamedExpr(e) => [&*e.target, &*e.value].into_iter().for_each(push),
            Expr::BinOp(e) => [&*e.left, &*e.right].into_iter().for_each(push),
            Expr::UnaryOp(e) => push(&e.operand),
            Expr::IfExp(e) => [&*e.body, &*e.test, &*e.orelse].into_iter().for_each(push),
            Expr::Dict(e) => {
                for (key, value) in e.keys.iter().zip(&e.values) {
                    key.iter().for_each(&mut push);
                    push(value);
                }
            }
            Expr::Set(e) => e.elts.iter().for_each(push),
            Expr::List(e) => e.elts.iter().for_each(push),
            Expr::Tuple(e) => e.elts.iter().for_each(push),
            Expr::Compare(e) => [&*e.left].into_iter().chain(&e.comparators).for_each(push),
            Expr::FormattedValue(e) => {
                push(&e.value);
                e.format_spec.iter().for_each(|e| push(e));
            }
            Expr::JoinedStr(e) => e.values.iter().for_each(push),
            Expr::Constant(_) => {}
            Expr::Subscript(e) => [&*e.value, &*e.slice].into_iter().for_each(push),
            Expr::Starred(e) => push(&e.value),
            Expr::Slice(e) => [&e.lower, &e.upper, &e.step]
                .into_iter()
                .filter_map(|e| e.as_deref())
                .for_each(push),
            Expr::Await(e) => {
                push(&e.value);
                self.suspend(e.range.start());
            }
            Expr::Yield(e) => {
                e.value.iter().for_each(|e| push(e));
                self.yields(e.range.start(), scope);
            }
            Expr::YieldFrom(e) => {
                push(&e.value);
                self.yields(e.range.start(), scope);
            }
            Expr::Name(e) => {
                let usage = match e.ctx {
                    ExprContext::Load => Use::Read,
                    ExprContext::Store => Use::Bind,
                    ExprContext::Del => Use::Delete,
                };
                self.name(e.range.start(), &e.id, usage, scope);
            }
            Expr::Attribute(e) => {
                push(&e.value);
                self.name(e.range.end(), &e.attr, Use::Attribute, scope);
            }
            Expr::Call(e) => {
                self.call(e, scope);
                // A generator expression that is the only argument, without parentheses of
                // its own, begins at those of the call.
                if let ([Expr::GeneratorExp(only)], []) = (&e.args[..], &e.keywords[..])
                    && only.range.start() == only.elt.start()
                {
                    self.parentheses.insert(only.range.start(), e.func.end());
                }
                [&*e.func].into_iter().chain(&e.args).for_each(&mut push);
                e.keywords.iter().for_each(|k| push(&k.value));
            }
            Expr::ListComp(e) => {
                self.comprehension(e.range.start(), &e.generators);
                push(&e.elt);
                comprehension(&e.generators, scope, next);
            }
            Expr::SetComp(e) => {
                self.comprehension(e.range.start(), &e.generators);
                push(&e.elt);
                comprehension(&e.generators, scope, next);
            }
            Expr::DictComp(e) => {
                self.comprehension(e.range.start(), &e.generators);
                [&*e.key, &*e.value].into_iter().for_each(push);
                comprehension(&e.generators, scope, next);
            }
            Expr::GeneratorExp(e) => {
                let inner = self.nested(ScopeKind::Generator, expr, scope, Vec::new());
                next.push((&e.elt, inner));
                // The first iterable is evaluated outside.
                let outer = e.generators.first().map(|g| (&g.iter, scope));
                comprehension(&e.generators, inner, next);
                if let Some((iter, scope)) = outer {
                    next.iter_mut().filter(|(e, _)| std::ptr::eq(*e, iter)).for_each(|slot| {
                        slot.1 = scope;
                    });
                }
            }
            Expr::Lambda(e) => {
                let mut params = Vec::new();
                self.collect_params(&e.args, scope, &mut params, next);
                let inner = self.nested(ScopeKind::Lambda, expr, scope, params);
                next.push((&e.body, inner));
            }
        }
    }

    fn comprehension(&mut self, at: TextSize, generators: &[ast::Comprehension]) {
        self.parts.comprehensions.push(self.line(at));
        if generators.iter().any(|g| g.is_async) {
            self.suspend(at);
        }
    }

    fn call(&mut self, call: &ast::ExprCall, scope: ScopeId) {
        let (callee, attribute) = match &*call.func {
            Expr::Name(name) => (name.id.to_string(), false),
            Expr::Attribute(attribute) => (attribute.attr.to_string(), true),
            _ => (String::new(), false),
        };
        let line = self.line(call.func.end());
        self.parts.calls.push(CallSite { line, callee, attribute, scope });
    }

    fn yields(&mut self, at: TextSize, scope: ScopeId) {
        self.suspend(at);
        if let Some(scope) = self.parts.scopes.get_mut(scope as usize) {
            scope.is_generator = true;
        }
    }

    /// Opens the scope of a lambda or generator expression.
    fn nested(
        &mut self,
        kind: ScopeKind,
        expr: &Expr,
        parent: ScopeId,
        params: Vec<Param>,
    ) -> ScopeId {
        let start = self.parentheses.get(&expr.start()).copied().unwrap_or(expr.start());
        let body = Lines { first: self.line(start), last: self.line(expr.end()) };
        let name = if kind == ScopeKind::Lambda { "<lambda>" } else { "<genexpr>" };
        let scope = Scope {
            kind,
            name: name.into(),
            qualname: String::new(),
            parent: Some(parent),
            first_line: body.first,
            line: body.first,
            body,
            params,
            is_generator: kind == ScopeKind::Generator,
            is_async: false,
        };
        self.parts.open(scope, None)
    }
}

/// Pushes what a comprehension evaluates, without its targets.
fn comprehension<'e>(
    generators: &'e [ast::Comprehension],
    scope: ScopeId,
    next: &mut Vec<(&'e Expr, ScopeId)>,
) {
    for generator in generators {
        next.push((&generator.iter, scope));
        next.extend(generator.ifs.iter().map(|e| (e, scope)));
    }
}
