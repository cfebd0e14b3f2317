"""Records what CPython does with a program, one line of JSON per state.

Started by foretrace as `python -c TEXT`, where TEXT is `values`, `remember`, `recorder`, `wire`,
`asked`, `program`, `known` and `server` joined in this order: one program in one namespace, standard library only,
Python 3.8 to 3.14. Must not know: models, sessions, terminals.

This part: values as one line of text.
"""

import re
import signal
import sys
import types
from _collections import OrderedDict, defaultdict, deque
from itertools import islice
from math import log10

MARK = "\u2026"  # ends a value that was cut, outside its quotes
ATOMS = frozenset((int, float, str, bytes, bool, type(None), complex))  # immutable: same object, same text
SCALARS = frozenset((int, float, bool, type(None)))
MAX_INT_BITS = 14_281  # more have over 4,300 digits, which CPython itself refuses to print
LARGE = 10**18  # an int below it is short
NESTING = 100
CHUNK = 64  # items of which a long list of numbers is printed at once
INSTANCE_DEPTH = 2
REPR_SECONDS = 0.1
HEAP_TYPE = 1 << 9
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=[>:,])")  # `<cell at 0x…: …>`, `<code object f at 0x…, file …>`
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, staticmethod, classmethod)
HIDDEN = FUNCTIONS + (type, types.ModuleType)
PLAIN_HIDDEN = frozenset(HIDDEN)  # found without a look at their bases
TEXT = {str}
MAXLEN, FACTORY = deque.maxlen.__get__, defaultdict.default_factory.__get__
REPR = type.__getattribute__
MEMBER, GETSET = types.MemberDescriptorType, types.GetSetDescriptorType


class Late(BaseException):
    """A `__repr__` ran longer than REPR_SECONDS."""


def digits(n):
    """Number of decimal digits of a large int, without building them."""
    n = abs(n)
    shift = max(n.bit_length() - 60, 0)
    estimate = log10(n >> shift) + shift * log10(2)
    nearest = round(estimate)
    if abs(estimate - nearest) < 1e-6 and nearest < 1_000_000:
        return nearest + 1 if n >= 10**nearest else nearest
    return int(estimate) + 1


