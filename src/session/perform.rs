//! What the commands do that change something: moves, timeline, breakpoints, settings.
//!
//! Must not know: how commands are typed, who performs effects.

use super::breakpoints::{Bound, bind};
use super::command::{Address, Command, Jump};
use super::entry::{Entry, Go, Mark, Origin, Step};
use super::evaluate::Purpose;
use super::message::{Effect, Question};
use super::movement::history_note;
use super::verdict::Cursor;
use super::view::{LogKind, Watch};
use super::{Session, parse, prompt};
use crate::program::literal::Literal;
use crate::program::{Severity, SourceFile};
use crate::trace::{State, Value, same_state};
use std::sync::Arc;

impl Session {
    /// Does what a command says.
    pub(super) fn perform(&mut self, command: Command) {
        let done = match command {
            Command::Go(go) => {
                self.go(go);
                Ok(())
            }
            Command::Advance(address) => self.advance(&address),
            Command::Rewind(count) => self.rewind(count),
            Command::Redo(count) => self.redo(count),
            Command::Goto(mark) => self.goto(mark),
            Command::GotoStep(step) => self.goto_step(step),
            Command::Steps(None) => self.list_steps(),
            Command::Steps(number) => self.enter_step(number),
            Command::Inside => self.enter_step(None),
            Command::Break { at, condition, temporary } => {
                self.set_break(&at, condition, temporary)
            }
            Command::ToggleBreak(at) => self.toggle_break(&at),
            Command::Clear(numbers) => self.clear(&numbers),
            Command::ClearAt(at) => self.clear_at(&at),
            Command::Enable(on, numbers) => self.enable(on, &numbers),
            Command::Condition(number, condition) => self.condition(number, condition),
            Command::Ignore(number, count) => self.ignore(number, count),
            Command::Commands(number) => self.begin_commands(number),
            Command::Edit { name, value } => self.want_edit(name, &value),
            Command::Verify => self.verify(),
            Command::Resync => self.resync(),
            Command::Wrong => self.wrong(),
            Command::History(history) => {
                if let Some(history) = history {
                    self.setup.history = history;
                }
                let now = self.setup.history;
                self.say(LogKind::Note, format!("history is {}", now.name()));
                if let Some(note) = history_note(now, self.is_verified()) {
                    self.say(LogKind::Note, note);
                }
                Ok(())
            }
            Command::Jump(jump) => {
                self.setup.jump = jump.unwrap_or(self.setup.jump);
                let note = match self.setup.jump {
                    Jump::Auto => "jumps are direct where nothing can stop them inside",
                    Jump::Direct => "jumps are direct: breakpoints inside are not seen",
                    Jump::Chained => "jumps are chained: every state on the way is predicted",
                };
                self.say(LogKind::Note, note);
                Ok(())
            }
            Command::Unit(unit) => {
                self.setup.unit = unit.unwrap_or(self.setup.unit);
                self.say(LogKind::Note, format!("s and n step by {}", self.setup.unit.name()));
                Ok(())
            }
            Command::Alias(name, meaning) => self.alias(name, meaning),
            Command::Unalias(name) => self.unalias(&name),
            Command::Restart(entry) => {
                self.ask_restart(entry);
                Ok(())
            }
            Command::Cancel => {
                self.cancel();
                Ok(())
            }
            Command::Quit => {
                match self.timeline.predictions() {
                    // A module's first step is made by the session itself.
                    0 | 1 => self.quit(),
                    lost => self.question = Some(Question::Quit(lost)),
                }
                Ok(())
            }
            look => self.look(look),
        };
        if let Err(why) = done {
            self.say(LogKind::Error, why);
        }
    }

    /// The file that a bare line number means.
    fn here(&self) -> u16 {
        self.shown_state().map_or(0, |state| state.loc.file)
    }

    fn bound(&self, address: &Address) -> Result<Bound, String> {
        bind(address, &self.program, self.here())
    }

    fn advance(&mut self, address: &Address) -> Result<(), String> {
        let bound = self.bound(address)?;
        if let Some(note) = &bound.note {
            self.say(LogKind::Note, note.clone());
        }
        self.go(Go::To(bound.target()));
        Ok(())
    }

