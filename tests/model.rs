//! The decoder against llama.cpp and against the definition, on a real model file.
//!
//! Slow, so ignored by default; `.ci/run` runs them in a release build:
//!
//! ```sh
//! FORETRACE_SMOLLM2=$(tests/fetch_smollm2.sh) FORETRACE_GEMMA=$(tests/fetch_gemma.sh) \
//!     cargo test --release --test model -- --ignored
//! ```
//!
//! What they compute is kept in `fixtures/smollm2.json` and `gemma.json`, with the script that
//! made it beside them, so that only the model files are needed. `FORETRACE_TEST_DEVICE=cuda:0`
//! with `--features cuda` gives candle's engine to a GPU; see `families.rs`.

mod device;

use device::device;
use foretrace::gguf::{FileBytes, Gguf};
use foretrace::model::{EngineChoice, Model, Want};
use serde::Deserialize;
use std::path::PathBuf;

#[derive(Deserialize)]
struct Fixture {
    /// Which logits are kept: every so many.
    stride: usize,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    /// The prompt.
    ids: Vec<u32>,
    /// The likeliest next ids.
    top5: Vec<u32>,
    /// The logits' largest magnitude.
    largest: f32,
    some: Vec<f32>,
    /// The same logits with 64-bit floats on the dequantized weights.
    by_definition: Vec<f32>,
    /// What greedy decoding says next.
    #[serde(default)]
    greedy: Vec<u32>,
    /// The lead of each of its choices over the second best logit.
    #[serde(default)]
    leads: Vec<f32>,
}

/// Leads below this share of the largest logit are ties: llama.cpp quantizes activations to 8
/// bits for every product, which moves logits by about as much (and by more where it is farther
/// from the definition).
const TIE: f32 = 0.02;

/// A real model file and what llama.cpp says of it.
struct Real {
    /// The environment variable that holds its path.
    variable: &'static str,
    fixture: &'static str,
}

const SMOLLM2: Real =
    Real { variable: "FORETRACE_SMOLLM2", fixture: include_str!("fixtures/smollm2.json") };

const GEMMA: Real =
    Real { variable: "FORETRACE_GEMMA", fixture: include_str!("fixtures/gemma.json") };

impl Real {
    fn model(&self, engine: EngineChoice) -> Model {
        let path = std::env::var_os(self.variable)
            .map(PathBuf::from)
            .unwrap_or_else(|| panic!("set {}; see the head of this file", self.variable));
        let bytes = FileBytes::open(&path).unwrap();
        let gguf = Gguf::open(&bytes).unwrap();
        Model::load(&gguf, device(engine), engine, None).unwrap()
    }

    fn fixture(&self) -> Fixture {
        serde_json::from_str(self.fixture).unwrap()
    }
}

/// Ids by falling logit.
fn ranked(logits: &[f32]) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..logits.len() as u32).collect();
    ids.sort_by(|&a, &b| logits[b as usize].total_cmp(&logits[a as usize]));
    ids
}

/// Length of the difference over the length of `wanted`.
fn relative(got: &[f32], wanted: &[f32]) -> f64 {
    assert_eq!(got.len(), wanted.len());
    let squares = |x: f32| f64::from(x) * f64::from(x);
    let error: f64 = got.iter().zip(wanted).map(|(a, b)| squares(a - b)).sum();
    (error / wanted.iter().map(|&x| squares(x)).sum::<f64>()).sqrt()
}

