//! All engines on small random models: the laws of the cache, and agreement.

use super::sample::{CONTEXT, Random, SMALL, Shape, VOCAB, load};
use super::*;
use crate::gguf::Writer;
use candle_core::quantized::GgmlDType;

/// Logits after every id of a sequence, in one pass over an empty cache.
fn all(model: &Model, ids: &[u32]) -> Logits {
    model.forward(ids, &mut model.cache(ids.len()).unwrap(), Want::All).unwrap()
}

/// Largest difference, relative to the largest logit.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    let largest = a.iter().fold(0f32, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0f32, |m, (a, b)| m.max((a - b).abs())) / largest
}

/// Each engine with a model and what may differ between two divisions of one sequence:
/// nothing for our own; rounding for candle, given weights for whose products it does not
/// quantize activations as well.
const ENGINES: [(EngineChoice, Shape, f32); 4] = [
    (EngineChoice::Plain, SMALL, 0.0),
    (EngineChoice::Packed, Shape { kind: GgmlDType::Q4_1, ..SMALL }, 0.0),
    (EngineChoice::Packed, Shape { family: "gemma3", window: Some(19), ..SMALL }, 0.0),
    (EngineChoice::Candle, Shape { kind: GgmlDType::F32, ..SMALL }, 1e-4),
];

#[test]
fn how_a_sequence_is_divided_into_calls_does_not_matter() {
    for (engine, shape, tolerance) in ENGINES {
        let model = shape.load(engine);
        let ids = Random(1).ids(CONTEXT); // longer than CHUNK
        let whole = all(&model, &ids);
        assert_eq!((whole.width, whole.rows().len()), (VOCAB, CONTEXT));
        assert!(whole.data.iter().all(|x| x.is_finite()));
        for parts in [&[1; CONTEXT][..], &[7, 1, 30, 2, 260], &[299, 1], &[3, 0, 297]] {
            let mut cache = model.cache(1).unwrap(); // grows
            let mut data = Vec::new();
            let mut rest = &ids[..];
            for &n in parts {
                let (part, tail) = rest.split_at(n);
                rest = tail;
                data.extend(model.forward(part, &mut cache, Want::All).unwrap().data);
                assert_eq!(cache.len(), ids.len() - rest.len());
            }
            let distance = distance(&whole.data, &data);
            assert!(distance <= tolerance, "{engine:?} {}: {distance}", parts.len());
        }
    }
}

#[test]
fn truncating_and_going_on_equals_never_having_gone_there() {
    for (engine, shape, tolerance) in ENGINES {
        let model = shape.load(engine);
        let (ids, wrong) = (Random(2).ids(40), Random(3).ids(30));
        let mut cache = model.cache(100).unwrap();
        model.forward(&ids[..25], &mut cache, Want::Nothing).unwrap();
        model.forward(&wrong, &mut cache, Want::Nothing).unwrap();
        cache.truncate(25);
        cache.truncate(60); // more than there is: no change
        assert_eq!(cache.len(), 25);
        let redone = model.forward(&ids[25..], &mut cache, Want::All).unwrap();
        let straight = &all(&model, &ids).data[25 * VOCAB..];
        assert!(distance(straight, &redone.data) <= tolerance, "{engine:?}");
    }
}

#[test]
fn a_fork_and_its_origin_do_not_see_each_other() {
    for (engine, shape, tolerance) in ENGINES {
        let model = shape.load(engine);
        let (ids, other) = (Random(4).ids(30), Random(5).ids(10));
        let mut cache = model.cache(64).unwrap();
        model.forward(&ids[..20], &mut cache, Want::Nothing).unwrap();
        let mut fork = cache.fork();
        model.forward(&other, &mut fork, Want::Nothing).unwrap();
        let mine = model.forward(&ids[20..], &mut cache, Want::All).unwrap();
        fork.truncate(20);
        let forked = model.forward(&ids[20..], &mut fork, Want::All).unwrap();
        let straight = &all(&model, &ids).data[20 * VOCAB..];
        assert!(distance(straight, &mine.data) <= tolerance);
        assert!(distance(straight, &forked.data) <= tolerance);
    }
}

