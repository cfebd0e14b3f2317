//! Control flow between the statements of one file, as CPython reports it by line.
//!
//! Sound for 3.8 to 3.14: where versions differ, what either does is allowed. `with`
//! headers are visited again on the way out (3.10+) or not; a `return` is visited again
//! after `finally` (3.8, 3.9) or not; `pass`, `try:` and constant tests are visited or not.

use crate::program::Outline;
use crate::program::outline::{
    Arm, Lines, Maker, ScopeId, ScopeKind, Statement, StatementId, StatementKind as K,
};
use std::collections::{HashMap, HashSet};

/// Where a frame can be next: lines, likeliest first, and whether it can end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Lines of possible `line` events, each once.
    pub lines: Vec<u32>,
    /// Whether the frame can end without another `line` event.
    pub ends: bool,
}

/// A [`Reach`] in the making. Everything is followed once, however many statements lead
/// there: thousands may stand on one line.
#[derive(Debug, Default)]
struct Gather {
    reach: Reach,
    lines: HashSet<u32>,
    followed: HashSet<Goto>,
}

impl Gather {
    fn push(&mut self, line: u32) {
        if self.lines.insert(line) {
            self.reach.lines.push(line);
        }
    }

    fn extend(&mut self, other: Reach) {
        self.reach.ends |= other.ends;
        other.lines.into_iter().for_each(|line| self.push(line));
    }
}

/// What to follow next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Goto {
    /// The statement begins.
    Enter(StatementId),
    /// The statement is complete.
    After(StatementId),
    /// The frame ends.
    Exit(ScopeId),
}

/// How a statement is left otherwise than to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Abrupt {
    Return,
    Break,
    Continue,
    Raise,
}

/// The graph of one file.
#[derive(Debug, Clone)]
pub struct Graph<'a> {
    outline: &'a Outline,
    /// First statement of each block.
    first: HashMap<(ScopeId, Option<StatementId>, Arm), StatementId>,
    /// Next statement of the same block (for clauses: the next clause).
    next: Vec<Option<StatementId>>,
}

impl<'a> Graph<'a> {
    /// The graph of an outline.
    pub fn of(outline: &'a Outline) -> Self {
        let mut first = HashMap::new();
        let mut last: HashMap<_, StatementId> = HashMap::new();
        let mut next = vec![None; outline.statements().len()];
        for (id, statement) in (0..).zip(outline.statements()) {
            let block = (statement.scope, statement.parent, statement.arm);
            match last.insert(block, id) {
                None => {
                    first.insert(block, id);
                }
                Some(previous) => {
                    if let Some(slot) = next.get_mut(previous as usize) {
                        *slot = Some(id);
                    }
                }
            }
        }
        Graph { outline, first, next }
    }

    /// All lines at which a frame of a scope can be.
    pub fn lines_of(&self, scope: ScopeId) -> Vec<u32> {
        let mut found = Gather::default();
        self.any(scope, &mut found);
        found.reach.lines.sort_unstable();
        found.reach.lines
    }

    /// Where a frame is after its call.
    pub fn begin(&self, scope: ScopeId) -> Reach {
        let mut found = Gather::default();
        let Some(it) = self.outline.scope(scope) else { return found.reach };
        match it.kind {
            _ if self.is_guess() => self.any(scope, &mut found),
            ScopeKind::Lambda | ScopeKind::Generator => self.any(scope, &mut found),
            kind => {
                // A class body begins by naming itself, at its head.
                if kind == ScopeKind::Class {
                    self.head(scope).into_iter().for_each(|line| found.push(line));
                }
                // Annotations are prepared before the first statement, at line 1 or there.
                self.follow(self.block(scope, None, Arm::Body), &mut found);
                if kind == ScopeKind::Module {
                    found.push(1);
                }
            }
        }
        found.reach
    }

