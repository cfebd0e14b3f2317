//! The plain engine: f32 weights and loops of our own, with nothing between.
//!
//! For small models, where a tensor library's cost per operation is larger than the
//! operation. A batch and its tokens one by one give the same bits, on any number of threads.

use super::kernels::{gated_silu, matmul, matmul_rows, rms_norm, softmax, weighted_sum};
use super::rope::Rope;
use super::threads::Threads;
use super::weights::{Matrix, Norm, Weights, numbers};
use super::{Config, Decoder, Logits, ModelError, RopeStyle, Want};

pub(super) struct Plain {
    config: Config,
    rope: Rope,
    threads: Threads,
    /// `[vocab × width]`
    embedding: Vec<f32>,
    layers: Vec<Layer>,
    /// `[width]`
    norm: Vec<f32>,
    /// `[vocab × width]`; `None`: the embedding.
    head: Option<Vec<f32>>,
}

/// Matrices are `[outputs × inputs]`, so that an output is one contiguous dot product.
struct Layer {
    attention_norm: Vec<f32>,
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    output: Vec<f32>,
    feed_forward_norm: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
    down: Vec<f32>,
}

/// Keys and values of all layers.
#[derive(Clone)]
pub(super) struct PlainKv {
    capacity: usize,
    /// Per layer: keys, values; each `[kv_heads × capacity × head_dim]`.
    layers: Vec<(Vec<f32>, Vec<f32>)>,
}

impl Plain {
    pub(super) fn load(weights: &Weights<'_>) -> Result<Self, ModelError> {
        let config = weights.config.clone();
        let layer = |i| -> Result<Layer, ModelError> {
            let matrix = |which| numbers(weights.matrix(i, which)?);
            Ok(Layer {
                attention_norm: weights.norm(i, Norm::Attention)?,
                query: matrix(Matrix::Query)?,
                key: matrix(Matrix::Key)?,
                value: matrix(Matrix::Value)?,
                output: matrix(Matrix::Output)?,
                feed_forward_norm: weights.norm(i, Norm::FeedForward)?,
                gate: matrix(Matrix::Gate)?,
                up: matrix(Matrix::Up)?,
                down: matrix(Matrix::Down)?,
            })
        };
        Ok(Plain {
            rope: Rope::new(&config, weights.rope_factors()?.as_deref()),
            threads: Threads::for_parameters(weights.parameters()),
            embedding: numbers(weights.embedding()?)?,
            layers: (0..config.layers).map(layer).collect::<Result<_, _>>()?,
            norm: weights.final_norm()?,
            head: weights.head()?.map(numbers).transpose()?,
            config,
        })
    }

    /// Logits of rows `x` (`[m × width]`), of all ids or of some.
    fn head(&self, x: &[f32], rows: Option<&[u32]>) -> Logits {
        let Config { width, vocab, norm_eps, .. } = self.config;
        let mut normed = vec![0.0; x.len()];
        rms_norm(x, &self.norm, norm_eps, &mut normed);
        let head = self.head.as_ref().unwrap_or(&self.embedding);
        let columns = rows.map_or(vocab, <[u32]>::len);
        let mut data = vec![0.0; x.len() / width * columns];
        match rows {
            Some(rows) => matmul_rows(&normed, head, width, rows, &mut data),
            None => self.threads.matmul(&normed, head, width, &mut data, columns),
        }
        Logits { width: columns, data }
    }

    /// Rotates each head of each row: `x` is `[m × heads × head_dim]`.
    fn rotate(&self, x: &mut [f32], heads: usize, (cos, sin): &(Vec<f32>, Vec<f32>)) {
        let half = self.config.rope_dim / 2;
        let head_dim = self.config.head_dim;
        let angles = cos.chunks_exact(half).zip(sin.chunks_exact(half));
        for (row, (cos, sin)) in x.chunks_exact_mut(heads * head_dim).zip(angles) {
            for head in row.chunks_exact_mut(head_dim) {
                for (i, (cos, sin)) in cos.iter().zip(sin).enumerate() {
                    let (a, b) = match self.config.rope {
                        RopeStyle::Interleaved => (2 * i, 2 * i + 1),
                        RopeStyle::Halves => (i, i + half),
                    };
                    (head[a], head[b]) =
                        (head[a] * cos - head[b] * sin, head[a] * sin + head[b] * cos);
                }
            }
        }
    }

