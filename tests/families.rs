//! Every family of networks against Hugging Face transformers, on tiny random models:
//! `fixtures/families/make.py` made the files and the logits.
//!
//! Where there is a GPU, this, `model.rs` and the unit tests of `model` also test it: candle's
//! engine then computes there instead of on the CPU. No GPU has been tested yet.
//!
//! ```sh
//! FORETRACE_TEST_DEVICE=cuda:0 cargo test --features cuda --lib model::
//! FORETRACE_TEST_DEVICE=cuda:0 cargo test --features cuda --test families
//! ```

mod device;

use device::device;
use foretrace::gguf::{FileBytes, Gguf};
use foretrace::model::{EngineChoice, Model, Want};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    ids: Vec<u32>,
    /// Positions after which the logits are kept.
    after: Vec<usize>,
    logits: Vec<Vec<f32>>,
}

const FAMILIES: [&str; 7] =
    ["llama", "llama_scaled", "cwm", "qwen2", "qwen3", "gemma3", "gemma3_keys"];

/// Of the largest logit; the smallest mistake that `check.py` tried (another GELU) moves
/// logits by 1.6e-4, all others by more than 1e-2.
const TOLERANCE: f32 = 1e-4;

#[test]
fn every_family_computes_what_transformers_computes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/families");
    for family in FAMILIES {
        let bytes = FileBytes::open(&folder.join(format!("{family}.gguf"))).unwrap();
        let gguf = Gguf::open(&bytes).unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{family}.json"))).unwrap();
        let fixture: Fixture = serde_json::from_str(&text).unwrap();
        assert!(fixture.cases.len() > 1);
        for engine in [EngineChoice::Plain, EngineChoice::Packed, EngineChoice::Candle] {
            let model = Model::load(&gguf, device(engine), engine, None).unwrap();
            for (number, case) in fixture.cases.iter().enumerate() {
                // at once, and in two parts of which the second begins inside a window
                for parts in [vec![case.ids.len()], vec![5, case.ids.len() - 5]] {
                    let mut cache = model.cache(case.ids.len()).unwrap();
                    let mut data = Vec::new();
                    let mut rest = &case.ids[..];
                    for part in parts {
                        let (ids, tail) = rest.split_at(part);
                        data.extend(model.forward(ids, &mut cache, Want::All).unwrap().data);
                        rest = tail;
                    }
                    for (&position, wanted) in case.after.iter().zip(&case.logits) {
                        let got = &data[position * wanted.len()..][..wanted.len()];
                        let largest = wanted.iter().fold(0f32, |m, x| m.max(x.abs()));
                        for (got, wanted) in got.iter().zip(wanted) {
                            let off = (got - wanted).abs() / largest;
                            assert!(
                                off < TOLERANCE,
                                "{family} {engine:?}, case {number}, after {position}: off by {off}"
                            );
                        }
                    }
                }
            }
        }
    }
}
