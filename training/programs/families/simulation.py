"""Small simulations: things that change step by step until a limit."""

from ..registry import family


@family
def compound_growth(d):
    """A balance that grows by whole per cents, with fees or deposits, year by year."""
    step = d.pick(
        "$balance += $balance * $rate // 100",
        "$gain = $balance * $rate // 100\n$balance += $gain\nif $gain < {{3..20}}:\n    $balance -= {{1..5}}",
        "$balance = $balance * (100 + $rate) // 100 - {{1..20}}",
    )
    head = d.pick(
        "for $year in range($years):\n    $step\n    $history.append($balance)\nreturn $history",
        "$year = 0\nwhile $year < $years and $balance < {{200..900}}:\n    $step\n    $year += 1\nreturn $year, $balance",
    )
    return d.make("""
        def $grow($balance, $rate, $years):
            $history = []
            $head
        """, "$grow({{50..600}}, {{2..15}}, {{2..5}})", head=head, step=step)


@family
def queue_at_counter(d):
    """Customers who arrive and are served; who waits and for how long."""
    body = d.pick(
        "$free_at, $waits = 0, []\nfor $arrive, $length in $customers:\n    $start = max($arrive, $free_at)\n    $waits.append($start - $arrive)\n    $free_at = $start + $length\nreturn {{$waits|max($waits)|$waits, $free_at}}",
        "$clock = $served = 0\nfor $arrive, $length in $customers:\n    if $arrive > $clock:\n        $clock = $arrive\n    $clock += $length\n    if $clock > {{6..15}}:\n        break\n    $served += 1\nreturn {{$served|$served, $clock}}",
    )
    arrivals = sorted(d.numbers(d.r.randint(2, 4), 0, 9))
    return d.make("""
        def $simulate($customers):
            $body
        """, "$simulate($given)", body=body, given=[(a, d.r.randint(1, 5)) for a in arrivals])


@family
def predator_prey(d):
    """Two populations that feed on each other, in whole numbers."""
    rules = d.shuffled("$prey += $prey // {{2..4}}", "$eaten = min($prey, $hunters * {{1..3}})\n$prey -= $eaten\n$hunters += $eaten // {{3..6}}", "$hunters -= $hunters // {{3..5}}")
    return d.make("""
        def $simulate($prey, $hunters, $days):
            for $day in range($days):
                $rules
                if $prey <= {{0..8}}:
                    return {{$day|"gone", $day|-1}}
            return $prey, $hunters
        """, "$simulate({{5..60}}, {{2..12}}, {{2..4}})", rules=rules)


@family
def elevator(d):
    """A lift that moves floor by floor to the next request."""
    order = d.pick("for $stop in $calls:", "for $stop in sorted($calls):", "for $stop in sorted($calls, key=lambda $c: abs($c - $floor)):")
    move = d.pick(
        "while $floor != $stop:\n    $floor += 1 if $floor < $stop else -1\n    $moved += 1",
        "while $floor < $stop:\n    $floor += 1\n    $moved += 1\nwhile $floor > $stop:\n    $floor -= 1\n    $moved += 1",
        "$moved += abs($stop - $floor)\n$floor = $stop",
    )
    return d.make("""
        def $ride($floor, $calls):
            $moved = 0
            $log = []
            $order
                $move
                $log.append({{($stop, $moved)|$moved|f"{$stop}:{$moved}"}})
            return {{$log|$moved, $log|$log[-1]}}
        """, "$ride({{0..4}}, $given)", order=order, move=move, given=d.numbers(d.r.randint(1, 3), 0, 7))


@family
def bouncing_ball(d):
    """A height that shrinks at each bounce; a position that turns back at walls."""
    if d.r.random() < 0.5:
        return d.make("""
            def $drop($height, $limit={{1..5}}):
                $bounces = 0
                $path = $height
                while $height > $limit:
                    $height = $height * {{2|3|1}} // {{4|5}}
                    $path += 2 * $height
                    $bounces += 1
                    $cap
                return {{$bounces|$bounces, $path|[$height, $path]}}
            """, "$drop({{10..99}})", cap=d.pick("", "if $bounces == {{3..5}}:\n    break"))
    return d.make("""
        def $bounce($x, $speed, $steps):
            $turns = 0
            for $step in range($steps):
                $x += $speed
                if $x {{>=|>}} {{10..20}} or $x <= 0:
                    $speed = -$speed
                    $turns += 1
            return {{$x|$x, $turns|$x, $speed, $turns}}
        """, "$bounce({{3..9}}, {{2..7}}, {{2..6}})")


@family
def robot_on_grid(d):
    """Turns and steps of a robot from a string of commands; walls stop it."""
    turn = d.pick(
        "if $c == 'L':\n    $dx, $dy = -$dy, $dx\nelif $c == 'R':\n    $dx, $dy = $dy, -$dx\nelse:\n    $x += $dx\n    $y += $dy",
        "if $c in 'LR':\n    $facing = ($facing + (1 if $c == 'R' else 3)) % 4\n    continue\n$dx, $dy = [(0, 1), (1, 0), (0, -1), (-1, 0)][$facing]\n$x, $y = $x + $dx, $y + $dy",
    )
    wall = d.pick("", "$x = max(0, min($x, {{2..4}}))", "if $x < {{0|-1}}:\n    $x = {{0|1}}")
    return d.make("""
        def $drive($commands):
            $x, $y = 0, {{0..3}}
            $dx, $dy, $facing = 0, 1, 0
            for $c in $commands:
                $turn
                $wall
            return {{($x, $y)|$x, $y, $dx|f"{$x},{$y}"}}
        """, "$drive($given)", turn=turn, wall=wall, given=repr("".join(d.pick("F", "F", "L", "R") for _ in range(d.r.randint(2, 7)))))


