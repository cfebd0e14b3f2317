"""Strings: characters, words, formats."""

from ..pools import WORDS
from ..registry import family


@family
def count_matching(d):
    """Counting the characters of a text that equal one."""
    f, (text, wanted, total, ch) = d.fn(), d.v(4)
    main = d.fn()
    test = d.r.choice([f"        if {ch} == {wanted}:\n            {total} += 1\n", f"        {total} += int({ch} == {wanted})\n", f"        {total} = {total} + ({ch} == {wanted})\n"])
    word = d.r.choice(WORDS)
    call = f"{f}({word!r}, {d.r.choice(word + 'ae')!r})"
    program = f"def {f}({text}, {wanted}):\n    {total} = 0\n    for {ch} in {text}:\n{test}    return {total}\n"
    if d.r.random() < 0.5:
        return program + f"def {main}():\n    return {call}\n", f"{main}()"
    return program, call


@family
def build_text(d):
    """A text grown piece by piece."""
    f, (xs, x, out) = d.fn(), d.v(3)
    piece = d.r.choice([f"{x}[0]", f"{x}.upper()", f"{x}[::-1]", f"{x} + {d.r.choice(['-', ' ', ','])!r}", f"{x}.capitalize()", f"f'<{{{x}}}>'"])
    return f"def {f}({xs}):\n    {out} = ''\n    for {x} in {xs}:\n        {out} += {piece}\n    return {out}\n", f"{f}({d.words(1, 4)!r})"


@family
def echo(d):
    """A text made of few distinct pieces, handed on without change: copying must not lose its place."""
    f, g, (text, held, again) = d.fn(), d.fn(), d.v(3)
    few = [d.r.choice(WORDS) for _ in range(d.r.randint(1, 3))] + d.r.choice([[], ["or"], ["a"], ["the"]])
    text_value = d.r.choice([" ", " ", "-", "", ", "]).join(d.r.choice(few) for _ in range(d.r.randint(2, 7)))
    use = d.r.choice([held, f"[{held}, {again}]", f"({held}, len({held}))", f"{{{held}: {d.small()}}}"])
    main = f"def {f}({text}):\n    {held} = {text}\n    {again} = {g}({held})\n    return {use}\n"
    inner = f"def {g}({text}):\n    {held} = {d.r.choice([f'[{text}]', f'({text}, {text})', text])}\n    return {d.r.choice([text, held])}\n"
    return inner + main, f"{f}({text_value!r})"


@family
def vowels(d):
    """Vowels and consonants: counted, marked, taken out."""
    body, result = d.pick(
        ("for $c in $text:\n    if $c in 'aeiou':\n        $out += 1", "0"),
        ("for $c in $text.lower():\n    $out += $c in 'aeiou'", "0"),
        ("for $c in $text:\n    $out += '*' if $c in 'aeiou' else $c", "''"),
        ("for $c in $text:\n    if $c.lower() not in 'aeiou':\n        $out += $c", "''"),
        ("for $i, $c in enumerate($text):\n    if $c in 'aeiou':\n        $out.append($i)", "[]"),
        ("for $c in 'aeiou':\n    if $c in $text:\n        $out[$c] = $text.count($c)", "{}"),
    )
    return d.program("""
        def $f($text):
            $out = $start
            $body
            return $out
        """, f"$f({d.pick(d.phrase(1, 2), d.pick(*d.words()).title(), d.pick(*d.words()))!r})", start=result, body=body)  # fmt: skip


