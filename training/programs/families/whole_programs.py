"""Programs of several parts, as a beginner's project has: classes, helpers, errors and a main part together."""

from ..registry import family


@family
def library_loans(d):
    """Two classes, a lookup, loans that are refused, a list of what is out."""
    people = d.r.sample(["Ann", "Bob", "Cy"], 2)
    titles = d.r.sample(["Emma", "Dune", "Ulysses", "Holes", "It"], 2)
    one, two = titles
    actions = [f"$lib.$lend({one!r}, {people[0]!r})", d.pick(f"$lib.$lend({one!r}, {people[1]!r})", f"$lib.$lend('Nope', {people[1]!r})", f"$lib.$lend({two!r}, {people[0]!r})")]
    actions.insert(d.r.randint(1, 2), f"$lib.$give_back({d.pick(one, one, two)!r}, {people[0]!r})")
    return d.make("""
        class $Book:
            def __init__(self, $title):
                self.$title = $title
                self.$holder = None

        class $Library:
            def __init__(self, *$titles):
                self.$books = {$t: $Book($t) for $t in $titles}
                self.$refused = []

            def $lend(self, $title, $who):
                $book = self.$books.get($title)
                if $book is None or $book.$holder{{| is not None}}:
                    self.$refused.append(($title, $who))
                    return False
                $book.$holder = $who
                return True

            def $give_back(self, $title, $who):
                if self.$books[$title].$holder == $who:
                    self.$books[$title].$holder = None

        $lib = $Library($known)
        $actions
        $out = [$b.$title for $b in $lib.$books.values() if $b.$holder]
        print($out, $lib.$refused)
        """, known=", ".join(map(repr, titles)), actions="\n".join(actions))


@family
def gradebook_program(d):
    """Marks added, averaged, turned into letters and reported."""
    letter = d.pick(
        "return 'A' if $avg >= 85 else 'B' if $avg >= {{60..75}} else 'C'",
        "for $limit, $grade in ((85, 'A'), ({{60..75}}, 'B')):\n    if $avg >= $limit:\n        return $grade\nreturn 'C'",
    )
    entries = [(d.pick("ann", "bob"), d.r.randint(40, 100)) for _ in range(d.r.randint(2, 3))]
    return d.make("""
        def $add_mark($book, $name, $mark):
            if not 0 <= $mark <= {{95|98|100}}:
                return False
            $book.setdefault($name, []).append($mark)
            return True


        def $average($marks):
            return sum($marks) // len($marks){{| if $marks else 0}}


        def $letter_for($avg):
            $letter


        def main():
            $book = {}
            $bad = 0
            for $name, $mark in $entries:
                if not $add_mark($book, $name, $mark):
                    $bad += 1
            for $name in sorted($book):
                $avg = $average($book[$name])
                print($name, $avg, $letter_for($avg))
            print({{"refused", $bad|f"{$bad} refused"}})


        main()
        """, letter=letter, entries=entries)


@family
def text_adventure(d):
    """Rooms in a dict, commands from a list, things picked up, a goal."""
    commands = [d.pick("n", "s", "e", "take", "take", "dig", "n") for _ in range(d.r.randint(2, 5))]
    return d.make("""
        $ROOMS = {
            "hall": {"n": "attic", "e": "shed"},
            "attic": {"s": "hall", "item": {{"rope"|"lamp"}}},
            "shed": {"w": "hall", "item": {{"axe"|"key"}}},
        }

        def $play($commands):
            $here, $bag = {{"hall"|"hall"|"attic"}}, []
            for $turn, $c in enumerate($commands, 1):
                $room = $ROOMS[$here]
                if $c in "nsew" and $c in $room:
                    $here = $room[$c]
                elif $c == "take":
                    $item = $room.get("item")
                    if $item and $item not in $bag:
                        $bag.append($item)
                elif $c == "dig":
                    return {{"fell", $turn|$here, $bag|"end", len($bag)}}
            return $here, $bag
        """, "$play($given)", given=commands)


