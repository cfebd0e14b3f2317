//! `-m package.module`: which file that is, found as `python -m` finds it in the working folder.
//!
//! Python looks on through the folders of its installation; what is there is no program of the
//! person's, and finding it would import the packages on the way. Must not know: what a module
//! does, how it is run.

use super::failure::Failure;
use crate::cpython::Module;
use std::path::{Path, PathBuf};

/// The file and how to run it. Folders are those below `root`, the working folder.
///
/// # Errors
/// One line that says which part of the name is not there.
pub fn find(name: &str, root: &Path) -> Result<(PathBuf, Module), Failure> {
    let refused = |why: String| Failure::usage(format!("-m {name}: {why}"));
    let parts: Vec<&str> = name.split('.').collect();
    let word = |part: &&str| {
        !part.is_empty()
            && !part.starts_with(|c: char| c.is_numeric())
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    if root.join(name).is_file() {
        return Err(refused("that is a file; leave -m out, or write package.module".into()));
    }
    if !parts.iter().all(word) {
        return Err(refused("that is no name of a module; write package.module".into()));
    }
    let missing = |part: usize| {
        let name = parts.get(..=part).unwrap_or_default().join(".");
        refused(format!("there is no module {name} in {}", root.display()))
    };
    let mut inner = PathBuf::new();
    for (number, part) in parts.iter().enumerate() {
        let (folder, file) = (inner.join(part), inner.join(format!("{part}.py")));
        let last = number + 1 == parts.len();
        let whole = root.join(&folder).join("__init__.py").is_file();
        let is_file = root.join(&file).is_file();
        // As Python has it: a package first, then a file, then a folder of neither.
        let is_folder = whole || !is_file && root.join(&folder).is_dir();
        if is_folder {
            inner = folder;
        } else if is_file && last {
            let package = parts.get(..number).unwrap_or_default().join(".");
            return Ok((file, Module { name: name.into(), package, root: root.into() }));
        } else if is_file {
            let why = "is a file and no package: nothing is in it";
            return Err(refused(format!("{} {why}", file.display())));
        } else {
            return Err(missing(number));
        }
    }
    let main = inner.join("__main__.py");
    if !root.join(&main).is_file() {
        let why = "is a package without a __main__.py; name a module in it";
        return Err(refused(format!("{} {why}", inner.display())));
    }
    let module = format!("{name}.__main__");
    Ok((main, Module { name: module, package: name.into(), root: root.into() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_found_where_python_finds_it() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "top.py",
            "pack/__init__.py",
            "pack/__main__.py",
            "pack/mod.py",
            "pack/in/__init__.py",
            "pack/in/deep.py",
            "pack.py",
            "bare/mod.py",
            "both.py",
            "both/x.py",
        ] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        for (name, file, module, package) in [
            ("top", "top.py", "top", ""),
            ("pack", "pack/__main__.py", "pack.__main__", "pack"),
            ("pack.mod", "pack/mod.py", "pack.mod", "pack"),
            ("pack.in.deep", "pack/in/deep.py", "pack.in.deep", "pack.in"),
            ("bare.mod", "bare/mod.py", "bare.mod", "bare"),
            ("both", "both.py", "both", ""),
        ] {
            let (found, how) = find(name, folder.path()).unwrap();
            assert_eq!(found, Path::new(file), "{name}");
            assert_eq!((&*how.name, &*how.package), (module, package), "{name}");
            assert_eq!(how.root, folder.path());
        }
        for (name, why) in [
            ("nothing", "there is no module nothing in "),
            ("pack.no", "there is no module pack.no in "),
            ("pack.no.mod", "there is no module pack.no in "),
            ("top.x", "top.py is a file and no package"),
            ("pack.in", "pack/in is a package without a __main__.py"),
            ("top.py", "that is a file; leave -m out"),
            ("pack/mod.py", "that is a file; leave -m out"),
            ("", "that is no name of a module"),
            (".mod", "that is no name of a module"),
            ("a-b", "that is no name of a module"),
            ("1a", "that is no name of a module"),
        ] {
            let told = find(name, folder.path()).unwrap_err();
            assert_eq!(told.code, Failure::USAGE);
            assert!(told.message.contains(why), "{}", told.message);
        }
    }
}
