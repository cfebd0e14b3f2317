"""Sets of numbers and tuples: members, algebra, unpacking, records without names.

Sets that are kept in a variable hold numbers: the order of texts in a set is not the same twice.
"""

from ..registry import family


@family
def set_algebra(d):
    """Union, intersection, difference, by signs and by methods."""
    a, b = {d.r.randint(0, 12) for _ in range(d.r.randint(1, 5))}, {d.r.randint(0, 12) for _ in range(d.r.randint(1, 5))}
    steps = d.r.sample([
        "$both = $a & $b", "$all = $a | $b", "$only = $a - $b", "$other = $b.difference($a)", "$differ = $a ^ $b", "$shared = $a.intersection($b)",
        "$joined = $a.union($b)", "$apart = $a.isdisjoint($b)", "$inside = $a <= $b", "$below = {1, 2} < $a", "$either = $a.symmetric_difference($b)",
        "$holds = $a >= {$k}", "$a |= {$k}", "$b -= {$k}", "$a &= $b",
    ], d.r.randint(2, 4))  # fmt: skip
    names = [step.split(" ")[0] for step in steps]
    last = names[-1]
    return d.program("def $f($a, $b):\n    $steps\n    return $result", f"$f({a}, {b})", steps="\n".join(steps), k=d.r.randint(0, 12), result=", ".join(dict.fromkeys([last, *d.pick([], names[:1])])))


@family
def set_methods(d):
    """A set changed in place: `add`, `discard`, `remove`, `update`, `clear`, membership."""
    values = {d.r.randint(0, 15) for _ in range(d.r.randint(2, 5))}
    x, y = d.pick(*values), d.r.randint(0, 15)
    steps = d.r.sample([
        f"$items.add({y})", f"$items.discard({d.pick(x, y)})", f"$items.update([{x}, {y}, {y + 1}])", f"$known = {y} in $items", "$size = len($items)",
        "$copy = set($items)", "$low = min($items, default=0)", f"if {x} in $items:\n    $items.remove({x})", f"$items.update({{{y}}}, range(2))", "$total = sum($items)",
        "$frozen = frozenset($items)", f"$items -= {{{x}}}", "$even = {$n for $n in $items if $n % 2 == 0}",
    ], d.r.randint(3, 5))  # fmt: skip
    return d.program("def $f($items):\n    $steps\n    return $result", f"$f({values})", steps="\n".join(steps), result=d.pick("$items", "sorted($items)", "len($items)"))


@family
def seen_numbers(d):
    """What was met before, kept in a set: the first repeat, what is new, a cycle."""
    values = [d.r.randint(0, 9) for _ in range(d.r.randint(2, 6))]
    text, args = d.pick(("""
        def $f($values):
            $seen = set()
            for $x in $values:
                if $x in $seen:
                    return $x
                $seen.add($x)
            return -1
        """, values), ("""
        def $f($values):
            $seen = set()
            $out = []
            for $x in $values:
                if $x not in $seen:
                    $out.append($x)
                    $seen.add($x)
            return $out, len($values) - len($seen)
        """, values), ("""
        def $f($x):
            $seen = set()
            while $x not in $seen:
                $seen.add($x)
                $x = ($x * $k + 1) % $m
            return $x, len($seen)
        """, d.r.randint(0, 6)), ("""
        def $f($values):
            $total = 0
            $sums = {0}
            for $x in $values:
                $total += $x - 4
                if $total in $sums:
                    return True, $total
                $sums.add($total)
            return False, $total
        """, values), ("""
        def $f($values):
            $once, $more = set(), set()
            for $x in $values:
                if $x in $once:
                    $more.add($x)
                else:
                    $once.add($x)
            return $once - $more
        """, values))  # fmt: skip
    return d.program(text, f"$f({args})", k=d.pick(2, 3, 5), m=d.pick(7, 8, 10, 11))


