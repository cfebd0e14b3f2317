"""Records what CPython does with a program, one line of JSON per state.

Started by foretrace as `python -c <this file>`: a socket on descriptor 0 brings one request
and takes the answer; descriptors 1 and 2 are the program's own stdout and stderr. Only the
standard library; Python 3.8 to 3.14. The rules of what a state is are those of foretrace's
`trace` module; `sys.settrace` is the observer (a `sys.monitoring` one would feed the same
`Recorder`). Must not know: models, sessions, terminals.
"""

import io
import json
import os
import re
import signal
import sys
import time
import types
from _collections import OrderedDict, defaultdict, deque
from json.encoder import encode_basestring_ascii as quote
from math import log10
from opcode import opmap

PROTOCOL = 1
MARK = "\u2026"  # ends a value that was cut, outside its quotes

# ---------------------------------------------------------------- values as one line of text

ATOMS = frozenset((int, float, str, bytes, bool, type(None), complex))  # immutable: same object, same text
SCALARS = frozenset((int, float, bool, type(None)))
MAX_INT_BITS = 14_281  # more have over 4,300 digits, which CPython itself refuses to print
NESTING = 20
INSTANCE_DEPTH = 2
REPR_SECONDS = 0.1
HEAP_TYPE = 1 << 9
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=>)")
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, staticmethod, classmethod)
HIDDEN = FUNCTIONS + (type, types.ModuleType)
MEMBER = types.MemberDescriptorType


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
        self.open = []
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
        self.left, self.cut, self.open = self.limit, False, []
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
        if any(seen is other for other in self.open):
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
        kinds = set(map(type, values))
        if kinds <= SCALARS:
            return size * 3 <= self.left
        if kinds == {str}:
            return sum(map(len, values)) + size * 4 <= self.left
        return False

    def whole(self, value):
        """The built-in repr, if what came out fits."""
        text = repr(value)
        if len(text) > self.left:
            return None
        self.left -= len(text)
        return text

    def list(self, value, depth):
        if type(value) is list and self.plain(value, len(value)):
            text = self.whole(value)
            if text is not None:
                return text
        return self.items("[", list.__iter__(value), "]", depth, value, "[...]")

    def tuple(self, value, depth):
        if type(value) is tuple and self.plain(value, len(value)):
            text = self.whole(value)
            if text is not None:
                return text
        end = ",)" if tuple.__len__(value) == 1 else ")"
        return self.items("(", tuple.__iter__(value), end, depth, value, "(...)")

    def set(self, value, depth):
        base = frozenset if isinstance(value, frozenset) else set
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
        end = "])" if value.maxlen is None else "], maxlen=%d)" % value.maxlen
        return self.items(type(value).__name__ + "([", deque.__iter__(value), end, depth, value, "[...]")

    def defaultdict(self, value, depth):
        before = "%s(%s, {" % (type(value).__name__, self.one(value.default_factory, depth))
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
        if not kind.__flags__ & HEAP_TYPE:
            text = ADDRESS.sub(" at 0x", object.__repr__(value))
            self.left -= len(text)
            return text
        name = kind.__name__
        if depth >= INSTANCE_DEPTH or any(value is other for other in self.open):
            self.left -= len(name) + 5
            return name + "(...)"
        self.open.append(value)
        self.left -= len(name) + 2
        parts = []
        try:
            for key, item in attributes(value, kind):
                if self.left <= 0:
                    self.cut = True
                    break
                self.left -= len(key) + 3
                parts.append(key + "=" + self.one(item, depth + 1))
        finally:
            self.open.pop()
        return name + "(" + ", ".join(parts) + ")"

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
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)):
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


def attributes(value, kind):
    """Names and values of an instance, dunder names left out; no descriptor of the program runs."""
    for base in reversed(kind.__mro__):
        if base.__flags__ & HEAP_TYPE:
            for name, member in base.__dict__.items():
                if type(member) is MEMBER and not dunder(name):
                    try:
                        yield name, member.__get__(value, kind)
                    except AttributeError:
                        pass
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return
    if type(own) is dict:
        for name, item in list(own.items()):
            if not dunder(name):
                yield str(name), item


