"""Changes values at random between events, and holds what the recorder says of them each time against
a fresh Printer: whatever it remembers, it must see every change.

    python changes.py TRACER_FOLDER SEED ROUNDS

Says nothing if all is well, else the first difference. The values are nested lists, tuples, dicts, sets,
deques and instances with and without slots, with cycles; what changes them is no recorded frame.
"""

import collections
import os
import random
import sys

FOLDER, SEED, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3])
names = {"__name__": "tracer"}
for part in ("values", "remember", "recorder", "wire"):
    path = os.path.join(FOLDER, part + ".py")
    exec(compile(open(path).read(), path, "exec"), names)
draw = random.Random(SEED)
ran = []


def trap(name, back=None):
    def run(*_):
        ran.append(name)
        return back

    return run


class Plain:
    pass


class Other:
    __eq__ = trap("eq", True)
    __hash__ = object.__hash__
    __getattr__ = trap("getattr")
    __len__ = trap("len", 1)
    __bool__ = trap("bool", True)


class Slotted:
    __slots__ = ("a", "b", "c", "__weakref__")


class Both(Slotted):
    pass


class Spoken:
    def __repr__(self):
        return "spoken%d" % len(self.__dict__)


class Posing:
    __dict__ = property(trap("dict"))


class Names(dict):
    items = trap("items", ())


CLASSES = [Plain, Plain, Other, Slotted, Both, Posing]
ATTRIBUTES = ["a", "b", "c", "d", "__hidden__"]


def atom():
    return draw.choice([0, 1, True, False, 0.0, -0.0, 1.0, None, "a", "b" * draw.randrange(40), b"a", 10**20, 1000, 1j])


def key():
    return draw.choice([0, 1, True, "a", "b", "c", (1, "a"), None, draw.choice(pool)])


pool = [Plain()]  # of instances, shared, so that there are cycles


def value(depth=0):
    """A new value, or one that is there already."""
    kind = draw.randrange(14 if depth < 3 else 5)
    if kind < 4:
        return atom()
    if kind == 4:
        return draw.choice(pool)
    if kind < 9:
        made = draw.choice(CLASSES)()
        for name in ATTRIBUTES[: draw.randrange(5)]:
            if name in "abc" or type(made) not in (Slotted, Posing):
                give(made, name, value(depth + 1))
        pool.append(made)
        return made
    if kind == 13 and draw.random() < 0.2:
        return [draw.choice([1, 22, 2.5])] * draw.choice([20, 30, 150, 300, 333]) + [draw.choice(pool), 1][draw.randrange(2) :]
    items = [value(depth + 1) for _ in range(draw.choice([0, 1, 2, 2, 3, 3 if depth else 30]))]
    if kind == 9:
        return tuple(items)
    if kind == 10:
        return {key(): item for item in items}
    if kind == 11:
        return set(map(id, items[:2])) if draw.random() < 0.5 else {item for item in items if isinstance(item, Plain)}
    if kind == 12:
        return collections.deque(items) if draw.random() < 0.5 else collections.defaultdict(list, enumerate(items))
    return items


def give(made, name, item):
    object.__setattr__(made, name, item)


def twin(one):
    """A copy, equal in all but identity."""
    if type(one) not in CLASSES:
        return type(one)(one) if not isinstance(one, collections.defaultdict) else one.copy()
    made = object.__new__(type(one))
    getter(made).update(getter(one))
    for name in "abc":
        if isinstance(one, Slotted) and hasattr(one, name):
            give(made, name, getattr(one, name))
    return made


def reached(root):
    """All that can be changed from here on."""
    found, seen = [], set()
    left = [root]
    while left and len(found) < 200:
        item = left.pop(0)
        if id(item) in seen:
            continue
        seen.add(id(item))
        if type(item) in (list, set, tuple, collections.deque):
            left.extend(item)
            found.append(item)
        elif type(item) in (dict, collections.defaultdict):
            left.extend(dict.keys(item))
            left.extend(dict.values(item))
            found.append(item)
        elif type(item) in CLASSES:
            found.append(item)
            left.extend(dict.values(getter(item)))
            left.extend(slots(item))
    return [item for item in found if type(item) is not tuple]


def getter(made):
    own = names["own_dict"](type(made))
    return own(made) if own else {}


def slots(made):
    return [getattr(made, name) for name in "abc" if isinstance(made, Slotted) and hasattr(made, name)]


