//! Recordings on request: what would run, consent, one at a time.
//!
//! Must not know: who records. Nothing here starts without consent: the command line's, or
//! the answer to [`Question::Verify`].

use super::Session;
use super::check::{self, Check};
use super::entry::Mark;
use super::message::{Effect, Question, Ticket};
use super::verdict::Verdict;
use super::view::LogKind;
use crate::oracle::OracleError;
use crate::program::{Entry as Start, Program};
use crate::trace::{Edit, Event, Exit, Recording, restart};
use std::collections::VecDeque;
use std::sync::Arc;

/// What is asked of the recorder, and what it said.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    describing: Option<Ticket>,
    running: Option<(Ticket, Job)>,
    waiting: VecDeque<Job>,
    description: Option<String>,
    failure: Option<String>,
}

/// One run of the program.
#[derive(Debug, Clone)]
enum Job {
    /// The program with these edits.
    Run(Vec<Edit>),
    /// Once more with other seeds: the number of the recording, its edits.
    Vary(usize, Vec<Edit>),
    /// From a guess.
    Check(Box<Check>),
}

impl Recorder {
    pub fn is_running(&self) -> bool {
        self.describing.is_some() || self.running.is_some()
    }

    pub fn is_describing(&self) -> bool {
        self.describing.is_some()
    }

    pub fn awaits(&self, ticket: Ticket) -> bool {
        self.describing == Some(ticket) || self.running.as_ref().is_some_and(|(t, _)| *t == ticket)
    }

    pub fn description(&self) -> Option<String> {
        self.description.clone()
    }

    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

impl Session {
    /// `verify`: says what would run, then asks.
    pub(super) fn verify(&mut self) -> Result<(), String> {
        if self.recorder.is_running() {
            return Err("CPython is recording".into());
        }
        if self.is_verified() {
            return Err("the program is recorded; every step is compared".into());
        }
        self.describe();
        Ok(())
    }

    /// Asks what would run.
    pub(super) fn describe(&mut self) {
        let ticket = self.ticket();
        self.recorder.describing = Some(ticket);
        self.effects.push(Effect::Describe { ticket });
    }

    pub(super) fn described(&mut self, ticket: Ticket, result: Result<String, OracleError>) {
        if self.recorder.describing != Some(ticket) {
            return;
        }
        self.recorder.describing = None;
        match result {
            Ok(what) => {
                self.recorder.description = Some(what.clone());
                if self.setup.verify {
                    self.record_from_start();
                } else {
                    self.question = Some(Question::Verify(what));
                }
            }
            Err(why) => self.cannot_verify(&why.to_string()),
        }
    }

    fn cannot_verify(&mut self, why: &str) {
        self.recorder.failure = Some(why.into());
        self.say(LogKind::Error, format!("cannot verify: {why}"));
    }

    /// Records the program as it is, with consent.
    pub(super) fn record_from_start(&mut self) {
        self.setup.verify = true;
        match self.recordable() {
            // What the recording does not judge is checked once it is there.
            Some(_) => self.record(Vec::new()),
            None if self.timeline.present().is_none() => {} // It waits to be invented.
            None => {
                let text = "there is no run to record; guesses are checked by running them";
                self.say(LogKind::Note, text);
                self.check_all();
            }
        }
    }

    /// The program as CPython can run it: invented arguments make a call. `None` where
    /// only guesses can be run.
    fn recordable(&self) -> Option<Arc<Program>> {
        match &self.program.entry {
            Start::Returns { .. } => None,
            Start::Invent { .. } => {
                let first = self.timeline.entry(Mark::default())?.stop.stop.state()?;
                let entry = restart::call(&self.program, first)?;
                Some(Arc::new(Program { entry, ..(*self.program).clone() }))
            }
            _ => Some(self.program.clone()),
        }
    }

    /// Asks for a recording, after those that were asked for before.
    pub(super) fn record(&mut self, edits: Vec<Edit>) {
        let same = |job: &Job| matches!(job, Job::Run(other) if *other == edits);
        if self.setup.verify && !self.recorder.waiting.iter().any(same) {
            self.recorder.waiting.push_back(Job::Run(edits));
            self.record_next();
        }
    }

    fn record_next(&mut self) {
        if self.recorder.running.is_some() {
            return;
        }
        let Some(job) = self.recorder.waiting.pop_front() else { return };
        let ticket = self.ticket();
        let program = self.recordable().unwrap_or_else(|| self.program.clone());
        self.effects.push(match &job {
            Job::Run(edits) => Effect::Record { ticket, program, edits: edits.clone() },
            Job::Vary(_, edits) => Effect::Vary { ticket, program, edits: edits.clone() },
            Job::Check(check) => {
                let program = check.program.clone();
                Effect::Record { ticket, program, edits: Vec::new() }
            }
        });
        if let Job::Run(edits) = &job {
            self.truth.expect(edits.clone());
        }
        self.reads.start();
        self.recorder.running = Some((ticket, job));
    }

