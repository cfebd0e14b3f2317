"""Looking for an item, a place or a reason."""

from ..registry import family


@family
def binary_search(d):
    """Halving a sorted list."""
    f, (xs, t, lo, hi, mid) = d.fn(), d.v(5)
    items = sorted(set(d.ints(2, 7)))
    target = d.r.choice([*items, d.integer()])
    return (f"def {f}({xs}, {t}):\n    {lo} = 0\n    {hi} = len({xs}) - 1\n    while {lo} <= {hi}:\n        {mid} = ({lo} + {hi}) // 2\n"
            f"        if {xs}[{mid}] == {t}:\n            return {mid}\n        {d.r.choice(['if', 'elif'])} {xs}[{mid}] < {t}:\n            {lo} = {mid} + 1\n"
            f"        else:\n            {hi} = {mid} - 1\n    return -1\n", f"{f}({items!r}, {target})")


@family
def search_for_else(d):
    """A search whose loop has an `else`."""
    f, (xs, x, found) = d.fn(), d.v(3)
    k = d.small(2, 5)
    loop = d.r.choice(["for", "while"])
    if loop == "for":
        program = (f"def {f}({xs}):\n    for {x} in {xs}:\n        if {x} % {k} == 0:\n            {found} = {x}\n            break\n"
                   f"    else:\n        {found} = {d.r.choice(['-1', 'None', '0'])}\n    return {found}\n")
        return program, f"{f}({d.ints(1, 5)!r})"
    program = (f"def {f}({x}):\n    {found} = 0\n    while {x} > 1:\n        if {x} % {k} == {d.r.choice('01')}:\n            break\n        {x} -= 1\n        {found} += 1\n"
               f"    else:\n        {found} = -1\n    return {found}\n")
    return program, f"{f}({d.r.randint(1, 9)})"


@family
def first_that_fits(d):
    """The first item with a property: a loop that returns, `next`, a flag, a `while`."""
    values = [d.r.randint(0, 40) for _ in range(d.r.randint(2, 6))]
    test = d.pick("$x > $k", "$x % $m == 0", "$x < $k", "$x * $m > $k", "$x == $k")
    text = d.pick("""
        def $f($values):
            for $x in $values:
                if $test:
                    return $x
            return $none
        """, """
        def $f($values):
            $found = $none
            for $i, $x in enumerate($values):
                if $test:
                    $found = $i
                    break
            return $found
        """, """
        def $f($values):
            return next(($x for $x in $values if $test), $none)
        """, """
        def $f($values):
            $i = 0
            while $i < len($values):
                $x = $values[$i]
                if $test:
                    break
                $i += 1
            else:
                return $none
            return $i, $x
        """, """
        def $f($values):
            $last = $none
            for $x in $values:
                if $test:
                    $last = $x
            return $last
        """)  # fmt: skip
    k = d.pick(*values, d.r.randint(5, 40))
    return d.program(text, f"$f({values})", test=test, k=k, m=d.r.randint(2, 5), none=d.pick("None", "-1"))


@family
def linear_places(d):
    """Where an item is: `index`, `in`, `find`, all places, from the right, counted looks."""
    values = [d.pick(*"abc", *d.words(1, 1)) for _ in range(d.r.randint(2, 6))]
    wanted = d.pick(*values, *values, *d.words(1, 1))
    text = d.pick("""
        def $f($items, $wanted):
            if $wanted not in $items:
                return -1
            return $items.index($wanted)
        """, """
        def $f($items, $wanted):
            return [$i for $i, $x in enumerate($items) if $x == $wanted]
        """, """
        def $f($items, $wanted):
            for $i in range(len($items) - 1, -1, -1):
                if $items[$i] == $wanted:
                    return $i
            return None
        """, """
        def $f($items, $wanted):
            $looks = 0
            for $x in $items:
                $looks += 1
                if $x == $wanted:
                    return "found", $looks
            return "missing", $looks
        """, """
        def $f($items, $wanted):
            try:
                $at = $items.index($wanted)
            except ValueError:
                return 0
            return $at + 1
        """, """
        def $f($items, $wanted):
            $text = "".join($items)
            $at = $text.find($wanted)
            return $at, $text.rfind($wanted), $text.count($wanted)
        """)  # fmt: skip
    return d.program(text, f"$f({values}, {wanted!r})")