@family
def letters_in_common(d):
    """Sets of letters, in order again at once: shared, missing, all different, pangrams."""
    a, b = d.pick(*d.words()), d.pick(*d.words())
    body = d.pick(
        "$shared = sorted(set($a) & set($b))\nreturn ''.join($shared), len($shared)",
        "$missing = []\nfor $c in sorted(set($a)):\n    if $c not in $b:\n        $missing.append($c)\nreturn $missing",
        "$different = len(set($a)) == len($a)\nreturn $different or set($a) <= set($b)",
        "return sorted(set($a) ^ set($b), reverse=$way)",
        "$size = len(set($a + $b))\n$kinds = [len(set($word)) for $word in ($a, $b)]\nreturn $size, $kinds",
        "if set($a).isdisjoint($b):\n    return 'nothing'\nreturn min(set($a) & set($b))",
        "$count = 0\nfor $c in $a:\n    if $c in set($b):\n        $count += 1\nreturn $count",
    )
    return d.program("def $f($a, $b):\n    $body", f"$f({a!r}, {b!r})", body=body, way=d.pick("True", "False"))


@family
def swaps(d):
    """Several names bound at once: swapped, turned, moved on, taken from calls and pairs."""
    a, b, c = (d.integer() for _ in range(3))
    steps = d.r.sample([
        "$a, $b = $b, $a", "$a, $b, $c = $b, $c, $a", "$a, $b = $a + $b, $a - $b", "$b, $c = divmod($b, $k)", "($a, $b), $c = ($c, $a), $b",
        "$a, *$rest = $a, $b, $c", "$b = $a = $c", "$a, $c = min($a, $c), max($a, $c)", "$pair = $a, $b", "$first, $second = ($b, $c)[::-1]", "$c, $b = sorted(($b, $c))",
    ], d.r.randint(3, 5))  # fmt: skip
    return d.program("def $f($a, $b, $c):\n    $steps\n    return $result", f"$f({a}, {b}, {c})", steps="\n".join(steps), k=d.small(), result=d.pick("$a, $b, $c", "$a - $c", "[$a, $b]", "$c"))


