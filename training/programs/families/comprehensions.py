"""Comprehensions of every kind, and generator expressions."""

from ..registry import family


@family
def comprehensions(d):
    """One comprehension, then a use of it."""
    f, (xs, x, out, more) = d.fn(), d.v(4)
    first = d.r.choice([f"[{x} * {d.small()} for {x} in {xs}]", f"[{x} for {x} in {xs} if {x} % 2 == {d.r.choice('01')}]", f"[{x} ** 2 for {x} in {xs}]", f"{{{x}: {x} * 2 for {x} in {xs}}}"])
    last = d.r.choice([f"len({out})", out, f"sum({out})"])
    return f"def {f}({xs}):\n    {out} = {first}\n    {more} = {last}\n    return {more}\n", f"{f}({d.ints(1, 4)!r})"


@family
def built_at_once(d):
    """Sets, dicts and lists made by one comprehension over a range or a text."""
    f, (n, x, out) = d.fn(), d.v(3)
    over, arg = d.r.choice([(f"range({n})", d.r.randint(0, 8)), (f"range(1, {n} + 1)", d.r.randint(0, 7)), (f"range(0, {n}, {d.small(2, 3)})", d.r.randint(0, 15))])
    made = d.r.choice([
        f"{{{x} % {d.small(2, 5)} for {x} in {over}}}", f"{{{x} * {x} for {x} in {over}}}", f"{{{x}: {x} ** 2 for {x} in {over}}}",
        f"{{{x} for {x} in {over} if {x} % {d.small(2, 4)} == 0}}", f"[({x}, {x} % {d.small(2, 4)}) for {x} in {over}]", f"[{x} // {d.small(2, 4)} for {x} in {over}]",
    ])
    return f"def {f}({n}):\n    {out} = {made}\n    return {d.r.choice([out, f'len({out})', f'sorted({out})'])}\n", f"{f}({arg})"


@family
def filtered(d):
    """Lists kept in part: one test, two tests, `not`, chained comparisons, a helper's answer."""
    values = [d.r.randint(-20, 60) for _ in range(d.r.randint(2, 7))]
    body = d.pick(
        "return [$x for $x in $values if $low <= $x < $high]",
        "$kept = [$x for $x in $values if $x > $low and $x % 2]\nreturn $kept, len($values) - len($kept)",
        "$kept = [$x for $x in $values if not $x % 3 or $x > $high]\nreturn $kept",
        "$kept = [$x for $x in $values if $x != $values[0]]\nreturn sum($kept)",
        "def $g($x):\n    return $x % 10 > $k\n\nreturn [$x for $x in $values if $g($x)]",
        "$average = sum($values) // len($values)\nreturn [$x for $x in $values if $x >= $average]",
        "return [$x for $x in $values if $x in ($low, $high) or $x < 0]",
        "return [$x for $x in $values if $x > 0 if $x % 2 == 0]",
        "return list(filter(lambda $x: $x > $low, $values))",
    )
    low = d.r.randint(-5, 20)
    return d.program("def $f($values, $low, $high):\n    $body", f"$f({values[: 4 if '$g' in body else 7]}, {low}, {low + d.r.randint(5, 40)})", body=body, k=d.r.randint(2, 6))


@family
def mapped(d):
    """Every item changed: sums, calls of methods, ternaries, formats, `map`."""
    values, words = [d.r.randint(-20, 99) for _ in range(d.r.randint(2, 5))], d.words(2, 4)
    body, arg = d.pick(
        ("[$x * $k + $m for $x in $items]", values), ("[$x if $x > 0 else -$x for $x in $items]", values), ("[$x // $k for $x in $items]", values),
        ("[($x, $x % $k) for $x in $items]", values), ("[str($x) for $x in $items]", values), ("[f'{$x:03}' for $x in $items]", [abs(v) for v in values]),
        ("['even' if $x % 2 == 0 else 'odd' for $x in $items]", values), ("[max($x, $m) for $x in $items]", values), ("[min(max($x, 0), $m * 5) for $x in $items]", values),
        ("[$w.upper() for $w in $items]", words), ("[$w[::-1] for $w in $items]", words), ("[len($w) * $k for $w in $items]", words), ("[$w[0] + str(len($w)) for $w in $items]", words),
        ("[$w.title() + '!' for $w in $items]", words), ("[$w + $w[-1] for $w in $items]", words), ("[sorted($w)[0] for $w in $items]", words), ("[($w, len($w)) for $w in $items]", words),
        ("list(map(str.upper, $items))", words), ("list(map(lambda $x: $x - $k, $items))", values), ("[*map(len, $items)]", words),
        ("[$w.replace($items[0][0], '*') for $w in $items]", words),
    )
    last = d.pick("$out", "$out[-1]", "$out[::-1]", "$out + $items[:1]", "$out, len($out)", "dict(zip($items, $out))")
    return d.program("def $f($items):\n    $out = $body\n    return $last", f"$f({arg})", body=body, last=last, k=d.r.randint(2, 9), m=d.r.randint(1, 12))