@family
def caesar(d):
    """Letters moved along the alphabet, around its end, with `ord` and `chr` or an index."""
    shift = d.pick(1, 2, 3, 5, 13, -1, -3)
    text = d.pick("""
        def $f($text, $shift):
            $out = ""
            for $c in $text:
                if $c.isalpha():
                    $out += chr((ord($c) - 97 + $shift) % 26 + 97)
                else:
                    $out += $c
            return $out
        """, """
        $LETTERS = "abcdefghijklmnopqrstuvwxyz"

        def $f($text, $shift):
            $out = []
            for $c in $text:
                if $c not in $LETTERS:
                    $out.append($c)
                    continue
                $at = ($LETTERS.index($c) + $shift) % len($LETTERS)
                $out.append($LETTERS[$at])
            return "".join($out)
        """, """
        def $g($c, $shift):
            if not $c.islower():
                return $c
            $at = ord($c) - ord("a") + $shift
            return chr($at % 26 + ord("a"))

        def $f($text, $shift):
            return "".join($g($c, $shift) for $c in $text)
        """)  # fmt: skip
    word = d.pick(*d.words()) + d.pick("", "!", " x")
    return d.program(text, f"$f({(word[:5] if 'def $g' in text else word)!r}, {shift})")


@family
def run_lengths(d):
    """Runs of equal characters: written short, and spelled out again."""
    letters = d.pick("ab", "abc", "xy", "01")
    text = "".join(d.r.choice(letters) * d.r.randint(1, 3) for _ in range(d.r.randint(1, 4)))
    pairs = [(c, d.r.randint(1, 4)) for c in d.r.sample("abcxyz", d.r.randint(1, 4))]
    packed = "".join(f"{c}{n}" for c, n in pairs)
    source, value = d.pick(("""
        def $f($text):
            $out = ""
            $count = 1
            for $i in range(1, len($text) + 1):
                if $i < len($text) and $text[$i] == $text[$i - 1]:
                    $count += 1
                else:
                    $out += $text[$i - 1] + str($count)
                    $count = 1
            return $out
        """, text), ("""
        def $f($text):
            $runs = []
            for $c in $text:
                if $runs and $runs[-1][0] == $c:
                    $runs[-1][1] += 1
                else:
                    $runs.append([$c, 1])
            return $runs
        """, text), ("""
        def $f($text):
            $out = ""
            for $i in range(0, len($text), 2):
                $out += $text[$i] * int($text[$i + 1])
            return $out
        """, packed), ("""
        def $f($pairs):
            return "".join($c * $count for $c, $count in $pairs)
        """, pairs), ("""
        from itertools import groupby

        def $f($text):
            $runs = []
            for $c, $group in groupby($text):
                $runs.append(($c, len(list($group))))
            return $runs
        """, text))  # fmt: skip
    return d.program(source, f"$f({value!r})")


@family
def palindromes(d):
    """The same from both ends: pointers, a reversed copy, halves, after cleaning."""
    text = d.pick("""
        def $f($text):
            $left, $right = 0, len($text) - 1
            while $left < $right:
                if $text[$left] != $text[$right]:
                    return False
                $left += 1
                $right -= 1
            return True
        """, """
        def $f($text):
            $clean = "".join($c for $c in $text.lower() if $c.isalnum())
            return $clean == $clean[::-1]
        """, """
        def $f($text):
            $half = len($text) // 2
            $start = $text[:$half]
            $end = $text[-$half:] if $half else ""
            return $start == "".join(reversed($end))
        """, """
        def $f($text):
            for $i in range(len($text) // 2):
                if $text[$i] != $text[-1 - $i]:
                    return $i
            return -1
        """)  # fmt: skip
    value = d.pick("level", "noon", "abba", "rotor", "Never odd", "Was it", "no lemon", "step on", d.pick(*d.words()), d.pick(*d.words()))
    return d.program(text, f"$f({value!r})")


