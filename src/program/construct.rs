//! What a statement is made of, for reports that say where a model goes wrong.
//!
//! By its tokens, not by its tree: a statement counts for every construct that it holds.
//! Must not know: what running it does.

use super::outline::{Logical, StatementKind, Token, tokens};
use super::{Loc, Program};

/// The constructs of the statement at a place, each once, in a fixed order; none where there
/// is no statement.
pub fn constructs(program: &Program, loc: Loc) -> Vec<&'static str> {
    let Some(outline) = program.outline(loc.file) else { return Vec::new() };
    let Some((_, statement)) = outline.statement_at(loc.line) else { return Vec::new() };
    let Some(file) = program.files.get(usize::from(loc.file)) else { return Vec::new() };
    let logical = Logical { first: statement.lines.first, last: statement.lines.last, indent: 0 };
    let tokens: Vec<Token> =
        tokens(&file.lines, &logical).into_iter().map(|(_, token)| token).collect();
    let text = || (logical.first..=logical.last).filter_map(|line| file.line(line));
    let own = |name: &str| outline.functions().any(|(_, scope)| scope.name == name);
    let mut found = Expression::of(&tokens, &own);
    found.f_string = text().any(|line| ["f'", "f\""].iter().any(|start| line.contains(start)));
    kind(statement.kind).into_iter().chain(found.names()).collect()
}

fn kind(kind: StatementKind) -> Option<&'static str> {
    use StatementKind as K;
    Some(match kind {
        K::Return => "return",
        K::Raise => "raise",
        K::Break | K::Continue | K::Pass | K::Silent => "break, continue, pass",
        K::Def => "def",
        K::Class => "class",
        K::If => "if",
        K::While => "while",
        K::For => "for",
        K::With => "with",
        K::Try | K::Except | K::ExceptStar => "try, except",
        K::Match | K::Case => "match, case",
        K::Simple => return None,
    })
}

#[derive(Default)]
struct Expression {
    assignment: bool,
    augmented: bool,
    several: bool,
    arithmetic: bool,
    division: bool,
    comparison: bool,
    logic: bool,
    index: bool,
    slice: bool,
    display: bool,
    comprehension: bool,
    method: bool,
    own_call: bool,
    other_call: bool,
    attribute: bool,
    f_string: bool,
}

impl Expression {
    fn of(tokens: &[Token], own: &dyn Fn(&str) -> bool) -> Self {
        let mut found = Expression::default();
        // Open brackets: whether each is a subscript.
        let mut open: Vec<(char, bool)> = Vec::new();
        let mut comma = false;
        let header = matches!(tokens.first(), Some(Token::Word("def" | "class" | "async" | "for")));
        for (at, &token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at)).copied();
            let next = tokens.get(at + 1).copied();
            let after_operand = match before {
                Some(Token::Word(word)) => !OPERATORS.contains(&word),
                Some(Token::Text | Token::Mark(')' | ']' | '}')) => true,
                _ => false,
            };
            match token {
                Token::Mark(c @ ('(' | '[' | '{')) => {
                    let subscript = c == '[' && after_operand;
                    found.index |= subscript;
                    found.display |= c != '(' && !subscript;
                    open.push((c, subscript));
                }
                Token::Mark(')' | ']' | '}') => {
                    open.pop();
                }
                Token::Mark(':') if open.last().is_some_and(|&(_, subscript)| subscript) => {
                    found.slice = true;
                }
                Token::Mark('=') => {
                    let compares = next == Some(Token::Mark('='))
                        || matches!(before, Some(Token::Mark('=' | '!' | '<' | '>')));
                    if compares {
                        found.comparison = true;
                    } else if open.is_empty() && !header {
                        let by = matches!(before, Some(Token::Mark(c)) if "+-*/%&|^@".contains(c));
                        found.augmented |= by;
                        found.assignment |= !by;
                        found.several |= comma;
                    }
                }
                Token::Mark(',') if open.is_empty() => comma = true,
                Token::Mark('<' | '>') => found.comparison = true,
                Token::Mark('/') if next == Some(Token::Mark('/')) => found.division = true,
                Token::Mark('/') if before == Some(Token::Mark('/')) => {}
                Token::Mark('%') => found.division = true,
                Token::Mark('+' | '-' | '*' | '/' | '@' | '&' | '|' | '^') if after_operand => {
                    found.arithmetic = true;
                }
                Token::Mark('.') if after_operand => found.attribute = true,
                Token::Word("for") if !open.is_empty() => found.comprehension = true,
                Token::Word("and" | "or" | "not" | "if") if at > 0 => found.logic = true,
                Token::Word("in" | "is") if !header && !found.comprehension => {
                    found.comparison = true;
                }
                Token::Word(word) if next == Some(Token::Mark('(')) && !header => {
                    if OPERATORS.contains(&word) {
                        continue;
                    }
                    if before == Some(Token::Mark('.')) {
                        found.method = true;
                    } else if own(word) {
                        found.own_call = true;
                    } else {
                        found.other_call = true;
                    }
                }
                _ => {}
            }
        }
        found.index &= !found.slice;
        found
    }

    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        [
            (self.assignment && !self.several, "assignment"),
            (self.several, "assignment of several"),
            (self.augmented, "augmented assignment"),
            (self.arithmetic, "arithmetic"),
            (self.division, "// and %"),
            (self.comparison, "comparison"),
            (self.logic, "and, or, not, if-else"),
            (self.index, "index"),
            (self.slice, "slice"),
            (self.display, "list, dict or set"),
            (self.comprehension, "comprehension"),
            (self.method, "method call"),
            (self.own_call, "call of its own function"),
            (self.other_call, "call of a builtin or class"),
            (self.attribute && !self.method, "attribute"),
            (self.f_string, "f-string"),
        ]
        .into_iter()
        .filter_map(|(holds, name)| holds.then_some(name))
    }
}

