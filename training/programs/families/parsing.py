"""Reading text: tokens, key=value lines, brackets, numbers, small expression languages."""

from ..registry import family


@family
def tokenizer(d):
    """A character loop that builds numbers and passes operators on."""
    text = "".join(str(d.r.randint(1, 40)) + d.pick("+", "-", "*", " + ", "") for _ in range(d.r.randint(1, 3)))
    text += d.pick("", "7", "(3)")
    other = d.pick(
        "elif $ch != ' ':\n    $tokens.append($ch)",
        "else:\n    if not $ch.isspace():\n        $tokens.append($ch)",
        "elif $ch in '+-*/()':\n    $tokens.append($ch)",
    )
    return d.make("""
        def $tokenize($text):
            $tokens = []
            $number = ""
            for $ch in $text{{| + " "}}:
                if $ch.isdigit():
                    $number += $ch
                    continue
                if $number:
                    $tokens.append(int($number))
                    $number = ""
                if $ch == '?':
                    break
                $other
            if $number:
                $tokens.append(int($number))
            return $tokens
        """, "$tokenize($given)", other=other, given=repr((text + d.pick("", "", "?"))[:9]))


@family
def left_to_right_calculator(d):
    """Evaluates `a op b op c` from left to right over split tokens."""
    ops = d.r.sample(["+", "-", "*", "//"], 3)
    expr = " ".join(f"{d.r.randint(1, 20)} {d.pick(*ops)}" for _ in range(d.r.randint(1, 3))) + f" {d.r.randint(1, 12)}"
    branches = {"+": "$total += $n", "-": "$total -= $n", "*": "$total *= $n", "//": "$total //= $n"}
    chain = "\n".join(f"{'elif' if i else 'if'} $op == {op!r}:\n    {branches[op]}" for i, op in enumerate(ops))
    walk = d.pick("for $i in range(1, len($parts), 2):\n    $op, $n = $parts[$i], int($parts[$i + 1])\n    $chain", "for $op, $num in zip($parts[1::2], $parts[2::2]):\n    $n = int($num)\n    $chain",
                  "$rest = $parts[1:]\nwhile $rest:\n    $op, $n, *$rest = $rest\n    $n = int($n)\n    $chain")
    return d.make("""
        def $evaluate($text):
            $parts = $text.split()
            $total = int($parts[0])
            $walk
            return $total
        """, "$evaluate($given)", walk=walk, chain=chain, given=repr(expr))


@family
def rpn_calculator(d):
    """Reverse Polish notation on a stack."""
    parts, depth = [], 0
    for _ in range(d.r.randint(3, 7)):
        if depth >= 2 and d.r.random() < 0.55:
            parts.append(d.pick("+", "-", "*", "+"))
            depth -= 1
        else:
            parts.append(str(d.r.randint(1, 15)))
            depth += 1
    while depth > 1:
        parts.append(d.pick("+", "-", "*"))
        depth -= 1
    pops = d.pick("$b = $stack.pop()\n$a = $stack.pop()", "$b, $a = $stack.pop(), $stack.pop()", "*$stack, $a, $b = $stack")
    return d.make("""
        def $rpn($text):
            $stack = []
            for $tok in $text.split():
                if {{$tok not in ("+", "-", "*")|$tok.isdigit()|$tok[0].isdigit()}}:
                    $stack.append(int($tok))
                    continue
                $pops
                if $tok == "+":
                    $stack.append($a + $b)
                elif $tok == "-":
                    $stack.append($a - $b)
                else:
                    $stack.append($a * $b)
            return $stack{{.pop()|[-1]|[0]}}
        """, "$rpn($given)", pops=pops, given=repr(" ".join(parts)))


@family
def tag_nesting(d):
    """Tags that open and close, as `<b>` and `</b>` or as words: a stack of the open ones and the first fault."""
    text = d.pick("b i /i /b", "p b /p", "p b /b i /i /p", "b /b /b", "ul li /li li", "a /a", "p i /b /i", "b b /b", "/a a")
    body = d.pick(
        "for $i, $tag in enumerate($text.split()):\n    if $tag[0] != '/':\n        $stack.append($tag)\n    elif not $stack or $stack.pop() != $tag[1:]:\n        return {{$i|'fault', $i|-1}}\nreturn {{$stack or 'ok'|len($stack)|$stack}}",
        "for $tag in $text.split():\n    if $tag.startswith('/'):\n        $name = $tag.removeprefix('/')\n        while $stack and $stack[-1] != $name:\n            $lost.append($stack.pop())\n        if $stack:\n            $stack.pop()\n    else:\n        $stack.append($tag)\nreturn $lost, $stack",
        "$out = ''\nfor $tag in $text.split():\n    if $tag[0] == '/':\n        if $stack:\n            $out += f'</{$stack.pop()}>'\n        continue\n    $stack.append($tag)\n    $out += f'<{$tag}>'\nreturn $out",
    )
    return d.make("""
        def $check_tags($text):
            $stack, $lost = [], []
            $body
        """, "$check_tags($given)", body=body, given=repr(text))


