"""Parameterised families: one function a family, giving (program text, entry call).

Each draws its own names, constants and inputs, so that no two programs are alike while
the construct it teaches stays. They cover what random programs rarely form: recursion,
generators, closures, exceptions that travel, `finally`, `while ... else`, module-level
scripts, classes that raise.
"""

from .expressions import Expressions
from .pools import CLASSES, FUNCTIONS, WORDS


class Draw(Expressions):
    """Distinct names and inputs for one program."""

    def __init__(self, rng, easy=False):
        super().__init__(rng, easy)
        self.r = rng

    def fn(self):
        return self.fresh(lambda: self.rng.choice(FUNCTIONS))

    def v(self, count):
        return [self.fresh() for _ in range(count)]

    def ints(self, low=2, high=6):
        return [self.integer() for _ in range(self.rng.randint(low, high))]

    def words(self, low=2, high=5):
        return [self.rng.choice(WORDS) for _ in range(self.rng.randint(low, high))]


def countdown(d):
    f, (n, acc) = d.fn(), d.v(2)
    op, step = d.r.choice(["+", "*", "-"]), d.r.choice(["1", "1", "1", "2"])
    base = d.r.choice(["0", "1"])
    return (f"def {f}({n}):\n    if {n} <= {base}:\n        return {d.r.choice([base, n, '1'])}\n"
            f"    {acc} = {f}({n} - {step})\n    return {n} {op} {acc}\n", f"{f}({d.r.randint(0, 5)})")


def direct_recursion(d):
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


def two_parameter_recursion(d):
    f, (a, b) = d.fn(), d.v(2)
    kind = d.r.choice(["gcd", "power", "accumulate"])
    body, args = {
        "gcd": ([f"if {b} == 0:", f"    return {a}", f"return {f}({b}, {a} % {b})"], (d.r.randint(1, 90), d.r.randint(0, 60))),
        "power": ([f"if {b} == 0:", "    return 1", f"return {a} * {f}({a}, {b} - 1)"], (d.r.randint(0, 9), d.r.randint(0, 4))),
        "accumulate": ([f"if {a} == 0:", f"    return {b}", f"return {f}({a} - 1, {b} + {a})"], (d.r.randint(0, 5), d.integer())),
    }[kind]
    return f"def {f}({a}, {b}):\n" + "".join(f"    {line}\n" for line in body), f"{f}{args!r}"


def gcd_loop(d):
    f, (a, b) = d.fn(), d.v(2)
    step = d.r.choice([f"        {a}, {b} = {b}, {a} % {b}\n", f"        {a} = {a} % {b}\n        {a}, {b} = {b}, {a}\n"])
    return f"def {f}({a}, {b}):\n    while {b}{d.r.choice([' != 0', '', ' > 0'])}:\n{step}    return {a}\n", f"{f}({d.r.randint(1, 99)}, {d.r.randint(0, 60)})"


def count_matching(d):
    f, (text, wanted, total, ch) = d.fn(), d.v(4)
    main = d.fn()
    test = d.r.choice([f"        if {ch} == {wanted}:\n            {total} += 1\n", f"        {total} += int({ch} == {wanted})\n", f"        {total} = {total} + ({ch} == {wanted})\n"])
    word = d.r.choice(WORDS)
    call = f"{f}({word!r}, {d.r.choice(word + 'ae')!r})"
    program = f"def {f}({text}, {wanted}):\n    {total} = 0\n    for {ch} in {text}:\n{test}    return {total}\n"
    if d.r.random() < 0.5:
        return program + f"def {main}():\n    return {call}\n", f"{main}()"
    return program, call


def word_table(d):
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


def bubble_sort(d):
    f, (xs, i, j) = d.fn(), d.v(3)
    op = d.r.choice([">", ">", "<"])
    n = d.r.choice([f"len({xs})", "n"])
    head = "" if n.startswith("len") else f"    n = len({xs})\n"
    return (f"def {f}({xs}):\n{head}    for {i} in range({n}{d.r.choice(['', ' - 1'])}):\n        for {j} in range({n} - 1{d.r.choice(['', f' - {i}'])}):\n"
            f"            if {xs}[{j}] {op} {xs}[{j} + 1]:\n                {xs}[{j}], {xs}[{j} + 1] = {xs}[{j} + 1], {xs}[{j}]\n    return {xs}\n", f"{f}({d.ints(1, 4)!r})")


