//! One movement, from what was asked to an entry of the timeline.
//!
//! Must not know: how commands are typed. Where it stops is decided by `goal`.

use super::breakpoints::Reached;
use super::command::{History, Jump};
use super::entry::{Entry, Go, Origin, Step, Stop, Way};
use super::goal::{Decision, Goal, plan};
use super::message::{Effect, Question, Ticket};
use super::prompt;
use super::show;
use super::timeline::turns;
use super::verdict::{Cursor, Verdict};
use super::view::LogKind;
use super::{OracleState, Session};
use crate::oracle::{Answer, Ending, OracleError, Query};
use crate::trace::{Action, Direction, Event, Exit, Outcome, State};

/// A chained movement asks after so many steps whether to go on.
const ASK_AFTER: usize = 250;

/// A movement in progress.
#[derive(Debug)]
pub(super) struct Moving {
    goal: Goal,
    steps: Vec<Step>,
    /// The states of the steps, as the next prediction sees them.
    path: Vec<State>,
    /// How many steps before it asks.
    limit: usize,
    waits_for: Option<Ticket>,
}

impl Moving {
    pub fn awaits(&self, ticket: Ticket) -> bool {
        self.waits_for == Some(ticket)
    }

    pub fn substeps(&self) -> usize {
        self.steps.len()
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub fn ask_name(&self) -> &'static str {
        self.goal.ask.name()
    }
}

impl Session {
    /// Starts a movement, or replays the same one.
    pub(super) fn go(&mut self, go: Go) {
        let start = match self.startable(go.direction()) {
            Ok(state) => state,
            Err(why) => return self.say(LogKind::Error, why),
        };
        if let Go::Until(Some(line)) = go
            && line <= start.loc.line
        {
            let here = start.loc.line;
            let why = format!("until goes on to a later line: {line} is not after line {here}");
            return self.say(LogKind::Error, why);
        }
        let opened = match &self.oracle {
            OracleState::Ready(opened) => opened,
            OracleState::Opening(_) => return self.say(LogKind::Error, "no model is open yet"),
            OracleState::Failed(why) => {
                let text = format!("no predictions: {why}");
                return self.say(LogKind::Error, text);
            }
        };
        let can = &opened.capabilities;
        let stops = self.breakpoints.stop_places();
        let stack = prompt::stack(self.timeline.steps(), self.setup.history);
        let from = (stack.map(|stack| stack.callers()).unwrap_or_default(), start);
        let goal = match plan(go, &self.setup, from, stops, can, &self.program) {
            Ok(goal) => goal,
            Err(why) => return self.say(LogKind::Error, why),
        };
        if let Some(note) = goal.blind() {
            self.say(LogKind::Note, note);
        }
        let chained = self.setup.jump == Jump::Direct && goal.way == Way::Chained;
        if chained && !std::mem::replace(&mut self.chains, true) {
            let name = goal.go.word();
            let note =
                format!("'{name}' has no direct answer here: it is chained, as jumps are then");
            self.say(LogKind::Note, note);
        }
        let present = self.timeline.present();
        if present.is_some_and(|entry| entry.stop.believed(self.setup.history).is_none()) {
            let from = show::last(&goal.start);
            self.say(LogKind::Note, format!("asked from the last state before the end: {from}"));
        }
        let same = |entry: &Entry| entry.goal.as_ref() == Some(&goal) && !entry.interrupted;
        if let Some(mark) = self.timeline.replay(same) {
            self.visit(mark);
            return;
        }
        self.moving = Some(Moving {
            goal,
            steps: Vec::new(),
            path: Vec::new(),
            limit: ASK_AFTER,
            waits_for: None,
        });
        self.ask();
    }

    /// The state a movement starts from: backwards from an end, its last state.
    fn startable(&self, direction: Direction) -> Result<State, String> {
        if let Some(why) = &self.setup.refused {
            return Err(format!(
                "Python does not run this file: {why}; once it is mended, 'restart' reads it again"
            ));
        }
        let Some(entry) = self.timeline.present() else {
            return Err(match &self.program.entry {
                crate::program::Entry::Call { .. } => {
                    "there is no first state yet; 'verify' runs the program to find it".into()
                }
                _ => "there is no first state yet".into(),
            });
        };
        match (entry.stop.believed(self.setup.history), &entry.stop.stop) {
            (Some(state), _) => Ok(state.clone()),
            (None, Stop::Malformed { .. }) => {
                Err("there is no state here to go on from; 'rewind' goes back".into())
            }
            (None, Stop::Exit(Exit::Entry)) => {
                Err("nothing comes before the entry; 'rewind' goes back".into())
            }
            (None, _) if direction == Direction::Inverse => {
                let last = entry.stop.departure(self.setup.history).cloned();
                last.ok_or_else(|| {
                    "the jump to the end does not say what the last state was: \
                     'rewind' goes back, 'r' predicts it, then S guesses what came before"
                        .into()
                })
            }
            (None, Stop::Exit(Exit::Cut)) => Err(
                "what is known of the run ends here; 'rewind' goes back, 'restart' starts again"
                    .into(),
            ),
            (None, _) => {
                Err("the program has ended; 'rewind' goes back, 'restart' starts again".into())
            }
        }
    }

