//! The CPU engine: one pass through the network, with nothing between its loops.
//!
//! Matrices are packed, or f32 (the reference in tests, and where no packed type fits); see
//! [`super::linear`]. A batch and its tokens one by one give the same bits, on any number of
//! threads. Scratch memory belongs to the cache and is kept, so that a token allocates nothing.

use super::kernels::dense::{Panel, gated_gelu, gated_silu, panel, rms_norm, softmax};
use super::kernels::quantize::Activations;
use super::kernels::tile::LANES;
use super::linear::{Input, Linear};
use super::rope::{Angles, Rope};
use super::threads::Threads;
use super::weights::{Matrix, Norm, Weights};
use super::{Activation, Config, Decoder, Logits, ModelError, RopeStyle, Want};

pub(super) struct Cpu {
    config: Config,
    rope: Rope,
    /// Of the layers with a window, where it is another.
    windowed_rope: Option<Rope>,
    threads: Threads,
    /// `[vocab × width]`
    embedding: Linear,
    layers: Vec<Layer>,
    /// `[width]`
    norm: Vec<f32>,
    /// `[vocab × width]`; `None`: the embedding.
    head: Option<Linear>,
}

struct Layer {
    attention_norm: Vec<f32>,
    query: Projection,
    key: Projection,
    value: Projection,
    output: Linear,
    post_attention_norm: Option<Vec<f32>>,
    feed_forward_norm: Vec<f32>,
    gate: Linear,
    up: Linear,
    down: Linear,
    post_feed_forward_norm: Option<Vec<f32>>,
}

/// What makes queries, keys or values.
struct Projection {
    matrix: Linear,
    /// `[outputs]`
    bias: Option<Vec<f32>>,
    /// `[head_dim]`
    norm: Option<Vec<f32>>,
}

/// Keys and values of all layers, and the scratch memory of a pass.
pub(super) struct CpuKv {
    capacity: usize,
    /// Per layer: keys `[kv_heads × head_dim × capacity]`, values `[kv_heads × capacity ×
    /// head_dim]`, so that attention's two products both read along rows.
    layers: Vec<(Vec<f32>, Vec<f32>)>,
    scratch: Scratch,
}

impl Clone for CpuKv {
    fn clone(&self) -> Self {
        CpuKv { capacity: self.capacity, layers: self.layers.clone(), scratch: Scratch::default() }
    }
}

/// Rows of a pass; m is its number of tokens.
#[derive(Default)]
struct Scratch {
    /// `[m × width]`: the residual stream.
    x: Vec<f32>,
    /// `[m × heads × head_dim]`
    queries: Vec<f32>,
    /// `[m × kv_heads × head_dim]`
    keys: Vec<f32>,
    /// `[m × kv_heads × head_dim]`
    values: Vec<f32>,
    angles: Angles,
    windowed_angles: Angles,
    parts: Vec<Spare>,
}

/// What a part of the rows needs to itself; n is its number of tokens.
#[derive(Default)]
struct Spare {
    /// `[n × width]`
    normed: Vec<f32>,
    /// `[n × width]`: what a sublayer adds.
    delta: Vec<f32>,
    /// `[n × heads × head_dim]`
    attended: Vec<f32>,
    /// `[n × inner]`
    gate: Vec<f32>,
    /// `[n × inner]`
    up: Vec<f32>,
    /// `[threads × 8 × capacity]`: attention's weights.
    scores: Vec<f32>,
    /// The input of the next product.
    quantized: Activations,
    /// Results by stripe, on their way into rows.
    stripes: Vec<[f32; LANES]>,
    /// `[head_dim]`
    head: Vec<f32>,
}

/// A part of the rows of a pass.
struct Part<'a> {
    /// Where its first row is in the pass.
    first: usize,
    x: &'a mut [f32],
    queries: &'a mut [f32],
    keys: &'a mut [f32],
    values: &'a mut [f32],
    spare: &'a mut Spare,
}

impl Scratch {
    /// Makes room for `count` rows, `part` of them in a part.
    fn resize(&mut self, config: &Config, count: usize, part: usize) {
        let Config { heads, kv_heads, head_dim, .. } = *config;
        self.queries.resize(count * heads * head_dim, 0.0);
        self.keys.resize(count * kv_heads * head_dim, 0.0);
        self.values.resize(count * kv_heads * head_dim, 0.0);
        self.parts.resize_with(count.div_ceil(part), Spare::default);
    }

