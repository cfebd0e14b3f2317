//! Token ids in, logits out: one decoder-only transformer of the llama family, described
//! by data, with a cache that can be truncated and forked.
//!
//! Two engines compute it behind one boundary, `Decoder`: `cpu` (loops of our own over
//! f32 or packed weights) and `candle` (tensors: GPUs, and the reference in tests). They
//! agree within rounding (tested).
//!
//! Must not know: Python, text, tokenizers, dialects.

mod cache;
mod candle;
mod config;
mod cpu;
mod device;
mod kernels;
mod linear;
mod memory;
mod rope;
mod threads;
mod tiles;
mod weights;

pub use cache::Cache;
pub use config::{Activation, Config, RopeStyle, Window};
pub use device::{DeviceChoice, gpu};

use crate::gguf::{Gguf, GgufError};
use cache::Kv;
use device::Opened;
use kernels::tile::Product;

/// Why a model does not load or run: one line each.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The file is not one that we read.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// A network that the decoder does not compute.
    #[error("the model's architecture `{name}` is not supported; supported: {known}")]
    Architecture {
        /// The architecture's name in the file.
        name: String,
        /// Those that work.
        known: String,
    },
    /// Sizes that contradict each other or are out of range, or a variant we do not compute.
    #[error("{0}")]
    Config(String),
    /// A tensor's shape is not what the sizes imply.
    #[error("corrupt: the tensor `{name}` has the shape {found:?}; the sizes imply {wanted:?}")]
    Shape {
        /// The tensor.
        name: String,
        /// Its shape, slowest first.
        found: Vec<usize>,
        /// What it must be.
        wanted: Vec<usize>,
    },
    /// The device cannot be used, why, and what to do.
    #[error("{0}")]
    Device(String),
    /// The model is larger than memory.
    #[error("the model needs about {needed} MB of memory, and {available} MB are available")]
    Memory {
        /// Megabytes needed.
        needed: u64,
        /// Megabytes available.
        available: u64,
    },
    /// An id outside the vocabulary.
    #[error("token id {id} is outside the model's vocabulary of {vocab}")]
    Token {
        /// The id.
        id: u32,
        /// How many ids there are.
        vocab: usize,
    },
    /// More tokens than the model's window.
    #[error("the prompt needs {needed} tokens; the model's window has {context}")]
    Full {
        /// Tokens in all.
        needed: usize,
        /// The window.
        context: usize,
    },
    /// A cache of another model.
    #[error("the cache belongs to another model")]
    Cache,
    /// The tensor library failed (out of memory, a lost GPU).
    #[error("the model could not be computed: {0}")]
    Backend(String),
}

/// Memory for a model's weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Bytes needed.
    pub bytes: u64,
    /// Bytes that the system can give; `None` where it does not say.
    pub available: Option<u64>,
}

/// Which engine computes the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// Our own on the CPU, packed where the CPU has instructions for it; candle on a GPU.
    #[default]
    Auto,
    /// Our own with f32 weights.
    Plain,
    /// Our own with packed weights, where their type can be.
    Packed,
    /// Always candle.
    Candle,
}

/// Which logits a forward pass computes. The output head of a large vocabulary costs more
/// than the rest of a small model, so nothing is computed that nobody reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want<'a> {
    /// None: the tokens only go into the cache.
    Nothing,
    /// Those after the last token, over the whole vocabulary.
    Last,
    /// Those after every token, over the whole vocabulary.
    All,
    /// Those after the last token, of these ids only, in this order.
    Rows(&'a [u32]),
    /// Those after every token, of these ids only, in this order.
    AllRows(&'a [u32]),
}

/// Logits of one or more positions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Logits {
    /// Logits per position: the vocabulary's size, or how many ids were asked for.
    pub width: usize,
    /// `[positions × width]`, row by row.
    pub data: Vec<f32>,
}

impl Logits {
    /// One row per position, in order.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[f32]> + ExactSizeIterator {
        self.data.chunks_exact(self.width.max(1))
    }

    /// The last position's row; empty if nothing was wanted.
    pub fn last(&self) -> &[f32] {
        self.rows().next_back().unwrap_or_default()
    }
}

