//! The oracle that guesses: a language model asked in a dialect.
//!
//! Must not know: how states are spelled (the dialect does), how logits are computed,
//! verdicts, files.

mod card;
mod guide;
mod open;
mod scores;

pub use card::Card;
pub use open::{OpenError, Options, open};

use super::reading::{Sureness, answered, refused};
use super::{Answer, Capabilities, Control, Oracle, OracleError, Progress, Query, Work};
use crate::codec::{Ask, Component, Decoded, Dialect, Question, Reply};
use crate::decode::{Choice, DecodeError, Generation, Settings, Stop, Tape, Token, generate};
use crate::model::{Model, ModelError};
use crate::program::Program;
use crate::trace::{Action, Direction, Segment, State};
use guide::{Guide, Waiting};
use std::sync::Arc;

/// Most ids of one answer.
const LONGEST: usize = 1024;

/// Up to this vocabulary the whole output head costs little: raw probabilities and
/// runners-up are computed. Above it only permitted rows are.
const SMALL_VOCABULARY: usize = 8192;

/// Runners-up that are spelled out per answer.
const RUNNERS_UP: usize = 3;

/// A model, the dialect it speaks, and what it has read so far.
///
/// The tape follows the segment: an answer, a rewind or a branch costs only the ids that
/// differ from what was asked before.
#[derive(Debug)]
pub struct NeuralOracle {
    label: String,
    model: Arc<Model>,
    dialect: Box<dyn Dialect>,
    card: Option<Card>,
    tape: Tape,
    options: Options,
    /// Inventions made so far; each gets another seed.
    inventions: u64,
}

impl NeuralOracle {
    /// An oracle of a loaded model and the dialect it speaks.
    ///
    /// # Errors
    /// When the device has no memory for the model's cache.
    pub fn new(
        label: String,
        model: Arc<Model>,
        dialect: Box<dyn Dialect>,
        card: Option<Card>,
        options: Options,
    ) -> Result<Self, ModelError> {
        let tape = Tape::new(&model, 1024)?;
        Ok(NeuralOracle { label, model, dialect, card, tape, options, inventions: 0 })
    }

    /// What the file says about the model's training; `None` for general models.
    pub fn card(&self) -> Option<&Card> {
        self.card.as_ref()
    }

    fn settings(&self, choice: Choice, limit: usize) -> Settings {
        let small = self.model.config().vocab <= SMALL_VOCABULARY;
        Settings { choice, limit, raw: small || self.options.unconstrained }
    }

    /// Generates a reply to a question. The reply has been pushed what was generated.
    fn generate(
        &mut self,
        prompt: &[u32],
        reply: Box<dyn Reply>,
        settings: Settings,
        control: Option<&Control>,
    ) -> Result<(Generation, Box<dyn Reply>), OracleError> {
        let free = self.options.unconstrained.then(|| self.model.config().vocab);
        let mut guide = Guide::new(reply, control, free);
        let generation =
            generate(&self.model, &mut self.tape, prompt, &mut guide, settings, &Waiting(control));
        Ok((generation.map_err(failed)?, guide.into_reply()))
    }

    fn ask(
        &mut self,
        program: &Arc<Program>,
        segment: &Segment,
        ask: &Ask,
        choice: Choice,
        control: &Control,
    ) -> Result<Answer, OracleError> {
        let question = self.dialect.ask(program, segment, ask).map_err(refused)?;
        let Question { prompt, reply } = question;
        let fresh = reply.fork();
        let (generation, reply) =
            self.generate(&prompt, reply, self.settings(choice, LONGEST), Some(control))?;
        let mut work = Work {
            prompt: generation.read,
            cached: generation.cached,
            forced: generation.forced(),
            sampled: generation.chosen(),
            speculated: generation.speculated,
            accepted: generation.accepted,
        };
        let text = reply.text();
        let answer = match generation.stop {
            Stop::Done => {
                let decoded = reply.decode();
                let runners_up =
                    self.runners_up(&prompt, &*fresh, &generation, &decoded, control, &mut work)?;
                let sure: Vec<Sureness> = generation.tokens.iter().map(sureness).collect();
                answered(decoded, &sure, runners_up)
            }
            Stop::Window if generation.tokens.is_empty() => {
                return Err(OracleError::Limit(self.window_is_full(prompt.len())));
            }
            Stop::Limit | Stop::Window => {
                let why = format!("no end after {} tokens", generation.tokens.len());
                Answer::Malformed { text, why }
            }
            Stop::Stuck => {
                Answer::Malformed { text, why: "the language has no continuation".to_owned() }
            }
        };
        control.report(Progress::Work(work));
        Ok(answer)
    }

