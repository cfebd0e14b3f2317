//! Quantized matrices, repacked once into the order in which they are multiplied.
//!
//! The packed copy is the only one that is kept: embedding rows are read out of it. Integers
//! stay as they are in the file; a scale and an offset of its own for every 32 numbers takes
//! the place of the two levels of `Q4_K` and `Q5_K`. `Q6_K`, whose blocks are of 16, is
//! quantized again to eight bits, which moves a weight by at most 1/254 of the largest beside it.

use super::ModelError;
use super::kernels::quantize::Activations;
use super::kernels::tile::{BLOCK, LANES, Sums, Width};
use crate::gguf::{Tensor, TensorType};
use half::f16;
use std::array::from_fn;

/// A matrix `[outputs × inputs]` as stripes of sixteen outputs; see [`Width`] for a tile.
pub(super) struct Tiles {
    width: Width,
    pub(super) outputs: usize,
    /// Bytes of a stripe.
    stripe: usize,
    data: Vec<u8>,
}

impl Tiles {
    /// Packs a matrix; `None` if its type or its number of inputs has no tiles.
    ///
    /// # Errors
    /// [`ModelError::Gguf`] when the tensor's bytes are not there.
    pub(super) fn pack(tensor: &Tensor<'_>) -> Result<Option<Self>, ModelError> {
        let [outputs, inputs] = tensor.shape[..] else { return Ok(None) };
        let Some((width, read)) = reader(tensor.kind) else { return Ok(None) };
        if inputs % BLOCK != 0 || inputs == 0 || outputs == 0 {
            return Ok(None);
        }
        let bytes = tensor.bytes()?;
        let row_bytes = bytes.len() / outputs;
        let stripe = inputs / BLOCK * width.tile();
        let mut data = vec![0; outputs.div_ceil(LANES) * stripe];
        for (n, row) in bytes.chunks_exact(row_bytes).enumerate() {
            let tiles = data[n / LANES * stripe..][..stripe].chunks_exact_mut(width.tile());
            for (i, tile) in tiles.enumerate() {
                let Block { q, scale, offset } = read(row, i);
                let half = |x: f32| f16::from_f32(x).to_bits();
                width.put(tile, n % LANES, &q, half(scale), half(offset));
            }
        }
        Ok(Some(Tiles { width, outputs, stripe, data }))
    }

    /// How many stripes there are.
    pub(super) fn stripes(&self) -> usize {
        self.outputs.div_ceil(LANES)
    }

    /// The products of all activations with sixteen rows.
    pub(super) fn stripe(&self, n: usize, activations: &Activations, sums: Sums<'_>) {
        activations.times(self.width, &self.data[n * self.stripe..][..self.stripe], sums);
    }

    /// Adds a row's numbers to the end of `out`.
    pub(super) fn row(&self, row: usize, out: &mut Vec<f32>) {
        let stripe = &self.data[row / LANES * self.stripe..][..self.stripe];
        for tile in stripe.chunks_exact(self.width.tile()) {
            let (scale, offset) = self.width.scale(tile, row % LANES);
            out.extend((0..BLOCK).map(|column| {
                f32::from(self.width.integer(tile, row % LANES, column)) * scale + offset
            }));
        }
    }
}

/// 32 numbers of a row: each is `scale · q + offset`.
struct Block {
    q: [u8; BLOCK],
    scale: f32,
    offset: f32,
}

/// Bytes of 512 numbers of a type once packed; `None` if it has no tiles.
pub(super) fn bytes_of(kind: TensorType) -> Option<u64> {
    reader(kind).map(|(width, _)| width.tile() as u64)
}

/// Reads block `i` of 32 numbers from the bytes of a row.
type Reader = fn(&[u8], usize) -> Block;

