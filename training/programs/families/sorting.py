"""Sorting by hand and by `sorted`, `sort` and keys."""

from ..registry import family


@family
def bubble_sort(d):
    """Neighbours swapped until in order."""
    f, (xs, i, j) = d.fn(), d.v(3)
    op = d.r.choice([">", ">", "<"])
    n = d.r.choice([f"len({xs})", "n"])
    head = "" if n.startswith("len") else f"    n = len({xs})\n"
    return (f"def {f}({xs}):\n{head}    for {i} in range({n}{d.r.choice(['', ' - 1'])}):\n        for {j} in range({n} - 1{d.r.choice(['', f' - {i}'])}):\n"
            f"            if {xs}[{j}] {op} {xs}[{j} + 1]:\n                {xs}[{j}], {xs}[{j} + 1] = {xs}[{j} + 1], {xs}[{j}]\n    return {xs}\n", f"{f}({d.ints(1, 4)!r})")


@family
def insertion_sort(d):
    """Each item moved left to its place."""
    f, (xs, i, j, key) = d.fn(), d.v(4)
    return (f"def {f}({xs}):\n    for {i} in range(1, len({xs})):\n        {key} = {xs}[{i}]\n        {j} = {i} - 1\n"
            f"        while {j} >= 0 and {xs}[{j}] > {key}:\n            {xs}[{j} + 1] = {xs}[{j}]\n            {j} -= 1\n        {xs}[{j} + 1] = {key}\n    return {xs}\n", f"{f}({d.ints(1, 4)!r})")


@family
def sorted_ladder(d):
    """One list through `sorted`, `sort`, keys and directions, step after step."""
    numbers, words = d.ints(3, 6), d.words(3, 5)
    of_numbers = ["$a = sorted($s)", "$b = sorted($s, reverse=True)", "$c = sorted($s, key=abs)", "$e = sorted($s)[:2]", "$i = sorted($s, key=lambda $x: -$x)", "$j = sorted($s, key=lambda $x: $x % $k)",
                  "$m = sorted(set($s))", "$s.sort()", "$s.sort(reverse=True)", "$n = sorted($s)[len($s) // 2]", "$o = sorted($s, key=str)", "$p = sorted($s[:3])", "$q = sorted([$x % 10 for $x in $s])"]  # fmt: skip
    of_words = ["$a = sorted($s)", "$b = sorted($s, key=len)", "$c = sorted($s, key=lambda $w: $w[-1])", "$e = sorted($s, reverse=True)", "$i = sorted($s, key=lambda $w: (len($w), $w))", "$j = sorted($s[0])",
                "$m = sorted(set($s))", "$s.sort()", "$s.sort(key=len, reverse=True)", "$n = sorted($s)[0]", "$o = ''.join(sorted($s[-1]))", "$p = sorted($s, key=lambda $w: $w[::-1])", "$q = sorted($s, key=str.lower)"]  # fmt: skip
    values, menu = d.pick((numbers, of_numbers), (words, of_words))
    lines = d.r.sample(menu, d.r.randint(3, 4))
    names = [line.split(" = ")[0] for line in lines if " = " in line]
    return d.program("def $f($s):\n    $body\n    return $last", f"$f({values})", body="\n".join(lines), last=d.pick("$s", *names), k=d.r.randint(3, 7))


@family
def selection_sort(d):
    """The smallest of the rest brought to the front, or moved to another list."""
    text = d.pick("""
        def $f($items):
            for $i in range(len($items) - 1):
                $best = $i
                for $j in range($i + 1, len($items)):
                    if $items[$j] $op $items[$best]:
                        $best = $j
                $items[$i], $items[$best] = $items[$best], $items[$i]
            return $items
        """, """
        def $f($items):
            $out = []
            while $items:
                $best = $choose($items)
                $items.remove($best)
                $out.append($best)
            return $out
        """, """
        def $g($items, $start):
            $best = $start
            for $i in range($start, len($items)):
                if $items[$i] $op $items[$best]:
                    $best = $i
            return $best

        def $f($items):
            for $i in range(len($items)):
                $j = $g($items, $i)
                if $i != $j:
                    $items[$i], $items[$j] = $items[$j], $items[$i]
            return $items
        """)  # fmt: skip
    return d.program(text, f"$f({d.ints(2, 3 if '$g' in text else 5)})", op=d.pick("<", ">"), choose=d.pick("min", "max"))


