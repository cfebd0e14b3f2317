"""Whole numbers: digits, divisors, sequences, bits."""

from ..registry import family


@family
def gcd_loop(d):
    """Euclid's algorithm by remainders."""
    f, (a, b) = d.fn(), d.v(2)
    step = d.r.choice([f"        {a}, {b} = {b}, {a} % {b}\n", f"        {a} = {a} % {b}\n        {a}, {b} = {b}, {a}\n"])
    return f"def {f}({a}, {b}):\n    while {b}{d.r.choice([' != 0', ' > 0'])}:\n{step}    return {a}\n", f"{f}({d.r.randint(1, 99)}, {d.r.randint(0, 60)})"


@family
def digits_loop(d):
    """A number taken apart by its digits."""
    f, (n, out, digit) = d.fn(), d.v(3)
    body = d.r.choice([f"        {out} += {n} % 10\n", f"        {digit} = {n} % 10\n        {out} = {out} * 10 + {digit}\n", f"        {out} += 1\n"])
    return f"def {f}({n}):\n    {out} = 0\n    while {n} > 0:\n{body}        {n} //= 10\n    return {out}\n", f"{f}({d.r.randint(0, 9999)})"


@family
def primes(d):
    """Trial division with early returns."""
    f, (n, k) = d.fn(), d.v(2)
    return f"def {f}({n}):\n    if {n} < 2:\n        return False\n    {k} = 2\n    while {k} * {k} <= {n}:\n        if {n} % {k} == 0:\n            return False\n        {k} += 1\n    return True\n", f"{f}({d.r.randint(0, 40)})"


@family
def fizzbuzz(d):
    """Words for multiples, numbers otherwise."""
    f, (n, i, out) = d.fn(), d.v(3)
    a, b = d.r.sample([2, 3, 4, 5], 2)
    wa, wb = d.r.sample(["fizz", "buzz", "ping", "pong", "a", "b"], 2)
    return (f"def {f}({n}):\n    {out} = []\n    for {i} in range(1, {n} + 1):\n        if {i} % {a} == 0:\n            {out}.append({wa!r})\n        elif {i} % {b} == 0:\n            {out}.append({wb!r})\n"
            f"        else:\n            {out}.append({i})\n    return {out}\n", f"{f}({d.r.randint(1, 6)})")


@family
def helper_chain(d):
    """Three functions, each calling the one before."""
    f, g, h = d.fn(), d.fn(), d.fn()
    x, y, z = d.v(3)
    return (f"def {f}({x}):\n    return {x} {d.r.choice('+-*')} {d.small(1)}\ndef {g}({x}):\n    {y} = {f}({x}){d.r.choice([f' + {f}({d.small()})', ''])}\n    return {y}\n"
            f"def {h}({x}):\n    {z} = {g}({x} + 1)\n    {y} = {f}({z})\n    return {d.r.choice([y, f'{y} - {z}'])}\n", f"{h}({d.integer()})")


@family
def arithmetic(d):
    """A ladder of single operations on numbers of several digits."""
    f, (a, b) = d.fn(), d.v(2)
    number = lambda: d.r.choice([d.r.randint(0, 20), d.r.randint(0, 99), d.r.randint(10, 400), -d.r.randint(1, 60)])
    lines, known = [], [a, b]
    for name in d.v(d.r.randint(2, 6)):
        op = d.r.choice(["%", "%", "%", "//", "//", "//", "+", "-", "*"])
        right = str(d.r.choice([2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])) if op != "+" or d.r.random() < 0.4 else d.r.choice(known)
        lines.append(f"    {name} = {d.r.choice(known)} {op} {right}\n")
        known.append(name)
    return f"def {f}({a}, {b}):\n{''.join(lines)}    return {d.r.choice(known[2:])}\n", f"{f}({number()}, {number()})"


@family
def collatz(d):
    """Halving and tripling until one: a `while` whose length is not seen beforehand."""
    body, result = d.pick(
        ("if $n % 2 == 0:\n    $n //= 2\nelse:\n    $n = 3 * $n + 1\n$steps += 1", "$steps"),
        ("$n = $n // 2 if $n % 2 == 0 else $n * 3 + 1\n$steps += 1", "$steps"),
        ("if $n % 2:\n    $n = $n * 3 + 1\nelse:\n    $n = $n // 2\n$steps += 1\nif $n > $peak:\n    $peak = $n", "$steps, $peak"),
    )
    return d.program("""
        def $f($n):
            $steps = 0
            $start
            while $n $test:
                $body
            return $result
        """, f"$f({d.pick(1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 16, 20, 21, 26, 32, 40)})",
        body=body, result=result, start="$peak = $n" if "peak" in result else "", test=d.pick("!= 1", "> 1"))  # fmt: skip


