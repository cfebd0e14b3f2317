"""Text tables and reports: widths, alignment, totals, bars, invoices, wrapped lines."""

from ..registry import family

PRICES = [("pen", 2), ("cup", 7), ("lamp", 31), ("rug", 48), ("key", 3), ("book", 12), ("ink", 5), ("sofa", 240)]


@family
def aligned_table(d):
    """Rows printed in columns by format widths."""
    row = d.pick(
        'print(f"{$name:<{{5..8}}}{$n:>{{3..5}}}")',
        'print($name.ljust({{5..7}}, {{" "|"."}}) + str($n).rjust({{3..4}}))',
        'print(f"| {$name:^{{6|7}}} | {$n:{{02|03|4}}} |")',
        '$cell = str($n).zfill({{2|3}})\nprint($name[:4] + {{": "|" - "}} + $cell)',
    )
    return d.make("""
        $rows = $given
        $total = 0
        for $name, $n in $rows:
            $row
            $total += $n
        print({{"-"|"="}} * {{8..12}})
        print(f"$label{$total:{{5|4}}}")
        """, label=d.pick("total", "{'sum':>7}", "{'all':<6}"), given=[(n, p * d.r.randint(1, 5)) for n, p in d.r.sample(PRICES, d.r.randint(2, 3))], row=row)


@family
def invoice(d):
    """Quantities times prices, a discount, tax in whole cents."""
    off = d.pick(
        "if $sum > {{30..90}}:\n    $sum = $sum * {{9|8}} // 10",
        "$sum -= {{3|5}} if $sum >= {{20..60}} else 0",
        "$rate = 10 if $sum > {{40..99}} else {{0|5}}\n$sum -= $sum * $rate // 100",
    )
    return d.make("""
        $PRICES = $prices

        def $bill($order):
            $lines, $sum = [], 0
            for $name, $n in $order.items():
                $cost = $PRICES{{[$name]|.get($name, 0)}} * $n
                $lines.append(f"{$n} x {$name} = {$cost}")
                $sum += $cost
            $off
            $lines.append(f"total {$sum}")
            return {{$lines|"\\n".join($lines)|$lines[-1]|"; ".join($lines)}}
        """, "$bill($order_)", prices=dict(few := d.r.sample(PRICES, 3)), off=off, order_={n: d.r.randint(1, 4) for n, _ in few[: d.r.randint(1, 3)]})


@family
def bar_chart(d):
    """Bars of repeated marks, scaled or not."""
    bar = d.pick("'{{#|*|=}}' * $n", "'{{#|*|o}}' * ($n * {{5|8|10}} // $top)", "'|' * ($n // {{2|3}}) + '.' * ($n % 2)", "('{{=|-}}' * $n)[:{{4..6}}]")
    return d.make("""
        def $chart($data):
            $top = max($data.values())
            $lines = []
            for $label, $n in {{$data.items()|sorted($data.items())|sorted($data.items(), key=lambda $kv: -$kv[1])}}:
                $lines.append(f"{$label:{{4|<5|>4}}}|" + $bar)
            return {{$lines|"\\n".join($lines)}}
        """, "$chart($given)", bar=bar, given={w: d.r.randint(1, 9) for w in d.r.sample(["cat", "dog", "ox", "bee", "ant"], d.r.randint(2, 3))})


@family
def word_wrap(d):
    """Words put on lines of a limited length."""
    words = d.words(3, 6)
    body = d.pick(
        "$line = ''\nfor $word in $text.split():\n    if $line and len($line) + len($word) + 1 > $width:\n        $lines.append($line)\n        $line = $word\n    else:\n        $line = f'{$line} {$word}'.strip()\n$lines.append($line)",
        "$row, $used = [], 0\nfor $word in $text.split():\n    if $used + len($word) > $width:\n        $lines.append(' '.join($row))\n        $row, $used = [], 0\n    $row.append($word)\n    $used += len($word) + 1\nif $row:\n    $lines.append(' '.join($row))",
        "while len($text) > $width:\n    $cut = $text.rfind(' ', 0, $width + 1)\n    if $cut <= 0:\n        $cut = $width\n    $lines.append($text[:$cut])\n    $text = $text[$cut:].strip()\n$lines.append($text)",
    )
    return d.make("""
        def $wrap($text, $width):
            $lines = []
            $body
            return $lines
        """, "$wrap($given, {{5..12}})", body=body, given=repr(" ".join(words)[:26].strip()))


