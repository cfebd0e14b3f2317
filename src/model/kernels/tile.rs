//! Packed matrices: what a tile looks like in memory, and the product of a stripe of tiles
//! with quantized activations.
//!
//! A *stripe* is [`LANES`] rows of a matrix; a *tile* is the [`BLOCK`] columns of a stripe
//! that share their scales. One vector register holds four columns of all sixteen rows, so
//! that four activations, broadcast, are multiplied with sixteen rows by one instruction.
//!
//! ```text
//! tile   16 × f16 scale │ 16 × f16 offset │ high bits │ groups of columns
//!                         (Four, Five)      (Five)      64 bytes each: row 0 columns 0–3, row 1 …
//! ```
//!
//! A weight is `scale · q + offset` with q unsigned; where there is no offset, it is the
//! scale times -128.

use super::quantize::{Activations, FOUR, Panel};
#[cfg(target_arch = "x86_64")]
use super::x86;
use std::array::from_fn;

/// Rows of a stripe.
pub(crate) const LANES: usize = 16;
/// Columns of a tile.
pub(crate) const BLOCK: usize = 32;
/// Most rows of activations that are multiplied at once.
pub(crate) const TALLEST: usize = 12;
/// Bytes of one group of columns: one vector register.
pub(super) const GROUP: usize = 64;

/// How the integers of a matrix are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// 4 bits: eight columns in a group, the second four in the high halves.
    Four,
    /// 5 bits: as four, and the fifth bits in words of their own.
    Five,
    /// 8 bits: four columns in a group.
    Eight,
}

impl Width {
    /// Where the high bits begin in a tile.
    pub(super) const HIGH: usize = 4 * LANES;

    /// Where the groups begin in a tile.
    pub(super) const fn groups_at(self) -> usize {
        match self {
            Width::Four => 4 * LANES,
            Width::Five => Self::HIGH + GROUP,
            Width::Eight => 2 * LANES,
        }
    }

    /// Bytes of a tile.
    pub(crate) const fn tile(self) -> usize {
        match self {
            Width::Four => Width::Four.groups_at() + 4 * GROUP,
            Width::Five => Width::Five.groups_at() + 4 * GROUP,
            Width::Eight => Width::Eight.groups_at() + 8 * GROUP,
        }
    }

    /// Writes one row of a tile: the integers of its columns, `scale` and `offset` as f16.
    pub(crate) fn put(self, tile: &mut [u8], row: usize, q: &[u8; BLOCK], scale: u16, offset: u16) {
        tile[2 * row..][..2].copy_from_slice(&scale.to_le_bytes());
        if self != Width::Eight {
            tile[2 * (LANES + row)..][..2].copy_from_slice(&offset.to_le_bytes());
        }
        for (column, &q) in q.iter().enumerate() {
            let (byte, shift) = self.place(row, column);
            match self {
                Width::Eight => tile[byte] = q,
                Width::Four => tile[byte] |= (q & 15) << shift,
                Width::Five => {
                    tile[byte] |= (q & 15) << shift;
                    let (byte, bit) = Self::high_place(row, column);
                    tile[byte] |= (q >> 4) << bit;
                }
            }
        }
    }

    /// Where a column of a row is: its byte, and by how much it is shifted there.
    fn place(self, row: usize, column: usize) -> (usize, usize) {
        let columns = if self == Width::Eight { 4 } else { 8 };
        let (group, inside) = (column / columns, column % columns);
        let byte = self.groups_at() + group * GROUP + row * 4 + inside % 4;
        (byte, inside / 4 * 4)
    }

    /// Where the fifth bit of a column is: a word of 64 bits for the low halves of each
    /// group, one for the high halves, in the order of the group's bytes.
    fn high_place(row: usize, column: usize) -> (usize, usize) {
        let (group, inside) = (column / 8, column % 8);
        let bit = row * 4 + inside % 4;
        (Self::HIGH + (2 * group + inside / 4) * 8 + bit / 8, bit % 8)
    }

    /// The unsigned integer at a place of a tile.
    pub(crate) fn integer(self, tile: &[u8], row: usize, column: usize) -> u8 {
        let (byte, shift) = self.place(row, column);
        match self {
            Width::Eight => tile[byte],
            Width::Four => tile[byte] >> shift & 15,
            Width::Five => {
                let (high, bit) = Self::high_place(row, column);
                (tile[byte] >> shift & 15) | (tile[high] >> bit & 1) << 4
            }
        }
    }

    /// Scale and offset of a row of a tile.
    pub(crate) fn scale(self, tile: &[u8], row: usize) -> (f32, f32) {
        let at = |at: usize| half_at(tile, at);
        let scale = at(2 * row);
        let offset = if self == Width::Eight { -128.0 * scale } else { at(2 * (LANES + row)) };
        (scale, offset)
    }
}

