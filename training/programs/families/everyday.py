"""Everyday rules in code: fares, bills, points, passwords, appointments, streaks, seats."""

from ..registry import family


@family
def tiered_bill(d):
    """A bill by tiers: each band of use has its own price."""
    bands = [(d.r.randint(5, 20), d.r.randint(1, 3)), (d.r.randint(25, 60), d.r.randint(4, 6)), (None, d.r.randint(7, 9))]
    body = d.pick(
        "for $limit, $price in $BANDS:\n    $top = $used if $limit is None else min($used, $limit)\n    if $top > $done:\n        $cost += ($top - $done) * $price\n        $done = $top",
        "while $done < $used:\n    $limit, $price = next(($l, $p) for $l, $p in $BANDS if $l is None or $l > $done)\n    $step = min($used, $limit or $used) - $done\n    $cost += $step * $price\n    $done += $step",
    )
    return d.make("""
        $BANDS = $bands_

        def $bill($used, $base={{0|5|12}}):
            $cost, $done = $base, 0
            $body
            return {{$cost|$cost, $done|f"{$cost}.00"}}
        """, "$bill({{0..90}})", bands_=bands, body=body)


@family
def postage(d):
    """A price from the first bracket that fits, with extras and a refusal."""
    body = d.pick(
        "for $limit, $price in $TABLE.items():\n    if $weight <= $limit:\n        break\nelse:\n    return {{None|-1}}",
        "$price = next(($p for $l, $p in $TABLE.items() if $weight <= $l), None)\nif $price is None:\n    return {{0|-1}}",
        "$fits = [$l for $l in $TABLE if $l >= $weight]\nif not $fits:\n    return {{None|'no'}}\n$price = $TABLE[min($fits)]",
    )
    return d.make("""
        $TABLE = {20: {{40..90}}, 100: {{100..200}}, 500: {{210..400}}}

        def $postage($weight, $fast=False, $country="home"):
            $body
            if $fast:
                $price {{+=|*=}} {{2|3|5}}
            return $price if $country == "home" else $price {{* 2|+ 90|* 3 // 2}}
        """, "$postage({{1..100|101..500|501..900}}$more)", body=body, more=d.pick("", ", True", ", $fast=True", ", $country='away'", ", True, 'away'"))


@family
def password_rules(d):
    """Several rules for a text, collected as faults or checked at once."""
    rules = d.r.sample([("len($pw) < {{5..8}}", "short"), ("$pw.lower() == $pw", "upper"), ("not any($c.isdigit() for $c in $pw)", "digit"), ("' ' in $pw", "space"), ("$pw[0] == $pw[-1]", "ends"), ("$pw.isalnum()", "mark")], 3)
    body = "\n".join(f"if {test}:\n    $faults.append({name!r})" for test, name in rules) if d.r.random() < 0.5 else "$rules = {\n    " + ",\n    ".join(f"{name!r}: {test}" for test, name in rules) + ",\n}\n$faults = [$k for $k, $bad in $rules.items() if $bad]"
    return d.make("""
        def $check($pw):
            $faults = []
            $body
            return {{$faults|$faults or "ok"|len($faults)|not $faults}}
        """, "$check($given)", body=body, given=repr(d.pick("cat", "Dog7", "blue sky", "Tree99!", "abcA", "x9x9x9", "RED-5", "hello", "Qq1Qq1q")))


@family
def league_table(d):
    """Match results to points, goal difference and an order."""
    teams = d.r.sample(["Ajax", "Bari", "Celta", "Derby"], 3)
    games = [(*d.r.sample(teams, 2), d.r.randint(0, 4), d.r.randint(0, 4)) for _ in range(d.r.randint(1, 3))]
    update = d.pick(
        "for $team, $mine, $other in (($a, $x, $y), ($b, $y, $x)):\n    $points = 3 if $mine > $other else 1 if $mine == $other else 0\n    $table[$team] = $table.get($team, 0) + $points",
        "if $x == $y:\n    $pair = 1, 1\nelse:\n    $pair = ({{3|2}}, 0) if $x > $y else (0, {{3|2}})\nfor $team, $p in zip(($a, $b), $pair):\n    $table[$team] = $table.get($team, 0) + $p",
        "$table.setdefault($a, 0)\n$table.setdefault($b, 0)\n$table[$a] += $x - $y\n$table[$b] += $y - $x",
    )
    return d.make("""
        def $standings($games):
            $table = {}
            for $a, $b, $x, $y in $games:
                $update
            return {{sorted($table.items(), key=lambda $row: (-$row[1], $row[0]))|$table|max($table, key=$table.get)}}
        """, "$standings($given)", update=update, given=games)