    fn finished(&mut self, ticket: Ticket) -> Option<Job> {
        let (_, job) = self.recorder.running.take_if(|(expected, _)| *expected == ticket)?;
        self.reads.close();
        Some(job)
    }

    pub(super) fn recorded(&mut self, ticket: Ticket, result: Result<Arc<Recording>, OracleError>) {
        match (self.finished(ticket), result) {
            (None, _) => return,
            (Some(Job::Check(check)), Ok(recording)) => self.checked(&check, &recording),
            (Some(Job::Check(_) | Job::Vary(..)), _) => {}
            (Some(Job::Run(edits)), Ok(recording)) => self.take_recording(&edits, recording),
            (Some(Job::Run(edits)), Err(OracleError::Cancelled)) => {
                self.truth.failed(&edits);
                self.recorder.waiting.clear();
                self.setup.verify = false;
                self.say(LogKind::Note, "the recording was cancelled; 'verify' tries again");
            }
            (Some(Job::Run(edits)), Err(why)) => {
                self.truth.failed(&edits);
                self.setup.verify = !edits.is_empty();
                // Python is there, but cannot begin in the middle of everything, such as a loop.
                if edits.is_empty() && matches!(self.program.entry, Start::At { .. }) {
                    self.say(LogKind::Error, format!("not verified: {why}"));
                } else {
                    self.cannot_verify(&why.to_string());
                }
            }
        }
        self.record_next();
    }

    /// A run goes on: what is known of it judges what it can.
    pub(super) fn recorded_so_far(&mut self, ticket: Ticket, recording: Arc<Recording>) {
        let running = self.recorder.running.as_ref().filter(|(expected, _)| *expected == ticket);
        let Some((_, Job::Run(edits))) = running else { return };
        self.truth.so_far(edits, recording);
        if self.timeline.present().is_none() {
            self.begin();
        }
        self.judge_all();
    }

    fn take_recording(&mut self, edits: &[Edit], recording: Arc<Recording>) {
        self.recorder.failure = None;
        let edited = if edits.is_empty() { "" } else { ", edits applied" };
        let text = format!(
            "CPython {} recorded {} states{edited}; exit {}",
            recording.python,
            recording.tree.len(),
            recording.tree.exit().name()
        );
        self.say(LogKind::Note, text);
        if !recording.note.is_empty() {
            self.say_once(recording.note.clone());
        }
        self.say_repeated(&recording);
        // What was stopped by a limit would only be stopped again.
        let cut = recording.tree.exit() == Exit::Cut;
        let run = self.truth.arrived(edits, recording);
        if let Some(run) = run.filter(|_| !cut) {
            self.recorder.waiting.push_front(Job::Vary(run, edits.to_vec()));
        }
        if self.timeline.present().is_none() {
            self.begin();
        }
        self.judge_all();
        self.check_all();
        self.show_verdict();
    }

    pub(super) fn varied(
        &mut self,
        ticket: Ticket,
        result: Result<Option<Arc<Recording>>, OracleError>,
    ) {
        if let (Some(Job::Vary(run, _)), Ok(Some(other))) = (self.finished(ticket), result) {
            self.truth.vary(run, &other);
            self.judge_all();
        }
        self.record_next();
    }

    /// Asks for the checks of all guesses that nothing else can judge.
    pub(super) fn check_all(&mut self) {
        if !self.setup.verify {
            return;
        }
        for mark in self.timeline.marks() {
            self.check(mark);
        }
        self.record_next();
    }

    /// Asks for the check of one guess.
    pub(super) fn check(&mut self, mark: Mark) {
        let Some(entry) = self.timeline.entry(mark) else { return };
        let open = matches!(entry.stop.verdict, Verdict::Unverified | Verdict::Unverifiable);
        if !self.setup.verify || !open || entry.checked.is_some() {
            return;
        }
        // What is known lies before the line was met a second time, after its call.
        let back = std::iter::successors(self.timeline.before(mark), |m| self.timeline.before(*m));
        let known = back
            .filter_map(|mark| self.timeline.entry(mark)?.stop.departure(self.setup.history))
            .find(|state| state.event != Event::LineAfterCall);
        let plan = known.and_then(|known| check::plan(&self.program, mark, entry, known));
        let Some(plan) = plan else { return };
        let same = |job: &Job| matches!(job, Job::Check(check) if check.mark == mark);
        let running = self.recorder.running.as_ref().map(|(_, job)| job);
        if !running.into_iter().chain(&self.recorder.waiting).any(same) {
            self.recorder.waiting.push_back(Job::Check(Box::new(plan)));
            self.record_next();
        }
    }

    fn checked(&mut self, check: &Check, run: &Recording) {
        let Some(consistent) = check.decide(run) else { return };
        if let Some(entry) = self.timeline.entry_mut(check.mark) {
            entry.checked = Some(consistent);
        }
        self.judge_all();
        if self.timeline.cursor() == Some(check.mark) {
            self.show_verdict();
        }
    }
}
