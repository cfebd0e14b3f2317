//! Files that a person named, opened or refused in one line.
//!
//! Must not know: what is in them.

use super::failure::Failure;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

/// Opens a regular file: a device or a pipe may have no end, and is read more than once.
///
/// # Errors
/// One line that says why not.
pub fn open(path: &Path) -> Result<File, Failure> {
    let name = path.display();
    let failed = |error: std::io::Error| {
        let what = match error.kind() {
            ErrorKind::NotFound => "there is no such file".into(),
            ErrorKind::PermissionDenied => "it may not be read".into(),
            _ => error.to_string(),
        };
        Failure::usage(format!("{name}: {what}"))
    };
    let kind = std::fs::metadata(path).map_err(failed)?;
    if kind.is_dir() {
        return Err(Failure::usage(format!("{name} is a folder; name a file in it")));
    }
    if !kind.is_file() {
        let what = "is a device or a pipe; save what it gives to a file and name that";
        return Err(Failure::usage(format!("{name} {what}")));
    }
    File::open(path).map_err(failed)
}
