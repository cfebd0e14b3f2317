"""Inheritance, overriding, `super`, abstract bases, mixins, dataclasses and enums."""

from ..registry import family


@family
def shapes(d):
    """One method overridden by several subclasses, called through a list."""
    one, two = d.r.sample([
        ("$Square", "$side", "return self.$side ** 2"), ("$Rect", "$w, $h", "return self.$w * self.$h"),
        ("$Tri", "$base, $height", "return self.$base * self.$height // 2"), ("$Ring", "$r", "return 3 * self.$r * self.$r"),
    ], 2)

    def subclass(name, fields, body):
        sets = "\n".join(f"        self.{f} = {f}" for f in fields.split(", "))
        return f"class {name}($Shape):\n    def __init__(self, {fields}):\n{sets}\n    def $area(self):\n        {body}"

    made = ", ".join(f"{name}({', '.join('{{1..12}}' for _ in fields.split(', '))})" for name, fields, _ in d.r.choices([one, two], k=d.r.randint(1, 2)))
    return d.make("""
        class $Shape:
            def $area(self):
                return {{0|1}}

            def $big(self):
                return self.$area() > {{10..60}}

        $one
        $two
        $shapes = [$made, {{$Shape()|$sample}}]
        for $s in $shapes:
            print(type($s).__name__, $s.{{$area|$area|$big}}())
        """, one=subclass(*one), two=subclass(*two), made=made,
        sample=f"{two[0]}({', '.join(str(d.r.randint(1, 9)) for _ in two[1].split(', '))})")  # fmt: skip


@family
def super_chain(d):
    """`super().__init__` and `super().method` through two or three levels."""
    third = d.pick("", """
        class $Senior($Manager):
            def $pay(self):
                return super().$pay() {{+|*}} {{2..9}}
        """)
    return d.make("""
        class $Employee:
            def __init__(self, $name, $base):
                self.$name = $name
                self.$base = $base

            def $pay(self):
                return self.$base * {{2..12}}

        class $Manager($Employee):
            def __init__(self, $name, $base, $bonus={{5..50}}):
                super().__init__($name{{|.upper()}}, $base)
                self.$bonus = $bonus

            def $pay(self):
                $total = super().$pay()
                return $total + self.$bonus

        $third
        $boss = $Last({{@person}}, {{10..99}})
        print($boss.$name, $boss.$pay())
        """, third=third, Last="$Senior" if third else "$Manager")


@family
def template_method(d):
    """A base method that calls hooks which the subclasses give."""
    hook, other = d.r.sample(["return $text.upper()", "return $text[::-1]", "return $text.replace({{'a'|'e'|'o'}}, '*')", "return $text + '!'", "return $text.title()", "return f'<{$text}>'"], 2)
    return d.make("""
        class $Step:
            def $prepare(self, $text):
                return $text.strip()

            def $change(self, $text):
                return $text

            def $run(self, $text):
                $clean = self.$prepare($text)
                $result = self.$change($clean)
                return $result{{|, len($result)}}

        class $Loud($Step):
            def $change(self, $text):
                $hook

        class $Odd($Step):
            def {{$prepare|$change}}(self, $text):
                $other

        def $main($text):
            return [$kind().$run($text) for $kind in ($kinds)]
        """, "$main($given)", hook=hook, other=other, kinds=d.pick("$Loud, $Odd", "$Step, $Loud, $Odd", "$Odd,"),
        given=repr(d.pick(" ", "", "  ") + d.string()[:8] + d.pick(" ", "")))  # fmt: skip


@family(raises=True)
def abstract_base(d):
    """A base method that raises NotImplementedError; a subclass that gives it or forgets."""
    return d.make("""
        class $Animal:
            def $sound(self):
                raise NotImplementedError({{|"no sound"|type(self).__name__}})

            def $speak(self, $times):
                return {{" "|"-"|""}}.join([self.$sound()] * $times)

        class $Dog($Animal):
            def $sound(self):
                return {{"woof"|"bark"|"grr"}}

        class $Fish($Animal):
            $legs = {{0|1}}

        def $run($times):
            $out = []
            for $kind in {{($Dog, $Fish)|($Fish, $Dog)|[$Dog]}}:
                $pet = $kind()
                $attempt
            return $out
        """, "$run({{0..3}})", attempt=d.pick(
        "try:\n    $out.append($pet.$speak($times))\nexcept NotImplementedError{{| as error}}:\n    $out.append({{None|'?'|'silent'}})",
        "$out.append($pet.$speak($times))",
        "if hasattr($pet, '$legs'):\n    continue\n$out.append($pet.$speak($times))"))  # fmt: skip


