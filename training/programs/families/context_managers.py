"""`with`: objects that enter and leave, swallowing errors or not, nested, from generators."""

from ..registry import family


@family(raises=True)
def logging_context(d):
    """Enter and exit noted in a list; an error inside passes through `__exit__`."""
    inside = d.pick(
        "$log.append({{@label}})",
        "$n = {{10..40}} // $x\n$log.append($n)",
        "if $x > {{2..6}}:\n    raise ValueError({{@label}})\n$log.append($x)",
        "for $i in range($x):\n    $log.append($i)",
    )
    return d.make("""
        $log = []

        class $Trace:
            def __init__(self, $name):
                self.$name = $name

            def __enter__(self):
                $log.append("+" + self.$name)
                return self

            def __exit__(self, kind, error, where):
                $log.append("-" + self.$name)
                return $swallow

        def $run($x):
            with $Trace({{@word}}){{| as $t}}:
                $inside
            $log.append({{'end'|0|len($log)}})
            return $log
        """, "$run({{0..4}})", inside=inside, swallow=d.pick("True", "kind is ValueError", "False", "kind is not None"))


@family(raises=True)
def suppressing_context(d):
    """A context manager that swallows the exception classes it was given."""
    risky = d.pick("$value = $items[$i]", "$value = {{12|60|7}} // $items[0]\n$value += $items[$i]", "$value = $items.index($i)")
    return d.make("""
        class $Ignore:
            def __init__(self, *$kinds):
                self.$kinds = $kinds
                self.$caught = None

            def __enter__(self):
                return self

            def __exit__(self, kind, error, where):
                if kind is None:
                    return False
                self.$caught = kind.__name__
                return issubclass(kind, self.$kinds)

        def $run($items, $i):
            $value = {{-1|None|0}}
            with $Ignore({{IndexError, ValueError|LookupError|ZeroDivisionError, LookupError|Exception}}) as $guard:
                $risky
            return $value, $guard.$caught
        """, "$run({{@small 1 3}}, {{0..4}})", risky=risky)


@family
def contextlib_generator(d):
    """`@contextmanager` on a generator: before, yield, after in finally."""
    kind = d.pick("plain", "finally", "value")
    body = {"plain": "$stack.append($name)\nyield\n$stack.pop()", "finally": "$stack.append($name)\ntry:\n    yield len($stack)\nfinally:\n    $stack.pop()", "value": "$old = len($stack)\n$stack.append($name)\nyield $old\ndel $stack[$old:]"}[kind]
    return d.make("""
        from contextlib import contextmanager

        $stack = [{{|'base'}}]

        @contextmanager
        def $scope($name):
            $body

        def $run($name):
            $seen = []
            $head
                $seen.append({{'/'|'.'}}.join($stack))
                $second
            return $seen, $stack
        """, "$run({{@word}})", body=body, head="with $scope($name):" if kind == "plain" else "with $scope($name){{| as $depth}}:",
        second=d.pick("with $scope({{@word}}):\n    $seen.append(len($stack))", "$stack.append({{@label}})\n$seen.append($stack[0])\n$stack.pop()", "$seen.append($name[::-1])"))  # fmt: skip


@family
def temporary_setting(d):
    """A setting changed within the block and put back after it, also when the block fails."""
    start = {"depth": d.r.randint(1, 9), "mode": d.pick("fast", "slow", "safe")}
    key, value = d.pick(("depth", d.r.randint(10, 30)), ("mode", "test"), ("extra", d.r.randint(0, 5)))
    return d.make("""
        $SETTINGS = $start

        class $Override:
            def __init__(self, $key, $value):
                self.$key, self.$value = $key, $value

            def __enter__(self):
                self.$old = $SETTINGS.get(self.$key)
                $SETTINGS[self.$key] = self.$value

            def __exit__(self, *$details):
                if self.$old is None:
                    del $SETTINGS[self.$key]
                else:
                    $SETTINGS[self.$key] = self.$old

        def $run($key, $value):
            with $Override($key, $value):
                $inside = $expr
            return $inside, $expr
        """, "$run($k, $given)", start=start, k=repr(key), given=repr(value),
        expr=d.pick("dict($SETTINGS)", "len($SETTINGS)", "$SETTINGS.get('depth', 0) {{+|*}} {{2..5}}", "list($SETTINGS)"))  # fmt: skip


@family
def nested_with(d):
    """Two managers in one `with`: entered in order, left in reverse."""
    head = d.pick("with $Step({{'a'|1}}, $log), $Step({{'b'|2}}, $log):\n    $log.append($x)", "with $Step('out', $log):\n    $log.append({{'mid'|0}})\n    with $Step('in', $log):\n        $log.append($x)",
                  "with $Step('a', $log) as $first, $Step($x, $log) as $second:\n    $log.append([$first, $second])")
    return d.make("""
        class $Step:
            def __init__(self, $name, $log):
                self.$name = $name
                self.$log = $log

            def __enter__(self):
                self.$log.append(self.$name)
                return self.$name

            def __exit__(self, *_):
                self.$log.append({{-1|None|'x'|[self.$name]}})

        def $run($x):
            $log = []
            $head
            return $log{{|[::-1]}}
        """, "$run({{@int|@word}})", head=head)