    /// Where a frame is after it was at a line, if nothing was raised.
    pub fn after(&self, scope: ScopeId, line: u32) -> Reach {
        let mut found = Gather::default();
        let kind = self.outline.scope(scope).map(|s| s.kind);
        let here: Vec<StatementId> = self.statements(scope, line).collect();
        if self.is_guess()
            || here.is_empty()
            || matches!(kind, Some(ScopeKind::Lambda | ScopeKind::Generator))
        {
            self.any(scope, &mut found);
            found.reach.ends = true;
            if kind == Some(ScopeKind::Class) || kind == Some(ScopeKind::Module) {
                found.extend(self.begin(scope));
            }
            return found.reach;
        }
        for &id in &here {
            for goto in self.successors(id) {
                self.follow(goto, &mut found);
            }
        }
        // Lines of one statement come in any order, and again.
        for &id in &here {
            let Some(statement) = self.outline.statement(id) else { continue };
            if statement.lines.first != statement.lines.last {
                statement.lines.iter().for_each(|line| found.push(line));
            }
        }
        if self.outline.repeats(line) {
            found.push(line);
        }
        found.reach.ends |= self.outline.statement_suspends(line);
        found.reach
    }

    /// Lines of a scope from which it can come to a line, nearest first.
    pub fn before(&self, scope: ScopeId, line: u32) -> Vec<u32> {
        let comes = |from: &u32| {
            self.after(scope, *from).lines.contains(&line)
                || self.raised(scope, *from).lines.contains(&line)
        };
        let mut lines: Vec<u32> = self.lines_of(scope).into_iter().filter(comes).collect();
        lines.sort_by_key(|from| (from.abs_diff(line), *from > line));
        lines
    }

    /// Where a frame is after something was raised at a line of it and was caught there.
    /// [`Reach::ends`]: it can be suppressed, and the frame then return.
    pub fn raised(&self, scope: ScopeId, line: u32) -> Reach {
        let mut found = Gather::default();
        if self.is_guess() {
            self.any(scope, &mut found);
        }
        for id in self.statements(scope, line) {
            for goto in self.abrupt(id, Abrupt::Raise) {
                self.follow(goto, &mut found);
            }
            self.cleaned_at(id, &mut found);
        }
        found.reach
    }

    /// 3.9 cleans up, on the way out of a `with` or an `except … as`, at its last line.
    fn cleaned_at(&self, id: StatementId, found: &mut Gather) {
        let mut inner = id;
        while let Some(parent) = self.outline.statement(inner).and_then(|s| s.parent) {
            let outer = self.outline.statement(parent);
            let outer = outer.filter(|s| matches!(s.kind, K::With | K::Except | K::ExceptStar));
            if let Some(last) = outer.and_then(|outer| self.within(outer).max()) {
                found.push(last);
            }
            inner = parent;
        }
    }

    /// Other lines at which an exception that leaves the frame at a line may be reported:
    /// once handlers or clean-up have run, it is the line where it was first raised.
    pub fn raised_at(&self, scope: ScopeId, line: u32) -> Vec<u32> {
        let mut lines = Gather::default();
        lines.push(line);
        let around = self.statements(scope, line).flat_map(|id| {
            // From the statement outwards, as far as there is something to come back from.
            std::iter::successors(Some(id), |&id| self.outline.statement(id)?.parent)
        });
        for id in around {
            let Some(statement) = self.outline.statement(id) else { continue };
            if matches!(statement.kind, K::Try | K::With) {
                self.within(statement).for_each(|line| lines.push(line));
            }
        }
        lines.reach.lines
    }

    fn is_guess(&self) -> bool {
        self.outline.maker() == Maker::Indentation
    }

    /// The statements of a scope at a line.
    fn statements(&self, scope: ScopeId, line: u32) -> impl Iterator<Item = StatementId> {
        self.outline.statements_at(line).filter(move |(_, s)| s.scope == scope).map(|(id, _)| id)
    }

