//! Expressions: what waits to be evaluated, what for, and what is answered at once.
//!
//! Must not know: who evaluates. A plain variable is answered from the state itself.

use super::Session;
use super::message::{Effect, Ticket};
use super::show;
use super::view::{LogKind, LogLine};
use crate::oracle::OracleError;
use crate::trace::{Locals, State, Value};
use std::collections::VecDeque;
use std::sync::Arc;

/// What a value is wanted for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Purpose {
    Print {
        pretty: bool,
    },
    /// Rewrite this variable.
    Edit(String),
    /// Whether this breakpoint stops; then the others that were reached with it.
    Condition(u32, Vec<u32>),
    /// The watch at this index.
    Watch(usize),
    /// The same, and its value is printed: it is new.
    Display(usize),
}

/// One evaluation runs, others wait.
#[derive(Debug, Default)]
pub(super) struct Evaluations {
    running: Option<(Ticket, Purpose)>,
    waiting: VecDeque<(Purpose, String)>,
}

impl Evaluations {
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    pub fn awaits(&self, ticket: Ticket) -> bool {
        self.running.as_ref().is_some_and(|(t, _)| *t == ticket)
    }

    pub fn clear(&mut self) {
        *self = Evaluations::default();
    }
}

impl Session {
    /// The value of a plain name, in the selected frame or among the module's variables.
    pub(super) fn variable(&self, name: &str) -> Option<Value> {
        self.variable_of(name, self.shown_state())
    }

    fn variable_of(&self, name: &str, frame: Option<&State>) -> Option<Value> {
        let frames = self.frames();
        let shown = frame.and_then(|state| state.locals.as_ref());
        let module = frames.first().and_then(|frame| frame.as_ref());
        let module = module.filter(|state| &*state.function == "<module>");
        let found = shown.and_then(|locals| locals.get(name));
        found.or_else(|| module?.locals.as_ref()?.get(name)).cloned()
    }

    /// The state of the frame that an expression belongs to: the selected one, unless it is
    /// displayed in another.
    ///
    /// # Errors
    /// One line, if that frame is not on the stack.
    fn frame_of(&self, purpose: &Purpose) -> Result<Option<State>, String> {
        let watch = match purpose {
            Purpose::Watch(index) | Purpose::Display(index) => self.watches.get(*index),
            _ => None,
        };
        let Some((depth, function)) = watch.and_then(|watch| watch.frame.as_ref()) else {
            return Ok(self.shown_state().cloned());
        };
        // The present frame may be at an end, which the stack does not say.
        let present = self.timeline.present();
        let present = present.and_then(|entry| entry.stop.departure(self.setup.history)).cloned();
        let frames = self.frames().into_iter().flatten().chain(present);
        let mut same = frames.filter(|s| s.depth == *depth && s.function == *function);
        match same.next_back() {
            Some(state) => Ok(Some(state)),
            None => Err(format!("the frame of {function} is not known here")),
        }
    }