@family
def mixin_order(d):
    """Two parents: which method wins by the order of resolution, and cooperative super."""
    order = d.pick("$Left, $Right", "$Right, $Left")
    coop = d.r.random() < 0.5
    step = 'return {{"l"|"left"}} + super().$tag()' if coop else 'return {{"l"|"left"}}'
    step2 = 'return super().$tag() + {{"r"|"right"}}' if coop else 'return {{"r"|"right"}}'
    return d.make("""
        class $Base:
            def $tag(self):
                return {{@label}}

        class $Left($Base):
            def $tag(self):
                $step

        class $Right($Base):
            def $tag(self):
                $step2

        class $Both($order):
            {{pass|$kind = 2|$size = 1}}

        $obj = $Both()
        $result = $obj.$tag()
        print($result, isinstance($obj, $Right), $Both.__mro__[1].__name__)
        """, order=order, step=step, step2=step2)


@family
def isinstance_dispatch(d):
    """A walk over a list of mixed values, sorted by type tests in an order that matters."""
    values = [d.pick(d.r.randint(-5, 30), d.string()[:5], True, None, d.numbers(2, 0, 9), 2.5, (1, 2)) for _ in range(d.r.randint(2, 5))]
    tests = d.pick(
        "if isinstance($v, bool):\n    return {{'flag'|'bool'}}\nif isinstance($v, int):\n    return $v {{+|*|-}} {{1..9}}\nif isinstance($v, (list, tuple)):\n    return len($v)\nreturn str($v)",
        "if $v is None:\n    return 0\nelif isinstance($v, str):\n    return len($v)\nelif isinstance($v, (list, tuple)):\n    return sum($v)\nelse:\n    return int($v)",
        "$kind = type($v)\nif $kind in (int, float):\n    return round($v * {{2..4}})\nif $kind is str:\n    return $v.upper()\nreturn $kind.__name__",
    )
    return d.make("""
        def $f($v):
            $tests

        def $run($values):
            return [$f($v) for $v in $values]
        """, "$run($given)", tests=tests, given=values)


@family
def dataclass_basics(d):
    """A dataclass with defaults, its generated repr and equality, and a method."""
    field = d.pick("$stock: int = {{0..9}}", "$tag: str = {{@word}}")
    change = "$item.$stock += {{1..9}}" if "int" in field else "$item.$tag = $item.$tag[:2]"
    return d.make("""
        from dataclasses import dataclass

        @dataclass
        class $Item:
            $name: str
            $price: int
            $field

            def $cost(self, $n{{|=1}}):
                return self.$price * $n

        $item = $Item({{@word}}, {{1..30}})
        $same = $Item($item.$name, $price=$item.$price)
        {{$change|$item.$price -= 1|}}
        $amount = $item.$cost({{2..6}})
        print($item == $same, $amount)
        print($item)
        """, field=field, change=change)


@family
def dataclass_post_init(d):
    """`field(default_factory=...)`, `__post_init__` that derives or checks, a list of records."""
    body = d.pick("self.$total = sum(self.$marks)", "self.$marks = sorted(self.$marks)\nself.$total = max(self.$marks, default=0)",
                  "if len(self.$marks) > {{2..3}}:\n    self.$marks = self.$marks[:2]\nself.$total = len(self.$marks)")
    rows = [(name, d.numbers(d.r.randint(0, 3), 1, 10)) for name in d.r.sample(["Ann", "Bob", "Cy", "Dee", "Eli"], d.r.randint(2, 3))]
    return d.make("""
        from dataclasses import dataclass, field

        @dataclass
        class $Pupil:
            $name: str
            $marks: list = field(default_factory=list)
            $total: int = 0

            def __post_init__(self):
                $body

        def $run($rows):
            $pupils = [$Pupil($name, $marks) for $name, $marks in $rows]
            $pupils.append($Pupil({{@person}}))
            $best = max($pupils, key=lambda $p: $p.$total)
            return $best.$name, [$p.$total for $p in $pupils]
        """, "$run($given)", body=body, given=rows)


