//! The plain engine's threads: for models where one pass is worth handing out.
//!
//! Work is divided by rows of the output, never within a sum, so results do not depend on
//! the number of threads. One core is left to the program that is being debugged.

use super::kernels::matmul;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;

/// Models below this many parameters run on one thread: theirs is done sooner than others
/// wake up.
const WORTH_IT: usize = 16 << 20;

/// None, or some.
pub(super) struct Threads(Option<ThreadPool>);

impl Threads {
    /// For a model of this size on this machine.
    pub(super) fn for_parameters(parameters: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self::new(if parameters < WORTH_IT { 1 } else { cores.saturating_sub(1) })
    }

    /// As many; with one, or if the system gives none, the caller's own is used.
    pub(super) fn new(count: usize) -> Self {
        let named = ThreadPoolBuilder::new().thread_name(|i| format!("model-{i}"));
        Threads((count > 1).then(|| named.num_threads(count).build().ok()).flatten())
    }

    /// [`matmul`] by rows of `x` if there are several, else by rows of `w`.
    pub(super) fn matmul(&self, x: &[f32], w: &[f32], k: usize, out: &mut [f32], stride: usize) {
        if x.len() > k {
            return self.rows(x, k, out, |_, x, out| matmul(x, w, k, out, stride));
        }
        let Some(pool) = &self.0 else { return matmul(x, w, k, out, stride) };
        let part = stride.div_ceil(pool.current_num_threads());
        let parts = w.par_chunks(part * k).zip(out.par_chunks_mut(part));
        pool.install(|| {
            parts.for_each(|(w, out)| {
                let rows = out.len();
                matmul(x, w, k, out, rows);
            });
        });
    }

    /// Applies `each(first row, rows of x, their rows of out)` to parts of all rows; `x` is
    /// `[m × k]`, `out` has m rows too.
    pub(super) fn rows(
        &self,
        x: &[f32],
        k: usize,
        out: &mut [f32],
        each: impl Fn(usize, &[f32], &mut [f32]) + Sync,
    ) {
        let rows = x.len() / k;
        let Some(pool) = self.0.as_ref().filter(|_| rows > 1) else { return each(0, x, out) };
        // a few parts per thread: later rows attend to more positions than earlier ones
        let part = rows.div_ceil(4 * pool.current_num_threads()).next_multiple_of(4);
        let width = out.len() / rows;
        let parts = x.par_chunks(part * k).zip(out.par_chunks_mut(part * width)).enumerate();
        pool.install(|| parts.for_each(|(i, (x, out))| each(i * part, x, out)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let numbers = |n: usize, f: f32| (0..n).map(|i| (i as f32 * f).sin()).collect::<Vec<_>>();
        for (m, n, k) in [(1, 50, 33), (2, 7, 16), (9, 20, 64), (64, 30, 48)] {
            let (x, w) = (numbers(m * k, 0.7), numbers(n * k, 1.3));
            let mut wanted = vec![0.0; m * n];
            matmul(&x, &w, k, &mut wanted, n);
            for count in [1, 2, 3, 7] {
                let mut out = vec![0.0; m * n];
                Threads::new(count).matmul(&x, &w, k, &mut out, n);
                assert_eq!(out, wanted, "{m} {n} {k} on {count}");
            }
        }
    }
}
