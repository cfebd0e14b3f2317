//! Breakpoints and watches between sessions: one small file for each program.

use crate::session::Kept;
use crate::session::worker::Keeper;
use std::io::Write;
use std::path::PathBuf;

/// `session.json` in the program's own state folder.
#[derive(Debug, Clone)]
pub struct KeptFile(pub PathBuf);

impl KeptFile {
    /// What was kept; nothing, if nothing was or it cannot be read.
    pub fn read(&self) -> Kept {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }
}

impl Keeper for KeptFile {
    fn keep(&self, kept: &Kept) -> Result<(), String> {
        let write = || -> std::io::Result<()> {
            let folder = self.0.parent().unwrap_or_else(|| std::path::Path::new("."));
            std::fs::create_dir_all(folder)?;
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
    fn what_is_kept_is_read_again_and_rubbish_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = KeptFile(folder.path().join("projects/x/session.json"));
        assert_eq!(file.read(), Kept::default());
        let breakpoint = KeptBreakpoint { line: 4, text: "x = 1".into(), ..Default::default() };
        let kept = Kept { breakpoints: vec![breakpoint], watches: vec!["x + 1".into()] };
        file.keep(&kept).unwrap();
        assert_eq!(file.read(), kept);
        std::fs::write(&file.0, "{\"breakpoints\": 3").unwrap();
        assert_eq!(file.read(), Kept::default());
        file.keep(&kept).unwrap();
        assert_eq!(file.read(), kept);
    }
}