@family(raises=True)
def transaction_rollback(d):
    """Changes kept when the block ends well and undone when it raises."""
    return d.make("""
        class $Transaction:
            def __init__(self, $data):
                self.$data = $data

            def __enter__(self):
                self.$copy = {{list(self.$data)|self.$data[:]|self.$data.copy()}}
                return self.$data

            def __exit__(self, kind, error, where):
                if kind is not None:
                    self.$data[:] = self.$copy
                return kind is ValueError

        def $run($data, $moves):
            with $Transaction($data) as $work:
                for $m in $moves:
                    if $m {{< 0|> 9|== 5|== 0}}:
                        raise {{ValueError|ValueError|ValueError|KeyError}}($m)
                    $work.append($m)
            return $data
        """, "$run({{@small 0 2}}, $given)", given=d.numbers(d.r.randint(1, 3), -2, 11))


@family
def resource_pool(d):
    """Resources handed out in a `with` and given back at its end."""
    return d.make("""
        class $Pool:
            def __init__(self, $names):
                self.$free = list($names)
                self.$used = []

            def __enter__(self):
                $name = self.$free.pop({{|0}})
                self.$used.append($name)
                return $name

            def __exit__(self, *_):
                self.$free.append(self.$used.pop())

        $pool = $Pool({{@words 2 3}})
        $seen = []
        for $i in range({{1..3}}):
            with $pool as $name:
                $seen.append($name{{|.upper()|[0]|[:2]}})
        print($seen, $pool.$free)
        """)


@family
def indenting_writer(d):
    """A `with` that indents what is written inside, at any depth."""
    body = d.pick("$out.$write({{@word}})\nwith $out:\n    $out.$write({{@word}})\n    with $out:\n        $out.$write({{@word}})\n$out.$write({{@word}})",
                  "with $out:\n    for $w in {{@words 1 3}}:\n        $out.$write($w)\n$out.$write({{@word}})",
                  "$out.$write({{@word}})\nwith $out, $out:\n    $out.$write({{@word}})")
    return d.make("""
        class $Writer:
            def __init__(self, $unit={{"  "|"-"|".."|"    "}}):
                self.$unit = $unit
                self.$depth = {{0|1}}
                self.$lines = []

            def __enter__(self):
                self.$depth += 1
                return self

            def __exit__(self, *_):
                self.$depth -= 1

            def $write(self, $text):
                self.$lines.append(self.$unit * self.$depth + $text)

        $out = $Writer()
        $body
        print($out.$lines)
        """, body=body)


@family
def exit_stack_callbacks(d):
    """`ExitStack`: callbacks that run in reverse at the end of the block."""
    callbacks = "\n".join(d.r.sample(["$stack.callback($log.append, {{@int}})", "$stack.callback($log.append, {{@word}})", "$log.append({{@label}})", "$stack.callback($log.extend, {{@small 1 2}})"], d.r.randint(2, 3)))
    return d.make("""
        from contextlib import ExitStack

        def $run($n):
            $log = []
            with ExitStack() as $stack:
                $callbacks
                for $i in range($n):
                    $stack.callback($log.append, $i)
            {{return $log|return $log[::-1]|return $log, len($log)}}
        """, "$run({{0..3}})", callbacks=callbacks)


@family
def suppress_builtin(d):
    """`contextlib.suppress` around statements of which some fail."""
    error, risky = d.pick(
        ("KeyError", "del $box[$key]"),
        ("KeyError", "$box[$key] += {{1..9}}"),
        ("LookupError", "$box[$key] *= {{2..4}}"),
        ("(KeyError, TypeError)", "$out.append($box[$key])"),
    )
    return d.make("""
        from contextlib import suppress

        def $run($box, $keys):
            $out = []
            for $key in $keys:
                with suppress($error):
                    $risky
                    $out.append($key{{|.upper()|* 2}})
            return $out, $box
        """, "$run($given, $keys_)", risky=risky, error=error.strip("()"), given={c: d.r.randint(1, 20) for c in d.r.sample("abcd", 2)}, keys_=d.r.sample("abcd", d.r.randint(1, 3)))


@family(raises=True)
def budget_context(d):
    """A budget spent inside the block; leaving it checks or reports what is left."""
    leave = d.pick("if self.$left < 0:\n    raise RuntimeError({{'over'|'spent'}})", "self.$left = max(self.$left, 0)", "self.$closed = True")
    return d.make("""
        class $Budget:
            def __init__(self, $limit):
                self.$left = $limit
                self.$closed = False

            def __enter__(self):
                return self

            def $spend(self, $n):
                self.$left -= $n
                return self.$left

            def __exit__(self, kind, error, where):
                $leave

        def $run($limit, $costs):
            with $Budget($limit) as $b:
                for $c in $costs:
                    $loop
            return $b.$left, $b.$closed
        """, "$run({{5..30}}, {{@small 1 4}})", leave=leave, loop=d.pick("$b.$spend($c)", "if $b.$spend($c) <= 0:\n    break", "if $c > $b.$left:\n    continue\n$b.$spend($c)"))
