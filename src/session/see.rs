//! The accessors: what a screen, or a printer, can see.
//!
//! Must not know: panes. Nothing here changes anything.

use super::entry::{Entry, Mark, Origin};
use super::message::Question;
use super::prompt;
use super::verdict::{Cursor, Score, Verdict};
use super::view::{
    Breakpoint, Busy, Cell, CellKind, Header, LogLine, OutputView, StackFrame, Variable, Watch,
};
use super::{OracleState, Session, Setup, Stop};
use crate::oracle::Work;
use crate::program::Program;
use crate::trace::{self, Direction, Event, Outcome, Recording, State};
use std::sync::Arc;

impl Session {
    /// The program being debugged.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The settings in force: unit, history, jump, seed.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The entry at the cursor: what was asked, where it stopped, confidence, verdict,
    /// actual. `None` until there is a first state (invention and some entries wait for
    /// an oracle or a recording).
    pub fn present(&self) -> Option<&Entry> {
        self.timeline.present()
    }

    /// Where the cursor is; the start, while there is no first state.
    pub fn mark(&self) -> Mark {
        self.timeline.cursor().unwrap_or_default()
    }

    /// The entry at a mark.
    pub fn entry(&self, mark: Mark) -> Option<&Entry> {
        self.timeline.entry(mark)
    }

    /// The entry before the present one, for "the line just run".
    pub fn previous(&self) -> Option<&Entry> {
        self.timeline.entry(self.timeline.before(self.timeline.cursor()?)?)
    }

    /// Marks of the path through the cursor, what `redo` would visit included.
    pub(super) fn full_path(&self) -> Vec<Mark> {
        let Some(cursor) = self.timeline.cursor() else { return Vec::new() };
        let mut path = self.timeline.path(cursor);
        path.extend(std::iter::successors(self.timeline.after(cursor), |mark| {
            self.timeline.after(*mark)
        }));
        path
    }

    /// The timeline strip: the path through the cursor, what `redo` would visit included.
    pub fn cells(&self) -> Vec<Cell> {
        let cursor = self.timeline.cursor();
        let cell = |mark: Mark| {
            let entry = self.timeline.entry(mark)?;
            let before = self.timeline.before(mark);
            Some(Cell {
                mark,
                kind: kind(entry),
                inverse: is_inverse(entry),
                way: entry.way,
                go: entry.go.clone(),
                substeps: entry.via.len(),
                border: mark.step == 0,
                branches: before.map_or(0, |before| self.timeline.ways_on(before).len() - 1),
                present: Some(mark) == cursor,
            })
        };
        self.full_path().into_iter().filter_map(cell).collect()
    }

