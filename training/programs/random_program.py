"""Random programs: a few functions of random typed statements, a small class, or a recursion."""

from .expressions import Expressions
from .pools import ATTRIBUTES, CLASSES, FUNCTIONS, METHODS


class RandomProgram(Expressions):
    """Builds one program; `lines` is its text, `locked` the names that must not change now
    (loop counters, lists being walked)."""

    def __init__(self, rng, easy=False):
        super().__init__(rng, easy)
        self.lines, self.locked, self.returns = [], set(), "i"

    def put(self, indent, text):
        self.lines.append("    " * indent + text)

    def free_names(self, kind):
        return [n for n in self.names(kind) if n not in self.locked]

    # statements: each takes (indent, in_loop)

    def assign(self, indent, _loop=False):
        r = self.rng
        kind = r.choice(["i"] * 6 + ["s"] * 4 + ["li"] * 3 + ["ls"] * 2 + ["d", "st", "t", "b"])
        names = self.free_names(kind)
        text = self.expression(kind, 1 if self.easy else r.choice([1, 2, 2]))
        name = r.choice(names) if names and r.random() < 0.35 else self.fresh()
        self.put(indent, f"{name} = {text}")
        self.env[name] = kind

    def augment(self, indent, _loop):
        r = self.rng
        kind = r.choice(["i", "i", "i", "s", "li"])
        names = self.free_names(kind)
        if not names:
            return self.assign(indent)
        op = r.choice(["+=", "+=", "+=", "-=", "*=", "//=", "%="]) if kind == "i" else "+="
        if op in ("//=", "%=", "*="):
            text = self.small()
        else:
            text = f"[{self.expression('i', 1)}]" if kind == "li" else self.expression(kind, 1)
        self.put(indent, f"{r.choice(names)} {op} {text}")

    def mutate(self, indent, _loop):
        r = self.rng
        kind = r.choice(["li"] * 5 + ["ls", "d", "d", "d", "st"])
        names = self.free_names(kind)
        if not names:
            return self.assign(indent)
        v = r.choice(names)
        if kind == "li":
            what = r.choice(["append"] * 5 + ["pop()", "pop(0)", "sort()", "reverse()", "insert", "extend", "sort(reverse=True)", "set", "set", "take", "swap", "del"])
            if what == "append":
                self.put(indent, f"{v}.append({self.expression('i', 1)})")
            elif what == "insert":
                self.put(indent, f"{v}.insert(0, {self.expression('i', 0)})")
            elif what == "extend":
                self.put(indent, f"{v}.extend({self.atom('li')})")
            elif what == "set":
                self.put(indent, f"{v}[{self.index()}] {r.choice(['=', '+='])} {self.expression('i', 1)}")
            elif what == "take":
                name = self.fresh()
                self.put(indent, f"{name} = {v}.pop({r.choice(['', '0'])})")
                self.env[name] = "i"
            elif what == "swap":
                self.put(indent, f"{v}[0], {v}[-1] = {v}[-1], {v}[0]")
            elif what == "del":
                self.put(indent, f"del {v}[0]")
            else:
                self.put(indent, f"{v}.{what}")
        elif kind == "ls":
            self.put(indent, f"{v}.{r.choice([f'append({self.expression(chr(115), 1)})'] * 2 + ['pop()', 'sort()', 'reverse()'])}")
        elif kind == "d":
            key = self.atom("s")
            self.put(indent, r.choice([
                f"{v}[{key}] = {self.expression('i', 1)}",
                f"{v}[{key}] = {v}.get({key}, 0) + {r.choice(['1', '1', self.atom('i')])}",
                f"{v}.pop({key}, None)",
            ]))
        else:
            self.put(indent, f"{v}.{r.choice(['add', 'add', 'discard'])}({self.expression('i', 1)})")

    def unpack(self, indent, _loop):
        names = self.free_names("i")
        if len(names) < 2:
            return self.assign(indent)
        a, b = self.rng.sample(names, 2)
        right = self.rng.choice([f"{b}, {a}", f"{b}, {a} + {b}", f"{self.expression('i', 1)}, {self.expression('i', 1)}"])
        self.put(indent, f"{a}, {b} = {right}")

    def call_function(self, indent, _loop):
        if not self.functions:
            return self.assign(indent)
        name, parameters, kind = self.rng.choice(self.functions)
        target = self.fresh()
        self.put(indent, f"{target} = {name}({', '.join(self.expression(p, 1) for p in parameters)})")
        self.env[target] = kind

    def branch(self, indent, loop):
        r = self.rng
        self.put(indent, f"if {self.condition()}:")
        self.block(indent + 1, loop)
        if r.random() < 0.25:
            self.put(indent, f"elif {self.condition()}:")
            self.block(indent + 1, loop)
        if r.random() < 0.5:
            self.put(indent, "else:")
            self.block(indent + 1, loop)

    def for_loop(self, indent, _loop):
        r, outer, walked, bound = self.rng, dict(self.env), set(), {}
        kind = r.choice(["range", "range", "li", "li", "s", "ls", "enumerate", "zip", "items", "count"])
        if kind == "count":
            table, name, source = self.fresh(), self.fresh(), self.atom("s")
            self.put(indent, f"{table} = {{}}")
            self.put(indent, f"for {name} in {source}:")
            self.put(indent + 1, f"{table}[{name}] = {table}.get({name}, 0) + 1")
            self.env[table] = "d"
            return
        a, b = self.fresh(), self.fresh()
        if kind == "range":
            bounds = r.choice([self.small(2, 5), self.small(2, 5), "1, " + self.small(3, 6), f"0, {self.small(3, 8)}, 2", self.small(3, 4) + ", 0, -1", f"len({self.atom(r.choice(['li', 's', 'ls']))})"])
            head, bound = f"for {a} in range({bounds}):", {a: "i"}
        elif kind in ("li", "s", "ls"):
            source = self.atom(kind) if r.random() < 0.8 else self.expression(kind, 1)
            head, bound, walked = f"for {a} in {source}:", {a: "i" if kind == "li" else "s"}, {source}
        elif kind == "enumerate":
            of = r.choice(["li", "s", "ls"])
            source = self.atom(of)
            head, bound, walked = f"for {a}, {b} in enumerate({source}):", {a: "i", b: "i" if of == "li" else "s"}, {source}
        elif kind == "zip":
            left, right = self.atom("li"), self.atom("ls")
            head, bound, walked = f"for {a}, {b} in zip({left}, {right}):", {a: "i", b: "s"}, {left, right}
        else:
            source = self.atom("d")
            head, bound, walked = f"for {a}, {b} in {source}.items():", {a: "s", b: "i"}, {source}
        self.put(indent, head)
        before = set(self.locked)
        self.locked |= walked | set(bound)
        self.env.update(bound)
        self.block(indent + 1, True)
        self.locked = before
        self.env = {n: k for n, k in self.env.items() if n in outer}

    def while_loop(self, indent, _loop):
        r, outer, k, name = self.rng, dict(self.env), self.rng.random(), self.fresh()
        drain = k >= 0.9
        if k < 0.4:
            start, head, step = r.choice("01"), f"{name} < {self.small(2, 5)}", f"{name} += 1"
        elif k < 0.7:
            start, head, step = self.small(2, 5), f"{name} > 0", f"{name} -= {r.choice('112')}"
        elif not drain:
            start = r.choice([self.expression("i", 0), str(r.randint(5, 999))])
            head, step = f"{name} > {r.choice(['0', '0', '1', '9'])}", f"{name} //= {r.choice(['2', '10', '3'])}"
        else:
            start, head, step = self.literal("li"), name, f"{self.fresh()} = {name}.pop()"
        self.put(indent, f"{name} = {start}")
        self.put(indent, f"while {head}:")
        self.env[name] = "li" if drain else "i"
        self.locked.add(name)
        first = drain or r.random() < 0.3
        if first:
            self.put(indent + 1, step)
        self.block(indent + 1, first)  # `continue` before the step would never end
        if not first:
            self.put(indent + 1, step)
        self.locked.discard(name)
        self.env = {n: k for n, k in self.env.items() if n in outer or n == name}

    def attempt(self, indent, _loop):
        r = self.rng
        error, risky = r.choice([
            ("ZeroDivisionError", f"{self.expression('i', 1)} // {self.wrap(self.atom('i'))}"),
            ("IndexError", f"{self.atom('li')}[{self.small(0, 5)}]"),
            ("KeyError", f"{self.atom('d')}[{self.atom('s')}]"),
            ("ValueError", f"int({self.atom('s')})"),
            ("ValueError", f"{self.atom('li')}.index({self.atom('i')})"),
            ("TypeError", f"{self.atom('s')} + {self.atom('i')}"),
        ])
        names = self.free_names("i")
        name = r.choice(names) if names and r.random() < 0.5 else self.fresh()
        self.put(indent, "try:")
        self.put(indent + 1, f"{name} = {risky}")
        self.put(indent, f"except {r.choice([error, error, 'Exception'])}{r.choice(['', '', ' as error'])}:")
        self.put(indent + 1, f"{name} = {r.choice(['0', '-1', self.expression('i', 0)])}")
        self.env[name] = "i"
        if r.random() < 0.15:
            last = self.fresh()
            self.put(indent, "finally:")
            self.put(indent + 1, f"{last} = {self.expression('i', 0)}")
            self.env[last] = "i"

    def leave_loop(self, indent, _loop):
        self.put(indent, f"if {self.comparison()}:")
        self.put(indent + 1, self.rng.choice(["break", "continue", "continue"]))

    def leave(self, indent, _loop):
        self.put(indent, f"if {self.comparison()}:")
        self.put(indent + 1, f"return {self.expression(self.returns, 1)}")

    def statement(self, indent, loop):
        menu = [self.assign] * 9 + [self.augment] * 5 + [self.mutate] * 5 + [self.call_function] * 2 + [self.unpack]
        if indent < 3:
            menu += [self.branch] * 5 + [self.for_loop] * 5 + [self.while_loop] * 2 + [self.attempt]
        if loop:
            menu += [self.leave_loop] * 2 + [self.augment] * 2 + [self.mutate] * 2
        elif indent == 1 and self.rng.random() < 0.4:
            menu.append(self.leave)
        self.rng.choice(menu)(indent, loop)

    def block(self, indent, loop):
        outer = dict(self.env)
        for _ in range(self.rng.choice([1, 1, 2, 2, 3])):
            self.statement(indent, loop)
        self.env = {n: k for n, k in self.env.items() if n in outer}

    # whole functions and programs: each gives (name, parameter types)

    def function_name(self):
        self.used = {f[0] for f in self.functions}
        pick = lambda: self.rng.choice(FUNCTIONS) if self.rng.random() < 0.88 else f"{self.identifier()}_{self.rng.choice(['fn', 'it', 'up', 'of'])}"
        return self.fresh(pick)

    def function(self, size, returns=None):
        r, name = self.rng, self.function_name()
        self.used = {name} | {f[0] for f in self.functions}
        self.locked, self.env = set(), {}
        kinds = [r.choice(["i", "i", "i", "s", "s", "li", "li", "ls", "d"]) for _ in range(r.choice([1, 1, 2, 2, 3]))]
        parameters = []
        for kind in kinds:
            parameters.append(self.fresh())
            self.env[parameters[-1]] = kind
        self.returns = returns or r.choice(["i", "i", "i", "s", "s", "li", "ls", "d", "t", "b"])
        self.put(0, f"def {name}({', '.join(parameters)}):")
        begin = len(self.lines)
        for _ in range(50):
            if len(self.lines) - begin >= size:
                break
            self.statement(1, False)
        if r.random() < 0.08 and self.returns == "i":
            self.put(1, f"if {self.comparison()}:")
            self.put(2, f"raise ValueError({r.choice(['bad', 'too big', 'neg'])!r})")
        made = [n for n in self.names(self.returns) if n not in parameters]
        self.put(1, f"return {r.choice(made) if made and r.random() < 0.6 else self.expression(self.returns, 2)}")
        self.functions.append((name, kinds, self.returns))
        return name, kinds

    def klass(self):
        r, name = self.rng, self.rng.choice(CLASSES)
        a, b = r.sample(ATTRIBUTES, 2)
        change, ask = r.sample(METHODS, 2)
        p = r.choice("nvkx")
        second = r.choice(["0", "1", "[]", a, a + " * 2"])
        grows = second == "[]"
        self.put(0, f"class {name}:")
        self.put(1, f"def __init__(self, {a}):")
        self.put(2, f"self.{a} = {a}")
        self.put(2, f"self.{b} = {second}")
        self.put(1, f"def {change}(self, {p}):")
        if r.random() < 0.4:
            self.put(2, f"if {p} > {self.small()}:")
            self.put(3, r.choice(["return False", "return -1", f"return self.{a}", f"raise ValueError({r.choice(['too much', 'no', 'limit'])!r})"]))
        self.put(2, f"self.{b}.append({p})" if grows else r.choice([f"self.{b} += {p}", f"self.{a} -= {p}", f"self.{a} = self.{a} * {p}", f"self.{b} = self.{a} + {p}"]))
        self.put(2, f"return {r.choice(['self', f'self.{a}', f'self.{b}', p])}")
        self.put(1, f"def {ask}(self):")
        self.put(2, "return " + (f"len(self.{b}) + self.{a}" if grows else r.choice([f"self.{a} + self.{b}", f"self.{a} * {self.small()}", f"self.{a} > self.{b}"])))
        main = self.function_name()
        self.used = {main, name}
        n, o = self.fresh(), self.fresh()
        self.env, self.locked, self.returns = {n: "i"}, set(), "i"
        self.put(0, f"def {main}({n}):")
        self.put(1, f"{o} = {name}({r.choice([n, self.small(), n + ' + 1'])})")
        for _ in range(r.randint(1, 3)):
            k = r.random()
            if k < 0.4:
                self.put(1, f"{o}.{change}({self.expression('i', 1)})")
            elif k < 0.6:
                v = self.fresh()
                self.put(1, f"{v} = {o}.{ask}()")
                self.env[v] = "i"
            elif k < 0.8:
                v = self.fresh()
                self.put(1, f"for {v} in range({self.small(2, 4)}):")
                self.put(2, f"{o}.{change}({v})")
            else:
                self.statement(1, False)
        self.put(1, f"return {o}.{r.choice([a, b, ask + '()'])}")
        return main, ["i"]

    def program(self):
        """(text, entry function, parameter types)."""
        r = self.rng
        if r.random() < 0.12:
            name, kinds = self.klass()
        else:
            for _ in range(r.choice([0, 0, 0, 1] if self.easy else [0, 0, 1, 1, 1, 2])):
                self.function(r.choice([1, 1, 2, 3]), r.choice(["i", "i", "i", "s", "li"]))
            name, kinds = self.function(r.randint(2, 7) if self.easy else r.randint(3, 14))
        return "\n".join(self.lines) + "\n", name, kinds

    def arguments(self, kinds):
        return ", ".join(repr(self.value(kind)) for kind in kinds)