/// How a type is packed, and what reads it.
fn reader(kind: TensorType) -> Option<(Width, Reader)> {
    Some(match kind {
        TensorType::Q4_0 => (Width::Four, q4_0),
        TensorType::Q4_1 => (Width::Four, q4_1),
        TensorType::Q4_K => (Width::Four, q4_k),
        TensorType::Q5_0 => (Width::Five, q5_0),
        TensorType::Q5_1 => (Width::Five, q5_1),
        TensorType::Q5_K => (Width::Five, q5_k),
        TensorType::Q8_0 => (Width::Eight, q8_0),
        TensorType::Q6_K => (Width::Eight, q6_k),
        _ => return None,
    })
}

// The layouts are ggml's (ggml-common.h): halves are scales, low halves of bytes the first
// sixteen (or 32) numbers.

fn half(bytes: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
}

/// The integer of each of 32 numbers from 16 bytes.
fn nibbles(bytes: &[u8]) -> [u8; BLOCK] {
    from_fn(|j| if j < 16 { bytes[j] & 15 } else { bytes[j - 16] >> 4 })
}

/// Adds the fifth bits, one of 32 for each number.
fn with_fifth(q: [u8; BLOCK], bytes: &[u8]) -> [u8; BLOCK] {
    from_fn(|j| q[j] | (bytes[j / 8] >> (j % 8) & 1) << 4)
}

fn q4_0(row: &[u8], i: usize) -> Block {
    let block = &row[i * 18..][..18];
    let scale = half(block, 0);
    Block { q: nibbles(&block[2..]), scale, offset: -8.0 * scale }
}

fn q4_1(row: &[u8], i: usize) -> Block {
    let block = &row[i * 20..][..20];
    Block { q: nibbles(&block[4..]), scale: half(block, 0), offset: half(block, 2) }
}

fn q5_0(row: &[u8], i: usize) -> Block {
    let block = &row[i * 22..][..22];
    let scale = half(block, 0);
    let q = with_fifth(nibbles(&block[6..]), &block[2..6]);
    Block { q, scale, offset: -16.0 * scale }
}

fn q5_1(row: &[u8], i: usize) -> Block {
    let block = &row[i * 24..][..24];
    let q = with_fifth(nibbles(&block[8..]), &block[4..8]);
    Block { q, scale: half(block, 0), offset: half(block, 2) }
}

fn q8_0(row: &[u8], i: usize) -> Block {
    let block = &row[i * 34..][..34];
    let scale = half(block, 0);
    Block { q: from_fn(|j| block[2 + j] ^ 0x80), scale, offset: -128.0 * scale }
}

/// Scale and minimum of one of the eight parts of a `Q4_K` or `Q5_K` block, from 12 bytes of
/// six-bit numbers.
fn levels(bytes: &[u8], part: usize) -> (f32, f32) {
    let (scale, minimum) = match part {
        0..4 => (bytes[part] & 63, bytes[part + 4] & 63),
        _ => (
            bytes[part + 4] & 15 | bytes[part - 4] >> 6 << 4,
            bytes[part + 4] >> 4 | bytes[part] >> 6 << 4,
        ),
    };
    (f32::from(scale), f32::from(minimum))
}

fn q4_k(row: &[u8], i: usize) -> Block {
    let (block, part) = (&row[i / 8 * 144..][..144], i % 8);
    let (scale, minimum) = levels(&block[4..16], part);
    let bytes = &block[16 + part / 2 * 32..][..32];
    Block {
        q: from_fn(|j| bytes[j] >> (part % 2 * 4) & 15),
        scale: half(block, 0) * scale,
        offset: -half(block, 2) * minimum,
    }
}

fn q5_k(row: &[u8], i: usize) -> Block {
    let (block, part) = (&row[i / 8 * 176..][..176], i % 8);
    let (scale, minimum) = levels(&block[4..16], part);
    let (high, bytes) = (&block[16..48], &block[48 + part / 2 * 32..][..32]);
    Block {
        q: from_fn(|j| bytes[j] >> (part % 2 * 4) & 15 | (high[j] >> part & 1) << 4),
        scale: half(block, 0) * scale,
        offset: -half(block, 2) * minimum,
    }
}

