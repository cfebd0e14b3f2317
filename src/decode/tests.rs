//! Generation against choosing one id at a time, under random grammars.

use super::*;
use crate::model::sample::{CONTEXT, Random, SMALL, VOCAB};
use crate::model::{EngineChoice, Model, Want};
use std::cell::Cell;

/// A grammar whose every position allows a set of ids that depends on those before; some
/// sets have one id, and runs of those can be announced as forced.
#[derive(Clone)]
struct Grammar {
    seed: u64,
    ids: Vec<u32>,
    length: usize,
    announces: bool,
    /// How many ids a set may have.
    counts: &'static [usize],
    set: Vec<u32>,
}

impl Grammar {
    fn new(seed: u64, length: usize, announces: bool) -> Self {
        let counts = &[1, 1, 1, 2, 5, VOCAB];
        Grammar { seed, ids: Vec::new(), length, announces, counts, set: Vec::new() }
    }

    fn set_after(&self, ids: &[u32]) -> Vec<u32> {
        if ids.len() >= self.length {
            return Vec::new();
        }
        let hash = ids.iter().fold(self.seed, |h, &id| h.wrapping_mul(31).wrapping_add(id.into()));
        let mut random = Random(hash.wrapping_mul(0x9e37_79b9));
        let count = self.counts[random.next() as usize % self.counts.len()];
        let mut set = random.ids(count);
        set.sort_unstable();
        set.dedup();
        set
    }
}

impl Mask for Grammar {
    fn allowed(&mut self) -> &[u32] {
        self.set = self.set_after(&self.ids);
        &self.set
    }

    fn forced(&mut self) -> Vec<u32> {
        let mut run = self.ids.clone();
        while self.announces
            && let [only] = self.set_after(&run)[..]
        {
            run.push(only);
        }
        run.split_off(self.ids.len())
    }

    fn push(&mut self, id: u32) {
        assert!(self.set_after(&self.ids).contains(&id), "{id} is not allowed");
        self.ids.push(id);
    }

    fn done(&self) -> bool {
        self.ids.len() >= self.length
    }

    fn fork(&self) -> Box<dyn Mask + '_> {
        Box::new(self.clone())
    }
}

/// Cancels at the n-th question; `usize::MAX`: never.
struct After(Cell<usize>);

impl Watch for After {
    fn cancelled(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left == 0
    }

    fn prompt(&self, _: usize, _: usize) {}
}

fn never() -> After {
    After(Cell::new(usize::MAX))
}

const GREEDY: Settings = Settings { choice: Choice::Greedy, limit: 1000, raw: false };

/// The definition: every id chosen on its own, from all logits, without a cache.
fn one_by_one(model: &Model, prompt: &[u32], mut grammar: Grammar) -> Vec<u32> {
    let mut ids = prompt.to_vec();
    while !grammar.done() {
        let mut cache = model.cache(ids.len()).unwrap();
        let logits = model.forward(&ids, &mut cache, Want::Last).unwrap();
        let allowed = grammar.allowed().to_vec();
        let best = allowed.iter().copied().reduce(|a, b| {
            if logits.last()[b as usize] > logits.last()[a as usize] { b } else { a }
        });
        grammar.push(best.unwrap());
        ids.push(best.unwrap());
    }
    ids.split_off(prompt.len())
}

#[test]
fn forcing_batching_and_restricting_change_nothing() {
    let model = SMALL.load(EngineChoice::Plain);
    let mut tape = Tape::new(&model, 16).unwrap();
    let (mut forced, mut chosen) = (0, 0);
    for seed in 0..6 {
        let prompt = Random(seed % 2).ids(5 + seed as usize);
        let wanted = one_by_one(&model, &prompt, Grammar::new(seed, 24, true));
        for (announces, raw) in [(true, false), (false, false), (true, true)] {
            let mut grammar = Grammar::new(seed, 24, announces);
            let settings = Settings { raw, ..GREEDY };
            let got =
                generate(&model, &mut tape, &prompt, &mut grammar, settings, &never()).unwrap();
            let ids: Vec<u32> = got.tokens.iter().map(|t| t.id).collect();
            assert_eq!((ids, got.stop), (wanted.clone(), Stop::Done), "seed {seed}");
            assert_eq!(got.cached + got.read, prompt.len());
            forced += got.forced();
            chosen += got.chosen();
            for token in &got.tokens {
                assert_eq!(token.raw_probability.is_some(), raw && !token.forced);
                let others: f32 = token.others.iter().map(|(_, p)| p).sum();
                assert!(token.probability > 0.0 && token.probability + others < 1.0001);
                assert!(token.raw_probability.is_none_or(|p| p <= token.probability + 1e-6));
                assert!(token.others.iter().all(|(_, p)| *p <= token.probability));
            }
        }
    }
    assert!(forced > 50 && chosen > 50, "the grammars do both: {forced}, {chosen}");
}

