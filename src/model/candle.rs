//! The candle engine: quantized tensors on a GPU or the CPU, and the reference that our own
//! engine is tested against.

use super::rope::{Angles, Rope};
use super::weights::{Matrix, Norm, Weights, quantized};
use super::{Activation, Config, Decoder, Logits, ModelError, RopeStyle, Want};
use candle_core::quantized::{GgmlDType, QMatMul, QTensor};
use candle_core::{D, DType, Device, Module, Tensor};
use std::sync::Arc;

type Result<T, E = candle_core::Error> = std::result::Result<T, E>;

pub(super) struct Candle {
    config: Config,
    device: Device,
    rope: Rope,
    /// Of the layers with a window, where it is another.
    windowed_rope: Option<Rope>,
    embedding: Arc<QTensor>,
    layers: Vec<Layer>,
    /// `[width]`
    norm: Tensor,
    /// `[vocab, width]`: output head, or the embedding.
    head: Arc<QTensor>,
    head_product: Linear,
}

struct Layer {
    attention_norm: Tensor,
    query: Projection,
    key: Projection,
    value: Projection,
    output: Linear,
    post_attention_norm: Option<Tensor>,
    feed_forward_norm: Tensor,
    gate: Linear,
    up: Linear,
    down: Linear,
    post_feed_forward_norm: Option<Tensor>,
}

/// What makes queries, keys or values.
struct Projection {
    matrix: Linear,
    /// `[outputs]`
    bias: Option<Tensor>,
    /// `[head_dim]`
    norm: Option<Tensor>,
}

/// What all layers of a pass share, those with a window apart.
struct Positions {
    /// Cosines and sines, `[m, rope_dim / 2]`.
    angles: (Tensor, Tensor),
    /// See [`Candle::mask`].
    mask: Option<Tensor>,
}

/// A quantized matrix `[outputs, inputs]`.
struct Linear {
    quantized: Arc<QTensor>,
    product: QMatMul,
    /// From this many rows the matrix is dequantized first. candle 0.11 has only scalar dot
    /// products for some types and sizes on the CPU, where that is 4 to 8 times faster for
    /// a batch; and some of them need an even number of blocks.
    dequantize_from: usize,
}

/// Up to one id in so many, restricted heads gather rows instead of computing all.
const GATHER: usize = 8;

impl Linear {
    fn new(quantized: QTensor) -> Result<Self> {
        Self::shared(Arc::new(quantized))
    }

    fn shared(quantized: Arc<QTensor>) -> Result<Self> {
        use GgmlDType::{BF16, F16, F32, Q4_0, Q4_1, Q5_0, Q5_1};
        let kind = quantized.dtype();
        let (_, inputs) = quantized.shape().dims2()?;
        let scalar = matches!(kind, Q4_0 | Q4_1 | Q5_0 | Q5_1);
        let dequantize_from = match kind {
            F32 | F16 | BF16 => usize::MAX, // candle keeps them dequantized
            _ if !quantized.device().is_cpu() => usize::MAX,
            _ if scalar && !inputs.is_multiple_of(64) => 1,
            _ if scalar || !inputs.is_multiple_of(256) => 8,
            _ => usize::MAX,
        };
        let product = QMatMul::from_arc(quantized.clone())?;
        Ok(Linear { quantized, product, dequantize_from })
    }

    /// `[m, inputs]` → `[m, outputs]`
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        if x.dim(0)? >= self.dequantize_from {
            return x.matmul(&self.quantized.dequantize(x.device())?.t()?);
        }
        self.product.forward(x)
    }
}

