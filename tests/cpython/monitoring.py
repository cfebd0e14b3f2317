"""What `sys.monitoring` (CPython 3.12 and later) says of a program, under the rules of foretrace's
`trace` module: one row a state, as the tables of steps have them.

    python monitoring.py VALUES.py FILE...

A second observer, to hold the tracer's (`sys.settrace`) against. Each file is run in a fork and its
rows are printed as one line of JSON. How a value is written comes from VALUES.py, the tracer's own.
"""

import ast
import contextlib
import dis
import functools
import gc
import io
import json
import os
import sys
import threading

VALUES, *FILES = sys.argv[1:]
names = {"__name__": "values"}
exec(compile(open(VALUES).read(), VALUES, "exec"), names)
printer, dunder, HIDDEN = names["Printer"](1000), names["dunder"], names["HIDDEN"] + (type(functools.lru_cache(int)),)
on, E = sys.monitoring, sys.monitoring.events
NO_FRAME = ("<listcomp>", "<setcomp>", "<dictcomp>", "__annotate__")
# Where an iterator's end is how a loop or an await goes on.
ENDS = ("FOR_ITER", "SEND", "END_FOR", "END_SEND", "POP_ITER", "CLEANUP_THROW", "END_ASYNC_FOR", "GET_ANEXT")


class Frame:
    def __init__(self, depth):
        self.depth, self.shown, self.raised = depth, {}, None


class Observer:
    def __init__(self, path, source):
        self.path, self.rows, self.stack, self.frames, self.held = path, [], [], {}, None
        self.main = threading.get_ident()
        self.defined = {}  # first line, decorators included -> the line of the def or class
        for node in ast.walk(ast.parse(source)):
            if getattr(node, "decorator_list", None):
                self.defined[node.decorator_list[0].lineno] = node.lineno

    def ours(self, code):
        name = code.co_name
        hidden = code.co_filename != self.path or name in NO_FRAME or name.startswith("<generic parameters of ")
        return not hidden and threading.get_ident() == self.main

    def row(self, real, frame, event, line, arg=()):
        frame.line = line = line or frame.line
        frame.raised = None
        row = "%s%s %d" % ("  " * frame.depth, event, line)
        code = real.f_code
        if event == "call":
            row += " " + code.co_name
        module, scope = code.co_name == "<module>", not code.co_flags & 1
        now = dict(real.f_globals if module else real.f_locals)
        if not scope or module or "__module__" in now:
            if event == "call" and not scope:
                first = code.co_varnames  # CPython lists cells last
                now = dict(sorted(now.items(), key=lambda i: first.index(i[0]) if i[0] in first else len(first)))
            now = {
                name: printer.text(value)
                for name, value in now.items()
                if not (name.startswith(".") or dunder(name) or scope and isinstance(value, HIDDEN))
            }
            frame.shown, before = {n: now[n] for n in [*(n for n in frame.shown if n in now), *now]}, frame.shown
            row += "".join(" -" + name for name in before if name not in now)
            row += "".join(" %s=%s" % item for item in frame.shown.items() if before.get(item[0]) != item[1])
        if arg:
            row += (" ! " if event == "exception" else " -> ") + printer.text(arg[0])
        self.rows.append(row)

    def settle(self):
        """A generator that was thrown into goes on."""
        held, self.held = self.held, None
        if held:
            real, frame, line, error = held
            self.row(real, frame, "resume", line)
            if error is not None:
                self.row(real, frame, "exception", line, [error])
                frame.raised = error

    def start(self, code, offset):
        if self.ours(code):
            self.settle()
            real = sys._getframe(1)
            frame = self.frames[real] = Frame(len(self.stack))
            self.stack.append(frame)
            first = code.co_firstlineno
            self.row(real, frame, "call", 1 if code.co_name == "<module>" else self.defined.get(first, first))

    def resume(self, code, offset, error=None):
        if self.ours(code):
            self.settle()
            real = sys._getframe(1)
            frame = self.frames[real]
            frame.depth = len(self.stack)
            self.stack.append(frame)
            if isinstance(error, GeneratorExit):
                self.held = (real, frame, real.f_lineno, None)
            else:
                self.row(real, frame, "resume", real.f_lineno)

    def line(self, code, line):
        if self.ours(code):
            real = sys._getframe(1)
            if dis.opname[code.co_code[real.f_lasti]] != "CLEANUP_THROW":
                self.settle()
                self.row(real, self.frames[real], "line", line)

    def jump(self, code, start, end):
        if self.ours(code) and end < start:
            lines = {}
            for first, last, line in code.co_lines():
                lines.update(dict.fromkeys(range(first, last, 2), line))
            if lines.get(start) is not None and lines.get(start) == lines.get(end):
                real = sys._getframe(1)
                self.settle()
                self.row(real, self.frames[real], "line", lines[start])

    def throws(self, code, offset, error):
        if not self.ours(code):
            return
        real = sys._getframe(1)
        if isinstance(error, (StopIteration, StopAsyncIteration)) and dis.opname[code.co_code[real.f_lasti]] in ENDS:
            return
        frame = self.frames[real]
        if self.held and self.held[1] is frame and isinstance(error, GeneratorExit):
            self.held = self.held[:3] + (error,)
            return
        self.settle()
        self.row(real, frame, "exception", real.f_lineno, [error])
        frame.raised = error

    def end(self, code, value, event):
        if self.ours(code):
            real = sys._getframe(2)
            frame = self.frames[real] if event == "yield" else self.frames.pop(real)
            self.stack.remove(frame)
            self.settle()
            if type(value).__name__ == "async_generator_wrapped_value":
                value = gc.get_referents(value)[0]
            self.row(real, frame, event, real.f_lineno, [value])

    def returns(self, code, offset, value):
        self.end(code, value, "return")

    def yields(self, code, offset, value):
        self.end(code, value, "yield")

    def unwinds(self, code, offset, error):
        if not self.ours(code):
            return
        real = sys._getframe(1)
        frame = self.frames.pop(real)
        self.stack.remove(frame)
        if self.held and self.held[1] is frame:
            self.held = None  # closed while suspended: nothing the user wrote has run
            return
        self.settle()
        if frame.raised is not error:
            self.row(real, frame, "exception", real.f_lineno, [error])


def observed(path):
    source = open(path).read()
    code = compile(source, path, "exec")
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    module.__file__ = path
    observer = Observer(path, source)
    calls = {
        E.PY_START: observer.start, E.PY_RESUME: observer.resume, E.PY_THROW: observer.resume, E.LINE: observer.line,
        E.JUMP: observer.jump, E.RAISE: observer.throws, E.PY_RETURN: observer.returns, E.PY_YIELD: observer.yields,
        E.PY_UNWIND: observer.unwinds,
    }  # fmt: skip
    on.use_tool_id(on.DEBUGGER_ID, "foretrace")
    for event, call in calls.items():
        on.register_callback(on.DEBUGGER_ID, event, call)
    end = "exit normal"
    on.set_events(on.DEBUGGER_ID, sum(calls))
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(code, module.__dict__)
    except SystemExit as error:
        if error.code:
            end = "exit error exit code " + printer.text(error.code)
        elif error.code is not None and error.code != 0:
            end = "exit error exit code " + printer.text(error.code)
    except BaseException:
        end = "exit error"
    on.set_events(on.DEBUGGER_ID, 0)
    return observer.rows + [end]


for path in FILES:
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        sys.path[0] = os.path.dirname(path)
        print(json.dumps(observed(path)), flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