@family
def appointments(d):
    """Times as minutes or texts: overlaps, the first free gap, a new booking or none."""
    booked = sorted((s, s + d.r.randint(1, 3)) for s in d.r.sample(range(8, 17), d.r.randint(1, 3)))
    body = d.pick(
        "for $start, $end in $booked:\n    if $want < $end and $want + $length > $start:\n        return {{None|$end}}\n$booked.append(($want, $want + $length))\nreturn sorted($booked)",
        "$at = $want\nfor $start, $end in $booked:\n    if $start - $at >= $length:\n        break\n    $at = max($at, $end)\nreturn {{$at|f'{$at:02}:00'|$at, $at + $length}}",
        "$busy = sum($end - $start for $start, $end in $booked)\n$clash = [$b for $b in $booked if not ($b[1] <= $want or $want + $length <= $b[0])]\nreturn $busy, $clash",
    )
    return d.make("""
        def $book($booked, $want, $length={{1|2}}):
            $body
        """, "$book($given, $wanted)", body=body, wanted=d.pick(booked[0][0], d.r.randint(8, 17)), given=booked)


@family
def streaks(d):
    """Runs of days with a property: the longest, the present one, those long enough."""
    body = d.pick(
        "$best = $run_len = 0\nfor $x in $days:\n    $run_len = $run_len + 1 if $x >= $goal else 0\n    $best = max($best, $run_len)\nreturn {{$best|$best, $run_len}}",
        "$n = 0\nfor $x in reversed($days):\n    if $x < $goal:\n        break\n    $n += 1\nreturn {{$n|f'{$n} days'}}",
        "$runs, $start = [], None\nfor $i, $x in enumerate($days):\n    if $x >= $goal and $start is None:\n        $start = $i\n    elif $x < $goal and $start is not None:\n        $runs.append(($start, $i))\n        $start = None\nif $start is not None:\n    $runs.append(($start, len($days)))\nreturn $runs",
    )
    return d.make("""
        def $streak($days, $goal={{3..6}}):
            $body
        """, "$streak($given)", body=body, given=d.numbers(d.r.randint(3, 6), 0, 9))


@family
def seating(d):
    """Rows of seats as text: free ones, groups that sit together, a seat by its name."""
    rows = ["".join(d.pick(".", ".", "x") for _ in range(4)) for _ in range(d.r.randint(1, 2))]
    body = d.pick(
        "for $r, $row in enumerate($rows, 1):\n    $i = $row.find('.' * $n)\n    if $i >= 0:\n        return {{f'{$r}{chr(65 + $i)}'|($r, $i)|$row[:$i] + 'N' * $n + $row[$i + $n:]}}\nreturn {{None|'full'}}",
        "$free = []\nfor $r, $row in enumerate($rows):\n    for $c, $seat in enumerate($row):\n        if $seat == '.' and len($free) < $n:\n            $free.append(($r, $c))\nreturn $free",
        "$counts = [$row.count('.') for $row in $rows]\n$best = max(range(len($rows)), key=lambda $i: $counts[$i])\nreturn ($best, $counts) if $counts[$best] >= $n else {{-1|None}}",
    )
    return d.make("""
        def $seat_them($rows, $n={{1..3}}):
            $body
        """, "$seat_them($given)", body=body, given=rows)


@family
def currency_exchange(d):
    """Rates in a dict of per cents: direct, by a middle currency, with a fee."""
    return d.make("""
        $RATES = {"usd": 100, "eur": {{105..120}}, "gbp": {{121..135}}, "sek": {{8..12}}}

        def $convert($amount, $src, $dst, $fee={{0|1|2}}):
            if $src == $dst:
                return $amount
            for $code in ($src, $dst):
                if $code not in $RATES:
                    return {{None|f"no {$code}"|-1}}
            $value = $amount * $RATES[$src] {{// 100 * 100|// 1}}
            $value = $value // $RATES[$dst]
            return $value - $value * $fee // 100{{|, $value}}
        """, "$convert({{5..900}}, $one, $two)", one=repr(d.pick("usd", "eur", "gbp", "xyz")), two=repr(d.pick("usd", "sek", "eur", "sek")))


@family
def discount_rules(d):
    """Rules as functions or tuples in a list, the best or all of them applied."""
    how = d.pick(
        "$best = $total\nfor $rule in $RULES:\n    $best = min($best, $rule($total, $n))\nreturn $best",
        "for $rule in $RULES:\n    $new = $rule($total, $n)\n    if $new != $total:\n        $used.append($rule.__name__)\n    $total = $new\nreturn $total, len($used)",
        "return [$rule($total, $n) for $rule in $RULES]",
    )
    return d.make("""
        def $tenth($total, $n):
            return $total - $total // 10

        def $bulk($total, $n):
            return $total - {{5..15}} if $n >= {{2..4}} else $total

        def $floor_price($total, $n):
            return max($total, $n * {{3..9}})

        $RULES = [{{$tenth, $bulk|$bulk, $floor_price|$tenth, $floor_price, $bulk}}]

        def $price($total, $n):
            $used = []
            $how
        """, "$price({{20..150}}, {{1..6}})", how=how)


