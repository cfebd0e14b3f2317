//! Breakpoints and watches between sessions: one small file for each program.

use crate::config::files;
use crate::session::Kept;
use crate::session::worker::Keeper;
use std::io::Write;
use std::path::{Path, PathBuf};

/// `session.json` in the program's own state folder.
#[derive(Debug, Clone)]
pub struct KeptFile(pub PathBuf);

impl KeptFile {
    /// What was kept, nothing if nothing was; and a line for people, if what was kept cannot
    /// be read (it is put aside, not overwritten) or nothing can be kept here.
    pub fn read(&self) -> (Kept, Option<String>) {
        if let Err(error) = self.folder().and_then(tempfile::NamedTempFile::new_in) {
            let folder = self.0.parent().unwrap_or(&self.0).display();
            let why = format!("nothing is kept for the next session: {folder}: {error}");
            return (self.parse().unwrap_or_default(), Some(why));
        }
        let why = match self.parse() {
            Ok(kept) => return (kept, None),
            Err(why) => why,
        };
        let aside = self.0.with_extension("json.broken");
        let note = match std::fs::rename(&self.0, &aside) {
            Ok(()) => format!("{}: {why}; it is put aside", aside.display()),
            Err(error) => format!("{}: {why}; it cannot be put aside: {error}", self.0.display()),
        };
        (Kept::default(), Some(format!("kept breakpoints cannot be read: {note}")))
    }

    fn parse(&self) -> Result<Kept, String> {
        match files::read(&self.0).map_err(|error| files::plain(&error))? {
            Some(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
            None => Ok(Kept::default()),
        }
    }

    /// Its folder, made if it is not there.
    fn folder(&self) -> std::io::Result<&Path> {
        let folder = self.0.parent().unwrap_or_else(|| Path::new("."));
        std::fs::create_dir_all(folder)?;
        Ok(folder)
    }
}

impl Keeper for KeptFile {
    fn keep(&self, kept: &Kept) -> Result<(), String> {
        let write = || -> std::io::Result<()> {
            let folder = self.folder()?;
            // Whole or not at all: a crash must not cost what was kept before.
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(serde_json::to_string_pretty(kept)?.as_bytes())?;
            file.persist(&self.0)?;
            Ok(())
        };
        write().map_err(|error| format!("{}: {error}", self.0.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::KeptBreakpoint;

    #[test]
    fn what_is_kept_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = KeptFile(folder.path().join("projects/x/session.json"));
        assert_eq!(file.read(), (Kept::default(), None));
        let breakpoint = KeptBreakpoint { line: 4, text: "x = 1".into(), ..Default::default() };
        let kept = Kept { breakpoints: vec![breakpoint], watches: vec!["x + 1".into()] };
        file.keep(&kept).unwrap();
        assert_eq!(file.read(), (kept, None));
    }

    #[test]
    fn what_cannot_be_read_is_put_aside_and_said_once() {
        for rubbish in [&b"{\"breakpoints\": 3"[..], b"\xff\xfe", b"3", b""] {
            let folder = tempfile::tempdir().unwrap();
            let file = KeptFile(folder.path().join("session.json"));
            std::fs::write(&file.0, rubbish).unwrap();
            let (kept, note) = file.read();
            assert_eq!(kept, Kept::default());
            let note = note.expect("a line");
            assert!(note.contains("session.json.broken") && !note.contains('\n'), "{note}");
            let aside = std::fs::read(folder.path().join("session.json.broken")).unwrap();
            assert_eq!(aside, rubbish);
            file.keep(&kept).unwrap();
            assert_eq!(file.read(), (kept, None));
        }
    }

    #[test]
    fn where_nothing_can_be_kept_that_is_said() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("projects"), "a file").unwrap();
        let file = KeptFile(folder.path().join("projects/x/session.json"));
        let note = file.read().1.expect("a line");
        assert!(note.starts_with("nothing is kept for the next session: "), "{note}");
        assert!(file.keep(&Kept::default()).is_err());
    }
}