/// The boundary between the room and its engines.
///
/// An engine is given checked input: ids within the vocabulary, a cache of its own with
/// room for them, at most [`CHUNK`] ids at once.
trait Decoder {
    /// Keys and values of all layers for some number of positions.
    type Kv: Clone;

    /// Storage for `capacity` positions.
    fn kv(&self, capacity: usize) -> Result<Self::Kv, ModelError>;

    /// Makes room for `capacity` positions, keeping the first `len`.
    fn grow(&self, kv: &mut Self::Kv, len: usize, capacity: usize) -> Result<(), ModelError>;

    /// Evaluates ids at positions `len..len + ids.len()`, writing their keys and values.
    fn forward(
        &self,
        ids: &[u32],
        kv: &mut Self::Kv,
        len: usize,
        want: Want<'_>,
    ) -> Result<Logits, ModelError>;
}

/// Most tokens that an engine is given at once; bounds its scratch memory.
pub const CHUNK: usize = 256;

/// Up to this many parameters a model runs on the CPU even if there is a GPU: its token is
/// done before a GPU has been asked.
const SMALL: usize = 1 << 24;

/// What computes on the CPU by default: packed where this CPU has instructions for it, else
/// f32 for a small model, else candle (`None`).
fn suits_cpu(parameters: usize) -> Option<bool> {
    if Product::detect().is_quick() {
        return Some(true);
    }
    (parameters <= SMALL).then_some(false)
}

/// A loaded model: read-only, shared between threads.
pub struct Model {
    config: Config,
    engine: Engine,
    device: String,
    no_gpu: Option<String>,
}

