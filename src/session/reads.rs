//! What a program reads while it is recorded: asked of the person, answered, told.
//!
//! Must not know: who records, who keeps answers for the next run.

use super::Session;
use super::message::{Effect, Question, Ticket};
use super::view::LogKind;
use crate::trace::Recording;

/// The lines that the present recording has asked for.
#[derive(Debug, Default)]
pub(super) struct Reads {
    open: Option<(Ticket, Question)>,
    answered: usize,
}

impl Reads {
    /// The open question.
    pub fn question(&self) -> Option<&Question> {
        self.open.as_ref().map(|(_, question)| question)
    }

    /// Another run begins.
    pub fn start(&mut self) {
        *self = Reads::default();
    }

    /// The run that asked is over.
    pub fn close(&mut self) {
        self.open = None;
    }
}

impl Session {
    /// A program that runs for this request waits for a line.
    pub(super) fn program_reads(&mut self, ticket: Ticket, prompt: String) {
        if self.awaits(ticket) {
            self.reads.open = Some((ticket, Question::Reads(prompt)));
        } else {
            self.effects.push(Effect::Answer { ticket, line: None });
        }
    }

    /// The person's answer to [`Question::Reads`]: a line, or the end of the program's input.
    pub fn enter(&mut self, line: Option<String>) -> Vec<Effect> {
        if let Some((ticket, question)) = self.reads.open.take() {
            self.reads.answered += usize::from(line.is_some());
            let text = match &line {
                Some(line) => format!("{} {line}", question.text()),
                None => format!("{} (its input ends here)", question.text()),
            };
            self.say(LogKind::Note, text);
            self.effects.push(Effect::Answer { ticket, line });
        }
        self.pump()
    }

    /// Says what a recording has read that the person gave to an earlier one.
    pub(super) fn say_repeated(&mut self, recording: &Recording) {
        let read = recording.output.iter().filter(|piece| piece.stream == "stdin");
        let lines: Vec<&str> = read.flat_map(|piece| piece.text.lines()).collect();
        let again = lines.len().saturating_sub(self.reads.answered);
        if again > 0 {
            let lines: Vec<String> = lines.iter().take(again).map(|l| format!("'{l}'")).collect();
            let text = format!("the program read what was answered before: {}", lines.join(", "));
            self.say(LogKind::Note, text);
        }
    }
}
