//! The outline of a file that does not parse: by indentation, first words and names.
//!
//! Good enough to set breakpoints, list functions and find callees in broken or newer
//! Python. It knows no expressions: lambdas and generator expressions are no scopes here.

use super::scan::{Logical, Scan};
use super::{
    Arm, CallSite, Lines, Maker, NameUse, Param, ParamKind, Parts, Scope, ScopeId, ScopeKind,
    Statement, StatementId, StatementKind, Use,
};
use std::sync::Arc;

/// Outlines physical lines without parsing.
pub fn guess(lines: &[Arc<str>], scan: &Scan) -> Parts {
    let last = u32::try_from(lines.len()).unwrap_or(u32::MAX).max(1);
    let parts = Parts::module(Maker::Indentation, last);
    let mut guess = Guess { parts, open: Vec::new(), decorated: None };
    for logical in &scan.logical {
        guess.logical(logical, &tokens(lines, logical));
    }
    guess.parts
}

/// A header whose block may still go on.
struct Open {
    indent: usize,
    /// The statement that `else`, `except` and `finally` belong to.
    root: Option<StatementId>,
    /// Where statements of its block go.
    scope: ScopeId,
    parent: Option<StatementId>,
    arm: Arm,
}

struct Guess {
    parts: Parts,
    open: Vec<Open>,
    /// First decorator line of a definition to come.
    decorated: Option<u32>,
}

/// What a logical line is made of; comments and layout are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A name or keyword.
    Word(&'a str),
    /// A string literal or number.
    Text,
    /// Any other character.
    Mark(char),
}

impl Guess {
    fn logical(&mut self, logical: &Logical, tokens: &[(u32, Token)]) {
        let mut closed = None;
        while self.open.last().is_some_and(|o| o.indent >= logical.indent) {
            closed = self.open.pop().filter(|o| o.indent == logical.indent);
        }
        let root = closed.and_then(|o| o.root);
        let (scope, parent, arm) =
            self.open.last().map_or((0, None, Arm::Body), |o| (o.scope, o.parent, o.arm));
        if let [(line, Token::Mark('@')), ..] = tokens {
            self.decorated.get_or_insert(*line);
            return self.names(tokens, scope);
        }
        let first = self.decorated.take().unwrap_or(logical.first);
        let lines = Lines { first, last: logical.last };
        self.extend(logical.last);

        let words: Vec<&str> = tokens
            .iter()
            .filter_map(|(_, t)| if let Token::Word(word) = t { Some(*word) } else { None })
            .collect();
        let first = match words.as_slice() {
            ["async", second, ..] => *second,
            [first, ..] => *first,
            [] => "",
        };
        let header = tokens.iter().any(|(_, t)| *t == Token::Mark(':'));
        let block = tokens.last().is_some_and(|(_, t)| *t == Token::Mark(':'));

        let (kind, parent, arm) = match first {
            "else" | "finally" if header => {
                let arm = if first == "else" { Arm::Else } else { Arm::Finally };
                let indent = logical.indent;
                return self.open.push(Open { indent, root, scope, parent: root, arm });
            }
            "elif" if header => (StatementKind::If, root.or(parent), Arm::Else),
            "except" if header => {
                let star = matches!(tokens.get(1), Some((_, Token::Mark('*'))));
                let kind = if star { StatementKind::ExceptStar } else { StatementKind::Except };
                (kind, root.or(parent), Arm::Clause)
            }
            "case" if header && block => (StatementKind::Case, parent, Arm::Clause),
            "match" if header && block => (StatementKind::Match, parent, arm),
            "if" if header => (StatementKind::If, parent, arm),
            "while" if header => (StatementKind::While, parent, arm),
            "for" if header => (StatementKind::For, parent, arm),
            "with" if header => (StatementKind::With, parent, arm),
            "try" if header => (StatementKind::Try, parent, arm),
            "def" if header => (StatementKind::Def, parent, arm),
            "class" if header => (StatementKind::Class, parent, arm),
            "return" => (StatementKind::Return, parent, arm),
            "raise" => (StatementKind::Raise, parent, arm),
            "break" => (StatementKind::Break, parent, arm),
            "continue" => (StatementKind::Continue, parent, arm),
            "pass" => (StatementKind::Pass, parent, arm),
            "global" | "nonlocal" => (StatementKind::Silent, parent, arm),
            "" if tokens.iter().all(|(_, t)| *t == Token::Text) => {
                (StatementKind::Silent, parent, arm)
            }
            _ => (StatementKind::Simple, parent, arm),
        };
        let id = self.parts.push_statement(Statement {
            kind,
            lines,
            end: lines.last,
            scope,
            parent,
            arm,
            opens: None,
            always: None,
        });
        use StatementKind as K;
        let inside = match kind {
            K::Def | K::Class => {
                let opened = self.scope(kind, (lines, logical.first), scope, id, tokens, &words);
                Some((opened, None, Arm::Body))
            }
            K::Match => Some((scope, Some(id), Arm::Clause)),
            K::If | K::While | K::For | K::With | K::Try | K::Except | K::ExceptStar | K::Case => {
                Some((scope, Some(id), Arm::Body))
            }
            _ => None,
        };
        self.names(tokens, scope);
        let Some((scope, parent, arm)) = inside else { return };
        if !block {
            // The block is on the header's line.
            self.parts.push_statement(Statement {
                kind: StatementKind::Simple,
                lines,
                end: lines.last,
                scope,
                parent,
                arm,
                opens: None,
                always: None,
            });
        }
        let clause = matches!(kind, K::Except | K::ExceptStar);
        let root = if clause { self.parent_of(id) } else { Some(id) };
        self.open.push(Open { indent: logical.indent, root, scope, parent, arm });
    }

