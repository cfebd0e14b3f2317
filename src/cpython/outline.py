"""What is where in a Python file, by CPython's own `ast`: the parts of foretrace's outline.

Runs as a job of the tracer's server; `outline(text)` gives plain data in the form that
`program::outline::Parts` reads. The file is parsed, never executed. Expressions are walked
with a stack of our own, so their depth costs no recursion.
"""

import ast
import io
import tokenize

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SIMPLE = {
    "Return": "return", "Raise": "raise", "Pass": "pass", "Break": "break", "Continue": "continue",
    "Global": "silent", "Nonlocal": "silent",
}  # fmt: skip
USES = {"Load": "read", "Store": "bind", "Del": "delete"}


def outline(text):
    body = ast.parse(text).body
    walk = Walk(text)
    walk.block(body, (0, None, "body"))
    parts = walk.parts
    for part in ("names", "calls"):
        parts[part].sort(key=lambda item: item["line"])  # stable: left to right on a line
    for part in ("suspensions", "comprehensions"):
        parts[part] = sorted(set(parts[part]))
    return parts


def logical_lines(text):
    """First and last physical line of each logical line, by line."""
    first, found = None, []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        if first is None:
            first = token.start[0]
        if token.type == tokenize.NEWLINE:
            found.append((first, token.start[0]))
            first = None
    return found