    /// Moves the cursor; nothing is asked.
    pub(super) fn visit(&mut self, mark: Mark) {
        self.timeline.visit(mark);
        self.selected = None;
        self.show_present();
    }

    fn rewind(&mut self, count: usize) -> Result<(), String> {
        let start = self.timeline.cursor().ok_or("there is nothing to rewind")?;
        let before = |mark: Mark| self.timeline.before(mark);
        let marks = std::iter::successors(before(start), |mark| before(*mark));
        match marks.take(count).last() {
            Some(mark) => {
                self.say(LogKind::Note, format!("rewound to step {mark}"));
                self.visit(mark);
                Ok(())
            }
            None => Err("this is the start; S guesses what came before it".into()),
        }
    }

    fn redo(&mut self, count: usize) -> Result<(), String> {
        let start = self.timeline.cursor().ok_or("there is nothing to redo")?;
        let after = |mark: Mark| self.timeline.after(mark);
        match std::iter::successors(after(start), |mark| after(*mark)).take(count).last() {
            Some(mark) => {
                self.say(LogKind::Note, format!("redone to step {mark}"));
                self.visit(mark);
                Ok(())
            }
            None => Err("nothing was undone; s predicts the next step".into()),
        }
    }

    fn goto(&mut self, mark: Mark) -> Result<(), String> {
        if self.timeline.entry(mark).is_none() {
            return Err(format!("there is no step {mark} in the timeline"));
        }
        self.say(LogKind::Note, format!("at {mark}"));
        self.visit(mark);
        Ok(())
    }

    fn wrong(&mut self) -> Result<(), String> {
        let mut path = self.full_path();
        path.retain(|mark| {
            self.timeline.entry(*mark).is_some_and(|e| e.stop.verdict.right() == Some(false))
        });
        let here = path.iter().position(|mark| Some(*mark) == self.timeline.cursor());
        match (path.get(here.map_or(0, |here| (here + 1) % path.len())), self.is_verified()) {
            (Some(mark), _) => self.goto(*mark),
            (None, true) => Err("no prediction of this path is known to be wrong".into()),
            (None, false) => Err("nothing is compared with CPython; v asks to do it".into()),
        }
    }

    fn goto_step(&mut self, step: usize) -> Result<(), String> {
        let path = self.full_path();
        match path.get(step) {
            Some(mark) => self.goto(*mark),
            None => Err(format!("this path has steps 0 to {}", path.len().saturating_sub(1))),
        }
    }

    /// Sets a breakpoint given as after `b`, at the start of a session.
    pub(super) fn break_from(&mut self, line: &str) {
        let done = match parse::parse(&format!("break {line}"), &[]) {
            Ok(Command::Break { at, condition, temporary }) => {
                self.set_break(&at, condition, temporary)
            }
            Ok(_) => Err(format!("'{line}' is no breakpoint")),
            Err(why) => Err(why),
        };
        if let Err(why) = done {
            self.refuse(format!("breakpoint {line}: {why}"));
        }
    }

    fn set_break(
        &mut self,
        at: &Address,
        condition: Option<String>,
        temporary: bool,
    ) -> Result<(), String> {
        let bound = self.bound(at)?;
        condition.as_deref().map_or(Ok(()), is_expression)?;
        let same = self.breakpoints.list().iter().find(|b| {
            (b.loc, &b.function) == (bound.loc, &bound.function)
                && (&b.condition, b.temporary) == (&condition, temporary)
        });
        if let Some(same) = same {
            let text = format!("breakpoint {} is already there", same.number);
            self.say(LogKind::Note, text);
            return Ok(());
        }
        let breakpoint = self.breakpoints.add(&bound, condition, temporary).clone();
        let text = self.describe_break(&breakpoint);
        self.say(LogKind::Note, text);
        if let Some(note) = bound.note {
            self.say(LogKind::Note, note);
        }
        Ok(())
    }

