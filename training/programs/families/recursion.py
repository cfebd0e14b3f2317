"""Functions that call themselves."""

from ..registry import family


@family
def countdown(d):
    """Recursion on a falling number, with work after the call."""
    f, (n, acc) = d.fn(), d.v(2)
    op, step = d.r.choice(["+", "*", "-"]), d.r.choice(["1", "1", "1", "2"])
    base = d.r.choice(["0", "1"])
    return (f"def {f}({n}):\n    if {n} <= {base}:\n        return {d.r.choice([base, n, '1'])}\n"
            f"    {acc} = {f}({n} - {step})\n    return {n} {op} {acc}\n", f"{f}({d.r.randint(0, 5)})")


@family
def direct_recursion(d):
    """One function that calls itself, over numbers, texts and lists."""
    f, (n,) = d.fn(), d.v(1)
    kind = d.r.choice(["fact", "sum", "fib", "digits", "reverse", "total", "palindrome"])
    body, arg = {
        "fact": ([f"if {n} <= 1:", "    return 1", f"return {n} * {f}({n} - 1)"], d.r.randint(0, 6)),
        "sum": ([f"if {n} == 0:", "    return 0", f"return {n} + {f}({n} - 1)"], d.r.randint(0, 6)),
        "fib": ([f"if {n} < 2:", f"    return {n}", f"return {f}({n} - 1) + {f}({n} - 2)"], d.r.randint(0, 4)),
        "digits": ([f"if {n} < 10:", f"    return {n}", f"return {n} % 10 + {f}({n} // 10)"], d.r.randint(0, 9999)),
        "reverse": ([f"if len({n}) <= 1:", f"    return {n}", f"return {f}({n}[1:]) + {n}[0]"], d.string()[:6]),
        "total": ([f"if not {n}:", "    return 0", f"return {n}[0] + {f}({n}[1:])"], d.ints(0, 4)),
        "palindrome": ([f"if len({n}) < 2:", "    return True", f"return {n}[0] == {n}[-1] and {f}({n}[1:-1])"], d.r.choice([d.string()[:6], "level", "noon", "abba", "radar"])),
    }[kind]
    return f"def {f}({n}):\n" + "".join(f"    {line}\n" for line in body), f"{f}({arg!r})"


@family
def two_parameter_recursion(d):
    """Recursion in which both arguments move."""
    f, (a, b) = d.fn(), d.v(2)
    kind = d.r.choice(["gcd", "power", "accumulate"])
    body, args = {
        "gcd": ([f"if {b} == 0:", f"    return {a}", f"return {f}({b}, {a} % {b})"], (d.r.randint(1, 90), d.r.randint(0, 60))),
        "power": ([f"if {b} == 0:", "    return 1", f"return {a} * {f}({a}, {b} - 1)"], (d.r.randint(0, 9), d.r.randint(0, 4))),
        "accumulate": ([f"if {a} == 0:", f"    return {b}", f"return {f}({a} - 1, {b} + {a})"], (d.r.randint(0, 5), d.integer())),
    }[kind]
    return f"def {f}({a}, {b}):\n" + "".join(f"    {line}\n" for line in body), f"{f}{args!r}"
