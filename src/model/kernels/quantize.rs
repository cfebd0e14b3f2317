//! Activations as 8-bit integers, the right-hand side of every product with tiles.
//!
//! Each row is cut into blocks of 32 numbers, kept as integers in -127..=127 and one scale:
//! what ggml calls `Q8_1`, and as exact.

use super::tile::BLOCK;
use pulp::{Arch, Simd, WithSimd};

/// Rows of activations, quantized. Reused from product to product.
#[derive(Debug, Default)]
pub(crate) struct Activations {
    /// Blocks in a row.
    pub(super) blocks: usize,
    /// `[rows × blocks]`: four integers in each number, the first in the lowest byte.
    pub(super) integers: Vec<[i32; BLOCK / 4]>,
    /// `[rows × blocks]`: what an integer counts, and the sum of the block's numbers.
    pub(super) scales: Vec<[f32; 2]>,
}

impl Activations {
    /// Quantizes `x`, `[rows × width]`; the width is a multiple of the block's.
    pub(crate) fn set(&mut self, x: &[f32], width: usize) {
        self.blocks = width / BLOCK;
        let count = x.len() / BLOCK;
        self.integers.resize(count, [0; BLOCK / 4]);
        self.scales.resize(count, [0.0; 2]);
        Arch::new().dispatch(Quantize {
            x,
            integers: &mut self.integers,
            scales: &mut self.scales,
        });
    }
}

/// 1.5 · 2^23
const ROUND: f32 = 12_582_912.0;

struct Quantize<'a> {
    x: &'a [f32],
    integers: &'a mut [[i32; BLOCK / 4]],
    scales: &'a mut [[f32; 2]],
}

impl WithSimd for Quantize<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let blocks = self.x.as_chunks::<BLOCK>().0;
        for ((x, integers), scales) in blocks.iter().zip(self.integers).zip(self.scales) {
            let mut lanes = [0f32; 16];
            for half in x.as_chunks::<16>().0 {
                for (lane, x) in lanes.iter_mut().zip(half) {
                    let x = x.abs();
                    *lane = if x > *lane { x } else { *lane };
                }
            }
            let mut largest = 0f32;
            for lane in lanes {
                largest = if lane > largest { lane } else { largest };
            }
            let inverse = if largest > 0.0 { 127.0 / largest } else { 0.0 };
            let mut bytes = [0u8; BLOCK];
            let mut sum = 0i32;
            for (byte, &x) in bytes.iter_mut().zip(x) {
                // adding 1.5 · 2^23 rounds to the nearest integer and leaves it in the lowest bits
                let whole = (x * inverse + ROUND).to_bits().wrapping_sub(ROUND.to_bits());
                *byte = whole as u8;
                sum = sum.wrapping_add(whole as i32);
            }
            for (four, bytes) in integers.iter_mut().zip(bytes.as_chunks().0) {
                *four = i32::from_le_bytes(*bytes);
            }
            let scale = largest / 127.0;
            *scales = [scale, scale * sum as f32];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_within_half_a_step() {
        let x: Vec<f32> =
            (0..96).map(|i| (i as f32 * 0.7).sin() * (1 << (i / 32)) as f32).collect();
        let mut activations = Activations::default();
        activations.set(&x, 48 * 2);
        assert_eq!((activations.integers.len(), activations.blocks), (3, 3));
        for (block, x) in x.chunks(BLOCK).enumerate() {
            let [scale, sum] = activations.scales[block];
            let back: Vec<f32> = activations.integers[block]
                .iter()
                .flat_map(|four| four.to_le_bytes())
                .map(|byte| f32::from(byte as i8) * scale)
                .collect();
            for (x, back) in x.iter().zip(&back) {
                assert!((x - back).abs() <= scale * 0.5001, "{x} {back}");
            }
            assert!((back.iter().sum::<f32>() - sum).abs() < 1e-4);
        }
        activations.set(&[0.0; 32], 32);
        assert_eq!(activations.scales[0], [0.0, 0.0]);
    }
}