@family
def divisors(d):
    """The divisors of a number: all of them, by pairs, or what their sum says."""
    n = d.pick(6, 6, 28, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 25)
    text = d.pick("""
        def $f($n):
            $found = []
            for $k in range(1, $n + 1):
                if $n % $k == 0:
                    $found.append($k)
            return $result
        """, """
        def $f($n):
            $found = []
            $k = 1
            while $k * $k <= $n:
                if $n % $k == 0:
                    $found.append($k)
                    if $k != $n // $k:
                        $found.append($n // $k)
                $k += 1
            return $result
        """, """
        def $g($n):
            return [$k for $k in range(1, $n) if $n % $k == 0]

        def $f($n):
            $found = $g($n)
            $total = sum($found)
            if $total == $n:
                return "perfect"
            return "rich" if $total > $n else "poor"
        """)  # fmt: skip
    result = d.pick("$found", "len($found)", "sum($found)", "sorted($found)[::-1]", "$found[-1]")
    return d.program(text, f"$f({n if '+ 1' not in text or n < 19 else 12})", result=result)


@family
def digits_as_text(d):
    """A number's digits through `str`: summed, multiplied, filtered, turned round."""
    body = d.pick(
        "$digits = [int($c) for $c in str($n)]\nreturn sum($digits)",
        "$total = 0\nfor $c in str($n):\n    $total += int($c)\nreturn $total",
        "$product = 1\nfor $c in str($n):\n    if $c != '0':\n        $product *= int($c)\nreturn $product",
        "$digits = sorted(str($n), reverse=True)\nreturn int(''.join($digits))",
        "$back = int(str($n)[::-1])\nreturn $n + $back",
        "$text = str($n)\n$even = [$c for $c in $text if int($c) % 2 == 0]\nreturn len($even), len($text) - len($even)",
        "$digits = list(map(int, str($n)))\nreturn max($digits) - min($digits)",
        "$text = str($n)\n$left = $text[: len($text) // 2]\n$right = $text[len($text) // 2 :]\nreturn int($left) - int($right)",
    )
    return d.program("def $f($n):\n    $body", f"$f({d.number(d.r.randint(2, 5))})", body=body)


@family
def digital_root(d):
    """Digits added until one is left: a loop in a loop, or a helper called again and again."""
    text = d.pick("""
        def $f($n):
            while $n > 9:
                $total = 0
                while $n:
                    $total += $n % 10
                    $n //= 10
                $n = $total
            return $n
        """, """
        def $g($n):
            return sum(int($c) for $c in str($n))

        def $f($n):
            $rounds = 0
            while $n >= 10:
                $n = $g($n)
                $rounds += 1
            return $n, $rounds
        """, """
        def $f($n):
            if $n < 10:
                return $n
            $quotient, $digit = divmod($n, 10)
            return $f($digit + $f($quotient))
        """)  # fmt: skip
    return d.program(text, f"$f({d.number(d.r.randint(1, 4))})")


@family
def bases(d):
    """Numbers written in another base and read back from it."""
    base, n = d.pick((2, d.r.randint(2, 40)), (3, d.r.randint(5, 80)), (8, d.r.randint(10, 500)), (16, d.r.randint(20, 999)))
    symbols = "0123456789abcdef"[:base]
    text = "".join(d.r.choice(symbols) for _ in range(d.r.randint(2, 5)))
    which = d.r.randrange(4)
    body = [
        f"$digits = ''\nwhile $n > 0:\n    $digits = str($n % {min(base, 9)}) + $digits\n    $n //= {min(base, 9)}\nreturn $digits or '0'",
        f"$digits = []\nwhile $n:\n    $n, $rest = divmod($n, {base})\n    $digits.append({symbols!r}[$rest])\nreturn ''.join(reversed($digits))",
        f"$value = 0\nfor $c in $n:\n    $value = $value * {base} + {symbols!r}.index($c)\nreturn $value",
        f"$value = 0\nfor $place, $c in enumerate(reversed($n)):\n    $value += int($c, {base}) * {base} ** $place\nreturn $value",
    ][which]
    return d.program("def $f($n):\n    $body", f"$f({n if which < 2 else text!r})", body=body)


