//! Where a session starts: reading what the user typed, and binding literal arguments.
//!
//! Must not know: how a program is run. What needs Python to be evaluated is left to the
//! `cpython` room ([`bind`] returns `None`).

mod bind;
mod call;
mod given;

pub use bind::bind;

use super::outline::{Scope, StatementKind};
use super::{Entry, Literal, Loc, SourceFile};

/// Why an entry cannot be used; one line that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// No such function.
    #[error("no function {name:?} in {file}{hint}")]
    Unknown {
        /// As typed.
        name: String,
        /// The file looked in.
        file: String,
        /// What there is instead.
        hint: String,
    },
    /// Arguments that do not fit the parameters.
    #[error("{call} {what}; fix the call, or let the model invent arguments: --entry {function}")]
    Arguments {
        /// The call as typed.
        call: String,
        /// What is wrong with it, e.g. `lacks 'b'`.
        what: String,
        /// The function's name.
        function: String,
    },
    /// A function that only exists while another one runs.
    #[error("{name} is defined inside another function: start there, or use --at {file}:{line}")]
    Nested {
        /// Its qualified name.
        name: String,
        /// The file.
        file: String,
        /// Its first body line.
        line: u32,
    },
    /// Not written as it should be.
    #[error("{text:?} {what}")]
    Form {
        /// As typed.
        text: String,
        /// What is wrong and what to write instead.
        what: String,
    },
}

/// The entry that a file asks for itself by its first line, `# entry: f(3)`, `# entry: f`
/// or `# entry: <module>`; also on the second line, below a `#!` line.
///
/// # Errors
/// As [`parse`].
pub fn of_file(file: &SourceFile) -> Result<Option<Entry>, EntryError> {
    let below = file.line(1).is_some_and(|line| line.starts_with("#!"));
    let line = file.line(if below { 2 } else { 1 });
    let wish = line.and_then(|line| line.trim().strip_prefix('#'));
    let wish = wish.and_then(|comment| comment.trim_start().strip_prefix("entry:"));
    wish.map(|text| parse(text, file)).transpose()
}

/// Reads `--entry`: `f(3)`, `f` (arguments to be invented) or `<module>`.
///
/// In `f(3)` the function is the outermost callee, or else the first function of the file
/// that is called inside, as in `list(f(3))`; a class stands for its `__init__`, and in
/// `Stack(3).push(2)` it is the last method.
///
/// # Errors
/// See [`EntryError`].
pub fn parse(text: &str, file: &SourceFile) -> Result<Entry, EntryError> {
    let text = text.trim();
    if text == "<module>" {
        return Ok(Entry::Module);
    }
    let form = |what: &str| EntryError::Form { text: text.into(), what: what.into() };
    if call::is_dotted_name(text) {
        let scope = function(text, file)?;
        return Ok(Entry::Invent { function: scope.qualname.clone() });
    }
    // A function's call with literals is one; anything else only a parser can tell.
    if call::of_literals(text).is_none_or(|callee| function(callee, file).is_err()) {
        let (_, problems) = SourceFile::from_text("", text);
        if let Some(problem) = problems.first() {
            return Err(form(&format!("is no call: {}", problem.message)));
        }
    }
    let calls = call::calls(text);
    let Some(outer) = calls.first() else {
        return Err(form("is no call: write f(3), or f to have arguments invented"));
    };
    if !call::is_one_call(text) {
        return Err(form("is more than a call: write one, such as f(3) or list(f(3))"));
    }
    if let Some(method) = call::last_method(text) {
        let scope = method_of(outer.callee, &method, file).ok_or_else(|| {
            form(&format!("ends in '{method}', which is no method of one class here"))
        })?;
        return Ok(Entry::Call { function: scope.qualname.clone(), expression: text.into() });
    }
    let known = calls.iter().find_map(|call| Some((call, function(call.callee, file).ok()?)));
    let Some((call, scope)) = known else {
        return Err(function(outer.callee, file).err().unwrap_or_else(|| form("is no call")));
    };
    if scope.qualname.contains("<locals>") {
        return Err(EntryError::Nested {
            name: scope.qualname.clone(),
            file: file.name.clone(),
            line: scope.body.first,
        });
    }
    bind::check(call, scope, call.callee != scope.qualname)?;
    Ok(Entry::Call { function: scope.qualname.clone(), expression: text.into() })
}

/// Reads `--at` (`LINE` or `FILE:LINE`) with `--locals`, a JSON object. Strings in it hold
/// reprs, as in every state this program prints (`{"s": "'abc'", "n": "3"}`); numbers,
/// booleans, null, lists and objects are taken as the Python values they look like.
///
/// # Errors
/// See [`EntryError`].
pub fn at(text: &str, locals: Option<&str>, files: &[SourceFile]) -> Result<Entry, EntryError> {
    let form = |what: String| EntryError::Form { text: text.into(), what };
    let (name, line) =
        text.rsplit_once(':').map_or((None, text), |(file, line)| (Some(file), line));
    let Ok(line) = line.trim().parse::<u32>() else {
        return Err(form("is no place: write LINE or FILE:LINE".into()));
    };
    let matches = |file: &SourceFile| match name {
        None => true,
        Some(name) => file.name == name || file.name.ends_with(&format!("/{name}")),
    };
    let Some((index, file)) = (0u16..).zip(files).find(|(_, file)| matches(file)) else {
        return Err(form("names a file that is not part of this program".into()));
    };
    let Some(statement) = file.outline.breakable(line) else {
        return Err(form(format!("is past the last line with code of {}", file.name)));
    };
    if !statement.lines.contains(line) {
        let next = statement.lines.first;
        let what = format!("holds no code to stop at; the next line of {} is {next}", file.name);
        return Err(form(what));
    }
    let locals = locals.map_or(Ok(Vec::new()), |text| given::read(text, file, line))?;
    Ok(Entry::At { loc: Loc { file: index, line }, locals })
}

