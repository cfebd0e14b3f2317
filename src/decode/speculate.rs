//! A guess laid along the grammar: which ids, and what is allowed at each choice on the way.

use super::Mask;

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
        let mut ahead = mask.fork();
        let mut guess = guess.iter().copied();
        let mut allowed = plan.choices[0].1.clone();
        while let Some(id) = guess.next()
            && allowed.binary_search(&id).is_ok()
        {
            ahead.push(id);
            plan.ids.push(id);
            loop {
                if ahead.done() || plan.ids.len() >= room {
                    return plan;
                }
                let mut forced = ahead.forced();
                if forced.is_empty()
                    && let [only] = ahead.allowed()
                {
                    forced.push(*only);
                }
                if forced.is_empty() {
                    break;
                }
                for id in forced.into_iter().take(room - plan.ids.len()) {
                    ahead.push(id);
                    plan.ids.push(id);
                    // what is forced says whether the guess still fits
                    if guess.next() != Some(id) {
                        guess = Default::default();
                    }
                }
            }
            allowed = ahead.allowed().to_vec();
            if allowed.is_empty() {
                break;
            }
            plan.choices.push((plan.ids.len(), allowed.clone()));
        }
        plan
    }

    /// Everything allowed at any of its choices, ascending.
    pub(super) fn rows(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.choices.iter().flat_map(|(_, ids)| ids).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Ids that have to be read before the last choice can be made.
    pub(super) fn needed(&self) -> &[u32] {
        let before = self.choices.last().map_or(0, |(before, _)| *before);
        self.ids.get(..before).unwrap_or_default()
    }
}