fn half_at(bytes: &[u8], at: usize) -> f32 {
    half::f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
}

/// The widest product that this CPU can run. Only [`Product::detect`] makes one other than
/// [`Product::Portable`], which is why calling it is sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    /// Plain integer loops.
    Portable,
    /// AVX2 and FMA: 16-bit products in pairs.
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    /// AVX-512 with VNNI: four products and their sum in one instruction.
    #[cfg(target_arch = "x86_64")]
    Vnni(x86::Vnni),
}

impl Product {
    /// Asks the CPU.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(vnni) = x86::Vnni::detect() {
                return Product::Vnni(vnni);
            }
            if let Some(avx2) = x86::Avx2::detect() {
                return Product::Avx2(avx2);
            }
        }
        Product::Portable
    }

    /// Whether packed products are faster than f32 ones on this CPU.
    pub(crate) fn is_quick(self) -> bool {
        self != Product::Portable
    }

    /// All that this CPU can run, for tests.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Product::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(x86::Avx2::detect().map(Product::Avx2));
            all.extend(x86::Vnni::detect().map(Product::Vnni));
        }
        all
    }

    /// How many rows of activations it may multiply at once, most first. A few counts only, for
    /// each of which it is compiled.
    fn heights(self) -> &'static [usize] {
        match self {
            Product::Portable => &[4, 1],
            // sums and products of as many rows fit into the sixteen registers, or 32
            #[cfg(target_arch = "x86_64")]
            Product::Avx2(_) => &[4, 2, 1],
            #[cfg(target_arch = "x86_64")]
            Product::Vnni(_) => &[TALLEST, 8, 4, 2, 1],
        }
    }

    /// Into how many rows at once that many are divided.
    pub(super) fn panels(self, rows: usize) -> impl Iterator<Item = usize> {
        let mut rest = rows;
        std::iter::from_fn(move || {
            let height = self.heights().iter().copied().find(|&height| height <= rest)?;
            rest -= height;
            Some(height)
        })
    }
}

/// Where a stripe's sums go: those of a row of activations begin `step` behind those of the
/// row before, and of the sixteen the first `lanes` are wanted.
pub(crate) struct Sums<'a> {
    pub(crate) out: &'a mut [f32],
    pub(crate) step: usize,
    pub(crate) lanes: usize,
}

impl Sums<'_> {
    fn of_row(&mut self, row: usize) -> &mut [f32] {
        &mut self.out[row * self.step..][..self.lanes]
    }

    /// Writes the sums of some rows from `first` on.
    pub(super) fn put<const M: usize>(&mut self, first: usize, sums: [[f32; LANES]; M]) {
        for (i, sums) in sums.iter().enumerate() {
            let out = self.of_row(first + i);
            match <&mut [f32; LANES]>::try_from(&mut *out) {
                Ok(out) => *out = *sums,
                Err(_) => out.copy_from_slice(&sums[..out.len()]),
            }
        }
    }
}

impl Activations {
    /// `sums[row][lane] = activations[row] · stripe[lane]`.
    ///
    /// `stripe` is all tiles of a stripe, as many as an activation has blocks.
    pub(crate) fn times(&self, width: Width, stripe: &[u8], mut sums: Sums<'_>) {
        let mut first = 0;
        for panel in self.panels() {
            match self.product() {
                Product::Portable => portable(width, stripe, panel, first, &mut sums),
                #[cfg(target_arch = "x86_64")]
                Product::Avx2(it) => it.stripe(width, stripe, panel, first, &mut sums),
                #[cfg(target_arch = "x86_64")]
                Product::Vnni(it) => it.stripe(width, stripe, panel, first, &mut sums),
            }
            first += panel.rows;
        }
    }
}