@family
def nested_loops(d):
    """Comprehensions with two loops: products, pairs, triangles, flattened rows."""
    n, m = d.r.randint(1, 3), d.r.randint(2, 4)
    body = d.pick(
        "[$x * $y for $x in range(1, $n + 1) for $y in range($m)]",
        "[($x, $y) for $x in range($n) for $y in range($m) if $x != $y]",
        "[$x + $y for $x in 'ab' for $y in str($n * $m)]",
        "[($x, $y) for $x in range($n + 1) for $y in range($x)]",
        "[$x * 10 + $y for $x in range($n) for $y in range($x, $m)]",
        "[$x for $row in [[$n, $m], [$m], [$n + $m]] for $x in $row if $x > 1]",
        "[$a + $b for $a in ['x', 'y'][:$n] for $b in ['1', '2', '3'][:$m]]",
        "[[$x * $y for $x in range($m)] for $y in range($n)]",
        "[[$x, $x + $n] for $x in range($m) if $x % 2 == 0]",
        "['*' * $x for $x in range($n, $n + $m)]",
        "[[0] * $m for $x in range($n)]",
        "[[1 if $x == $y else 0 for $x in range($n + 1)] for $y in range($n + 1)]",
    )
    last = d.pick("$out", "len($out)", "$out[-1:]", "$out[0] if $out else None", "$out, $n * $m", "$out[::2]")
    return d.program("def $f($n, $m):\n    $out = $body\n    return $last", f"$f({n}, {m})", body=body, last=last)


@family
def dict_comprehensions(d):
    """Dicts built at once from words, numbers, pairs and other dicts."""
    words, table = d.some(2, 4), d.table(2, 4)
    body, arg = d.pick(
        ("{$w: len($w) for $w in $given}", words), ("{$w[0]: $w for $w in $given}", words), ("{$i: $w for $i, $w in enumerate($given, $k)}", words),
        ("{$w: $w.count($w[0]) for $w in $given if len($w) > $k}", words), ("{len($w): $w for $w in $given}", words), ("{$w: $w[::-1] for $w in $given if $w != $w[::-1]}", words),
        ("{$key: $v * $k for $key, $v in $given.items()}", table), ("{$v: $key for $key, $v in $given.items()}", table), ("{$key: $v for $key, $v in $given.items() if $v % 2 == 0}", table),
        ("{$key: $v for $key, $v in sorted($given.items())}", table), ("{$key[:2]: $v - $k for $key, $v in $given.items()}", table), ("{$key: ('big' if $v > 10 else 'small') for $key, $v in $given.items()}", table),
        ("{$x: $x ** 2 for $x in range($given)}", d.r.randint(1, 5)), ("{$x: [$y for $y in range($x)] for $x in range($given)}", d.r.randint(1, 4)),
        ("{$x: $x % $k == 0 for $x in range($k, $k + $given)}", d.r.randint(1, 5)), ("{chr(97 + $x): $x * $k for $x in range($given)}", d.r.randint(1, 5)),
    )
    last = d.pick("$out", "len($out), $out", "list($out)", "sum($out.values())" if "* $k" in body and "{$w:" not in body else "$out", "list($out.items())[:2]")
    return d.program("def $f($given):\n    $out = $body\n    return $last", f"$f({arg})", body=body, last=last, k=d.r.randint(2, 4))


@family
def generator_arguments(d):
    """Generator expressions handed to `sum`, `max`, `any`, `all`, `join`, `sorted`, `next`."""
    values = [d.r.randint(-9, 40) for _ in range(d.r.randint(2, 4))]
    words = d.words(2, 3)
    lines = d.r.sample([
        "$a = sum($x * $k for $x in $values)", "$b = any($x > $m for $x in $values)", "$c = all($x % 2 == 0 for $x in $values)", "$e = max(abs($x) for $x in $values)",
        "$i = next(($x for $x in $values if $x > $m), None)", "$j = ','.join(str($x) for $x in $values)", "$o = sum(1 for $x in $values if $x > $k)",
        "$p = ''.join($w[0] for $w in $words)", "$q = max(len($w) for $w in $words)", "$r = any($w.startswith('s') for $w in $words)", "$s = sorted(len($w) for $w in $words)",
        "$t = tuple($x + 1 for $x in $values)", "$u = min(($x for $x in $values if $x > 0), default=0)", "$y = all(len($w) > $k for $w in $words)",
    ], 2)  # fmt: skip
    names = ", ".join(line.split(" ")[0] for line in lines)
    return d.program("def $f($values, $words):\n    $body\n    return $names", f"$f({values}, {words})", body="\n".join(lines), names=names, k=d.r.randint(2, 5), m=d.r.randint(5, 30))


