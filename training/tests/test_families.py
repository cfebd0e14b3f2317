"""Every family of programs keeps its promises: it compiles, ends soon, reaches each of its lines,
varies, and depends on its seed alone.

    python3 -m unittest discover -s training/tests

`FAMILIES=name,name` in the environment narrows it to some.
"""

import ast
import builtins
import contextlib
import hashlib
import io
import json
import keyword
import os
import random
import re
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path
from types import ModuleType
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from programs import families, mutations, registry, rewriting  # noqa: E402

DRAWS = 60
DISTINCT = 40  # of DRAWS
EVENTS = 400  # no run is longer
USUAL = 150  # and few are longer than this
SELDOM = 3  # of DRAWS
LINES = range(2, 41)
OFTEN = 8  # a line drawn this often is a part of the family, and some draw has to reach it
REACHED = 0.9
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>"}  # no frames of the program's own
NAMES = set(keyword.kwlist) | set(dir(builtins))
WORD = re.compile(r"""(?P<text>'[^']*'|"[^"]*")|(?P<number>-?\d[\d.]*)|(?P<name>\.?[A-Za-z_]\w*)|#.*""")


class TooLong(BaseException):
    """The run passed its limit of events."""


class Run:
    """One program, run under a trace function: how many events, which lines, what came of it."""

    def __init__(self, text, entry, log=None):
        self.events, self.lines, self.error, self.value, self.log = 0, set(), None, None, log
        printed, names = io.StringIO(), {"__name__": "__main__" if entry == "<module>" else "program"}
        code, before = compile(text, "<program>", "exec"), sys.gettrace()
        with contextlib.redirect_stdout(printed):
            sys.settrace(self.trace)
            try:
                exec(code, names)
                if entry != "<module>":
                    self.events = 0  # the module's body counts as run
                    self.value = eval(compile(entry, "<entry>", "eval"), names)
            except Exception as error:
                self.error = error
            finally:
                sys.settrace(before)
        self.end = re.sub(r"0x[0-9a-f]+", "0x", f"{self.value!r} {self.error!r} {printed.getvalue()}")
        if log is not None:
            log.append(self.end)

    def trace(self, frame, event, arg):
        code = frame.f_code
        if code.co_filename != "<program>" or code.co_name in COMPREHENSIONS:
            return None
        self.events += 1
        if self.events > EVENTS:
            raise TooLong
        if event == "line":
            self.lines.add(frame.f_lineno)
        if self.log is not None:
            values = {k: v for k, v in frame.f_locals.items() if k[:2] != "__" and not callable(v) and not isinstance(v, ModuleType)}
            self.log.append(re.sub(r"0x[0-9a-f]+", "0x", f"{event} {frame.f_lineno} {values!r}"))
        return self.trace


def shape(line):
    """A line's text with its names and constants made alike: what it is, not what it says."""

    def alike(word):
        if word["name"]:
            return word[0] if word[0] in NAMES or word[0][0] == "." else "n"
        return "s" if word["text"] else "0" if word["number"] else ""

    return WORD.sub(alike, line.strip()).strip()


def statement_lines(text):
    """Lines on which a statement with code of its own begins."""
    kinds = (ast.Global, ast.Nonlocal)
    found = {n.lineno for n in ast.walk(ast.parse(text)) if isinstance(n, ast.stmt) and not isinstance(n, kinds)}
    coded, left = set(), [compile(text, "<program>", "exec")]
    while left:
        code = left.pop()
        coded |= {line for _, _, line in code.co_lines()}
        left += [c for c in code.co_consts if hasattr(c, "co_lines")]
    return found & coded


def chosen():
    only = os.environ.get("FAMILIES")
    return only.split(",") if only else sorted(registry.FAMILIES)


def digests():
    """A digest of everything each family's first programs do, states and output included."""
    found = {}
    for name in chosen():
        log = []
        for seed in range(8):
            text, entry = registry.make(name, random.Random(seed))
            log += [text, entry]
            Run(text, entry, log)
        found[name] = hashlib.sha256("\n".join(log).encode()).hexdigest()
    return found


