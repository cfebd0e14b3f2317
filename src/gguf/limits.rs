//! Bounds on what a model file may claim. Real files stay far below: the largest public
//! vocabularies have some 260,000 strings, the largest models some 2,000 tensors.

/// Metadata keys.
pub const KEYS: u64 = 10_000;
/// Tensors.
pub const TENSORS: u64 = 100_000;
/// Bytes of the name of a key or a tensor, and of a value that is one word. Messages repeat
/// them, so that this bounds messages too.
pub const NAME_BYTES: u64 = 256;
/// Bytes of one string.
pub const STRING_BYTES: u64 = 1 << 20;
/// Elements of one array.
pub const ARRAY_LEN: u64 = 4 << 20;
/// Bytes of one array, its strings' lengths included.
pub const ARRAY_BYTES: u64 = 64 << 20;
/// Dimensions of a tensor.
pub const DIMS: u32 = 4;
/// Smallest and largest alignment of the tensor data; it is a power of two.
pub const ALIGNMENT: std::ops::RangeInclusive<u64> = 8..=65_536;
