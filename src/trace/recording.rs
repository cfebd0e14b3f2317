//! A recorded execution, and its file format.
//!
//! Must not know: how a recording is made, folders. Readers and writers are handed in.
//!
//! # The format, version 1
//!
//! JSON Lines in UTF-8: one object a line, one key an object, which says what the line is.
//! Optional fields are left out when they hold what is said here in brackets.
//!
//! | line | fields |
//! |---|---|
//! | `header`, first | `format`: `"foretrace recording"`; `version`: 1; `python`; `entry`; `files`: list of `name`, `sha256`; `argv` \[\]; `seed`; `limits`: `events`, `milliseconds`, `bytes`; `repr`: `depth`, `items`, `chars`; `edits` \[\]: list of `at`, `name`, `value` |
//! | `state` | `event`: `call`, `resume`, `line`, `return`, `yield` or `exception`; `file` \[0\]; `line`; `frame`; where a level begins also `function` and `parent` \[none: an entry frame\]; the variables; `arg` \[none\] |
//! | `output` | `after`: number of states recorded before it; `stream`: `stdout` or `stderr`; `text` |
//! | `input` | `after`, `text`: what the program read from its standard input |
//! | `end`, last | `exit`: `normal`, `error`, `never` or `cut`; `states`: how many there were; `note` \[empty\] |
//!
//! States are numbered from 0 in the order of their lines; `parent` is such a number: the
//! calling line's state. A level begins at every `call` and `resume`, and at the first
//! state of all. `frame` names a function activation; a resumed generator keeps its own.
//!
//! **Variables.** `locals` is an object of all names and reprs in order. It is written at a
//! frame's first state in each block of 256 states (states 0 to 255, 256 to 511, …), so
//! that any state can be read from its block alone. Otherwise, against the frame's
//! previous state: `del`, a list of names to unbind first \[\], and `set`, an object of
//! names to bind then \[{}\]; a new name goes to the end. `locals: null` says that the
//! variables were not recorded here; the frame's next state has `locals` again.

use super::StateTree;

mod lines;
mod read;
mod write;
pub use lines::{ReadLimits, RecordingError};
pub use read::read_recording;
pub use write::write_recording;

/// The version of the format that this program writes, and the only one it reads.
pub(super) const VERSION: u32 = 1;
/// What the header's `format` says.
const FORMAT: &str = "foretrace recording";
/// States in a block: a frame's first state in each is written in full.
const BLOCK: u32 = 256;

/// What a program wrote or read, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Number of states recorded before it appeared.
    pub after: u64,
    /// `stdout` or `stderr`; `stdin` for what it read.
    pub stream: String,
    /// The text; undecodable bytes as `\xNN`.
    pub text: String,
}

/// A change of a variable applied to the real program at one event, so that CPython
/// answers the same question as the model.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Index of the recorded state (event order) at which it is applied.
    pub at: u64,
    /// The variable.
    pub name: String,
    /// A Python literal.
    pub value: String,
}

/// The bounds a recording was made under; 0 where there was none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// States.
    pub events: u64,
    /// Wall-clock time.
    pub milliseconds: u64,
    /// Text of values and output.
    pub bytes: u64,
}

/// How values became text; 0 where there was no bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReprRules {
    /// Depth to which instances without a repr of their own are opened.
    pub depth: u32,
    /// Items of a container.
    pub items: u32,
    /// Characters of a value.
    pub chars: u32,
}

/// A recorded execution: what CPython did, whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Version of the interpreter, e.g. `3.11.7`.
    pub python: String,
    /// As [`crate::program::Entry`] displays.
    pub entry: String,
    /// Name and SHA-256 of each file of the program, in order.
    pub files: Vec<(String, String)>,
    /// What the program saw as `sys.argv[1:]`.
    pub argv: Vec<String>,
    /// Seed of hashes and of `random`.
    pub seed: u64,
    /// The bounds it was made under.
    pub limits: Limits,
    /// How values became text.
    pub repr: ReprRules,
    /// Variables that were changed on the way.
    pub edits: Vec<Edit>,
    /// All states and the exit.
    pub tree: StateTree,
    /// Program output and input in order.
    pub output: Vec<Output>,
    /// What stopped the recording early or was noteworthy, in one line; empty if nothing.
    pub note: String,
}

impl Recording {
    /// A recording that says nothing but what happened; for the rest, struct update syntax.
    pub fn of(tree: StateTree) -> Self {
        Recording {
            python: String::new(),
            entry: String::new(),
            files: Vec::new(),
            argv: Vec::new(),
            seed: 0,
            limits: Limits::default(),
            repr: ReprRules::default(),
            edits: Vec::new(),
            tree,
            output: Vec::new(),
            note: String::new(),
        }
    }
}

#[cfg(test)]
mod tests;
