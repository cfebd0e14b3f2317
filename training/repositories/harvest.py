"""One package from its pin to its programs."""

import collections
import json
import os
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from . import call, fetch
from .cut import Files, Uncuttable, cut

HERE = Path(__file__).resolve().parent
CANDIDATES = 18  # calls of one function that are tried
SHORTEST = 3  # line events
MISMATCH = {"value": "another value than in the tests", "type": "another kind of value than in the tests", "raises": "an exception that the tests did not see",
            "long": "too many line events", "broken": "does not run alone"}  # fmt: skip
CALLS = 6  # programs of one function
MEMORY = 6 << 30
SECONDS = 60  # of processor time for the tests


def roots(package):
    """(what goes on the path, [[file or folder, module prefix], ...], folder of the tests)."""
    if package.stdlib:
        library = Path(sysconfig.get_path("stdlib"))
        name = package.stdlib.replace(".", "/")
        place = library / name if (library / name).is_dir() else library / f"{name}.py"
        return [], [[str(place), package.stdlib]], None
    archive = fetch.source(package)
    home, names = fetch.installed(package, archive)
    found = []
    for base in (home, archive, archive / "src", archive / "lib"):
        for name in names:
            for place in (base / name, base / f"{name}.py"):
                if place.exists() and [str(place), name] not in found:
                    found.append([str(place), name])
    return [str(home)], found, archive


def test_paths(package, archive):
    """What pytest is pointed at."""
    if package.many("tests"):
        return package.many("tests")
    found = [name for name in ("tests", "test", "testing", "src/tests") if (archive / name).is_dir()]
    found += sorted(str(p.relative_to(archive)) for pattern in ("test*.py", "*_test.py", "*tests.py") for p in archive.glob(pattern) if p.parent == archive)
    return found


def limits(seconds):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def record(package, calls):
    """Runs the tests under the hook; a line on how they went."""
    path, found, archive = roots(package)
    fetch.write_roots(calls.with_suffix(".roots"), found)
    python = sys.executable if package.stdlib else str(fetch.environment())
    command = [python, str(HERE / "hook.py"), str(calls), str(calls.with_suffix(".roots"))]
    seconds = int(package.options.get("seconds", SECONDS))
    with tempfile.TemporaryDirectory() as scratch:
        if package.stdlib:
            command += ["unittest", *(f"test.{name}" for name in package.many("tests") or [f"test_{package.stdlib}"])]
            where = scratch
        else:
            where = Path(scratch) / "source"
            shutil.copytree(archive, where, symlinks=True)
            found += [[root.replace(str(archive), str(where), 1), prefix] for root, prefix in found if root.startswith(str(archive))]
            fetch.write_roots(calls.with_suffix(".roots"), found)
            wanted = test_paths(package, archive)
            more = []
            if "doctest" in package.options:
                more = ["--doctest-modules", "--doctest-glob=*.rst"]
                names = {prefix for _, prefix in found}
                wanted = wanted + [str(p) for n in sorted(names) for p in (where / n, where / f"{n}.py", where / "src" / n, where / "src" / f"{n}.py") if p.exists()]
            if not wanted:
                raise fetch.Unfetchable("its source archive has no tests")
            command += ["pytest", "-q", "-c", str(fetch.folder() / "pytest.ini"), f"--rootdir={where}", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--assert=plain", "--continue-on-collection-errors", "--tb=no", *more, *wanted]
        environment = {"PATH": os.environ["PATH"], "HOME": scratch, "TMPDIR": scratch, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
                       "PYTHONPATH": os.pathsep.join([*path, str(where), str(Path(where) / "src")]) if not package.stdlib else "", "LANG": "C.UTF-8", "TZ": "UTC"}
        try:
            done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, errors="replace", timeout=10 * seconds, preexec_fn=lambda: limits(seconds), stdin=subprocess.DEVNULL)
            last = ([line for line in (done.stdout + done.stderr).splitlines() if line.strip()] or ["silent"])[-1]
            if done.returncode < 0:
                last = f"stopped by signal {-done.returncode} (limit {seconds} s of processor)"
        except subprocess.TimeoutExpired:
            last = f"stopped after {10 * seconds} s"
    return last.strip("= ")[:100]


def recorded(package, calls):
    """`record`, or what it said when it ran before: a change of the cutting needs no tests."""
    note = calls.with_suffix(".ended")
    if not note.exists():
        note.write_text(record(package, calls))
    return note.read_text()


def checked(programs, seed):
    """The outcome of each program under a hash seed."""
    if not programs:
        return []
    lines = "".join(json.dumps({"code": p["code"], "entry": p["entry"]}) + "\n" for p in programs)
    with tempfile.TemporaryDirectory() as scratch:
        environment = {"PATH": "/usr/bin:/bin", "HOME": scratch, "PYTHONHASHSEED": str(seed), "LANG": "C.UTF-8", "TZ": "UTC"}
        # Not -I, which would ignore the seed.
        done = subprocess.run([sys.executable, "-s", "-S", str(HERE / "check.py")], input=lines, capture_output=True, text=True, cwd=scratch, env=environment)
    return [json.loads(line) for line in done.stdout.splitlines()]


def agrees(seen, outcome):
    """Whether the program does what the tests saw."""
    if "raises" in seen:
        return outcome.get("raises") == seen["raises"]
    if "value" in seen:
        return same(outcome.get("value"), seen["value"])
    if "yields" in seen:
        if seen["all"] and None not in seen["yields"]:
            return same(outcome.get("value"), "[" + ", ".join(seen["yields"]) + "]")
        return outcome.get("value", "").startswith("[")
    if seen["type"] in ("list", "tuple", "dict", "set", "str", "bytes", "int", "float"):
        return "value" in outcome  # too large to have been written down
    if seen["type"] in call.ITERATORS:
        return outcome.get("value", "").startswith("[")
    return outcome.get("type") == seen["type"]