@family
def bisections(d):
    """Halving a sorted list for a border: the first not smaller, the last that fits, how many."""
    values = sorted(d.r.randint(0, 40) for _ in range(d.r.randint(3, 8)))
    x = d.pick(*values, d.r.randint(0, 45))
    text = d.pick("""
        def $f($values, $x):
            $low, $high = 0, len($values)
            while $low < $high:
                $middle = ($low + $high) // 2
                if $values[$middle] $op $x:
                    $low = $middle + 1
                else:
                    $high = $middle
            return $low
        """, """
        def $f($values, $x, $low, $high):
            if $low > $high:
                return -1
            $middle = ($low + $high) // 2
            if $values[$middle] == $x:
                return $middle
            if $values[$middle] < $x:
                return $f($values, $x, $middle + 1, $high)
            return $f($values, $x, $low, $middle - 1)
        """, """
        from bisect import bisect_left, bisect_right

        def $f($values, $x):
            $left = bisect_left($values, $x)
            $right = bisect_right($values, $x)
            if $left == $right:
                return None, $left
            return $right - $left, $left
        """, """
        def $f($values, $x):
            $steps = []
            while $values:
                $middle = len($values) // 2
                $steps.append($values[$middle])
                if $values[$middle] == $x:
                    return $steps
                $values = $values[:$middle] if $x < $values[$middle] else $values[$middle + 1 :]
            return $steps + [None]
        """)  # fmt: skip
    args = f"{values}, {x}, 0, {len(values) - 1}" if "$low, $high)" in text.split("\n")[1] else f"{values}, {x}"
    return d.program(text, f"$f({args})", op=d.pick("<", "<="))


@family
def guessing(d):
    """A number searched by halving a range, with a helper that answers."""
    high = d.pick(10, 20, 50, 100)
    secret = d.r.randint(1, high)
    text = d.pick("""
        def $f($secret, $high):
            $low = 1
            $guesses = 0
            while True:
                $guess = ($low + $high) // 2
                $guesses += 1
                if $guess == $secret:
                    return $guesses
                if $guess < $secret:
                    $low = $guess + 1
                else:
                    $high = $guess - 1
        """, """
        def $g($guess, $secret):
            if $guess < $secret:
                return 1
            if $guess > $secret:
                return -1
            return 0

        def $f($secret, $high):
            $low, $tried = 1, []
            $answer = 1
            while $answer != 0:
                $guess = $low + ($high - $low) // 2
                $tried.append($guess)
                $answer = $g($guess, $secret)
                if $answer > 0:
                    $low = $guess + 1
                elif $answer < 0:
                    $high = $guess - 1
            return $tried
        """, """
        def $f($secret, $high):
            $guess, $step = $high // 2, $high // 4 or 1
            $path = ""
            while $guess != $secret and len($path) < 9:
                if $guess < $secret:
                    $guess += $step
                    $path += ">"
                else:
                    $guess -= $step
                    $path += "<"
                $step = max($step // 2, 1)
            return $path
        """)  # fmt: skip
    return d.program(text, f"$f({secret}, {high})")


@family
def extremes(d):
    """Largest and smallest by hand: by a key, with ties, both at once, nearest to a number."""
    numbers, words = d.ints(2, 6), d.words(2, 5)
    text, args = d.pick(("""
        def $f($items):
            $low = $high = $items[0]
            for $x in $items[1:]:
                if $x < $low:
                    $low = $x
                elif $x > $high:
                    $high = $x
            return $low, $high
        """, f"{numbers}"), ("""
        def $f($items):
            $best = ""
            for $word in $items:
                if len($word) > len($best) or (len($word) == len($best) and $word < $best):
                    $best = $word
            return $best
        """, f"{words}"), ("""
        def $f($items, $target):
            $nearest = $items[0]
            for $x in $items:
                if abs($x - $target) < abs($nearest - $target):
                    $nearest = $x
            return $nearest, abs($nearest - $target)
        """, f"{numbers}, {d.r.randint(0, 60)}"), ("""
        def $f($items):
            $size = max([len($word) for $word in $items])
            return [$word for $word in $items if len($word) == $size]
        """, f"{words}"), ("""
        def $f($items):
            $best = None
            for $i in range(len($items) - 1):
                $gap = abs($items[$i + 1] - $items[$i])
                if $best is None or $gap $op $best:
                    $best = $gap
            return $best
        """, f"{numbers}"), ("""
        def $f($items):
            $top = max($items)
            $where = $items.index($top)
            $rest = $items[:$where] + $items[$where + 1 :]
            return $top, max($rest)
        """, f"{numbers}"))  # fmt: skip
    return d.program(text, f"$f({args})", op=d.pick("<", ">"))


