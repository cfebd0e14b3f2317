"""Lists built, walked and changed in place."""

import re

from ..pools import WORDS
from ..registry import family


@family
def running_values(d):
    """Best and total so far, with `break` and `continue`."""
    f, (xs, x, best, total) = d.fn(), d.v(4)
    body, last = d.r.choice([
        (f"        if {x} > {best}:\n            {best} = {x}\n", best),
        (f"        {total} += {x}\n        {best} = max({best}, {x})\n", f"({total}, {best})"),
        (f"        {total} += {x}\n        if {total} > {d.small()}:\n            break\n", total),
        (f"        if {x} % 2:\n            continue\n        {total} += {x}\n", total),
    ])
    return f"def {f}({xs}):\n    {best} = {d.r.choice([f'{xs}[0]', '0'])}\n    {total} = 0\n    for {x} in {xs}:\n{body}    return {last}\n", f"{f}({d.ints(1, 5)!r})"


@family
def matrix(d):
    """Rows of numbers, walked."""
    f, (m, row, x, total) = d.fn(), d.v(4)
    rows = [[d.r.randint(0, 9) for _ in range(2)] for _ in range(d.r.randint(1, 3))]
    inner = d.r.choice([f"        for {x} in {row}:\n            {total} += {x}\n", f"        {total} += sum({row})\n", f"        {total} = max({total}, {row}[0])\n"])
    return f"def {f}({m}):\n    {total} = 0\n    for {row} in {m}:\n{inner}    return {total}\n", f"{f}({rows!r})"


@family
def pairs(d):
    """Lists of tuples, built, walked and unpacked."""
    f, (rows, left, right, out) = d.fn(), d.v(4)
    value = [(d.r.choice(WORDS), d.integer()) for _ in range(d.r.randint(1, 4))]
    body, start = d.r.choice([
        (f"        {out}.append(({right}, {left}))\n", "[]"),
        (f"        {out}[{left}] = {right}\n", "{}"),
        (f"        {out} += {right}\n", "0"),
        (f"        if {right} > {d.small()}:\n            {out}.append({left})\n", "[]"),
    ])
    given = value if d.r.random() < 0.5 else None
    walk = rows if given is not None else f"{rows}.items()"
    return (f"def {f}({rows}):\n    {out} = {start}\n    for {left}, {right} in {walk}:\n{body}    return {out}\n",
            f"{f}({(given if given is not None else dict(value))!r})")


@family
def list_methods(d):
    """A list changed in place by one method after another."""
    values = [d.integer() for _ in range(d.r.randint(3, 6))]
    x, k = d.pick(*values), d.small(0, 2)
    steps = d.r.sample([
        f"$items.append({d.integer()})", f"$items.insert({k}, {d.integer()})", "$last = $items.pop()", f"$first = $items.pop({d.pick(0, 1)})",
        "$items.reverse()", "$items.sort()", "$items.sort(reverse=True)", f"$items.extend([{d.small()}, {d.small()}])", f"$items += [{d.integer()}]",
        "$copy = $items.copy()", f"$items[{k}] = {d.integer()}", f"$items[-1] += {d.small()}", f"del $items[{k}]", "$items[0], $items[-1] = $items[-1], $items[0]",
        f"$where = $items.index($items[{k}])", f"$count = $items.count({x})", "$items.remove($items[0])", f"$items[1:2] = [{d.small()}, {d.small()}]",
    ], d.r.randint(3, 6))  # fmt: skip
    kept = [s.split(" = ")[0] for s in steps if re.match(r"\$(last|first|where|count|copy) ", s)]
    return d.program("def $f($items):\n    $steps\n    return $result", f"$f({values})", steps="\n".join(steps), result=", ".join([d.pick("$items", "len($items)", "$items"), *kept]))


@family
def aliases(d):
    """Two names for one list, a copy, a list in a list: who sees a change?"""
    values = d.ints(2, 4)
    body, result = d.pick(
        ("$b = $a\n$b.append($x)", "$a, $b"),
        ("$b = $a[:]\n$b.append($x)\n$a[0] = $x", "$a, $b"),
        ("$b = list($a)\n$c = $b\n$c[0] += $x\n$same = $b is $c", "$a, $b, $same"),
        ("$b = [$a, $a]\n$b[0].append($x)\n$a[0] = 0", "$b"),
        ("$b = $a\n$a = $a + [$x]", "$a, $b"),
        ("$b = $a\n$a += [$x]", "$a, $b"),
        ("def $g($c):\n    $c.append($x)\n    $c = [$x]\n    return $c\n\n$b = $g($a)", "$a, $b"),
        ("$b = [[0] * 2] * 2\n$b[0][1] = $x\n$c = [[0] * 2 for $i in range(2)]\n$c[0][1] = $x", "$b, $c"),
        ("$b = {'a': $a, 'b': $a[:]}\n$b['a'].append($x)", "$a, $b"),
    )
    return d.program("def $f($a, $x):\n    $body\n    return $result", f"$f({values}, {d.integer()})", body=body, result=result)


