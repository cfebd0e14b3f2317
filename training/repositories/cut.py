"""Cuts a module down to one function and what it reaches, in the words of its author.

A *piece* is a top-level statement with the comments above it. A function's pieces are its own
and, over and over, those that bind a name which a kept piece reads, in the same module or, by
`from .sibling import name`, in another module of the package. Only imports of the standard
library are kept. Of classes only the methods are kept that something kept may call. Long
docstrings are cut to their first line. Everything else is the original text.
"""

import ast
import builtins
import re
import symtable
import sys
from dataclasses import dataclass

FUTURE = "from __future__ import annotations\n"
PROVIDED = set(dir(builtins)) | {"__name__", "__doc__"}
MADE_BY = {"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__"}
COMMENTS = 6  # lines kept above a piece
DOCSTRING = 72  # longest first line kept


class Uncuttable(Exception):
    """Why a function cannot stand alone, in a few words."""


@dataclass
class Piece:
    """A top-level statement: its lines and the names it binds or changes."""

    module: "Module"
    index: int
    node: ast.stmt
    first: int  # 1-based, with decorators
    last: int
    names: set


def scope_nodes(node):
    """The nodes of a statement that run in the module's own scope."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        yield from scope_nodes(child)


def root_name(node):
    """x of x.a[0].b, else None."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def touched(statement):
    """(names bound, names changed in place) by a top-level statement."""
    bound, changed = set(), set()
    for node in scope_nodes(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            changed.add(root_name(node))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
            changed.add(root_name(node.value.func))
    return bound, changed - {None}


def is_guard(statement, name):
    """`if TYPE_CHECKING:` or `if __name__ == ...:`."""
    return isinstance(statement, ast.If) and any(
        (isinstance(n, ast.Name) and n.id == name) or (isinstance(n, ast.Attribute) and n.attr == name) for n in ast.walk(statement.test))


def is_overload(node):
    """A stub for type checkers only."""
    return any((d.attr if isinstance(d, ast.Attribute) else getattr(d, "id", "")) == "overload" for d in getattr(node, "decorator_list", []))


class Module:
    """One source file, taken apart."""

    def __init__(self, source, name="", package=None):
        self.name, self.package = name, package
        self.lines = source.splitlines()
        self.tree = ast.parse(source)
        self.future = any(isinstance(n, ast.ImportFrom) and n.module == "__future__" and any(a.name == "annotations" for a in n.names) for n in self.tree.body)
        self.pieces, self.binders, self.stars = [], {}, []
        # Names that only a function with `global` binds; a run tells whether it does.
        self.declared = {name for n in ast.walk(self.tree) if isinstance(n, ast.Global) for name in n.names}
        changed_by = []
        for index, node in enumerate(self.tree.body):
            if is_guard(node, "TYPE_CHECKING") or is_guard(node, "__name__") or is_overload(node):
                continue
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                self.stars.append(node)
                continue
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            bound, changed = touched(node)
            piece = Piece(self, index, node, first, node.end_lineno, bound)
            self.pieces.append(piece)
            changed_by.append((piece, changed))
            for name in bound:
                self.binders.setdefault(name, []).append(piece)
        for piece, changed in changed_by:
            for name in changed & self.binders.keys():
                if piece not in self.binders[name] and not any(isinstance(p.node, (ast.Import, ast.ImportFrom)) for p in self.binders[name]):
                    self.binders[name].append(piece)

    def top(self, name):
        """The pieces that bind a name, looked for in star imports of the package too."""
        if name in self.binders:
            return self.binders[name]
        for star in self.stars:
            other = self.imported(star)
            if other and other.top(name):
                return other.top(name)
        return []

    def imported(self, node):
        """The package's module that a `from` statement names, or None."""
        if self.package is None:
            return None
        if node.level:
            parts = self.name.split(".")
            if not self.package.is_folder(self.name):
                parts = parts[:-1]
            parts = parts[: len(parts) - node.level + 1]
            if not parts:
                return None
            return self.package.module(".".join(parts + ([node.module] if node.module else [])))
        return self.package.module(node.module)


class Files:
    """The modules of an installed package, read when asked for."""

    def __init__(self, paths):
        self.paths = paths  # module name -> Path
        self.known = {}

    def is_folder(self, name):
        return self.paths[name].name == "__init__.py" if name in self.paths else False

    def module(self, name):
        if name not in self.known:
            self.known[name] = None
            if name in self.paths:
                try:
                    self.known[name] = Module(self.paths[name].read_text(encoding="utf-8"), name, self)
                except (SyntaxError, UnicodeDecodeError, OSError):
                    pass
        return self.known[name]


def reads(text, future):
    """(global names, attribute names) that a text reads."""
    table = symtable.symtable((FUTURE if future else "") + text, "<piece>", "exec")
    names = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    waiting = list(table.get_children())
    while waiting:
        inner = waiting.pop()
        names |= {s.get_name() for s in inner.get_symbols() if s.is_global()}
        waiting += inner.get_children()
    attributes = {n.attr for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Attribute)}
    return names, attributes