/// The product by its definition.
fn portable(width: Width, stripe: &[u8], panel: Panel<'_>, first: usize, sums: &mut Sums<'_>) {
    let Panel { rows, integers, scales } = panel;
    let mut out = vec![[0f32; LANES]; rows];
    for (block, tile) in stripe.chunks_exact(width.tile()).enumerate() {
        let integers = &integers[block * BLOCK / FOUR * rows..][..BLOCK / FOUR * rows];
        let scales = &scales[block * 2 * rows..][..2 * rows];
        for lane in 0..LANES {
            let q: [u8; BLOCK] = from_fn(|column| width.integer(tile, lane, column));
            let (scale, offset) = width.scale(tile, lane);
            for (i, out) in out.iter_mut().enumerate() {
                let x: [i8; BLOCK] = from_fn(|column| {
                    integers[column / FOUR * rows + i].to_le_bytes()[column % FOUR] as i8
                });
                let dot: i32 = q.iter().zip(x).map(|(&q, x)| i32::from(q) * i32::from(x)).sum();
                let (step, sum) = (scales[i], scales[rows + i]);
                out[lane] += dot as f32 * (scale * step) + offset * sum;
            }
        }
    }
    for (i, out) in out.into_iter().enumerate() {
        sums.put(first + i, [out]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stripe of random weights and the weights that it holds, row by row.
    fn stripe(width: Width, blocks: usize, seed: u64) -> (Vec<u8>, Vec<Vec<f32>>) {
        let mut random = crate::model::sample::Random(seed);
        let mut bytes = vec![0; blocks * width.tile()];
        let mut weights = vec![Vec::new(); LANES];
        for tile in bytes.chunks_exact_mut(width.tile()) {
            for (row, weights) in weights.iter_mut().enumerate() {
                let largest = match width {
                    Width::Four => 16,
                    Width::Five => 32,
                    Width::Eight => 256,
                };
                let q: [u8; BLOCK] = from_fn(|_| (random.next() % largest) as u8);
                let scale = half::f16::from_f32((random.next() % 1000) as f32 / 5e4);
                let offset = half::f16::from_f32((random.next() % 1000) as f32 / -1e3);
                width.put(tile, row, &q, scale.to_bits(), offset.to_bits());
                for (column, &q) in q.iter().enumerate() {
                    assert_eq!(width.integer(tile, row, column), q);
                    let (scale, offset) = width.scale(tile, row);
                    weights.push(f32::from(q) * scale + offset);
                }
            }
        }
        (bytes, weights)
    }

    #[test]
    fn every_product_is_the_definition_s() {
        for width in [Width::Four, Width::Five, Width::Eight] {
            for blocks in [1, 3, 8] {
                let (bytes, weights) = stripe(width, blocks, 5);
                for rows in [1, 2, 3, 4, 5, 7, 8, 11, 12, 16, 17, 29] {
                    let x: Vec<f32> =
                        (0..rows * blocks * BLOCK).map(|i| (i as f32 * 0.37).sin()).collect();
                    for product in Product::all() {
                        let mut activations = Activations::for_product(product);
                        let mut times = |x: &[f32], lanes: usize| {
                            activations.set(x, blocks * BLOCK);
                            let mut out = vec![7.0; x.len() / (blocks * BLOCK) * 20];
                            let sums = Sums { out: &mut out, step: 20, lanes };
                            activations.times(width, &bytes, sums);
                            out
                        };
                        let out = times(&x, LANES);
                        for (i, x) in x.chunks(blocks * BLOCK).enumerate() {
                            for (lane, weights) in weights.iter().enumerate() {
                                let wanted: f32 = weights.iter().zip(x).map(|(w, x)| w * x).sum();
                                // half a step of each activation, times its weight
                                let slack: f32 =
                                    weights.iter().map(|w| w.abs() / 254.0).sum::<f32>() + 1e-4;
                                let got = out[i * 20 + lane];
                                assert!(
                                    (got - wanted).abs() <= slack,
                                    "{product:?} {width:?} {blocks} {rows}: {got} {wanted}"
                                );
                            }
                        }
                        // the same bits however the rows are divided, and nothing written between
                        for (x, out) in x.chunks(blocks * BLOCK).zip(out.chunks(20)) {
                            assert_eq!(times(x, LANES), out, "{product:?} {width:?} of {rows}");
                            let few = times(x, 3);
                            assert!(few[..3] == out[..3] && few[3..] == [7.0; 17]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn products_agree_within_rounding() {
        for width in [Width::Four, Width::Five, Width::Eight] {
            let (bytes, _) = stripe(width, 20, 9);
            let x: Vec<f32> = (0..20 * BLOCK).map(|i| (i as f32 * 1.7).cos()).collect();
            let results: Vec<[f32; LANES]> = Product::all()
                .into_iter()
                .map(|product| {
                    let mut activations = Activations::for_product(product);
                    activations.set(&x, 20 * BLOCK);
                    let mut out = [0.0; LANES];
                    let sums = Sums { out: &mut out, step: LANES, lanes: LANES };
                    activations.times(width, &bytes, sums);
                    out
                })
                .collect();
            let largest = results[0].iter().fold(0f32, |a, b| a.max(b.abs()));
            for other in &results[1..] {
                for (a, b) in results[0].iter().zip(other) {
                    assert!((a - b).abs() <= 1e-5 * largest, "{width:?} {a} {b}");
                }
            }
        }
    }
}
