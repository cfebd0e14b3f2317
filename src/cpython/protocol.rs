//! What goes over the wire to the tracer and back: one JSON object a line.
//!
//! Must not know: processes, trees. Jobs go in; lines come out until [`Line::Done`].

use crate::program::outline::Parts;
use crate::trace::Edit;
use serde::{Deserialize, Serialize};

/// The protocol's version; the child says its own in [`Line::Hello`].
pub const VERSION: u32 = 1;

/// A program to record.
#[derive(Debug, Serialize)]
pub struct Record<'a> {
    pub files: Vec<File<'a>>,
    pub argv: &'a [String],
    /// What the program reads.
    pub stdin: Option<&'a str>,
    /// Without `stdin`: whether each line that it reads is asked for by [`Line::Ask`].
    pub ask: bool,
    /// `sys.path[0]`.
    pub path: String,
    /// The package that the first file is a module of.
    pub package: Option<Package>,
    /// Dotted; it is run as `python -m` does.
    pub module: Option<&'a str>,
    pub cwd: String,
    pub entry: Entry<'a>,
    pub limits: Limits,
    pub edits: &'a [Edit],
    pub value_chars: u32,
    /// Load what short programs import once and for all: for a batch.
    pub warm: bool,
    pub seed: u32,
}

/// What the program reads next, after [`Line::Ask`].
#[derive(Debug, Serialize)]
pub struct Answer {
    /// A line without its end; none ends its input.
    pub answer: Option<String>,
}

/// A package, for relative imports.
#[derive(Debug, Serialize)]
pub struct Package {
    /// Dotted.
    pub name: String,
    /// The folder it is imported from.
    pub root: String,
}

/// An expression to evaluate.
#[derive(Debug, Serialize)]
pub struct Evaluate<'a> {
    pub expression: &'a str,
    pub locals: Vec<(&'a str, &'a str)>,
    pub limits: Limits,
    pub value_chars: u32,
}

/// A file to outline: `script` has a function `outline(text)`.
#[derive(Debug, Serialize)]
pub struct Outline<'a> {
    pub script: &'a str,
    pub text: String,
    pub name: &'a str,
    pub limits: Limits,
}

#[derive(Debug, Serialize)]
pub struct File<'a> {
    /// Absolute: what `co_filename` will be.
    pub path: String,
    pub name: &'a str,
    pub text: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Entry<'a> {
    Module,
    Call { function: &'a str, expression: &'a str },
    At { line: u32, locals: &'a [(String, String)], text: String },
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct Limits {
    pub events: u64,
    pub seconds: f64,
    pub bytes: u64,
    pub output: u64,
    pub memory: u64,
    /// Also bound files and processes.
    pub strict: bool,
    /// Processes of the machine in all, from which on no more are made; 0: not known.
    pub processes: u64,
    /// Also refuse sockets, by seccomp.
    pub filter: bool,
}

/// A line from the child.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    Hello {
        protocol: u32,
        python: String,
    },
    State(State),
    Output {
        stream: String,
        text: String,
    },
    /// The program waits for a line of its input: [`Answer`].
    Ask {
        prompt: String,
    },
    End {
        exit: Exit,
        note: String,
    },
    /// The job could not be done; one line.
    Fail {
        kind: Failure,
        message: String,
    },
    Value {
        text: Option<String>,
        error: Option<String>,
    },
    Outline(Box<Parts>),
    /// The process that did the job is gone.
    Done {
        signal: i32,
        code: i32,
        /// The server ended it at its time limit.
        late: bool,
    },
}

#[derive(Debug, Deserialize)]
pub struct State {
    pub event: Event,
    /// Activation; the first state of one also says depth, file and name.
    pub frame: usize,
    pub line: u32,
    pub depth: Option<u32>,
    pub file: Option<u16>,
    pub name: Option<String>,
    #[serde(default)]
    pub set: Vec<(String, String)>,
    #[serde(default)]
    pub del: Vec<String>,
    pub arg: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    Call,
    Resume,
    Line,
    Return,
    Yield,
    Exception,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exit {
    Normal,
    Error,
    Cut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failure {
    Syntax,
    Entry,
    Tracer,
}