    fn toggle_break(&mut self, at: &Address) -> Result<(), String> {
        let bound = self.bound(at)?;
        let removed = self.breakpoints.remove_at(&bound);
        if removed.is_empty() {
            return self.set_break(at, None, false);
        }
        for number in removed {
            self.say(LogKind::Note, format!("breakpoint {number} removed"));
        }
        Ok(())
    }

    fn clear(&mut self, numbers: &[u32]) -> Result<(), String> {
        if numbers.is_empty() {
            let count = self.breakpoints.clear();
            let said = match count {
                1 => "one breakpoint removed".to_owned(),
                _ => format!("{count} breakpoints removed"),
            };
            self.say(LogKind::Note, said);
        }
        for number in numbers {
            self.breakpoints.remove(*number)?;
            self.say(LogKind::Note, format!("breakpoint {number} removed"));
        }
        Ok(())
    }

    fn clear_at(&mut self, at: &Address) -> Result<(), String> {
        let bound = self.bound(at)?;
        let removed = self.breakpoints.remove_at(&bound);
        if removed.is_empty() {
            return Err(format!("there is no breakpoint at line {}", bound.loc.line));
        }
        for number in removed {
            self.say(LogKind::Note, format!("breakpoint {number} removed"));
        }
        Ok(())
    }

    fn enable(&mut self, on: bool, numbers: &[u32]) -> Result<(), String> {
        for number in numbers {
            self.breakpoints.get_mut(*number)?.enabled = on;
            let word = if on { "enabled" } else { "disabled" };
            self.say(LogKind::Note, format!("breakpoint {number} {word}"));
        }
        Ok(())
    }

    fn condition(&mut self, number: u32, condition: Option<String>) -> Result<(), String> {
        let text = match &condition {
            Some(condition) => format!("breakpoint {number} stops if {condition}"),
            None => format!("breakpoint {number} always stops"),
        };
        condition.as_deref().map_or(Ok(()), is_expression)?;
        self.breakpoints.get_mut(number)?.condition = condition;
        self.say(LogKind::Note, text);
        Ok(())
    }

    fn ignore(&mut self, number: u32, count: u32) -> Result<(), String> {
        self.breakpoints.get_mut(number)?.ignore = count;
        self.say(LogKind::Note, format!("breakpoint {number} is passed {count} times first"));
        Ok(())
    }

    /// A variable is to be rewritten; its value may have to be evaluated first.
    fn want_edit(&mut self, name: String, value: &str) -> Result<(), String> {
        if self.selected.is_some() {
            return Err("only the newest frame's variables can be rewritten; 'd' selects it".into());
        }
        let entry = self.timeline.present();
        let state = entry.and_then(|entry| entry.stop.believed(self.setup.history));
        let state = state.ok_or("there is no state here to change")?;
        if state.locals.is_none() {
            return Err("the variables are not known here; step to a line first".into());
        }
        match literal(value) {
            Some(value) => self.edit(&name, value),
            None => self.want(Purpose::Edit(name), value),
        }
        Ok(())
    }

    /// Rewrites a variable of the present state: a branch.
    pub(super) fn edit(&mut self, name: &str, value: Value) {
        let Some(before) = self.timeline.present() else { return };
        let Some(mut state) = before.stop.believed(self.setup.history).cloned() else { return };
        let Some(locals) = &mut state.locals else { return };
        let name: Arc<str> = name.into();
        locals.set(name.clone(), value.clone());
        let mut step = Step::given(state, Origin::Edited);
        let (truth, needed) = self.truth.edited(before.stop.truth, &name, value.text());
        step.truth = truth;
        let mut entry = Entry::given(step);
        entry.edit = Some((name, value));
        self.timeline.push(entry, true);
        if let Some(edits) = needed {
            self.record(edits);
        }
        self.show_present();
    }