    /// Breakpoints in order of number.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        self.breakpoints.list()
    }

    /// The call stack, the entry frame first.
    pub fn stack(&self) -> Vec<StackFrame> {
        let selected = self.selected();
        let Some(stack) = prompt::stack(self.timeline.steps(), self.setup.history) else {
            return Vec::new();
        };
        let frames = (0..).zip(stack.frames().into_iter().zip(stack.states()));
        let frame = |(depth, (known, state)): (u32, (trace::StackFrame, _))| StackFrame {
            depth,
            function: known.function,
            state,
            selected: depth == selected,
        };
        frames.map(frame).collect()
    }

    /// The latest state of each frame at a mark, the entry frame first; `None`: not known.
    pub fn frames_at(&self, mark: Mark) -> Vec<Option<State>> {
        self.frames_inside(mark, usize::MAX)
    }

    /// The same after so many steps of the mark's entry.
    pub fn frames_inside(&self, mark: Mark, steps: usize) -> Vec<Option<State>> {
        let path = self.timeline.path(mark);
        let (_, before) = path.split_last().unwrap_or((&mark, &[]));
        let before = before.iter().filter_map(|mark| self.timeline.entry(*mark));
        let inside = self.timeline.entry(mark).into_iter();
        let inside = inside.flat_map(|entry| entry.steps().take(steps));
        let path = before.flat_map(Entry::steps).chain(inside);
        let stack = prompt::stack(path, self.setup.history);
        stack.map(|stack| stack.states()).unwrap_or_default()
    }

    /// Depth of the selected frame (`u`, `d`).
    pub fn selected(&self) -> u32 {
        let present = self.present().and_then(|entry| entry.stop.departure(self.setup.history));
        self.selected.unwrap_or_else(|| present.map_or(0, |state| state.depth))
    }

    /// The variables of the selected frame, in order; names that only CPython has last. At
    /// an end those of the last state.
    pub fn variables(&self) -> Vec<Variable> {
        let Some(entry) = self.present() else { return Vec::new() };
        if self.selected.is_some() || matches!(entry.stop.stop, Stop::Exit(_)) {
            let locals = self.shown_state().and_then(|state| state.locals.clone());
            let plain = |(name, value): (&Arc<str>, _)| Variable::plain(name, value);
            return locals.unwrap_or_default().iter().map(plain).collect();
        }
        let Some(state) = entry.stop.stop.state() else { return Vec::new() };
        let old = self.frame_before(state);
        let old = old.as_ref().and_then(|old| old.locals.as_ref());
        let real = match &entry.stop.actual {
            Some(Outcome::State(real)) if entry.stop.verdict.on_path() => real.locals.as_ref(),
            _ => None,
        };
        let confidence = |name: &str| {
            let confidence = entry.stop.confidence.as_ref()?;
            confidence.locals.iter().find(|(n, _)| &**n == name).map(|(_, p)| *p)
        };
        let edited = |name: &str| entry.edit.as_ref().is_some_and(|(n, _)| &**n == name);
        let mut variables: Vec<Variable> = Vec::new();
        // A dialect that carries no variables here leaves them unknown, not gone.
        let hidden = state.locals.is_none();
        for (name, value) in state.locals.as_ref().or(old).into_iter().flat_map(|l| l.iter()) {
            let before = old.and_then(|old| old.get(name));
            variables.push(Variable {
                name: name.clone(),
                value: (!hidden).then(|| value.clone()),
                old: before.filter(|before| hidden || *before != value).cloned(),
                added: old.is_some() && before.is_none(),
                confidence: confidence(name),
                actual: real.and_then(|real| real.get(name)).cloned(),
                verdict: entry.stop.verdict.local(name),
                edited: edited(name),
            });
        }
        for (name, value) in real.into_iter().flat_map(|real| real.iter()) {
            if !variables.iter().any(|variable| variable.name == *name) {
                let mut variable = Variable::plain(name, value);
                variable.actual = variable.value.take();
                variable.verdict = entry.stop.verdict.local(name);
                variables.push(variable);
            }
        }
        variables
    }

    /// The latest state of this state's frame before the present entry, if it is the same
    /// activation.
    pub(super) fn frame_before(&self, state: &State) -> Option<State> {
        if state.event == Event::Call && !state.suspension {
            return None;
        }
        let path = self.timeline.path(self.timeline.cursor()?);
        let (_, before) = path.split_last()?;
        let entries = before.iter().filter_map(|mark| self.timeline.entry(*mark));
        let stack = prompt::stack(entries.flat_map(Entry::steps), self.setup.history)?;
        let old = stack.states().into_iter().nth(state.depth as usize)??;
        (old.function == state.function).then_some(old)
    }

    /// Watched expressions in the order given.
    pub fn watches(&self) -> &[Watch] {
        &self.watches
    }

    /// Everything said so far; only ever grows.
    pub fn log(&self) -> &[LogLine] {
        &self.log
    }

    /// How many answers the model has given, and what they have cost.
    pub fn work(&self) -> (usize, Work) {
        (self.answers, self.work)
    }

    /// Why typed commands and breakpoints were refused, in order: one line each.
    pub fn refused(&self) -> &[String] {
        &self.refused
    }

    /// What the program wrote before it came to where the truth is: a line about to run has
    /// written nothing.
    pub fn output(&self) -> OutputView<'_> {
        let cursor = self.present().map_or(Cursor::Unknown, |entry| entry.stop.truth);
        let (run, states) = match cursor {
            Cursor::On { run, place } | Cursor::Off { run, place } => {
                (run, u64::from(place.node()))
            }
            Cursor::Ended { run, .. } => (run, u64::MAX),
            Cursor::Unknown => return self.replayed_output(),
        };
        match self.truth.recording(run) {
            Some(recording) => written(recording, states),
            None => OutputView::NotPredicted,
        }
    }

    /// The same where nothing verifies, but a recording answers.
    fn replayed_output(&self) -> OutputView<'_> {
        let (Some(entry), Some(recording)) = (self.present(), &self.replayed) else {
            return OutputView::NotPredicted;
        };
        match (entry.stop.origin, &entry.stop.stop, entry.stop.node) {
            (Origin::Recorded, Stop::Exit(_), _) => written(recording, u64::MAX),
            (Origin::Recorded, _, Some(node)) => written(recording, node.into()),
            // where the recording begins
            (Origin::Given, ..) if self.oracle.is_exact() => written(recording, 0),
            _ => OutputView::NotPredicted,
        }
    }

    /// The score over all predictions of the path up to the cursor, sub-steps included:
    /// each step by its own verdict, so that a jump's wrong step counts once.
    pub fn score(&self) -> Score {
        let mut score = Score::default();
        for step in self.timeline.steps().filter(|step| step.ask.is_some()) {
            score.count(&step.verdict);
        }
        score
    }

    /// What the session waits for; `None`: idle, no reply will come.
    pub fn busy(&self) -> Option<&Busy> {
        self.busy.as_ref()
    }

    /// What the session waits for, found out anew.
    pub(super) fn find_busy(&self) -> Option<Busy> {
        let what = if let Some(moving) = self.moving.as_ref().filter(|_| self.question.is_none()) {
            let does = if self.oracle.is_exact() { "waiting for CPython:" } else { "predicting" };
            format!("{does} {}", moving.ask_name())
        } else if self.completing.is_some() {
            "inventing the first state".into()
        } else if self.restart.is_reading() {
            "reading the file".into()
        } else if self.evaluations.is_running() {
            "evaluating".into()
        } else if self.reads.question().is_some() {
            return None; // It is the person's turn.
        } else if self.recorder.is_running() {
            "recording with CPython".into()
        } else if matches!(self.oracle, OracleState::Opening(_)) {
            "opening the model".into()
        } else {
            return None;
        };
        let substeps = self.moving.as_ref().map_or(0, |moving| moving.substeps());
        Some(Busy { what, substeps, progress: self.progress.clone() })
    }

    /// The steps of the movement in progress, so that a screen can show each as it comes.
    pub fn under_way(&self) -> &[super::Step] {
        self.moving.as_ref().map_or(&[], |moving| moving.steps())
    }

    /// Facts for the header line.
    pub fn header(&self) -> Header {
        let opened = match &self.oracle {
            OracleState::Ready(opened) => Some(opened),
            _ => None,
        };
        // First: while it holds, nothing else matters.
        let refused = self.setup.refused.iter();
        let refused = refused.map(|why| format!("Python does not run this file: {why}"));
        let mut notes: Vec<String> = refused.chain(self.setup.notes.iter().cloned()).collect();
        let limits = opened.map(|opened| opened.capabilities.limits.clone());
        let limits = limits.filter(|limits| !limits.is_empty());
        notes.extend(limits.map(|limits| format!("limits of the model: {limits}")));
        notes.extend(opened.and_then(|opened| opened.capabilities.note.clone()));
        // A replay's label names the Python that was recorded.
        let exact = opened.filter(|opened| opened.capabilities.exact);
        let replayed = exact.and_then(|opened| opened.label.strip_prefix("CPython "));
        let replayed = replayed.map(str::to_string);
        Header {
            model: opened.map(|opened| opened.label.clone()).unwrap_or_default(),
            dialect: opened.and_then(|opened| opened.capabilities.dialect.clone()),
            device: opened.and_then(|opened| opened.capabilities.device.clone()),
            recorder: self.recorder.description(),
            python: self.truth.first().map(|recording| recording.python.clone()).or(replayed),
            entry: self.program.entry.to_string(),
            seed: self.setup.seed,
            notes,
            exact: opened.is_some_and(|opened| opened.capabilities.exact),
            backwards: self.goes_backwards(),
        }
    }

    /// Whether the oracle predicts backwards; until it is open, that is supposed.
    pub(super) fn goes_backwards(&self) -> bool {
        let OracleState::Ready(opened) = &self.oracle else { return true };
        opened.capabilities.directions.contains(&Direction::Inverse)
    }

    /// Marks in the order they were shown, the start first; a printer goes on from where
    /// it was.
    pub fn visits(&self) -> &[Mark] {
        &self.visits
    }

    /// Why there are no predictions, if the oracle could not be opened.
    pub fn oracle_failure(&self) -> Option<&str> {
        match &self.oracle {
            OracleState::Failed(why) => Some(why),
            _ => None,
        }
    }

    /// Why there is no truth, if it was asked for and could not be recorded.
    pub fn recorder_failure(&self) -> Option<&str> {
        self.recorder.failure()
    }

    /// What the person must decide, if anything; then every other command waits, but for
    /// [`Question::Reads`], which only a recording waits for.
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref().or_else(|| self.reads.question())
    }

    /// Whether the session is over ([`super::Effect::Quit`] was sent).
    pub fn is_over(&self) -> bool {
        self.over
    }
}

fn is_inverse(entry: &Entry) -> bool {
    entry.go.as_ref().is_some_and(|go| go.direction() == Direction::Inverse)
}

fn kind(entry: &Entry) -> CellKind {
    if let Stop::Malformed { .. } = entry.stop.stop {
        return CellKind::Malformed;
    }
    if entry.stop.origin != Origin::Predicted && entry.go.is_none() {
        return CellKind::Given;
    }
    let verdict = entry.verdict();
    match (&verdict, verdict.right()) {
        (_, Some(true)) | (Verdict::Recorded | Verdict::Consistent, _) => CellKind::Right,
        (_, Some(false)) => CellKind::Wrong,
        (Verdict::OffPath, _) => CellKind::OffPath,
        _ => CellKind::Unverified,
    }
}

/// What a recorded program wrote before its state of this number.
fn written(recording: &Recording, states: u64) -> OutputView<'_> {
    OutputView::Recorded(recording.output.iter().filter(|o| o.after <= states).collect())
}
