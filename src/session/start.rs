//! The first state of each kind of entry.
//!
//! Must not know: who predicts or records. Literal arguments are bound to parameters as
//! Python binds them; what needs the program's own code needs a recording.

use super::entry::{Entry as TimelineEntry, Origin, Step};
use super::message::Effect;
use super::movement::step_of;
use super::perform::literal;
use super::view::LogKind;
use super::{Command, Go};
use super::{OracleState, Session, Unit, Waiting};
use crate::oracle::{Answer, OracleError};
use crate::program::outline::{ParamKind, Scope};
use crate::program::{Entry, Loc, Program};
use crate::trace::{Direction, Event, Locals, State, Value};

/// How a session gets its first state.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Start {
    /// It is known.
    State(State),
    /// The model invents what is missing.
    Complete(State, Direction),
    /// Only a recording knows it; says why.
    Record(String),
}

/// Reads an entry as typed: `f(3)`, `f`, `Stack.push`; empty: the module.
///
/// # Errors
/// One line that says what an entry looks like.
pub fn parse_entry(text: &str) -> Result<Entry, String> {
    let text = text.trim();
    if text.is_empty() || text == "<module>" {
        return Ok(Entry::Module);
    }
    let name = |name: &str| {
        let part = |p: &str| {
            p == "<locals>"
                || p.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
                    && p.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        name.split('.').all(part)
    };
    match text.split_once('(') {
        None if name(text) => Ok(Entry::Invent { function: text.into() }),
        Some((function, rest)) if name(function.trim()) && rest.trim_end().ends_with(')') => {
            let (function, expression) = (function.trim().into(), text.into());
            Ok(Entry::Call { function, expression })
        }
        _ => Err(format!("'{text}' is no entry; write a call such as f(3), or a function's name")),
    }
}

/// Checks an entry before a session is made: whether its function exists and takes these
/// arguments.
///
/// # Errors
/// One line that says what is wrong and what would be right.
pub fn check_entry(program: &Program) -> Result<(), String> {
    first(program).map(|_| ())
}

/// Finds the first state.
pub(super) fn first(program: &Program) -> Result<Start, String> {
    let state = |event, loc, function: &str| State {
        event,
        loc,
        function: function.into(),
        depth: 0,
        locals: None,
        arg: None,
        suspension: false,
    };
    match &program.entry {
        Entry::Module => {
            let mut start = state(Event::Call, Loc::main(1), "<module>");
            start.locals = Some(Locals::default());
            Ok(Start::State(start))
        }
        Entry::Call { function, expression } => {
            let (file, scope) = find(program, function)?;
            let loc = Loc { file, line: scope.line };
            let arguments = split_call(expression);
            match bind(scope, &arguments)? {
                Bound::Known(locals) if scope.parent == Some(0) => {
                    let mut start = state(Event::Call, loc, &scope.name);
                    start.locals = Some(locals);
                    Ok(Start::State(start))
                }
                Bound::Known(_) => Ok(Start::Record(format!(
                    "what {function} is called with is known only when the program runs"
                ))),
                Bound::Unknown(argument) => Ok(Start::Record(format!(
                    "the value of {argument} is known only when the program runs"
                ))),
            }
        }
        Entry::Invent { function } => {
            let (file, scope) = find(program, function)?;
            let loc = Loc { file, line: scope.line };
            let mut start = state(Event::Call, loc, &scope.name);
            if scope.params.is_empty() {
                start.locals = Some(Locals::default());
                return Ok(Start::State(start));
            }
            Ok(Start::Complete(start, Direction::Forward))
        }
        Entry::At { loc, locals } => {
            if program.source(*loc).is_none() {
                return Err(format!("there is no line {}", loc.line));
            }
            let outline = program.outline(loc.file);
            let executable = outline.is_some_and(|outline| outline.is_executable(loc.line));
            if !executable {
                return Err(format!("nothing runs at line {}", loc.line));
            }
            let scope = outline.and_then(|o| o.scope(o.scope_at(loc.line)));
            let mut start = state(Event::Line, *loc, scope.map_or("<module>", |s| &s.name));
            let values = locals.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            start.locals = Some(values.collect());
            Ok(Start::State(start))
        }
        Entry::Returns { function, value, loc } => {
            let (file, scope) = find(program, function)?;
            let at = loc.unwrap_or(Loc { file, line: 0 });
            let mut start = state(Event::Return, at, &scope.name);
            start.arg = Some(Value::from(value.as_str()));
            match loc {
                Some(_) => Ok(Start::State(start)),
                None => match only_return(program, file, scope) {
                    Some(line) => {
                        start.loc.line = line;
                        Ok(Start::State(start))
                    }
                    None => Ok(Start::Complete(start, Direction::Inverse)),
                },
            }
        }
    }
}

/// The line of a function's `return`, if it has exactly one.
fn only_return(program: &Program, file: u16, scope: &Scope) -> Option<u32> {
    use crate::program::outline::StatementKind;
    let outline = program.outline(file)?;
    let id = outline.scopes().iter().position(|s| s == scope)?;
    let mut returns = outline
        .statements()
        .iter()
        .filter(|s| s.kind == StatementKind::Return && s.scope as usize == id);
    let only = returns.next()?;
    returns.next().is_none().then_some(only.lines.first)
}

fn find<'a>(program: &'a Program, name: &str) -> Result<(u16, &'a Scope), String> {
    let found = (0..)
        .zip(&program.files)
        .find_map(|(file, source)| source.outline.function(name).map(|(_, scope)| (file, scope)));
    found.ok_or_else(|| {
        let mut names: Vec<&str> = program
            .files
            .iter()
            .flat_map(|file| file.outline.functions())
            .map(|(_, scope)| scope.qualname.as_str())
            .collect();
        names.truncate(8);
        match names.is_empty() {
            true => format!("there is no function '{name}'; this program has none"),
            false => format!("there is no function '{name}'; there are {}", names.join(", ")),
        }
    })
}

