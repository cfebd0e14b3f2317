"""Ways of writing: hints, walrus, stars, keywords, globals, chained comparisons, unpacking, idioms."""

from ..registry import family


@family
def typed_functions(d):
    """Type hints on parameters, results and variables; they change nothing."""
    body = d.pick(
        "$result: list[int] = []\nfor $x in $xs:\n    if $x > $limit:\n        $result.append($x)\nreturn $result",
        "$total: int = sum($xs)\n$mean: float = $total / len($xs)\nreturn $mean > $limit",
        "$best: int | None = None\nfor $x in $xs:\n    if $x <= $limit and ($best is None or $x > $best):\n        $best = $x\nreturn $best",
        "$table: dict[int, str] = {}\nfor $x in $xs:\n    $table[$x] = {{'hi' if $x > $limit else 'lo'|str($x * $limit)}}\nreturn $table",
    )
    hints = {"list[int]": "list[int]", "return $mean": "bool", "$best:": "int | None", "$table": "dict[int, str]"}
    hint = next(hint for mark, hint in hints.items() if mark in body)
    return d.make("""
        def $select($xs: list[int], $limit: int{{| = 5}}) -> $hint:
            $body

        $value: $hint = $select({{@small 1 4}}, {{2..7}})
        print($value)
        """, body=body, hint=hint)


@family
def walrus_uses(d):
    """Assignment inside conditions, loops, comprehensions and arguments."""
    body = d.pick(
        "if ($n := len($xs)) > {{2..3}}:\n    return {{$n|$xs[$n - 1]}}\nreturn {{-$n|None}}",
        "$out = []\nwhile $xs and ($x := $xs.pop({{|0}})) != {{0..5}}:\n    $out.append($x {{+|*}} {{1..4}})\nreturn $out, $xs",
        "return [$y for $x in $xs if ($y := $x {{* 3|// 2|% 4}}) {{> 2|!= 1}}]",
        "if any(($last := $x) > {{5..8}} for $x in $xs):\n    return {{$last|'big', $last}}\nreturn {{0|'small'}}",
        "$total = 0\n$running = [$total := $total + $x for $x in $xs]\nreturn $running, $total",
        "print($m := max($xs), $m * 2)\nreturn $m {{+|-}} ($k := len($xs)), $k",
    )
    return d.make("""
        def $check($xs):
            $body
        """, "$check({{@small 1 4}})", body=body)


@family
def star_arguments(d):
    """`*args` and `**kwargs` received, changed and passed on."""
    inner = d.pick(
        "return len($args), sorted($kwargs)",
        "$total = sum($args)\nfor $name, $value in $kwargs.items():\n    $total += $value\nreturn $total",
        "return [$a * $kwargs.get('times', {{1|2}}) for $a in $args]",
        "if $kwargs.pop('flip', False):\n    $args = $args[::-1]\nreturn *$args, len($kwargs)",
    )
    call = d.pick(
        "$collect(*$xs)",
        "$collect({{0..9}}, *$xs, times={{2..3}})",
        "$collect(*$xs, *$xs[:1], **$options)",
        "$collect($xs[0], flip=True, **$options)",
        "$collect(**$options)",
    )
    return d.make("""
        def $collect(*$args, **$kwargs):
            $inner

        def $run($xs):
            $options = {"a": {{1..9}}$more}
            $first = $collect(*$xs)
            $second = $call
            return $first, $second
        """, "$run({{@small 1 3}})", inner=inner, call=call, more=d.pick("", ', "b": {{1..9}}'))