def same(one, other):
    """Equal texts, or sets in another order."""
    if one == other:
        return True
    if one is None or "{" not in one:
        return False
    return one.startswith(other[:1]) and sorted(one) == sorted(other)


def chosen(candidates):
    """Up to CALLS of one function's programs, by the paths they take."""
    left = sorted(candidates, key=lambda c: (len(c["run"]["lines"]) > 80, len(c["entry"])))
    taken, covered, sets, ways = [], set(), set(), set()
    for rank in ("new lines", "new set", "new way"):
        for one in left:
            if len(taken) == CALLS:
                return taken
            lines = one["run"]["lines"]
            if one in taken or any(t["entry"] == one["entry"] for t in taken):
                continue
            new = {"new lines": not set(lines) <= covered, "new set": frozenset(lines) not in sets, "new way": tuple(lines) not in ways}
            if new[rank]:
                taken.append(one)
                covered |= set(lines)
                sets.add(frozenset(lines))
                ways.add(tuple(lines))
    return taken


class Builder:
    """Recorded calls to programs that were seen to work."""

    def __init__(self, package, found):
        self.package, self.found = package, found
        self.files = Files(fetch.modules(found))
        self.cuts, self.refused = {}, collections.Counter()

    def cut(self, record, all_methods):
        key = record["module"], call.wanted(record), all_methods
        if key not in self.cuts:
            module = self.files.module(record["module"])
            try:
                if module is None:
                    raise Uncuttable("no source")
                self.cuts[key] = cut(module, key[1], all_methods)
            except Uncuttable as why:
                self.cuts[key] = why
                self.refused[str(why)] += 1
        if isinstance(self.cuts[key], Uncuttable):
            raise self.cuts[key]
        return self.cuts[key]

    def candidates(self, records, all_methods):
        """Programs of one function's records, the shortest calls first."""
        made, entries, why = [], set(), None
        for record in sorted(records, key=lambda r: (len(json.dumps(r["arguments"])), json.dumps(r["arguments"]))):
            try:
                one = call.program(self.cut(record, all_methods), record)
            except Uncuttable as error:
                why = why or str(error)
                if str(error).startswith("more than"):
                    self.refused[why] += 1
                    break
                continue
            if (one["code"], one["entry"]) not in entries:
                entries.add((one["code"], one["entry"]))
                made.append({**one, "record": record})
        # From short to long: the shortest third, and every nth of the rest.
        third = CANDIDATES // 3
        rest = made[third:]
        step = max(1, -(-len(rest) // (CANDIDATES - third)))
        return made[:third] + rest[::step], why

    def build(self, records):
        """(programs, how many functions were recorded)."""
        groups = collections.defaultdict(list)
        for one in records:
            groups[one["module"], call.wanted(one)].append(one)
        waiting, good = [(key, group, False) for key, group in sorted(groups.items())], collections.defaultdict(list)
        for all_methods in (False, True):
            programs = []
            for key, group, _ in waiting:
                programs += [{**one, "key": key} for one in self.candidates(group, all_methods)[0]]
            for one, run in zip(programs, checked(programs, 0)):
                one["run"] = run
                if agrees(one["record"]["outcome"], run["outcome"]):
                    if len(run["lines"]) >= SHORTEST:
                        good[one["key"]].append(one)
                    else:
                        self.refused[f"fewer than {SHORTEST} line events"] += 1
                elif all_methods or "." not in one["key"][1]:
                    self.refused[MISMATCH[next(iter(run["outcome"]))]] += 1
            waiting = [(key, group, True) for key, group, _ in waiting if key not in good and any(r["owner"] for r in group)]
        picked = [one for key in sorted(good) for one in chosen(good[key])]
        kept = []
        for one, again in zip(picked, checked(picked, 1)):
            if again == one["run"] or (again["digest"] == one["run"]["digest"] and same(one["run"]["outcome"].get("value"), again["outcome"].get("value"))):
                kept.append(one)
            else:
                self.refused["another run under another hash seed"] += 1
        return kept, len(groups)


def place_of(package):
    return fetch.folder() / "results" / f"{package.pin}.jsonl"


def harvested(package):
    """Whether its result is there already."""
    return place_of(package).with_suffix(".line").exists()


def harvest(package):
    """The package's programs and a line about them; what was made before is read back."""
    place = place_of(package)
    about = place.with_suffix(".line")
    if not about.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        calls = place.with_suffix(".calls")
        try:
            ended = recorded(package, calls)
            records = [json.loads(line) for line in calls.read_text().splitlines() if line.endswith("}")]
            builder = Builder(package, json.loads(calls.with_suffix(".roots").read_text())["roots"])
            programs, functions = builder.build(records)
        except fetch.Unfetchable as why:
            programs, line = [], f"{package.pin}: failed: {why}"
        else:
            with_any = len({(p["record"]["module"], p["key"][1]) for p in programs})
            common = "; ".join(f"{count} {why}" for why, count in builder.refused.most_common(4) if count)
            line = f"{package.pin}: {len(programs)} programs of {with_any} functions ({functions} recorded; tests: {ended}; left out: {common or 'nothing'})"
        with open(place, "w") as file:
            for one in programs:
                source = f"{package.pin} {one['record']['module']}.{one['key'][1]}"
                file.write(json.dumps({"code": one["code"], "entry": one["entry"], "family": f"repo:{package.name}", "source": source}) + "\n")
        about.write_text(line + "\n")
    return place.read_text().splitlines(), about.read_text().strip()