enum Engine {
    Cpu(cpu::Cpu),
    Candle(candle::Candle),
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Model {
    /// What a file's network is and what it needs, without loading it.
    ///
    /// # Errors
    /// As of [`Model::load`], as far as the header shows it.
    pub fn needs(gguf: &Gguf<'_>, device: DeviceChoice) -> Result<(Config, Needs), ModelError> {
        let config = Config::read(gguf)?;
        let weights = weights::Weights::new(gguf, &config);
        weights.check()?;
        let bytes = match device {
            DeviceChoice::Cpu => suits_cpu(weights.parameters())
                .map_or_else(|| weights.bytes(), |packed| weights.bytes_on_cpu(packed)),
            _ => weights.bytes(),
        };
        Ok((config, Needs { bytes, available: memory::available() }))
    }

    /// Loads the weights of a file whose header was read. `threads`: how many compute on the
    /// CPU, instead of what suits the model and the machine.
    ///
    /// # Errors
    /// [`ModelError`]: an unknown architecture, contradictory sizes, a missing or wrongly
    /// shaped tensor, a device that cannot be used.
    pub fn load(
        gguf: &Gguf<'_>,
        device: DeviceChoice,
        engine: EngineChoice,
        threads: Option<usize>,
    ) -> Result<Self, ModelError> {
        let config = Config::read(gguf)?;
        let weights = weights::Weights::new(gguf, &config);
        weights.check()?;
        let ours = matches!(engine, EngineChoice::Plain | EngineChoice::Packed);
        let small = weights.parameters() <= SMALL;
        let opened = match device {
            _ if ours => Opened::cpu(),
            DeviceChoice::Auto if small || !device::gpu_built_in() => Opened::cpu(),
            other => other.open()?,
        };
        let on_cpu = opened.device.is_cpu();
        let packed = match engine {
            EngineChoice::Auto if on_cpu => suits_cpu(weights.parameters()),
            EngineChoice::Auto => None,
            EngineChoice::Plain => Some(false),
            EngineChoice::Packed => Some(true),
            EngineChoice::Candle => None,
        };
        let engine = match packed {
            Some(packed) => {
                memory::fits(weights.bytes_on_cpu(packed))?;
                Engine::Cpu(cpu::Cpu::load(&weights, packed, threads)?)
            }
            None => {
                if on_cpu {
                    memory::fits(weights.bytes())?;
                }
                Engine::Candle(candle::Candle::load(&weights, &opened.device)?)
            }
        };
        Ok(Model { config, engine, device: opened.label, no_gpu: opened.no_gpu })
    }

    /// The network's sizes.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Where it runs: `cpu`, `cuda:0`, `metal`.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// Why no GPU was taken, in one line, where the build and the model could have used one.
    pub fn no_gpu(&self) -> Option<&str> {
        self.no_gpu.as_deref()
    }

    /// An empty cache with room for `capacity` tokens; it grows when more come.
    ///
    /// # Errors
    /// [`ModelError::Memory`] or [`ModelError::Backend`] when there is no memory for it.
    pub fn cache(&self, capacity: usize) -> Result<Cache, ModelError> {
        let capacity = capacity.clamp(1, self.config.context);
        self.has_room(capacity)?;
        let kv = match &self.engine {
            Engine::Cpu(cpu) => Kv::Cpu(Box::new(cpu.kv(capacity)?)),
            Engine::Candle(candle) => Kv::Candle(candle.kv(capacity)?),
        };
        Ok(Cache::new(kv, capacity))
    }

    /// Whether a cache of `capacity` tokens and the scratch memory of a pass fit beside the
    /// weights: both follow from sizes that a file of any length can claim.
    fn has_room(&self, capacity: usize) -> Result<(), ModelError> {
        match self.device.as_str() {
            "cpu" => memory::fits(self.config.cache_bytes(capacity, CHUNK.min(capacity))),
            _ => Ok(()),
        }
    }

    /// Evaluates ids behind those in the cache and adds them to it.
    ///
    /// The result does not depend on how a sequence is divided into calls, beyond rounding
    /// (our own engine: exactly). On an error the cache is as it was before.
    ///
    /// # Errors
    /// [`ModelError::Token`], [`ModelError::Full`], [`ModelError::Cache`],
    /// [`ModelError::Memory`] or [`ModelError::Backend`].
    pub fn forward(
        &self,
        ids: &[u32],
        cache: &mut Cache,
        want: Want<'_>,
    ) -> Result<Logits, ModelError> {
        let rows = if let Want::Rows(rows) | Want::AllRows(rows) = want { rows } else { &[] };
        let vocab = self.config.vocab;
        if let Some(&id) = ids.iter().chain(rows).find(|&&id| id as usize >= vocab) {
            return Err(ModelError::Token { id, vocab });
        }
        let before = cache.len();
        let needed = before + ids.len();
        if needed > self.config.context {
            return Err(ModelError::Full { needed, context: self.config.context });
        }
        if needed > cache.capacity {
            self.has_room(grown(needed, self.config.context))?;
        }
        let mut run = || match (&self.engine, &mut cache.kv) {
            (Engine::Cpu(engine), Kv::Cpu(kv)) => advance(
                engine,
                kv,
                &mut cache.len,
                &mut cache.capacity,
                ids,
                want,
                self.config.context,
            ),
            (Engine::Candle(engine), Kv::Candle(kv)) => advance(
                engine,
                kv,
                &mut cache.len,
                &mut cache.capacity,
                ids,
                want,
                self.config.context,
            ),
            _ => Err(ModelError::Cache),
        };
        let result = run();
        if result.is_err() {
            cache.truncate(before);
        }
        result
    }
}

/// The capacity of a cache that has become too small for `needed` tokens.
fn grown(needed: usize, context: usize) -> usize {
    needed.next_power_of_two().min(context)
}

/// Grows the cache if needed and evaluates the ids in chunks.
fn advance<D: Decoder>(
    engine: &D,
    kv: &mut D::Kv,
    len: &mut usize,
    capacity: &mut usize,
    ids: &[u32],
    want: Want<'_>,
    context: usize,
) -> Result<Logits, ModelError> {
    let needed = *len + ids.len();
    if needed > *capacity {
        let new = grown(needed, context);
        engine.grow(kv, *len, new)?;
        *capacity = new;
    }
    let mut logits = Logits::default();
    let mut chunks = ids.chunks(CHUNK).peekable();
    while let Some(chunk) = chunks.next() {
        let last = chunks.peek().is_none();
        let part = match want {
            Want::All | Want::AllRows(_) => want,
            other if last => other,
            _ => Want::Nothing,
        };
        let rows = engine.forward(chunk, kv, *len, part)?;
        *len += chunk.len();
        logits.width = rows.width;
        logits.data.extend(rows.data);
    }
    Ok(logits)
}

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
