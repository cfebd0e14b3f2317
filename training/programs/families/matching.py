"""The match statement: literals, sequences, mappings, classes, guards, captures."""

from ..registry import family


@family
def match_literals(d):
    """Literals, alternatives with `|`, a default."""
    a, b, c = d.r.sample(["red", "green", "blue", "stop", "go", "up", "down"], 3)
    return d.make("""
        def $classify($word, $n=0):
            match $word:
                case $A1:
                    $n += {{1..9}}
                case $B1 | $C1:
                    $n {{-=|+=|*=}} {{2..9}}
                case "" | None:
                    return {{-1|None}}
                case _:
                    {{pass|$n = len($word)}}
            return $n

        def $run($words):
            $n = {{1..5}}
            $out = []
            for $w in $words:
                $out.append($classify($w, $n))
            return $out
        """, "$run($given)", A1=repr(a), B1=repr(b), C1=repr(c), given=[d.pick(a, b, c, "", None, "other", "x") for _ in range(d.r.randint(2, 4))])


@family
def match_commands(d):
    """Text commands split and matched by length and first word."""
    lines = [d.pick("go north", "go", "take lamp", "take key 2", "drop", "look", "quit", "go up") for _ in range(d.r.randint(2, 4))]
    return d.make("""
        def $act($line, $bag):
            match $line.split():
                case ["go", $way]:
                    return $way{{|.upper()|[0]}}
                case ["take", $thing, *$more]:
                    $bag.append($thing)
                    return {{len($bag)|$more|len($more)}}
                case ["drop"] if $bag:
                    return $bag.pop()
                case [$verb]:
                    return {{$verb + "?"|None|len($verb)}}
                case _:
                    return {{-1|"?"}}

        def $run($lines):
            $bag = [{{|"map"}}]
            $out = [$act($line, $bag) for $line in $lines]
            return $out, $bag
        """, "$run($given)", given=lines + d.pick([], [""]))


@family
def match_sequences(d):
    """Lists and tuples matched by shape: empty, one, two, first and rest, nested."""
    kind = d.pick("size", "sum", "nested")
    body, inputs = {
        "size": ("case []:\n    return {{0|'none'|None}}\ncase [$x]:\n    return {{$x|$x * 2|[$x]}}\ncase [$x, $y]:\n    return $x {{+|-|*}} $y\ncase [$x, *_, $y]:\n    return {{$x + $y|($x, $y)|$y}}", lambda: d.numbers(d.r.randint(0, 4), 0, 20)),
        "sum": ("case []:\n    return {{0..3}}\ncase [0, *$rest]:\n    return $measure($rest)\ncase [$first, *$rest]:\n    return $first + $measure($rest)", lambda: [d.pick(0, d.r.randint(1, 9)) for _ in range(d.r.randint(0, 3))]),
        "nested": ("case [[$a, $b], $c]:\n    return $a + $b + $c\ncase [int($a), str($b)] {{if $a > 1|if $a < 9}}:\n    return $a * $b\ncase ($a, $b):\n    return {{[$b, $a]|$b}}\ncase _:\n    return {{'odd'|None}}", lambda: d.pick([[1, d.r.randint(2, 9)], 3], [d.r.randint(1, 3), "ab"], ("x", d.r.randint(0, 5)), [7], [True, None])),
    }[kind]
    return d.make("""
        def $measure($items):
            match $items:
                $body

        def $run($all_items):
            $out = []
            for $items in $all_items:
                $out.append($measure($items))
            return $out
        """, "$run($given)", body=body, given=[inputs() for _ in range(d.r.randint(1, 3))])


@family
def match_mappings(d):
    """Dicts matched by keys and values, with the rest captured."""
    events = [d.pick({"type": "add", "n": d.r.randint(1, 20)}, {"type": "set", "n": d.r.randint(1, 20), "by": "ann"}, {"type": "log", "text": d.words(1, 1)[0]}, {"n": 3}, {"type": "add", "n": "x"}) for _ in range(d.r.randint(2, 4))]
    return d.make("""
        def $handle($event, $state):
            match $event:
                case {"type": "add", "n": int($n)}:
                    return $state + $n
                case {"type": "set", "n": $n, **$others}:
                    return $n {{+|*}} len($others)
                case {"type": "log", "text": {{str($t)|$t}}}:
                    return $state {{+|-}} len($t)
                case _:
                    return {{$state|0|-$state}}

        def $run($events):
            $state = {{0..9}}
            for $e in $events:
                $state = $handle($e, $state)
            return $state
        """, "$run($given)", given=events)


