"""Gives `python -m pdb FILE` and `foretrace predict --oracle cpython FILE` the same random commands.

    python peer.py FORETRACE SEED COMMANDS FILE...

One line of JSON a file: [file, commands given, stops compared, the rules of the differences met, the
first difference that no rule explains or null]. After a difference that changes where they are the
comparison of that file ends.
"""

import ast
import json
import random
import re
import subprocess
import sys

STOP = re.compile(r"^> (?P<file>.*?)\((?P<line>\d+)\)(?P<function>[^(]*)\(")
NO_FRAME = ("<listcomp>", "<setcomp>", "<dictcomp>")
OVER = ("The program finished", "Uncaught exception", "Post mortem", "The program exited")


class Peer:
    """A real pdb, answering through pipes."""

    def __init__(self, path):
        self.path = path
        self.child = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "pdb", path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={"PYTHONHASHSEED": "0"},
        )  # fmt: skip
        self.answer()

    def answer(self):
        said = b""
        while not said.endswith(b"(Pdb) "):
            more = self.child.stdout.read1(1 << 16)
            if not more:
                break
            said += more
        return said.decode("utf-8", "replace")

    def say(self, command):
        try:
            self.child.stdin.write(command.encode() + b"\n")
            self.child.stdin.flush()
        except OSError:
            pass
        return self.answer()

    def go(self, command):
        """The next stop in the program: [event, line, function, said], None at its end; or
        "refused": an `until` that does not go on to a later line."""
        self.hidden = False  # whether it stopped in a frame that is none of ours, by another way than `s`
        for _ in range(2000):
            text = self.say(command)
            if '*** "until"' in text:
                return "refused"
            if any(word in text for word in OVER) or "(Pdb) " not in text:
                return None
            before = []
            for line in text.splitlines():
                match = STOP.match(line)
                if match:
                    break
                before.append(line.strip())
            else:
                return None
            last = before[-1] if before else ""
            event = {"": "line", "--Call--": "call", "--Return--": "return"}.get(last)
            if event is None:  # it says which exception; or which temporary breakpoint is gone
                event = "line" if last.startswith("Deleted breakpoint") else "exception"
            if match["file"] == self.path and match["function"] not in NO_FRAME:
                return [event, int(match["line"]), match["function"], last]
            if command != "s":
                self.hidden = True
            # Out of it: a library's frame whole, a comprehension's step by step.
            command = "r" if event == "call" and match["file"] != self.path else "s"
        return None

    def close(self):
        self.child.kill()
        self.child.wait()


def commands(draw, lines):
    while True:
        word = draw.choice("s s s s n n n r unt c b tbreak".split())
        if word in ("b", "tbreak"):
            yield "%s %d" % (word, draw.choice(lines))
        elif word == "unt" and draw.random() < 0.5:
            yield "unt %d" % draw.choice(lines)
        else:
            yield word


def generators(tree):
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (isinstance(node, ast.AsyncFunctionDef) or any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node)))
    } | {"<genexpr>"}


def compare(foretrace, path, seed, count):
    source = open(path).read()
    try:
        tree = ast.parse(source)
    except SyntaxError:  # it is for a later version
        return None
    lines = sorted({node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)})
    several = {
        line for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")
        for line in range(node.lineno, node.end_lineno + 1) if node.end_lineno > node.lineno
    } | {
        line for node in ast.walk(tree) if hasattr(node, "body") and isinstance(node.body, list) and isinstance(node, ast.stmt)
        for line in range(node.lineno, node.body[0].lineno) if node.body[0].lineno > node.lineno + 1
    }  # fmt: skip
    empty = {n.lineno for n in ast.walk(tree) if isinstance(n, (ast.Global, ast.Nonlocal, ast.AnnAssign, ast.Expr))}
    lazy = generators(tree)
    several |= {line for node in ast.walk(tree) for d in getattr(node, "decorator_list", []) for line in range(d.lineno, node.lineno + 1)}
    decorated = {
        node.decorator_list[0].lineno: node.lineno for node in ast.walk(tree) if getattr(node, "decorator_list", None)
    }
    peer, given, theirs = Peer(path), [], []
    draw = random.Random("%s %s" % (seed, path.rsplit("/", 1)[-1]))
    for command in commands(draw, lines):
        if command[0] == "b" or command.startswith("tb"):
            if "***" in peer.say(command):
                continue
            given.append(command)
            continue
        given.append(command)
        stop = peer.go(command)
        if stop == "refused":
            continue
        theirs.append((command, stop, peer.hidden))
        if stop is None or len(theirs) >= count:
            break
    peer.close()
    words = [foretrace, "predict", path, "--entry", "<module>", "--oracle", "cpython", "--python", sys.executable, "--json"]
    for command in ["s"] + given:  # pdb begins at the first line
        words += ["-c", command]
    said = subprocess.run(words, capture_output=True, text=True)
    ours = [json.loads(line) for line in said.stdout.splitlines()]
    ours = [o for o in ours if o.get("kind") in ("state", "exit")][2:]
    rules, before = [], ["line", 1, "<module>", ""]
    for number, (command, stop, hidden) in enumerate(theirs):
        if number >= len(ours):
            return [path, given, number, rules, "%s: pdb %s, we nothing: %s" % (command, stop, said.stderr[-200:])]
        our = ours[number]
        our = None if our["kind"] == "exit" else [our["event"], our["line"], our["function"]]
        if stop and our and stop[:3] == our or stop is None and our is None:
            before = stop
            continue
        rule, stays = explain(command, before, stop, our, lazy, several, decorated)
        if rule is None and hidden:
            rule, stays = "hidden frame", False
        if rule is None and empty & {int(c.split()[1]) for c in given if c[0] in "bt"}:
            rule, stays = "breakpoint on a line without code", False
        if rule is None:
            why = "stop %d, %s, from %s: pdb %s, we %s" % (number, command, before, stop, our)
            return [path, given, number, rules, why]
        rules.append(rule)
        if not stays:
            break
        before = stop
    return [path, given, number + 1, rules, None]


def explain(command, before, stop, our, lazy, several, decorated):
    """The rule of a difference, and whether both are at the same place all the same."""
    if stop and our:
        if stop[0] == our[0] == "call" and stop[2] == our[2] and decorated.get(stop[1]) == our[1]:
            return "decorated", True
        if stop[0] == "return" and our[0] == "exception" and stop[1:3] == our[1:3]:
            return "unwinding", True
        if stop[0] == "return" and before[0] == "exception" and stop[1:3] == before[1:3]:
            return "unwound", False
    if stop and stop[0] == "exception" and "Stop" in stop[3]:
        return "iterator end", False
    if before[2] in lazy or stop and stop[2] in lazy or our and our[2] in lazy:
        return "generator", False
    if command.startswith("unt") and before[0] in ("return", "exception"):
        return "until at the end of a frame", False
    if any(place and place[1] in several for place in (before, stop, our)):
        return "several lines", False
    return None, False


if __name__ == "__main__":
    foretrace, seed, count, *paths = sys.argv[1:]
    for path in paths:
        found = compare(foretrace, path, seed, int(count))
        if found:
            print(json.dumps(found), flush=True)
