//! f32 loops, compiled for the CPU's widest instructions and chosen at run time by `pulp`; all
//! of it is safe code.

use pulp::{Arch, Simd, WithSimd};
use std::array::from_fn;

/// A product of some rows with a matrix that is read along its rows: attention's two, and
/// those of matrices that are not packed.
pub(crate) struct Panel<'a> {
    /// The rows, `step` apart; the first `k` numbers of each are used.
    pub(crate) rows: &'a [f32],
    /// How far apart the rows begin.
    pub(crate) step: usize,
    /// How many rows.
    pub(crate) count: usize,
    /// Numbers summed: rows of the matrix.
    pub(crate) k: usize,
    /// `[k × stride]`, of whose rows the first `n` numbers are used.
    pub(crate) matrix: &'a [f32],
    /// How far apart the matrix's rows begin.
    pub(crate) stride: usize,
    /// Numbers of a result.
    pub(crate) n: usize,
}

/// `out[i × out_step + j] = Σ rows[i, p] · matrix[p, j]`
pub(crate) fn panel(panel: Panel<'_>, out: &mut [f32], out_step: usize) {
    struct Op<'a>(Panel<'a>, &'a mut [f32], usize);
    impl WithSimd for Op<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Op(it, out, out_step) = self;
            let mut first = 0;
            while first < it.count {
                let left = it.count - first;
                // as many rows as their sums fit into registers beside what they read
                let taken = match left {
                    8.. if S::REGISTER_COUNT >= 32 => {
                        bands::<S, 8>(simd, &it, first, out, out_step)
                    }
                    4.. => bands::<S, 4>(simd, &it, first, out, out_step),
                    3 => bands::<S, 3>(simd, &it, first, out, out_step),
                    2 => bands::<S, 2>(simd, &it, first, out, out_step),
                    _ => bands::<S, 1>(simd, &it, first, out, out_step),
                };
                first += taken;
            }
        }
    }
    Arch::new().dispatch(Op(panel, out, out_step));
}

/// `M` rows from `first`, two registers' width of the result at a time; gives `M`.
#[inline(always)]
fn bands<S: Simd, const M: usize>(
    simd: S,
    it: &Panel<'_>,
    first: usize,
    out: &mut [f32],
    out_step: usize,
) -> usize {
    let lanes = S::F32_LANES;
    let rows: [&[f32]; M] = from_fn(|i| &it.rows[(first + i) * it.step..][..it.k]);
    let mut done = 0;
    while done < it.n {
        let (left, right) =
            ((it.n - done).min(lanes), (it.n - done).saturating_sub(lanes).min(lanes));
        let mut sums = [[simd.splat_f32s(0.0); 2]; M];
        if right == lanes {
            for p in 0..it.k {
                let (pair, _) = S::as_simd_f32s(&it.matrix[p * it.stride + done..][..2 * lanes]);
                for (i, row) in rows.iter().enumerate() {
                    let x = simd.splat_f32s(row[p]);
                    sums[i][0] = simd.mul_add_f32s(x, pair[0], sums[i][0]);
                    sums[i][1] = simd.mul_add_f32s(x, pair[1], sums[i][1]);
                }
            }
        } else {
            for p in 0..it.k {
                let part = &it.matrix[p * it.stride + done..][..left + right];
                let a = simd.partial_load_f32s(&part[..left]);
                let b = simd.partial_load_f32s(&part[left..]);
                for (i, row) in rows.iter().enumerate() {
                    let x = simd.splat_f32s(row[p]);
                    sums[i][0] = simd.mul_add_f32s(x, a, sums[i][0]);
                    sums[i][1] = simd.mul_add_f32s(x, b, sums[i][1]);
                }
            }
        }
        for (i, [a, b]) in sums.into_iter().enumerate() {
            let out = &mut out[(first + i) * out_step + done..][..left + right];
            let (left, right) = out.split_at_mut(left);
            simd.partial_store_f32s(left, a);
            simd.partial_store_f32s(right, b);
        }
        done += left + right;
    }
    M
}

/// Folds every sixteenth number, so that it vectorizes.
#[inline(always)]
fn by_lanes(x: &[f32], start: f32, fold: impl Fn(f32, f32) -> f32) -> [f32; 16] {
    let mut lanes = [start; 16];
    let (chunks, rest) = x.as_chunks::<16>();
    for chunk in chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = fold(*lane, x);
        }
    }
    for (lane, &x) in lanes.iter_mut().zip(rest) {
        *lane = fold(*lane, x);
    }
    lanes
}

/// Scales, then turns scores into probabilities.
pub(crate) fn softmax(scores: &mut [f32], scale: f32) {
    struct Op<'a>(&'a mut [f32], f32);
    impl WithSimd for Op<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            let Op(scores, scale) = self;
            let max = by_lanes(scores, f32::MIN, |a, b| if b > a { b } else { a })
                .into_iter()
                .fold(f32::MIN, f32::max);
            for score in scores.iter_mut() {
                *score = exp((*score - max) * scale);
            }
            let inverse = 1.0 / by_lanes(scores, 0.0, |a, b| a + b).iter().sum::<f32>();
            for score in scores.iter_mut() {
                *score *= inverse;
            }
        }
    }
    Arch::new().dispatch(Op(scores, scale));
}

