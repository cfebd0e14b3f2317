//! Lines of bounded length and number, and what can be wrong with them.
//!
//! Must not know: what the lines say.

use super::VERSION;
use std::io::{self, BufRead, Read};

/// How much of a file is read before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLimits {
    /// Bytes of one line.
    pub line: u64,
    /// States in all.
    pub states: u64,
    /// Bytes in all.
    pub bytes: u64,
}

impl Default for ReadLimits {
    /// 64 MiB a line, 20 million states, 8 GiB.
    fn default() -> Self {
        ReadLimits { line: 64 << 20, states: 20_000_000, bytes: 8 << 30 }
    }
}

/// Why a file is not a recording, with the number of the line.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// Reading failed.
    #[error("line {line}: {source}")]
    Read {
        /// 1-based line.
        line: u64,
        /// The reader's error.
        source: io::Error,
    },
    /// The line is not what the format says.
    #[error("line {line}: {why}")]
    Line {
        /// 1-based line.
        line: u64,
        /// What is wrong, in one line.
        why: String,
    },
    /// The file is of a later version of this program.
    #[error(
        "line 1: a recording of version {found}, but this program reads version {VERSION}; \
         record the program again, or use a newer foretrace"
    )]
    Version {
        /// Version of the file.
        found: u64,
    },
    /// The file is larger than the reader's limits.
    #[error("line {line}: {what}; record with lower limits")]
    TooLarge {
        /// 1-based line.
        line: u64,
        /// Which limit.
        what: String,
    },
    /// The file ends before its `end` line.
    #[error("line {line}: the recording has no end line: it was cut off; record again")]
    CutOff {
        /// The last line there is.
        line: u64,
    },
}

/// Lines of bounded length, counted.
pub(super) struct Lines<R> {
    from: R,
    limits: ReadLimits,
    text: Vec<u8>,
    number: u64,
    left: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(from: R, limits: ReadLimits) -> Self {
        Lines { from, limits, text: Vec::new(), number: 0, left: limits.bytes }
    }

    /// The 1-based number of the last line.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line, without its end; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, RecordingError> {
        self.text.clear();
        self.number += 1;
        let most = self.limits.line.min(self.left);
        let mut bounded = self.from.by_ref().take(most + 1);
        let read = bounded
            .read_until(b'\n', &mut self.text)
            .map_err(|source| RecordingError::Read { line: self.number, source })?;
        if read as u64 > most {
            let what = if most < self.limits.line {
                format!("the file has more than {} bytes", self.limits.bytes)
            } else {
                format!("longer than {most} bytes")
            };
            return Err(self.too_large(what));
        }
        self.left -= read as u64;
        if read == 0 {
            self.number -= 1;
            return Ok(None);
        }
        Ok(Some(self.text.strip_suffix(b"\n").unwrap_or(&self.text)))
    }

    /// The error of the last line.
    pub(super) fn wrong(&self, why: impl Into<String>) -> RecordingError {
        RecordingError::Line { line: self.number.max(1), why: why.into() }
    }

    /// The error of the line that is beyond a limit.
    pub(super) fn too_large(&self, what: String) -> RecordingError {
        RecordingError::TooLarge { line: self.number, what }
    }
}