/// Arguments bound to parameters.
#[derive(Debug, Clone, PartialEq)]
enum Bound {
    Known(Locals),
    /// This argument is no literal.
    Unknown(String),
}

/// The arguments of a call expression, as written: text between commas at the top level.
fn split_call(expression: &str) -> Vec<String> {
    let inner = expression.split_once('(').map_or("", |(_, rest)| rest);
    let inner = inner.trim_end().strip_suffix(')').unwrap_or(inner);
    let (mut parts, mut part) = (Vec::new(), String::new());
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for c in inner.chars() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(c);
    }
    parts.push(part);
    let trimmed = parts.iter().map(|part| part.trim().to_string());
    trimmed.filter(|part| !part.is_empty()).collect()
}

/// Binds arguments as Python does.
fn bind(scope: &Scope, arguments: &[String]) -> Result<Bound, String> {
    let name = &scope.qualname;
    let mut positional = Vec::new();
    let mut named: Vec<(&str, &str)> = Vec::new();
    for argument in arguments {
        if argument.starts_with('*') {
            return Ok(Bound::Unknown(argument.clone()));
        }
        match keyword(argument) {
            Some((key, value)) => named.push((key, value)),
            None if !named.is_empty() => {
                return Err("a positional argument follows a keyword argument".into());
            }
            None => positional.push(argument.as_str()),
        }
    }
    let mut positional = positional.into_iter();
    let mut missing = Vec::new();
    let mut texts: Vec<(&str, String)> = Vec::new();
    for param in &scope.params {
        let by_name = |named: &mut Vec<(&str, &str)>| {
            let at = named.iter().position(|(key, _)| *key == param.name)?;
            Some(named.remove(at).1.to_string())
        };
        let value = match param.kind {
            ParamKind::PositionalOnly => positional.next().map(str::to_string),
            ParamKind::Plain => match positional.next() {
                Some(value) if named.iter().any(|(key, _)| *key == param.name) => {
                    let _ = value;
                    return Err(format!("{name}() got two values for '{}'", param.name));
                }
                Some(value) => Some(value.to_string()),
                None => by_name(&mut named),
            },
            ParamKind::KeywordOnly => by_name(&mut named),
            ParamKind::Args => {
                let rest: Vec<&str> = positional.by_ref().collect();
                Some(match rest[..] {
                    [only] => format!("({only},)"),
                    _ => format!("({})", rest.join(", ")),
                })
            }
            ParamKind::Kwargs => {
                let rest = std::mem::take(&mut named);
                let pairs = rest.iter().map(|(key, value)| format!("'{key}': {value}"));
                Some(format!("{{{}}}", pairs.collect::<Vec<_>>().join(", ")))
            }
        };
        match value.or_else(|| param.default.clone()) {
            Some(value) => texts.push((&param.name, value)),
            None => missing.push(format!("'{}'", param.name)),
        }
    }
    if !missing.is_empty() {
        return Err(format!(
            "{name}() is called without {}; give it, or use the entry {name} alone to have \
             arguments invented",
            missing.join(", ")
        ));
    }
    let takes = scope.params.len();
    if positional.next().is_some() {
        return Err(format!("{name}() takes {takes} arguments, and {} are given", arguments.len()));
    }
    if let Some((key, _)) = named.first() {
        return Err(format!("{name}() has no parameter '{key}'"));
    }
    let mut locals = Locals::default();
    for (param, text) in texts {
        match literal(&text) {
            Some(value) => locals.set(param.into(), value),
            None => return Ok(Bound::Unknown(format!("{param} = {text}"))),
        }
    }
    Ok(Bound::Known(locals))
}

