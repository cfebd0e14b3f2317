"""Writes programs as JSON Lines; see the package's docstring."""

import argparse
import json
import random
import sys
from pathlib import Path

if __package__ in (None, ""):  # run as `python training/programs`
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from decontaminate import Index
from programs.endless import endless
from programs.families import draw, names
from programs.random_program import RandomProgram


def one(rng, easy, families, longest, held=False, never=0.0, only=""):
    """One program as a dict, or None when it came out unusable."""
    if never and rng.random() < never:
        code, entry = endless(rng)
        return {"code": code, "entry": entry, "family": "endless", "never": True}
    if held or only or rng.random() < families:
        name, code, entry = draw(rng, held, only)
    else:
        maker = RandomProgram(rng, easy)
        try:
            code, function, kinds = maker.program()
        except IndexError:  # a random choice among nothing
            return None
        name, entry = "random_easy" if easy else "random", f"{function}({maker.arguments(kinds)})"
    if not 2 <= code.count("\n") <= longest:
        return None
    try:
        compile(code, "<program>", "exec")
    except SyntaxError:
        return None
    return {"code": code, "entry": entry, "family": name}


def drawn(a, known=None):
    """The programs that the arguments ask for; those that `known` refuses are drawn anew."""
    rng, made, refused = random.Random(a.seed), 0, 0
    while made < a.count:
        program = one(rng, rng.random() < a.easy, a.families, a.lines, a.held, a.never, a.only)
        if program and known and known.refuses(program["code"]):
            refused += 1
        elif program:
            yield program
            made += 1
    if refused:
        print(f"{refused} programs held a piece of a benchmark and were drawn anew", file=sys.stderr)


def arguments(given=None):
    p = argparse.ArgumentParser(prog="programs", description="write programs to learn from as JSON Lines")
    p.add_argument("--count", type=int, required=True)
    p.add_argument("--seed", type=int, required=True, help="programs depend on it alone; keep one for held-out programs")
    p.add_argument("--easy", type=float, default=0.0, help="share of random programs with short values and bodies")
    p.add_argument("--families", type=float, default=0.4, help="share of programs from hand-written families")
    p.add_argument("--never", type=float, default=0.0, help="share of programs built to loop for ever")
    p.add_argument("--lines", type=int, default=40, help="longest program")
    p.add_argument("--decontaminate", action=argparse.BooleanOptionalAction, default=True, help="draw anew what holds a piece of a benchmark (see training/decontaminate.py)")
    p.add_argument("--held", action="store_true", help="draw only the families of held_out.txt, which are otherwise left out")
    p.add_argument("--only", metavar="BEGINNING", default="", help="draw only families whose names begin so, e.g. drill_")
    a = p.parse_args(given)
    if a.only and not any(name.startswith(a.only) for name in names(a.held)):
        p.error(f"no family begins with {a.only}")
    if a.held and not names(held=True):
        p.error("held_out.txt names no family: write the names of the families to keep back there, one a line")
    return a


def main():
    a = arguments()
    for program in drawn(a, Index() if a.decontaminate else None):
        print(json.dumps(program))


if __name__ == "__main__":
    main()