@family
def merge_sort(d):
    """Halves sorted by themselves and merged."""
    text = d.pick("""
        def $f($items):
            if len($items) < 2:
                return $items
            $middle = len($items) // 2
            $left, $right = $f($items[:$middle]), $f($items[$middle:])
            $out = []
            while $left and $right:
                if $left[0] <= $right[0]:
                    $out.append($left.pop(0))
                else:
                    $out.append($right.pop(0))
            return $out + $left + $right
        """, """
        def $g($left, $right):
            $out = []
            $i = $j = 0
            while $i < len($left) and $j < len($right):
                if $left[$i] $op $right[$j]:
                    $out.append($left[$i])
                    $i += 1
                else:
                    $out.append($right[$j])
                    $j += 1
            $out.extend($left[$i:])
            $out.extend($right[$j:])
            return $out

        def $f($items):
            if len($items) <= 1:
                return $items
            $middle = len($items) // 2
            return $g($f($items[:$middle]), $f($items[$middle:]))
        """, """
        def $f($runs):
            while len($runs) > 1:
                $first, $second = $runs.pop(0), $runs.pop(0)
                $runs.append(sorted($first + $second))
            return $runs[0]
        """)  # fmt: skip
    values = d.ints(2, 4) if "$runs" not in text else [sorted(d.ints(1, 3)) for _ in range(d.r.randint(1, 4))]
    return d.program(text, f"$f({values})", op=d.pick("<", ">", "<="))


@family
def quick_sort(d):
    """Parted by one item, each part sorted the same way, in new lists or in place."""
    pivot = d.pick("$items[0]", "$items[-1]", "$items[len($items) // 2]")
    text = d.pick("""
        def $f($items):
            if len($items) <= 1:
                return $items
            $pivot = $chosen
            $low = [$x for $x in $items if $x < $pivot]
            $same = [$x for $x in $items if $x == $pivot]
            $high = [$x for $x in $items if $x > $pivot]
            return $f($low) + $same + $f($high)
        """, """
        def $f($items):
            if not $items:
                return []
            $first, *$rest = $items
            $small = [$x for $x in $rest if $x < $first]
            $large = [$x for $x in $rest if $x >= $first]
            return $f($small) + [$first] + $f($large)
        """, """
        def $f($items, $low, $high):
            $pivot = $items[$high]
            $at = $low
            for $i in range($low, $high):
                if $items[$i] <= $pivot:
                    $items[$at], $items[$i] = $items[$i], $items[$at]
                    $at += 1
            $items[$at], $items[$high] = $items[$high], $items[$at]
            return $at
        """)  # fmt: skip
    values = d.ints(2, 6 if "$high)" in text else 4)
    return d.program(text, f"$f({values}, 0, {len(values) - 1})" if "$low, $high)" in text else f"$f({values})", chosen=pivot)


@family
def counting_sort(d):
    """Sorted without comparing: counts, buckets, digits."""
    values = [d.r.randint(0, 6) for _ in range(d.r.randint(2, 6))]
    text, values = d.pick(("""
        def $f($values):
            $counts = [0] * (max($values) + 1)
            for $x in $values:
                $counts[$x] += 1
            $out = []
            for $x, $n in enumerate($counts):
                $out += [$x] * $n
            return $out
        """, values), ("""
        def $f($values):
            $buckets = [[] for $i in range(5)]
            for $x in $values:
                $buckets[$x // 10].append($x)
            return [$x for $bucket in $buckets for $x in sorted($bucket)]
        """, [d.r.randint(0, 49) for _ in range(d.r.randint(2, 5))]), ("""
        def $f($values):
            for $place in (1, 10):
                $values = sorted($values, key=lambda $x: $x // $place % 10)
            return $values
        """, [d.r.randint(0, 99) for _ in range(d.r.randint(2, 4))]), ("""
        def $f($values):
            $low = $middle = 0
            $high = len($values) - 1
            while $middle <= $high:
                if $values[$middle] == 0:
                    $values[$low], $values[$middle] = $values[$middle], $values[$low]
                    $low += 1
                    $middle += 1
                elif $values[$middle] == 1:
                    $middle += 1
                else:
                    $values[$middle], $values[$high] = $values[$high], $values[$middle]
                    $high -= 1
            return $values
        """, [d.r.randint(0, 2) for _ in range(d.r.randint(2, 6))]))  # fmt: skip
    return d.program(text, f"$f({values})")


