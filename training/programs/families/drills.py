"""Dense practice of what small models find hardest: short straight programs of many like steps.

Each drill lays its steps out as a function of its inputs, as a function that sets them first, or
as a script.
"""

import operator
import re

from ..registry import family

LARGEST = 99999
OPERATIONS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip


def laid_out(d, given, lines, last=None):
    """The steps as a program. `given` maps places to their values, and is kept to those that the
    steps use; `last` is what is returned."""
    names = [line.split(" = ")[0] for line in lines if " = " in line and line.startswith("$")]
    last = last or d.pick(names[-1], names[-1], ", ".join(dict.fromkeys(names[-2:])), f"[{', '.join(dict.fromkeys(names[-3:]))}]")
    given = {place: value for place, value in given.items() if re.search(rf"\{place}\b", "\n".join(lines))}
    setting = "\n".join(f"{place} = {value!r}" for place, value in given.items())
    body = "\n".join(lines)
    layout = d.r.random()
    if layout < 0.55:
        return d.program("def $f($given):\n    $body\n    return $last", f"$f({', '.join(map(repr, given.values()))})", given=", ".join(given), body=body, last=last)
    if layout < 0.75:
        return d.program("def $f():\n    $setting\n    $body\n    return $last", "$f()", setting=setting, body=body, last=last)
    return d.program("$setting\n$body\n$end", "<module>", setting=setting, body=body, end=d.maybe(f"print({last})"))


def reckoned(d, operations, numbers, operand, steps):
    """Inputs and lines `name = known op operand`, every value kept within five digits. `operand`
    gives a literal for an operation; now and then a known name stands there instead."""
    known = {f"$n{i}": number for i, number in enumerate(numbers)}
    given, lines = dict(known), []
    while len(lines) < steps:
        operation = d.pick(*operations)
        place = d.pick(*list(known)[-4:])
        other = d.pick(*known) if operation in "+-&|^" and d.r.random() < 0.5 else None
        right = known[other] if other else operand(operation)
        value = OPERATIONS[operation](known[place], right)
        if abs(value) > LARGEST:
            continue
        name = f"$x{len(lines)}"
        lines.append(f"{name} = {place} {operation} {other or right}")
        known[name] = value
    return given, lines


@family
def drill_sums(d):
    """Sums and differences of numbers of two to five digits."""
    size = d.pick(2, 2, 3, 3, 4, 5)
    given, lines = reckoned(d, "++-", [d.number(size), d.number(d.pick(size, 2))], lambda _: d.number(d.pick(1, 2, size)), d.r.randint(4, 8))
    return laid_out(d, given, lines)


@family
def drill_products(d):
    """Products: one digit by several, two by two, squares, sums between them."""
    numbers = [d.number(d.pick(1, 2, 2, 3)), d.number(d.pick(1, 2))]
    given, lines = reckoned(d, ["*", "*", "*", "-", "%"], numbers, lambda op: d.r.randint(2, 12) if op == "*" else d.number(2), d.r.randint(4, 7))
    return laid_out(d, given, lines)


@family
def drill_divisions(d):
    """`//` and `%` by one and two digits, of positive and negative numbers."""
    numbers = [d.number(d.pick(2, 3, 3, 4)), d.pick(d.number(2), d.number(3), -d.r.randint(1, 99))]
    given, lines = reckoned(d, ["//", "%", "//", "%", "+", "-", "*"], numbers, lambda op: d.pick(d.number(2), d.number(3)) if op in "+-" else d.pick(2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 16, 24, 60), d.r.randint(5, 8))
    return laid_out(d, given, lines)


@family
def drill_one_name(d):
    """One variable changed in place by `+=`, `-=`, `*=`, `//=`, `%=`."""
    value = start = d.number(d.pick(1, 2, 3))
    lines = []
    while len(lines) < d.r.randint(5, 8):
        op = d.pick("+", "+", "-", "*", "//", "%") if value > 9 else d.pick("+", "*", "-")
        right = d.number(d.pick(1, 2, 3)) if op in "+-" else d.r.randint(2, 9) if op == "*" else d.pick(2, 3, 4, 5, 7, 10, 12, 100)
        if abs(OPERATIONS[op](value, right)) <= LARGEST:
            value = OPERATIONS[op](value, right)
            lines.append(f"$n {op}= {right}")
    return laid_out(d, {"$n": start}, lines, "$n")


