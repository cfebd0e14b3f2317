//! The first state of each kind of entry.
//!
//! Must not know: who predicts or records, how entries are typed (that is
//! `program::entry`). What needs the program's own code needs a recording.

use super::entry::{Entry as TimelineEntry, Origin, Step};
use super::message::Effect;
use super::movement::step_of;
use super::view::LogKind;
use super::{Command, Go};
use super::{OracleState, Session, Unit, Waiting};
use crate::oracle::{Answer, OracleError};
use crate::program::outline::Scope;
use crate::program::{Entry, Loc, Program, entry};
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
            let Some(arguments) = entry::bind(program) else {
                return Ok(Start::Record(format!(
                    "what {expression} is called with is known only when the program runs"
                )));
            };
            let mut start = state(Event::Call, Loc { file, line: scope.line }, &scope.name);
            let arguments = arguments.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            start.locals = Some(arguments.collect());
            Ok(Start::State(start))
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
            Ok(match loc {
                Some(_) => Start::State(start),
                None => Start::Complete(start, Direction::Inverse),
            })
        }
    }
}

fn find<'a>(program: &'a Program, name: &str) -> Result<(u16, &'a Scope), String> {
    let found = (0..)
        .zip(&program.files)
        .find_map(|(file, source)| source.outline.function(name).map(|(_, scope)| (file, scope)));
    found.ok_or_else(|| format!("there is no function '{name}' in this program"))
}

impl Session {
    /// Makes the first state, where that needs nobody.
    pub(super) fn begin(&mut self) {
        match first(&self.program) {
            Ok(Start::State(state)) => self.begin_at(state, Origin::Given),
            Ok(Start::Complete(..)) => {}
            Ok(Start::Record(why)) => match self.truth.first() {
                Some(_) => self.begin_from_recording(),
                None if self.setup.verify || self.recorder.is_running() => {}
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
            let module = self.program.entry == Entry::Module && self.setup.refused.is_none();
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
        let invented = step.origin == Origin::Invented;
        self.timeline.push(TimelineEntry::given(step), true);
        self.show_present();
        // Now it is known what CPython is to run.
        if invented && self.setup.verify && !self.is_verified() {
            self.record_from_start();
        }
    }
}
