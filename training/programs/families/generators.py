"""Generators: lazily made values, pipelines, `send`, `yield from`, early ends."""

from ..registry import family


@family
def generator_pipeline(d):
    """Stages that pull from one another, one value at a time."""
    stage = d.pick(
        "for $x in $source:\n    if $x % {{2..3}} {{==|!=}} 0:\n        yield $x",
        "for $x in $source:\n    yield $x\n    yield -$x",
        "$last = 0\nfor $x in $source:\n    if $x > $last:\n        yield $x\n    $last = $x",
    )
    return d.make("""
        def $numbers_up($items):
            for $n in $items:
                yield $n {{+|*|-}} {{1..9}}

        def $stage_two($source):
            $stage

        def $run($items):
            $pipe = $stage_two($numbers_up($items))
            return {{list($pipe)|sum($pipe)|max($pipe, default=None)|[$v * 2 for $v in $pipe]}}
        """, "$run({{@small 1 4}})", stage=stage)


@family
def take_from_endless(d):
    """An endless generator, of which a loop, `next` or `islice` takes a few."""
    update = d.pick("$a += {{1..7}}", "$a, $b = $b, $a + $b", "$a = $a * {{2..3}} + $b", "$a = ($a + $b) * {{2..3}}")
    use = d.pick(
        "for $x in $g:\n    if $x > $n:\n        break\n    $out.append($x)",
        "for $_i in range($n % 5):\n    $out.append(next($g))",
        "while len($out) < {{2..4}}:\n    $x = next($g)\n    $out.append($x if $x < $n else -$x)",
    )
    return d.make("""
        def $endless($a={{0..2}}, $b={{1..3}}):
            while True:
                yield $a
                $update

        def $run($n):
            $out = []
            $g = $endless()
            $use
            return $out
        """, "$run({{3..14}})", update=update, use=use)


@family
def yield_from_nested(d):
    """`yield from` another generator, a list, and itself."""
    kind = d.pick("flat", "tree", "twice", "count")
    body, arg = {
        "flat": ("for $x in $items:\n    if isinstance($x, list):\n        yield from $walk_in($x)\n    else:\n        yield $x", [d.r.randint(0, 9), [d.r.randint(0, 9), d.pick([5], 7)], d.pick([], 3, [1])]),
        "tree": ("if $items:\n    $left, $value, $right = $items\n    yield from $walk_in($left)\n    yield $value\n    yield from $walk_in($right)", ((d.pick((), ((), 1, ())), d.r.randint(2, 9), ()), d.r.randint(10, 20), d.pick((), ((), 30, ())))),
        "twice": ("yield from $items\nyield {{0|'-'|None}}\nyield from reversed($items)", d.pick(d.numbers(2, 0, 9), "abc", d.numbers(3, 5, 20))),
        "count": ("if $items > 0:\n    yield $items\n    yield from $walk_in($items - {{1..2}})\n    yield {{-$items|0}}", d.r.randint(1, 3)),
    }[kind]
    return d.make("""
        def $walk_in($items):
            $body

        def $run($items):
            {{$out = list($walk_in($items))|$out = [$v for $v in $walk_in($items)]|$out = [*$walk_in($items), 'end']}}
            return $out
        """, "$run($given)", body=body, given=repr(arg))


@family
def generator_send(d):
    """Values sent into a generator come out of `yield`."""
    body = d.pick(
        "$total = 0\nwhile True:\n    $x = yield $total\n    $total += $x",
        "$x = None\nwhile True:\n    $x = yield {{[$x]|($x, 1)|str($x)}}",
        "$best = {{0..5}}\nwhile True:\n    $x = yield $best\n    if $x is not None and $x > $best:\n        $best = $x",
    )
    return d.make("""
        def $keep():
            $body

        def $run($values):
            $g = $keep()
            $out = [next($g)]
            for $v in $values:
                $out.append($g.send($v))
            {{$g.close()|}}
            return $out
        """, "$run({{@small 1 4}})", body=body)


