"""Several small programs made one: functions one after another, and a main part that uses each."""

import ast

from .draw import Draw
from .dress import dress
from .registry import FAMILIES, RAISING

LONGEST = 34  # lines of a program that was put together
SHARES = [1] * 9 + [2] * 6 + [3] * 4 + [4]  # how many families one program is made of


def bound(text):
    """Names that a program binds at its module's level, but for imported ones."""
    names = set()
    for statement in ast.parse(text).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            names.add(statement.name)
        else:
            names |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names


def make_together(names, rng):
    """(program text, entry) of the first family, with the others' functions beside it as far as
    they fit: short enough, entered by a call that ends normally, with names of their own."""
    d = Draw(rng)
    text, entry = FAMILIES[names[0]](d)
    texts, entries, taken = [text], [entry], bound(text)
    for name in names[1:]:
        if "<module>" in entries or RAISING & {*names}:
            break
        d.roles, d.used = {}, set(taken)  # locals may be called alike, as they are
        text, entry = FAMILIES[name](d)
        if entry == "<module>" or taken & bound(text) or sum(t.count("\n") for t in (*texts, text)) > LONGEST - 2 * len(names) - 3:
            continue
        texts.append(text)
        entries.append(entry)
        taken |= bound(text)
    if len(texts) == 1:
        return dress(rng, texts[0], entries[0])
    d.roles, d.used = {}, set(taken)
    return dress(rng, *together(d, texts, entries))


def together(d, texts, entries):
    """The texts, imports first, and a main part that makes each call."""
    lines = [line for text in texts for line in text.rstrip("\n").split("\n")]
    imports = list(dict.fromkeys(line for line in lines if line.startswith(("import ", "from "))))
    rest = "\n".join(line for line in lines if line not in imports).strip("\n")
    names = [f"$r{i}" for i in range(len(entries))]
    kept = "\n".join(f"{name} = {entry}" for name, entry in zip(names, entries))
    body, last = d.pick(
        (kept, f"return {', '.join(names)}"),
        (kept, f"return [{', '.join(names)}]"),
        ("\n".join(f"print({entry})" for entry in entries), ""),
        ("$results = []\n" + "\n".join(f"$results.append({entry})" for entry in entries), "return $results"),
        ("\n".join(f"{name} = {entry}\nprint({name})" for name, entry in zip(names, entries)), f"return {names[-1]}"),
    )
    head = "\n".join([*imports, rest])
    if d.r.random() < 0.5:
        return d.program("$head\ndef $main():\n    $body\n    $last", "$main()", head=head.replace("$", "$$"), body=body, last=last)
    guard = d.maybe('if __name__ == "__main__":', 0.4)
    template = f"$head\n{guard}\n    $body" if guard else "$head\n$body"
    return d.program(template, "<module>", head=head.replace("$", "$$"), body=body)
