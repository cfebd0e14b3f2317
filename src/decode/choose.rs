//! Choosing one id from logits.

/// How ids are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Choice {
    /// The likeliest; of equals the lowest id.
    Greedy,
    /// At random by the seed: softmax at a temperature, cut to the likeliest that together
    /// have the probability `top_p`.
    Sample {
        /// Below 1 sharper, above 1 flatter.
        temperature: f32,
        /// In 0..=1; 1 cuts nothing.
        top_p: f32,
        /// The same seed gives the same choices.
        seed: u64,
    },
}

/// Makes the choices of one generation.
pub(super) struct Chooser {
    choice: Choice,
    state: u64,
}

impl Chooser {
    pub(super) fn new(choice: Choice) -> Self {
        let state = if let Choice::Sample { seed, .. } = choice { seed } else { 0 };
        Chooser { choice, state }
    }

    /// The index of the chosen logit; `None` if there are none.
    pub(super) fn choose(&mut self, logits: &[f32]) -> Option<usize> {
        match self.choice {
            Choice::Sample { temperature, top_p, .. } if temperature > 0.0 => {
                let scaled: Vec<f32> = logits.iter().map(|x| x / temperature).collect();
                let mut ranked: Vec<_> = softmax(&scaled).into_iter().enumerate().collect();
                ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
                let mut total = 0.0;
                let inside = ranked.iter().take_while(|(_, p)| {
                    let inside = total < top_p;
                    total += p;
                    inside
                });
                let kept = inside.count().max(1);
                ranked.truncate(kept);
                let mut target = self.uniform() * ranked.iter().map(|(_, p)| p).sum::<f32>();
                for (i, p) in &ranked {
                    target -= p;
                    if target < 0.0 {
                        return Some(*i);
                    }
                }
                ranked.first().map(|(i, _)| *i)
            }
            _ => {
                let mut best: Option<(usize, f32)> = None;
                for (i, &logit) in logits.iter().enumerate() {
                    if best.is_none_or(|(_, b)| logit > b) {
                        best = Some((i, logit));
                    }
                }
                best.map(|(i, _)| i)
            }
        }
    }

    /// Uniform in 0..1, by SplitMix64 (Steele et al. 2014).
    fn uniform(&mut self) -> f32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u32 << 24) as f32
    }
}

/// Probabilities from logits.
pub(super) fn softmax(logits: &[f32]) -> Vec<f32> {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> = logits.iter().map(|x| (x - max).exp()).collect();
    let sum: f32 = exps.iter().sum();
    exps.into_iter().map(|x| x / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greedy_takes_the_largest_and_of_equals_the_first() {
        let mut greedy = Chooser::new(Choice::Greedy);
        assert_eq!(greedy.choose(&[]), None);
        assert_eq!(greedy.choose(&[-3.0]), Some(0));
        assert_eq!(greedy.choose(&[1.0, 2.0, 2.0, -1.0]), Some(1));
        assert_eq!(greedy.choose(&[f32::NAN, 1.0]), Some(0), "any, but no panic");
    }

    #[test]
    fn samples_follow_the_distribution_and_the_seed() {
        let logits = [0.0, 1.0, 2.0, -30.0];
        let draw = |temperature, top_p, seed| {
            let mut chooser = Chooser::new(Choice::Sample { temperature, top_p, seed });
            (0..10_000).map(|_| chooser.choose(&logits).unwrap()).collect::<Vec<_>>()
        };
        let draws = draw(1.0, 1.0, 1);
        let probabilities = softmax(&logits);
        for (i, p) in probabilities.iter().enumerate() {
            let share = draws.iter().filter(|&&d| d == i).count() as f32 / 10_000.0;
            assert!((share - p).abs() < 0.02, "{i}: {share} for {p}");
        }
        assert_eq!(draws, draw(1.0, 1.0, 1));
        assert_ne!(draws, draw(1.0, 1.0, 2));
        assert!(draw(1.0, 0.5, 1).iter().all(|&d| d == 2), "the likeliest has 0.66");
        assert!(draw(1.0, 0.8, 1).iter().all(|&d| d == 1 || d == 2));
        assert!(draw(0.01, 1.0, 1).iter().all(|&d| d == 2));
        assert!(draw(0.0, 1.0, 1).iter().all(|&d| d == 2), "temperature 0 is greedy");
    }
}
