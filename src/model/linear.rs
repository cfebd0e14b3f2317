//! A matrix of the CPU engine, as f32 or packed, and its products.

use super::ModelError;
use super::kernels::dense::{Panel, panel};
use super::kernels::quantize::Activations;
use super::kernels::tile::{LANES, Sums};
use super::tiles::Tiles;
use super::weights::numbers;
use crate::gguf::Tensor;
use std::ops::Range;

/// `[outputs × inputs]`, so that an output is one dot product.
pub(super) enum Linear {
    /// As f32, `[inputs × outputs]`: one instruction multiplies an input with many outputs'
    /// weights, and no sum goes across a register.
    Dense {
        weights: Vec<f32>,
        outputs: usize,
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

impl Linear {
    /// Packs the matrix if that is wanted and its type can be, else makes it f32.
    pub(super) fn load(tensor: &Tensor<'_>, pack: bool) -> Result<Self, ModelError> {
        let tiles = if pack { Tiles::pack(tensor)? } else { None };
        match tiles {
            Some(tiles) => Ok(Linear::Tiled(tiles)),
            None => {
                let inputs = tensor.shape.last().copied().unwrap_or(1).max(1);
                let rows = numbers(tensor)?;
                let outputs = rows.len() / inputs;
                let mut weights = vec![0.0; rows.len()];
                for (output, row) in rows.chunks_exact(inputs).enumerate() {
                    for (input, &weight) in row.iter().enumerate() {
                        weights[input * outputs + output] = weight;
                    }
                }
                Ok(Linear::Dense { weights, outputs })
            }
        }
    }

    pub(super) fn outputs(&self) -> usize {
        match self {
            Linear::Dense { outputs, .. } => *outputs,
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
            Linear::Dense { weights, outputs } => {
                let columns = n * LANES..((n + 1) * LANES).min(*outputs);
                dense(input, weights, *outputs, columns, out.as_flattened_mut(), LANES);
            }
            Linear::Tiled(tiles) => {
                let sums = Sums { out: out.as_flattened_mut(), step: LANES, lanes: LANES };
                tiles.stripe(n, input.quantized, sums);
            }
        }
    }

    /// Adds a row's numbers to the end of `out`.
    pub(super) fn row(&self, row: usize, out: &mut Vec<f32>) {
        match self {
            Linear::Dense { weights, outputs } => {
                out.extend(weights[row..].iter().step_by(*outputs));
            }
            Linear::Tiled(tiles) => tiles.row(row, out),
        }
    }

    /// All rows of the input with the whole matrix; `out` is `[rows × outputs]`.
    pub(super) fn rows(&self, input: Input<'_>, out: &mut [f32]) {
        let outputs = self.outputs();
        match self {
            Linear::Dense { weights, .. } => {
                dense(input, weights, outputs, 0..outputs, out, outputs);
            }
            Linear::Tiled(tiles) => {
                for stripe in 0..tiles.stripes() {
                    let lanes = LANES.min(outputs - stripe * LANES);
                    let sums = Sums { out: &mut out[stripe * LANES..], step: outputs, lanes };
                    tiles.stripe(stripe, input.quantized, sums);
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
        spare.resize(input.rows(), [0.0; LANES]);
        let mut computed = usize::MAX;
        for (j, &row) in rows.iter().enumerate() {
            let stripe = row as usize / LANES;
            // ids that are allowed together often stand together
            if computed != stripe {
                self.stripe(input, stripe, spare);
                computed = stripe;
            }
            for (sums, out) in spare.iter().zip(out.chunks_exact_mut(rows.len())) {
                out[j] = sums[row as usize % LANES];
            }
        }
    }
}

/// All rows of the input with some columns of `[inputs × outputs]` weights; the results of a
/// row begin `step` behind those of the one before.
fn dense(
    input: Input<'_>,
    weights: &[f32],
    outputs: usize,
    columns: Range<usize>,
    out: &mut [f32],
    step: usize,
) {
    let it = Panel {
        rows: input.x,
        step: input.width,
        count: input.rows(),
        k: input.width,
        matrix: &weights[columns.start..],
        stride: outputs,
        n: columns.len(),
    };
    panel(it, out, step);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::{Gguf, TensorType, Writer};

    /// The definition, from the rows of the file; every way to ask gives the same bits.
    #[test]
    fn products_are_the_definition_s_however_they_are_asked_for() {
        for (outputs, inputs, kind) in [
            (1, 32, TensorType::F32),
            (16, 64, TensorType::F32),
            (50, 96, TensorType::F32),
            (50, 96, TensorType::Q8_0),
            (67, 32, TensorType::Q8_0),
        ] {
            let bytes: Vec<u8> = match kind {
                TensorType::F32 => (0..outputs * inputs)
                    .flat_map(|i| (i as f32 * 1.3).sin().to_le_bytes())
                    .collect(),
                // blocks of an f16 1/64 and 32 bytes
                _ => (0..outputs * inputs / 32)
                    .flat_map(|i| {
                        let numbers = (0..32).map(move |j| ((i * 37 + j * 11) % 251) as u8);
                        [0x00, 0x24].into_iter().chain(numbers)
                    })
                    .collect(),
            };
            let file = Writer::new().tensor("w", &[outputs, inputs], kind, bytes).finish();
            let gguf = Gguf::read(&file).unwrap();
            let tensor = gguf.tensor("w").unwrap();
            let wanted_rows = numbers(tensor).unwrap();
            let linear = Linear::load(tensor, true).unwrap();
            assert_eq!(linear.outputs(), outputs);
            let mut rows = Vec::new();
            (0..outputs).for_each(|row| linear.row(row, &mut rows));
            assert_eq!(rows, wanted_rows);
            for count in [1, 3, 9] {
                let x: Vec<f32> = (0..count * inputs).map(|i| (i as f32 * 0.7).cos()).collect();
                let mut quantized = Activations::default();
                quantized.set(&x, inputs);
                let input = Input { x: &x, width: inputs, quantized: &quantized };
                let mut all = vec![0.0; count * outputs];
                linear.rows(input, &mut all);
                for (x, all) in x.chunks(inputs).zip(all.chunks(outputs)) {
                    for (row, got) in rows.chunks(inputs).zip(all) {
                        let dot = |(a, b): (&f32, &f32)| f64::from(*a) * f64::from(*b);
                        let wanted = row.iter().zip(x).map(dot).sum::<f64>() as f32;
                        // packed: half a step of each activation, times its weight
                        let step = if kind == TensorType::F32 { 1e-6 } else { 1.0 / 254.0 };
                        let slack = row.iter().map(|x| x.abs()).sum::<f32>() * step + 1e-5;
                        assert!((got - wanted).abs() < slack, "{kind:?}: {got} {wanted}");
                    }
                }
                let mut stripes = vec![[0.0; LANES]; count];
                linear.stripe(input, linear.stripes() - 1, &mut stripes);
                let first = (linear.stripes() - 1) * LANES;
                for (stripe, all) in stripes.iter().zip(all.chunks(outputs)) {
                    assert!(all[first..].iter().zip(stripe).all(|(all, one)| all == one));
                }
                let ids: Vec<u32> = (0..outputs as u32).rev().step_by(3).collect();
                let mut some = vec![0.0; count * ids.len()];
                linear.selected(input, &ids, &mut Vec::new(), &mut some);
                for (some, all) in some.chunks(ids.len()).zip(all.chunks(outputs)) {
                    assert!(some.iter().zip(&ids).all(|(x, &id)| *x == all[id as usize]));
                }
            }
        }
    }
}
