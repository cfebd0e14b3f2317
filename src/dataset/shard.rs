//! Token shards: flat files that a trainer maps into memory, and the manifest beside them.
//!
//! `NNNNN.ids` holds the tokens (u16, little endian), `NNNNN.mask` one byte a token (1 = it
//! has to be predicted), `NNNNN.idx` the end of each document in tokens (u32, little
//! endian). Must not know: what the tokens mean.

use super::trajectory::Document;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Tokens after which the next shard begins: 128 MiB of ids.
const TOKENS: u32 = 64 << 20;

/// Writes documents into numbered shards.
#[derive(Debug)]
pub struct Shards {
    folder: PathBuf,
    open: Option<Open>,
    number: u32,
    /// Documents written.
    pub documents: u64,
    /// Tokens written.
    pub tokens: u64,
    /// Of those, tokens to be predicted.
    pub learned: u64,
}

#[derive(Debug)]
struct Open {
    ids: BufWriter<File>,
    mask: BufWriter<File>,
    idx: BufWriter<File>,
    end: u32,
}

impl Shards {
    /// Shards in a folder, which is made if need be.
    ///
    /// # Errors
    /// The folder cannot be made, or already holds shards.
    pub fn create(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        if folder.join("manifest.json").exists() || folder.join("00000.ids").exists() {
            let why = "it already holds token shards; choose another folder";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
        }
        let folder = folder.to_owned();
        Ok(Shards { folder, open: None, number: 0, documents: 0, tokens: 0, learned: 0 })
    }

    /// Adds a document.
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, document: &Document) -> io::Result<()> {
        let length = document.ids.len() as u32;
        if self.open.as_ref().is_some_and(|open| open.end + length > TOKENS) {
            self.close()?;
        }
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(Open::create(&self.folder, self.number)?),
        };
        let bytes: Vec<u8> = document.ids.iter().flat_map(|id| id.to_le_bytes()).collect();
        open.ids.write_all(&bytes)?;
        open.mask.write_all(&document.mask)?;
        open.end += length;
        open.idx.write_all(&open.end.to_le_bytes())?;
        self.documents += 1;
        self.tokens += u64::from(length);
        self.learned += document.mask.iter().map(|&bit| u64::from(bit)).sum::<u64>();
        Ok(())
    }

    /// Ends the shard that is open.
    ///
    /// # Errors
    /// Writing failed.
    pub fn close(&mut self) -> io::Result<()> {
        if let Some(mut open) = self.open.take() {
            open.ids.flush()?;
            open.mask.flush()?;
            open.idx.flush()?;
            self.number += 1;
        }
        Ok(())
    }
}

impl Open {
    fn create(folder: &Path, number: u32) -> io::Result<Self> {
        let file = |kind: &str| {
            Ok::<_, io::Error>(BufWriter::new(File::create(
                folder.join(format!("{number:05}.{kind}")),
            )?))
        };
        Ok(Open { ids: file("ids")?, mask: file("mask")?, idx: file("idx")?, end: 0 })
    }
}
