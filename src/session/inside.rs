//! What lies inside one entry: a chained jump's single steps, listed or opened.
//!
//! An entry is one thing to rewind over. Opened, its steps become entries of their own, a
//! branch beside it; nothing is predicted again. Must not know: who predicted.

use super::Session;
use super::command::Unit;
use super::entry::{Entry, Go, Mark, Step, Way};
use super::goal::Goal;
use super::view::LogKind;
use super::{prompt, show};
use crate::trace::{Action, Change, Event, State, changes};

impl Session {
    /// `steps`: lists the single steps of the present entry.
    ///
    /// # Errors
    /// One line, if it has none.
    pub(super) fn list_steps(&mut self) -> Result<(), String> {
        let entry = self.timeline.present().ok_or("there is no state yet")?;
        has_steps(entry)?;
        let before = self.timeline.cursor().and_then(|mark| self.timeline.before(mark));
        let mut frames = before.map(|mark| self.frames_at(mark)).unwrap_or_default();
        let mut lines = Vec::new();
        for (number, step) in (1..).zip(entry.steps()) {
            let mut text = format!("{number:>4}  {}", show::step(&self.program, step));
            if let Some(state) = step.stop.state() {
                let changed = changed(&mut frames, state);
                let changed: Vec<String> = changed.iter().map(|c| show::change(c).text).collect();
                if !changed.is_empty() {
                    text += &format!("  {}", changed.join(", "));
                }
            }
            lines.push(text);
        }
        for line in lines {
            self.say(LogKind::Value, line);
        }
        Ok(())
    }

    /// `steps N`, `inside`: goes to a single step of the present entry, which opens it.
    /// Without a number: to the one before its stop.
    ///
    /// # Errors
    /// One line, if there is no such step.
    pub(super) fn enter_step(&mut self, number: Option<usize>) -> Result<(), String> {
        let cursor = self.timeline.cursor().ok_or("there is no state yet")?;
        let entry = self.timeline.entry(cursor).ok_or("there is no state yet")?;
        has_steps(entry)?;
        let count = entry.via.len() + 1;
        let number = number.unwrap_or(count - 1);
        if !(1..=count).contains(&number) {
            return Err(format!("this jump has steps 1 to {count}"));
        }
        let first = match entry.opened {
            Some(first) => first,
            None => self.open_steps(cursor).ok_or("this jump cannot be opened")?,
        };
        let mark = Mark { step: first.step + number as u32 - 1, ..first };
        let text = format!("inside the jump {cursor}: step {number} of {count}, now {mark}");
        self.say(LogKind::Note, text);
        self.visit(mark);
        Ok(())
    }

    /// Lays the steps of an entry out as a branch beside it; its first mark.
    fn open_steps(&mut self, jump: Mark) -> Option<Mark> {
        let before = self.timeline.before(jump)?;
        let entry = self.timeline.entry(jump)?.clone();
        let goal = entry.goal.clone()?;
        let mut first = None;
        self.timeline.visit(before);
        for step in entry.steps() {
            let Some(opened) = self.single(step, &goal) else {
                self.timeline.visit(jump);
                return None;
            };
            let mark = self.timeline.push(opened, first.is_none());
            first.get_or_insert(mark);
        }
        self.timeline.entry_mut(jump)?.opened = first;
        first
    }

    /// One step as an entry after the cursor, as if it had been asked for alone.
    fn single(&self, step: &Step, goal: &Goal) -> Option<Entry> {
        let ask = step.ask.clone()?;
        let go = match (ask.action, ask.direction) {
            (Action::StepInto, direction) => Go::Into(direction),
            (Action::StepOver, direction) => Go::Over(direction),
            (Action::StepReturn, _) => Go::Return,
            (Action::StepCall, _) => Go::Call,
            (Action::Breakpoint | Action::Continue, direction) => Go::Continue(direction),
        };
        let start = self.timeline.present()?.stop.departure(goal.history)?.clone();
        let stack = prompt::stack(self.timeline.steps(), goal.history);
        let callers = stack.map(|stack| stack.callers()).unwrap_or_default();
        let goal = Goal {
            go: go.clone(),
            unit: Unit::Event,
            way: Way::Direct,
            ask,
            start,
            callers,
            ..goal.clone()
        };
        let mut entry = Entry::given(step.clone());
        entry.go = Some(go);
        entry.goal = Some(goal);
        Some(entry)
    }
}

/// What a state changes in its frame, and the frames after it; by depth, the latest states.
fn changed(frames: &mut Vec<Option<State>>, state: &State) -> Vec<Change> {
    let depth = state.depth as usize;
    let old = frames.get(depth).cloned().flatten();
    frames.resize(depth, None);
    frames.push(Some(state.clone()));
    let begins = state.event == Event::Call && !state.suspension;
    let old = old.filter(|old| old.function == state.function && !begins);
    let (Some(Some(old)), Some(new)) = (old.map(|old| old.locals), &state.locals) else {
        return Vec::new();
    };
    changes(&old, new)
}

fn has_steps(entry: &Entry) -> Result<(), String> {
    if !entry.via.is_empty() {
        return Ok(());
    }
    let jump = entry.way == Way::Direct && entry.go.as_ref().is_some_and(Go::is_jump);
    Err(match jump {
        true => {
            "a direct jump has no single steps; 'jump chained', then the same again, has".into()
        }
        false => "this is one step; there is nothing inside it".to_string(),
    })
}
