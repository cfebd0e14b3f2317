//! Which interpreter, and where it keeps its files.
//!
//! Must not know: programs, sandboxes.

use super::Error;
use super::bounded::{self, Stopped};
use super::complaint;
use super::venv::{self, Venv};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Versions whose trace events the tracer knows.
const VERSIONS: std::ops::RangeInclusive<(u32, u32)> = (3, 8)..=(3, 14);

/// Asks an interpreter about itself without running anything of the user's folders: its
/// executable, implementation and version, then the folders it reads, one a line. (No
/// `json`, whose import takes longer than the rest.)
const PROBE: &str = "import os, site, sys
folders = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
folders |= {p for p in sys.path if os.path.isabs(p)}
folders |= {site.getusersitepackages(), os.path.dirname(os.path.realpath(sys.executable))}
print(sys.executable, sys.implementation.name, *sys.version_info[:3], *sorted(folders), sep='\\n')";

/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A usable interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Python {
    path: PathBuf,
    version: String,
    folders: Vec<PathBuf>,
}

impl Python {
    /// The interpreter given, else the one of `$VIRTUAL_ENV`, else `python3` on the PATH.
    ///
    /// # Errors
    /// [`Error::Python`]: none there, not CPython, or a version outside 3.8 to 3.14.
    pub fn find(given: Option<&Path>) -> Result<Self, Error> {
        if let Some(path) = given {
            return Self::probe(path)
                .map_err(|why| Error::Python(format!("--python: {why}; name another")));
        }
        if let Some(path) = activated() {
            return Self::probe(&path).map_err(|why| {
                Error::Python(format!("$VIRTUAL_ENV: {why}; name another with --python"))
            });
        }
        Self::probe(Path::new("python3")).map_err(|why| {
            Error::Python(format!("{why}; install Python 3.8 to 3.14 or name one with --python"))
        })
    }

    /// The one to run a program of this folder with: as [`Python::find`], but before `python3`
    /// comes the project's environment. **Runs its interpreter.**
    ///
    /// # Errors
    /// See [`Python::find`].
    pub fn of_project(given: Option<&Path>, folder: Option<&Path>) -> Result<Self, Error> {
        match environment(given, folder) {
            // Asked by its real name, it says nothing that the project could have it say.
            Some(Ok(venv)) => match Self::probe(&venv.links_to) {
                Ok(mut python) => {
                    python.path = venv.python();
                    python.folders.push(venv.folder);
                    Ok(python)
                }
                Err(why) => {
                    let place = venv.folder.display();
                    Err(Error::Python(format!("{place}: {why}; name another with --python")))
                }
            },
            _ => Self::find(given),
        }
    }

    fn probe(path: &Path) -> Result<Self, String> {
        let found = on_path(path);
        let shown = found.as_deref().unwrap_or(path).display();
        // In a folder of nobody's: the interpreter must not import from the user's.
        let mut command = Command::new(path);
        command.args(["-I", "-c", PROBE]);
        let answer = bounded::ask(command, PATIENCE).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("{shown} was not found"),
            _ => format!("{shown} does not start: {error}"),
        })?;
        let unusable = |why: &str| format!("{shown} is not a usable Python 3: {why}");
        match answer.stopped {
            Some(Stopped::Late) => {
                let seconds = PATIENCE.as_secs();
                let why = format!(
                    "it does not answer within {seconds} s; if the machine is busy, try again"
                );
                return Err(unusable(&why));
            }
            Some(Stopped::Flood) => return Err(unusable("it prints without an end")),
            None => {}
        }
        let [out, err] = answer.streams;
        let said = String::from_utf8_lossy(&out);
        let mut lines = said.lines();
        let mut next = || lines.next().unwrap_or_default();
        let (executable, implementation) = (next(), next());
        let version: Vec<u32> = [next(), next(), next()].iter().flat_map(|n| n.parse()).collect();
        let [major, minor, patch] = version[..] else {
            return Err(match complaint::of(&err) {
                Some(line) => unusable(&format!("it says '{line}'")),
                None => unusable("it says nothing"),
            });
        };
        let version = format!("{major}.{minor}.{patch}");
        if implementation != "cpython" {
            return Err(format!("{shown} is {implementation}, not CPython"));
        }
        if !VERSIONS.contains(&(major, minor)) {
            return Err(format!("{shown} is Python {version}"));
        }
        Ok(Python { path: executable.into(), version, folders: lines.map(PathBuf::from).collect() })
    }

    /// The executable itself, or an environment's link to it (not a shim of a version manager).
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// E.g. `3.11.7`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Folders it needs to read.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }
}

/// Where a bare name such as `python3` is on the PATH, so that messages tell which one it is.
fn on_path(name: &Path) -> Option<PathBuf> {
    if name.components().count() != 1 {
        return None;
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The project's environment, where nothing that counts for more is given.
fn environment(given: Option<&Path>, folder: Option<&Path>) -> Option<Result<Venv, String>> {
    if given.is_some() || activated().is_some() {
        return None;
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    venv::find(folder?, home.as_deref(), &|python| {
        venv::is_installed(python, &path, home.as_deref())
    })
}

/// The interpreter of the environment that is active in the person's shell.
fn activated() -> Option<PathBuf> {
    let path = Path::new(&std::env::var_os("VIRTUAL_ENV")?).join("bin").join("python");
    path.exists().then_some(path)
}

/// Which one [`Python::of_project`] would be, and why; an environment's is not run for that.
///
/// # Errors
/// See [`Python::find`].
pub fn describe(given: Option<&Path>, folder: Option<&Path>) -> Result<String, Error> {
    let environment = environment(given, folder);
    if let Some(Ok(venv)) = &environment {
        let (version, path) = (&venv.version, venv.python());
        return Ok(format!("Python {version} ({}, the project's environment)", path.display()));
    }
    let python = Python::find(given)?;
    let why = match (given, activated()) {
        (Some(_), _) => "--python",
        (None, Some(_)) => "$VIRTUAL_ENV",
        (None, None) => "python3 on the PATH",
    };
    let (version, path) = (python.version(), python.path().display());
    let unused = environment.and_then(Result::err).map(|why| format!("; {why}"));
    Ok(format!("Python {version} ({path}, {why}{})", unused.unwrap_or_default()))
}