@family
def fraction_class(d):
    """Fractions kept in lowest terms, with operators and a repr."""
    use = d.pick(
        "$total = $Frac(1, 1)\nfor $n, $m in $pairs:\n    $total = $total + $Frac($n, $m)\nreturn $total",
        "$a, $b = ($Frac(*$p) for $p in $pairs[:2])\nreturn $a * $b, $a + $b",
        "$best = max(($Frac(*$p) for $p in $pairs), key=lambda $f: $f.$top / $f.$bottom)\nreturn repr($best * $best)",
    )
    return d.make("""
        class $Frac:
            def __init__(self, $top, $bottom):
                $a, $b = $top, $bottom
                while $b:
                    $a, $b = $b, $a % $b
                self.$top = $top // $a
                self.$bottom = $bottom // $a

            def __add__(self, $other):
                return $Frac(self.$top * $other.$bottom + $other.$top * self.$bottom, self.$bottom * $other.$bottom)

            def __mul__(self, $other):
                return $Frac(self.$top * $other.$top, self.$bottom * $other.$bottom)

            def __repr__(self):
                return f"{self.$top}/{self.$bottom}"{{| if self.$bottom > 1 else str(self.$top)}}

        def $run($pairs):
            $use
        """, "$run($given)", use=use, given=[(d.r.randint(1, 4), d.r.randint(2, 8)) for _ in range(2)])


@family
def matrix_class(d):
    """A matrix with addition, multiplication, transposition and a trace."""
    use = d.pick(
        "$c = $a + $b\nreturn $c.$rows, $c.$trace()",
        "$c = $a * $b\nreturn $c.$rows",
        "$c = $a.$flip()\nreturn $c.$rows, $c.$trace() - $b.$trace()",
        "$c = $a + $b.$flip()\nreturn $c.$rows[0]",
    )
    method = {"+": "def __add__(self, $other):\n    return $Matrix([[$x + $y for $x, $y in zip($r, $s)] for $r, $s in zip(self.$rows, $other.$rows)])\n\n", "*": "def __mul__(self, $other):\n    $cols = list(zip(*$other.$rows))\n    return $Matrix([[sum($x * $y for $x, $y in zip($r, $col)) for $col in $cols] for $r in self.$rows])\n\n", "flip": "def $flip(self):\n    return $Matrix([list($col) for $col in zip(*self.$rows)])\n\n", "trace": "def $trace(self):\n    $sum = 0\n    for $i, $row in enumerate(self.$rows):\n        $sum += $row[$i]\n    return $sum\n\n"}
    grid = lambda: [d.numbers(2, 0, 9), d.numbers(2, 0, 9)]
    return d.make("""
        class $Matrix:
            def __init__(self, $rows):
                self.$rows = $rows

            $methods

        def $run($p, $q):
            $a, $b = $Matrix($p), $Matrix($q)
            $use
        """, "$run($one, $two)", methods="".join(text for mark, text in method.items() if mark in use), use=use, one=grid(), two=grid())


@family
def tokenize_parse_evaluate(d):
    """Text to tokens, tokens to nested tuples, tuples to a value."""
    text = d.pick(
        f"(+ {d.r.randint(1, 9)} {d.r.randint(1, 9)})",
        f"(* {d.r.randint(2, 9)} {d.r.randint(1, 9)})",
        f"(- {d.r.randint(5, 20)} {d.r.randint(1, 9)})",
        f"{d.r.randint(1, 50)}",
        f"(* {d.r.randint(2, 9)} (+ {d.r.randint(1, 9)} 1))",
    )
    return d.make("""
        def $tokens_of($text):
            return $text.replace("(", " ( ").replace(")", " ) ").split()


        def $parse($tokens):
            $tok = $tokens.pop(0)
            if $tok != "(":
                return int($tok) if $tok.isdigit() else $tok
            $parts = []
            while $tokens[0] != ")":
                $parts.append($parse($tokens))
            $tokens.pop(0)
            return tuple($parts)


        def $evaluate($tree):
            if isinstance($tree, int):
                return $tree
            $op, $left, $right = $tree
            $a, $b = $evaluate($left), $evaluate($right)
            if $op == "+":
                return $a + $b
            return $a - $b if $op == "-" else $a * $b


        print($evaluate($parse($tokens_of($given))))
        """, given=repr(text))


