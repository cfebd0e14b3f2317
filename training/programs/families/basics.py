"""One of each thing that random programs rarely form."""

from ..pools import CLASSES, WORDS
from ..registry import family


@family
def generator(d):
    """A generator, and each way its values are used."""
    f, g, (n, i, x, out) = d.fn(), d.fn(), d.v(4)
    body, arg = d.r.choice([
        (f"    {i} = {d.r.choice('01')}\n    while {i} < {n}:\n        yield {i}{d.r.choice(['', ' * 2', ' ** 2'])}\n        {i} += 1\n", d.r.randint(2, 4)),
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


@family
def closure(d):
    """A function that keeps the variables it was made with."""
    f, g, main = d.fn(), d.fn(), d.fn()
    n, x, h, out = d.v(4)
    if d.r.random() < 0.5:
        op = d.r.choice("+*-")
        return (f"def {f}({n}):\n    def {g}({x}):\n        return {x} {op} {n}\n    return {g}\ndef {main}({out}):\n    {h} = {f}({d.small()})\n    return {h}({out}) + {h}({d.small()})\n", f"{main}({d.integer()})")
    return (f"def {f}():\n    {n} = {d.r.choice(['0', d.small()])}\n    def {g}():\n        nonlocal {n}\n        {n} += {d.small(1)}\n        return {n}\n    return {g}\n"
            f"def {main}():\n    {h} = {f}()\n    {h}()\n    {out} = {h}()\n    return {out}\n", f"{main}()")


@family(raises=True)
def travelling_exception(d):
    """An exception raised in a helper and caught, or not, by its caller."""
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


@family(raises=True)
def uncaught(d):
    """An error that travels through two frames and out."""
    f, main = d.fn(), d.fn()
    x, y = d.v(2)
    risky = d.r.choice([f"{x} // ({x} - {x})", f"[{x}][{x} + 1]", "int('x')", f"{{}}[{x}]", f"{x}.size", f"{x} + 'a'"])
    return f"def {f}({x}):\n    {y} = {x} + {d.small()}\n    return {risky}\ndef {main}({x}):\n    {y} = {x} * 2\n    return {f}({y}) + 1\n", f"{main}({d.r.randint(1, 9)})"


@family(raises=True)
def raising_class(d):
    """A class with a guarded method, and its error caught."""
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


@family
def stack_class(d):
    """A class around a list, filled and asked once."""
    c, (s, x, out) = d.r.choice(["Stack", "Queue", "Bag", "Line"]), d.v(3)
    main, items = d.fn(), d.r.choice(["items", "data", "values"])
    push, pop = d.r.choice(["push", "add", "put"]), d.r.choice(["pop", "take", "get"])
    where = d.r.choice(["", "0"])
    return (f"class {c}:\n    def __init__(self):\n        self.{items} = []\n    def {push}(self, {x}):\n        self.{items}.append({x})\n    def {pop}(self):\n"
            f"        if not self.{items}:\n            return None\n        return self.{items}.pop({where})\n"
            f"def {main}({out}):\n    {s} = {c}()\n    for {x} in {out}:\n        {s}.{push}({x})\n    return {s}.{pop}()\n", f"{main}({d.r.choice([d.ints(0, 3), d.words(1, 2)])!r})")


@family
def module_script(d):
    """Short scripts at the module's level."""
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
