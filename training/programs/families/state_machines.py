"""State machines: tables of transitions, modes in loops, objects whose behaviour depends on a state."""

from ..registry import family


@family
def transition_table(d):
    """A dict from (state, input) to the next state; unknown pairs stay or fail."""
    states = d.r.sample(["idle", "run", "wait", "done", "open", "shut"], 3)
    inputs = d.r.sample("abxy", 2)
    table = {(s, i): d.pick(*states) for s in states for i in inputs if d.r.random() < 0.75} or {(states[0], inputs[0]): states[1]}
    step = d.pick(
        "$state = $TABLE.get(($state, $sign), $state)",
        "$key = ($state, $sign)\nif $key not in $TABLE:\n    break\n$state = $TABLE[$key]",
        "try:\n    $state = $TABLE[$state, $sign]\nexcept KeyError:\n    $state = $first",
    )
    signs = "".join(d.pick(*inputs) for _ in range(d.r.randint(2, 5)))
    return d.make("""
        $TABLE = {
            $rows
        }

        def $run($signs, $state=$start):
            $first = $state
            $trail = [$state]
            for $sign in $signs:
                $step
                $trail.append($state)
            return {{$state|$trail|$state, len(set($trail))}}
        """, "$run($given)", rows="\n".join(f"{k!r}: {v!r}," for k, v in table.items()), start=repr(states[0]), step=step, given=repr(signs))


@family
def traffic_light(d):
    """A light that changes after a number of ticks for each colour."""
    how = d.pick(
        "$left -= 1\nif $left == 0:\n    $color = $NEXT[$color]\n    $left = $TIMES[$color]",
        "if $tick % $TIMES[$color] == {{0|1}}:\n    $color = $NEXT[$color]\n    $left += 1",
        "if $left > 1:\n    $left -= 1\n    continue\n$color, $left = $NEXT[$color], $TIMES[$color]",
    )
    return d.make("""
        $TIMES = {"red": {{1..4}}, "green": {{1..3}}, "amber": 1}
        $NEXT = {"red": "green", "green": "amber", "amber": "red"}

        def $run($ticks):
            $color, $left = {{"red"|"green"}}, {{1..2}}
            $seen = ""
            for $tick in range($ticks):
                $how
                $seen += $color[0]
            return $color, {{$seen|$left|$seen.upper()}}
        """, "$run({{2..7}})", how=how)


@family
def vending_machine(d):
    """Coins, choices and change; the state is a credit and a stock."""
    events = [d.pick(5, 10, 20, 50, "tea", "bar", "back") for _ in range(d.r.randint(2, 5))]
    return d.make("""
        $PRICES = {"tea": {{10..30}}, "bar": {{5..25}}}

        def $run($events, $stock={{0|1|2}}):
            $credit, $out = 0, []
            for $e in $events:
                if isinstance($e, int):
                    $credit += $e
                elif $e == "back":
                    $out.append($credit)
                    $credit = 0
                $branches
            return $out, $credit
        """, "$run($given)", given=events, branches=d.pick(
        "elif $stock and $credit >= $PRICES[$e]:\n    $credit -= $PRICES[$e]\n    $stock -= 1\n    $out.append($e)", "elif $credit < $PRICES[$e]:\n    $out.append({{'pay'|None|-1}})\nelse:\n    $out.append($e[0])\n    $credit -= $PRICES[$e]"))  # fmt: skip


