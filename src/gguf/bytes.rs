//! The bytes of a model file: mapped, or part of the binary, or in memory.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
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

impl FileBytes {
    /// Lets the system take back the memory behind a part of a mapped file that was read and
    /// copied; whoever reads it again reads the file again. Elsewhere nothing happens.
    pub(super) fn release(&self, part: Range<usize>) {
        #[cfg(unix)]
        if let FileBytes::Mapped(map) = self {
            let inside = part.start.min(map.len())..part.end.min(map.len());
            // SAFETY: the pages are a file's and never written, so dropping them loses nothing:
            // the next read brings the same bytes back (as far as `open` can promise that).
            #[allow(unsafe_code, reason = "dropped pages of a map can hold what was written")]
            let advised = unsafe {
                let advice = memmap2::UncheckedAdvice::DontNeed;
                map.unchecked_advise_range(advice, inside.start, inside.len())
            };
            let _ = advised; // refused: the memory stays in use, as without the advice
        }
        #[cfg(not(unix))]
        let _ = part;
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
