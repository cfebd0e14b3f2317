//! The CPU engine's threads: for models where one pass is worth handing out.
//!
//! Work is divided by rows of the input or of a matrix, never within a sum, so results do not
//! depend on the number of threads. One core is left to the program that is being debugged. A
//! whole pass runs inside the pool, so that its threads stay awake from product to product;
//! between passes they sleep, and a thread that the machine takes away costs only its share.

use super::kernels::tile::{LANES, TALLEST};
use super::linear::{Input, Linear};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;

/// Models below this many parameters run on one thread: theirs is done sooner than others
/// wake up.
const WORTH_IT: usize = 16 << 20;

/// Stripes that are not divided further.
const SMALLEST: usize = 4;

/// Most rows that go through a layer together: what they need between two products stays in
/// the second cache of a core, and each matrix is read often enough to be worth reading.
const PART: usize = 12 * TALLEST;

/// None, or some.
pub(super) struct Threads(Option<ThreadPool>);

impl Threads {
    /// For a model of this size on this machine; `wanted` overrules.
    pub(super) fn for_parameters(parameters: usize, wanted: Option<usize>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let own = if parameters < WORTH_IT { 1 } else { cores.saturating_sub(1) };
        Self::new(wanted.unwrap_or(own))
    }

    /// As many; with one, or if the system gives none, the caller's own is used.
    pub(super) fn new(count: usize) -> Self {
        let named = ThreadPoolBuilder::new().thread_name(|i| format!("model-{i}"));
        Threads((count > 1).then(|| named.num_threads(count).build().ok()).flatten())
    }

    fn count(&self) -> usize {
        self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs a pass, from which the other functions are called.
    pub(super) fn run<R: Send>(&self, pass: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(pass),
            None => pass(),
        }
    }

    /// Into how many rows the rows of a pass are divided, which then go through a layer
    /// without waiting for others. All of them, if they are few: then each product and each
    /// head's attention is divided instead.
    pub(super) fn part(&self, rows: usize) -> usize {
        let count = self.count();
        if rows < 8 * count {
            return rows;
        }
        // as many parts for each thread
        let parts = rows.div_ceil(PART).next_multiple_of(count);
        rows.div_ceil(parts).next_multiple_of(TALLEST)
    }

    /// Runs each of `parts`, at once where there are threads. What runs alone may divide its
    /// own work, by the threads that it is given.
    pub(super) fn each<T: Send>(
        &self,
        parts: impl ExactSizeIterator<Item = T> + Send,
        each: impl Fn(T, &Threads) + Sync + Send,
    ) {
        match parts.len() {
            1 => parts.for_each(|part| each(part, self)),
            _ if self.0.is_none() => parts.for_each(|part| each(part, self)),
            _ => parts.par_bridge().for_each(|part| each(part, &Threads(None))),
        }
    }

    /// Products of one input with several matrices; each `out` is `[rows × outputs]`.
    /// `spare` is scratch memory that is kept from call to call.
    pub(super) fn products<const N: usize>(
        &self,
        input: Input<'_>,
        spare: &mut Vec<[f32; LANES]>,
        mut jobs: [(&Linear, &mut [f32]); N],
    ) {
        let (rows, count) = (input.rows(), self.count());
        if count == 1 {
            return jobs.into_iter().for_each(|(linear, out)| linear.rows(input, out));
        }
        // each thread multiplies all rows with its stripes
        let stripes: usize = jobs.iter().map(|(linear, _)| linear.stripes()).sum();
        spare.resize(stripes * rows, [0.0; LANES]);
        let mut rest = &mut spare[..];
        let mut parts = jobs.each_ref().map(|(linear, _)| {
            let (part, tail) = std::mem::take(&mut rest).split_at_mut(linear.stripes() * rows);
            rest = tail;
            (*linear, part)
        });
        spread(input, stripes.div_ceil(2 * count).max(SMALLEST), &mut parts);
        for ((linear, part), (_, out)) in parts.iter().zip(&mut jobs) {
            let outputs = linear.outputs();
            for (stripe, part) in part.chunks_exact(rows).enumerate() {
                let first = stripe * LANES;
                let lanes = LANES.min(outputs - first);
                for (sums, out) in part.iter().zip(out.chunks_exact_mut(outputs)) {
                    out[first..][..lanes].copy_from_slice(&sums[..lanes]);
                }
            }
        }
    }