@family
def quoted_fields(d):
    """Inside or outside quotes: a character machine that splits a line."""
    text = d.pick('a,"b,c",d', 'x,"y"', '"a,b"', "one,two", '"q",r,"s"', ',"",z', 'k,l "m"', '"a')
    inside = d.pick(
        "if $ch == $QUOTE:\n    $quoted = not $quoted\nelif $ch == ',' and not $quoted:\n    $fields.append($field)\n    $field = ''\nelse:\n    $field += $ch",
        "if $quoted:\n    if $ch == $QUOTE:\n        $quoted = False\n    else:\n        $field += $ch\nelif $ch == $QUOTE:\n    $quoted = True\nelif $ch == ',':\n    $fields.append($field)\n    $field = ''\nelse:\n    $field += $ch{{|.upper()}}",
    )
    return d.make("""
        $QUOTE = '"'

        def $split_line($line):
            $fields, $field, $quoted = [], "", False
            for $ch in $line:
                $inside
            $fields.append($field)
            return {{$fields|$fields, $quoted|None if $quoted else $fields}}
        """, "$split_line($given)", inside=inside, given=repr(text))


@family
def door_class(d):
    """An object that allows some moves in each state and says no to others."""
    moves = [d.pick("open", "close", "lock", "unlock") for _ in range(d.r.randint(2, 4))]
    return d.make("""
        class $Door:
            $MOVES = {"open": ("closed", "opened"), "close": ("opened", "closed"), "lock": ("closed", "locked"), "unlock": ("locked", "closed")}

            def __init__(self, $state={{"closed"|"opened"|"locked"}}):
                self.$state = $state
                self.$refused = 0

            def $do(self, $move):
                $need, $new = self.$MOVES[$move]
                if self.$state != $need:
                    self.$refused += 1
                    return False
                self.$state = $new
                return True

        def $run($moves):
            $door = $Door()
            $results = [$door.$do($m) for $m in $moves]
            return $door.$state, {{$results|$door.$refused|all($results)}}
        """, "$run($given)", given=moves)


@family
def enum_states(d):
    """States as an Enum, changed by a function with conditions."""
    rule = d.pick(
        "if $mode is $Mode.OFF and $n > 0:\n    return $Mode.ON\nif $mode is $Mode.ON and $n > {{4..7}}:\n    return $Mode.HOT\nif $n == 0:\n    return $Mode.OFF\nreturn $mode",
        "if $n > {{5..7}}:\n    return $Mode.HOT\nreturn $Mode.ON if $n {{>|>=}} {{1..3}} else $Mode.OFF",
        "$order = list($Mode)\n$i = $order.index($mode) + (1 if $n > {{2..5}} else -1)\nreturn $order[max(0, min($i, 2))]",
    )
    return d.make("""
        from enum import Enum

        class $Mode(Enum):
            OFF = 0
            ON = 1
            HOT = 2

        def $next_mode($mode, $n):
            $rule

        def $run($inputs):
            $mode = $Mode.OFF
            $names = []
            for $n in $inputs:
                $mode = $next_mode($mode, $n)
                $names.append($mode.{{name|value|name.lower()}})
            return $names
        """, "$run($given)", rule=rule, given=d.numbers(d.r.randint(2, 4), 0, 9))


@family
def function_states(d):
    """Each state is a function that returns the next one, or None at the end."""
    start = d.pick("$ready", "$work")
    return d.make("""
        def $ready($box):
            $box["n"] += {{1..3}}
            return $work if $box["n"] < {{6..9}} else $finish

        def $work($box):
            $box["log"].append($box["n"])
            $more
            if $box["n"] {{>|>=}} {{4..6}}:
                return $finish
            return $ready

        def $finish($box):
            $box["log"].append({{"end"|-1}})
            return None

        def $run($n):
            $box = {"n": $n, "log": []}
            $state = $start
            while $state:
                $state = $state($box)
            return $box["log"]
        """, "$run({{0..6}})", start=start, more=d.pick("", '$box["n"] += {{1..4}}'))


