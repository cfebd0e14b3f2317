"""Plain classes: attributes, methods, properties, operators, objects that hold objects."""

from ..registry import family


@family
def bank_account(d):
    """Guarded state changes; a method that reports success."""
    guard = d.r.choice(["$amount > self.$balance", "self.$balance - $amount < {{0|-10|-20}}", "not 0 < $amount <= self.$balance"])
    moves = [d.r.choice([-1, 1]) * d.r.randint(0, 40) for _ in range(d.r.randint(2, 4))]
    return d.make("""
        class $Account:
            def __init__(self, $owner, $balance={{0|10|50}}):
                self.$owner = $owner
                self.$balance = $balance

            def $deposit(self, $amount):
                if $amount <= 0:
                    return False
                self.$balance += $amount
                return True

            def $withdraw(self, $amount):
                if $guard:
                    return False
                self.$balance -= $amount
                return True

        def $run($steps):
            $acct = $Account({{@person}}, {{5..60}})
            for $step in $steps:
                if $step >= 0:
                    $acct.$deposit($step)
                else:
                    $acct.$withdraw(-$step)
            return $acct.$balance
        """, "$run($moves)", guard=guard, moves=moves)


@family
def counter_with_step(d):
    """A counter object: default arguments, reset, a method used in a loop."""
    return d.make("""
        class $Counter:
            def __init__(self, $start=0, $step=1):
                self.$value = $start
                self.$step = $step

            def $tick(self):
                self.$value += self.$step{{| * 2}}
                return self.$value

            def $reset(self):
                self.$value = {{0..9}}

        $c = $Counter($given)
        for $i in range({{2..4}}):
            $c.$tick()
        $seen = $c.$value
        if $seen {{>|<}} {{3..9}}:
            $c.$reset()
        print($seen, $c.$tick())
        """, given=d.r.choice(["$step={{2..6}}", "{{0..9}}, {{2..4}}", "{{0..20}}"]))


@family
def temperature_property(d):
    """A computed property and a setter that converts back."""
    return d.make("""
        class $Thermo:
            def __init__(self, $low):
                self._$low = $low

            @property
            def $high(self):
                return self._$low {{*|+}} {{2..9}}

            @$high.setter
            def $high(self, $value):
                if $value {{<|>}} {{0..30}}:
                    $value = {{0..30}}
                self._$low = $value // {{2..9}}

        def $run($n):
            $t = $Thermo($n)
            $before = $t.$high
            $t.$high = $before {{+|-}} {{1..25}}
            return $before, $t.$high
        """, "$run({{0..30}})")


@family
def vector_operators(d):
    """Arithmetic dunder methods that build new objects, and a readable repr."""
    method, body = d.pick(
        ("def __mul__(self, $k):\n    return $Vec(self.$x * $k, self.$y * $k)\n", "$total = $a + $b\n$far = $total * {{2..5}}\nreturn {{$far.$x + $far.$y|repr($far)|$far.$x - $a.$y}}"),
        ("def __eq__(self, $other):\n    return self.$x == $other.$x and self.$y == $other.$y\n", "$both = $a + $b\nreturn {{$both == $a|[$a == $b, $both]}}"),
        ("def __neg__(self):\n    return $Vec(-self.$x, -self.$y)\n", "return [$v.$x {{+|*|-}} $v.$y for $v in ($a, -$b, $a + $b)]"),
    )
    return d.make("""
        class $Vec:
            def __init__(self, $x, $y):
                self.$x = $x
                self.$y = $y

            def __add__(self, $other):
                return $Vec(self.$x + $other.$x, self.$y + $other.$y)

            $method
            def __repr__(self):
                return f"$Vec({self.$x}, {self.$y})"

        def $run($p, $q):
            $a, $b = $Vec(*$p), $Vec(*$q)
            $body
        """, "$run($one, $two)", method=method, body=body, one=tuple(d.numbers(2, 0, 12)), two=tuple(d.numbers(2, -5, 12)))