def insertion_sort(d):
    f, (xs, i, j, key) = d.fn(), d.v(4)
    return (f"def {f}({xs}):\n    for {i} in range(1, len({xs})):\n        {key} = {xs}[{i}]\n        {j} = {i} - 1\n"
            f"        while {j} >= 0 and {xs}[{j}] > {key}:\n            {xs}[{j} + 1] = {xs}[{j}]\n            {j} -= 1\n        {xs}[{j} + 1] = {key}\n    return {xs}\n", f"{f}({d.ints(1, 4)!r})")


def binary_search(d):
    f, (xs, t, lo, hi, mid) = d.fn(), d.v(5)
    items = sorted(set(d.ints(2, 7)))
    target = d.r.choice([*items, d.integer()])
    return (f"def {f}({xs}, {t}):\n    {lo} = 0\n    {hi} = len({xs}) - 1\n    while {lo} <= {hi}:\n        {mid} = ({lo} + {hi}) // 2\n"
            f"        if {xs}[{mid}] == {t}:\n            return {mid}\n        {d.r.choice(['if', 'elif'])} {xs}[{mid}] < {t}:\n            {lo} = {mid} + 1\n"
            f"        else:\n            {hi} = {mid} - 1\n    return -1\n", f"{f}({items!r}, {target})")


def search_for_else(d):
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


def generator(d):
    f, g, (n, i, x, out) = d.fn(), d.fn(), d.v(4)
    body, arg = d.r.choice([
        (f"    {i} = {d.r.choice('01')}\n    while {i} < {n}:\n        yield {i}{d.r.choice(['', ' * 2', ' ** 2'])}\n        {i} += 1\n", d.r.randint(1, 4)),
        (f"    for {i} in range({n}):\n        if {i} % 2 == {d.r.choice('01')}:\n            yield {i}\n", d.r.randint(2, 5)),
        (f"    yield {n}\n    yield {n} + 1\n    yield {n} * 2\n", d.integer()),
        (f"    while {n} > 0:\n        yield {n} % 10\n        {n} //= 10\n", d.r.randint(1, 999)),
    ])
    use = d.r.choice([
        f"    {out} = []\n    for {x} in {g}({n}):\n        {out}.append({x})\n    return {out}\n",
        f"    {out} = 0\n    for {x} in {g}({n}):\n        {out} += {x}\n    return {out}\n",
        f"    {out} = list({g}({n}))\n    return {out}\n",
        f"    {out} = sum({g}({n}))\n    return {out}\n",
        f"    {x} = {g}({n})\n    {out} = next({x})\n    return {out}\n",
    ])
    return f"def {g}({n}):\n{body}def {f}({n}):\n{use}", f"{f}({arg})"


def closure(d):
    f, g, main = d.fn(), d.fn(), d.fn()
    n, x, h, out = d.v(4)
    if d.r.random() < 0.5:
        op = d.r.choice("+*-")
        return (f"def {f}({n}):\n    def {g}({x}):\n        return {x} {op} {n}\n    return {g}\ndef {main}({out}):\n    {h} = {f}({d.small()})\n    return {h}({out}) + {h}({d.small()})\n", f"{main}({d.integer()})")
    return (f"def {f}():\n    {n} = {d.r.choice(['0', d.small()])}\n    def {g}():\n        nonlocal {n}\n        {n} += {d.small(1)}\n        return {n}\n    return {g}\n"
            f"def {main}():\n    {h} = {f}()\n    {h}()\n    {out} = {h}()\n    return {out}\n", f"{main}()")


