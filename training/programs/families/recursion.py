"""Functions that call themselves."""

from ..registry import family


@family
def countdown(d):
    """Recursion on a falling number, with work after the call."""
    f, (n, acc) = d.fn(), d.v(2)
    op, step = d.r.choice(["+", "*", "-"]), d.r.choice(["1", "1", "1", "2"])
    base = d.r.choice(["0", "1"])
    return (f"def {f}({n}):\n    if {n} <= {base}:\n        return {d.r.choice([base, n, '1'])}\n"
            f"    {acc} = {f}({n} - {step})\n    return {n} {op} {acc}\n", f"{f}({d.r.randint(0, 5)})")


@family
def direct_recursion(d):
    """One function that calls itself, over numbers, texts and lists."""
    f, (n,) = d.fn(), d.v(1)
    kind = d.r.choice(["fact", "sum", "fib", "digits", "reverse", "total", "palindrome"])
    body, arg = {
        "fact": ([f"if {n} <= 1:", "    return 1", f"return {n} * {f}({n} - 1)"], d.r.randint(0, 6)),
        "sum": ([f"if {n} == 0:", "    return 0", f"return {n} + {f}({n} - 1)"], d.r.randint(0, 6)),
        "fib": ([f"if {n} < 2:", f"    return {n}", f"return {f}({n} - 1) + {f}({n} - 2)"], d.r.randint(0, 4)),
        "digits": ([f"if {n} < 10:", f"    return {n}", f"return {n} % 10 + {f}({n} // 10)"], d.r.randint(0, 9999)),
        "reverse": ([f"if len({n}) <= 1:", f"    return {n}", f"return {f}({n}[1:]) + {n}[0]"], d.string()[:6]),
        "total": ([f"if not {n}:", "    return 0", f"return {n}[0] + {f}({n}[1:])"], d.ints(0, 4)),
        "palindrome": ([f"if len({n}) < 2:", "    return True", f"return {n}[0] == {n}[-1] and {f}({n}[1:-1])"], d.r.choice([d.string()[:6], "level", "noon", "abba", "radar"])),
    }[kind]
    return f"def {f}({n}):\n" + "".join(f"    {line}\n" for line in body), f"{f}({arg!r})"


@family
def two_parameter_recursion(d):
    """Recursion in which both arguments move."""
    f, (a, b) = d.fn(), d.v(2)
    kind = d.r.choice(["gcd", "power", "accumulate"])
    body, args = {
        "gcd": ([f"if {b} == 0:", f"    return {a}", f"return {f}({b}, {a} % {b})"], (d.r.randint(1, 90), d.r.randint(0, 60))),
        "power": ([f"if {b} == 0:", "    return 1", f"return {a} * {f}({a}, {b} - 1)"], (d.r.randint(0, 9), d.r.randint(0, 4))),
        "accumulate": ([f"if {a} == 0:", f"    return {b}", f"return {f}({a} - 1, {b} + {a})"], (d.r.randint(0, 5), d.integer())),
    }[kind]
    return f"def {f}({a}, {b}):\n" + "".join(f"    {line}\n" for line in body), f"{f}{args!r}"


@family
def nested_sum(d):
    """Lists in lists: their sum, depth, number of items, flat form, by `isinstance`."""
    def tree(depth):
        return [tree(depth - 1) if depth and d.r.random() < 0.35 else d.r.randint(0, 20) for _ in range(d.r.randint(1, 3))]

    text = d.pick("""
        def $f($items):
            $total = 0
            for $x in $items:
                if isinstance($x, list):
                    $total += $f($x)
                else:
                    $total += $x
            return $total
        """, """
        def $f($items):
            if not isinstance($items, list):
                return 0
            $deepest = 0
            for $x in $items:
                $deepest = max($deepest, $f($x))
            return 1 + $deepest
        """, """
        def $f($items):
            $flat = []
            for $x in $items:
                if type($x) == list:
                    $flat.extend($f($x))
                else:
                    $flat.append($x)
            return $flat
        """, """
        def $f($items):
            if isinstance($items, int):
                return $items * $k
            return [$f($x) for $x in $items]
        """, """
        def $f($items):
            return sum([$f($x) if isinstance($x, list) else 1 for $x in $items])
        """, """
        def $f($items, $depth=1):
            $total = 0
            for $x in $items:
                if isinstance($x, list):
                    $total += $f($x, $depth + 1)
                else:
                    $total += $x * $depth
            return $total
        """)  # fmt: skip
    value = tree(2)
    if not any(isinstance(x, list) for x in value):
        value = [value, *value[:1]]
    return d.program(text, f"$f({value[:3]})", k=d.small())


