//! `eval cruxeval`: CruxEval's tasks (Gu et al. 2024, arXiv 2401.03065) by the debugger's own
//! moves, as the paper asks them (`research/paper.md` 1.5): a function's output by
//! `step_return` or at a breakpoint on the line that returns, its input by `inv_step_call`.
//!
//! What a state that is asked for is worth, a real run says: of a breakpoint, what the line
//! returns from the predicted variables; of predicted arguments, what the function returns.
//! Values are compared as everywhere here ([`same_value`]), which is a little stricter than the
//! data set's `assert`: `1` and `True` differ, and the order of a dict counts.
//!
//! Must not know: files, terminals, who runs programs.

mod report;
#[cfg(test)]
mod tests;

pub use report::{CruxReport, CruxRow, Task};

use super::ask::{Reply, direct};
use super::report::Way;
use super::states::EvalError;
use crate::oracle::{Answer, Control, Oracle, OracleError, Recorder};
use crate::program::{Entry, Program, SourceFile, entry};
use crate::trace::{
    Action, Direction, Event, Exit, Landing, Locals, Move, NodeId, Place, Recording, Segment,
    State, StateTree, StopAt, Value, restart, same_value,
};
use std::sync::Arc;

/// A line of the data set; further fields say nothing about the tasks.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Item {
    /// A function `f`.
    pub code: String,
    /// Its arguments, as they stand between the parentheses of a call.
    pub input: String,
    /// What it returns, as a repr.
    pub output: String,
}

/// An evaluation at work.
pub struct CruxEval<'a> {
    oracle: &'a mut dyn Oracle,
    recorder: &'a dyn Recorder,
    report: CruxReport,
}

/// What a real run says about an item.
struct Truth {
    program: Program,
    tree: StateTree,
    /// Where it returns, and what.
    returned: State,
    value: Value,
    /// Where the statement that returns begins: the state before it runs, if a breakpoint there
    /// stops at it and not before.
    stop: Option<State>,
}

/// What the function returns, and the state before the line that returns it.
type Found = (Option<Value>, Option<State>);

impl<'a> CruxEval<'a> {
    /// An evaluation of an oracle; the recorder runs the programs.
    pub fn new(oracle: &'a mut dyn Oracle, recorder: &'a dyn Recorder) -> Self {
        let report = CruxReport::new(oracle.label(), oracle.capabilities().dialect);
        CruxEval { oracle, recorder, report }
    }

    /// What came out.
    pub fn finish(self) -> CruxReport {
        self.report
    }

