"""From a recorded call to a program: the cut text, and an entry.

A plain call of a function with literal arguments is the entry itself. A method, a generator
half of the time, and an argument that is no literal (`range(3)`, `int`) get a small function
below the text that makes the object or walks the generator; its parameters are the literals.
"""

import ast
import hashlib
import keyword

from .cut import Uncuttable

LONGEST = 60  # lines of a program
DRIVERS = ["main", "run", "example", "demo", "use", "attempt", "work", "try_it"]
ITERATORS = {"zip", "map", "filter", "islice", "chain", "zip_longest", "takewhile", "dropwhile", "starmap", "accumulate", "groupby", "compress", "product",
             "combinations", "permutations", "enumerate", "reversed", "list_iterator", "generator", "filterfalse", "pairwise", "dict_keys", "dict_values", "dict_items"}  # fmt: skip
OBJECTS = ["thing", "item", "it", "obj", "made", "subject"]


def stable(text, count):
    """A number below `count` that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % count


def literal(text):
    """Whether a text is a literal that reads back to itself (a set's order aside)."""
    try:
        value = ast.literal_eval(text)
        return repr(value) == text or ast.literal_eval(repr(value)) == value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False


class Driver:
    """The small function below the text."""

    def __init__(self, text, seed):
        self.taken = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
        self.taken |= {n.name for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        self.seed, self.parameters, self.values = seed, [], []

    def fresh(self, names):
        start = stable(self.seed, len(names))
        for name in names[start:] + names[:start] + [f"{names[0]}{n}" for n in range(2, 99)]:
            if name not in self.taken and name not in self.parameters and not keyword.iskeyword(name):
                return name
        raise Uncuttable("no free name")

    def argument(self, given, place):
        """The text of one argument inside the driver's body."""
        name, text, is_literal = given
        if not is_literal:
            return f"{name}={text}" if name else text
        parameter = self.fresh([name or "abcdefgh"[place % 8]])
        self.parameters.append(parameter)
        self.values.append(text)
        return f"{name}={parameter}" if name else parameter

    def arguments(self, given):
        return ", ".join(self.argument(one, place + len(self.parameters)) for place, one in enumerate(given))


def plain(arguments):
    return ", ".join((f"{name}=" if name else "") + text for name, text, _ in arguments)


def wanted(record):
    """The function or method that a record's program is cut for."""
    if record["owner"]:
        return f"{record['owner']['class']}.{record['function'].split('.')[-1]}"
    return record["function"]


def walked(record):
    """Whether the call gives an iterator, which the program has to walk."""
    return record["generator"] or record["outcome"].get("type") in ITERATORS


def program(code, record):
    """{"code", "entry"} for one recorded call over the cut text; raises Uncuttable."""
    function, kind, arguments = record["function"], record["kind"], record["arguments"]
    for _, text, is_literal in arguments:
        if is_literal and not literal(text):
            raise Uncuttable("an argument that does not read back")
    seed = f"{function}({plain(arguments)}"
    iterator = walked(record) and not record["generator"]
    direct = not iterator and kind in ("function", "generator") and all(is_literal for _, _, is_literal in arguments)
    if direct and (kind == "function" or stable(seed, 2)):
        entry = f"{function}({plain(arguments)})"
    else:
        code, entry = with_driver(code, record, seed)
    if code.count("\n") > LONGEST:
        raise Uncuttable(f"more than {LONGEST} lines")
    return {"code": code, "entry": entry}


def with_driver(code, record, seed):
    """(code, entry) with the small function that makes the call."""
    function, kind, owner = record["function"], record["kind"], record["owner"]
    driver = Driver(code, seed)
    name = driver.fresh(DRIVERS)
    method = function.split(".")[-1]
    body = []
    if kind in ("method", "property"):
        if f"class {owner['class']}" not in code:
            raise Uncuttable("its object's class is elsewhere")
        made = f"{owner['class']}({driver.arguments(owner['arguments'])})"
        thing = driver.fresh(OBJECTS)
        body.append(f"{thing} = {made}")
        expression = f"{thing}.{method}" + ("" if kind == "property" else f"({driver.arguments(record['arguments'])})")
    else:
        callee = function if kind != "class" else f"{owner['class']}.{method}"
        expression = f"{callee}({driver.arguments(record['arguments'])})"
    if not walked(record):
        body.append(f"return {expression}")
    elif stable(seed + "walk", 2):
        body.append(f"return list({expression})")
    else:
        out, x = driver.fresh(["out", "found", "result", "values"]), driver.fresh(["x", "each", "value", "part"])
        body += [f"{out} = []", f"for {x} in {expression}:", f"    {out}.append({x})", f"return {out}"]
    lines = [f"def {name}({', '.join(driver.parameters)}):", *("    " + line for line in body)]
    return code + "\n\n" + "\n".join(lines) + "\n", f"{name}({', '.join(driver.values)})"
