"""Runs a package's tests and writes down the calls of its functions; stdlib only, run alone.

    python hook.py CALLS.jsonl ROOTS.json (pytest|unittest) ARGUMENTS...

ROOTS.json: {"roots": [[folder or file, prefix of module names], ...]}. One line a call:
{"module", "file", "function", "kind", "owner", "arguments", "outcome"}. An argument or a
field is [keyword or null, text, literal]: `text` is Python that makes the value, `literal`
tells whether `ast.literal_eval` reads it. `owner` is how the method's object was made.

The hook is a trace function that asks for no lines: it is told of Python calls only (a profile
function is told of every call of a builtin too, which is most of a test run's time) and of
exceptions with their types. It is on while a test runs, not while tests are collected.
"""

import builtins
import dataclasses
import json
import math
import os
import sys

CALLS_PER_FUNCTION = 300  # different ones kept
LOOKED_AT = 20_000  # calls of one function, after which it is let go
TEXT = 160  # characters of all arguments
NODES = 40  # values inside one argument
LARGEST = 10**12
EXAMPLES = 15  # of a property that hypothesis tests

BUILTINS = {id(value): name for name, value in vars(builtins).items() if callable(value) and not name.startswith("_")}


class TooMuch(Exception):
    """A value that is not written down."""


class Writer:
    """Values as Python text, exact types only: a subclass may do anything."""

    def __init__(self):
        self.left = NODES
        self.literal = True

    def text(self, value):
        self.left -= 1
        if self.left < 0:
            raise TooMuch
        kind = type(value)
        if value is None or value is True or value is False or value is Ellipsis:
            return repr(value)
        if kind is int:
            if abs(value) > LARGEST:
                raise TooMuch
            return repr(value)
        if kind is float:
            if not math.isfinite(value):
                raise TooMuch
            return repr(value)
        if kind is str or kind is bytes:
            if len(value) > TEXT:
                raise TooMuch
            text = repr(value)
            if kind is str and not text.isprintable():
                raise TooMuch
            return text
        if kind in (list, tuple, set, frozenset, dict) and len(value) > NODES:
            raise TooMuch
        if kind is list:
            return "[" + ", ".join(map(self.text, value)) + "]"
        if kind is tuple:
            return "(" + ", ".join(map(self.text, value)) + ("," if len(value) == 1 else "") + ")"
        if kind is dict:
            return "{" + ", ".join(f"{self.text(k)}: {self.text(v)}" for k, v in value.items()) + "}"
        if kind is set and value:
            return "{" + ", ".join(sorted(map(self.text, value))) + "}"
        self.literal = False
        if kind is set:
            return "set()"
        if kind is frozenset:
            return "frozenset({" + ", ".join(sorted(map(self.text, value))) + "})" if value else "frozenset()"
        if kind is range:
            return repr(value)
        if kind.__name__ in ("list_iterator", "tuple_iterator", "str_iterator", "str_ascii_iterator", "range_iterator"):
            made = value.__reduce__()  # does not consume it
            if len(made) == 3 and made[2]:
                raise TooMuch  # already on its way
            return f"iter({self.text(made[1][0])})"
        if id(value) in BUILTINS and callable(value):
            return BUILTINS[id(value)]
        raise TooMuch


def written(value):
    """(text, literal), or None for a value that is too large or of another kind."""
    writer = Writer()
    try:
        text = writer.text(value)
    except (TooMuch, RecursionError):
        return None
    return text, writer.literal


class Function:
    """What is known of one code object, found at its first call."""

    def __init__(self, module, path, code):
        self.module, self.path, self.code = module, path, code
        self.seen, self.looked_at = set(), 0
        self.kind = self.find()

    def find(self):
        """function, method, class, static, property, init; None for what cannot be called by name."""
        parts = self.code.co_qualname.split(".")
        if "<" in self.code.co_qualname or self.code.co_name.startswith("test"):
            return None
        if len(parts) == 1:
            return "function"
        if self.code.co_name == "__init__":
            return "init"
        owner = sys.modules.get(self.module)
        for part in parts[:-1]:
            owner = getattr(owner, part, None)
        if not isinstance(owner, type) or len(parts) > 2:
            return None
        held = vars(owner).get(self.code.co_name)
        if isinstance(held, staticmethod):
            return "static"
        if isinstance(held, classmethod):
            return "class"
        if isinstance(held, property):
            return "property" if held.fget is not None and held.fget.__code__ is self.code else None
        return "method" if callable(held) else None