@family
def any_and_all(d):
    """`any` and `all` over lists, their empty cases, and the loops they stand for."""
    values = [d.r.randint(-5, 30) for _ in range(d.r.randint(0, 4))]
    test = d.pick("$x > $k", "$x % 2 == 0", "$x % $k == 1", "$x >= 0", "$x != $k")
    text = d.pick("""
        def $f($values):
            if all([$test for $x in $values]):
                return "all"
            if any([$test for $x in $values]):
                return "some"
            return "none"
        """, """
        def $f($values):
            for $x in $values:
                if not ($test):
                    return False
            return True
        """, """
        def $g($x):
            return $test

        def $f($values):
            return any(map($g, $values)), all(map($g, $values))
        """, """
        def $f($values):
            $checks = [$test for $x in $values]
            return $checks.count(True), any($checks), all($checks)
        """, """
        def $f($values):
            $flag = False
            for $x in $values:
                $flag = $flag or $test
            return $flag, not any($values)
        """, """
        def $f($values):
            $bad = [$x for $x in $values if not $test]
            if $bad:
                return f"bad: {$bad[0]}"
            return bool($values)
        """)  # fmt: skip
    return d.program(text, f"$f({values[:3] if '$g' in text else values})", test=test, k=d.r.randint(2, 9))


@family
def zipped(d):
    """`zip` and `enumerate` in comprehensions: sums of products, differences, labels."""
    a, b = [d.r.randint(0, 30) for _ in range(d.r.randint(2, 4))], [d.r.randint(1, 12) for _ in range(d.r.randint(2, 4))]
    lines = d.r.sample([
        "$products = [$x * $y for $x, $y in zip($a, $b)]", "$steps = [$y - $x for $x, $y in zip($a, $a[1:])]", "$largest = [max($pair) for $pair in zip($a, $b)]",
        "$labels = [f'{$i}:{$x}' for $i, $x in enumerate($a)]", "$weighted = [$i * $x for $i, $x in enumerate($b, start=1)]", "$equal = [$x == $y for $x, $y in zip($a, $a[::-1])]",
        "$table = {$x: $y for $x, $y in zip($b, $a)}", "$odd = [$x for $i, $x in enumerate($a) if $i % 2]", "$pairs = list(zip($a, $b))", "$ends = [($x, $y) for $x, $y in zip($a, reversed($a))]",
        "$higher = sum([$x > $y for $x, $y in zip($a, $b)])", "$mixed = [$z for $pair in zip($a, $b) for $z in $pair]", "$rest = [$x % $y for $x, $y in zip($a, $b)]",
    ], d.r.randint(2, 3))  # fmt: skip
    names = [line.split(" ")[0] for line in lines]
    return d.program("def $f($a, $b):\n    $body\n    return $names", f"$f({a}, {b})", body="\n".join(lines), names=", ".join(names[-2:]))


@family
def pipelines(d):
    """One comprehension after another: split, cleaned, turned to numbers, filtered, summed."""
    numbers = [d.r.randint(0, 60) for _ in range(d.r.randint(2, 5))]
    text = d.pick(",", ";", " ").join(map(str, numbers))
    gap = next((c for c in ",;" if c in text), " ")
    words = d.pick(", ", ",", "; ").join(w.title() if d.r.random() < 0.5 else w for w in d.words(2, 4))
    body, arg = d.pick((f"""
        $parts = $line.split({gap!r})
        $numbers = [int($p) for $p in $parts]
        $kept = [$n for $n in $numbers if $n % 2 == {d.pick(0, 1)}]
        $scaled = [$n * $k for $n in $kept]
        return sum($scaled)
        """, text), (f"""
        $words = $line.replace(";", ",").split(",")
        $clean = [$w.strip().lower() for $w in $words]
        $long = [$w for $w in $clean if len($w) > $k]
        $initials = [$w[0] for $w in $long]
        return "".join($initials), $long
        """, words), (f"""
        $numbers = sorted([int($p) for $p in $line.split({gap!r})])
        $steps = [$b - $a for $a, $b in zip($numbers, $numbers[1:])]
        $shown = [str($s) for $s in $steps if $s > 0]
        return "+".join($shown) or "flat"
        """, text), (f"""
        $digits = [int($c) for $c in $line if $c.isdigit()]
        $pairs = [($digits[$i], $digits[$i + 1]) for $i in range(0, len($digits) - 1, 2)]
        $sums = [$a + $b for $a, $b in $pairs]
        return $sums, max($sums, default=0)
        """, text), (f"""
        $table = {{$w.strip(): len($w.strip()) for $w in $line.split(",")}}
        $ranked = sorted($table, key=lambda $w: (-$table[$w], $w))
        return [$w for $w in $ranked if $table[$w] >= $k]
        """, words))  # fmt: skip
    return d.program("def $f($line):\n    $body", f"$f({arg!r})", body=body, k=d.r.randint(2, 4))