@family
def word_shapes(d):
    """Words of a sentence: their lengths, initials, longest, order, turned round."""
    body = d.pick(
        "$words = $text.split()\n$longest = ''\nfor $word in $words:\n    if len($word) > len($longest):\n        $longest = $word\nreturn $longest",
        "$initials = ''\nfor $word in $text.split():\n    $initials += $word[0].upper()\nreturn $initials",
        "$words = $text.split()\n$words.reverse()\nreturn ' '.join($words)",
        "return ' '.join($word[::-1] for $word in $text.split())",
        "$lengths = [len($word) for $word in $text.split()]\nreturn sum($lengths) // len($lengths), max($lengths)",
        "$words = $text.split(' ')\nfor $i, $word in enumerate($words):\n    if $i % 2 == 0:\n        $words[$i] = $word.upper()\nreturn ' '.join($words)",
        "$first, *$rest = $text.split()\nreturn $first.capitalize() + ' ' + '-'.join($rest)",
        "$seen = []\nfor $word in $text.split():\n    if $word not in $seen:\n        $seen.append($word)\nreturn $seen, len($seen)",
        "return sorted($text.split(), key=lambda $word: ($order, $word))",
    )
    words = d.words(2, 4)
    return d.program("def $f($text):\n    $body", f"$f({' '.join(words + words[:d.pick(0, 1)])!r})", body=body, order=d.pick("len($word)", "-len($word)", "$word[-1]"))


@family
def letter_cases(d):
    """Upper and lower case by methods: swapped, titled, camel and snake."""
    snake, camel = "_".join(d.words(2, 3)), "".join(w.title() for w in d.words(1, 3))
    mixed = "".join(c.upper() if d.r.random() < 0.4 else c for c in d.phrase(1, 2))
    source, value = d.pick(("""
        def $f($name):
            $first, *$rest = $name.split("_")
            return $first + "".join($part.title() for $part in $rest)
        """, snake), ("""
        def $f($name):
            $out = ""
            for $c in $name:
                if $c.isupper() and $out:
                    $out += "_"
                $out += $c.lower()
            return $out
        """, camel), ("""
        def $f($text):
            $upper = $lower = 0
            for $c in $text:
                if $c.isupper():
                    $upper += 1
                elif $c.islower():
                    $lower += 1
            return $text.lower() if $lower $op $upper else $text.upper()
        """, mixed), ("""
        def $f($text):
            $out = []
            for $i, $c in enumerate($text):
                $out.append($c.upper() if $i % 2 == 0 else $c.lower())
            return "".join($out)
        """, mixed[:9]), ("""
        def $f($text):
            $swapped = $text.swapcase()
            $titled = $text.title()
            $same = [$a == $b for $a, $b in zip($swapped, $titled)]
            return $swapped, $titled, $same.count(True)
        """, mixed[:10]))  # fmt: skip
    return d.program(source, f"$f({value!r})", op=d.pick(">", ">=", "<"))


@family
def anagrams(d):
    """The same letters in another order: by sorting, by counting, by taking away."""
    word = d.pick("stone", "listen", "tea", "bread", "night", "star", "lemon")
    other = d.pick("".join(d.r.sample(word, len(word))), "".join(d.r.sample(word, len(word))), word[:-1] + "x", word[1:], d.pick("notes", "silent", "eat", "beard", "thing", "rats", "melon"))
    text = d.pick("""
        def $f($a, $b):
            return sorted($a) == sorted($b)
        """, """
        def $f($a, $b):
            $left = list($b)
            for $c in $a:
                if $c not in $left:
                    return False
                $left.remove($c)
            return not $left
        """, """
        def $g($word):
            $counts = {}
            for $c in $word:
                $counts[$c] = $counts.get($c, 0) + 1
            return $counts

        def $f($a, $b):
            return $g($a) == $g($b)
        """, """
        def $f($a, $b):
            if len($a) != len($b):
                return False
            for $c in $a:
                if $a.count($c) != $b.count($c):
                    return False
            return True
        """)  # fmt: skip
    if "$g" in text:
        word, other = word[:4], other[:4]
    return d.program(text, f"$f({word!r}, {other!r})")