/// Words after which an operand begins.
const OPERATORS: [&str; 20] = [
    "and", "as", "assert", "await", "case", "del", "elif", "else", "for", "from", "if", "in", "is",
    "lambda", "not", "or", "return", "while", "with", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Entry, SourceFile};

    #[test]
    fn a_statement_counts_for_everything_it_holds() {
        let cases: &[(&str, &[&str])] = &[
            ("x = 1", &["assignment"]),
            ("x, y = y, x", &["assignment of several"]),
            ("x += y * 2", &["augmented assignment", "arithmetic"]),
            ("x = -1", &["assignment"]),
            ("x = y // 3 - z % 2", &["assignment", "arithmetic", "// and %"]),
            ("x = y / 3", &["assignment", "arithmetic"]),
            ("x //= 3", &["augmented assignment", "// and %"]),
            ("x = a[1:] + a[0]", &["assignment", "arithmetic", "slice"]),
            ("x = a[0]", &["assignment", "index"]),
            ("x = {'a': [1, 2]}", &["assignment", "list, dict or set"]),
            (
                "x = [i * i for i in y]",
                &["assignment", "arithmetic", "list, dict or set", "comprehension"],
            ),
            (
                "x = sum(i for i in y if i > 2)",
                &[
                    "assignment",
                    "comparison",
                    "and, or, not, if-else",
                    "comprehension",
                    "call of a builtin or class",
                ],
            ),
            ("x = ' '.join(a).upper()", &["assignment", "method call"]),
            (
                "x = g(1) == len(b)",
                &[
                    "assignment",
                    "comparison",
                    "call of its own function",
                    "call of a builtin or class",
                ],
            ),
            ("print(f'{x} of 3')", &["call of a builtin or class", "f-string"]),
            ("x = o.size", &["assignment", "attribute"]),
            ("while x != 2: pass", &["while", "comparison"]),
            ("for a, b in zip(x, y): pass", &["for"]),
            ("if x in y and not z: pass", &["if", "comparison", "and, or, not, if-else"]),
            ("return x if y else z", &["return", "and, or, not, if-else"]),
            ("return (x\n        + 1)", &["return", "arithmetic"]),
            ("raise ValueError('a // b')", &["raise", "call of a builtin or class"]),
            ("pass", &["break, continue, pass"]),
            ("def g2(a=1): pass", &["def"]),
            ("", &[]),
        ];
        for (text, wanted) in cases {
            let code = format!("def g(n):\n    {text}\n");
            let (file, _) = SourceFile::from_text("t.py", &code);
            let program = Program { files: vec![file], entry: Entry::Module };
            assert_eq!(constructs(&program, Loc::main(2)), *wanted, "{text}");
        }
    }
}
