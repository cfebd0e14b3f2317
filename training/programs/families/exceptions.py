"""Exceptions: raised, caught, chained, translated, cleaned up after, and let through."""

from ..registry import family


@family(raises=True)
def custom_exception(d):
    """An exception class of the program's own with an attribute, read where it is caught."""
    init = d.pick("def __init__(self, $need, $have):\n    super().__init__({{'short'|'not enough'|f'need {$need}'}})\n    self.$lack = $need - $have",
                  "def __init__(self, $need, $have):\n    self.$lack = $need - $have")
    caught = d.pick("return -$err.$lack", "return $err.$lack, str($err)", "$left = $err.$lack\nreturn f'short by {$left}'")
    return d.make("""
        class $ShortError({{Exception|ValueError}}):
            $init

        def $spend($have, $need):
            if $need > $have:
                raise $ShortError($need, $have)
            return $have - $need

        def $run($have, $need):
            try:
                return $spend($have, $need)
            except {{$ShortError|$ShortError|$ShortError|KeyError}} as $err:
                $caught
        """, "$run({{0..40}}, {{0..40}})", init=init, caught=caught)


@family
def try_else_finally(d):
    """Which of except, else and finally run, kept as a log."""
    return d.make("""
        def $run($text):
            $log = []
            try:
                $n = int($text)
                {{$log.append($n)|$log.append('try')|}}
            except {{ValueError|ValueError as $e|(TypeError, ValueError)}}:
                $log.append({{'bad'|-1|None}})
                {{return $log||}}
            else:
                $log.append($n {{*|+|%}} {{2..9}})
            finally:
                $log.append({{'end'|0|'done'}})
            {{|$log.append(len($log))}}
            return $log
        """, "$run($given)", given=repr(d.pick(str(d.r.randint(0, 99)), f" {d.r.randint(0, 99)} ", f"-{d.r.randint(1, 50)}", "x" + str(d.r.randint(0, 9)), "", d.r.choice(["seven", "1.5", "ten", "3a"]))))


@family
def finally_wins(d):
    """A return in finally that replaces another, or a finally that only changes what was returned already."""
    body = d.pick("try:\n    return $x * {{2..5}}\nfinally:\n    $x = {{0..9}}",
                  "try:\n    return {{10..30}} // $x\nexcept ZeroDivisionError:\n    return {{0|-1}}\nfinally:\n    $seen.append($x)",
                  "try:\n    $seen[$x] = 0\nexcept IndexError:\n    $x = {{0..3}}\nfinally:\n    $seen.append($x)\nreturn $x",
                  "for $i in range({{2..4}}):\n    try:\n        if $i == $x:\n            {{break|continue}}\n        $seen.append($i)\n    finally:\n        $seen.append({{'f'|0|-1}})\nreturn $x")
    return d.make("""
        def $f($x, $seen):
            $body

        def $run($x):
            $seen = [{{|5|1, 2}}]
            $result = $f($x, $seen)
            return $result, $seen
        """, "$run({{0..3}})", body=body)


@family(raises=True)
def raise_from(d):
    """A low-level error turned into another with `raise ... from`, its cause looked at."""
    risky, error, args = d.pick(("$table[$key]", "KeyError", (dict(zip("abc", d.numbers(3, 1, 20))), d.r.choice("abcdz"))),
                                ("$table[$key]", "IndexError", (d.numbers(3, 0, 20), d.r.randint(0, 5))),
                                ("$table // $key", "ZeroDivisionError", (d.r.randint(5, 99), d.r.randint(0, 3))),
                                ("int($table, $key)", "ValueError", (d.pick("101", "77", "2x", "ff"), d.pick(2, 8, 16))))
    caught = d.pick("return type($err.__cause__).__name__", "return str($err)", "return [str($err), $err.__cause__ is None]")
    return d.make("""
        def $load($table, $key):
            try:
                return $risky
            except $bound:
                raise RuntimeError({{"no value"|f"bad {$key}"|"load"}}) from $cause

        def $run($table, $key):
            try:
                $value = $load($table, $key)
            except {{RuntimeError|Exception|RuntimeError|ArithmeticError}} as $err:
                $caught
            return $value {{+|*}} 2
        """, "$run($one, $two)", risky=risky, error=error, caught=caught,
        **dict(zip(["bound", "cause"], d.pick(("$error as $low", "$low"), ("$error", "None")))), one=repr(args[0]), two=repr(args[1]))  # fmt: skip