@family
def ordered_dataclass(d):
    """`order=True` compares by fields in turn; `frozen=True` objects as dict keys."""
    kind, use = d.pick(
        ("order=True", "$low, *$rest = sorted($all)\nprint($low, len($rest))\nprint($all[0] {{<|>=}} $all[1])"),
        ("order=True", "$top = {{max|min}}($all)\nprint($top.$a, $all.index($top))"),
        ("frozen=True", "$seen = {}\nfor $p in $all:\n    $seen[$p] = $seen.get($p, 0) + 1\nprint(len($seen), $seen[$all[0]])"),
    )
    points = ", ".join(f"$Spot({d.r.randint(0, 3)}, {d.r.randint(0, 2)})" for _ in range(d.r.randint(2, 4)))
    return d.make("""
        from dataclasses import dataclass

        @dataclass($kind)
        class $Spot:
            $a: int
            $b: int{{ = 0|}}

        $all = [$points]
        $use
        """, kind=kind, use=use, points=points)


@family
def enum_colors(d):
    """An Enum: members by value and by name, iteration, identity."""
    names = d.r.sample(["RED", "GREEN", "BLUE", "AMBER", "PINK", "GRAY"], 3)
    numbers = d.r.choice([[1, 2, 3], d.r.sample(range(1, 9), 3)])
    members = "\n".join(f"{name} = {number}" for name, number in zip(names, numbers))
    at = d.r.randrange(3)
    use = d.pick(
        f"$c = $Color({numbers[at]})\nprint($c.name, $c is $Color.{names[0]})",
        f"$c = $Color['{names[at]}']\nprint($c.value {{{{+|*}}}} {{{{2..9}}}}, $c.name.lower())",
        "$total = 0\nfor $c in $Color:\n    $total += $c.value\nprint($total, len($Color))",
        f"$picked = [$c.name for $c in $Color if $c.value {{{{>|<|!=}}}} {numbers[at]}]\nprint($picked)",
        f"$order = sorted($Color, key=lambda $c: {{{{-$c.value|$c.name|len($c.name)}}}})\n$c = $order[0]\nprint($c.name, $c.value)",
    )
    return d.make("""
        from enum import Enum

        class $Color(Enum):
            $members

        $use
        """, members=members, use=use)


@family
def plugin_subclasses(d):
    """Subclasses kept in a dict by name and made from text commands."""
    commands = [d.pick(f"add {d.r.randint(1, 9)}", f"mul {d.r.randint(2, 5)}", "neg", "neg 1", "pow 2") for _ in range(d.r.randint(1, 3))]
    return d.make("""
        class $Op:
            def __init__(self, $n=1):
                self.$n = int($n)

        class $Add($Op):
            def $apply(self, $x):
                return $x + self.$n

        class $Mul($Op):
            def $apply(self, $x):
                return $x * self.$n

        class $Neg($Op):
            def $apply(self, $x):
                return -$x

        $OPS = {"add": $Add, "mul": $Mul, "neg": $Neg}

        def $run($x, $commands):
            for $line in $commands:
                $name, *$args = $line.split()
                $kind = $OPS.get($name)
                if $kind is None:
                    return {{None|$name|$x}}
                $x = $kind(*$args).$apply($x)
            return $x
        """, "$run({{1..20}}, $commands_)", commands_=commands)


@family
def property_override(d):
    """Class attributes looked up through the instance, its class and its parent."""
    set_it = d.pick("$one.$legs = {{5..9}}", "$Bird.$legs = {{5..9}}", "$Pet.$legs = {{5..9}}", "del $two.$noise")
    return d.make("""
        class $Pet:
            $legs = 4
            $noise = {{@word}}

            def $about(self):
                return f"{self.$noise} {self.$legs}"

        class $Bird($Pet):
            $change

        $one, $two = $Pet(), $Bird()
        $two.$noise = {{@word}}
        $before = $one.$about(), $two.$about()
        $set_it
        print($before)
        print($one.$about(), $two.$about())
        """, set_it=set_it, change=d.pick("$legs = 2", "$wings = 2"))