@family
def parity_machine(d):
    """Divisibility or parity read digit by digit with a handful of states."""
    step = d.pick(
        "$state = ($state * {{2|10}} + int($ch)) % {{3|5|7}}",
        "if $ch == '1':\n    $state = 1 - $state",
        "$state = [[0, 1], [2, 0], [1, 2]][$state][int($ch) % 2]",
        "$state = 0 if $ch == '0' else min($state + 1, {{2|3}})",
    )
    return d.make("""
        def $accept($bits):
            $state = 0
            {{$seen = [0]|$seen = []}}
            for $ch in $bits:
                $step
                $seen.append($state)
            return {{$state == 0|$state|$seen|$state, $seen.count(0)}}
        """, "$accept($given)", step=step, given=repr("".join(d.pick("0", "1", "1") for _ in range(d.r.randint(2, 7)))))


@family
def debounced_button(d):
    """A state changes only after the same reading came several times."""
    return d.make("""
        def $settle($readings, $need={{2|2|3}}):
            $state = $readings[0]
            $run_len, $changes = 0, []
            for $i, $r in enumerate($readings):
                if $r == $state:
                    $run_len = 0
                    continue
                $run_len += 1
                if $run_len {{>=|==}} $need:
                    $state{{, $run_len = $r, 0| = $r}}
                    $changes.append({{$i|($i, $r)}})
            return $state, {{$changes|len($changes)}}
        """, "$settle($given)", given=[d.r.randint(0, 1) for _ in range(d.r.randint(4, 7))])


@family
def connection_retries(d):
    """Connecting, up, waiting, given up: a loop over a state and a scripted list of answers."""
    return d.make("""
        def $connect($answers):
            $state, $tries, $log = "new", 0, []
            while $state not in ("up", "failed"):
                $log.append($state)
                if $state == "new":
                    $state = "trying"
                elif $state == "trying":
                    $tries += 1
                    $ok = $answers.pop(0) if $answers else {{False|True}}
                    $state = "up" if $ok else "waiting"
                else:
                    $state = "trying" if $tries < {{2..3}} else "failed"
            return $state, {{$tries|$log|len($log)}}
        """, "$connect($given)", given=[d.r.random() < 0.35 for _ in range(d.r.randint(0, 4))])


@family
def nested_mode_switch(d):
    """Comments, text and code told apart by a mode that characters switch."""
    text = "".join(d.pick("a", "b", "#", "'", "\n", "x") for _ in range(d.r.randint(4, 9)))
    return d.make("""
        def $strip_comments($text):
            $mode, $out = "code", {{""|[]}}
            for $ch in $text:
                if $mode == "note":
                    if $ch == "\\n":
                        $mode = "code"
                    continue
                if $ch == "'":
                    $mode = "code" if $mode == "text" else "text"
                elif $ch == "#" and $mode == "code":
                    $mode = "note"
                    continue
                $out += $ch{{|.upper()}}
            return $out, $mode
        """, "$strip_comments($given)", given=repr(text))


@family
def robot_arm_program(d):
    """A small virtual machine: registers, jumps and a program counter."""
    program = d.pick(
        [("set", "a", d.r.randint(1, 3)), ("add", "b", d.r.randint(2, 9)), ("dec", "a", 0), ("jnz", "a", -2)], [("set", "b", d.r.randint(1, 20)), ("add", "b", d.r.randint(1, 20)), ("dec", "b", 0)],
        [("set", "a", d.r.randint(0, 1)), ("jnz", "a", 2), ("add", "b", d.r.randint(1, 9)), ("add", "b", d.r.randint(10, 30))], [("set", "a", d.r.randint(2, 3)), ("dec", "a", 0), ("jnz", "a", -1), ("set", "b", d.r.randint(1, 9))],
    )
    return d.make("""
        def $execute($program):
            $regs = {"a": 0, "b": {{0..5}}}
            $pc = 0
            while $pc < len($program):
                $op, $reg, $n = $program[$pc]
                $pc += 1
                if $op == "set":
                    $regs[$reg] = $n
                elif $op == "add":
                    $regs[$reg] += $n
                elif $op == "dec":
                    $regs[$reg] -= 1
                elif $regs[$reg]:
                    $pc += $n - 1
            return {{$regs|$regs["b"]|list($regs.values())}}
        """, "$execute($given)", given=program)
