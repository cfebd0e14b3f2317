"""Dicts as counters, indexes and records."""

from ..registry import family


@family
def word_table(d):
    """Counting words, or what is taken from them, in a dict."""
    f, (words, table, w) = d.fn(), d.v(3)
    key = d.r.choice([w, w, f"{w}[0]", f"len({w})"])
    update = d.r.choice([
        f"        {table}[{key}] = {table}.get({key}, 0) + 1\n",
        f"        if {key} in {table}:\n            {table}[{key}] += 1\n        else:\n            {table}[{key}] = 1\n",
        f"        if {key} not in {table}:\n            {table}[{key}] = 0\n        {table}[{key}] += 1\n",
    ])
    split = d.r.random() < 0.5
    few = d.words(2, 3)
    items = [d.r.choice(few) for _ in range(d.r.randint(2, 5))]
    arg = repr(" ".join(items)) if split else repr(items)
    return f"def {f}({words}):\n    {table} = {{}}\n    for {w} in {words}{'.split()' if split else ''}:\n{update}    return {table}\n", f"{f}({arg})"


@family
def dict_methods(d):
    """A dict changed in place by one method after another."""
    table = d.table(2, 4)
    old, new = d.pick(*table), d.pick(*d.words())
    steps = d.r.sample([
        f"$table[{new!r}] = {d.integer()}", f"$table[{old!r}] = {d.integer()}", f"$value = $table.get({d.pick(old, new)!r}, {d.pick(0, -1)})", f"$had = $table.pop({new!r}, None)",
        f"$table.setdefault({d.pick(old, new)!r}, {d.small()})", f"$table.update({{{new!r}: {d.small()}, {old!r}: {d.integer()}}})", f"$known = {d.pick(old, new)!r} in $table",
        "$keys = list($table)", "$values = list($table.values())", "$copy = dict($table)", f"$table = {{**$table, {new!r}: 0}}", f"$table = $table | {{{old!r}: {d.small()}}}",
        f"$table.setdefault({new!r}, 0)\n$table[{new!r}] += {d.small()}", "$pair = $table.popitem()", "$size = len($table)",
    ], d.r.randint(3, 5))  # fmt: skip
    kept = [s.split(" = ")[0] for s in steps if s.split(" = ")[0] in ("$value", "$had", "$known", "$keys", "$values", "$copy", "$pair", "$size")]
    return d.program("def $f($table):\n    $steps\n    return $result", f"$f({table})", steps="\n".join(steps), result=", ".join(["$table", *kept][-2:]))


@family
def letter_counts(d):
    """Characters counted: by a dict, `defaultdict`, `Counter`, and the most common one."""
    few = d.r.sample("abcdeostu", 3)
    value = d.pick("".join(d.pick(*few) for _ in range(d.r.randint(2, 7))), d.pick(*d.words()))
    text = d.pick("""
        def $f($text):
            $counts = {}
            for $c in $text:
                if $c not in $counts:
                    $counts[$c] = 0
                $counts[$c] += 1
            $best = max($counts.values())
            return [$c for $c, $n in $counts.items() if $n == $best]
        """, """
        from collections import defaultdict

        def $f($text):
            $counts = defaultdict(int)
            for $c in $text:
                $counts[$c] += 1
            return dict($counts)
        """, """
        from collections import Counter

        def $f($text):
            $counts = Counter($text)
            $top = $counts.most_common(1)
            return $top[0][0], sum($counts.values())
        """, """
        def $f($text):
            $counts = {$c: $text.count($c) for $c in $text}
            return sorted($counts.items(), key=lambda $pair: (-$pair[1], $pair[0]))
        """, """
        def $f($text):
            $best, $times = "", 0
            for $c in $text:
                $n = $text.count($c)
                if $n > $times:
                    $best, $times = $c, $n
            return $best * $times
        """, """
        def $f($text):
            $counts = dict.fromkeys($text, 0)
            for $c in $text:
                $counts[$c] += 1
            for $c in $text:
                if $counts[$c] == 1:
                    return $c
            return None
        """)  # fmt: skip
    if "return None" in text and d.r.random() < 0.4:
        value += value
    return d.program(text, f"$f({value!r})")


