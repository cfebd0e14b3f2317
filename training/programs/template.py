"""What `Draw.make` adds to `Draw.fill`: choices inside a template, and names after their use.

`{{+|-|*}}` is one of the alternatives, and an alternative of nothing may leave its line out;
`{{2..9}}` is a number of that range; `{{@kind}}` a literal, with its least and largest length:
`@int`, `@ints 2 5`, `@small 2 5` (numbers 0 to 9), `@word`, `@words 2 4`, `@person`,
`@people 2 4`, `@label`, `@upper 3 6`. Alternatives hold no `|` and lie on one line.
"""

import re

from .pools import ATTRIBUTES, CLASSES, CONSTANTS, FUNCTIONS, LABELS, METHODS, PEOPLE, WORDS

CHOICE = re.compile(r"\{\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\}")  # braces within it are balanced
NUMBER = re.compile(r"(-?\d+)\.\.(-?\d+)")


def choose(d, text):
    """The text with every choice made."""
    lines = []
    for line in text.split("\n"):
        made = CHOICE.sub(lambda found: alternative(d, d.pick(*found[1].split("|"))), line)
        if made.strip() or not line.strip():
            lines.append(made.rstrip())
    return "\n".join(lines)


def alternative(d, text):
    """A number of `2..9`, the literal of `@kind`, or the text as it is."""
    r = d.r
    if between := NUMBER.fullmatch(text):
        return str(r.randint(int(between[1]), int(between[2])))
    if not re.match("@[a-z]", text):  # `@$name` is a decorator
        return text
    kind, *bounds = text[1:].split()
    count = r.randint(*map(int, bounds)) if bounds else 1
    kinds = {
        "int": d.integer,
        "ints": lambda: [d.integer() for _ in range(count)],
        "small": lambda: [r.randint(0, 9) for _ in range(count)],
        "word": lambda: r.choice(WORDS),
        "words": lambda: [r.choice(WORDS) for _ in range(count)],
        "person": lambda: r.choice(PEOPLE),
        "people": lambda: r.sample(PEOPLE, count),
        "label": lambda: r.choice(LABELS),
        "upper": lambda: "".join(r.choice("ABCDEFGHKLMNPRSTXYZ") for _ in range(count)),
    }
    return repr(kinds[kind]())


def pool(place, text):
    """The names that suit a place by how the text uses it; None for a variable's."""
    if place.isupper():
        return CONSTANTS
    if place[0].isupper():
        return CLASSES
    if re.search(rf"def \${place}\(self", text):
        return METHODS
    if re.search(rf"def \${place}\(", text):
        return FUNCTIONS
    return ATTRIBUTES if re.search(rf"self\.\${place}\b", text) else None