    /// Its rows, `part` of them in each part.
    fn parts(
        &mut self,
        config: &Config,
        part: usize,
    ) -> impl ExactSizeIterator<Item = Part<'_>> + Send {
        let Config { width, heads, kv_heads, head_dim, .. } = *config;
        let x = self.x.chunks_mut(part * width);
        let queries = self.queries.chunks_mut(part * heads * head_dim);
        let keys = self.keys.chunks_mut(part * kv_heads * head_dim);
        let values = self.values.chunks_mut(part * kv_heads * head_dim);
        x.zip(queries).zip(keys.zip(values)).zip(&mut self.parts).enumerate().map(
            move |(i, (((x, queries), (keys, values)), spare))| Part {
                first: i * part,
                x,
                queries,
                keys,
                values,
                spare,
            },
        )
    }
}

/// Rows of queries that share each key and value that is read.
const ROWS: usize = 8;

impl Cpu {
    /// `pack`: whether quantized matrices are packed, or made f32. `threads`: how many,
    /// instead of what suits the model.
    pub(super) fn load(
        weights: &Weights<'_>,
        pack: bool,
        threads: Option<usize>,
    ) -> Result<Self, ModelError> {
        let config = weights.config.clone();
        let linear = |tensor| {
            let linear = Linear::load(tensor, pack);
            weights.release(tensor);
            linear
        };
        let layer = |i| -> Result<Layer, ModelError> {
            let matrix = |which| linear(weights.matrix(i, which)?);
            let projection = |which, norm: Option<Norm>| -> Result<Projection, ModelError> {
                Ok(Projection {
                    matrix: matrix(which)?,
                    bias: weights.bias(i, which)?,
                    norm: norm.map_or(Ok(None), |norm| weights.norm_if_any(i, norm))?,
                })
            };
            Ok(Layer {
                attention_norm: weights.norm(i, Norm::Attention)?,
                query: projection(Matrix::Query, Some(Norm::Query))?,
                key: projection(Matrix::Key, Some(Norm::Key))?,
                value: projection(Matrix::Value, None)?,
                output: matrix(Matrix::Output)?,
                post_attention_norm: weights.norm_if_any(i, Norm::PostAttention)?,
                feed_forward_norm: weights.norm(i, Norm::FeedForward)?,
                gate: matrix(Matrix::Gate)?,
                up: matrix(Matrix::Up)?,
                down: matrix(Matrix::Down)?,
                post_feed_forward_norm: weights.norm_if_any(i, Norm::PostFeedForward)?,
            })
        };
        Ok(Cpu {
            rope: Rope::new(&config, weights.rope_factors()?.as_deref()),
            windowed_rope: Rope::windowed(&config),
            threads: Threads::for_parameters(weights.parameters(), threads),
            embedding: linear(weights.embedding()?)?,
            layers: (0..config.layers).map(layer).collect::<Result<_, _>>()?,
            norm: weights.final_norm()?,
            head: weights.head()?.map(linear).transpose()?,
            config,
        })
    }

    /// Logits of rows `x` (`[m × width]`), of all ids or of some.
    fn head(&self, scratch: &mut Scratch, rows: Option<&[u32]>, all: bool) -> Logits {
        let Config { width, vocab, norm_eps, .. } = self.config;
        let x = if all { &scratch.x[..] } else { &scratch.x[scratch.x.len() - width..] };
        let head = self.head.as_ref().unwrap_or(&self.embedding);
        let columns = rows.map_or(vocab, <[u32]>::len);
        let mut data = vec![0.0; x.len() / width * columns];
        let part = self.threads.part(x.len() / width);
        let parts = x.chunks(part * width).zip(data.chunks_mut(part * columns));
        self.threads.each(parts.zip(&mut scratch.parts), |((x, out), spare), threads| {
            let Spare { normed, quantized, stripes, .. } = spare;
            normed.resize(x.len(), 0.0);
            rms_norm(x, &self.norm, norm_eps, normed);
            let input = self.input(normed, width, quantized);
            match rows {
                Some(rows) => head.selected(input, rows, stripes, out),
                None => threads.products(input, stripes, [(head, out)]),
            }
        });
        Logits { width: columns, data }
    }

    /// Rows for a product. They are quantized only if a matrix is packed.
    fn input<'a>(&self, x: &'a [f32], width: usize, quantized: &'a mut Activations) -> Input<'a> {
        if matches!(self.embedding, Linear::Tiled(_)) {
            quantized.set(x, width);
        }
        Input { x, width, quantized }
    }