@family
def generator_return_value(d):
    """What a generator returns arrives through `yield from`, or in StopIteration."""
    use = d.pick("$result = yield from $count_up($n)\nyield $result", "$a = yield from $count_up($n)\n$b = yield from $count_up($n - 1)\nyield $a {{+|*|-}} $b")
    return d.make("""
        def $count_up($n):
            $total = {{0..9}}
            for $i in range($n):
                yield $i
                $total += $i {{*|+}} {{2..5}}
            return $total

        def $outer($n):
            $use

        def $run($n):
            return list($outer($n)){{|[-1]|[::-1]}}
        """, "$run({{1..3}})", use=use) if d.r.random() < 0.6 else d.make("""
        def $parts($text):
            for $ch in $text:
                if $ch in {{"aeiou"|"aeo"|"rst"}}:
                    return $ch
                yield $ch
            return {{None|""}}

        def $run($text):
            $g = $parts($text)
            $out = []
            while True:
                try:
                    $out.append(next($g))
                except StopIteration as $stop:
                    return $out, $stop.value
        """, "$run({{@word|@word|@upper 2 3}})")


@family
def windows_and_chunks(d):
    """Chunks, sliding windows or neighbours, yielded as slices or tuples."""
    body = d.pick("for $i in range(0, len($xs), $n):\n    yield $xs[$i:$i + $n]", "for $i in range(len($xs) - $n + 1):\n    yield $xs[$i:$i + $n]",
                  "$part = []\nfor $x in $xs:\n    $part.append($x)\n    if len($part) == $n:\n        yield $part\n        $part = []\nif $part:\n    yield $part")
    use = d.pick(
        "return list($groups($xs, $n))",
        "return [sum($g) for $g in $groups($xs, $n)]",
        "$best = 0\nfor $g in $groups($xs, $n):\n    $best = max($best, {{sum($g)|len($g)|$g[0]}})\nreturn $best",
    )
    return d.make("""
        def $groups($xs, $n{{=2|}}):
            $body

        def $run($xs, $n):
            $use
        """, "$run({{@small 2 5}}, {{1..3}})", body=body, use=use)


@family
def generator_expression_lazy(d):
    """Generator expressions inside any, all, sum, next with a default, dict and join."""
    lines = d.r.sample(["$any_big = any($x > {{3..12}} for $x in $xs)", "$all_even = all($x % 2 == 0 for $x in $xs)", "$first = next(($x for $x in $xs if $x > {{2..9}}), {{None|-1}})",
                        "$squares = sum($x ** 2 for $x in $xs)", "$text = {{','|'-'|''}}.join(str($x) for $x in $xs)", "$table = dict(($x, $x % {{2..4}}) for $x in $xs)"], d.r.randint(2, 3))
    result = ", ".join(line.split(" ")[0] for line in lines)
    return d.make("""
        def $run($xs):
            $lines
            return $result
        """, "$run({{@small 1 4}})", lines="\n".join(lines), result=result)


@family
def consume_partly(d):
    """An iterator remembers where it is: `next`, a loop over the rest, an empty end."""
    return d.make("""
        def $letters_of($text):
            for $ch in $text:
                yield $ch{{|.upper()|* 2}}

        def $run($text):
            $it = {{$letters_of($text)|iter($letters_of($text))}}
            $first = next($it, {{None|""}})
            $skipped = {{next($it, '-')|0}}
            $rest = $tail
            return $first, $skipped, $rest, next($it, {{"end"|None}})
        """, "$run({{@word}})",
        tail=d.pick("list($it)", "''.join($it)", "[$c for $c in $it if $c != {{'a'|'e'|'O'}}]", "sum(1 for $c in $it)"))  # fmt: skip


@family
def generator_cleanup(d):
    """`close` or an early break runs the generator's finally."""
    use = d.pick(
        "$out.append(next($g))\n$g.close()",
        "for $x in $g:\n    $out.append($x)\n    if $x >= {{1..3}}:\n        break\n$g.close()",
        "$out.extend($g)",
        "$out.append(next($g))\n$out.append(next($g, None))\n$g.close()",
    )
    return d.make("""
        $log = []

        def $source($n):
            $i = 0
            try:
                while $i < $n:
                    yield $i
                    $i += 1
            finally:
                $log.append({{'closed'|$i|-1}})

        def $run($n):
            $out = []
            $g = $source($n)
            $use
            return $out, $log
        """, "$run({{1..4}})", use=use)


