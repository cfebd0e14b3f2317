"""How long a predicted step takes with the embedded model, on the sample programs.

    cargo build --release && python3 benches/steps.py [--json]

A step is one `step`: question, answer and its runners-up, without the start of the program:
seven steps less one, over six; medians. Alone on the machine, or it says nothing.
"""

import argparse
import json
import statistics
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def timed(foretrace, program, steps):
    command = [foretrace, "predict", program, *["-c", "s"] * steps]
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json", action="store_true")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--foretrace", default=HERE.parent / "target/release/foretrace")
    a = p.parse_args()
    steps = []
    for program in sorted((HERE.parent / "sample_programs").glob("*.py")):
        one = statistics.median(timed(a.foretrace, program, 1) for _ in range(a.runs))
        seven = statistics.median(timed(a.foretrace, program, 7) for _ in range(a.runs))
        steps.append((seven - one) / 6 * 1000)
        row = {"program": program.stem, "step_ms": round(steps[-1], 1), "start_and_one_ms": round(one * 1000)}
        print(json.dumps(row) if a.json else f"{program.stem:14} {steps[-1]:6.1f} ms a step, {one * 1000:4.0f} ms with the start", flush=True)
    if not a.json:
        print(f"{'median':14} {statistics.median(steps):6.1f} ms a step")


if __name__ == "__main__":
    main()