class Printer:
    """Values as text under the recording's rules, at most `limit` characters each.

    Built-in values are limited by size before any text is built. No code of the program
    runs except a `__repr__` of its own, and that under a clock.
    """

    def __init__(self, limit):
        self.limit = limit
        self.left = 0
        self.cut = False
        self.headed = 0  # how many items a cut list or tuple of numbers was printed from
        self.open = []
        self.shapes = {}  # type -> its name and slots
        self.busy = False
        self.armed = False
        self.kinds = {
            int.__repr__: self.int, str.__repr__: self.str, bytes.__repr__: self.bytes,
            bytearray.__repr__: self.bytearray, list.__repr__: self.list, tuple.__repr__: self.tuple,
            set.__repr__: self.set, frozenset.__repr__: self.set, dict.__repr__: self.dict,
            deque.__repr__: self.deque, defaultdict.__repr__: self.defaultdict,
            OrderedDict.__repr__: self.ordered, BaseException.__repr__: self.exception,
            object.__repr__: self.instance, types.MethodType.__repr__: self.method,
            type({}.keys()).__repr__: self.view, type({}.values()).__repr__: self.view,
            type({}.items()).__repr__: self.view,
        }  # fmt: skip

    def text(self, value):
        kind = type(value)
        if kind is int and -LARGE < value < LARGE:
            return repr(value)
        if kind is str and len(value) <= self.limit:
            text = repr(value)
            if len(text) <= self.limit:
                return text
        self.left, self.cut, self.open, self.headed = self.limit, False, [], 0
        text = self.one(value, 0)
        if len(text) > self.limit + 64:
            text, self.cut = text[: self.limit], True
        return text + MARK if self.cut else text

    def one(self, value, depth):
        kind = type(value)
        if kind is int:
            return self.int(value, depth)
        if kind is str:
            return self.str(value, depth)
        if kind in ATOMS and kind is not bytes:
            text = repr(value)
        else:
            try:
                way = self.kinds.get(type.__getattribute__(kind, "__repr__"))
            except (TypeError, AttributeError):
                way = None
            if way is not None:
                return way(value, depth)
            text = self.foreign(value)
        self.left -= len(text)
        return text

    def int(self, value, depth):
        value = int(value) if type(value) is bool else value
        if int.bit_length(value) > MAX_INT_BITS and digits(value) > 4300:
            text = "<int, %d digits>" % digits(value)
        else:
            text = int.__repr__(value)
            if len(text) > self.limit:
                text, self.cut = text[: self.limit], True
        self.left -= len(text)
        return text

    def sized(self, value, build, size):
        room = max(self.left, 8)
        if size > room:
            value, self.cut = value[:room], True
        text = build(value)
        self.left -= len(text)
        return text

    def str(self, value, depth):
        return self.sized(value, str.__repr__, str.__len__(value))

    def bytes(self, value, depth):
        return self.sized(value, bytes.__repr__, bytes.__len__(value))

    def bytearray(self, value, depth):
        return self.sized(value, bytearray.__repr__, bytearray.__len__(value))

    def items(self, before, values, after, depth, seen, short):
        """`before`, the values, `after`; a pair is a dict's item."""
        if self.opened(seen):
            return short
        if len(self.open) >= NESTING:
            self.cut = True
            return before + after
        self.open.append(seen)
        self.left -= len(before) + len(after)
        parts = []
        try:
            for value in values:
                if self.left <= 0:
                    self.cut = True
                    break
                self.left -= 2
                if type(value) is Pair:
                    parts.append(self.one(value.key, depth) + ": " + self.one(value.value, depth))
                else:
                    parts.append(self.one(value, depth))
        except RuntimeError:  # a __repr__ changed the container while it was read
            self.cut = True
        finally:
            self.open.pop()
        return before + ", ".join(parts) + after

    def plain(self, values, size):
        """Whether a built-in repr of these is short and runs no code."""
        if size * 3 > self.left:
            return False
        kinds = set(map(type, values))
        return kinds <= SCALARS or kinds == {str} and sum(map(len, values)) + size * 4 <= self.left

    def head(self, values, depth):
        """The first of many numbers, at built-in speed; None if they are not numbers."""
        room, parts, size, taken = max(self.left, 0), [], 0, 0
        while not parts or size <= room and taken < len(values):
            some = values[taken : taken + CHUNK]
            if not set(map(type, some)) <= SCALARS:
                return None
            try:
                text = repr(some)
            except ValueError:  # an int of more digits than CPython prints
                return None
            parts.append(text[1:-1].rstrip(","))
            size += len(parts[-1]) + 2
            taken += len(some)
        text = text[0] + ", ".join(parts) + text[-1]
        if taken == len(values) and len(text) <= self.left:
            return None
        if depth == 0 and not self.open:
            self.headed = taken
        self.cut = True
        cut = max(text.rfind(", ", 0, max(self.left, 1)), 1)
        self.left -= cut
        return text[:cut] + text[-1]

    def whole(self, value):
        """The built-in repr, if what came out fits."""
        try:
            text = repr(value)
        except ValueError:  # an int of more digits than CPython prints
            return None
        if len(text) > self.left:
            return None
        self.left -= len(text)
        return text

    def list(self, value, depth):
        if type(value) is list:
            text = self.whole(value) if self.plain(value, len(value)) else None
            text = self.head(value, depth) if text is None else text
            if text is not None:
                return text
        return self.items("[", list.__iter__(value), "]", depth, value, "[...]")

    def tuple(self, value, depth):
        if type(value) is tuple:
            text = self.whole(value) if self.plain(value, len(value)) else None
            text = self.head(value, depth) if text is None else text
            if text is not None:
                return text
        end = ",)" if tuple.__len__(value) == 1 else ")"
        return self.items("(", tuple.__iter__(value), end, depth, value, "(...)")

    def set(self, value, depth):
        base = frozenset if issubclass(type(value), frozenset) else set
        name = type(value).__name__
        if not base.__len__(value):
            self.left -= len(name) + 2
            return name + "()"
        before, after = ("{", "}") if type(value) is set else (name + "({", "})")
        return self.items(before, base.__iter__(value), after, depth, value, name + "(...)")

    def dict(self, value, depth):
        if type(value) is dict and self.plain(value, len(value)) and self.plain(value.values(), len(value)):
            text = self.whole(value)
            if text is not None:
                return text
        return self.items("{", pairs(value), "}", depth, value, "{...}")

    def deque(self, value, depth):
        most = MAXLEN(value)
        end = "])" if most is None else "], maxlen=%d)" % most
        return self.items(type(value).__name__ + "([", deque.__iter__(value), end, depth, value, "[...]")

    def defaultdict(self, value, depth):
        before = "%s(%s, {" % (type(value).__name__, self.one(FACTORY(value), depth))
        return self.items(before, pairs(value), "})", depth, value, before[:-1] + "...)")

    def ordered(self, value, depth):
        name = type(value).__name__
        if not dict.__len__(value):
            return name + "()"
        if sys.version_info >= (3, 12):
            return self.items(name + "({", pairs(value), "})", depth, value, "...")
        return self.items(name + "([", OrderedDict.items(value), "])", depth, value, "...")

    def view(self, value, depth):
        return self.items(type(value).__name__ + "([", iter(value), "])", depth, value, "...")

    def exception(self, value, depth):
        args = BaseException.__dict__["args"].__get__(value)
        return self.items(type(value).__name__ + "(", iter(args), ")", depth, value, "...")

    def method(self, value, depth):
        name = getattr(value.__func__, "__qualname__", "?")
        return "<bound method %s of %s>" % (name, self.one(value.__self__, depth))

    def instance(self, value, depth):
        """`Type(attr=…)` from `__dict__` and slots, for instances with the default repr."""
        kind = type(value)
        shape = self.shapes.get(kind)
        if shape is None:
            if not kind.__flags__ & HEAP_TYPE:
                text = ADDRESS.sub(" at 0x", object.__repr__(value))
                self.left -= len(text)
                return text
            shape = self.shape(kind)
        name, members, own = shape
        if depth >= INSTANCE_DEPTH or self.opened(value):
            self.left -= len(name) + 5
            return name + "(...)"
        self.open.append(value)
        self.left -= len(name) + 2
        parts = []
        depth += 1
        most = max(self.left, 0) // 3 + 1  # more do not fit
        try:
            for key, item in attributes(value, members, own, most) if members else own_attributes(value, own, most):
                if key[:2] == "__" and dunder(key):
                    continue
                if self.left <= 0:
                    self.cut = True
                    break
                self.left -= len(key) + 3
                kind = type(item)  # what follows does for the most frequent kinds what `one` does
                if kind is int and -LARGE < item < LARGE:
                    text = repr(item)
                    self.left -= len(text)
                elif item is None:
                    text = "None"
                    self.left -= 4
                elif kind in self.shapes and REPR(kind, "__repr__") is object.__repr__:
                    if depth >= INSTANCE_DEPTH:
                        text = self.shapes[kind][0] + "(...)"
                        self.left -= len(text)
                    else:
                        text = self.instance(item, depth)
                else:
                    text = self.one(item, depth)
                parts.append(f"{key}={text}")
        finally:
            self.open.pop()
        return f"{name}({', '.join(parts)})"

    def shape(self, kind):
        """Name of a class, its slots, and what reads its instances' `__dict__`."""
        shape = self.shapes.get(kind)
        if shape is None:
            if len(self.shapes) > 1000:
                self.shapes.clear()
            shape = self.shapes[kind] = (kind.__name__, slots(kind), own_dict(kind))
        return shape

    def opened(self, value):
        """Whether this is within itself."""
        for other in self.open:
            if other is value:
                return True
        return False

    def foreign(self, value):
        """A repr that is not ours: the program's or a library's. Errors and slowness are values."""
        name = type(value).__name__
        self.busy = True
        try:
            text = self.timed(value)
        except Late:
            return "<repr of %s timed out>" % name
        except BaseException as error:
            return "<unrepresentable %s: %s>" % (name, type(error).__name__)
        finally:
            self.busy = False
        if len(text) > self.limit:
            text, self.cut = text[: self.limit], True
        text = ADDRESS.sub(" at 0x", text)
        return text if text.isprintable() else "".join(map(visible, text))

    def timed(self, value):
        if issubclass(type(value), (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)):
            return repr(value)
        try:
            handler = signal.signal(signal.SIGALRM, self.ring)
        except (ValueError, AttributeError):  # not the main thread, or no such signal here
            return repr(value)
        self.armed = True
        before = signal.setitimer(signal.ITIMER_REAL, REPR_SECONDS, REPR_SECONDS)
        try:
            return str.__str__(repr(value))
        finally:
            self.armed = False
            signal.setitimer(signal.ITIMER_REAL, *before)
            signal.signal(signal.SIGALRM, handler)

    def ring(self, *_):
        if self.armed:
            raise Late


