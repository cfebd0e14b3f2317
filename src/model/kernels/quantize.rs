//! Activations as 8-bit integers, the right-hand side of every product with tiles.
//!
//! Each row is cut into blocks of 32 numbers, kept as integers in -127..=127 and one scale:
//! what ggml calls `Q8_1`, and as exact.

use super::tile::{BLOCK, Product};
use pulp::{Arch, Simd, WithSimd};

/// Integers that one multiplication takes: a column of a [`Panel`].
pub(super) const FOUR: usize = 4;

/// Rows of activations, quantized for the product that reads them. Reused from product to product.
///
/// Rows stand in panels, as many together as the product multiplies at once; see [`Panel`].
#[derive(Debug)]
pub(crate) struct Activations {
    product: Product,
    rows: usize,
    /// Blocks in a row.
    blocks: usize,
    /// Panel by panel: `[blocks × 8 × rows of the panel]`, four integers in each number, the first
    /// in the lowest byte.
    integers: Vec<i32>,
    /// Panel by panel: `[blocks × 2 × rows of the panel]`, what an integer counts, and the sum of
    /// the block's numbers.
    scales: Vec<f32>,
    /// One row's blocks, on their way into a panel.
    row: Vec<Block>,
}

/// 32 numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    integers: [i32; BLOCK / FOUR],
    scale: f32,
    sum: f32,
}

/// Some rows that are multiplied together. What one step of a product reads stands together:
/// four columns of all rows, then the next four.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    pub(super) rows: usize,
    /// `[blocks × 8 × rows]`
    pub(super) integers: &'a [i32],
    /// `[blocks × 2 × rows]`: scales, then sums.
    pub(super) scales: &'a [f32],
}

impl Default for Activations {
    fn default() -> Self {
        Self::for_product(Product::detect())
    }
}

impl Activations {
    /// None yet.
    pub(crate) fn for_product(product: Product) -> Self {
        Activations {
            product,
            rows: 0,
            blocks: 0,
            integers: Vec::new(),
            scales: Vec::new(),
            row: Vec::new(),
        }
    }

    /// The product that they are quantized for.
    pub(crate) fn product(&self) -> Product {
        self.product
    }

    /// Quantizes `x`, `[rows × width]`; the width is a multiple of the block's.
    pub(crate) fn set(&mut self, x: &[f32], width: usize) {
        (self.rows, self.blocks) = (x.len() / width, width / BLOCK);
        let count = self.rows * self.blocks;
        self.integers.resize(count * BLOCK / FOUR, 0);
        self.scales.resize(count * 2, 0.0);
        self.row.resize(self.blocks, Block::default());
        let (mut x, mut integers, mut scales) = (x, &mut self.integers[..], &mut self.scales[..]);
        for rows in self.product.panels(self.rows) {
            let part;
            let (of_integers, of_scales);
            (part, x) = x.split_at(rows * width);
            (of_integers, integers) = integers.split_at_mut(rows * width / FOUR);
            (of_scales, scales) = scales.split_at_mut(rows * self.blocks * 2);
            for (row, x) in part.chunks_exact(width).enumerate() {
                Arch::new().dispatch(Quantize { x, blocks: &mut self.row });
                for (i, block) in self.row.iter().enumerate() {
                    for (four, &integer) in block.integers.iter().enumerate() {
                        of_integers[(i * BLOCK / FOUR + four) * rows + row] = integer;
                    }
                    of_scales[2 * i * rows + row] = block.scale;
                    of_scales[(2 * i + 1) * rows + row] = block.sum;
                }
            }
        }
    }

    /// The panels from the first row on.
    pub(super) fn panels(&self) -> impl Iterator<Item = Panel<'_>> {
        let (mut integers, mut scales) = (&self.integers[..], &self.scales[..]);
        self.product.panels(self.rows).map(move |rows| {
            let panel;
            (panel, integers) = integers.split_at(rows * self.blocks * BLOCK / FOUR);
            let of_panel;
            (of_panel, scales) = scales.split_at(rows * self.blocks * 2);
            Panel { rows, integers: panel, scales: of_panel }
        })
    }
}

/// 1.5 · 2^23
const ROUND: f32 = 12_582_912.0;

/// One row.
struct Quantize<'a> {
    x: &'a [f32],
    blocks: &'a mut [Block],
}

impl WithSimd for Quantize<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (x, block) in self.x.as_chunks::<BLOCK>().0.iter().zip(self.blocks) {
            let mut lanes = [0f32; 16];
            for half in x.as_chunks::<16>().0 {
                for (lane, x) in lanes.iter_mut().zip(half) {
                    let x = x.abs();
                    *lane = if x > *lane { x } else { *lane };
                }
            }
            // in halves: one after the other would take longer than all the rest
            for half in [8, 4, 2, 1] {
                let (low, high) = lanes.split_at_mut(half);
                for (low, high) in low.iter_mut().zip(high) {
                    *low = if *high > *low { *high } else { *low };
                }
            }
            let largest = lanes[0];
            let inverse = if largest > 0.0 { 127.0 / largest } else { 0.0 };
            let (mut whole, mut bytes, mut sums) = ([0i32; BLOCK], [0u8; BLOCK], [0i32; 16]);
            for (whole, x) in whole.iter_mut().zip(x) {
                // adding 1.5 · 2^23 rounds to the nearest integer, which is left in the lowest bits
                *whole = (x * inverse + ROUND).to_bits().wrapping_sub(ROUND.to_bits()) as i32;
            }
            for (byte, whole) in bytes.iter_mut().zip(whole) {
                *byte = whole as u8;
            }
            for half in whole.as_chunks::<16>().0 {
                for (sum, whole) in sums.iter_mut().zip(half) {
                    *sum = sum.wrapping_add(*whole);
                }
            }
            let sum: i32 = sums.iter().sum();
            for (four, bytes) in block.integers.iter_mut().zip(bytes.as_chunks().0) {
                *four = i32::from_le_bytes(*bytes);
            }
            block.scale = largest / 127.0;
            block.sum = block.scale * sum as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_within_half_a_step() {
        // rows of three panels at most, of which all but the widest product has more
        const ROWS: usize = 15;
        for product in Product::all() {
            let x: Vec<f32> = (0..ROWS * 64)
                .map(|i| (i as f32 * 0.7).sin() * (1 << (i / 32 % 16)) as f32)
                .collect();
            let mut activations = Activations::for_product(product);
            activations.set(&x, 64);
            let mut rows = x.chunks(64);
            for panel in activations.panels() {
                for (row, x) in rows.by_ref().take(panel.rows).enumerate() {
                    for (block, x) in x.chunks(BLOCK).enumerate() {
                        let [scale, sum] = [0, 1]
                            .map(|which| panel.scales[(2 * block + which) * panel.rows + row]);
                        let back: Vec<f32> = (8 * block..8 * (block + 1))
                            .flat_map(|four| panel.integers[four * panel.rows + row].to_le_bytes())
                            .map(|byte| f32::from(byte as i8) * scale)
                            .collect();
                        for (x, back) in x.iter().zip(&back) {
                            assert!((x - back).abs() <= scale * 0.5001, "{x} {back}");
                        }
                        let slack = 1e-3 * scale * 127.0;
                        assert!((back.iter().sum::<f32>() - sum).abs() <= slack);
                    }
                }
            }
            assert!(rows.next().is_none());
            activations.set(&[0.0; 32], 32);
            assert_eq!(activations.panels().next().unwrap().scales, [0.0, 0.0]);
        }
    }
}