    /// Asks about one item. Those that a real run does not confirm, and those beyond the
    /// oracle's limits, are only counted.
    ///
    /// # Errors
    /// See [`EvalError`].
    pub fn item(&mut self, item: &Item) -> Result<(), EvalError> {
        let Some(truth) = self.truth(item) else {
            self.report.left_out += 1;
            return Ok(());
        };
        let backwards = Program {
            entry: Entry::Returns {
                function: truth.returned.function.to_string(),
                value: truth.value.to_string(),
                loc: Some(truth.returned.loc),
            },
            ..truth.program.clone()
        };
        for program in [&truth.program, &backwards] {
            match self.oracle.accepts(program) {
                Ok(()) => {}
                Err(OracleError::Limit(_)) => {
                    self.report.refused += 1;
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.report.items += 1;
        self.output(&truth)?;
        self.input(&truth, backwards)
    }

    fn truth(&self, item: &Item) -> Option<Truth> {
        // No file of any folder is called so.
        let (file, _) = SourceFile::from_text("<cruxeval>", &item.code);
        let entry = entry::parse(&format!("f({})", item.input), &file).ok()?;
        let program = Program { files: vec![file], entry };
        let tree = self.run(&program)?.tree;
        let returned = returned(&tree)?;
        let value = returned.arg.clone()?;
        if !same_value(&value, &Value::from(item.output.as_str())) {
            return None;
        }
        let stop = stop(&tree).map(|node| tree.state(node));
        Some(Truth { program, tree, returned, value, stop })
    }

    /// A real run, if there can be one.
    fn run(&self, program: &Program) -> Option<Recording> {
        let recording = self.recorder.record(program, &[], &Control::silent()).ok()?;
        (recording.tree.exit() == Exit::Normal && !recording.tree.is_empty()).then_some(recording)
    }

    fn output(&mut self, truth: &Truth) -> Result<(), EvalError> {
        let can = self.oracle.capabilities();
        if !can.directions.contains(&Direction::Forward) {
            return Ok(());
        }
        let program = Arc::new(truth.program.clone());
        let segment = Segment::new(Direction::Forward, Vec::new(), truth.tree.state(0));
        let ask = Move::forward(Action::StepReturn);
        if can.direct(&ask) {
            let reply = direct(self.oracle, &program, &segment, &ask)?;
            let right = state(&reply).and_then(returns).is_some_and(|value| truth.is(value));
            self.report.row(Task::Output, Way::Direct).add(right, right, &reply);
        }
        let stop = truth.stop.as_ref();
        if let Some(stop) = stop {
            let ask = Move::breakpoint(vec![StopAt { loc: stop.loc, call: false }]);
            if can.direct(&ask) {
                let reply = direct(self.oracle, &program, &segment, &ask)?;
                let there = state(&reply).filter(|state| is_at(state, stop));
                let (right, exact) = self.stopped(truth, stop, there);
                self.report.row(Task::Breakpoint, Way::Direct).add(right, exact, &reply);
            }
        }
        let ((value, there), last) = self.walk(truth, &program, segment)?;
        let right = value.is_some_and(|value| truth.is(&value));
        self.report.row(Task::Output, Way::Chained).add(right, right, &last);
        if let Some(stop) = stop {
            let (right, exact) = self.stopped(truth, stop, there.as_ref());
            self.report.row(Task::Breakpoint, Way::Chained).add(right, exact, &last);
        }
        Ok(())
    }

    /// Whether the line that returns gives the output from predicted variables, and whether
    /// these are the recorded ones.
    fn stopped(&self, truth: &Truth, stop: &State, there: Option<&State>) -> (bool, bool) {
        let Some(there) = there else { return (false, false) };
        if same_locals(there, stop) {
            return (true, true);
        }
        let entry = restart::line(there);
        let program = entry.map(|entry| Program { entry, ..truth.program.clone() });
        let value = program.and_then(|program| returned(&self.run(&program)?.tree)?.arg);
        (value.is_some_and(|value| truth.is(&value)), false)
    }

    /// Single steps on the oracle's own states, until the function returns.
    fn walk(
        &mut self,
        truth: &Truth,
        program: &Arc<Program>,
        mut segment: Segment,
    ) -> Result<(Found, Reply), EvalError> {
        let step = Move::forward(Action::StepInto);
        let (mut there, mut last) = (None, Reply::Early { malformed: false });
        // One that goes astray may take another way to its end, but not for ever.
        for _ in 0..2 * truth.tree.len() {
            last = direct(self.oracle, program, &segment, &step)?;
            let Some(now) = state(&last).cloned() else { break };
            if let Some(value) = returns(&now) {
                return Ok(((Some(value.clone()), there), last));
            }
            if there.is_none() && truth.stop.as_ref().is_some_and(|stop| is_at(&now, stop)) {
                there = Some(now.clone());
            }
            segment.steps.push((step.clone(), now));
        }
        Ok(((None, there), last))
    }

    fn input(&mut self, truth: &Truth, program: Program) -> Result<(), EvalError> {
        let can = self.oracle.capabilities();
        if !can.directions.contains(&Direction::Inverse) {
            return Ok(());
        }
        // Only the value is known, and where it was returned.
        let known = State { locals: None, ..truth.returned.clone() };
        let mut segment = Segment::new(Direction::Inverse, Vec::new(), known);
        let program = Arc::new(program);
        let call = Move::inverse(Action::StepCall);
        let (way, reply) = if can.direct(&call) {
            (Way::Direct, direct(self.oracle, &program, &segment, &call)?)
        } else {
            let step = Move::inverse(Action::StepInto);
            let mut reply = direct(self.oracle, &program, &segment, &step)?;
            for _ in 0..2 * truth.tree.len() {
                let Some(now) = state(&reply).filter(|now| !is_call(now)) else { break };
                segment.steps.push((step.clone(), now.clone()));
                reply = direct(self.oracle, &program, &segment, &step)?;
            }
            (Way::Chained, reply)
        };
        let guess = state(&reply).filter(|state| is_call(state));
        let exact = guess.is_some_and(|guess| same_locals(guess, &truth.tree.state(0)));
        let right = exact || guess.is_some_and(|guess| self.reproduces(truth, guess));
        self.report.row(Task::Input, way).add(right, exact, &reply);
        Ok(())
    }

    /// Whether the function, called with predicted arguments, returns the output.
    fn reproduces(&self, truth: &Truth, guess: &State) -> bool {
        let entry = restart::call(&truth.program, guess);
        let program = entry.map(|entry| Program { entry, ..truth.program.clone() });
        let value = program.and_then(|program| returned(&self.run(&program)?.tree)?.arg);
        value.is_some_and(|value| truth.is(&value))
    }
}

impl Truth {
    fn is(&self, value: &Value) -> bool {
        same_value(value, &self.value)
    }
}

/// The state of an answer that is one.
fn state(reply: &Reply) -> Option<&State> {
    match reply.answer()? {
        Answer::State(prediction) => Some(&prediction.state),
        Answer::Exit { .. } | Answer::Malformed { .. } => None,
    }
}

/// What the entry returns in a state, if it does.
fn returns(state: &State) -> Option<&Value> {
    let returns = state.event == Event::Return && !state.suspension && state.depth == 0;
    state.arg.as_ref().filter(|_| returns)
}

fn is_call(state: &State) -> bool {
    state.event == Event::Call && !state.suspension && state.depth == 0
}

/// Whether a state stops where another does.
fn is_at(state: &State, stop: &State) -> bool {
    (state.event, state.loc, state.depth) == (stop.event, stop.loc, stop.depth)
}

/// The state in which the entry's frame returns its value.
fn returned(tree: &StateTree) -> Option<State> {
    let last = tree.last_of_level(0)?;
    Some(tree.state(last)).filter(|state| returns(state).is_some())
}

/// The last line of the entry's frame, if a breakpoint on it stops there first.
fn stop(tree: &StateTree) -> Option<NodeId> {
    let line = |node: &NodeId| tree.event(*node) == Event::Line && tree.depth(*node) == 0;
    let last = (0..tree.len() as NodeId).rev().find(line)?;
    let ask = Move::breakpoint(vec![StopAt { loc: tree.loc(last), call: false }]);
    let first = tree.go(Some(Place::At(0)), &ask)?;
    (first == Landing::At(Place::At(last))).then_some(last)
}

fn same_locals(mine: &State, real: &State) -> bool {
    let (Some(mine), Some(real)) = (&mine.locals, &real.locals) else { return false };
    let same = |(name, value): (&Arc<str>, &Value)| {
        real.get(name).is_some_and(|real| same_value(value, real))
    };
    Locals::len(mine) == real.len() && mine.iter().all(same)
}
