//! How the program under the debugger is run: as a module, in its project's environment, with
//! variables of its own.

use crate::{Folder, foretrace};
use std::path::Path;
use std::process::Command as Process;

/// What a program prints when CPython runs it; on failure what foretrace says.
fn printed(folder: &Folder, args: &[&str]) -> Result<String, (i32, String)> {
    printed_with(folder, args, &[])
}

fn printed_with(
    folder: &Folder,
    args: &[&str],
    environment: &[(&str, &str)],
) -> Result<String, (i32, String)> {
    let mut command = foretrace(folder.path());
    command.envs(environment.iter().copied()).arg("trace").args(args);
    let output = command.output().expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() != Some(0) {
        return Err((output.status.code().unwrap_or(-1), stderr));
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = lines.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    Ok(lines
        .filter_map(|line: serde_json::Value| Some(line["output"]["text"].as_str()?.to_owned()))
        .collect())
}

fn write(folder: &Folder, name: &str, text: &str) {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

/// What `python -m` prints is what is printed here.
#[test]
fn a_module_runs_as_python_runs_it() {
    let folder = Folder::new();
    let tell = "import os, sys\n\
                print(__name__, __package__, __spec__.name, os.getcwd(), sys.path[0], sys.argv)\n";
    write(&folder, "pack/__init__.py", "print('first')\nsize = 2\n");
    write(&folder, "pack/near.py", "def up(n):\n    return n + 1\n");
    write(&folder, "pack/__main__.py", &format!("{tell}from .near import up\nprint(up(1))\n"));
    let inner =
        format!("{tell}import other\nfrom . import bare\nfrom .. import size\nprint(size)\n");
    write(&folder, "pack/inner/mod.py", &inner);
    write(&folder, "pack/inner/bare.py", "");
    write(&folder, "other.py", tell);
    for name in ["pack", "pack.inner.mod", "other"] {
        let theirs = Process::new("python3")
            .args(["-B", "-m", name, "one", "-m"])
            .current_dir(folder.path())
            .output()
            .expect("python3");
        let theirs = String::from_utf8_lossy(&theirs.stdout).into_owned();
        assert!(theirs.lines().count() > 0, "{name}");
        assert_eq!(printed(&folder, &["-m", name, "--", "one", "-m"]), Ok(theirs), "{name}");
    }
    let args = ["predict", "-m", "pack", "--oracle", "cpython", "-c", "n", "-c", "s"];
    let (code, stdout, stderr) = folder.run(&args);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("pack/__main__.py(1)<module>()"), "{stdout}");
}

#[test]
fn a_module_that_is_not_there_is_refused_in_one_line() {
    let folder = Folder::new();
    for (args, why) in [
        (&["trace", "-m", "nothing.here"][..], "there is no module nothing in "),
        (&["predict", "-m", "prog.py", "-c", "s"], "that is a file; leave -m out"),
        (&["predict", "-m", "prog", "prog.py", "-c", "s"], "cannot be used with"),
    ] {
        let (code, stdout, stderr) = folder.run(args);
        assert_eq!((code, &*stdout), (2, ""), "{stderr}");
        assert!(stderr.contains(why), "{stderr}");
    }
}

/// Of the environment a program sees what is listed, and what it is given.
#[test]
fn a_program_sees_the_variables_that_it_is_given() {
    let folder = Folder::new();
    let text = "import os\nprint({k: v for k, v in os.environ.items() if k in ('SECRET', 'MODE', 'EMPTY', 'USER')})\n";
    write(&folder, "see.py", text);
    let ours = [("SECRET", "key"), ("USER", "me")];
    assert_eq!(printed_with(&folder, &["see.py"], &ours), Ok("{'USER': 'me'}\n".into()));
    let args = ["see.py", "--env", "MODE=a=b", "--env", "EMPTY=", "--env", "USER=you"];
    let seen = printed_with(&folder, &args, &ours).map(|text| {
        ["'MODE': 'a=b'", "'EMPTY': ''", "'USER': 'you'"].map(|part| text.contains(part))
    });
    assert_eq!(seen, Ok([true; 3]));
    for (given, why) in [("MODE", "write MODE=VALUE"), ("HOME=/", "HOME is set by foretrace")] {
        let (code, _, stderr) = folder.run(&["predict", "see.py", "--env", given, "-c", "s"]);
        assert!(code == 2 && stderr.contains(why), "{code}: {stderr}");
    }
}

/// A project's environment is what its program runs in, and nothing else runs in it.
#[test]
fn the_environment_of_the_project_is_found() {
    let folder = Folder::new();
    write(&folder, "pyproject.toml", "");
    write(&folder, "src/app.py", "import only_here\nprint(only_here.what)\n");
    let made = Process::new("python3")
        .args(["-m", "venv", "--without-pip", ".venv"])
        .current_dir(folder.path())
        .status();
    assert!(made.expect("python3").success());
    let library = std::fs::read_dir(folder.path().join(".venv/lib")).expect("a library");
    let library = library.filter_map(Result::ok).next().expect("one Python").path();
    let what = "what = 'found'\n";
    std::fs::write(library.join("site-packages/only_here.py"), what).expect("a module");
    // Whatever runs it before it may leaves this behind; a sandboxed run cannot.
    let left = folder.path().join("left");
    let place = left.display();
    let leave = format!("import os; exec(\"try: open('{place}', 'w')\\nexcept OSError: pass\")\n");
    std::fs::write(library.join("site-packages/leave.pth"), leave).expect("a start-up file");
    let ran = || left.exists() && std::fs::remove_file(&left).is_ok();

    assert_eq!(printed(&folder, &["src/app.py"]), Ok("found\n".into()));
    let _ = ran();
    let (code, stdout, stderr) = folder.run(&["doctor"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains(".venv/bin/python, the project's environment)"), "{stdout}");
    for args in
        [&["predict", "src/app.py", "-c", "p 41 + 1"][..], &["predict", "src/app.py", "-c", "s"]]
    {
        let (code, _, stderr) = folder.run(args);
        assert_eq!(code, 0, "{stderr}");
    }
    assert!(!ran(), "nothing of the project ran");
    let without = printed(&folder, &["src/app.py", "--python", "python3"]).expect("recorded");
    assert!(without.contains("ModuleNotFoundError"), "{without}");

    // One that could be anything is told of, and not used.
    let python = folder.path().join(".venv/bin/python");
    std::fs::remove_file(&python).expect("a link");
    write(&folder, ".venv/bin/python", "#!/bin/sh\n");
    let (_, stdout, _) = folder.run(&["doctor"]);
    assert!(stdout.contains("python3 on the PATH; ") && stdout.contains("is a copy"), "{stdout}");
    assert!(Path::new(&python).is_file());
}
