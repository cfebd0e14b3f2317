"""How fast `foretrace dataset` makes training documents, against the same in Python, in one run.

    cargo build --release && python3 benches/dataset.py [--json]

Both read the same recordings, make the same moves (`step_into` from the first state, one document
a run) and write documents with what is to be learned of them; whole processes, interleaved,
medians. The Python is `dataset_baseline.py`. *compact*: token ids; its own kind of vocabulary, so
the count of answers is compared too. *native*: text; what both write after the program's lines is
checked to be equal. One JSON object a line with --json.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
STRAIGHT = "--actions into --inverse 0 --inner 0 --midway 0 --invent 0 --spread 0 --documents 1".split()
WINDOW = {"compact": 512, "native": 100_000_000}


def timed(command):
    start = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return time.perf_counter() - start, done.stdout


def equal(ours, theirs):
    """How many native documents there are, if states and spans agree in each."""
    def parts(path):
        for line in open(path, encoding="utf-8"):
            line = json.loads(line)
            start = line["text"].index("<|frame_sep|>")
            yield line["text"][start:], [[a - start, b - start] for a, b in line["learn"]]
    mine, other = list(parts(ours)), list(parts(theirs))
    different = [number for number, (a, b) in enumerate(zip(mine, other)) if a != b]
    if len(mine) != len(other) or different:
        raise SystemExit(f"native documents differ: {len(mine)} and {len(other)}, first at {different[:1]}")
    return len(mine)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--json", action="store_true")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--programs", type=int, default=3000)
    p.add_argument("--foretrace", default=HERE.parent / "target/release/foretrace")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        programs = folder / "programs.jsonl"
        with open(programs, "w") as out:
            make = [sys.executable, HERE.parent / "training/programs", "--count", str(a.programs), "--seed", "77"]
            subprocess.run(make, check=True, stdout=out)
        subprocess.run([a.foretrace, "trace", "--batch", programs, "-o", folder / "recordings"], check=True, stderr=subprocess.DEVNULL)
        recordings = sorted((folder / "recordings").glob("*.jsonl"))
        for dialect, window in WINDOW.items():
            kinds = {"1 thread": ["--threads", "1"], "all cores": []}
            ours, theirs, said, number = {kind: [] for kind in kinds}, [], {}, 0
            for _ in range(a.runs):
                baseline = [sys.executable, HERE / "dataset_baseline.py", dialect, folder / "python", *recordings, "--window", str(window)]
                seconds, text = timed(baseline)
                theirs.append(seconds)
                python = json.loads(text)
                for kind, threads in kinds.items():
                    number += 1
                    out = folder / f"{dialect}{number}"
                    seconds, _ = timed([a.foretrace, "dataset", *recordings, "-o", out, "--dialect", dialect, "--window", str(window), *STRAIGHT, *threads])
                    ours[kind].append(seconds)
                    said[kind] = json.loads((out / "manifest.json").read_text())
                    if dialect == "native":
                        equal(out / "00000.jsonl", folder / "python.jsonl")
            python_seconds = statistics.median(theirs)
            for kind in kinds:
                seconds, unit = statistics.median(ours[kind]), said[kind]["unit"]
                answers = sum(said[kind]["actions"].values())
                row = {
                    "dialect": dialect,
                    "threads": kind,
                    "answers": answers,
                    "answers_in_python": python["answers"],
                    f"{unit}_per_second": round(said[kind][unit] / seconds),
                    f"{unit}_per_second_in_python": round(python["tokens"] / python_seconds),
                    "vs_python": round(said[kind][unit] / seconds / (python["tokens"] / python_seconds), 2),
                    "answers_vs_python": round(answers / seconds / (python["answers"] / python_seconds), 2),
                }
                if a.json:
                    print(json.dumps(row), flush=True)
                else:
                    print(f"{dialect:8} {kind:10} {row[f'{unit}_per_second'] / 1e6:7.2f} million {unit} a second, {row['vs_python']:.1f} times Python ({row['answers_vs_python']:.1f} in answers)", flush=True)


if __name__ == "__main__":
    main()