/// Left almost free, a model repeats itself: what is guessed is then often right, and where
/// it is wrong nothing may be left of it.
#[test]
fn speculation_changes_nothing() {
    let (mut speculated, mut accepted) = (0, 0);
    for engine in [EngineChoice::Plain, EngineChoice::Packed] {
        let model = SMALL.load(engine);
        for seed in 0..4 {
            let mut tape = Tape::new(&model, 16).unwrap();
            let prompt: Vec<u32> = Random(seed).ids(6).repeat(3);
            for counts in [&[VOCAB * 20][..], &[1, VOCAB * 20, VOCAB * 20]] {
                let grammar = Grammar { counts, ..Grammar::new(7, 90, seed % 2 == 0) };
                let wanted = one_by_one(&model, &prompt, grammar.clone());
                for raw in [false, true] {
                    let settings = Settings { raw, ..GREEDY };
                    let mut mask = grammar.clone();
                    let got = generate(&model, &mut tape, &prompt, &mut mask, settings, &never())
                        .unwrap();
                    let ids: Vec<u32> = got.tokens.iter().map(|t| t.id).collect();
                    assert_eq!((&ids, got.stop), (&wanted, Stop::Done), "{engine:?} {seed}");
                    // the tape holds nothing but a beginning of what was said
                    let all = [&prompt[..], &ids].concat();
                    assert!(all.starts_with(tape.ids()), "{engine:?} {seed}");
                    speculated += got.speculated;
                    accepted += got.accepted;
                }
            }
        }
    }
    assert!(accepted > 300 && speculated > accepted, "{accepted} of {speculated}");
}

#[test]
fn a_tape_reads_only_what_is_new() {
    let model = SMALL.load(EngineChoice::Plain);
    let mut tape = Tape::new(&model, 64).unwrap();
    let prompt = Random(1).ids(30);
    let mut run = |prompt: &[u32]| {
        let mut grammar = Grammar::new(3, 4, true);
        let got = generate(&model, &mut tape, prompt, &mut grammar, GREEDY, &never()).unwrap();
        let fresh = one_by_one(&model, prompt, Grammar::new(3, 4, true));
        assert_eq!(got.tokens.iter().map(|t| t.id).collect::<Vec<_>>(), fresh);
        (got.cached, got.read)
    };
    assert_eq!(run(&prompt), (0, 30));
    assert_eq!(run(&prompt), (29, 1), "the last id gives the logits");
    let mut branch = prompt.clone();
    branch[20] += 1;
    assert_eq!(run(&branch), (20, 10));
    assert_eq!(run(&prompt[..10]), (9, 1));
}

#[test]
fn sampling_repeats_with_the_seed_and_stays_inside_the_mask() {
    let model = SMALL.load(EngineChoice::Plain);
    let mut tape = Tape::new(&model, 64).unwrap();
    let mut run = |seed| {
        let choice = Choice::Sample { temperature: 1.0, top_p: 0.95, seed };
        let mut grammar = Grammar::new(5, 30, true); // its push checks
        generate(&model, &mut tape, &[1, 2], &mut grammar, Settings { choice, ..GREEDY }, &never())
            .unwrap()
            .tokens
    };
    let first = run(1);
    assert_eq!(first, run(1));
    assert_ne!(first, run(2));
}

#[test]
fn limits_windows_and_cancelling_end_a_generation() {
    let model = SMALL.load(EngineChoice::Plain);
    let mut tape = Tape::new(&model, 64).unwrap();
    let mut run = |prompt: &[u32], limit, watch: After| {
        let mut grammar = Grammar::new(4, 1000, true);
        let settings = Settings { limit, ..GREEDY };
        generate(&model, &mut tape, prompt, &mut grammar, settings, &watch)
            .map(|g| (g.tokens.len(), g.stop))
    };
    let prompt = Random(1).ids(CONTEXT - 10);
    assert_eq!(run(&prompt, 5, never()), Ok((5, Stop::Limit)));
    assert_eq!(run(&prompt, 1000, never()), Ok((10, Stop::Window)));
    assert_eq!(run(&prompt, 1000, After(Cell::new(0))), Err(DecodeError::Cancelled));
    assert_eq!(run(&prompt[..50], 1000, After(Cell::new(3))), Err(DecodeError::Cancelled));
    assert_eq!(run(&prompt, 1000, never()), Ok((10, Stop::Window)), "the tape is still right");
    let too_long = Random(1).ids(CONTEXT + 1);
    assert_eq!(run(&too_long, 5, never()), Ok((0, Stop::Window)));
}
