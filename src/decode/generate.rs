//! The loop: forced runs, choices, probabilities.

use super::choose::{Chooser, softmax};
use super::lookup::lookup;
use super::speculate::Plan;
use super::{Choice, DecodeError, Mask, Settings, Tape, Watch, forced};
use crate::model::{Model, Want};

/// One id of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// The id.
    pub id: u32,
    /// Whether it was the only legal one; then it says nothing about the model.
    pub forced: bool,
    /// Its probability among the allowed ids; 1 when forced.
    pub probability: f32,
    /// Its probability among all ids; `None` when forced or not asked for.
    pub raw_probability: Option<f32>,
    /// The likeliest other allowed ids and their probabilities among the allowed.
    pub others: Vec<(u32, f32)>,
}

/// How many of [`Token::others`] are kept.
const OTHERS: usize = 3;

/// Why a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The mask says that the answer is complete.
    Done,
    /// The limit on ids was reached.
    Limit,
    /// The model's window is full.
    Window,
    /// The mask allows nothing but is not done.
    Stuck,
}

/// An answer as ids, and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    /// The ids in order.
    pub tokens: Vec<Token>,
    /// Why it ended.
    pub stop: Stop,
    /// Prompt ids that were on the tape.
    pub cached: usize,
    /// Prompt ids that were read.
    pub read: usize,
    /// Choices that were guessed and read before they were made.
    pub speculated: usize,
    /// Of those, made as guessed.
    pub accepted: usize,
}

impl Generation {
    /// How many ids were forced.
    pub fn forced(&self) -> usize {
        self.tokens.iter().filter(|t| t.forced).count()
    }

    /// How many ids were chosen.
    pub fn chosen(&self) -> usize {
        self.tokens.len() - self.forced()
    }
}

/// Generates the ids that follow a prompt under a mask.
///
/// What the tape holds of the prompt is not read again. The last ids of the answer are not
/// read at all; the next prompt that contains them will do it.
///
/// # Errors
/// [`DecodeError::Cancelled`] or the model's failure; the tape stays usable.
pub fn generate(
    model: &Model,
    tape: &mut Tape,
    prompt: &[u32],
    mask: &mut dyn Mask,
    settings: Settings,
    watch: &dyn Watch,
) -> Result<Generation, DecodeError> {
    let cached = tape.rewind_to(prompt);
    let pending = prompt.get(cached..).unwrap_or_default().to_vec();
    let generation = Generation {
        tokens: Vec::new(),
        stop: Stop::Done,
        cached,
        read: pending.len(),
        speculated: 0,
        accepted: 0,
    };
    let chooser = Chooser::new(settings.choice);
    let sequence = prompt.to_vec();
    let mut run =
        Run { model, tape, mask, settings, watch, chooser, pending, sequence, generation };
    let context = model.config().context;
    let most = settings.limit.min(context.saturating_sub(prompt.len()));
    run.generation.stop = loop {
        if run.mask.done() {
            break Stop::Done;
        }
        let room = most - run.generation.tokens.len();
        if room == 0 {
            break if most == settings.limit { Stop::Limit } else { Stop::Window };
        }
        if run.force(room) {
            continue;
        }
        if run.mask.allowed().is_empty() || !run.choose(room)? {
            break Stop::Stuck;
        }
    };
    Ok(run.generation)
}

/// A generation under way.
struct Run<'a> {
    model: &'a Model,
    tape: &'a mut Tape,
    mask: &'a mut dyn Mask,
    settings: Settings,
    watch: &'a dyn Watch,
    chooser: Chooser,
    /// Ids taken but not read.
    pending: Vec<u32>,
    /// The prompt and the ids taken.
    sequence: Vec<u32>,
    generation: Generation,
}