@family
def grade_report(d):
    """Marks to letters by thresholds, averages with a fixed number of decimals."""
    grade = d.pick(
        "if $avg >= {{80..90}}:\n    $letter = 'A'\nelif $avg >= {{60..75}}:\n    $letter = 'B'\nelse:\n    $letter = {{'C'|'F'}}",
        "for $limit, $letter in [(85, 'A'), (70, 'B'), (0, 'C')]:\n    if $avg >= $limit:\n        break",
        "$letter = 'A' if $avg > {{80|85}} else 'B' if $avg > {{60|65}} else 'C'",
        "$letter = 'FFDCBAA'[max(0, ($avg - 40) // 10)] if $avg < 101 else '?'",
    )
    return d.make("""
        def $report($marks):
            $out = []
            for $name, $points in $marks.items():
                $avg = sum($points) // len($points)
                $grade
                $out.append(f"{$name}: $shown")
            return $out
        """, "$report($given)", grade=grade, shown=d.pick("{$letter}", "{$avg} {$letter}", "{$avg:.1f}{$letter}"),
        given={n: d.numbers(d.r.randint(1, 3), 40, 100) for n in d.r.sample(["Ann", "Bob", "Cy"], d.r.randint(1, 3))})  # fmt: skip


@family
def crosstab(d):
    """A table of counts by two keys, rows and columns sorted."""
    rows = [(d.pick("a", "b"), d.pick("x", "y", "z")) for _ in range(d.r.randint(2, 5))]
    count, shown = d.pick(
        ("$table.setdefault($r, {})\n$table[$r][$c] = $table[$r].get($c, 0) + 1", "[($r, sorted($t.items())) for $r, $t in sorted($table.items())]"),
        ("$key = ($r, $c)\n$table[$key] = $table.get($key, 0) + 1", "sorted($table.items(), {{reverse=True|key=lambda $kv: -$kv[1]}})"),
        ("if $r not in $table:\n    $table[$r] = [0, 0, 0]\n$table[$r]['xyz'.index($c)] += 1", "{$r: sum($n) for $r, $n in $table.items()}"),
    )
    return d.make("""
        def $tabulate($pairs):
            $table = {}
            for $r, $c in $pairs:
                $count
            return $shown
        """, "$tabulate($given)", count=count, shown=d.pick(shown, shown, "$table"), given=rows)


@family
def receipt_lines(d):
    """Amounts in cents shown as money, with change in coins."""
    body = d.pick(
        "$out = []\nfor $coin in ({{50, 20, 10, 5, 2, 1|25, 10, 5, 1|20, 5, 1}}):\n    $n, $left = divmod($left, $coin)\n    if $n:\n        $out.append(f'{$n}x{$coin}')\nreturn $out",
        "$whole, $cents = divmod($left, 100)\nif $cents == 0:\n    return f'{$whole}.-'\nreturn f'{$whole}.{$cents:02}'", "$coins = {}\nfor $coin in [50, 20, 10, 5, 1]:\n    while $left >= $coin:\n        $coins[$coin] = $coins.get($coin, 0) + 1\n        $left -= $coin\nreturn $coins",
    )
    return d.make("""
        def $change($price, $paid):
            $left = $paid - $price
            if $left < 0:
                return {{None|"short"|f"short {-$left}"}}
            $body
        """, "$change($p0, $p1)", body=body, p0=(p := d.r.randint(5, 400)), p1=max(1, p + d.pick(-7, d.r.randint(0, 99), d.r.randint(0, 60), 100, 0)))


@family
def markdown_list(d):
    """A nested structure written as lines with indents or numbers."""
    body = d.pick(
        "for $i, $item in enumerate($items, 1):\n    if isinstance($item, list):\n        $lines += $outline($item, $depth + 1)\n    else:\n        $lines.append({{'  '|'-'}} * $depth + f'{$i}. {$item}')", "for $item in $items:\n    if type($item) is list:\n        $lines.extend($outline($item, $depth + 1))\n        continue\n    $lines.append({{'#'|'*'|'-'}} * ($depth + 1) + ' ' + $item{{|.title()|.upper()}})",
    )
    nested = [d.words(1, 1)[0], d.words(1, 2), *d.words(0, 1)]
    return d.make("""
        def $outline($items, $depth=0):
            $lines = []
            $body
            return $lines

        def $run($items):
            return {{$outline($items)|"\\n".join($outline($items))}}
        """, "$run($given)", body=body, given=nested)


