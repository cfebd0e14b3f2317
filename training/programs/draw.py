"""What a family draws from: distinct names, literals, and templates to fill with them."""

import builtins
import re
from textwrap import dedent, indent

from .expressions import Expressions
from .pools import CLASSES, FUNCTIONS, RESERVED, WORDS
from .template import choose, pool

PLACE = re.compile(r"\$(?:\$|(\w+)|\{(\w+)\})")
WRITTEN = re.compile(r"(?<![\w$.])(?<!\$\{)[A-Za-z_]\w*")
BLOCK = re.compile(r"^( *)\$(\w+)$")
ROLES = set("f g h main".split())  # places that are named as functions


class Draw(Expressions):
    """Distinct names and inputs for one program; `r` is its `random.Random`."""

    def __init__(self, rng, easy=False):
        super().__init__(rng, easy)
        self.r = rng
        self.roles = {}  # place in a template -> the name it got

    # names

    def fn(self):
        return self.fresh(lambda: self.rng.choice(FUNCTIONS))

    def v(self, count):
        return [self.fresh() for _ in range(count)]

    def name(self, role):
        """The name for a place of the templates, the same each time it is asked for. `f`, `g`, `h`,
        `main` and what begins with `fn_` become functions, capitals classes, the rest variables."""
        if role not in self.roles:
            function = role in ROLES or role.startswith("fn_")
            pool = FUNCTIONS if function else CLASSES if role[0].isupper() else None
            own = role.removeprefix("fn_")
            if len(own) > 1 and own not in self.used and own not in RESERVED and not hasattr(builtins, own) and self.r.random() < 0.6:
                self.used.add(own)
                self.roles[role] = own
            else:
                self.roles[role] = self.fresh(pool and (lambda: self.r.choice(pool)))
        return self.roles[role]

    # literals

    def ints(self, low=2, high=6):
        return [self.integer() for _ in range(self.rng.randint(low, high))]

    def words(self, low=2, high=5):
        return [self.rng.choice(WORDS) for _ in range(self.rng.randint(low, high))]

    def some(self, low=2, high=5):
        """Words, no two alike."""
        return self.rng.sample(sorted(set(WORDS)), self.rng.randint(low, high))

    def phrase(self, low=2, high=4, gap=" "):
        return gap.join(self.words(low, high))

    def table(self, low=2, high=4):
        return {word: self.integer() for word in self.some(low, high)}

    def number(self, digits):
        """A whole number of that many digits."""
        return self.rng.randint(10 ** (digits - 1), 10**digits - 1)

    def pick(self, *choices):
        return self.r.choice(choices)

    def maybe(self, text, chance=0.5):
        """The text, or nothing: in a template, a line of nothing is left out."""
        return text if self.r.random() < chance else ""

    def shuffled(self, *items):
        """Statements whose order does not matter, as one block."""
        return "\n".join(dedent(item).strip("\n") for item in self.r.sample(items, len(items)) if item)

    # templates

    def fill(self, template, **values):
        """The dedented template with every `$place` replaced: by its value, itself filled, or else by
        a name drawn for it (within a value, its own place is a name). A place alone on its line takes a block of lines, indented as the line
        is; nothing leaves the line out. `$$` is a dollar sign."""
        self.used.update(WRITTEN.findall(template))
        lines = []
        whole = dedent(template).strip("\n") if "\n" in template else template
        for line in whole.split("\n"):
            block = BLOCK.match(line)
            if block and block[2] in values:
                inner = self._value(block[2], values)
                lines += indent(inner, block[1]).split("\n") if inner else []
            else:
                lines.append(PLACE.sub(lambda place: self._place(place, values), line))
        return "\n".join(lines)

    def _place(self, place, values):
        role = place[1] or place[2]
        if role is None:
            return "$"
        return self._value(role, values) if role in values else self.name(role)

    def _value(self, role, values):
        return self.fill(str(values[role]), **{other: value for other, value in values.items() if other != role})

    def program(self, template, entry, **values):
        """What a family returns: the filled template and entry."""
        return self.fill(template, **values).rstrip("\n") + "\n", self.fill(entry, **values)

    # whole programs with choices in their text: see `template`

    def make(self, template, entry="<module>", **values):
        """`program`, with the choices in the texts made first, and names that suit their use."""
        values = {name: choose(self, value) if isinstance(value, str) else repr(value) for name, value in values.items()}
        if own := [name for name, value in values.items() if re.search(rf"\${name}\b", value)]:
            raise ValueError(f"a piece holds itself: {', '.join(own)}")
        template, entry = choose(self, template), choose(self, entry)
        text = "\n".join([template, entry, *values.values()])
        self.used |= set(re.findall(r"(?<![$\w])[A-Za-z_]\w*", text))
        for place in dict.fromkeys(re.findall(r"\$(\w+)", text)):
            if place not in values:
                self.roles[place] = self.name_from(place, pool(place, text))
        program, entry = self.program(template, entry, **values)
        if self.r.random() < 0.4:
            program = re.sub(r"\n(\s*\n)+", "\n", program)
        return program, entry

    def name_from(self, place, names):
        """The place's own name, or else one of these (variables where None)."""
        if place not in self.used and (len(place) == 1 or place not in RESERVED) and self.r.random() < 0.5:
            self.used.add(place)
            return place
        return self.fresh(names and (lambda: self.r.choice(names)))

    def numbers(self, count, low, high):
        return [self.r.randint(low, high) for _ in range(count)]