@family
def common_starts(d):
    """What two texts share at their start, end or middle."""
    base = d.pick(*d.words())
    a, b = base + d.pick("", "s", "ing", "er"), d.pick(base + d.pick("ed", "", "al"), base[:2] + d.pick(*d.words()), d.pick(*d.words()))
    text = d.pick("""
        def $f($a, $b):
            $i = 0
            while $i < min(len($a), len($b)) and $a[$i] == $b[$i]:
                $i += 1
            return $a[:$i]
        """, """
        def $f($a, $b):
            $out = ""
            for $x, $y in zip($a, $b):
                if $x != $y:
                    break
                $out += $x
            return $out
        """, """
        def $f($a, $b):
            $best = ""
            for $size in range(len($a), 0, -1):
                if $b.startswith($a[:$size]):
                    $best = $a[:$size]
                    break
            else:
                $best = "?"
            return $best
        """, """
        def $f($a, $b):
            $differ = 0
            for $x, $y in zip($a, $b):
                if $x != $y:
                    $differ += 1
            return $differ + abs(len($a) - len($b))
        """)  # fmt: skip
    return d.program(text, f"$f({a!r}, {b!r})")


@family
def characters_by_kind(d):
    """Letters, digits and the rest, sorted into their places."""
    value = "".join(d.r.choice("abcXYZ019 -_.") for _ in range(d.r.randint(3, 8)))
    text = d.pick("""
        def $f($text):
            $counts = {"letter": 0, "digit": 0, "other": 0}
            for $c in $text:
                if $c.isalpha():
                    $counts["letter"] += 1
                elif $c.isdigit():
                    $counts["digit"] += 1
                else:
                    $counts["other"] += 1
            return $counts
        """, """
        def $f($text):
            $letters, $digits = "", ""
            for $c in $text:
                if $c.isdigit():
                    $digits += $c
                elif $c.isalpha():
                    $letters += $c
            return $letters + "/" + $digits
        """, """
        def $f($text):
            $digits = [int($c) for $c in $text if $c.isdigit()]
            return sum($digits), len($digits)
        """, """
        def $g($c):
            return $c.isalnum() or $c == "_"

        def $f($text):
            return "".join(filter($g, $text))
        """)  # fmt: skip
    return d.program(text, f"$f({value!r})")


@family
def formatted(d):
    """Widths, fill, alignment, signs and decimals in f-strings, `format` and `%`."""
    n, word, x = d.pick(d.r.randint(0, 99), -d.r.randint(1, 50), d.number(3), d.number(4)), d.pick(*d.words()), d.r.randint(1, 999) / d.pick(4, 10, 100)
    lines = d.r.sample([
        "$a = f'{$n:5}|'", "$b = f'{$word:<8}|'", "$c = f'{$word:>8}|'", "$e = f'{$word:^9}|'", "$i = f'{$n:05d}'", "$j = f'{$x:.1f}'",
        "$k = f'{$x:8.2f}'", "$m = f'{$n:+d}'", "$o = '{}-{}'.format($word, $n)", "$p = '{1}:{0}'.format($n, $word)", "$q = '%s=%d' % ($word, $n)",
        "$s = '%5.1f' % $x", "$t = f'{$n:,}'", "$u = f'{$n:x}'", "$w = f'{$word!r}'", "$z = f'{$word:*^11}'", "$y = f'{$n:>6}{$x:>7}'", "$tag = f'{$n = }'",
    ], d.r.randint(3, 5))  # fmt: skip
    last = d.pick(*(line.split()[0] for line in lines))
    return d.program("def $f($word, $n, $x):\n    $body\n    return $last", f"$f({word!r}, {n}, {x})", body="\n".join(lines), last=d.pick(last, f"{last}, len({last})"))


