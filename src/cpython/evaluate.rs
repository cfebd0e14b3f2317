//! Expressions over values read from their text, on an interpreter that stays warm.
//!
//! The program's code, its folder and site packages are out of reach. Must not know:
//! programs, recordings.

use super::interpreter::{Bounds, Ended, GRACE, Interpreter, Sink, Written};
use super::protocol::{self, Line};
use super::{Error, Limits, Python, sandbox};
use crate::trace::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How long an expression may take.
const SECONDS: f64 = 3.0;

/// Evaluates expressions; starts its interpreter at the first.
#[derive(Default)]
pub struct Evaluator {
    python: Option<PathBuf>,
    interpreter: Option<Interpreter>,
}

impl Evaluator {
    /// With this interpreter, else the one [`Python::find`] finds.
    pub fn new(python: Option<PathBuf>) -> Self {
        Evaluator { python, interpreter: None }
    }

    /// The value's text under the recording's rules. Literals are themselves, and
    /// `Type(attr=…)` has those attributes; of anything else only the text is known, and
    /// using it is an error that says so.
    ///
    /// # Errors
    /// [`Error::Raised`] with the Python exception; else see [`Error`].
    pub fn evaluate(
        &mut self,
        expression: &str,
        locals: &[(Arc<str>, Value)],
        cancel: &AtomicBool,
    ) -> Result<Value, Error> {
        let interpreter = match &mut self.interpreter {
            Some(warm) if warm.usable() => warm,
            none => {
                let python = Python::find(self.python.as_deref())?;
                none.insert(Interpreter::bare(&python)?)
            }
        };
        let limits = Limits::default();
        let job = protocol::Evaluate {
            expression,
            locals: locals.iter().map(|(name, value)| (&**name, value.text())).collect(),
            limits: protocol::Limits {
                events: 0,
                seconds: SECONDS,
                bytes: 1 << 20,
                output: 0,
                memory: limits.memory,
                strict: true,
                processes: sandbox::processes(),
                filter: sandbox::filters(),
            },
            value_chars: limits.chars,
        };
        let bounds = Bounds { seconds: SECONDS + GRACE, bytes: 1 << 20, pipes: false };
        let mut answer = Answer::default();
        let ended = interpreter.job(&job, bounds, cancel, &mut answer)?;
        match (answer.0, ended) {
            (Some(Ok(text)), _) => Ok(Value(text.into())),
            (Some(Err(error)), _) => Err(Error::Raised(error)),
            (None, Ended::Late | Ended::Stuck) => {
                Err(Error::Raised(format!("took more than {SECONDS} s")))
            }
            (None, _) => Err(Error::Raised("the interpreter ended without an answer".into())),
        }
    }
}

/// The one line of an evaluation.
#[derive(Default)]
struct Answer(Option<Result<String, String>>);

impl Sink for Answer {
    fn line(&mut self, line: Line) {
        match line {
            Line::Value { text: Some(text), .. } => self.0 = Some(Ok(text)),
            Line::Value { error, .. } => self.0 = Some(Err(error.unwrap_or_default())),
            _ => {}
        }
    }

    fn written(&mut self, _: Written) -> bool {
        true
    }
}
