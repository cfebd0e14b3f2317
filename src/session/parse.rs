//! Typed lines as commands, by pdb's rules.
//!
//! Must not know: what a command does. A word that is a command is the command; the same
//! word with an operator behind it (`c.a`, `n()`, `j = 1`) is Python, and so is anything
//! after `!`.

use super::command::{Address, Command, History, Jump, Listing, Unit};
use super::entry::{Go, Mark};
use super::table::{COMMANDS, CommandInfo, find};
use crate::trace::Direction;

/// Splits a line at `;;` outside quotes.
pub(super) fn split(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quote, mut escaped) = (0, None, false);
    let mut chars = line.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, ';') if chars.peek().is_some_and(|(_, next)| *next == ';') => {
                chars.next();
                parts.push(line[start..i].trim());
                start = i + 2;
            }
            _ => {}
        }
    }
    parts.push(line[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Parses one command. `names` are the variables of the shown state.
///
/// # Errors
/// One line that says what is wrong and what would be right.
pub(super) fn parse(line: &str, names: &[&str]) -> Result<Command, String> {
    let line = line.trim();
    if let Some(statement) = line.strip_prefix('!') {
        return python(statement.trim());
    }
    if let Some(topic) = line.strip_prefix('?') {
        return arguments(info("help")?, topic.trim());
    }
    let end =
        line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(line.len());
    let (mut word, mut rest) = line.split_at(end);
    // Only a few words hold a hyphen; elsewhere it is a minus.
    if find(word).is_none()
        && let Some(minus) = word.find('-')
    {
        (word, rest) = line.split_at(minus);
    }
    match find(word) {
        Some(row) if !is_python(row, rest, names) => arguments(row, rest.trim()),
        Some(_) => python(line),
        None if word == "j" && rest.trim().parse::<u32>().is_ok() => Err(no_jump(rest.trim())),
        None if rest.is_empty() && !names.contains(&word) && is_identifier(word) => {
            Err(unknown(word))
        }
        None if EXPRESSIONS.contains(&word) || STATEMENTS.contains(&word) => python(line),
        None if rest.starts_with(' ') && is_identifier(word) && !is_operator(rest.trim_start()) => {
            Err(unknown(word))
        }
        None => python(line),
    }
}

/// Words that begin an expression.
const EXPRESSIONS: [&str; 6] = ["not", "lambda", "await", "None", "True", "False"];

/// Words that begin a statement.
const STATEMENTS: [&str; 12] = [
    "import", "from", "del", "for", "while", "if", "def", "class", "with", "raise", "assert", "try",
];

fn info(name: &str) -> Result<&'static CommandInfo, String> {
    find(name).ok_or_else(|| unknown(name))
}

/// Whether what follows a command's word makes the line Python.
fn is_python(row: &CommandInfo, rest: &str, names: &[&str]) -> bool {
    let takes_expression = row.args.contains("EXPRESSION");
    let operand = rest.trim_start();
    if assigned(operand).is_some() || augmented(operand) {
        return true;
    }
    if rest.starts_with(['.', '(', '[']) {
        // `p(x)` prints x, unless p is a variable.
        return !(takes_expression && !rest.starts_with('.') && !names.contains(&row.name));
    }
    // `p -x` prints -x, and `l .` lists; `n + 1` is a sum.
    !takes_expression
        && !operand.is_empty()
        && is_operator(operand)
        && row.args != "[FIRST[, LAST] | .]"
}

fn is_operator(text: &str) -> bool {
    let word = |w: &str| text.strip_prefix(w).is_some_and(|rest| rest.starts_with(' '));
    text.starts_with([
        '+', '-', '*', '/', '%', '<', '>', '&', '|', '^', '@', ',', '=', '.', '(', '[',
    ]) || text.starts_with("!=")
        || ["in", "not", "is", "and", "or", "if"].into_iter().any(word)
}

/// What is assigned, if the text starts with a single `=`.
fn assigned(text: &str) -> Option<&str> {
    text.strip_prefix('=').filter(|rest| !rest.starts_with('=')).map(str::trim)
}

fn augmented(text: &str) -> bool {
    ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", ">>=", "<<=", "@=", ":="]
        .iter()
        .any(|op| text.starts_with(op))
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// A Python statement: an assignment to a name, or an expression to print.
fn python(text: &str) -> Result<Command, String> {
    if text.is_empty() {
        return Err("usage: ! NAME = VALUE, or ! EXPRESSION".into());
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start();
    if is_identifier(name) {
        if let Some(value) = assigned(rest) {
            if value.is_empty() {
                return Err("usage: ! NAME = VALUE".into());
            }
            return Ok(Command::Edit { name: name.into(), value: value.into() });
        }
        if augmented(rest) && !rest.starts_with(":=") {
            let at = rest.find('=').unwrap_or(0);
            let (operator, value) = (rest[..at].trim(), rest[at + 1..].trim());
            let value = format!("{name} {operator} ({value})");
            return Ok(Command::Edit { name: name.into(), value });
        }
        let statement = STATEMENTS.contains(&name);
        if statement && rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return Err(format!(
                "'{name}' statements are not run: nothing executes here; \
                 NAME = VALUE rewrites a variable"
            ));
        }
    }
    Ok(Command::Print { expression: text.into(), pretty: false })
}

/// Parses the arguments of a command.
fn arguments(row: &'static CommandInfo, rest: &str) -> Result<Command, String> {
    use Direction::{Forward, Inverse};
    let usage = || format!("usage: {} {}", row.name, row.args).trim_end().to_string();
    let none = |command: Command| if rest.is_empty() { Ok(command) } else { Err(usage()) };
    let text = || (!rest.is_empty()).then(|| rest.to_string());
    let needed = || text().ok_or_else(usage);
    let count = || match rest {
        "" => Ok(1),
        rest => rest.parse().ok().filter(|n| *n > 0).ok_or_else(usage),
    };
    let numbers = || {
        let words = rest.split([' ', ',']).filter(|w| !w.is_empty());
        words.map(|w| w.parse::<u32>().ok()).collect::<Option<Vec<u32>>>()
    };
    match row.name {
        "step" => none(Command::Go(Go::Into(Forward))),
        "next" => none(Command::Go(Go::Over(Forward))),
        "return" => none(Command::Go(Go::Return)),
        "continue" if rest.is_empty() => Ok(Command::Go(Go::Continue(Forward))),
        "continue" => Ok(Command::Go(Go::Until(Some(rest.parse().map_err(|_| usage())?)))),
        "until" if rest.is_empty() => Ok(Command::Go(Go::Until(None))),
        "until" => Ok(Command::Go(Go::Until(Some(rest.parse().map_err(|_| usage())?)))),
        "advance" => Ok(Command::Advance(address(rest).ok_or_else(usage)?)),
        "bstep" => none(Command::Go(Go::Into(Inverse))),
        "bnext" => none(Command::Go(Go::Over(Inverse))),
        "bfinish" => none(Command::Go(Go::Call)),
        "bcontinue" => none(Command::Go(Go::Continue(Inverse))),
        "rewind" => Ok(Command::Rewind(count()?)),
        "redo" => Ok(Command::Redo(count()?)),
        "goto" => match rest.split_once('.') {
            None => Ok(Command::GotoStep(rest.parse().map_err(|_| usage())?)),
            Some((segment, step)) => match (segment.parse(), step.parse()) {
                (Ok(segment), Ok(step)) => Ok(Command::Goto(Mark { segment, step })),
                _ => Err(usage()),
            },
        },
        "steps" if rest.is_empty() => Ok(Command::Steps(None)),
        "steps" => Ok(Command::Steps(Some(count()?))),
        "inside" => none(Command::Inside),
        "break" if rest.is_empty() => Ok(Command::ListBreaks),
        "break" | "tbreak" => {
            let (place, condition) = comma(rest);
            if condition == Some("") {
                return Err("the condition after the comma is missing".into());
            }
            Ok(Command::Break {
                at: address(place).ok_or_else(usage)?,
                condition: condition.map(str::to_string),
                temporary: row.name == "tbreak",
            })
        }
        "clear" => match numbers() {
            Some(numbers) => Ok(Command::Clear(numbers)),
            None => Ok(Command::ClearAt(address(rest).ok_or_else(usage)?)),
        },
        "enable" | "disable" => match numbers() {
            Some(numbers) if !numbers.is_empty() => {
                Ok(Command::Enable(row.name == "enable", numbers))
            }
            _ => Err(usage()),
        },
        "condition" => {
            let (number, condition) = rest.split_once(' ').unwrap_or((rest, ""));
            let condition = Some(condition.trim()).filter(|c| !c.is_empty());
            let number = number.parse().map_err(|_| usage())?;
            Ok(Command::Condition(number, condition.map(str::to_string)))
        }
        "ignore" => match numbers().as_deref() {
            Some([number]) => Ok(Command::Ignore(*number, 0)),
            Some([number, count]) => Ok(Command::Ignore(*number, *count)),
            _ => Err(usage()),
        },
        "commands" => match numbers().as_deref() {
            Some([]) => Ok(Command::Commands(None)),
            Some([number]) => Ok(Command::Commands(Some(*number))),
            _ => Err(usage()),
        },
        "where" => none(Command::Where),
        "up" => Ok(Command::Up(count()?)),
        "down" => Ok(Command::Down(count()?)),
        "list" => listing(rest).map(Command::List).ok_or_else(usage),
        "longlist" => none(Command::LongList),
        "p" => Ok(Command::Print { expression: needed()?, pretty: false }),
        "pp" => Ok(Command::Print { expression: needed()?, pretty: true }),
        "whatis" => Ok(Command::WhatIs(needed()?)),
        "args" => none(Command::Args),
        "retval" => none(Command::ReturnValue),
        "display" => Ok(Command::Display(text())),
        "undisplay" => Ok(Command::Undisplay(text())),
        "verify" => none(Command::Verify),
        "resync" => none(Command::Resync),
        "wrong" => none(Command::Wrong),
        "history" => choice(rest, &[History::Free, History::Guided], History::name)
            .map(Command::History)
            .ok_or_else(usage),
        "jump" if rest.parse::<u32>().is_ok() => Err(no_jump(rest)),
        "jump" => choice(rest, &[Jump::Auto, Jump::Direct, Jump::Chained], Jump::name)
            .map(Command::Jump)
            .ok_or_else(usage),
        "unit" => choice(rest, &[Unit::Statement, Unit::Event], Unit::name)
            .map(Command::Unit)
            .ok_or_else(usage),
        "alias" => {
            let (name, meaning) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let some = |text: &str| Some(text.trim().to_string()).filter(|text| !text.is_empty());
            Ok(Command::Alias(some(name), some(meaning)))
        }
        "unalias" => Ok(Command::Unalias(needed()?)),
        "restart" => Ok(Command::Restart(text())),
        "help" => Ok(Command::Help(text())),
        "cancel" => none(Command::Cancel),
        "quit" => none(Command::Quit),
        _ => python(rest),
    }
}

/// What pdb's `jump LINE` is answered with: no line is skipped where none runs.
fn no_jump(line: &str) -> String {
    format!(
        "the next line cannot be set: 'advance {line}' predicts on to it, and opening the file with \
         --at {line} starts there; here 'jump' says how jumps are answered: auto, direct or chained"
    )
}

/// Nothing (ask), or one of the words.
fn choice<T: Copy>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Option<Option<T>> {
    match text {
        "" => Some(None),
        word => all.iter().copied().find(|one| name(*one) == word).map(Some),
    }
}

/// `[FILE:]LINE` or `[FILE:]FUNCTION`; a file's name may itself hold colons and spaces.
pub(super) fn address(text: &str) -> Option<Address> {
    let (file, place) = match text.rsplit_once(':') {
        Some((file, place)) if !file.trim().is_empty() => (Some(file.trim()), place.trim()),
        Some(_) => return None,
        None => (None, text.trim()),
    };
    let file = file.map(str::to_string);
    if let Ok(line) = place.parse() {
        return Some(Address::Line { file, line });
    }
    let name = place.trim_end_matches("()");
    let dotted = name.split('.').all(|part| is_identifier(part) || part == "<locals>");
    dotted.then(|| Address::Function { file, name: name.to_string() })
}

/// Text before and after the first comma.
fn comma(text: &str) -> (&str, Option<&str>) {
    match text.split_once(',') {
        Some((before, after)) => (before.trim(), Some(after.trim())),
        None => (text, None),
    }
}

fn listing(text: &str) -> Option<Listing> {
    match comma(text) {
        ("", None) => Some(Listing::More),
        (".", None) => Some(Listing::Here),
        (line, None) => Some(Listing::Around(line.parse().ok()?)),
        (first, Some(last)) => {
            let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
            // As in pdb: a second number below the first is a count.
            let last = if last < first { first.saturating_add(last) } else { last };
            Some(Listing::Range(first, last))
        }
    }
}

/// One line about a word that is no command.
pub(super) fn unknown(word: &str) -> String {
    // `S` in the panes is not a word: a variable may have that name.
    if let Some(row) = COMMANDS.iter().find(|row| row.keys.contains(&word)) {
        let short = row.aliases.first().map(|alias| format!(" or '{alias}'")).unwrap_or_default();
        return format!("'{word}' is a key of the screen; here type '{}'{short}", row.name);
    }
    match nearest(word) {
        Some(near) => {
            format!("'{word}' is no command and no variable here; did you mean '{near}'?")
        }
        None => format!("'{word}' is no command and no variable here; 'help' lists the commands"),
    }
}

/// The command nearest to a mistyped word.
fn nearest(word: &str) -> Option<&'static str> {
    let words = COMMANDS.iter().flat_map(|row| std::iter::once(&row.name).chain(row.aliases));
    let near = words.map(|known| (distance(word, known), *known)).filter(|(_, k)| k.len() > 2);
    near.min().filter(|(d, _)| *d <= 2 && *d < word.chars().count()).map(|(_, known)| known)
}

/// Edit distance; neighbours that changed places count once.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (row[j - 1] + 1).min(rows[i - 1][j] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
