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
