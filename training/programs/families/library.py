"""The standard library as small programs use it: math, string, functools, collections, and tests written by hand."""

from ..registry import family


@family
def tests_by_hand(d):
    """Functions with tests beside them, run in a loop that counts what fails."""
    body, cases = d.pick(
        ("return $x // 2 if $x % 2 == 0 else 3 * $x + 1", [(4, 2), (3, 10), (7, 22)]),
        ("return abs($x) * (1 if $x >= 0 else 2)", [(-2, 4), (5, 5), (0, 0)]),
        ("return str($x)[::-1]", [(12, "21"), (5, "5"), (100, "001")]),
        ("return $x > 9 and $x < 100", [(5, False), (10, True), (99, True)]),
    )
    picked = d.r.sample(cases, 2)
    if d.r.random() < 0.5:
        picked[1] = (picked[1][0], d.pick(0, "7", None, 12))
    tests = "\n\n\n".join(f"def $test_{i}():\n    assert $f({given}) == {want!r}{', {{@label}}' if d.r.random() < 0.4 else ''}" for i, (given, want) in enumerate(picked))
    return d.make("""
        def $f($x):
            $body


        $tests


        $passed = $failed = 0
        for $test in [$names]:
            try:
                $test()
            except AssertionError:
                $failed += 1
                print({{"FAIL"|$test.__name__}})
            else:
                $passed += 1
        print($passed, "passed,", $failed, "failed")
        """, body=body, tests=tests, names="$test_0, $test_1")


