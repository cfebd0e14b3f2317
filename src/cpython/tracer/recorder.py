# Which frames are the program's, and what `sys.settrace` says about them as states under the
# rules of foretrace's `trace` module. (A `sys.monitoring` observer would feed the same Recorder.)

import json
import os
import re
import sys
from _thread import get_ident
from gc import get_referents
from marshal import dumps as dump
from json.encoder import encode_basestring_ascii as quote
from opcode import opmap
from time import monotonic
from weakref import ref

settrace = sys.settrace  # the program's own is replaced

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

    __slots__ = ("code", "file", "name", "bytes", "line", "scope", "module", "names", "order", "throws", "intro")

    def __init__(self, code, file, lines):
        self.code, self.file, self.name = code, file, code.co_name
        self.bytes = code.co_code
        self.throws = CLEANUP_THROW is not None and CLEANUP_THROW in self.bytes
        self.module = code.co_name == "<module>"
        self.scope = not code.co_flags & 1  # not CO_OPTIMIZED: the body of a module or class
        self.line = 1 if self.module else definition(code, lines)
        self.names = {}  # name -> its JSON, or "" if it is never shown
        self.intro = ',"file":%d,"name":%s' % (file, quote(code.co_name))
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & 4) + bool(code.co_flags & 8)
        parameters = code.co_varnames[:count]
        moved = set(parameters) & set(code.co_cellvars)  # CPython lists them last
        self.order = order_of(parameters) if moved else None