#[test]
fn restricted_heads_give_the_same_logits() {
    let few: Vec<u32> = vec![96, 0, 3];
    let many: Vec<u32> = (0..VOCAB as u32).rev().collect();
    for (engine, shape, tolerance) in ENGINES {
        for tied in [true, false] {
            let model = Shape { tied, ..shape }.load(engine);
            let ids = Random(6).ids(20);
            let last = all(&model, &ids);
            for rows in [&few, &many] {
                let mut cache = model.cache(20).unwrap();
                let some = model.forward(&ids, &mut cache, Want::Rows(rows)).unwrap();
                let wanted: Vec<f32> = rows.iter().map(|&id| last.last()[id as usize]).collect();
                assert!(distance(&wanted, some.last()) <= tolerance, "{engine:?}");
                let mut cache = model.cache(20).unwrap();
                let each = model.forward(&ids, &mut cache, Want::AllRows(rows)).unwrap();
                assert_eq!((each.width, each.rows().len()), (rows.len(), ids.len()));
                for (each, whole) in each.rows().zip(last.rows()) {
                    let wanted: Vec<f32> = rows.iter().map(|&id| whole[id as usize]).collect();
                    assert!(distance(&wanted, each) <= tolerance, "{engine:?}");
                }
            }
        }
    }
}

#[test]
fn engines_agree_on_every_type_and_variant() {
    use GgmlDType::{BF16, F16, F32, Q4_0, Q4_1, Q4K, Q5_0, Q5_1, Q5K, Q6K, Q8_0};
    let wide = Shape { width: 256, inner: 512, ..SMALL };
    let mut shapes: Vec<Shape> = vec![
        Shape { kv_heads: 4, ..SMALL },
        Shape { kv_heads: 1, ..SMALL },
        Shape { tied: false, ..SMALL },
        Shape { rope_factors: true, ..SMALL },
        Shape { window: Some(7), ..SMALL },
        Shape { family: "qwen2", ..SMALL },
        Shape { family: "qwen3", ..SMALL },
        Shape { family: "gemma3", window: Some(7), kv_heads: 1, ..SMALL },
        Shape { family: "gemma3", kind: F32, window: Some(3), ..SMALL },
        Shape { family: "qwen2", kind: F32, ..SMALL },
    ];
    shapes
        .extend([F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0].map(|kind| Shape { kind, ..SMALL }));
    shapes.extend([Q4K, Q5K, Q6K, Q8_0].map(|kind| Shape { kind, ..wide }));
    let ids = Random(8).ids(24);
    for shape in shapes {
        let (plain, candle) = (shape.load(EngineChoice::Plain), shape.load(EngineChoice::Candle));
        // a batch, and one by one: candle's kernels differ between them
        let mut cache = candle.cache(24).unwrap();
        let mut single = Vec::new();
        for id in &ids {
            single.extend(candle.forward(&[*id], &mut cache, Want::All).unwrap().data);
        }
        let plain = all(&plain, &ids).data;
        let packed = all(&shape.load(EngineChoice::Packed), &ids).data;
        for other in [packed, all(&candle, &ids).data, single] {
            let exact = matches!(shape.kind, F32 | F16 | BF16);
            let limit = if exact { 1e-4 } else { 0.05 };
            let distance = distance(&plain, &other);
            assert!(distance <= limit, "{} {:?}: {distance}", shape.family, shape.kind);
        }
    }
}

#[test]
fn eight_bits_are_close_to_f32() {
    let ids = Random(9).ids(50);
    let exact = all(&Shape { kind: GgmlDType::F32, ..SMALL }.load(EngineChoice::Plain), &ids);
    let eight = all(&SMALL.load(EngineChoice::Plain), &ids);
    let distance = distance(&exact.data, &eight.data);
    assert!(distance > 0.0 && distance < 0.05, "{distance}");
}

