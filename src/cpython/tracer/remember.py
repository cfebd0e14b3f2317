# What a text was made of: tells that a value's text is as it was without printing it again.
#
# Nothing mutable of the program's is kept alive by this, or its `__del__` and weak references would
# come late: immutable values are remembered themselves, other objects by their number and parts, and
# those of which only the name is in the text by their type. No code of the program runs.

from gc import get_referents
from itertools import chain
from marshal import dumps as dump
from operator import is_

SMALL = 200  # items
BUFFERS = re.compile(b"[sc][\\s\\S]{2}\0\0").search  # bytes or what looks like them, code
PLAIN = object.__repr__
NAMED = object()  # a part that is only named in the text, or beyond its end: the type counts
REMEMBERED = 50_000  # parts that are known of all values
ONCE = 1000  # values of which only the last text is
PATIENCE = 16  # how often a value is printed before it is looked at again
LEVELS = 8  # of containers within each other that `marshal` is asked about
CONTAINERS = frozenset((list, tuple, dict, set, frozenset))
BUILT_IN = ATOMS | CONTAINERS


class Unfit(Exception):
    """A value whose text depends on more than what can be looked at."""


class Known:
    """The text of a value and what it was made of."""

    __slots__ = ("kind", "kinds", "made", "text", "size")

    def __init__(self, value, text, look):
        self.kind, self.text = type(value), text
        self.made = look.part(value, 0)[0]
        if self.made is NAMED:
            raise Unfit
        self.kinds = tuple(look.kinds)
        self.size = look.size + len(text) // 16

    def still(self, value):
        """Whether this is the text of it; what has become of a type counts too."""
        if type(value) is not self.kind:
            return False
        for kind in self.kinds:  # of a class whose own class is `type`, nothing else runs
            if (kind.__repr__ if type(kind) is type else REPR(kind, "__repr__")) is not PLAIN:
                return False
        try:
            return self.made.still(value)
        except (RuntimeError, IndexError):  # another thread changes it
            return False


class Copy:
    """The items of a list, all immutable; or the first, where the text tells no more."""

    __slots__ = ("items", "more")

    def __init__(self, items, more):
        self.items, self.more = items[:], more

    def still(self, value):
        items = self.items
        size = len(items)
        whole = type(value) is list and (len(value) == size or self.more and len(value) > size)
        return whole and all(map(is_, items, value))


class CopyOfDict:
    """The keys and values of a dict, all immutable."""

    __slots__ = ("parts",)

    def __init__(self, value):
        self.parts = (*value.values(), *value)

    def still(self, value):
        whole = type(value) is dict and 2 * len(value) == len(self.parts)
        return whole and all(map(is_, self.parts, chain(value.values(), value)))


# Each object that is opened in a text has one of these. Its own number is looked at because an object
# within itself has another text; the types of its parts, by whoever holds it.


class Attributes:
    """Of an instance, all in its `__dict__`."""

    __slots__ = ("id", "own", "keys", "parts", "kinds")

    def __init__(self, value, own, named):
        self.id, self.own = id(value), own
        self.keys, self.parts, self.kinds = named

    def still(self, value):
        if id(value) != self.id:
            return False
        own, keys = self.own(value), self.keys
        if type(own) is not dict or len(own) != len(keys):
            return False
        parts, index = self.parts, 0
        for key, item in own.items():
            if key is not keys[index]:
                return False
            old = parts[index]
            if item is not old:
                if type(item) is not self.kinds[index]:
                    return False
                if old is not NAMED and not old.still(item):
                    return False
            index += 1
        return True


class Slots:
    """Of an instance, those in slots, and its `__dict__`'s if it has one."""

    __slots__ = ("id", "gets", "parts", "kinds", "rest")

    def __init__(self, value, gets, parts, kinds, rest=None):
        self.id, self.gets, self.parts, self.kinds, self.rest = id(value), gets, parts, kinds, rest

    def still(self, value):
        if id(value) != self.id:
            return False
        try:
            items = [get(value) for get in self.gets]
        except AttributeError:  # it was deleted
            return False
        return alike(items, self.parts, self.kinds) and (self.rest is None or self.rest.still(value))