class Hook:
    """The trace function and what it has found."""

    def __init__(self, out, roots):
        self.out, self.roots = out, roots
        self.functions = {}  # id(code) -> Function or None
        self.codes = []  # kept, so that no id is given away twice
        self.open = {}  # id(frame) -> the call under way
        self.made = {}  # id(object) -> (type, how it was made)
        self.busy = False

    def function(self, code, frame):
        module = frame.f_globals.get("__name__")
        path = code.co_filename
        for root, prefix in self.roots:
            if path == f"<frozen {prefix}>" and module == prefix:
                return self.usable(Function(module, root, code))
            if (path == root or path.startswith(root + os.sep)) and module and (module == prefix or module.startswith(prefix + ".")):
                rest = path[len(root):]
                if not any(part in ("tests", "test", "testing") or part.startswith(("test_", "conftest")) for part in rest.split(os.sep)):
                    return self.usable(Function(module, path, code))
        return None

    @staticmethod
    def usable(function):
        return function if function.kind else None

    def __call__(self, frame, event, arg):
        """The global trace function: one call; the local one for those that are kept."""
        if self.busy:
            return None
        code = frame.f_code
        try:
            function = self.functions[id(code)]
        except KeyError:
            self.codes.append(code)
            function = self.functions[id(code)] = self.function(code, frame)
        if function is None:
            return None
        self.busy = True
        try:
            if id(frame) not in self.open or self.open[id(frame)]["frame"] is not frame:
                self.called(function, frame)
        except Exception:  # whatever a test's strange object does to being looked at
            self.open.pop(id(frame), None)
        finally:
            self.busy = False
        if id(frame) not in self.open:
            return None
        frame.f_trace_lines = False
        return self.inside

    def inside(self, frame, event, arg):
        """The local trace function: exceptions and returns."""
        call = self.open.get(id(frame))
        if call is None or self.busy:
            return None
        if event == "exception":
            call["raised"] = arg[0].__name__
        elif event == "return":
            self.busy = True
            try:
                self.returned(self.functions[id(frame.f_code)], frame, arg)
            except Exception:
                self.open.pop(id(frame), None)
            finally:
                self.busy = False
        return self.inside

    def called(self, function, frame):
        if frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti + 1] & 3:
            return  # one that goes on, whose beginning was not kept
        function.looked_at += 1
        if function.looked_at > LOOKED_AT or len(function.seen) > CALLS_PER_FUNCTION:
            return
        code, values = function.code, frame.f_locals
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        first = values.get(names[0]) if names else None
        owner = None
        if function.kind in ("init", "method", "class", "property"):
            if not names or code.co_argcount == 0:
                return
            names.pop(0)
        arguments = self.arguments(function, frame, names, values)
        if function.kind == "init":
            if arguments is None:
                self.made.pop(id(first), None)
            elif id(first) not in self.made or self.made[id(first)][0] is not type(first) or code.co_qualname.startswith(type(first).__name__ + "."):
                self.made[id(first)] = (type(first), arguments)
            return
        if arguments is None:
            return
        if function.kind in ("method", "property"):
            owner = self.owner(function, first)
            if owner is None:
                return
        elif function.kind == "class":
            if not isinstance(first, type) or first.__module__ != function.module:
                return
            owner = {"class": first.__qualname__, "arguments": []}
        key = json.dumps([owner, arguments])
        if key in function.seen:
            return
        function.seen.add(key)
        self.open[id(frame)] = {"frame": frame, "owner": owner, "arguments": arguments, "yields": []}

    def arguments(self, function, frame, names, values):
        """How to write the call's arguments, or None."""
        code = function.code
        positional = names[: len(names) - code.co_kwonlyargcount] if code.co_kwonlyargcount else names
        defaults = self.defaults(function, frame)
        at = code.co_argcount + code.co_kwonlyargcount
        rest, rest_names = (), {}
        if code.co_flags & 0x04:
            rest = values[code.co_varnames[at]]
            at += 1
        if code.co_flags & 0x08:
            rest_names = values[code.co_varnames[at]]
        found, skipped = [], False
        for place, name in enumerate(names):
            if name not in values:
                return None
            if name in defaults and defaults[name] is values[name] and not (rest and name in positional):
                skipped = True
                continue
            keyword = name if name not in positional or skipped else None
            if keyword and place < code.co_posonlyargcount:
                return None
            found.append((keyword, values[name]))
        if rest:
            cut = sum(1 for keyword, _ in found if keyword is None)
            found[cut:cut] = [(None, value) for value in rest]
        found += [(name, value) for name, value in rest_names.items()]
        texts, length = [], 0
        for keyword, value in found:
            text = written(value)
            if text is None or (keyword is not None and not keyword.isidentifier()):
                return None
            length += len(text[0])
            texts.append([keyword, *text])
        return texts if length <= TEXT else None

    def defaults(self, function, frame):
        """Parameter -> default, of the function object that the module holds."""
        if hasattr(function, "given"):
            return function.given
        held = sys.modules.get(function.module)
        for part in function.code.co_qualname.split("."):
            held = vars(held).get(part) if isinstance(held, type) else getattr(held, part, None)
        held = getattr(held, "__func__", held)
        for _ in range(4):
            if getattr(held, "__code__", None) is function.code or not hasattr(held, "__wrapped__"):
                break
            held = held.__wrapped__
        given = {}
        if getattr(held, "__code__", None) is function.code:
            code, values = function.code, held.__defaults__ or ()
            names = code.co_varnames[: code.co_argcount]
            given = dict(zip(names[len(names) - len(values):], values)) | (held.__kwdefaults__ or {})
        function.given = given
        return given

    def owner(self, function, value):
        """How a method's object can be made again."""
        kind = type(value)
        if kind.__module__ != function.module or "<" in kind.__qualname__ or "." in kind.__qualname__:
            return None
        if dataclasses.is_dataclass(value) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
            names = [f.name for f in dataclasses.fields(value) if f.init] if dataclasses.is_dataclass(value) else kind._fields
            found = []
            for name in names:
                text = written(getattr(value, name))
                if text is None:
                    return None
                found.append([name, *text])
            return {"class": kind.__qualname__, "arguments": found}
        if id(value) in self.made and self.made[id(value)][0] is kind:
            return {"class": kind.__qualname__, "arguments": self.made[id(value)][1]}
        if kind.__init__ is object.__init__ and kind.__new__ is object.__new__:
            return {"class": kind.__qualname__, "arguments": []}
        return None

    def returned(self, function, frame, value):
        call = self.open.get(id(frame))
        if call is None or call["frame"] is not frame:
            return
        code = function.code
        name = OPCODES.get(code.co_code[frame.f_lasti])
        generator = bool(code.co_flags & 0x20)
        if code.co_flags & 0x280:
            del self.open[id(frame)]
            return  # a coroutine
        if name == "YIELD_VALUE" or (generator and name in ("SEND", "RETURN_GENERATOR", "RESUME")):
            if name == "YIELD_VALUE" and len(call["yields"]) < NODES:
                call["yields"].append(written(value))
            return
        del self.open[id(frame)]
        if name != "RETURN_VALUE":
            outcome = {"raises": call.get("raised")}
        elif generator:
            texts = call["yields"]
            outcome = {"yields": [text and text[0] for text in texts], "all": len(texts) < NODES}
        else:
            text = written(value)
            outcome = {"value": text[0]} if text else {"type": type(value).__name__}
        kind = "generator" if generator and function.kind == "function" else function.kind
        json.dump({"module": function.module, "file": function.path, "function": code.co_qualname, "kind": kind, "generator": generator,
                   "owner": call["owner"], "arguments": call["arguments"], "outcome": outcome}, self.out)
        self.out.write("\n")