/// `name` and value of a keyword argument.
fn keyword(argument: &str) -> Option<(&str, &str)> {
    let (key, value) = argument.split_once('=')?;
    let key = key.trim();
    let name = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    (name && !key.starts_with(|c: char| c.is_ascii_digit()) && !value.starts_with('='))
        .then(|| (key, value.trim()))
}

impl Session {
    /// Makes the first state, where that needs nobody.
    pub(super) fn begin(&mut self) {
        match first(&self.program) {
            Ok(Start::State(state)) => self.begin_at(state, Origin::Given),
            Ok(Start::Complete(..)) => {}
            Ok(Start::Record(why)) => match self.truth.first() {
                Some(_) => self.begin_from_recording(),
                None if self.setup.verify || self.recording.is_some() => {}
                None => {
                    let text = format!("{why}; 'verify' runs it, with your consent");
                    self.say(LogKind::Note, text);
                }
            },
            Err(why) => self.say(LogKind::Error, why),
        }
    }

    /// Makes the first state, where that needs the oracle.
    pub(super) fn begin_with_oracle(&mut self) {
        if self.timeline.present().is_some() {
            let module = self.program.entry == Entry::Module;
            // A person expects the first line; the module's own call is the state before.
            if module && self.setup.unit == Unit::Statement && self.timeline.marks().len() == 1 {
                let go = Command::Go(Go::Into(Direction::Forward));
                self.waiting.push_front(Waiting::Command(go));
            }
            return;
        }
        let OracleState::Ready(opened) = &self.oracle else { return };
        let completes = opened.capabilities.completes;
        if let Ok(Start::Complete(partial, direction)) = first(&self.program) {
            if !completes {
                let text = match direction {
                    Direction::Forward => {
                        "this model does not invent arguments; give them: --entry 'f(3)'"
                    }
                    Direction::Inverse => {
                        "this model does not choose a return line; name it: --at FILE:LINE"
                    }
                };
                return self.say(LogKind::Error, text);
            }
            let ticket = self.ticket();
            self.completing = Some(ticket);
            let program = self.program.clone();
            self.effects.push(Effect::Complete { ticket, program, partial, direction });
        }
    }

    /// The first state is completed.
    pub(super) fn completed(&mut self, result: Result<Answer, OracleError>) {
        self.completing = None;
        self.progress = None;
        match result {
            Ok(Answer::State(prediction)) => {
                let step = step_of(Answer::State(prediction), Origin::Invented);
                self.push_first(step);
            }
            Ok(Answer::Malformed { why, .. }) => {
                self.say(LogKind::Error, format!("nothing usable was invented: {why}"));
            }
            Ok(Answer::Exit { .. }) => {
                self.say(LogKind::Error, "nothing usable was invented: the answer is an end");
            }
            Err(why) => self.say(LogKind::Error, why.to_string()),
        }
    }

    /// The recording knows the first state.
    pub(super) fn begin_from_recording(&mut self) {
        let first = self.truth.first().filter(|recording| !recording.tree.is_empty());
        let state = first.map(|recording| recording.tree.state(0));
        match state {
            Some(state) => self.begin_at(state, Origin::Recorded),
            None => self.say(LogKind::Error, "the program ended before its entry was reached"),
        }
    }

    fn begin_at(&mut self, state: State, origin: Origin) {
        self.push_first(Step::given(state, origin));
    }

    fn push_first(&mut self, mut step: Step) {
        if let Some(state) = step.stop.state() {
            step.truth = self.truth.begin(state);
        }
        self.timeline.push(TimelineEntry::given(step), true);
        self.show_present();
    }
}