#[test]
fn bad_calls_are_errors_and_leave_the_cache_alone() {
    let model = SMALL.load(EngineChoice::Plain);
    let mut cache = model.cache(10).unwrap();
    model.forward(&[1, 2, 3], &mut cache, Want::Nothing).unwrap();
    let cases: [(&[u32], Want, &str); 3] = [
        (&[1, 97], Want::Last, "token id 97 is outside the model's vocabulary of 97"),
        (&[1], Want::Rows(&[97]), "token id 97 is outside"),
        (&[0; 298], Want::Last, "the prompt needs 301 tokens; the model's window has 300"),
    ];
    for (ids, want, words) in cases {
        let error = model.forward(ids, &mut cache, want).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(cache.len(), 3);
    }
    let other = SMALL.load(EngineChoice::Candle);
    assert_eq!(other.forward(&[1], &mut cache, Want::Last), Err(ModelError::Cache));
}

/// Files whose header is well-formed but whose model is not.
#[test]
fn impossible_models_are_refused_with_the_reason() {
    let good = || {
        Writer::new()
            .u32("llama.context_length", 10)
            .u32("llama.embedding_length", 8)
            .u32("llama.attention.head_count", 2)
            .f32("llama.attention.layer_norm_rms_epsilon", 1e-5)
            .tensor_f32("token_embd.weight", &[3, 8], &[0.0; 24])
    };
    let llama = || good().str("general.architecture", "llama");
    let sized = || llama().u32("llama.block_count", 1).u32("llama.feed_forward_length", 8);
    let cases: Vec<(&str, Writer, &str)> = vec![
        ("no architecture", good(), "the key `general.architecture` is missing"),
        (
            "unknown architecture",
            good().str("general.architecture", "mamba"),
            "architecture `mamba` is not supported; supported: llama, qwen2, qwen3, gemma3",
        ),
        ("no layers", llama(), "`llama.block_count` is missing"),
        ("zero layers", llama().u32("llama.block_count", 0), "`llama.block_count` is 0"),
        (
            "2^31 layers",
            llama().u32("llama.block_count", 1 << 31),
            "`llama.block_count` is 2147483648; 1 to 1048576 are possible",
        ),
        ("a string", llama().str("llama.block_count", "4"), "an integer"),
        ("3 key heads", sized().u32("llama.attention.head_count_kv", 3), "do not fit"),
        ("odd rotation", sized().u32("llama.rope.dimension_count", 3), "an even number"),
        ("wide rotation", sized().u32("llama.rope.dimension_count", 6), "up to that"),
        (
            "yarn",
            sized().str("llama.rope.scaling.type", "yarn"),
            "rope scaling `yarn` by 1 is not supported",
        ),
        ("experts", sized().u32("llama.expert_count", 8), "mixture-of-experts"),
        ("no tensors", sized(), "the tensor `blk.0.attn_norm.weight` is missing"),
        (
            "a short norm",
            sized().tensor_f32("blk.0.attn_norm.weight", &[4], &[0.0; 4]),
            "`blk.0.attn_norm.weight` has the shape [4]; the sizes imply [8]",
        ),
    ];
    for (name, writer, words) in cases {
        let error = load(&writer.finish(), EngineChoice::Plain).expect_err(name).to_string();
        assert!(error.contains(words), "{name}: {error}");
        assert!(!error.contains('\n'));
    }
}

#[test]
fn devices_parse_and_say_why_not() {
    for text in ["auto", "cpu", "cuda:0", "cuda:3", "metal"] {
        assert_eq!(text.parse::<DeviceChoice>().unwrap().to_string(), text);
    }
    assert_eq!("cuda".parse(), Ok(DeviceChoice::Cuda(0)));
    for text in ["", "gpu", "cuda:", "cuda:x", "cpu:0", "cuda:-1"] {
        let error = text.parse::<DeviceChoice>().unwrap_err();
        assert!(error.contains("cuda:N"), "{error}");
    }
    if !cfg!(feature = "cuda") {
        let error = DeviceChoice::Cuda(0).open().err().unwrap().to_string();
        assert!(error.contains("--features cuda"), "{error}");
    }
}
