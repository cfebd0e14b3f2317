"""Comprehensions of every kind, and generator expressions."""

from ..registry import family


@family
def comprehensions(d):
    """One comprehension, then a use of it."""
    f, (xs, x, out, more) = d.fn(), d.v(4)
    first = d.r.choice([f"[{x} * {d.small()} for {x} in {xs}]", f"[{x} for {x} in {xs} if {x} % 2 == {d.r.choice('01')}]", f"[{x} ** 2 for {x} in {xs}]", f"{{{x}: {x} * 2 for {x} in {xs}}}"])
    last = d.r.choice([f"len({out})", out, f"sum({out})"])
    return f"def {f}({xs}):\n    {out} = {first}\n    {more} = {last}\n    return {more}\n", f"{f}({d.ints(1, 4)!r})"


@family
def built_at_once(d):
    """Sets, dicts and lists made by one comprehension over a range or a text."""
    f, (n, x, out) = d.fn(), d.v(3)
    over, arg = d.r.choice([(f"range({n})", d.r.randint(0, 8)), (f"range(1, {n} + 1)", d.r.randint(0, 7)), (f"range(0, {n}, {d.small(2, 3)})", d.r.randint(0, 15))])
    made = d.r.choice([
        f"{{{x} % {d.small(2, 5)} for {x} in {over}}}", f"{{{x} * {x} for {x} in {over}}}", f"{{{x}: {x} ** 2 for {x} in {over}}}",
        f"{{{x} for {x} in {over} if {x} % {d.small(2, 4)} == 0}}", f"[({x}, {x} % {d.small(2, 4)}) for {x} in {over}]", f"[{x} // {d.small(2, 4)} for {x} in {over}]",
    ])
    return f"def {f}({n}):\n    {out} = {made}\n    return {d.r.choice([out, f'len({out})', f'sorted({out})'])}\n", f"{f}({arg})"
