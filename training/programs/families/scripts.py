"""Scripts: code at the module's level, as people write small tools, with prints and a main guard."""

from ..registry import family


@family
def todo_script(d):
    """A list of dicts changed and printed at the module's level."""
    tasks = [{"what": w, "done": d.r.random() < 0.4} for w in d.r.sample(["wash", "cook", "read", "call", "shop"], d.r.randint(2, 3))]
    change = d.pick(
        "$tasks[{{0|1|-1}}]['done'] = True",
        "for $t in $tasks:\n    if $t['what'][0] in {{'wc'|'rs'|'cs'}}:\n        $t['done'] = True",
        "$tasks = [$t for $t in $tasks if not $t['done']]",
    )
    return d.make("""
        $tasks = $given
        $more
        $change
        $left = 0
        for $t in $tasks:
            {{$mark = "x" if $t["done"] else " "|$mark = " x"[$t["done"]]}}
            $left += not $t["done"]
            print(f"[{$mark}] {$t['what']}")
        print($left, "left")
        """, change=change, given=tasks, more=d.pick("", "$tasks.append({'what': {{@word}}, 'done': False})"))


@family
def constants_and_main(d):
    """Constants in capitals, functions, and `main` under the guard."""
    body = d.pick(
        "$area = $LIMIT * $x\nreturn $area {{+|-}} $RATE",
        "if $x > $LIMIT:\n    return $LIMIT\nreturn $x * $RATE // 100",
        "$parts = [$x // $RATE, $x % $RATE]\nreturn sum($parts) {{*|-}} $LIMIT",
    )
    return d.make('''
        """{{Works out a price|Small helper|Example}}."""

        $LIMIT = {{5..40}}
        $RATE = {{3..20}}


        def $compute($x):
            $body


        def main():
            $results = []
            for $value in {{@ints 1 3}}:
                $results.append($compute($value))
            print({{$results|*$results|max($results)|"sum", sum($results)}})


        if __name__ == "__main__":
            main()
        ''', body=body)


@family
def letter_statistics(d):
    """Counting letters of a text straight in the module, most frequent first."""
    count = d.pick(
        "$counts = {}\nfor $ch in $text:\n    if $ch.isalpha():\n        $counts[$ch] = $counts.get($ch, 0) + 1",
        "from collections import Counter\n$counts = Counter($text.replace(' ', ''))",
        "$counts = {$ch: $text.count($ch) for $ch in sorted(set($text)) if $ch != ' '}",
    )
    show = d.pick(
        "for $ch in sorted($counts)[:3]:\n    print($ch, $counts[$ch])",
        "$top = max($counts.values())\nprint($top, sorted($ch for $ch in $counts if $counts[$ch] == $top))",
        "$best, $n = sorted($counts.items(), key=lambda $kv: (-$kv[1], $kv[0]))[0]\nprint(f'{$best} {$n}', len($counts))",
    )
    return d.make("""
        $text = $given
        $count
        $show
        """, count=count, show=show, given=repr(" ".join(d.words(1, 2))))


@family
def menu_commands(d):
    """Choices read from a list instead of the keyboard, until one quits."""
    choices = [d.pick("1", "2", "3", "9") for _ in range(d.r.randint(1, 3))] + ["q"]
    items = {"1": "$total += {{2..20}}", "2": "$total *= {{2|3}}", "3": "$total = {{0..9}}"}
    chain = "\n".join(f"{'if' if k == '1' else 'elif'} $choice == {k!r}:\n    {v}" for k, v in items.items())
    loop = d.pick(
        "while True:\n    $choice = $inputs.pop(0)\n    if $choice == 'q':\n        break\n    $chain\n    else:\n        print({{'?'|'what'}})",
        "$at = 0\nwhile ($choice := $inputs[$at]) != 'q':\n    $at += 1\n    $chain\n    else:\n        continue\n    print($total)",
    )
    return d.make("""
        $inputs = $given
        $total = {{1..9}}
        $loop
        print({{"total", $total|f"{$total}!"|"bye"}})
        """, loop=loop, chain=chain, given=choices)


@family
def temperature_table(d):
    """A table of conversions from a loop over a range."""
    convert = d.pick("$c * 9 // 5 + 32", "$c + 273", "$c * {{3|5}} // {{2|4}} - {{1..9}}", "round($c * 1.6, 1)")
    show = d.pick("print($c, $f)", 'print(f"{$c:3} -> {$f:4}")', 'print(str($c) + "C", "=", $f)', "$rows.append(($c, $f))")
    return d.make("""
        $rows = []
        $step = {{5..15}}
        for $c in range({{-10..10}}, {{20..30}}, $step):
            $f = $convert
            $show
        print({{len($rows)|$step|"end"}})
        """, convert=convert, show=show)


@family
def address_book(d):
    """A dict of records: look up, change, delete, list."""
    people = d.r.sample(["ann", "bob", "cy", "dee"], 3)
    book = {p: {"age": d.r.randint(18, 60), "city": d.pick("Rome", "Oslo", "Lima")} for p in people[:2]}
    steps = [f"$book[{people[0]!r}]['age'] += {{{{1..5}}}}", f"$book[{people[2]!r}] = {{'age': {{{{20..50}}}}, 'city': 'Kyiv'}}", f"$gone = $book.pop({d.pick(*people)!r}, None)\nprint($gone is None)",
             f"if {d.pick(*people)!r} in $book:\n    $book[{people[0]!r}]['city'] = 'Bern'", f"print($book.get({d.pick(*people)!r}, {{}}).get('city', '-'))"]
    return d.make("""
        $book = $given
        $steps
        for $name, $info in {{$book.items()|sorted($book.items())}}:
            print($name.title(), {{$info["age"]|$info["city"]|f"{$info['age']} {$info['city'][0]}"|*$info.values()}})
        """, given=book, steps="\n".join(d.r.sample(steps, d.r.randint(1, 2))))