@family
def drill_expressions(d):
    """Longer expressions: precedence, brackets, signs, `abs`, powers, several names."""
    given = {"$a": d.number(d.pick(1, 2)), "$b": d.number(d.pick(1, 2, 3)), "$c": d.r.randint(2, 9)}
    forms = d.r.sample([
        "$a + $b * $c", "($a + $b) * $c", "$a * $c - $b", "$a - $b - $c", "$a - ($b - $c)", "$a * $a + $c", "-$a + $b", "abs($a - $b)", "$b // $c + $b % $c", "($a + $b) // 2",
        "$a ** 2 - $b", "$c ** 3", "2 * $a + 3 * $b", "$b - $b % 10", "$a * 10 + $c", "100 - $a - $c", "($a + $c) * ($a - $c)", "$a + $b % $c", "$b // 10 * 10", "max($a, $b) - min($a, $c)",
        "$a % $c * $c", "-($a + $b) // $c", "divmod($b, $c)", "$a * $c % 10 + $b",
    ], d.r.randint(4, 6))  # fmt: skip
    return laid_out(d, given, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_place_values(d):
    """A number's digits by `//` and `%`, and numbers made from digits."""
    given = {"$n": d.number(d.pick(3, 4, 4, 5))}
    lines = ["$ones = $n % 10", "$tens = $n // 10 % 10", "$hundreds = $n // 100 % 10"]
    lines += d.r.sample(["$back = $ones * 100 + $tens * 10 + $hundreds", "$total = $ones + $tens + $hundreds", "$front = $n // 1000", "$rest = $n % 1000", "$rounded = $n - $n % 100", "$swapped = $n - $ones + $hundreds",
                         "$pair = $n % 100", "$product = $ones * $tens * $hundreds", "$shifted = $n * 10 + $ones", "$cut = $n // 10", "$near = ($n + 50) // 100 * 100"], d.r.randint(2, 4))  # fmt: skip
    return laid_out(d, given, lines)


@family
def drill_powers(d):
    """Squares, cubes and powers of two, their sums and remainders."""
    given = {"$a": d.r.randint(2, 40), "$b": d.r.randint(2, 9)}
    forms = d.r.sample(["$a ** 2", "$b ** 3", "2 ** $b", "$a * $a + $b * $b", "$a ** 2 % 10", "($a + $b) ** 2", "($a - $b) ** 2", "10 ** ($b % 4)", "$b ** 2 * $a", "$a ** 2 - $b ** 2", "3 ** ($b % 5)", "pow($b, 2)",
                        "pow($a, $b, 7)", "$b ** 0", "(-$b) ** 3", "-$b ** 2", "$a ** 2 // $b"], d.r.randint(4, 6))  # fmt: skip
    return laid_out(d, given, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_comparisons(d):
    """Truth values: comparisons, chains, `and`, `or`, `not`, what `or` gives back, `is None`."""
    a = d.integer()
    given = {"$a": a, "$b": d.pick(a, d.integer()), "$s": d.pick("", d.pick(*d.words())), "$t": d.pick([], None, d.ints(1, 2))}
    forms = d.r.sample([
        "$a < $b", "$a == $b", "$a != $b and $a > 0", "0 <= $a < $b", "$s == $s.lower()", "not $s", "$s or 'none'", "$t or [0]", "$a and $b", "bool($t)", "$t is None", "$a > $b or $a % 2 == 0",
        "not ($a < $b)", "$s and $s[0]", "len($s) > 3", "$a if $a > $b else $b", "'yes' if $s else 'no'", "$a % 2 == $b % 2", "$s > 'm'", "isinstance($t, list)", "$s in ('cat', 'dog', '')",
        "$a == $b == $a", "($a > 5) + ($b > 5)", "$t is not None and len($t) > 0",
    ], d.r.randint(5, 7))  # fmt: skip
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, given, lines)


def mixed_case(d):
    return "".join(c.upper() if d.r.random() < 0.4 else c for c in d.phrase(1, 2, d.pick(" ", "-", "_")))


@family
def drill_letter_case(d):
    """`upper`, `lower`, `title`, `capitalize`, `swapcase` and their tests, on mixed texts."""
    given = {"$s": mixed_case(d)}
    forms = d.r.sample(["$s.upper()", "$s.lower()", "$s.title()", "$s.capitalize()", "$s.swapcase()", "$s.isupper()", "$s[0].upper() + $s[1:].lower()", "$s[:3].upper() + $s[3:]", "$s.lower() == $s", "$s[-1].swapcase()",
                        "$s.islower() or $s.istitle()", "$s.casefold()", "$s.title().swapcase()", "$s.upper().lower()"], d.r.randint(3, 5))  # fmt: skip
    return laid_out(d, given, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_stripping(d):
    """`strip`, `lstrip`, `rstrip` with and without characters, prefixes, `zfill`, padding."""
    word, mark = d.pick(*d.words()), d.pick("-", ".", "*", "#")
    given = {"$s": d.pick("  ", " ", "", "\t") + mark * d.r.randint(0, 2) + word + mark * d.r.randint(0, 2) + d.pick("  ", " ", "", "\n")}
    forms = ["$s.strip()", "$x0.strip('%s')" % mark] + d.r.sample(["$s.lstrip()", "$s.rstrip()", "$x0.lstrip('%s')" % mark, "$x0.rstrip('%s')" % mark, "$x1.ljust(%d, '%s')" % (len(word) + 2, mark), "$x1.rjust(8)", "len($s) - len($x0)",
                                                                      "$x1.strip('%s')" % word[0], "$x1.strip('%s')" % word[-2:], "$x1.removeprefix('%s')" % word[:2], "$x1.center(9, '.')", "repr($s)", "$x0 + '|'"], d.r.randint(2, 4))  # fmt: skip
    return laid_out(d, given, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_text_slices(d):
    """Slices and characters of one text, one line each."""
    text = d.pick("".join(d.words(1, 2)), "abcdefghij"[: d.r.randint(5, 10)], str(d.number(8)), d.pick(*d.words()) + "_" + d.pick(*d.words()))[:14]
    n = len(text)
    cut = lambda: d.pick("", str(d.r.randint(0, n)), str(-d.r.randint(1, n)))
    forms = [f"$s[{cut()}:{cut()}{d.pick('', '', '', ':2', ':-1', ':3')}]" for _ in range(d.r.randint(4, 6))]
    if d.r.random() < 0.5:
        forms.append(f"$s[{d.r.randint(-n, n - 1)}] + $s[{d.r.randint(-n, n - 1)}]")
    return laid_out(d, {"$s": text}, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_list_slices(d):
    """Slices and items of one list, one line each."""
    values = d.pick([d.integer() for _ in range(d.r.randint(4, 8))], d.words(4, 6))
    n = len(values)
    cut = lambda: d.pick("", str(d.r.randint(0, n)), str(-d.r.randint(1, n)))
    forms = [f"$s[{cut()}:{cut()}{d.pick('', '', '', ':2', ':-1')}]" for _ in range(d.r.randint(3, 5))]
    forms += d.r.sample([f"$s[{d.r.randint(-n, n - 1)}]", f"$s[{d.r.randint(0, n - 1)}] + $s[-1]", f"$s[:{d.small(1, 3)}] + $s[-1:]", "$s[1:][0]", "$s[::-1][:2]"], 1)
    return laid_out(d, {"$s": values}, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_sorting(d):
    """Several lists sorted, rising and falling, by length, by last digit."""
    numbers, words = [d.pick(d.r.randint(0, 99), d.integer()) for _ in range(d.r.randint(4, 7))], d.words(3, 5)
    forms = d.r.sample(["sorted($a)", "sorted($a, reverse=True)", "sorted($a[1:])", "sorted($a, key=abs)", "sorted($a, key=lambda $n: $n % 10)", "sorted($a)[-1]", "sorted($a)[0] + sorted($a)[1]", "sorted($a[:3] + [50])", "sorted([-$n for $n in $a])"], 2)
    forms += d.r.sample(["sorted($b)", "sorted($b, reverse=True)", "sorted($b, key=len)", "sorted($b, key=lambda $w: $w[-1])", "sorted($b[0])", "''.join(sorted($b[-1]))", "sorted([$w[::-1] for $w in $b])", "sorted($b)[:2]", "sorted(set($b))"], 2)
    d.r.shuffle(forms)
    return laid_out(d, {"$a": numbers, "$b": words}, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_comprehensions(d):
    """Small comprehensions over ranges, lists and words, one line each."""
    numbers, words = [d.r.randint(0, 40) for _ in range(d.r.randint(3, 6))], d.words(2, 4)
    k, m = d.r.randint(2, 9), d.r.randint(2, 5)
    forms = d.r.sample([
        f"[$n * {k} for $n in $a]", f"[$n + {k} for $n in $a if $n > {m * 4}]", f"[$n % {m} for $n in $a]", f"[$n for $n in $a if $n % {m} == 0]", f"[$n // {m} for $n in $a]", f"[$n * $n for $n in range({k})]"[:40], f"[$n - {k} for $n in $a[::-1]]",
        "[len($w) for $w in $b]", "[$w[0] for $w in $b]", "[$w.upper() for $w in $b]", "[$w[::-1] for $w in $b]", f"[$w for $w in $b if len($w) > {m}]", "[$w + '!' for $w in $b]", "{$w: len($w) for $w in $b}", f"[$n for $n in range(0, {k * 3}, {m})]",
        f"[($n, $n > {m * 5}) for $n in $a[:3]]", f"sum([$n for $n in $a if $n < {m * 6}])", f"{{$n % {m} for $n in $a}}", "[str($n) for $n in $a]", "[$n for $n in $a if $n not in $a[:2]]",
    ], d.r.randint(3, 5))  # fmt: skip
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, {"$a": numbers, "$b": words}, lines)


@family
def drill_aggregates(d):
    """`len`, `sum`, `min`, `max` and their like over lists, texts and slices."""
    given = {"$a": [d.integer() for _ in range(d.r.randint(3, 7))], "$s": d.phrase(1, 2)}
    forms = d.r.sample([
        "len($a)", "sum($a)", "min($a)", "max($a)", "len($s)", "max($s)", "min($s.replace(' ', ''))", "sum($a[:3])", "max($a) - min($a)", "sum($a) // len($a)", "max($a[1:])", "min($a[-2:])", "len($s) * len($a)", "sum([1 for $n in $a if $n > 9])",
        "$a.count($a[0])", "$a.index(max($a))", "sum($a, 100)", "len(set($a))", "max(len($s), $a[0])", "abs(min($a))", "round(sum($a) / 2)", "min($a[0], $a[-1], 7)", "sum(range(len($a)))", "max([$n % 10 for $n in $a])",
    ], d.r.randint(5, 7))  # fmt: skip
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, given, lines)


@family
def drill_copies(d):
    """Long literals handed from name to name, into tuples and back: copied without a slip."""
    value = d.pick(d.sentence()[:40], [d.integer() for _ in range(d.r.randint(5, 8))], d.words(4, 6), {w: d.integer() for w in d.some(3, 4)}, str(d.number(9)) + str(d.number(5)), [(w, d.integer()) for w in d.some(2, 3)], d.number(5) * 7)
    lines = ["$b = $a"] + d.r.sample(["$c = ($b, 1)", "$c = [$b]", "$c = {'it': $b}", "$c = ($a, $b)"], 1)
    lines += [{"(": "$e = $c[0]", "[": "$e = $c[0]", "{": "$e = $c['it']"}[lines[1].split(" = ")[1][0]]] + d.pick([], ["$same = $e == $a"], ["$i, $j = $e, $b"], ["$i = $e\n$a = None"])
    return laid_out(d, {"$a": value}, "\n".join(lines).split("\n"), d.pick("$e", "$b", "$e, 0"))


@family
def drill_f_strings(d):
    """f-strings with names, expressions, widths and decimals, one line each."""
    given = {"$a": d.pick(d.integer(), d.number(4)), "$s": d.pick(*d.words()), "$x": d.r.randint(1, 999) / d.pick(10, 100)}
    forms = d.r.sample([
        "f'{$s}-{$a}'", "f'{$a:>6}'", "f'{$s:<7}|'", "f'{$a:05d}'", "f'{$s.upper()}: {$a + 1}'", "f'{$x:.1f}'", "f'{$a * 2}/{len($s)}'", "f'[{$s!r}]'", "f'{$s[:2]}{$a % 10}'", "f'{$s:^9}'", "f'{$x:7.2f}'", "f'{$a:,}'", "f'{$s}{$s[::-1]}'",
        "f'{$a:+}'", "f'{$s:*>8}'", "f'{$a}{$a}'", "f'{$a > 10}'", "f'<{$s}> {$x}'", "f'{$a // 10} r {$a % 10}'", "f'{$a = }'", "f'{{{$a}}}'",
    ], d.r.randint(4, 6))  # fmt: skip
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, given, lines)


@family
def drill_list_changes(d):
    """One list changed again and again: the new value after each method."""
    values = [d.integer() for _ in range(d.r.randint(3, 5))]
    lines = []
    for _ in range(d.r.randint(4, 7)):
        lines.append(d.pick(f"$a.append({d.integer()})", f"$a.append({d.integer()})", "$a.pop()" if len(lines) % 2 else f"$a.insert(0, {d.integer()})", f"$a.insert({d.small(1, 2)}, {d.integer()})", f"$a[0] = {d.integer()}", f"$a[-1] += {d.small()}",
                            "$a.reverse()", "$a.sort()", f"$a.extend([{d.small()}, {d.integer()}])", f"$a[1] *= {d.small(2, 5)}", "$a[0], $a[1] = $a[1], $a[0]", "$x = $a.pop(0)\n$a.append($x)"))  # fmt: skip
    return laid_out(d, {"$a": values}, "\n".join(lines).split("\n"), d.pick("$a", "$a", "len($a)", "sum($a)"))


@family
def drill_split_join(d):
    """`split`, `join` and `list` back and forth."""
    gap = d.pick(" ", ",", "-", "/")
    given = {"$s": gap.join(d.words(2, 4))}
    lines = [f"$parts = $s.split({gap!r})" if gap != " " or d.r.random() < 0.5 else "$parts = $s.split()"]
    lines += [f"$x{i} = {form}" for i, form in enumerate(d.r.sample(["'+'.join($parts)", "''.join($parts)", "', '.join($parts[::-1])", "' '.join(sorted($parts))", "list($parts[0])", "'-'.join($parts[-1])", "$parts[1] + $parts[0]", "len($parts)",
              "'/'.join([$w[0] for $w in $parts])", "$s.split('a')", "$s.split('e', 1)", "' '.join($parts).title()", "$parts[-1][::-1]", "'_'.join($parts[:2]).upper()"], d.r.randint(3, 4)))]  # fmt: skip
    return laid_out(d, given, lines)


@family
def drill_finding(d):
    """`find`, `count`, `replace`, `in`, `startswith` on one text."""
    given = {"$s": d.phrase(1, 3)}
    s = given["$s"]
    c, e = d.pick(*s), d.pick(*"aeiost")
    forms = d.r.sample([f"$s.find({c!r})", f"$s.count({c!r})", f"$s.replace({c!r}, {d.pick('', '*', 'xy', '_')!r})", f"$s.find({e!r})", f"{e!r} in $s", f"$s.rfind({c!r})", f"$s.index({c!r}) + 1", f"$s.startswith({s[:2]!r})", f"$s.endswith({d.pick(s[-1], 'x')!r})",
                        f"$s.replace({e!r}, {e.upper()!r})", f"$s.count({e!r}) * 10", f"$s[: $s.find({c!r})]", f"$s.replace(' ', '')", f"$s.partition({c!r})[2]", f"$s.find({s[-2:]!r})"], d.r.randint(4, 6))  # fmt: skip
    return laid_out(d, given, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_dict_changes(d):
    """One dict read and changed again and again."""
    table = d.table(2, 4)
    old, other, new = d.pick(*table), d.pick(*table), d.pick("new", "extra", *d.words())
    lines = d.r.sample([
        f"$t[{old!r}] += {d.integer()}", f"$t[{new!r}] = {d.integer()}", f"$x0 = $t.get({new!r}, 0)", f"$x1 = $t[{old!r}] + $t[{other!r}]", f"$t[{other!r}] = $t[{old!r}] * {d.small(2, 5)}", "$x2 = list($t)", "$x3 = sum($t.values())",
        f"$x4 = {new!r} in $t", "$x5 = max($t.values())", f"$t.update({new}={d.small()})", "$x6 = sorted($t)", "$x7 = len($t)", f"$x8 = $t.pop({new!r}, -1)", f"$t.setdefault({new!r}, {d.small()})", "$x9 = list($t.items())[0]",
    ], d.r.randint(4, 6))  # fmt: skip
    return laid_out(d, {"$t": table}, lines, d.pick("$t", "$t, len($t)"))


@family
def drill_bits(d):
    """`&`, `|`, `^`, `<<`, `>>`, and binary, octal and hexadecimal texts."""
    given, lines = reckoned(d, ["&", "|", "^", "<<", ">>"], [d.r.randint(1, 255), d.r.randint(1, 63)], lambda op: d.r.randint(1, 3) if op in "<<>>" else d.pick(1, 3, 7, 8, 15, 31), d.r.randint(3, 5))
    forms = d.r.sample(["bin($n0)", "hex($n0)", "oct($n1)", "$n0 & 1", "~$n1", "$n0.bit_length()", "bin($n1).count('1')", "int('101', 2) + $n1", "1 << $n1 % 8", "f'{$n1:08b}'"], d.r.randint(1, 3))
    return laid_out(d, given, lines + [f"$y{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_conversions(d):
    """`int`, `str`, `float`, `bool`, `list`, `tuple`, `ord`, `chr` and what they make of it."""
    given = {"$a": d.pick(d.integer(), d.number(3)), "$s": str(d.number(d.pick(2, 3))), "$w": d.pick(*d.words())}
    forms = d.r.sample([
        "int($s)", "str($a)", "int($s) + $a", "$s + str($a)", "float($s)", "list($s)", "tuple($w)", "int($s[0]) * 7", "ord($w[0])", "chr(ord($w[0]) + 1)", "bool($a)", "[int($c) for $c in $s]", "len(str($a))", "str($a)[::-1]", "int($s[::-1])",
        "int($a / 2)", "str([$a, $s])", "list(map(int, $s))", "$s * 2", "int($s * 2) - $a", "round($a / 3, 1)", "repr($w)", "list(range(int($s[-1])))[:4]", "sum(map(int, $s))", "ord($w[-1]) - ord('a')",
    ], d.r.randint(4, 6))  # fmt: skip
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, given, lines)


@family
def drill_number_sets(d):
    """Sets of small numbers: members, sizes, algebra, back to sorted lists."""
    given = {"$a": {d.r.randint(0, 9) for _ in range(d.r.randint(2, 5))}, "$b": [d.r.randint(0, 9) for _ in range(d.r.randint(3, 5))]}
    forms = d.r.sample(["set($b)", "sorted($a)", "$a & set($b)", "$a | {7}", "$a - set($b)", "len(set($b))", "3 in $a", "sorted($a | set($b))", "max($a)", "sum($a)", "$a ^ {1, 2}", "list(dict.fromkeys($b))", "set($b) <= $a", "{$n % 3 for $n in $b}", "sorted(set($b))[:2]"], d.r.randint(4, 5))
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, given, lines)


@family
def drill_ranges(d):
    """`range` by every form of bounds, as lists, sums, lengths and members."""
    a, b = d.r.randint(1, 6), d.r.randint(8, 13)
    given = {"$a": a, "$b": b}
    forms = d.r.sample(["list(range($a))", "list(range($a, $b))", "list(range($a, $b, 2))", "list(range($b, $a, -2))", "sum(range($b))", "len(range($a, $b, 3))", "$a in range($b)", "list(range(0, $b * 3, $b))", "list(range($a, 0, -1))", "range($a, $b)[1]",
                        "list(reversed(range($a)))", "list(range(-$a, $a, 2))", "[$n * $n for $n in range($a)]", "tuple(range($b - 3, $b))", "max(range($a, $b))", "list(range($b, $a))"], d.r.randint(4, 6))  # fmt: skip
    return laid_out(d, given, [f"$x{i} = {form}" for i, form in enumerate(forms)])


@family
def drill_joined_texts(d):
    """Texts added, repeated, indexed and measured: each made from those before."""
    given = {"$s": d.pick(*d.words()), "$t": d.pick(*d.words(), d.pick("-", "=", "ab"))}
    menu = ["$s + $t", "$t + '-' + $s", "$t * 2", "$s[0] * 3", "$s[:2] + $t[-1]", "$s + str(len($t))", "$s[1:] + $s[0]", "'<' + $t + '>'", "$t[::-1] + $s[-1]", "$s.upper() + $t", "($s + $t)[2:6]", "$s[0] + $t + $s[-1]", "'.'.join([$s, $t])", "$s if len($s) > len($t) else $t"]
    lines = [f"$x{i} = {form}" for i, form in enumerate(d.r.sample(menu, d.r.randint(3, 4)))]
    lines += d.r.sample(["$y = $x0 + $x1", "$y = len($x0) + len($x2)", "$y = $x2[:3] + '~'", "$y = $x1 == $x2", "$y = [$x0, $x1]"], 1)
    return laid_out(d, given, lines)


@family
def drill_nested_calls(d):
    """Calls in calls in calls: built-in functions composed."""
    given = {"$a": [d.integer() for _ in range(d.r.randint(3, 6))], "$s": d.pick(*d.words())}
    forms = d.r.sample([
        "len(str(sum($a)))", "sorted(set($a))[-1]", "max(map(abs, $a))", "sum(sorted($a)[:2])", "''.join(reversed($s))", "list(zip($s, $a))[:2]", "dict(enumerate($s[:3]))", "str(max($a)) + $s[0]", "min(max($a), 50)", "len($s.upper().replace($s[0].upper(), ''))",
        "sorted($s, reverse=True)[0]", "abs(min($a)) + len($s)", "list(map(str, $a))[0]", "sum(map(len, [$s, $s * 2]))", "tuple(sorted($a))[0]", "any(map(str.isupper, $s))", "list(enumerate($a))[-1]", "divmod(sum($a), 7)[1]", "round(max($a) / 4)", "chr(max(map(ord, $s)))",
        "list(filter(None, [0, $a[0], '', $s]))", "int(str(abs($a[0]))[::-1])",
    ], d.r.randint(4, 5))  # fmt: skip
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, given, lines)


@family
def drill_floats(d):
    """Halves, tenths and hundredths: sums, products, rounding, whole-number divisions of them."""
    given = {"$a": d.r.randint(1, 99) / d.pick(2, 4, 10), "$b": d.r.randint(1, 20) / 2, "$n": d.r.randint(2, 9)}
    forms = d.r.sample(["$b * 2", "$b + $n", "round($a + $b, 2)", "round($a * $n, 1)", "int($a)", "round($a)", "$n / 2", "$b / 2", "$a // 1", "round($b / $n, 2)", "$a > $b", "$b - 0.5", "round($a - $b, 2)", "$n * 0.5", "$n / 4 + $b", "int($b * 10)", "round($n / 3, 2)", "-$b", "abs($b - 10)", "$b % 1"], d.r.randint(4, 6))
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, given, lines)


@family
def drill_pairs(d):
    """`zip`, `enumerate`, `items`, `reversed` made into lists and dicts."""
    given = {"$a": d.some(2, 4), "$b": d.ints(2, 4)}
    forms = d.r.sample(["list(zip($a, $b))", "dict(zip($a, $b))", "list(enumerate($a))", "list(enumerate($b, 1))", "list(reversed($a))", "list(zip($b, $b[1:]))", "dict(enumerate($b))", "list(zip(*[$a[:2], $b[:2]]))", "[$n + 1 for $n, _ in enumerate($a)]", "list(zip($a, range(3)))",
                        "sorted(zip($b, $a))", "max(zip($b, $a))", "list(dict(zip($b, $a)).items())", "[$w * $n for $n, $w in enumerate($a)]"], d.r.randint(3, 4))  # fmt: skip
    lines = [f"$x{i} = {form}" for i, form in enumerate(forms)]
    return laid_out(d, given, lines)


@family
def drill_loop_totals(d):
    """Short loops whose totals have several digits."""
    values = [d.number(d.pick(2, 2, 3)) for _ in range(d.r.randint(3, 6))]
    step = d.pick("$total += $x", "$total = $total + $x * 2", "$total += $x % 10", "$total = $x - $total", "$total += $x // 10", "$total = ($total + $x) % 100", "$total = max($total, $x)", "$total = $total * 2 + $x % 10", "$total += len(str($x))", "$total ^= $x")
    more = d.pick("", "$count += 1", "$latest = $x", "$text += str($x % 10)", "$kept.append($x - $total)")
    start = {"$count += 1": "$count = 0", "$text += str($x % 10)": "$text = ''", "$kept.append($x - $total)": "$kept = []"}.get(more, "")
    last = {"$count += 1": "$total, $count", "$latest = $x": "$total - $latest", "$text += str($x % 10)": "$text", "$kept.append($x - $total)": "$kept"}.get(more, "$total")
    lines = [f"$total = {d.pick(0, 0, d.r.randint(1, 99))}", start, "for $x in $a:", f"    {step}", f"    {more}" if more else ""]
    return laid_out(d, {"$a": values}, [line for line in lines if line], last)


@family
def drill_calls(d):
    """One-line functions called again and again: arguments in, values out."""
    body = d.pick("$x * $y + $k", "$x - $y", "$x % $y + $x // $y", "($x + $y) // 2", "max($x, $y) - $k", "$x * 10 + $y", "[$x, $y, $x + $y]", "f'{$x}:{$y}'", "$x ** 2 + $y", "abs($x - $y) * $k", "str($x) + str($y)", "$x if $x % $y else $k")
    calls = [f"$r{i} = $g({d.number(d.pick(1, 2, 3))}, {d.pick(d.r.randint(2, 9), d.number(2))})" for i in range(d.r.randint(3, 5))]
    return d.program("""
        def $g($x, $y):
            return $expression

        def $f():
            $calls
            return $last
        """, "$f()", expression=body, calls="\n".join(calls), k=d.r.randint(2, 30), last=d.pick(*(f"$r{i}" for i in range(len(calls))), "[$r0, $r1, $r2]"))  # fmt: skip


@family
def drill_index(d):
    """One item read by index or key from lists, tuples, texts, dicts, and from one in another."""
    items, word = d.pick(d.ints(4, 8), d.some(3, 6)), d.phrase(1, 2)
    table, rows = d.table(2, 4), [d.ints(2, 3) for _ in range(3)]
    i, j = d.r.randrange(len(items)), d.r.randrange(-len(items), len(items))
    key, row = d.pick(*table), d.r.randrange(3)
    given = {"$a": items, "$s": word, "$t": table, "$m": rows, "$i": i, "$k": key}
    forms = d.r.sample([
        f"$a[{i}]", f"$a[{j}]", "$a[$i]", "$a[-1]", "$a[0], $a[-1]", "$a[len($a) - 1]", "$a[len($a) // 2]", "$a[$i - 1]", f"$s[{d.r.randrange(len(word))}]", "$s[-1]", "$s[0] + $s[-1]", "$s[$i % len($s)]", f"$t[{key!r}]", "$t[$k]", "$t[$k] + 1",
        "$t.get($k)", f"$m[{row}]", f"$m[{row}][0]", f"$m[{row}][-1]", "$m[$i % 3][1]", f"tuple($a)[{i}]", f"($i, $k)[{d.pick(0, 1)}]", f"[$a[{i}], $s[0]]", f"sorted($a)[{d.pick(0, -1)}]", "list($t)[0]",
    ], d.r.randint(5, 7))  # fmt: skip
    return laid_out(d, given, [f"$x{n} = {form}" for n, form in enumerate(forms)])


@family
def drill_arguments(d):
    """How arguments reach parameters: by place, by name, by default, starred; worked out or read first."""
    header, calls = d.pick(
        ("$x, $y", ["$p, $q", "$q, $p", "$p + 1, $q", "$y=$p, $x=$q", "*$v", "$v[0], $v[1]", "$p, $y=$q", "len($v), $p", "$v[-1], $w"]),
        ("$x, $y=$n", ["$p", "$p, $q", "$q", "$v[0]", "$x=$q", "$p, $y=$v[1]", "$p * 2", "$w"]),
        ("$x, *$y", ["$p", "$p, $q", "*$v", "$p, *$v", "$w, $p, $q"]),
        ("$x, **$y", ["$p", "$p, option=$q", "$q, option=$p, flavour=$w"]),
        ("$x, $y, *, $z=$n", ["$p, $q", "$p, $q, $z=$p", "$q, $z=$q - 1, $y=$p"]),
    )  # fmt: skip
    values = {"$p": d.pick(d.integer(), d.number(2)), "$q": d.pick(d.integer(), d.number(3)), "$v": d.ints(2, 2), "$w": d.pick(*d.words())}
    calls = [f"$r{i} = $g({given})" for i, given in enumerate(d.r.sample(calls, min(len(calls), d.r.randint(2, 5))))]
    used = {place: value for place, value in values.items() if re.search(rf"\{place}\b", "\n".join(calls))}
    return d.program("""
        def $g($header):
            return $back

        def $f($given):
            $calls
            return $last
        """, f"$f({', '.join(map(repr, used.values()))})", header=header, back=d.pick("$x", "$y", "$x, $y", "[$x, $y]"), given=", ".join(used), calls="\n".join(calls), n=d.r.randint(2, 30), last=d.pick("$r0", "$r0, $r1"))  # fmt: skip


@family
def drill_branches(d):
    """Which way a condition goes: chains of `if`, `elif`, `else` on numbers, texts and lists."""
    a = d.integer()
    given = {"$a": a, "$b": d.pick(a, a + d.pick(-1, 1), d.integer()), "$s": d.pick("", *d.words()), "$l": d.ints(1, 4)}
    tests = d.r.sample([
        "$a > $b", "$a == $b", "$a >= $b", f"$a % {d.r.randint(2, 5)} == 0", "$a % 2", "not $s", f"len($s) > {d.r.randint(2, 6)}", f"$s == {given['$s']!r}", f"$s[:1] == {d.pick(given['$s'][:1], 'a')!r}", f"{d.pick(*'aeiost')!r} in $s", f"$s < {d.pick('g', 'm', 's')!r}",
        f"$a in $l", f"$b not in $l", "$l[0] > $a", "$l[-1] == max($l)", f"len($l) < {d.r.randint(1, 5)}", f"0 < $a < {d.r.randint(5, 40)}", "$a > 0 and $s", "$a < $b or not $l", f"sum($l) > {d.r.randint(3, 40)}", f"$a // {d.r.randint(2, 4)} == {d.r.randint(0, 5)}", "abs($a - $b) <= 1",
    ], d.r.randint(3, 6))  # fmt: skip
    lines, count, at = [], 0, 0
    while at < len(tests):
        for branch in range(d.pick(1, 1, 2, 3)):
            if at < len(tests):
                lines += [f"{'elif' if branch else 'if'} {tests[at]}:", f"    $c {d.pick('+= 1', f'= {count}', '*= 2', '= $c + 3')}"]
                count, at = count + 1, at + 1
        lines += d.pick([], ["else:", f"    $c {d.pick('-= 1', '+= 10', '= 0')}"])
    given = {"$c": d.r.randint(0, 9), **given}
    return laid_out(d, given, lines, "$c")
