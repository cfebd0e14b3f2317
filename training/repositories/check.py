"""Runs programs on their own and says what each did; stdlib only, run alone.

    python -I -S check.py < programs.jsonl > outcomes.jsonl

In: {"code", "entry"} a line. Out, a line each: {"outcome": {"value"|"type"|"raises"|"long"|
"broken": text}, "lines": [the lines executed, in order], "digest"}. The digest is of each
line executed and of the locals there, sets without their order, so that two runs under two
hash seeds can be compared. Every program runs in a forked process with limits.
"""

import ast
import hashlib
import json
import os
import resource
import signal
import sys
import types

import calendar, collections, datetime, decimal, enum, fractions, functools, heapq, itertools, math, operator, random, re, string, textwrap, typing, unicodedata  # noqa: E401, F401  (already there for the forks)

LONGEST = 200  # line events
SECONDS = 2.0
MEMORY = 1 << 30
NAME = "<program>"


class Long(BaseException):
    """Too many line events."""


def canonical(value, left=200, depth=6):
    """A value's text without the order of sets and without addresses."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str, bytes, complex):
        return repr(value)[:300]
    if depth and kind in (list, tuple, set, frozenset, dict):
        if len(value) > left:
            return f"{kind.__name__} of {len(value)}"
        if kind is dict:
            return "{" + ", ".join(f"{canonical(k, left, depth - 1)}: {canonical(v, left, depth - 1)}" for k, v in value.items()) + "}"
        parts = [canonical(v, left, depth - 1) for v in value]
        return kind.__name__ + "(" + ", ".join(sorted(parts) if kind in (set, frozenset) else parts) + ")"
    return kind.__name__


class Recorder:
    def __init__(self):
        self.lines, self.digest = [], hashlib.sha256()

    def __call__(self, frame, event, arg):
        if frame.f_code.co_filename != NAME:
            return None
        if event == "line":
            self.lines.append(frame.f_lineno)
            if len(self.lines) > LONGEST:
                raise Long
            held = ",".join(f"{k}={canonical(v)}" for k, v in sorted(frame.f_locals.items()))
            self.digest.update(f"{frame.f_lineno}:{held}\n".encode(errors="replace"))
        return self


def run(program):
    """What one program does."""
    module = types.ModuleType("program")
    sys.modules["program"] = module  # dataclasses look their module up
    try:
        exec(compile(program["code"], NAME, "exec"), module.__dict__)
        entry = compile(ast.parse(program["entry"], mode="eval"), "<entry>", "eval")
    except BaseException as error:
        return {"outcome": {"broken": type(error).__name__}, "lines": [], "digest": ""}
    recorder = Recorder()
    try:
        sys.settrace(recorder)
        value = eval(entry, module.__dict__)
        if isinstance(value, types.GeneratorType):
            value = list(value)
        sys.settrace(None)
        text = repr(value) if type(value) in (int, float, str, bytes, bool, type(None), list, tuple, dict, set, frozenset) else None
        outcome = {"value": text[:2000]} if text is not None else {"type": type(value).__name__}
    except Long:
        outcome = {"long": "more line events than are wanted"}
    except BaseException as error:
        sys.settrace(None)
        outcome = {"raises": type(error).__name__}
    finally:
        sys.settrace(None)
    return {"outcome": outcome, "lines": recorder.lines, "digest": recorder.digest.hexdigest()[:16]}


def forked(program):
    """`run` in a process of its own; {"broken": ...} when that dies."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        sys.stdout = open(os.devnull, "w")
        try:
            os.write(send, json.dumps(run(program)).encode())
        finally:
            os._exit(0)
    os.close(send)
    with os.fdopen(receive, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"outcome": {"broken": "died"}, "lines": [], "digest": ""}


def main():
    out = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        out.write(json.dumps(forked(json.loads(line))) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
