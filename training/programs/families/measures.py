"""Numbers that stand for something: time, money, marks, lengths."""

from ..registry import family


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
