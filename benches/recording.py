"""How fast `foretrace trace` records, against other recorders, whole processes, in one run.

    cargo build --release && python3 benches/recording.py [--json] [--runs N] [PROGRAM...]

All write the full state at every event to a file: PySnooper, snoop, and a plain `sys.settrace`
callback that dumps every local as JSON. The programs run long enough that starting an interpreter
(about 25 ms more for foretrace) does not count. Each program runs in turn with each, several times,
interleaved; figures are ratios of medians, above 1 where foretrace is faster. PySnooper and snoop are
installed into a cached virtual environment.
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
PACKAGES = {"pysnooper": "PySnooper==1.2.3", "snoop": "snoop==0.6.1"}
START = """
import sys, types
code = compile(open(sys.argv[1]).read(), sys.argv[1], "exec")
names = {"__name__": "__main__", "__builtins__": __builtins__}
module = types.FunctionType(code, names)
with open(sys.argv[2], "w") as out:
"""
OTHERS = {
    "pysnooper": START + """
    import pysnooper
    pysnooper.snoop(out, depth=50, max_variable_length=None)(module)()
""",
    "snoop": START + """
    import snoop
    snoop.install(out=out, color=False)
    snoop.snoop(depth=50)(module)()
""",
    "settrace_json": START + """
    import json
    def trace(frame, event, arg):
        code = frame.f_code
        if code.co_filename != sys.argv[1]:
            return None
        state = {"event": event, "line": frame.f_lineno, "function": code.co_name, "arg": arg, "locals": frame.f_locals}
        out.write(json.dumps(state, default=repr) + "\\n")
        return trace
    sys.settrace(trace)
    module()
    sys.settrace(None)
""",
}  # fmt: skip


def python():
    """An interpreter with the others."""
    found = CACHE / "venv" / "bin" / "python"
    if not found.exists():
        subprocess.run([sys.executable, "-m", "venv", CACHE / "venv"], check=True)
    for module, package in PACKAGES.items():
        if subprocess.run([found, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode:
            subprocess.run([found, "-m", "pip", "install", "--quiet", package], check=True)
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
    p.add_argument("programs", nargs="*", type=Path, default=sorted((HERE / "programs").glob("*.py")))
    a = p.parse_args()
    interpreter = python()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        for name, text in OTHERS.items():
            Path(folder, f"with_{name}.py").write_text(text)
        for program in a.programs:
            ours, theirs = [], {name: [] for name in OTHERS}
            for _ in range(a.runs):
                ours.append(timed([a.foretrace, "trace", program, "--python", interpreter, "-o", out]))
                events = sum(line.startswith('{"state":') for line in out.read_text().splitlines())
                for name, times in theirs.items():
                    times.append(timed([interpreter, Path(folder, f"with_{name}.py"), program, out]))
            ours = statistics.median(ours)
            row = {"program": program.stem, "events": events}
            row |= {"vs_" + name: round(statistics.median(times) / ours, 2) for name, times in theirs.items()}
            ratios = ", ".join(f"{row['vs_' + name]:5.1f} {name}" for name in OTHERS)
            print(json.dumps(row) if a.json else f"{program.stem:8} {events:7} events, times as fast as: {ratios}", flush=True)


if __name__ == "__main__":
    main()
