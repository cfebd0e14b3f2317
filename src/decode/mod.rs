//! Mask × logits → ids: what the model says, within what a grammar allows.
//!
//! ```text
//! Tape (cache + the ids it holds) ── generate(model, prompt, Mask) ──► ids with probabilities
//! ```
//!
//! Ids with one legal continuation are *forced*: they are not chosen, cost no output head,
//! and are evaluated in one pass with the next id that is. Ids that probably repeat are
//! *speculated* and verified in one pass. The result is what choosing one by one would give
//! (tested).
//!
//! Must not know: Python, text, dialects.

mod choose;
mod generate;
mod lookup;
mod speculate;
mod tape;

pub use choose::Choice;
pub use generate::{Generation, Stop, Token, generate};
pub use tape::Tape;

use crate::model::ModelError;

/// What may come next: a grammar's automaton, seen as ids.
pub trait Mask {
    /// The ids that may come next, ascending; empty when nothing may.
    fn allowed(&mut self) -> &[u32];

    /// The run of ids that are forced from here, possibly empty, without taking them.
    fn forced(&mut self) -> Vec<u32>;

    /// Takes the next id.
    fn push(&mut self, id: u32);

    /// Whether the answer is complete.
    fn done(&self) -> bool;

    /// A copy, to look at what would follow without taking it.
    fn fork(&self) -> Box<dyn Mask + '_>;
}

/// The run of ids that are forced from here: those that the mask announces, else the only one
/// that it allows.
fn forced(mask: &mut dyn Mask) -> Vec<u32> {
    let mut run = mask.forced();
    if run.is_empty()
        && let [only] = mask.allowed()
    {
        run.push(*only);
    }
    run
}

/// Who waits for a generation.
pub trait Watch {
    /// Whether it has lost interest; asked before every pass.
    fn cancelled(&self) -> bool;

    /// Prompt ids evaluated so far, and how many there are.
    fn prompt(&self, done: usize, total: usize);
}

/// How to generate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How ids are chosen.
    pub choice: Choice,
    /// Most ids of an answer.
    pub limit: usize,
    /// Whether to compute the probability without the mask too, which takes the whole
    /// output head for every choice.
    pub raw: bool,
}

/// Why a generation has no result. The tape stays usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The watcher has lost interest.
    #[error("cancelled")]
    Cancelled,
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
}

#[cfg(test)]
mod tests;