    fn block(&self, scope: ScopeId, parent: Option<StatementId>, arm: Arm) -> Goto {
        match (self.first.get(&(scope, parent, arm)), parent) {
            (Some(&id), _) => Goto::Enter(id),
            (None, Some(parent)) => Goto::After(parent),
            (None, None) => Goto::Exit(scope),
        }
    }

    fn arm(&self, id: StatementId, arm: Arm) -> Option<Goto> {
        let scope = self.outline.statement(id)?.scope;
        self.first.get(&(scope, Some(id), arm)).map(|&first| Goto::Enter(first))
    }

    /// The head of a class: its body's own lines outside any statement.
    fn head(&self, scope: ScopeId) -> Vec<u32> {
        self.outline.scope(scope).map_or(Vec::new(), |s| (s.first_line..=s.line).collect())
    }

    /// All lines of a scope's own statements.
    fn any(&self, scope: ScopeId, found: &mut Gather) {
        let Some(it) = self.outline.scope(scope) else { return };
        match it.kind {
            ScopeKind::Lambda | ScopeKind::Generator => {
                it.body.iter().for_each(|line| found.push(line));
                return;
            }
            ScopeKind::Class => {
                self.head(scope).into_iter().for_each(|line| found.push(line));
            }
            ScopeKind::Module | ScopeKind::Function => {}
        }
        let guess = self.is_guess();
        for statement in self.outline.statements().iter().filter(|s| s.scope == scope) {
            let lines = match guess {
                // Without a grammar a block may hide in a header's line, or a call in an `else`.
                true => Lines { first: statement.lines.first, last: statement.end },
                false => statement.lines,
            };
            lines.iter().for_each(|line| found.push(line));
        }
    }

    /// Lines of the statements inside a compound one, itself included.
    fn within(&self, outer: &Statement) -> impl Iterator<Item = u32> {
        let range = Lines { first: outer.lines.first, last: outer.end };
        let own = self.outline.statements().iter().filter(move |s| {
            s.scope == outer.scope && range.contains(s.lines.first) && s.kind != K::Silent
        });
        own.flat_map(|s| s.lines.iter())
    }

    /// Adds where a step leads, through statements that may get no event.
    fn follow(&self, goto: Goto, found: &mut Gather) {
        let mut todo = vec![goto];
        while let Some(goto) = todo.pop() {
            if !found.followed.insert(goto) {
                continue;
            }
            match goto {
                Goto::Exit(scope) => self.exit(scope, found),
                Goto::After(id) => todo.extend(self.next_after(id).into_iter().rev()),
                Goto::Enter(id) => {
                    let Some(statement) = self.outline.statement(id) else { continue };
                    let passes = match statement.kind {
                        K::Silent => true,
                        K::Pass | K::Break | K::Continue | K::Try => true,
                        K::If | K::While => statement.always.is_some(),
                        _ => false,
                    };
                    if statement.kind != K::Silent {
                        statement.lines.iter().for_each(|line| found.push(line));
                    } else if self.is_last_words(id, statement) {
                        found.push(statement.lines.first);
                        let scope = self.outline.scope(statement.scope);
                        scope.into_iter().for_each(|s| found.push(s.first_line));
                    }
                    if passes {
                        todo.extend(self.successors(id).into_iter().rev());
                    }
                }
            }
        }
    }

    /// Whether a function is nothing but a docstring or declarations: its `return None`
    /// is reported there.
    fn is_last_words(&self, id: StatementId, statement: &Statement) -> bool {
        statement.parent.is_none() && self.next.get(id as usize) == Some(&None)
    }

    fn exit(&self, scope: ScopeId, found: &mut Gather) {
        found.reach.ends = true;
        // 3.14 goes back to the head of a class to store its annotations.
        if self.outline.scope(scope).is_some_and(|s| s.kind == ScopeKind::Class) {
            self.head(scope).into_iter().for_each(|line| found.push(line));
        }
    }

