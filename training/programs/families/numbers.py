"""Whole numbers: digits, divisors, sequences, bits."""

from ..registry import family


@family
def gcd_loop(d):
    """Euclid's algorithm by remainders."""
    f, (a, b) = d.fn(), d.v(2)
    step = d.r.choice([f"        {a}, {b} = {b}, {a} % {b}\n", f"        {a} = {a} % {b}\n        {a}, {b} = {b}, {a}\n"])
    return f"def {f}({a}, {b}):\n    while {b}{d.r.choice([' != 0', '', ' > 0'])}:\n{step}    return {a}\n", f"{f}({d.r.randint(1, 99)}, {d.r.randint(0, 60)})"


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
def grades(d):
    """Ranges by chained comparisons, guard clauses or a table of limits."""
    low, mid, high = sorted(d.r.sample(range(10, 95, 5), 3))
    a, b, c, e = d.pick(("A", "B", "C", "F"), ("high", "good", "fair", "low"), ("gold", "silver", "bronze", "none"), (3, 2, 1, 0))
    text = d.pick(f"""
        def $f($score):
            if $score >= {high}:
                return {a!r}
            elif $score >= {mid}:
                return {b!r}
            elif $score >= {low}:
                return {c!r}
            else:
                return {e!r}
        """, f"""
        def $f($score):
            if {low} <= $score < {mid}:
                $grade = {c!r}
            elif {mid} <= $score < {high}:
                $grade = {b!r}
            else:
                $grade = {a!r} if $score >= {high} else {e!r}
            return $grade
        """, f"""
        def $f($score):
            for $limit, $grade in [({high}, {a!r}), ({mid}, {b!r}), ({low}, {c!r})]:
                if $score >= $limit:
                    return $grade
            return {e!r}
        """)  # fmt: skip
    if d.r.random() < 0.4:
        scores = [d.r.randint(0, 99) for _ in range(d.r.randint(2, 4))]
        return d.program("$text\n\ndef $main($scores):\n    return [$f($score) for $score in $scores]", f"$main({scores})", text=text)
    return d.program(text, f"$f({d.r.randint(0, 99)})")


@family
def calendar(d):
    """Leap years, days of months, the day of a year: many conditions in one expression."""
    year, month, day = d.pick(1900, 2000, 2020, 2023, 2024, 2100, 1999, 2026), d.r.randint(1, 12), d.r.randint(1, 28)
    text, entry = d.pick(("""
        def $f($year):
            return $year % 4 == 0 and ($year % 100 != 0 or $year % 400 == 0)

        def $g($year, $month):
            if $month == 2:
                return 29 if $f($year) else 28
            if $month in (4, 6, 9, 11):
                return 30
            return 31
        """, f"$g({year}, {d.pick(2, 2, month)})"), ("""
        def $f($year):
            if $year % 400 == 0:
                return True
            if $year % 100 == 0:
                return False
            return $year % 4 == 0

        def $g($years):
            return [$year for $year in $years if $f($year)]
        """, f"$g({d.r.sample([1900, 2000, 2020, 2023, 2024, 2100, 1999, 2026], 3)})"), ("""
        $LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

        def $f($month, $day):
            $number = $day
            for $length in $LENGTHS[: $month - 1]:
                $number += $length
            return $number
        """, f"$f({month}, {day})"), ("""
        def $f($month, $day, $count):
            $day += $count
            while $day > 30:
                $day -= 30
                $month += 1
                if $month > 12:
                    $month = 1
            return f"{$day:02}.{$month:02}."
        """, f"$f({d.pick(11, 12, month)}, {day}, {d.r.randint(0, 99)})"))  # fmt: skip
    return d.program(text, entry)


@family
def clock_time(d):
    """Seconds as hours, minutes, seconds and back, with `divmod` and padded formats."""
    text, entry = d.pick(("""
        def $f($seconds):
            $minutes, $seconds = divmod($seconds, 60)
            $hours, $minutes = divmod($minutes, 60)
            return f"{$hours:02d}:{$minutes:02d}:{$seconds:02d}"
        """, f"$f({d.r.randint(0, 20000)})"), ("""
        def $f($text):
            $hours, $minutes = $text.split(":")
            return int($hours) * 60 + int($minutes)

        def $g($start, $end):
            $length = $f($end) - $f($start)
            if $length < 0:
                $length += 24 * 60
            return $length
        """, "$g('%02d:%02d', '%02d:%02d')" % (d.r.randint(0, 23), d.r.randint(0, 59), d.r.randint(0, 23), d.r.randint(0, 59))), ("""
        def $f($hour):
            if $hour == 0:
                return "12 am"
            if $hour == 12:
                return "12 pm"
            if $hour > 12:
                return f"{$hour - 12} pm"
            return f"{$hour} am"
        """, f"$f({d.pick(0, 12, d.r.randint(1, 11), d.r.randint(13, 23))})"), ("""
        def $f($minutes):
            $parts = []
            for $size, $unit in ((1440, "d"), (60, "h"), (1, "m")):
                $count = $minutes // $size
                if $count:
                    $parts.append(f"{$count}{$unit}")
                $minutes %= $size
            return " ".join($parts) or "0m"
        """, f"$f({d.r.randint(0, 5000)})"))  # fmt: skip
    return d.program(text, entry)