fn q6_k(row: &[u8], i: usize) -> Block {
    let (block, part) = (&row[i / 8 * 210..][..210], i % 8);
    let (low, rest) = block.split_at(128);
    let (high, rest) = rest.split_at(64);
    let (side, quarter) = (part / 4, part % 4);
    let x: [f32; BLOCK] = from_fn(|j| {
        let low = low[side * 64 + quarter % 2 * 32 + j] >> (quarter / 2 * 4) & 15;
        let high = high[side * 32 + j] >> (2 * quarter) & 3;
        let scale = f32::from(rest[2 * part + j / 16] as i8) * half(rest, 16);
        scale * (f32::from(low | high << 4) - 32.0)
    });
    let largest = x.iter().fold(0f32, |largest, x| largest.max(x.abs()));
    let scale = f16::from_f32(largest / 127.0).to_f32();
    let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let q = from_fn(|j| ((x[j] * inverse).round().clamp(-128.0, 127.0) + 128.0) as u8);
    Block { q, scale, offset: -128.0 * scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::{Gguf, Writer};
    use crate::model::weights::numbers;
    use candle_core::quantized::{GgmlDType, QTensor};
    use candle_core::{Device, Tensor as Array};

    /// Every type's packed rows are what candle dequantizes, up to the rounding that the
    /// head of this file names.
    #[test]
    fn packed_rows_are_the_file_s() {
        let cases = [
            (GgmlDType::Q4_0, TensorType::Q4_0, 1e-3),
            (GgmlDType::Q4_1, TensorType::Q4_1, 1e-3),
            (GgmlDType::Q5_0, TensorType::Q5_0, 1e-3),
            (GgmlDType::Q5_1, TensorType::Q5_1, 1e-3),
            (GgmlDType::Q8_0, TensorType::Q8_0, 1e-6),
            (GgmlDType::Q4K, TensorType::Q4_K, 1e-3),
            (GgmlDType::Q5K, TensorType::Q5_K, 1e-3),
            (GgmlDType::Q6K, TensorType::Q6_K, 5e-3),
        ];
        for (candle, kind, tolerance) in cases {
            for rows in [16, 21] {
                let x: Vec<f32> = (0..rows * 512)
                    .map(|i| (i as f32 * 0.731).sin() * (1 + i % 7) as f32)
                    .collect();
                let array = Array::from_vec(x, (rows, 512), &Device::Cpu).unwrap();
                let quantized = QTensor::quantize(&array, candle).unwrap();
                let bytes = quantized.data().unwrap().into_owned();
                let file = Writer::new().tensor("w", &[rows, 512], kind, bytes).finish();
                let gguf = Gguf::read(&file).unwrap();
                let tensor = gguf.tensor("w").unwrap();
                let tiles = Tiles::pack(tensor).unwrap().unwrap();
                let mut got = Vec::new();
                (0..rows).for_each(|row| tiles.row(row, &mut got));
                let wanted = numbers(tensor).unwrap();
                assert_eq!(got.len(), wanted.len());
                for (got, wanted) in got.iter().zip(&wanted) {
                    assert!((got - wanted).abs() <= tolerance * 7.0, "{kind:?}: {got} {wanted}");
                }
            }
        }
    }

    #[test]
    fn what_has_no_tiles_is_none() {
        for (kind, shape, bytes) in
            [(TensorType::F32, [2, 32], 256), (TensorType::F16, [2, 32], 128)]
        {
            let file = Writer::new().tensor("w", &shape, kind, vec![0; bytes]).finish();
            let gguf = Gguf::read(&file).unwrap();
            assert!(Tiles::pack(gguf.tensor("w").unwrap()).unwrap().is_none());
        }
    }
}
