"""Lists built, walked and changed in place."""

from ..pools import WORDS
from ..registry import family


@family
def running_values(d):
    """Best and total so far, with `break` and `continue`."""
    f, (xs, x, best, total) = d.fn(), d.v(4)
    body, last = d.r.choice([
        (f"        if {x} > {best}:\n            {best} = {x}\n", best),
        (f"        {total} += {x}\n        {best} = max({best}, {x})\n", f"({total}, {best})"),
        (f"        {total} += {x}\n        if {total} > {d.small()}:\n            break\n", total),
        (f"        if {x} % 2:\n            continue\n        {total} += {x}\n", total),
    ])
    return f"def {f}({xs}):\n    {best} = {d.r.choice([f'{xs}[0]', '0'])}\n    {total} = 0\n    for {x} in {xs}:\n{body}    return {last}\n", f"{f}({d.ints(1, 5)!r})"


@family
def matrix(d):
    """Rows of numbers, walked."""
    f, (m, row, x, total) = d.fn(), d.v(4)
    rows = [[d.r.randint(0, 9) for _ in range(2)] for _ in range(d.r.randint(1, 3))]
    inner = d.r.choice([f"        for {x} in {row}:\n            {total} += {x}\n", f"        {total} += sum({row})\n", f"        {total} = max({total}, {row}[0])\n"])
    return f"def {f}({m}):\n    {total} = 0\n    for {row} in {m}:\n{inner}    return {total}\n", f"{f}({rows!r})"


@family
def pairs(d):
    """Lists of tuples, built, walked and unpacked."""
    f, (rows, left, right, out) = d.fn(), d.v(4)
    value = [(d.r.choice(WORDS), d.integer()) for _ in range(d.r.randint(1, 4))]
    body, start = d.r.choice([
        (f"        {out}.append(({right}, {left}))\n", "[]"),
        (f"        {out}[{left}] = {right}\n", "{}"),
        (f"        {out} += {right}\n", "0"),
        (f"        if {right} > {d.small()}:\n            {out}.append({left})\n", "[]"),
    ])
    given = value if d.r.random() < 0.5 else None
    walk = rows if given is not None else f"{rows}.items()"
    return (f"def {f}({rows}):\n    {out} = {start}\n    for {left}, {right} in {walk}:\n{body}    return {out}\n",
            f"{f}({(given if given is not None else dict(value))!r})")
