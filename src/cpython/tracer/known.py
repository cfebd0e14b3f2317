# Values read back from their text, for expressions. Only `ast` reads: no code of the program
# runs. What the text does not say is refused by name, never guessed.

REFUSED = (
    "abs add and bool bytes call ceil complex contains delitem divmod enter eq float floor floordiv "
    "format ge getitem gt hash index int invert iter le len lshift lt matmul mod mul ne neg next or "
    "pos pow radd rand rdivmod reversed rfloordiv rlshift rmatmul rmod rmul ror round rpow rrshift "
    "rshift rsub rtruediv rxor setattr setitem str sub truediv trunc xor"
).split()
REBUILT = {"set": set, "frozenset": frozenset, "deque": deque, "OrderedDict": OrderedDict}
NUMBERS = {"inf": float("inf"), "nan": float("nan")}


class Unknown(Exception):
    """What was asked is not in the text of a value."""


def refuse(value, *_):
    raise Unknown("only the text of '%s' is known: %s" % type(value).__known__)


class Instance:
    """Attributes read from `Type(attr=…)`: the base of one type for each such value."""

    __getattr__ = refuse


class Text:
    """A value whose text cannot be read: the base of one type for each."""

    __getattribute__ = __repr__ = refuse


for refused in REFUSED:
    setattr(Instance, "__%s__" % refused, refuse)
    setattr(Text, "__%s__" % refused, refuse)


def known(name, text):
    """The value that a text stands for; a `Text` where it cannot be read."""
    import ast

    def made(base, path, text, kind="value"):
        short = text if len(text) <= 80 else text[:80] + MARK
        return type(kind, (base,), {"__known__": (path, short), "__text__": text})()

    def read(node, path):
        kind = type(node)
        if kind in (ast.List, ast.Tuple, ast.Set):
            build = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[kind]
            return build([read(item, path) for item in node.elts])
        if kind is ast.Dict:
            return {read(key, path): read(item, path) for key, item in zip(node.keys, node.values)}
        if kind is ast.Name and node.id in NUMBERS:
            return NUMBERS[node.id]
        if kind is ast.UnaryOp and type(node.op) is ast.USub and type(node.operand) is ast.Name:
            return -NUMBERS[node.operand.id]
        if kind is ast.Call and type(node.func) is ast.Name:
            called, part = node.func.id, ast.get_source_segment(text, node)
            if called in REBUILT and part != called + "(...)":
                words = {word.arg: read(word.value, path) for word in node.keywords}
                return REBUILT[called](*[read(item, path) for item in node.args], **words)
            if not node.args and all(word.arg for word in node.keywords):
                value = made(Instance, path, part, called)
                own = object.__getattribute__(value, "__dict__")
                for word in node.keywords:
                    own[word.arg] = read(word.value, "%s.%s" % (path, word.arg))
                return value
        try:
            value = ast.literal_eval(node)
            if value is not Ellipsis:  # the mark of a value within itself
                return value
        except ValueError:
            pass
        return made(Text, path, ast.get_source_segment(text, node))

    text = text.strip()
    try:
        return read(ast.parse(text, mode="eval").body, name)
    except Exception:
        return made(Text, name, text)


class Answer(Printer):
    """Prints what `known` read as it was written."""

    def __init__(self, limit):
        super().__init__(limit)
        self.kinds[refuse] = self.unread

    def unread(self, value, depth):
        text = type(value).__text__
        if len(text) > self.limit:
            text, self.cut = text[: self.limit], True
        self.left -= len(text)
        return text