@family(raises=True)
def bank_with_errors(d):
    """Transfers between accounts in a dict, an error of the program's own, a log of what failed."""
    moves = [(*d.r.sample(["ann", "bob", "cy"], 2), d.r.randint(1, 60)) for _ in range(d.r.randint(1, 2))]
    return d.make("""
        class $FundsError(Exception):
            pass

        def $take($accounts, $name, $n):
            if $accounts[$name] < $n:
                raise $FundsError(f"{$name} lacks {$n - $accounts[$name]}")
            $accounts[$name] -= $n

        def $transfer($accounts, $src, $dst, $n):
            $take($accounts, $src, $n)
            $accounts[$dst] = $accounts.get($dst, 0) + $n

        def $run($moves):
            $accounts = {"ann": {{10..60}}, "bob": {{0..30}}}
            $failed = []
            for $src, $dst, $n in $moves:
                try:
                    $transfer($accounts, $src, $dst, $n)
                except {{$FundsError|($FundsError, KeyError)|$FundsError}} as $e:
                    $failed.append(str($e))
            return $accounts, $failed
        """, "$run($given)", given=moves)


@family
def event_schedule(d):
    """Events in order of time, some of which plan others; a clock that jumps."""
    jobs = [(d.r.randint(0, 6), d.pick("tick", "open", "ring")) for _ in range(d.r.randint(1, 2))]
    return d.make("""
        def $plan($queue, $at, $name):
            $queue.append(($at, $name))
            $queue.sort({{|reverse=False}})


        def $simulate($jobs, $until={{5..8}}):
            $queue, $log = [], []
            for $at, $name in $jobs:
                $plan($queue, $at, $name)
            while $queue:
                $now, $name = $queue.pop(0)
                if $now > $until:
                    break
                $log.append({{($now, $name)|f"{$now}{$name[0]}"}})
                if $name == "tick":
                    $plan($queue, $now + {{3..6}}, "tick")
                elif $name == "open":
                    $plan($queue, $now + {{1..3}}, "shut")
            return {{$log|len($log), $log[-1]|$log, len($queue)}}
        """, "$simulate($given)", given=jobs)


@family
def parking_lot(d):
    """Places taken and freed, fees by started hours, who was turned away."""
    plates = d.r.sample(["KX1", "AB7", "ZZ9", "QR2"], 3)
    events = [(plates[0], "in", d.r.randint(0, 50)), (plates[1], "in", d.r.randint(50, 90)), (plates[d.pick(0, 0, 2)], "out", d.r.randint(90, 200)), (plates[2], d.pick("in", "out"), d.r.randint(200, 260))]
    return d.make("""
        class $Lot:
            def __init__(self, $places, $rate={{2..5}}):
                self.$places, self.$rate = $places, $rate
                self.$inside = {}
                self.$income = 0

            def $enter(self, $plate, $now):
                if len(self.$inside) >= self.$places:
                    return False
                self.$inside[$plate] = $now
                return True

            def $leave(self, $plate, $now):
                $since = self.$inside.pop($plate, None)
                if $since is None:
                    return 0
                $fee = -(-($now - $since) // 60) * self.$rate
                self.$income += $fee
                return $fee

        $lot = $Lot({{1|2}})
        for $plate, $way, $minute in $events:
            if $way == "in":
                $ok = $lot.$enter($plate, $minute)
            else:
                $ok = $lot.$leave($plate, $minute)
        print($lot.$inside, $lot.$income)
        """, events=events[: d.r.randint(2, 3)] if d.r.random() < 0.5 else events[-3:])


@family
def text_statistics(d):
    """A text cleaned, split, counted and summed up by several functions."""
    text = " ".join(d.pick(w, w + ",", w.title(), w + ".") for w in d.words(2, 4))
    ask = d.pick("'longest': max($words, key=len)", "'letters': sum(map(len, $words))", "'first': min($words)", "'long': [$w for $w in $words if len($w) > {{3..4}}]")
    return d.make("""
        def $clean($text):
            $out = ""
            for $ch in $text.{{lower()|lower()|strip()}}:
                if $ch.isalpha() or $ch == " ":
                    $out += $ch
            return $out

        def $count_words($words):
            $counts = {}
            for $w in $words:
                $counts[$w] = $counts.get($w, 0) + 1
            return $counts

        def $summary($text):
            $words = $clean($text).split()
            $counts = $count_words($words)
            $most = max($counts.values())
            return {
                "words": len($words),
                "most": {{$most|[$w for $w in $counts if $counts[$w] == $most]}},
                $ask,
            }

        print($summary($given))
        """, ask=ask, given=repr(text[:14].strip()))


