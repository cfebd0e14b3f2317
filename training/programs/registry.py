"""The families by name.

A family is a function of a `Draw` that gives (program text, entry): a call of literals, or
`<module>` for a script. Its name is what `held_out.txt` and the reports call it.
"""

from .draw import Draw
from .dress import dress

FAMILIES = {}
RAISING = set()  # families out of whose entry an exception may travel


def family(function=None, *, raises=False):
    """Registers a family under its function's name: `@family`, or `@family(raises=True)` where the
    entry may end in an exception. A name is taken once."""

    def register(function):
        name = function.__name__
        if name in FAMILIES:
            raise ValueError(f"two families are called {name}: {FAMILIES[name].__module__} and {function.__module__}")
        FAMILIES[name] = function
        if raises:
            RAISING.add(name)
        return function

    return register(function) if function else register


def make(name, rng):
    """(program text, entry) of one family, in the dress its program happens to wear."""
    return dress(rng, *FAMILIES[name](Draw(rng)))
