"""Closures, decorators, higher-order functions, partial application, memoising."""

from ..registry import family


@family
def counter_closures(d):
    """Two closures of one maker, each with its own variable, or both with the same."""
    shared = d.pick("$a, $b = $maker(), $maker({{5..20}})", "$a = $b = $maker({{1..9}})")
    return d.make("""
        def $maker($n={{0..3}}):
            def $bump($by={{1|2}}):
                nonlocal $n
                $n {{+=|-=|*=}} $by
                return $n
            return $bump

        def $run($k):
            $shared
            $out = [$a(), $b($k), $a({{2..6}})]
            {{$out.append($b())|$out.sort()|}}
            return $out
        """, "$run({{1..9}})", shared=shared)


@family
def late_binding(d):
    """Lambdas made in a loop share the loop variable, unless a default keeps its value."""
    make = d.pick(
        "$fs.append(lambda $x: $x {{+|*}} $i)",
        "$fs.append(lambda $x, $i=$i: $x {{+|*}} $i)",
        "def $inner($x):\n    return $x - $i\n$fs.append($inner)",
        "def $inner($x, $kept=$i):\n    return $x * $kept\n$fs.append($inner)",
    )
    return d.make("""
        def $run($n):
            $fs = []
            for $i in range({{1|2}}, {{3..4}}):
                $make
            {{$i = 10|$n += 1|}}
            return [$f($n) for $f in $fs]
        """, "$run({{1..20}})", make=make)


@family
def counting_decorator(d):
    """A decorator that counts the calls or collects the arguments, with a function attribute or a list."""
    store, note, ask = d.pick(
        ("$wrapper.$calls = 0", "$wrapper.$calls += 1", "$target.$calls"),
        ("$wrapper.$seen = []", "$wrapper.$seen.append($args)", "$target.$seen"),
        ("$wrapper.$total = 0", "$wrapper.$total += sum($args)", "$target.$total"),
    )
    return d.make("""
        def $counted($func):
            def $wrapper(*$args):
                $note
                return $func(*$args)
            $store
            return $wrapper

        @$counted
        def $target($x, $y={{1..5}}):
            return $x {{*|+|-}} $y

        $first = $target({{1..20}})
        $second = $target($first, {{2..9}})
        print($first, $second, $ask)
        """, store=store, note=note, ask=ask)


@family
def decorator_with_argument(d):
    """A decorator factory: repeat, clamp, default, or tag the result."""
    arg, inner = d.pick(
        ("{{2..3}}", "$result = $x\nfor $i in range($n):\n    $result = $func($result)\nreturn $result"), ("{{10..40}}", "return min($func($x), $n)"),
        ("{{1..9}}", "$result = $func($x)\nif $result % 2:\n    return $result + $n\nreturn $result"), ("{{2..5}}", "return [$func($x + $i) for $i in range($n)]"), ("{{5..12}}", "if $x > $n:\n    return {{None|-1|0}}\nreturn $func($x)"),
    )
    return d.make("""
        def $with_n($n):
            def $decorate($func):
                def $wrapped($x):
                    $inner
                return $wrapped
            return $decorate

        @$with_n($arg)
        def $step($x):
            return $x {{*|+|-}} {{2..7}}

        def $run($x):
            $value = $step($x)
            return $value
        """, "$run({{1..14}})", arg=arg, inner=inner)


@family
def stacked_decorators(d):
    """Two decorators on one function: the nearer one is applied first."""
    a, b = d.r.sample(["$func($text).upper()", "'<' + $func($text) + '>'", "$func($text) * 2", "$func($text)[::-1]", "$func($text).replace('a', '4')", "$func($text + '!')"], 2)
    return d.make("""
        def $outer($func):
            def $wrap($text):
                return $one
            return $wrap

        def $inner($func):
            def $wrap($text):
                return $two
            return $wrap

        {{@$outer|}}
        @$inner
        {{@$outer|}}
        def $greet($name):
            return $greeting

        def $run($name):
            return $greet($name)
        """, "$run({{@word}})", greeting=d.pick('f"hi {$name}"', "$name.title()", "$name + 's'"), one=a, two=b)


