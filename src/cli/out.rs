//! What the commands print: text that is safe to look at, and writing that may fail.
//!
//! A file's name, a model's metadata, a recording or a setting may hold characters that a
//! terminal obeys. Text passes through [`visible`] here and nowhere else; JSON and recordings
//! are written as they are. Nothing here panics: a stream may be closed or a disk full.
//! Must not know: what is printed.

use crate::tui::text::visible;
use std::fmt::Display;
use std::io::{self, Write};

/// Standard output, whose failures say that it is standard output.
#[derive(Debug)]
pub struct Stdout(io::StdoutLock<'static>);

/// Standard output, for this thread alone.
pub fn stdout() -> Stdout {
    Stdout(io::stdout().lock())
}

impl Stdout {
    /// Prints one line of text.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self, "{}", visible(&text.to_string()))
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(told)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(told)
    }
}

/// A reader that went away stays one: `main` ends quietly then.
fn told(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe | io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("cannot write to the standard output: {error}")),
    }
}

/// One line on standard error, as it is. If that cannot be written, nobody can be told.
pub fn note(text: impl Display) {
    let line = format!("{}\n", visible(&text.to_string()));
    let _ = io::stderr().write_all(line.as_bytes());
}

/// One line on standard error that begins with this program's name.
pub fn warn(text: impl Display) {
    note(format_args!("foretrace: {text}"));
}

/// Replaces the line that the cursor is on; for a terminal on standard error.
pub fn progress(text: impl Display) {
    let _ = write!(io::stderr(), "\r{}", visible(&text.to_string()));
}
