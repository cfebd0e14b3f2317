//! `eval states`: moves asked at points of recorded runs, and whole runs on the oracle's
//! own states.
//!
//! Must not know: files, terminals.

use super::ask::{Reply, chained, direct};
use super::report::{Report, Slice, Way};
use super::score::{Score, judge};
use super::walk::{ASKED, Question, Walk, questions};
use crate::dataset::random::Random;
use crate::oracle::{Answer, Oracle, OracleError};
use crate::program::Program;
use crate::program::construct::constructs;
use crate::trace::{Action, Direction, Event, Outcome, StateTree};
use std::sync::Arc;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Questions per action and program.
    pub samples: usize,
    /// The same seed and recordings give the same questions, whoever is asked.
    pub seed: u64,
    /// Longest jump, in states, that is chained of single steps; longer ones are left out
    /// and counted.
    pub chain: usize,
    /// How many short programs are also run on the oracle's own states.
    pub free: u64,
}

/// Why an evaluation ends.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The oracle failed, or refused what it says it can.
    #[error("the model could not be asked: {0}")]
    Oracle(#[from] OracleError),
}

/// An evaluation at work. History is *guided*: before every question stand the true states,
/// from the run's first state (backwards: from its last) to the point asked about, as far
/// as the oracle's window takes them.
pub struct States<'a> {
    oracle: &'a mut dyn Oracle,
    options: Options,
    report: Report,
}

impl<'a> States<'a> {
    /// An evaluation of an oracle.
    pub fn new(oracle: &'a mut dyn Oracle, options: Options) -> Self {
        let can = oracle.capabilities();
        let report = Report::new(oracle.label(), can.dialect, options.seed);
        States { oracle, options, report }
    }

    /// Asks about a recorded program. `number` stands for it in the draw. Returns whether
    /// the oracle takes the program; those it does not are only counted.
    ///
    /// # Errors
    /// See [`EvalError`].
    pub fn program(
        &mut self,
        number: u64,
        program: &Program,
        tree: &StateTree,
    ) -> Result<bool, EvalError> {
        match self.oracle.accepts(program) {
            Ok(()) => {}
            Err(OracleError::Limit(_)) => {
                self.report.refused_programs += 1;
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        }
        let program = Arc::new(program.clone());
        let mut random = Random::new(self.options.seed, number);
        let directions = self.oracle.capabilities().directions;
        for direction in [Direction::Forward, Direction::Inverse] {
            let Some(walk) = Walk::new(tree, direction) else { return Ok(false) };
            let drawn = questions(&walk, (&program, tree), self.options.samples, &mut random);
            if !directions.contains(&direction) {
                continue;
            }
            for question in &drawn {
                self.question(&program, &walk, question)?;
            }
            let ended = walk.outcome(walk.len()) != Outcome::Exit(crate::trace::Exit::Cut);
            let wanted = self.report.free.programs < self.options.free;
            if direction == Direction::Forward && wanted && ended && is_short(&program) {
                self.free(&program, &walk)?;
            }
        }
        self.report.programs += 1;
        Ok(true)
    }

    /// What came out.
    pub fn finish(self) -> Report {
        self.report
    }

    fn question(
        &mut self,
        program: &Arc<Program>,
        walk: &Walk,
        question: &Question,
    ) -> Result<(), EvalError> {
        let Question { action, history, ref ask, steps } = *question;
        let Some(segment) = walk.segment(history) else { return Ok(()) };
        let way = if self.oracle.capabilities().direct(ask) { Way::Direct } else { Way::Chained };
        let reply = match way {
            Way::Direct => direct(self.oracle, program, &segment, ask)?,
            Way::Chained if steps > self.options.chain => {
                self.report.too_far += 1;
                return Ok(());
            }
            Way::Chained => chained(self.oracle, program, segment, walk.step(), steps)?,
        };
        let real = walk.outcome(history + steps);
        // By single steps a place is as certain as by one.
        let asked = if way == Way::Direct { ask } else { walk.step() };
        let score = judge(reply.answer(), asked, &real);
        let mut slices = vec![Slice::All];
        if ask.action == Action::StepInto {
            let short = is_short(program);
            slices.push(if short { Slice::Short } else { Slice::Long });
            slices.push(Slice::Next(what(&real)));
            slices.extend(
                walk.about_to_run(history)
                    .into_iter()
                    .flat_map(|loc| constructs(program, loc).into_iter().map(Slice::At)),
            );
        } else {
            slices.push(Slice::horizon(steps));
        }
        for slice in slices {
            self.report.row(action, way, slice).add(&score, &reply);
        }
        if ASKED.first() == Some(&(ask.direction, ask.action)) {
            self.calibrate(&reply, &score);
        }
        Ok(())
    }

    fn calibrate(&mut self, reply: &Reply, score: &Score) {
        let confidence = match reply.answer() {
            Some(Answer::State(prediction)) => prediction.confidence.as_ref().map(|c| c.all()),
            Some(Answer::Exit { confidence, .. }) => *confidence,
            _ => None,
        };
        if let (Some(confidence), Some(right)) = (confidence, score.whole) {
            self.report.calibration.add(confidence, right);
        }
    }

    /// The whole run from its first state by single steps on the oracle's own states: how far
    /// it is right, and whether the entry returns the right value all the same.
    fn free(&mut self, program: &Arc<Program>, walk: &Walk) -> Result<(), EvalError> {
        let Some(mut segment) = walk.segment(0) else { return Ok(()) };
        let returned = walk.returned();
        let (mut right, mut wrong, mut value) = (0, false, false);
        // one that goes astray may take another way to its end, but not for ever
        for at in 1..=2 * walk.len() {
            if wrong && returned.is_none() || right == walk.len() {
                break;
            }
            let reply = direct(self.oracle, program, &segment, walk.step())?;
            wrong |= judge(reply.answer(), walk.step(), &walk.outcome(at)).whole == Some(false);
            right += usize::from(!wrong);
            let Reply::Answer(Answer::State(prediction)) = reply else { break };
            if let Some(real) = &returned
                && prediction.state.event == Event::Return
                && prediction.state.depth == real.depth
            {
                let answer = Answer::State(prediction.clone());
                let real = Outcome::State(real.clone());
                value = judge(Some(&answer), walk.step(), &real).arg != Some(false);
            }
            segment.steps.push((walk.step().clone(), prediction.state));
        }
        let free = &mut self.report.free;
        free.programs += 1;
        free.right += u64::from(right == walk.len());
        free.states += walk.len() as u64;
        free.states_right += right as u64;
        free.returning += u64::from(returned.is_some());
        free.returned_right += u64::from(value);
        Ok(())
    }
}

/// Programs of at most this many lines are reported on their own.
pub(super) const SHORT: usize = 15;

fn is_short(program: &Program) -> bool {
    program.files.iter().map(|file| file.lines.len()).sum::<usize>() <= SHORT
}

/// What the truth is, in one word.
fn what(real: &Outcome) -> &'static str {
    match real {
        Outcome::Exit(_) => "exit",
        Outcome::State(state) => match (state.event, state.suspension) {
            (Event::Call, true) => "resume",
            (Event::Return, true) => "yield",
            (event, _) => event.name(),
        },
    }
}