impl Candle {
    pub(super) fn load(weights: &Weights<'_>, device: &Device) -> Result<Self, ModelError> {
        let config = weights.config.clone();
        let vector = |numbers: Vec<f32>| Tensor::new(numbers, device);
        let quantized = |tensor| {
            let copy = quantized(tensor, device);
            weights.release(tensor);
            copy
        };
        let layer = |i| -> Result<Layer, ModelError> {
            let matrix = |which| -> Result<Linear, ModelError> {
                Ok(Linear::new(quantized(weights.matrix(i, which)?)?)?)
            };
            let norm = |which| -> Result<Option<Tensor>, ModelError> {
                Ok(weights.norm_if_any(i, which)?.map(vector).transpose()?)
            };
            let projection = |which, head: Option<Norm>| -> Result<Projection, ModelError> {
                Ok(Projection {
                    matrix: matrix(which)?,
                    bias: weights.bias(i, which)?.map(vector).transpose()?,
                    norm: head.map_or(Ok(None), norm)?,
                })
            };
            Ok(Layer {
                attention_norm: vector(weights.norm(i, Norm::Attention)?)?,
                query: projection(Matrix::Query, Some(Norm::Query))?,
                key: projection(Matrix::Key, Some(Norm::Key))?,
                value: projection(Matrix::Value, None)?,
                output: matrix(Matrix::Output)?,
                post_attention_norm: norm(Norm::PostAttention)?,
                feed_forward_norm: vector(weights.norm(i, Norm::FeedForward)?)?,
                gate: matrix(Matrix::Gate)?,
                up: matrix(Matrix::Up)?,
                down: matrix(Matrix::Down)?,
                post_feed_forward_norm: norm(Norm::PostFeedForward)?,
            })
        };
        let embedding = Arc::new(quantized(weights.embedding()?)?);
        let head = match weights.head()? {
            Some(head) => Arc::new(quantized(head)?),
            None => embedding.clone(),
        };
        Ok(Candle {
            rope: Rope::new(&config, weights.rope_factors()?.as_deref()),
            windowed_rope: Rope::windowed(&config),
            layers: (0..config.layers).map(layer).collect::<Result<_, _>>()?,
            norm: vector(weights.final_norm()?)?,
            head_product: Linear::shared(head.clone())?,
            device: device.clone(),
            embedding,
            head,
            config,
        })
    }

    /// `x / rms(x) · weight` over the last dimension.
    fn rms_norm(&self, x: &Tensor, weight: &Tensor) -> Result<Tensor> {
        let mean = x.sqr()?.mean_keepdim(D::Minus1)?;
        let scale = (mean + f64::from(self.config.norm_eps))?.sqrt()?;
        x.broadcast_div(&scale)?.broadcast_mul(weight)
    }

    /// Rotates `[heads, m, head_dim]` by angles `[m, rope_dim / 2]`.
    fn rotate(&self, x: &Tensor, (cos, sin): &(Tensor, Tensor)) -> Result<Tensor> {
        let (heads, count, head_dim) = x.dims3()?;
        let dim = self.config.rope_dim;
        let rotated = x.narrow(2, 0, dim)?;
        // the pairs' two numbers along one dimension: the last or the one before
        let (axis, shape) = match self.config.rope {
            RopeStyle::Interleaved => (3, (heads, count, dim / 2, 2)),
            RopeStyle::Halves => (2, (heads, count, 2, dim / 2)),
        };
        let pairs = rotated.contiguous()?.reshape(shape)?;
        let angle = |t: &Tensor| t.unsqueeze(axis - 1)?.unsqueeze(0);
        let (cos, sin) = (angle(cos)?, angle(sin)?);
        let (a, b) = (pairs.narrow(axis, 0, 1)?, pairs.narrow(axis, 1, 1)?);
        let first = (a.broadcast_mul(&cos)? - b.broadcast_mul(&sin)?)?;
        let second = (a.broadcast_mul(&sin)? + b.broadcast_mul(&cos)?)?;
        let rotated = Tensor::cat(&[first, second], axis)?.reshape((heads, count, dim))?;
        if dim == head_dim {
            return Ok(rotated);
        }
        Tensor::cat(&[rotated, x.narrow(2, dim, head_dim - dim)?], 2)
    }

    /// 0 where position `len + i` sees position `j`, else -inf: `[m, len + m]`; `None` where
    /// all is seen.
    fn mask(&self, len: usize, count: usize, window: Option<usize>) -> Result<Option<Tensor>> {
        let total = len + count;
        if count == 1 && window.is_none_or(|window| window >= total) {
            return Ok(None);
        }
        let sees =
            |i: usize, j: usize| j <= len + i && window.is_none_or(|window| j + window > len + i);
        let row =
            |i: usize| (0..total).map(move |j| if sees(i, j) { 0f32 } else { f32::NEG_INFINITY });
        let mask: Vec<f32> = (0..count).flat_map(row).collect();
        Tensor::from_vec(mask, (count, total), &self.device).map(Some)
    }

