//! Raw parts of model files, for files that `Writer` would not write. Also a
//! part of `tests/hostile`.

/// Raw parts, for files that the writer would not write.
#[derive(Clone, Default)]
pub struct Raw {
    pub keys: Vec<Vec<u8>>,
    pub infos: Vec<Vec<u8>>,
    /// Zero bytes behind the header.
    pub data: usize,
}

pub fn text(s: &[u8]) -> Vec<u8> {
    [&(s.len() as u64).to_le_bytes()[..], s].concat()
}

pub fn kv(key: &[u8], kind: u32, value: &[u8]) -> Vec<u8> {
    [&text(key)[..], &kind.to_le_bytes(), value].concat()
}

pub fn info(name: &[u8], fastest_first: &[u64], kind: u32, offset: u64) -> Vec<u8> {
    let mut out = text(name);
    out.extend((fastest_first.len() as u32).to_le_bytes());
    fastest_first.iter().for_each(|d| out.extend(d.to_le_bytes()));
    out.extend(kind.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out
}

impl Raw {
    pub fn key(key: Vec<u8>) -> Self {
        Raw { keys: vec![key], ..Raw::default() }
    }

    pub fn tensors(infos: &[Vec<u8>]) -> Self {
        Raw { infos: infos.to_vec(), data: 128, ..Raw::default() }
    }

    pub fn file(
        &self,
        magic: &[u8],
        version: u32,
        tensors: Option<u64>,
        keys: Option<u64>,
    ) -> Vec<u8> {
        let mut out = magic.to_vec();
        out.extend(version.to_le_bytes());
        out.extend(tensors.unwrap_or(self.infos.len() as u64).to_le_bytes());
        out.extend(keys.unwrap_or(self.keys.len() as u64).to_le_bytes());
        out.extend(self.keys.concat());
        out.extend(self.infos.concat());
        out.resize(out.len().next_multiple_of(32) + self.data, 0);
        out
    }

    pub fn plain(&self) -> Vec<u8> {
        self.file(b"GGUF", 3, None, None)
    }
}
