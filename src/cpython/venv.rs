//! The virtual environment of a project, found by looking: nothing of it runs here.
//!
//! A project is somebody else's until the person says otherwise, and so is what lies in its
//! `.venv`. Its interpreter counts only as a link to one of this machine's: in a folder of the
//! `PATH`, or where version managers keep theirs. Anything else could be anything, wherever it
//! lies: where a project begins cannot be known. Must not know: programs, sandboxes, who runs it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where projects have them.
const NAMES: [&str; 2] = [".venv", "venv"];

/// What lies in the topmost folder of a project.
const MARKS: [&str; 5] = ["pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg"];

/// Where version managers keep interpreters, in the home folder: pyenv, uv, asdf, mise, conda.
const MANAGERS: [&str; 7] = [
    ".pyenv/versions",
    ".local/share/uv/python",
    ".asdf/installs/python",
    ".local/share/mise/installs/python",
    "miniconda3",
    "anaconda3",
    "miniforge3",
];

/// The same for all users: the system's, Homebrew, Nix.
const SHARED: [&str; 5] =
    ["/usr/bin", "/usr/local/bin", "/opt/homebrew", "/home/linuxbrew/.linuxbrew", "/nix/store"];

/// Most bytes of a `pyvenv.cfg`.
const LARGEST: u64 = 1 << 16;

/// A virtual environment that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Venv {
    /// Its folder, real.
    pub folder: PathBuf,
    /// The interpreter that it links to, real, one of this machine's.
    pub links_to: PathBuf,
    /// As its `pyvenv.cfg` says, e.g. `3.11.7`; empty if it does not.
    pub version: String,
}

impl Venv {
    /// What to start: by this name an interpreter knows that it is in an environment.
    pub fn python(&self) -> PathBuf {
        self.folder.join("bin").join("python")
    }
}

/// The environment of the project that a folder belongs to: in that folder or the nearest above
/// it, up to the project's topmost. Without marks of a project only the folder itself counts, and
/// the home folder and those above it are no project. `installed`: whether an interpreter is one of
/// this machine's. `Err` says why the one there cannot be used.
pub fn find(
    folder: &Path,
    home: Option<&Path>,
    installed: &dyn Fn(&Path) -> bool,
) -> Option<Result<Venv, String>> {
    let folder = folder.canonicalize().ok()?;
    let home = home.and_then(|home| home.canonicalize().ok());
    let inside = |path: &&Path| home.as_deref().is_none_or(|home| !home.starts_with(path));
    let marked = |path: &&Path| MARKS.iter().any(|mark| path.join(mark).exists());
    let top = folder.ancestors().take_while(inside).find(marked).unwrap_or(&folder);
    let folders = folder.ancestors().take_while(|path| path.starts_with(top));
    let mut places = folders.flat_map(|path| NAMES.map(|name| path.join(name)));
    let place = places.find(|place| place.join("pyvenv.cfg").is_file())?;
    let refused = |why: String| format!("{} is not used: {why}", place.display());
    Some(look(&place, top, installed).map_err(refused))
}

/// Whether an interpreter, by its real name, lies in a folder of the `PATH` or where version
/// managers keep theirs.
pub fn is_installed(python: &Path, path: &OsStr, home: Option<&Path>) -> bool {
    let Some(folder) = python.parent() else { return false };
    let listed = std::env::split_paths(path).filter(|listed| listed.is_absolute());
    let real = |path: PathBuf| path.canonicalize().ok();
    let own = home.into_iter().flat_map(|home| MANAGERS.map(|place| home.join(place)));
    let managed = own.chain(SHARED.map(PathBuf::from)).filter_map(real);
    listed.filter_map(real).any(|listed| listed == folder)
        || managed.into_iter().any(|place| folder.starts_with(place))
}

fn look(folder: &Path, project: &Path, installed: &dyn Fn(&Path) -> bool) -> Result<Venv, String> {
    if folder.symlink_metadata().is_ok_and(|data| data.is_symlink()) {
        return Err("it is a link to another folder; name its interpreter with --python".into());
    }
    let python = folder.join("bin").join("python");
    let links_to = python
        .canonicalize()
        .map_err(|_| "its interpreter bin/python is gone; make the environment anew".to_string())?;
    if links_to.starts_with(project) {
        let why = "its interpreter is a copy, not a link to one outside of the project; name it \
                   with --python to have it run";
        return Err(why.into());
    }
    if !installed(&links_to) {
        return Err(format!(
            "it links to {}, which is in no folder of the PATH nor of a version manager; name it \
             with --python to have it run",
            links_to.display()
        ));
    }
    Ok(Venv { folder: folder.into(), links_to, version: version(&folder.join("pyvenv.cfg")) })
}