@family
def running_totals(d):
    """Sums, products and maxima so far, kept in a list."""
    values = [d.r.randint(-9, 20) for _ in range(d.r.randint(1, 6))]
    text = d.pick("""
        def $f($values):
            $sums = []
            $total = 0
            for $x in $values:
                $total += $x
                $sums.append($total)
            return $sums
        """, """
        def $f($values):
            $sums = [0]
            for $x in $values:
                $sums.append($sums[-1] + $x)
            return $sums[1:]
        """, """
        def $f($values):
            $best = []
            for $x in $values:
                $best.append($x if not $best or $x $op $best[-1] else $best[-1])
            return $best
        """, """
        from itertools import accumulate

        def $f($values):
            $sums = list(accumulate($values))
            return $sums, max($sums)
        """, """
        def $f($values):
            $changes = []
            for $i in range(1, len($values)):
                $changes.append($values[$i] - $values[$i - 1])
            return $changes
        """, """
        def $f($values):
            for $i in range(1, len($values)):
                $values[$i] += $values[$i - 1]
            return $values
        """)  # fmt: skip
    return d.program(text, f"$f({values})", op=d.pick("<", ">"))


@family
def rotations(d):
    """Lists turned: by slices, by `pop` and `insert`, by index arithmetic, in place by swaps."""
    values = d.pick(d.ints(2, 5), d.words(2, 4))
    text = d.pick("""
        def $f($items, $k):
            $k = $k % len($items)
            return $items[$k:] + $items[:$k]
        """, """
        def $f($items, $k):
            for $step in range($k):
                $items.insert(0, $items.pop())
            return $items
        """, """
        def $f($items, $k):
            $out = []
            for $i in range(len($items)):
                $out.append($items[($i + $k) % len($items)])
            return $out
        """, """
        def $g($items, $left, $right):
            while $left < $right:
                $items[$left], $items[$right] = $items[$right], $items[$left]
                $left += 1
                $right -= 1

        def $f($items, $k):
            $k %= len($items)
            $items.reverse()
            $g($items, 0, $k - 1)
            $g($items, $k, len($items) - 1)
            return $items
        """, """
        from collections import deque

        def $f($items, $k):
            $line = deque($items)
            $line.rotate($k)
            return list($line)
        """)  # fmt: skip
    return d.program(text, f"$f({values}, {d.r.randint(1, 4)})")


@family
def moved_to_end(d):
    """What fits goes to one side, the rest to the other, in place or into two lists."""
    values = [d.pick(0, 0, d.r.randint(-9, 20)) for _ in range(d.r.randint(2, 6))]
    test = d.pick("$x != 0", "$x > 0", "$x % 2 == 0", "$x")
    text = d.pick("""
        def $f($values):
            $kept = [$x for $x in $values if $test]
            return $kept + [0] * (len($values) - len($kept))
        """, """
        def $f($values):
            $at = 0
            for $i, $x in enumerate($values):
                if $test:
                    $values[$at], $values[$i] = $values[$i], $values[$at]
                    $at += 1
            return $values
        """, """
        def $f($values):
            $yes, $no = [], []
            for $x in $values:
                if $test:
                    $yes.append($x)
                else:
                    $no.append($x)
            return $yes, $no
        """, """
        def $f($values):
            $yes, $no = [], []
            for $x in $values:
                ($yes if $test else $no).append($x)
            return $no + $yes
        """, """
        def $f($values):
            $i = 0
            while $i < len($values):
                $x = $values[$i]
                if $test:
                    $i += 1
                else:
                    $values.pop($i)
            return $values
        """)  # fmt: skip
    return d.program(text, f"$f({values})", test=test)