@family
def other_exchanges(d):
    """Sorts by exchange: both ways, by gaps, with a gnome, until nothing moves."""
    text = d.pick("""
        def $f($items):
            $swapped = True
            while $swapped:
                $swapped = False
                for $i in range(len($items) - 1):
                    if $items[$i] $op $items[$i + 1]:
                        $items[$i], $items[$i + 1] = $items[$i + 1], $items[$i]
                        $swapped = True
            return $items
        """, """
        def $f($items):
            $i = 1
            while $i < len($items):
                if $i == 0 or $items[$i - 1] <= $items[$i]:
                    $i += 1
                else:
                    $items[$i - 1], $items[$i] = $items[$i], $items[$i - 1]
                    $i -= 1
            return $items
        """, """
        def $f($items):
            $gap = len($items) // 2
            while $gap:
                for $i in range($gap, len($items)):
                    $j = $i
                    while $j >= $gap and $items[$j - $gap] > $items[$j]:
                        $items[$j - $gap], $items[$j] = $items[$j], $items[$j - $gap]
                        $j -= $gap
                $gap //= 2
            return $items
        """, """
        def $f($items):
            $moves = 0
            for $i in range(len($items)):
                for $j in range(len($items) - 1, $i, -1):
                    if $items[$j] < $items[$j - 1]:
                        $items[$j], $items[$j - 1] = $items[$j - 1], $items[$j]
                        $moves += 1
            return $items, $moves
        """)  # fmt: skip
    return d.program(text, f"$f({d.ints(2, 4)})", op=d.pick("<", ">"))


@family
def key_functions(d):
    """A named function as the key of `sorted`, `max`, `min`: its frames are entered in turn."""
    words, numbers, pairs = d.words(2, 3), d.ints(2, 4), [(w, d.r.randint(1, 30)) for w in d.some(2, 3)]
    key, values = d.pick(
        ("return len($x)", words), ("return $x[-1]", words), ("return $x[::-1]", words), ("return $x.count('e') + $x.count('a')", words),
        ("return abs($x - $k)", numbers), ("return $x % 10", numbers), ("return -$x", numbers), ("if $x % 2:\n    return $x + 1000\nreturn $x", numbers), ("return str($x)", numbers),
        ("return $x[1]", pairs), ("$name, $n = $x\nreturn $n % $k, $name", pairs), ("return len($x[0]), $x[1]", pairs),
    )
    use = d.pick("sorted($items, key=$g)", "max($items, key=$g)", "min($items, key=$g)", "sorted($items, key=$g, reverse=True)")
    body = d.pick(f"return {use}", f"$out = {use}\nreturn $out, len($items)", "$items.sort(key=$g)\nreturn $items[0]")
    return d.program("""
        def $g($x):
            $key

        def $f($items):
            $body
        """, f"$f({values})", key=key, body=body, k=d.r.randint(3, 20))  # fmt: skip


