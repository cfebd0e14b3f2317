"""Known algorithms on small inputs: dynamic programming, graphs, windows, bits, ciphers."""

from ..registry import family


def small_graph(d, weighted=False):
    """A directed graph of letters, mostly forward, as a dict of lists or dicts."""
    nodes = "abcde"[: d.r.randint(3, 4)]
    graph = {}
    for i, node in enumerate(nodes):
        others = [n for n in nodes if n != node and (n > node or d.r.random() < 0.2)]
        to = d.r.sample(others, min(len(others), d.r.randint(1, 2))) if others else []
        graph[node] = {n: d.r.randint(1, 9) for n in to} if weighted else to
    return graph


@family
def sieve(d):
    """The sieve of Eratosthenes, with flags or with a list that shrinks."""
    body = d.pick(
        "$flags = [True] * ($n + 1)\nfor $p in range(2, $n + 1):\n    if not $flags[$p]:\n        continue\n    $found.append($p)\n    for $m in range($p * $p, $n + 1, $p):\n        $flags[$m] = False",
        "$rest = list(range(2, $n + 1))\nwhile $rest:\n    $p = $rest[0]\n    $found.append($p)\n    $rest = [$x for $x in $rest[1:] if $x % $p]",
        "$crossed = set()\nfor $p in range(2, $n + 1):\n    if $p not in $crossed:\n        $found.append($p)\n        $crossed.update(range(2 * $p, $n + 1, $p))",
    )
    return d.make("""
        def $primes_to($n):
            $found = []
            $body
            return {{$found|len($found)|sum($found)|$found[-1:]}}
        """, "$primes_to({{2..13}})", body=body)


@family
def coin_dp(d):
    """The fewest coins, or the number of ways, by a table over all smaller amounts."""
    body = d.pick(
        "$best = [0] + [{{99|50}}] * $amount\nfor $a in range(1, $amount + 1):\n    for $c in $coins:\n        if $c <= $a:\n            $best[$a] = min($best[$a], $best[$a - $c] + 1)\nreturn {{$best[$amount]|$best}}",
        "$ways = [1] + [0] * $amount\nfor $c in $coins:\n    for $a in range($c, $amount + 1):\n        $ways[$a] += $ways[$a - $c]\nreturn {{$ways|$ways[-1]}}",
        "$reach = {0}\nfor $step in range(1, $amount + 1):\n    $reach = {$r + $c for $r in $reach for $c in $coins if $r + $c <= $amount}\n    if $amount in $reach:\n        return $step\nreturn {{-1|None}}",
    )
    return d.make("""
        def $count_coins($coins, $amount):
            $body
        """, "$count_coins($given, {{2..6}})", body=body, given=sorted(d.r.sample([1, 2, 3, 4, 5], 2)))


@family
def knapsack(d):
    """Things with weight and worth in a limited bag: recursion or a row of best values."""
    body = d.pick(
        "$best = [0] * ($room + 1)\nfor $weight, $worth in $things:\n    for $r in range($room, $weight - 1, -1):\n        $best[$r] = max($best[$r], $best[$r - $weight] + $worth)\nreturn {{$best[$room]|$best}}",
        "if not $things:\n    return 0\n($weight, $worth), *$rest = $things\n$without = $pack($rest, $room)\nif $weight > $room:\n    return $without\nreturn max($without, $worth + $pack($rest, $room - $weight))",
        "$total = 0\nfor $weight, $worth in sorted($things, key=lambda $t: $t[1] / $t[0], reverse=True):\n    if $weight > $room:\n        continue\n    $room -= $weight\n    $total += $worth\nreturn $total, $room",
    )
    return d.make("""
        def $pack($things, $room):
            $body
        """, "$pack($given, {{3..7}})", body=body, given=[(d.r.randint(1, 5), d.r.randint(2, 20)) for _ in range(d.r.randint(2, 3))])


@family
def breadth_first(d):
    """Distances or a path in a small graph given as a dict."""
    body = d.pick(
        "$dist = {$start: 0}\n$queue = [$start]\nwhile $queue:\n    $node = $queue.pop(0)\n    for $n in $graph.get($node, []):\n        if $n not in $dist:\n            $dist[$n] = $dist[$node] + 1\n            $queue.append($n)\nreturn {{$dist.get($goal)|$dist|$dist.get($goal, -1)}}",
        "$paths = [[$start]]\nwhile $paths:\n    $path = $paths.pop(0)\n    if $path[-1] == $goal:\n        return {{$path|len($path)|'-'.join($path)}}\n    for $n in $graph[$path[-1]]:\n        if $n not in $path:\n            $paths.append($path + [$n])\nreturn None",
        "$came = {$start: None}\n$queue = [$start]\nfor $node in $queue:\n    for $n in $graph[$node]:\n        if $n not in $came:\n            $came[$n] = $node\n            $queue.append($n)\n$path = []\nwhile $goal in $came and $goal is not None:\n    $path.append($goal)\n    $goal = $came[$goal]\nreturn $path[::-1]",
    )
    graph = small_graph(d)
    return d.make("""
        def $search($graph, $start, $goal):
            $body
        """, "$search($given, $one, $two)", body=body, given=graph, one=repr(d.pick(*list(graph)[:2])), two=repr(d.pick(*graph)))


