//! The session's ports to real CPython.
//!
//! Nothing starts before it is asked for: looking for an interpreter costs a process.

use super::answers::Answers;
use super::failure::Failure;
use crate::cpython;
use crate::oracle::{
    Control, Evaluator, Oracle, OracleError, OracleFactory, Recorder, ReplayOracle,
};
use crate::program::Program;
use crate::trace::{Edit, Recording, Value};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Whose fault it is that CPython gave no recording: the program's, or CPython's own.
#[derive(Debug, Default)]
pub struct Fault(AtomicBool);

impl Fault {
    /// What the last failure was, as a command's.
    pub fn failure(&self, why: &str) -> Failure {
        match self.0.load(Ordering::Relaxed) {
            true => Failure::usage(why),
            false => Failure::unusable(why),
        }
    }

    fn told(&self, error: cpython::Error) -> OracleError {
        self.0.store(Failure::of(&error).code == Failure::USAGE, Ordering::Relaxed);
        told(error)
    }
}

/// Records with the user's Python.
pub struct CpythonRecorder {
    /// Interpreter, bounds, sandbox, arguments.
    pub options: cpython::Options,
    /// Is told of failures.
    pub fault: Arc<Fault>,
    /// What somebody has answered whom the program asked, if anybody is there.
    pub answers: Answers,
}

impl CpythonRecorder {
    /// One run; only with `ask` may it ask for what no run has read yet.
    fn run(
        &self,
        program: &Program,
        options: &cpython::Options,
        edits: &[Edit],
        control: &Control,
        ask: bool,
    ) -> Result<Recording, cpython::Error> {
        let input = self.answers.run(control, ask);
        cpython::record_attended(program, options, edits, &input, control.flag())
    }
}

impl Recorder for CpythonRecorder {
    fn describe(&self) -> Result<String, OracleError> {
        let what = cpython::describe(&self.options).map_err(|e| self.fault.told(e))?;
        Ok(format!("{what}; it runs twice, to see what differs from run to run"))
    }

    fn record(
        &self,
        program: &Program,
        edits: &[Edit],
        control: &Control,
    ) -> Result<Recording, OracleError> {
        let recorded = self.run(program, &self.options, edits, control, true);
        recorded.map_err(|error| self.fault.told(error))
    }

    fn record_varied(
        &self,
        program: &Program,
        edits: &[Edit],
        control: &Control,
    ) -> Result<Option<Recording>, OracleError> {
        let options = self.options.varied();
        // What only differs from run to run is not worth a question.
        self.run(program, &options, edits, control, false).map(Some).map_err(told)
    }
}

/// Evaluates with the user's Python, without the program.
pub struct CpythonEvaluator(Mutex<cpython::Evaluator>);

impl CpythonEvaluator {
    /// With this interpreter, else the one that is found.
    pub fn new(python: Option<PathBuf>) -> Self {
        CpythonEvaluator(Mutex::new(cpython::Evaluator::new(python)))
    }
}

impl Evaluator for CpythonEvaluator {
    fn evaluate(
        &self,
        expression: &str,
        locals: &[(Arc<str>, Value)],
        control: &Control,
    ) -> Result<Value, OracleError> {
        let mut evaluator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        evaluator.evaluate(expression, locals, control.flag()).map_err(told)
    }
}

fn told(error: cpython::Error) -> OracleError {
    match error {
        cpython::Error::Cancelled => OracleError::Cancelled,
        cpython::Error::Unsupported(why) => OracleError::Unsupported(why),
        error => OracleError::Failed(error.to_string()),
    }
}

/// A recording that was made before, in place of a run.
pub struct RecordingFile(pub Arc<Recording>);

impl Recorder for RecordingFile {
    fn describe(&self) -> Result<String, OracleError> {
        Ok(format!("a recording by Python {} is read; nothing runs", self.0.python))
    }

    fn record(&self, _: &Program, edits: &[Edit], _: &Control) -> Result<Recording, OracleError> {
        match edits {
            [] => Ok((*self.0).clone()),
            _ => {
                Err(OracleError::Unsupported("a recording cannot be run again with an edit".into()))
            }
        }
    }
}

/// Oracles that replay the real execution, which is recorded when one is opened.
pub struct Replays {
    /// Who records.
    pub recorder: Arc<dyn Recorder>,
}

impl OracleFactory for Replays {
    fn open(&self, program: &Program, control: &Control) -> Result<Box<dyn Oracle>, OracleError> {
        let (recorder, program) = (self.recorder.clone(), program.clone());
        let record = move |control: &Control| recorder.record(&program, &[], control);
        Ok(Box::new(ReplayOracle::growing(record, control)?))
    }

    fn replay(&self, recording: Arc<Recording>) -> Box<dyn Oracle> {
        Box::new(ReplayOracle::new(recording))
    }
}