def travelling_exception(d):
    f, main = d.fn(), d.fn()
    x, y, out = d.v(3)
    error = d.r.choice(["ValueError", "KeyError", "RuntimeError", "TypeError"])
    message = d.r.choice(["bad", "negative", "too big", "no", "empty"])
    catch = d.r.choice([error, error, "Exception", "LookupError"])
    limit = d.small(0, 6)
    tail = f"    finally:\n        {y} = {d.small()}\n" if d.r.random() < 0.4 else ""
    use = d.r.choice([f"        {out} = -1\n", f"        {out} = str(error)\n", f"        {out} = {d.small()}\n"])
    caught = f"    except {catch}{' as error' if 'error)' in use else ''}:\n{use}"
    if d.r.random() < 0.15 and tail:
        caught = ""
    if not caught and not tail:
        caught = f"    except {error}:\n        {out} = 0\n"
    return (f"def {f}({x}):\n    if {x} {d.r.choice('<>')} {limit}:\n        raise {error}({message!r})\n    return {x} * {d.small()}\n"
            f"def {main}({x}):\n    {out} = 0\n    try:\n        {out} = {f}({x})\n{caught}{tail}    return {out}\n", f"{main}({d.r.randint(-3, 9)})")


def uncaught(d):
    f, main = d.fn(), d.fn()
    x, y = d.v(2)
    risky = d.r.choice([f"{x} // ({x} - {x})", f"[{x}][{x} + 1]", "int('x')", f"{{}}[{x}]", f"{x}.size", f"{x} + 'a'"])
    return f"def {f}({x}):\n    {y} = {x} + {d.small()}\n    return {risky}\ndef {main}({x}):\n    {y} = {x} * 2\n    return {f}({y}) + 1\n", f"{main}({d.r.randint(1, 9)})"


def raising_class(d):
    c, (o, v) = d.r.choice(CLASSES), d.v(2)
    main, field, put, take = d.fn(), *d.r.sample(["balance", "level", "total", "size", "stock"], 1), *d.r.sample(["add", "deposit", "put", "fill"], 1), *d.r.sample(["take", "withdraw", "remove", "use"], 1)
    n = d.r.choice(["amount", "n", "value", "x"])
    caught = d.r.random() < 0.7
    program = (f"class {c}:\n    def __init__(self, {field}):\n        self.{field} = {field}\n    def {put}(self, {n}):\n        self.{field} += {n}\n"
               f"    def {take}(self, {n}):\n        if {n} > self.{field}:\n            raise ValueError({d.r.choice(['not enough', 'too much', 'empty'])!r})\n        self.{field} -= {n}\n        return self.{field}\n"
               f"def {main}({v}):\n    {o} = {c}({d.small(0, 9)})\n    {o}.{put}({d.small()})\n")
    if caught:
        program += f"    try:\n        {o}.{take}({v})\n    except ValueError as error:\n        return str(error)\n    return {o}.{field}\n"
    else:
        program += f"    {o}.{take}({v})\n    return {o}.{field}\n"
    return program, f"{main}({d.r.randint(0, 25)})"


def stack_class(d):
    c, (s, x, out) = d.r.choice(["Stack", "Queue", "Bag", "Line"]), d.v(3)
    main, items = d.fn(), d.r.choice(["items", "data", "values"])
    push, pop = d.r.choice(["push", "add", "put"]), d.r.choice(["pop", "take", "get"])
    where = d.r.choice(["", "0"])
    return (f"class {c}:\n    def __init__(self):\n        self.{items} = []\n    def {push}(self, {x}):\n        self.{items}.append({x})\n    def {pop}(self):\n"
            f"        if not self.{items}:\n            return None\n        return self.{items}.pop({where})\n"
            f"def {main}({out}):\n    {s} = {c}()\n    for {x} in {out}:\n        {s}.{push}({x})\n    return {s}.{pop}()\n", f"{main}({d.r.choice([d.ints(0, 3), d.words(1, 2)])!r})")


