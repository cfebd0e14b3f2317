//! Bytes of a model file → metadata and tensor views, bounded.
//!
//! The format is GGUF version 2 and 3, little-endian (`docs/gguf.md` of ggml). Everything
//! that a file claims (counts, lengths, shapes, offsets) is checked against [`limits`] and
//! the file's real size before it is used, so a hostile file costs one clear line and no
//! memory. Metadata and tensors are views that borrow from the file's bytes.
//!
//! Must not know: what the tensors are for, which keys a model needs, tokens.

mod bytes;
mod error;
pub mod limits;
mod read;
mod tensor;
mod value;
mod write;

pub use bytes::FileBytes;
pub use error::GgufError;
pub use read::Gguf;
pub use tensor::{Tensor, TensorType};
pub use value::{Array, Value, ValueKind, quoted};
pub use write::Writer;

#[cfg(test)]
mod raw;
#[cfg(test)]
mod tests;