def dunder(name):
    return name.__class__ is str and name[:2] == "__" and name[-2:] == "__" and len(name) > 4


def visible(char):
    return char if char.isprintable() else char.encode("unicode_escape").decode()


# ---------------------------------------------------------------- what code shows

COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")
RETURNS = {opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opmap}
YIELD = opmap["YIELD_VALUE"]
YIELD_FROM = opmap.get("YIELD_FROM")  # up to 3.10: it suspends with f_lasti one before it
RESUME = opmap.get("RESUME")  # from 3.13: a yield leaves f_lasti at the RESUME behind it
CLEANUP_THROW = opmap.get("CLEANUP_THROW")  # from 3.12: has a line event of its own in 3.13
# Where an iterator's end is not an exception for the user but how a loop or an await goes on.
PROTOCOL_OPS = {
    opmap[name]
    for name in ("FOR_ITER", "SEND", "YIELD_FROM", "END_FOR", "END_SEND", "POP_ITER",
                 "CLEANUP_THROW", "END_ASYNC_FOR", "GET_ANEXT")
    if name in opmap
}  # fmt: skip
PARAMETERS = re.compile(r"<generic parameters of ")


def suspends(code, where, op):
    """Whether the instruction that a frame leaves by keeps it alive."""
    if op == YIELD:
        return True
    if op == RESUME:
        return where >= 2 and code[where - 2] == YIELD
    return YIELD_FROM is not None and op not in RETURNS and code[where + 2 : where + 3] == bytes((YIELD_FROM,))


class Code:
    """What the recorder needs to know of one code object of the program."""

    __slots__ = ("code", "file", "name", "bytes", "line", "scope", "module", "names", "parameters")

    def __init__(self, code, file, lines):
        self.code, self.file, self.name = code, file, code.co_name
        self.bytes = code.co_code
        self.module = code.co_name == "<module>"
        self.scope = not code.co_flags & 1  # not CO_OPTIMIZED: the body of a module or class
        self.line = 1 if self.module else definition(code, lines)
        self.names = {}
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & 4) + bool(code.co_flags & 8)
        self.parameters = code.co_varnames[:count]


def definition(code, lines):
    """The `def` or `class` line: `co_firstlineno` is the first decorator's."""
    first = code.co_firstlineno
    if first <= len(lines) and lines[first - 1].lstrip().startswith("@"):
        head = re.compile(r"\s*(async\s+def|def|class)\s+" + re.escape(code.co_name) + r"\b")
        for number in range(first, len(lines)):
            if head.match(lines[number]):
                return number + 1
    return max(first, 1)


class Activation:
    """One activation of a frame of the program; its `on` is the frame's trace function."""

    __slots__ = ("recorder", "code", "number", "depth", "shown", "kept", "last", "lasti", "error", "on")

    def __init__(self, recorder, code, number):
        self.recorder, self.code, self.number = recorder, code, number
        self.depth = 0
        self.shown = {}  # name -> text, as last sent
        self.kept = {}  # name -> the immutable object that text is of
        self.last = ""  # event of the last state
        self.lasti = -1  # where the last exception was raised
        self.error = None  # text of the last exception raised here
        self.on = self.event

    def event(self, frame, event, arg):
        return self.recorder.local(self, frame, event, arg)


# ---------------------------------------------------------------- recording