def matrix(d):
    f, (m, row, x, total) = d.fn(), d.v(4)
    rows = [[d.r.randint(0, 9) for _ in range(2)] for _ in range(d.r.randint(1, 3))]
    inner = d.r.choice([f"        for {x} in {row}:\n            {total} += {x}\n", f"        {total} += sum({row})\n", f"        {total} = max({total}, {row}[0])\n"])
    return f"def {f}({m}):\n    {total} = 0\n    for {row} in {m}:\n{inner}    return {total}\n", f"{f}({rows!r})"


def build_text(d):
    f, (xs, x, out) = d.fn(), d.v(3)
    piece = d.r.choice([f"{x}[0]", f"{x}.upper()", f"{x}[::-1]", f"{x} + {d.r.choice(['-', ' ', ','])!r}", f"{x}.capitalize()", f"f'<{{{x}}}>'"])
    return f"def {f}({xs}):\n    {out} = ''\n    for {x} in {xs}:\n        {out} += {piece}\n    return {out}\n", f"{f}({d.words(1, 4)!r})"


def running_values(d):
    f, (xs, x, best, total) = d.fn(), d.v(4)
    body, last = d.r.choice([
        (f"        if {x} > {best}:\n            {best} = {x}\n", best),
        (f"        {total} += {x}\n        {best} = max({best}, {x})\n", f"({total}, {best})"),
        (f"        {total} += {x}\n        if {total} > {d.small()}:\n            break\n", total),
        (f"        if {x} % 2:\n            continue\n        {total} += {x}\n", total),
    ])
    return f"def {f}({xs}):\n    {best} = {d.r.choice([f'{xs}[0]', '0'])}\n    {total} = 0\n    for {x} in {xs}:\n{body}    return {last}\n", f"{f}({d.ints(1, 5)!r})"


def digits_loop(d):
    f, (n, out, digit) = d.fn(), d.v(3)
    body = d.r.choice([f"        {out} += {n} % 10\n", f"        {digit} = {n} % 10\n        {out} = {out} * 10 + {digit}\n", f"        {out} += 1\n"])
    return f"def {f}({n}):\n    {out} = 0\n    while {n} > 0:\n{body}        {n} //= 10\n    return {out}\n", f"{f}({d.r.randint(0, 9999)})"


def primes(d):
    f, (n, k) = d.fn(), d.v(2)
    return f"def {f}({n}):\n    if {n} < 2:\n        return False\n    {k} = 2\n    while {k} * {k} <= {n}:\n        if {n} % {k} == 0:\n            return False\n        {k} += 1\n    return True\n", f"{f}({d.r.randint(0, 40)})"


def fizzbuzz(d):
    f, (n, i, out) = d.fn(), d.v(3)
    a, b = d.r.sample([2, 3, 4, 5], 2)
    wa, wb = d.r.sample(["fizz", "buzz", "ping", "pong", "a", "b"], 2)
    return (f"def {f}({n}):\n    {out} = []\n    for {i} in range(1, {n} + 1):\n        if {i} % {a} == 0:\n            {out}.append({wa!r})\n        elif {i} % {b} == 0:\n            {out}.append({wb!r})\n"
            f"        else:\n            {out}.append({i})\n    return {out}\n", f"{f}({d.r.randint(1, 6)})")


def helper_chain(d):
    f, g, h = d.fn(), d.fn(), d.fn()
    x, y, z = d.v(3)
    return (f"def {f}({x}):\n    return {x} {d.r.choice('+-*')} {d.small(1)}\ndef {g}({x}):\n    {y} = {f}({x}){d.r.choice([f' + {f}({d.small()})', ''])}\n    return {y}\n"
            f"def {h}({x}):\n    {z} = {g}({x} + 1)\n    {y} = {f}({z})\n    return {d.r.choice([y, f'{y} - {z}'])}\n", f"{h}({d.integer()})")


def comprehensions(d):
    f, (xs, x, out, more) = d.fn(), d.v(4)
    first = d.r.choice([f"[{x} * {d.small()} for {x} in {xs}]", f"[{x} for {x} in {xs} if {x} % 2 == {d.r.choice('01')}]", f"[{x} ** 2 for {x} in {xs}]", f"{{{x}: {x} * 2 for {x} in {xs}}}"])
    last = d.r.choice([f"len({out})", out, f"sum({out})"])
    return f"def {f}({xs}):\n    {out} = {first}\n    {more} = {last}\n    return {more}\n", f"{f}({d.ints(1, 4)!r})"


