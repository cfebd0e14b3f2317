//! A matrix of the CPU engine, as f32 or packed, and its products.

use super::ModelError;
use super::kernels::dense::{matmul, matmul_rows};
use super::kernels::quantize::Activations;
use super::kernels::tile::LANES;
use super::tiles::Tiles;
use super::weights::numbers;
use crate::gguf::Tensor;

/// `[outputs × inputs]`, so that an output is one dot product.
pub(super) enum Linear {
    /// Row by row as f32.
    Dense {
        weights: Vec<f32>,
        inputs: usize,
    },
    Tiled(Tiles),
}

/// What a product reads: rows of numbers, and the same quantized if any matrix is packed.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    /// `[rows × width]`
    pub(super) x: &'a [f32],
    pub(super) width: usize,
    pub(super) quantized: &'a Activations,
}

impl Input<'_> {
    pub(super) fn rows(&self) -> usize {
        self.x.len() / self.width
    }
}

/// Rows of activations for which a stripe is read once.
const AT_ONCE: usize = 8;

impl Linear {
    /// Packs the matrix if that is wanted and its type can be, else makes it f32.
    pub(super) fn load(tensor: &Tensor<'_>, pack: bool) -> Result<Self, ModelError> {
        let tiles = if pack { Tiles::pack(tensor)? } else { None };
        match tiles {
            Some(tiles) => Ok(Linear::Tiled(tiles)),
            None => {
                let inputs = tensor.shape.last().copied().unwrap_or(1).max(1);
                Ok(Linear::Dense { weights: numbers(tensor)?, inputs })
            }
        }
    }

    pub(super) fn outputs(&self) -> usize {
        match self {
            Linear::Dense { weights, inputs } => weights.len() / inputs,
            Linear::Tiled(tiles) => tiles.outputs,
        }
    }

    /// How many times sixteen outputs there are, the last ones perhaps fewer.
    pub(super) fn stripes(&self) -> usize {
        self.outputs().div_ceil(LANES)
    }

    /// All rows of the input with sixteen rows of the matrix.
    pub(super) fn stripe(&self, input: Input<'_>, n: usize, out: &mut [[f32; LANES]]) {
        match self {
            Linear::Dense { weights, inputs } => {
                let rows = LANES.min(self.outputs() - n * LANES);
                let weights = &weights[n * LANES * inputs..][..rows * inputs];
                matmul(input.x, weights, *inputs, out.as_flattened_mut(), LANES);
            }
            Linear::Tiled(tiles) => tiles.stripe(n, input.quantized, 0, out),
        }
    }

    /// Adds a row's numbers to the end of `out`.
    pub(super) fn row(&self, row: usize, out: &mut Vec<f32>) {
        match self {
            Linear::Dense { weights, inputs } => {
                out.extend_from_slice(&weights[row * inputs..][..*inputs]);
            }
            Linear::Tiled(tiles) => tiles.row(row, out),
        }
    }

    /// Rows `first..` of the input, as many as `out` (`[rows × outputs]`) has, with the whole
    /// matrix.
    pub(super) fn rows(&self, input: Input<'_>, first: usize, out: &mut [f32]) {
        let outputs = self.outputs();
        match self {
            Linear::Dense { weights, inputs } => {
                let count = out.len() / outputs;
                let x = &input.x[first * inputs..][..count * inputs];
                matmul(x, weights, *inputs, out, outputs);
            }
            Linear::Tiled(tiles) => {
                let mut buffer = [[0.0; LANES]; AT_ONCE];
                for stripe in 0..tiles.stripes() {
                    let lanes = LANES.min(outputs - stripe * LANES);
                    for (i, out) in out.chunks_mut(AT_ONCE * outputs).enumerate() {
                        let buffer = &mut buffer[..out.len() / outputs];
                        tiles.stripe(stripe, input.quantized, first + i * AT_ONCE, buffer);
                        for (out, sums) in out.chunks_exact_mut(outputs).zip(buffer) {
                            out[stripe * LANES..][..lanes].copy_from_slice(&sums[..lanes]);
                        }
                    }
                }
            }
        }
    }

    /// The outputs of some rows of the matrix, in their order: `out` is `[rows of input ×
    /// rows]`. `spare` is scratch memory.
    pub(super) fn selected(
        &self,
        input: Input<'_>,
        rows: &[u32],
        spare: &mut Vec<[f32; LANES]>,
        out: &mut [f32],
    ) {
        match self {
            Linear::Dense { weights, inputs } => matmul_rows(input.x, weights, *inputs, rows, out),
            Linear::Tiled(tiles) => {
                spare.resize(input.rows(), [0.0; LANES]);
                let mut computed = usize::MAX;
                for (j, &row) in rows.iter().enumerate() {
                    let stripe = row as usize / LANES;
                    // ids that are allowed together often stand together
                    if computed != stripe {
                        tiles.stripe(stripe, input.quantized, 0, spare);
                        computed = stripe;
                    }
                    for (sums, out) in spare.iter().zip(out.chunks_exact_mut(rows.len())) {
                        out[j] = sums[row as usize % LANES];
                    }
                }
            }
        }
    }
}