@family
def container_protocol(d):
    """`len`, indexing, `in` and iteration of the user's own container."""
    use = d.pick(
        "$out = []\nfor $x in $bag:\n    $out.append($x {{+|*}} {{2..5}})\nreturn $out, len($bag)",
        "if {{0..9}} in $bag:\n    return $bag[0]\nreturn $bag[-1] {{+|-}} len($bag)",
        "$total = 0\nfor $i in range(len($bag)):\n    $total += $bag[$i]\nreturn $total",
        "$bag[0] = {{5..30}}\n$bag[1] += {{1..9}}\nreturn sorted($bag)",
    )
    special = {
        "for $x in": "def __iter__(self):\n    return iter(self.$items)\n",
        "} in $bag": "def __contains__(self, $item):\n    return $item in self.$items\n",
        "] = ": "def __setitem__(self, $i, $value):\n    self.$items[$i] = $value\n",
    }
    extra = next((method for mark, method in special.items() if mark in use), "")
    return d.make("""
        class $Bag:
            def __init__(self, $values):
                self.$items = list($values)

            def __len__(self):
                return len(self.$items)

            def __getitem__(self, $i):
                return self.$items[$i]

            $extra
        def $run($xs):
            $bag = $Bag($xs)
            $use
        """, "$run({{@small 2 4}})", use=use, extra=extra)


@family
def shopping_cart(d):
    """An object that owns a dict; totals over its items; a discount above a limit."""
    lines = [(d.pick("pen", "cup", "book", "hat", "kit"), d.r.randint(1, 30), d.r.randint(1, 4)) for _ in range(d.r.randint(1, 3))]
    total = d.pick("return sum($p * $n for $p, $n in self.$lines.values())",
                   "$total = 0\nfor $name, ($p, $n) in self.$lines.items():\n    $total += $p * $n\nreturn $total")
    return d.make("""
        class $Cart:
            \"""What a customer wants to buy.\"""

            def __init__(self):
                self.$lines = {}

            def $add(self, $name, $p, $n=1):
                $old = self.$lines.get($name, ($p, 0))
                self.$lines[$name] = ($p, $old[1] + $n)

            def $total_of(self):
                $total_body

        def $run($wanted):
            $cart = $Cart()
            for $name, $p, $n in $wanted:
                $cart.$add($name, $p, $n)
            $sum = $cart.$total_of()
            if $sum > {{20..90}}:
                $sum -= $sum // {{5|10|4}}
            return $sum
        """, "$run($given)", given=lines, total_body=total)


@family
def class_attribute_registry(d):
    """A class attribute shared by all instances, counted or collected."""
    note, ask = d.pick(
        ("$Node.$made += 1\nself.$id = $Node.$made", "$Node.$made"), ("$Node.$made.append($name)", "$Node.$made"),
        ("type(self).$made += len($name)", "[$n.$name for $n in $nodes]"),
    )
    return d.make("""
        class $Node:
            $made = $start

            def __init__(self, $name):
                self.$name = $name
                $note

        $nodes = []
        for $word in $words:
            $nodes.append($Node($word))
        print(len($nodes), $ask)
        $last = $nodes[-1]
        print($last.$name{{.upper()|.title()|[0]|[::-1]}})
        """, start="[]" if "append" in note else "{{0|0|10}}", note=note, ask=ask, words=d.words(2, 4))


@family
def alternative_constructors(d):
    """`classmethod` constructors from text and a `staticmethod` check."""
    a, b = d.r.randint(1, 40), d.r.randint(1, 40)
    mark = d.pick("-", ":", "/", "x", ",")
    return d.make("""
        class $Range:
            def __init__(self, $low, $high):
                self.$low = $low
                self.$high = $high

            @classmethod
            def $parse(cls, $text):
                $left, $right = $text.split($mark)
                return cls(int($left), int($right))

            @staticmethod
            def $valid($low, $high):
                return $low {{<|<=}} $high

            def $span(self):
                if not self.$valid(self.$low, self.$high):
                    return {{0|-1|self.$low - self.$high}}
                return self.$high - self.$low{{| + 1}}

        def $run($text):
            $rng = $Range.$parse($text)
            return $rng.$span() {{+|*}} {{1..5}}
        """, "$run($given)", mark=repr(mark), given=repr(f"{a}{mark}{b}"))