    /// Applies `each(first row, rows of x, their rows of out, scratch)` to a part of the rows
    /// for each thread. `x` is `[rows × width]`, `out` has as many rows; each part has scratch
    /// of its own, of `size` numbers.
    pub(super) fn rows(
        &self,
        x: &[f32],
        width: usize,
        out: &mut [f32],
        (scratch, size): (&mut Vec<f32>, usize),
        each: impl Fn(usize, &[f32], &mut [f32], &mut [f32]) + Sync,
    ) {
        let rows = x.len() / width;
        let part = rows.div_ceil(self.count());
        scratch.resize(rows.div_ceil(part) * size, 0.0);
        if part == rows {
            return each(0, x, out, scratch);
        }
        let out_width = out.len() / rows;
        let parts = x.par_chunks(part * width).zip(out.par_chunks_mut(part * out_width));
        let parts = parts.zip(scratch.par_chunks_mut(size)).enumerate();
        parts.for_each(|(i, ((x, out), scratch))| each(i * part, x, out, scratch));
    }
}

/// The products of all rows with some stripes of each matrix, halved until no part has more
/// stripes than `grain`. Each part's results are `[stripes × rows]`, by stripe.
fn spread(input: Input<'_>, grain: usize, parts: &mut [(&Linear, &mut [[f32; LANES]])]) {
    if let [(linear, out)] = parts {
        return spread_one(input, grain, linear, 0, out);
    }
    let (left, right) = parts.split_at_mut(parts.len() / 2);
    rayon::join(|| spread(input, grain, left), || spread(input, grain, right));
}

fn spread_one(
    input: Input<'_>,
    grain: usize,
    linear: &Linear,
    first: usize,
    out: &mut [[f32; LANES]],
) {
    let rows = input.rows();
    let stripes = out.len() / rows;
    if stripes <= grain {
        for (i, out) in out.chunks_exact_mut(rows).enumerate() {
            linear.stripe(input, first + i, out);
        }
        return;
    }
    let half = stripes / 2;
    let (left, right) = out.split_at_mut(half * rows);
    rayon::join(
        || spread_one(input, grain, linear, first, left),
        || spread_one(input, grain, linear, first + half, right),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::{Gguf, TensorType, Writer};
    use crate::model::kernels::quantize::Activations;
    use candle_core::quantized::{GgmlDType, QTensor};
    use candle_core::{Device, Tensor};

    fn numbers(n: usize, f: f32) -> Vec<f32> {
        (0..n).map(|i| (i as f32 * f).sin()).collect()
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        const K: usize = 64;
        let matrix = |outputs: usize, pack: bool| {
            let w =
                Tensor::from_vec(numbers(outputs * K, 1.3), (outputs, K), &Device::Cpu).unwrap();
            let bytes =
                QTensor::quantize(&w, GgmlDType::Q5_1).unwrap().data().unwrap().into_owned();
            let file = Writer::new().tensor("w", &[outputs, K], TensorType::Q5_1, bytes).finish();
            let gguf = Gguf::read(&file).unwrap();
            Linear::load(gguf.tensor("w").unwrap(), pack).unwrap()
        };
        for pack in [false, true] {
            let (one, two) = (matrix(50, pack), matrix(130, pack));
            for rows in [1, 2, 7, 16, 65] {
                let x = numbers(rows * K, 0.7);
                let mut quantized = Activations::default();
                quantized.set(&x, K);
                let input = Input { x: &x, width: K, quantized: &quantized };
                let run = |count: usize| {
                    let threads = Threads::new(count);
                    let (mut a, mut b) = (vec![0.0; rows * 50], vec![0.0; rows * 130]);
                    threads.run(|| {
                        let jobs = [(&one, &mut a[..]), (&two, &mut b[..])];
                        threads.products(input, &mut Vec::new(), jobs);
                    });
                    (a, b)
                };
                let wanted = run(1);
                assert!(wanted.0.iter().any(|&x| x != 0.0));
                for count in [2, 3, 7] {
                    assert!(run(count) == wanted, "{rows} rows on {count}, packed: {pack}");
                }
            }
        }
    }
}