@family
def padded(d):
    """Texts brought to one width: `ljust`, `center`, `zfill`, cut with dots, boxed."""
    words, width = d.words(1, 4), d.r.randint(3, 9)
    text, args = d.pick((f"""
        def $f($words, $width):
            $rows = []
            for $word in $words:
                $rows.append($word.{d.pick('ljust', 'rjust', 'center')}($width, {d.pick('.', '-', ' ', '_')!r}))
            return $rows
        """, f"{words[:3]}, {width}"), ("""
        def $f($text, $width):
            if len($text) <= $width:
                return $text
            return $text[: $width - 3] + "..."
        """, f"{' '.join(words)!r}, {width}"), ("""
        def $f($words):
            $width = max(len($word) for $word in $words)
            $edge = "+" + "-" * ($width + 2) + "+"
            $lines = [$edge]
            for $word in $words:
                $lines.append("| " + $word.ljust($width) + " |")
            $lines.append($edge)
            return $lines
        """, f"{words[:2]}"), ("""
        def $f($numbers):
            $out = ""
            for $n in $numbers:
                $out += str($n).zfill(3) + " "
            return $out.strip()
        """, f"{[d.integer() for _ in range(d.r.randint(1, 4))]}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def split_and_join(d):
    """`split`, `join`, `partition`, `rsplit`, `splitlines`: texts taken apart and put together."""
    w = d.some(3, 3)
    gap = d.pick(",", ";", "-", "/", ":")
    body, value = d.pick(
        (f"$parts = $text.split({gap!r})\n$parts.reverse()\nreturn {d.pick('+', '', ' ', '<>')!r}.join($parts)", gap.join(w)),
        (f"$head, $sep, $tail = $text.partition({gap!r})\nif not $sep:\n    return $head\nreturn $tail + $sep + $head", gap.join(w[: d.pick(1, 2, 3)])),
        (f"$folder, $name = $text.rsplit('/', 1)\n$stem, $dot, $kind = $name.rpartition('.')\nreturn $folder, $stem, $kind", f"{w[0]}/{w[1]}/{w[2]}.{d.pick('py', 'txt', 'csv')}"),
        ("$lines = $text.splitlines()\n$numbered = []\nfor $i, $line in enumerate($lines, 1):\n    $numbered.append(f'{$i}: {$line}')\nreturn $numbered", "\n".join(w[: d.pick(1, 2, 3)])),
        (f"$out = []\nfor $part in $text.split({gap!r}):\n    $part = $part.strip()\n    if $part:\n        $out.append($part)\nreturn $out", f"{w[0]} {gap} {gap}{w[1]}{gap}  {w[2]}"),
        (f"$key, $value = $text.split({gap!r}, 1)\n$key, $value = $key.strip(), $value.strip()\nreturn {{$key: $value}}", f"{w[0]} {gap} {w[1]}{gap}{w[2]}"),
    )
    return d.program("def $f($text):\n    $body", f"$f({value!r})", body=body)


@family
def replacing(d):
    """`replace`, `translate`, prefixes and suffixes removed, tables of replacements."""
    word = d.phrase(1, 3)
    a, b = d.r.sample("aeiot", 2)
    body = d.pick(
        f"$text = $text.replace({a!r}, {d.pick('4', '@', '')!r})\n$text = $text.replace({b!r}, {d.pick('0', '3', '__')!r})\nreturn $text",
        f"$table = {{{a!r}: {d.pick('1', '4')!r}, {b!r}: {d.pick('0', '3')!r}}}\nfor $old, $new in $table.items():\n    $text = $text.replace($old, $new)\nreturn $text",
        f"$table = {{{a!r}: {d.pick('1', '4')!r}, {b!r}: {d.pick('0', '3')!r}}}\nreturn ''.join($table.get($c, $c) for $c in $text)",
        f"$codes = str.maketrans({a + b!r}, {d.pick('12', '**', 'xy')!r})\nreturn $text.translate($codes)",
        f"$count = $text.count({a!r})\n$first = $text.replace({a!r}, '#', 1)\nreturn $first, $count",
        f"if $text.startswith({word[:2]!r}):\n    $text = $text.removeprefix({word[:2]!r})\n$text = $text.removesuffix({d.pick(word[-1], 'x')!r})\nreturn $text",
        f"$out = ''\nfor $c in $text:\n    if $c == {a!r}:\n        $out += {b!r}\n    elif $c == {b!r}:\n        $out += {a!r}\n    else:\n        $out += $c\nreturn $out",
    )
    return d.program("def $f($text):\n    $body", f"$f({(word[:9] if 'elif' in body else word)!r})", body=body)


@family
def substrings(d):
    """Pieces of a text: all of one size, how often one occurs, where it was found."""
    base = "".join(d.r.choice(d.pick("ab", "abc", "xyx")) for _ in range(d.r.randint(3, 7)))
    word = d.pick(base, d.pick(*d.words()))
    piece = d.pick(word[:2], word[-2:], "ab", "aa", word[1:2])
    text, args = d.pick((f"""
        def $f($text, $size={d.pick(2, 3)}):
            $pieces = []
            for $i in range(len($text) - $size + 1):
                $pieces.append($text[$i : $i + $size])
            return $pieces
        """, f"{word!r}"), ("""
        def $f($text, $piece):
            $count = 0
            for $i in range(len($text)):
                if $text[$i:].startswith($piece):
                    $count += 1
            return $count
        """, f"{word!r}, {piece!r}"), ("""
        def $f($text, $piece):
            $places = []
            $at = $text.find($piece)
            while $at != -1:
                $places.append($at)
                $at = $text.find($piece, $at + 1)
            return $places
        """, f"{word + word!r}, {piece!r}"), ("""
        def $f($text):
            $best = ""
            for $i in range(len($text)):
                for $j in range($i + 1, len($text) + 1):
                    $piece = $text[$i:$j]
                    if len(set($piece)) == len($piece) > len($best):
                        $best = $piece
            return $best
        """, f"{word[:4]!r}"), ("""
        def $f($text, $size):
            return [$text[$i : $i + $size] for $i in range(0, len($text), $size)]
        """, f"{word + base!r}, {d.r.randint(2, 4)}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def brackets(d):
    """Brackets that match: a stack, a depth, the first that is wrong."""
    value = "".join(d.r.choice(d.pick("()[]", "()a", "()", "(){}")) for _ in range(d.r.randint(2, 7)))
    value = d.pick(value, "(" + value + ")", "([])", "(a(b)c)", "[()]{}", "(()", "())", "(]", "((a)(b))")
    text = d.pick("""
        def $f($text):
            $stack = []
            $pairs = {")": "(", "]": "[", "}": "{"}
            for $c in $text:
                if $c in $pairs.values():
                    $stack.append($c)
                elif $c in $pairs:
                    if not $stack or $stack.pop() != $pairs[$c]:
                        return False
            return not $stack
        """, """
        def $f($text):
            $depth = deepest = 0
            for $c in $text:
                if $c in "([{":
                    $depth += 1
                    deepest = max(deepest, $depth)
                elif $c in ")]}":
                    $depth -= 1
                if $depth < 0:
                    return -1
            return deepest
        """, """
        def $f($text):
            $open = 0
            $missing = 0
            for $c in $text:
                if $c == "(":
                    $open += 1
                elif $c == ")" and $open:
                    $open -= 1
                elif $c == ")":
                    $missing += 1
            return $open + $missing
        """)  # fmt: skip
    return d.program(text, f"$f({value!r})")


@family
def alphabets(d):
    """Letters as numbers: scores of words, letters missing, the next letter, `ord` and `chr`."""
    word = d.pick(*d.words())
    body, value = d.pick(
        ("$score = 0\nfor $c in $text:\n    $score += ord($c) - 96\nreturn $score", word),
        ("$missing = ''\nfor $code in range(ord('a'), ord($text) + 1):\n    $missing += chr($code)\nreturn $missing", d.pick(*"bcdefgh")),
        ("$last = ord($text[-1])\n$next = chr($last + 1) if $text[-1] != 'z' else 'a'\nreturn $text[:-1] + $next", word + d.pick("", "z")),
        ("$codes = [ord($c) for $c in $text]\nreturn max($codes) - min($codes), $codes", word[:5]),
        ("for $a, $b in zip($text, $text[1:]):\n    if $a > $b:\n        return False\nreturn True", d.pick(word, "abc", "art", "box", "aim", "dirty")),
        ("$column = 0\nfor $c in $text:\n    $column = $column * 26 + ord($c) - ord('A') + 1\nreturn $column", "".join(d.r.choice("ABCDXYZ") for _ in range(d.r.randint(1, 2)))),
    )
    return d.program("def $f($text):\n    $body", f"$f({value!r})", body=body)


@family
def stripping(d):
    """Blanks and marks around texts: `strip`, `lstrip`, `rstrip`, blanks made one."""
    word = d.phrase(1, 2)
    value = d.pick("  ", "", " ", "--", "**") + word + d.pick("  ", "", "\n", "--", "!!", " .")
    body = d.pick(
        "$left = $text.lstrip()\n$right = $text.rstrip()\nreturn len($text) - len($left), len($text) - len($right)",
        f"$clean = $text.strip({d.pick('-* ', ' !', ' -.*!')!r})\nreturn $clean.upper() if len($clean) > {d.small(3, 6)} else $clean",
        "while $text and not $text[0].isalpha():\n    $text = $text[1:]\nwhile $text and not $text[-1].isalpha():\n    $text = $text[:-1]\nreturn $text",
        "$parts = $text.split()\n$joined = ' '.join($parts)\nreturn $joined, len($text) - len($joined)",
        f"$text = $text.strip()\nif $text.endswith({d.pick('!', '-', '.')!r}):\n    $text = $text[:-1]\nreturn $text + $text[-1]",
    )
    return d.program("def $f($text):\n    $body", f"$f({value!r})", body=body)


@family
def interleaved(d):
    """Two texts woven together, every second character, zig-zag."""
    a, b = d.pick(*d.words())[:5], d.pick(*d.words())[:5]
    text, args = d.pick(("""
        def $f($a, $b):
            $out = ""
            for $x, $y in zip($a, $b):
                $out += $x + $y
            $size = min(len($a), len($b))
            return $out + $a[$size:] + $b[$size:]
        """, f"{a!r}, {b!r}"), ("""
        def $f($a, $b):
            $out = []
            $i = 0
            while $i < len($a) or $i < len($b):
                if $i < len($a):
                    $out.append($a[$i])
                if $i < len($b):
                    $out.append($b[$i])
                $i += 1
            return "".join($out)
        """, f"{a!r}, {b!r}"), ("""
        def $f($text):
            $even, $odd = $text[::2], $text[1::2]
            return $even + "|" + $odd
        """, f"{a + b!r}"), ("""
        def $f($text, $rows):
            $lines = [""] * $rows
            for $i, $c in enumerate($text):
                $lines[$i % $rows] += $c
            return "".join($lines)
        """, f"{a + b!r}, {d.r.randint(2, 3)}"), ("""
        from itertools import zip_longest

        def $f($a, $b):
            return "".join($x + $y for $x, $y in zip_longest($a, $b, fillvalue="-"))
        """, f"{a!r}, {b!r}"))  # fmt: skip
    return d.program(text, f"$f({args})")


@family
def validated(d):
    """A text checked against rules, with the first reason or all of them."""
    text = d.pick("""
        def $f($text):
            if len($text) < $k:
                return "too short"
            if not any($c.isdigit() for $c in $text):
                return "no digit"
            if $text.lower() == $text:
                return "no capital"
            return "ok"
        """, """
        def $f($text):
            $faults = []
            if len($text) < $k:
                $faults.append("short")
            if " " in $text:
                $faults.append("blank")
            if not $text[0].isalpha():
                $faults.append("start")
            return $faults
        """, """
        def $f($text):
            $name, $at, $host = $text.partition("@")
            if not $at or not $name:
                return False
            return "." in $host and not $host.endswith(".")
        """, """
        def $f($text):
            try:
                $number = int($text)
            except ValueError:
                return None
            else:
                return $number if 0 <= $number < 100 else -1
        """)  # fmt: skip
    word = d.pick(*d.words())
    if "@" in text:
        value = d.pick(f"{word}@x.org", f"{word}@host", "@a.b", word, f"{word}@a.", f"{word}@home.net")
    elif "int(" in text:
        value = d.pick(str(d.r.randint(0, 99)), str(d.number(3)), word, "-5", "4 2", "1.5")
    else:
        value = d.pick(word, word.title() + d.pick("7", "42"), word + "1", word.title() + "!", f"{d.small()}{word}", f"{word} {d.small()}")
    return d.program(text, f"$f({value!r})", k=d.r.randint(3, 6))