@family
def fluent_builder(d):
    """Methods that return self, called in a chain over one or more lines."""
    steps = [d.pick(".$add({{@word}})", ".$add({{@int}})", ".$line({{@words 1 3}})", ".$wrap()", ".$wrap('<', '>')") for _ in range(d.r.randint(2, 4))]
    chain = "".join(steps) if d.r.random() < 0.5 and len(steps) < 4 else "".join(f"\n    {s}" for s in steps) + "\n"
    call = f"$b = $Builder(){chain}" if "\n" not in chain else f"$b = (\n    $Builder(){chain})"
    return d.make("""
        class $Builder:
            def __init__(self):
                self.$parts = []

            def $add(self, $part):
                self.$parts.append(str($part))
                return self

            def $line(self, $words):
                self.$parts.extend($words)
                return self

            def $wrap(self, $left="[", $right="]"):
                self.$parts = [$left, *self.$parts, $right]
                return self

            def $text(self):
                return {{' '|'-'|''|', '}}.join(self.$parts)

        $call
        print($b.$text(), len($b.$parts))
        """, call=call)


@family
def comparable_objects(d):
    """`__lt__` used by sorted and min; ties by a second field."""
    rows = [(d.pick("ant", "bee", "cat", "dog", "eel", "fox"), d.r.randint(1, 6)) for _ in range(d.r.randint(2, 4))]
    order = d.pick("return self.$rank < $other.$rank", "return self.$rank > $other.$rank",
                   "if self.$rank != $other.$rank:\n    return self.$rank < $other.$rank\nreturn self.$name < $other.$name",
                   "return (len(self.$name), self.$name) < (len($other.$name), $other.$name)", "return (self.$rank, self.$name) < ($other.$rank, $other.$name)")
    return d.make("""
        class $Entry:
            def __init__(self, $name, $rank):
                self.$name, self.$rank = $name, $rank

            def __lt__(self, $other):
                $order

        def $run($rows):
            $entries = [$Entry(*$row) for $row in $rows]
            $best = {{min|max}}($entries)
            return $best.$name, [$e.$name for $e in sorted($entries{{|, reverse=True}})]
        """, "$run($given)", order=order, given=rows)


@family
def objects_in_objects(d):
    """A chain of attribute accesses through objects that hold objects, changed in one place and seen in another."""
    change = d.pick("$car.$engine.$power += {{2..20}}", "$spare = $car.$engine\n$spare.$power = {{2..20}}", "$car.$engine = $Engine({{1..40}})")
    return d.make("""
        class $Engine:
            def __init__(self, $power):
                self.$power = $power
                self.$on = False

            def $start(self):
                if self.$power < {{3..9}}:
                    return "weak"
                self.$on = True
                return "ok"

        class $Car:
            def __init__(self, $name, $power):
                self.$name = $name
                self.$engine = $Engine($power)

        def $run($power):
            $car = $Car({{@word}}, $power)
            $first = $car.$engine.$start()
            $change
            $second = $car.$engine.$start()
            return $first, $second, $car.$engine.$on, $car.$engine.$power
        """, "$run({{0..15}})", change=change)


@family
def callable_object(d):
    """`__call__` with state kept between the calls, passed where a function is expected."""
    state, rule, use = d.pick(
        ("self.$count = 0", "self.$count += 1\nreturn $x {{+|*|-}} self.$count", "[$f($v) for $v in $xs]"),
        ("self.$seen = []", "if $x in self.$seen:\n    return {{False|0|None}}\nself.$seen.append($x)\nreturn True", "list(map($f, $xs))"),
        ("self.$best = {{0..5}}", "if $x > self.$best:\n    self.$best = $x\nreturn self.$best", "[$f($v) for $v in $xs]"),
        ("self.$last = None", "$old, self.$last = self.$last, $x\nreturn $old is None or $x {{>|>=|!=}} $old", "list(filter($f, $xs))"),
    )
    return d.make("""
        class $Rule:
            def __init__(self):
                $state

            def __call__(self, $x):
                $rule

        def $run($xs):
            $f = $Rule()
            $out = $use
            return $out
        """, "$run({{@small 2 5}})", state=state, rule=rule, use=use)