@family
def bit_tricks(d):
    """Shifts, masks and the bits of small numbers."""
    body, low = d.pick(
        ("$count = 0\nwhile $n:\n    $count += $n & 1\n    $n >>= 1\nreturn $count", 1),
        ("$count = 0\nwhile $n:\n    $n &= $n - 1\n    $count += 1\nreturn $count", 1),
        ("$high = ($n >> 4) & 15\n$low = $n & 15\n$swapped = $low << 4 | $high\nreturn $swapped", 0),
        ("$mask = 1 << $k\nif $n & $mask:\n    return $n & ~$mask\nreturn $n | $mask", 0),
        ("$bits = bin($n)[2:]\n$ones = $bits.count('1')\nreturn $bits.zfill(8), $ones", 0),
        ("$parity = 0\nfor $i in range(8):\n    $parity ^= ($n >> $i) & 1\nreturn $parity", 0),
        ("$power = 1\nwhile $power < $n:\n    $power <<= 1\nreturn $power, $power == $n", 1),
        ("$a = $n ^ $k\n$b = $n & $k\n$c = $n | $k\nreturn $a + $b == $c, $a, $b, $c", 0),
    )
    arguments = f"{d.r.randint(low, 255)}, {d.r.randint(0, 6)}"
    if "$k" not in body:
        return d.program("def $f($n):\n    $body", f"$f({arguments.split(',')[0]})", body=body)
    return d.program("def $f($n, $k):\n    $body", f"$f({arguments})", body=body)


@family
def sequences(d):
    """Terms made from the terms before: two names moved at once, or a list that grows."""
    start = d.pick("0, 1", "1, 1", "2, 1", "1, 3")
    text = d.pick(f"""
        def $f($n):
            $a, $b = {start}
            for $step in range($n):
                $a, $b = $b, $a + $b
            return $a
        """, f"""
        def $f($n):
            $terms = [{start}]
            while len($terms) < $n:
                $terms.append($terms[-1] {d.pick('+', '+', '-', '+ 2 *')} $terms[-2])
            return $terms
        """, f"""
        def $f($n):
            $terms = []
            $x = {d.r.randint(1, 9)}
            for $i in range($n):
                $terms.append($x)
                $x {d.pick('+= ' + d.small(), '= $x * 2 + ' + d.small(0, 3), '+= $i + 1', '= $x * ' + d.small(2, 4), '-= ' + d.small())}
            return $terms
        """, """
        def $f($n):
            $a = $b = $c = 1
            while $n > 0:
                $a, $b, $c = $b, $c, $a + $b + $c
                $n -= 1
            return $c
        """, f"""
        def $f($n):
            $total = 0
            for $i in range(1, $n + 1):
                if $i % 2:
                    $total += $i {d.pick('', '* $i', '* 10')}
                else:
                    $total -= $i
            return $total
        """)  # fmt: skip
    return d.program(text, f"$f({d.r.randint(2, 7)})")


@family
def largest_of_three(d):
    """Three numbers put in order by comparisons and swaps."""
    a, b, c = (d.r.randint(-9, 60) for _ in range(3))
    text = d.pick("""
        def $f($a, $b, $c):
            if $a >= $b and $a >= $c:
                return $a
            if $b >= $c:
                return $b
            return $c
        """, """
        def $f($a, $b, $c):
            if $a > $b:
                $a, $b = $b, $a
            if $b > $c:
                $b, $c = $c, $b
            if $a > $b:
                $a, $b = $b, $a
            return $a, $b, $c
        """, """
        def $g($x, $y):
            return $x if $x $op $y else $y

        def $f($a, $b, $c):
            return $g($g($a, $b), $c)
        """, """
        def $f($a, $b, $c):
            $middle = $a + $b + $c - max($a, $b, $c) - min($a, $b, $c)
            return $middle
        """)  # fmt: skip
    return d.program(text, f"$f({a}, {b}, {c})", op=d.pick("<", ">"))


