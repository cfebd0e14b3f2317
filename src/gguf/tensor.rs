//! Element types and tensor views.

use super::GgufError;
use std::fmt;

/// How the numbers of a tensor are stored. The named ones are those that we load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are the format's
#[allow(non_camel_case_types)]
pub enum TensorType {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4_K,
    Q5_K,
    Q6_K,
    /// A type that we do not load, by its number.
    Other(u32),
}

/// (type, number in the format, name, numbers in a block, bytes of a block)
const TYPES: [(TensorType, u32, &str, u64, u64); 11] = [
    (TensorType::F32, 0, "F32", 1, 4),
    (TensorType::F16, 1, "F16", 1, 2),
    (TensorType::BF16, 30, "BF16", 1, 2),
    (TensorType::Q4_0, 2, "Q4_0", 32, 18),
    (TensorType::Q4_1, 3, "Q4_1", 32, 20),
    (TensorType::Q5_0, 6, "Q5_0", 32, 22),
    (TensorType::Q5_1, 7, "Q5_1", 32, 24),
    (TensorType::Q8_0, 8, "Q8_0", 32, 34),
    (TensorType::Q4_K, 12, "Q4_K", 256, 144),
    (TensorType::Q5_K, 13, "Q5_K", 256, 176),
    (TensorType::Q6_K, 14, "Q6_K", 256, 210),
];

/// Names of types that exist but are not loaded, for the message.
const OTHERS: [(u32, &str); 18] = [
    (9, "Q8_1"),
    (10, "Q2_K"),
    (11, "Q3_K"),
    (15, "Q8_K"),
    (16, "IQ2_XXS"),
    (17, "IQ2_XS"),
    (18, "IQ3_XXS"),
    (19, "IQ1_S"),
    (20, "IQ4_NL"),
    (21, "IQ3_S"),
    (22, "IQ2_S"),
    (23, "IQ4_XS"),
    (24, "I8"),
    (25, "I16"),
    (26, "I32"),
    (29, "IQ1_M"),
    (34, "TQ1_0"),
    (39, "MXFP4"),
];

impl TensorType {
    /// The type with this number.
    pub fn from_id(id: u32) -> Self {
        TYPES.iter().find(|t| t.1 == id).map_or(TensorType::Other(id), |t| t.0)
    }

    /// Its number in the format.
    pub fn id(self) -> u32 {
        match self {
            TensorType::Other(id) => id,
            known => TYPES.iter().find(|t| t.0 == known).map_or(u32::MAX, |t| t.1),
        }
    }

    /// (numbers in a block, bytes of a block); `None` for types that we do not load.
    pub fn block(self) -> Option<(u64, u64)> {
        TYPES.iter().find(|t| t.0 == self).map(|t| (t.3, t.4))
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id();
        let known = TYPES.iter().find(|t| t.0 == *self).map(|t| t.2);
        match known.or_else(|| OTHERS.iter().find(|t| t.0 == id).map(|t| t.1)) {
            Some(name) => f.write_str(name),
            None => write!(f, "number {id}"),
        }
    }
}

/// One tensor of a file: a checked view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its element type.
    pub kind: TensorType,
    /// Dimensions as other tools print them: slowest first, so `[rows, columns]`.
    pub shape: Vec<usize>,
    /// Offset of its data from the beginning of the file, in bytes.
    pub offset: u64,
    /// Its data; `None` where the type's size is unknown.
    pub(super) data: Option<&'a [u8]>,
}

impl<'a> Tensor<'a> {
    /// How many numbers it holds.
    pub fn len(&self) -> usize {
        self.shape.iter().product() // checked by the reader
    }

    /// Whether it holds none; never the case in a file that was read.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its data in the file's layout.
    ///
    /// # Errors
    /// [`GgufError::TensorType`] for types that we do not load.
    pub fn bytes(&self) -> Result<&'a [u8], GgufError> {
        self.data.ok_or_else(|| GgufError::TensorType {
            name: self.name.to_owned(),
            kind: self.kind.to_string(),
        })
    }
}
