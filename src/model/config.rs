//! A network's sizes, read from metadata and checked.

use super::ModelError;
use crate::gguf::{Gguf, ValueKind};

/// Which numbers of a head are rotated together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RopeStyle {
    /// Neighbours: (0, 1), (2, 3), … (llama.cpp's NORM; the llama architecture in GGUF).
    Interleaved,
    /// Halves: (0, n/2), (1, n/2 + 1), … (llama.cpp's NEOX; qwen, gemma).
    Halves,
}

/// What the feed-forward network's gate is passed through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// x · sigmoid(x)
    Silu,
    /// GELU by its approximation with tanh.
    Gelu,
}

/// What distinguishes one family of networks from another. A further family is a row in
/// [`FAMILIES`] and a field here for each thing it does differently.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Family {
    /// `general.architecture`, and the prefix of its keys.
    name: &'static str,
    /// How positions are rotated into queries and keys.
    rope: RopeStyle,
    /// See [`Activation`].
    activation: Activation,
    /// Queries, keys and values have biases.
    biases: bool,
    /// Each query and key head is normed before it is rotated.
    head_norms: bool,
    /// Attention and feed-forward are normed again before they are added.
    post_norms: bool,
    /// Embeddings are multiplied by the root of the width.
    scales_embedding: bool,
    /// Where some layers see only the last positions: every so many-th sees all, and the
    /// rotation base of the others; both unless the file says otherwise.
    window: Option<(usize, f32)>,
}

const LLAMA: Family = Family {
    name: "llama",
    rope: RopeStyle::Interleaved,
    activation: Activation::Silu,
    biases: false,
    head_norms: false,
    post_norms: false,
    scales_embedding: false,
    window: None,
};

const FAMILIES: [Family; 4] = [
    LLAMA,
    Family { name: "qwen2", rope: RopeStyle::Halves, biases: true, ..LLAMA },
    Family { name: "qwen3", rope: RopeStyle::Halves, head_norms: true, ..LLAMA },
    Family {
        name: "gemma3",
        rope: RopeStyle::Halves,
        activation: Activation::Gelu,
        head_norms: true,
        post_norms: true,
        scales_embedding: true,
        window: Some((6, 10_000.0)),
        ..LLAMA
    },
];

/// Layers that see only the last positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// Positions seen, the present one included.
    pub size: usize,
    /// Which layers have it: one for each layer.
    pub layers: Vec<bool>,
    /// Base of the rotation's wavelengths in the layers with a window, which are then not
    /// scaled; `None`: as in the others.
    pub rope_base: Option<f32>,
}

/// The sizes of a decoder-only transformer: pre-norm (RMS) attention with rotary positions
/// and grouped key heads, and a gated feed-forward network.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// `general.architecture`.
    pub architecture: &'static str,
    /// Token ids: `0..vocab`.
    pub vocab: usize,
    /// Numbers that stand for a token between layers.
    pub width: usize,
    /// Layers.
    pub layers: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads; divides `heads`.
    pub kv_heads: usize,
    /// Numbers of one head.
    pub head_dim: usize,
    /// Inner numbers of the feed-forward network.
    pub inner: usize,
    /// Most tokens at once.
    pub context: usize,
    /// Added to the mean square in the norms.
    pub norm_eps: f32,
    /// Which numbers of a head are rotated together.
    pub rope: RopeStyle,
    /// How many numbers of a head are rotated; even.
    pub rope_dim: usize,
    /// Base of the rotation's wavelengths.
    pub rope_base: f32,
    /// Positions are multiplied by this (linear scaling); 1 = none.
    pub rope_scale: f32,
    /// What the gate is passed through.
    pub activation: Activation,
    /// Queries, keys and values have biases.
    pub biases: bool,
    /// Each query and key head is normed before it is rotated.
    pub head_norms: bool,
    /// Attention and feed-forward are normed again before they are added.
    pub post_norms: bool,
    /// Embeddings are multiplied by this.
    pub embedding_scale: f32,
    /// Scores of attention are multiplied by this.
    pub attention_scale: f32,
    /// Some layers see only the last positions.
    pub window: Option<Window>,
}

/// Above all real models; keeps products of two sizes far from overflow.
const MAX_SIZE: usize = 1 << 20;

