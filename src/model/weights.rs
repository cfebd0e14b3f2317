//! The tensors of a file by their role, each checked against the sizes.

use super::{Config, ModelError, device, tiles};
use crate::gguf::{Gguf, Tensor, TensorType};
use candle_core::Device;
use candle_core::quantized::{GgmlDType, QStorage, QTensor};
use std::borrow::Cow;
use std::collections::HashSet;

/// A file's tensors, seen through the sizes that its metadata claims.
pub(super) struct Weights<'a> {
    gguf: &'a Gguf<'a>,
    pub(super) config: &'a Config,
}

/// The matrices of a layer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Matrix {
    Query,
    Key,
    Value,
    Output,
    Gate,
    Up,
    Down,
}

impl Matrix {
    const ALL: [Matrix; 7] = {
        use Matrix::*;
        [Query, Key, Value, Output, Gate, Up, Down]
    };
}

/// The norms of a layer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Norm {
    Attention,
    FeedForward,
    /// Of each query head.
    Query,
    /// Of each key head.
    Key,
    /// Of attention's result.
    PostAttention,
    /// Of the feed-forward network's result.
    PostFeedForward,
}

impl Norm {
    const ALL: [Norm; 6] = {
        use Norm::*;
        [Attention, FeedForward, Query, Key, PostAttention, PostFeedForward]
    };
}

impl<'a> Weights<'a> {
    pub(super) fn new(gguf: &'a Gguf<'a>, config: &'a Config) -> Self {
        Weights { gguf, config }
    }