impl Run<'_> {
    fn take(&mut self, token: Token) {
        self.mask.push(token.id);
        self.sequence.push(token.id);
        self.generation.tokens.push(token);
    }

    /// Takes what is forced from here; whether anything was.
    fn force(&mut self, room: usize) -> bool {
        let forced = forced(self.mask);
        for &id in forced.iter().take(room) {
            self.take(Token::forced(id));
            self.pending.push(id);
        }
        !forced.is_empty()
    }

    /// Makes one choice, and those after it that were guessed right; whether it could.
    fn choose(&mut self, room: usize) -> Result<bool, DecodeError> {
        // a guess tells nothing where choices are made at random
        let greedy = self.settings.choice == Choice::Greedy;
        let guess = if greedy { lookup(&self.sequence) } else { Vec::new() };
        let plan = Plan::along(self.mask, &guess, room);
        let vocab = self.model.config().vocab;
        let rows = if self.settings.raw { None } else { plan.rows(vocab) };
        let want = match (&rows, plan.needed().is_empty()) {
            (None, true) => Want::Last,
            (None, false) => Want::All,
            (Some(rows), true) => Want::Rows(rows),
            (Some(rows), false) => Want::AllRows(rows),
        };
        let mut batch = std::mem::take(&mut self.pending);
        if !plan.needed().is_empty() {
            // logits are wanted from the last id on
            let last = batch.split_off(batch.len().saturating_sub(1));
            self.tape.read(self.model, &batch, Want::Nothing, self.watch)?;
            batch = last;
            batch.extend_from_slice(plan.needed());
        }
        let begin = self.tape.ids().len() + batch.len() - plan.needed().len();
        let logits = self.tape.read(self.model, &batch, want, self.watch)?;
        let first = logits.rows().len() - 1 - plan.needed().len();

        let mut taken = 0;
        for (before, allowed) in &plan.choices {
            plan.ids[taken..*before].iter().for_each(|&id| self.take(Token::forced(id)));
            let all = logits.rows().nth(first + before).unwrap_or_default();
            let place = |id: &u32| match &rows {
                None => Some(*id as usize),
                Some(rows) => rows.binary_search(id).ok(),
            };
            let picked: Vec<f32> =
                allowed.iter().filter_map(|id| all.get(place(id)?).copied()).collect();
            let raw = self.settings.raw.then_some(all);
            let index = self.chooser.choose(&picked);
            let token = index.and_then(|index| Token::chosen(index, allowed, &picked, raw));
            let Some(token) = token else {
                self.tape.truncate(begin + before);
                return Ok(false);
            };
            let id = token.id;
            self.take(token);
            let guess = plan.ids.get(*before);
            self.generation.speculated += usize::from(guess.is_some());
            if guess != Some(&id) {
                self.tape.truncate(begin + before);
                self.pending.push(id);
                return Ok(true);
            }
            self.generation.accepted += 1;
            taken = before + 1;
        }
        // all as guessed: what stands behind the last choice has not been read
        plan.ids[taken..].iter().for_each(|&id| self.take(Token::forced(id)));
        self.pending.extend_from_slice(&plan.ids[plan.needed().len()..]);
        Ok(true)
    }
}

impl Token {
    fn forced(id: u32) -> Self {
        Token { id, forced: true, probability: 1.0, raw_probability: None, others: Vec::new() }
    }

    /// `picked` are the logits of `allowed`; `all` those of every id, if computed.
    fn chosen(index: usize, allowed: &[u32], picked: &[f32], all: Option<&[f32]>) -> Option<Self> {
        let id = *allowed.get(index)?;
        let probabilities = softmax(picked);
        let probability = *probabilities.get(index)?;
        let raw_probability = all.and_then(|all| {
            let logit = all.get(id as usize)?;
            let max = all.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let sum: f32 = all.iter().map(|x| (x - max).exp()).sum();
            Some((logit - max).exp() / sum)
        });
        let mut others: Vec<(u32, f32)> = Vec::with_capacity(OTHERS + 1);
        for (&other, p) in allowed.iter().zip(probabilities) {
            let place = others.iter().take_while(|(_, better)| *better >= p).count();
            if other != id && place < OTHERS {
                others.insert(place, (other, p));
                others.truncate(OTHERS);
            }
        }
        Some(Token { id, forced: false, probability, raw_probability, others })
    }
}
