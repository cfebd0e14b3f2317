//! Starting again: from the first state, at another entry, with the file as it is now.
//!
//! Must not know: how a file is read (that is an effect), who predicts. A file that was edited
//! is another program: nothing that was predicted or recorded of the old one stays.

use super::message::{Effect, Question, Source, Ticket};
use super::view::LogKind;
use super::{OracleState, Session};
use super::{record, timeline, truth};
use crate::oracle::OracleError;
use crate::program::entry;
use std::sync::Arc;

/// What a restart waits for, and what it keeps.
#[derive(Debug, Default)]
pub(super) struct Restart {
    /// The file is being read; with the entry that was typed.
    reading: Option<(Ticket, Option<String>)>,
    /// The entry that was typed last: it counts for more than the file's own.
    entry: Option<String>,
}

impl Restart {
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    pub fn cancel(&mut self) -> bool {
        self.reading.take().is_some()
    }
}

impl Session {
    /// `restart [ENTRY]`: asks first if predictions would be lost, unless an entry is typed.
    pub(super) fn ask_restart(&mut self, entry: Option<String>) {
        match self.timeline.predictions() {
            lost @ 1.. if entry.is_none() => self.question = Some(Question::Restart(lost)),
            _ => self.read_again(entry),
        }
    }

    /// Asks for the program as its file is now; then the session starts again.
    pub(super) fn read_again(&mut self, entry: Option<String>) {
        let ticket = self.ticket();
        self.restart.reading = Some((ticket, entry));
        self.effects.push(Effect::Read { ticket });
    }

    /// The file was read; `None`: nobody reads it.
    pub(super) fn read(
        &mut self,
        ticket: Ticket,
        result: Result<Option<Box<Source>>, OracleError>,
    ) {
        let reading = self.restart.reading.take_if(|(expected, _)| *expected == ticket);
        let Some((_, entry)) = reading else { return };
        let hash = |files: &[crate::program::SourceFile]| files.first().map(|f| f.sha256.clone());
        let fresh = match result {
            Ok(source) => source.filter(|s| hash(&s.program.files) != hash(&self.program.files)),
            Err(why) => {
                self.say(LogKind::Error, format!("the program stays as it was read: {why}"));
                None
            }
        };
        if let Err(why) = self.start_again(entry, fresh) {
            self.say(LogKind::Error, why);
        }
    }

    /// Starts again from the first state, keeping breakpoints and watches, and the recordings
    /// where the program is the same.
    fn start_again(
        &mut self,
        typed: Option<String>,
        fresh: Option<Box<Source>>,
    ) -> Result<(), String> {
        let same = fresh.is_none() && typed.is_none();
        let mut program = match &fresh {
            Some(source) => source.program.clone(),
            None => (*self.program).clone(),
        };
        let refused = match &fresh {
            Some(source) => source.refused.is_some(),
            None => self.setup.refused.is_some(),
        };
        let entry = typed.or_else(|| self.restart.entry.clone());
        if let Some(text) = entry.filter(|_| !refused) {
            let file = program.files.first().ok_or("the program has no file")?;
            program.entry = entry::parse(&text, file).map_err(|error| error.to_string())?;
            self.restart.entry = Some(text);
        }
        if !same {
            if self.recorder.is_running() {
                self.effects.push(Effect::Cancel);
                self.reads.close();
            }
            let old = std::mem::replace(&mut self.program, Arc::new(program));
            if let Some(source) = fresh {
                let name = self.program.files.first().map_or("the file", |file| &file.name);
                self.say(LogKind::Note, format!("{name} has changed: it is read again"));
                for note in source.notes {
                    self.say(LogKind::Note, note);
                }
                if let Some(why) = &source.refused {
                    self.say(LogKind::Error, why.clone());
                }
                self.setup.refused = source.refused;
                self.rebind(&old);
            }
            self.truth = truth::Truth::default();
            self.replayed = None;
            self.recorder = record::Recorder::default();
            self.open(); // The model must accept it too.
        }
        self.timeline = timeline::Timeline::default();
        self.selected = None;
        self.listed = None;
        self.begin();
        if same {
            if matches!(self.oracle, OracleState::Ready(_)) {
                self.begin_with_oracle();
            }
        } else if self.setup.verify {
            self.describe(); // The consent was to run this program.
        }
        Ok(())
    }
}