@family
def grouping(d):
    """Items put into groups by a key: `setdefault`, `defaultdict(list)`, `get`, plain tests."""
    items, key = d.pick((d.words(2, 5), "len($x)"), (d.words(2, 5), "$x[0]"), (d.ints(3, 6), "$x % $k"), (d.ints(3, 6), "$x // 10"), (d.ints(3, 6), "'even' if $x % 2 == 0 else 'odd'"), (d.ints(3, 6), "$x > 9"))
    text = d.pick("""
        def $f($items):
            $groups = {}
            for $x in $items:
                $groups.setdefault($key, []).append($x)
            return $groups
        """, """
        from collections import defaultdict

        def $f($items):
            $groups = defaultdict(list)
            for $x in $items:
                $groups[$key].append($x)
            return dict($groups)
        """, """
        def $f($items):
            $groups = {}
            for $x in $items:
                $name = $key
                if $name not in $groups:
                    $groups[$name] = []
                $groups[$name].append($x)
            return {$name: len($group) for $name, $group in $groups.items()}
        """, """
        def $g($x):
            return $key

        def $f($items):
            $groups = {}
            for $x in $items:
                $groups[$g($x)] = $groups.get($g($x), []) + [$x]
            return list($groups.values())
        """)  # fmt: skip
    if "$g" in text:
        items = items[:4]
    return d.program(text, f"$f({items})", key=key, k=d.pick(3, 4, 5))


