"""How fast `foretrace trace` records, against PySnooper, whole processes, in one run.

    cargo build --release && python3 benches/recording.py [--json]

Both write the full state at every event to a file; the programs run long enough that starting an
interpreter (about 25 ms more for foretrace) does not count. Each program runs in turn with either
tool, several times, interleaved; figures are medians. PySnooper is installed into a cached
virtual environment.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "foretrace-benches"
SNOOPER = """
import pysnooper, sys, types
code = compile(open(sys.argv[1]).read(), sys.argv[1], "exec")
module = types.FunctionType(code, {"__name__": "__main__", "__builtins__": __builtins__})
with open(sys.argv[2], "w") as out:
    pysnooper.snoop(out, depth=50, max_variable_length=None)(module)()
"""


def python():
    """An interpreter with PySnooper."""
    found = CACHE / "venv" / "bin" / "python"
    if not found.exists():
        subprocess.run([sys.executable, "-m", "venv", CACHE / "venv"], check=True)
        subprocess.run([found, "-m", "pip", "install", "--quiet", "PySnooper==1.2.3"], check=True)
    return found


def timed(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json", action="store_true")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--foretrace", default=HERE.parent / "target/release/foretrace")
    a = p.parse_args()
    interpreter = python()
    with tempfile.TemporaryDirectory() as folder:
        script, out = Path(folder, "snoop.py"), Path(folder, "out")
        script.write_text(SNOOPER)
        for program in sorted((HERE / "programs").glob("*.py")):
            ours, theirs = [], []
            for _ in range(a.runs):
                ours.append(timed([a.foretrace, "trace", program, "--python", interpreter, "-o", out]))
                events = sum(line.startswith('{"state":') for line in out.read_text().splitlines())
                theirs.append(timed([interpreter, script, program, out]))
            ours, theirs = statistics.median(ours), statistics.median(theirs)
            row = {"program": program.stem, "events": events, "vs_pysnooper": round(theirs / ours, 2)}
            print(json.dumps(row) if a.json else f"{program.stem:8} {events:7} events  {theirs / ours:5.1f} times as fast as PySnooper 1.2.3", flush=True)


if __name__ == "__main__":
    main()