class Recorder:
    """Turns what `sys.settrace` reports into states under foretrace's rules."""

    def __init__(self, channel, request):
        limits = request["limits"]
        self.channel = channel
        self.print = Printer(request["value_chars"])
        self.files = {}
        for index, file in enumerate(request["files"]):
            self.files[file["path"]] = (index, file["text"].split("\n"))
        self.paths = {}
        self.codes = {}
        self.stack = []
        self.states = 0
        self.frames = 0
        self.deadline = time.monotonic() + limits["seconds"]
        self.seconds = limits["seconds"]
        self.most = limits["events"]
        self.waiting = None  # a record that the next event completes or drops
        self.edits = {edit["at"]: [] for edit in request["edits"]}
        for edit in request["edits"]:
            self.edits[edit["at"]].append(edit)
        self.notes = []
        self.start_at = None  # codes of the entry function, or None once recording
        self.single = False  # whether only the first frame and what it calls is recorded
        self.ended = None  # with `single`: how that frame ended
        self.over = False

    # -- which frames

    def classify(self, code):
        """The program's Code, or None for frames that are hidden."""
        found = self.codes.get(id(code))
        if found is not None:
            return found[1]
        shown = None
        name = code.co_name
        if name not in COMPREHENSIONS and name != "__annotate__" and not PARAMETERS.match(name):
            path = code.co_filename
            if path not in self.paths:
                self.paths[path] = self.files.get(path) or self.files.get(os.path.realpath(path))
            place = self.paths[path]
            if place is not None:
                shown = Code(code, place[0], place[1])
        self.codes[id(code)] = (code, shown)
        return shown

    # -- events

    def call(self, frame, event, arg):
        """The thread's trace function: sees the call of every frame."""
        if event != "call":
            return None
        code = self.classify(frame.f_code)
        if code is None:
            return None
        try:
            if self.start_at is not None:
                if code.code not in self.start_at:
                    return None
                self.start_at = None
            known = getattr(frame.f_trace, "__self__", None)
            resumed = type(known) is Activation
            if resumed:
                self.settle(None)
                known.depth = len(self.stack)
                self.stack.append(known)
                known.lasti = -1
                # Whether it is closed at once (GeneratorExit) is known only after the next event.
                self.waiting = ("resume", known, frame, frame.f_lineno)
                return known.on
            self.settle(None)
            known = Activation(self, code, self.frames)
            self.frames += 1
            known.depth = len(self.stack)
            self.stack.append(known)
            intro = ',"depth":%d,"file":%d,"name":%s' % (known.depth, code.file, quote(code.name))
            self.state(known, frame, "call", code.line, intro)
            return known.on
        except Exception as error:
            self.broken(error)

    def local(self, known, frame, event, arg):
        """A frame's trace function."""
        try:
            if event == "line":
                if known.code.bytes[frame.f_lasti] == CLEANUP_THROW:
                    return known.on
                self.settle(known)
                self.state(known, frame, "line", frame.f_lineno, "")
            elif event == "exception":
                self.exception(known, frame, arg)
            elif event == "return":
                self.leave(known, frame, arg)
        except Exception as error:
            self.broken(error)
        return known.on

    def exception(self, known, frame, arg):
        kind, value, trail = arg
        where = frame.f_lasti
        if isinstance(value, (StopIteration, StopAsyncIteration)) and known.code.bytes[where] in PROTOCOL_OPS:
            return
        if isinstance(value, GeneratorExit) and self.waiting and self.waiting[:2] == ("resume", known):
            known.lasti = where
            known.error = "GeneratorExit()"
            self.waiting = ("close",) + self.waiting[1:]
            return
        self.settle(known, value, trail)
        known.lasti = where
        known.error = self.print.text(value)
        self.state(known, frame, "exception", frame.f_lineno, ',"arg":' + quote(known.error))

    def leave(self, known, frame, value):
        """A frame returns, yields, or is unwound by an exception (never told by the value)."""
        where = frame.f_lasti
        code = known.code.bytes
        op = code[where] if where >= 0 else -1
        yields = suspends(code, where, op)
        real = (op in RETURNS or yields) and not (known.last == "exception" and where == known.lasti)
        while self.stack and self.stack.pop() is not known:
            pass
        waiting = self.waiting
        if waiting and waiting[0] == "close" and waiting[1] is known:
            self.waiting = None  # closed while suspended: nothing the user wrote has run
            return
        self.settle(known)
        if self.single and not self.stack and not (real and yields):
            self.ended = "normal" if real else "error"
            sys.settrace(None)
        if real:
            event = "yield" if yields else "return"
            self.state(known, frame, event, frame.f_lineno, ',"arg":' + quote(self.print.text(value)))
        elif known.last != "exception":
            # Re-raised without an event: which exception it is, the caller's event tells.
            record = self.record(known, frame, "exception", frame.f_lineno)
            self.waiting = ("unwind", known, frame, record)

    def settle(self, known, value=None, trail=None):
        """Sends the waiting record, now that the next event is here."""
        waiting, self.waiting = self.waiting, None
        if waiting is None:
            return
        what, whose, frame = waiting[:3]
        if what == "unwind":
            text = whose.error
            if value is not None and passed(trail, frame):
                text = self.print.text(value)
            self.send(waiting[3] + ',"arg":' + quote(text or "Exception()"))
            return
        intro = ',"depth":%d' % whose.depth
        self.state(whose, frame, "resume", waiting[3], intro)
        if what == "close":
            self.state(whose, frame, "exception", waiting[3], ',"arg":"GeneratorExit()"')

    # -- states

    def state(self, known, frame, event, line, more):
        self.send(self.record(known, frame, event, line) + more)

    def record(self, known, frame, event, line):
        known.last = event
        head = '{"state":{"event":"%s","frame":%d,"line":%d' % (event, known.number, line if line else 1)
        return head + self.changes(known, frame)

    def send(self, record):
        self.channel.send(record + "}}\n")
        self.states += 1
        if self.states >= self.most:
            self.cut("stopped after %d states" % self.states)
        if time.monotonic() > self.deadline:
            self.cut("stopped after %g seconds" % self.seconds)
        if self.channel.sent > self.channel.most:
            self.cut("stopped: the recording is larger than %d bytes" % self.channel.most)

    def changes(self, known, frame):
        """What changed in the frame's variables since its last state."""
        code = known.code
        values = frame.f_globals if code.module else frame.f_locals
        if code.scope and not code.module and "__module__" not in values:
            return ""  # inside an inlined comprehension 3.13 shows its variables only
        if self.edits and self.states in self.edits:
            self.edit(code, values)
        shown, kept, names = known.shown, known.kept, code.names
        found, added, new, gone = 0, 0, [], None
        for name, value in list(values.items()):
            listed = names.get(name)
            if listed is None:
                listed = names[name] = name.__class__ is str and name[:1] != "." and not dunder(name)
            if not listed:
                continue
            kind = type(value)
            if kind in ATOMS:
                if name in kept and kept[name] is value:
                    found += 1
                    continue
                kept[name] = value
            else:
                if code.scope and hidden(value):
                    continue
                kept.pop(name, None)
            found += 1
            text = self.print.text(value)
            before = shown.get(name)
            if before != text:
                added += before is None
                new.append((name, text))
        if found < len(shown) + added:
            present = {name for name, value in values.items() if not (code.scope and hidden(value))}
            gone = [name for name in shown if name not in present]
            for name in gone:
                del shown[name]
                kept.pop(name, None)
        if not new and not gone:
            return ""
        if not shown and len(new) > 1 and not code.scope:
            order = {name: index for index, name in enumerate(code.parameters)}
            new.sort(key=lambda item: order.get(item[0], len(order)))
        shown.update(new)
        text = ',"set":[' + ",".join(["[%s,%s]" % (quote(n), quote(t)) for n, t in new]) + "]" if new else ""
        if gone:
            text += ',"del":' + json.dumps(gone)
        return text

    def edit(self, code, values):
        """Applies the edits of this state. Inside a trace function CPython writes the changed
        `f_locals` back to the frame (up to 3.12 after the function, from 3.13 at once)."""
        import ast

        for edit in self.edits.pop(self.states):
            name = edit["name"]
            known = code.code.co_varnames + code.code.co_cellvars + code.code.co_freevars
            if not code.scope and name not in known:
                self.notes.append("%s could not be set: %s has no such variable" % (name, code.name))
                continue
            try:
                values[name] = ast.literal_eval(edit["value"])
            except Exception as error:
                self.notes.append("%s could not be set: %s" % (name, error))

    # -- ends

    def cut(self, note):
        self.finish("cut", note)
        self.channel.leave()

    def broken(self, error):
        """A fault of this file: tell it, rather than disturb the program."""
        trail = error.__traceback__
        while trail.tb_next:
            trail = trail.tb_next
        self.channel.fail("tracer", "tracer.py:%d: %s" % (trail.tb_lineno, ascii(error)))

    def finish(self, exit, note, error=None):
        if self.over:
            return
        self.over = True
        sys.settrace(None)
        if self.waiting:
            self.most = self.states + 10
            self.settle(None, error, error.__traceback__ if error else None)
        notes = self.notes + ([note] if note else [])
        self.channel.send(json.dumps({"end": {"exit": exit, "note": "; ".join(notes)}}) + "\n")
        self.channel.flush()


