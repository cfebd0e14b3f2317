"""Random typed expressions.

Types are letters: i int, s str, b bool, li list of int, ls list of str, d dict of str to
int, st set of int, t tuple of int. `env` maps the names in scope to their types. The mix
leans to what small models found hardest: arithmetic, slices, case, sort, comprehensions.
"""

import re

from .pools import RESERVED, VARIABLES, WORDS

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Expressions:
    """Draws names, literals and expressions; `easy` keeps values short (first curriculum stage)."""

    def __init__(self, rng, easy=False):
        self.rng, self.easy = rng, easy
        self.env, self.used, self.functions = {}, set(), []

    # names and literals

    def identifier(self):
        r = self.rng
        if r.random() < 0.12:
            stem = "".join(r.choice(LETTERS) for _ in range(r.randint(2, 6)))
            return stem + r.choice(["", "", "_" + r.choice("abcxyz"), str(r.randint(1, 9))])
        return r.choice(VARIABLES)

    def fresh(self, draw=None):
        """A name not used in this scope."""
        for _ in range(50):
            name = (draw or self.identifier)()
            if name not in self.used and name not in RESERVED:
                self.used.add(name)
                return name
        name = f"v{self.rng.randint(10, 9999)}"
        self.used.add(name)
        return name

    def integer(self):
        r = self.rng
        if self.easy:
            return r.randint(0, 9) if r.random() < 0.9 else r.randint(10, 30)
        u = r.random()
        if u < 0.62:
            return r.randint(0, 12)
        if u < 0.84:
            return r.randint(0, 99)
        return -r.randint(1, 20) if u < 0.93 else r.randint(100, 999)

    def string(self):
        r, u = self.rng, self.rng.random()
        if self.easy:
            return "".join(r.choice(LETTERS) for _ in range(r.choice([1, 1, 2, 2, 3])))
        if u < 0.06:
            return self.sentence()
        if u < 0.45:
            return r.choice(WORDS)
        if u < 0.75:
            return "".join(r.choice(LETTERS) for _ in range(r.randint(1, 7)))
        if u < 0.85:
            return r.choice(" ,-").join(r.choice(WORDS) for _ in range(r.randint(2, 3)))
        if u < 0.93:
            return "".join(r.choice("abcABC123xyzXYZ 07") for _ in range(r.randint(2, 7)))
        return "".join(r.choice("0123456789") for _ in range(r.randint(1, 5)))

    def sentence(self):
        """A longer text, which has to be copied from place to place without a slip."""
        r = self.rng
        words = [r.choice(WORDS) if r.random() < 0.7 else self.identifier() for _ in range(r.randint(3, 8))]
        if r.random() < 0.35:  # the same few words over and over: copying must not lose its place
            words = [r.choice(words[:2]) for _ in words]
        text = r.choice([" ", " ", " ", ", ", "  ", "_"]).join(words)
        return (text.capitalize() if r.random() < 0.4 else text) + r.choice(["", "", "", ".", "!", "?"])

    def value(self, kind):
        """A Python value of a type, to be written as a literal."""
        r = self.rng
        n = r.choice([0, 1, 2, 2, 3] if self.easy else [0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8])
        if kind == "i":
            return self.integer()
        if kind == "s":
            return self.string() if r.random() > 0.02 else ""
        if kind == "b":
            return r.random() < 0.5
        if kind == "li":
            return [self.integer() for _ in range(n)]
        if kind == "ls":
            return [self.string()[:6] for _ in range(min(n, 6))]
        if kind == "d":
            return {self.string()[:5]: self.integer() for _ in range(min(n, 5))}
        if kind == "st":
            return {r.randint(0, 15) for _ in range(n)}
        return tuple(self.integer() for _ in range(r.randint(2, 3)))

    def literal(self, kind):
        return repr(self.value(kind))  # repr of an empty set is `set()`, as wanted

    # expressions

    def names(self, kind):
        return [name for name, k in self.env.items() if k == kind]

    def expression(self, kind, depth=2):
        r, names = self.rng, self.names(kind)
        if names and r.random() < (0.45 if depth else 0.8):
            return r.choice(names)
        if depth <= 0 or r.random() < 0.13:
            return self.literal(kind)
        return getattr(self, f"_{kind}")(depth - 1)

    def atom(self, kind):
        names = self.names(kind)
        return self.rng.choice(names) if names and self.rng.random() < 0.85 else self.literal(kind)

    def small(self, low=2, high=9):
        return str(self.rng.randint(low, high))

    def index(self):
        return self.rng.choice(["0", "-1", "1", "0", "-1", "2", *self.names("i")[:1]])

    def slice(self):
        r = self.rng
        return r.choice(["1:", ":2", ":-1", "::-1", f"{r.randint(0, 2)}:{r.randint(2, 5)}", ":3", "2:", "::2", "-2:"])

    @staticmethod
    def wrap(text):
        """Parentheses unless the expression already binds tightly."""
        simple = re.fullmatch(r"[\w.]+|\w+\([^()]*\)|-?\d+|'[^']*'|\[[^\[\]]*\]", text)
        return text if simple else f"({text})"

    def free(self, letters, spare):
        """A loop name for a comprehension that hides no variable."""
        return self.rng.choice([n for n in letters if n not in self.env] or [spare])

    def call(self, kind):
        """A call of one of the program's own functions that returns this type, or None."""
        fitting = [f for f in self.functions if f[2] == kind]
        if not fitting:
            return None
        name, parameters, _ = self.rng.choice(fitting)
        return f"{name}({', '.join(self.expression(p, 1) for p in parameters)})"

    def _i(self, depth):
        r = self.rng
        if r.random() < 0.40:
            op = r.choice(["+", "+", "+", "-", "-", "*", "*", "//", "%"])
            safe = op in ("//", "%") or r.random() < 0.3
            right = self.small() if safe else self.wrap(self.expression("i", depth))
            return f"{self.wrap(self.expression('i', depth))} {op} {right}"
        choices = {
            "len": lambda: f"len({self.atom(r.choice(['s', 'li', 'ls', 'd', 'st']))})",
            "max": lambda: f"{r.choice(['max', 'min'])}({self.expression('i', depth)}, {self.expression('i', depth)})",
            "abs": lambda: f"abs({self.expression('i', depth)})",
            "sum": lambda: f"sum({self.expression('li', depth)})",
            "item": lambda: (v := self.names("li")) and f"{r.choice(v)}[{self.index()}]",
            "count": lambda: f"{self.wrap(self.atom('s'))}.{r.choice(['count', 'find'])}({r.choice('aeiotnl')!r})",
            "get": lambda: (v := self.names("d")) and f"{r.choice(v)}.get({self.atom('s')}, {r.choice(['0', '1', '-1'])})",
            "choose": lambda: f"{self.expression('i', 0)} if {self.comparison()} else {self.expression('i', 0)}",
            "best": lambda: (v := self.names("li")) and f"{r.choice(['max', 'min'])}({r.choice(v)})",
            "field": lambda: (v := self.names("t")) and f"{r.choice(v)}[{r.choice('01')}]",
            "power": lambda: f"{self.wrap(self.atom('i'))} ** 2",
            "call": lambda: self.call("i"),
            "parse": lambda: f"int({r.choice(['12', '7', '305', '48'])!r})",
        }
        kinds = ["len", "len", "max", "abs", "sum", "item", "item", "count", "count", "get", "choose", "best", "field", "power", "call", "call", "parse"]
        return choices[r.choice(kinds)]() or f"{self.wrap(self.atom('i'))} {r.choice('+-*')} {self.small(1)}"

    def _s(self, depth):
        r, base = self.rng, self.wrap(self.atom("s"))
        choices = {
            "cat": lambda: f"{self.wrap(self.expression('s', depth))} + {self.wrap(self.expression('s', depth))}",
            "index": lambda: f"{base}[{self.index()}]",
            "slice": lambda: f"{base}[{self.slice()}]",
            "case": lambda: f"{base}.{r.choice(['upper', 'lower', 'title', 'capitalize'])}()",
            "replace": lambda: f"{base}.replace({r.choice('aeiotn')!r}, {r.choice(['', 'x', '-', 'oo', 'A'])!r})",
            "repeat": lambda: f"{base} * {r.choice(['2', '2', '3', *self.names('i')[:1]])}",
            "format": self._format,
            "str": lambda: f"str({self.expression('i', depth)})",
            "join": lambda: f"{r.choice([',', '-', ' ', '', '+'])!r}.join({self.expression('ls', depth)})",
            "item": lambda: (v := self.names("ls")) and f"{r.choice(v)}[{self.index()}]",
            "reverse": lambda: f"{base}[::-1]",
            "call": lambda: self.call("s"),
            "strip": lambda: f"{base}.strip({r.choice(['', repr('-'), repr('a')])})",
            "choose": lambda: f"{self.expression('s', 0)} if {self.comparison()} else {self.expression('s', 0)}",
        }
        kinds = ["cat", "cat", "index", "slice", "slice", "case", "replace", "replace", "repeat", "format", "format", "str", "join", "join", "item", "reverse", "call", "strip", "choose"]
        return choices[r.choice(kinds)]() or f"{base} + {self.atom('s')}"

    def _format(self):
        r = self.rng
        names = self.names("i") + self.names("s") or ["1"]
        tail = r.choice(["-{%s}", " {%s}", "", "!", "/{%s}"])
        return "f'" + r.choice(["", "n=", "v:", "<", "["]) + "{%s}" % r.choice(names) + (tail % r.choice(names) if "%" in tail else tail) + "'"

    def _li(self, depth):
        r, base = self.rng, self.wrap(self.atom("li"))
        name = self.free("vxyzne", "v_")

        def comprehension():
            body = r.choice([f"{name} * {self.small()}", f"{name} + {self.small(1)}", name, f"{name} ** 2", f"{name} % {self.small()}", f"{name} - {self.atom('i')}"])
            tests = [f" if {name} % 2 == 0", f" if {name} > {self.atom('i')}", "", "", f" if {name} % {self.small(2, 4)} != 0"]
            test = r.choice(tests) if body != name else f" if {name} {r.choice('<>')} {self.atom('i')}"
            source = base if r.random() < 0.7 else f"range({self.small(2, 6)})"
            return f"[{body} for {name} in {source}{test}]"

        choices = {
            "literal": lambda: self.literal("li"),
            "slice": lambda: f"{base}[{self.slice()}]",
            "sorted": lambda: f"sorted({base}{r.choice(['', '', ', reverse=True'])})",
            "comprehension": comprehension,
            "range": lambda: f"list(range({r.choice([self.small(2, 6), '1, ' + self.small(3, 7), f'0, {self.small(4, 9)}, 2', self.small(4, 6) + ', 0, -1'])}))",
            "lengths": lambda: f"[len({name}) for {name} in {self.atom('ls')}]",
            "append": lambda: f"{base} + [{self.expression('i', depth)}]",
            "reverse": lambda: f"{base}[::-1]",
            "values": lambda: (v := self.names("d")) and f"list({r.choice(v)}.values())",
            "set": lambda: f"sorted({self.expression('st', 0)})",
            "call": lambda: self.call("li"),
            "pair": lambda: f"[{self.expression('i', depth)}, {self.expression('i', depth)}]",
        }
        kinds = ["literal", "slice", "sorted", "comprehension", "comprehension", "comprehension", "range", "lengths", "append", "reverse", "values", "set", "call", "pair"]
        return choices[r.choice(kinds)]() or f"{base}[1:]"

    def _ls(self, depth):
        r, base = self.rng, self.wrap(self.atom("ls"))
        name = self.free("wpqk", "w_")
        choices = {
            "split": lambda: f"{self.wrap(self.atom('s'))}.split()",
            "split_at": lambda: f"{self.wrap(self.atom('s'))}.split({r.choice(['-', ',', 'a', 'e'])!r})",
            "case": lambda: f"[{name}.{r.choice(['upper()', 'title()', 'lower()'])} for {name} in {base}]",
            "sorted": lambda: f"sorted({base}{r.choice(['', '', ', key=len', ', reverse=True'])})",
            "list": lambda: f"list({self.atom('s')})",
            "keys": lambda: (v := self.names("d")) and f"{r.choice(['list', 'sorted'])}({r.choice(v)})",
            "slice": lambda: f"{base}[{self.slice()}]",
            "pair": lambda: f"[{self.expression('s', depth)}, {self.expression('s', 0)}]",
            "filter": lambda: f"[{name} for {name} in {base} if len({name}) > {self.small(1, 4)}]",
        }
        kinds = ["split", "split", "split_at", "case", "sorted", "list", "keys", "slice", "pair", "filter"]
        return choices[r.choice(kinds)]() or f"[{self.expression('s', 0)}]"

    def _d(self, depth):
        r = self.rng
        kind = r.choice(["literal", "lengths", "zip", "pair", "double"])
        if kind == "lengths":
            return f"{{w: len(w) for w in {self.atom('ls')}}}"
        if kind == "zip":
            return f"dict(zip({self.atom('ls')}, {self.atom('li')}))"
        if kind == "pair":
            return f"{{{self.string()[:4]!r}: {self.expression('i', depth)}, {self.string()[:4]!r}: {self.expression('i', 0)}}}"
        if kind == "double" and self.names("d"):
            return f"{{k: v * 2 for k, v in {r.choice(self.names('d'))}.items()}}"
        return self.literal("d")

    def _st(self, depth):
        kind = self.rng.choice(["set", "|", "&", "-", "literal"])
        if kind == "set":
            return f"set({self.atom('li')})"
        return self.literal("st") if kind == "literal" else f"{self.atom('st')} {kind} {self.atom('st')}"

    def _t(self, depth):
        kind = self.rng.choice(["pair", "pair", "divmod", "tuple"])
        if kind == "divmod":
            return f"divmod({self.atom('i')}, {self.small()})"
        return f"tuple({self.atom('li')})" if kind == "tuple" else f"({self.expression('i', depth)}, {self.expression('i', depth)})"

    def _b(self, depth):
        return self.condition()

    def comparison(self):
        r, k = self.rng, self.rng.random()
        op = r.choice(["<", ">", "<=", ">=", "==", "!="])
        if k < 0.40:
            return f"{self.wrap(self.expression('i', 1))} {op} {self.expression('i', 0)}"
        if k < 0.56:
            return f"{self.atom('i')} % {self.small(2, 4)} {r.choice(['==', '!='])} {r.choice('001')}"
        if k < 0.62:
            return f"{self.atom('i')} in {self.atom(r.choice(['li', 'st']))}"
        if k < 0.68:
            return f"{self.atom('s')} in {self.atom(r.choice(['s', 'ls', 'd']))}"
        if k < 0.76:
            tests = ["isdigit()", "isalpha()", f"startswith({r.choice('abcst')!r})", f"endswith({r.choice('etny')!r})", "isupper()", "islower()"]
            return f"{self.wrap(self.atom('s'))}.{r.choice(tests)}"
        if k < 0.82:
            return f"len({self.atom(r.choice(['s', 'li', 'ls', 'd']))}) {op} {self.small(1, 5)}"
        if k < 0.86:
            return f"{self.atom('s')} {r.choice(['==', '!=', '<'])} {self.atom('s')}"
        if k < 0.92 and self.names("b"):
            return r.choice(["", "not "]) + r.choice(self.names("b"))
        if k < 0.96:
            return self.atom(r.choice(["s", "li", "ls"]))
        return f"{self.small(0, 5)} {r.choice(['<', '<='])} {self.atom('i')} < {self.small(6, 20)}"

    def condition(self):
        k = self.rng.random()
        if k < 0.75:
            return self.comparison()
        if k < 0.95:
            return f"{self.comparison()} {self.rng.choice(['and', 'or'])} {self.comparison()}"
        return f"not ({self.comparison()})"
