"""Dicts as counters, indexes and records."""

from ..registry import family


@family
def word_table(d):
    """Counting words, or what is taken from them, in a dict."""
    f, (words, table, w) = d.fn(), d.v(3)
    key = d.r.choice([w, w, f"{w}[0]", f"len({w})"])
    update = d.r.choice([
        f"        {table}[{key}] = {table}.get({key}, 0) + 1\n",
        f"        if {key} in {table}:\n            {table}[{key}] += 1\n        else:\n            {table}[{key}] = 1\n",
        f"        if {key} not in {table}:\n            {table}[{key}] = 0\n        {table}[{key}] += 1\n",
    ])
    split = d.r.random() < 0.5
    few = d.words(2, 3)
    items = [d.r.choice(few) for _ in range(d.r.randint(2, 5))]
    arg = repr(" ".join(items)) if split else repr(items)
    return f"def {f}({words}):\n    {table} = {{}}\n    for {w} in {words}{'.split()' if split else ''}:\n{update}    return {table}\n", f"{f}({arg})"
