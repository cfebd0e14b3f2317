"""Runs `python -m pdb FILE` once for each command script and prints its stops as JSON.

    python pdb_stops.py FILE "s s n" "s r" …

One line a script: a list of stops. The first is where pdb begins, then one for each command:
[kind, line, function, file, said] with kind call, line, return or exception; null once the program
has ended; `said` is what pdb printed above the stop. `python -m pdb` does nothing but call pdb.main(), and so does this, in a fork for each script,
which saves the start of an interpreter.
"""

import json
import os
import pdb
import re
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")  # 3.12 has one about comprehensions under pdb
STOP = re.compile(r"^> (?P<file>.*?)\((?P<line>\d+)\)(?P<function>[^(]*)\(")


def run(path, commands):
    script, said = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    script.write(("\n".join(commands) + "\nq\n").encode())
    script.seek(0)
    if not os.fork():
        os.dup2(script.fileno(), 0)
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
        sys.stdin = open(0)
        sys.stdout = sys.stderr = open(1, "w")
        sys.argv = ["pdb", path]
        try:
            pdb.main()
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.wait()
    said.seek(0)
    return said.read().decode()


def stops(text):
    """One entry for each prompt."""
    found = []
    for answer in text.split("(Pdb) ")[:-1]:
        stop, before = None, []
        for line in answer.splitlines():
            match = STOP.match(line)
            if match:
                last = before[-1] if before else ""
                kind = {"": "line", "--Call--": "call", "--Return--": "return"}.get(last, "exception")
                stop = [kind, int(match["line"]), match["function"], os.path.basename(match["file"]), last]
            elif not line.startswith("-> "):
                before.append(line.strip())
        over = any(line.startswith(("The program", "Uncaught exception", "Post mortem")) for line in before)
        found.append(None if over else stop)
        if over:
            break
    return found


if __name__ == "__main__":
    for script in sys.argv[2:]:
        commands = [word.replace(":", " ") for word in script.split()]
        found = stops(run(sys.argv[1], commands))[: len(commands) + 1]
        print(json.dumps(found + [None] * (len(commands) + 1 - len(found))))