@family
def table_of_cases(d):
    """Cases in a list of tuples, checked in a loop, with the first mismatch reported."""
    f, cases = d.pick(
        ("return max($a, $b) - min($a, $b)", lambda a, b: abs(a - b)),
        ("return $a * $b % 10", lambda a, b: a * b % 10),
        ("return ($a + $b) // 2", lambda a, b: (a + b) // 2),
        ("$q, $r = divmod($a, $b)\nreturn $q + $r", lambda a, b: a // b + a % b),
    )
    rows = []
    for _ in range(d.r.randint(2, 3)):
        a, b = d.r.randint(0, 30), d.r.randint(1, 9)
        rows.append((a, b, cases(a, b) + (1 if d.r.random() < 0.25 else 0)))
    return d.make("""
        def $work($a, $b):
            $body

        def $check($cases):
            for $i, ($a, $b, $want) in enumerate($cases):
                $got = $work($a, $b)
                if $got != $want:
                    return {{f"case {$i}: {$got} != {$want}"|$i, $got|False}}
            return {{"ok"|True|len($cases)}}
        """, "$check($given)", body=f, given=rows)


@family
def math_module(d):
    """`math`: whole roots, gcd, factorials, products, floor and ceil, combinations."""
    lines = d.r.sample(["$a = math.isqrt($n)", "$b = math.gcd($n, {{12|18|30|48}})", "$c = math.factorial($n % 6)", "$e = math.prod([{{1..9}}, {{1..9}}, $n])", "$f = math.floor($n / {{3|7}})", "$g = math.ceil($n / {{4|6}})", "$h = math.comb($n % 7 + 2, 2)", "$j = math.lcm($n, {{4|6|9}})", "$k = math.sqrt($n * $n)", "$m = math.hypot(3, 4) * $n", "$p = math.copysign(1, {{2|-3}})", "$q = math.trunc(-$n / 4)"], d.r.randint(2, 4))
    return d.make("""
        import math

        def $run($n):
            $lines
            return $result
        """, "$run({{1..90}})", lines="\n".join(lines), result=d.pick(", ".join(line[:2] for line in lines), f"{lines[0][:2]} + {lines[1][:2]}"))


@family
def counters(d):
    """`Counter`: counting, most common, arithmetic, missing keys."""
    use = d.pick(
        "return $c.most_common({{1..2}}){{|[0]}}",
        "$c.update({{'ab'|'aac'|'xyz'}})\nreturn dict($c)",
        "$other = Counter({{'ab'|'aabb'|'c'}})\nreturn dict($c {{-|+|&}} $other)",
        "return $c[{{'a'|'z'|'b'}}], sum($c.values())",
        "$c[{{'a'|'b'}}] -= {{1..3}}\nreturn sorted($c.elements()), min($c.values())",
    )
    text = "".join(d.pick(*"aabbc") for _ in range(d.r.randint(2, 6)))
    return d.make("""
        from collections import Counter

        def $run($text):
            $c = Counter($text)
            $use
        """, "$run($given)", use=use, given=repr(text))


@family
def default_dicts(d):
    """`defaultdict` with list, int, str or a lambda as its factory."""
    kind, use = d.pick(
        ("list", "$table[len($w)].append($w)"),
        ("int", "$table[$w[0]] += len($w)"),
        ("lambda: {{10..20}}", "$table[$w[-1]] -= {{1..4}}"),
        ("str", "$table[$w[0]] += $w[1:2]"),
        ("list", "for $ch in $w[:2]:\n    $table[$ch].append($w[-1])"),
    )
    return d.make("""
        from collections import defaultdict

        def $group($words):
            $table = defaultdict($kind)
            for $w in $words:
                $use
            return {{dict($table)|sorted($table.items())|len($table), dict($table)}}
        """, "$group({{@words 2 4}})", kind=kind, use=use)


@family
def chained_maps(d):
    """`ChainMap` and merged dicts: which value is seen first, where a change lands."""
    how = d.pick(
        "$all = ChainMap($own, $base)",
        "$all = {**$base, **$own}",
        "$all = $base | $own",
        "$all = dict($base)\n$all.update($own)",
        "$all = ChainMap({}, $own, $base)",
    )
    imports = "from collections import ChainMap\n\n" if "ChainMap" in how else ""
    return d.make("""
        $imports
        def $settings_for($own):
            $base = {"size": {{1..20}}, "color": {{"red"|"blue"}}}
            $how
            $all["size"] = $all["size"] {{+|*}} {{2..5}}
            {{$all["extra"] = len($all)|$own["color"] = "grey"}}
            return $all["size"], $all["color"], $base["size"], $own
        """, "$settings_for($given)", imports=imports, how=how, given=d.pick({}, {"size": d.r.randint(1, 9)}, {"color": "green"}, {"size": 7, "mode": "x"}))


@family
def reduce_folds(d):
    """`functools.reduce` with a lambda, a function, a starting value."""
    fold = d.pick(
        "reduce(lambda $a, $b: $a {{+|*|-}} $b, $xs)",
        "reduce(lambda $a, $b: $a * 10 + $b, $xs, {{0|1}})",
        "reduce(lambda $a, $b: $a if $a > $b else $b, $xs)",
        "reduce($join_two, $xs, {{0|10}})",
        "reduce($join_two, $xs)",
        "reduce(lambda $acc, $x: [$x, *$acc], $xs, [])",
    )
    helper = "def $join_two($a, $b):\n    if $b {{> 4|% 2}}:\n        return $a + $b\n    return {{$a - $b|$a * 2|$a}}\n" if "join_two" in fold else ""
    return d.make("""
        from functools import reduce

        $helper
        def $run($xs):
            $result = $fold
            return $result
        """, "$run({{@small 2 4}})", helper=helper, fold=fold)


@family
def functools_classes(d):
    """`total_ordering`, `cached_property`, `singledispatch` on small classes and functions."""
    kind = d.pick("ordering", "cached", "dispatch")
    if kind == "ordering":
        return d.make("""
            from functools import total_ordering

            @total_ordering
            class $Version:
                def __init__(self, $text):
                    self.$parts = [int($p) for $p in $text.split(".")]

                def __eq__(self, $other):
                    return self.$parts == $other.$parts

                def __lt__(self, $other):
                    return self.$parts < $other.$parts

            $a, $b = $Version($one), $Version($two)
            print($a < $b, $a {{>=|<=|>}} $b, {{max|min}}($a, $b).$parts)
            """, one=repr(f"{d.r.randint(1, 3)}.{d.r.randint(0, 12)}"), two=repr(f"{d.r.randint(1, 3)}.{d.r.randint(0, 12)}"))
    if kind == "cached":
        return d.make("""
            from functools import cached_property

            class $Data:
                def __init__(self, $xs):
                    self.$xs = $xs
                    self.$calls = 0

                @cached_property
                def $total(self):
                    self.$calls += 1
                    return sum(self.$xs)

            def $run($xs):
                $data = $Data($xs)
                $first = $data.$total {{+|*}} {{1..5}}
                $data.$xs.append({{1..9}})
                return $first, $data.$total, $data.$calls
            """, "$run({{@small 1 4}})")
    values = ", ".join(d.r.sample(["{{0..30}}", "{{@word}}", "{{@small 1 3}}", "2.5", "None"], 2))
    return d.make("""
        from functools import singledispatch

        @singledispatch
        def $show(value):
            return {{"?"|None}}

        @$show.register
        def $show_int(value: int):
            return value {{+|*}} {{2..9}}

        @$show.register(str)
        def $show_text(value):
            return value{{.upper()|[::-1]|[:2]}}

        @$show.register(list)
        def $show_list(value):
            return [$show(v) for v in value]

        print($show($one), $show($two))
        """, one=values.split(", ")[0] if "small" not in values else "{{@small 1 2}}", two=values.split(", ")[-1])


@family
def string_module(d):
    """`string` constants, `str.translate`, character tests and filters."""
    use = d.pick(
        "return ''.join($ch for $ch in $text if $ch in string.{{ascii_letters|digits|ascii_lowercase}})",
        "$table = str.maketrans('', '', string.punctuation)\nreturn $text.translate($table)",
        "$kinds = [$ch in string.ascii_uppercase for $ch in $text]\nreturn sum($kinds), $kinds",
        "$out = ''\nfor $ch in $text:\n    if $ch in string.digits:\n        $ch = str(9 - int($ch))\n    $out += $ch\nreturn $out",
        "$i = string.ascii_lowercase.find($text[0].lower())\nreturn string.ascii_uppercase[$i:$i + {{2..4}}]",
    )
    return d.make("""
        import string

        def $run($text):
            $use
        """, "$run($given)", use=use, given=repr("".join(d.pick("a", "b", "C", "D", "7", "3", "!", ",", "x") for _ in range(d.r.randint(2, 6)))))


@family
def print_options(d):
    """`print` with sep, end and stars; lines put together from parts."""
    line = d.pick(
        'print($x, end={{" "|"-"|""}})',
        'print($i, $x, sep={{":"|"="|""}})',
        'print({{"*"|"+"}} * $x, $x, sep={{" "|"_"}})',
        'print("a", $x, end=";")',
        "print(*range($x % 4))",
    )
    return d.make("""
        $xs = {{@small 2 3}}
        for $i, $x in enumerate($xs):
            $line
        print({{|"end"}})
        print({{*$xs|*$xs[::-1]|*sorted($xs)}}, sep={{", "|"/"|""}})
        """, line=line)


@family
def float_steps(d):
    """Floats: true division, rounding, comparison with a tolerance, averages."""
    lines = d.r.sample(["$a = $n / {{4|8|5}}", "$b = round($n / {{3|7}}, {{1|2}})", "$c = $n * 0.5 + {{1..9}}", "$e = float($n) // 2", "$f = abs($n / 10 * 10 - $n) < 1e-9", "$g = int($n * 1.5)", "$h = f'{$n / 3:.{{1|2}}f}'", "$j = $n % 2.5", "$k = ($n + 0.25).is_integer()", "$m = max($n, 7.5)"], d.r.randint(2, 4))
    return d.make("""
        def $run($n):
            $lines
            return $result
        """, "$run({{1..60}})", lines="\n".join(lines), result=", ".join(line[:2] for line in lines))
