//! What a person has answered to a program that reads, for each run of it; and what is recorded
//! meanwhile.
//!
//! A program runs several times (with another seed, with an edited variable, for a check): only
//! what no run has read before is asked for. Must not know: who shows a question.

use crate::cpython::{Attendant, Error};
use crate::oracle::{Control, Progress};
use crate::trace::Recording;
use std::sync::{Arc, Mutex, PoisonError};

/// The lines given so far, in order; `None`, always the last, ended the input.
#[derive(Debug, Default)]
pub struct Answers(Mutex<Vec<Option<String>>>);

impl Answers {
    /// For one run. With no `control` nobody is asked: beyond what was given, the input ends.
    pub fn run<'a>(&'a self, control: Option<&'a Control>) -> impl Attendant + 'a {
        Run { answers: self, control }
    }
}

struct Run<'a> {
    answers: &'a Answers,
    control: Option<&'a Control>,
}

impl Attendant for Run<'_> {
    fn line(&self, number: usize, prompt: &str) -> Result<Option<String>, Error> {
        // Held while a question is open: a run beside this one waits for the same answer.
        let mut given = self.answers.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = given.last().is_some_and(Option::is_none);
        match (given.get(number), self.control) {
            (Some(line), _) => Ok(line.clone()),
            (None, Some(control)) if !ended => {
                let line = control.ask(prompt).map_err(|_| Error::Cancelled)?;
                given.push(line.clone());
                Ok(line)
            }
            (None, _) => Ok(None),
        }
    }

    fn so_far(&self, recording: Recording) {
        if let Some(control) = self.control {
            control.report(Progress::Recorded(Arc::new(recording)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Progress;
    use crossbeam_channel::unbounded;

    #[test]
    fn a_line_is_asked_for_once_however_many_runs_read_it() {
        let answers = Answers::default();
        let (sender, receiver) = unbounded();
        let asked = Arc::new(Mutex::new(0));
        let count = asked.clone();
        let sink = Arc::new(move |_: Progress| *count.lock().unwrap() += 1);
        let control = Control::new(Arc::default(), sink).answered(receiver);
        for line in [Some("Ada"), Some("36"), None] {
            sender.send(line.map(String::from)).unwrap();
        }
        // Which run reads it, whether that may ask, the number; then what is read.
        let table = [
            (true, 0, Some("Ada")),
            (false, 0, Some("Ada")),
            (false, 1, None),
            (true, 0, Some("Ada")),
            (true, 1, Some("36")),
            (false, 1, Some("36")),
            (true, 2, None),
            (true, 2, None),
            (true, 3, None),
        ];
        for (step, (asks, number, line)) in table.into_iter().enumerate() {
            let run = answers.run(asks.then_some(&control));
            assert_eq!(run.line(number, "").unwrap().as_deref(), line, "{step}");
        }
        assert_eq!(*asked.lock().unwrap(), 3);
        drop(sender);
        let fresh = Answers::default();
        assert!(matches!(fresh.run(Some(&control)).line(0, ""), Err(Error::Cancelled)));
    }
}