    /// Causal attention of `m` new queries (`[m × heads × head_dim]`) over the cache, which
    /// holds `len` older positions and the new ones. Writes `out` in the queries' shape.
    fn attend(
        &self,
        queries: &[f32],
        (keys, values): (&[f32], &[f32]),
        capacity: usize,
        len: usize,
        out: &mut [f32],
    ) {
        let Config { heads, kv_heads, head_dim, .. } = self.config;
        let scale = 1.0 / (head_dim as f32).sqrt();
        let width = heads * head_dim;
        let mut scores = vec![0.0; 4 * capacity];
        let mut block = vec![0.0; 4 * head_dim];
        let count = queries.len() / width;
        for head in 0..heads {
            let start = head / (heads / kv_heads) * capacity * head_dim;
            let (keys, values) = (&keys[start..], &values[start..]);
            // up to four positions of one head share each key that is read
            for first in (0..count).step_by(4) {
                let positions = first..count.min(first + 4);
                for (slot, i) in positions.clone().enumerate() {
                    block[slot * head_dim..][..head_dim]
                        .copy_from_slice(&queries[i * width + head * head_dim..][..head_dim]);
                }
                let visible = len + positions.end;
                let rows = positions.len();
                matmul(
                    &block[..rows * head_dim],
                    &keys[..visible * head_dim],
                    head_dim,
                    &mut scores[..rows * capacity],
                    capacity,
                );
                for (slot, i) in positions.enumerate() {
                    let visible = len + i + 1;
                    let scores = &mut scores[slot * capacity..][..visible];
                    softmax(scores, scale);
                    let out = &mut out[i * width + head * head_dim..][..head_dim];
                    weighted_sum(scores, &values[..visible * head_dim], out);
                }
            }
        }
    }
}

impl Decoder for Plain {
    type Kv = PlainKv;

    fn kv(&self, capacity: usize) -> Result<PlainKv, ModelError> {
        let size = self.config.kv_heads * self.config.head_dim * capacity;
        let layers = vec![(vec![0.0; size], vec![0.0; size]); self.config.layers];
        Ok(PlainKv { capacity, layers })
    }

    fn grow(&self, kv: &mut PlainKv, len: usize, capacity: usize) -> Result<(), ModelError> {
        let mut larger = self.kv(capacity)?;
        let dim = self.config.head_dim;
        let copy = |from: &[f32], to: &mut [f32]| {
            let heads = from.chunks_exact(kv.capacity * dim);
            for (from, to) in heads.zip(to.chunks_exact_mut(capacity * dim)) {
                to[..len * dim].copy_from_slice(&from[..len * dim]);
            }
        };
        for (from, to) in kv.layers.iter().zip(&mut larger.layers) {
            copy(&from.0, &mut to.0);
            copy(&from.1, &mut to.1);
        }
        *kv = larger;
        Ok(())
    }

    fn forward(
        &self,
        ids: &[u32],
        kv: &mut PlainKv,
        len: usize,
        want: Want<'_>,
    ) -> Result<Logits, ModelError> {
        let Config { width, heads, kv_heads, head_dim, inner, norm_eps, .. } = self.config;
        let threads = &self.threads;
        let count = ids.len();
        let capacity = kv.capacity;
        let angles = self.rope.angles(len, count);
        let mut x = Vec::with_capacity(count * width); // [m × width], the residual stream
        for &id in ids {
            x.extend_from_slice(&self.embedding[id as usize * width..][..width]);
        }
        let mut normed = vec![0.0; count * width];
        let mut delta = vec![0.0; count * width];
        let mut queries = vec![0.0; count * heads * head_dim];
        let mut attended = vec![0.0; count * heads * head_dim];
        let (mut keys, mut values) =
            (vec![0.0; count * kv_heads * head_dim], vec![0.0; count * kv_heads * head_dim]);
        let (mut gate, mut up) = (vec![0.0; count * inner], vec![0.0; count * inner]);

        for (layer, (cached_keys, cached_values)) in self.layers.iter().zip(&mut kv.layers) {
            rms_norm(&x, &layer.attention_norm, norm_eps, &mut normed);
            threads.matmul(&normed, &layer.query, width, &mut queries, heads * head_dim);
            threads.matmul(&normed, &layer.key, width, &mut keys, kv_heads * head_dim);
            threads.matmul(&normed, &layer.value, width, &mut values, kv_heads * head_dim);
            self.rotate(&mut queries, heads, &angles);
            self.rotate(&mut keys, kv_heads, &angles);
            for (cached, new) in [(&mut *cached_keys, &keys), (&mut *cached_values, &values)] {
                for (i, row) in new.chunks_exact(kv_heads * head_dim).enumerate() {
                    for (head, row) in row.chunks_exact(head_dim).enumerate() {
                        cached[(head * capacity + len + i) * head_dim..][..head_dim]
                            .copy_from_slice(row);
                    }
                }
            }
            let cached = (&cached_keys[..], &cached_values[..]);
            threads.rows(&queries, heads * head_dim, &mut attended, |first, queries, out| {
                self.attend(queries, cached, capacity, len + first, out);
            });
            threads.matmul(&attended, &layer.output, heads * head_dim, &mut delta, width);
            add(&mut x, &delta);

            rms_norm(&x, &layer.feed_forward_norm, norm_eps, &mut normed);
            threads.matmul(&normed, &layer.gate, width, &mut gate, inner);
            threads.matmul(&normed, &layer.up, width, &mut up, inner);
            gated_silu(&mut gate, &up);
            threads.matmul(&gate, &layer.down, inner, &mut delta, width);
            add(&mut x, &delta);
        }
        let last = &x[(count.max(1) - 1) * width..];
        Ok(match want {
            Want::Nothing => Logits::default(),
            Want::Last => self.head(last, None),
            Want::All => self.head(&x, None),
            Want::Rows(rows) => self.head(last, Some(rows)),
        })
    }
}

fn add(x: &mut [f32], delta: &[f32]) {
    for (x, delta) in x.iter_mut().zip(delta) {
        *x += delta;
    }
}