@family
def tiny_spreadsheet(d):
    """Cells with numbers or formulas that name other cells, worked out on demand."""
    cells = {"A1": str(d.r.randint(1, 30)), "A2": str(d.r.randint(1, 30)), "B1": d.pick("=A1+A2", "=A2+A2", "=A1+5"), "B2": d.pick("=B1+1", "=A2+1", "7", "=B1+A1")}
    return d.make("""
        def $value_of($cells, $name, $seen=()):
            if $name in $seen:
                return {{0|-1}}
            if $name.isdigit():
                return int($name)
            $text = $cells{{[$name]|.get($name, "0")}}
            if not $text.startswith("="):
                return int($text)
            $total = 0
            for $part in $text[1:].split("+"):
                $total += $value_of($cells, $part, ($name, *$seen))
            return $total

        def $show($cells, $names):
            for $name in $names:
                print(f"{$name} = {$value_of($cells, $name)}")

        $sheet = $given
        $change
        $show($sheet, {{["B2"]|["B1"]|["A1", "A2"]}})
        """, given=cells, change=d.pick('$sheet["A1"] = "{{1..20}}"', '$sheet["A2"] = "=A1+1"', '$sheet["A1"] = "=B1+A2"'))


@family
def playlist(d):
    """Songs as dataclasses: total time as text, skipping, the longest, a filter."""
    songs = ", ".join(f"$Song({w!r}, {d.r.randint(60, 400)})" for w in d.words(2, 3))
    ask = d.pick(
        "$long = [$s.$title for $s in $songs if $s.$seconds > {{120..240}}]\nprint($long, $clock($total))",
        "$best = max($songs, key=lambda $s: $s.$seconds)\nprint($best.$title, $clock($best.$seconds))",
        "$played = 0\nfor $s in $songs:\n    if $played + $s.$seconds > {{300..500}}:\n        print('stop before', $s.$title)\n        break\n    $played += $s.$seconds\nprint($clock($played))",
    )
    return d.make("""
        from dataclasses import dataclass


        @dataclass
        class $Song:
            $title: str
            $seconds: int


        def $clock($seconds):
            $minutes, $rest = divmod($seconds, 60)
            return f"{$minutes}:{$rest:02d}"


        $songs = [$made]
        {{$songs.reverse()|$songs.sort(key=lambda $s: $s.$title)|}}
        $total = sum($s.$seconds for $s in $songs)
        $ask
        """, made=songs, ask=ask)


@family
def pets_that_get_hungry(d):
    """Subclasses that differ in numbers and one method; days that pass in a loop."""
    return d.make("""
        class $Pet:
            $need = {{2|3}}

            def __init__(self, $name):
                self.$name = $name
                self.$hunger = {{0..4}}

            def $feed(self, $food):
                self.$hunger = max(0, self.$hunger - $food)

            def $day(self):
                self.$hunger += self.$need
                return self.$hunger < {{6..9}}

        class $Puppy($Pet):
            $need = {{4|5}}

            def $feed(self, $food):
                super().$feed($food {{* 2|- 1|+ 1}})

        def $run($meals):
            $pets = [$Pet({{@person}}), $Puppy({{@person}})]
            for $meal in $meals:
                for $pet in $pets:
                    if not $pet.$day():
                        $pet.$feed($meal)
            return {$pet.$name: $pet.$hunger for $pet in $pets}
        """, "$run($given)", given=d.numbers(d.r.randint(1, 2), 0, 6))


@family
def compile_and_run(d):
    """A text of sums compiled to instructions, which a stack machine runs."""
    text = d.pick("{} {} + {} *", "{} {} *", "{} neg {} +", "{} {} + neg", "{} dup *", "{} dup + {} -").replace("{}", "%d")
    text = text % tuple(d.numbers(text.count("%d"), 1, 12))
    return d.make("""
        def $compile_it($source):
            $code = []
            for $word in $source.split():
                if $word.isdigit():
                    $code.append(("push", int($word)))
                else:
                    $code.append(($word, None))
            return $code


        def $execute($code):
            $stack = []
            for $op, $arg in $code:
                if $op == "push":
                    $stack.append($arg)
                elif $op == "neg":
                    $stack[-1] = -$stack[-1]
                elif $op == "dup":
                    $stack.append($stack[-1])
                else:
                    $b = $stack.pop()
                    $a = $stack.pop()
                    $stack.append($a + $b if $op == "+" else $a * $b if $op == "*" else $a - $b)
            return $stack


        $program = $compile_it($given)
        print(len($program), $execute($program))
        """, given=repr(text))