@family
def keyword_only(d):
    """Defaults, keyword-only and positional-only parameters, called in several ways."""
    head = d.pick("$a, $b={{2..5}}, *, $c={{0..9}}", "$a, /, $b={{2..5}}, $c={{0..9}}", "$a, $b={{1..4}}, $c=None", "*, $a={{1..3}}, $b=2, $c=3")
    calls = {"*, $a": ["$mix()", "$mix($a=$n)", "$mix($c=$n, $b={{1..9}})"], "$c=None": ["$mix($n)", "$mix($n, $c={{1..9}})", "$mix($b=$n, $a={{1..9}}, $c=$n)"], "/": ["$mix($n)", "$mix($n, {{1..9}}, {{1..9}})", "$mix($n, $c={{1..9}})"], "$a, $b=": ["$mix($n)", "$mix($n, $c={{1..9}})", "$mix($a=$n, $b={{1..9}})"]}
    picked = next(c for mark, c in calls.items() if mark in head)
    body = "if $c is None:\n    $c = $a\nreturn $a * $b - $c" if "None" in head else d.pick("return $a * $b {{+|-}} $c", "return [$a, $b, $c]", "return ($a + $b) * 10 + $c")
    return d.make("""
        def $mix($head):
            $body

        def $run($n):
            $x = $one
            $y = $two
            return $x, $y
        """, "$run({{1..12}})", head=head, body=body, one=(pair := d.r.sample(picked, 2))[0], two=pair[1])


@family
def mutable_default(d):
    """A list or dict as default argument is the same in every call; None made anew."""
    how = d.pick(
        "def $add($x, $to=[]):\n    $to.append($x)\n    return $to",
        "def $add($x, $to=None):\n    if $to is None:\n        $to = [{{|0}}]\n    $to.append($x)\n    return $to",
        "def $add($x, $to={}):\n    $to[$x] = $to.get($x, 0) + 1\n    return $to",
        "def $add($x, $to=()):\n    $to = *$to, $x\n    return $to",
        "def $add($x, $to=None):\n    $to = $to or [{{9|7}}]\n    return $to + [$x]",
    )
    return d.make("""
        $how

        def $run($n):
            $first = $add($n)
            $second = $add($n {{+ 1|* 2|- 1}})
            return $first, $second, $first is $second
        """, "$run({{0..20}})", how=how)


@family
def chained_comparisons(d):
    """`a < b <= c`, `x == y != z`, `in` and `is` in chains; and/or that give values."""
    tests = d.r.sample(["$low {{<|<=}} $x {{<|<=}} {{8..15}}", "{{0..3}} < $x != $low", "$x == $low or $x", "$x and $low", "not $x or $low > 2", "$low > 3 and 'big' or 'small'", "$x in (1, 3, 5) and $low", "0 <= $low < $x < 20", "$x % 2 == 0 == $low % 2", "None or $x"], 3)
    return d.make("""
        def $test_all($x, $low={{0..6}}):
            $a = $one
            $b = $two
            $c = $three
            {{return $a, $b, $c|return [$a, $b, $c].count(True), $c|return $a if $b else $c}}
        """, "$test_all({{0..12}}" + d.pick("", ", {{0..9}}") + ")", one=tests[0], two=tests[1], three=tests[2])


@family
def ternaries(d):
    """Conditional expressions, nested, inside calls, f-strings and indexes."""
    lines = d.r.sample(["$size = 'big' if $n > {{10..20}} else 'mid' if $n > {{3..9}} else 'small'", "$sign = 1 if $n > 0 else -1 if $n < 0 else 0", "$text = f\"{$n} item{'' if $n == 1 else 's'}\"", "$half = $n // 2 if $n % 2 == 0 else ($n - 1) // 2", "$limit = {{5..12}} if $n > 5 else {{0..4}}", "$label = ('odd', 'even')[$n % 2 == 0]", "$safe = 100 // $n if $n else None"], d.r.randint(2, 4))
    return d.make("""
        def $describe($n):
            $lines
            return $result
        """, "$describe({{-4..25}})", lines="\n".join(lines), result=", ".join(line.split(" ")[0] for line in lines))