def module_script(d):
    a, b, x = d.v(3)
    f = d.fn()
    kind = d.r.randrange(4)
    if kind == 0:
        return f"{a} = {d.ints(1, 4)!r}\n{b} = 0\nfor {x} in {a}:\n    {b} += {x}\nprint({b})\n", "<module>"
    if kind == 1:
        return f"def {f}({x}):\n    return {x} {d.r.choice('+-*')} {d.small()}\n\n{a} = {d.integer()}\n{b} = {f}({a})\nprint({b})\n", "<module>"
    if kind == 2:
        return f"{a} = {d.r.choice(WORDS)!r}\n{b} = ''\nfor {x} in {a}:\n    {b} = {x} + {b}\nprint({b})\n", "<module>"
    return f"{a} = {d.r.randint(1, 4)}\n{b} = []\nwhile {a} > 0:\n    {b}.append({a})\n    {a} -= 1\nif len({b}) > {d.small(1, 3)}:\n    print('long', {b})\nelse:\n    print('short')\n", "<module>"


def echo(d):
    """A text made of few distinct pieces, handed on without change: copying must not lose its place."""
    f, g, (text, held, again) = d.fn(), d.fn(), d.v(3)
    few = [d.r.choice(WORDS) for _ in range(d.r.randint(1, 3))] + d.r.choice([[], ["or"], ["a"], ["the"]])
    text_value = d.r.choice([" ", " ", "-", "", ", "]).join(d.r.choice(few) for _ in range(d.r.randint(2, 7)))
    use = d.r.choice([held, f"[{held}, {again}]", f"({held}, len({held}))", f"{{{held}: {d.small()}}}"])
    main = f"def {f}({text}):\n    {held} = {text}\n    {again} = {g}({held})\n    return {use}\n"
    inner = f"def {g}({text}):\n    {held} = {d.r.choice([f'[{text}]', f'({text}, {text})', text])}\n    return {d.r.choice([text, held])}\n"
    return inner + main, f"{f}({text_value!r})"


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


def built_at_once(d):
    """Sets, dicts and lists made by one comprehension over a range or a text."""
    f, (n, x, out) = d.fn(), d.v(3)
    over, arg = d.r.choice([(f"range({n})", d.r.randint(0, 8)), (f"range(1, {n} + 1)", d.r.randint(0, 7)), (f"range(0, {n}, {d.small(2, 3)})", d.r.randint(0, 15))])
    made = d.r.choice([
        f"{{{x} % {d.small(2, 5)} for {x} in {over}}}", f"{{{x} * {x} for {x} in {over}}}", f"{{{x}: {x} ** 2 for {x} in {over}}}",
        f"{{{x} for {x} in {over} if {x} % {d.small(2, 4)} == 0}}", f"[({x}, {x} % {d.small(2, 4)}) for {x} in {over}]", f"[{x} // {d.small(2, 4)} for {x} in {over}]",
    ])
    return f"def {f}({n}):\n    {out} = {made}\n    return {d.r.choice([out, f'len({out})', f'sorted({out})'])}\n", f"{f}({arg})"


FAMILIES = [
    countdown, direct_recursion, two_parameter_recursion, gcd_loop, count_matching, word_table, bubble_sort,
    insertion_sort, binary_search, search_for_else, generator, closure, travelling_exception, uncaught,
    raising_class, stack_class, matrix, build_text, running_values, digits_loop, primes, fizzbuzz,
    helper_chain, comprehensions, module_script,
    echo, arithmetic, arithmetic, pairs, built_at_once,
]  # fmt: skip


def draw(rng):
    """(family name, program text, entry)."""
    family = rng.choice(FAMILIES)
    text, entry = family(Draw(rng))
    return family.__name__, text, entry
