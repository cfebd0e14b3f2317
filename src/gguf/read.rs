//! The bounded reader of the header.

use super::{Array, FileBytes, GgufError, Tensor, TensorType, Value, ValueKind, limits, quoted};
use std::collections::HashMap;

/// A GGUF file's header, read and checked: metadata and tensor views.
#[derive(Debug)]
pub struct Gguf<'a> {
    /// Format version, 2 or 3.
    pub version: u32,
    /// Keys and values in the file's order.
    metadata: Vec<(&'a str, Value<'a>)>,
    by_key: HashMap<&'a str, usize>,
    tensors: Vec<Tensor<'a>>,
    by_name: HashMap<&'a str, usize>,
    /// Where the bytes live, if they can be given back.
    home: Option<&'a FileBytes>,
}

impl<'a> Gguf<'a> {
    /// [`Gguf::read`] of a file whose tensors can be given back one by one
    /// ([`Gguf::release`]).
    ///
    /// # Errors
    /// As of [`Gguf::read`].
    pub fn open(file: &'a FileBytes) -> Result<Self, GgufError> {
        Ok(Gguf { home: Some(file), ..Gguf::read(file)? })
    }

    /// Says that a tensor's data was copied, so that the mapped file and the copy are not both
    /// in memory. It can still be read.
    pub fn release(&self, tensor: &Tensor<'_>) {
        if let (Some(home), Some(data), Ok(start)) =
            (self.home, tensor.data, usize::try_from(tensor.offset))
        {
            home.release(start..start + data.len());
        }
    }

    /// Reads and checks the header of a whole file.
    ///
    /// Takes time and memory proportional to the header, whatever it claims.
    ///
    /// # Errors
    /// [`GgufError`], one line that says what is wrong with the file.
    pub fn read(file: &'a [u8]) -> Result<Self, GgufError> {
        let mut cursor = Cursor { rest: file };
        let magic = cursor.take(4, || "its first four bytes".to_owned())?;
        if magic != b"GGUF" {
            return Err(GgufError::Magic(String::from_utf8_lossy(magic).into_owned()));
        }
        let version = cursor.u32(|| "the version".to_owned())?;
        match version {
            2 | 3 => {}
            v if v.swap_bytes() <= 3 => return Err(GgufError::BigEndian),
            v => return Err(GgufError::Version(v)),
        }
        let tensor_count = cursor.u64(|| "the number of tensors".to_owned())?;
        limit(|| "the number of tensors".to_owned(), tensor_count, limits::TENSORS)?;
        let key_count = cursor.u64(|| "the number of keys".to_owned())?;
        limit(|| "the number of keys".to_owned(), key_count, limits::KEYS)?;

        let mut metadata = Vec::new();
        let mut by_key = HashMap::new();
        for i in 0..key_count {
            let key = cursor.name(|| format!("key {i}"))?;
            let value = cursor.value(key)?;
            if by_key.insert(key, metadata.len()).is_some() {
                return Err(GgufError::Duplicate(format!("the key `{key}`")));
            }
            metadata.push((key, value));
        }
        let mut gguf = Gguf {
            version,
            metadata,
            by_key,
            tensors: Vec::new(),
            by_name: HashMap::new(),
            home: None,
        };
        let alignment = gguf.alignment()?;
        for i in 0..tensor_count {
            let tensor = cursor.tensor_info(i)?;
            if gguf.by_name.insert(tensor.name, gguf.tensors.len()).is_some() {
                return Err(GgufError::Duplicate(format!("the tensor `{}`", tensor.name)));
            }
            gguf.tensors.push(tensor);
        }
        let header = (file.len() - cursor.rest.len()) as u64;
        let start = header.next_multiple_of(alignment);
        for tensor in &mut gguf.tensors {
            place(tensor, file, start, alignment)?;
        }
        gguf.check_overlap()?;
        Ok(gguf)
    }

