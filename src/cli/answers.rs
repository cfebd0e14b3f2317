//! What a person has answered to a program that reads, for each run of it; and what is recorded
//! meanwhile.
//!
//! A program runs several times (with another seed, with an edited variable, for a check): only
//! what no run has read before is asked for. Must not know: who shows a question.

use crate::cpython::{Attendant, Error};
use crate::oracle::{Control, Progress};
use crate::trace::Recording;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a run that waits for another's question looks whether it is cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// The lines given so far, in order; `None`, always the last, ended the input.
#[derive(Debug, Default)]
pub struct Answers {
    given: Mutex<Given>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Given {
    lines: Vec<Option<String>>,
    /// A question is open: a run beside the one that asks waits for the same answer.
    asking: bool,
}

impl Answers {
    /// For one run. Only one that `asks` does so: else the input ends beyond what was given.
    pub fn run<'a>(&'a self, control: &'a Control, asks: bool) -> impl Attendant + 'a {
        Run { answers: self, control, asks }
    }

    /// Where nobody is there to be asked: the input is empty.
    pub fn none() -> Self {
        let given = Given { lines: vec![None], asking: false };
        Answers { given: Mutex::new(given), changed: Condvar::new() }
    }

    fn given(&self) -> MutexGuard<'_, Given> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Run<'a> {
    answers: &'a Answers,
    control: &'a Control,
    asks: bool,
}

impl Attendant for Run<'_> {
    fn line(&self, number: usize, prompt: &str) -> Result<Option<String>, Error> {
        let mut given = self.answers.given();
        loop {
            let ended = given.lines.last().is_some_and(Option::is_none);
            match given.lines.get(number) {
                Some(line) => return Ok(line.clone()),
                None if ended => return Ok(None),
                None if !given.asking => break,
                None if self.control.cancelled() => return Err(Error::Cancelled),
                None => {
                    let waited = self.answers.changed.wait_timeout(given, LOOK);
                    given = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        if !self.asks {
            return Ok(None);
        }
        given.asking = true;
        drop(given);
        let answer = self.control.ask(prompt);
        let mut given = self.answers.given();
        given.asking = false;
        self.answers.changed.notify_all();
        let line = answer.map_err(|_| Error::Cancelled)?;
        given.lines.push(line.clone());
        Ok(line)
    }

    fn so_far(&self, recording: Recording) {
        if self.asks {
            self.control.report(Progress::Recorded(Arc::new(recording)));
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
            let run = answers.run(&control, asks);
            assert_eq!(run.line(number, "").unwrap().as_deref(), line, "{step}");
        }
        assert_eq!(*asked.lock().unwrap(), 3);
        drop(sender);
        let fresh = Answers::default();
        assert!(matches!(fresh.run(&control, true).line(0, ""), Err(Error::Cancelled)));
    }

    #[test]
    fn a_run_beside_one_that_asks_waits_for_its_answer_and_can_be_cancelled() {
        let answers = Answers::default();
        let (sender, receiver) = unbounded();
        let (open, opened) = unbounded();
        let sink = Arc::new(move |_: Progress| open.send(()).unwrap());
        let asking = Control::new(Arc::default(), sink).answered(receiver);
        std::thread::scope(|scope| {
            let first = scope.spawn(|| answers.run(&asking, true).line(0, "? ").unwrap());
            opened.recv().unwrap();
            let cancelled = Control::silent();
            cancelled.flag().store(true, std::sync::atomic::Ordering::Relaxed);
            let beside = answers.run(&cancelled, true).line(0, "? ");
            assert!(matches!(beside, Err(Error::Cancelled)));
            let second =
                scope.spawn(|| answers.run(&Control::silent(), false).line(0, "? ").unwrap());
            sender.send(Some("Ada".into())).unwrap();
            assert_eq!(first.join().unwrap().as_deref(), Some("Ada"));
            assert_eq!(second.join().unwrap().as_deref(), Some("Ada"));
        });
    }
}