impl Config {
    /// Reads the sizes from a file's metadata.
    ///
    /// # Errors
    /// [`ModelError::Architecture`], [`ModelError::Config`], or a missing or ill-typed key.
    pub fn read(gguf: &Gguf<'_>) -> Result<Self, ModelError> {
        let name = gguf.need("general.architecture", Gguf::opt_word)?;
        let family = FAMILIES.iter().find(|f| f.name == name).ok_or_else(|| {
            let known: Vec<_> = FAMILIES.iter().map(|f| f.name).collect();
            ModelError::Architecture { name: name.to_owned(), known: known.join(", ") }
        })?;
        let key = |suffix: &str| format!("{}.{suffix}", family.name);
        let opt_size = |suffix: &str| -> Result<Option<usize>, ModelError> {
            match gguf.opt_u32(&key(suffix))?.map(|n| n as usize) {
                Some(n) if n == 0 || n > MAX_SIZE => Err(ModelError::Config(format!(
                    "corrupt: `{}` is {n}; 1 to {MAX_SIZE} are possible",
                    key(suffix)
                ))),
                size => Ok(size),
            }
        };
        let size = |suffix: &str| -> Result<usize, ModelError> {
            let missing = || crate::gguf::GgufError::MissingKey(key(suffix)).into();
            opt_size(suffix)?.ok_or_else(missing)
        };
        let refuse = |what: String| Err(ModelError::Config(what));

        if gguf.opt_u32(&key("expert_count"))?.unwrap_or(0) > 0 {
            return refuse("mixture-of-experts models are not supported".to_owned());
        }
        let width = size("embedding_length")?;
        let heads = size("attention.head_count")?;
        let kv_heads = opt_size("attention.head_count_kv")?.unwrap_or(heads);
        let head_dim = opt_size("attention.key_length")?.unwrap_or(width / heads);
        if heads % kv_heads != 0 || head_dim == 0 {
            return refuse(format!(
                "corrupt: {heads} heads, {kv_heads} key heads and width {width} do not fit together"
            ));
        }
        if opt_size("attention.value_length")?.is_some_and(|n| n != head_dim) {
            return refuse("key and value heads of different sizes are not supported".to_owned());
        }
        let rope_dim = opt_size("rope.dimension_count")?.unwrap_or(head_dim);
        if rope_dim > head_dim || rope_dim % 2 != 0 {
            return refuse(format!(
                "corrupt: {rope_dim} rotated numbers in heads of {head_dim}; an even number up to that is possible"
            ));
        }
        let scaling = gguf.opt_word(&key("rope.scaling.type"))?.unwrap_or("none");
        let factor = gguf.opt_f32(&key("rope.scaling.factor"))?.unwrap_or(1.0);
        let rope_scale = match scaling {
            "none" => 1.0,
            "linear" if factor > 0.0 => 1.0 / factor,
            other => return refuse(format!("rope scaling `{other}` by {factor} is not supported")),
        };
        let rope_base = gguf.opt_f32(&key("rope.freq_base"))?.unwrap_or(10_000.0);
        let norm_eps = gguf.need(&key("attention.layer_norm_rms_epsilon"), Gguf::opt_f32)?;
        if rope_base <= 0.0 || norm_eps < 0.0 {
            return refuse(format!("corrupt: rope base {rope_base}, norm epsilon {norm_eps}"));
        }
        let layers = size("block_count")?;
        let window = read_window(gguf, family, layers, &opt_size)?;
        // of gemma3 only the largest, known by its layers, scales by another size
        let scaled_by = match (family.name, layers) {
            ("gemma3", 62) => width / heads,
            _ => head_dim,
        };
        let attention_scale = gguf.opt_f32(&key("attention.scale"))?;
        let vocab = match gguf.tensor("token_embd.weight")?.shape[..] {
            [rows, _] => rows,
            _ => return refuse("corrupt: the embedding is not a matrix".to_owned()),
        };
        Ok(Config {
            architecture: family.name,
            vocab,
            width,
            layers,
            heads,
            kv_heads,
            head_dim,
            inner: size("feed_forward_length")?,
            context: size("context_length")?,
            norm_eps,
            rope: family.rope,
            rope_dim,
            rope_base,
            rope_scale,
            activation: family.activation,
            biases: family.biases,
            head_norms: family.head_norms,
            post_norms: family.post_norms,
            embedding_scale: if family.scales_embedding { (width as f32).sqrt() } else { 1.0 },
            attention_scale: attention_scale.unwrap_or_else(|| 1.0 / (scaled_by as f32).sqrt()),
            window,
        })
    }

    /// Bytes of a cache of `capacity` tokens, and of the rows of a pass of `count` tokens.
    pub(super) fn cache_bytes(&self, capacity: usize, count: usize) -> u64 {
        let (capacity, count) = (capacity as u128, count as u128);
        let size = |a: usize, b: usize| a as u128 * b as u128;
        let (queries, keys) = (size(self.heads, self.head_dim), size(self.kv_heads, self.head_dim));
        let cache = 2 * self.layers as u128 * keys * capacity;
        let row = size(3, self.width) + 2 * queries + 2 * keys + size(2, self.inner);
        let numbers = cache + count * row + self.vocab as u128;
        u64::try_from(4 * numbers).unwrap_or(u64::MAX)
    }

    /// The window of a layer, if it has one.
    pub(super) fn window_of(&self, layer: usize) -> Option<&Window> {
        self.window.as_ref().filter(|window| window.layers.get(layer) == Some(&true))
    }
}

/// The window and which layers have it: `attention.sliding_window_pattern` is true for each of
/// them, or says that every so many-th has none. A llama has a window only where the file says
/// which layers (Code World Model); others that name a size were trained without.
fn read_window(
    gguf: &Gguf<'_>,
    family: &Family,
    layers: usize,
    opt_size: &dyn Fn(&str) -> Result<Option<usize>, ModelError>,
) -> Result<Option<Window>, ModelError> {
    let Some(size) = opt_size("attention.sliding_window")? else { return Ok(None) };
    let key = |suffix: &str| format!("{}.{suffix}", family.name);
    let pattern = key("attention.sliding_window_pattern");
    let every = |every: usize| (1..=layers).map(|layer| layer % every != 0).collect();
    let layers: Vec<bool> = match gguf.get(&pattern).and_then(|value| value.as_array()) {
        Some(array) if array.len == layers && array.kind == ValueKind::Bool => {
            array.iter().map(|value| value.as_bool() == Some(true)).collect()
        }
        Some(_) => {
            let why =
                format!("corrupt: `{pattern}` is not one truth value for each of {layers} layers");
            return Err(ModelError::Config(why));
        }
        None => {
            match opt_size("attention.sliding_window_pattern")?.or(family.window.map(|w| w.0)) {
                Some(n) => every(n),
                None => return Ok(None),
            }
        }
    };
    let key = key("rope.freq_base_swa");
    let rope_base = gguf.opt_f32(&key)?.or(family.window.map(|(_, base)| base));
    if rope_base.is_some_and(|base| base <= 0.0) {
        return Err(ModelError::Config(format!("corrupt: `{key}` is not above 0")));
    }
    Ok(Some(Window { size, layers, rope_base }))
}
