//! The dialect as the oracle meets it: questions and replies.

use super::context::Context;
use super::legal::Legal;
use super::read::Reader;
use super::reply::{CompactReply, LineReply};
use super::vocab::{self, Token};
use super::writer::Writer;
use super::{Limit, budget};
use crate::codec::{Ask, Dialect, Question, Refusal, Reply, Support};
use crate::program::Program;
use crate::trace::{Direction, Event, Move, Segment, State};
use std::sync::Arc;

/// The compact dialect as a model of a certain window speaks it.
#[derive(Debug, Clone)]
pub struct Compact {
    window: usize,
    support: Support,
}

impl Compact {
    /// The dialect for documents of at most `window` tokens.
    pub fn new(window: usize) -> Self {
        let support = Support {
            directions: vec![Direction::Forward, Direction::Inverse],
            direct: vocab::ACTIONS
                .iter()
                .copied()
                .filter(|&(direction, action)| {
                    Move { direction, action, stops: Vec::new() }.exists()
                })
                .collect(),
            completes: true,
            limits: format!("one file, 256 lines of code, 256 names, {window} tokens"),
        };
        Compact { window, support }
    }

    /// The program as it is shown.
    ///
    /// # Errors
    /// The [`Limit`] that it exceeds.
    pub fn context(&self, program: &Program) -> Result<Context, Limit> {
        let context = Context::new(program, budget(self.window))?;
        // The entry's own function is shown whole, whatever it takes.
        if context.ids().len() + self.reserve() > self.window {
            return Err(Limit::Window { taken: context.ids().len(), window: self.window });
        }
        Ok(context)
    }

    /// Tokens kept free for the question and the answer.
    fn reserve(&self) -> usize {
        self.window / 8
    }

    /// The segment as far as it fits: where the window is full, the document begins again
    /// from the state that was present then, as documents of the training data do.
    fn write<'a>(
        &self,
        context: &'a Context,
        segment: &Segment,
        ask: Option<&Move>,
    ) -> Result<Writer<'a>, Limit> {
        let mut levels = Levels::default();
        segment.callers.iter().for_each(|caller| levels.note(caller));
        let mut writer = self.begin(context, segment.direction, &levels, &segment.first)?;
        levels.note(&segment.first);
        let mut present = &segment.first;
        let moves = segment.steps.iter().map(|(ask, state)| (ask, Some(state)));
        for (ask, state) in moves.chain(ask.map(|ask| (ask, None))) {
            writer.ask(ask)?;
            if writer.ids().len() + self.reserve() > self.window {
                writer = self.begin(context, segment.direction, &levels, present)?;
                writer.ask(ask)?;
                let taken = writer.ids().len() + self.reserve();
                if taken > self.window {
                    return Err(Limit::Window { taken, window: self.window });
                }
            }
            let Some(state) = state else { break };
            writer.state(state)?;
            if writer.ids().len() > self.window {
                // A longer answer than there was room for.
                writer = self.begin(context, segment.direction, &levels, state)?;
            }
            levels.note(state);
            present = state;
        }
        Ok(writer)
    }

    fn begin<'a>(
        &self,
        context: &'a Context,
        direction: Direction,
        levels: &Levels,
        first: &State,
    ) -> Result<Writer<'a>, Limit> {
        let mut writer = Writer::new(context, direction);
        for caller in levels.below(first.depth) {
            writer.state(caller)?;
        }
        writer.state(first)?;
        Ok(writer)
    }

    fn complete(
        &self,
        program: &Program,
        context: Arc<Context>,
        segment: &Segment,
    ) -> Result<Question, Refusal> {
        let first = &segment.first;
        let mut writer = Writer::new(&context, segment.direction);
        for caller in &segment.callers {
            writer.state(caller).map_err(refusal)?;
        }
        let start = writer.ids().len();
        writer.head(first).map_err(refusal)?;
        let (mut prompt, memory) = writer.finish();
        if first.event == Event::Return {
            // Event and depth are given, the line is asked for.
            prompt.truncate(start + 2);
            let reply = LineReply::new(&context, program, first);
            return Ok(Question { prompt, reply: Box::new(reply) });
        }
        let mut reader = Reader::new(context.clone(), memory, Legal::completing());
        if !reader.given(prompt.get(start..).unwrap_or_default()) {
            return Err(Refusal::Unsupported("this state has nothing to complete".into()));
        }
        let reader = reader.within(self.room(&prompt));
        Ok(Question { prompt, reply: Box::new(CompactReply::new(reader)) })
    }

    /// Tokens that an answer may take: what is left of the window, and not so much that a
    /// value that a model never ends takes all of it.
    fn room(&self, prompt: &[Token]) -> usize {
        (self.window / 6).min(self.window.saturating_sub(prompt.len()))
    }
}

impl Dialect for Compact {
    fn name(&self) -> &'static str {
        "compact"
    }

    fn support(&self) -> &Support {
        &self.support
    }

    fn accepts(&self, program: &Program) -> Result<(), Refusal> {
        self.context(program).map(drop).map_err(refusal)
    }

    fn ask(
        &self,
        program: &Arc<Program>,
        segment: &Segment,
        ask: &Ask,
    ) -> Result<Question, Refusal> {
        let context = Arc::new(self.context(program).map_err(refusal)?);
        let ask = match ask {
            Ask::Complete => return self.complete(program, context, segment),
            Ask::Move(ask) => ask,
        };
        let writer = self.write(&context, segment, Some(ask)).map_err(refusal)?;
        let (prompt, memory) = writer.finish();
        let legal = Legal::after(&context, program, segment, ask, &memory);
        let reader = Reader::new(context, memory, legal).within(self.room(&prompt));
        Ok(Question { prompt, reply: Box::new(CompactReply::new(reader)) as Box<dyn Reply> })
    }
}

fn refusal(limit: Limit) -> Refusal {
    match limit {
        Limit::Action => Refusal::Unsupported(limit.to_string()),
        _ => Refusal::Limit(limit.to_string()),
    }
}

/// The last state of each level on the stack.
#[derive(Debug, Default)]
struct Levels(Vec<State>);

impl Levels {
    fn note(&mut self, state: &State) {
        while self.0.last().is_some_and(|last| last.depth >= state.depth) {
            self.0.pop();
        }
        self.0.push(state.clone());
    }

    fn below(&self, depth: u32) -> impl Iterator<Item = &State> {
        self.0.iter().filter(move |state| state.depth < depth)
    }
}
