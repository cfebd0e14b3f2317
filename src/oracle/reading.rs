//! What a reply says, and how sure the model was of its ids → an answer.
//!
//! Shared by the oracles that guess. Must not know: where ids and probabilities come from.

use super::{Answer, Confidence, OracleError, Prediction, RunnerUp};
use crate::codec::{Component, Decoded, Reading, Refusal};

/// How sure a model was of one id of its reply.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sureness {
    /// It was the only legal one: there was nothing to be sure of.
    pub(super) forced: bool,
    /// Its probability among the legal ids, where known.
    pub(super) constrained: Option<f32>,
    /// Its probability among all ids, where known.
    pub(super) raw: Option<f32>,
}

/// A reply that was read → an answer with scores; `sure` is of the reply's ids in order.
pub(super) fn answered(decoded: Decoded, sure: &[Sureness], runners_up: Vec<RunnerUp>) -> Answer {
    let scored = |of: fn(&Sureness) -> Option<f32>| confidence(sure, &decoded, of);
    let (confidence, raw_confidence) = (scored(|s| s.constrained), scored(|s| s.raw));
    match decoded.reading {
        Reading::State(state) => Answer::State(Box::new(Prediction {
            state,
            callers: None,
            candidates: decoded.candidates,
            confidence,
            raw_confidence,
            runners_up,
            raw: decoded.text,
            node: None,
        })),
        Reading::Exit(exit) => {
            let confidence = confidence.map(|c| c.event);
            Answer::Exit { exit, confidence, ending: Box::default(), raw: decoded.text }
        }
        Reading::Malformed { at, why } => {
            Answer::Malformed { text: decoded.text, why: format!("{why} (at byte {at})") }
        }
    }
}

/// The product of the chosen ids' probabilities over each component's ids. Forced ids do
/// not count: there was nothing to be sure of. `None` if the probability of any chosen id is
/// not known.
fn confidence(
    sure: &[Sureness],
    decoded: &Decoded,
    probability: fn(&Sureness) -> Option<f32>,
) -> Option<Confidence> {
    let chosen = |id: &&Sureness| !id.forced;
    if sure.iter().filter(chosen).any(|id| probability(id).is_none()) {
        return None;
    }
    let mut confidence = Confidence { event: 1.0, source: 1.0, locals: Vec::new(), arg: None };
    for (component, ids) in &decoded.spans {
        let ids = sure.get(ids.clone()).unwrap_or_default();
        let product: f32 = ids.iter().filter(chosen).filter_map(probability).product();
        match component {
            Component::Event => confidence.event *= product,
            Component::Source => confidence.source *= product,
            Component::Arg => confidence.arg = Some(confidence.arg.unwrap_or(1.0) * product),
            Component::Local(name) => {
                match confidence.locals.iter_mut().find(|(known, _)| known == name) {
                    Some((_, known)) => *known *= product,
                    None => confidence.locals.push((name.clone(), product)),
                }
            }
        }
    }
    Some(confidence)
}

/// Why a question cannot be put.
pub(super) fn refused(refusal: Refusal) -> OracleError {
    match refusal {
        Refusal::Limit(why) => OracleError::Limit(why),
        Refusal::Unsupported(why) => OracleError::Unsupported(why),
    }
}
