"""Games: scores, boards, cards, guesses, turns."""

from ..registry import family


@family
def tic_tac_toe(d):
    """Lines of a 3x3 board: the winner, the free squares, a move made."""
    cells = [d.pick("X", "O", " ", "X", "O") for _ in range(9)]
    if d.r.random() < 0.4:  # a row, column or diagonal filled
        for at in d.pick((0, 1, 2), (3, 4, 5), (1, 4, 7), (0, 4, 8), (2, 4, 6), (2, 5, 8)):
            cells[at] = "X"
    board = "".join(cells)
    body = d.pick(
        "for $a, $b, $c in $LINES:\n    if $board[$a] == $board[$b] == $board[$c] != ' ':\n        return $board[$a]\nreturn {{None|'-'}}",
        "for $line in $LINES:\n    $cells = [$board[$i] for $i in $line]\n    if len(set($cells)) == 1 and $cells[0] != ' ':\n        return $line\nreturn {{'draw'|()}} if ' ' not in $board else {{'open'|None}}",
        "$count = {'X': 0, 'O': 0}\nfor $line in $LINES:\n    $first = $board[$line[0]]\n    if $first in $count and all($board[$i] == $first for $i in $line):\n        $count[$first] += 1\nreturn $count",
    )
    few = d.r.sample([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)], 4)
    return d.make("""
        $LINES = $lines

        def $winner($board):
            $body
        """, "$winner($given)", lines=few, body=body, given=repr(board))


@family
def guess_number(d):
    """Guesses told high or low until one hits or they run out."""
    body = d.pick(
        "for $n, $g in enumerate($guesses, 1):\n    if $g == $secret:\n        return $n{{|, 'win'}}\n    $hints.append({{'high'|'+'}} if $g > $secret else {{'low'|'-'}})\nreturn $hints",
        "$low, $high = 1, {{20|30|50}}\nwhile $low <= $high:\n    $mid = ($low + $high) // 2\n    $hints.append($mid)\n    if $mid == $secret:\n        break\n    if $mid < $secret:\n        $low = $mid + 1\n    else:\n        $high = $mid - 1\nreturn $hints",
        "$best = None\nfor $g in $guesses:\n    $off = abs($g - $secret)\n    if $best is None or $off < $best:\n        $best = $off\n        $hints.append($g)\nreturn $best, $hints",
    )
    secret = d.r.randint(1, 20)
    guesses = d.numbers(d.r.randint(1, 4), 1, 20)
    if d.r.random() < 0.6:
        guesses.append(secret)
    return d.make("""
        def $play($secret, $guesses):
            $hints = []
            $body
        """, "$play($s, $given)", body=body, s=secret, given=guesses)


@family
def rock_paper_scissors(d):
    """Who beats whom from a dict or from numbers modulo three; the score of some rounds."""
    rule, moves = d.pick(
        ("if $a == $b:\n    continue\nif $BEATS[$a] == $b:\n    $wins += 1\nelse:\n    $losses += 1", "rps"), ("if $BEATS[$b] == $a:\n    $losses += {{1|2}}\nelif $a != $b:\n    $wins += 1", "rps"),
        ("$d = ('rps'.index($a) - 'rps'.index($b)) % 3\nif $d == 1:\n    $wins += 1\nelif $d == 2:\n    $losses += 1", "rps"),
    )
    rounds = [(d.r.choice(moves), d.r.choice(moves)) for _ in range(d.r.randint(1, 4))]
    return d.make("""
        $BEATS = {"r": "s", "p": "r", "s": "p"}

        def $score($rounds):
            $wins = $losses = 0
            for $a, $b in $rounds:
                $rule
            return {{$wins, $losses|$wins - $losses|"win" if $wins > $losses else "not"}}
        """, "$score($given)", rule=rule, given=rounds)


@family
def card_hand(d):
    """Cards as text: ranks, suits, pairs, a blackjack total with aces."""
    cards = [d.pick(*"23456789TJQKAA") + d.pick(*"hcsd") for _ in range(d.r.randint(2, 4))]
    body = d.pick(
        "$total = $aces = 0\nfor $card in $hand:\n    $rank = $card[0]\n    if $rank == 'A':\n        $aces += 1\n        $total += 11\n    elif $rank in 'TJQK':\n        $total += 10\n    else:\n        $total += int($rank)\nwhile $total > 21 and $aces:\n    $total -= 10\n    $aces -= 1\nreturn {{$total|$total, $aces}}",
        "$counts = {}\nfor $rank, $suit in $hand:\n    $counts[$suit] = $counts.get($suit, 0) + 1\n$top = max($counts.values())\nreturn {{$counts, $top|$top == len($hand)|sorted($counts.items())}}",
        "$order = '23456789TJQKA'\n$ranks = sorted(($order.index($c[0]) for $c in $hand), reverse={{True|False}})\nfor $a, $b in zip($ranks, $ranks[1:]):\n    if $a == $b:\n        return {{'pair'|'two'}}, $order[$a]\nreturn 'high', $order[max($ranks)]",
    )
    return d.make("""
        def $rate($hand):
            $body
        """, "$rate($given)", body=body, given=cards)