@family
def depth_first(d):
    """Reachable nodes, a cycle, or the order of finishing, by recursion or a stack."""
    body = d.pick(
        "$seen = []\ndef $visit_it($node):\n    if $node in $seen:\n        return\n    $seen.append($node)\n    for $n in $graph[$node]:\n        $visit_it($n)\n$visit_it($start)\nreturn {{$seen|len($seen)|sorted(set($graph) - set($seen))}}",
        "$stack, $seen = [$start], []\nwhile $stack:\n    $node = $stack.pop()\n    if $node not in $seen:\n        $seen.append($node)\n        $stack.extend({{reversed($graph[$node])|$graph[$node]}})\nreturn $seen",
        "$order, $active = [], []\ndef $visit_it($node):\n    if $node in $active:\n        return True\n    $active.append($node)\n    $loops = any($visit_it($n) for $n in $graph[$node] if $n not in $order)\n    $active.remove($node)\n    $order.append($node)\n    return $loops\nreturn $visit_it($start), $order",
    )
    return d.make("""
        def $explore($graph, $start):
            $body
        """, "$explore($given, {{'a'|'a'|'b'}})", body=body, given=small_graph(d))


@family
def topological_order(d):
    """Jobs in an order that respects what they wait for."""
    jobs = d.r.sample(["wash", "dry", "iron", "fold", "pack"], 3)
    needs = {job: d.r.sample(jobs[:i], d.r.randint(0, min(i, 2))) for i, job in enumerate(jobs)}
    needs = {job: needs[job] for job in d.r.sample(jobs, len(jobs))}
    if d.r.random() < 0.4:  # a cycle
        needs[jobs[0]] = [jobs[-1]]
    body = d.pick(
        "while $needs:\n    $ready = [$j for $j, $before in $needs.items() if all($b in $order for $b in $before)]\n    if not $ready:\n        return {{None|'cycle'}}\n    $order += sorted($ready)\n    for $j in $ready:\n        del $needs[$j]",
        "$left = dict($needs)\nfor $round in range(len($needs)):\n    for $j in list($left):\n        if not set($left[$j]) - set($order):\n            $order.append($j)\n            $left.pop($j)\nif $left:\n    return {{None|sorted($left)}}",
    )
    return d.make("""
        def $arrange($needs):
            $order = []
            $body
            return $order
        """, "$arrange($given)", body=body, given=needs)


@family
def dijkstra(d):
    """Shortest distances with weights: the nearest unsettled node each time, or a heap."""
    body = d.pick(
        "$dist, $done = {$start: 0}, {}\nwhile $dist:\n    $node = min($dist, key=$dist.get)\n    $done[$node] = $dist.pop($node)\n    for $n, $w in $graph[$node].items():\n        $new = $done[$node] + $w\n        if $n not in $done and $new < $dist.get($n, {{99|1000}}):\n            $dist[$n] = $new\nreturn $done",
        "from heapq import heappush, heappop\n$heap, $done = [(0, $start)], {}\nwhile $heap:\n    $far, $node = heappop($heap)\n    if $node in $done:\n        continue\n    $done[$node] = $far\n    for $n, $w in $graph[$node].items():\n        heappush($heap, ($far + $w, $n))\nreturn $done",
        "$done = {$n: {{99|500}} for $n in $graph}\n$done[$start] = 0\nfor $i in range(2):\n    for $u, $edges in $graph.items():\n        for $n, $w in $edges.items():\n            $done[$n] = min($done[$n], $done[$u] + $w)\nreturn $done",
    )
    return d.make("""
        def $shortest($graph, $start={{"a"|"a"|"b"}}):
            $body
        """, "$shortest($given)", body=body, given=small_graph(d, weighted=True))