    /// Adds biases, norms each head and rotates it: `x` is `[n × heads × head_dim]`, and its
    /// first row the pass's row `first`.
    fn shape_heads(
        &self,
        projection: &Projection,
        x: &mut [f32],
        (angles, first): (&Angles, usize),
        normed: &mut Vec<f32>,
    ) {
        add_bias(x, projection.bias.as_deref());
        let Config { head_dim, norm_eps, rope_dim, .. } = self.config;
        let half = rope_dim / 2;
        let row = projection.matrix.outputs();
        let rows = x.chunks_exact_mut(row);
        let [cos, sin] = [&angles.cos, &angles.sin].map(|x| x[first * half..].chunks_exact(half));
        let angles = cos.zip(sin);
        for (row, (cos, sin)) in rows.zip(angles) {
            for head in row.chunks_exact_mut(head_dim) {
                if let Some(norm) = &projection.norm {
                    normed.resize(head_dim, 0.0);
                    rms_norm(head, norm, norm_eps, normed);
                    head.copy_from_slice(normed);
                }
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

    /// Puts new keys and values (`[m × kv_heads × head_dim]`) into the cache behind `len`.
    fn remember(
        &self,
        (keys, values): (&[f32], &[f32]),
        (cached_keys, cached_values): (&mut [f32], &mut [f32]),
        capacity: usize,
        len: usize,
    ) {
        let Config { kv_heads, head_dim, .. } = self.config;
        let row = kv_heads * head_dim;
        // a key's numbers go far apart: sixteen positions at once, which stand together there
        for (i, keys) in keys.chunks(16 * row).enumerate() {
            let count = keys.len() / row;
            for (d, cached) in cached_keys.chunks_exact_mut(capacity).enumerate() {
                let keys = keys[d..].iter().step_by(row);
                for (key, cached) in keys.zip(&mut cached[len + 16 * i..][..count]) {
                    *cached = *key;
                }
            }
        }
        for (i, values) in values.chunks_exact(row).enumerate() {
            let heads = values.chunks_exact(head_dim);
            for (value, cached) in heads.zip(cached_values.chunks_exact_mut(capacity * head_dim)) {
                cached[(len + i) * head_dim..][..head_dim].copy_from_slice(value);
            }
        }
    }

    /// Attention of up to [`ROWS`] queries that read the same keys and values.
    fn attend(&self, it: Attend<'_>, out: &mut [f32], scores: &mut [f32]) {
        let Config { head_dim, attention_scale, .. } = self.config;
        let seen = |row: usize| {
            let end = it.position(row) + 1;
            (it.window.map_or(0, |window| end.saturating_sub(window)), end)
        };
        let (begin, end) = (seen(0).0, seen(it.count - 1).1);
        let visible = end - begin;
        panel(
            Panel {
                rows: it.queries,
                step: it.step,
                count: it.count,
                k: head_dim,
                matrix: &it.keys[begin..],
                stride: it.capacity,
                n: visible,
            },
            scores,
            visible,
        );
        for (row, scores) in scores.chunks_exact_mut(visible).take(it.count).enumerate() {
            let (first, last) = seen(row);
            // what others see and this row does not counts nothing
            scores[..first - begin].fill(0.0);
            scores[last - begin..].fill(0.0);
            softmax(&mut scores[first - begin..last - begin], attention_scale);
        }
        panel(
            Panel {
                rows: scores,
                step: visible,
                count: it.count,
                k: visible,
                matrix: &it.values[begin * head_dim..],
                stride: head_dim,
                n: head_dim,
            },
            out,
            it.step,
        );
    }

    /// Attention of a part's queries over the cache, which holds `cache.len` older positions
    /// and the new ones.
    fn attention(
        &self,
        first_row: usize,
        queries: &[f32],
        cache: Cached<'_>,
        (attended, scores): (&mut [f32], &mut Vec<f32>),
        threads: &Threads,
    ) {
        let Config { heads, kv_heads, head_dim, .. } = self.config;
        let Cached { keys, values, capacity, len, window } = cache;
        let len = len + first_row;
        let width = heads * head_dim;
        let group = heads / kv_heads;
        let of_head = |head: usize| {
            let start = head / group * capacity * head_dim;
            (&keys[start..], &values[start..])
        };
        let size = ROWS * capacity;
        let ask = |head: usize, first: usize, apart: usize| {
            let (keys, values) = of_head(head);
            Attend { queries: &[], step: 0, count: 0, keys, values, capacity, first, apart, window }
        };
        if queries.len() == width {
            // one token: the query heads that share a key head
            threads.rows(queries, head_dim, attended, (scores, size), |first, x, out, scores| {
                let all = x.len() / head_dim;
                let mut done = 0;
                while done < all {
                    let head = first + done;
                    let count = (group - head % group).min(all - done).min(ROWS);
                    let queries = &x[done * head_dim..];
                    let it = Attend { queries, step: head_dim, count, ..ask(head, len, 0) };
                    self.attend(it, &mut out[done * head_dim..], scores);
                    done += count;
                }
            });
            return;
        }
        threads.rows(queries, width, attended, (scores, size), |first, x, out, scores| {
            let all = x.len() / width;
            for head in 0..heads {
                for row in (0..all).step_by(ROWS) {
                    let start = row * width + head * head_dim;
                    let (queries, count) = (&x[start..], ROWS.min(all - row));
                    let ask = ask(head, len + first + row, 1);
                    let it = Attend { queries, step: width, count, ..ask };
                    self.attend(it, &mut out[start..], scores);
                }
            }
        });
    }
}

/// What a layer remembers: `len` positions from before this pass, and those of the pass.
#[derive(Clone, Copy)]
struct Cached<'a> {
    /// `[kv_heads × head_dim × capacity]`
    keys: &'a [f32],
    /// `[kv_heads × capacity × head_dim]`
    values: &'a [f32],
    capacity: usize,
    len: usize,
    /// Positions that each query sees, itself included.
    window: Option<usize>,
}

/// A few queries and the keys and values of their head.
struct Attend<'a> {
    /// `step` apart, as are the results.
    queries: &'a [f32],
    step: usize,
    count: usize,
    /// `[head_dim × capacity]`
    keys: &'a [f32],
    /// `[capacity × head_dim]`
    values: &'a [f32],
    capacity: usize,
    /// Position of the first query.
    first: usize,
    /// How far apart the positions of the queries are: 1, or 0 for heads of one token.
    apart: usize,
    /// Positions that each sees, itself included.
    window: Option<usize>,
}

impl Attend<'_> {
    fn position(&self, row: usize) -> usize {
        self.first + row * self.apart
    }
}

