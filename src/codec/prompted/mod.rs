//! A dialect for any general model: a short instruction with a worked example in the model's
//! own chat template, then a trace in plain text that the model goes on with.
//!
//! ```text
//! TRACE := { STATE EMPTY } [ end normal | end error ]
//! STATE := ( line N: CODE | call N: CODE     about to run; a function begins
//!          | return N: CODE => VALUE | exception N: CODE => VALUE )
//!          { NAME = VALUE } { del NAME }     what changed since this frame was shown, or was assigned;
//!                                            the arguments of a call
//! ```
//!
//! Each item is a line; the place comes first, because small models know better where they
//! are than what has changed. Everything but values is constrained, so that a small model answers
//! legally, if often wrongly. Jumps are chained; there is no inverse direction.
//!
//! Must not know: models.

mod changes;
mod chat;
mod grammar;
mod text;

use super::context::Context;
use super::grammar::{Cursor, Machine, Vocabulary};
use super::reply::{Read, Reader, TextReply};
use super::tokenizer::{Spec, Tokenizer, TokenizerError};
use super::window::Window;
use super::{Ask, Dialect, Question, Refusal, Support, TokenId, window};
use crate::program::Program;
use crate::trace::{Action, Direction, Move, Outcome, Segment};
use changes::{Memory, Names};
use chat::Chat;
use std::sync::Arc;
use text::Numbers;

/// Tokens of an answer after which it is brought to its end.
const PATIENCE: usize = 192;

/// The same in bytes.
const PATIENCE_BYTES: usize = 4 * PATIENCE;

/// The prompted dialect as one model speaks it.
#[derive(Debug)]
pub struct Prompted {
    vocabulary: Arc<Vocabulary>,
    chat: Chat,
    support: Support,
    window: Window,
    /// Ids of an answer after which it is brought to its end.
    patience: usize,
}

impl Prompted {
    /// The dialect for a model that reads `window` tokens.
    pub fn new(vocabulary: Arc<Vocabulary>, window: usize) -> Self {
        Prompted::with(vocabulary, window.into(), PATIENCE)
    }

    /// The dialect as plain text, for a model whose tokenizer somebody else has: every id is
    /// a byte, and the model reads `window` of them.
    ///
    /// # Errors
    /// [`TokenizerError`], if bytes were no vocabulary.
    pub fn of_bytes(window: usize) -> Result<Self, TokenizerError> {
        let vocabulary = Vocabulary::new(Tokenizer::new(Spec::bytes())?);
        let window = Window { size: window, unit: "bytes" };
        Ok(Prompted::with(Arc::new(vocabulary), window, PATIENCE_BYTES))
    }

    fn with(vocabulary: Arc<Vocabulary>, window: Window, patience: usize) -> Self {
        let chat = Chat::of(&vocabulary.tokenizer);
        let support = Support {
            directions: vec![Direction::Forward],
            direct: vec![(Direction::Forward, Action::StepInto)],
            completes: true,
            limits: format!("{} {}, forward only", window.size, window.unit),
        };
        Prompted { vocabulary, chat, support, window, patience }
    }

    /// The ids of the right answer to a question: what a perfect model would say. `None`
    /// for an exit that the dialect does not have.
    pub fn answer(
        &self,
        program: &Program,
        segment: &Segment,
        outcome: &Outcome,
    ) -> Option<Vec<TokenId>> {
        let numbers = Numbers::new(program);
        let context = window::context(program, self.window, |line| self.cost(line));
        let names = Names::of(program, &context, segment);
        let mut memory = Memory::default();
        for state in segment.callers.iter().chain(segment.states()) {
            text::state(program, &numbers, &names, &mut memory, state);
        }
        let text = match outcome {
            Outcome::State(state) => text::state(program, &numbers, &names, &mut memory, state),
            Outcome::Exit(exit) => {
                let words = text::EXITS.iter().find(|(known, _)| known == exit)?.1;
                format!("{words}\n\n")
            }
        };
        Some(self.vocabulary.tokenizer.encode(&text))
    }

    /// Ids that a line of the program costs, with its number.
    fn cost(&self, line: &str) -> usize {
        self.vocabulary.tokenizer.encode(line).len() + 4
    }

    fn write(
        &self,
        program: &Program,
        context: &Context,
        segment: &Segment,
        ask: &Ask,
    ) -> (Vec<TokenId>, (Memory, Segment)) {
        let numbers = Numbers::new(program);
        let tokenizer = &self.vocabulary.tokenizer;
        let mut prompt = self.chat.begin(tokenizer, &text::listing(program, &numbers, context));
        let names = Names::of(program, context, segment);
        let mut memory = Memory::default();
        if *ask != Ask::Complete {
            for state in segment.callers.iter().chain(segment.states()) {
                let block = text::state(program, &numbers, &names, &mut memory, state);
                prompt.extend(tokenizer.encode(&block));
            }
        }
        (prompt, (memory, segment.clone()))
    }
}

impl Dialect for Prompted {
    fn name(&self) -> &'static str {
        "prompted"
    }

    fn support(&self) -> &Support {
        &self.support
    }

    fn accepts(&self, program: &Program) -> Result<(), Refusal> {
        window::accepts(program, self.window, |line| self.cost(line))
    }

    fn ask(
        &self,
        program: &Arc<Program>,
        segment: &Segment,
        ask: &Ask,
    ) -> Result<Question, Refusal> {
        if segment.direction == Direction::Inverse {
            return Err(Refusal::Unsupported(
                "a general model predicts forward only; use a debugger model for bstep, bnext \
                 and bfinish"
                    .to_owned(),
            ));
        }
        let move_ = match ask {
            Ask::Move(ask) if ask.action == Action::StepInto => ask.clone(),
            Ask::Move(ask) => {
                let name = ask.name();
                return Err(Refusal::Unsupported(format!(
                    "a general model predicts one step at a time; {name} has to be chained"
                )));
            }
            Ask::Complete => Move::forward(Action::StepInto),
        };
        let context = window::context(program, self.window, |line| self.cost(line));
        let (prompt, (memory, segment)) = window::fit(segment, self.window, |segment| {
            Ok(self.write(program, &context, segment, ask))
        })?;
        let numbers = Numbers::new(program);
        let expr = match ask {
            Ask::Move(ask) => grammar::answer(program, &numbers, &context, &segment, &memory, ask),
            Ask::Complete => grammar::completion(program, &numbers, &segment.first),
        };
        let reader = PromptedReader {
            program: program.clone(),
            segment: Arc::new(segment),
            memory,
            ask: move_,
            completes: *ask == Ask::Complete,
        };
        let cursor = Cursor::new(Machine::new(&expr, self.vocabulary.clone()), self.patience);
        let reply = TextReply::new(cursor, self.vocabulary.clone(), reader);
        Ok(Question { prompt, reply: Box::new(reply) })
    }
}

/// Reads an answer.
#[derive(Debug, Clone)]
struct PromptedReader {
    program: Arc<Program>,
    segment: Arc<Segment>,
    memory: Memory,
    ask: Move,
    completes: bool,
}

impl Reader for PromptedReader {
    fn read(&self, vocabulary: &Vocabulary, ids: &[TokenId]) -> Read {
        let text = vocabulary.tokenizer.decode(ids);
        let first = self.completes.then_some(&self.segment.first);
        text::read(&self.program, &self.segment, &self.memory, &self.ask, first, &text)
    }
}