class Row:
    """Of a list, tuple, deque or set: all items, or the first ones, where the text ends before the others."""

    __slots__ = ("id", "parts", "kinds", "all")

    def __init__(self, value, parts, kinds):
        self.id, self.parts, self.kinds = id(value), parts, kinds
        self.all = len(parts) == len(value)

    def still(self, value):
        size = len(self.parts)
        if id(value) != self.id or (len(value) != size if self.all else len(value) <= size):
            return False
        return alike(value, self.parts, self.kinds)


class Table:
    """Of a dict, the keys and the values as a `Row` has items; of a defaultdict also what makes a value."""

    __slots__ = ("id", "keys", "values", "all", "factory")

    def __init__(self, value, keys, values, factory):
        self.id, self.keys, self.values, self.factory = id(value), keys, values, factory
        self.all = len(keys[0]) == len(value)

    def still(self, value):
        size = len(self.keys[0])
        if id(value) != self.id or (len(value) != size if self.all else len(value) <= size):
            return False
        if self.factory is not NAMED and FACTORY(value) is not self.factory:
            return False
        return alike(value, *self.keys) and alike(value.values(), *self.values)


class Dumped:
    """Of a small container of built-in values: its bytes under `marshal`, which takes no others."""

    __slots__ = ("data",)

    def __init__(self, data):
        self.data = data

    def still(self, value):
        return dumped(value) == self.data


def dumped(value):
    """Bytes of a container of built-in values, by content, or None; of `marshal`, which would take
    exponential time for a container that is within itself twice."""
    level = value.values() if type(value) is dict else value
    inner = get_referents(*level)
    if inner and get_referents(*inner) and not shallow(level):
        return None
    try:
        data = dump(value, 2)
    except ValueError:  # of a dict's key
        return None
    return None if BUFFERS(data) else data


def shallow(level):
    """Whether items are built-in values all through, and not deep within each other."""
    for _ in range(LEVELS):
        kinds = set(map(type, level))
        if not kinds <= BUILT_IN:
            return False
        if kinds <= ATOMS:
            return True
        level = [item.values() if type(item) is dict else item for item in level if type(item) in CONTAINERS]
        level = list(chain.from_iterable(level))
        if len(level) > 5 * SMALL:
            return False
    return False


def alike(items, parts, kinds):
    """Whether the first items are the parts that are remembered."""
    for item, old, kind in zip(items, parts, kinds):
        if item is not old:
            if type(item) is not kind:
                return False
            if old is not NAMED and not old.still(item):
                return False
    return True


