//! JSON Lines of documents, for trainers other than ours.
//!
//! `NNNNN.jsonl` holds one object a line: `program`, the number of its program in the input;
//! the document, as `text` or as `ids`; and `learn`, a list of `[start, end]`: the parts to be
//! predicted, in characters of the text (as Python counts them) or in tokens. Must not know:
//! what the documents say.

use super::file::{Output, Written};
use super::page::{Body, Document};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Bytes after which the next file begins.
const BYTES: u64 = 256 << 20;

/// Writes documents into numbered files.
#[derive(Debug)]
pub struct Lines {
    folder: PathBuf,
    open: Option<Output>,
    written: Vec<Written>,
}

#[derive(serde::Serialize)]
struct Line<'a> {
    program: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ids: Option<&'a [u16]>,
    learn: Vec<(usize, usize)>,
}

/// A document as a line, with its end.
///
/// # Errors
/// Those of serialization; none is known.
pub fn line(program: u64, document: &Document) -> serde_json::Result<Vec<u8>> {
    let line = match &document.body {
        Body::Text(text) => {
            let learn = characters(text, &document.learn);
            Line { program, text: Some(text), ids: None, learn }
        }
        Body::Ids(ids) => {
            let learn = document.learn.iter().map(|range| (range.start, range.end)).collect();
            Line { program, text: None, ids: Some(ids), learn }
        }
    };
    let mut line = serde_json::to_vec(&line)?;
    line.push(b'\n');
    Ok(line)
}

/// Ascending ranges of bytes as ranges of characters.
fn characters(text: &str, ranges: &[Range<usize>]) -> Vec<(usize, usize)> {
    let (mut byte, mut character) = (0, 0);
    let mut at = |to: usize| {
        character += text.get(byte..to).map_or(0, |part| part.chars().count());
        byte = to;
        character
    };
    ranges.iter().map(|range| (at(range.start), at(range.end))).collect()
}

impl Lines {
    /// Files in a folder.
    pub fn new(folder: &Path) -> Self {
        Lines { folder: folder.to_owned(), open: None, written: Vec::new() }
    }

    /// Adds a [`line`].
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, line: &[u8]) -> io::Result<()> {
        if self.open.as_ref().is_some_and(|open| open.bytes() + line.len() as u64 > BYTES) {
            self.close()?;
        }
        let open = match &mut self.open {
            Some(open) => open,
            none => {
                let name = format!("{:05}.jsonl", self.written.len());
                none.insert(Output::create(&self.folder, name)?)
            }
        };
        open.write(line)
    }

    fn close(&mut self) -> io::Result<()> {
        if let Some(open) = self.open.take() {
            self.written.push(open.close()?);
        }
        Ok(())
    }

    /// Ends the last file; all that were written.
    ///
    /// # Errors
    /// Writing failed.
    pub fn finish(mut self) -> io::Result<Vec<Written>> {
        self.close()?;
        Ok(self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_counts_as_python_does() {
        let learn = vec![0..2, 8..10];
        let text = Document { body: Body::Text("é=\"\u{1d11e}\"x".into()), learn: learn.clone() };
        assert_eq!(
            String::from_utf8(line(7, &text).unwrap()).unwrap(),
            "{\"program\":7,\"text\":\"é=\\\"𝄞\\\"x\",\"learn\":[[0,1],[4,6]]}\n"
        );
        let learn = std::iter::once(1..3).collect();
        let ids = Document { body: Body::Ids(vec![9, 8, 7]), learn };
        assert_eq!(line(0, &ids).unwrap(), b"{\"program\":0,\"ids\":[9,8,7],\"learn\":[[1,3]]}\n");
    }
}