class Walk:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.firsts, self.lasts = {}, {}
        for first, last in logical_lines(text):
            for line in range(first, last + 1):
                self.firsts[line], self.lasts[line] = first, last
        count = max(len(self.lines) - 1, 1)
        module = scope("module", "<module>", None, 1, 1, 1, count, [])
        module["qualname"] = "<module>"
        self.parts = {
            "maker": "python", "scopes": [module], "statements": [], "names": [], "calls": [],
            "suspensions": [], "comprehensions": [],
        }  # fmt: skip
        self.leading = False

    # ------------------------------------------------------------ statements

    def last(self, line):
        return self.lasts.get(line, line)

    def add(self, kind, node, place, first=None, line=None, end=None):
        line = line or node.lineno
        last = self.last(line)
        lines = {"first": first or line, "last": last}
        end = max(end or node.end_lineno, last)
        where, parent, arm = place
        self.parts["statements"].append(
            {"kind": kind, "lines": lines, "end": end, "scope": where, "parent": parent, "arm": arm, "opens": None, "always": None}
        )
        return len(self.parts["statements"]) - 1

    def block(self, body, place):
        for index, node in enumerate(body):
            self.leading = index == 0 and place[1] is None
            self.statement(node, place)

    def arms(self, number, where, node):
        self.block(node.body, (where, number, "body"))
        self.block(getattr(node, "orelse", []), (where, number, "else"))

    def statement(self, node, place):
        where, kind = place[0], type(node).__name__
        if isinstance(node, FUNCTIONS):
            self.definition(node, place)
        elif kind == "ClassDef":
            self.definition(node, place)
        elif kind in SIMPLE:
            self.add(SIMPLE[kind], node, place)
            self.exprs([getattr(node, name, None) for name in ("value", "exc", "cause")], where)
        elif kind == "AugAssign":
            self.add("simple", node, place)
            if isinstance(node.target, ast.Name):  # read before it is bound
                self.name(node.target.lineno, node.target.id, "read", where)
            self.exprs([node.target, node.value], where)
        elif kind == "AnnAssign":
            bare = node.value is None and isinstance(node.target, ast.Name)
            silent = bare and self.is_function(where)
            self.add("silent" if silent else "simple", node, place)
            if not bare:
                self.exprs([node.target, node.value], where)
        elif kind in ("For", "AsyncFor"):
            number = self.add("for", node, place)
            if kind == "AsyncFor":
                self.parts["suspensions"].append(node.lineno)
            self.exprs([node.target, node.iter], where)
            self.arms(number, where, node)
        elif kind == "While":
            number = self.add("while", node, place)
            self.test(number, node.test, where)
            self.arms(number, where, node)
        elif kind == "If":
            self.chain(node, place)
        elif kind in ("With", "AsyncWith"):
            number = self.add("with", node, place)
            if kind == "AsyncWith":
                self.parts["suspensions"].append(node.lineno)
            for item in node.items:
                self.exprs([item.context_expr, item.optional_vars], where)
            self.arms(number, where, node)
        elif kind in ("Try", "TryStar"):
            self.try_(node, place)
        elif kind == "Match":
            self.match(node, place)
        elif kind in ("Import", "ImportFrom"):
            self.add("simple", node, place)
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                if name != "*":
                    # The place of an alias is known from 3.10 on.
                    self.name(getattr(alias, "lineno", node.lineno), name, "bind", where)
        elif kind == "TypeAlias":
            self.add("simple", node, place)
            self.exprs([node.name], where)
        elif kind == "Expr":
            self.add(self.expression_kind(node.value, where), node, place)
            self.exprs([node.value], where)
        else:  # Delete, Assign, Assert
            self.add("simple", node, place)
            self.exprs([e for e in ast.iter_child_nodes(node) if isinstance(e, ast.expr)], where)

    def is_function(self, where):
        return self.parts["scopes"][where]["kind"] == "function"

    def expression_kind(self, value, where):
        """A function's docstring is silent (a module's or class's is stored), another constant
        may be, anything else runs."""
        if not isinstance(value, ast.Constant):
            return "simple"
        if not isinstance(value.value, str) or not self.leading:
            return "pass"
        return "silent" if self.is_function(where) else "simple"

    def test(self, number, test, where):
        always = None
        if isinstance(test, ast.Constant) and (test.value is None or isinstance(test.value, (int, str))):
            always = bool(test.value)
        elif isinstance(test, ast.Name) and test.id == "__debug__":
            always = True
        self.parts["statements"][number]["always"] = always
        self.exprs([test], where)

    def chain(self, node, place):
        """An `if` with its `elif`s: a loop, because chains can be long."""
        where = place[0]
        while True:
            number = self.add("if", node, place)
            self.test(number, node.test, where)
            self.block(node.body, (where, number, "body"))
            place = (where, number, "else")
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                return self.block(node.orelse, place)
            node = node.orelse[0]

    def try_(self, node, place):
        where = place[0]
        number = self.add("try", node, place)
        kind = "except_star" if type(node).__name__ == "TryStar" else "except"
        self.block(node.body, (where, number, "body"))
        for handler in node.handlers:
            clause = self.add(kind, handler, (where, number, "clause"))
            self.exprs([handler.type], where)
            if handler.name:
                self.name(handler.lineno, handler.name, "bind", where)
            self.block(handler.body, (where, clause, "body"))
        self.block(node.orelse, (where, number, "else"))
        self.block(node.finalbody, (where, number, "finally"))

    def match(self, node, place):
        where = place[0]
        number = self.add("match", node, place)
        self.exprs([node.subject], where)
        for case in node.cases:
            line = self.firsts.get(case.pattern.lineno, case.pattern.lineno)
            clause = self.add("case", case, (where, number, "clause"), line=line, end=case.body[-1].end_lineno)
            self.pattern(case.pattern, where)
            self.exprs([case.guard], where)
            self.block(case.body, (where, clause, "body"))

    def pattern(self, node, where):
        kind = type(node).__name__
        if kind == "MatchValue":
            self.exprs([node.value], where)
        elif kind == "MatchMapping":
            self.exprs(node.keys, where)
        elif kind == "MatchClass":
            self.exprs([node.cls], where)
        below = list(getattr(node, "patterns", [])) + list(getattr(node, "kwd_patterns", []))
        if getattr(node, "pattern", None):
            below.append(node.pattern)
        for pattern in below:
            self.pattern(pattern, where)
        name = getattr(node, "rest", None) or getattr(node, "name", None)
        if name:
            self.name(node.lineno, name, "bind", where)

    def definition(self, node, place):
        where, line = place[0], node.lineno
        function = isinstance(node, FUNCTIONS)
        first = min([line] + [d.lineno for d in node.decorator_list])
        number = self.add("def" if function else "class", node, place, first=first, line=line)
        self.name(line, node.name, "bind", where)
        self.exprs(node.decorator_list, where)
        params = []
        if function:
            defaults = []
            params = self.params(node.args, where, defaults)
            self.drain(defaults[::-1])
            self.exprs([node.returns], where)
        else:
            self.exprs(node.bases + [keyword.value for keyword in node.keywords], where)
        self.exprs([getattr(param, "bound", None) for param in getattr(node, "type_params", [])], where)
        body = node.body[0]
        start = min([body.lineno] + [d.lineno for d in getattr(body, "decorator_list", [])])
        end = max(self.last(node.body[-1].end_lineno), start)
        kind = "function" if function else "class"
        new = scope(kind, node.name, where, first, line, start, end, params)
        new["is_async"] = isinstance(node, ast.AsyncFunctionDef)
        opened = self.open(new)
        self.parts["statements"][number]["opens"] = opened
        self.block(node.body, (opened, None, "body"))

    def params(self, args, where, stack):
        """Parameters; defaults and annotations, which run outside, go on the stack."""
        params = []
        plain = getattr(args, "posonlyargs", []) + args.args
        defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
        kinds = ["positional_only"] * len(getattr(args, "posonlyargs", [])) + ["plain"] * len(args.args)
        for arg, default, kind in zip(plain, defaults, kinds):
            params.append({"name": arg.arg, "kind": kind, "default": self.source(default)})
        if args.vararg:
            params.append({"name": args.vararg.arg, "kind": "args", "default": None})
        for arg, default in zip(args.kwonlyargs, args.kw_defaults):
            params.append({"name": arg.arg, "kind": "keyword_only", "default": self.source(default)})
        if args.kwarg:
            params.append({"name": args.kwarg.arg, "kind": "kwargs", "default": None})
        for arg, default in list(zip(plain, defaults)) + list(zip(args.kwonlyargs, args.kw_defaults)):
            stack.extend((e, where) for e in (default, arg.annotation) if e is not None)
        for arg in (args.vararg, args.kwarg):
            if arg is not None and arg.annotation is not None:
                stack.append((arg.annotation, where))
        return params

    def source(self, node):
        if node is None:
            return None
        lines = [line.encode() for line in self.lines[node.lineno - 1 : node.end_lineno]]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"\n".join(lines).decode()

    def open(self, new):
        around = self.parts["scopes"][new["parent"]]
        middle = {"module": "", "class": around["qualname"] + "."}
        new["qualname"] = middle.get(around["kind"], around["qualname"] + ".<locals>.") + new["name"]
        self.parts["scopes"].append(new)
        return len(self.parts["scopes"]) - 1

    # ------------------------------------------------------------ expressions

    def name(self, line, name, use, where):
        self.parts["names"].append({"line": line, "name": name, "use": use, "scope": where})

    def exprs(self, nodes, where):
        self.drain([(node, where) for node in nodes if node is not None][::-1])

    def drain(self, stack):
        while stack:
            node, where = stack.pop()
            below = []
            self.expr(node, where, below)
            stack.extend(reversed(below))

    def expr(self, node, where, below):
        """Notes what one expression is; what is below it, left to right."""

        def push(*nodes):
            below.extend((e, where) for e in nodes if e is not None)

        kind = type(node).__name__
        if kind == "Name":
            self.name(node.lineno, node.id, USES[type(node.ctx).__name__], where)
        elif kind == "Attribute":
            push(node.value)
            self.name(node.end_lineno, node.attr, "attribute", where)
        elif kind == "Call":
            callee = getattr(node.func, "id", None) or getattr(node.func, "attr", None) or ""
            attribute = isinstance(node.func, ast.Attribute)
            self.parts["calls"].append({"line": node.func.end_lineno, "callee": callee, "attribute": attribute, "scope": where})
            push(node.func, *node.args)
            push(*[keyword.value for keyword in node.keywords])
        elif kind in ("Await", "Yield", "YieldFrom"):
            push(node.value)
            self.parts["suspensions"].append(node.lineno)
            if kind != "Await":
                self.parts["scopes"][where]["is_generator"] = True
        elif kind in ("ListComp", "SetComp"):
            self.inlined(node)
            push(node.elt)
            self.comprehension(node.generators, where, where, below)
        elif kind == "DictComp":
            self.inlined(node)
            push(node.key, node.value)
            self.comprehension(node.generators, where, where, below)
        elif kind == "GeneratorExp":
            inner = self.nested("generator", "<genexpr>", node, where, [])
            below.append((node.elt, inner))
            self.comprehension(node.generators, where, inner, below)
        elif kind == "Lambda":
            params = self.params(node.args, where, below)
            below.append((node.body, self.nested("lambda", "<lambda>", node, where, params)))
        elif kind == "IfExp":
            push(node.body, node.test, node.orelse)
        elif kind == "Dict":
            for key, value in zip(node.keys, node.values):
                push(key, value)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    push(child)
                elif type(child).__name__ in ("Index", "ExtSlice", "Slice"):  # no expressions in 3.8
                    push(*inside(child))

    def inlined(self, node):
        self.parts["comprehensions"].append(node.lineno)
        if any(generator.is_async for generator in node.generators):
            self.parts["suspensions"].append(node.lineno)

    def comprehension(self, generators, outer, inner, below):
        """What a comprehension evaluates, without its targets; the first iterable outside."""
        for index, generator in enumerate(generators):
            below.append((generator.iter, inner if index else outer))
            below.extend((e, inner) for e in generator.ifs)

    def nested(self, kind, name, node, where, params):
        new = scope(kind, name, where, node.lineno, node.lineno, node.lineno, node.end_lineno, params)
        new["is_generator"] = kind == "generator"
        return self.open(new)


def inside(node):
    """The expressions directly below a node that is none."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        else:
            yield from inside(child)


def scope(kind, name, parent, first_line, line, first, last, params):
    return {
        "kind": kind, "name": name, "qualname": "", "parent": parent, "first_line": first_line, "line": line,
        "body": {"first": first, "last": last}, "params": params, "is_generator": False, "is_async": False,
    }  # fmt: skip