    fn positions(
        &self,
        rope: &Rope,
        len: usize,
        count: usize,
        window: Option<usize>,
    ) -> Result<Positions> {
        let mut angles = Angles::default();
        rope.angles(len, count, &mut angles);
        let shape = (count, self.config.rope_dim / 2);
        let tensor = |numbers| Tensor::from_vec(numbers, shape, &self.device);
        Ok(Positions {
            angles: (tensor(angles.cos)?, tensor(angles.sin)?),
            mask: self.mask(len, count, window)?,
        })
    }

    /// `[m, width]` → `[heads, m, head_dim]`, with bias and norm.
    fn project(&self, it: &Projection, x: &Tensor, heads: usize) -> Result<Tensor> {
        let mut y = it.matrix.forward(x)?;
        if let Some(bias) = &it.bias {
            y = y.broadcast_add(bias)?;
        }
        let y = y.reshape((x.dim(0)?, heads, self.config.head_dim))?.transpose(0, 1)?;
        match &it.norm {
            Some(norm) => self.rms_norm(&y.contiguous()?, norm),
            None => y.contiguous(),
        }
    }

    /// One layer's attention over `x` `[m, width]`; adds the new keys and values.
    fn attend(
        &self,
        layer: &Layer,
        x: &Tensor,
        (keys, values): &(Tensor, Tensor),
        len: usize,
        positions: &Positions,
    ) -> Result<Tensor> {
        let Config { heads, kv_heads, head_dim, .. } = self.config;
        let count = x.dim(0)?;
        let total = len + count;
        let queries = self.rotate(&self.project(&layer.query, x, heads)?, &positions.angles)?;
        let new_keys = self.rotate(&self.project(&layer.key, x, kv_heads)?, &positions.angles)?;
        let new_values = self.project(&layer.value, x, kv_heads)?;
        keys.slice_set(&new_keys.contiguous()?, 1, len)?;
        values.slice_set(&new_values, 1, len)?;
        let (keys, values) = (keys.narrow(1, 0, total)?, values.narrow(1, 0, total)?);

        // the query heads of one key head become rows of one product
        let rows = heads / kv_heads * count;
        let queries = (queries * f64::from(self.config.attention_scale))?;
        let queries = queries.reshape((kv_heads, rows, head_dim))?;
        let mut scores = queries.matmul(&keys.transpose(1, 2)?)?; // [kv_heads, rows, total]
        if let Some(mask) = &positions.mask {
            let by_head = scores.reshape((heads, count, total))?;
            scores = by_head.broadcast_add(mask)?.reshape((kv_heads, rows, total))?;
        }
        let scores = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?.exp()?;
        let weights = scores.broadcast_div(&scores.sum_keepdim(D::Minus1)?)?;
        let attended = weights.matmul(&values)?; // [kv_heads, rows, head_dim]
        let attended = attended.reshape((heads, count, head_dim))?.transpose(0, 1)?;
        layer.output.forward(&attended.reshape((count, heads * head_dim))?)
    }