    /// Looks at the shape of every tensor that the sizes imply, before anything is read. A
    /// tensor that is none of them belongs to a network that we would compute wrongly.
    ///
    /// # Errors
    /// [`ModelError`]: a tensor is missing, of another shape or type, or unknown.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        let mut known = HashSet::new();
        let mut know = |tensor: Option<&Tensor<'a>>| known.extend(tensor.map(|t| t.name));
        know(Some(self.embedding()?));
        for layer in 0..self.config.layers {
            for norm in Norm::ALL {
                know(self.norm_tensor(layer, norm)?);
            }
            for matrix in Matrix::ALL {
                know(Some(self.matrix(layer, matrix)?));
                know(self.bias_tensor(layer, matrix)?);
            }
        }
        know(Some(self.final_norm_tensor()?));
        know(self.head()?);
        know(self.rope_factors_tensor()?);
        match self.gguf.tensors().iter().find(|tensor| !known.contains(tensor.name)) {
            None => Ok(()),
            Some(tensor) => Err(ModelError::Config(format!(
                "the tensor `{}` is unknown in {} models",
                tensor.name, self.config.architecture
            ))),
        }
    }

    /// Says that a tensor was copied: its part of the file need not stay in memory.
    pub(super) fn release(&self, tensor: &Tensor<'_>) {
        self.gguf.release(tensor);
    }

    /// Numbers in all tensors.
    pub(super) fn parameters(&self) -> usize {
        self.gguf.tensors().iter().map(Tensor::len).fold(0, usize::saturating_add)
    }

    /// Bytes of all tensors as candle keeps them: unquantized ones become f32.
    pub(super) fn bytes(&self) -> u64 {
        let size = |t: &Tensor<'_>| match t.kind {
            TensorType::F16 | TensorType::BF16 => (t.len() as u64).saturating_mul(4),
            _ => t.bytes().map_or(0, <[u8]>::len) as u64,
        };
        self.gguf.tensors().iter().map(size).fold(0, u64::saturating_add)
    }

    /// Bytes of all tensors as the CPU engine keeps them, with `packed` weights or as f32.
    pub(super) fn bytes_on_cpu(&self, packed: bool) -> u64 {
        let size = |t: &Tensor<'_>| match tiles::bytes_of(t.kind).filter(|_| packed) {
            Some(bytes) => (t.len() as u64).div_ceil(512).saturating_mul(bytes),
            None => (t.len() as u64).saturating_mul(4),
        };
        self.gguf.tensors().iter().map(size).fold(0, u64::saturating_add)
    }

    /// One row per token id: `[vocab, width]`.
    pub(super) fn embedding(&self) -> Result<&'a Tensor<'a>, ModelError> {
        self.checked("token_embd.weight", &[self.config.vocab, self.config.width])
    }

    /// The output head `[vocab, width]`; `None` where it is the embedding.
    pub(super) fn head(&self) -> Result<Option<&'a Tensor<'a>>, ModelError> {
        let shape = [self.config.vocab, self.config.width];
        let present = self.gguf.get_tensor("output.weight").is_some();
        present.then(|| self.checked("output.weight", &shape)).transpose()
    }

    /// A layer's matrix, `[outputs, inputs]`.
    pub(super) fn matrix(&self, layer: usize, which: Matrix) -> Result<&'a Tensor<'a>, ModelError> {
        let (name, shape) = self.place(which);
        self.checked(&format!("blk.{layer}.{name}.weight"), &shape)
    }

    /// A matrix's name and shape.
    fn place(&self, which: Matrix) -> (&'static str, [usize; 2]) {
        let c = self.config;
        let (queries, keys) = (c.heads * c.head_dim, c.kv_heads * c.head_dim);
        match which {
            Matrix::Query => ("attn_q", [queries, c.width]),
            Matrix::Key => ("attn_k", [keys, c.width]),
            Matrix::Value => ("attn_v", [keys, c.width]),
            Matrix::Output => ("attn_output", [c.width, queries]),
            Matrix::Gate => ("ffn_gate", [c.inner, c.width]),
            Matrix::Up => ("ffn_up", [c.inner, c.width]),
            Matrix::Down => ("ffn_down", [c.width, c.inner]),
        }
    }

    /// A layer's norm: `[width]`, or `[head_dim]` for those of heads; `None` where the family
    /// has no such norm.
    fn norm_tensor(&self, layer: usize, which: Norm) -> Result<Option<&'a Tensor<'a>>, ModelError> {
        let c = self.config;
        let has = match which {
            Norm::Attention | Norm::FeedForward => true,
            Norm::Query | Norm::Key => c.head_norms,
            Norm::PostAttention | Norm::PostFeedForward => c.post_norms,
        };
        let (name, len) = match which {
            Norm::Attention => ("attn_norm", c.width),
            Norm::FeedForward => ("ffn_norm", c.width),
            Norm::Query => ("attn_q_norm", c.head_dim),
            Norm::Key => ("attn_k_norm", c.head_dim),
            Norm::PostAttention => ("post_attention_norm", c.width),
            Norm::PostFeedForward => ("post_ffw_norm", c.width),
        };
        has.then(|| self.checked(&format!("blk.{layer}.{name}.weight"), &[len])).transpose()
    }

    /// The numbers of a norm that every family has.
    pub(super) fn norm(&self, layer: usize, which: Norm) -> Result<Vec<f32>, ModelError> {
        Ok(self.norm_if_any(layer, which)?.unwrap_or_default())
    }

    /// The numbers of a norm; `None` where the family has no such norm.
    pub(super) fn norm_if_any(
        &self,
        layer: usize,
        which: Norm,
    ) -> Result<Option<Vec<f32>>, ModelError> {
        self.norm_tensor(layer, which)?.map(numbers).transpose()
    }

    /// The bias of a layer's queries, keys or values; `None` where the family has none.
    pub(super) fn bias(&self, layer: usize, which: Matrix) -> Result<Option<Vec<f32>>, ModelError> {
        self.bias_tensor(layer, which)?.map(numbers).transpose()
    }

    fn bias_tensor(
        &self,
        layer: usize,
        which: Matrix,
    ) -> Result<Option<&'a Tensor<'a>>, ModelError> {
        let (name, [outputs, _]) = self.place(which);
        let has =
            self.config.biases && matches!(which, Matrix::Query | Matrix::Key | Matrix::Value);
        has.then(|| self.checked(&format!("blk.{layer}.{name}.bias"), &[outputs])).transpose()
    }

    /// The norm before the output head, `[width]`.
    pub(super) fn final_norm(&self) -> Result<Vec<f32>, ModelError> {
        numbers(self.final_norm_tensor()?)
    }

    fn final_norm_tensor(&self) -> Result<&'a Tensor<'a>, ModelError> {
        self.checked("output_norm.weight", &[self.config.width])
    }

    /// Factors on the rotation's wavelengths, `[rope_dim / 2]`, if the file has them.
    pub(super) fn rope_factors(&self) -> Result<Option<Vec<f32>>, ModelError> {
        self.rope_factors_tensor()?.map(numbers).transpose()
    }

    fn rope_factors_tensor(&self) -> Result<Option<&'a Tensor<'a>>, ModelError> {
        let name = "rope_freqs.weight";
        let present = self.gguf.get_tensor(name).is_some();
        present.then(|| self.checked(name, &[self.config.rope_dim / 2])).transpose()
    }

    fn checked(&self, name: &str, wanted: &[usize]) -> Result<&'a Tensor<'a>, ModelError> {
        let tensor = self.gguf.tensor(name)?;
        tensor.bytes()?; // the type is one that we load
        if tensor.shape != wanted {
            return Err(ModelError::Shape {
                name: name.to_owned(),
                found: tensor.shape.clone(),
                wanted: wanted.to_vec(),
            });
        }
        Ok(tensor)
    }
}