@family
def duplicates(d):
    """Repeated items: found, left out, counted, only neighbours."""
    few = d.pick(d.ints(2, 3), d.words(2, 3))
    values = [d.pick(*few) for _ in range(d.r.randint(2, 6))]
    text = d.pick("""
        def $f($items):
            $seen = []
            for $x in $items:
                if $x not in $seen:
                    $seen.append($x)
            return $seen
        """, """
        def $f($items):
            $seen, $twice = [], []
            for $x in $items:
                if $x in $seen and $x not in $twice:
                    $twice.append($x)
                $seen.append($x)
            return $twice
        """, """
        def $f($items):
            $out = $items[:1]
            for $x in $items[1:]:
                if $x != $out[-1]:
                    $out.append($x)
            return $out
        """, """
        def $f($items):
            for $i in range(len($items)):
                if $items[$i] in $items[$i + 1 :]:
                    return $items[$i]
            return None
        """, """
        def $f($items):
            return list(dict.fromkeys($items))
        """, """
        def $f($items):
            $once = [$x for $x in $items if $items.count($x) == 1]
            return $once, len($items) - len($once)
        """)  # fmt: skip
    return d.program(text, f"$f({values})")


@family
def windows(d):
    """A window moved over a list: sums, best stretch, averages, neighbours compared."""
    values = [d.r.randint(-5, 20) for _ in range(d.r.randint(3, 7))]
    k = d.pick(2, 2, 3)
    text = d.pick("""
        def $f($values, $k):
            $sums = []
            for $i in range(len($values) - $k + 1):
                $sums.append(sum($values[$i : $i + $k]))
            return $sums
        """, """
        def $f($values, $k):
            $current = sum($values[:$k])
            $best = $current
            for $i in range($k, len($values)):
                $current += $values[$i] - $values[$i - $k]
                if $current > $best:
                    $best = $current
            return $best
        """, """
        def $f($values, $k):
            $window = []
            $out = []
            for $x in $values:
                $window.append($x)
                if len($window) > $k:
                    $window.pop(0)
                $out.append($best($window))
            return $out
        """, """
        def $f($values, $k):
            $peaks = []
            for $i in range(1, len($values) - 1):
                if $values[$i - 1] < $values[$i] > $values[$i + 1]:
                    $peaks.append($i)
            return $peaks
        """, """
        def $f($values, $k):
            $pairs = list(zip($values, $values[1:]))
            $ups = sum(1 for $a, $b in $pairs if $b - $a >= $k)
            return $ups, len($pairs)
        """)  # fmt: skip
    return d.program(text, f"$f({values}, {k})", **({"best": d.pick("max", "min", "sum")} if "$best(" in text else {}))


@family
def best_stretch(d):
    """The largest sum, the longest rise, the longest run: a value that starts anew."""
    values = [d.r.randint(-9, 12) for _ in range(d.r.randint(3, 7))]
    text = d.pick("""
        def $f($values):
            $best = $current = $values[0]
            for $x in $values[1:]:
                $current = max($x, $current + $x)
                $best = max($best, $current)
            return $best
        """, """
        def $f($values):
            $longest = $length = 1
            for $i in range(1, len($values)):
                if $values[$i] > $values[$i - 1]:
                    $length += 1
                else:
                    $length = 1
                $longest = max($longest, $length)
            return $longest
        """, """
        def $f($values):
            $best, $run = [], []
            for $x in $values:
                if $x > 0:
                    $run.append($x)
                    if len($run) > len($best):
                        $best = $run[:]
                else:
                    $run = []
            return $best
        """, """
        def $f($prices):
            $low = $prices[0]
            $gain = 0
            for $price in $prices:
                if $price < $low:
                    $low = $price
                elif $price - $low > $gain:
                    $gain = $price - $low
            return $gain
        """)  # fmt: skip
    return d.program(text, f"$f({values})")


@family
def merged_lists(d):
    """Two lists woven, merged in order, or added item by item."""
    a, b = sorted(d.ints(1, 4)), sorted(d.ints(1, 4))
    text = d.pick("""
        def $f($a, $b):
            $out = []
            $i = $j = 0
            while $i < len($a) and $j < len($b):
                if $a[$i] <= $b[$j]:
                    $out.append($a[$i])
                    $i += 1
                else:
                    $out.append($b[$j])
                    $j += 1
            return $out + $a[$i:] + $b[$j:]
        """, """
        def $f($a, $b):
            $out = []
            while $a and $b:
                $source = $a if $a[0] < $b[0] else $b
                $out.append($source.pop(0))
            $out.extend($a or $b)
            return $out
        """, """
        def $f($a, $b):
            $out = []
            for $x, $y in zip($a, $b):
                $out += [$x, $y]
            return $out
        """, """
        def $f($a, $b):
            $sums = [$x $op $y for $x, $y in zip($a, $b)]
            return $sums, sum($sums)
        """, """
        def $f($a, $b):
            $out = []
            for $i in range(max(len($a), len($b))):
                $x = $a[$i] if $i < len($a) else 0
                $y = $b[$i] if $i < len($b) else 0
                $out.append($x $op $y)
            return $out
        """)  # fmt: skip
    return d.program(text, f"$f({a}, {b})", op=d.pick("+", "-", "*"))