@family
def inverted(d):
    """Keys and values exchanged; two lists made a dict; where each value came from."""
    table = {w: d.r.randint(1, 4) for w in d.some(2, 4)}
    text, args = d.pick(("""
        def $f($table):
            $turned = {}
            for $key, $value in $table.items():
                $turned[$value] = $key
            return $turned
        """, f"{table}"), ("""
        def $f($table):
            $turned = {}
            for $key, $value in $table.items():
                if $value in $turned:
                    $turned[$value].append($key)
                else:
                    $turned[$value] = [$key]
            return $turned
        """, f"{table}"), ("""
        def $f($names, $values):
            $table = dict(zip($names, $values))
            return {$value: $name for $name, $value in $table.items()}
        """, f"{list(table)}, {d.ints(2, 4)}"), ("""
        def $f($words):
            $index = {}
            for $place, $word in enumerate($words):
                $index.setdefault($word, []).append($place)
            return $index
        """, f"{[d.pick(*table) for _ in range(d.r.randint(2, 5))]}"), ("""
        def $f($table, $wanted):
            for $key, $value in $table.items():
                if $value == $wanted:
                    return $key
            return "none"
        """, f"{table}, {d.r.randint(1, 4)}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def merged_tables(d):
    """Two dicts joined: the second wins, values added, only shared keys, what differs."""
    words = d.some(4, 4)
    a, b = {w: d.r.randint(0, 40) for w in words[: d.r.randint(2, 3)]}, {w: d.r.randint(0, 40) for w in words[1 : d.r.randint(2, 4)]}
    text = d.pick("""
        def $f($a, $b):
            $both = $a.copy()
            for $key in $b:
                $both[$key] = $both.get($key, 0) + $b[$key]
            return $both
        """, """
        def $f($a, $b):
            $both = {**$a, **$b}
            return $both, len($both) - len($a)
        """, """
        def $f($a, $b):
            $shared = {}
            for $key, $value in $a.items():
                if $key in $b:
                    $shared[$key] = min($value, $b[$key])
            return $shared
        """, """
        def $f($a, $b):
            $changes = []
            for $key in $a:
                if $key not in $b:
                    $changes.append("-" + $key)
                elif $a[$key] != $b[$key]:
                    $changes.append("~" + $key)
            for $key in $b:
                if $key not in $a:
                    $changes.append("+" + $key)
            return $changes
        """, """
        def $f($a, $b):
            for $key, $value in $b.items():
                if $value > $a.get($key, 0):
                    $a[$key] = $value
            return $a
        """, """
        def $f($a, $b):
            $a |= $b
            return {$key: $a[$key] for $key in sorted($a)}
        """)  # fmt: skip
    if "'-'" in text or '"-"' in text:
        b = {k: d.pick(v, a.get(k, v)) for k, v in b.items()}
    return d.program(text, f"$f({a}, {b})")


@family
def records(d):
    """A list of small dicts: filtered, summed, one field taken, one record found."""
    rows = [{"name": w, "age": d.r.randint(5, 80)} for w in d.some(2, 3)]
    field = d.pick(("age", "points"), ("age", "price"), ("age", "size"))[1]
    rows = [{"name": r["name"], field: r["age"]} for r in rows]
    k = d.r.randint(10, 60)
    text = d.pick("""
        def $f($rows):
            $names = []
            for $row in $rows:
                if $row["$field"] >= $k:
                    $names.append($row["name"])
            return $names
        """, """
        def $f($rows):
            $total = sum($row["$field"] for $row in $rows)
            return $total // len($rows)
        """, """
        def $f($rows):
            $best = $rows[0]
            for $row in $rows[1:]:
                if $row["$field"] > $best["$field"]:
                    $best = $row
            return $best["name"]
        """, """
        def $f($rows):
            for $row in $rows:
                $row["$field"] += $n
                $row["high"] = $row["$field"] > $k
            return $rows[-1]
        """, """
        def $f($rows):
            $by_name = {$row["name"]: $row for $row in $rows}
            $last = $by_name[$rows[-1]["name"]]
            return $last["$field"], list($by_name)
        """, """
        def $f($rows):
            $rows.sort(key=lambda $row: -$row["$field"])
            return [f"{$row['name']}: {$row['$field']}" for $row in $rows]
        """)  # fmt: skip
    return d.program(text, f"$f({rows})", field=field, k=k, n=d.small())


@family
def nested_tables(d):
    """Dicts in dicts: read with defaults, built level by level, walked."""
    words = d.some(4, 4)
    a, b, c, e = words
    text, args = d.pick(("""
        def $f($table, $outer, $inner):
            if $outer in $table and $inner in $table[$outer]:
                return $table[$outer][$inner]
            return -1
        """, f"{ {a: {b: d.integer()}, c: {e: d.integer(), b: d.integer()}} }, {d.pick(a, c, e)!r}, {d.pick(b, b, e)!r}"), ("""
        def $f($table, $outer, $inner):
            return $table.get($outer, {}).get($inner, 0)
        """, f"{ {a: {b: d.integer()}, c: {}} }, {d.pick(a, c, e)!r}, {d.pick(b, e)!r}"), ("""
        def $f($rows):
            $table = {}
            for $who, $what, $count in $rows:
                $inner = $table.setdefault($who, {})
                $inner[$what] = $inner.get($what, 0) + $count
            return $table
        """, f"{[(d.pick(a, b), d.pick(c, e), d.r.randint(1, 9)) for _ in range(d.r.randint(2, 4))]}"), ("""
        def $f($table):
            $lines = []
            for $name, $inner in $table.items():
                for $key, $value in $inner.items():
                    $lines.append(f"{$name}.{$key}={$value}")
            return $lines
        """, f"{ {a: {b: d.integer()}, c: {e: d.integer(), b: d.r.randint(1, 9)}} }"), ("""
        def $f($table, $path, $value):
            $place = $table
            for $key in $path[:-1]:
                if $key not in $place:
                    $place[$key] = {}
                $place = $place[$key]
            $place[$path[-1]] = $value
            return $table
        """, f"{ {a: {b: d.integer()}} }, {d.pick([c, e], [a, e], [b], [c, e, b])}, {d.integer()}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def stock(d):
    """Things kept by name and number: added, taken, missing, reported."""
    table = {w: d.r.randint(0, 12) for w in d.some(2, 3)}
    name, count = d.pick(*table, *d.words(1, 1)), d.r.randint(1, 10)
    text, args = d.pick(("""
        def $f($stock, $name, $count):
            if $name not in $stock:
                return "unknown"
            if $stock[$name] < $count:
                return f"only {$stock[$name]}"
            $stock[$name] -= $count
            return $stock
        """, f"{table}, {name!r}, {count}"), ("""
        def $f($stock, $orders):
            $missing = {}
            for $name, $count in $orders.items():
                $left = $stock.get($name, 0) - $count
                if $left < 0:
                    $missing[$name] = -$left
                $stock[$name] = max($left, 0)
            return $missing
        """, f"{table}, { {name: count, d.pick(*d.words()): d.r.randint(1, 9)} }"), ("""
        def $f($stock, $prices):
            $total = 0
            for $name in $stock:
                $total += $stock[$name] * $prices.get($name, 1)
            return $total
        """, f"{table}, { {name: d.r.randint(2, 30)} }"), ("""
        def $f($stock, $limit):
            $low = [$name for $name, $count in $stock.items() if $count < $limit]
            for $name in $low:
                del $stock[$name]
            return $low, $stock
        """, f"{table}, {d.r.randint(2, 9)}"), ("""
        def $f($stock, $moves):
            for $name, $count in $moves:
                $stock[$name] = $stock.get($name, 0) + $count
                if not $stock[$name]:
                    $stock.pop($name)
            return $stock
        """, f"{table}, {[(name, count), (d.pick(*table), -d.pick(*table.values()))]}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def dispatch(d):
    """A dict of functions or lambdas, called by name."""
    words = d.some(3, 3)
    a, b, c = words
    name, x, y = d.pick(*words, d.pick(*d.words())), d.r.randint(1, 40), d.r.randint(1, 9)
    text = d.pick(f"""
        $OPERATIONS = {{
            {a!r}: lambda $x, $y: $x + $y,
            {b!r}: lambda $x, $y: $x - $y,
            {c!r}: lambda $x, $y: $x {d.pick('*', '//', '%')} $y,
        }}

        def $f($name, $x, $y):
            if $name in $OPERATIONS:
                return $OPERATIONS[$name]($x, $y)
            return None
        """, f"""
        def $g($x, $y):
            return $x {d.pick('+', '-', '*')} $y

        def $h($x, $y):
            return $x {d.pick('//', '%')} $y

        def $f($name, $x, $y):
            $table = {{{a!r}: $g, {b!r}: $h}}
            $action = $table.get($name, max)
            return $action($x, $y)
        """, f"""
        $STEPS = {{{a!r}: ($k, 1), {b!r}: (1, -$k), {c!r}: (2, 2)}}

        def $f($name, $x, $y):
            $times, $plus = $STEPS.get($name, (0, 0))
            $x = $x * $times + $plus
            return $x, $x - $y
        """, f"""
        $MENU = [({a!r}, str.upper), ({b!r}, str.title), ({c!r}, len)]

        def $f($name, $x, $y):
            for $key, $action in $MENU:
                if $key == $name:
                    return $action($name) * 2
            return $x
        """)  # fmt: skip
    return d.program(text, f"$f({name!r}, {x}, {y})", k=d.small())


@family
def votes(d):
    """Votes, scores and standings: counted, a winner, ties."""
    names = d.some(2, 3)
    ballots = [d.pick(*names) for _ in range(d.r.randint(2, 6))]
    games = [(*d.r.sample(names, 2), d.r.randint(0, 3), d.r.randint(0, 3)) for _ in range(d.r.randint(1, 3))]
    text, value = d.pick(("""
        def $f($votes):
            $counts = {}
            for $name in $votes:
                $counts[$name] = $counts.get($name, 0) + 1
            $most = max($counts.values())
            $winners = [$name for $name in $counts if $counts[$name] == $most]
            return $winners[0] if len($winners) == 1 else "tie"
        """, ballots), ("""
        def $f($votes):
            $leader = None
            $lead = 0
            for $name in $votes:
                if $lead == 0:
                    $leader = $name
                $lead += 1 if $name == $leader else -1
            return $leader, $lead
        """, ballots), ("""
        def $f($games):
            $points = {}
            for $home, $away, $a, $b in $games:
                $points.setdefault($home, 0)
                $points.setdefault($away, 0)
                if $a > $b:
                    $points[$home] += 3
                elif $a < $b:
                    $points[$away] += 3
                else:
                    $points[$home] += 1
                    $points[$away] += 1
            return $points
        """, games), ("""
        def $f($scores):
            $ranked = sorted($scores, key=$scores.get, reverse=True)
            $places = {}
            for $place, $name in enumerate($ranked, 1):
                $places[$name] = $place
            return $places
        """, {n: d.r.randint(1, 50) for n in names}))  # fmt: skip
    return d.program(text, f"$f({value})")


@family
def remembered(d):
    """Answers kept in a dict so that nothing is worked out twice."""
    text, args = d.pick(("""
        $memo = {}

        def $f($n):
            if $n in $memo:
                return $memo[$n]
            if $n < 2:
                $result = $n
            else:
                $result = $f($n - 1) $op $f($n - 2)
            $memo[$n] = $result
            return $result
        """, d.r.randint(2, 5)), ("""
        def $g($n, $known):
            if $n not in $known:
                $known[$n] = $g($n - 1, $known) $op $n
            return $known[$n]

        def $f($n):
            $known = {0: $k}
            $first = $g($n, $known)
            $second = $g($n - 1, $known)
            return $first, $second
        """, d.r.randint(2, 5)), ("""
        from functools import lru_cache

        @lru_cache(maxsize=None)
        def $f($n):
            if $n <= 1:
                return $k
            return $f($n - 1) + $f($n // 2)
        """, d.r.randint(2, 6)), ("""
        def $f($values):
            $known, $hits = {}, 0
            for $x in $values:
                if $x in $known:
                    $hits += 1
                else:
                    $known[$x] = $x ** 2 - $k
            return $known, $hits
        """, [d.r.randint(1, 12) for _ in range(d.r.randint(2, 3))] * d.pick(1, 2)))  # fmt: skip
    return d.program(text, f"$f({args})", op=d.pick("+", "+", "-", "*"), k=d.small(1, 9))


@family
def table_filters(d):
    """A new dict from an old one: kept, changed, sorted, renamed, extremes by value."""
    table = d.table(2, 4)
    body = d.pick(
        "return {$key: $value for $key, $value in $table.items() if $value $op $k}",
        "$out = {}\nfor $key, $value in $table.items():\n    if $value % 2 == 0:\n        $out[$key] = $value // 2\n    else:\n        $out[$key] = $value * 3\nreturn $out",
        "$best = max($table, key=$table.get)\n$worst = min($table, key=lambda $key: $table[$key])\nreturn $best, $worst, $table[$best] - $table[$worst]",
        "$ordered = sorted($table.items(), key=lambda $item: $item[1])\nreturn dict($ordered[:2])",
        "return {$key.upper(): [$value, len($key)] for $key, $value in $table.items()}",
        "for $key in list($table):\n    if $table[$key] $op $k:\n        del $table[$key]\nreturn $table",
        "$total = sum($table.values())\nif $total == 0:\n    return {}\nreturn {$key: 100 * $value // $total for $key, $value in $table.items()}",
        "$longest = max(len($key) for $key in $table)\nreturn [$key.ljust($longest, '.') + str($table[$key]) for $key in $table]",
        "$names = sorted($table)\n$out = []\nfor $name in $names:\n    $out.append(($name, $table[$name]))\nreturn $out",
    )
    if "{}" in body and "100" in body and d.r.random() < 0.3:
        table = dict.fromkeys(table, 0)
    return d.program("def $f($table):\n    $body", f"$f({table})", body=body, op=d.pick("<", ">", ">="), k=d.r.randint(3, 40))


@family
def missing_keys(d):
    """Keys that are not there: `KeyError` caught, `get`, `in`, defaults, `pop`."""
    table = d.table(1, 3)
    names = [d.pick(*table), d.pick(*d.words()), d.pick(*d.words(), *table)][: d.r.randint(2, 3)]
    text = d.pick("""
        def $f($table, $names):
            $found = []
            for $name in $names:
                try:
                    $found.append($table[$name])
                except KeyError:
                    $found.append(None)
            return $found
        """, """
        def $f($table, $names):
            $missing = 0
            for $name in $names:
                $value = $table.get($name)
                if $value is None:
                    $missing += 1
                    continue
                $table[$name] = $value + 1
            return $missing, $table
        """, """
        def $f($table, $names):
            $total = 0
            for $name in $names:
                $total += $table.pop($name, $k)
            return $total, len($table)
        """, """
        def $g($table, $name, default=$k):
            if $name in $table:
                return $table[$name]
            return default

        def $f($table, $names):
            return [$g($table, $name) for $name in $names] + [$g($table, "?", default=0)]
        """, """
        def $f($table, $names):
            try:
                return sum($table[$name] for $name in $names)
            except KeyError as error:
                return f"no {error.args[0]}"
        """)  # fmt: skip
    if "sum(" in text:
        names = d.pick(names, [*table])
    return d.program(text, f"$f({table}, {names})", k=d.small())


@family
def ledgers(d):
    """Accounts in a dict: moves between them, refusals, a history."""
    names = d.some(2, 3)
    accounts = {n: d.r.randint(0, 90) for n in names}
    moves = [(*d.r.sample(names, 2), d.r.randint(1, 60)) for _ in range(d.r.randint(1, 3))]
    text = d.pick("""
        def $f($accounts, $moves):
            $refused = []
            for $source, $target, $amount in $moves:
                if $accounts[$source] < $amount:
                    $refused.append(($source, $amount))
                    continue
                $accounts[$source] -= $amount
                $accounts[$target] += $amount
            return $accounts, $refused
        """, """
        def $g($accounts, $source, $target, $amount):
            if $accounts[$source] < $amount:
                return False
            $accounts[$source] -= $amount
            $accounts[$target] = $accounts.get($target, 0) + $amount
            return True

        def $f($accounts, $moves):
            $done = [$g($accounts, *$move) for $move in $moves]
            return $done, $accounts
        """, """
        def $f($accounts, $moves):
            $history = {$name: [] for $name in $accounts}
            for $move in $moves:
                $history[$move[0]].append(-$move[2])
                $history[$move[1]].append($move[2])
            return {$name: $accounts[$name] + sum($history[$name]) for $name in $accounts}
        """)  # fmt: skip
    return d.program(text, f"$f({accounts}, {moves})")