    /// All names an expression may read: the module's variables, then the frame's own.
    fn namespace(&self, frame: Option<&State>) -> Vec<(Arc<str>, Value)> {
        let mut names = Locals::default();
        let frames = self.frames();
        let module = frames.first().and_then(|frame| frame.as_ref());
        let module = module.filter(|state| &*state.function == "<module>");
        for state in module.into_iter().chain(frame) {
            for (name, value) in state.locals.iter().flat_map(Locals::iter) {
                names.set(name.clone(), value.clone());
            }
        }
        names.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Asks for the value of an expression; a plain variable is answered at once.
    pub(super) fn want(&mut self, purpose: Purpose, expression: &str) {
        let known = match self.frame_of(&purpose) {
            Ok(frame) => self.variable_of(expression, frame.as_ref()).map(Ok),
            Err(why) => Some(Err(why)),
        };
        match known {
            Some(value) => self.valued(purpose, value),
            None => self.evaluations.waiting.push_back((purpose, expression.into())),
        }
    }

    /// Starts the next evaluation, if one waits and none runs.
    pub(super) fn start_evaluation(&mut self) -> bool {
        if self.evaluations.is_running() {
            return false;
        }
        let Some((purpose, expression)) = self.evaluations.waiting.pop_front() else {
            return false;
        };
        let ticket = self.ticket();
        let frame = self.frame_of(&purpose).ok().flatten();
        self.evaluations.running = Some((ticket, purpose));
        let locals = self.namespace(frame.as_ref());
        self.effects.push(Effect::Evaluate { ticket, expression, locals });
        true
    }

    /// Evaluates a condition over a state that is not yet in the timeline.
    pub(super) fn ask_condition(
        &mut self,
        number: u32,
        rest: Vec<u32>,
        expression: String,
        locals: &Locals,
    ) {
        let ticket = self.ticket();
        self.evaluations.running = Some((ticket, Purpose::Condition(number, rest)));
        let locals = locals.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let expression = format!("bool({expression})");
        self.effects.push(Effect::Evaluate { ticket, expression, locals });
    }

    pub(super) fn evaluated(&mut self, ticket: Ticket, result: Result<Value, OracleError>) {
        if !self.evaluations.awaits(ticket) {
            return;
        }
        if let Some((_, purpose)) = self.evaluations.running.take() {
            self.valued(purpose, result.map_err(|why| why.to_string()));
        }
    }

    /// Uses a value.
    fn valued(&mut self, purpose: Purpose, value: Result<Value, String>) {
        let selected = self.selected();
        match purpose {
            Purpose::Condition(number, rest) => {
                let stops = match value {
                    Ok(value) => value.text() != "False",
                    Err(why) => {
                        let text = format!("breakpoint {number} stops: its condition fails: {why}");
                        self.say(LogKind::Note, text);
                        true
                    }
                };
                self.condition_known(number, rest, stops);
            }
            Purpose::Display(index) => {
                let text = match &value {
                    Ok(value) => value.to_string(),
                    Err(why) => format!("*** {why}"),
                };
                if let Some(watch) = self.watches.get_mut(index) {
                    let text = format!("{}: {text}", watch.name(selected));
                    watch.value = Some(value);
                    self.say(LogKind::Value, text);
                }
            }
            Purpose::Watch(index) => {
                if let Some(watch) = self.watches.get_mut(index) {
                    let old = watch.value.take().and_then(Result::ok);
                    let changed = match (&old, &value) {
                        (Some(old), Ok(new)) if old != new => {
                            Some(format!("{}: {old} -> {new}", watch.name(selected)))
                        }
                        _ => None,
                    };
                    watch.old = old;
                    watch.value = Some(value);
                    // A plain variable's change is among those of its frame already.
                    let state =
                        |line: &&LogLine| !matches!(line.kind, LogKind::Source | LogKind::Inverse);
                    let mut said = self.log.iter().rev().take_while(state);
                    if let Some(text) = changed.filter(|text| said.all(|line| line.text != *text)) {
                        self.say(LogKind::Change, text);
                    }
                }
            }
            Purpose::Print { .. } | Purpose::Edit(_) => match value {
                Err(why) => self.say(LogKind::Error, why),
                Ok(value) => match purpose {
                    Purpose::Edit(name) => self.edit(&name, value),
                    Purpose::Print { pretty: true } => {
                        for line in show::pretty(value.text()) {
                            self.say(LogKind::Value, line);
                        }
                    }
                    _ => self.say(LogKind::Value, value.text()),
                },
            },
        }
    }

    /// Values of the watched expressions at the present state.
    pub(super) fn refresh_watches(&mut self) {
        for index in 0..self.watches.len() {
            let expression = self.watches[index].expression.clone();
            self.want(Purpose::Watch(index), &expression);
        }
    }
}

/// The type that a repr shows, e.g. `<class 'int'>`; `?` where the text does not say.
pub(super) fn type_name(repr: &str) -> String {
    let named = |name: &str| format!("<class '{name}'>");
    let first = repr.chars().next().unwrap_or(' ');
    let dict = || repr == "{}" || repr.contains(':');
    match first {
        '\'' | '"' => named("str"),
        'b' if repr[1..].starts_with(['\'', '"']) => named("bytes"),
        '[' => named("list"),
        '(' => named("tuple"),
        '{' if dict() => named("dict"),
        '{' => named("set"),
        '0'..='9' | '-' if repr.ends_with('j') => named("complex"),
        '0'..='9' | '-' if repr.contains(['.', 'e', 'n']) => named("float"),
        '0'..='9' | '-' => named("int"),
        _ if repr == "True" || repr == "False" => named("bool"),
        _ if repr == "None" => named("NoneType"),
        _ if repr == "nan" || repr == "inf" => named("float"),
        '<' => repr.into(),
        _ => match repr.split_once('(') {
            Some((name, _)) => named(name),
            None => "?".into(),
        },
    }
}
