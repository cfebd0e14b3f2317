//! Recordings on request: what would run, consent, one at a time.
//!
//! Must not know: who records. Nothing here starts without consent: the command line's, or
//! the answer to [`Question::Verify`].

use super::Session;
use super::message::{Effect, Question, Ticket};
use super::view::LogKind;
use crate::oracle::OracleError;
use crate::trace::{Edit, Exit, Recording};
use std::collections::VecDeque;
use std::sync::Arc;

/// What is asked of the recorder, and what it said.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    describing: Option<Ticket>,
    recording: Option<(Ticket, usize)>,
    /// Once more with other seeds.
    varying: Option<(Ticket, usize)>,
    /// Sets of edits that wait.
    waiting: VecDeque<Vec<Edit>>,
    description: Option<String>,
    failure: Option<String>,
}

impl Recorder {
    pub fn is_running(&self) -> bool {
        self.describing.is_some() || self.recording.is_some() || self.varying.is_some()
    }

    pub fn is_describing(&self) -> bool {
        self.describing.is_some()
    }

    pub fn awaits(&self, ticket: Ticket) -> bool {
        let runs = [self.recording, self.varying];
        self.describing == Some(ticket) || runs.iter().flatten().any(|(t, _)| *t == ticket)
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
        self.record(Vec::new());
    }

    /// Asks for a recording, after those that were asked for before.
    pub(super) fn record(&mut self, edits: Vec<Edit>) {
        if !self.setup.verify || self.recorder.waiting.contains(&edits) {
            return;
        }
        self.recorder.waiting.push_back(edits);
        self.record_next();
    }

    fn record_next(&mut self) {
        if self.recorder.recording.is_some() || self.recorder.varying.is_some() {
            return;
        }
        let Some(edits) = self.recorder.waiting.pop_front() else { return };
        let ticket = self.ticket();
        let run = self.truth.expect(edits.clone());
        self.recorder.recording = Some((ticket, run));
        self.effects.push(Effect::Record { ticket, program: self.program.clone(), edits });
    }

    pub(super) fn recorded(&mut self, ticket: Ticket, result: Result<Arc<Recording>, OracleError>) {
        let Some((expected, run)) = self.recorder.recording else { return };
        if expected != ticket {
            return;
        }
        self.recorder.recording = None;
        match result {
            Ok(recording) => self.take_recording(run, recording),
            Err(OracleError::Cancelled) => {
                self.truth.failed(run);
                self.recorder.waiting.clear();
                self.setup.verify = false;
                self.say(LogKind::Note, "the recording was cancelled; 'verify' tries again");
            }
            Err(why) => {
                self.truth.failed(run);
                self.setup.verify = run != 0;
                self.cannot_verify(&why.to_string());
            }
        }
        self.record_next();
    }

    fn take_recording(&mut self, run: usize, recording: Arc<Recording>) {
        self.recorder.failure = None;
        let edited = if run == 0 { "" } else { ", edits applied" };
        let text = format!(
            "CPython {} recorded {} states{edited}; exit {}",
            recording.python,
            recording.tree.len(),
            recording.tree.exit().name()
        );
        self.say(LogKind::Note, text);
        if !recording.note.is_empty() {
            self.say(LogKind::Note, recording.note.clone());
        }
        // What was stopped by a limit would only be stopped again.
        if recording.tree.exit() != Exit::Cut {
            let ticket = self.ticket();
            self.recorder.varying = Some((ticket, run));
            let (program, edits) = (self.program.clone(), recording.edits.clone());
            self.effects.push(Effect::Vary { ticket, program, edits });
        }
        self.truth.arrived(run, recording);
        if self.timeline.present().is_none() {
            self.begin();
        }
        self.judge_all();
        self.show_verdict();
    }

    pub(super) fn varied(
        &mut self,
        ticket: Ticket,
        result: Result<Option<Arc<Recording>>, OracleError>,
    ) {
        let Some((_, run)) = self.recorder.varying.filter(|(t, _)| *t == ticket) else { return };
        self.recorder.varying = None;
        if let Ok(Some(other)) = result {
            self.truth.vary(run, &other);
            self.judge_all();
        }
        self.record_next();
    }
}