    /// Goes to where the truth is.
    fn resync(&mut self) -> Result<(), String> {
        let present = self.timeline.present().ok_or("there is no state yet")?;
        let (run, place) = match present.stop.truth {
            Cursor::On { run, place } | Cursor::Off { run, place } => (run, place),
            Cursor::Ended { .. } => return Err("CPython has ended; 'rewind' goes back".into()),
            Cursor::Unknown => {
                return Err("nothing is recorded here; 'verify' records the program".into());
            }
        };
        let recording = self.truth.recording(run).ok_or("nothing is recorded here")?;
        let tree = &recording.tree;
        // On the right path a value may still be wrong.
        let here = present.stop.believed(self.setup.history);
        let agrees = here.is_some_and(|state| same_state(state, &tree.at(place)));
        if agrees && matches!(present.stop.truth, Cursor::On { .. }) {
            return Err("the prediction and CPython agree here; there is nothing to correct".into());
        }
        let mut step = Step::given(tree.at(place), Origin::Recorded);
        let callers = tree.callers(place.node());
        step.callers = Some(callers.into_iter().map(|node| tree.state(node)).collect());
        step.truth = Cursor::On { run, place };
        self.timeline.push(Entry::given(step), true);
        self.show_present();
        Ok(())
    }

    /// Stops what is in progress; the session stays.
    fn cancel(&mut self) {
        self.waiting.clear();
        if self.drop_commands() {
            return self.say(LogKind::Note, "the breakpoint's commands stay as they were");
        }
        let idle = !self.is_working() && !self.recorder.is_running();
        if idle && self.question.is_none() {
            return self.say(LogKind::Note, "nothing is in progress");
        }
        self.question = None;
        self.reads.close();
        self.effects.push(Effect::Cancel);
        self.evaluations.clear();
        if self.completing.take().is_some() {
            self.say(LogKind::Note, "interrupted; 'restart' tries again");
        }
        if self.restart.cancel() {
            self.say(LogKind::Note, "nothing is started again");
        }
        if self.recorder.is_running() && self.moving.is_none() {
            // Its reply says that it is cancelled.
            return;
        }
        self.interrupt("interrupted");
    }

    /// The call stack at the cursor: the latest state of each frame where it is known.
    pub(super) fn frames(&self) -> Vec<Option<State>> {
        let stack = prompt::stack(self.timeline.steps(), self.setup.history);
        stack.map(|stack| stack.states()).unwrap_or_default()
    }

    /// Watches an expression in the selected frame, and prints its value.
    pub(super) fn watch(&mut self, expression: String) {
        let frame = self.shown_state().map(|state| (state.depth, state.function.clone()));
        let watch = Watch { frame, ..Watch::anywhere(expression.clone()) };
        let same = |w: &Watch| (&w.expression, &w.frame) == (&watch.expression, &watch.frame);
        let index = self.watches.iter().position(same).unwrap_or(self.watches.len());
        if index == self.watches.len() {
            self.watches.push(watch);
        }
        self.want(Purpose::Display(index), &expression);
    }

    /// Stops watching an expression: in the selected frame, else wherever it is watched.
    pub(super) fn unwatch(&mut self, expression: &str) -> Result<(), String> {
        let frame = self.shown_state().map(|state| (state.depth, state.function.clone()));
        let named = |watch: &Watch| watch.expression == expression;
        let here = self.watches.iter().position(|watch| named(watch) && watch.frame == frame);
        let at = here.or_else(|| self.watches.iter().position(named));
        let at = at.ok_or_else(|| format!("'{expression}' is not displayed"))?;
        self.watches.remove(at);
        Ok(())
    }
}

/// A literal as its repr; `None` for anything that must be evaluated.
pub(super) fn literal(text: &str) -> Option<Value> {
    let literal = Literal::read(text).filter(Literal::is_plain)?;
    Some(Value::from(literal.to_string().as_str()))
}

/// Whether a condition is an expression; pdb takes one that is not for true.
fn is_expression(text: &str) -> Result<(), String> {
    // In brackets, so that a statement is refused too.
    let (_, problems) = SourceFile::from_text("", &format!("({text})"));
    match problems.iter().find(|problem| problem.severity == Severity::Error) {
        Some(problem) => {
            // Without the token in question: it may be the bracket added here.
            let why = problem.message.trim_start_matches("syntax error: ");
            let why = why.split(". ").next().unwrap_or(why);
            Err(format!("the condition '{text}' is no expression: {why}"))
        }
        None => Ok(()),
    }
}
