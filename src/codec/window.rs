//! What fits into a model's window: the program's lines, and how much of a segment.
//!
//! Shared by the text dialects. Must not know: how states are spelled.

use super::context::{self, Context};
use super::{Refusal, TokenId};
use crate::program::Program;
use crate::trace::{CallStack, Segment};

/// How much a model reads at once, in the ids of whoever counts: tokens, or bytes where a
/// server has the tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Ids.
    pub size: usize,
    /// What an id is, for people: `tokens` or `bytes`.
    pub unit: &'static str,
}

impl From<usize> for Window {
    fn from(size: usize) -> Self {
        Window { size, unit: "tokens" }
    }
}

/// Part of the window that program lines may fill; the rest is for states.
const PROGRAM: usize = 2;

/// Ids that stay free for an answer.
const ANSWER: usize = 512;

/// The lines that the model reads of a program, at `cost` ids a line.
pub fn context(
    program: &Program,
    window: impl Into<Window>,
    cost: impl Fn(&str) -> usize,
) -> Context {
    context::context(program, window.into().size / PROGRAM, |_, text| cost(text))
}

/// Refuses programs whose smallest context leaves no room.
///
/// # Errors
/// [`Refusal::Limit`] naming the window.
pub fn accepts(
    program: &Program,
    window: impl Into<Window>,
    cost: impl Fn(&str) -> usize,
) -> Result<(), Refusal> {
    let window = window.into();
    let lines = context(program, window, &cost).lines;
    let lines = lines.into_iter().filter_map(|loc| program.source(loc));
    let needed: usize = lines.map(|line| cost(line)).sum();
    // The entry's own block is kept even over budget.
    if needed + ANSWER > window.size * 3 / 4 {
        let Window { size, unit } = window;
        return Err(Refusal::Limit(format!(
            "this model reads {size} {unit} and the program takes {needed}; start nearer \
             with --entry, or try another --model"
        )));
    }
    Ok(())
}

/// The context as source text, every line with its newline; with several files each begins
/// with its name.
pub fn text(program: &Program, context: &Context) -> String {
    let mut text = String::new();
    let mut file = None;
    for &loc in &context.lines {
        if program.files.len() > 1 && file != Some(loc.file) {
            file = Some(loc.file);
            let name = program.files.get(usize::from(loc.file)).map_or("", |file| &file.name);
            text.push_str(&format!("# file: {name}\n"));
        }
        if let Some(line) = program.source(loc) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// Writes a question about a segment; if it is longer than the window, about the later half
/// of its states, and so on. Halving keeps the cut at one place over many questions.
///
/// # Errors
/// Those of `write`, and [`Refusal::Limit`] if not even the present state fits.
pub fn fit<T>(
    segment: &Segment,
    window: impl Into<Window>,
    write: impl Fn(&Segment) -> Result<(Vec<TokenId>, T), Refusal>,
) -> Result<(Vec<TokenId>, T), Refusal> {
    let Window { size, unit } = window.into();
    let mut segment = std::borrow::Cow::Borrowed(segment);
    loop {
        let (prompt, rest) = write(&segment)?;
        if prompt.len() + ANSWER <= size {
            return Ok((prompt, rest));
        }
        let steps = segment.steps.len();
        if steps == 0 {
            return Err(Refusal::Limit(format!(
                "this state alone takes {} of the {size} {unit} that this model reads; start \
                 nearer with --entry, or try another --model",
                prompt.len()
            )));
        }
        segment = std::borrow::Cow::Owned(later(&segment, steps.div_ceil(2)));
    }
}

/// A segment without its first states: it begins at the state that step `drop` led to, with
/// the callers that are known there.
pub fn later(segment: &Segment, drop: usize) -> Segment {
    let (Some(seen), Some(rest)) = (segment.steps.get(..drop), segment.steps.get(drop..)) else {
        return segment.clone();
    };
    let seen = Segment { steps: seen.to_vec(), ..segment.clone() };
    Segment {
        direction: segment.direction,
        callers: CallStack::of(&seen).callers(),
        first: seen.present().clone(),
        steps: rest.to_vec(),
    }
}
