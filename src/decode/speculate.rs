//! A guess laid along the grammar: which ids, and what is allowed at each choice on the way.

use super::{Mask, forced};

/// Ids that are read in one pass before anyone knows whether the model would choose them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// Guessed ids and those that the grammar forces between them.
    pub(super) ids: Vec<u32>,
    /// The choices on the way: how many of the ids come before, and what is allowed there.
    /// The first is the present one; the last may have no guess.
    pub(super) choices: Vec<(usize, Vec<u32>)>,
}

impl Plan {
    /// Follows a guess as far as the grammar does, at most `room` ids.
    pub(super) fn along(mask: &mut dyn Mask, guess: &[u32], room: usize) -> Self {
        let mut plan = Plan { ids: Vec::new(), choices: vec![(0, mask.allowed().to_vec())] };
        if guess.first().is_some_and(|id| plan.allows(*id)) {
            plan.follow(&mut *mask.fork(), guess, room);
        }
        plan
    }

    /// Whether an id may be chosen at the last choice.
    fn allows(&self, id: u32) -> bool {
        self.choices.last().is_some_and(|(_, allowed)| allowed.binary_search(&id).is_ok())
    }

    fn follow(&mut self, ahead: &mut dyn Mask, guess: &[u32], room: usize) {
        let mut guess = guess.iter().copied();
        while let Some(id) = guess.next().filter(|id| self.allows(*id)) {
            ahead.push(id);
            self.ids.push(id);
            let mut fits = true;
            while !ahead.done() && self.ids.len() < room {
                let forced = forced(ahead);
                if forced.is_empty() {
                    break;
                }
                for id in forced.into_iter().take(room - self.ids.len()) {
                    ahead.push(id);
                    self.ids.push(id);
                    // what is forced says whether the guess still fits
                    fits &= guess.next() == Some(id);
                }
            }
            if ahead.done() || self.ids.len() >= room || ahead.allowed().is_empty() {
                return;
            }
            self.choices.push((self.ids.len(), ahead.allowed().to_vec()));
            if !fits {
                return;
            }
        }
    }

    /// Everything allowed at any of its choices, ascending; `None` where that is more than
    /// half of the vocabulary, so that all of it costs less than picking rows.
    pub(super) fn rows(&self, vocab: usize) -> Option<Vec<u32>> {
        let few = |count: usize| count * 2 <= vocab;
        if !self.choices.iter().all(|(_, allowed)| few(allowed.len())) {
            return None;
        }
        let rows = match self.choices.as_slice() {
            [(_, allowed)] => allowed.clone(),
            choices => {
                let mut any = vec![false; vocab];
                for &id in choices.iter().flat_map(|(_, allowed)| allowed) {
                    any[id as usize] = true;
                }
                (0..).zip(any).filter_map(|(id, any)| any.then_some(id)).collect()
            }
        };
        few(rows.len()).then_some(rows)
    }

    /// Ids that have to be read before the last choice can be made.
    pub(super) fn needed(&self) -> &[u32] {
        let before = self.choices.last().map_or(0, |(before, _)| *before);
        self.ids.get(..before).unwrap_or_default()
    }
}
