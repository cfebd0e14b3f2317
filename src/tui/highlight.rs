//! Python colours: each file is parsed once, on a thread of its own, from its start.
//!
//! The first frame is plain; colours arrive in batches. A line's colours are runs of byte
//! offsets with a [`Role`], so that a theme can change without parsing again. The grammar
//! is syntect's; where it calls valid code illegal the code stays plain, and the soft
//! keywords it does not know are laid over. Must not know: panes, cells.

use super::theme::Role;
use std::ops::Range;
use std::sync::Arc;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

/// Coloured parts of one line: byte ranges in order, not overlapping; the rest is plain.
pub type Runs = Vec<(Range<usize>, Role)>;

/// Colours of some consecutive lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colours {
    /// Index of the file in the program.
    pub file: usize,
    /// Index of the first line, from 0.
    pub first: usize,
    /// One entry a line.
    pub lines: Vec<Runs>,
}

/// Lines sent at once: a few screens.
const BATCH: usize = 250;
/// Lines longer than this stay plain: a grammar of regular expressions may take seconds.
const LONGEST: usize = 4_000;

/// Colours a file line by line and hands out batches. Ends when `out` refuses.
pub fn colour(file: usize, lines: &[Arc<str>], mut out: impl FnMut(Colours) -> bool) {
    let grammars = SyntaxSet::load_defaults_newlines();
    let Some(python) = grammars.find_syntax_by_extension("py") else { return };
    let mut parser = ParseState::new(python);
    let mut stack = ScopeStack::new();
    let scopes = Scopes::new();
    let mut batch = Colours { file, first: 0, lines: Vec::with_capacity(BATCH) };
    for (index, line) in lines.iter().enumerate() {
        let runs = if line.len() > LONGEST {
            Runs::new()
        } else {
            parse(&mut parser, &mut stack, &grammars, &scopes, line)
        };
        batch.lines.push(runs);
        if batch.lines.len() == BATCH {
            let next = Colours { file, first: index + 1, lines: Vec::with_capacity(BATCH) };
            if !out(std::mem::replace(&mut batch, next)) {
                return;
            }
        }
    }
    out(batch);
}

fn parse(
    parser: &mut ParseState,
    stack: &mut ScopeStack,
    grammars: &SyntaxSet,
    scopes: &Scopes,
    line: &str,
) -> Runs {
    let mut runs = Runs::new();
    // The grammar wants the line's end; CR and other controls are ordinary characters to it.
    let with_end = format!("{line}\n");
    let Ok(parsed) = parser.parse_line(&with_end, grammars) else { return runs };
    let mut start = 0;
    for (offset, op) in parsed {
        push(&mut runs, start..offset.min(line.len()), scopes.role(stack));
        start = offset.min(line.len());
        if stack.apply(&op).is_err() {
            return runs;
        }
    }
    push(&mut runs, start..line.len(), scopes.role(stack));
    soft_keywords(line, &mut runs);
    runs
}

/// Appends a run, joined to the one before it where they touch and agree.
fn push(runs: &mut Runs, range: Range<usize>, role: Option<Role>) {
    let Some(role) = role.filter(|_| !range.is_empty()) else { return };
    match runs.last_mut() {
        Some((last, same)) if *same == role && last.end == range.start => last.end = range.end,
        _ => runs.push((range, role)),
    }
}

/// Which scopes mean which role; the innermost scope that means something decides.
struct Scopes(Vec<(Scope, Option<Role>)>);

impl Scopes {
    fn new() -> Self {
        const MEANINGS: &[(&str, Option<Role>)] = &[
            // Valid code that the grammar does not know yet must not look like an error.
            ("invalid", None),
            ("comment", Some(Role::Comment)),
            ("constant.character.escape", Some(Role::Escape)),
            ("constant.numeric", Some(Role::Number)),
            ("constant.language", Some(Role::Builtin)),
            ("string", Some(Role::String)),
            ("meta.interpolation", None),
            ("support.function.builtin", Some(Role::Builtin)),
            ("support.type", Some(Role::Type)),
            ("entity.name.function", Some(Role::Function)),
            ("entity.name.class", Some(Role::Type)),
            ("entity.other.inherited-class", Some(Role::Type)),
            ("variable.annotation", Some(Role::Decorator)),
            ("punctuation.definition.annotation", Some(Role::Decorator)),
            ("variable.language", Some(Role::Builtin)),
            ("variable.function", Some(Role::Function)),
            ("storage", Some(Role::Keyword)),
            ("keyword.operator.logical", Some(Role::Keyword)),
            ("keyword.operator", Some(Role::Operator)),
            ("keyword", Some(Role::Keyword)),
        ];
        Scopes(
            MEANINGS
                .iter()
                .filter_map(|(name, role)| Some((Scope::new(name).ok()?, *role)))
                .collect(),
        )
    }

