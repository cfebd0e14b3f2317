//! Both engines on small random models: the laws of the cache, and agreement.

use super::*;
use crate::gguf::{TensorType, Writer};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};

/// A random llama of some shape, written as a file.
#[derive(Clone, Copy)]
struct Shape {
    width: usize,
    heads: usize,
    kv_heads: usize,
    inner: usize,
    kind: GgmlDType,
    tied: bool,
    rope_factors: bool,
}

const VOCAB: usize = 97;
const LAYERS: usize = 2;
const CONTEXT: usize = 300;

/// Like our own small models, but smaller.
const SMALL: Shape = Shape {
    width: 64,
    heads: 4,
    kv_heads: 2,
    inner: 96,
    kind: GgmlDType::Q8_0,
    tied: true,
    rope_factors: false,
};

/// A small deterministic generator; the numbers only need to look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// Uniform in -1..1.
    fn number(&mut self) -> f32 {
        self.next() as f32 / (1u64 << 30) as f32 - 1.0
    }

    fn ids(&mut self, n: usize) -> Vec<u32> {
        (0..n).map(|_| (self.next() % VOCAB as u64) as u32).collect()
    }
}

impl Shape {
    fn file(self) -> Vec<u8> {
        let mut random = Random(7);
        let head_dim = self.width / self.heads;
        let keys = self.kv_heads * head_dim;
        let mut file = Writer::new()
            .str("general.architecture", "llama")
            .u32("llama.block_count", LAYERS as u32)
            .u32("llama.context_length", CONTEXT as u32)
            .u32("llama.embedding_length", self.width as u32)
            .u32("llama.feed_forward_length", self.inner as u32)
            .u32("llama.attention.head_count", self.heads as u32)
            .u32("llama.attention.head_count_kv", self.kv_heads as u32)
            .f32("llama.attention.layer_norm_rms_epsilon", 1e-5)
            .f32("llama.rope.freq_base", 10_000.0);
        let mut matrix = |file: Writer, name: &str, rows: usize, columns: usize| {
            let scale = 2.0 / (columns as f32).sqrt();
            let data: Vec<f32> = (0..rows * columns).map(|_| random.number() * scale).collect();
            let tensor = Tensor::from_vec(data, (rows, columns), &Device::Cpu).unwrap();
            let quantized = QTensor::quantize(&tensor, self.kind).unwrap();
            let kind = match self.kind {
                GgmlDType::F32 => TensorType::F32,
                GgmlDType::F16 => TensorType::F16,
                GgmlDType::BF16 => TensorType::BF16,
                GgmlDType::Q4_0 => TensorType::Q4_0,
                GgmlDType::Q4_1 => TensorType::Q4_1,
                GgmlDType::Q5_0 => TensorType::Q5_0,
                GgmlDType::Q5_1 => TensorType::Q5_1,
                GgmlDType::Q8_0 => TensorType::Q8_0,
                GgmlDType::Q4K => TensorType::Q4_K,
                GgmlDType::Q5K => TensorType::Q5_K,
                GgmlDType::Q6K => TensorType::Q6_K,
                other => panic!("{other:?}"),
            };
            file.tensor(name, &[rows, columns], kind, quantized.data().unwrap().into_owned())
        };
        file = matrix(file, "token_embd.weight", VOCAB, self.width);
        if !self.tied {
            file = matrix(file, "output.weight", VOCAB, self.width);
        }
        for layer in 0..LAYERS {
            for (name, rows, columns) in [
                ("attn_q", self.width, self.width),
                ("attn_k", keys, self.width),
                ("attn_v", keys, self.width),
                ("attn_output", self.width, self.width),
                ("ffn_gate", self.inner, self.width),
                ("ffn_up", self.inner, self.width),
                ("ffn_down", self.width, self.inner),
            ] {
                file = matrix(file, &format!("blk.{layer}.{name}.weight"), rows, columns);
            }
        }
        let mut vector = |file: Writer, name: &str, len: usize| {
            let data: Vec<f32> = (0..len).map(|_| 1.0 + 0.3 * random.number()).collect();
            file.tensor_f32(name, &[len], &data)
        };
        for layer in 0..LAYERS {
            file = vector(file, &format!("blk.{layer}.attn_norm.weight"), self.width);
            file = vector(file, &format!("blk.{layer}.ffn_norm.weight"), self.width);
        }
        if self.rope_factors {
            file = vector(file, "rope_freqs.weight", head_dim / 2);
        }
        vector(file, "output_norm.weight", self.width).finish()
    }

    fn load(self, engine: EngineChoice) -> Model {
        load(&self.file(), engine).unwrap()
    }
}

fn load(file: &[u8], engine: EngineChoice) -> Result<Model, ModelError> {
    Model::load(&Gguf::read(file)?, DeviceChoice::Cpu, engine)
}

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
/// nothing for the plain one; rounding for candle, given weights for whose products it does
/// not quantize activations as well.
const ENGINES: [(EngineChoice, Shape, f32); 2] = [
    (EngineChoice::Plain, SMALL, 0.0),
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
        for other in [all(&candle, &ids).data, single] {
            let exact = matches!(shape.kind, F32 | F16 | BF16);
            let limit = if exact { 1e-4 } else { 0.05 };
            let distance = distance(&plain, &other);
            assert!(distance <= limit, "{:?} {:?}: {distance}", shape.kind, shape.kv_heads);
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
            "architecture `mamba` is not supported; supported: llama",
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