@family
def choices_in_turn(d):
    """All subsets, orders and strings of a few things, by taking or leaving each."""
    text, args = d.pick(("""
        def $f($items):
            if not $items:
                return [[]]
            $rest = $f($items[1:])
            return $rest + [[$items[0]] + $part for $part in $rest]
        """, d.pick([1, 2, 3], [4, 7], d.some(2, 2), [5])), ("""
        def $f($text):
            if len($text) <= 1:
                return [$text]
            $out = []
            for $i, $c in enumerate($text):
                for $rest in $f($text[:$i] + $text[$i + 1 :]):
                    $out.append($c + $rest)
            return $out
        """, repr(d.pick("ab", "xy", "abc", "cat"[:2], "pq", "a", "owl"))), ("""
        def $f($n, $letters):
            if $n == 0:
                return [""]
            return [$c + $rest for $c in $letters for $rest in $f($n - 1, $letters)]
        """, f"{d.pick(1, 2)}, {d.pick('ab', '01', 'xyz', 'no')!r}"), ("""
        def $f($text, $path=""):
            if not $text:
                return [$path]
            return $f($text[1:], $path) + $f($text[1:], $path + $text[0])
        """, repr(d.pick("ab", "xyz", "no", "c", "ox", "abc"))), ("""
        def $f($open, $close, $path):
            if $open == 0 and $close == 0:
                return [$path]
            $out = []
            if $open:
                $out += $f($open - 1, $close, $path + "(")
            if $close > $open:
                $out += $f($open, $close - 1, $path + ")")
            return $out
        """, d.pick("1, 1, ''", "2, 2, ''", "0, 2, '('", "1, 2, '('", "0, 1, '()('", "1, 1, '()'")), ("""
        def $f($items, $k):
            if $k == 0:
                return [()]
            $out = []
            for $i in range(len($items)):
                for $rest in $f($items[$i + 1 :], $k - 1):
                    $out.append(($items[$i], *$rest))
            return $out
        """, f"{d.pick([1, 2, 3], [3, 5, 8], list('abc'), list('xy'))}, {d.pick(1, 2)}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def towers(d):
    """Disks moved between three places: the moves, their number, the state after."""
    a, b, c = d.pick("ABC", "abc", "LMR", "xyz")
    text, args = d.pick((f"""
        def $f($n, $source="{a}", $target="{c}", $spare="{b}"):
            if $n == 0:
                return []
            $before = $f($n - 1, $source, $spare, $target)
            $after = $f($n - 1, $spare, $target, $source)
            return $before + [$source + $target] + $after
        """, d.pick(1, 2, 2, 3)), ("""
        def $f($n):
            if $n == 0:
                return 0
            return 2 * $f($n - 1) + $k
        """, d.r.randint(1, 6)), (f"""
        $moves = []

        def $f($n, $source, $target, $spare):
            if $n == 1:
                $moves.append(($source, $target))
                return len($moves)
            $f($n - 1, $source, $spare, $target)
            $moves.append(($source, $target))
            return $f($n - 1, $spare, $target, $source)
        """, f"{d.pick(1, 2, 3)}, {a!r}, {c!r}, {b!r}"))  # fmt: skip
    return d.program(text, f"$f({args})", k=d.pick(1, 2, 3))


@family
def paths_and_steps(d):
    """Ways up stairs and across grids, with a dict of what is known or without."""
    text, args = d.pick(("""
        def $f($n):
            if $n < 0:
                return 0
            if $n == 0:
                return 1
            return $f($n - 1) + $f($n - $k)
        """, d.r.randint(1, 4)), ("""
        def $f($rows, $columns):
            if $rows == 1 or $columns == 1:
                return 1
            return $f($rows - 1, $columns) + $f($rows, $columns - 1)
        """, f"{d.r.randint(1, 3)}, {d.r.randint(2, 4)}"), ("""
        def $f($n, $known):
            if $n <= 1:
                return 1
            if $n not in $known:
                $known[$n] = $f($n - 1, $known) + $f($n - 2, $known)
            return $known[$n]
        """, f"{d.r.randint(1, 6)}, {{}}"), ("""
        def $f($grid, $y, $x):
            if $y == len($grid) or $x == len($grid[0]):
                return 0
            return $grid[$y][$x] + max($f($grid, $y + 1, $x), $f($grid, $y, $x + 1))
        """, f"{[[d.r.randint(0, 9) for _ in range(2)] for _ in range(d.pick(1, 2))]}, 0, 0"), ("""
        def $f($n, $coins):
            if $n == 0:
                return 1
            if $n < 0 or not $coins:
                return 0
            return $f($n - $coins[0], $coins) + $f($n, $coins[1:])
        """, f"{d.r.randint(2, 6)}, {d.pick([2, 1], [5, 2], [3, 2], [4, 1], [3])}"))  # fmt: skip
    return d.program(text, f"$f({args})", k=d.pick(2, 3))


@family
def even_and_odd(d):
    """Two or three functions that call each other."""
    text, args = d.pick(("""
        def $f($n):
            if $n == 0:
                return True
            return $g($n - 1)

        def $g($n):
            if $n == 0:
                return False
            return $f($n - 1)
        """, d.r.randint(0, 6)), ("""
        def $f($n):
            return 1 if $n == 0 else $n - $g($f($n - 1))

        def $g($n):
            return 0 if $n == 0 else $n - $f($g($n - 1))
        """, d.r.randint(0, 3)), ("""
        def $f($text, $at):
            if $at >= len($text):
                return ""
            return $text[$at].upper() + $g($text, $at + 1)

        def $g($text, $at):
            if $at >= len($text):
                return "."
            return $text[$at] + $f($text, $at + 1)
        """, f"{d.pick(*d.words())[:5]!r}, 0"), ("""
        def $f($n, $log):
            if $n > 0:
                $log.append($n)
                $g($n - $k, $log)
            return $log

        def $g($n, $log):
            $log.append(-$n)
            $f($n - 1, $log)
        """, f"{d.r.randint(1, 9)}, []"))  # fmt: skip
    return d.program(text, f"$f({args})", k=d.pick(1, 2, 3))


@family
def texts_within(d):
    """Recursion on texts: reversed, letters doubled or removed, counted, split, palindromes."""
    c = d.pick("a", "e", "o", "t", "l")
    body = d.pick(
        "if not $s:\n    return ''\nif $s[0] == '$c':\n    return $f($s[1:])\nreturn $s[0] + $f($s[1:])",
        "if $s == '':\n    return 0\nreturn ($s[0] == '$c') + $f($s[1:])",
        "if len($s) < 2:\n    return $s\n$middle = len($s) // 2\nreturn $f($s[$middle:]) + $f($s[:$middle])",
        "if len($s) <= 1:\n    return $s\nif $s[0] == $s[1]:\n    return $f($s[1:])\nreturn $s[0] + '*' + $f($s[1:])",
        "if not $s:\n    return ''\nreturn $s[0] * 2 + $f($s[1:])",
        "if len($s) < 3:\n    return $s\nreturn $s[-1] + $f($s[1:-1]) + $s[0]",
        "if not $s:\n    return True\nif $s[0] in 'aeiou' and $s[-1] in 'aeiou':\n    return False\nreturn $f($s[1:-1])",
        "if not $s:\n    return []\nreturn [$s] + $f($s[:-1])",
        "if not $s:\n    return 0\nreturn int($s[-1]) + 2 * $f($s[:-1])",
    )
    value = d.pick(d.pick(*d.words()), "level", "hello", "book", "green", "zoo")[:5]
    if "int(" in body:
        value = "".join(d.r.choice("01") for _ in range(d.r.randint(1, 5)))
    return d.program("def $f($s):\n    $body", f"$f({value!r})", body=body, c=c)


@family
def lists_within(d):
    """Recursion on lists: largest, kept, mapped, sums of neighbours, merged, taken in turn."""
    values, other = [d.r.randint(-5, 20) for _ in range(d.r.randint(1, 5))], [d.r.randint(0, 20) for _ in range(d.r.randint(1, 3))]
    text, args = d.pick(("""
        def $f($items):
            if len($items) == 1:
                return $items[0]
            $best = $f($items[1:])
            return $items[0] if $items[0] $op $best else $best
        """, f"{values}"), ("""
        def $f($items):
            if not $items:
                return []
            $rest = $f($items[1:])
            if $items[0] > $k:
                return [$items[0]] + $rest
            return $rest
        """, f"{values}"), ("""
        def $f($items):
            if $items == []:
                return []
            return [$items[0] * $k] + $f($items[1:])
        """, f"{values}"), ("""
        def $f($a, $b):
            if not $a or not $b:
                return $a or $b
            if $a[0] < $b[0]:
                return [$a[0]] + $f($a[1:], $b)
            return [$b[0]] + $f($a, $b[1:])
        """, f"{sorted(values)[:3]}, {sorted(other)}"), ("""
        def $f($items):
            if len($items) <= 1:
                return $items
            return $f([$a + $b for $a, $b in zip($items, $items[1:])])
        """, f"{[abs(x) for x in values]}"), ("""
        def $f($items, $target):
            if not $items:
                return $target == 0
            return $f($items[1:], $target) or $f($items[1:], $target - $items[0])
        """, f"{[abs(x) for x in values][:3]}, {d.pick(abs(values[0]), d.r.randint(3, 30))}"), ("""
        def $f($items, $low, $high):
            if $low >= $high:
                return $items
            $items[$low], $items[$high] = $items[$high], $items[$low]
            return $f($items, $low + 1, $high - 1)
        """, f"{values}, 0, {len(values) - 1}"))  # fmt: skip
    return d.program(text, f"$f({args})", op=d.pick("<", ">"), k=d.r.randint(2, 5))


@family
def accumulators(d):
    """The answer carried along in an argument: default, list, pair, text."""
    text, args = d.pick(("""
        def $f($n, $total=0):
            if $n == 0:
                return $total
            return $f($n - 1, $total $op $n)
        """, d.r.randint(1, 5)), ("""
        def $f($n, $a=0, $b=1):
            if $n == 0:
                return $a
            return $f($n - 1, $b, $a + $b)
        """, d.r.randint(1, 7)), ("""
        def $f($n, $digits=""):
            if $n == 0:
                return $digits or "0"
            return $f($n // $k, str($n % $k) + $digits)
        """, d.r.randint(0, 200)), ("""
        def $f($items, $out=None):
            if $out is None:
                $out = []
            if not $items:
                return $out
            $first, *$rest = $items
            if $first not in $out:
                $out.append($first)
            return $f($rest, $out)
        """, f"{[d.r.randint(1, 4) for _ in range(d.r.randint(1, 4))]}"), ("""
        def $f($items, $even=(), $odd=()):
            if not $items:
                return $even, $odd
            $x = $items[0]
            if $x % 2:
                return $f($items[1:], $even, $odd + ($x,))
            return $f($items[1:], $even + ($x,), $odd)
        """, f"{d.ints(1, 4)}"))  # fmt: skip
    return d.program(text, f"$f({args})", op=d.pick("+", "*", "-", "+ 2 *"), k=d.r.randint(2, 9))


@family
def trees_as_tuples(d):
    """Trees of nested tuples or lists: size, height, sum, order, search."""
    def tree(depth):
        if depth == 0 or d.r.random() < 0.3:
            return None
        return (tree(depth - 1), d.r.randint(1, 30), tree(depth - 1))

    value = (tree(1), d.r.randint(1, 30), tree(2))
    text, args = d.pick(("""
        def $f($tree):
            if $tree is None:
                return 0
            $left, $value, $right = $tree
            return $f($left) + $value + $f($right)
        """, f"{value}"), ("""
        def $f($tree):
            if not $tree:
                return 0
            return 1 + max($f($tree[0]), $f($tree[2]))
        """, f"{value}"), ("""
        def $f($tree):
            if $tree is None:
                return []
            $left, $value, $right = $tree
            return $f($left) + [$value] + $f($right)
        """, f"{value}"), ("""
        def $f($tree, $x):
            if $tree is None:
                return ($tree, $x, None)
            $left, $value, $right = $tree
            if $x < $value:
                return ($f($left, $x), $value, $right)
            return ($left, $value, $f($right, $x))
        """, f"{value}, {d.r.randint(0, 31)}"), ("""
        def $f($tree, $wanted):
            if not $tree:
                return False
            if $tree[1] == $wanted:
                return True
            return $f($tree[0], $wanted) or $f($tree[2], $wanted)
        """, f"{value}, {d.pick(value[1], d.r.randint(1, 30), (value[2] or value)[1])}"), ("""
        def $f($tree):
            if $tree is None:
                return None
            $left, $value, $right = $tree
            return ($f($right), $value, $f($left))
        """, f"{value}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def families_of_names(d):
    """Trees as dicts of children: names listed with depth, descendants, ancestors."""
    a, b, c, e = d.some(4, 4)
    children = d.pick({a: [b, c], c: [e]}, {a: [b], b: [c, e]}, {a: [b, c, e]}, {a: [b], b: [c], c: [e]})
    text, args = d.pick(("""
        def $f($children, $name, $depth=0):
            $lines = ["-" * $depth + $name]
            for $child in $children.get($name, []):
                $lines += $f($children, $child, $depth + 1)
            return $lines
        """, f"{children}, {a!r}"), ("""
        def $f($children, $name):
            $count = 1
            for $child in $children.get($name, []):
                $count += $f($children, $child)
            return $count
        """, f"{children}, {d.pick(a, a, c)!r}"), ("""
        def $f($children, $start, $goal):
            if $start == $goal:
                return [$goal]
            for $child in $children.get($start, ()):
                $path = $f($children, $child, $goal)
                if $path:
                    return [$start] + $path
            return []
        """, f"{children}, {a!r}, {d.pick(b, c, e, 'nobody')!r}"), ("""
        def $f($parents, $name):
            if $name not in $parents:
                return $name
            return $f($parents, $parents[$name])
        """, f"{ {b: a, c: b, e: d.pick(a, b, c)} }, {d.pick(a, b, c, e)!r}"), ("""
        def $f($table, $path=""):
            $out = {}
            for $key, $value in $table.items():
                if isinstance($value, dict):
                    $out.update($f($value, $path + $key + "."))
                else:
                    $out[$path + $key] = $value
            return $out
        """, f"{ {a: {b: d.integer(), c: {e: d.integer()}}, b: d.integer()} if d.r.random() < 0.5 else {a: d.integer(), c: {e: d.integer()}} }"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def divide_in_two(d):
    """A range halved until it is small: sums, largest, powers, counts, a root."""
    values = d.ints(1, 5)
    text, args = d.pick(("""
        def $f($items):
            if len($items) == 1:
                return $items[0]
            $middle = len($items) // 2
            return $choose($f($items[:$middle]), $f($items[$middle:]))
        """, f"{values[:4]}"), ("""
        def $f($x, $n):
            if $n == 0:
                return 1
            $half = $f($x, $n // 2)
            if $n % 2 == 0:
                return $half * $half
            return $half * $half * $x
        """, f"{d.r.randint(2, 5)}, {d.r.randint(0, 7)}"), ("""
        def $f($items, $low, $high):
            if $high - $low == 1:
                return $items[$low]
            $middle = ($low + $high) // 2
            return $f($items, $low, $middle) + $f($items, $middle, $high)
        """, f"{values[:4]}, 0, {len(values[:4])}"), ("""
        def $f($n, $low, $high):
            if $high - $low <= 1:
                return $low
            $middle = ($low + $high) // 2
            if $middle * $middle > $n:
                return $f($n, $low, $middle)
            return $f($n, $middle, $high)
        """, f"{d.r.randint(4, 99)}, 0, {d.pick(10, 11, 16)}"), ("""
        def $f($n):
            if $n <= 1:
                return str($n)
            return $f($n // 2) + str($n % 2)
        """, f"{d.r.randint(1, 60)}"))  # fmt: skip
    return d.program(text, f"$f({args})", choose=d.pick("max", "min"))


@family
def guarded_recursion(d):
    """Recursion that checks its input, stops at a limit, or raises and is caught outside."""
    text, args = d.pick(("""
        def $f($n):
            if $n < 0:
                raise ValueError("negative")
            return 1 if $n < 2 else $n * $f($n - 1)

        def $g($n):
            try:
                return $f($n)
            except ValueError as error:
                return str(error)
        """, d.pick(-1, -3, 0, 2, 3, 4, 5)), ("""
        def $f($n, $left):
            if $left == 0:
                raise RuntimeError("too deep")
            if $n <= 1:
                return $n
            return $n + $f($n // 2, $left - 1)

        def $g($n):
            try:
                $result = $f($n, 3)
            except RuntimeError:
                $result = -1
            return $result
        """, d.r.randint(1, 30)), ("""
        def $f($items, $i):
            try:
                return $items[$i] + $f($items, $i + $k)
            except IndexError:
                return 0

        def $g($items):
            return $f($items, 0)
        """, d.ints(1, 4)), ("""
        def $f($x, $steps=0):
            if $x == 1 or $steps > 3:
                return $steps
            return $f($x // 2 if $x % 2 == 0 else 3 * $x + 1, $steps + 1)

        def $g($x):
            $steps = $f($x)
            return "long" if $steps > 3 else $steps
        """, d.r.randint(1, 20)))  # fmt: skip
    return d.program(text, f"$g({args})", k=d.pick(1, 2))


@family
def inner_recursion(d):
    """A recursive helper inside a function, filling what belongs to the outer one."""
    text, args = d.pick(("""
        def $f($n):
            $out = []

            def $g($k):
                if $k > 0:
                    $out.append($k)
                    $g($k - $step)
                    $out.append(-$k)

            $g($n)
            return $out
        """, d.r.randint(1, 5)), ("""
        def $f($n):
            $calls = 0

            def $g($k):
                nonlocal $calls
                $calls += 1
                if $k < 2:
                    return $k
                return $g($k - 1) + $g($k - 2)

            $result = $g($n)
            return $result, $calls
        """, d.r.randint(1, 4)), ("""
        def $f($text):
            def $g($i, $j):
                if $i >= $j:
                    return True
                return $text[$i] == $text[$j] and $g($i + 1, $j - 1)

            return $g(0, len($text) - 1)
        """, repr(d.pick("level", "noon", "abba", "radar", d.pick(*d.words()), d.pick(*d.words()) + "a"))), ("""
        def $f($total):
            $found = []

            def $g($left, $part):
                if $left == 0:
                    $found.append($part)
                for $x in range(1, $left + 1):
                    if not $part or $x >= $part[-1]:
                        $g($left - $x, $part + [$x])

            $g($total, [])
            return $found
        """, d.pick(1, 2, 3, 4)))  # fmt: skip
    return d.program(text, f"$f({args})", step=d.pick(1, 2))


@family
def number_recursions(d):
    """Digits, bits, binomials, the Ackermann function's small cases, greatest common parts."""
    body, args = d.pick(
        ("if $n < 10:\n    return [$n]\nreturn $f($n // 10) + [$n % 10]", d.number(d.r.randint(1, 5))),
        ("if $n == 0:\n    return 0\nreturn ($n & 1) + $f($n >> 1)", d.r.randint(0, 99)),
        ("if $n < 10:\n    return $n\nreturn max($n % 10, $f($n // 10))", d.number(d.r.randint(1, 5))),
        ("if $m == 0 or $m == $n:\n    return 1\nreturn $f($n - 1, $m - 1) + $f($n - 1, $m)", f"{d.r.randint(2, 4)}, {d.r.randint(0, 2)}"),
        ("if $m == 0:\n    return $n + 1\nif $n == 0:\n    return $f(1, $m - 1)\nreturn $f($f($n - 1, $m), $m - 1)", f"{d.r.randint(0, 2)}, {d.pick(1, 1, 2)}"),
        ("if $n == $m:\n    return $n\nif $n > $m:\n    return $f($n - $m, $m)\nreturn $f($n, $m - $n)", f"{d.r.randint(1, 8) * 3}, {d.r.randint(1, 5) * 3}"),
        ("if $n == 1:\n    return []\nif $n % $m == 0:\n    return [$m] + $f($n // $m, $m)\nreturn $f($n, $m + 1)", f"{d.pick(12, 15, 18, 20, 24, 28, 30, 45, 49, 60)}, 2"),
        ("if $m == 0:\n    return 0\nif $m < 0:\n    return -$f($n, -$m)\nreturn $n + $f($n, $m - 1)", f"{d.r.randint(1, 60)}, {d.r.randint(-4, 4)}"),
    )
    return d.program("def $f($n, $m):\n    $body" if "$m" in body else "def $f($n):\n    $body", f"$f({args})", body=body)
