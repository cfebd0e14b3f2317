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
//! `"never":true` in a program says that it was built to loop for ever. A program line without a recording after it (it could not be recorded) is skipped.
//! Must not know: tokens, threads.

use crate::program::{Entry, Program, SourceFile, entry};
use crate::trace::{ReadLimits, Recording, RecordingError, read_recording};
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

/// One program and its recording, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Number in the input, from 0, whatever is skipped.
    pub number: u64,
    /// The file it is in, for messages.
    pub file: Arc<Path>,
    /// Line of the file that it begins at, from 1.
    pub line: u64,
    /// The program line.
    program: Vec<u8>,
    /// The recording's lines.
    recording: Vec<u8>,
}

/// Splits a batch file into items, without reading what is in them.
#[derive(Debug)]
pub struct Items<R> {
    from: R,
    file: Arc<Path>,
    number: u64,
    /// Lines read.
    lines: u64,
    /// The program line already read.
    ahead: Vec<u8>,
}

impl<R: BufRead> Items<R> {
    /// The items of a file; the first gets this number.
    pub fn new(from: R, file: &Path, first: u64) -> Self {
        Items { from, file: file.into(), number: first, lines: 0, ahead: Vec::new() }
    }
}

impl<R: BufRead> Iterator for Items<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut program = std::mem::take(&mut self.ahead);
        let (start, mut recording) = (self.lines.max(1), Vec::new());
        loop {
            let before = recording.len();
            match self.from.read_until(b'\n', &mut recording) {
                Err(error) => return Some(Err(error)),
                Ok(0) if program.is_empty() && before == 0 => return None,
                Ok(0) => break,
                Ok(_) => self.lines += 1,
            }
            let line = recording.get(before..).unwrap_or_default();
            if !line.starts_with(b"{\"program\":") {
                continue;
            }
            let line = recording.split_off(before);
            if program.is_empty() && recording.is_empty() {
                program = line;
            } else {
                self.ahead = line;
                break;
            }
        }
        self.number += 1;
        let file = self.file.clone();
        Some(Ok(Item { number: self.number - 1, file, line: start, program, recording }))
    }
}

/// Why an item is no program with a recording.
#[derive(Debug, thiserror::Error)]
pub enum ItemError {
    /// The program line is not one.
    #[error("line {line}: no program: {source}")]
    Program {
        /// 1-based line of the file.
        line: u64,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The recording is not one.
    #[error("below line {line}: {source}")]
    Recording {
        /// 1-based line of the program.
        line: u64,
        /// What is wrong; its lines are counted from the program's.
        source: RecordingError,
    },
}

#[derive(serde::Deserialize)]
struct ProgramLine {
    program: Fields,
}

/// Further fields (a family's name) say nothing about the run.
#[derive(serde::Deserialize)]
struct Fields {
    code: String,
    /// A call expression; none: the module itself.
    entry: Option<String>,
    /// It was built to loop for ever.
    #[serde(default)]
    never: bool,
}

/// A program and what CPython did with it.
#[derive(Debug)]
pub struct Run {
    /// The program.
    pub program: Program,
    /// Its recording.
    pub recording: Recording,
    /// Whether the input says that it was built to loop for ever: where its recording was cut,
    /// more of the same follows.
    pub never: bool,
}

/// What an item holds.
#[derive(Debug)]
pub enum Content {
    /// A program with its recording.
    Run(Box<Run>),
    /// Nothing to learn from, and why.
    Nothing(String),
}

impl Item {
    /// Reads what is in it.
    ///
    /// # Errors
    /// See [`ItemError`].
    pub fn read(&self) -> Result<Content, ItemError> {
        let program = serde_json::from_slice::<ProgramLine>(&self.program);
        let Fields { code, entry, never } = match program {
            Ok(line) => line.program,
            Err(source) => return Err(ItemError::Program { line: self.line, source }),
        };
        if self.recording.is_empty() {
            return Ok(Content::Nothing("not recorded".to_owned()));
        }
        let (file, _) = SourceFile::from_text("program.py", &code);
        let entry = match entry.map(|text| entry::parse(&text, &file)).transpose() {
            Ok(entry) => entry.unwrap_or(Entry::Module),
            Err(_) => return Ok(Content::Nothing("entry not understood".to_owned())),
        };
        let recording = read_recording(self.recording.as_slice(), ReadLimits::default())
            .map_err(|source| ItemError::Recording { line: self.line, source })?;
        let program = Program { files: vec![file], entry };
        Ok(Content::Run(Box::new(Run { program, recording, never })))
    }
}