@family
def grid_search(d):
    """A cell looked for in rows: two loops left at once, neighbours counted, rows tested."""
    grid = [[d.r.randint(0, 9) for _ in range(d.pick(2, 3))] for _ in range(2)]
    grid = [row[: len(grid[0])] + [0] * (len(grid[0]) - len(row)) for row in grid]
    board = ["".join(d.r.choice("#..o") for _ in range(3)) for _ in range(2)]
    wanted = d.pick(*grid[0], *grid[1], 10, 12)
    text, args = d.pick(("""
        def $f($grid, $wanted):
            for $y, $row in enumerate($grid):
                for $x, $cell in enumerate($row):
                    if $cell == $wanted:
                        return $y, $x
            return None
        """, f"{grid}, {wanted}"), ("""
        def $f($grid, $wanted):
            for $row in $grid:
                if $wanted in $row:
                    $found = $row.index($wanted)
                    break
            else:
                $found = -1
            return $found
        """, f"{grid}, {wanted}"), ("""
        def $f($board):
            $found = []
            for $y in range(len($board)):
                for $x in range(len($board[$y])):
                    if $board[$y][$x] == "o":
                        $found.append(($y, $x))
            return $found
        """, f"{board}"), ("""
        def $f($board, $y, $x):
            $count = 0
            for $dy in (-1, 0, 1):
                for $dx in (-1, 0, 1):
                    $row, $column = $y + $dy, $x + $dx
                    if 0 <= $row < len($board) and 0 <= $column < len($board[0]):
                        $count += $board[$row][$column] == "#"
            return $count
        """, f"{board}, {d.r.randint(0, 1)}, {d.r.randint(0, 2)}"), ("""
        def $f($board):
            for $y, $row in enumerate($board):
                $x = $row.find("o")
                if $x >= 0:
                    return f"row {$y}, column {$x}"
            return "nowhere"
        """, f"{board}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def record_search(d):
    """One record among several, by fields: the first match, all, by several tests, a default."""
    names = d.some(2, 3)
    rows = [{"id": i, "name": n, "on": d.pick(True, False)} for i, n in enumerate(names, 1)]
    key = d.pick(*names, *d.words(1, 1))
    text, args = d.pick(("""
        def $f($rows, $name):
            for $row in $rows:
                if $row["name"] == $name:
                    return $row
            return None
        """, f"{rows}, {key!r}"), ("""
        def $f($rows, $name):
            $on = [$row for $row in $rows if $row["on"]]
            for $row in $on:
                if $row["name"] >= $name:
                    return $row["id"]
            return 0
        """, f"{rows}, {key!r}"), ("""
        def $f($rows, **$wanted):
            $found = []
            for $row in $rows:
                if all([$row[$key] == $value for $key, $value in $wanted.items()]):
                    $found.append($row["id"])
            return $found
        """, f"{rows}, name={key!r}" if d.r.random() < 0.5 else f"{rows}, on=True"), ("""
        def $f($rows, $number):
            $by_id = {$row["id"]: $row["name"] for $row in $rows}
            return $by_id.get($number, "nobody")
        """, f"{rows}, {d.r.randint(1, 4)}"), ("""
        def $f($rows, $part):
            $names = [$row["name"] for $row in $rows]
            $hits = [$name for $name in $names if $part in $name]
            if len($hits) == 1:
                return $hits[0]
            return len($hits)
        """, f"{rows}, {d.pick('a', 'e', 't', key[:2])!r}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def number_search(d):
    """The smallest number with a property, by counting up; a bound that ends the search."""
    a, b, limit = d.r.randint(2, 9), d.r.randint(2, 9), d.r.randint(5, 12)
    body = d.pick(
        "$n = $a\nwhile $n % $b != 0:\n    $n += $a\nreturn $n",
        "for $n in range(1, $limit):\n    if $n * $n > $a * $b:\n        return $n\nreturn None",
        "$n = $a * $b\nwhile True:\n    $n += 1\n    if str($n) == str($n)[::-1]:\n        break\nreturn $n",
        "for $x in range($limit):\n    if ($a * $x + $b) % $limit == 0:\n        return $x\nelse:\n    return -1",
        "$found = []\n$n = 1\nwhile len($found) < 3:\n    if $n % $a == 0 or $n % $b == 0:\n        $found.append($n)\n    $n += 1\nreturn $found",
        "$power, $n = 1, 0\nwhile $power < $a * $b * $limit:\n    $power *= $a\n    $n += 1\nreturn $n, $power",
        "for $x in range(1, $limit):\n    $y = $limit - $x\n    if $x * $y == $a * $b:\n        return $x, $y\nreturn ()",
        "$total = 0\nfor $n in range(1, $limit + 1):\n    $total += $n\n    if $total >= $a * $b:\n        break\nreturn $n, $total - $a * $b",
    )
    return d.program("def $f($a, $b, $limit):\n    $body", f"$f({a}, {b}, {limit})", body=body)


@family
def pair_search(d):
    """Two items that fit together: loops in loops, pointers from both ends, a dict of what is needed."""
    words = d.some(3, 4)
    values = sorted(d.r.randint(0, 30) for _ in range(d.r.randint(3, 5)))
    k = d.pick(values[1] - values[0], values[-1] - values[0], d.r.randint(1, 12))
    text, args = d.pick(("""
        def $f($values, $k):
            $pairs = []
            for $i, $a in enumerate($values):
                for $b in $values[$i + 1 :]:
                    if $b - $a == $k:
                        $pairs.append(($a, $b))
            return $pairs
        """, f"{values}, {k}"), ("""
        def $f($values, $k):
            $i, $j = 0, 1
            while $j < len($values):
                $gap = $values[$j] - $values[$i]
                if $gap == $k and $i != $j:
                    return $i, $j
                if $gap < $k or $i == $j:
                    $j += 1
                else:
                    $i += 1
            return None
        """, f"{values}, {k}"), ("""
        def $f($words, $size):
            for $a in $words:
                for $b in $words:
                    if $a < $b and len($a + $b) == $size:
                        return $a + $b
            return ""
        """, f"{words[:3]}, {len(words[0] + words[1]) + d.pick(0, 0, 1)}"), ("""
        def $f($words):
            $ends = {}
            for $word in $words:
                if $word[0] in $ends:
                    return $ends[$word[0]] + "-" + $word
                $ends[$word[-1]] = $word
            return None
        """, f"{words}"), ("""
        def $f($values, $k):
            $best = None
            for $a in $values[:3]:
                for $b in $values[-2:]:
                    if $a + $b <= $k * 3 and ($best is None or $a + $b > sum($best)):
                        $best = $a, $b
            return $best
        """, f"{values}, {k}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def counting_matches(d):
    """How many fit: by loops, by `sum` over tests, by `count`, in ranges, by kind."""
    values, words = d.ints(3, 7), d.words(3, 5)
    low = d.r.randint(0, 15)
    body, arg = d.pick(
        ("$count = 0\nfor $x in $items:\n    if $low <= $x <= $high:\n        $count += 1\nreturn $count", values),
        ("return sum([$x > $low for $x in $items])", values),
        ("$below = len([$x for $x in $items if $x < $low])\n$above = len([$x for $x in $items if $x > $high])\nreturn $below, len($items) - $below - $above, $above", values),
        ("$counts = [0, 0, 0]\nfor $x in $items:\n    $counts[$x % 3] += 1\nreturn $counts", values),
        ("$best, $run = 0, 0\nfor $x in $items:\n    $run = $run + 1 if $x > $low else 0\n    $best = max($best, $run)\nreturn $best", values),
        ("$same = 0\nfor $w in $items:\n    $same += $w[0] == $items[0][0]\nreturn $same", words),
        ("return $items.count($items[0]), len(set($items))", words),
        ("$count = 0\nfor $i in range(1, len($items)):\n    if len($items[$i]) >= len($items[$i - 1]):\n        $count += 1\nreturn $count", words),
        ("$hits = [$w for $w in $items if 'e' in $w or $w.endswith('t')]\nreturn len($hits), $hits[:1]", words),
    )
    return d.program("def $f($items, $low, $high):\n    $body", f"$f({arg}, {low}, {low + d.r.randint(3, 30)})", body=body)


@family
def menu_lookup(d):
    """An answer looked up by prefix, number or alias, with what to say when there is none."""
    words = d.some(3, 3)
    text, arg = d.pick((f"""
        $CHOICES = {words}

        def $f($typed):
            $fits = [$choice for $choice in $CHOICES if $choice.startswith($typed)]
            if not $fits:
                return "no such choice"
            if len($fits) > 1:
                return "which: " + "/".join($fits)
            return $fits[0]
        """, repr(d.pick(*words, "x")[: d.pick(0, 1, 2)])), (f"""
        $CHOICES = {words}

        def $f($typed):
            if $typed.isdigit() and 1 <= int($typed) <= len($CHOICES):
                return $CHOICES[int($typed) - 1]
            if $typed in $CHOICES:
                return $typed
            return None
        """, repr(d.pick("1", "2", "3", "7", *words, "x"))), (f"""
        $ALIASES = {{{words[0][:1]!r}: {words[0]!r}, {words[1][:2]!r}: {words[1]!r}}}

        def $f($typed):
            $typed = $typed.strip().lower()
            $name = $ALIASES.get($typed, $typed)
            return $name, $name in $ALIASES.values()
        """, repr(d.pick(words[0][:1], words[1][:2], words[2], words[0].upper(), " " + words[1]))), (f"""
        def $f($typed, $choices={tuple(words)}):
            $best, $score = "", 0
            for $choice in $choices:
                $same = sum([$a == $b for $a, $b in zip($typed, $choice)])
                if $same > $score:
                    $best, $score = $choice, $same
            return $best or "?", $score
        """, repr(d.pick(*words)[:2] + d.pick(*d.words())[-2:])))  # fmt: skip
    return d.program(text, f"$f({arg})")


@family
def step_search(d):
    """A path followed until a goal, a dead end or a place seen before."""
    size = d.r.randint(3, 6)
    jumps = [d.r.randint(-2, 4) or 1 for _ in range(size)]
    chain = {i: d.r.randint(0, size) for i in range(size)}
    words = d.some(3, 4)
    links = {a: b for a, b in zip(words, words[1:] + [d.pick(words[0], "end")])}
    text, args = d.pick(("""
        def $f($jumps):
            $at, $seen = 0, []
            while 0 <= $at < len($jumps):
                if $at in $seen:
                    return "loop", $seen
                $seen.append($at)
                $at += $jumps[$at]
            return "out", $seen
        """, f"{jumps}"), ("""
        def $f($next, $at):
            $steps = 0
            while $at in $next and $steps < 6:
                $at = $next[$at]
                $steps += 1
            return $at, $steps
        """, f"{chain}, 0"), ("""
        def $f($links, $start, $goal):
            $path = [$start]
            while $path[-1] != $goal:
                $step = $links.get($path[-1])
                if $step is None or $step in $path:
                    return None
                $path.append($step)
            return $path
        """, f"{links}, {words[0]!r}, {d.pick(words[-1], words[-2], 'end', 'far')!r}"), ("""
        def $f($heights, $at):
            while True:
                $best = $at
                for $near in ($at - 1, $at + 1):
                    if 0 <= $near < len($heights) and $heights[$near] > $heights[$best]:
                        $best = $near
                if $best == $at:
                    return $at, $heights[$at]
                $at = $best
        """, f"{d.pick(sorted(jumps), [abs(x) for x in jumps])}, {d.r.randint(0, size - 1)}"))  # fmt: skip
    return d.program(text, f"$f({args})")