@family
def lambda_keys(d):
    """Orders by lambda: by a field, by two, falling and rising at once, by a table."""
    rows = [(w, d.r.randint(1, 4), d.r.randint(5, 60)) for w in d.some(2, 4)]
    table = {w: d.r.randint(1, 30) for w in d.some(2, 4)}
    body, value = d.pick(
        ("$items.sort(key=lambda $row: $row[1])\nreturn [$row[0] for $row in $items]", rows),
        ("return sorted($items, key=lambda $row: (-$row[1], $row[0]))", rows),
        ("$ranked = sorted($items, key=lambda $row: $row[2], reverse=True)\n$names = [$name for $name, _, _ in $ranked]\nreturn $names[:2]", rows),
        ("return max($items, key=lambda $row: $row[1] * $row[2])", rows),
        ("return sorted($items, key=lambda $name: $items[$name])", table),
        ("$pairs = sorted($items.items(), key=lambda $pair: -$pair[1])\nreturn $pairs[0], len($pairs)", table),
        ("for $place, $name in enumerate(sorted($items, key=$items.get), start=1):\n    $items[$name] = $place\nreturn $items", table),
        ("$order = {1: 'c', 2: 'a', 3: 'b', 4: 'd'}\nreturn [$row[0] for $row in sorted($items, key=lambda $row: $order[$row[1]])]", rows),
        ("$low = min($items, key=lambda $row: $row[2])\n$items.remove($low)\nreturn $low[0], len($items)", rows),
    )
    return d.program("def $f($items):\n    $body", f"$f({value})", body=body)


@family
def is_in_order(d):
    """Whether and where the order breaks, what to move, how many pairs are wrong."""
    values = d.ints(2, 6)
    values = d.pick(values, sorted(values), sorted(values)[::-1], sorted(values)[:2] + values)[:6]
    text = d.pick("""
        def $f($items):
            for $i in range(len($items) - 1):
                if $items[$i] > $items[$i + 1]:
                    return $i
            return -1
        """, """
        def $f($items):
            return $items == sorted($items), $items == sorted($items, reverse=True)
        """, """
        def $f($items):
            return all($a <= $b for $a, $b in zip($items[:4], $items[1:4]))
        """, """
        def $f($items):
            $wrong = 0
            for $i, $x in enumerate($items):
                $wrong += sum([$x > $y for $y in $items[$i + 1 :]])
            return $wrong
        """, """
        def $f($items):
            $up = $down = True
            for $a, $b in zip($items, $items[1:]):
                if $a < $b:
                    $down = False
                elif $a > $b:
                    $up = False
            return "up" if $up else "down" if $down else "mixed"
        """, """
        def $f($items):
            $goal = sorted($items)
            return [$x for $x, $y in zip($items, $goal) if $x != $y]
        """)  # fmt: skip
    return d.program(text, f"$f({values})")


@family
def ranks(d):
    """Places rather than order: ranks with ties, the n-th largest, the order of indexes."""
    values = [d.r.randint(1, 20) for _ in range(d.r.randint(2, 5))]
    if d.r.random() < 0.4:
        values.append(values[0])
    body = d.pick(
        "$ordered = sorted($items, reverse=True)\nreturn [$ordered.index($x) + 1 for $x in $items]",
        "$ordered = sorted(set($items))\n$k = min($k, len($ordered))\nreturn $ordered[-$k]",
        "return sorted(range(len($items)), key=lambda $i: $items[$i])",
        "$ranks = {}\nfor $rank, $x in enumerate(sorted(set($items)), 1):\n    $ranks[$x] = $rank\nreturn [$ranks[$x] for $x in $items]",
        "$first = $second = -1\nfor $x in $items:\n    if $x > $first:\n        $first, $second = $x, $first\n    elif $x > $second:\n        $second = $x\nreturn $first, $second",
        "$out = []\nfor $x in $items:\n    $out.append(sum([$y < $x for $y in $items]))\nreturn $out",
        "$top = sorted($items)[-$k:]\nreturn sum($top), $top[::-1]",
        "import heapq\n\nreturn heapq.nlargest($k, $items), heapq.nsmallest($k, $items)",
    )
    return d.program("def $f($items, $k):\n    $body", f"$f({values}, {d.r.randint(1, 3)})", body=body)


