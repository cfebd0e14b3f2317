//! Small random models for tests: real files with every role filled, and no meaning.

use super::{DeviceChoice, EngineChoice, Model, ModelError};
use crate::gguf::{Gguf, TensorType, Writer};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};

/// A random model of some shape, written as a file.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) family: &'static str,
    /// Positions seen by the layers with a window.
    pub(crate) window: Option<u32>,
    pub(crate) vocab: usize,
    pub(crate) context: usize,
    pub(crate) width: usize,
    pub(crate) heads: usize,
    pub(crate) kv_heads: usize,
    pub(crate) inner: usize,
    pub(crate) kind: GgmlDType,
    pub(crate) tied: bool,
    pub(crate) rope_factors: bool,
}

pub(crate) const VOCAB: usize = 97;
pub(crate) const LAYERS: usize = 2;
pub(crate) const CONTEXT: usize = 300;

/// Like our own small models, but smaller.
pub(crate) const SMALL: Shape = Shape {
    family: "llama",
    window: None,
    vocab: VOCAB,
    context: CONTEXT,
    width: 64,
    heads: 4,
    kv_heads: 2,
    inner: 96,
    kind: GgmlDType::Q8_0,
    tied: true,
    rope_factors: false,
};

/// A small deterministic generator; the numbers only need to look random.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// Uniform in -1..1.
    fn number(&mut self) -> f32 {
        self.next() as f32 / (1u64 << 30) as f32 - 1.0
    }

    pub(crate) fn ids(&mut self, n: usize) -> Vec<u32> {
        (0..n).map(|_| (self.next() % VOCAB as u64) as u32).collect()
    }
}

impl Shape {
    pub(crate) fn file(self) -> Vec<u8> {
        self.write(Writer::new())
    }

    /// Adds the network to a file that has other metadata already.
    pub(crate) fn write(self, file: Writer) -> Vec<u8> {
        let mut random = Random(7);
        let head_dim = self.width / self.heads;
        let keys = self.kv_heads * head_dim;
        let key = |suffix: &str| format!("{}.{suffix}", self.family);
        let mut file = file
            .str("general.architecture", self.family)
            .u32(&key("block_count"), LAYERS as u32)
            .u32(&key("context_length"), self.context as u32)
            .u32(&key("embedding_length"), self.width as u32)
            .u32(&key("feed_forward_length"), self.inner as u32)
            .u32(&key("attention.head_count"), self.heads as u32)
            .u32(&key("attention.head_count_kv"), self.kv_heads as u32)
            .f32(&key("attention.layer_norm_rms_epsilon"), 1e-5)
            .f32(&key("rope.freq_base"), 10_000.0);
        if let Some(window) = self.window {
            file = file
                .u32(&key("attention.sliding_window"), window)
                .u32(&key("attention.sliding_window_pattern"), 2);
        }
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
        file = matrix(file, "token_embd.weight", self.vocab, self.width);
        if !self.tied {
            file = matrix(file, "output.weight", self.vocab, self.width);
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
        let mut names = vec![("attn_norm.weight", self.width), ("ffn_norm.weight", self.width)];
        match self.family {
            "qwen2" => names.extend([
                ("attn_q.bias", self.width),
                ("attn_k.bias", keys),
                ("attn_v.bias", keys),
            ]),
            "qwen3" | "gemma3" => {
                names.extend([("attn_q_norm.weight", head_dim), ("attn_k_norm.weight", head_dim)]);
            }
            _ => {}
        }
        if self.family == "gemma3" {
            names.push(("post_attention_norm.weight", self.width));
            names.push(("post_ffw_norm.weight", self.width));
        }
        for layer in 0..LAYERS {
            for (name, len) in &names {
                file = vector(file, &format!("blk.{layer}.{name}"), *len);
            }
        }
        if self.rope_factors {
            file = vector(file, "rope_freqs.weight", head_dim / 2);
        }
        vector(file, "output_norm.weight", self.width).finish()
    }

    pub(crate) fn load(self, engine: EngineChoice) -> Model {
        load(&self.file(), engine).unwrap()
    }
}

/// With candle where `FORETRACE_TEST_DEVICE` says, else on the CPU; see `tests/families.rs`.
pub(crate) fn load(file: &[u8], engine: EngineChoice) -> Result<Model, ModelError> {
    let device = match std::env::var("FORETRACE_TEST_DEVICE") {
        Ok(name) if engine == EngineChoice::Candle => name.parse().map_err(ModelError::Device)?,
        _ => DeviceChoice::Cpu,
    };
    Model::load(&Gguf::read(file)?, device, engine, None)
}