def short_docstring(node, lines):
    """(first line, last line, replacement lines) for a docstring that is too long, or None."""
    if not (node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant) and isinstance(node.body[0].value.value, str)):
        return None
    held = node.body[0]
    if held.end_lineno == held.lineno or lines[held.end_lineno - 1][: held.end_col_offset].strip() == "":
        return None
    indent = lines[held.lineno - 1][: held.col_offset]
    text = held.value.value.strip().partition("\n")[0].strip()
    if text and len(text) <= DOCSTRING and "\\" not in text and '"' not in text:
        return held.lineno, held.end_lineno, [f'{indent}"""{text}"""']
    return held.lineno, held.end_lineno, [] if len(node.body) > 1 else [f"{indent}pass"]


class Cutter:
    """One function's program in the making."""

    def __init__(self, all_methods):
        self.all_methods = all_methods
        self.kept = []  # pieces
        self.imports = {}  # (module, index) -> names needed
        self.home = {}  # name -> module that binds it
        self.attributes = set()
        self.read = {}  # (module, index) -> text last read
        self.order = []  # modules, the used ones first
        self.future = False

    def need(self, name, module):
        """Keeps what binds a name."""
        pieces = module.top(name)
        if not pieces:
            if name in PROVIDED or name in module.declared:
                return
            if name.startswith("__"):
                raise Uncuttable("reads the module's own attributes")
            raise Uncuttable("a name that nothing binds")
        for piece in pieces:
            node = piece.node
            if isinstance(node, ast.ImportFrom):
                if node.module == "__future__":
                    continue
                self.from_import(name, piece)
                continue
            if isinstance(node, ast.Import):
                alias = next(a for a in node.names if (a.asname or a.name).split(".")[0] == name)
                if alias.name.split(".")[0] not in sys.stdlib_module_names:
                    raise Uncuttable("an import from outside the standard library")
            if isinstance(node, ast.Import):
                self.claim(name, f"import {alias.name}")
                self.imports.setdefault((piece.module.name, piece.index), set()).add(name)
            else:
                self.claim(name, piece.module.name)
            self.keep(piece)

    def keep(self, piece):
        if piece not in self.kept:
            self.kept.append(piece)
            if not isinstance(piece.node, (ast.Import, ast.ImportFrom)):
                self.reach(piece)

    def claim(self, name, origin):
        if self.home.setdefault(name, origin) != origin:
            raise Uncuttable("two modules use one name")

    def from_import(self, name, piece):
        node, module = piece.node, piece.module
        alias = next(a for a in node.names if (a.asname or a.name) == name)
        other = module.imported(node)
        if other is not None:
            if not other.top(alias.name):
                raise Uncuttable("imports a module of its package")
            if alias.asname not in (None, alias.name):
                raise Uncuttable("an import of its package under another name")
            self.need(alias.name, other)
            return
        if node.level or node.module.split(".")[0] not in sys.stdlib_module_names:
            raise Uncuttable("an import from outside the standard library")
        self.claim(name, f"from {node.module} import {alias.name}")
        self.imports.setdefault((module.name, piece.index), set()).add(name)
        self.keep(piece)

    def reach(self, piece):
        """Keeps what a piece reads, until nothing is new."""
        text = "\n".join(self.lines(piece))
        key = (piece.module.name, piece.index)
        if self.read.get(key) == text:
            return
        self.read[key] = text
        for nested in ast.walk(ast.parse(text)):
            if isinstance(nested, ast.ImportFrom) and (nested.level or piece.module.imported(nested)):
                raise Uncuttable("imports its package inside a function")
        names, attributes = reads(text, piece.module.future)
        self.future |= piece.module.future
        fresh = attributes - self.attributes
        self.attributes |= attributes
        for name in sorted(names):
            self.need(name, piece.module)
        if piece.module not in self.order:
            self.order.append(piece.module)
        if fresh:
            for other in list(self.kept):
                if isinstance(other.node, ast.ClassDef):
                    self.reach(other)

    def lines(self, piece):
        """A piece's own text, docstrings and unreached methods cut."""
        node, module = piece.node, piece.module
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            needed = self.imports[(module.name, piece.index)]
            aliases = [a for a in node.names if (a.asname or a.name).split(".")[0] in needed]
            if len(aliases) == len(node.names):
                return module.lines[piece.first - 1 : piece.last]
            words = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in aliases)
            return [f"from {node.module} import {words}" if isinstance(node, ast.ImportFrom) else f"import {words}"]
        replaced = []
        for inner in ast.walk(node):
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                short = short_docstring(inner, module.lines)
                if short:
                    replaced.append(short)
        if isinstance(node, ast.ClassDef):
            replaced += self.unreached(node, module)
        out, at = [], piece.first
        for first, last, instead in sorted(replaced):
            if first < at:
                continue  # inside something already cut
            out += module.lines[at - 1 : first - 1] + instead
            at = last + 1
        return out + module.lines[at - 1 : piece.last]

    def unreached(self, node, module):
        """Methods that nothing kept may call, as lines to leave out."""
        names, out, left = set(), [], 0
        for item in node.body:  # `__repr__ = __str__`
            if not isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names |= {n.id for n in ast.walk(item) if isinstance(n, ast.Name)}
            else:
                names |= {n.id for d in item.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)}  # `@size.setter`
        for item in node.body:
            name = item.name if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
            keep = name is None or name in MADE_BY or name in names or name in self.attributes
            keep = keep or (self.all_methods and name.startswith("__") and name.endswith("__"))
            if keep and not is_overload(item):
                left += not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
                continue
            first = min([item.lineno, *(d.lineno for d in item.decorator_list)])
            while first > node.body[0].lineno and module.lines[first - 2].strip().startswith("#"):
                first -= 1
            while first > node.lineno + 1 and not module.lines[first - 2].strip():
                first -= 1
            out.append((first, item.end_lineno, []))
        if not left and out:
            first, last, _ = out[0]
            indent = module.lines[node.body[0].lineno - 1][: node.body[0].col_offset]
            out[0] = (first, last, [indent + "pass"])
        return out

    def text(self):
        """The program: imports, then the other pieces in their modules' order."""
        out = [FUTURE.strip()] if self.future else []
        plain = [p for p in self.kept if isinstance(p.node, (ast.Import, ast.ImportFrom))]
        for piece in sorted(plain, key=lambda p: (p.module.name, p.index)):
            lines = self.lines(piece)
            if lines != out[-len(lines) :] and "\n".join(lines) not in out:
                out += lines
        for module in self.order:
            fresh = True
            for piece in sorted((p for p in self.kept if p.module is module and p not in plain), key=lambda p: p.index):
                comments, blanks = self.above(piece)
                if out:
                    compound = isinstance(piece.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
                    out += [""] * (2 if compound and fresh else max(blanks, 1) if compound else max(min(blanks, 1), fresh))
                out += comments + self.lines(piece)
                fresh = False
        return "\n".join(out) + "\n"

    def above(self, piece):
        """(comment lines right above a piece, blank lines above those)."""
        lines, above = piece.module.lines, piece.first - 1
        while above > 0 and piece.first - above <= COMMENTS and lines[above - 1].startswith("#") and not re.match(r"#!|#.*(coding[:=]|type: ignore)", lines[above - 1]):
            above -= 1
        blanks = 0
        while above - blanks > 0 and blanks < 2 and not lines[above - blanks - 1].strip():
            blanks += 1
        return lines[above : piece.first - 1], blanks


def cut(module, function, all_methods=False):
    """The program text for `function` ('f' or 'Class.method') of a Module.

    `all_methods` keeps every method with two underscores. Raises Uncuttable.
    """
    cutter = Cutter(all_methods)
    top, _, method = function.partition(".")
    cutter.attributes |= {method} if method else set()
    if not module.top(top):
        raise Uncuttable("not at the top of its module")
    try:
        cutter.need(top, module)
        text = cutter.text()
        compile(text, "<program>", "exec")
    except RecursionError:
        raise Uncuttable("too deep") from None
    except SyntaxError:
        raise Uncuttable("the cut text is no Python") from None
    return text
