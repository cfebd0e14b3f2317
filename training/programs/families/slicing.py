"""Slices and indexes of texts, lists and tuples: steps, negative places, assignment, deletion."""

from ..registry import family


def given(d, low=3, high=7):
    """A text, a list or a tuple to cut."""
    return d.pick(d.pick(*d.words()) + d.pick("", "er", "s"), [d.integer() for _ in range(d.r.randint(low, high))], tuple(d.r.randint(0, 30) for _ in range(d.r.randint(low, high))))


@family
def one_slice_each(d):
    """A ladder of slices of one sequence, by every kind of bound."""
    a, b = sorted(d.r.sample(range(0, 6), 2))
    cuts = d.r.sample([f"{a}:{b}", f":{b}", f"{a}:", f"-{b}:", f":-{max(a, 1)}", "::2", "1::2", "::-1", f"{b}::-1", f"-2:{-3}:-1", f"{a}:{b}:2", ":", f"{a}:-1", f"-{b}:-1", "-1:", f"{b + 3}:", f":{b + 5}", "::3", f"::-2", f"{a}:{a}"], d.r.randint(3, 5))
    names = [f"$a{i}" for i in range(len(cuts))]
    lines = [f"{name} = {d.pick('$s', '$s', '$s', names[i - 1] if i else '$s')}[{cut}]" for i, (name, cut) in enumerate(zip(names, cuts))]
    return d.program("def $f($s):\n    $body\n    return $last", f"$f({given(d)!r})", body="\n".join(lines), last=d.pick(names[-1], f"{names[0]}, {names[-1]}", f"len({names[-1]})", f"{names[0]} + {names[-1]}"))


@family
def indexes(d):
    """Single items from both ends, by names, sums and remainders."""
    s = given(d)
    n = len(s)
    picks = d.r.sample(["$s[0]", "$s[-1]", "$s[1]", "$s[-2]", "$s[$i]", "$s[-$i]", "$s[$i - 1]", "$s[len($s) // 2]", "$s[len($s) - 1]", "$s[$i % len($s)]", "$s[($i + 1) % len($s)]", "$s[~$i]", "$s[-1 - $i]"], d.r.randint(3, 5))
    names = [f"$x{i}" for i in range(len(picks))]
    lines = [f"{name} = {pick}" for name, pick in zip(names, picks)]
    return d.program("def $f($s, $i):\n    $body\n    return $last", f"$f({s!r}, {d.r.randint(1, n - 1)})", body="\n".join(lines), last=d.pick(f"[{', '.join(names)}]", f"{names[0]}, {names[1]}", f"{names[0]} == {names[-1]}", names[1]))


@family
def slice_assignment(d):
    """Stretches of a list replaced, widened, emptied and deleted."""
    values = [d.integer() for _ in range(d.r.randint(4, 7))]
    a, b = sorted(d.r.sample(range(0, 5), 2))
    steps = d.r.sample([
        f"$s[{a}:{b}] = [0]", f"$s[{a}:{b}] = []", f"$s[:{a}] = [{d.small()}, {d.small()}]", f"$s[{b}:] = [{d.integer()}]", "del $s[::2]", f"del $s[{a}:{b}]", f"$s[{a}:{a}] = [{d.integer()}, {d.small()}]",
        "$s[:] = $s[::-1]", "$s[len($s):] = [$s[0]]", "$s[:2] = $s[1::-1]", f"$s[-1:] = [{d.small()}] * 2", "$s[0:0] = $s[-2:]", "del $s[-1]", "$s[:] = sorted($s)", "$s[1:-1] = [sum($s[1:-1])]",
    ], d.r.randint(3, 4))  # fmt: skip
    return d.program("def $f($s):\n    $body\n    return $last", f"$f({values})", body="\n".join(steps), last=d.pick("$s", "$s", "len($s)", "$s[:2]"))


@family
def halves(d):
    """Cut in the middle, thirds, ends taken off, put together in another order."""
    s = given(d, 2, 7)
    text = d.pick("""
        def $f($s):
            $middle = len($s) // 2
            $left, $right = $s[:$middle], $s[$middle:]
            return $right + $left
        """, """
        def $f($s):
            $middle = len($s) // 2
            if len($s) % 2:
                return $s[:$middle] + $s[$middle + 1 :]
            return $s[: $middle - 1] + $s[$middle + 1 :]
        """, """
        def $f($s):
            $third = max(len($s) // 3, 1)
            $parts = [$s[:$third], $s[$third : 2 * $third], $s[2 * $third :]]
            return $parts[::-1]
        """, """
        def $f($s):
            $rounds = 0
            while len($s) > 2:
                $s = $s[1:-1]
                $rounds += 1
            return $s, $rounds
        """, """
        def $f($s):
            $steps = []
            while len($s) > 1:
                $s = $s[: len($s) // 2] if len($steps) % 2 == 0 else $s[len($s) // 2 :]
                $steps.append(len($s))
            return $s, $steps
        """, """
        def $f($s):
            $middle = len($s) // 2
            $left = $s[:$middle]
            $right = $s[-$middle:] if $middle else $s[:0]
            return $left == $right, $left == $right[::-1]
        """)  # fmt: skip
    return d.program(text, f"$f({s!r})")


