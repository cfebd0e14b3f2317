//! Files that may turn out to be anything: a pipe without a writer, a device without an end.
//!
//! Must not know: what is in them.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Longest settings file in bytes.
const LONGEST: u64 = 1 << 20;

/// Opens a regular file. A device or a pipe may wait for ever, or have no end, and is read
/// more than once.
///
/// # Errors
/// Those of the system; [`ErrorKind::IsADirectory`] for a folder and
/// [`ErrorKind::InvalidInput`] for what is neither.
pub fn open(path: &Path) -> Result<File> {
    let kind = std::fs::metadata(path)?; // before it is opened: opening a pipe waits
    if kind.is_dir() {
        return Err(Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    if !kind.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is a device or a pipe"));
    }
    File::open(path)
}

/// The text of a small file; `None` if there is none.
///
/// # Errors
/// As [`open`]; and when it is no text, or longer than a settings file can be.
pub fn read(path: &Path) -> Result<Option<String>> {
    let file = match open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Error::new(ErrorKind::FileTooLarge, "it is longer than 1 MB"));
    }
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// What the system says, for people.
pub fn plain(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "it may not be read".into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_text_files_are_read_and_nothing_waits() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for (path, wanted) in [
            (write("text", b"a = 1\n"), Ok(Some("a = 1\n"))),
            (write("empty", b""), Ok(Some(""))),
            (folder.path().join("absent"), Ok(None)),
            (folder.path().to_path_buf(), Err("it is a folder")),
            (pipe, Err("it is a device or a pipe")),
            ("/dev/zero".into(), Err("it is a device or a pipe")),
            (write("binary", b"\xff\xfe"), Err("it is not UTF-8 text")),
            (write("long", &[b' '; (1 << 20) + 1]), Err("it is longer than 1 MB")),
        ] {
            let found = read(&path).map_err(|error| plain(&error));
            let wanted = wanted.map(|text| text.map(str::to_owned)).map_err(str::to_owned);
            assert_eq!(found, wanted, "{path:?}");
        }
    }
}
