//! Files of a data set: written once, with their hash.
//!
//! Must not know: what is in them.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Written {
    /// Its name in the folder.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hex.
    pub sha256: String,
}

/// A file that is being written.
#[derive(Debug)]
pub struct Output {
    name: String,
    file: BufWriter<File>,
    bytes: u64,
    hash: Sha256,
}

impl Output {
    /// A new file in a folder.
    ///
    /// # Errors
    /// It cannot be made, or is there already.
    pub fn create(folder: &Path, name: String) -> io::Result<Self> {
        let file = BufWriter::with_capacity(1 << 18, File::create_new(folder.join(&name))?);
        Ok(Output { name, file, bytes: 0, hash: Sha256::new() })
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// Writing failed.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// How much is in it.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Ends it.
    ///
    /// # Errors
    /// Writing failed.
    pub fn close(mut self) -> io::Result<Written> {
        self.file.flush()?;
        Ok(Written { name: self.name, bytes: self.bytes, sha256: hex(self.hash) })
    }
}

/// A hash in hex.
pub fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