@family
def edges_taken(d):
    """First and last so many, all but the first, out-of-range bounds that give nothing."""
    s, n = given(d, 2, 6), d.r.randint(0, 8)
    text = d.pick("""
        def $f($s, $n):
            $first = $s[:$n]
            $rest = $s[$n:]
            return $first, $rest, len($first) + len($rest) == len($s)
        """, """
        def $f($s, $n):
            if $n == 0:
                return $s[:0]
            return $s[-$n:]
        """, """
        def $f($s, $n):
            if $n >= len($s):
                $n = len($s) - 1
            return $s[$n], $s[: $n + 1]
        """, """
        def $f($s, $n):
            try:
                return $s[$n]
            except IndexError:
                return $s[-1:]
        """, """
        def $g($s, $n=$k):
            return $s[:$n] + $s[-$n:]

        def $f($s, $n):
            return $g($s), $g($s, $n + 1)
        """, """
        def $f($s, $n):
            $kept = $s[:$n] if $n < len($s) else $s
            return $kept * 2 if len($kept) < $k else $kept
        """)  # fmt: skip
    return d.program(text, f"$f({s!r}, {n})", k=d.r.randint(1, 4))


@family
def strides(d):
    """Every second, third or k-th: apart and woven together again, with `range` and steps."""
    s = given(d, 4, 8)
    body = d.pick(
        "$even, $odd = $s[::2], $s[1::2]\nreturn $even, $odd",
        "$out = []\nfor $i in range(0, len($s), $k):\n    $out.append($s[$i])\nreturn $out",
        "$parts = [$s[$i::$k] for $i in range($k)]\nreturn $parts",
        "$last = $s[::-$k]\nreturn $last, len($last)",
        "$out = []\nfor $i in range(len($s) - 1, -1, -2):\n    $out.append($s[$i])\nreturn $out",
        "$front, $back = $s[::2], $s[1::2]\n$out = []\nfor $x, $y in zip($front, $back):\n    $out += [$y, $x]\nreturn $out",
        "return [$s[$i] for $i in range($k, len($s), $k)]",
        "$pairs = [$s[$i : $i + 2] for $i in range(0, len($s), 2)]\nreturn $pairs[-1], len($pairs)",
        "$slow, $fast = 0, 0\nwhile $fast < len($s) - 1:\n    $slow += 1\n    $fast += 2\nreturn $s[$slow]",
    )
    return d.program("def $f($s):\n    $body", f"$f({s!r})", body=body, k=d.pick(2, 3))


@family
def reversed_ways(d):
    """Turned round: a slice, `reversed`, a loop, swaps, in parts."""
    s = given(d, 2, 6)
    text = d.pick("""
        def $f($s):
            $out = $s[::-1]
            return $out, $out == $s
        """, """
        def $f($s):
            $out = []
            for $x in reversed($s):
                $out.append($x)
            return $out
        """, """
        def $f($s):
            $out = list($s)
            for $i in range(len($out) // 2):
                $j = len($out) - 1 - $i
                $out[$i], $out[$j] = $out[$j], $out[$i]
            return $out
        """, """
        def $f($s):
            return $s[:$k][::-1] + $s[$k:]
        """, """
        def $f($s):
            $out = $s[:0]
            for $i in range(len($s)):
                $out = $s[$i : $i + 1] + $out
            return $out
        """, """
        def $f($s):
            $out = []
            $i = -1
            while -$i <= len($s):
                $out.append($s[$i])
                $i -= 1
            return $out
        """, """
        def $f($s):
            $groups = [$s[$i : $i + $k][::-1] for $i in range(0, len($s), $k)]
            return $groups
        """)  # fmt: skip
    return d.program(text, f"$f({s!r})", k=d.pick(2, 3))