/// `version = 3.11.7` (venv) or `version_info = 3.11.7.final.0` (virtualenv, uv).
fn version(file: &Path) -> String {
    use std::io::Read as _;
    let mut text = String::new();
    let read = std::fs::File::open(file).map(|f| f.take(LARGEST).read_to_string(&mut text));
    if read.is_err() {
        return String::new();
    }
    let mut pairs = text.lines().filter_map(|line| line.split_once('='));
    let found = pairs.find(|(key, _)| matches!(key.trim(), "version" | "version_info"));
    let numbers = found.map(|(_, value)| value.trim().split('.')).into_iter().flatten();
    let numbers = numbers.take_while(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    numbers.take(3).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// A project with these files, and links from the first to the second.
    fn project(files: &[(&str, &str)], links: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            path
        };
        for (name, text) in files {
            fs::write(place(name), text).unwrap();
        }
        for (name, to) in links {
            symlink(to, place(name)).unwrap();
        }
        folder
    }

    const CONFIG: &str = "home = /usr/bin\nversion = 3.11.7\n";

    #[test]
    fn the_nearest_one_up_to_the_top_of_the_project() {
        let python = ("bin/python", "/bin/sh");
        let link = |venv: &str| (format!("{venv}/{}", python.0), python.1);
        // Files, environments, the program's folder; which environment is found.
        type Row<'a> = (&'a [&'a str], &'a [&'a str], &'a str, Option<&'a str>);
        let table: &[Row] = &[
            (&["a.py"], &[".venv"], "", Some(".venv")),
            (&["a.py"], &["venv"], "", Some("venv")),
            (&["a.py"], &[".venv", "venv"], "", Some(".venv")),
            (&["a.py"], &[], "", None),
            (&["p/a.py"], &[".venv"], "p", None), // no mark of a project
            (&["p/a.py", "setup.py"], &[".venv"], "p", Some(".venv")),
            (&["p/a.py", "pyproject.toml"], &[".venv", "p/venv"], "p", Some("p/venv")),
            (&["p/a.py", "p/setup.cfg"], &[".venv"], "p", None), // beyond the top
        ];
        for (files, venvs, program, wanted) in table {
            let mut texts: Vec<(String, &str)> =
                files.iter().map(|name| ((*name).to_string(), "")).collect();
            texts.extend(venvs.iter().map(|venv| (format!("{venv}/pyvenv.cfg"), CONFIG)));
            let texts: Vec<_> = texts.iter().map(|(name, text)| (&**name, *text)).collect();
            let links: Vec<_> = venvs.iter().map(|venv| link(venv)).collect();
            let links: Vec<_> = links.iter().map(|(name, to)| (&**name, *to)).collect();
            let folder = project(&texts, &links);
            let root = folder.path().canonicalize().unwrap();
            let found = find(&root.join(program), None, &|_| true).map(|found| found.unwrap());
            let name = found.as_ref().map(|venv| venv.folder.strip_prefix(&root).unwrap());
            assert_eq!(name, wanted.map(Path::new), "{files:?} {venvs:?}");
            assert!(found.iter().all(|venv| venv.version == "3.11.7"));
            assert!(found.iter().all(|venv| venv.python().starts_with(&venv.folder)));
            // A home, or what is above it, is no project.
            let above = find(&root.join("p"), Some(&root), &|_| true);
            assert!(above.is_none_or(|venv| venv.unwrap().folder.starts_with(root.join("p"))));
        }
    }

    #[test]
    fn one_that_could_run_or_show_anything_is_not_used() {
        let copy = project(&[(".venv/pyvenv.cfg", CONFIG), (".venv/bin/python", "")], &[]);
        let inner = project(
            &[(".venv/pyvenv.cfg", CONFIG), ("tool", "#!/bin/sh")],
            &[(".venv/bin/python", "../../tool")],
        );
        let gone = project(&[(".venv/pyvenv.cfg", CONFIG)], &[(".venv/bin/python", "/no/python")]);
        let far =
            project(&[("x/pyvenv.cfg", CONFIG)], &[(".venv", "x"), ("x/bin/python", "/bin/sh")]);
        for (folder, why) in [
            (copy, "is a copy"),
            (inner, "is a copy"),
            (gone, "is gone"),
            (far, "a link to another"),
        ] {
            let told = find(folder.path(), None, &|_| true).unwrap().unwrap_err();
            assert!(told.contains(why) && told.contains(".venv is not used"), "{told}");
        }
    }

    /// A project above the folder that is taken for it, with an interpreter of its own.
    #[test]
    fn an_interpreter_is_this_machine_s_by_where_it_lies() {
        let home = project(
            &[
                (".pyenv/versions/3.11.7/bin/python3.11", ""),
                ("bin/python3", ""),
                ("clone/python3", ""),
                ("clone/sub/.venv/pyvenv.cfg", CONFIG),
            ],
            &[("clone/sub/.venv/bin/python", "../../../python3")],
        );
        let root = home.path().canonicalize().unwrap();
        let path = std::env::join_paths([root.join("bin"), "clone".into()]).unwrap();
        for (python, wanted) in [
            (".pyenv/versions/3.11.7/bin/python3.11", true),
            ("bin/python3", true),
            ("clone/python3", false),
            ("bin/more/python3", false),
        ] {
            assert_eq!(is_installed(&root.join(python), &path, Some(&root)), wanted, "{python}");
        }
        assert!(is_installed(Path::new("/usr/bin/python3.11"), &path, None));
        let installed = |python: &Path| is_installed(python, &path, Some(&root));
        let told = find(&root.join("clone/sub"), None, &installed).unwrap().unwrap_err();
        assert!(told.contains("in no folder of the PATH"), "{told}");
    }

    #[test]
    fn versions_are_read_as_they_are_written() {
        for (text, wanted) in [
            ("version = 3.11.7\n", "3.11.7"),
            ("home=/x\nversion_info = 3.12.1.final.0\n", "3.12.1"),
            ("version=3.13\n", "3.13"),
            ("home = /x\n", ""),
            ("version = \x1b[2J\n", ""),
        ] {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), text).unwrap();
            assert_eq!(version(file.path()), wanted, "{text:?}");
        }
    }
}