def change(root):
    """A change in place of something within a value, large or small, or of none at all."""
    there = reached(root)
    if not there or draw.random() < 0.4:
        return
    one = draw.choice(there[: draw.choice([1, 3, 200])])
    kind, way = type(one), draw.randrange(8)
    item = draw.choice([value(3), value(3), value(3), root, one, twin(one)])
    if kind is set and isinstance(item, (list, dict, set, collections.deque, tuple)):
        item = None
    if kind in (list, collections.deque):
        if one and way < 4:
            one[draw.choice([0, -1, draw.randrange(len(one))])] = item
        elif one and way < 6:
            one.pop()
        else:
            one.append(item)
    elif kind in (dict, collections.defaultdict):
        if one and way < 3:
            one[draw.choice(list(one))] = item
        elif one and way < 5:
            first = next(iter(one))
            one[first] = one.pop(first)  # to the end
        elif one and way < 7:
            del one[draw.choice(list(one))]
        else:
            one[key()] = item
    elif kind is set:
        one.discard(next(iter(one), None)) if way < 4 else one.add(item)
    elif way == 0 and kind in (Plain, Other):
        one.__class__ = Other if kind is Plain else Plain
    elif way == 1 and kind in (Plain, Other):
        one.__dict__ = draw.choice([dict, dict, dict, Names])(getter(one))
    elif way == 2 and kind in (Plain, Other) and getter(one):
        own = getter(one)
        first = next(iter(own))
        own[draw.choice(ATTRIBUTES)] = own.pop(first)  # the same value by another name, or to the end
    elif way == 3 and getter(one):
        getter(one).pop(next(iter(getter(one))))
    elif way == 3 and kind is Slotted and hasattr(one, "a"):
        one.b = one.a
        del one.a
    elif way == 4 and draw.random() < 0.05:
        if kind is Plain:
            Plain.__repr__ = Spoken.__repr__ if Plain.__repr__ is object.__repr__ else object.__repr__
    else:
        give(one, draw.choice("abcd" if kind is Both else "abc"), item)


PROGRAM = """
def inner(me, other):
    change(me)
    change(other)
    return me

def outer(seed):
    first, second = value(), [value() for _ in range(3)]
    third = second
    for _ in range(12):
        change(first)
        change(second)
        inner(first, second)
        inner(draw.choice(second) if second else first, first)
        pass
        if draw.random() < 0.2:
            first = draw.choice(pool)
        if draw.random() < 0.1:
            del pool[1:], second, third
            second, third = [value()], first
"""


class Nowhere:
    def __init__(self):
        self.used, self.page, self.fd, self.sent, self.most = 0, bytearray(1 << 16), -1, 0, 1 << 60

    def send(self, line):
        pass

    put = send

    def flush(self):
        self.used = 0

    def fail(self, kind, message):
        sys.settrace(None)
        print(message)
        sys.exit()


def observed(limit):
    request = {
        "files": [{"path": "program", "text": PROGRAM}], "edits": [], "value_chars": limit,
        "limits": {"seconds": 1e6, "events": 1 << 60},
    }  # fmt: skip
    recorder = names["Recorder"](Nowhere(), request)
    module = {"change": change, "value": value, "draw": draw, "pool": pool}
    exec(compile(PROGRAM, "program", "exec"), module)
    seen = [0]

    def call(frame, event, arg):
        inner = recorder.call(frame, event, arg)
        return inner and checked(inner, frame)

    def checked(inner, frame):
        known = inner.__self__

        def event(frame, event, arg):
            ran.clear()
            inner(frame, event, arg)
            if ran:
                sys.settrace(None)
                print("the recorder ran", ran)
                sys.exit()
            check(known, frame)
            return event_of

        event_of = event
        check(known, frame)
        return event

    def check(known, frame):
        fresh = names["Printer"](limit)
        for name, item in frame.f_locals.items():
            text = fresh.text(item)
            if known.shown.get(name) != text:
                sys.settrace(None)
                print("%s, %s of %d characters:\n%s\n%s" % (SEED, name, limit, known.shown.get(name), text))
                sys.exit()
            seen[0] += 1

    sys.settrace(call)
    try:
        module["outer"](0)
    finally:
        sys.settrace(None)
    return seen[0], len(recorder.learnt.known)


total = remembered = 0
for _ in range(ROUNDS):
    del pool[1:]
    seen, known = observed(draw.choice([1000, 1000, 200, 60]))
    total, remembered = total + seen, remembered + known
if "-v" in sys.argv:
    print(total, remembered)
assert remembered > ROUNDS, "too little was remembered to be a test"