@family
def fast_power(d):
    """Powers by squaring, with and without a modulus, and by plain multiplication."""
    base, n, m = d.r.randint(2, 9), d.r.randint(0, 9), d.pick(7, 10, 13, 97, 100)
    text, args = d.pick(("""
        def $f($base, $n):
            $result = 1
            while $n > 0:
                if $n % 2 == 1:
                    $result *= $base
                $base *= $base
                $n //= 2
            return $result
        """, f"{min(base, 5)}, {min(n, 6)}"), ("""
        def $f($base, $n, $m):
            $result = 1
            $base %= $m
            while $n:
                if $n & 1:
                    $result = $result * $base % $m
                $base = $base * $base % $m
                $n >>= 1
            return $result
        """, f"{base}, {n}, {m}"), ("""
        def $f($base, $n, $m):
            $result = 1
            for $step in range($n):
                $result = $result * $base % $m
            return $result
        """, f"{base}, {min(n, 6)}, {m}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def number_kinds(d):
    """What sort of number it is: early returns, flags, several answers at once."""
    text = d.pick("""
        def $f($n):
            if $n < 0:
                return "negative"
            if $n == 0:
                return "zero"
            return "even" if $n % 2 == 0 else "odd"
        """, """
        def $f($n):
            $kinds = []
            if $n % 2 == 0:
                $kinds.append("even")
            if $n > 9 or $n < -9:
                $kinds.append("long")
            if $n < 0:
                $kinds.append("minus")
            return $kinds
        """, """
        def $f($n):
            $sign = ($n > 0) - ($n < 0)
            $size = abs($n)
            $is_round = $size % 10 == 0
            return $sign, $size, $is_round
        """, """
        def $f($n):
            $half, $rest = divmod($n, 2)
            $third = $n // 3
            if $rest or $n % 3:
                return False
            return $half + $third
        """)  # fmt: skip
    return d.program(text, f"$f({d.pick(0, d.r.randint(-40, 40), d.r.randint(0, 9) * 6, d.r.randint(10, 99))})")


@family
def whole_roots(d):
    """Square roots in whole numbers: by counting up, by halving, by Newton's steps."""
    text, high = d.pick(("""
        def $f($n):
            $root = 0
            while ($root + 1) ** 2 <= $n:
                $root += 1
            return $root
        """, 99), ("""
        def $f($n):
            $low, $high = 0, $n
            while $low < $high:
                $mid = ($low + $high + 1) // 2
                if $mid * $mid <= $n:
                    $low = $mid
                else:
                    $high = $mid - 1
            return $low
        """, 300), ("""
        def $f($n):
            $x = $n
            while $x * $x > $n:
                $x = ($x + $n // $x) // 2
            return $x, $x * $x == $n
        """, 900))  # fmt: skip
    return d.program(text, f"$f({d.pick(d.r.randint(2, high), d.r.randint(1, 9) ** 2)})")


@family
def fractions_by_hand(d):
    """Fractions as pairs: shortened by their greatest common divisor, added, compared."""
    a, b, c, e = (d.r.randint(1, 12) for _ in range(4))
    helper = d.pick("from math import gcd as $fn_common", "def $fn_common($x, $y):\n    while $y != 0:\n        $x, $y = $y, $x % $y\n    return $x\n")
    text, args = d.pick(("""
        $helper

        def $f($top, $bottom):
            $factor = $fn_common($top, $bottom)
            return $top // $factor, $bottom // $factor
        """, f"{a * c}, {b * c}"), ("""
        $helper

        def $f($left, $right):
            $top = $left[0] * $right[1] + $right[0] * $left[1]
            $bottom = $left[1] * $right[1]
            $factor = $fn_common($top, $bottom)
            return f"{$top // $factor}/{$bottom // $factor}"
        """, f"({a}, {b}), ({c}, {e})"), ("""
        $helper

        def $f($x, $y):
            $multiple = $x * $y // $fn_common($x, $y)
            return $multiple, $multiple // $x, $multiple // $y
        """, f"{a * 2}, {b * 2}"))  # fmt: skip
    return d.program(text, f"$f({args})", helper=helper)


@family
def special_numbers(d):
    """Numbers with a property, looked for in a range or tested one by one."""
    text = d.pick("""
        def $f($n):
            $digits = str($n)
            return $n == sum(int($c) ** len($digits) for $c in $digits)

        def $g($numbers):
            return [$n for $n in $numbers if $f($n)]
        """, """
        def $f($n):
            $digits = str($n)
            return $digits == $digits[::-1]

        def $g($numbers):
            $found = []
            for $n in $numbers:
                if $f($n):
                    $found.append($n)
            return $found
        """, """
        def $f($n):
            $seen = []
            while $n != 1 and $n not in $seen:
                $seen.append($n)
                $n = sum(int($c) ** 2 for $c in str($n))
            return $n == 1

        def $g($numbers):
            return $f($numbers[0])
        """, """
        def $f($n):
            $total = sum(int($c) for $c in str($n))
            return $n % $total == 0

        def $g($numbers):
            return {$n: $f($n) for $n in $numbers}
        """)  # fmt: skip
    numbers = d.r.sample([7, 10, 11, 12, 18, 19, 20, 22, 23, 28, 44, 100, 101, 121, 153, 370, 371, 200, 404, 407], d.r.randint(2, 3))
    return d.program(text, f"$g({[n for n in numbers if n < 100] or [7] if 'seen' in text else numbers})")