    fn window_is_full(&self, prompt: usize) -> String {
        let context = self.model.config().context;
        format!(
            "the program and the steps so far take {prompt} tokens, and the model reads \
             {context}; start nearer with --entry, or try another --model"
        )
    }

    /// What the model would have said instead for its least sure components: the answer is
    /// generated again from the id where the likeliest other one diverges.
    fn runners_up(
        &mut self,
        prompt: &[u32],
        fresh: &dyn Reply,
        generation: &Generation,
        decoded: &Decoded,
        control: &Control,
        work: &mut Work,
    ) -> Result<Vec<super::RunnerUp>, OracleError> {
        let mut found = Vec::new();
        if self.model.config().vocab > SMALL_VOCABULARY || self.options.unconstrained {
            return Ok(found);
        }
        for fork in scores::forks(generation, decoded, RUNNERS_UP) {
            if control.cancelled() {
                return Err(OracleError::Cancelled);
            }
            let mut reply = fresh.fork();
            let mut longer = prompt.to_vec();
            let kept = generation.tokens.iter().take(fork.at).map(|token| token.id);
            for id in kept.chain([fork.id]) {
                reply.push(id);
                longer.push(id);
            }
            let settings = self.settings(Choice::Greedy, 2 * generation.tokens.len() + 32);
            let (rest, reply) = self.generate(&longer, reply, settings, None)?;
            work.forced += rest.forced();
            work.sampled += rest.chosen();
            if rest.stop != Stop::Done {
                continue;
            }
            let Some(text) = scores::text_of(&fork.component, &reply.decode().reading) else {
                continue;
            };
            found.push(super::RunnerUp {
                component: component_name(&fork.component),
                text,
                probability: fork.probability,
            });
        }
        found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        Ok(found)
    }
}

impl Oracle for NeuralOracle {
    fn label(&self) -> String {
        self.label.clone()
    }

    fn capabilities(&self) -> Capabilities {
        let support = self.dialect.support();
        let trained = |direction: &Direction| {
            self.card.as_ref().is_none_or(|card| card.directions.contains(direction))
        };
        let direct = |ask: &(Direction, Action)| {
            self.card.as_ref().is_none_or(|card| card.direct_actions.contains(ask))
        };
        Capabilities {
            directions: support.directions.iter().copied().filter(trained).collect(),
            direct_actions: support.direct.iter().copied().filter(direct).collect(),
            completes: support.completes,
            exact: false,
            dialect: Some(self.dialect.name().to_owned()),
            limits: match &self.card {
                Some(card) if !card.limits.is_empty() => card.limits.clone(),
                _ => support.limits.clone(),
            },
            device: Some(self.model.device().to_owned()),
            note: self.model.no_gpu().map(str::to_owned),
        }
    }

    fn accepts(&self, program: &Program) -> Result<(), OracleError> {
        self.dialect.accepts(program).map_err(refused)
    }

    fn answer(&mut self, query: &Query, control: &Control) -> Result<Answer, OracleError> {
        let ask = Ask::Move(query.ask.clone());
        self.ask(&query.program, &query.segment, &ask, Choice::Greedy, control)
    }

    fn complete(
        &mut self,
        program: &Program,
        partial: &State,
        direction: Direction,
        control: &Control,
    ) -> Result<Answer, OracleError> {
        if !self.capabilities().completes {
            let label = &self.label;
            return Err(OracleError::Unsupported(format!(
                "{label} cannot invent values; give the arguments, as in --entry 'f(3)'"
            )));
        }
        let seed = self.options.seed.wrapping_add(self.inventions);
        self.inventions += 1;
        let choice = Choice::Sample { temperature: 0.8, top_p: 0.95, seed };
        let segment = Segment::new(direction, Vec::new(), partial.clone());
        self.ask(&Arc::new(program.clone()), &segment, &Ask::Complete, choice, control)
    }
}

fn sureness(token: &Token) -> Sureness {
    Sureness {
        forced: token.forced,
        constrained: Some(token.probability),
        raw: token.raw_probability,
    }
}

/// The name under which scores and runners-up list a component.
fn component_name(component: &Component) -> String {
    match component {
        Component::Event => "event".to_owned(),
        Component::Source => "source".to_owned(),
        Component::Local(name) => name.to_string(),
        Component::Arg => "arg".to_owned(),
    }
}

fn failed(error: DecodeError) -> OracleError {
    match error {
        DecodeError::Cancelled => OracleError::Cancelled,
        DecodeError::Model(error) => OracleError::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