    /// Keys and values in the file's order.
    pub fn metadata(&self) -> impl ExactSizeIterator<Item = (&'a str, Value<'a>)> + '_ {
        self.metadata.iter().copied()
    }

    /// Tensors in the file's order.
    pub fn tensors(&self) -> &[Tensor<'a>] {
        &self.tensors
    }

    /// A value, if the key is there.
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        self.by_key.get(key).and_then(|&i| self.metadata.get(i)).map(|(_, value)| *value)
    }

    /// A tensor, if it is there.
    pub fn get_tensor(&self, name: &str) -> Option<&Tensor<'a>> {
        self.by_name.get(name).and_then(|&i| self.tensors.get(i))
    }

    /// A tensor that must be there.
    ///
    /// # Errors
    /// [`GgufError::MissingTensor`].
    pub fn tensor(&self, name: &str) -> Result<&Tensor<'a>, GgufError> {
        self.get_tensor(name).ok_or_else(|| GgufError::MissingTensor(name.to_owned()))
    }

    /// A string, if the key is there.
    ///
    /// # Errors
    /// [`GgufError::KeyType`] when it is something else.
    pub fn opt_str(&self, key: &str) -> Result<Option<&'a str>, GgufError> {
        self.convert(key, "a string", |v| v.as_str())
    }

    /// A line of at most [`limits::NAME_BYTES`], such as the name of an architecture, if the
    /// key is there.
    ///
    /// # Errors
    /// [`GgufError::KeyType`] when it is something else.
    pub fn opt_word(&self, key: &str) -> Result<Option<&'a str>, GgufError> {
        let short = |text: &&str| text.len() as u64 <= limits::NAME_BYTES && is_line(text);
        self.convert(key, "a line of at most 256 bytes", |v| v.as_str().filter(short))
    }

    /// An integer from 0 to `u32::MAX`, if the key is there.
    ///
    /// # Errors
    /// [`GgufError::KeyType`] when it is something else.
    pub fn opt_u32(&self, key: &str) -> Result<Option<u32>, GgufError> {
        self.convert(key, "an integer from 0 to 4294967295", |v| {
            v.as_u64().and_then(|n| u32::try_from(n).ok())
        })
    }

    /// A finite number, if the key is there.
    ///
    /// # Errors
    /// [`GgufError::KeyType`] when it is something else.
    pub fn opt_f32(&self, key: &str) -> Result<Option<f32>, GgufError> {
        self.convert(key, "a finite number", |v| {
            v.as_f64().map(|x| x as f32).filter(|x| x.is_finite())
        })
    }

    /// A boolean, if the key is there.
    ///
    /// # Errors
    /// [`GgufError::KeyType`] when it is something else.
    pub fn opt_bool(&self, key: &str) -> Result<Option<bool>, GgufError> {
        self.convert(key, "a boolean", |v| v.as_bool())
    }

    /// An array of strings, if the key is there.
    ///
    /// # Errors
    /// [`GgufError::KeyType`] when it is something else or one is not UTF-8.
    pub fn opt_strings(&self, key: &str) -> Result<Option<Vec<&'a str>>, GgufError> {
        self.convert(key, "an array of UTF-8 strings", |v| v.as_array().and_then(|a| a.strings()))
    }

    /// A value that must be there; `opt` is one of the `opt_…` accessors.
    ///
    /// # Errors
    /// [`GgufError::MissingKey`] or what `opt` says.
    pub fn need<T>(
        &self,
        key: &str,
        opt: impl Fn(&Self, &str) -> Result<Option<T>, GgufError>,
    ) -> Result<T, GgufError> {
        opt(self, key)?.ok_or_else(|| GgufError::MissingKey(key.to_owned()))
    }

    fn convert<T>(
        &self,
        key: &str,
        wanted: &'static str,
        f: impl Fn(Value<'a>) -> Option<T>,
    ) -> Result<Option<T>, GgufError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match f(value) {
            Some(x) => Ok(Some(x)),
            None => {
                Err(GgufError::KeyType { key: key.to_owned(), found: value.to_string(), wanted })
            }
        }
    }

    fn alignment(&self) -> Result<u64, GgufError> {
        let Some(value) = self.get("general.alignment") else { return Ok(32) };
        match value.as_u64() {
            Some(n) if n.is_power_of_two() && limits::ALIGNMENT.contains(&n) => Ok(n),
            _ => Err(GgufError::Alignment(value.to_string())),
        }
    }

    fn check_overlap(&self) -> Result<(), GgufError> {
        let mut spans: Vec<_> = self
            .tensors
            .iter()
            .filter_map(|t| t.data.map(|d| (t.offset, t.offset + d.len() as u64, t.name)))
            .collect();
        spans.sort_unstable();
        for pair in spans.windows(2) {
            if let [(_, end, first), (begin, _, second)] = pair
                && begin < end
            {
                let why = format!("overlaps that of `{first}`");
                return Err(GgufError::Data { name: (*second).to_owned(), why });
            }
        }
        Ok(())
    }
}