def hidden(value):
    """Whether a module's or class's variable is not shown: a module, function or class."""
    kind = type(value)
    return issubclass(kind, HIDDEN) or kind.__name__ == "_lru_cache_wrapper"


def passed(trail, frame):
    """Whether an exception's traceback goes through a frame."""
    while trail is not None:
        if trail.tb_frame is frame:
            return True
        trail = trail.tb_next
    return False


# ---------------------------------------------------------------- the wire


class Channel:
    """Lines of JSON to foretrace, counted. `eager` sends each at once, so that nothing is lost
    however the program dies."""

    def __init__(self, fd):
        self.fd = fd
        self.eager = True
        self.most = 1 << 60
        self.sent = 0
        self.held = []
        self.size = 0

    def send(self, line):
        self.sent += len(line)
        if self.eager:
            self.write(line.encode("ascii"))
            return
        self.held.append(line)
        self.size += len(line)
        if self.size > 32768:
            self.flush()

    def flush(self):
        data, self.held, self.size = "".join(self.held), [], 0
        self.write(data.encode("ascii"))

    def write(self, data):
        try:
            while data and self.fd >= 0:
                data = data[os.write(self.fd, data) :]
        except OSError:  # foretrace is gone
            os._exit(1)

    def fail(self, kind, message):
        self.send(json.dumps({"fail": {"kind": kind, "message": message}}) + "\n")
        self.leave()

    def leave(self):
        self.flush()
        os._exit(0)

    def lines(self):
        rest = b""
        while True:
            data = os.read(self.fd, 1 << 16)
            if not data:
                return
            rest += data
            while b"\n" in rest:
                line, _, rest = rest.partition(b"\n")
                yield json.loads(line)