@family
def cut_by_place(d):
    """Texts cut where something was found: around a mark, between two, at fixed columns."""
    a, b, c = d.some(3, 3)
    mark = d.pick("=", ":", "#", "-", "|")
    body, value = d.pick(
        ("$at = $s.find('$mark')\nif $at == -1:\n    return $s, ''\nreturn $s[:$at], $s[$at + 1 :]", d.pick(f"{a}{mark}{b}", a)),
        ("$start = $s.index('(') + 1\n$end = $s.index(')')\nreturn $s[$start:$end], $s[$end + 1 :]", f"{a}({b}){c}"),
        ("$year, $month, $day = $s[:4], $s[4:6], $s[6:]\nreturn f'{$day}.{$month}.{$year}'", f"{d.r.randint(1950, 2030)}{d.r.randint(1, 12):02}{d.r.randint(1, 28):02}"),
        ("$first, $last = $s.find('$mark'), $s.rfind('$mark')\n$middle = $s[$first + 1 : $last]\nreturn $middle, $last - $first", f"{a}{mark}{b}{mark}{c}"),
        ("$out = []\n$rest = $s\nwhile '$mark' in $rest:\n    $at = $rest.index('$mark')\n    $out.append($rest[:$at])\n    $rest = $rest[$at + 1 :]\n$out.append($rest)\nreturn $out", mark.join([a, b, c][: d.r.randint(1, 3)])),
        ("$at = $s.index('$mark')\nreturn $s[:$at] + $s[$at + 1 :].upper() + $s[$at]", f"{a}{mark}{b}"),
        ("$ends = [$i for $i, $c in enumerate($s) if $c == '$mark']\nreturn [$s[$i + 1 : $i + 3] for $i in $ends]", f"{a}{mark}{b}{mark}{c}"),
        ("$name = $s[: -len('.$kind')] if $s.endswith('.$kind') else $s\nreturn $name[:3] + '~' + $name[-1]", f"{a}{b}" + d.pick(".txt", ".py", ".csv")),
    )
    return d.program("def $f($s):\n    $body", f"$f({value!r})", body=body, mark=mark, kind=d.pick("txt", "py", "csv"))


@family
def masked(d):
    """Parts hidden or changed by place: stars, capitals, one character replaced."""
    word = d.pick(*d.words()) + d.pick("", str(d.number(3)))
    card = str(d.number(8))
    body, value = d.pick(
        ("return '*' * (len($s) - $k) + $s[-$k:]", d.pick(word, card)),
        ("return $s[0] + '*' * (len($s) - 2) + $s[-1]", word),
        ("$i = len($s) // 2\nreturn $s[:$i] + '_' + $s[$i + 1 :]", word),
        ("$out = list($s)\n$out[$k % len($out)] = '?'\nreturn ''.join($out)", word),
        ("$groups = []\nfor $i in range(0, len($s), 4):\n    $groups.append($s[$i : $i + 4])\nreturn ' '.join($groups)", card),
        ("$head, $tail = $s[:$k], $s[$k:]\nreturn $head.upper() + $tail.replace($tail[0], '-')" if len(word) > 3 else "return $s[:1].upper() + $s[1:]", word),
        ("$out = ''\nwhile len($s) > 3:\n    $out = ',' + $s[-3:] + $out\n    $s = $s[:-3]\nreturn $s + $out", str(d.number(d.r.randint(2, 8)))),
        ("for $i in range(len($s)):\n    if $s[$i] in 'aeo':\n        $s = $s[:$i] + $s[$i].upper() + $s[$i + 1 :]\nreturn $s", d.pick(*d.words())),
    )
    return d.program("def $f($s):\n    $body", f"$f({value!r})", body=body, k=d.pick(1, 2, 3))


@family
def head_and_tail(d):
    """A sequence eaten from the front or the back, slice by slice."""
    values = [d.r.randint(0, 20) for _ in range(d.r.randint(1, 5))]
    text, value = d.pick(("""
        def $f($s):
            $out = []
            while $s:
                $out.append($s)
                $s = $s[1:]
            return $out
        """, values[:3]), ("""
        def $f($s):
            $total = 0
            while $s:
                $head, $s = $s[0], $s[1:]
                $total = $total * $k + $head
            return $total
        """, values[:4]), ("""
        def $f($s):
            $out = ""
            while len($s) >= 2:
                $out += $s[-1] + $s[0]
                $s = $s[1:-1]
            return $out + $s
        """, d.pick(*d.words())), ("""
        def $f($s):
            return [$s[:$i] for $i in range(1, len($s) + 1)]
        """, d.pick(d.pick(*d.words())[:5], values)), ("""
        def $f($s):
            $i = 0
            while $i < len($s) and $s[$i] < $k * 4:
                $i += 1
            return $s[:$i], $s[$i:]
        """, values), ("""
        def $f($s):
            if not $s:
                return 0
            return $s[0] - $f($s[1:])
        """, values))  # fmt: skip
    return d.program(text, f"$f({value!r})", k=d.r.randint(2, 4))


