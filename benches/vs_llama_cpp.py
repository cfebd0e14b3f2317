"""The model runtime against llama.cpp on the same files, in one run.

    python3 benches/vs_llama_cpp.py [--json] [--threads 1 2] [--rounds 3] [--busy] FILE.gguf ...

Prompt: 512 tokens. Decode: 64 tokens behind them, one by one, whole output head. Steps: real
debugger steps of `foretrace predict` on a sample program; llama.cpp reads as many new prompt
tokens a step (it has its own prefix cache) and then samples as many answer tokens one by one.
Peak: resident memory. Rounds of both engines alternate; figures are ratios of medians, above 1
where foretrace is faster, and for the peak below 1 where it needs less. `--busy` runs two other
busy processes beside both.

Needs `cargo build --release`, `cargo bench --no-run` and a Python with llama-cpp-python, which
`--llama PYTHON` names. llama.cpp's GBNF sampling is not compared yet: null.
"""

import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROMPT, DECODE = 512, 64
COMMANDS = ["-c", "s"] * 12

LLAMA = r'''
import ctypes, json, random, resource, sys, time
import llama_cpp as L
path, threads, work = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
PROMPT, DECODE = 512, 64
@L.llama_log_callback
def quiet(level, text, data): pass
L.llama_log_set(quiet, ctypes.c_void_p(0))
L.llama_backend_init()
p = L.llama_model_default_params(); p.n_gpu_layers = 0
m = L.llama_model_load_from_file(path.encode(), p)
c = L.llama_context_default_params(); c.n_ctx = 8192; c.n_batch = 512
c.n_threads = c.n_threads_batch = threads
ctx = L.llama_init_from_model(m, c)
vocab = L.llama_model_get_vocab(m); n = L.llama_vocab_n_tokens(vocab)
chain = L.llama_sampler_chain_init(L.llama_sampler_chain_default_params())
L.llama_sampler_chain_add(chain, L.llama_sampler_init_greedy())
draw = random.Random(1)
batch = L.llama_batch_init(512, 0, 1)
at = 0
def feed(count):
    global at
    while count:
        part = min(count, 512)
        for i in range(part):
            batch.token[i] = draw.randrange(100, n - 100); batch.pos[i] = at + i
            batch.n_seq_id[i] = 1; batch.seq_id[i][0] = 0; batch.logits[i] = part == count and i == part - 1
        batch.n_tokens = part
        assert L.llama_decode(ctx, batch) == 0
        at += part; count -= part
    L.llama_get_logits_ith(ctx, -1)
def clear():
    global at
    L.llama_memory_clear(L.llama_get_memory(ctx), True); at = 0
def timed(what):
    start = time.perf_counter(); what(); return time.perf_counter() - start
def decode(count, sampled):
    for _ in range(count):
        feed(1)
        if sampled: L.llama_sampler_sample(chain, ctx, -1)
clear(); feed(64)
clear(); prompt = timed(lambda: feed(PROMPT))
one = timed(lambda: decode(DECODE, False))
clear(); feed(work["first"])
def steps():
    for read, answer in work["steps"]:
        feed(read); decode(answer, True)
print(json.dumps({"prompt": PROMPT / prompt, "decode": DECODE / one, "steps": len(work["steps"]) / timed(steps),
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
'''


def newest(pattern):
    found = [p for p in glob.glob(str(ROOT / pattern)) if os.access(p, os.X_OK) and not p.endswith(".d")]
    if not found:
        raise SystemExit("build first: cargo build --release && cargo bench --no-run")
    return max(found, key=os.path.getmtime)


def runtime(binary, model, threads):
    """Prompt and decode speed of our own runtime, and its peak memory."""
    out = subprocess.run([binary, "--bench", model, "--json", "--threads", str(threads)], capture_output=True, text=True, check=True)
    rows = {row["name"]: row["value"] for row in map(json.loads, out.stdout.splitlines())}
    return {"prompt": rows["prompt of 512"], "decode": 1000 / rows["one token behind 512"], "peak": rows["peak"] * 1e6}


def predicted(model, threads):
    """(steps a second, what they cost): the first answer, which reads the program, is left out."""
    program = ROOT / "sample_programs" / "count_letters.py"

    def run(commands):
        line = [str(ROOT / "target/release/foretrace"), "predict", str(program), "--model", model, "--threads", str(threads), "--stats", *commands]
        done = subprocess.run(line, capture_output=True, text=True)
        return json.loads(done.stderr.splitlines()[-1])

    first, all_ = run(COMMANDS[:2]), run(COMMANDS)
    count = all_["answers"] - first["answers"]
    cost = {key: all_[key] - first[key] for key in ("prompt", "forced", "sampled", "speculated", "accepted", "seconds")}
    answer = (cost["forced"] + cost["sampled"]) / count
    # the last answer's ids are read as part of the next prompt, here and by llama.cpp
    read = max(cost["prompt"] / count - 1, 1)
    work = {"first": first["prompt"] + first["cached"], "steps": [[round(read), round(answer)]] * count}
    return count / cost["seconds"], work, cost


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("models", nargs="+")
    p.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--busy", action="store_true", help="with two busy processes beside both")
    p.add_argument("--json", action="store_true")
    p.add_argument("--llama", default=os.path.expanduser("~/.cache/foretrace-train/llama/bin/python"), help="a Python with llama-cpp-python")
    a = p.parse_args()
    bench = newest("target/release/deps/model-*")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 if a.busy else 0)]
    try:
        for model in a.models:
            for threads in a.threads:
                ours, theirs = [], []
                for _ in range(a.rounds):
                    mine = runtime(bench, model, threads)
                    mine["steps"], work, cost = predicted(model, threads)
                    ours.append(mine)
                    line = [a.llama, "-c", LLAMA, model, str(threads), json.dumps(work)]
                    theirs.append(json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout))
                middle = lambda runs, key: statistics.median(run[key] for run in runs)
                ratio = lambda key: round(middle(ours, key) / middle(theirs, key), 2)
                row = {"model": Path(model).name, "threads": threads, "busy": a.busy, "prompt_ratio": ratio("prompt"), "decode_ratio": ratio("decode"),
                       "steps_ratio": ratio("steps"), "steps_ratio_gbnf": None, "peak_ratio": ratio("peak")}  # fmt: skip
                if a.json:
                    print(json.dumps(row), flush=True)
                else:
                    print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)
                    print(f"  ours {ours[-1]}\n  llama.cpp {theirs[-1]}\n  a run's steps {cost}", flush=True)
    finally:
        for process in busy:
            process.kill()


if __name__ == "__main__":
    main()
