//! Probabilities of ids → where the model wavered.

use crate::codec::{Component, Decoded, Reading};
use crate::decode::Generation;

/// Where an answer could have gone another way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fork {
    /// The component that would differ.
    pub(super) component: Component,
    /// How many of the answer's ids stay.
    pub(super) at: usize,
    /// The id that would follow them.
    pub(super) id: u32,
    /// Of the component up to and with that id.
    pub(super) probability: f32,
}

/// Below this a runner-up is noise.
const NOTEWORTHY: f32 = 0.01;

/// The likeliest other way of each component, for the `most` components with the likeliest.
pub(super) fn forks(generation: &Generation, decoded: &Decoded, most: usize) -> Vec<Fork> {
    let mut forks: Vec<Fork> = Vec::new();
    for (component, ids) in &decoded.spans {
        let mut before = 1.0;
        let mut best: Option<Fork> = None;
        for at in ids.clone() {
            let Some(token) = generation.tokens.get(at) else { break };
            if let Some(&(id, probability)) = token.others.first() {
                let probability = before * probability;
                if best.as_ref().is_none_or(|b| probability > b.probability) {
                    best = Some(Fork { component: component.clone(), at, id, probability });
                }
            }
            before *= token.probability;
        }
        forks.extend(best.filter(|fork| fork.probability >= NOTEWORTHY));
    }
    forks.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    forks.truncate(most);
    forks
}

/// What a reading says for a component, as text for people; `None` if it says nothing.
pub(super) fn text_of(component: &Component, reading: &Reading) -> Option<String> {
    match (reading, component) {
        (Reading::State(state), Component::Event) => Some(state.event.name().to_owned()),
        (Reading::Exit(exit), Component::Event) => Some(format!("exit {}", exit.name())),
        (Reading::State(state), Component::Source) => Some(format!("line {}", state.loc.line)),
        (Reading::State(state), Component::Local(name)) => {
            let value = state.locals.as_ref()?.get(name);
            Some(value.map_or("deleted", |value| value.text()).to_owned())
        }
        (Reading::State(state), Component::Arg) => {
            state.arg.as_ref().map(|value| value.text().to_owned())
        }
        _ => None,
    }
}