class Pair:
    """A key and a value of a dict."""

    __slots__ = ("key", "value")

    def __init__(self, key, value):
        self.key, self.value = key, value


def pairs(value):
    for key, item in dict.items(value):
        yield Pair(key, item)


def slots(kind):
    """Names and descriptors of a type's slots, dunder names left out."""
    found = []
    for base in reversed(kind.__mro__):
        if base.__flags__ & HEAP_TYPE:
            found += [(n, m) for n, m in base.__dict__.items() if type(m) is MEMBER and not dunder(n)]
    return found


def own_dict(kind):
    """What reads the `__dict__` of a class's instances, whatever the program calls by that name."""
    for base in kind.__mro__:
        found = base.__dict__.get("__dict__")
        if type(found) is GETSET and found.__objclass__ is base:
            return found.__get__
    return None


def attributes(value, members, own, most):
    """Names and values of an instance; no descriptor of the program runs."""
    for name, member in members:
        try:
            yield name, member.__get__(value)
        except AttributeError:
            pass
    yield from own_attributes(value, own, most)


def own_attributes(value, own, most):
    """Those in its `__dict__`, the first ones."""
    own = own(value) if own is not None else None
    if type(own) is not dict:
        return ()
    items = list(islice(own.items(), most))
    if {type(name) for name, _ in items} <= TEXT:
        return items
    return [(str(name), item) for name, item in items]


def dunder(name):
    return name.__class__ is str and name[:2] == "__" and name[-2:] == "__" and len(name) > 4


def visible(char):
    return char if char.isprintable() else char.encode("unicode_escape").decode()