@family
def memo_dict(d):
    """A memo in a dict: given as a default argument, closed over, or by `lru_cache`."""
    rule, base = d.pick(
        ("$f($n - 1) + $f($n - 2)", "if $n < 2:\n    return $n"),
        ("$f($n // 2) + $f($n // 3)", "if $n < {{2..3}}:\n    return 1"),
        ("2 * $f($n - 1) + {{1..4}}", "if $n == 0:\n    return {{0..3}}"),
    )
    how = d.r.randrange(3)
    bodies = [
        "def $f($n, $memo={}):\n    if $n in $memo:\n        return $memo[$n]\n    BASE\n    $memo[$n] = RULE\n    return $memo[$n]",
        "$memo = {0: 0}\n\ndef $f($n):\n    if $n not in $memo:\n        BASE\n        $memo[$n] = RULE\n    return $memo[$n]",
        "from functools import lru_cache\n\n@lru_cache(maxsize=None)\ndef $f($n):\n    BASE\n    return RULE",
    ]
    text = bodies[how].replace("BASE", base.replace("\n", "\n        " if how == 1 else "\n    ")).replace("RULE", rule)
    return d.make("""
        $text

        def $run($n):
            return $f($n) {{+|*|-}} {{1..5}}
        """, "$run({{1..5}})", text=text)


@family
def compose_functions(d):
    """Functions in a list, composed by a loop, a closure or `reduce`."""
    fs = d.r.sample(["$double", "$dec", "$square", "abs", "lambda $v: $v % {{3..9}}", "lambda $v: -$v"], d.r.randint(2, 3))
    defs = {"$double": "def $double($x):\n    return $x * 2\n", "$dec": "def $dec($x):\n    return $x - {{1..5}}\n", "$square": "def $square($x):\n    return $x ** 2\n"}
    how = d.pick("def $compose(*$fs):\n    def $all_of($x):\n        for $f in {{$fs|reversed($fs)}}:\n            $x = $f($x)\n        return $x\n    return $all_of",
                 "def $compose($f, *$more):\n    if not $more:\n        return $f\n    $rest = $compose(*$more)\n    return lambda $x: {{$rest($f($x))|$f($rest($x))}}",
                 "from functools import reduce\n\ndef $compose(*$fs):\n    return lambda $x: reduce(lambda $acc, $f: $f($acc), $fs, $x)")
    return d.make("""
        $how

        $defs
        def $run($x):
            $chain = $compose($names)
            return $chain($x)
        """, "$run({{-9..12}})", how=how, defs="".join(defs.get(f, "") for f in fs), names=", ".join(fs))


@family
def partial_application(d):
    """`functools.partial`, or a function that returns a function with some arguments filled."""
    how = d.pick("$triple = partial($scale, {{2..5}})", "$triple = partial($scale, $plus={{1..9}}, $k={{2..4}})", "$triple = partial($scale, {{2..4}}, $plus=-{{1..5}})")
    call = "$x=$v" if "$k=" in how else "$v"
    return d.make("""
        from functools import partial

        def $scale($k, $x, $plus=0):
            return $k * $x + $plus

        def $run($xs):
            $how
            $out = []
            for $v in $xs:
                $out.append($triple($call))
            return $out, $scale(1, {{2..9}}, {{3..8}})
        """, "$run({{@small 1 3}})", how=how, call=call)