@family
def inventory_class(d):
    """A dict inside an object: add, remove with errors as return values, report."""
    a, b = d.r.sample(["bolt", "nut", "rope", "tape", "wire", "saw"], 2)
    moves = d.r.sample([f"$inv.$add('{a}', {{{{1..9}}}})", f"$inv.$add('{b}', {{{{1..9}}}})", f"$inv.$take('{a}', {{{{1..4}}}})", f"$inv.$add('{a}')"], 3)
    return d.make("""
        class $Inventory:
            def __init__(self):
                self.$stock = {}

            def $add(self, $name, $n=1):
                self.$stock[$name] = self.$stock.get($name, 0) + $n

            def $take(self, $name, $n):
                $have = self.$stock.get($name, 0)
                if $have < $n:
                    return 0
                self.$stock[$name] = $have - $n
                if self.$stock[$name] == 0:
                    del self.$stock[$name]
                return $n

        $inv = $Inventory()
        $moves
        $got = $inv.$take($which, {{1..3}})
        print($got, $inv.$stock)
        """, moves="\n".join(moves), which=repr(d.pick(a, b)))


@family
def linked_cells(d):
    """Small `__slots__`-free nodes with a parent pointer, walked upwards."""
    return d.make("""
        class $Cell:
            def __init__(self, $name, $parent=None):
                self.$name = $name
                self.$parent = $parent

            def $path(self):
                $names = []
                $cell = self
                while $cell{{| is not None}}:
                    $names.append($cell.$name)
                    $cell = $cell.$parent
                return {{'/'|'.'|' > '}}.join({{reversed($names)|$names[::-1]|$names}})

        $root = $Cell({{@word}})
        $mid = $Cell({{@word}}, {{$root|$parent=$root}})
        $leaf = $Cell({{@word}}, {{$mid|$mid|$root}})
        print($leaf.$path())
        """)


@family
def truth_and_length(d):
    """`__bool__` or `__len__` decides what `if`, `not`, `and`, `or` and `while` see."""
    special = d.pick("def __bool__(self):\n    return self.$left > 0\n", "def __len__(self):\n    return max(self.$left, 0)\n")
    use = d.pick(
        "while $tank:\n    $tank.$use({{2..5}})\n    $n += 1\nreturn $n, $tank.$left",
        "if not $tank:\n    return 'empty'\n$tank.$use({{3..12}})\nreturn {{'some' if $tank else 'none'|bool($tank)}}",
        "$spare = $Tank({{1..9}})\n$now = $tank or $spare\n$now.$use(1)\nreturn $tank.$left, $spare.$left",
    )
    return d.make("""
        class $Tank:
            def __init__(self, $left):
                self.$left = $left

            def $use(self, $amount):
                self.$left -= $amount

            $special
        def $run($left):
            $tank, $n = $Tank($left), 0
            $use_it
        """, "$run({{0|0..12}})", special=special, use_it=use)


@family
def missing_attributes(d):
    """`__getattr__`, `getattr` with a default, `hasattr`, `setattr`, `vars`."""
    use = d.pick(
        "for $name in {{('a', 'b')|['b', 'a']}}:\n    $out.append($box.$ask($name))",
        "$out.append($box.c)\nsetattr($box, 'c', {{1..9}})\n$out.append($box.c)",
        "$out += [hasattr($box, 'a'), getattr($box, 'b', {{-1|None}})]\ndel $box.a\n$out.append($box.a)",
        "$box.b = $box.a {{+|*}} {{2..5}}\n$out.extend(vars($box).values())\n$out.append($box.z)",
    )
    return d.make("""
        class $Box:
            def __init__(self, $value):
                self.a = $value

            def __getattr__(self, $name):
                return {{0|-1|$name * 2|len($name)}}

            def $ask(self, $name):
                return getattr(self, $name)

        def $run($value):
            $box = $Box($value)
            $out = []
            $use
            return $out
        """, "$run({{0..20}})", use=use)