@family
def key_value_config(d):
    """Lines of `key = value`: comments, blanks, numbers turned into ints."""
    sep = d.pick("=", ":", "=")
    lines = [d.pick(f"{w}{sep}{d.r.randint(0, 99)}", f"{w} {sep} {d.pick('on', 'off', 'red')}", "# " + w, "", f"{w}{sep}", w) for w in d.words(2, 4)]
    convert = d.pick(
        "$config[$key] = int($value) if $value.isdigit() else $value",
        "if $value.isdigit():\n    $value = int($value)\n$config[$key] = $value",
        "$config[$key.upper()] = $value or None",
    )
    return d.make("""
        def $read($text):
            $config = {}
            for $line in $text.{{splitlines()|split("\\n")}}:
                $line = $line.strip()
                if not $line or $line.startswith("#"):
                    continue
                $key, $sep, $value = ($part.strip() for $part in $line.partition($mark))
                $convert
            return $config
        """, "$read($given)", mark=repr(sep), convert=convert, given=repr("\n".join(lines)))


@family
def csv_rows(d):
    """A header and rows of text into dicts, then one column is summed."""
    mark = d.pick(",", ";", "|", ",")
    names = d.r.sample(["name", "qty", "age", "cost", "city"], 2)
    rows = [f"{d.pick('ann', 'bob', 'cy', 'dee')}{mark}{d.r.randint(1, 60)}" for _ in range(d.r.randint(1, 3))]
    build = d.pick(
        "$row = dict(zip($header, $line.split($mark)))\n$rows.append($row)",
        "$cells = $line.split($mark)\n$rows.append({$h: $c for $h, $c in zip($header, $cells)})",
        "$row = {}\nfor $i, $cell in enumerate($line.split($mark)):\n    $row[$header[$i]] = $cell\n$rows.append($row)",
    )
    return d.make("""
        def $load($text):
            $first, *$lines = $text.split("\\n")
            $header = $first.split($mark)
            $rows = []
            for $line in $lines:
                $build
            return $rows

        def $run($text):
            $table = $load($text)
            return {{sum(int($r[$col]) for $r in $table)|[$r[$col] for $r in $table]|max(int($r[$col]) for $r in $table)}}
        """, "$run($given)", mark=repr(mark), build=build, col=repr(names[1]), given=repr("\n".join([mark.join(names), *rows])))


@family
def command_interpreter(d):
    """Text commands with arguments change a number, a list or a dict of variables."""
    kind = d.pick("stack", "vars", "turtle")
    if kind == "stack":
        lines = [f"push {d.r.randint(0, 9)}"] + [d.pick(f"push {d.r.randint(0, 9)}", "pop", "dup", "add") for _ in range(d.r.randint(1, 4))]
        body = "$stack = [{{0..5}}]\nfor $line in $lines:\n    $cmd, *$args = $line.split()\n    if $cmd == 'push':\n        $stack.append(int($args[0]))\n    elif $cmd == 'dup' and $stack:\n        $stack.append($stack[-1])\n    elif $cmd == 'add' and len($stack) > 1:\n        $stack.append($stack.pop() + $stack.pop())\n    elif $stack:\n        $stack.pop()\nreturn $stack"
    elif kind == "vars":
        a, b = d.r.sample("abxyn", 2)
        lines = [f"let {a} {d.r.randint(1, 20)}", f"let {b} {d.pick(a, str(d.r.randint(1, 9)))}"] + [d.pick(f"add {a} {b}", f"add {b} {d.r.randint(1, 9)}", f"show {a}") for _ in range(d.r.randint(1, 2))]
        body = "$env, $out = {}, []\ndef $value_of($s):\n    return $env[$s] if $s in $env else int($s)\nfor $line in $lines:\n    $cmd, $name, *$rest = $line.split()\n    if $cmd == 'let':\n        $env[$name] = $value_of($rest[0])\n    elif $cmd == 'add':\n        $env[$name] += $value_of($rest[0])\n    else:\n        $out.append($env[$name])\nreturn $out or $env"
    else:
        lines = [f"{d.pick('up', 'down', 'left', 'right')} {d.r.randint(1, 9)}" for _ in range(d.r.randint(1, 4))]
        body = "$x = $y = 0\nfor $line in $lines:\n    $way, $n = $line.split()\n    $n = int($n)\n    if $way in ('left', 'down'):\n        $n = -$n\n    if $way in ('up', 'down'):\n        $y += $n\n    else:\n        $x += $n\nreturn {{$x, $y|abs($x) + abs($y)|[$x, $y]}}"
    return d.make("""
        def $execute($lines):
            $body
        """, "$execute($given)", body=body, given=lines)