@family
def union_find(d):
    """Groups joined by pairs, with a parent for each."""
    find = d.pick("while $parent[$x] != $x:\n    $x = $parent[$x]\nreturn $x", "if $parent[$x] != $x:\n    $parent[$x] = $find($parent, $parent[$x])\nreturn $parent[$x]")
    n = d.r.randint(3, 5)
    return d.make("""
        def $find($parent, $x):
            $find_body

        def $join_all($n, $pairs):
            $parent = list(range($n))
            $merged = 0
            for $a, $b in $pairs:
                $ra, $rb = $find($parent, $a), $find($parent, $b)
                if $ra != $rb:
                    $parent[{{$ra] = $rb|$rb] = $ra|max($ra, $rb)] = min($ra, $rb)}}
                    $merged += 1
            return {{$n - $merged|$parent|$parent, $merged}}
        """, "$join_all($n0, $given)", find_body=find, n0=n, given=[tuple(d.r.sample(range(n), 2)) for _ in range(d.r.randint(1, 3))])


@family
def edit_table(d):
    """A table over two texts: the common subsequence, the common part, or the edits."""
    cell, result = d.pick(
        ("$t[$i + 1][$j + 1] = $t[$i][$j] + 1 if $a == $b else max($t[$i][$j + 1], $t[$i + 1][$j])", "$t[-1][-1]"),
        ("if $a == $b:\n    $t[$i + 1][$j + 1] = $t[$i][$j] + 1", "max(max($row) for $row in $t)"),
        ("$t[$i + 1][$j + 1] = max($t[$i][$j + 1], $t[$i + 1][$j]) + ($a == $b)", "$t[-1]"),
    )
    return d.make("""
        def $compare($x, $y):
            $t = [[0] * (len($y) + 1) for _ in range(len($x) + 1)]
            for $i, $a in enumerate($x):
                for $j, $b in enumerate($y):
                    $cell
            return $result
        """, "$compare($one, $two)", cell=cell, result=result, one=repr("".join(d.pick(*"abc") for _ in range(d.r.randint(1, 3)))), two=repr("".join(d.pick(*"abc") for _ in range(d.r.randint(2, 3)))))


@family
def sliding_window(d):
    """The best window of a list or the longest piece without repeats, moved by its two ends."""
    body = d.pick(
        "$total = sum($xs[:$k])\n$best = $total\nfor $i in range($k, len($xs)):\n    $total += $xs[$i] - $xs[$i - $k]\n    if $total {{>|<}} $best:\n        $best = $total\nreturn $best",
        "$low = $best = 0\n$inside = 0\nfor $high, $x in enumerate($xs):\n    $inside += $x\n    while $inside > $k * 4:\n        $inside -= $xs[$low]\n        $low += 1\n    $best = max($best, $high - $low + 1)\nreturn $best",
        "$last, $start, $best = {}, 0, 0\nfor $i, $x in enumerate($xs):\n    if $last.get($x, -1) >= $start:\n        $start = $last[$x] + 1\n    $last[$x] = $i\n    $best = max($best, $i - $start + 1)\nreturn $best, $k",
    )
    return d.make("""
        def $best_window($xs, $k):
            $body
        """, "$best_window($given, {{1..3}})", body=body, given=d.numbers(d.r.randint(3, 6), 0, d.pick(4, 9)))


@family
def prefix_sums(d):
    """Running sums that answer questions about ranges."""
    ask = d.pick(
        "return [$sums[$b] - $sums[$a] for $a, $b in $asked]",
        "$out = {}\nfor $a, $b in $asked:\n    $out[$a, $b] = $sums[$b] - $sums[$a]\nreturn $out",
        "$best = max($asked, key=lambda $ab: $sums[$ab[1]] - $sums[$ab[0]])\nreturn $best, $sums",
    )
    build = d.pick(
        "$sums = [0]\nfor $x in $xs:\n    $sums.append($sums[-1] + $x)",
        "from itertools import accumulate\n$sums = [0, *accumulate($xs)]",
        "$sums = [sum($xs[:$i]) for $i in range(len($xs) + 1)]",
    )
    n = d.r.randint(3, 5)
    return d.make("""
        def $answer($xs, $asked):
            $build
            $ask
        """, "$answer($given, $ranges)", build=build, ask=ask, given=d.numbers(n, -5, 20), ranges=[tuple(sorted(d.r.sample(range(n + 1), 2))) for _ in range(d.r.randint(1, 3))])