@family
def life_row(d):
    """One-dimensional cells that live or die by their neighbours."""
    rule = d.pick("$new = []\nfor $i, $c in enumerate($row):\n    $left = $row[$i - 1] if $i else 0\n    $right = $row[$i + 1] if $i + 1 < len($row) else 0\n    $new.append(int($left + $right == 1))\n$row = $new",
                 "$row = [$row[$i - 1] ^ $row[($i + 1) % len($row)] for $i in range(len($row))]", "$padded = [0, *$row, 0]\n$row = [1 if sum($padded[$i:$i + 3]) in ({{1|2}}, {{2|3}}) else 0 for $i in range(len($row))]")
    return d.make("""
        def $evolve($row, $steps):
            for $step in range($steps):
                $rule
                if not any($row):
                    break
            return {{$row|sum($row)|"".join(".#"[$c] for $c in $row)}}
        """, "$evolve($given, {{1..3}})", rule=rule, given=[d.r.randint(0, 1) for _ in range(d.r.randint(3, 5))])


@family
def tank_levels(d):
    """A tank with inflow, outflow and an overflow, hour by hour."""
    rule = d.pick(
        "$level = min($level + $flow, $full)",
        "$level += $flow\nif $level > $full:\n    $spilled += $level - $full\n    $level = $full\nelif $level < 0:\n    $level = 0",
        "$level = $level + $flow if $level + $flow >= 0 else 0\n$spilled += max(0, $level - $full)",
    )
    return d.make("""
        def $fill_up($level, $flows, $full={{15..30}}):
            $spilled = 0
            for $hour, $flow in enumerate($flows{{|, 1|, start=1}}):
                $rule
                $leak
            return {{$level, $spilled|$level|{"level": $level, "lost": $spilled}}}
        """, "$fill_up({{0..15}}, $given)", rule=rule,
        leak=d.pick("", "$level -= {{1|2}}", "if $hour % 2:\n    $level -= 1"), given=d.numbers(d.r.randint(2, 5), -6, 14))  # fmt: skip


@family
def pseudo_random_walk(d):
    """A linear congruential generator that decides steps or throws."""
    use = d.pick(
        "$pos += 1 if $seed % 2 else -1",
        "$throw = $seed % 6 + 1\nif $throw == 6:\n    continue\n$pos += $throw",
        "$pos += ($seed // 4) % 3 - 1\n$seen.append($pos)",
    )
    return d.make("""
        def $walk_it($seed, $n):
            $pos = 0
            $seen = [{{0|}}]
            for $i in range($n):
                $seed = ($seed * {{5|13|21|7}} + {{1|3|7|11}}) % {{64|100|97|32}}
                $use
            return {{$pos|$pos, $seed|$pos, $seen}}
        """, "$walk_it({{0..60}}, {{2..6}})", use=use)


@family
def battery_and_trips(d):
    """A battery that is used by trips and charged in between; which trips were made."""
    short = d.pick("$charge = min($charge + {{20..40}}, 100)\ncontinue", "$skipped += 1\n$charge += {{5..20}}", "break")
    return d.make("""
        def $plan($trips, $charge={{40..90}}):
            $done, $skipped = [], 0
            for $trip in $trips:
                $need = $trip * {{2..4}}{{| + 5}}
                if $need > $charge:
                    $short
                else:
                    $charge -= $need
                    $done.append($trip)
            return $done, $charge{{|, $skipped}}
        """, "$plan($given)", short=short, given=d.numbers(d.r.randint(2, 4), 3, 25))


@family
def spread_on_line(d):
    """Infection or fire that spreads to neighbours on a line each day."""
    spread = d.pick(
        "$new = set()\nfor $i in $hot:\n    $new |= {$i - 1, $i, $i + 1}\n$hot = {$i for $i in $new if 0 <= $i < $n}",
        "$fresh = [$i for $i in range($n) if $i not in $hot and ($i - 1 in $hot or $i + 1 in $hot)]\n$hot |= set($fresh)",
        "$hot = $hot | {min($n - 1, $i + 1) for $i in $hot}",
    )
    return d.make("""
        def $burn($n, $start):
            $hot = {$start}
            $days = 0
            while len($hot) < $n and $days < {{2..3}}:
                $spread
                $days += 1
            return $days, sorted($hot)
        """, "$burn($n0, $s0)", spread=spread, n0=(n := d.r.randint(2, 6)), s0=d.r.randint(0, n - 1))


@family
def market_days(d):
    """Prices, rules to buy and sell, and the money at the end."""
    rule = d.pick("if $price < $low and $cash >= $price:\n    $cash -= $price\n    $shares += 1\nelif $price > $high and $shares:\n    $cash += $price * $shares\n    $shares = 0", "if $last is not None and $price < $last and $cash >= $price:\n    $cash -= $price\n    $shares += 1\n$last = $price",
                  "$n = $cash // $price\nif $price <= $low:\n    $shares += $n\n    $cash -= $n * $price\nelif $shares > 0:\n    $cash += $price\n    $shares -= 1")
    return d.make("""
        def $trade($prices, $cash, $low={{5..9}}, $high={{11..15}}):
            $shares, $last = {{0|1|2}}, None
            for $price in $prices:
                $rule
            $worth = $cash + $shares * $prices[-1]
            return {{$worth|$cash, $shares|$worth, $shares}}
        """, "$trade($given, {{10..60}})", rule=rule, given=d.numbers(d.r.randint(2, 5), 3, 18))