@family
def coins(d):
    """Change given greedily: `//` and `%` by falling amounts."""
    values = d.pick([50, 20, 10, 5, 2, 1], [25, 10, 5, 1], [100, 50, 10, 1], [7, 3, 1], [20, 5, 1])
    text = d.pick("""
        def $f($amount, $coins):
            $used = []
            for $coin in $coins:
                while $amount >= $coin:
                    $used.append($coin)
                    $amount -= $coin
            return $used
        """, """
        def $f($amount, $coins):
            $counts = {}
            for $coin in $coins:
                $count, $amount = divmod($amount, $coin)
                if $count > 0:
                    $counts[$coin] = $count
            return $counts
        """, """
        def $f($amount, $coins):
            $total = 0
            for $coin in $coins:
                $total += $amount // $coin
                $amount = $amount % $coin
                if not $amount:
                    break
            return $total
        """)  # fmt: skip
    return d.program(text, f"$f({d.r.randint(1, 19 if 'while' in text else 190)}, {values})")


@family
def averages(d):
    """Mean, median, range and spread of a few numbers."""
    values = [d.r.randint(0, 60) for _ in range(d.r.randint(1, 6))]
    body = d.pick(
        "$average = sum($values) // len($values)\n$above = [$x for $x in $values if $x > $average]\nreturn $average, $above",
        "$ordered = sorted($values)\n$middle = len($ordered) // 2\nif len($ordered) % 2:\n    return $ordered[$middle]\nreturn ($ordered[$middle - 1] + $ordered[$middle]) // 2",
        "$total = 0\nfor $x in $values:\n    $total += $x\n$average = $total / len($values)\nreturn round($average, 1)",
        "$low, $high = min($values), max($values)\n$spread = $high - $low\nreturn {'low': $low, 'high': $high, 'spread': $spread}",
        "$average = sum($values) // len($values)\n$gaps = [abs($x - $average) for $x in $values]\nreturn max($gaps)",
    )
    guard = d.maybe("if not $values:\n    return None")
    if guard and d.r.random() < 0.25:
        values = []
    return d.program("def $f($values):\n    $guard\n    $body", f"$f({values})", body=body, guard=guard)


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
def savings(d):
    """Money that grows or shrinks year by year, until a goal, an end or a limit."""
    start, rate, pay = d.r.randint(1, 9) * 100, d.pick(5, 10, 20, 25, 50), d.r.randint(1, 9) * 10
    text, entry = d.pick((f"""
        def $f($balance, $goal):
            $years = 0
            while $balance < $goal:
                $balance += $balance * {rate} // 100
                $years += 1
                if $years == 8:
                    break
            return $years, $balance
        """, f"$f({start}, {start + d.r.randint(1, 9) * 50})"), (f"""
        def $f($debt, $payment):
            $months = 0
            while $debt > 0:
                $debt += $debt * {d.r.randint(1, 3)} // 100
                $debt -= min($debt, $payment)
                $months += 1
            return $months
        """, f"$f({d.r.randint(50, 400)}, {d.r.randint(70, 200)})"), (f"""
        def $f($balance, $years):
            for $year in range(1, $years + 1):
                $interest = round($balance * 0.{d.pick(1, 2, 25, 5)}, 2)
                $balance = round($balance + $interest, 2)
            return $balance
        """, f"$f({start}, {d.r.randint(1, 4)})"), (f"""
        def $f($balance, $moves):
            for $move in $moves:
                if $balance + $move < 0:
                    $balance -= {d.small()}
                    continue
                $balance += $move
            return $balance
        """, f"$f({pay}, {[d.r.randint(-9, 9) * 10 for _ in range(d.r.randint(2, 5))]})"))  # fmt: skip
    return d.program(text, entry)


@family
def spans(d):
    """Two stretches of numbers: how much they share, whether they touch, what covers both."""
    a, c = d.r.randint(0, 30), d.r.randint(0, 30)
    b, e = a + d.r.randint(1, 20), c + d.r.randint(1, 20)
    body, entry = d.pick(
        ("def $f($a, $b, $c, $e):\n    return max(0, min($b, $e) - max($a, $c))", f"$f({a}, {b}, {c}, {e})"),
        ("def $f($first, $second):\n    $low = max($first[0], $second[0])\n    $high = min($first[1], $second[1])\n    if $low >= $high:\n        return None\n    return ($low, $high)", f"$f(({a}, {b}), ({c}, {e}))"),
        ("def $f($first, $second):\n    ($a, $b), ($c, $e) = $first, $second\n    if $b < $c or $e < $a:\n        return 'apart'\n    if $a <= $c and $e <= $b:\n        return 'holds'\n    return 'overlap'", f"$f(({a}, {b}), ({c}, {e}))"),
        ("def $f($spans, $x):\n    $inside = 0\n    for $low, $high in $spans:\n        if $low <= $x < $high:\n            $inside += 1\n    return $inside", f"$f({[(a, b), (c, e), (a + 3, e + 9)]}, {d.r.randint(0, 40)})"),
    )
    return d.program(body, entry)


