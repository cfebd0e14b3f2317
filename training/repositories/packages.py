"""The list of packages: what each line of packages.txt says."""

from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass
class Package:
    """One pinned package, or one module of the standard library (`stdlib-NAME`)."""

    name: str
    version: str
    licence: str
    options: dict = field(default_factory=dict)

    @property
    def pin(self):
        return f"{self.name}=={self.version}"

    @property
    def stdlib(self):
        """The standard library's module this stands for, or None."""
        return self.name.removeprefix("stdlib-") if self.name.startswith("stdlib-") else None

    def many(self, option):
        """An option that is a comma-separated list."""
        return [part for part in self.options.get(option, "").split(",") if part]


def read(path=HERE / "packages.txt"):
    """The packages of a list: `name==version  licence  [option=value ...]` a line.

    Options: `import` (top-level modules, where the installed files do not tell), `tests` (paths
    in the source archive, or modules of `test` for the standard library), `doctest` (any
    value: the examples in docstrings count as tests), `needs` (what the tests import),
    `seconds` (longest run of the tests).
    """
    packages = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        name, equals, version = words[0].partition("==")
        if not equals or len(words) < 2 or "=" in words[1]:
            raise SystemExit(f"{path}:{number}: write 'name==version  licence  [option=value ...]'")
        packages.append(Package(name, version, words[1], dict(word.split("=", 1) for word in words[2:])))
    return packages


def held_out(path=HERE / "held_out.txt"):
    """Names of the packages that are kept for measuring."""
    return {line.partition("#")[0].strip() for line in path.read_text().splitlines()} - {""}
