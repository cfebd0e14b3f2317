"""Other ways to write the same program: a result named before it is returned, `x = x + 1` for
`x += 1`, types on the parameters, a call by keywords."""

import ast
import re

ROOM = 30  # lines of a program to which some may be added
RETURN = re.compile(r"( +)return (?!None$|True$|False$|\w+$|-?\d+$)(.+)")
AUGMENTED = re.compile(r"( *)([a-z]\w*) (\+|-|\*|//|%)= (.+)")


def rewritten(text, entry, rng):
    """(program text, entry), now and then written another way."""
    if rng.random() < 0.2 and text.count("\n") < ROOM:
        text = named_results(text, rng)
    if rng.random() < 0.1:
        text = spelled_out(text)
    called = ast.parse(entry, mode="eval").body if entry != "<module>" else None
    if isinstance(called, ast.Call) and called.args and not called.keywords:
        function = next((n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == called.func.id), None)
        plain = function and not (function.args.vararg or function.args.posonlyargs or any(isinstance(a, ast.Starred) for a in called.args))
        if plain and rng.random() < 0.12:
            text = annotated(text, function, called)
        if plain and rng.random() < 0.05:
            given = zip(function.args.args, called.args)
            entry = f"{function.name}({', '.join(f'{a.arg}={ast.unparse(value)}' for a, value in given)})"
    return text, entry


def whole_lines(text, kinds):
    """The numbers of lines that hold one statement of these kinds, and nothing else."""
    lines = text.split("\n")
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, kinds) and n.lineno == n.end_lineno]
    return {n.lineno for n in nodes if lines[n.lineno - 1].strip() == ast.get_source_segment(text, n)}


def named_results(text, rng):
    """`return EXPRESSION` in two lines, under a name that the program does not use."""
    name = next((n for n in rng.sample(["result", "answer", "out", "value", "res"], 5) if not re.search(rf"\b{n}\b", text)), None)
    if name is None:
        return text
    lines, found = text.split("\n"), whole_lines(text, ast.Return)
    for number in found:
        lines[number - 1] = RETURN.sub(rf"\g<1>{name} = \g<2>\n\g<1>return {name}", lines[number - 1])
    return "\n".join(lines)


def spelled_out(text):
    """`x = x + 1` for `x += 1`; a sum only of a number, as a list's `+=` takes what its `+` does not."""
    lines = text.split("\n")
    for number in whole_lines(text, ast.AugAssign):
        if match := AUGMENTED.fullmatch(lines[number - 1]):
            indent, name, operator, value = match.groups()
            if operator == "+" and not value.isdigit():
                continue
            value = value if re.fullmatch(r"[\w.]+", value) else f"({value})"
            lines[number - 1] = f"{indent}{name} = {name} {operator} {value}"
    return "\n".join(lines)


def type_of(value):
    """The annotation of a literal."""
    name = type(value).__name__
    if isinstance(value, (list, tuple, set)) and value and len({type(item) for item in value}) == 1:
        inner = type_of(next(iter(value)))
        return f"tuple[{', '.join([inner] * len(value))}]" if name == "tuple" else f"{name}[{inner}]"
    if isinstance(value, dict) and value and len({(type(k), type(v)) for k, v in value.items()}) == 1:
        key, inner = next(iter(value.items()))
        return f"dict[{type_of(key)}, {type_of(inner)}]"
    return "None" if value is None else name


def annotated(text, function, called):
    """The called function's parameters with the types of what it is called with."""
    lines = text.split("\n")
    for parameter, value in reversed(list(zip(function.args.args, called.args))):
        if parameter.annotation or parameter.lineno != function.lineno:
            continue
        try:
            kind = type_of(ast.literal_eval(value))
        except ValueError:
            continue
        line = lines[parameter.lineno - 1]
        after = line[parameter.end_col_offset :]
        spaced = re.sub(r"^=", " = ", after)
        lines[parameter.lineno - 1] = f"{line[: parameter.end_col_offset]}: {kind}{spaced}"
    return "\n".join(lines)