/// Turns a tensor's relative offset into a checked view of its data.
fn place<'a>(
    tensor: &mut Tensor<'a>,
    file: &'a [u8],
    start: u64,
    alignment: u64,
) -> Result<(), GgufError> {
    let bad = |why: String| GgufError::Data { name: tensor.name.to_owned(), why };
    if !tensor.offset.is_multiple_of(alignment) {
        return Err(bad(format!(
            "is not aligned (offset {}, alignment {alignment})",
            tensor.offset
        )));
    }
    let beyond = || bad("lies beyond the end of the file".to_owned());
    let begin = start.checked_add(tensor.offset).ok_or_else(beyond)?;
    let mut end = begin;
    if let Some((block, bytes)) = tensor.kind.block() {
        let len = tensor.len() as u64 / block;
        end = len.checked_mul(bytes).and_then(|n| begin.checked_add(n)).ok_or_else(beyond)?;
    }
    let range = usize::try_from(begin).ok().zip(usize::try_from(end).ok());
    let data = range.and_then(|(b, e)| file.get(b..e)).ok_or_else(beyond)?;
    tensor.offset = begin;
    tensor.data = tensor.kind.block().map(|_| data);
    Ok(())
}

/// Whether messages can repeat a text: it has no line breaks, nor what terminals obey.
fn is_line(text: &str) -> bool {
    !text.contains(char::is_control)
}

fn limit(what: impl Fn() -> String, value: u64, limit: u64) -> Result<(), GgufError> {
    if value > limit {
        return Err(GgufError::Limit { what: what(), value, limit });
    }
    Ok(())
}