@family
def star_unpacking(d):
    """Unpacking with stars, nested targets, swaps and loops over pairs."""
    body = d.pick(
        "$first, *$middle, $last = $xs\nreturn $last, $middle, $first",
        "*$start, $last = $xs\n$start.append($last {{+|*}} 2)\nreturn $start",
        "($a, $b), *$rest = [$xs[:2], *$xs]\nreturn $a, $b, len($rest)",
        "$head, *$tail = $xs\nwhile $tail:\n    $total = $head + $tail[0]\n    $head, *$tail = $tail\nreturn $head, $tail",
        "$a, $b, *_ = $xs\n$a, $b = $b, $a + $b\nreturn [*$xs, $a, $b]",
        "$pairs = list(zip($xs, $xs[1:]))\nfor $i, ($a, $b) in enumerate($pairs):\n    if $a > $b:\n        return $i, $a - $b\nreturn None",
        "$x = $y = $xs[0]\n$x, $y = $x + 1, $x * 2\nreturn {'x': $x, **{'y': $y}}",
    )
    return d.make("""
        def $unpack_it($xs):
            $body
        """, "$unpack_it({{@small 2 5}})", body=body)


@family
def early_returns(d):
    """Guard clauses first, then the work; against one nested if."""
    guards = d.r.sample(["if not $items:\n    return {{None|[]|0}}", "if len($items) == 1:\n    return $items[0]", "if $n <= 0:\n    return {{'none'|-1}}", "if $n > len($items):\n    $n = len($items)", "if $items[0:1] == [{{0|1|5}}]:\n    return {{True|'first'}}"], d.r.randint(2, 3))
    work = d.pick(
        "return $items[:$n]",
        "return sum($items[-$n:])",
        "$out = []\nfor $i in range($n):\n    $out.append($items[$i % len($items)])\nreturn $out",
        "return sorted($items, reverse=True)[:$n]",
    )
    if "len($items)]" in work and "if not" not in "".join(guards):
        guards.insert(0, "if not $items:\n    return None")
    return d.make("""
        def $first_of($items, $n={{1..3}}):
            {{# nothing to do|}}
            $guards
            $work

        def $run($items, $n):
            $one = $first_of($items, $n)
            return $one, $first_of($items{{|[1:]|[::-1]}})
        """, "$run($given, {{-1..4}})", guards="\n".join(guards), work=work, given=d.pick([], d.numbers(1, 0, 9), d.numbers(3, 0, 9), [5, *d.numbers(2, 0, 9)]))


@family
def string_building_styles(d):
    """One text made by `+`, `%`, `format`, f-strings, join."""
    lines = d.r.sample(["$a = $name + ': ' + str($n)", "$b = '%s has %d' % ($name, $n)", "$c = '{}-{:>4}'.format($name, $n)", "$e = f'{$name!r} {$n:{{03|04|+}}}'", "$g = ' '.join([$name, str($n), {{'!'|'ok'}}])", "$h = '{1}{0}'.format($name, $n)", "$j = $name.{{upper|title|capitalize}}() + '=' * ($n % 5)", "$m = f'{$n / 4:.2f}|{$name[:2]}'"], d.r.randint(2, 4))
    result = d.pick(", ".join(line[:2] for line in lines), f"{lines[-1][:2]} + {lines[0][:2]}", "[" + ", ".join(f"len({line[:2]})" for line in lines) + "]")
    return d.make("""
        def $label($name, $n):
            $lines
            return $result
        """, "$label({{@word}}, {{0..120}})", lines="\n".join(lines), result=result)


@family
def loops_side_by_side(d):
    """The same result by a while loop, a for loop over indices, and directly."""
    work = d.pick("$x {{* 2|+ 3}}", "$x ** 2", "$x % {{3..5}}", "-$x")
    one = d.pick(
        "$i = 0\nwhile $i < len($xs):\n    $x = $xs[$i]\n    $a.append($work)\n    $i += 1",
        "for $i in range(len($xs)):\n    $x = $xs[$i]\n    $a.append($work)",
        "for $x in reversed($xs):\n    $a.insert(0, $work)",
        "for $i, $x in enumerate($xs):\n    $a[$i:] = [$work]",
    )
    two = d.pick("$b = [$work for $x in $xs]", "$b = list(map(lambda $x: $work, $xs))", "$b = []\nfor $x in $xs:\n    $b += [$work]")
    return d.make("""
        def $both_ways($xs):
            $a = []
            $one
            $two
            {{assert $a == $b|}}
            return {{$a == $b|$a, $b|sum($b)|$a}}
        """, "$both_ways({{@small 1 3}})", one=one, two=two, work=work)