@family
def dice_score(d):
    """Throws scored by rules: doubles, runs, the best of several."""
    rule = d.pick(
        "if $a == $b:\n    $total += {{2..4}} * ($a + $b)\nelif abs($a - $b) == 1:\n    $total += {{5|10}}\nelse:\n    $total += max($a, $b)",
        "if $a + $b == 7:\n    $total = 0\n    {{continue|$bust = True}}\n$total += $a + $b",
        "$total += $a * $b if $a != $b else {{20|30|-5}}",
        "if $a == $b == 1:\n    return {{0|-1}}\n$total += $a + $b\nif $total > {{12..20}}:\n    $total //= 2",
    )
    return d.make("""
        def $score($throws):
            $total = {{0|5}}
            for $a, $b in $throws:
                $rule
            return $total
        """, "$score($given)", rule=rule, given=[d.pick((1, 6), (d.r.randint(1, 6), d.r.randint(1, 6)), (n := d.pick(1, d.r.randint(1, 6)), n)) for _ in range(d.r.randint(2, 4))])


@family
def hangman_word(d):
    """A word shown with its guessed letters; wrong guesses counted."""
    word = d.words(1, 1)[0]
    letters = "".join(d.r.sample(sorted(set(word)), min(len(set(word)), d.r.randint(1, 3)))) + d.pick("z", "qz", "x")
    letters = "".join(d.r.sample(letters, len(letters)))
    body = d.pick(
        "$shown = ['{{_|.|-}}'] * len($word)\nfor $ch in $letters:\n    if $ch not in $word:\n        $wrong += 1\n        continue\n    for $i, $c in enumerate($word):\n        if $c == $ch:\n            $shown[$i] = $ch\nreturn ''.join($shown), $wrong",
        "$shown = ''.join($c if $c in $letters else '{{_|*}}' for $c in $word)\n$wrong = len([$ch for $ch in $letters if $ch not in $word])\nreturn {{$shown|$shown.upper()}}, $wrong",
        "$found = []\nfor $ch in $letters:\n    if $ch in $word:\n        $found.append($ch)\n    else:\n        $wrong += 1\n    if $wrong == {{1..3}}:\n        return False\nreturn len($found), $wrong",
    )
    return d.make("""
        def $guess($word, $letters):
            $wrong = 0
            $body
        """, "$guess($w0, $given)", body=body, w0=repr(word), given=repr(letters))


@family
def board_moves(d):
    """Steps on a row of squares: snakes, ladders, traps and a goal."""
    jumps = {d.r.randint(2, 5): d.r.randint(6, 12), d.r.randint(6, 9): d.r.randint(0, 3)}
    body = d.pick(
        "for $n in $throws:\n    $pos += $n\n    if $pos in $JUMPS:\n        $pos = $JUMPS[$pos]\n    $path.append($pos)\n    if $pos >= {{9..14}}:\n        break\nelse:\n    $path.append({{None|-1}})",
        "while $throws:\n    $pos = $pos + $throws.pop({{0|}})\n    $pos = $JUMPS.get($pos, $pos)\n    if $pos > {{10..14}}:\n        $pos = {{10|20}} - $pos\n    $path.append($pos)",
    )
    return d.make("""
        $JUMPS = $jumps

        def $move($throws):
            $pos, $path = 0, []
            $body
            return {{$path|$pos|$pos, len($path)}}
        """, "$move($given)", body=body, jumps=jumps, given=d.numbers(d.r.randint(2, 4), 1, 6))


@family
def bowling_like_bonus(d):
    """Scores with a bonus that depends on the next throws, by index or lookahead."""
    body = d.pick(
        "for $i, $n in enumerate($throws):\n    $total += $n\n    if $n == 10 and $i + 1 < len($throws):\n        $total += $throws[$i + 1]",
        "for $now, $next_one in zip($throws, $throws[1:] + [0]):\n    $total += $now\n    if $now {{>= 8|== 10}}:\n        $total += $next_one",
        "$i = 0\nwhile $i < len($throws):\n    $frame = $throws[$i:$i + 2]\n    $total += sum($frame)\n    if sum($frame) >= {{10|9}}:\n        $total += {{5|10}}\n    $i += 2",
    )
    return d.make("""
        def $total_of($throws):
            $total = 0
            $body
            return $total
        """, "$total_of($given)", body=body, given=[d.pick(10, d.r.randint(0, 9), d.r.randint(5, 10)) for _ in range(d.r.randint(2, 5))])


