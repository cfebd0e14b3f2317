"""Source archives, installed packages and the test environment, in the user's cache folder."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

TOOLS = ["pytest", "hypothesis", "setuptools<81", "wheel", "flit_core", "hatchling", "hatch-vcs", "poetry-core", "setuptools-scm", "pdm-backend", "hatch-fancy-pypi-readme", "six", "pytz", "freezegun", "mock", "pytest-mock", "pytest-subtests"]
INI = "[pytest]\naddopts =\nfilterwarnings =\n    ignore\n"


class Unfetchable(Exception):
    """What could not be downloaded or installed, in one line."""


def folder():
    """The cache folder of this part of the pipeline."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "foretrace-train" / "repositories"


def quiet(command, seconds=600, **more):
    """Runs a command; its last line of complaint when it fails, else None."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds, stdin=subprocess.DEVNULL, **more)
    except subprocess.TimeoutExpired:
        return f"took more than {seconds} s"
    if done.returncode == 0:
        return None
    return ([line for line in (done.stdout + done.stderr).splitlines() if line.strip()] or ["no output"])[-1][:160]


def environment():
    """The virtual environment's Python, made on first use."""
    home = folder() / "venv"
    python = home / "bin" / "python"
    ready = home / "ready"
    if not ready.exists() or ready.read_text() != " ".join(TOOLS):
        home.parent.mkdir(parents=True, exist_ok=True)
        complaint = (None if python.exists() else quiet([sys.executable, "-m", "venv", str(home)], 900)) or quiet([str(python), "-m", "pip", "install", "-q", *TOOLS], 900)
        if complaint:
            raise Unfetchable(f"no test environment: {complaint}")
        (folder() / "pytest.ini").write_text(INI)
        ready.write_text(" ".join(TOOLS))
    return python


def source(package):
    """The unpacked source archive's folder."""
    home = folder() / "source" / package.pin
    if not (home / "ready").exists():
        home.mkdir(parents=True, exist_ok=True)
        pip = [str(environment()), "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(home)]
        complaint = quiet([*pip, "--no-build-isolation", package.pin]) and quiet([*pip, package.pin])
        archives = [p for p in home.iterdir() if p.name.endswith((".tar.gz", ".zip", ".tar.bz2", ".tgz"))]
        if not archives:
            raise Unfetchable(f"no source archive: {complaint}")
        if archives[0].name.endswith(".zip"):
            with zipfile.ZipFile(archives[0]) as held:
                held.extractall(home)
        else:
            with tarfile.open(archives[0]) as held:
                held.extractall(home, filter="data")
        (home / "ready").touch()
    inside = [p for p in home.iterdir() if p.is_dir()]
    if len(inside) != 1:
        raise Unfetchable("a source archive without one folder")
    return inside[0]


def as_it_is(package, archive):
    """(folder, [import name]) where the unpacked source can be imported without more, else None."""
    plain = package.name.lower().replace("-", "_").replace(".", "_")
    names = package.many("import") or [plain, plain.removeprefix("python_")]
    if package.many("needs"):
        return None
    for base in (archive / "src", archive / "lib", archive):
        found = [name for name in names if (base / name / "__init__.py").exists() or (base / f"{name}.py").exists()]
        if found and quiet([str(environment()), "-c", f"import {', '.join(found)}"], 60, env={**os.environ, "PYTHONPATH": str(base)}) is None:
            return base, found
    return None


def installed(package, archive):
    """(folder to put on the path, [import names]): the source itself, else an installation with what it needs."""
    ready = as_it_is(package, archive)
    if ready:
        return ready
    home = folder() / "installed" / package.pin
    if not (home / "ready").exists():
        python = str(environment())
        complaint = quiet([python, "-m", "pip", "install", "-q", "--upgrade", "--target", str(home), package.pin, *package.many("needs")])
        if complaint:
            raise Unfetchable(f"cannot be installed: {complaint}")
        (home / "ready").touch()
    names = package.many("import")
    if not names:
        key = package.name.lower().replace("-", "_").replace(".", "_")
        for info in home.glob("*.dist-info"):
            if info.name.rpartition("-")[0].rpartition("-")[0].lower().replace("-", "_").replace(".", "_") == key:
                tops = {line.split(",")[0].split("/")[0] for line in (info / "RECORD").read_text().splitlines()}
                names = sorted(t.removesuffix(".py") for t in tops if t.removesuffix(".py").isidentifier() and (t.endswith(".py") or (home / t).is_dir()))
                names = [n for n in names if n not in ("tests", "test", "docs", "__pycache__")]
    if not names:
        raise Unfetchable("nothing importable was installed")
    return home, names


def modules(roots):
    """{module name: file} below [[file or folder, prefix], ...]."""
    found = {}
    for root, prefix in roots:
        root = Path(root)
        if root.is_file():
            found.setdefault(prefix, root)
            continue
        for path in sorted(root.rglob("*.py")):
            parts = [prefix, *path.relative_to(root).with_suffix("").parts]
            if parts[-1] == "__init__":
                parts.pop()
            found.setdefault(".".join(parts), path)
    return found


def write_roots(path, roots):
    path.write_text(json.dumps({"roots": roots}))
