//! Token shards: flat files that a trainer maps into memory.
//!
//! `NNNNN.ids` holds the tokens (u16, little endian), `NNNNN.mask` one byte a token (1 = it
//! has to be predicted), `NNNNN.idx` the end of each document in tokens (u32, little
//! endian). Documents are in the order of the input: `training/shards.py` sorts them by
//! length, which the index tells, as it draws its batches. Must not know: what the tokens mean.

use super::file::{Output, Written};
use super::page::{Body, Document};
use std::io;
use std::path::{Path, PathBuf};

/// Tokens after which the next shard begins: 128 MiB of ids.
const TOKENS: u32 = 64 << 20;

/// Writes documents into numbered shards.
#[derive(Debug)]
pub struct Shards {
    folder: PathBuf,
    open: Option<Open>,
    written: Vec<Written>,
}

#[derive(Debug)]
struct Open {
    ids: Output,
    mask: Output,
    idx: Output,
    end: u32,
}

impl Shards {
    /// Shards in a folder.
    pub fn new(folder: &Path) -> Self {
        Shards { folder: folder.to_owned(), open: None, written: Vec::new() }
    }

    /// Adds a document of tokens; text has none and is left out.
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, document: &Document) -> io::Result<()> {
        let Body::Ids(tokens) = &document.body else { return Ok(()) };
        let length = tokens.len() as u32;
        if self.open.as_ref().is_some_and(|open| open.end + length > TOKENS) {
            self.close()?;
        }
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(Open::create(&self.folder, self.written.len() / 3)?),
        };
        let bytes: Vec<u8> = tokens.iter().flat_map(|id| id.to_le_bytes()).collect();
        open.ids.write(&bytes)?;
        let mut mask = vec![0; tokens.len()];
        for range in &document.learn {
            if let Some(learned) = mask.get_mut(range.clone()) {
                learned.fill(1);
            }
        }
        open.mask.write(&mask)?;
        open.end += length;
        open.idx.write(&open.end.to_le_bytes())
    }

    fn close(&mut self) -> io::Result<()> {
        if let Some(open) = self.open.take() {
            self.written.extend([open.ids.close()?, open.mask.close()?, open.idx.close()?]);
        }
        Ok(())
    }

    /// Ends the last shard; all files that were written.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish(mut self) -> io::Result<Vec<Written>> {
        self.close()?;
        Ok(self.written)
    }
}

impl Open {
    fn create(folder: &Path, number: usize) -> io::Result<Self> {
        let file = |kind: &str| Output::create(folder, format!("{number:05}.{kind}"));
        Ok(Open { ids: file("ids")?, mask: file("mask")?, idx: file("idx")?, end: 0 })
    }
}