class Output(io.RawIOBase):
    """What Python code writes to stdout or stderr goes into the recording, in order with the
    states; what bypasses `sys.stdout` comes through the real descriptor."""

    def __init__(self, recorder, number, most):
        self.recorder, self.number, self.most = recorder, number, most
        self.name = "<stdout>" if number == 1 else "<stderr>"
        self.mode = "wb"

    def writable(self):
        return True

    def fileno(self):
        return self.number

    def write(self, data):
        recorder = self.recorder
        size = memoryview(data).nbytes
        if not size:
            return 0
        if recorder.print.busy:  # a __repr__ that prints: that it runs is our doing
            return size
        if recorder.channel.fd < 0:
            return os.write(self.number, data)
        self.most[0] -= size
        if self.most[0] < 0:
            recorder.cut("stopped: the program printed too much")
        text = bytes(data).decode("utf-8", "backslashreplace")
        stream = "stdout" if self.number == 1 else "stderr"
        recorder.channel.send('{"output":{"stream":"%s","text":%s}}\n' % (stream, quote(text)))
        return size


def text_of(raw):
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", "\n", write_through=True)


# ---------------------------------------------------------------- running a program


def limit(limits):
    """Bounds of this process, where the system has them."""
    try:
        import resource
    except ImportError:
        return
    seconds = int(limits["seconds"]) + 2
    wanted = {"RLIMIT_CORE": 0, "RLIMIT_CPU": seconds}
    if limits["memory"]:
        wanted["RLIMIT_AS"] = limits["memory"]
    if limits["strict"]:
        wanted.update({"RLIMIT_FSIZE": 64 << 20, "RLIMIT_NOFILE": 256})
        try:
            with open("/proc/loadavg") as load:
                wanted["RLIMIT_NPROC"] = int(load.read().split()[3].split("/")[1]) + 64
        except (OSError, ValueError, IndexError):
            pass
    for name, most in wanted.items():
        try:
            kind = getattr(resource, name)
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))
        except (AttributeError, ValueError, OSError):
            pass


def forked(recorder):
    """In a child that the program forks: it goes on unrecorded."""
    sys.settrace(None)
    os.close(recorder.channel.fd)
    recorder.channel.fd = -1