@family
def subclass_hook(d):
    """`__init_subclass__` or a class decorator collects the classes as they are made."""
    how = d.pick(("def __init_subclass__(cls):\n    $KINDS[cls.__name__.lower()] = cls", ""), ("pass", "@$register"))
    register = "def $register(cls):\n    $KINDS[cls.__name__.lower()] = cls\n    return cls\n" if how[1] else ""
    return d.make("""
        $KINDS = {}

        $register_it
        class $Base:
            $hook

        $mark
        class Csv($Base):
            $sep = {{","|";"}}

        $mark
        class Tab($Base):
            $sep = {{" "|"-"}}

        $kind = $KINDS[{{"csv"|"tab"|"csv"}}]
        print($kind.__name__, $kind.$sep.join({{@words 1 3}}), len($KINDS))
        """, register_it=register, hook=how[0], mark=how[1])


@family
def namedtuple_fields(d):
    """A namedtuple: fields by name and place, `_replace`, unpacking, comparison."""
    use = d.pick(
        "$moved = $p._replace($x=$p.$x {{+|*}} {{2..9}})\nprint($moved.$x, $p.$x, $moved > $p)",
        "$x1, $y1 = $p\nprint($x1 {{+|*|-}} $y1, $p[0], len($p))",
        "$far = max($all, key=lambda $q: $q.$x {{+|*}} $q.$y)\nprint($far.$x, $far._fields)",
        "$table = {$q.$x: $q.$y for $q in $all}\nprint($table, sorted($all)[0].$y)",
    )
    return d.make("""
        from collections import namedtuple

        $Spot = namedtuple("$Spot", "$x $y")
        $p = $Spot({{0..20}}, $y={{0..20}})
        $all = [$p, $Spot(*{{(3, 9)|(12, 4)|[7, 7]}})]
        $use
        """, use=use)


@family
def delegation(d):
    """An object that holds another and passes most calls on to it, changing some."""
    return d.make("""
        class $Store:
            def __init__(self):
                self.$data = {}

            def $put(self, $key, $value):
                self.$data[$key] = $value

            def $get(self, $key):
                return self.$data.get($key{{|, 0}})

        class $Counting:
            def __init__(self, $inner):
                self.$inner = $inner
                self.$reads = 0

            def $put(self, $key, $value):
                self.$inner.$put($key{{|.lower()|[0]}}, $value)

            def $get(self, $key):
                self.$reads += 1
                return self.$inner.$get($key)

        $store = $Counting($Store())
        $store.$put({{"A"|"b"}}, {{0..9}})
        $store.$put({{"b"|"c"}}, {{0..9}})
        print($store.$get({{"a"|"b"|"A"}}), $store.$get("b"), $store.$reads)
        """)


@family
def builtin_subclasses(d):
    """Subclasses of list, dict, str and int with a method or an operation changed."""
    head, body, use = d.pick(
        ("list", "def append(self, $x):\n    if $x not in self:\n        super().append($x)", "$c = $Mine()\nfor $x in $xs:\n    $c.append($x)\nreturn $c, len($c)"), ("dict", "def __missing__(self, $key):\n    self[$key] = $key {{* 2|+ 1}}\n    return self[$key]", "$c = $Mine()\n$total = sum($c[$x] for $x in $xs)\nreturn dict($c), $total"),
        ("int", "def __add__(self, $other):\n    return $Mine((int(self) + $other) % {{7|10|12}})", "$c = $Mine({{0..6}})\nfor $x in $xs:\n    $c = $c + $x\nreturn int($c)"), ("list", "def $second(self):\n    return self[1] if len(self) > 1 else None", "$c = $Mine($xs)\n$c.sort()\nreturn $c.$second(), $c[0]"),
    )
    return d.make("""
        class $Mine($head):
            $body

        def $run($xs):
            $use
        """, "$run({{@small 1 4}})", head=head, body=body, use=use)


@family
def dataclass_tree(d):
    """Dataclasses that hold dataclasses, walked by a method that calls itself."""
    ask = d.pick(
        "return self.$size + sum($k.$total() for $k in self.$kids)",
        "$best = self.$size\nfor $k in self.$kids:\n    $best = max($best, $k.$total())\nreturn $best",
        "return 1 + sum($k.$total() for $k in self.$kids)",
    )
    return d.make("""
        from dataclasses import dataclass, field

        @dataclass
        class $Part:
            $name: str
            $size: int = {{1..9}}
            $kids: list = field(default_factory=list)

            def $total(self):
                $ask

        $root = $Part({{@word}}, {{1..20}})
        $root.$kids.append($Part({{@word}}))
        {{$root.$kids[0].$kids.append($Part("y", 4))|$root.$kids.append($Part("x", $size=3))|}}
        print($root.$total(), len($root.$kids))
        """, ask=ask)
