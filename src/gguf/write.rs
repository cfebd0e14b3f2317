//! Writes GGUF version 3: for tests, and for whoever makes small models in Rust.

use super::{TensorType, ValueKind};

/// Collects metadata and tensors, then lays the file out.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    keys: u64,
    metadata: Vec<u8>,
    tensors: Vec<(String, Vec<usize>, TensorType, Vec<u8>)>,
}

const ALIGNMENT: usize = 32;

impl Writer {
    /// An empty file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a string.
    pub fn str(mut self, key: &str, value: &str) -> Self {
        self.key(key, ValueKind::String);
        string(&mut self.metadata, value.as_bytes());
        self
    }

    /// Adds a `u32`.
    pub fn u32(mut self, key: &str, value: u32) -> Self {
        self.key(key, ValueKind::U32);
        self.metadata.extend(value.to_le_bytes());
        self
    }

    /// Adds an `f32`.
    pub fn f32(mut self, key: &str, value: f32) -> Self {
        self.key(key, ValueKind::F32);
        self.metadata.extend(value.to_le_bytes());
        self
    }

    /// Adds a boolean.
    pub fn bool(mut self, key: &str, value: bool) -> Self {
        self.key(key, ValueKind::Bool);
        self.metadata.push(value.into());
        self
    }

    /// Adds an array of strings.
    pub fn strings<S: AsRef<str>>(mut self, key: &str, values: &[S]) -> Self {
        self.array(key, ValueKind::String, values.len());
        for value in values {
            string(&mut self.metadata, value.as_ref().as_bytes());
        }
        self
    }

    /// Adds an array of `i32`.
    pub fn i32s(mut self, key: &str, values: &[i32]) -> Self {
        self.array(key, ValueKind::I32, values.len());
        self.metadata.extend(values.iter().flat_map(|x| x.to_le_bytes()));
        self
    }

    /// Adds an array of `f32`.
    pub fn f32s(mut self, key: &str, values: &[f32]) -> Self {
        self.array(key, ValueKind::F32, values.len());
        self.metadata.extend(values.iter().flat_map(|x| x.to_le_bytes()));
        self
    }

    /// Adds a tensor: `shape` slowest first, `data` in the type's layout.
    pub fn tensor(mut self, name: &str, shape: &[usize], kind: TensorType, data: Vec<u8>) -> Self {
        self.tensors.push((name.to_owned(), shape.to_vec(), kind, data));
        self
    }

    /// Adds an F32 tensor.
    pub fn tensor_f32(self, name: &str, shape: &[usize], data: &[f32]) -> Self {
        let bytes = data.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.tensor(name, shape, TensorType::F32, bytes)
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        let mut file = b"GGUF".to_vec();
        file.extend(3u32.to_le_bytes());
        file.extend((self.tensors.len() as u64).to_le_bytes());
        file.extend(self.keys.to_le_bytes());
        file.extend(&self.metadata);
        let mut offset = 0;
        for (name, shape, kind, data) in &self.tensors {
            string(&mut file, name.as_bytes());
            file.extend((shape.len() as u32).to_le_bytes());
            for &dim in shape.iter().rev() {
                file.extend((dim as u64).to_le_bytes());
            }
            file.extend(kind.id().to_le_bytes());
            file.extend((offset as u64).to_le_bytes());
            offset += data.len().next_multiple_of(ALIGNMENT);
        }
        for (_, _, _, data) in &self.tensors {
            file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
            file.extend(data);
        }
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        file
    }

    fn array(&mut self, key: &str, kind: ValueKind, len: usize) {
        self.key(key, ValueKind::Array);
        self.metadata.extend(kind.id().to_le_bytes());
        self.metadata.extend((len as u64).to_le_bytes());
    }

    fn key(&mut self, key: &str, kind: ValueKind) {
        self.keys += 1;
        string(&mut self.metadata, key.as_bytes());
        self.metadata.extend(kind.id().to_le_bytes());
    }
}

fn string(out: &mut Vec<u8>, text: &[u8]) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text);
}