    /// Asks for the next step of the movement in progress.
    fn ask(&mut self) {
        let ticket = self.ticket();
        let Some(moving) = &mut self.moving else { return };
        let path: Vec<&Step> = self.timeline.steps().chain(&moving.steps).collect();
        let direction = moving.goal.ask.direction;
        let Some(segment) = prompt::segment(&path, direction, self.setup.history) else {
            return self.interrupt("there is no state to go on from");
        };
        let present = path.last().and_then(|step| step.departure(self.setup.history));
        let ask = moving.goal.ask.clone();
        let ask = present.map_or(ask.clone(), |present| prompt::asked_from(present, ask));
        moving.waits_for = Some(ticket);
        self.progress = None;
        let query = Query { program: self.program.clone(), segment, ask };
        self.effects.push(Effect::Ask { ticket, query });
    }

    /// One prediction arrived.
    pub(super) fn answered(&mut self, ticket: Ticket, result: Result<Answer, OracleError>) {
        let Some(moving) = &mut self.moving else { return };
        if !moving.awaits(ticket) {
            return;
        }
        moving.waits_for = None;
        self.progress = None;
        let origin = if self.oracle.is_exact() { Origin::Recorded } else { Origin::Predicted };
        let mut step = match result {
            Err(OracleError::Cancelled) => return self.interrupt("interrupted"),
            Err(why) => {
                self.say(LogKind::Error, why.to_string());
                return self.interrupt("stopped here");
            }
            Ok(answer) => step_of(answer, origin),
        };
        let present = moving.path.last().unwrap_or(&moving.goal.start);
        step.ask = Some(prompt::asked_from(present, moving.goal.ask.clone()));
        let before = moving.steps.last().map(|step| step.truth);
        let before = before.or_else(|| self.timeline.present().map(|entry| entry.stop.truth));
        let before = before.unwrap_or(Cursor::Unknown);
        self.truth.follow(before, &mut step, self.setup.history, false);
        moving.steps.push(step);
        self.decide(true);
    }

    /// Decides about the newest step.
    fn decide(&mut self, breaks: bool) {
        let Some(moving) = &mut self.moving else { return };
        let Some(step) = moving.steps.last() else { return };
        let decision = match step.believed(self.setup.history) {
            Some(state) => {
                if moving.path.len() < moving.steps.len() {
                    moving.path.push(state.clone());
                }
                moving.goal.decide(&moving.path, &self.program, breaks)
            }
            None => {
                let ended = matches!(step.stop, Stop::Exit(_))
                    || matches!(step.actual, Some(Outcome::Exit(_)));
                if ended { moving.goal.decide_end(&moving.path) } else { Decision::Stop }
            }
        };
        match decision {
            Decision::Stop => self.arrive(false),
            Decision::StopBefore => {
                moving.steps.pop();
                self.arrive(false);
            }
            Decision::GoOn if moving.steps.len() >= moving.limit => {
                self.question = Some(Question::GoOn(moving.steps.len()));
            }
            Decision::GoOn => self.ask(),
            Decision::Hit(numbers) => self.reach(&numbers),
        }
    }

    /// Breakpoints are reached: asks for their conditions, counts their hits.
    fn reach(&mut self, numbers: &[u32]) {
        match self.breakpoints.reach(numbers) {
            Reached::Pass => self.decide(false),
            Reached::Stop(number) => self.stop_at_breakpoint(number),
            Reached::Ask(number, condition) => {
                let after = numbers.iter().skip_while(|n| **n != number).skip(1);
                let rest = after.copied().collect();
                let now = self.moving.as_ref().and_then(|moving| moving.path.last());
                let locals = now.and_then(|state| state.locals.clone()).unwrap_or_default();
                self.ask_condition(number, rest, condition, &locals);
            }
        }
    }

    /// The condition of a breakpoint that was reached is known.
    pub(super) fn condition_known(&mut self, number: u32, rest: Vec<u32>, is_true: bool) {
        if is_true && self.breakpoints.hit(number) {
            self.stop_at_breakpoint(number);
        } else {
            self.reach(&rest);
        }
    }

    fn stop_at_breakpoint(&mut self, number: u32) {
        if self.attached.is_silent(number) {
            self.quiet = true;
        } else {
            self.say(LogKind::Note, format!("breakpoint {number}"));
        }
        self.arrive(false);
        self.quiet = false;
        self.run_commands(number);
    }

    /// The person wants more steps.
    pub(super) fn go_on(&mut self) {
        if let Some(moving) = &mut self.moving {
            moving.limit += ASK_AFTER;
            self.ask();
        }
    }