/// `gate[i] = silu(gate[i]) · up[i]`.
pub(crate) fn gated_silu(gate: &mut [f32], up: &[f32]) {
    gated(gate, up, |x| x);
}

/// `gate[i] = gelu(gate[i]) · up[i]`, by the approximation with tanh: x · (1 + tanh z) / 2 is
/// x · sigmoid(2 z).
pub(crate) fn gated_gelu(gate: &mut [f32], up: &[f32]) {
    /// The root of 2 / π.
    const ROOT: f32 = 0.797_884_6;
    gated(gate, up, |x| 2.0 * ROOT * (x + 0.044_715 * x * x * x));
}

/// `gate[i] = gate[i] · sigmoid(inner(gate[i])) · up[i]`
fn gated(gate: &mut [f32], up: &[f32], inner: impl Fn(f32) -> f32) {
    struct Op<'a, F>(&'a mut [f32], &'a [f32], F);
    impl<F: Fn(f32) -> f32> WithSimd for Op<'_, F> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            for (gate, up) in self.0.iter_mut().zip(self.1) {
                *gate = *gate / (1.0 + exp(-(self.2)(*gate))) * up;
            }
        }
    }
    Arch::new().dispatch(Op(gate, up, inner));
}

/// Root-mean-square norm of each row of `x`, times `weight`.
pub(crate) fn rms_norm(x: &[f32], weight: &[f32], eps: f32, out: &mut [f32]) {
    struct Op<'a>(&'a [f32], &'a [f32], f32, &'a mut [f32]);
    impl WithSimd for Op<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            let Op(x, weight, eps, out) = self;
            let width = weight.len();
            for (x, out) in x.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
                let squares = by_lanes(x, 0.0, |sum, x| sum + x * x);
                let mean = squares.iter().sum::<f32>() / width as f32;
                let scale = 1.0 / (mean + eps).sqrt();
                for ((out, x), weight) in out.iter_mut().zip(x).zip(weight) {
                    *out = x * scale * weight;
                }
            }
        }
    }
    Arch::new().dispatch(Op(x, weight, eps, out));
}

/// e^x in plain arithmetic, so that it vectorizes: 2^n by the exponent's bits times a
/// polynomial on ±ln2/2 (Taylor to degree 7; relative error below 2e-7). Below -87 it is
/// held at 2^-126, which no sum of ours notices.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 · 2^23: adding it rounds to an integer
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = x - n * LN2_HIGH - n * LN2_LOW;
    let mut p = 1.0 / 5040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p * r + coefficient;
    }
    // the lowest bits of `rounded` are n, and the shift leaves nothing else
    p * f32::from_bits((rounded.to_bits() << 23).wrapping_add(127 << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(n: usize, mut seed: u64) -> Vec<f32> {
        (0..n)
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (seed >> 40) as f32 / (1 << 24) as f32 - 0.5
            })
            .collect()
    }

    #[test]
    fn exp_is_within_rounding() {
        for i in -8700..8800 {
            let x = i as f32 / 100.0;
            let wanted = f64::from(x).exp();
            assert!((f64::from(exp(x)) / wanted - 1.0).abs() < 4e-7, "exp({x})");
        }
        assert!(exp(-1e30) < 1e-37 && exp(f32::MIN) < 1e-37);
    }

    #[test]
    fn panels_equal_the_definition_and_each_row_alone() {
        for count in [1, 2, 3, 4, 5, 8, 13] {
            for n in [1, 15, 16, 31, 32, 40, 80] {
                for k in [1, 7, 33] {
                    let (step, stride) = (k + 3, n + 5);
                    let rows = numbers(count * step, 3);
                    let matrix = numbers(k * stride, 4);
                    let run = |first: usize, count: usize| {
                        let mut out = vec![7.0; count * n];
                        let rows = &rows[first * step..];
                        panel(
                            Panel { rows, step, count, k, matrix: &matrix, stride, n },
                            &mut out,
                            n,
                        );
                        out
                    };
                    let out = run(0, count);
                    for i in 0..count {
                        assert_eq!(run(i, 1), out[i * n..][..n]);
                        for j in 0..n {
                            let term = |p: usize| rows[i * step + p] * matrix[p * stride + j];
                            let wanted: f32 = (0..k).map(term).sum();
                            assert!((out[i * n + j] - wanted).abs() < 1e-5, "{count} {n} {k}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn gates_equal_their_definitions() {
        let x: Vec<f32> = (-60..60).map(|i| i as f32 / 5.0).collect();
        let up = vec![2.0; x.len()];
        let (mut silu, mut gelu) = (x.clone(), x.clone());
        gated_silu(&mut silu, &up);
        gated_gelu(&mut gelu, &up);
        for (i, x) in x.iter().map(|&x| f64::from(x)).enumerate() {
            let z = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3));
            assert!((f64::from(silu[i]) - 2.0 * x / (1.0 + (-x).exp())).abs() < 1e-5);
            assert!((f64::from(gelu[i]) - x * (1.0 + z.tanh())).abs() < 1e-5);
        }
    }

    #[test]
    fn softmax_sums_to_one_and_keeps_order() {
        let mut scores = vec![1.0, 3.0, 2.0, -1000.0];
        softmax(&mut scores, 2.0);
        assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((scores[1] / scores[2] - 2f32.exp()).abs() / 7.4 < 1e-5);
        assert!(scores[3] < 1e-30);
    }
}