    fn role(&self, stack: &ScopeStack) -> Option<Role> {
        stack
            .as_slice()
            .iter()
            .rev()
            .find_map(|scope| self.0.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)))
            .and_then(|(_, role)| *role)
    }
}

/// `match`, `case` and `type` at the start of a statement that they can start.
fn soft_keywords(line: &str, runs: &mut Runs) {
    let indent = line.len() - line.trim_start().len();
    let code = line.get(indent..).unwrap_or_default();
    let end = code.find([' ', '\t', '(', '[', '{', '"', '\'', '-']).unwrap_or(code.len());
    let (word, rest) = code.split_at(end);
    let next = rest.trim_start();
    let opens_block = strip_comment(rest).trim_end().ends_with(':');
    let soft = match word {
        "match" | "case" => {
            opens_block && !next.is_empty() && !next.starts_with([':', '=', '.', ','])
        }
        "type" => {
            rest.starts_with([' ', '\t'])
                && next.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && next.contains('=')
        }
        _ => false,
    };
    // A line inside a string is one whose start the grammar already coloured.
    let free = runs.iter().all(|(range, role)| {
        !range.contains(&indent) || !matches!(role, Role::String | Role::Comment)
    });
    if soft && free {
        let keyword = indent..indent + word.len();
        runs.retain(|(range, _)| range.end <= keyword.start || range.start >= keyword.end);
        let at = runs.partition_point(|(range, _)| range.start < keyword.start);
        runs.insert(at, (keyword, Role::Keyword));
    }
}

fn strip_comment(code: &str) -> &str {
    code.rsplit_once('#')
        .filter(|(before, _)| before.trim_end().ends_with(':'))
        .map_or(code, |(b, _)| b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(source: &str) -> Vec<Vec<(String, Role)>> {
        let lines: Vec<Arc<str>> = source.lines().map(Arc::from).collect();
        let mut all = Vec::new();
        colour(0, &lines, |part| {
            assert_eq!(part.first, all.len());
            all.extend(part.lines);
            true
        });
        lines
            .iter()
            .zip(all)
            .map(|(line, runs)| {
                runs.into_iter().map(|(range, role)| (line[range].to_owned(), role)).collect()
            })
            .collect()
    }

    fn role_of(source: &str, line: usize, text: &str) -> Option<Role> {
        roles(source)[line].iter().find(|(t, _)| t.trim() == text).map(|(_, role)| *role)
    }

    #[test]
    fn python_has_its_colours() {
        let source = "def f(a=1):  # note\n    return 'x' if a else None\n";
        assert_eq!(role_of(source, 0, "def"), Some(Role::Keyword));
        assert_eq!(role_of(source, 0, "f"), Some(Role::Function));
        assert_eq!(role_of(source, 0, "1"), Some(Role::Number));
        assert_eq!(role_of(source, 0, "# note"), Some(Role::Comment));
        assert_eq!(role_of(source, 1, "return"), Some(Role::Keyword));
        assert_eq!(role_of(source, 1, "'x'"), Some(Role::String));
        assert_eq!(role_of(source, 1, "None"), Some(Role::Builtin));
    }

    #[test]
    fn soft_keywords_are_keywords_only_where_they_are() {
        let source = "match command:\n    case [x, _ as y]:  # both\n        match = type(x)\ntype X = int\n\
                      '''\nmatch this:\n'''\ntype = 3\ncase: int = 4\nmatch.group(1)";
        for (line, word, keyword) in [
            (0, "match", true),
            (1, "case", true),
            (2, "match", false),
            (3, "type", true),
            (5, "match", false),
            (7, "type", false),
            (8, "case", false),
            (9, "match", false),
        ] {
            let is = role_of(source, line, word) == Some(Role::Keyword);
            assert_eq!(is, keyword, "line {line}: {:?}", roles(source)[line]);
        }
    }

    #[test]
    fn a_string_that_starts_above_reaches_below() {
        let mut source = String::from("x = '''\n");
        source.push_str(&"inside\n".repeat(BATCH + 10));
        source.push_str("'''\ny = 1\n");
        let all = roles(&source);
        assert_eq!(all[BATCH + 5], [("inside".to_owned(), Role::String)]);
        assert_eq!(
            all[BATCH + 12].last().map(|(t, r)| (t.as_str(), *r)),
            Some(("1", Role::Number))
        );
    }

    #[test]
    fn nothing_is_ever_painted_as_an_error() {
        for source in
            ["def g[T](x: T) -> T: ...", "x = t'{a}'", "class A[T = int]: pass", "$ ? \u{0}"]
        {
            assert!(roles(source)[0].iter().all(|(_, role)| *role != Role::Error), "{source}");
        }
    }

    #[test]
    fn a_huge_line_does_not_hold_up_the_rest() {
        let source = format!("x = [{}]\ny = 1", "1, ".repeat(100_000));
        assert_eq!(roles(&source)[0], []);
        assert_eq!(role_of(&source, 1, "1"), Some(Role::Number));
    }
}