@family
def word_clues(d):
    """Right letter in the right place or elsewhere, as a text of marks."""
    secret = "".join(d.pick(*"abcd") for _ in range(d.r.randint(3, 4)))
    guess = "".join(d.pick(*"abcde") for _ in secret)
    body = d.pick(
        "$marks = ''\nfor $g, $s in zip($guess, $secret):\n    if $g == $s:\n        $marks += '*'\n    elif $g in $secret:\n        $marks += '?'\n    else:\n        $marks += '.'\nreturn $marks",
        "$exact = sum($g == $s for $g, $s in zip($guess, $secret))\n$common = 0\nfor $ch in {{'abcd'|'abcde'}}:\n    $common += min($guess.count($ch), $secret.count($ch))\nreturn $exact, $common - $exact",
        "$left = list($secret)\n$marks = ['-'] * len($guess)\nfor $i, $g in enumerate($guess):\n    if $g in $left:\n        $left.remove($g)\n        $marks[$i] = '+' if $secret[$i] == $g else '~'\nreturn ''.join($marks)",
    )
    return d.make("""
        def $clue($secret, $guess):
            $body
        """, "$clue($s0, $g0)", body=body, s0=repr(secret), g0=repr(guess))


@family
def take_the_last(d):
    """Nim: players take in turn; greedy, by strategy, or who can win."""
    rule = d.pick(
        "$take = min($k, $heap)",
        "$take = $heap % ($k + 1) or 1",
        "$take = $turn + 1 if $turn < $k else $k\n$take = min($take, $heap)",
        "if $heap > $k:\n    $take = {{1..2}}\nelse:\n    $take = $heap",
    )
    return d.make("""
        def $play($heap, $k):
            $turn = 0
            $moves = []
            while $heap > 0:
                $rule
                $heap -= $take
                $moves.append($take)
                $turn = 1 - $turn
            return {{"AB"[$turn]|$turn}}, {{$moves|len($moves)}}
        """, "$play({{3..11}}, {{2..4}})", rule=rule)


@family
def fight_rounds(d):
    """Two fighters with hit points, armour and critical hits every few rounds."""
    crit = d.pick("", "if $round % {{2|3}} == 0:\n    $hit *= 2", "if $foe < {{5..9}}:\n    $hit += {{1..4}}")
    return d.make("""
        def $fight($me, $foe, $hit_of=({{3..9}}, {{2..8}})):
            $round = 0
            while $me > 0 and $foe > 0:
                $round += 1
                $hit = $hit_of[0]
                $crit
                $foe -= $hit
                if $foe > 0:
                    $me -= max(1, $hit_of[1] - {{0..3}})
            $who = {{"me" if $me > 0 else "foe"|$me > 0}}
            return $who, $round{{|, max($me, $foe)}}
        """, "$fight({{5..25}}, {{5..25}})", crit=crit)


@family
def maze_path(d):
    """A walk through a text maze by arrows, stopped by walls, with coins collected."""
    rows = ["".join(d.pick(".", ".", "o", "#") for _ in range(3)) for _ in range(3)]
    rows[0] = "." + rows[0][1:]
    move = d.pick(
        "$dr, $dc = {'U': (-1, 0), 'D': (1, 0), 'L': (0, -1), 'R': (0, 1)}[$m]\n$nr, $nc = $r + $dr, $c + $dc",
        "$nr = $r + ($m == 'D') - ($m == 'U')\n$nc = $c + ($m == 'R') - ($m == 'L')",
    )
    stop = d.pick(
        "if not (0 <= $nr < 3 and 0 <= $nc < 3) or $maze[$nr][$nc] == '#':\n    continue",
        "if $nr not in range(3) or $nc not in range(3):\n    break\nif $maze[$nr][$nc] == '#':\n    $bumps += 1\n    continue",
    )
    return d.make("""
        def $explore($maze, $moves):
            $r = $c = $coins = $bumps = 0
            for $m in $moves:
                $move
                $stop
                $r, $c = $nr, $nc
                if $maze[$r][$c] == "o":
                    $coins += 1
            return ($r, $c), $coins
        """, "$explore($rows_, $path)", move=move, stop=stop, rows_=rows, path=repr("".join(d.pick(*"DRDRUL") for _ in range(d.r.randint(2, 4)))))