@family
def recursive_descent(d):
    """A parser with a position: sums of products, parentheses in some."""
    text = d.pick(
        f"{d.r.randint(1, 9)}+{d.r.randint(1, 9)}*{d.r.randint(2, 9)}",
        f"{d.r.randint(2, 9)}*{d.r.randint(2, 9)}",
        f"{d.r.randint(1, 9)}+{d.r.randint(1, 9)}",
        f"{d.r.randint(1, 9)}*{d.r.randint(1, 9)}+{d.r.randint(1, 9)}",
    )
    return d.make("""
        def $term($s, $i):
            $value = int($s[$i])
            $i += 1
            while $i < len($s) and $s[$i] == "*":
                $value *= int($s[$i + 1])
                $i += 2
            return $value, $i

        def $expr($s):
            $total, $i = $term($s, 0)
            while $i < len($s):
                $value, $i = $term($s, $i + 1)
                $total {{+=|+=|-=}} $value
            return $total
        """, "$expr($given)", given=repr(text))


@family
def number_formats(d):
    """Binary, hexadecimal, spreadsheet columns, times or money into numbers, digit by digit."""
    kind = d.pick("base", "column", "time", "money", "builtin")
    body, arg = {
        "base": ("$value = 0\nfor $ch in $text{{|.lower()}}:\n    $digit = '0123456789abcdef'.index($ch)\n    $value = $value * {{16|16|20}} + $digit\nreturn $value", d.pick("ff", "1a", "2c", "10", "b7", "7")),
        "column": ("$n = 0\nfor $i, $ch in enumerate(reversed($text)):\n    $place = ord($ch) - ord('A') + 1\n    $n += $place * 26 ** $i\nreturn {{$n|$n - 1|$n, len($text)}}", d.pick("A", "Z", "AB", "BC", "AZ", "CA", "ZZ", "AAB")),
        "time": ("$parts = [int($p) for $p in $text.split(':')]\n$total = 0\nfor $p in $parts:\n    $total = $total * 60 + $p\nreturn $total{{|, len($parts)}}", d.pick(f"{d.r.randint(0, 12)}:{d.r.randint(10, 59)}", f"{d.r.randint(0, 3)}:{d.r.randint(10, 59)}:{d.r.randint(10, 59)}", f"{d.r.randint(10, 59)}")),
        "money": ("$sign = -1 if $text.startswith('-') else 1\n$whole, _, $cents = $text.lstrip('-').partition('.')\n$cents = $cents.ljust(2, '0')[:2]\nreturn $sign * (int($whole.replace(',', '')) * 100 + int($cents))", d.pick(f"{d.r.randint(0, 99)}.{d.r.randint(0, 99)}", f"-{d.r.randint(1, 9)}.5", f"{d.r.randint(1, 3)},{d.r.randint(100, 999)}.00", f"{d.r.randint(0, 300)}")),
        "builtin": ("$base = {{2|8|16}}\ntry:\n    $value = int($text, $base)\nexcept ValueError:\n    return {{None|-1}}\nreturn $value, {{bin|hex|oct}}($value)", d.pick("101", "1101", "77", "ff", "12", "1000", "zz", "9")),
    }[kind]
    return d.make("""
        def $parse($text):
            $body
        """, "$parse($given)", body=body, given=repr(arg))