@family
def two_iterators(d):
    """Merging two sorted lists with two iterators, or pairing and alternating them."""
    body = d.pick(
        "$i = $j = 0\nwhile $i < len($a) and $j < len($b):\n    if $a[$i] <= $b[$j]:\n        yield $a[$i]\n        $i += 1\n    else:\n        yield $b[$j]\n        $j += 1\nyield from $a[$i:]\nyield from $b[$j:]",
        "for $x, $y in zip($a, $b):\n    yield $x {{+|*|-}} $y\nyield len($a) - len($b)",
        "$left, $right = iter($a), iter($b)\nfor $x in $left:\n    yield $x\n    $y = next($right, None)\n    if $y is None:\n        break\n    yield $y",
    )
    return d.make("""
        def $both($a, $b):
            $body

        def $run($a, $b):
            $out = []
            for $v in $both($a, $b):
                $out.append($v)
            return $out
        """, "$run($one, $two)", body=body, one=sorted(d.numbers(d.r.randint(1, 3), 0, 20)), two=sorted(d.numbers(d.r.randint(1, 3), 0, 20)))


@family
def iterator_class(d):
    """`__iter__` and `__next__` by hand, with StopIteration at the end."""
    step, start, args = d.pick(
        ("self.$now -= {{1..2}}", "$n", "$n"),
        ("self.$now //= 2", "$n * {{2..5}}", "$n"),
        ("self.$now = self.$now - 3 if self.$now % 2 else self.$now // 2", "$n + {{3..9}}", "$n"),
    )
    return d.make("""
        class $Down:
            def __init__(self, $n):
                self.$now = $start

            def __iter__(self):
                return self

            def __next__(self):
                if self.$now <= 0:
                    raise StopIteration
                $value = self.$now
                $step
                return $value

        def $run($n):
            {{$it = list($Down($n))|$it = sorted($Down($n))|$it = $Down($n)}}
            return [$v {{+|*}} {{1..4}} for $v in $it]
        """, "$run({{1..7}})", step=step, start=start)


@family
def itertools_tools(d):
    """`chain`, `islice`, `count`, `cycle`, `accumulate`, `groupby`, `product`, `combinations` used plainly."""
    tool, use = d.pick(
        ("accumulate", "$out = list(accumulate($xs))"), ("accumulate", "$out = list(accumulate($xs, {{max|min}}))"), ("chain", "$out = list(chain($xs, {{@small 1 2}}, $xs[:1]))"),
        ("islice, count", "$out = list(islice(count({{1..20}}, {{2..5}}), len($xs)))"), ("islice, cycle", "$out = list(islice(cycle($xs), {{3..6}}))"),
        ("groupby", "$out = []\nfor $key, $group in groupby($xs, key=lambda $x: $x {{> 4|% 2}}):\n    $out.append(($key, list($group)))"),
        ("product", "$out = []\nfor $a, $b in product($xs[:2], {{'xy'|'ab'}}):\n    $out.append(f'{$a}{$b}')"), ("combinations", "$out = [$a {{+|*}} $b for $a, $b in combinations($xs, 2)]"),
        ("takewhile, dropwhile", "$small = list(takewhile(lambda $x: $x < {{4..8}}, $xs))\n$out = list(dropwhile(lambda $x: $x < 4, $xs))\n$out = $out + $small"), ("zip_longest", "$out = [$a + $b for $a, $b in zip_longest($xs, {{@small 1 3}}, fillvalue={{0|1}})]"),
        ("pairwise", "$out = [$b - $a for $a, $b in pairwise($xs)]"),
    )
    return d.make("""
        from itertools import $tool

        def $run($xs):
            $use
            $n = len($out) {{+|*|-}} {{1..5}}
            $last = $out[-1] if $out else None
            return {{$n, $last|$out, $n|[$n, $last]|$out[::-1]}}
        """, "$run({{@small 2 4}})", tool=tool, use=use)