/// A tensor's numbers as f32, row by row.
pub(super) fn numbers(tensor: &Tensor<'_>) -> Result<Vec<f32>, ModelError> {
    let flat = quantized(tensor, &Device::Cpu)?.dequantize(&Device::Cpu)?.flatten_all()?;
    Ok(flat.to_vec1()?)
}

/// A tensor in candle's form, still quantized, on a device.
pub(super) fn quantized(tensor: &Tensor<'_>, device: &Device) -> Result<QTensor, ModelError> {
    let bytes = tensor.bytes()?;
    let kind = match tensor.kind {
        TensorType::F32 => GgmlDType::F32,
        TensorType::F16 => GgmlDType::F16,
        TensorType::BF16 => GgmlDType::BF16,
        TensorType::Q4_0 => GgmlDType::Q4_0,
        TensorType::Q4_1 => GgmlDType::Q4_1,
        TensorType::Q5_0 => GgmlDType::Q5_0,
        TensorType::Q5_1 => GgmlDType::Q5_1,
        TensorType::Q8_0 => GgmlDType::Q8_0,
        TensorType::Q4_K => GgmlDType::Q4K,
        TensorType::Q5_K => GgmlDType::Q5K,
        TensorType::Q6_K => GgmlDType::Q6K,
        TensorType::Other(_) => return Err(ModelError::Backend("unknown type".to_owned())),
    };
    // candle casts to its block types, which panics on a misaligned slice: a mapped file is
    // aligned, bytes inside the binary need not be
    let mut copy: Vec<u8> = Vec::new();
    let aligned = if bytes.as_ptr().align_offset(ALIGN) == 0 {
        bytes
    } else {
        copy.reserve_exact(bytes.len() + ALIGN);
        let skip = copy.as_ptr().align_offset(ALIGN);
        copy.resize(skip, 0);
        copy.extend_from_slice(bytes);
        copy.get(skip..).unwrap_or_default()
    };
    let storage = QStorage::from_data(Cow::Borrowed(aligned), device, kind)?;
    Ok(QTensor::new(storage, tensor.shape.as_slice())?)
}

/// Of candle's block types.
const ALIGN: usize = 4;

impl From<candle_core::Error> for ModelError {
    fn from(error: candle_core::Error) -> Self {
        ModelError::Backend(device::first_line(&error))
    }
}
