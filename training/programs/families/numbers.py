"""Whole numbers: digits, divisors, sequences, bits."""

from ..registry import family


@family
def gcd_loop(d):
    """Euclid's algorithm by remainders."""
    f, (a, b) = d.fn(), d.v(2)
    step = d.r.choice([f"        {a}, {b} = {b}, {a} % {b}\n", f"        {a} = {a} % {b}\n        {a}, {b} = {b}, {a}\n"])
    return f"def {f}({a}, {b}):\n    while {b}{d.r.choice([' != 0', '', ' > 0'])}:\n{step}    return {a}\n", f"{f}({d.r.randint(1, 99)}, {d.r.randint(0, 60)})"


@family
def digits_loop(d):
    """A number taken apart by its digits."""
    f, (n, out, digit) = d.fn(), d.v(3)
    body = d.r.choice([f"        {out} += {n} % 10\n", f"        {digit} = {n} % 10\n        {out} = {out} * 10 + {digit}\n", f"        {out} += 1\n"])
    return f"def {f}({n}):\n    {out} = 0\n    while {n} > 0:\n{body}        {n} //= 10\n    return {out}\n", f"{f}({d.r.randint(0, 9999)})"


@family
def primes(d):
    """Trial division with early returns."""
    f, (n, k) = d.fn(), d.v(2)
    return f"def {f}({n}):\n    if {n} < 2:\n        return False\n    {k} = 2\n    while {k} * {k} <= {n}:\n        if {n} % {k} == 0:\n            return False\n        {k} += 1\n    return True\n", f"{f}({d.r.randint(0, 40)})"


@family
def fizzbuzz(d):
    """Words for multiples, numbers otherwise."""
    f, (n, i, out) = d.fn(), d.v(3)
    a, b = d.r.sample([2, 3, 4, 5], 2)
    wa, wb = d.r.sample(["fizz", "buzz", "ping", "pong", "a", "b"], 2)
    return (f"def {f}({n}):\n    {out} = []\n    for {i} in range(1, {n} + 1):\n        if {i} % {a} == 0:\n            {out}.append({wa!r})\n        elif {i} % {b} == 0:\n            {out}.append({wb!r})\n"
            f"        else:\n            {out}.append({i})\n    return {out}\n", f"{f}({d.r.randint(1, 6)})")


@family
def helper_chain(d):
    """Three functions, each calling the one before."""
    f, g, h = d.fn(), d.fn(), d.fn()
    x, y, z = d.v(3)
    return (f"def {f}({x}):\n    return {x} {d.r.choice('+-*')} {d.small(1)}\ndef {g}({x}):\n    {y} = {f}({x}){d.r.choice([f' + {f}({d.small()})', ''])}\n    return {y}\n"
            f"def {h}({x}):\n    {z} = {g}({x} + 1)\n    {y} = {f}({z})\n    return {d.r.choice([y, f'{y} - {z}'])}\n", f"{h}({d.integer()})")


@family
def arithmetic(d):
    """A ladder of single operations on numbers of several digits."""
    f, (a, b) = d.fn(), d.v(2)
    number = lambda: d.r.choice([d.r.randint(0, 20), d.r.randint(0, 99), d.r.randint(10, 400), -d.r.randint(1, 60)])
    lines, known = [], [a, b]
    for name in d.v(d.r.randint(2, 6)):
        op = d.r.choice(["%", "%", "%", "//", "//", "//", "+", "-", "*"])
        right = str(d.r.choice([2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])) if op != "+" or d.r.random() < 0.4 else d.r.choice(known)
        lines.append(f"    {name} = {d.r.choice(known)} {op} {right}\n")
        known.append(name)
    return f"def {f}({a}, {b}):\n{''.join(lines)}    return {d.r.choice(known[2:])}\n", f"{f}({number()}, {number()})"