@family
def slice_names(d):
    """Bounds worked out first: `slice` objects, bounds from lengths, bounds clamped, pages."""
    s = given(d, 4, 8)
    text, args = d.pick(("""
        def $f($s, $page, $size):
            $start = $page * $size
            $end = min($start + $size, len($s))
            return $s[$start:$end], $end == len($s)
        """, f"{s!r}, {d.r.randint(0, 3)}, {d.r.randint(2, 3)}"), ("""
        def $f($s, $i):
            $low = max($i - 1, 0)
            $high = $i + 2
            $around = $s[$low:$high]
            return $around, len($around)
        """, f"{s!r}, {d.r.randint(0, 7)}"), ("""
        $FIRST = slice(0, $k)
        $LAST = slice(-$k, None)

        def $f($s):
            return $s[$FIRST], $s[$LAST]
        """, f"{s!r}"), ("""
        def $f($s, $cuts):
            $parts, $start = [], 0
            for $end in $cuts:
                $parts.append($s[$start:$end])
                $start = $end
            $parts.append($s[$start:])
            return $parts
        """, f"{s!r}, {sorted(d.r.sample(range(1, 7), d.r.randint(1, 3)))}"), ("""
        def $f($s, $i, $j):
            if $i > $j:
                $i, $j = $j, $i
            return $s[:$i] + $s[$i:$j][::-1] + $s[$j:]
        """, f"{s!r}, {d.r.randint(0, 5)}, {d.r.randint(0, 5)}"))  # fmt: skip
    return d.program(text, f"$f({args})", k=d.pick(1, 2, 3))


@family
def rows_and_columns(d):
    """Cells, rows, columns and corners of a list of lists or of texts."""
    grid = [[d.r.randint(0, 30) for _ in range(3)] for _ in range(d.r.randint(2, 3))]
    board = ["".join(d.r.choice("xo.") for _ in range(3)) for _ in range(d.r.randint(2, 3))]
    lines = d.r.sample(["$a = $grid[0]", "$b = $grid[-1][-1]", "$c = [$row[0] for $row in $grid]", "$e = $grid[1][1:]", "$i = [$row[-1] for $row in $grid[1:]]", "$j = $grid[::-1]", "$m = [$row[::-1] for $row in $grid]",
                        "$n = $grid[0][:2] + $grid[1][2:]", "$o = [$row[:1] for $row in $grid[:2]]", "$p = $grid[0][0] == $grid[-1][0]", "$q = [$grid[$i2][$i2] for $i2 in range(2)]", "$r = len($grid) * len($grid[0])"], d.r.randint(3, 4))  # fmt: skip
    names = [line.split(" ")[0] for line in lines]
    return d.program("def $f($grid):\n    $body\n    return $last", f"$f({d.pick(grid, board)!r})", body="\n".join(lines), last=", ".join(names[-2:]))


@family
def rotated_texts(d):
    """A text turned letter by letter, all its turns, whether one is a turn of another."""
    word = d.pick(*d.words())[: d.pick(3, 4, 5)]
    text, args = d.pick(("""
        def $f($s):
            $turns = []
            for $i in range(len($s)):
                $turns.append($s[$i:] + $s[:$i])
            return $turns
        """, f"{word[:4]!r}"), ("""
        def $f($s, $k):
            for $step in range($k):
                $s = $s[-1] + $s[:-1]
            return $s
        """, f"{word!r}, {d.r.randint(1, 4)}"), ("""
        def $f($a, $b):
            return len($a) == len($b) and $b in $a + $a
        """, f"{word!r}, {d.pick(word[2:] + word[:2], word[::-1], word + 's', word[1:] + word[:1])!r}"), ("""
        def $f($s):
            $smallest = $s
            for $i in range(1, len($s)):
                $turn = $s[$i:] + $s[:$i]
                if $turn < $smallest:
                    $smallest = $turn
            return $smallest
        """, f"{word!r}"), ("""
        def $f($s):
            $first, $rest = $s[0], $s[1:]
            if $first in "aeiou":
                return $s + "way"
            return $rest + $first + "ay"
        """, f"{d.pick(word, 'apple', 'ice', 'owl')!r}"))  # fmt: skip
    return d.program(text, f"$f({args})")
