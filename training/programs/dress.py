"""What people add around the same code: blank lines, a comment, a docstring, a script around the call."""

import ast
import re
from textwrap import indent

from .pools import COMMENTS


def dress(rng, text, entry):
    """(program text, entry) with blank lines between definitions, a comment, a docstring, or a
    script around the call; often as it was."""
    if rng.random() < 0.4:
        wider = spaced(text, rng.choice([1, 2]))
        text = wider if wider.count("\n") < 36 else text
    if entry != "<module>" and rng.random() < 0.2 and text.count("\n") < 33:
        text, entry = script(rng, text, entry), "<module>"
    if rng.random() < 0.15 and text.count("\n") < 38:
        text = commented(rng, text)
    return text, entry


def spaced(text, gap):
    """Blank lines before each definition at the module's level, where there are none."""
    lines = text.split("\n")
    for at in range(len(lines) - 1, 0, -1):
        if re.match("def |class |@", lines[at]) and lines[at - 1] and not re.match("[@#]", lines[at - 1]):
            lines[at:at] = [""] * gap
    return "\n".join(lines)


def script(rng, text, entry):
    """The call at the end of its module, printed or kept."""
    result = next(n for n in ["result", "answer", "out", "shown_result"] if not re.search(rf"\b{n}\b", text))
    lines = rng.choice([f"print({entry})\n", f"{result} = {entry}\nprint({result})\n", f"{result} = {entry}\n"])
    if rng.random() < 0.4:
        lines = 'if __name__ == "__main__":\n' + indent(lines, "    ")
    return text + rng.choice(["", "\n", "\n\n"]) + lines


def commented(rng, text):
    """A comment above or behind a statement, or a docstring."""
    lines, tree = text.split("\n"), ast.parse(text)
    statements = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and lines[n.lineno - 1].startswith(" " * n.col_offset)]
    whole = [n for n in statements if n.lineno == n.end_lineno]
    defs = [n for n in statements if isinstance(n, ast.FunctionDef) and n.body[0].lineno > n.lineno and ast.get_docstring(n) is None]
    say = rng.choice(COMMENTS)
    if defs and rng.random() < 0.4:
        first = rng.choice(defs).body[0]
        above = min([first, *getattr(first, "decorator_list", [])], key=lambda node: node.lineno)
        lines.insert(above.lineno - 1, " " * first.col_offset + f'"""{say.capitalize()}."""')
    elif whole and rng.random() < 0.4:
        at = rng.choice(whole).lineno - 1
        lines[at] += "  # " + say
    else:
        at = rng.choice(statements)
        lines.insert(at.lineno - 1, " " * at.col_offset + "# " + say)
    return "\n".join(lines)