@family
def reflected_operators(d):
    """`__radd__`, `__sub__`, `__iadd__` and `__neg__` between objects and plain numbers."""
    use = d.pick(
        "return (5 + $a).$cents, ($a + 5).$cents",
        "$total = sum([$a, $Money({{1..50}})])\nreturn $total.$cents",
        "$b = $a\n$a += {{1..9}}\nreturn $a.$cents, $b.$cents, $a is $b",
        "$b = $a - {{1..30}}\nreturn (-$b).$cents if $b.$cents < 0 else $b.$cents",
    )
    inplace = d.pick("def __iadd__(self, $other):\n    self.$cents += $other\n    return self\n", "")
    return d.make("""
        class $Money:
            def __init__(self, $cents):
                self.$cents = $cents

            def __add__(self, $other):
                $more = $other.$cents if isinstance($other, $Money) else $other
                return $Money(self.$cents + $more)

            __radd__ = __add__

            $rest
        def $run($n):
            $a = $Money($n)
            $use
        """, "$run({{0..40}})", use=use,
        rest=inplace if "+=" in use else "" if "- {{" not in use else "def __sub__(self, $other):\n    return $Money(self.$cents - $other)\n\ndef __neg__(self):\n    return $Money(-self.$cents)\n")  # fmt: skip


@family
def objects_as_keys(d):
    """`__eq__` and `__hash__` make equal objects one key of a dict; without them they are two."""
    methods = d.pick(
        "def __eq__(self, $other):\n    return self.$row == $other.$row and self.$col == $other.$col\n\ndef __hash__(self):\n    return self.$row * {{2|10}} + self.$col\n",
        "",
    )
    pairs = [(d.r.randint(0, 2), d.r.randint(0, 1)) for _ in range(d.r.randint(2, 3))]
    return d.make("""
        class $Cell:
            def __init__(self, $row, $col):
                self.$row, self.$col = $row, $col

            $methods
        $counts = {}
        for $pair in $pairs:
            $cell = $Cell(*$pair)
            $counts[$cell] = $counts.get($cell, 0) + 1
        print(len($counts), sorted($counts.values()))
        """, methods=methods, pairs=pairs)


@family
def history_of_changes(d):
    """`__setattr__` or a descriptor-like method that notes every change; undo from the notes."""
    return d.make("""
        class $Settings:
            def __init__(self):
                self.__dict__["$log"] = []
                self.$size = {{1..9}}

            def __setattr__(self, $name, $value):
                $old = self.__dict__.get($name)
                self.$log.append(($name, $old))
                self.__dict__[$name] = $value

            def $undo(self):
                $name, $old = self.$log.pop()
                self.__dict__[$name] = $old

        def $run($n):
            $s = $Settings()
            $s.$size {{+=|*=|-=}} $n
            {{$s.$size = $n|$s.$color = 'red'|$s.$size += 1}}
            $s.$undo()
            return $s.$size, len($s.$log)
        """, "$run({{2..9}})")


@family
def objects_talking(d):
    """Observers told of a change: one object calls methods of others kept in a list."""
    react = d.pick(
        "self.$seen.append($value)",
        "if not self.$seen or $value > self.$seen[-1]:\n    self.$seen.append($value)",
        "self.$seen = [$value, *self.$seen][:{{1..2}}]",
    )
    return d.make("""
        class $Screen:
            def __init__(self):
                self.$seen = []

            def $tell(self, $value):
                $react

        class $Sensor:
            def __init__(self):
                self.$watchers = []

            def $measure(self, $value):
                for $w in self.$watchers:
                    $w.$tell($value)

        $sensor = $Sensor()
        $one, $two = $Screen(), $Screen()
        $sensor.$watchers.append($one)
        $sensor.$measure({{0..20}})
        $sensor.$watchers.{{append($two)|insert(0, $two)|extend([$two, $one])}}
        $sensor.$measure({{0..20}})
        print($one.$seen, $two.$seen)
        """, react=react)
