//! A file's outline by CPython's own parser, for files that the built-in one refuses.
//!
//! The file is parsed in a sandboxed interpreter, never executed. Must not know: what an
//! outline is used for.

use super::interpreter::{Bounds, Ended, GRACE, Interpreter, Sink, Written};
use super::protocol::{self, Failure, Line};
use super::{Error, Limits, Python, sandbox};
use crate::program::SourceFile;
use crate::program::outline::{Outline, Parts};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What runs inside CPython.
const SCRIPT: &str = include_str!("outline.py");

/// How long a file may take.
const SECONDS: f64 = 10.0;

/// Outlines a file with the user's Python (the one given, else as [`Python::find`]).
///
/// # Errors
/// [`Error::Syntax`] with the place if CPython refuses the file too; else see [`Error`].
pub fn outline(
    file: &SourceFile,
    python: Option<&Path>,
    cancel: &AtomicBool,
) -> Result<Outline, Error> {
    let mut interpreter = Interpreter::bare(&Python::find(python)?)?;
    let limits = Limits::default();
    let job = protocol::Outline {
        script: SCRIPT,
        text: super::record::text(file),
        name: &file.name,
        limits: protocol::Limits {
            events: 0,
            seconds: SECONDS,
            bytes: limits.bytes,
            output: 0,
            memory: limits.memory,
            strict: true,
            processes: sandbox::processes(),
            filter: sandbox::filters(),
        },
    };
    let bounds = Bounds { seconds: SECONDS + GRACE, bytes: limits.bytes, pipes: false };
    let mut answer = Answer::default();
    let ended = interpreter.job(&job, bounds, cancel, &mut answer)?;
    match (answer.0, ended) {
        (Some(Ok(parts)), _) => Outline::from_parts(parts, file.lines.len()).map_err(Error::Child),
        (Some(Err((Failure::Syntax, message))), _) => Err(Error::Syntax(message)),
        (Some(Err((_, message))), _) => Err(Error::Child(message)),
        (None, Ended::Late | Ended::Stuck) => {
            Err(Error::Child(format!("took more than {SECONDS} s")))
        }
        (None, _) => Err(Error::Child("it ended without an answer".into())),
    }
}

/// The one line of an outline.
#[derive(Default)]
struct Answer(Option<Result<Parts, (Failure, String)>>);

impl Sink for Answer {
    fn line(&mut self, line: Line) {
        match line {
            Line::Outline(parts) => self.0 = Some(Ok(*parts)),
            Line::Fail { kind, message } => self.0 = Some(Err((kind, message))),
            _ => {}
        }
    }

    fn written(&mut self, _: Written) -> bool {
        true
    }
}
