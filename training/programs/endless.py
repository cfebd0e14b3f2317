"""Programs built to loop for ever: a counter that misses its end, a wrong step, a condition that
nothing in the loop changes; in the entry itself, or in what it calls.

Their recordings are cut, and `"never": true` tells `foretrace dataset` why: moves that never
stop are then answered by the exit *never*.
"""

from .draw import Draw


def endless(rng):
    """(program text, entry call)"""
    d = Draw(rng)
    f, g = d.fn(), d.fn()
    n, k, out = d.v(3)
    low, odd = rng.randint(0, 9), 2 * rng.randint(1, 20) + 1
    loop = rng.choice([
        [f"while {n} != 0:", f"    {n} -= 2"],
        [f"while {n} > 0:", f"    {k} = {n} % {rng.randint(2, 5)}"],
        ["while True:", f"    {n} += {rng.randint(1, 3)}"],
        [f"while {n} < {odd + 100}:", f"    {n} += 1", f"    {n} -= 1"],
        [f"while {n} >= {odd}:", f"    {n} = {n} + {rng.randint(1, 4)}"],
        [f"{out} = [{n}]", f"for {k} in {out}:", f"    {out}.append({k})", f"    {out}.pop(0)", f"    {out}.insert(0, {n})"],
        [f"{k} = {low}", f"while {k} < {low + rng.randint(2, 6)}:", f"    {n} = {n} + {k}"],
    ])
    body = "".join(f"    {line}\n" for line in loop)
    text = f"def {f}({n}):\n{body}    return {n}\n"
    if rng.random() < 0.5:
        return text, f"{f}({odd})"
    before = rng.choice([f"{k} = {low}", f"{k} = {out} + {low}", f"{k} = {out} * 2 + 1"])
    return text + f"\ndef {g}({out}):\n    {before}\n    {k} = {k} + {f}({out})\n    return {k}\n", f"{g}({odd})"