@family
def points(d):
    """Pairs as points: moved, measured, the nearest, the box around them."""
    spots = [(d.r.randint(-9, 9), d.r.randint(-9, 9)) for _ in range(d.r.randint(1, 4))]
    text, args = d.pick(("""
        def $f($points, $dx, $dy):
            $moved = []
            for $x, $y in $points:
                $moved.append(($x + $dx, $y + $dy))
            return $moved
        """, f"{spots}, {d.r.randint(-5, 5)}, {d.r.randint(1, 9)}"), ("""
        def $g($a, $b):
            return abs($a[0] - $b[0]) + abs($a[1] - $b[1])

        def $f($points):
            $total = 0
            for $here, $there in zip($points, $points[1:]):
                $total += $g($here, $there)
            return $total
        """, f"{spots}"), ("""
        def $f($points):
            $xs, $ys = zip(*$points)
            $corner = (min($xs), min($ys))
            return $corner, (max($xs) - $corner[0], max($ys) - $corner[1])
        """, f"{spots}"), ("""
        def $f($points, $home):
            $best = None
            for $x, $y in $points:
                $distance = ($x - $home[0]) ** 2 + ($y - $home[1]) ** 2
                if $best is None or $distance < $best[0]:
                    $best = ($distance, ($x, $y))
            return $best[1]
        """, f"{spots}, {(d.r.randint(-3, 3), d.r.randint(-3, 3))}"), ("""
        def $f($points):
            $turned = [(-$y, $x) for $x, $y in $points]
            $sums = tuple($x + $y for $x, $y in $turned)
            return $turned, $sums
        """, f"{spots}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def tuple_steps(d):
    """Tuples joined, repeated, sliced, compared, counted, and made anew instead of changed."""
    values = tuple(d.r.randint(0, 20) for _ in range(d.r.randint(2, 5)))
    steps = d.r.sample([
        "$t = $t + ($k,)", "$t = ($k,) + $t[1:]", "$t += (0, $k)", "$half = $t[: len($t) // 2]", "$more = $t[-1:] * 2", "$back = $t[::-1]", "$count = $t.count($k)",
        "$where = $t.index($t[0])", "$bigger = $t > ($k, 0)", "$same = $t[:2] == ($t[0], $t[1])", "$ordered = tuple(sorted($t))", "$pairs = tuple(enumerate($t[:2]))",
        "$has = $k in $t", "$total = sum($t)", "$size = len($t)", "$nested = ($t, $k)", "$first, $second = $t[:2]",
    ], d.r.randint(3, 5))  # fmt: skip
    name = steps[-1].split(" ")[0].rstrip(",")
    return d.program("def $f($t):\n    $steps\n    return $result", f"$f({values})", steps="\n".join(steps), k=d.r.randint(0, 20), result=d.pick("$t", f"$t, {name}", name))


@family
def rows_of_tuples(d):
    """Rows as tuples, taken apart in loops, comprehensions and calls."""
    rows = [(w, d.r.randint(1, 30), d.r.randint(1, 9)) for w in d.some(1, 3)]
    text = d.pick("""
        def $f($rows):
            $total = 0
            for $name, $price, $count in $rows:
                $cost = $price * $count
                $total += $cost
                if $total > $k:
                    return $name, $total
            return "all", $total
        """, """
        def $f($rows):
            $out = []
            for $i, ($name, $price, $_) in enumerate($rows):
                $out.append(f"{$i}-{$name}-{$price}")
            return $out
        """, """
        def $f($rows):
            $best = max($rows, key=lambda $row: $row[1] * $row[2])
            return $best[0], [$row[0] for $row in $rows if $row != $best]
        """, """
        def $g($name, $price, $count=1):
            return f"{$name}: {$price * $count}"

        def $f($rows):
            return [$g(*$row) for $row in $rows] + [$g($rows[0][0], $k)]
        """, """
        def $f($rows):
            $names, $prices, $counts = zip(*$rows)
            $average = sum($prices) // len($prices)
            return $names, $average, max($counts)
        """, """
        def $f($rows):
            $kept = []
            while $rows:
                ($name, *$numbers), *$rows = $rows
                $kept.append((sum($numbers), $name))
            return sorted($kept)
        """)  # fmt: skip
    return d.program(text, f"$f({rows})", k=d.r.randint(20, 150))


@family
def named_tuples(d):
    """`namedtuple`: fields by name and place, `_replace`, unpacking, equality."""
    a, b = d.r.sample(["x", "width", "price", "left", "hour"], 1)[0], d.r.sample(["y", "height", "count", "right", "minute"], 1)[0]
    body, result = d.pick(
        ("$p = $T({a}, {b})\n$q = $p._replace($second=$p.$first + 1)", "$p, $q"),
        ("$p = $T({a}, $second={b})\n$total = $p.$first * $p.$second\n$start, $end = $p", "$total - $start + $end"),
        ("$rows = [$T($n, $n % 3) for $n in ({a}, {b})]\n$rows.sort(key=lambda $p: $p.$second)", "$rows[0].$first, $rows[-1]"),
        ("$p = $T._make([{a}, {b}])\n$same = $p == ({a}, {b})", "$same, $p[0] - $p.$second"),
        ("$p, $q = $T({a}, {b}), $T({b}, {a})\n$later = $p if $p > $q else $q", "$later, $later.$first"),
    )
    x, y = d.r.randint(0, 40), d.r.randint(0, 40)
    body = body.replace("{a}", "$a").replace("{b}", "$b")
    return d.program("from collections import namedtuple\n\n$T = namedtuple('$T', '$first $second')\n\ndef $f($a, $b):\n    $body\n    return $result", f"$f({x}, {y})", body=body, result=result, first=a, second=b)


@family
def keys_of_pairs(d):
    """Tuples as keys of a dict and members of a set: visited cells, distances both ways."""
    text, args = d.pick(("""
        def $f($moves):
            $x = $y = 0
            $seen = {(0, 0)}
            for $move in $moves:
                if $move == "U":
                    $y += 1
                elif $move == "D":
                    $y -= 1
                elif $move == "R":
                    $x += 1
                else:
                    $x -= 1
                $seen.add(($x, $y))
            return len($seen), ($x, $y)
        """, repr("".join(d.r.choice("UDLR") for _ in range(d.r.randint(2, 7))))), ("""
        def $f($roads, $stops):
            $length = 0
            for $pair in zip($stops, $stops[1:]):
                $length += $roads.get($pair, $roads.get($pair[::-1], 99))
            return $length
        """, f"{ {(1, 2): d.r.randint(2, 30), (2, 3): d.r.randint(2, 30), (1, 3): d.r.randint(2, 60)} }, {[d.r.randint(1, 3) for _ in range(d.r.randint(2, 5))]}"), ("""
        def $f($size):
            $cells = {}
            for $row in range($size):
                for $column in range($size):
                    $cells[$row, $column] = $row * $k + $column
            return $cells[0, $size - 1], $cells[$size - 1, 0]
        """, d.r.randint(1, 4)), ("""
        $STEPS = {"U": (0, 1), "D": (0, -1), "L": (-1, 0), "R": (1, 0)}

        def $f($moves):
            $x, $y = 0, 0
            for $move in $moves:
                $dx, $dy = $STEPS[$move]
                $x, $y = $x + $dx * $k, $y + $dy
            return ($x, $y)
        """, repr("".join(d.r.choice("UDLR") for _ in range(d.r.randint(1, 6))))))  # fmt: skip
    return d.program(text, f"$f({args})", k=d.r.randint(2, 9))


@family
def several_answers(d):
    """Functions that give back tuples, and callers that take some of them."""
    a, b = d.r.randint(10, 120), d.r.randint(2, 12)
    text = d.pick("""
        def $g($a, $b):
            $quotient, $rest = $a // $b, $a % $b
            return $quotient, $rest, $rest == 0

        def $f($a, $b):
            $q, $r, $exact = $g($a, $b)
            if $exact:
                return $q
            return $q + 1, $r
        """, """
        def $g($values):
            return min($values), max($values)

        def $f($a, $b):
            $low, $high = $g([$a, $b, $a - $b, $k])
            $_, $other = $g([$low, $b])
            return $high - $low, $other
        """, """
        def $g($a, $b):
            if $a % $b:
                return False, f"{$a} by {$b}"
            return True, $a // $b

        def $f($a, $b):
            $fine, $result = $g($a, $b)
            return $result if $fine else $result.upper()
        """, """
        def $g($n):
            return $n, $n * $k

        def $f($a, $b):
            $pairs = [$g($n) for $n in ($a, $b)]
            ($x, $y), ($z, $w) = $pairs
            return $x + $w, $y + $z, $g($b)[1]
        """)  # fmt: skip
    return d.program(text, f"$f({d.pick(a, a * b)}, {b})", k=d.r.randint(2, 9))


@family
def number_sets(d):
    """Sets built by rules: multiples, remainders, sums of pairs, squares, missing numbers."""
    values = sorted({d.r.randint(1, 14) for _ in range(d.r.randint(2, 5))})
    body = d.pick(
        "$missing = set(range(1, max($values) + 1)) - set($values)\nreturn sorted($missing)",
        "$sums = {$x + $y for $x in $values for $y in $values if $x < $y}\nreturn len($sums), $sums",
        "$left = {$x % $k for $x in $values}\n$right = set(range($k))\nreturn $right - $left",
        "$squares = {$x * $x for $x in range(1, 5)}\n$found = set()\nfor $x in $values:\n    if $x in $squares:\n        $found.add($x)\nreturn $found",
        "$marked = set()\nfor $x in $values:\n    $marked.update(range($x, $x + $k, $x))\nreturn $marked",
        "$small, $large = set(), set()\nfor $x in $values:\n    ($small if $x < $m else $large).add($x)\nreturn $small, $large",
        "$starts = [$x for $x in $values if $x - 1 not in set($values)]\nreturn len($starts), $starts",
        "$first = set($values[::2])\n$second = set($values[1::2])\nreturn $first | {$k}, $second & {$k, $m}",
    )
    return d.program("def $f($values):\n    $body", f"$f({values})", body=body, k=d.r.randint(2, 6), m=d.r.randint(4, 12))