    /// What follows a complete statement.
    fn next_after(&self, id: StatementId) -> Vec<Goto> {
        let Some(statement) = self.outline.statement(id) else { return Vec::new() };
        if statement.arm != Arm::Clause
            && let Some(&Some(next)) = self.next.get(id as usize)
        {
            return vec![Goto::Enter(next)];
        }
        let Some(parent) = statement.parent else { return vec![Goto::Exit(statement.scope)] };
        let Some(outer) = self.outline.statement(parent) else { return Vec::new() };
        match (outer.kind, statement.arm) {
            (K::While | K::For, Arm::Body) => vec![Goto::Enter(parent)],
            (K::With, _) => vec![Goto::Enter(parent), Goto::After(parent)],
            (K::Try, Arm::Body) => {
                let next = self.arm(parent, Arm::Else).or_else(|| self.arm(parent, Arm::Finally));
                vec![next.unwrap_or(Goto::After(parent))]
            }
            (K::Try, Arm::Else | Arm::Clause) => {
                vec![self.arm(parent, Arm::Finally).unwrap_or(Goto::After(parent))]
            }
            (K::Try, Arm::Finally) => {
                let mut next = vec![Goto::After(parent)];
                next.extend(self.abrupt(parent, Abrupt::Raise));
                next.extend(self.pending(parent));
                next
            }
            (K::ExceptStar, _) => {
                let mut next = self.regroup(parent, outer);
                next.extend([Goto::After(parent), Goto::Enter(parent)]);
                next
            }
            // The end of a clause is the end of its statement.
            _ => vec![Goto::After(parent)],
        }
    }

    /// What can follow a statement whose line has been reached.
    fn successors(&self, id: StatementId) -> Vec<Goto> {
        let Some(statement) = self.outline.statement(id) else { return Vec::new() };
        let body = self.arm(id, Arm::Body);
        let otherwise = self.arm(id, Arm::Else).unwrap_or(Goto::After(id));
        match statement.kind {
            K::Return => self.abrupt(id, Abrupt::Return),
            K::Raise => Vec::new(),
            K::Break => self.abrupt(id, Abrupt::Break),
            K::Continue => self.abrupt(id, Abrupt::Continue),
            K::If | K::While | K::For => match statement.always {
                Some(true) => body.into_iter().collect(),
                Some(false) => vec![otherwise],
                None => body.into_iter().chain([otherwise]).collect(),
            },
            K::Try => body.into_iter().collect(),
            K::With => {
                let mut next: Vec<Goto> = body.into_iter().chain([Goto::After(id)]).collect();
                next.extend(self.abrupt(id, Abrupt::Raise));
                next.extend(self.pending(id));
                // Once for each of its managers.
                next.push(Goto::Enter(id));
                next
            }
            K::Except | K::ExceptStar => {
                let mut next: Vec<Goto> = body.into_iter().collect();
                match self.next.get(id as usize) {
                    Some(&Some(clause)) => next.push(Goto::Enter(clause)),
                    // None matched: the exception goes on.
                    _ => next.extend(self.abrupt(id, Abrupt::Raise)),
                }
                if statement.kind == K::ExceptStar {
                    next.extend(self.regroup(id, statement));
                }
                next
            }
            K::Match => self.arm(id, Arm::Clause).into_iter().chain([Goto::After(id)]).collect(),
            K::Case => {
                let next = match self.next.get(id as usize) {
                    Some(&Some(clause)) => Goto::Enter(clause),
                    _ => Goto::After(id),
                };
                body.into_iter().chain([next]).collect()
            }
            K::Simple | K::Pass | K::Silent | K::Def | K::Class => vec![Goto::After(id)],
        }
    }

