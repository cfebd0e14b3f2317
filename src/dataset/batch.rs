//! Batch files: programs and their recordings, one after the other.
//!
//! ```text
//! {"program":{"code":"def f(x):\n    …","entry":"f(3)"}}
//! {"header":…}        a recording, as `trace` describes it
//! {"state":…} …
//! {"end":…}
//! {"program":…} …
//! ```
//!
//! A program line without a recording after it (it could not be recorded) is skipped.
//! Must not know: tokens, threads.

use crate::program::{Entry, Program, SourceFile};
use crate::trace::{ReadLimits, Recording, RecordingError, read_recording};
use std::io::{self, BufRead};

/// One program and its recording, as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// Number in the input, from 0, whatever is skipped.
    pub number: u64,
    /// The program line.
    program: Vec<u8>,
    /// The recording's lines.
    recording: Vec<u8>,
}

/// Splits a batch file into items, without reading what is in them.
#[derive(Debug)]
pub struct Items<R> {
    from: R,
    next: u64,
    /// The program line already read.
    ahead: Vec<u8>,
}

impl<R: BufRead> Items<R> {
    /// The items of a stream; the first gets this number.
    pub fn new(from: R, first: u64) -> Self {
        Items { from, next: first, ahead: Vec::new() }
    }
}

impl<R: BufRead> Iterator for Items<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut item = Item { number: self.next, ..Item::default() };
        std::mem::swap(&mut item.program, &mut self.ahead);
        let mut line = Vec::new();
        loop {
            line.clear();
            match self.from.read_until(b'\n', &mut line) {
                Err(error) => return Some(Err(error)),
                Ok(0) if item.program.is_empty() => return None,
                Ok(0) => break,
                Ok(_) if !line.starts_with(b"{\"program\":") => item.recording.extend(&line),
                Ok(_) if item.program.is_empty() => item.program = line.clone(),
                Ok(_) => {
                    self.ahead = line;
                    break;
                }
            }
        }
        self.next += 1;
        Some(Ok(item))
    }
}

/// Why an item is no program with a recording.
#[derive(Debug, thiserror::Error)]
pub enum ItemError {
    /// The program line is not one.
    #[error("program {0}: {1}")]
    Program(u64, serde_json::Error),
    /// The recording is not one.
    #[error("program {0}: recording: {1}")]
    Recording(u64, RecordingError),
}

#[derive(serde::Deserialize)]
struct ProgramLine {
    program: Fields,
}

/// Further fields (a family's name) say nothing about the run.
#[derive(serde::Deserialize)]
struct Fields {
    code: String,
    /// A call expression; none or `<module>`: the module itself.
    entry: Option<String>,
}

impl Fields {
    fn program(self) -> Program {
        let (file, _) = SourceFile::from_text("program.py", &self.code);
        let entry = match self.entry.as_deref() {
            None | Some("<module>") => Entry::Module,
            Some(expression) => Entry::Call {
                function: expression.split('(').next().unwrap_or_default().trim().to_owned(),
                expression: expression.to_owned(),
            },
        };
        Program { files: vec![file], entry }
    }
}

impl Item {
    /// Reads what is in it; `None` if there is no recording.
    ///
    /// # Errors
    /// See [`ItemError`].
    pub fn read(&self) -> Result<Option<(Program, Recording)>, ItemError> {
        if self.recording.is_empty() {
            return Ok(None);
        }
        let line: ProgramLine = serde_json::from_slice(&self.program)
            .map_err(|error| ItemError::Program(self.number, error))?;
        let recording = read_recording(self.recording.as_slice(), ReadLimits::default())
            .map_err(|error| ItemError::Recording(self.number, error))?;
        Ok(Some((line.program.program(), recording)))
    }
}