def order_of(names):
    """Their places: the order in which an activation's first state has them."""
    return {name: index for index, name in enumerate(names)}


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

    __slots__ = (
        "recorder", "code", "number", "depth", "names", "present", "shown", "kept", "dumps", "gone", "last", "line",
        "lasti", "error", "on", "lines",
    )  # fmt: skip

    def __init__(self, recorder, code, number):
        self.recorder, self.code, self.number = recorder, code, number
        self.depth = 0
        self.names = code.names
        self.present = set()  # names at the last state, hidden ones too
        self.shown = {}  # name -> text, as last sent
        self.kept = {}  # name -> the immutable object that text is of, or a copy of the list
        self.dumps = {}  # name -> bytes of the small container that text is of
        self.gone = None  # names that were shown and now are hidden
        self.last = ""  # event of the last state
        self.line = code.line  # of the last state: code without a line of its own is there
        self.lasti = -1  # where the last exception was raised
        self.error = None  # text of the last exception raised here
        self.lines = f'{{"state":{{"event":"line","frame":{number},"line":'
        self.on = self.event  # a cycle: broken when the frame ends

    def event(self, frame, event, arg):
        """What `Recorder.local` does; here, without its calls, for nine in ten events."""
        recorder = self.recorder
        if event != "line" or recorder.waiting is not None or recorder.unusual or self.code.throws:
            return recorder.local(self, frame, event, arg)
        try:
            if self.code.scope:
                changes = recorder.changes(self, frame)
            else:
                kept, changes = self.kept.get, ""
                items = frame.f_locals.items()
                for name, value in items:
                    last = kept(name, NOTHING)
                    if last is value or type(last) in LOOKED_AT and last.still(value):
                        continue
                    changes += self.change(name, value, last)
                if len(items) != len(self.present):
                    changes = self.told(items, changes)
                elif changes:
                    changes = f',"set":[{changes[1:]}]'
            self.last = "line"
            self.line = line = frame.f_lineno or self.line
            data = f"{self.lines}{line}{changes}}}}}\n".encode()
            channel = recorder.channel
            end = channel.used + len(data)
            if end < PAGE:
                channel.page[channel.used : end] = data
                channel.used = end
            else:
                channel.put(data)
            recorder.states += 1
            if monotonic() > recorder.look_at or recorder.states >= recorder.most:
                recorder.look()
        except Exception as error:
            recorder.broken(error)
        return self.on

    def change(self, name, value, last):
        """A variable that is not known to be as it was: `,["name","text"]` if it is new.

        `last` is the object, or the copy of a list, that was kept of it."""
        kind = type(value)
        listed = self.names.get(name)
        if listed is None:
            ours = name.__class__ is str and name[:1] != "." and not dunder(name)
            listed = self.names[name] = quote(name) if ours else ""
        if last is NOTHING:
            self.present.add(name)
        if not listed:
            if self.code.module or kind in ATOMS:
                self.kept[name] = value
            return ""
        if kind in ATOMS:
            self.kept[name] = value
            if self.dumps:
                self.dumps.pop(name, None)
            if kind is int and -LARGE < value < LARGE:  # the most frequent: saves calls
                text = repr(value)
                if self.shown.get(name) == text:
                    return ""
                self.shown[name] = text
                return f',[{listed},"{text}"]'
            text = self.recorder.print.text(value)
        elif kind in CONTAINERS:
            if last is not NOTHING:
                self.kept.pop(name, None)
            text = self.contained(name, value, kind)
            if text is None:
                return ""
        else:
            self.kept.pop(name, None)
            self.dumps.pop(name, None)
            if self.code.scope and (kind in PLAIN_HIDDEN or hidden(value)):
                if self.shown.pop(name, None) is not None:
                    self.gone = (self.gone or []) + [name]
                return ""
            text = self.remembered(name, value)
        if self.shown.get(name) == text:
            return ""
        self.shown[name] = text
        return f",[{listed},{quote(text)}]"

    def short(self, value, data):
        """The own repr of a container of built-in values, whose bytes these are, if it is short."""
        limit = self.recorder.print.limit
        if len(data) > 4 * limit:
            return None
        try:
            text = repr(value)
        except ValueError:  # an int of more digits than CPython prints
            return None
        return text if len(text) <= limit else None

    def remembered(self, name, value):
        """Its text; where that can be told without printing it, `kept` will tell whether it changed."""
        recorder = self.recorder
        known = recorder.learnt.recall(value)
        if known is not None:
            self.kept[name] = known
            return known.text
        text = recorder.print.text(value)
        known = recorder.learnt.learn(value, text, not recorder.threads)
        if known is not None:
            self.kept[name] = known
        return text

    def told(self, items, changes):
        """All changes as a part of the record; `changes` are of the variables that are there."""
        text = f',"set":[{changes[1:]}]' if changes else ""
        if len(items) != len(self.present):
            now = {name for name, value in items}
            for name in [name for name in self.shown if name not in now]:
                del self.shown[name]
                self.gone = (self.gone or []) + [name]
            for name in self.present - now:
                self.kept.pop(name, None)
                self.dumps.pop(name, None)
            self.present = now
        if self.gone:
            text += ',"del":' + json.dumps(self.gone)
            self.gone = None
        return text

    def contained(self, name, value, kind):
        """Text of a built-in container; None if it is as last shown.

        That of a container that was small is found fast: its bytes under `marshal`, which takes
        built-in values only, tell whether it changed, and then its own repr is safe. Where it
        did not, and holds nothing that can change, `kept` will tell the next time: by the tuple
        itself, or by the very items of a list or dict, from the first time on if they are few.
        Equal items would not do: 1 == True, and the program's own `__eq__` would run."""
        recorder = self.recorder
        last = self.dumps.get(name)
        size, mixed = len(value), False
        if size <= SMALL and (last is not None or id(value) in recorder.small):
            if size <= FEW and (kind is list or kind is dict) and flat(value, kind):
                text = self.short(value, dump(value, 2))
                if text is not None:
                    self.kept[name] = Copy(value, False) if kind is list else CopyOfDict(value)
                    self.dumps.pop(name, None)
                    return text
            data = dumped(value)
            if data is None:  # something else is in it
                mixed = True
            elif last == data:
                if kind is tuple:
                    if immutable(value):
                        self.kept[name] = value
                elif kind is list and len(data) > LONG * size and immutable(value):
                    self.kept[name] = Copy(value, False)
                return None
            else:
                text = self.short(value, data)
                if text is not None:
                    self.dumps[name] = data
                    return text
            recorder.small.discard(id(value))
        self.dumps.pop(name, None)
        if mixed or recorder.learnt.has(value):
            return self.remembered(name, value)
        text = recorder.print.text(value)
        if not recorder.print.cut and size <= SMALL:
            self.dumps[name] = b""
            if len(recorder.small) > 1000:
                recorder.small.clear()
            recorder.small.add(id(value))
        elif kind is list and recorder.print.headed:
            self.kept[name] = Copy(value[: recorder.print.headed], True)
        else:
            recorder.learnt.learn(value, text, not recorder.threads)
        return text