@family
def match_classes(d):
    """Objects matched by class and attributes, with `__match_args__` or keywords."""
    dataclass = d.r.random() < 0.5
    head = "from dataclasses import dataclass\n\n@dataclass\nclass $Point:\n    $x: int\n    $y: int" if dataclass else 'class $Point:\n    __match_args__ = ("$x", "$y")\n\n    def __init__(self, $x, $y):\n        self.$x = $x\n        self.$y = $y'
    cases = d.pick(
        "case $Point(0, 0):\n    return {{'origin'|0}}\ncase $Point(0, $v) | $Point($v, 0):\n    return $v {{+|*}} {{2..9}}\ncase $Point($a, $b):\n    return $a {{+|-|*}} $b",
        "case $Point($x=0, $y=$v):\n    return $v\ncase $Point($x=$a, $y=$b) if $a == $b:\n    return {{'diag'|True|$a}}\ncase $Point():\n    return {{'else'|None}}",
    )
    return d.make("""
        $head

        def $where($p):
            match $p:
                $cases

        def $run($pairs):
            return [$where($Point($a, $b)) for $a, $b in $pairs]
        """, "$run($given)", head=head, cases=cases, given=[d.pick((0, 0), (0, d.r.randint(1, 9)), (d.r.randint(1, 9), 0), (n := d.r.randint(1, 5), n), tuple(d.numbers(2, 1, 9))) for _ in range(d.r.randint(2, 3))])


@family
def match_guards(d):
    """Captures with guards, in an order that decides."""
    cases = d.pick(
        "case $x if $x < 0:\n    return {{'neg'|-1|abs($x)}}\ncase 0:\n    return {{'zero'|None}}\ncase $x if $x % 2:\n    return $x {{* 3 + 1|- 1|+ 10}}\ncase $x:\n    return $x // {{2|4}}",
        "case 1 | 2 | 3:\n    return {{'low'|1}}\ncase $x if 3 < $x {{<|<=}} {{6..8}}:\n    return {{'mid'|$x * 10}}\ncase _ if $n > 0:\n    return 'high'\ncase _:\n    return {{0|'none'}}",
    )
    return d.make("""
        def $grade_it($n):
            match $n:
                $cases

        def $run($xs):
            $out = {}
            for $x in $xs:
                $out[$x] = $grade_it($x)
            return $out
        """, "$run($given)", cases=cases, given=d.numbers(d.r.randint(2, 4), -3, 12))


@family
def match_expression_tree(d):
    """An expression as nested tuples, evaluated or simplified or written out."""
    n = lambda: d.r.randint(0, 9)
    tree = d.pick(("add", n(), ("mul", n(), n())), ("mul", ("add", n(), 1), n()), ("neg", ("add", n(), n())), ("mul", 1, ("neg", n())), ("add", 0, n()), n())
    cases = d.pick("case ('add', $a, $b):\n    return $value($a) + $value($b)\ncase ('mul', $a, $b):\n    return $value($a) * $value($b)\ncase ('neg', $a):\n    return -$value($a)\ncase _:\n    return $tree", "case ('add', $a, $b):\n    return f'({$value($a)}+{$value($b)})'\ncase ('mul', $a, $b):\n    return $value($a) + '*' + $value($b)\ncase ('neg', $a):\n    return '-' + $value($a)\ncase $n:\n    return str($n)",
                   "case ('add', 0, $a) | ('mul', 1, $a):\n    return $value($a)\ncase ('neg', ('neg', $a)):\n    return $a\ncase ($op, *$args):\n    return ($op, *[$value($a) for $a in $args])\ncase _:\n    return $tree")
    return d.make("""
        def $value($tree):
            match $tree:
                $cases

        def $run($tree):
            $result = $value($tree)
            return $result
        """, "$run($given)", cases=cases, given=tree)


@family
def match_types(d):
    """Values matched by builtin type patterns and captured with `as`."""
    values = [d.pick(d.r.randint(0, 30), d.words(1, 1)[0], [1, d.r.randint(2, 9)], (d.r.randint(0, 9), "a"), None, True, {"k": 1}) for _ in range(d.r.randint(2, 4))]
    cases = d.shuffled("case bool():\n    return {{'flag'|int($v)}}", "case None:\n    return {{0|'nil'}}", "case str() as $s:\n    return {{$s.upper()|len($s)|$s[::-1]}}", "case list() | tuple():\n    return {{len($v)|$v[0]|$v[-1]}}")
    return d.make("""
        def $describe($v):
            match $v:
                $cases
                case int($n):
                    return $n {{+|*|-}} {{1..9}}
                case _:
                    return {{"?"|type($v).__name__}}

        def $run($values):
            return [$describe($v) for $v in $values]
        """, "$run($given)", cases=cases, given=values)