@family
def higher_order_tools(d):
    """The program's own map, filter, fold and each, given lambdas."""
    tool, call = d.pick(
        ("$out = []\nfor $x in $xs:\n    $out.append($f($x))\nreturn $out", "lambda $v: $v {{*|+|-}} {{2..9}}"), ("$out = []\nfor $x in $xs:\n    if $f($x):\n        $out.append($x)\nreturn $out", "lambda $v: $v {{>|<|!=}} {{2..9}}"),
        ("for $i, $x in enumerate($xs):\n    if $f($x):\n        return $i\nreturn -1", "lambda $v: $v % {{2..4}} == 0"), ("$groups = {}\nfor $x in $xs:\n    $groups.setdefault($f($x), []).append($x)\nreturn $groups", "lambda $v: $v % {{2..3}}"),
        ("$best = $xs[0]\nfor $x in $xs[1:]:\n    if $f($x) > $f($best):\n        $best = $x\nreturn $best", "lambda $v: {{-$v|abs($v - 5)|$v % 4}}"),
    )
    return d.make("""
        def $apply_to($f, $xs):
            $tool

        def $run($xs):
            $use
        """, "$run({{@small 1 4}})", use=d.pick("return $apply_to($call, $xs)", "$rule = $call\nreturn $apply_to($rule, $xs)"), tool=tool, call=call)


@family
def dispatch_table(d):
    """A dict from names or signs to functions or lambdas."""
    table = {"+": "lambda $a, $b: $a + $b", "-": "lambda $a, $b: $a - $b", "*": "lambda $a, $b: $a * $b", "max": "max", "mod": "lambda $a, $b: $a % $b", "pow": "pow", "avg": "lambda $a, $b: ($a + $b) // 2"}
    keys = d.r.sample(list(table), 3)
    rows = "\n".join(f"{k!r}: {table[k]}," for k in keys)
    asked = [(d.pick(*keys, *keys, "?"), d.r.randint(0, 12), d.r.randint(1, 5)) for _ in range(d.r.randint(1, 3))]
    return d.make("""
        $OPS = {
            $rows
        }

        def $run($asked):
            $out = []
            for $op, $x, $y in $asked:
                $missing
                $out.append($OPS[$op]($x, $y))
            return $out
        """, "$run($given)", rows=rows, given=asked, missing=d.pick("if $op not in $OPS:\n    continue", "if $op not in $OPS:\n    return $out", "$op = $op if $op in $OPS else " + repr(keys[0])))


@family
def accumulator_factory(d):
    """Closures over a list or a dict that several inner functions share."""
    maker = d.pick("$items = []\ndef $put($x):\n    $items.append($x)\n    return len($items)\ndef $ask():\n    return {{sum($items)|$items[-1]|max($items)|list($items)}}",
                   "$items = {}\ndef $put($x):\n    $items[$x] = $items.get($x, 0) + 1\n    return $items[$x]\ndef $ask():\n    return {{len($items)|max($items.values())|dict($items)}}",
                   "$total, $count = 0, 0\ndef $put($x):\n    nonlocal $total, $count\n    $total += $x\n    $count += 1\ndef $ask():\n    return {{$total // $count|$total - $count|($total, $count)}}")
    return d.make("""
        def $tracker():
            $maker
            return $put, $ask

        def $run($xs):
            $add, $result = $tracker()
            for $v in $xs:
                $add($v)
            return $result()
        """, "$run({{@small 1 4}})", maker=maker)


@family
def validated_call(d):
    """A decorator that checks the arguments and turns an error into a result."""
    check = d.pick("if any($a < 0 for $a in $args):\n    return {{None|-1|'neg'}}\nreturn $func(*$args)", "try:\n    return $func(*$args)\nexcept {{ZeroDivisionError|ArithmeticError}}:\n    return {{None|0|'div'}}",
                   "if len($args) {{!=|>}} {{1..2}}:\n    return 'arity'\nreturn $func(*$args)", "$args = [max($a, {{1..3}}) for $a in $args]\nreturn $func(*$args)")
    return d.make("""
        from functools import wraps

        def $safe($func):
            @wraps($func)
            def $wrapper(*$args):
                $check
            return $wrapper

        @$safe
        def $ratio($x, $y={{1..6}}):
            return $x // $y {{+|*|-}} {{1..9}}

        def $run($x, $y):
            $one = $ratio($x)
            return $ratio.__name__{{[:3]|.upper()|}}, $one, $ratio($x, $y)
        """, "$run({{-3..60}}, $y0)", check=check, y0=d.pick(0, d.r.randint(0, 8)) if "try" in check or "max" in check else d.pick(d.r.randint(1, 8), -3))