@family
def retry_loop(d):
    """Attempts in a loop until one succeeds or they run out."""
    loop = d.pick(
        "for $n in range(1, $tries + 1):\n    try:\n        return $n, $attempt($n)\n    except $error:\n        continue\nreturn None",
        "$n = 0\nwhile $n < $tries:\n    $n += 1\n    try:\n        $got = $attempt($n)\n    except Exception{{| as $e}}:\n        $failed = $n\n    else:\n        break\nelse:\n    return -1\nreturn $got - $n",
        "$errors = []\nfor $n in range($tries):\n    try:\n        $got = $attempt($n)\n        break\n    except (KeyError, $error) as $e:\n        $errors.append(str($e))\nelse:\n    $got = None\nreturn $got, $errors",
    )
    return d.make("""
        def $attempt($n):
            if $n < {{1..4}}:
                raise $error({{"busy"|f"try {$n}"|"no"}})
            return $n * {{5..40}}

        def $run($tries):
            $loop
        """, "$run({{1..4}})", loop=loop, error=d.pick("OSError", "ValueError", "TimeoutError"))


@family
def error_by_kind(d):
    """Several except clauses: the first that fits wins; the order is from special to general."""
    value = d.pick("7", "0", "x", 3, None, [4], "-2", 0, "12", [], 2.0)
    return d.make("""
        def $half($value):
            $n = int($value)
            return {{60|84|120|99}} // $n

        def $run($value):
            try:
                $result = $half($value)
            except ZeroDivisionError:
                $result = {{0|"zero"|-1}}
            except (TypeError, {{AttributeError|IndexError}}) as $e:
                $result = type($e).__name__
            except {{ValueError|Exception}}:
                $result = {{"text"|None|-2}}
            return $result
        """, "$run($given)", given=repr(value))


@family
def assertion_checks(d):
    """`assert` with a message, caught by its caller and counted."""
    test, message = d.pick(("$n >= 0", "f'neg {$n}'"), ("$n % 2 == 0", "'odd'"), ("$n {{<|!=|>}} {{3..8}}", "$n"), ("0 <= $n < 10", "'range'"))
    return d.make("""
        def $check($n):
            assert $test, $message
            return $n + {{1..9}}

        def $run($items):
            $good, $bad = [], []
            for $x in $items:
                try:
                    $good.append($check($x))
                except AssertionError as $e:
                    $bad.append($e.args[0])
            return $good, $bad
        """, "$run($given)", test=test, message=message, given=d.numbers(d.r.randint(2, 4), -3, 12))


@family(raises=True)
def validation_raises(d):
    """Guard clauses that each raise another error, left to travel or caught one level up."""
    checks = ["if not isinstance($age, int):\n    raise TypeError({{'age'|'not a number'}})", "if $age < 0:\n    raise ValueError({{'negative'|f'age {$age}'}})",
              "if len($name) < 2:\n    raise ValueError('name')", "if $name != $name.{{title()|strip()|lower()}}:\n    raise ValueError($name)"]
    use = d.pick("try:\n    return $check_it($name, $age)\nexcept ValueError as $e:\n    return 'error: ' + str($e)", "return $check_it($name, $age)[0]",
                 "try:\n    $record = $check_it($name, $age)\nexcept (TypeError, ValueError):\n    $record = None\nreturn $record")
    return d.make("""
        def $check_it($name, $age):
            $checks
            return {"name": $name, "age": $age}

        def $run($name, $age):
            $use
        """, "$run($who, $years)", checks="\n".join(d.r.sample(checks, d.r.randint(2, 3))), use=use,
        who=repr(d.pick("Ann", "bo", " Kim", "X", "Lee ", "Zed")), years=repr(d.pick(d.r.randint(-9, -1), d.r.randint(-9, -1), d.r.randint(1, 60), "12", 30)))