/// Reads `--returns`: `f = 3`, or `f:12 = 3` to name the `return` line.
///
/// # Errors
/// See [`EntryError`].
pub fn returns(text: &str, file: &SourceFile) -> Result<Entry, EntryError> {
    let form = |what: &str| EntryError::Form { text: text.into(), what: what.into() };
    let Some((left, right)) = text.split_once('=').filter(|(_, right)| !right.starts_with('='))
    else {
        return Err(form("is no return: write 'f = 3', or 'f:12 = 3' to name the line"));
    };
    let Some(value) = Literal::read(right.trim()).filter(Literal::is_plain) else {
        return Err(form("does not end in a Python literal such as 3 or 'abc'"));
    };
    let (name, line) = match left.trim().split_once(':') {
        None => (left.trim(), None),
        Some((name, line)) => match line.trim().parse::<u32>() {
            Ok(line) => (name.trim(), Some(line)),
            Err(_) => return Err(form("does not name its line by a number")),
        },
    };
    let scope = function(name, file)?;
    let lines = return_lines(scope, file);
    if let Some(line) = line.filter(|line| !lines.contains(line)) {
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        let what = format!("has no return on line {line}; lines: {}", lines.join(", "));
        return Err(form(&what));
    }
    Ok(Entry::Returns {
        function: scope.qualname.clone(),
        value: value.to_string(),
        loc: line.or(only(&lines)).map(Loc::main),
    })
}

/// Lines at which a function can return: its `return` statements, else its last line.
pub fn return_lines(scope: &Scope, file: &SourceFile) -> Vec<u32> {
    let own = |line: u32| {
        let (_, statement) = file.outline.statement_at(line)?;
        file.outline.scope(statement.scope)
    };
    let mut lines: Vec<u32> = scope
        .body
        .iter()
        .filter(|&line| own(line).is_some_and(|s| std::ptr::eq(s, scope)))
        .filter(|&line| {
            let mut here = file.outline.statements_at(line);
            here.any(|(_, s)| s.kind == StatementKind::Return && s.lines.first == line)
        })
        .collect();
    if lines.is_empty() {
        let last = scope.body.iter().rev().find(|&line| file.outline.is_executable(line));
        lines.push(last.unwrap_or(scope.body.last));
    }
    lines
}

fn only(lines: &[u32]) -> Option<u32> {
    match lines {
        [line] => Some(*line),
        _ => None,
    }
}

/// The method of that name of what `callee` makes: of that class, else of the only class that
/// has one.
fn method_of<'f>(callee: &str, method: &str, file: &'f SourceFile) -> Option<&'f Scope> {
    let wanted = format!("{callee}.{method}");
    let end = format!(".{method}");
    let mut methods: Vec<&Scope> = file
        .outline
        .functions()
        .map(|(_, scope)| scope)
        .filter(|scope| scope.qualname.ends_with(&end) && !scope.qualname.contains("<locals>"))
        .collect();
    if methods.iter().any(|scope| scope.qualname == wanted) {
        methods.retain(|scope| scope.qualname == wanted);
    }
    match methods[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The function of that name; a class stands for its `__init__`.
fn function<'f>(name: &str, file: &'f SourceFile) -> Result<&'f Scope, EntryError> {
    let outline = &file.outline;
    if let Some((_, scope)) = outline.function(name) {
        return Ok(scope);
    }
    if let Some((_, scope)) = outline.function(&format!("{name}.__init__")) {
        return Ok(scope);
    }
    let mut names: Vec<&str> = outline.functions().map(|(_, s)| s.qualname.as_str()).collect();
    names.retain(|name| !name.contains("<locals>"));
    let far = |known: &str| {
        let last = known.rsplit('.').next().unwrap_or(known);
        distance(known, name).min(distance(last, name))
    };
    names.dedup();
    let mut near = names.clone();
    near.retain(|known| far(known) <= 1 + name.len() / 3);
    near.sort_by_key(|known| far(known));
    let hint = match (near.as_slice(), names.as_slice()) {
        (_, []) => ": it has no functions, only a module to run".to_string(),
        ([], all) => {
            let more = if all.len() > 8 { ", …" } else { "" };
            let some = all.get(..8).unwrap_or(all);
            format!("; it has {}{more}", some.join(", "))
        }
        (near, _) => format!("; did you mean {}?", near.get(..3).unwrap_or(near).join(", ")),
    };
    Err(EntryError::Unknown { name: name.into(), file: file.name.clone(), hint })
}

/// Edits between two names, by characters (Levenshtein), ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let up = row.get(j + 1).copied().unwrap_or(0);
            let value = (diagonal + usize::from(ca != *cb)).min(up + 1).min(left + 1);
            diagonal = up;
            if let Some(slot) = row.get_mut(j) {
                *slot = left;
            }
            left = value;
        }
        if let Some(slot) = row.last_mut() {
            *slot = left;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests;
