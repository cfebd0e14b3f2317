//! What an interpreter that did not start said on stderr, as a part of an error message.
//!
//! Must not know: which interpreter it was, what it was to do.

/// Most characters of it.
const MOST: usize = 160;

/// The line that explains the failure: the last that names an exception (below it CPython lists
/// its threads), else the first that speaks of an error, else the last one. A `PYTHONHOME` that
/// CPython says it was led by is named with it. `None`: nothing was said.
pub fn of(stderr: &[u8]) -> Option<String> {
    let said = String::from_utf8_lossy(stderr);
    let lines = || said.lines().filter(|line| !line.trim().is_empty());
    let named = lines().rev().find(|line| names_exception(line));
    let spoken = || lines().find(|line| line.to_lowercase().contains("error"));
    let line = named.or_else(spoken).or_else(|| lines().next_back())?.trim();
    let mut text: String = line.chars().take(MOST).collect();
    if line.chars().count() > MOST {
        text.push('…');
    }
    if let Some(home) = lines().map(str::trim).find(|line| line.starts_with("PYTHONHOME = '")) {
        text = format!("{text} ({home})");
    }
    Some(text)
}

/// `KeyError: 1`, `package.SomeError`, not indented: the end of a traceback.
fn names_exception(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    (name.ends_with("Error") || name.ends_with("Exception")) && name.chars().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn the_line_that_explains_is_quoted() {
        let home = "Python path configuration:\n  PYTHONHOME = '/nowhere'\n  isolated = 0\n\
            Fatal Python error: init_fs_encoding: failed to get the Python codec of the filesystem \
            encoding\nPython runtime state: core initialized\nModuleNotFoundError: No module named \
            'encodings'\n\nCurrent thread 0x01 (most recent call first):\n  <no Python frame>\n";
        let loader = "python3: error while loading shared libraries: libpython3.11.so.1.0: cannot \
            open shared object file\n";
        let fatal = "Fatal Python error: Py_Initialize: can't initialize sys\n\nCurrent thread 0x1 \
            (most recent call first):\n";
        let long = "x".repeat(5_000);
        let cut = format!("{}…", "x".repeat(160));
        for (said, line) in [
            (
                home,
                Some("ModuleNotFoundError: No module named 'encodings' (PYTHONHOME = '/nowhere')"),
            ),
            (
                "Traceback (most recent call last):\n  File \"x\"\n    error()\nKeyError: 'a'\n",
                Some("KeyError: 'a'"),
            ),
            ("Traceback …\nMemoryError\n", Some("MemoryError")),
            (loader, Some(loader.trim_end())),
            (fatal, Some("Fatal Python error: Py_Initialize: can't initialize sys")),
            ("one\n\n  two  \n\n", Some("two")),
            (&long, Some(&cut)),
            ("\n \n", None),
            ("", None),
        ] {
            assert_eq!(of(said.as_bytes()).as_deref(), line, "{said}");
        }
    }
}