@family
def loop_or_comprehension(d):
    """The same thing twice: by a loop that appends and by a comprehension, then compared."""
    values = [d.r.randint(0, 30) for _ in range(d.r.randint(1, 4))]
    item, test = d.pick("$x * $k", "$x + $k", "$x % $k", "$x // $k", "$x ** 2", "[$x]", "str($x)"), d.pick("", "$x > $k", "$x % 2 == 0", "$x % $k != 0")
    text = d.pick("""
        def $f($values):
            $slow = []
            for $x in $values:
                $step
            $fast = [$item for $x in $values$cond]
            return $slow == $fast, $fast
        """, """
        def $g($values):
            $out = []
            for $x in $values:
                $plain
            return $out

        def $f($values):
            $other = [$item for $x in $values$cond]
            return len($g($values)) - len($other), $other
        """)  # fmt: skip
    step = f"if {test}:\n    $slow.append({item})" if test else f"$slow.append({item})"
    return d.program(text, f"$f({values})", step=step, plain=step.replace("$slow", "$out"), item=item, cond=f" if {test}" if test else "", k=d.r.randint(2, 7))


@family
def set_comprehensions(d):
    """Sets of numbers built at once, and what is left of duplicates."""
    values = [d.r.randint(0, 25) for _ in range(d.r.randint(2, 6))]
    made = d.pick("{$x % $k for $x in $values}", "{$x // $k for $x in $values}", "{$x for $x in $values if $x > $k}", "{abs($x - $m) for $x in $values}", "{len(str($x)) for $x in $values}", "{$x * $y for $x in $values[:2] for $y in range($k)}", "{min($x, $m) for $x in $values}")
    last = d.pick("$out", "len($out)", "sorted($out, reverse=True)", "$m in $out", "sum($out)", "len($values) - len($out)", "$out | {$m}", "max($out, default=-1)")
    return d.program("def $f($values):\n    $out = $made\n    $more = $last\n    return $more", f"$f({values})", made=made, last=last, k=d.r.randint(2, 5), m=d.r.randint(3, 12))


@family
def walrus_comprehensions(d):
    """A value named inside a comprehension or a condition by `:=`."""
    values = [d.r.randint(0, 40) for _ in range(d.r.randint(1, 5))]
    body = d.pick(
        "return [$y for $x in $values if ($y := $x * $k) > $m]",
        "$total = 0\n$sums = [$total := $total + $x for $x in $values]\nreturn $sums, $total",
        "if ($n := len($values)) > 3:\n    return f'{$n} values'\nreturn $values[-1] + $n",
        "$out = []\nwhile ($x := $values.pop()) % 2 == 0 and $values:\n    $out.append($x)\nreturn $out, $x",
        "if any(($hit := $x) > $m for $x in $values):\n    return $hit\nreturn None",
        "$kept = [($x, $r) for $x in $values if ($r := $x % $k)]\nreturn $kept",
        "return ($first := $values[0]) + $first * $k",
    )
    return d.program("def $f($values):\n    $body", f"$f({values[:4]})", body=body, k=d.r.randint(2, 5), m=d.r.randint(10, 50))


@family
def matrix_comprehensions(d):
    """Rows of rows made and changed by nested comprehensions."""
    rows = [[d.r.randint(0, 20) for _ in range(2)] for _ in range(d.r.randint(1, 3))]
    body = d.pick(
        "$out = [[$x * $k for $x in $row] for $row in $rows]", "$out = [sum($row) for $row in $rows]", "$out = [$x for $row in $rows for $x in $row]",
        "$out = [[$row[$i] for $row in $rows] for $i in range(2)]", "$out = [list($column) for $column in zip(*$rows)]", "$out = [$row for $row in $rows if sum($row) > $m]",
        "$out = [[$x + $y for $x, $y in zip($row, $rows[0])] for $row in $rows]", "$out = [$row[::-1] for $row in $rows[::-1]]", "$out = [$rows[$i][$i % 2] for $i in range(len($rows))]",
        "$out = [max($row) - min($row) for $row in $rows]", "$out = [' '.join(str($x) for $x in $row) for $row in $rows[:2]]", "$out = [[$x > $m for $x in $row] for $row in $rows]",
        "$out = {$i: $row[0] for $i, $row in enumerate($rows)}", "$out = [(a, b, a % $k) for a, b in $rows]",
    )
    last = d.pick("$out", "$out, len($out)", "len($out)", "[$out]", "$out == $rows")
    return d.program("def $f($rows):\n    $body\n    return $last", f"$f({rows})", body=body, last=last, k=d.r.randint(2, 6), m=d.r.randint(5, 25))