@family
def prime_printer(d):
    """Prime numbers by trial division in nested loops with `else`."""
    inner = d.pick(
        "for $k in range(2, $n):\n    if $n % $k == 0:\n        break\nelse:\n    $found.append($n)",
        "$is_prime = $n > 1\nfor $k in range(2, int($n ** 0.5) + 1):\n    if $n % $k == 0:\n        $is_prime = False\nif $is_prime:\n    $found.append($n)",
        "if all($n % $p for $p in $found):\n    $found.append($n)",
    )
    start, gap = d.pick((2, 1), (2, 1), (3, 2), (5, 2))
    return d.make("""
        $found = []
        $n = $start
        while len($found) < {{2..4}}:
            $inner
            $n += $gap
        print($found, {{sum($found)|$n|$found[-1] * 2}})
        """, inner=inner, start=start, gap=gap)


@family
def swap_and_rotate(d):
    """Names bound and rebound: swaps, rotation, aliases, copies."""
    lines = d.r.sample(["$a, $b = $b, $a", "$a, $b, $c = $b, $c, $a", "$temp = $a\n$a = $b\n$b = $temp", "$a, *$rest = [$b, $c, $a]\n$b = len($rest)", "$c = $a if $a {{<|>}} $b else $b", "$a = $b = $c {{+|-}} {{1..5}}", "$a += $b\n$b = $a - $b\n$a -= $b"], d.r.randint(2, 4))
    return d.make("""
        $a = {{0..50}}
        $b = {{0..50}}
        $third
        $lines
        print($a, $b, $c)
        """, third=d.pick("$c = $a {{+|*|-}} $b", "$c = {{0..20}}"), lines="\n".join(lines))


@family
def aliasing_lists(d):
    """Two names for one list against a copy; nested lists shared."""
    how = d.pick("$b = $a", "$b = $a[:]", "$b = list($a)", "$b = $a\n$a = $a + [{{1..9}}]", "$b = [$a, $a]", "$b = [$a] * 2", "$b = $a.copy()")
    deep = "[$a" in how
    change = d.pick("$a.append({{10..30}})", "$a[0] = {{10..30}}", "$a += [{{10..30}}]", "$a.pop()", "del $a[0]", "$a[1:] = [{{5..9}}]") if not deep else d.pick("$b[0].append({{10..30}})", "$b[1][0] = {{10..30}}", "$b[0] = [{{1..5}}]")
    return d.make("""
        $a = {{@small 2 4}}
        $how
        $change
        print($a, $b)
        print($a is $b, $a == $b)
        $b.{{append($a[0])|reverse()|pop(0)}}
        print(len($a), len($b))
        """, how=how, change=change)


@family
def loop_with_status(d):
    """A flag and a counter in a while loop over a list of readings."""
    body = d.pick(
        "if $r < 0:\n    $ok = False\n    break\n$sum += $r",
        "if $r > {{6..9}} and not $alarm:\n    $alarm = True\n    print('alarm', $i)\nelif $r < 3:\n    $alarm = False\n$sum += $alarm",
        "if $r == $last:\n    $same += 1\nelse:\n    $same = 0\n$last = $r\n$sum = max($sum, $same)",
    )
    return d.make("""
        $readings = $given
        $i = $sum = $same = 0
        $ok, $alarm, $last = True, False, None
        while $i < len($readings):
            $r = $readings[$i]
            $i += 1
            $body
        print({{$sum, $ok|"ok" if $ok else "bad at " + str($i)|f"{$sum} {$ok}"}})
        """, body=body, given=d.numbers(d.r.randint(2, 4), -1, 10))


@family
def global_settings(d):
    """Functions that read, shadow and change module variables."""
    change = d.pick(
        "global $level\n$level += $n",
        "$level = $n * 2\n$seen.append($level)",
        "global $level, $calls\n$calls += 1\n$level = $level * 2 - $n",
        "$seen.append($level + $n)",
    )
    return d.make("""
        $level = {{1..9}}
        $calls = 0
        $seen = []

        def $change_it($n={{1..5}}):
            $change

        $change_it()
        $between
        $change_it({{3..12}})
        print($level, $calls, $seen)
        """, change=change, between=d.pick("$change_it({{2..9}})", "$level += 1", ""))


@family
def exit_codes(d):
    """A `main` that checks its arguments and returns a code early, or goes on."""
    args = d.pick([], ["x"], ["3"], ["2", "5"], ["7", "4"], ["a", "1"], ["12"])
    return d.make("""
        def main($args):
            if {{not $args|len($args) < 1}}:
                print({{"usage: N"|"no arguments"}})
                return {{1|2}}
            $numbers = {{[int($a) for $a in $args if $a.isdigit()]|[int($a) if $a.isdigit() else 0 for $a in $args]}}
            if len($numbers) {{!=|<}} {{1..2}}:
                print("expected another count", len($numbers))
                return {{3|len($args)}}
            $first, *$others = $numbers
            for $n in $others:
                $first {{+=|*=|-=}} $n
            print("result:", $first)
            return 0

        $code = main($given)
        print("exit", $code)
        """, given=args)
