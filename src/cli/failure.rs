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

/// Most characters of an argument that a message repeats: a path is mostly shorter.
const ECHO: usize = 200;

/// Most characters of a message, and of its beginning; its end says what to do.
const MESSAGE: usize = 800;
const BEGINNING: usize = 500;

/// A message with every long argument that it repeats cut to its beginning, and with its middle
/// left out if it is still too long to be read. Whatever refuses an argument may repeat it.
pub fn shortened(message: &str, arguments: impl IntoIterator<Item = String>) -> String {
    let mut text = message.to_owned();
    for argument in arguments {
        let value = argument.split_once('=').map_or("", |(_, value)| value).trim();
        for long in [argument.trim(), value] {
            if long.chars().count() > ECHO {
                let beginning: String = long.chars().take(ECHO).collect();
                text = text.replace(long, &format!("{beginning}…"));
            }
        }
    }
    let count = text.chars().count();
    if count <= MESSAGE {
        return text;
    }
    let beginning: String = text.chars().take(BEGINNING).collect();
    let end: String = text.chars().skip(count - (MESSAGE - BEGINNING)).collect();
    format!("{beginning} … {end}")
}

/// The arguments that this process was started with, without its name.
pub fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
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

    #[test]
    fn a_long_argument_is_not_repeated_whole() {
        let long = "é".repeat(4_000);
        let cut = format!("{}…", "é".repeat(200));
        let call = format!("f({})", "1, ".repeat(2_000).trim_end_matches(", "));
        let of_call: String = call.chars().take(200).collect();
        for (message, argument, told) in [
            ("no such file".to_owned(), long.clone(), "no such file".to_owned()),
            (format!("{long}: no such file"), long.clone(), format!("{cut}: no such file")),
            (
                format!("invalid value '{long}'"),
                format!("--seed={long}"),
                format!("invalid value '{cut}'"),
            ),
            (
                format!("{call:?} is no call: write f(3)"),
                format!(" {call}"),
                format!("\"{of_call}…\" is no call: write f(3)"),
            ),
            ("f".repeat(200), "f".repeat(200), "f".repeat(200)),
        ] {
            assert_eq!(shortened(&message, [argument]), told);
        }
        // What repeats a part of it, or repeats it otherwise.
        let odd = shortened(&format!("{long}; write f(3)"), ["x".to_owned()]);
        assert!(odd.chars().count() < 900 && odd.ends_with("é; write f(3)"), "{odd}");
        assert!(odd.contains(" … "), "{odd}");
    }

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