/// What is left of the file.
struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn take(&mut self, n: u64, what: impl Fn() -> String) -> Result<&'a [u8], GgufError> {
        let split = usize::try_from(n).ok().and_then(|n| self.rest.split_at_checked(n));
        let (head, tail) = split.ok_or_else(|| GgufError::Truncated(what()))?;
        self.rest = tail;
        Ok(head)
    }

    fn u32(&mut self, what: impl Fn() -> String) -> Result<u32, GgufError> {
        let bytes = self.take(4, what)?;
        Ok(bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b)))
    }

    fn u64(&mut self, what: impl Fn() -> String) -> Result<u64, GgufError> {
        let bytes = self.take(8, what)?;
        Ok(bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)))
    }

    fn string(&mut self, most: u64, what: impl Fn() -> String) -> Result<&'a [u8], GgufError> {
        let len = self.u64(&what)?;
        limit(|| format!("the length of {}", what()), len, most)?;
        self.take(len, what)
    }

    fn name(&mut self, what: impl Fn() -> String) -> Result<&'a str, GgufError> {
        let bytes = self.string(limits::NAME_BYTES, || format!("the name of {}", what()))?;
        match std::str::from_utf8(bytes) {
            Ok(name) if !name.is_empty() && is_line(name) => Ok(name),
            _ => {
                let name = quoted(&String::from_utf8_lossy(bytes));
                Err(GgufError::Name { what: what(), name })
            }
        }
    }

    fn value(&mut self, key: &str) -> Result<Value<'a>, GgufError> {
        let what = || format!("the value of `{key}`");
        let id = self.u32(what)?;
        let unknown = |kind| GgufError::ValueType { key: key.to_owned(), kind };
        let kind = ValueKind::from_id(id).ok_or_else(|| unknown(id))?;
        match (kind, kind.size()) {
            (ValueKind::String, _) => Ok(Value::String(self.string(limits::STRING_BYTES, what)?)),
            (ValueKind::Array, _) => Ok(Value::Array(self.array(key)?)),
            (_, size) => {
                let bytes = self.take(size.unwrap_or(0) as u64, what)?;
                if let (ValueKind::Bool, [value]) = (kind, bytes)
                    && *value > 1
                {
                    return Err(GgufError::Bool { key: key.to_owned(), value: *value });
                }
                Value::scalar(kind, bytes).ok_or_else(|| unknown(id))
            }
        }
    }

    fn array(&mut self, key: &str) -> Result<Array<'a>, GgufError> {
        let what = || format!("the array `{key}`");
        let id = self.u32(what)?;
        let unknown = || GgufError::ValueType { key: key.to_owned(), kind: id };
        let kind = ValueKind::from_id(id).ok_or_else(unknown)?;
        let len = self.u64(what)?;
        limit(|| format!("the length of the array `{key}`"), len, limits::ARRAY_LEN)?;
        let before = self.rest;
        let bytes = match (kind, kind.size()) {
            (ValueKind::Array, _) => return Err(unknown()), // no model has arrays of arrays
            (_, Some(size)) => {
                let bytes = len.saturating_mul(size as u64);
                limit(|| format!("the size of the array `{key}`"), bytes, limits::ARRAY_BYTES)?;
                self.take(bytes, what)?
            }
            (_, None) => {
                for _ in 0..len {
                    self.string(limits::STRING_BYTES, what)?;
                    let used = (before.len() - self.rest.len()) as u64;
                    limit(|| format!("the size of the array `{key}`"), used, limits::ARRAY_BYTES)?;
                }
                before.get(..before.len() - self.rest.len()).unwrap_or_default()
            }
        };
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        Ok(Array { kind, len, bytes })
    }

    /// A tensor's description; its offset is still relative to the data section.
    fn tensor_info(&mut self, i: u64) -> Result<Tensor<'a>, GgufError> {
        let name = self.name(|| format!("tensor {i}"))?;
        let what = || format!("the description of tensor `{name}`");
        let dims = self.u32(what)?;
        let bad = |shape: &dyn std::fmt::Debug, why| GgufError::Shape {
            name: name.to_owned(),
            shape: format!("{shape:?}"),
            why,
        };
        if dims == 0 || dims > limits::DIMS {
            let shape = format!("{dims} dimensions");
            return Err(GgufError::Shape {
                name: name.to_owned(),
                shape,
                why: "1 to 4 are possible",
            });
        }
        let mut fastest_first = Vec::with_capacity(4);
        for _ in 0..dims {
            fastest_first.push(self.u64(what)?);
        }
        if fastest_first.contains(&0) {
            return Err(bad(&fastest_first, "a dimension is zero"));
        }
        // i64 as in ggml, so that sizes in bytes (at most 4 times as many) stay below 2^65;
        // the multiplication by the block's bytes is checked where the data is placed
        let count = fastest_first.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
        if count.is_none_or(|n| n > i64::MAX as u64 || usize::try_from(n).is_err()) {
            return Err(bad(&fastest_first, "it is too large"));
        }
        let kind = TensorType::from_id(self.u32(what)?);
        if let (Some((block, _)), Some(first)) = (kind.block(), fastest_first.first())
            && !first.is_multiple_of(block)
        {
            return Err(bad(&fastest_first, "its rows are no whole number of blocks"));
        }
        let offset = self.u64(what)?;
        let shape = fastest_first.iter().rev().map(|&d| d as usize).collect();
        Ok(Tensor { name, kind, shape, offset, data: None })
    }
}