@family
def global_counters(d):
    """Names in the module changed by functions with `global`, or through a dict without it."""
    how = d.pick(
        ("$hits = 0", "global $hits\n$hits += $n", "$hits"),
        ("$state = {'hits': 0}", "$state['hits'] += $n\nreturn $state['hits']", "$state['hits']"),
        ("$history = []", "$history.append($n)\nif len($history) > {{2..3}}:\n    del $history[0]", "$history"),
        ("$hits, $top = 0, 0", "global $hits, $top\n$hits += 1\n$top = max($top, $n)", "($hits, $top)"),
    )
    return d.make("""
        $start

        def $note($n):
            $body

        def $run($xs):
            for $x in $xs:
                $note($x)
            $last
            return $ask
        """, "$run({{@small 1 4}})", start=how[0], body=how[1], ask=how[2], last=d.pick("$note(len($xs))", "$note({{1..9}})", ""))


@family
def scopes_shadowed(d):
    """A name local in one function, global in another, and enclosed in a third."""
    inner = d.pick("$x = {{10..20}}\nreturn $x", "nonlocal $x\n$x += {{1..9}}\nreturn $x", "return $x {{+|*}} {{2..9}}", "global $x\n$x = {{50..70}}\nreturn $x")
    return d.make("""
        $x = {{1..9}}

        def $outer():
            $x = {{20..40}}

            def $inner():
                $inner_body

            $first = $inner()
            return $first, $x

        def $read():
            return $x {{+|-|*}} {{1..5}}

        $pair = $outer()
        print($pair, $read(){{|, $x}})
        """, inner_body=inner) if "global" not in inner else d.make("""
        $x = {{1..9}}

        def $change():
            global $x
            $x = $x {{+|*}} {{2..9}}
            $y = $x
            $y += 1
            return $y

        def $keep():
            $x = {{50..70}}
            return $x

        print($change(), $x)
        print($keep(), $x)
        """)


@family
def docstring_and_comments(d):
    """A function as careful people write it: docstring, comments, blank lines, long call broken over lines."""
    step = d.pick(
        "$total += $price * $n",
        "$total += max($price - {{1..3}}, 0) * $n",
        "if $n >= {{3..5}}:\n    $total += $price * $n - $price  # one for free\nelse:\n    $total += $price * $n",
    )
    return d.make('''
        def $order_total($prices, $counts, $shipping=0, $limit=None):
            """Gives the {{sum|total}} of an order.

            Shipping is free from the limit on.
            """
            $total = 0

            # what was ordered
            for $price, $n in zip($prices, $counts):
                $step

            # what it costs to send
            if $limit is None or $total < $limit:
                $total += $shipping

            return $total


        $result = $order_total(
            $prices_,
            $counts_,
            $shipping={{2..9}},{{|  # flat}}
            $limit={{20|40|60|None}},
        )
        print($result)
        ''', step=step, prices_=d.numbers(n := d.r.randint(1, 2), 2, 25), counts_=d.numbers(n, 1, 6))


@family
def one_liners_expanded(d):
    """Dense expressions over literals: nested calls, slices of calls, conditions inside."""
    lines = d.r.sample(["$a = sorted(set($xs))[-1]", "$b = sum($x for $x in $xs if $x % 2)", "$c = ''.join(sorted(str($x) for $x in $xs))[::-1]", "$e = dict(zip('abc', $xs))", "$f = max(($x % {{3..6}}, $x) for $x in $xs)", "$g = [*map(str, $xs)][0] * 2", "$h = len([$x for $x in $xs if {{2..4}} < $x < 9]) or -1", "$j = list(filter(None, $xs))[:2]", "$m = min($xs, key=lambda $x: abs($x - {{3..7}}))"], d.r.randint(2, 3))
    return d.make("""
        $xs = {{@small 2 5}}
        $lines
        print($shown)
        """, lines="\n".join(lines), shown=", ".join(line[:2] for line in lines))