@family
def escapes(d):
    """Escaped characters written and read: a backslash, a doubled quote, per cent codes, placeholders."""
    body, text = d.pick(
        ("$out, $i = '', 0\nwhile $i < len($text):\n    if $text[$i] == '^' and $i + 1 < len($text):\n        $i += 1\n        $out += {{$text[$i].upper()|'[' + $text[$i] + ']'}}\n    else:\n        $out += $text[$i]\n    $i += 1\nreturn $out", d.pick("a^b", "^x^y", "cat^", "no", "^^a")),
        ("$out = ''\nfor $ch in $text:\n    if $ch in {{'-/'|' ,'|'aeiou'}}:\n        $out += '%' + format(ord($ch), {{'x'|'02x'}})\n    else:\n        $out += $ch\nreturn $out", d.pick("a-b", "to/do", "a b,c", "x/y-z", "plain")),
        ("$first, *$rest = $text.split('%')\nfor $part in $rest:\n    $first += chr(int($part[:2], 16)) + $part[2:]\nreturn $first", d.pick("a%20b", "%41%42", "x%2dy", "50%25", "none")),
        ("for $key, $value in {'n': {{@word}}, 'k': {{0..99}}}.items():\n    $text = $text.replace('<' + $key + '>', str($value))\nreturn $text", d.pick("hi <n>", "<k> <n>", "<n><n>", "no", "k=<k>")),
        ("$out, $skip = [], False\nfor $ch in $text:\n    if $skip:\n        $skip = False\n        continue\n    if $ch == {{'!'|'#'}}:\n        $skip = True\n    $out.append($ch)\nreturn ''.join($out)", d.pick("a!!b", "##", "x#y!z", "!a!")),
    )
    return d.make("""
        def $decode_it($text):
            $body
        """, "$decode_it($given)", body=body, given=repr(text))


@family
def regex_find(d):
    """`re`: findall, match with groups, sub with a function or a text."""
    use, text = d.pick(
        ("return [int($n) {{+|*}} {{1..5}} for $n in re.findall(r'\\d+', $text)]", f"{d.pick('a', 'no', 'x')}{d.r.randint(1, 99)} {d.pick('b', 'of')}{d.r.randint(1, 99)}"),
        ("$m = re.match(r'(\\w+)[:=](\\d+)', $text)\nif $m is None:\n    return None\n$name, $num = $m.groups()\nreturn $name, int($num)", d.pick(f"age={d.r.randint(1, 90)}", f"x:{d.r.randint(1, 90)}", "none", "k=v")),
        ("$out = re.sub(r'[aeiou]', {{'*'|''|'-'}}, $text)\nreturn $out, len($text) - len($out)", " ".join(d.words(1, 3))),
        ("return re.sub(r'\\d', lambda $m: str(int($m[0]) {{+|*}} {{1..3}}), $text)", f"{d.r.randint(10, 99)}-{d.pick('a', 'b')}{d.r.randint(0, 9)}"),
        ("$parts = re.split(r'[,;]\\s*', $text)\nreturn $parts[::-1]", ", ".join(d.words(2, 3)) + ";" + d.words(1, 1)[0]),
        ("if re.fullmatch(r'[a-z]+\\d?', $text):\n    return {{True|'ok'}}\nreturn {{False|'bad'}}", d.pick("cat1", "dog", "Cat", "x12", "a b", "tree9")),
    )
    return d.make("""
        import re

        def $scan($text):
            $text = $text.strip()
            $use
        """, "$scan($given)", use=use, given=repr(text))


@family
def split_names(d):
    """People's names and dates taken apart and put together another way."""
    how, arg = d.pick(
        ("$first, $last = $text.split()\nreturn f'{$last}, {$first[0]}.'", d.pick("Ann Lee", "Bob Ray", "Cy Fox", "Dee Woods")), ("$parts = $text.split()\n$initials = [$p[0].upper() for $p in $parts]\nreturn '.'.join($initials)", " ".join(d.words(2, 3))),
        ("$year, $month, $day = map(int, $text.split('-'))\nreturn f'{$day:02}/{$month:02}/{$year % 100}'", f"{d.r.randint(1990, 2030)}-{d.r.randint(1, 12):02}-{d.r.randint(1, 28):02}"),
        ("$user, _, $host = $text.partition('@')\nif not $host:\n    return None\nreturn $user.replace('.', ' ').title(), $host.split('.')[-1]", d.pick("ann.lee@mail.com", "bob@web.org", "nobody", "cy.w@x.net")),
        ("$head, *$middle, $tail = $text.split()\nreturn $tail, len($middle), $head.lower()", d.pick("Ann May Lee", "Bob Ray", "Jo A B Kim")),
        ("$stem, $dot, $ext = $text.rpartition('.')\nreturn ($stem or $text) + {{'_1'|'_new'}} + $dot + $ext", d.pick("data.csv", "notes.txt", "a.b.c", "main.py", "log.1")),
    )
    return d.make("""
        def $convert($text):
            $how

        def $run($text):
            $result = $convert($text{{|.strip()}})
            return $result
        """, "$run($given)", how=how, given=repr(arg))