def opcodes():
    import opcode

    return dict(enumerate(opcode.opname))


OPCODES = opcodes()


class Plugin:
    """Switches the hook on for each test that pytest runs."""

    def __init__(self, hook):
        self.hook = hook

    def pytest_collection_finish(self, session):
        if "hypothesis" in sys.modules:
            from hypothesis import settings

            settings.register_profile("few", max_examples=EXAMPLES, deadline=None, database=None)
            settings.load_profile("few")

    def pytest_runtest_call(self, item):
        sys.settrace(self.hook)

    def pytest_runtest_teardown(self, item):
        sys.settrace(None)


def main():
    out, roots, runner, *arguments = sys.argv[1:]
    with open(roots) as file:
        roots = json.load(file)["roots"]
    sys.argv = [runner, *arguments]
    sys.path[0] = os.getcwd()
    code = 1
    with open(out, "w", buffering=1) as file:
        hook = Hook(file, roots)
        try:
            if runner == "pytest":
                import pytest

                Plugin.pytest_runtest_call = pytest.hookimpl(tryfirst=True)(Plugin.pytest_runtest_call)
                code = int(pytest.main(arguments, plugins=[Plugin(hook)]))
            else:
                import unittest

                sys.settrace(hook)
                code = int(not unittest.main(None, argv=["unittest", *arguments], exit=False).result.wasSuccessful())
        finally:
            sys.settrace(None)
    os._exit(code)


if __name__ == "__main__":
    main()