impl Decoder for Cpu {
    type Kv = CpuKv;

    fn kv(&self, capacity: usize) -> Result<CpuKv, ModelError> {
        let size = self.config.kv_heads * self.config.head_dim * capacity;
        let layers = vec![(vec![0.0; size], vec![0.0; size]); self.config.layers];
        Ok(CpuKv { capacity, layers, scratch: Scratch::default() })
    }

    fn grow(&self, kv: &mut CpuKv, len: usize, capacity: usize) -> Result<(), ModelError> {
        let mut larger = self.kv(capacity)?;
        let dim = self.config.head_dim;
        // rows of the old size into rows of the new, of which the first `used` numbers matter
        let copy = |from: &[f32], to: &mut [f32], row: usize, used: usize| {
            let rows = from.chunks_exact(kv.capacity * row);
            for (from, to) in rows.zip(to.chunks_exact_mut(capacity * row)) {
                to[..used].copy_from_slice(&from[..used]);
            }
        };
        for (from, to) in kv.layers.iter().zip(&mut larger.layers) {
            copy(&from.0, &mut to.0, 1, len);
            copy(&from.1, &mut to.1, dim, len * dim);
        }
        kv.layers = larger.layers;
        kv.capacity = capacity;
        Ok(())
    }

    fn forward(
        &self,
        ids: &[u32],
        kv: &mut CpuKv,
        len: usize,
        want: Want<'_>,
    ) -> Result<Logits, ModelError> {
        if ids.is_empty() {
            return Ok(Logits::default());
        }
        Ok(self.threads.run(|| {
            self.pass(ids, kv, len);
            match want {
                Want::Nothing => Logits::default(),
                Want::Last => self.head(&mut kv.scratch, None, false),
                Want::All => self.head(&mut kv.scratch, None, true),
                Want::Rows(rows) => self.head(&mut kv.scratch, Some(rows), false),
                Want::AllRows(rows) => self.head(&mut kv.scratch, Some(rows), true),
            }
        }))
    }
}