@family
def match_in_loop(d):
    """A match in a loop that changes counters, breaks and continues."""
    symbols = "".join(d.pick("+", "-", "0", ".", "x", "+") for _ in range(d.r.randint(3, 6)))
    return d.make("""
        def $run($text):
            $n, $skipped = {{0..5}}, $empty
            for $i, $ch in enumerate($text):
                match $ch:
                    case "+":
                        $n += {{1|$i|2}}
                    case "-" if $n > 0:
                        $n -= {{1|1|2}}
                    case "0":
                        $n = 0
                        continue
                    case "x" | "X":
                        break
                    case $other:
                        $skipped $note
            return $n, $skipped
        """, "$run($given)", given=repr(symbols), **dict(zip(["empty", "note"], d.pick(("0", "+= 1"), ("[]", "+= [$other]"), ('""', "+= $other")))))


@family
def match_pairs(d):
    """A tuple of two values matched at once: signs, comparisons, results of divmod."""
    subject, cases = d.pick(
        ("($n % {{2|3}}, $n % 5)", "case (0, 0):\n    return {{'both'|0}}\ncase (0, _):\n    return 'first'\ncase (_, 0):\n    return {{'second'|5}}\ncase ($a, $b):\n    return $a {{+|*}} $b"), ("divmod($n, {{4|6|7}})", "case (0, $r):\n    return $r\ncase ($q, 0):\n    return {{-$q|f'{$q} even'}}\ncase ($q, $r):\n    return {{[$q, $r]|$q * $r|$q - $r}}"),
        ("($n > {{5..9}}, $n % 2 == 0)", "case (True, True):\n    return $n // 2\ncase (False, $even):\n    return {{$even|-$n}}\ncase _:\n    return {{None|$n + 1}}"),
    )
    return d.make("""
        def $decide($n):
            match $subject:
                $cases

        def $run($xs):
            $out = [$decide($x) for $x in $xs]
            return {{$out|$out, len($out)}}
        """, "$run($given)", subject=subject, cases=cases, given=d.numbers(d.r.randint(2, 4), 0, 30))


@family
def match_constants(d):
    """Dotted names are compared, plain ones capture; Enum members and class attributes as patterns."""
    enum = d.r.random() < 0.5
    head = "from enum import Enum\n\nclass $Op(Enum):\n    ADD = {{'+'|1}}\n    SUB = {{'-'|2}}\n    NOP = {{'.'|3}}" if enum else "class $Op:\n    ADD = 'a'\n    SUB = 's'\n    NOP = {{'n'|0}}"
    program = ", ".join(f"($Op.{d.pick('ADD', 'SUB', 'NOP')}, {d.r.randint(1, 9)})" for _ in range(d.r.randint(1, 3)))
    return d.make("""
        $head

        def $step($acc, $op, $n):
            match $op:
                case $Op.ADD:
                    $acc += $n
                case $Op.SUB if $acc >= $n:
                    $acc -= $n
                case $Op.SUB:
                    $acc = {{0|-1}}
            return $acc

        $acc = {{0..9}}
        for $op, $n in [$program]:
            $acc = $step($acc, $op, $n)
        print($acc)
        """, head=head, program=program)


@family
def match_nested_records(d):
    """Lists of dicts and tuples inside one another, taken apart by one pattern."""
    orders = [d.pick({"who": "ann", "items": [("pen", d.r.randint(1, 5))]}, {"who": "bob", "items": []}, {"who": "cy", "items": [("cup", 1), ("ink", d.r.randint(1, 9))]}, {"items": [("hat", 2)]}) for _ in range(d.r.randint(1, 3))]
    return d.make("""
        def $summary($order):
            match $order:
                case {"who": $who, "items": []}:
                    return $who, 0
                case {"who": $who, "items": [($name, $n)]}:
                    return {{$who, $n|$name, $n|f"{$who}:{$name}", $n}}
                case {"who": $who, "items": [_, ($name, $n), *_]}:
                    return $name{{|.upper()}}, {{$n|-$n|$n + 1}}
                case _:
                    return {{"?"|None}}, {{0|-1}}

        def $run($orders):
            $total = 0
            for $o in $orders:
                $label, $n = $summary($o)
                $total += $n
            return $total, $label
        """, "$run($given)", given=orders)
