"""The harvest in small: a made-up package, its calls, its cut-down programs. Offline."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TRAINING = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TRAINING))

from repositories import call, harvest, packages
from repositories.cut import Files, Module, Uncuttable, cut

MAIN = '''"""A module."""
from __future__ import annotations
import os, re
from collections import OrderedDict, deque
import numpy
from typing import TYPE_CHECKING
from .sibling import double
from .sibling import half as halve

if TYPE_CHECKING:
    from .sibling import Nothing

# How many.
LIMIT = 3
TABLE = {}
TABLE['a'] = LIMIT
UNUSED = 7


# Says it twice.
# Or more often.
def say(text, times=2, *more, sep='-'):
    """Says a text again and again.

    Long words about it.
    """
    out = []
    for _ in range(times):  # again
        out.append(text)

    return sep.join(out + list(more))


def helper(x: Nothing):
    UNUSED = x
    return double(UNUSED) + LIMIT


def reaches(n):
    if n in TABLE:
        return TABLE[n]
    return helper(n)


def outside(x):
    return numpy.array(x)


def renamed(x):
    return halve(x)


def names(x):
    return nowhere(x)


def count(n):
    while n:
        yield n
        n -= 1


def fails(n):
    if n > 2:
        raise ValueError(n)
    for _ in range(3):
        n += 1
    return n


STATE = []


def remembers(x):
    STATE.append(x)
    n = len(STATE)
    return n


def spelled(words):
    seen = set(words)
    out = ''
    for word in seen:
        out += word
    return out


class Box:
    """A box."""

    size = 1

    def __init__(self, things):
        self.things = list(things)

    def __repr__(self):
        return 'Box'

    def total(self):
        n = 0
        for thing in self.things:
            n += self.weigh(thing)
        return n

    def weigh(self, thing):
        return thing * self.size

    def unused(self):
        return numpy
'''
SIBLING = "import os\n\nFACTOR = 2\n\n\ndef double(x):\n    y = x * FACTOR\n    return y\n\n\ndef half(x):\n    return x / 2\n"
TESTS = '''
import unittest
from made_up import main

class Tests(unittest.TestCase):
    def test_all(self):
        main.say('a'); main.say('b', 3); main.say('c', 1, 'd', sep='+'); main.say(main.Box([9]), 0)
        main.reaches('a'); main.reaches(4)
        list(main.count(3)); list(main.count(3))
        main.fails(1)
        with self.assertRaises(ValueError):
            main.fails(5)
        main.Box([1, 2]).total()
        main.remembers(1); main.remembers(2)
        main.spelled(['ab', 'cd', 'ef', 'gh'])
        main.outside if False else None
'''


def program_of(function, **more):
    return cut(FILES["module"], function, **more)


FILES = {}


class Cut(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        home = Path(cls.folder.name) / "made_up"
        home.mkdir()
        paths = {}
        for name, text in (("__init__", ""), ("main", MAIN), ("sibling", SIBLING)):
            (home / f"{name}.py").write_text(text)
            paths["made_up" if name == "__init__" else f"made_up.{name}"] = home / f"{name}.py"
        FILES["module"] = Files(paths).module("made_up.main")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_authors_words_with_a_short_docstring(self):
        text = program_of("say")
        self.assertIn("# Says it twice.\n# Or more often.\ndef say(text, times=2, *more, sep='-'):\n    \"\"\"Says a text again and again.\"\"\"\n    out = []\n    for _ in range(times):  # again\n        out.append(text)\n\n    return", text)
        self.assertNotIn("LIMIT", text)

    def test_what_is_reached_and_nothing_else(self):
        text = program_of("reaches")
        for kept in ("# How many.\nLIMIT = 3", "TABLE = {}", "TABLE['a'] = LIMIT", "def helper(x: Nothing):", "FACTOR = 2", "def double(x):", "from __future__ import annotations"):
            self.assertIn(kept, text)
        for gone in ("UNUSED = 7", "import os", "sibling", "def say", "half"):
            self.assertNotIn(gone, text)
        held = {}
        exec(text, held)
        self.assertEqual((held["reaches"]("a"), held["reaches"](4)), (3, 11))

    def test_methods_that_may_be_called(self):
        text = program_of("Box.total")
        self.assertNotIn("unused", text)
        self.assertNotIn("__repr__", text)
        self.assertIn("def weigh", text)
        self.assertIn("def __repr__", program_of("Box.total", all_methods=True))

    def test_imports_are_trimmed(self):
        module = Module("import os, re\nfrom collections import (OrderedDict,\n    deque as d)\n\ndef f(x):\n    return d(re.split('a', x))\n")
        self.assertEqual(cut(module, "f"), "import re\nfrom collections import deque as d\n\n\ndef f(x):\n    return d(re.split('a', x))\n")

    def test_a_name_that_only_a_function_binds(self):
        module = Module("def f(x):\n    global held\n    held = x\n    return held\n")
        self.assertIn("global held", cut(module, "f"))

    def test_stubs_for_type_checkers_go(self):
        module = Module("import typing as t\n\n@t.overload\ndef f(x: int) -> int: ...\n\n\ndef f(x):\n    return x\n")
        self.assertEqual(cut(module, "f"), "def f(x):\n    return x\n")

    def test_what_cannot_stand_alone(self):
        for function, why in (("outside", "outside the standard library"), ("renamed", "another name"), ("names", "nothing binds"), ("absent", "top of its module")):
            with self.subTest(function), self.assertRaisesRegex(Uncuttable, why):
                program_of(function)


class Harvest(unittest.TestCase):
    """Tests under the hook, then programs that were run."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            (home / "made_up").mkdir()
            for name, text in (("__init__", ""), ("main", MAIN.replace("import numpy\n", "numpy = None\n")), ("sibling", SIBLING)):
                (home / "made_up" / f"{name}.py").write_text(text)
            (home / "test_main.py").write_text(TESTS)
            roots = [[str(home / "made_up"), "made_up"]]
            (home / "roots.json").write_text(json.dumps({"roots": roots}))
            hook = TRAINING / "repositories" / "hook.py"
            done = subprocess.run([sys.executable, str(hook), "calls.jsonl", "roots.json", "unittest", "test_main"], cwd=home, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            cls.calls = [json.loads(line) for line in (home / "calls.jsonl").read_text().splitlines()]
            cls.builder = harvest.Builder(packages.Package("made-up", "1", "MIT"), roots)
            cls.programs, cls.functions = cls.builder.build(cls.calls)

    def entries(self, function):
        return [one["entry"] for one in self.programs if one["key"][1] == function]

    def test_calls_as_one_would_write_them(self):
        said = [call.plain(one["arguments"]) for one in self.calls if one["function"] == "say"]
        self.assertEqual(said, ["'a'", "'b', 3", "'c', 1, 'd', sep='+'"])
        raised = [one["outcome"] for one in self.calls if one["function"] == "fails"]
        self.assertEqual(raised, [{"value": "4"}, {"raises": "ValueError"}])
        self.assertEqual(sum(one["function"] == "count" for one in self.calls), 1)

    def test_programs(self):
        # Of the calls that take one path only the shortest is kept; three lines at least.
        self.assertEqual(self.entries("say"), ["say('a')", "say('b', 3)", "say('c', 1, 'd', sep='+')"])
        self.assertEqual(self.entries("reaches"), ["reaches(4)"])
        self.assertEqual(self.entries("fails"), ["fails(1)"])
        for one in self.programs:
            held = {}
            exec(one["code"], held)
            eval(one["entry"], held)

    def test_methods_get_a_small_function(self):
        (entry,) = self.entries("Box.total")
        self.assertRegex(entry, r"^\w+\(\[1, 2\]\)$")

    def test_what_depends_on_more_than_the_arguments_is_left_out(self):
        self.assertEqual(self.entries("remembers"), ["remembers(1)"])  # the second gave 2 in the tests
        self.assertEqual(self.entries("spelled"), [])

    def test_choice(self):
        made = [{"entry": f"f({n})", "run": {"lines": lines}} for n, lines in enumerate([[1, 2], [1, 2], [1, 3], [1, 2, 2], [1, 2, 3]])]
        self.assertEqual([one["entry"] for one in harvest.chosen(made)], ["f(0)", "f(2)", "f(4)", "f(3)"])


class List(unittest.TestCase):
    def test_pinned_and_licensed(self):
        listed = packages.read()
        self.assertEqual(len({one.name for one in listed}), len(listed))
        for one in listed:
            self.assertTrue(one.version and one.licence, one.name)
            self.assertNotRegex(one.licence, "GPL", one.name)
        self.assertLess(packages.held_out(), {one.name for one in listed})


if __name__ == "__main__":
    unittest.main()
