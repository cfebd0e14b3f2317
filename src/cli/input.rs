//! Files that a person named, opened or refused in one line.
//!
//! Must not know: what is in them, but for what tells that a file is no source.

use super::failure::Failure;
use crate::config::files;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

/// Opens a regular file.
///
/// # Errors
/// One line that says why not.
pub fn open(path: &Path) -> Result<File, Failure> {
    let name = path.display();
    files::open(path).map_err(|error| {
        Failure::usage(match error.kind() {
            ErrorKind::IsADirectory => format!("{name} is a folder; name a file in it"),
            ErrorKind::InvalidInput => {
                format!("{name} is a device or a pipe; save what it gives to a file and name that")
            }
            _ => match name.to_string().split_once("::") {
                Some((file, _)) => format!(
                    "{name}: {}; a test is an entry: {file} --entry {name}",
                    files::plain(&error)
                ),
                None => format!("{name}: {}", files::plain(&error)),
            },
        })
    })
}

/// Most bytes of what a program reads.
const INPUT: u64 = 16 << 20;

/// The text of a file that a program is to read.
///
/// # Errors
/// One line.
pub fn text(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let mut text = String::new();
    let read = open(path)?.take(INPUT + 1).read_to_string(&mut text);
    read.map_err(|error| {
        Failure::usage(match error.kind() {
            ErrorKind::InvalidData => format!("{name} is not UTF-8 text; save it as UTF-8"),
            _ => format!("{name}: {error}"),
        })
    })?;
    if text.len() as u64 > INPUT {
        return Err(Failure::usage(format!("{name} has more than {} MB", INPUT >> 20)));
    }
    Ok(text)
}

/// The bytes of a Python source file.
///
/// # Errors
/// One line, also for bytes that are plainly something else.
pub fn source(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = path.display();
    let mut bytes = Vec::new();
    let read = open(path)?.read_to_end(&mut bytes);
    read.map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    if let Some(encoding) = wide(&bytes) {
        let why = format!(
            "{name} is {encoding} text, which Python cannot run; save it as UTF-8: \
             iconv -f {encoding} -t UTF-8"
        );
        return Err(Failure::usage(why));
    }
    let head = bytes.get(..1024).unwrap_or(&bytes);
    if head.contains(&0) {
        return Err(Failure::usage(format!("{name} is a binary file, not Python source")));
    }
    Ok(bytes)
}

/// Text of two or four bytes a character: by its byte order mark, or because every second
/// byte of its first line is zero.
fn wide(bytes: &[u8]) -> Option<&'static str> {
    let marks: [(&[u8], _); 4] = [
        (b"\xff\xfe\0\0", "UTF-32"),
        (b"\0\0\xfe\xff", "UTF-32"),
        (b"\xff\xfe", "UTF-16"),
        (b"\xfe\xff", "UTF-16"),
    ];
    if let Some((_, name)) = marks.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Some(name);
    }
    let head = bytes.get(..16.min(bytes.len() & !1)).filter(|head| head.len() >= 4)?;
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).all(|byte| *byte == 0);
    let text = |odd: usize| {
        head.iter().skip(odd).step_by(2).all(|byte| matches!(byte, b' '..=b'~' | b'\t'..=b'\r'))
    };
    match (zeros(0) && text(1), zeros(1) && text(0)) {
        (true, _) => Some("UTF-16BE"),
        (_, true) => Some("UTF-16LE"),
        _ => None,
    }
}