    fn parent_of(&self, id: StatementId) -> Option<StatementId> {
        self.parts.statements.get(id as usize)?.parent
    }

    /// Lengthens everything that is open down to a line.
    fn extend(&mut self, last: u32) {
        for open in &self.open {
            for id in [open.root, open.parent].into_iter().flatten() {
                if let Some(statement) = self.parts.statements.get_mut(id as usize) {
                    statement.end = statement.end.max(last);
                }
            }
            if open.scope > 0
                && let Some(scope) = self.parts.scopes.get_mut(open.scope as usize)
            {
                scope.body.last = scope.body.last.max(last);
            }
        }
    }

    fn scope(
        &mut self,
        kind: StatementKind,
        (lines, line): (Lines, u32),
        parent: ScopeId,
        id: StatementId,
        tokens: &[(u32, Token)],
        words: &[&str],
    ) -> ScopeId {
        let is_async = words.first() == Some(&"async");
        let name = words.get(1 + usize::from(is_async)).copied().unwrap_or_default();
        let function = kind == StatementKind::Def;
        let scope = Scope {
            kind: if function { ScopeKind::Function } else { ScopeKind::Class },
            name: name.into(),
            qualname: String::new(),
            parent: Some(parent),
            first_line: lines.first,
            line,
            body: Lines { first: lines.last, last: lines.last },
            params: if function { params(tokens) } else { Vec::new() },
            is_generator: false,
            is_async,
        };
        self.parts.open(scope, Some(id))
    }

    fn names(&mut self, tokens: &[(u32, Token)], scope: ScopeId) {
        let mut depth = 0usize;
        for (i, &(line, token)) in tokens.iter().enumerate() {
            let word = match token {
                Token::Mark('(' | '[' | '{') => {
                    depth += 1;
                    continue;
                }
                Token::Mark(')' | ']' | '}') => {
                    depth = depth.saturating_sub(1);
                    continue;
                }
                Token::Word("yield" | "await") => {
                    self.parts.suspensions.push(line);
                    if let Some(scope) = self.parts.scopes.get_mut(scope as usize) {
                        scope.is_generator = true;
                    }
                    continue;
                }
                Token::Word(word) if !KEYWORDS.contains(&word) => word,
                _ => continue,
            };
            let at = |j: Option<usize>| j.and_then(|j| tokens.get(j)).map(|(_, t)| *t);
            let before = at(i.checked_sub(1));
            let after = (at(Some(i + 1)), at(Some(i + 2)));
            let attribute = before == Some(Token::Mark('.'));
            let usage = match after {
                _ if attribute => Use::Attribute,
                (Some(Token::Mark('=')), next) if next != Some(Token::Mark('=')) => {
                    if depth > 0 {
                        continue; // a keyword argument
                    }
                    Use::Bind
                }
                _ if matches!(before, Some(Token::Word("def" | "class" | "as" | "import"))) => {
                    Use::Bind
                }
                _ if before == Some(Token::Word("for")) => Use::Bind,
                _ => Use::Read,
            };
            self.parts.names.push(NameUse { line, name: word.into(), usage, scope });
            if after.0 == Some(Token::Mark('(')) && usage != Use::Bind {
                let callee = word.into();
                self.parts.calls.push(CallSite { line, callee, attribute, scope });
            }
        }
    }
}

