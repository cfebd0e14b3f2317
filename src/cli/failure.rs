//! How a command fails: one line, and the exit code that says what kind of failure it is.

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
    /// Bad usage, or a program that cannot be read: exit code 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure { code: 2, message: message.into() }
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