@family
def sorted_insert(d):
    """A list that is kept in order while items come in."""
    start, new = sorted(d.ints(1, 3)), d.ints(1, 3)
    text = d.pick("""
        def $f($items, $new):
            for $x in $new:
                $i = 0
                while $i < len($items) and $items[$i] < $x:
                    $i += 1
                $items.insert($i, $x)
            return $items
        """, """
        import bisect

        def $f($items, $new):
            $places = []
            for $x in $new:
                $places.append(bisect.bisect($items, $x))
                bisect.insort($items, $x)
            return $items, $places
        """, """
        def $g($items, $x):
            for $i, $y in enumerate($items):
                if $y > $x:
                    return $items[:$i] + [$x] + $items[$i:]
            return $items + [$x]

        def $f($items, $new):
            for $x in $new:
                $items = $g($items, $x)
            return $items
        """, """
        def $f($items, $new):
            $best = $items[:]
            for $x in $new:
                $best.append($x)
                $best.sort(reverse=True)
                $best = $best[:$k]
            return $best
        """)  # fmt: skip
    return d.program(text, f"$f({start}, {new})", k=d.r.randint(1, 4))


@family
def mixed_orders(d):
    """Even before odd, capitals apart, by length then letters, numbers in texts, custom alphabets."""
    numbers, words = d.ints(3, 6), d.words(2, 4)
    tagged = [f"{d.pick('a', 'b', 'item', 'v')}{d.r.randint(1, 30)}" for _ in range(d.r.randint(2, 4))]
    cased = [w.title() if d.r.random() < 0.5 else w for w in words]
    body, value = d.pick(
        ("return sorted($items, key=lambda $x: ($x % 2, $x))", numbers),
        ("$even = sorted([$x for $x in $items if $x % 2 == 0])\n$odd = sorted([$x for $x in $items if $x % 2], reverse=True)\nreturn $even + $odd", numbers),
        ("$plain = sorted($items)\n$folded = sorted($items, key=str.lower)\nreturn $plain, $folded", cased),
        ("return sorted($items, key=lambda $w: (-len($w), $w))", words),
        ("return sorted($items, key=lambda $w: int(''.join([$c for $c in $w if $c.isdigit()])))", tagged),
        ("return sorted($items), sorted($items, key=lambda $w: int($w[-1]))", tagged),
        ("$order = 'zyxwvutsrqponmlkjihgfedcba'\nreturn sorted($items, key=lambda $w: $order.index($w[0]))", words),
        ("return sorted($items, key=lambda $w: $w.count('$letter'), reverse=True)", words),
        ("$fixed = [$x for $x in $items if $x < $k]\n$moved = iter(sorted([$x for $x in $items if $x >= $k]))\nreturn [$x if $x < $k else next($moved) for $x in $items]", numbers),
        ("return ''.join(sorted(''.join($items), reverse=True)[:$n])", words),
    )
    return d.program("def $f($items):\n    $body", f"$f({value})", body=body, letter=d.pick("a", "e", "o"), k=d.r.randint(4, 20), n=d.r.randint(4, 9))


@family
def compared_with_cmp(d):
    """Orders by comparing two items: `cmp_to_key`, a comparison called by hand."""
    text, values = d.pick(("""
        from functools import cmp_to_key

        def $g($a, $b):
            if $a + $b > $b + $a:
                return -1
            return 1

        def $f($items):
            $texts = sorted(map(str, $items), key=cmp_to_key($g))
            return "".join($texts)
        """, [d.r.randint(1, 60) for _ in range(d.r.randint(2, 3))]), ("""
        def $g($a, $b):
            if len($a) != len($b):
                return len($a) - len($b)
            return ($a > $b) - ($a < $b)

        def $f($items):
            $first = $items[0]
            for $x in $items[1:]:
                if $g($x, $first) < 0:
                    $first = $x
            return $first
        """, d.words(2, 4) + d.words(1, 1)), ("""
        def $g($a, $b):
            return $a % $k < $b % $k or ($a % $k == $b % $k and $a < $b)

        def $f($items):
            for $i in range(1, len($items)):
                $j = $i
                while $j > 0 and $g($items[$j], $items[$j - 1]):
                    $items[$j], $items[$j - 1] = $items[$j - 1], $items[$j]
                    $j -= 1
            return $items
        """, d.ints(2, 4)))  # fmt: skip
    return d.program(text, f"$f({values})", k=d.r.randint(3, 7))