@family
def chunks(d):
    """Lists cut into parts: by size, by a mark, into halves, in turn."""
    values = d.ints(3, 7)
    text, args = d.pick(("""
        def $f($items, $size):
            $parts = []
            for $i in range(0, len($items), $size):
                $parts.append($items[$i : $i + $size])
            return $parts
        """, f"{values}, {d.r.randint(2, 3)}"), ("""
        def $f($items, $size):
            $parts, $part = [], []
            for $x in $items:
                $part.append($x)
                if len($part) == $size:
                    $parts.append($part)
                    $part = []
            if $part:
                $parts.append($part)
            return $parts
        """, f"{values}, {d.r.randint(2, 3)}"), ("""
        def $f($items, $mark):
            $parts = [[]]
            for $x in $items:
                if $x == $mark:
                    $parts.append([])
                else:
                    $parts[-1].append($x)
            return $parts
        """, f"{[d.pick(0, x, x) for x in values]}, 0"), ("""
        def $f($items, $count):
            $hands = [[] for $i in range($count)]
            for $i, $x in enumerate($items):
                $hands[$i % $count].append($x)
            return $hands
        """, f"{values}, {d.r.randint(2, 3)}"), ("""
        def $f($items, $at):
            $left, $right = $items[:$at], $items[$at:]
            return sum($left) - sum($right), len($left)
        """, f"{values}, {d.r.randint(1, 3)}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def grids(d):
    """Rows and columns: transposed, turned, a border, sums along each way."""
    rows, columns = d.r.randint(1, 3), d.r.randint(2, 3)
    grid = [[d.r.randint(0, 20) for _ in range(columns)] for _ in range(rows)]
    square = [[d.r.randint(0, 9) for _ in range(columns)] for _ in range(columns)]
    text, value = d.pick(("""
        def $f($grid):
            return [[$row[$i] for $row in $grid] for $i in range(len($grid[0]))]
        """, grid), ("""
        def $f($grid):
            $turned = []
            for $column in zip(*$grid):
                $turned.append(list($column)[::-1])
            return $turned
        """, grid), ("""
        def $f($grid):
            $down = $up = 0
            for $i in range(len($grid)):
                $down += $grid[$i][$i]
                $up += $grid[$i][-1 - $i]
            return $down, $up
        """, square), ("""
        def $f($grid):
            $across = [sum($row) for $row in $grid]
            $down = [sum($column) for $column in zip(*$grid)]
            return {"rows": $across, "columns": $down}
        """, grid), ("""
        def $f($grid):
            $best, $where = -1, None
            for $y, $row in enumerate($grid):
                for $x, $cell in enumerate($row):
                    if $cell > $best:
                        $best, $where = $cell, ($y, $x)
            return $where
        """, grid), ("""
        def $f($grid):
            for $y in range(len($grid)):
                for $x in range($y):
                    $grid[$y][$x], $grid[$x][$y] = $grid[$x][$y], $grid[$y][$x]
            return $grid
        """, square), ("""
        def $f($grid):
            $lines = []
            for $row in $grid:
                $lines.append(" ".join(f"{$cell:2}" for $cell in $row[:2]))
            return "\\n".join($lines)
        """, grid[:2]))  # fmt: skip
    return d.program(text, f"$f({value})")


@family
def flattened(d):
    """Lists in lists made flat: loops, `extend`, `sum`, a stack, only one level."""
    nested = [d.pick([d.r.randint(0, 30) for _ in range(d.r.randint(0, 3))], d.r.randint(0, 30)) for _ in range(d.r.randint(2, 4))]
    lists = [x if isinstance(x, list) else [x] for x in nested]
    text, value = d.pick(("""
        def $f($nested):
            $flat = []
            for $part in $nested:
                for $x in $part:
                    $flat.append($x)
            return $flat
        """, lists), ("""
        def $f($nested):
            $flat = []
            for $part in $nested:
                if isinstance($part, list):
                    $flat.extend($part)
                else:
                    $flat.append($part)
            return $flat
        """, nested), ("""
        def $f($nested):
            $stack = $nested[::-1]
            $flat = []
            while $stack:
                $top = $stack.pop()
                if type($top) is list:
                    $stack += reversed($top)
                else:
                    $flat.append($top)
            return $flat
        """, nested[:3]), ("""
        def $f($nested):
            $flat = sum($nested, [])
            $lengths = [len($part) for $part in $nested]
            return $flat, $lengths
        """, lists), ("""
        from itertools import chain

        def $f($nested):
            $flat = [*chain.from_iterable($nested)]
            $flat.sort()
            return $flat
        """, lists))  # fmt: skip
    return d.program(text, f"$f({value})")


@family
def places(d):
    """Indexes rather than items: of the largest, of all that fit, of pairs that make a sum."""
    values = [d.r.randint(0, 30) for _ in range(d.r.randint(2, 6))]
    target = d.pick(values[0] + values[-1], sum(values[:2]), d.pick(*values), d.r.randint(0, 40))
    text = d.pick("""
        def $f($values, $target):
            $best = 0
            for $i in range(1, len($values)):
                if $values[$i] $op $values[$best]:
                    $best = $i
            return $best, $target - $values[$best]
        """, """
        def $f($values, $target):
            return [$i for $i, $x in enumerate($values) if $x $op $target]
        """, """
        def $f($values, $target):
            for $i in range(len($values)):
                for $j in range($i + 1, len($values)):
                    if $values[$i] + $values[$j] == $target:
                        return $i, $j
            return None
        """, """
        def $f($values, $target):
            $seen = {}
            for $i, $x in enumerate($values):
                if $target - $x in $seen:
                    return [$seen[$target - $x], $i]
                $seen[$x] = $i
            return []
        """, """
        def $f($values, $target):
            $left, $right = 0, len($values) - 1
            $values.sort()
            while $left < $right:
                $total = $values[$left] + $values[$right]
                if $total == $target:
                    return True
                if $total < $target:
                    $left += 1
                else:
                    $right -= 1
            return False
        """)  # fmt: skip
    return d.program(text, f"$f({values}, {target})", op=d.pick("<", ">", ">="))


@family
def stars_in_lists(d):
    """Star expressions: lists spliced into lists and calls, and unpacked with a rest."""
    a, b = d.ints(1, 3), d.ints(2, 4)
    body, result = d.pick(
        ("$first, *$rest = $b\n$out = [*$rest, $first, *$a]", "$out"),
        ("*$start, $last = $b\n$out = [$last] + $start", "$out, len($start)"),
        ("$low, *$middle, $high = sorted($a + $b)\n$total = sum($middle)", "$low, $high, $total"),
        ("$all = [*$a, *$b]\n$top = max(*$all, 0)", "$all, $top"),
        ("($x, $y), *$more = [$a[:1] + [0], *[$b[:2]]]\n$out = {$x: $more}", "$out, $y"),
        ("$out = [0, *range(len($a)), *$b[::-1]]\n$out[-1], *$rest = $out[:2]", "$out, $rest"),
        ("$head, $tail = $b[0], $b[1:]\nwhile $tail:\n    $a.append($head)\n    $head, *$tail = $tail", "$a, $head"),
    )
    return d.program("def $f($a, $b):\n    $body\n    return $result", f"$f({a}, {b})", body=body, result=result)


@family
def queue_of_tasks(d):
    """A list used as a line or a pile until it is empty, with work put back."""
    values = [d.r.randint(1, 6) for _ in range(d.r.randint(1, 3))]
    text = d.pick("""
        def $f($tasks):
            $done = []
            while $tasks:
                $task = $tasks.pop(0)
                if $task > $k:
                    $tasks.append($task - $k)
                else:
                    $done.append($task)
            return $done
        """, """
        def $f($tasks):
            $rounds = 0
            while any($tasks):
                $rounds += 1
                $tasks = [max($x - $k, 0) for $x in $tasks]
            return $rounds
        """, """
        def $f($tasks):
            $order = []
            while len($tasks) > 1:
                $a, $b = $tasks.pop(), $tasks.pop()
                $tasks.append(abs($a - $b) // 2)
                $order.append($a + $b)
            return $order, $tasks
        """, """
        def $f($tasks):
            $time = 0
            while $tasks:
                $time += 1
                $tasks[0] -= $k
                if $tasks[0] <= 0:
                    del $tasks[0]
            return $time
        """)  # fmt: skip
    return d.program(text, f"$f({values})", k=d.pick(2, 3))