@family
def eafp_lookup(d):
    """Ask forgiveness: an index, a key or an attribute that may not be there, with a fallback each."""
    risky, error, arg, key = d.pick(
        ("$box[$key]", "KeyError", {w: d.r.randint(1, 30) for w in d.words(1, 3)}, d.words(1, 1)[0]),
        ("$box[$key]", "IndexError", d.numbers(d.r.randint(1, 4), 1, 30), d.r.randint(-4, 4)),
        ("$box.index($key)", "ValueError", d.numbers(4, 0, 6), d.r.randint(0, 6)),
        ("$box.pop($key)", "(KeyError, IndexError)", d.pick({"a": 4, "b": d.r.randint(1, 9)}, [3, d.r.randint(1, 9)]), d.pick(0, "a", 1, "b", 5, -1) ),
    )
    if risky == "$box.pop($key)":
        key = d.pick("a", "b", "c") if isinstance(arg, dict) else d.r.randint(-3, 3)
    return d.make("""
        def $get($box, $key, $default={{0|None|-1}}):
            try:
                $value = $risky
            except $error:
                $value = $default
            return $value

        def $run($box, $key):
            $first = $get($box, $key)
            $second = $get($box, $key, {{7|100|len($box)}})
            return $first, $second
        """, "$run($arg, $at)", risky=risky, error=error, arg=arg, at=repr(key))


@family
def sum_of_valid(d):
    """Bad entries of a list are skipped and counted; the good ones used."""
    entries = [d.pick(str(d.r.randint(0, 40)), d.r.choice(["x", "4.5", "", "n/a", "--"]), str(d.r.randint(1, 9)) + d.pick("", "", " ")) for _ in range(d.r.randint(2, 5))]
    body = d.pick("try:\n    $total += int($e)\nexcept ValueError:\n    $bad += 1\n    {{continue|}}",
                  "try:\n    $n = int($e)\nexcept ValueError:\n    $bad += 1\n    continue\nif $n > {{5..30}}:\n    $n = {{5..30}}\n$total += $n",
                  "try:\n    $n = int($e)\n    if $n % 2:\n        raise ValueError('odd')\n    $total += $n\nexcept ValueError:\n    $bad += 1")
    return d.make("""
        def $run($entries):
            $total = $bad = 0
            for $e in $entries:
                $body
            return {{$total, $bad|$total - $bad|{"sum": $total, "bad": $bad}}}
        """, "$run($given)", body=body, given=entries)


@family(raises=True)
def unwinding_depth(d):
    """An exception that passes frames, some with a finally, until one catches it."""
    steps = d.pick("try:\n    $y = $low($x - 1)\nfinally:\n    $log.append({{'mid'|1}})\nreturn $y", "$y = $low($x - 1)\n$log.append($y)\nreturn $y",
                   "try:\n    return $low($x - 1)\nexcept {{KeyError|IndexError}}:\n    $log.append('never')\n    raise")
    return d.make("""
        $log = []

        def $low($x):
            if $x < {{1..4}}:
                raise {{KeyError|ValueError}}({{'low'|$x}})
            return {{20..90}} // $x

        def $mid($x):
            $steps

        def $top($x):
            try:
                return $mid($x) + 1
            except {{LookupError|Exception|ValueError|(KeyError, ValueError)}} as $e:
                $log.append(str($e))
                return $log
        """, "$top({{1..8}})", steps=steps)


@family(raises=True)
def reraise_after_count(d):
    """`raise` alone hands on the same exception after something was noted; the outermost decides."""
    return d.make("""
        $fails = {{{"n": 0}|{"n": 2}}}

        def $inner($items, $i):
            try:
                return $items[$i]
            except IndexError:
                $fails["n"] += 1
                if $fails["n"] > {{1..3}}:
                    return {{0|-1}}
                raise

        def $run($items):
            $out = []
            for $i in range({{3..5}}):
                try:
                    $out.append($inner($items, $i))
                except {{IndexError|LookupError|KeyError}}:
                    $out.append({{'-'|None|$i}})
            return $out, $fails["n"]
        """, "$run({{@small 1 3}})")


@family
def exception_to_text(d):
    """Formatting an exception: its class, its arguments, its text."""
    risky = d.pick("{}[$x]", "[1, 2][$x]", "int($x)", "$x + 1", "$x.upper()", "len($x)", "[3, 1].index($x)", "10 % $x", "'ab'.index($x)")
    show = d.pick(
        "return type($e).__name__",
        "return repr($e.args[0])[:12]",
        "return f'{type($e).__name__}!'",
        "return isinstance($e, (LookupError, ValueError)), len($e.args)",
    )
    return d.make("""
        def $explain($x):
            try:
                $value = $risky
            except Exception as $e:
                $show
            return $value

        def $run():
            $results = []
            for $x in $inputs:
                $results.append($explain($x))
            return $results
        """, "$run()", risky=risky, show=show, inputs=tuple(d.r.sample([0, 1, 5, "a", "7", None, "b", 3, ""], d.r.randint(2, 3))))