/// `limit`: how far the engine may be from the definition.
fn agrees(real: &Real, engine: EngineChoice, longest: usize, limit: f64) {
    let model = real.model(engine);
    let fixture = real.fixture();
    for (number, case) in fixture.cases.iter().enumerate() {
        if case.ids.len() > longest {
            continue;
        }
        let mut cache = model.cache(512).unwrap();
        let logits = model.forward(&case.ids, &mut cache, Want::Last).unwrap();
        let logits = logits.last();
        let some: Vec<f32> = logits.iter().copied().step_by(fixture.stride).collect();
        let from_definition = relative(&some, &case.by_definition);
        let from_llama_cpp = relative(&some, &case.some);
        let llama_cpp = relative(&case.some, &case.by_definition);
        println!(
            "{engine:?} {number}: from the definition {from_definition:.6}, from llama.cpp \
             {from_llama_cpp:.4} (itself from the definition {llama_cpp:.4})"
        );
        assert!(from_definition < limit, "case {number}: {from_definition}");
        assert!(from_llama_cpp < 0.15, "case {number}: {from_llama_cpp}");

        // the five likeliest: the same, but for exchanged neighbours whose logits tie
        let tie = TIE.max(llama_cpp as f32) * case.largest;
        let ranked = ranked(logits);
        for (place, id) in case.top5.iter().enumerate() {
            let behind = logits[ranked[place] as usize] - logits[*id as usize];
            assert!(behind.abs() < tie, "case {number}: {id} is {behind} behind");
        }
        let lead = logits[ranked[0] as usize] - logits[ranked[1] as usize];
        if lead > tie {
            assert_eq!(ranked[0], case.top5[0], "case {number}");
        }

        // in two parts, and once more behind what is kept
        for cut in [case.ids.len() / 3, case.ids.len() - 1] {
            cache.truncate(cut);
            let again = model.forward(&case.ids[cut..], &mut cache, Want::Last).unwrap();
            let apart = relative(again.last(), logits);
            assert!(apart < limit, "case {number}, from {cut} on: {apart}");
        }
    }
}

#[test]
#[ignore = "needs a 98 MB model file; see the head of this file"]
fn plain_engine_agrees_with_llama_cpp() {
    agrees(&SMOLLM2, EngineChoice::Plain, 500, 1e-4);
}

// the others quantize activations, as llama.cpp does

#[test]
#[ignore = "needs a 98 MB model file; see the head of this file"]
fn packed_engine_agrees_with_llama_cpp() {
    agrees(&SMOLLM2, EngineChoice::Packed, 500, 0.12);
}

#[test]
#[ignore = "needs a 98 MB model file; see the head of this file"]
fn candle_engine_agrees_with_llama_cpp() {
    agrees(&SMOLLM2, EngineChoice::Candle, 50, 0.1);
}

#[test]
#[ignore = "needs a 253 MB model file; see the head of this file"]
fn plain_engine_agrees_with_llama_cpp_on_gemma() {
    agrees(&GEMMA, EngineChoice::Plain, 500, 1e-4);
}

#[test]
#[ignore = "needs a 253 MB model file; see the head of this file"]
fn packed_engine_agrees_with_llama_cpp_on_gemma() {
    agrees(&GEMMA, EngineChoice::Packed, 500, 0.12);
}

#[test]
#[ignore = "needs two model files; see the head of this file"]
fn greedy_decoding_says_what_llama_cpp_says() {
    for real in [SMOLLM2, GEMMA] {
        for engine in [EngineChoice::Plain, EngineChoice::Packed] {
            says_the_same(&real, engine);
        }
    }
}

fn says_the_same(real: &Real, engine: EngineChoice) {
    let model = real.model(engine);
    let mut compared = 0;
    for (number, case) in real.fixture().cases.iter().enumerate() {
        let mut cache = model.cache(512).unwrap();
        let mut logits = model.forward(&case.ids, &mut cache, Want::Last).unwrap();
        for (place, (&wanted, &lead)) in case.greedy.iter().zip(&case.leads).enumerate() {
            if lead > TIE * case.largest {
                let best = ranked(logits.last())[0];
                assert_eq!(best, wanted, "{engine:?} {number}, token {place}, lead {lead}");
                compared += 1;
            }
            // continue as llama.cpp did, so that a tie does not end the comparison
            logits = model.forward(&[wanted], &mut cache, Want::Last).unwrap();
        }
    }
    assert!(compared > 100, "only {compared} choices were no ties");
}
