//! Why a file is not a model file that we read: one line each, without the path, which
//! the caller puts in front.

use super::limits;

/// What is wrong with a GGUF file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GgufError {
    /// The first four bytes are not `GGUF`.
    #[error("not a GGUF file (it begins with {0:?})")]
    Magic(String),
    /// Written on a big-endian machine.
    #[error("a big-endian GGUF file; convert it to little-endian first")]
    BigEndian,
    /// A version whose layout we do not know.
    #[error("GGUF version {0}; versions 2 and 3 can be read")]
    Version(u32),
    /// The file ends inside something.
    #[error("the file is cut off or corrupt: it ends inside {0}")]
    Truncated(String),
    /// A count or length above what any real file has.
    #[error("corrupt: {what} is {value}, the limit is {limit}")]
    Limit {
        /// What has the size.
        what: String,
        /// What the file claims.
        value: u64,
        /// What we accept.
        limit: u64,
    },
    /// A value type that the format does not have, or an array of arrays.
    #[error("corrupt: the value of `{key}` has type {kind}")]
    ValueType {
        /// The key.
        key: String,
        /// The type's number.
        kind: u32,
    },
    /// A boolean that is neither 0 nor 1.
    #[error("corrupt: the boolean `{key}` is {value}")]
    Bool {
        /// The key.
        key: String,
        /// The byte.
        value: u8,
    },
    /// A key or a tensor's name that is not UTF-8, or empty.
    #[error("corrupt: {what} has the name {name}")]
    Name {
        /// Key or tensor and its number.
        what: String,
        /// The name, made readable: [`super::quoted`].
        name: String,
    },
    /// Two keys or tensors of one name.
    #[error("corrupt: {0} occurs twice")]
    Duplicate(String),
    /// The alignment is no power of two or out of range.
    #[error(
        "corrupt: the alignment is {0}; it must be a power of two from {min} to {max}",
        min = limits::ALIGNMENT.start(), max = limits::ALIGNMENT.end()
    )]
    Alignment(String),
    /// A tensor whose shape is impossible.
    #[error("corrupt: tensor `{name}` has the shape {shape}: {why}")]
    Shape {
        /// The tensor.
        name: String,
        /// Its dimensions, fastest first.
        shape: String,
        /// What is impossible about it.
        why: &'static str,
    },
    /// A tensor's data is not where it can be.
    #[error("corrupt or cut off: the data of tensor `{name}` {why}")]
    Data {
        /// The tensor.
        name: String,
        /// What is wrong with the place.
        why: String,
    },
    /// A tensor of an element type that we have no layout for.
    #[error("tensor `{name}` has the unsupported type {kind}; Q4_K_M, Q8_0 or F16 files work")]
    TensorType {
        /// The tensor.
        name: String,
        /// The type's name or number.
        kind: String,
    },
    /// A key that is needed is absent.
    #[error("the key `{0}` is missing")]
    MissingKey(String),
    /// A key has a value of another type or range than needed.
    #[error("the key `{key}` is {found}; {wanted} is needed")]
    KeyType {
        /// The key.
        key: String,
        /// What the file has.
        found: String,
        /// What we need.
        wanted: &'static str,
    },
    /// A tensor that is needed is absent.
    #[error("the tensor `{0}` is missing")]
    MissingTensor(String),
}