@family
def summary_statistics(d):
    """Count, mean, median, range and mode in a small dict or text."""
    lines = d.r.sample(["$stats['n'] = len($xs)", "$stats['mean'] = sum($xs) / len($xs)", "$stats['mid'] = $xs[len($xs) // 2]", "$stats['span'] = $xs[-1] - $xs[0]",
                        "$stats['mode'] = max($xs, key=$xs.count)", "$stats['odd'] = sum($x % 2 for $x in $xs)"], d.r.randint(2, 3))
    return d.make("""
        def $summary($xs):
            if not $xs:
                return {{None|0|"no data"}}
            $xs = sorted($xs)
            $stats = {}
            $lines
            return $last
        """, "$summary($given)", lines="\n".join(lines), given=d.pick([], d.numbers(d.r.choice([1, 2, 4, 5]), 0, 12), d.numbers(4, 0, 9)),
        last=d.pick("$stats", "', '.join(f'{$k}={$v}' for $k, $v in $stats.items())", "list($stats.values())"))  # fmt: skip


@family
def time_sheet(d):
    """Minutes to hours and minutes; a log of starts and ends summed by person."""
    entries = []
    for _ in range(d.r.randint(1, 3)):
        start = d.r.randint(480, 700)
        entries.append((d.pick("ann", "bob", "cy"), start, start + d.r.randint(10, 300)))
    show = d.pick("f'{$m // 60}:{$m % 60:02}'", "divmod($m, 60)", "f'{$m / 60:.1f}h'", "'%dh %dm' % divmod($m, 60)")
    return d.make("""
        def $show_time($m):
            return $show

        def $sheet($entries):
            $by_name = {}
            for $name, $start, $end in $entries:
                {{$minutes = $end - $start|$minutes = ($end - $start) // 15 * 15|$minutes = max($end - $start, 30)}}
                $by_name[$name] = $by_name.get($name, 0) + $minutes
            return {$name: $show_time($m) for $name, $m in sorted($by_name.items())}
        """, "$sheet($given)", show=show, given=entries)


@family
def box_drawing(d):
    """A text in a frame; boxes and triangles of characters."""
    kind = d.pick("frame", "triangle", "checker", "hollow")
    body, arg = {
        "frame": ("$width = max(len($w) for $w in $arg)\n$lines = ['+' + '-' * $width + '+']\nfor $w in $arg:\n    $lines.append('|' + $w.{{ljust|center|rjust}}($width) + '|')\n$lines.append($lines[0])", d.words(1, 3)),
        "triangle": ("$lines = []\nfor $i in range(1, $arg + 1):\n    $pad = ' ' * ($arg - $i)\n    $lines.append({{$pad + '*' * (2 * $i - 1)|$pad + '/' * $i|'*' * $i + $pad}})", d.r.randint(1, 4)),
        "checker": ("$lines = []\nfor $r in range($arg):\n    $row = ''\n    for $c in range({{2..3}}):\n        $row += {{'#.'|'XO'|'01'}}[($r + $c) % 2]\n    $lines.append($row)", d.r.randint(1, 3)),
        "hollow": ("$lines = []\nfor $r in range($arg):\n    if $r in (0, $arg - 1):\n        $lines.append('{{#|*}}' * $arg)\n    else:\n        $lines.append('#' + ' ' * ($arg - 2) + '#')", d.r.randint(2, 4)),
    }[kind]
    return d.make("""
        def $draw_it($arg):
            $body
            return {{$lines|"\\n".join($lines)|$lines[-1], len($lines)}}
        """, "$draw_it($given)", body=body, given=arg)


@family
def diff_of_dicts(d):
    """What was added, removed and changed between two dicts, as lines."""
    old = {k: d.r.randint(1, 9) for k in d.r.sample("abcd", d.r.randint(1, 3))}
    new = {k: d.pick(old.get(k, 5), d.r.randint(1, 9)) for k in d.r.sample("abcd", d.r.randint(1, 3))}
    body = d.pick(
        "for $k in sorted($old.keys() | $new.keys()):\n    if $k not in $old:\n        $out.append(f'+{$k}')\n    elif $k not in $new:\n        $out.append(f'-{$k}')\n    elif $old[$k] != $new[$k]:\n        $out.append(f'{$k}:{$old[$k]}->{$new[$k]}')",
        "for $k, $v in $new.items():\n    $before = $old.pop($k, None)\n    if $before is None:\n        $out.append(('add', $k))\n    elif $before != $v:\n        $out.append(('set', $k, $v - $before))\n$out += [('del', $k) for $k in $old]",
    )
    return d.make("""
        def $diff($old, $new):
            $out = []
            $body
            return {{$out or None|$out|len($out), $out}}
        """, "$diff($a0, $b0)", body=body, a0=old, b0=new)