class Families(unittest.TestCase):
    def faults(self, name):
        texts, met, ran, total = set(), Counter(), set(), 0
        long, errors = 0, 0
        for seed in range(DRAWS):
            text, entry = registry.make(name, random.Random(seed))
            at = f"seed {seed}, entry {entry}:\n{text}"
            if (text, entry) != registry.make(name, random.Random(seed)):
                yield "draws differ for one seed, " + at
            if text.count("\n") not in LINES:
                yield f"{text.count(chr(10))} lines, " + at
            try:
                run = Run(text, entry)
                starts = statement_lines(text)
            except (SyntaxError, TooLong) as error:
                yield f"{type(error).__name__} {error}, {at}"
                continue
            errors += run.error is not None
            if run.error is not None and name not in registry.RAISING:
                yield f"{run.error!r}, " + at
            long += run.events > USUAL
            texts.add((text, entry))
            lines = text.split("\n")
            shapes = {number: shape(lines[number - 1]) for number in starts}
            met.update(shapes.values())
            ran |= {shapes[number] for number in starts & run.lines}
            total += len(starts)
        if len(texts) < DISTINCT:
            yield f"only {len(texts)} of {DRAWS} programs are distinct"
        if long > SELDOM:
            yield f"{long} of {DRAWS} runs have more than {USUAL} events"
        if name in registry.RAISING and not errors:
            yield "raises=True, but no draw does"
        never = {line: count for line, count in met.items() if line not in ran}
        if sum(never.values()) > (1 - REACHED) * total or any(count >= OFTEN for count in never.values()):
            yield f"lines that no draw reaches: {never}"

    def test_every_family_keeps_its_promises(self):
        for name in chosen():
            with self.subTest(name):
                faults = list(self.faults(name))
                if faults:
                    self.fail(f"{name}, {len(faults)} faults, the first: {faults[0]}")
                self.assertTrue(registry.FAMILIES[name].__doc__, "no docstring says what it teaches")

    def test_families_put_together_still_run(self):
        rng, joined = random.Random(5), 0
        for _ in range(600):
            with mock.patch.object(families, "MUTATED", 0):
                name, text, entry = families.draw(rng)
            with self.subTest(name):
                run = Run(text, entry)
                self.assertIn(text.count("\n"), LINES)
                self.assertTrue(run.error is None or name in registry.RAISING, f"{run.error!r}, entry {entry}:\n{text}")
                joined += len(re.findall(r"^def ", text, re.M)) > 3
        self.assertGreater(joined, 60)

    def test_a_slip_changes_one_line_and_ends_soon(self):
        rng, changed, failed = random.Random(6), 0, 0
        for name in chosen() * 2:
            text, entry = registry.make(name, rng)
            slipped = mutations.mutated(text, rng)
            if slipped == text or name in registry.RAISING:
                continue
            changed += 1
            self.assertEqual(sum(a != b for a, b in zip(text.split("\n"), slipped.split("\n"), strict=True)), 1, slipped)
            failed += Run(slipped, entry).error is not None  # raises TooLong where it runs on
        self.assertGreater(changed, len(chosen()) / 2)
        self.assertLess(failed, changed / 10)

    def test_what_runs_on_is_left_alone(self):
        for text in ["while n < 3:\n    n += 1\n", "def f(n):\n    return n < 1 or f(n - 1)\n", "def f(n):\n    return g(n - 1)\ndef g(n):\n    return n < 0 or f(n)\n"]:
            self.assertEqual({mutations.mutated(text, random.Random(seed)) for seed in range(20)}, {text})

    def test_what_is_written_another_way_does_the_same(self):
        class Always(random.Random):
            def random(self):
                return 0.0

        differ = 0
        for name in chosen():
            text, entry = registry.make(name, random.Random(3))
            other = rewriting.rewritten(text, entry, Always(3))
            differ += other != (text, entry)
            self.assertEqual(Run(*other).end, Run(text, entry).end, f"{text}\n{other[0]}")
        self.assertGreater(differ, len(chosen()) / 2)

    def test_hash_order_changes_nothing(self):
        seen = []
        for seed in "12":
            environment = {**os.environ, "PYTHONHASHSEED": seed}
            seen.append(json.loads(subprocess.check_output([sys.executable, __file__, "--digests"], env=environment)))
        self.assertEqual([name for name in seen[0] if seen[0][name] != seen[1][name]], [])

    def test_a_name_is_taken_once(self):
        name = chosen()[0]
        with self.assertRaises(ValueError):
            registry.family(registry.FAMILIES[name])

    def test_what_is_held_out_is_never_drawn_for_training(self):
        held, trained = set(families.names(held=True)), set(families.names())
        self.assertFalse(held & trained)
        self.assertEqual(held | trained, set(registry.FAMILIES))
        rng = random.Random(1)
        self.assertFalse({families.draw(rng)[0] for _ in range(200)} & held)


if __name__ == "__main__":
    if "--digests" in sys.argv:
        print(json.dumps(digests()))
    else:
        unittest.main()