/// Parameters of a `def`: the names that start an item of its parentheses.
fn params(tokens: &[(u32, Token)]) -> Vec<Param> {
    let mut params = Vec::new();
    let mut depth = 0;
    let mut stars = 0;
    let mut keyword_only = false;
    let mut starts = false;
    for &(_, token) in tokens {
        match token {
            Token::Mark('(' | '[' | '{') => {
                depth += 1;
                starts = depth == 1;
                continue;
            }
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark(',') if depth == 1 => {
                keyword_only |= stars == 1;
                (starts, stars) = (true, 0);
                continue;
            }
            Token::Mark('*') if starts => {
                stars += 1;
                continue;
            }
            Token::Mark('=') if depth == 1 => {
                // Its text is not known without a parser; that there is one matters.
                if let Some(Param { default, .. }) = params.last_mut() {
                    *default = Some("...".into());
                }
            }
            Token::Word(name) if starts && depth == 1 => {
                let kind = match stars {
                    1 => ParamKind::Args,
                    2 => ParamKind::Kwargs,
                    _ if keyword_only => ParamKind::KeywordOnly,
                    _ => ParamKind::Plain,
                };
                params.push(Param { name: name.into(), kind, default: None });
            }
            _ => {}
        }
        starts = false;
        if depth == 0 && token == Token::Mark(')') {
            break;
        }
    }
    params
}

/// Words, strings and marks of a logical line, with their physical lines.
pub fn tokens<'a>(lines: &'a [Arc<str>], logical: &Logical) -> Vec<(u32, Token<'a>)> {
    let mut tokens = Vec::new();
    let mut string: Option<(&'static str, bool)> = None;
    for number in logical.first..=logical.last {
        let mut rest: &str = lines.get(number as usize - 1).map_or("", |l| l);
        while let Some(c) = rest.chars().next() {
            if let Some((quote, _)) = string {
                rest = match rest.find(['\\', quote.chars().next().unwrap_or('"')]) {
                    None => break,
                    Some(at) => rest.get(at..).unwrap_or_default(),
                };
                let skip = if rest.starts_with(quote) {
                    string = None;
                    quote.len()
                } else {
                    let escaped = if rest.starts_with('\\') { 2 } else { 1 };
                    rest.chars().take(escaped).map(char::len_utf8).sum()
                };
                rest = rest.get(skip..).unwrap_or_default();
                continue;
            }
            let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|q| rest.starts_with(q));
            let length = if let Some(quote) = quote {
                string = Some((quote, quote.len() == 3));
                // A prefix such as `f` is no name.
                if let Some((_, Token::Word(word))) = tokens.last()
                    && word.len() <= 2
                    && word.chars().all(|c| "rRbBfFuUtT".contains(c))
                {
                    tokens.pop();
                }
                tokens.push((number, Token::Text));
                quote.len()
            } else if c == '#' {
                break;
            } else if c == '_' || c.is_alphanumeric() {
                let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric());
                let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                if !c.is_numeric() {
                    tokens.push((number, Token::Word(word)));
                } else {
                    tokens.push((number, Token::Text));
                }
                word.len()
            } else {
                if !c.is_whitespace() && c != '\\' {
                    tokens.push((number, Token::Mark(c)));
                }
                c.len_utf8()
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        if let Some((_, false)) = string
            && !rest.ends_with('\\')
        {
            string = None;
        }
    }
    tokens
}

const KEYWORDS: [&str; 33] = [
    "False", "None", "True", "and", "as", "assert", "async", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
    "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
];
