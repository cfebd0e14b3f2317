"""Sorting by hand and by `sorted`, `sort` and keys."""

from ..registry import family


@family
def bubble_sort(d):
    """Neighbours swapped until in order."""
    f, (xs, i, j) = d.fn(), d.v(3)
    op = d.r.choice([">", ">", "<"])
    n = d.r.choice([f"len({xs})", "n"])
    head = "" if n.startswith("len") else f"    n = len({xs})\n"
    return (f"def {f}({xs}):\n{head}    for {i} in range({n}{d.r.choice(['', ' - 1'])}):\n        for {j} in range({n} - 1{d.r.choice(['', f' - {i}'])}):\n"
            f"            if {xs}[{j}] {op} {xs}[{j} + 1]:\n                {xs}[{j}], {xs}[{j} + 1] = {xs}[{j} + 1], {xs}[{j}]\n    return {xs}\n", f"{f}({d.ints(1, 4)!r})")


@family
def insertion_sort(d):
    """Each item moved left to its place."""
    f, (xs, i, j, key) = d.fn(), d.v(4)
    return (f"def {f}({xs}):\n    for {i} in range(1, len({xs})):\n        {key} = {xs}[{i}]\n        {j} = {i} - 1\n"
            f"        while {j} >= 0 and {xs}[{j}] > {key}:\n            {xs}[{j} + 1] = {xs}[{j}]\n            {j} -= 1\n        {xs}[{j} + 1] = {key}\n    return {xs}\n", f"{f}({d.ints(1, 4)!r})")
