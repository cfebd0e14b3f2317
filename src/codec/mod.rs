//! States ⇄ text ⇄ token ids: the language and its dialects.
//!
//! ```text
//! (Program, Segment, Ask) ──Dialect::ask──► Question { prompt ids, Reply }
//!        Reply::allowed ──► mask ──► one id ──► Reply::push … until Reply::done
//!        Reply::decode ──► Reading: a State, an Exit or malformed text, with token spans
//! ```
//!
//! A *dialect* ([`Dialect`]) is one way to write states down: [`native`] is the paper's
//! (arXiv 2603.09951), [`compact`] our own small model's, [`prompted`] for general models.
//! Whoever generates drives a [`Reply`]: it says what may follow and turns what followed
//! into a state.
//!
//! Shared by the text dialects: [`tokenizer`] and [`grammar`] (a language of bytes walked
//! with any vocabulary), [`window`] (what fits), [`legal`] (what may be named), [`place`]
//! (where a state read from text is), [`mod@reply`]. By all: [`mod@context`] and [`reach`].
//!
//! Must not know: models, logits, CPython, files. Does no I/O and starts no threads. Text
//! that is no state is a value ([`Reading::Malformed`]), never an error.

pub mod compact;
pub mod context;
pub mod grammar;
pub mod legal;
pub mod native;
pub mod place;
pub mod prompted;
pub mod reach;
pub mod reply;
pub mod tokenizer;
pub mod window;

pub use context::context;

/// The paper's word for the variables that an answer does not write, because they stay as they
/// are: a name, in JSON, in a state's locals and among the components of an answer.
pub const OTHERS: &str = "..";

use crate::program::{Loc, Program};
use crate::trace::{Action, Direction, Exit, Move, Segment, State};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Index into a model's vocabulary.
pub type TokenId = u32;

/// What is asked about a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Where does this move lead from the segment's present state?
    Move(Move),
    /// What are the unknown parts of the segment's `first` state? `locals: None` at a call
    /// asks for invented arguments, line 0 at a return asks for the return line.
    Complete,
}

/// What a dialect (as spoken by one model) can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support {
    /// Directions it can write.
    pub directions: Vec<Direction>,
    /// Actions with one direct answer; the others have to be chained.
    pub direct: Vec<(Direction, Action)>,
    /// Whether [`Ask::Complete`] is possible.
    pub completes: bool,
    /// Limits in one line for people; empty if none.
    pub limits: String,
}

/// Why a dialect cannot put a question; one line for people that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The program or the segment is beyond a limit; names it.
    #[error("{0}")]
    Limit(String),
    /// The dialect has no words for this question.
    #[error("{0}")]
    Unsupported(String),
}

/// One way to write states down. Four kinds exist; `oracle` picks one per model.
pub trait Dialect: Send + Sync + fmt::Debug {
    /// `native`, `compact`, `cwm` or `prompted`.
    fn name(&self) -> &'static str;

    /// What can be asked.
    fn support(&self) -> &Support;

    /// Checks, before the first step, that the program can be written.
    ///
    /// # Errors
    /// [`Refusal::Limit`] in one line that names the limit and `--model`.
    fn accepts(&self, program: &Program) -> Result<(), Refusal>;

    /// Writes a question: everything the model reads, and the reply it may give.
    /// Within one segment each prompt begins with the previous prompt and its answer as
    /// far as the dialect's canonical spelling allows, so that a cache can be kept.
    ///
    /// # Errors
    /// [`Refusal`] if the question is beyond a limit or cannot be put in this dialect.
    fn ask(
        &self,
        program: &Arc<Program>,
        segment: &Segment,
        ask: &Ask,
    ) -> Result<Question, Refusal>;
}

/// What the model reads, and the reply to be generated.
#[derive(Debug)]
pub struct Question {
    /// The whole prompt.
    pub prompt: Vec<TokenId>,
    /// The reply, nothing pushed yet.
    pub reply: Box<dyn Reply>,
}

/// A reply while it is generated: the language's automaton for one answer.
pub trait Reply: Send + fmt::Debug {
    /// The ids that may come next, ascending. One id is *forced* (in the tokenizer's
    /// canonical spelling); none means [`Reply::done`].
    fn allowed(&mut self) -> &[TokenId];

    /// The run of ids that are forced from here, possibly empty, without pushing them.
    fn forced(&mut self) -> Vec<TokenId>;

    /// Takes the next id. Returns whether it was legal; an illegal one (unconstrained
    /// decoding) is kept as text, and what follows is allowed everything.
    fn push(&mut self, id: TokenId) -> bool;

    /// Whether the answer is complete.
    fn done(&self) -> bool;

    /// A readable form of what has been pushed so far.
    fn text(&self) -> String;

    /// Reads what was pushed.
    fn decode(&self) -> Decoded;

    /// An independent copy, for another sample of the same question.
    fn fork(&self) -> Box<dyn Reply>;
}

/// A reply, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// What it says.
    pub reading: Reading,
    /// When the text does not fix the location: the other possible ones, nearest first.
    pub candidates: Vec<Loc>,
    /// Which pushed ids spell which component, as index ranges in order. Ids in no span
    /// are punctuation.
    pub spans: Vec<(Component, Range<usize>)>,
    /// The reply in readable form, whole.
    pub text: String,
}

/// What a reply says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// A state, with everything carried forward filled in.
    State(State),
    /// The execution ends there.
    Exit(Exit),
    /// No state.
    Malformed {
        /// Byte offset in the text of what was wrong.
        at: usize,
        /// Why, in one line.
        why: String,
    },
}

/// A part of an answer that is judged, and trusted, on its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Component {
    /// The event, or the kind of exit.
    Event,
    /// The source line: location and depth.
    Source,
    /// One printed variable: changed, added or deleted. `..` stands for all others: that
    /// they stay as they are.
    Local(Arc<str>),
    /// The return value or exception.
    Arg,
}