    /// After an `except*`: the next one, else what is left is raised again, where it came from.
    fn regroup(&self, id: StatementId, clause: &Statement) -> Vec<Goto> {
        if let Some(&Some(next)) = self.next.get(id as usize) {
            return vec![Goto::Enter(next)];
        }
        let mut next = self.abrupt(id, Abrupt::Raise);
        let body = (clause.parent.unwrap_or(id) + 1..id).filter(|&inner| {
            self.outline.statement(inner).is_some_and(|s| s.parent == clause.parent)
        });
        next.extend(body.map(Goto::Enter));
        next
    }

    /// Where leaving a statement abruptly leads: clean-up on the way, else the target.
    fn abrupt(&self, id: StatementId, how: Abrupt) -> Vec<Goto> {
        let mut next = Vec::new();
        let mut inner = id;
        let is_raise = self.outline.statement(id).is_some_and(|s| s.kind == K::Raise);
        loop {
            let Some(statement) = self.outline.statement(inner) else { return next };
            let Some(parent) = statement.parent else {
                if how != Abrupt::Raise {
                    next.push(Goto::Exit(statement.scope));
                }
                return next;
            };
            let kind = self.outline.statement(parent).map(|s| s.kind);
            match (kind, statement.arm, how) {
                (Some(K::For | K::While), Arm::Body, Abrupt::Break) => {
                    next.push(Goto::After(parent));
                    return next;
                }
                (Some(K::For | K::While), Arm::Body, Abrupt::Continue) => {
                    next.push(Goto::Enter(parent));
                    return next;
                }
                (Some(K::Try), Arm::Body, Abrupt::Raise) => {
                    let handler = self.arm(parent, Arm::Clause);
                    if let Some(goto) = handler.or_else(|| self.arm(parent, Arm::Finally)) {
                        next.push(goto);
                        return next;
                    }
                }
                (Some(K::Try), Arm::Body | Arm::Else | Arm::Clause, _) => {
                    if let Some(goto) = self.arm(parent, Arm::Finally) {
                        next.push(goto);
                        // Others come back to this line (3.8, 3.9), the clean-up done; after a
                        // bare `raise` 3.9 does not report the clean-up at all.
                        if how == Abrupt::Raise && !is_raise {
                            return next;
                        }
                    }
                }
                (Some(K::With), _, _) => {
                    next.push(Goto::Enter(parent));
                    if how == Abrupt::Raise {
                        // Suppressed.
                        next.push(Goto::After(parent));
                    }
                }
                _ => {}
            }
            inner = parent;
        }
    }

    /// Jumps out of a `try` or `with` that go on once its clean-up has run.
    fn pending(&self, outer: StatementId) -> Vec<Goto> {
        let Some(around) = self.outline.statement(outer) else { return Vec::new() };
        let mut next = Vec::new();
        let inside = (outer + 1..)
            .map_while(|id| self.outline.statement(id).map(|s| (id, s)))
            .take_while(|(_, s)| s.lines.first <= around.end)
            .filter(|(_, s)| s.scope == around.scope);
        for (id, statement) in inside {
            let how = match statement.kind {
                K::Return => Abrupt::Return,
                K::Break => Abrupt::Break,
                K::Continue => Abrupt::Continue,
                _ => continue,
            };
            if self.leaves(id, outer, how) {
                next.extend(self.abrupt(outer, how));
                next.push(Goto::Enter(id));
            }
        }
        next
    }

    /// Whether a jump inside a statement leads out of it.
    fn leaves(&self, id: StatementId, outer: StatementId, how: Abrupt) -> bool {
        let mut inner = id;
        while let Some(statement) = self.outline.statement(inner) {
            let Some(parent) = statement.parent else { return false };
            if parent == outer {
                return statement.arm != Arm::Finally;
            }
            let is_loop =
                self.outline.statement(parent).is_some_and(|s| matches!(s.kind, K::For | K::While));
            if is_loop && statement.arm == Arm::Body && how != Abrupt::Return {
                return false;
            }
            inner = parent;
        }
        false
    }
}