@family
def check_digits(d):
    """Weighted sums of digits, and what is left by ten or eleven."""
    code = d.number(d.r.randint(3, 5))
    k = d.pick(7, 9, 10, 11)
    text = d.pick(f"""
        def $f($code):
            $total = 0
            for $weight, $digit in enumerate($code, start={d.pick(1, 1, 2)}):
                $total += $weight * int($digit)
            return $total % {k}
        """, f"""
        def $f($code):
            $total = 0
            for $i, $digit in enumerate(reversed($code)):
                $value = int($digit)
                if $i % 2 == {d.pick(0, 1)}:
                    $value *= 2
                    if $value > 9:
                        $value -= 9
                $total += $value
            return $total % 10 == 0
        """, f"""
        def $g($code):
            return sum(int($digit) * (3 if $i % 2 else 1) for $i, $digit in enumerate($code))

        def $f($code):
            $check = -$g($code) % {k}
            return $code + str($check)
        """)  # fmt: skip
    return d.program(text, f"$f({str(code)!r})")


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
def price_steps(d):
    """Prices by quantity or weight: brackets, discounts, a shipping cost."""
    a, b = sorted(d.r.sample(range(5, 40, 5), 2))
    p, q, s = sorted(d.r.sample(range(2, 12), 3))
    text, args = d.pick((f"""
        def $f($count):
            $price = 0
            if $count > {b}:
                $price += ($count - {b}) * {p}
                $count = {b}
            if $count > {a}:
                $price += ($count - {a}) * {q}
                $count = {a}
            return $price + $count * {s}
        """, f"{d.r.randint(1, 60)}"), (f"""
        def $f($income):
            $tax = 0
            for $limit, $rate in [({b * 10}, {d.pick(30, 40)}), ({a * 10}, {d.pick(10, 20)})]:
                if $income > $limit:
                    $tax += ($income - $limit) * $rate // 100
                    $income = $limit
            return $tax
        """, f"{d.r.randint(40, 700)}"), (f"""
        def $g($total, $member=False):
            $percent = {p} if $total > {b * 4} else 0
            if $member:
                $percent += {q}
            return $total * $percent // 100

        def $f($total, $member):
            $off = $g($total, $member)
            return f"{{$total - $off}} (-{{$off}})"
        """, f"{d.r.randint(20, 300)}, {d.pick(True, False)}"), (f"""
        def $f($weight):
            if $weight <= 0:
                raise ValueError("weight")
            $cost = {q if q > p else s}
            while $weight > {a}:
                $weight -= {a}
                $cost += {p}
            return $cost

        def $g($weight):
            try:
                return $f($weight)
            except ValueError as error:
                return str(error)
        """, f"{d.pick(0, -1, d.r.randint(1, 60), d.r.randint(1, 60))}"))  # fmt: skip
    return d.program(text, f"{'$g' if 'except' in text else '$f'}({args})")


@family
def fractions_by_hand(d):
    """Fractions as pairs: shortened by their greatest common divisor, added, compared."""
    a, b, c, e = (d.r.randint(1, 12) for _ in range(4))
    helper = d.pick("from math import gcd as $fn_common", "def $fn_common($x, $y):\n    while $y:\n        $x, $y = $y, $x % $y\n    return $x\n")
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
def scales(d):
    """Degrees, lengths and weights from one scale to another, in whole numbers."""
    text, values = d.pick(("""
        def $f($degrees):
            return $degrees * 9 // 5 + 32

        def $g($table):
            $shown = []
            for $degrees in $table:
                $shown.append(f"{$degrees}C={$f($degrees)}F")
            return $shown
        """, [d.r.randint(-10, 40) for _ in range(d.r.randint(1, 3))]), ("""
        def $f($inches):
            $feet, $rest = divmod($inches, 12)
            return f"{$feet}'{$rest}"

        def $g($values):
            return [$f($x) for $x in $values]
        """, [d.r.randint(5, 90) for _ in range(d.r.randint(1, 4))]), (f"""
        $FACTORS = {{"m": 1000, "cm": 10, "mm": 1}}

        def $g($amount, $unit="{d.pick('cm', 'm')}", into="mm"):
            $small = $amount * $FACTORS[$unit]
            return $small // $FACTORS[into], $small % $FACTORS[into]
        """, d.r.randint(1, 90)))  # fmt: skip
    return d.program(text, f"$g({values}{d.pick('', ', into=' + repr('m')) if 'FACTORS' in text else ''})")


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
            return str($n) == str($n)[::-1]

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
