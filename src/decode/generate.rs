//! The loop: forced runs, choices, probabilities.

use super::choose::{Chooser, softmax};
use super::{DecodeError, Mask, Settings, Tape, Watch};
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
    let context = model.config().context;
    let cached = tape.rewind_to(prompt);
    let mut pending = prompt.get(cached..).unwrap_or_default().to_vec();
    let mut generation =
        Generation { tokens: Vec::new(), stop: Stop::Done, cached, read: pending.len() };
    let mut chooser = Chooser::new(settings.choice);
    let tokens = &mut generation.tokens;
    generation.stop = loop {
        if mask.done() {
            break Stop::Done;
        }
        if tokens.len() >= settings.limit {
            break Stop::Limit;
        }
        if prompt.len() + tokens.len() >= context {
            break Stop::Window;
        }
        let room = settings.limit.min(context - prompt.len()) - tokens.len();
        let mut forced = mask.forced();
        if forced.is_empty()
            && let [only] = mask.allowed()
        {
            forced.push(*only);
        }
        if !forced.is_empty() {
            for id in forced.into_iter().take(room) {
                mask.push(id);
                pending.push(id);
                tokens.push(Token::forced(id));
            }
            continue;
        }
        let allowed = mask.allowed();
        if allowed.is_empty() {
            break Stop::Stuck;
        }
        let whole = settings.raw || allowed.len() * 2 > model.config().vocab;
        let want = if whole { Want::Last } else { Want::Rows(allowed) };
        let logits = tape.read(model, &pending, want, watch)?;
        pending.clear();
        let all = logits.last();
        let picked: Vec<f32> = if whole {
            allowed.iter().filter_map(|&id| all.get(id as usize).copied()).collect()
        } else {
            all.to_vec()
        };
        let all = settings.raw.then_some(all);
        let token =
            chooser.choose(&picked).and_then(|index| Token::chosen(index, allowed, &picked, all));
        let Some(token) = token else { break Stop::Stuck };
        mask.push(token.id);
        pending.push(token.id);
        tokens.push(token);
    };
    Ok(generation)
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