    fn layers(&self, ids: &[u32], kv: &CandleKv, len: usize) -> Result<Tensor> {
        let count = ids.len();
        let everywhere = self.positions(&self.rope, len, count, None)?;
        let windowed = match &self.config.window {
            Some(window) => {
                let rope = self.windowed_rope.as_ref().unwrap_or(&self.rope);
                Some(self.positions(rope, len, count, Some(window.size))?)
            }
            None => None,
        };
        let post = |delta: Tensor, norm: &Option<Tensor>| match norm {
            Some(norm) => self.rms_norm(&delta, norm),
            None => Ok(delta),
        };
        let mut x = self.embedding.embedding(&Tensor::new(ids, &self.device)?)?;
        if self.config.embedding_scale != 1.0 {
            x = (x * f64::from(self.config.embedding_scale))?;
        }
        for (i, (layer, cached)) in self.layers.iter().zip(&kv.layers).enumerate() {
            let windowed = windowed.as_ref().filter(|_| self.config.window_of(i).is_some());
            let positions = windowed.unwrap_or(&everywhere);
            let normed = self.rms_norm(&x, &layer.attention_norm)?;
            let delta = self.attend(layer, &normed, cached, len, positions)?;
            x = (&x + post(delta, &layer.post_attention_norm)?)?;
            let normed = self.rms_norm(&x, &layer.feed_forward_norm)?;
            let gate = layer.gate.forward(&normed)?;
            let gate = match self.config.activation {
                Activation::Silu => gate.silu()?,
                Activation::Gelu => gate.gelu()?,
            };
            let delta = layer.down.forward(&(gate * layer.up.forward(&normed)?)?)?;
            x = (&x + post(delta, &layer.post_feed_forward_norm)?)?;
        }
        Ok(x)
    }

    /// Logits of `x` `[m, width]`, of all ids or of some.
    fn head(&self, x: &Tensor, rows: Option<&[u32]>) -> Result<Logits> {
        let normed = self.rms_norm(x, &self.norm)?;
        let logits = match rows {
            Some(rows) if rows.len() <= self.config.vocab / GATHER => {
                let rows = self.head.embedding(&Tensor::new(rows, &self.device)?)?;
                normed.matmul(&rows.t()?)?
            }
            Some(rows) => {
                let all = self.head_product.forward(&normed)?;
                all.index_select(&Tensor::new(rows, &self.device)?, 1)?
            }
            None => self.head_product.forward(&normed)?,
        };
        Ok(Logits { width: logits.dim(1)?, data: logits.flatten_all()?.to_vec1()? })
    }
}

/// Per layer: keys, values; each `[kv_heads, capacity, head_dim]`.
pub(super) struct CandleKv {
    layers: Vec<(Tensor, Tensor)>,
}

impl Clone for CandleKv {
    /// Copies the storage, which tensors otherwise share and [`Tensor::slice_set`] changes.
    fn clone(&self) -> Self {
        let copy = |t: &Tensor| t.copy().unwrap_or_else(|_| t.clone());
        CandleKv { layers: self.layers.iter().map(|(k, v)| (copy(k), copy(v))).collect() }
    }
}

impl Decoder for Candle {
    type Kv = CandleKv;

    fn kv(&self, capacity: usize) -> Result<CandleKv, ModelError> {
        let shape = (self.config.kv_heads, capacity, self.config.head_dim);
        let zeros = || Tensor::zeros(shape, DType::F32, &self.device);
        let layers = (0..self.config.layers).map(|_| Ok((zeros()?, zeros()?)));
        Ok(CandleKv { layers: layers.collect::<Result<_>>()? })
    }

    fn grow(&self, kv: &mut CandleKv, len: usize, capacity: usize) -> Result<(), ModelError> {
        let larger = self.kv(capacity)?;
        if len > 0 {
            for (from, to) in kv.layers.iter().zip(&larger.layers) {
                to.0.slice_set(&from.0.narrow(1, 0, len)?.contiguous()?, 1, 0)?;
                to.1.slice_set(&from.1.narrow(1, 0, len)?.contiguous()?, 1, 0)?;
            }
        }
        *kv = larger;
        Ok(())
    }

    fn forward(
        &self,
        ids: &[u32],
        kv: &mut CandleKv,
        len: usize,
        want: Want<'_>,
    ) -> Result<Logits, ModelError> {
        let Some(last) = ids.len().checked_sub(1) else { return Ok(Logits::default()) };
        let x = self.layers(ids, kv, len)?;
        Ok(match want {
            Want::Nothing => Logits::default(),
            Want::Last => self.head(&x.narrow(0, last, 1)?, None)?,
            Want::All => self.head(&x, None)?,
            Want::Rows(rows) => self.head(&x.narrow(0, last, 1)?, Some(rows))?,
            Want::AllRows(rows) => self.head(&x, Some(rows))?,
        })
    }
}
