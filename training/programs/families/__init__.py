"""The families, one module a theme; importing this registers them all."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from ..mutations import mutated
from ..registry import FAMILIES
from ..rewriting import rewritten
from ..together import SHARES, make_together

for module in sorted(m.name for m in iter_modules(__path__)):
    import_module(f"{__name__}.{module}")

MUTATED = 0.1  # share of programs with a slip in them
HELD_OUT = Path(__file__).resolve().parent.parent / "held_out.txt"  # never trained on, one name a line


def names(held=False):
    """The families to train on, or with `held` those kept back, in alphabetical order."""
    kept_back = set(HELD_OUT.read_text().split()) if HELD_OUT.exists() else set()
    if unknown := kept_back - FAMILIES.keys():
        raise ValueError(f"{HELD_OUT.name} names no family: {', '.join(sorted(unknown))}")
    return sorted(kept_back if held else FAMILIES.keys() - kept_back)


def draw(rng, held=False, only=""):
    """(family name, program text, entry): a family drawn evenly of those whose names begin with
    `only`, often with functions of others beside it, now and then with a slip in it."""
    drawn = [rng.choice([name for name in names(held) if name.startswith(only)]) for _ in range(rng.choice(SHARES))]
    text, entry = rewritten(*make_together(drawn, rng), rng)
    return drawn[0], mutated(text, rng) if rng.random() < MUTATED else text, entry