FEW = 12  # items of a list or dict, up to which looking at each is faster than `marshal`
LONG = 12  # bytes of a list's item under `marshal`, above which looking at each item is faster
NOTHING = object()
LOOKED_AT = frozenset((Known, Copy, CopyOfDict))  # what tells by itself whether a value is as it was
FLUSH_SECONDS = 0.02
HEADROOM = 500  # frames that the observer may need on top of the program's
C_CALLS = 3 if sys.version_info < (3, 12) else 1  # what a level may count for: C calls count too


class RecursionTooDeep(RecursionError):
    """Becomes the error that CPython raises, when CPython makes an instance of it."""

    def __new__(cls, *_):
        return RecursionError("maximum recursion depth exceeded")


class Token:
    """Something a weak reference can point to."""

    __slots__ = ("__weakref__",)


class TokenRef(ref):
    """A weak reference that is an argument of a C function: its callback gets it as one."""

    _as_parameter_ = 0


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
        self.small = set()  # ids of containers that were small when last seen
        self.learnt = Memory(self.print)
        self.stack = []
        self.states = 0
        self.frames = 0
        self.deadline = monotonic() + limits["seconds"]
        self.seconds = limits["seconds"]
        self.look_at = 0.0
        self.most = limits["events"]
        self.waiting = None  # a record that the next event completes or drops
        self.edits = {edit["at"]: [] for edit in request["edits"]}
        for edit in request["edits"]:
            self.edits[edit["at"]].append(edit)
        self.notes = []
        self.strict = limits.get("strict", False)
        self.memory = limits.get("memory", 0)
        self.main = get_ident()
        self.threads = self.forks = 0  # that were started, unobserved
        self.unusual = bool(self.edits)  # whether an event may be more than a state
        self.base = 0  # frames below the program's first
        self.deepest = sys.getrecursionlimit()
        self.near = False
        self.hidden = 0
        self.start_at = None  # codes of the entry function, or None once recording
        self.jump = None  # (line, values) at which the entry frame begins
        self.single = False  # whether only the first frame and what it calls is recorded
        self.ended = None  # with `single`: how that frame ended
        self.over = False

    # -- which frames

    def classify(self, code):
        """The program's Code, or None for frames that are hidden."""
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
        found = self.codes.get(id(frame.f_code))
        code = found[1] if found is not None else self.classify(frame.f_code)
        if code is None:
            self.hidden += 1
            if not self.hidden & 15 and self.too_deep(frame):
                raising = self.raise_later()  # noqa: F841
            return None
        try:
            level = len(self.stack)
            if level > 40 and (self.near or not level & 7) and self.too_deep(frame):
                raising = self.raise_later()  # noqa: F841
                return None
            if self.start_at is not None:
                if code.code not in self.start_at:
                    return None
                self.start_at = None
            known = frame.f_trace
            if known is not None and type(getattr(known, "__self__", None)) is Activation:  # resumed
                known = known.__self__
                self.settle(None)
                known.depth = len(self.stack)
                self.stack.append(known)
                known.lasti = -1
                # Whether it is closed at once (GeneratorExit) is known only after the next event.
                line = frame.f_lineno
                self.waiting = ("resume", known, frame, line, self.record(known, frame, "resume", line))
                return known.on
            if self.waiting is not None:
                self.settle(None)
            known = Activation(self, code, self.frames)
            self.frames += 1
            known.depth = level
            self.stack.append(known)
            if self.jump is None:
                changes = self.changes(known, frame)
                known.last = "call"
                self.send(f'{{"state":{{"event":"call","frame":{known.number},"line":{code.line}{changes},"depth":{level}{code.intro}')
            return known.on
        except Exception as error:
            self.broken(error)

    def local(self, known, frame, event, arg):
        """A frame's trace function."""
        try:
            if event == "line":
                if self.jump is not None:
                    self.unusual = bool(self.edits)
                    self.leap(known, frame)
                    self.state(known, frame, "line", frame.f_lineno, self.intro(known))
                    return known.on
                if known.code.throws and known.code.bytes[frame.f_lasti] == CLEANUP_THROW:
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

    def intro(self, known):
        return ',"depth":%d%s' % (known.depth, known.code.intro)

    def leap(self, known, frame):
        """Puts the entry frame at its line, with its values, as pdb's `jump` would."""
        line, values = self.jump
        self.jump = None
        known.code.order = order_of(values)
        names = frame.f_globals if known.code.module else frame.f_locals
        names.update(values)
        if sys.version_info < (3, 13):  # later f_locals writes through
            import ctypes

            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        import warnings

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                frame.f_lineno = line
        except ValueError as error:
            self.channel.fail("entry", "CPython cannot start at line %d: %s" % (line, error))
        if not known.code.scope:  # from 3.12 on all others are bound to None then: not shown
            unset = {name for name, value in frame.f_locals.items() if value is None and name not in values}
            known.kept.update(dict.fromkeys(unset))
            known.shown.update(dict.fromkeys(unset))

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
        if isinstance(value, (OSError, MemoryError)):
            self.refused(value)
        self.settle(known, value, trail)
        known.lasti = where
        known.error = self.print.text(value)
        self.state(known, frame, "exception", frame.f_lineno, ',"arg":' + quote(known.error))

    def leave(self, known, frame, value):
        """A frame returns, yields, or is unwound by an exception (never told by the value)."""
        where = frame.f_lasti
        code = known.code.bytes
        op = code[where] if where >= 0 else -1
        returns = op in RETURNS
        yields = not returns and suspends(code, where, op)
        real = (returns or yields) and not (where == known.lasti and known.last == "exception")
        while self.stack and self.stack.pop() is not known:
            pass
        waiting = self.waiting
        if waiting and waiting[0] == "close" and waiting[1] is known:
            self.waiting = None  # closed while suspended: nothing the user wrote has run
            return
        if waiting:
            self.settle(known)
        if self.single and not self.stack and not (real and yields):
            self.ended = "normal" if real else "error"
            settrace(None)
        if real:
            if yields and type(value).__name__ == "async_generator_wrapped_value":
                value = get_referents(value)[0]
            text = self.print.text(value)
            changes = self.changes(known, frame)
            known.last = event = "yield" if yields else "return"
            known.line = line = frame.f_lineno or known.line
            self.send(f'{{"state":{{"event":"{event}","frame":{known.number},"line":{line}{changes},"arg":{quote(text)}')
        elif known.last != "exception":
            # Re-raised without an event: which exception it is, the caller's event tells.
            record = self.record(known, frame, "exception", frame.f_lineno)
            self.waiting = ("unwind", known, frame, record)
        if not (real and yields):
            known.on = None

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
        self.send(waiting[4] + ',"depth":%d' % whose.depth)
        if what == "close":
            self.state(whose, frame, "exception", waiting[3], ',"arg":"GeneratorExit()"')

    def too_deep(self, frame):
        """Whether a call is one too many for the program's recursion limit.

        The real limit is higher: at the limit itself CPython could not call this observer,
        and would drop it."""
        depth = -self.base
        while frame is not None:
            depth += 1
            frame = frame.f_back
        self.near = depth > self.deepest - 100
        return depth > self.deepest

    def raise_later(self):
        """A token: when the caller's frame drops it, RecursionError is raised in the program.

        Raised here it would end the observation, and asked for by Python code it would be
        raised in that code: so a weak reference's callback, C all through, asks for it."""
        import ctypes
        from functools import partial

        ask = partial(ctypes.pythonapi.PyThreadState_SetAsyncExc, ctypes.c_ulong(get_ident()), ctypes.py_object(RecursionTooDeep))
        token = Token()
        self.token = TokenRef(token, ask)
        return token

    # -- states

    def state(self, known, frame, event, line, more):
        self.send(self.record(known, frame, event, line) + more)

    def record(self, known, frame, event, line):
        changes = self.changes(known, frame)
        known.last, known.line = event, line or known.line
        return '{"state":{"event":"%s","frame":%d,"line":%d%s' % (event, known.number, known.line, changes)

    def send(self, record):
        self.channel.send(record + "}}\n")
        self.states += 1
        if monotonic() > self.look_at or self.states >= self.most:
            self.look()

    def look(self):
        """Sends what is held, and ends at a bound."""
        now = monotonic()
        self.channel.flush()
        self.look_at = min(now + FLUSH_SECONDS, self.deadline)
        if self.states >= self.most:
            self.cut("stopped after %d states" % self.states)
        if now > self.deadline:
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
        items = list(values.items())  # a `__repr__` may change them meanwhile
        if code.order and not known.last:
            items.sort(key=lambda item: code.order.get(item[0], len(code.order)))
        kept, changes = known.kept.get, ""
        for name, value in items:
            last = kept(name, NOTHING)
            if last is value or type(last) in LOOKED_AT and last.still(value):
                continue
            changes += known.change(name, value, last)
        if len(items) != len(known.present) or changes or known.gone:
            return known.told(items, changes)
        return ""

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

    def refused(self, error):
        """Notes an error that a limit or the sandbox may have caused, once."""
        note = None
        if isinstance(error, MemoryError) and self.memory:
            note = "out of memory: it may have %d MB" % (self.memory >> 20)
        elif self.strict and isinstance(error, OSError):
            if error.errno in (1, 13):  # EPERM, EACCES
                what = self.print.text(error.filename) if error.filename is not None else "a system call"
                note = "refused, by the sandbox or the system: %s (--trust lifts the sandbox)" % what
            elif error.errno == 11 and error.filename is None:  # EAGAIN
                note = "refused: it may have %d processes and threads" % PROCESSES
            elif error.errno == 24:
                note = "refused: it may have %d files open" % FILES
            elif error.errno == 27:
                note = "refused: a file may have %d MB" % (FILE_SIZE >> 20)
        if note and note not in self.notes and len(self.notes) < 3:
            self.notes.append(note)

    def forked(self):
        self.forks += 1

    def others(self):
        """What ran beside what was observed."""
        for count, one, more in (
            (self.threads, "thread", "threads"),
            (self.forks, "forked process", "forked processes"),
        ):
            if count:
                what = "1 %s is" % one if count == 1 else "%d %s are" % (count, more)
                self.notes.append("%s not recorded" % what)

    def cut(self, note):
        self.finish("cut", note)
        self.channel.leave()

    def broken(self, error):
        """A fault of this file: tell it, rather than disturb the program."""
        if isinstance(error, RecursionError):  # C code recurses: CPython drops the observer
            raise error
        if isinstance(error, MemoryError):
            self.cut("stopped: out of memory")
        trail = error.__traceback__
        while trail.tb_next:
            trail = trail.tb_next
        self.channel.fail("tracer", "tracer.py:%d: %s" % (trail.tb_lineno, ascii(error)))

    def finish(self, exit, note, error=None):
        if self.over:
            return
        self.over = True
        settrace(None)
        if self.waiting:
            self.most = self.states + 10
            self.settle(None, error, error.__traceback__ if error else None)
        self.others()
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