@family
def attendance(d):
    """Marks per pupil and day: who was there, shares in per cent, who never missed."""
    marks = {name: "".join(d.pick("p", "p", "a", "l") for _ in range(d.r.randint(2, 4))) for name in d.r.sample(["ann", "bob", "cy"], 2)}
    body = d.pick(
        "$out = {}\nfor $name, $days in $marks.items():\n    $there = $days.count('p') + $days.count('l') // 2\n    $out[$name] = $there * 100 // len($days)\nreturn $out",
        "$out = []\nfor $name, $days in $marks.items():\n    if 'a' not in $days:\n        $out.append($name{{|.title()}})\nreturn $out or {{None|'nobody'}}",
        "$late = 0\nfor $days in $marks.values():\n    for $d, $m in enumerate($days, 1):\n        if $m == 'l':\n            $late += {{$d|1}}\nreturn $late",
        "$by_day = [''.join($col) for $col in zip(*$marks.values())]\nreturn [$col.count('p') for $col in $by_day], $by_day",
    )
    return d.make("""
        def $report($marks):
            $body
        """, "$report($given)", body=body, given=marks)


@family
def phone_numbers(d):
    """Digits taken out of a text, checked and written in groups."""
    show = d.pick(
        "return f'{$digits[:3]}-{$digits[3:]}'",
        "return ' '.join($digits[$i:$i + {{2|3}}] for $i in range(0, len($digits), {{2|3}}))",
        "$groups = []\nwhile $digits:\n    $groups.append($digits[-3:])\n    $digits = $digits[:-3]\nreturn '.'.join(reversed($groups))",
        "return '*' * (len($digits) - 2) + $digits[-2:]",
    )
    return d.make("""
        def $format_number($text):
            $digits = {{"".join($ch for $ch in $text if $ch.isdigit())|"".join(filter(str.isdigit, $text))}}
            if $digits.startswith("00"):
                $digits = $digits[2:]
            if not {{4|3}} <= len($digits) <= 9:
                return {{None|"bad"}}
            $show
        """, "$format_number($given)", show=show, given=repr(d.pick("7", "x", "1234567890") if d.r.random() < 0.3 else d.pick("", "+", "00", "(0) ") + f"{d.r.randint(1, 999)}" + d.pick("-", " ", "/", "") + f"{d.r.randint(10, 9999)}"))


@family
def ranks_with_ties(d):
    """Places by score where equals share a place, prizes by place."""
    scores = {name: d.r.randint(1, 5) * 10 for name in d.r.sample(["Ann", "Bob", "Cy", "Dee"], d.r.randint(2, 4))}
    body = d.pick(
        "$order = sorted($scores.values(), reverse=True)\nfor $name, $s in $scores.items():\n    $out[$name] = $order.index($s) + 1",
        "$place, $last = 0, None\nfor $i, ($name, $s) in enumerate(sorted($scores.items(), key=lambda $kv: -$kv[1]), 1):\n    if $s != $last:\n        $place, $last = $i, $s\n    $out[$name] = $place",
        "for $name, $s in $scores.items():\n    $out[$name] = 1 + sum($t > $s for $t in $scores.values())",
    )
    return d.make("""
        def $places($scores):
            $out = {}
            $body
            return {{$out|$out|[$n for $n, $p in $out.items() if $p == 1]|{$n: "gsb"[$p - 1:$p] for $n, $p in $out.items()}}}
        """, "$places($given)", body=body, given=scores)


@family
def ticket_prices(d):
    """A fare by age, day and group with nested conditions, summed for a family."""
    fare = d.pick(
        "if $age < {{4..6}}:\n    return 0\nif $age < {{14..18}} or $age >= {{60..67}}:\n    return $full // 2\nreturn $full",
        "$price = $full\nif $day in ('sat', 'sun'):\n    $price += {{2..5}}\nelif $age < 18:\n    $price -= {{1..4}}\nreturn max($price, {{0..3}})",
        "return ($full if $age >= 18 else $full * {{2|3}} // {{4|5}}) - (1 if $day == 'mon' else 0)",
    )
    return d.make("""
        def $fare($age, $day, $full={{8..20}}):
            $fare_rule

        def $family_price($ages, $day={{"mon"|"sat"|"wed"}}):
            $total = 0
            for $age in $ages:
                $total += $fare($age, $day)
            if len($ages) >= {{3|4}}:
                $total = $total * 9 // 10
            return $total
        """, "$family_price($given)", fare_rule=fare, given=[d.pick(3, 10, 16, 30, 41, 66, 70) for _ in range(d.r.randint(1, 4))])


@family
def stock_reorder(d):
    """What to order so that nothing runs out: minimum, in transit, pack sizes."""
    items = [(n, d.r.randint(0, 12), d.r.randint(3, 10)) for n in d.r.sample(["bolt", "nut", "tape", "glue"], d.r.randint(2, 3))]
    need = d.pick(
        "$packs = -(-$short // $pack)\n$orders[$name] = $packs * $pack",
        "$orders[$name] = $short + $pack - $short % $pack",
        "while $have < $least:\n    $have += $pack\n    $orders[$name] = $orders.get($name, 0) + 1",
    )
    return d.make("""
        def $reorder($items, $pack={{2..6}}):
            $orders = {}
            for $name, $have, $least in $items:
                if $have >= $least:
                    continue
                $short = $least - $have
                $need
            return {{$orders|$orders, sum($orders.values())|sorted($orders, key=$orders.get)}}
        """, "$reorder($given)", need=need, given=items)