@family
def recipe_scaler(d):
    """Amounts scaled for guests, merged into a shopping list, less what is there."""
    recipes = {name: {thing: d.r.randint(1, 9) * 10 for thing in d.r.sample(["flour", "milk", "egg", "oil"], 2)} for name in d.r.sample(["cake", "soup", "bread"], 2)}
    first, second = recipes
    have = d.pick("$have = {}", "$have = {'flour': {{10..60}}}", "$have = {'milk': {{5..90}}, 'egg': {{0..20}}}")
    return d.make("""
        $RECIPES = $recipes_

        def $scaled($name, $guests, $base=2):
            return {$k: $v * $guests // $base for $k, $v in $RECIPES[$name].items()}

        def $shopping($plan, $have):
            $list_ = {}
            for $name, $guests in $plan:
                for $thing, $n in $scaled($name, $guests).items():
                    $list_[$thing] = $list_.get($thing, 0) + $n
            for $thing in $have:
                if $thing in $list_:
                    $list_[$thing] -= $have[$thing]
                    if $list_[$thing] <= 0:
                        del $list_[$thing]
            return $list_

        $have_line
        print($shopping($plan_, $have))
        """, recipes_=recipes, have_line=have, plan_=[(first, d.r.randint(1, 6)), (second, d.r.randint(2, 4))][: d.r.randint(1, 2)])


@family
def bus_line(d):
    """Passengers on and off at each stop, a full bus, the number left behind."""
    stops = [(d.r.randint(0, 12), d.r.randint(0, 5)) for _ in range(d.r.randint(2, 3))]
    return d.make("""
        class $Bus:
            def __init__(self, $seats):
                self.$seats = $seats
                self.$riders = 0

            @property
            def $free(self):
                return self.$seats - self.$riders

            def $stop(self, $on, $off):
                self.$riders -= min($off, self.$riders)
                $boarded = min($on, self.$free)
                self.$riders += $boarded
                return $on - $boarded

        def $drive($stops, $seats={{8..15}}):
            $bus = $Bus($seats)
            $left_behind = []
            for $on, $off in $stops:
                $left_behind.append($bus.$stop($on, $off))
            return $bus.$riders, {{sum($left_behind)|$left_behind|max($left_behind)}}
        """, "$drive($given)", given=stops)


@family
def knight_moves(d):
    """Squares by name, moves on a board, what can be reached."""
    return d.make("""
        $STEPS = $steps

        def $to_xy($square):
            return "abcdefgh".index($square[0]), int($square[1]) - 1

        def $to_square($x, $y):
            return "abcdefgh"[$x] + str($y + 1)

        def $moves_from($square):
            $x, $y = $to_xy($square)
            $found = []
            for $dx, $dy in $STEPS:
                $nx, $ny = $x + $dx, $y + $dy
                if 0 <= $nx < 8 and 0 <= $ny < 8:
                    $found.append($to_square($nx, $ny))
            return {{sorted($found)|$found|$found, len($STEPS) - len($found)}}
        """, "$moves_from($given)", steps=d.r.sample([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)], d.r.randint(2, 4)), given=repr(d.pick(*"abdgh") + str(d.pick(1, 2, 4, 8))))


@family
def quiz_session(d):
    """Questions with answers and points, given answers checked, hints for the wrong."""
    questions = [(f"{a} {op} {b}", {"+": a + b, "*": a * b, "-": a - b}[op]) for a, b, op in ((d.r.randint(2, 12), d.r.randint(2, 9), d.pick(*"+*-")) for _ in range(2))]
    given = [str(answer + d.pick(0, 0, 1, -2)) if d.r.random() < 0.85 else "?" for _, answer in questions]
    return d.make("""
        class $Quiz:
            def __init__(self, $questions):
                self.$questions = $questions
                self.$points = 0
                self.$notes = []

            def $answer(self, $i, $text):
                $asked, $right = self.$questions[$i]
                try:
                    $value = int($text)
                except ValueError:
                    self.$notes.append(f"{$asked}: no number")
                    return
                if $value == $right:
                    self.$points += {{1|2|10}}
                else:
                    self.$notes.append(f"{$asked} is {{{'more' if $right > $value else 'less'}|{$right}}}")

        $quiz = $Quiz($questions_)
        for $i, $text in enumerate($given):
            $quiz.$answer($i, $text)
        print($quiz.$points, $quiz.$notes)
        """, questions_=questions, given=given)
