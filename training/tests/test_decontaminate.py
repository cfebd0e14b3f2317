"""Planted contamination is found, near misses are not."""

import contextlib
import io
import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import decontaminate
import programs.__main__ as generator
from programs import registry

LONG = '''
def f(words, limit):
    """What it does."""
    table = {}
    for word in words:
        key = word[0].lower()
        if key not in table:
            table[key] = []
        table[key].append(word)
    best = max(table.values(), key=len)
    if len(best) > limit:
        best = best[:limit]
    label = 'most of them'
    return best, label
'''
SHORT = "def f(xs):\n    return sorted(x * 7 for x in xs if x % 3 == 1)\n"
TINY = "def f(x, n):\n    return x + n\n"
HUMAN = {"prompt": 'def odd(n: int) -> list:\n    """Odd ones."""\n', "canonical_solution": "    out = []\n    while n > 4:\n        n -= 3\n        out.append(n)\n    return out\n"}

# (name, program, why it is refused)
CASES = [
    ("the text itself", LONG, "lines"),
    ("other spacing, comments and quotes", LONG.replace("    ", "  ").replace("'", '"').replace("{}", "{ }  # empty"), "lines"),
    ("lines inside another function", "def g(words, limit):\n    print(words)\n" + LONG.split('"""\n')[1].replace("    return best, label\n", "    return 3\n"), "lines"),
    ("trivial lines in between", LONG.replace("    best = max", "    import os\n    pass\n    best = max"), "lines"),
    ("other names", LONG.replace("words", "items").replace("table", "found").replace("def f", "def group").replace("word", "it"), "body"),
    ("another docstring", LONG.replace("What it does.", "Groups.").replace("best", "b").replace("table", "t"), "body"),
    ("as a method", "class A:\n" + "".join(f"    {line}\n" for line in LONG.replace("words", "self").replace("table", "t").replace("best", "b").splitlines()), "body"),
    ("one long statement", SHORT.replace("xs", "values").replace("x ", "v ").replace("for x", "for v"), "body"),
    ("HumanEval's, in other names", "def f(k):\n    got = []\n    while k > 4:\n        k -= 3\n        got.append(k)\n    return got\n", "body"),
    ("a local that hides a builtin", "def f(sum):\n    list = []\n    while sum > 4:\n        sum -= 3\n        list.append(sum)\n    return list\n", "body"),
    ("at the top of a module", "out = []\nwhile n > 4:\n    n -= 3\n    out.append(n)\nout\n", None),
    ("another constant", SHORT.replace("7", "8"), None),
    ("another method", HUMAN["prompt"] + HUMAN["canonical_solution"].replace("append", "remove"), None),
    ("another order of names", "def f(n, out):\n    out = []\n    while out > 4:\n        n -= 3\n        out.append(n)\n    return out\n", None),
    ("seven lines", "def f(words, limit):\n    t = {}\n" + "".join(LONG.splitlines(True)[4:11]), None),
    ("too small to be anybody's", TINY, None),
    ("broken Python", "def f(:\n    '''", None),
]


class Decontaminate(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        home = Path(self.folder.name)
        (home / "crux.jsonl").write_text("".join(json.dumps({"code": code}) + "\n" for code in (LONG, SHORT, TINY)))
        (home / "human.jsonl").write_text(json.dumps(HUMAN) + "\n")
        self.hashes = home / "hashes"
        with self.hashes.open("w") as out:
            decontaminate.index([f"crux={home / 'crux.jsonl'}", f"human={home / 'human.jsonl'}"], out)

    def test_cases(self):
        known = decontaminate.Index(self.hashes)
        for name, code, expected in CASES:
            with self.subTest(name):
                self.assertEqual(known.refuses(code), expected)

    def test_only_hashes_are_kept(self):
        for line in self.hashes.read_text().splitlines():
            self.assertRegex(line, r"^(#.*|(line|body) [0-9a-f]{16})$")

    def test_command(self):
        home = Path(self.folder.name)
        programs = home / "programs.jsonl"
        programs.write_text("".join(json.dumps({"code": code, "entry": "f()"}) + "\n" for _, code, _ in CASES))
        said = io.StringIO()
        before, sys.argv = sys.argv, ["decontaminate", str(programs), "--hashes", str(self.hashes), "--write", str(home / "clean.jsonl")]
        try:
            with contextlib.redirect_stderr(said):
                decontaminate.main()
                sys.argv = sys.argv[:-2]
                with self.assertRaises(SystemExit) as stopped:
                    decontaminate.main()
        finally:
            sys.argv = before
        self.assertEqual(stopped.exception.code, 1)
        left = [json.loads(line)["code"] for line in (home / "clean.jsonl").read_text().splitlines()]
        self.assertEqual(left, [code for _, code, why in CASES if why is None])
        self.assertIn(f"{len(CASES) - len(left)} of {len(CASES)} programs refused", said.getvalue())

    def test_the_repository_has_its_hashes(self):
        known = decontaminate.Index()
        self.assertGreater(len(known.bodies), 400)
        self.assertGreater(len(known.lines), 300)

    def test_the_generator_draws_anew(self):
        """What a seed draws is a benchmark here: none of it comes out, and as much as was asked for."""
        asked = generator.arguments("--count 30 --families 1 --seed 1".split())
        first = [program["code"] for program in generator.drawn(asked)]
        path = Path(self.folder.name) / "first.jsonl"
        path.write_text("".join(json.dumps({"code": code}) + "\n" for code in first))
        with self.hashes.open("w") as out:
            decontaminate.index([f"first={path}"], out)
        with contextlib.redirect_stderr(io.StringIO()) as said:
            known = decontaminate.Index(self.hashes)
            anew = [program["code"] for program in generator.drawn(asked, known)]
        self.assertEqual((len(first), len(anew)), (30, 30))
        planted = set(filter(known.refuses, first))  # all but those too short to be known again
        self.assertGreater(len(planted), 24)
        self.assertTrue(planted.isdisjoint(anew))
        self.assertIn("drawn anew", said.getvalue())

    def test_no_family_is_a_benchmark(self):
        known = decontaminate.Index()
        codes = {name: [registry.make(name, random.Random(seed))[0] for seed in range(8)] for name in registry.FAMILIES}
        self.assertEqual([name for name, texts in codes.items() if any(map(known.refuses, texts))], [])


if __name__ == "__main__":
    unittest.main()
