"""How soon a debugger shows a 10,000-line file, in a pseudo-terminal, in one run.

    cargo build --release && python3 benches/first_frame.py [--json]

Time from starting the process to the first screen that shows the file's first line:
foretrace with its built-in model against `python3 -m pdb`. Interleaved; medians.
"""

import argparse
import fcntl
import json
import os
import pty
import select
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def first_sight(command, mark, quit_keys, limit=20.0):
    """Seconds until `mark` appears in the output of `command` on a 120x40 terminal."""
    start = time.perf_counter()
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="120", LINES="40")
        os.execvp(command[0], command)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen, took = b"", None
    try:
        while time.perf_counter() - start < limit:
            if select.select([fd], [], [], 0.05)[0]:
                seen += os.read(fd, 65536)
                if took is None and mark in seen:
                    took = time.perf_counter() - start
                    os.write(fd, quit_keys)
    except OSError:  # the process has left
        pass
    finally:
        os.close(fd)
        os.waitpid(pid, 0)
    if took is None:
        sys.exit(f"{command[0]} never showed {mark!r}; it wrote {seen[-300:]!r}")
    return took


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json", action="store_true")
    p.add_argument("--runs", type=int, default=7)
    p.add_argument("--foretrace", default=str(HERE.parent / "target/release/foretrace"))
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "long.py")
        lines = ["first_line_shown = 0", "def f(n):", "    return n + 1"]
        while len(lines) < 10_000:
            i = len(lines)
            lines += [f"def g{i}(x, y={i}):", f"    '''Adds {i}.'''", f"    total = [x * {i}, y]", "    return sum(total)", ""]
        program.write_text("\n".join(lines) + "\n")
        ours, theirs = [], []
        for _ in range(a.runs):
            ours.append(first_sight([a.foretrace, str(program), "--entry", "f(3)", "--no-mouse"], b"first_line_shown", b"qqy"))
            theirs.append(first_sight(["python3", "-m", "pdb", str(program)], b"first_line_shown", b"q\n"))
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    row = {"lines": len(lines), "milliseconds": round(1000 * ours), "pdb_milliseconds": round(1000 * theirs), "vs_pdb": round(theirs / ours, 2)}
    print(json.dumps(row) if a.json else f"{row['lines']} lines: {row['milliseconds']} ms to the first screen; python3 -m pdb {row['pdb_milliseconds']} ms; {row['vs_pdb']} times as fast")


if __name__ == "__main__":
    main()