def run(request, channel):
    """Records one program, in a process of its own, and ends that process."""
    limits = request["limits"]
    channel.eager = request["eager"]
    channel.most = limits["bytes"]
    channel.sent = 0
    recorder = Recorder(channel, request)
    file = request["files"][0]
    try:
        code = compile(file["text"], file["path"], "exec", dont_inherit=True)
    except SyntaxError as error:
        channel.fail("syntax", "%s:%s: %s" % (file["name"], error.lineno, error.msg))
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        channel.fail("syntax", "%s: %s" % (file["name"], error or type(error).__name__))
    room = [limits["output"]]
    sys.stdout = sys.__stdout__ = text_of(Output(recorder, 1, room))
    sys.stderr = sys.__stderr__ = text_of(Output(recorder, 2, room))
    sys.argv = [file["name"]] + request["argv"]
    sys.path[0] = request["path"]
    os.chdir(request["cwd"])
    os.register_at_fork(after_in_child=lambda: forked(recorder))
    sys.settrace, sys.setprofile = ignored(recorder, sys.settrace), ignored(recorder, sys.setprofile)
    if any("random" in file["text"] for file in request["files"]):
        import random

        random.seed(request["seed"])
    limit(limits)
    entry = request["entry"]
    name = "__main__"
    if entry["kind"] != "module":
        name = os.path.splitext(os.path.basename(file["path"]))[0]
        if not name.isidentifier() or name in sys.modules:
            name = "program"
    module = types.ModuleType(name)
    module.__file__ = file["path"]
    module.__builtins__ = __builtins__
    sys.modules[name] = module
    if name != "__main__":
        sys.modules["__main__"] = types.ModuleType("__main__")
    names = module.__dict__
    if entry["kind"] == "module":
        error = guarded(recorder, lambda: exec(code, names))
    else:
        error = call(recorder, entry, code, names)
    ending(recorder, error)


def ignored(recorder, real):
    """The program's own `sys.settrace` would end the recording: it is told and ignored."""

    def replaced(function):
        if function is not None:
            recorder.notes.append("the program's own sys.%s was ignored" % real.__name__)

    replaced.real = real
    return replaced


def guarded(recorder, body):
    """Runs with recording on; the exception that left it, if any."""
    try:
        sys.settrace.real(recorder.call)
        body()
    except BaseException as error:
        return error
    finally:
        lost = sys.gettrace() is None and recorder.ended is None
        sys.settrace.real(None)
        if lost:
            recorder.cut("stopped: CPython ended the observation (recursion too deep to observe)")
    return None