@family
def modular_power(d):
    """Powers by squaring, with a modulus, over bits or by halves."""
    body = d.pick(
        "$result = 1\nwhile $n:\n    if $n {{& 1|% 2}}:\n        $result = $result * $x % $m\n    $x = $x * $x % $m\n    $n {{>>= 1|//= 2}}\nreturn $result",
        "if $n == 0:\n    return 1\n$half = $power($x, $n // 2, $m)\n$half = $half * $half % $m\nif $n % 2:\n    return $half * $x % $m\nreturn $half",
        "$result = 1\nfor $bit in bin($n)[2:]:\n    $result = $result * $result % $m\n    if $bit == '1':\n        $result = $result * $x % $m\nreturn $result",
    )
    return d.make("""
        def $power($x, $n, $m={{100|97|1000|50}}):
            $body
        """, "$power({{2..12}}, {{0..14}}, {{13..99}})", body=body)


@family
def subsets_and_orders(d):
    """Subsets by bits or doubling, orders by recursion."""
    body = d.pick(
        "$out = []\nfor $mask in range(1 << len($items)):\n    $out.append([$x for $i, $x in enumerate($items) if $mask >> $i & 1])\nreturn {{$out|[sum($s) for $s in $out]|len($out)}}",
        "$out = [[]]\nfor $x in $items:\n    $out += [$s + [$x] for $s in $out]\nreturn {{$out|$out[-1]|max($out, key=sum)}}",
        "if len($items) < 2:\n    return [$items]\n$out = []\nfor $i, $x in enumerate($items):\n    for $rest in $all_of($items[:$i] + $items[$i + 1:]):\n        $out.append([$x] + $rest)\nreturn $out",
        "if not $items:\n    return {0}\n$without = $all_of($items[1:])\nreturn $without | {$s + $items[0] for $s in $without}",
    )
    size = d.r.randint(1, 2) if "<< len" not in body else d.r.randint(1, 3)
    return d.make("""
        def $all_of($items):
            $body
        """, "$all_of($given)", body=body, given=d.r.sample(range(1, 10), size if "enumerate" in body or size > 1 else 2))


@family
def bits_and_masks(d):
    """Set bits, masks, shifts, xor and the binary text of a number."""
    lines = d.r.sample(["$ones = bin($n).count('1')", "$low = $n & -$n", "$next_up = $n << {{1..3}}", "$flip = $n ^ {{1|3|5|15|255}}", "$masked = $n & {{3|6|7|15}}", "$both = $n | {{1|2|8}}", "$text = f'{$n:b}'", "$half = $n >> 1", "$even = not $n & 1"], d.r.randint(2, 4))
    loop = d.pick(
        "",
        "while $n:\n    $n &= $n - 1\n    $steps += 1",
        "for $i in range({{3..5}}):\n    if $n >> $i & 1:\n        $steps |= 1 << {{$i // 2|3 - $i % 3}}",
        "while $n > 1:\n    $steps = $steps << 1 | $n & 1\n    $n >>= 1",
    )
    return d.make("""
        def $bits($n):
            $lines
            $steps = 0
            $loop
            return $result, $steps
        """, "$bits({{0..60}})", lines="\n".join(lines), loop=loop, result=", ".join(line.split(" ")[0] for line in lines[-2:]))


@family
def merge_intervals(d):
    """Ranges sorted and merged, counted or cut out of one another."""
    body = d.pick(
        "for $a, $b in sorted($ranges):\n    if $out and $a <= $out[-1][1]:\n        $out[-1] = ($out[-1][0], max($b, $out[-1][1]))\n    else:\n        $out.append(($a, $b))",
        "$end = {{0|-1}}\nfor $a, $b in sorted($ranges, key=lambda $r: $r[1]):\n    if $a >= $end:\n        $out.append(($a, $b))\n        $end = $b",
        "$marks = sorted([($a, 1) for $a, _ in $ranges] + [($b, -1) for _, $b in $ranges])\n$open = 0\nfor $at, $change in $marks:\n    $open += $change\n    $out.append($open)",
    )
    return d.make("""
        def $join($ranges):
            $out = []
            $body
            return {{$out|$out|len($out)|max($out)}}
        """, "$join($given)", body=body, given=[(a := d.r.randint(0, 12), a + d.r.randint(1, 6)) for _ in range(d.r.randint(2, 4))])