class Look:
    """Looks once at what a text was made of.

    What it takes is no less than what the printer printed: `room` is never below the printer's
    `left` at the same place."""

    def __init__(self, printer):
        self.printer, self.room = printer, printer.limit
        self.kinds = set()  # types whose instances are opened or named
        self.size = 0  # parts
        self.open = []

    def part(self, value, depth):
        """What a value is remembered by, and the type that it then has to have; an immutable one by
        itself, and None."""
        kind = type(value)
        self.size += 1
        if kind in ATOMS:
            if kind is str or kind is bytes:
                if len(value) > 10 * self.printer.limit:
                    raise Unfit
                self.size += len(value) // 32
                self.room -= len(value)
            elif kind is int and value.bit_length() > MAX_INT_BITS:
                raise Unfit
            else:
                self.room -= 1
            return value, None
        if kind in CONTAINERS or kind is deque or kind is defaultdict:
            return self.within(self.container, value, depth), kind
        if REPR(kind, "__repr__") is not PLAIN:
            raise Unfit
        if not kind.__flags__ & HEAP_TYPE:
            return NAMED, kind
        self.kinds.add(kind)
        if depth >= INSTANCE_DEPTH:
            self.room -= len(kind.__name__) + 5
            return NAMED, kind
        return self.within(self.instance, value, depth + 1), kind

    def within(self, way, value, depth):
        if len(self.open) > NESTING // 2 or any(other is value for other in self.open):
            raise Unfit
        self.open.append(value)
        made = way(value, depth)
        self.open.pop()
        return made

    def instance(self, value, depth):
        name, members, own = self.printer.shape(type(value))
        self.room -= len(name) + 2
        slotted = None
        if members:
            try:
                items = [(key, member.__get__(value)) for key, member in members]
            except AttributeError:  # one is not set: others would stand in its place
                raise Unfit from None
            gets = tuple([member.__get__ for _, member in members])
            slotted = Slots(value, gets, *self.named(items, depth)[1:])
        if own is None:
            return slotted or Slots(value, (), (), ())
        items = own(value)
        if type(items) is not dict or not set(map(type, items)) <= TEXT:
            raise Unfit
        rest = Attributes(value, own, self.named(items.items(), depth))
        if slotted is None:
            return rest
        slotted.rest = rest
        return slotted

    def named(self, items, depth):
        keys, parts, kinds = [], [], []
        for key, item in items:
            if self.room <= 0 or dunder(key):
                part, kind = NAMED, type(item)
            else:
                self.room -= len(key) + 3
                part, kind = self.part(item, depth)
            keys.append(key)
            parts.append(part)
            kinds.append(kind)
        return tuple(keys), tuple(parts), tuple(kinds)

    def container(self, value, depth):
        kind, size = type(value), len(value)
        if kind in CONTAINERS and size <= SMALL and not self.printer.cut:
            data = dumped(value)
            if data is not None:
                self.room -= 3 * size
                self.size += len(data) // 32
                return Dumped(data)
        if kind is dict or kind is defaultdict:
            factory = NAMED
            if kind is defaultdict:
                factory = FACTORY(value)
                if factory is not None and (type(factory) is not type or factory.__flags__ & HEAP_TYPE):
                    raise Unfit
            keys, values = ([], []), ([], [])
            for key, item in value.items():
                if self.full(keys[0]):
                    break
                self.add(keys, key, depth)
                self.add(values, item, depth)
            self.reads_on(keys[0], values, size)
            return Table(value, tuple(map(tuple, keys)), tuple(map(tuple, values)), factory)
        parts = ([], [])
        for item in value:
            if self.full(parts[0]):
                break
            self.add(parts, item, depth)
        if kind is list or kind is tuple:
            self.reads_on(parts[0], parts, size)
        return Row(value, *map(tuple, parts))

    def full(self, parts):
        return self.room <= 0 and len(parts) >= 16

    def add(self, parts, item, depth):
        self.room -= 1
        part, kind = self.part(item, depth)
        parts[0].append(part)
        parts[1].append(kind)

    def reads_on(self, taken, parts, size):
        """Of one that begins with numbers or strings the printer looks at more than it prints."""
        if len(taken) < size and parts[1][0] is None:
            raise Unfit


class Memory:
    """What is known of the values of a program."""

    def __init__(self, printer):
        self.print = printer
        self.known = {}  # id -> what is known of a value that is none of these
        self.parts = 0  # of all in `known`
        self.once = {}  # id -> the text that it had the last time

    def has(self, value):
        """Whether a value was printed before as one that is looked at."""
        return id(value) in self.known or id(value) in self.once

    def recall(self, value):
        """What is known of a value and still holds."""
        known = self.known.get(id(value))
        return known if known is not None and known.still(value) else None

    def learn(self, value, text, alone):
        """What its text was made of, if that was its text the last time too: most that changes once
        changes again. What cannot be learnt is not tried again for a while.
        Nothing is while other threads may change it."""
        number = id(value)
        last = self.once.get(number)
        if type(last) is int:
            self.once[number] = last - 1 if last else ""
            return None
        if last != text or not alone:
            if len(self.once) >= ONCE:
                self.once.clear()
            self.once[number] = text
            return None
        try:
            known = Known(value, text, Look(self.print))
        except Unfit:
            self.once[number] = PATIENCE
            return None
        old = self.known.pop(number, None)
        self.parts += known.size - (old.size if old is not None else 0)
        if self.parts > REMEMBERED:
            self.known.clear()
            self.parts = known.size
        self.known[number] = known
        return known


def flat(value, kind):
    """Whether a list or dict holds immutable items only."""
    return immutable(value) and (kind is list or immutable(value.values()))


def immutable(values):
    """Whether all items of a list or tuple are immutable; one may be a tuple of such."""
    kinds = set(map(type, values))
    if kinds <= ATOMS:
        return True
    if tuple in kinds:
        kinds.discard(tuple)
        kinds.update(map(type, chain.from_iterable(item for item in values if type(item) is tuple)))
    return kinds <= ATOMS
