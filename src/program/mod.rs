//! Python source as data: files, locations, entry points.
//!
//! Must not know: models, tokens, CPython, terminals. Does no I/O (callers hand in bytes)
//! and starts no threads. Broken Python is a value: a [`SourceFile`] always exists once
//! its bytes decode, whatever its outline says.

pub mod construct;
pub mod decode;
pub mod entry;
pub mod flow;
pub mod literal;
pub mod outline;

pub use decode::decode;
pub use literal::Literal;
pub use outline::Outline;

use std::fmt;
use std::sync::Arc;

/// A place in a program: a file of it and a 1-based line.
///
/// Lines are counted as Python counts them: only LF, CRLF and CR end a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc {
    /// Index into [`Program::files`].
    pub file: u16,
    /// 1-based physical line.
    pub line: u32,
}

impl Loc {
    /// A line of the first file, which is the file the user opened.
    pub fn main(line: u32) -> Self {
        Loc { file: 0, line }
    }
}

/// How bad a [`Problem`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something is known less well; stepping works.
    Note,
    /// CPython would not run this file.
    Error,
}

/// What is wrong with a file, and where. A value, not an error: the file is still shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad.
    pub severity: Severity,
    /// 1-based line.
    pub line: u32,
    /// 1-based column in characters, if known.
    pub column: Option<u32>,
    /// One line for people, without the place.
    pub message: String,
}

impl Problem {
    /// Something CPython would refuse.
    pub fn error(line: u32, message: impl Into<String>) -> Self {
        Problem { severity: Severity::Error, line, column: None, message: message.into() }
    }

    /// Something to know.
    pub fn note(line: u32, message: impl Into<String>) -> Self {
        Problem { severity: Severity::Note, line, column: None, message: message.into() }
    }

    /// With a column.
    pub fn at_column(mut self, column: u32) -> Self {
        self.column = Some(column);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "line {}, column {column}: {}", self.line, self.message),
            None => write!(f, "line {}: {}", self.line, self.message),
        }
    }
}

/// One decoded source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The name shown to people and written into recordings (as the user gave it).
    pub name: String,
    /// Physical lines without their line ends, decoded as Python does (PEP 263).
    pub lines: Vec<Arc<str>>,
    /// SHA-256 of the file's bytes, in hex.
    pub sha256: String,
    /// What is where in it. CPython's own outline may replace the built-in parser's.
    pub outline: Arc<Outline>,
}

impl SourceFile {
    /// A file from its text, decoded already; its hash is that of the text in UTF-8.
    pub fn from_text(name: &str, text: &str) -> (Self, Vec<Problem>) {
        Self::new(name, &decode::split_lines(text), decode::sha256_hex(text.as_bytes()))
    }

    /// The text of a 1-based line, without its line end; `None` outside the file.
    pub fn line(&self, line: u32) -> Option<&Arc<str>> {
        self.lines.get((line as usize).checked_sub(1)?)
    }
}

/// A program: its own files and where execution starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The user's file first; then files it reaches that are shown.
    pub files: Vec<SourceFile>,
    /// What depth 0 of every state is.
    pub entry: Entry,
}

impl Program {
    /// What is where in a file; `None` for a file the program does not have.
    pub fn outline(&self, file: u16) -> Option<&Outline> {
        Some(&*self.files.get(usize::from(file))?.outline)
    }

    /// The source text at a location, with its indentation and without its line end.
    pub fn source(&self, loc: Loc) -> Option<&Arc<str>> {
        self.files.get(usize::from(loc.file))?.line(loc.line)
    }
}

/// Where a session starts, and which frame has depth 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// The module body of the first file, run as `__main__`.
    Module,
    /// A call such as `f(3)`: the module body counts as run, its `__name__` is not
    /// `__main__`, and the called frame has depth 0.
    Call {
        /// Name as written before the parenthesis, e.g. `f` or `Stack.push`.
        function: String,
        /// The whole call expression, evaluated in the module's namespace.
        expression: String,
    },
    /// A function without arguments: the model invents them.
    Invent {
        /// Name of the function, e.g. `f` or `Stack.push`.
        function: String,
    },
    /// Any line with given variables; the frame around it has depth 0.
    At {
        /// The line about to run.
        loc: Loc,
        /// Names and reprs, in the order given.
        locals: Vec<(String, String)>,
    },
    /// Inverse from a return: which execution of `function` gives `value`?
    Returns {
        /// Name of the function.
        function: String,
        /// Repr of the returned value.
        value: String,
        /// The `return` line, if the user named it.
        loc: Option<Loc>,
    },
}

impl fmt::Display for Entry {
    /// As a person would type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Module => f.write_str("<module>"),
            Entry::Call { expression, .. } => f.write_str(expression),
            Entry::Invent { function } => f.write_str(function),
            Entry::At { loc, .. } => write!(f, "line {}", loc.line),
            Entry::Returns { function, value, .. } => write!(f, "{function} = {value}"),
        }
    }
}