@family
def while_true_break(d):
    """`while True` with breaks and continues in different places."""
    body = d.pick(
        "if $n {{<=|<}} {{1..3}}:\n    break\n$n = $n // 2 if $n % 2 == 0 else $n - {{1|3}}\n$steps.append($n)",
        "$n -= {{3..9}}\nif $n < 0:\n    break\nif $n % 2:\n    continue\n$steps.append($n)",
        "if not $n:\n    break\n$n, $digit = divmod($n, 10)\nif $digit == {{0|5|7}}:\n    continue\n$steps.append($digit)",
        "$steps.append($n)\nif len($steps) == {{2..4}}:\n    $n = -1\n    break\n$n = $n * {{2|3}} % {{17|50|100}}",
    )
    return d.make("""
        def $run_down($n):
            $steps = [{{|0}}]
            while True:
                $body
            return $steps{{|, $n}}
        """, "$run_down({{3..60}})", body=body)


@family
def int_str_round_trips(d):
    """Conversions back and forth: int, str, float, bool, list, round, ord, chr."""
    lines = d.r.sample(["$a = int(str($n) + '{{0..9}}')", "$b = str($n)[::-1]", "$c = int('0' + str($n)[1:])", "$e = float($n) / {{2|4|8}}", "$f = bool($n) + bool($n - {{1..5}})", "$g = [int($ch) for $ch in str($n)]", "$h = chr(97 + $n % 26)", "$j = round($n / {{3|7|8}}, 2)", "$k = ord(str($n)[0]) - 48", "$m = list(str($n * {{2..9}}))", "$p = int($n / {{2|3|4}})", "$q = str($n).zfill(4)"], d.r.randint(2, 4))
    return d.make("""
        def $convert($n):
            $lines
            return $result
        """, "$convert({{1..999}})", lines="\n".join(lines), result=", ".join(line[:2] for line in lines))


@family
def nested_data_updates(d):
    """Paths into nested lists and dicts, read, changed and copied."""
    data = {"a": d.numbers(2, 0, 9), "b": {"c": d.r.randint(1, 9), "e": [d.r.randint(1, 9)]}}
    lines = d.r.sample(["$data['a'][{{0|-1}}] += {{2..9}}", "$data['b']['c'] = $data['b'].get('c', {{1..9}}) {{*|-}} {{2..5}}", "$data['b']['e'].append($data['a'][0])", "$data['a'] = $data['a'][::-1]", "$data['b']['n'] = len($data['a'])", "$gone = $data['b'].pop('c', {{0|None}})", "$data.setdefault('z', []).append({{1..9}})", "$inner = $data['b']\n$inner['e'] = $data['a'][:1]"], d.r.randint(2, 4))
    return d.make("""
        def $update_it($data):
            $lines
            return {{$data|$data['b']|len($data), $data['a']}}
        """, "$update_it($given)", lines="\n".join(lines), given=data)


@family
def helper_pipeline(d):
    """Three or four little functions in a row, the way a task is cut up."""
    steps = d.r.sample([("$clean", "return [$v.strip().lower() for $v in $items]"), ("$keep", "return [$v for $v in $items if len($v.strip()) > {{2..4}}]"), ("$shorten", "$out = []\nfor $v in $items:\n    $out.append($v[:{{2..4}}])\nreturn $out"), ("$unique", "return list(dict.fromkeys($items))"), ("$order", "return sorted($items{{|, key=len|, reverse=True}})"), ("$number", "return [f'{$i}{$v}' for $i, $v in enumerate($items{{|, 1}})]")], 3)
    defs = "\n\n".join(f"def {name}($items):\n    " + body.replace("\n", "\n    ") for name, body in steps)
    use = d.pick(
        "\n".join(f"$items = {name}($items)" for name, _ in steps) + "\nreturn $items",
        f"return {steps[2][0]}({steps[1][0]}({steps[0][0]}($items)))",
        "for $step in (" + ", ".join(name for name, _ in steps) + "):\n    $items = $step($items)\nreturn {{$items|' '.join($items)}}",
    )
    return d.make("""
        $defs

        def $process($items):
            $use
        """, "$process($given)", defs=defs, use=use, given=[d.pick("", " ") + d.pick(w, w.title()) for w in d.words(2, 3)])