def call(recorder, entry, code, names):
    """The module body unrecorded, then a call recorded from the called function's frame on."""
    fail = recorder.channel.fail
    expression = entry["expression"]
    try:
        exec(code, names)
    except BaseException as error:
        line = where(error, code.co_filename)
        fail("entry", "the module raised %s%s before %s could be called" % (told(error), line, expression))
    try:
        body = compile(expression.strip(), "<entry>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        fail("entry", "%s is not a Python expression: %s" % (expression, error))
    try:
        recorder.start_at = codes_of(entry["function"], names)
    except BaseException as error:
        fail("entry", "%s: %s" % (entry["function"], told(error)))
    recorder.single = True

    def evaluate():
        result = eval(body, names)
        if recorder.start_at is not None and isinstance(result, types.GeneratorType):
            for _ in result:
                pass
        elif recorder.start_at is not None and isinstance(result, types.CoroutineType):
            import asyncio

            asyncio.run(result)

    error = guarded(recorder, evaluate)
    if recorder.start_at is not None:
        why = told(error) if error is not None else "no function of the program was entered"
        fail("entry", "%s: %s" % (expression, why))
    return error


def codes_of(function, names):
    """The code objects that calling `function` may enter, through wrappers and classes."""
    value = eval(compile(function.strip(), "<entry>", "eval"), names)
    found = set()
    for _ in range(20):
        if isinstance(value, type):
            maker = value.__dict__.get("__init__") or value.__init__
            value = maker if hasattr(maker, "__code__") else value.__new__
        value = getattr(value, "__func__", value)
        code = getattr(value, "__code__", None)
        if isinstance(code, types.CodeType):
            last = function.strip().rpartition(".")[2]
            found = {code} if code.co_name == last else found | {code}
        if not hasattr(value, "__wrapped__"):
            break
        value = value.__wrapped__
    return found


def told(error):
    return "%s: %s" % (type(error).__name__, error) if str(error) else type(error).__name__


def where(error, path):
    line, trail = None, error.__traceback__
    while trail is not None:
        if trail.tb_frame.f_code.co_filename == path:
            line = trail.tb_lineno
        trail = trail.tb_next
    return " at line %d" % line if line else ""


def ending(recorder, error):
    """Tells how the program ended, then what CPython does at its end."""
    exit, note = recorder.ended or "normal", ""
    if isinstance(error, SystemExit):
        quiet = error.code is None or error.code == 0
        exit = recorder.ended and exit if quiet and recorder.ended == "normal" else ("normal" if quiet else "error")
        note = "" if quiet else "exit code %s" % recorder.print.text(error.code)
    elif error is not None and recorder.ended != "normal":
        exit = "error"
    if error is not None and exit == "error" and not isinstance(error, SystemExit):
        trail = error.__traceback__
        while trail is not None and trail.tb_frame.f_code.co_filename in ("<string>", "<entry>"):
            trail = trail.tb_next
        try:
            sys.excepthook(type(error), error.with_traceback(trail), trail)
        except BaseException:
            pass
    elif isinstance(error, SystemExit) and error.code is not None and not isinstance(error.code, int):
        print(error.code, file=sys.stderr)
    threads = sys.modules.get("threading")
    if threads is not None and threads.active_count() > 1:
        recorder.notes.append("threads are not recorded")
    recorder.finish(exit, note, error)
    try:
        import atexit

        atexit._run_exitfuncs()
        sys.stdout.flush()
    finally:
        recorder.channel.leave()


# ---------------------------------------------------------------- the server


def evaluate(request, channel):
    """An expression over literals: no code of the program."""
    import ast

    limit(request["limits"])
    names = {}
    try:
        for name, text in request["locals"]:
            try:
                names[name] = ast.literal_eval(text)
            except Exception:
                pass  # not a literal: using it is a NameError, which says so
        value = eval(compile(request["expression"].strip(), "<expression>", "eval"), names)
        text, error = Printer(request["value_chars"]).text(value), None
    except BaseException as caught:
        text, error = None, told(caught)
    channel.send(json.dumps({"value": {"text": text, "error": error}}) + "\n")
    channel.leave()


def adopt(channel):
    """On Linux: orphans of a program become ours, and a program dies with us."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
        return ctypes.CDLL(None).prctl
    except Exception:
        return None


def sweep():
    """Ends whatever a program has left running."""
    while True:
        try:
            with open("/proc/self/task/%d/children" % os.getpid()) as children:
                for pid in children.read().split():
                    os.kill(int(pid), signal.SIGKILL)
        except (OSError, ValueError):
            pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


# What short programs import, loaded once for a whole batch.
WARM = ("collections", "contextlib", "copy", "dataclasses", "enum", "functools", "heapq", "itertools",
        "math", "operator", "random", "re", "string", "typing")  # fmt: skip


def serve():
    fd = os.dup(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    channel = Channel(fd)
    channel.send(json.dumps({"hello": {"protocol": PROTOCOL, "python": sys.version.split()[0].rstrip("+")}}) + "\n")
    prctl = adopt(channel) if sys.platform == "linux" else None
    warm = False
    for request in channel.lines():
        if not warm and not request.get("eager", True):
            warm = True
            for name in WARM:
                __import__(name)
        pid = os.fork()
        if pid == 0:
            if prctl:
                prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
            (evaluate if "expression" in request else run)(request, channel)
            os._exit(0)
        signal.alarm(int(request["limits"]["seconds"]) + 10)
        status = os.waitpid(pid, 0)[1]
        signal.alarm(0)
        if prctl:
            sweep()
        death = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        channel.send("\n" + json.dumps({"done": {"signal": death, "code": code}}) + "\n")


if __name__ == "__main__":
    serve()