impl Cpu {
    /// All layers: leaves the residual stream in the scratch memory, the keys and values in
    /// the cache.
    fn pass(&self, ids: &[u32], kv: &mut CpuKv, len: usize) {
        let CpuKv { capacity, layers, scratch } = kv;
        let (config, threads) = (&self.config, &self.threads);
        scratch.x.clear();
        for &id in ids {
            self.embedding.row(id as usize, &mut scratch.x);
        }
        if config.embedding_scale != 1.0 {
            scratch.x.iter_mut().for_each(|x| *x *= config.embedding_scale);
        }
        // lent out of the scratch memory, of which the parts take the rest
        let mut angles = std::mem::take(&mut scratch.angles);
        let mut windowed_angles = std::mem::take(&mut scratch.windowed_angles);
        self.rope.angles(len, ids.len(), &mut angles);
        if let Some(rope) = &self.windowed_rope {
            rope.angles(len, ids.len(), &mut windowed_angles);
        }
        let part = threads.part(ids.len());
        scratch.resize(config, ids.len(), part);
        for (i, (layer, (keys, values))) in self.layers.iter().zip(layers).enumerate() {
            let window = config.window_of(i);
            let windowed = window.is_some() && self.windowed_rope.is_some();
            let angles = if windowed { &windowed_angles } else { &angles };
            threads.each(scratch.parts(config, part), |part, threads| {
                self.project(layer, part, angles, threads);
            });
            // queries see the keys and values of other parts
            self.remember((&scratch.keys, &scratch.values), (keys, values), *capacity, len);
            let window = window.map(|window| window.size);
            let cache = Cached { keys, values, capacity: *capacity, len, window };
            threads.each(scratch.parts(config, part), |part, threads| {
                self.mix(layer, part, cache, threads);
            });
        }
        (scratch.angles, scratch.windowed_angles) = (angles, windowed_angles);
    }

    /// A layer up to its queries, keys and values.
    fn project(&self, layer: &Layer, part: Part<'_>, angles: &Angles, threads: &Threads) {
        let Config { width, norm_eps, .. } = self.config;
        let Part { first, x, queries, keys, values, spare } = part;
        let Spare { normed, quantized, stripes, head, .. } = spare;
        normed.resize(x.len(), 0.0);
        rms_norm(x, &layer.attention_norm, norm_eps, normed);
        let input = self.input(normed, width, quantized);
        threads.products(
            input,
            stripes,
            [
                (&layer.query.matrix, &mut queries[..]),
                (&layer.key.matrix, &mut keys[..]),
                (&layer.value.matrix, &mut values[..]),
            ],
        );
        self.shape_heads(&layer.query, queries, (angles, first), head);
        self.shape_heads(&layer.key, keys, (angles, first), head);
        add_bias(values, layer.value.bias.as_deref());
    }

    /// A layer from its attention on.
    fn mix(&self, layer: &Layer, part: Part<'_>, cache: Cached<'_>, threads: &Threads) {
        let Config { width, heads, head_dim, inner, norm_eps, .. } = self.config;
        let Part { first, x, queries, spare, .. } = part;
        let Spare { normed, delta, attended, gate, up, scores, quantized, stripes, .. } = spare;
        let count = x.len() / width;
        attended.resize(queries.len(), 0.0);
        self.attention(first, queries, cache, (attended, scores), threads);

        let input = self.input(attended, heads * head_dim, quantized);
        delta.resize(x.len(), 0.0);
        threads.products(input, stripes, [(&layer.output, &mut delta[..])]);
        add(x, delta, layer.post_attention_norm.as_deref(), norm_eps, normed);

        rms_norm(x, &layer.feed_forward_norm, norm_eps, normed);
        let input = self.input(normed, width, quantized);
        gate.resize(count * inner, 0.0);
        up.resize(count * inner, 0.0);
        let jobs = [(&layer.gate, &mut gate[..]), (&layer.up, &mut up[..])];
        threads.products(input, stripes, jobs);
        match self.config.activation {
            Activation::Silu => gated_silu(gate, up),
            Activation::Gelu => gated_gelu(gate, up),
        }
        let input = self.input(gate, inner, quantized);
        threads.products(input, stripes, [(&layer.down, &mut delta[..])]);
        add(x, delta, layer.post_feed_forward_norm.as_deref(), norm_eps, normed);
    }
}

/// `x += delta`, normed first where there is a norm; `spare` is as long.
fn add(x: &mut [f32], delta: &[f32], norm: Option<&[f32]>, eps: f32, spare: &mut [f32]) {
    let delta = match norm {
        Some(norm) => {
            rms_norm(delta, norm, eps, spare);
            &*spare
        }
        None => delta,
    };
    for (x, delta) in x.iter_mut().zip(delta) {
        *x += delta;
    }
}

fn add_bias(x: &mut [f32], bias: Option<&[f32]>) {
    let Some(bias) = bias else { return };
    for row in x.chunks_exact_mut(bias.len()) {
        row.iter_mut().zip(bias).for_each(|(x, bias)| *x += bias);
    }
}
