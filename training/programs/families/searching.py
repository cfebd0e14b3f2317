"""Looking for an item, a place or a reason."""

from ..registry import family


@family
def binary_search(d):
    """Halving a sorted list."""
    f, (xs, t, lo, hi, mid) = d.fn(), d.v(5)
    items = sorted(set(d.ints(2, 7)))
    target = d.r.choice([*items, d.integer()])
    return (f"def {f}({xs}, {t}):\n    {lo} = 0\n    {hi} = len({xs}) - 1\n    while {lo} <= {hi}:\n        {mid} = ({lo} + {hi}) // 2\n"
            f"        if {xs}[{mid}] == {t}:\n            return {mid}\n        {d.r.choice(['if', 'elif'])} {xs}[{mid}] < {t}:\n            {lo} = {mid} + 1\n"
            f"        else:\n            {hi} = {mid} - 1\n    return -1\n", f"{f}({items!r}, {target})")


@family
def search_for_else(d):
    """A search whose loop has an `else`."""
    f, (xs, x, found) = d.fn(), d.v(3)
    k = d.small(2, 5)
    loop = d.r.choice(["for", "while"])
    if loop == "for":
        program = (f"def {f}({xs}):\n    for {x} in {xs}:\n        if {x} % {k} == 0:\n            {found} = {x}\n            break\n"
                   f"    else:\n        {found} = {d.r.choice(['-1', 'None', '0'])}\n    return {found}\n")
        return program, f"{f}({d.ints(1, 5)!r})"
    program = (f"def {f}({x}):\n    {found} = 0\n    while {x} > 1:\n        if {x} % {k} == {d.r.choice('01')}:\n            break\n        {x} -= 1\n        {found} += 1\n"
               f"    else:\n        {found} = -1\n    return {found}\n")
    return program, f"{f}({d.r.randint(1, 9)})"
