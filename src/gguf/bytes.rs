//! The bytes of a model file: mapped, or part of the binary, or in memory.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// Where a model's bytes live. Dereferences to them.
#[derive(Debug)]
pub enum FileBytes {
    /// A file mapped read-only.
    Mapped(memmap2::Mmap),
    /// Bytes inside the binary (the default model).
    Static(&'static [u8]),
    /// Bytes in memory (tests).
    Owned(Vec<u8>),
}

impl FileBytes {
    /// Maps a file read-only.
    ///
    /// # Errors
    /// When the path is not a readable regular file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let kind = std::fs::metadata(path)?; // before it is opened: opening a pipe waits
        if kind.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if !kind.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let file = File::open(path)?;
        let kind = file.metadata()?;
        if kind.len() == 0 {
            return Ok(FileBytes::Static(&[])); // an empty map is an error on some systems
        }
        // SAFETY: the map is private, read-only, and only ever seen as `&[u8]`. What cannot be
        // excluded is another process changing or truncating the file meanwhile: changed bytes
        // could only be wrong numbers, as no reference into the map is trusted to be UTF-8 or
        // in range beyond the check that produced it on immutable data; a truncation ends the
        // process with SIGBUS, as it does every program that maps files. Weights are copied
        // out while loading, which bounds that time to a second or so.
        #[allow(unsafe_code, reason = "the one memory map of the crate")]
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(FileBytes::Mapped(map))
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            FileBytes::Mapped(map) => map,
            FileBytes::Static(bytes) => bytes,
            FileBytes::Owned(bytes) => bytes,
        }
    }
}