    /// Ends the movement short of its stop; what was predicted on the way is kept.
    pub(super) fn interrupt(&mut self, why: &str) {
        let Some(moving) = &self.moving else { return };
        let count = moving.steps.len();
        if count == 0 {
            self.moving = None;
            self.say(LogKind::Note, format!("{why}; nothing changed"));
        } else {
            self.say(LogKind::Note, format!("{why} after {count} steps, which are kept"));
            self.arrive(true);
        }
    }

    /// Makes the entry, judges it, shows it.
    fn arrive(&mut self, interrupted: bool) {
        let Some(mut moving) = self.moving.take() else { return };
        self.progress = None;
        self.attached.stepped(moving.steps.len());
        let Some(mut stop) = moving.steps.pop() else { return };
        self.name_ending(&moving, &mut stop);
        let go = moving.goal.go.clone();
        let fresh = turns(self.timeline.present(), &go);
        let mut entry = Entry {
            go: Some(go),
            way: moving.goal.way,
            via: moving.steps,
            stop,
            interrupted,
            checked: None,
            edit: None,
            opened: None,
            goal: Some(moving.goal),
        };
        let before = self.timeline.present().map_or(Cursor::Unknown, |entry| entry.stop.truth);
        self.truth.judge(before, &mut entry, &self.program);
        let mark = self.timeline.push(entry, fresh);
        self.selected = None;
        self.show_present();
        self.check(mark);
    }

    /// At an end, the last state before it: the answer's own, else the path's where nothing
    /// can lie between.
    fn name_ending(&self, moving: &Moving, stop: &mut Step) {
        let forward = moving.goal.ask.direction == Direction::Forward;
        if !forward || !matches!(stop.stop, Stop::Exit(_)) {
            return;
        }
        let last = moving.path.last().unwrap_or(&moving.goal.start);
        let left = matches!(last.event, Event::Return | Event::Exception) && last.depth == 0;
        let next = moving.goal.ask.action == Action::StepInto || left && !last.suspension;
        if stop.ending.is_none() && next {
            let path = self.timeline.steps().chain(&moving.steps);
            let stack = prompt::stack(path, self.setup.history);
            let callers = stack.map(|stack| stack.callers()).unwrap_or_default();
            let last = Some(last.clone());
            stop.ending = Some(Ending { last, callers, why: String::new() });
        }
    }

    /// Whether anything is compared with a recording.
    pub(super) fn is_verified(&self) -> bool {
        self.truth.first().is_some()
    }

    /// Judges every entry again, after a recording arrived.
    pub(super) fn judge_all(&mut self) {
        let mut missing = Vec::new();
        for mark in self.timeline.marks() {
            let before = self.timeline.before(mark);
            let before = before.and_then(|before| self.timeline.entry(before));
            let before = before.map(|entry| entry.stop.truth);
            let Some(entry) = self.timeline.entry_mut(mark) else { continue };
            match (&entry.edit, before) {
                (Some((name, value)), before) => {
                    let before = before.unwrap_or(Cursor::Unknown);
                    let (truth, needed) = self.truth.edited(before, name, value.text());
                    entry.stop.truth = truth;
                    missing.extend(needed);
                }
                (None, None) => {
                    let truth = entry.stop.stop.state().map(|state| self.truth.begin(state));
                    entry.stop.truth = truth.unwrap_or(Cursor::Unknown);
                    entry.stop.verdict = Verdict::Unverified;
                }
                // A resync stays where it was put.
                (None, Some(_)) if entry.go.is_none() => {}
                (None, Some(before)) => self.truth.judge(before, entry, &self.program),
            }
        }
        for edits in missing {
            self.record(edits);
        }
    }
}

/// An answer as a step that nothing was asked for yet.
pub(super) fn step_of(answer: Answer, origin: Origin) -> Step {
    match answer {
        Answer::State(prediction) => {
            let mut step = Step::given(prediction.state, origin);
            step.callers = prediction.callers;
            step.candidates = prediction.candidates;
            step.confidence = prediction.confidence;
            step.raw_confidence = prediction.raw_confidence;
            step.runners_up = prediction.runners_up;
            step.raw = prediction.raw;
            step.node = prediction.node;
            step
        }
        Answer::Exit { exit, confidence, ending, raw } => {
            let mut step = Step::new(Stop::Exit(exit), origin);
            step.ending = (*ending != Ending::default()).then_some(*ending);
            step.confidence = confidence.map(|event| crate::oracle::Confidence {
                event,
                source: 1.0,
                locals: Vec::new(),
                arg: None,
            });
            step.raw = raw;
            step
        }
        Answer::Malformed { text, why } => {
            let mut step = Step::new(Stop::Malformed { text: text.clone(), why }, origin);
            step.raw = text;
            step
        }
    }
}

/// Guided history without a recording is free; said once, when it is chosen.
pub(super) fn history_note(history: History, verified: bool) -> Option<&'static str> {
    (history == History::Guided && !verified)
        .then_some("nothing is recorded yet, so history stays free; 'verify' records")
}
