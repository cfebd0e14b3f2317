"""One small change to a program, as a slip of the hand would make it: another comparison, a
constant that is off by one, `min` for `max`.

A family's programs all do what they are for; a model that has only seen those guesses the purpose
and not the step. A changed program may end in an exception; it does not run on: programs with
`while` or recursion are left as they are.
"""

import ast
import re

COMPARISONS = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="), ast.NotEq: ("!=", "==")}
OPERATORS = {ast.Sub: ("-", "+"), ast.FloorDiv: ("//", "%"), ast.Mod: ("%", "//")}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
METHODS = {"upper": "lower", "lower": "upper", "find": "rfind", "lstrip": "rstrip", "rstrip": "lstrip"}


def may_run_on(tree):
    """Whether a change might make a program endless: a `while`, or a function that names itself or
    one defined after it."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    later = {f.name: f.lineno for f in functions}
    calls = ((f, n.id) for f in functions for n in ast.walk(f) if isinstance(n, ast.Name))
    return any(isinstance(n, ast.While) for n in ast.walk(tree)) or any(later.get(name, 0) >= f.lineno for f, name in calls)


def between(left, right, old, new):
    """The operator between two operands: the columns to look in, and what becomes what. None where
    they stand on two lines."""
    if left.end_lineno != right.lineno:
        return None
    return left.end_lineno, left.end_col_offset, right.col_offset, re.escape(old), new


def constant(node, new):
    return node.lineno, node.col_offset, node.end_col_offset, re.escape(repr(node.value)), repr(new)


def whole(node):
    """A whole number written as a literal."""
    return isinstance(node, ast.Constant) and type(node.value) is int


def changes(node):
    """Changes that one node allows, as (line, first column, last column, pattern, replacement)."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        yield between(node.left, node.comparators[0], *COMPARISONS[type(node.ops[0])])
    elif isinstance(node, ast.BinOp):
        if type(node.op) in OPERATORS and not isinstance(node.left, ast.Constant):
            yield between(node.left, node.right, *OPERATORS[type(node.op)])
        if whole(node.right) and node.right.value:
            yield constant(node.right, node.right.value + 1)
    elif isinstance(node, ast.AugAssign) and whole(node.value):
        yield constant(node.value, node.value.value + 1)
    elif isinstance(node, ast.Slice):
        for bound in (node.lower, node.upper):
            if whole(bound):
                yield constant(bound, bound.value + 1)
    elif isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        yield between(node.values[0], node.values[1], old, new)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
        yield node.lineno, node.func.col_offset, node.func.end_col_offset, node.func.id, NAMES[node.func.id]
    elif isinstance(node, ast.Attribute) and node.attr in METHODS:
        yield node.end_lineno, node.value.end_col_offset, node.end_col_offset, node.attr, METHODS[node.attr]
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
        yield constant(node.value, not node.value.value)


def mutated(text, rng):
    """The program with one change, or as it was where nothing can be changed."""
    tree = ast.parse(text)
    if may_run_on(tree) or not text.isascii():  # columns are counted in bytes
        return text
    inside_text = {id(n) for f in ast.walk(tree) if isinstance(f, ast.JoinedStr) for n in ast.walk(f)}  # columns there are not to be trusted
    found = [change for node in ast.walk(tree) if id(node) not in inside_text for change in changes(node) if change]
    if not found:
        return text
    line, first, last, old, new = rng.choice(found)
    lines = text.split("\n")
    at = lines[line - 1]
    lines[line - 1] = at[:first] + re.sub(old, lambda _: new, at[first:last], count=1) + at[last:]
    return "\n".join(lines)
