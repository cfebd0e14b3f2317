//! How a command fails: one line, and the exit code that says what kind of failure it is.

use crate::cpython;

/// An error and its causes in one line; a cause that the line says already is not repeated.
pub fn one_line(error: &anyhow::Error) -> String {
    let mut line = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !line.contains(&cause) {
            line.push_str(": ");
            line.push_str(&cause);
        }
    }
    line.split(['\n', '\r'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

/// A failure that the person can do something about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// Exit code of the process.
    pub code: u8,
    /// One line that says what to do.
    pub message: String,
}

impl Failure {
    /// Bad usage, or a program that cannot be read or run.
    pub const USAGE: u8 = 2;

    /// Bad usage, or a program that cannot be read: exit code 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure { code: Self::USAGE, message: message.into() }
    }

    /// CPython gives no answer: because of the program (2), or because it is not usable (3).
    pub fn of(error: &cpython::Error) -> Self {
        use cpython::Error::{Cancelled, Child, Entry, Python, Raised, Syntax, Unsupported};
        let message = error.to_string();
        match error {
            Syntax(_) | Entry(_) | Unsupported(_) | Raised(_) => Self::usage(message),
            Python(_) | Child(_) | Cancelled => Self::unusable(message),
        }
    }

    /// The model or CPython is not usable: exit code 3.
    pub fn unusable(message: impl Into<String>) -> Self {
        Failure { code: 3, message: message.into() }
    }

    /// A prediction differs, and that was to count as a failure: exit code 4.
    pub fn mismatch(message: impl Into<String>) -> Self {
        Failure { code: 4, message: message.into() }
    }

    /// A signal ended it: exit code 128 and its number, as shells have it.
    pub fn signal(number: u8) -> Self {
        Failure { code: 128 + number, message: format!("ended by signal {number}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[derive(Debug, thiserror::Error)]
    #[error("{path}: {source}")]
    struct File {
        path: &'static str,
        source: std::io::Error,
    }

    #[test]
    fn nothing_is_said_twice_and_all_in_one_line() {
        let io = || std::io::Error::other("no room");
        let file = || File { path: "out", source: io() };
        for (error, line) in [
            (anyhow::Error::new(io()), "no room"),
            (anyhow::Error::new(io()).context("a.py"), "a.py: no room"),
            (anyhow::Error::new(file()), "out: no room"),
            (Err::<(), _>(file()).context("batch").unwrap_err(), "batch: out: no room"),
            (anyhow::anyhow!("one\n  two\r\n"), "one; two"),
        ] {
            assert_eq!(one_line(&error), line);
        }
    }
}
