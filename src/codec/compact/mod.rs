//! The compact dialect: states as tokens of one small fixed vocabulary, for models trained
//! on it from scratch.
//!
//! ```text
//! DOCUMENT := <ctx> { LINE INDENT token* } [ <run> token* ] <seg> STATE+ { QUESTION ANSWER }
//! QUESTION := [ FOCUS ] ACTION { [<call>] WHERE }
//! ANSWER   := STATE | EXIT
//! STATE    := EVENT DEPTH WHERE [ <fn> NAME ] LOCALS [ <arg> VALUE ] <end>
//! WHERE    := <L1>…<L256> | <at> digits
//! DEPTH    := <D0>…<D63> | <deep> digits
//! LOCALS   := { NAME "=" ( <none> | VALUE ) <;> } | <unknown>
//! FOCUS    := <focus> token* [ <iter> digits ] { <;> NAME "=" VALUE }
//! NAME     := word | slot | <id> characters
//! VALUE    := tokens whose concatenation is the text | <raw> characters
//! ```
//!
//! * Lines are numbered within the context; names are slots, given out over the context
//!   and then over names and values as they are first spelled.
//! * Locals are changes against what was last shown at that depth ([`memory`]): lossless
//!   whatever was jumped over. The states before the first question are the callers' and the
//!   first, in full.
//! * The focus is what the client already holds and the answer likely needs; it never
//!   depends on the answer.
//! * A text has one spelling, so reading tokens and writing the result gives the tokens back.
//!
//! Must not know: models, logits, files.

pub mod context;
pub mod dialect;
pub mod document;
pub mod legal;
pub mod memory;
pub mod names;
mod places;
pub mod read;
mod reply;
pub mod set;
mod source;
mod text;
mod value;
pub mod vocab;
pub mod writer;

pub use context::Context;
pub use dialect::Compact;
pub use writer::Writer;

/// Version of the dialect; a model is bound to it and to [`vocab::sha256`].
pub const VERSION: u32 = 1;

/// Tokens that the program's text may take of a window: the rest is for states.
pub fn budget(window: usize) -> usize {
    window * 5 / 8
}

/// What the dialect cannot write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// More than one file.
    #[error("this model reads programs of one file, this one has {0}; try another --model")]
    Files(usize),
    /// More lines of code than line tokens.
    #[error(
        "this model reads at most 256 lines of code; start nearer with --entry, or try another --model"
    )]
    Lines,
    /// More names than slots, or a name that cannot be written.
    #[error(
        "this model reads at most 256 different names; start nearer with --entry, or try another --model"
    )]
    Names,
    /// The window is full.
    #[error(
        "the program and the present state take {taken} of the {window} tokens that this model reads; \
         start nearer with --entry, or try another --model"
    )]
    Window {
        /// Tokens needed.
        taken: usize,
        /// Tokens there are.
        window: usize,
    },
    /// The language has no such move or exit.
    #[error("this model's language has no such move; try another --model")]
    Action,
}

#[cfg(test)]
mod tests;