@family
def ciphers(d):
    """Shifted alphabets, keys, mirrored letters, letters to numbers and back."""
    body = d.pick(
        "for $ch in $text:\n    if $ch.isalpha():\n        $ch = chr((ord($ch) - 97 + $key) % 26 + 97)\n    $out += $ch",
        "$abc = 'abcdefghijklmnopqrstuvwxyz'\nfor $i, $ch in enumerate($text):\n    if $ch in $abc:\n        $out += $abc[($abc.index($ch) + $key * $i) % 26]\n    else:\n        $out += '{{_|-}}'",
        "$table = str.maketrans('aeiou', {{'43105'|'*****'|'eioua'}})\n$out = $text.translate($table)",
        "$codes = [ord($ch) - 96 + $key for $ch in $text if $ch != ' ']\n$out = '{{ |-|.}}'.join(map(str, $codes))",
        "$rows = ['' for _ in range($key % 3 + 2)]\nfor $i, $ch in enumerate($text):\n    $rows[$i % len($rows)] += $ch\n$out = ''.join($rows)",
    )
    return d.make("""
        def $cipher($text, $key={{1..13}}):
            $out = ""
            $body
            return $out{{|, len($out)|[::-1]}}
        """, "$cipher($given" + d.pick("", ", {{1..9}}") + ")", body=body, given=repr(" ".join(d.words(1, 2))[:7].strip()))


@family
def grid_paths(d):
    """Paths or the cheapest way through a small grid, row by row."""
    rows = [[d.r.randint(1, 9) for _ in range(d.pick(2, 2, 3))] for _ in range(1)]
    rows += [[d.r.randint(1, 9) for _ in rows[0]] for _ in range(d.r.randint(1, 2))]
    body = d.pick(
        "$best = [0] + [999] * (len($grid[0]) - 1)\nfor $row in $grid:\n    for $c, $cost in enumerate($row):\n        if $c:\n            $best[$c] = min($best[$c], $best[$c - 1])\n        $best[$c] += $cost\nreturn {{$best|$best[-1]}}",
        "$ways = [1] * len($grid[0])\nfor $row in $grid[1:]:\n    for $c in range(1, len($row)):\n        $ways[$c] += $ways[$c - 1]\nreturn {{$ways[-1]|$ways}}",
        "$r = $c = 0\n$sum = $grid[0][0]\nwhile $r < len($grid) - 1:\n    $r += 1\n    $c = {{min|max}}(range(len($grid[$r])), key=lambda $j: $grid[$r][$j])\n    $sum += $grid[$r][$c]\nreturn $sum, $c",
    )
    return d.make("""
        def $cross($grid):
            $body
        """, "$cross($given)", body=body, given=rows)


@family
def flood_fill(d):
    """A region of equal cells filled from one of them by recursion or a list of cells to do."""
    grid = [[d.pick(0, 0, 1) for _ in range(d.pick(2, 3))]]
    grid += [[d.pick(0, 0, 1) for _ in grid[0]]]
    body = d.pick(
        "if not (0 <= $r < len($g) and 0 <= $c < len($g[0])) or $g[$r][$c] != 0:\n    return 0\n$g[$r][$c] = {{7|2}}\nreturn 1 + $fill_in($g, $r + 1, $c) + $fill_in($g, $r, $c + 1)",
        "$todo, $n = [($r, $c)], 0\nwhile $todo:\n    $r, $c = $todo.pop()\n    if $r < 0 or $c < 0 or $r >= len($g) or $c >= len($g[0]) or $g[$r][$c]:\n        continue\n    $g[$r][$c] = {{7|2}}\n    $n += 1\n    $todo += [($r + 1, $c), ($r, $c + 1)]\nreturn $n",
    )
    return d.make("""
        def $fill_in($g, $r, $c):
            $body

        def $run($g, $r=0, $c={{0|0|1}}):
            $size = $fill_in($g, $r, $c)
            return $size, {{$g|sum(map(sum, $g))|$g[0]}}
        """, "$run($given)", body=body, given=grid)


@family
def polynomial(d):
    """Coefficients: Horner's rule, the terms' values, a product, the polynomial as text."""
    body = d.pick(
        "$value = 0\nfor $c in {{reversed($p)|$p|$p[::-1]}}:\n    $value = $value * $x + $c\nreturn $value",
        "$out, $power = [], 1\nfor $c in $p:\n    $out.append($c * $power)\n    $power *= $x\nreturn $out",
        "$q = [1, $x]\n$out = [0] * (len($p) + 1)\nfor $i, $a in enumerate($p):\n    for $j, $b in enumerate($q):\n        $out[$i + $j] += $a * $b\nreturn $out",
        "$terms = []\nfor $i, $c in enumerate($p):\n    if $c == 0:\n        continue\n    $terms.append(f'{$c}x{$i}' if $i else str($c))\nreturn {{' + '|'+'}}.join($terms), $x",
    )
    return d.make("""
        def $poly($p, $x):
            $body

        def $run($p, $x):
            $result = $poly($p, $x)
            return $result
        """, "$run($given, {{-3..6}})", body=body, given=[d.pick(0, d.r.randint(-4, 9), d.r.randint(1, 9)) for _ in range(d.r.randint(2, 4))])
