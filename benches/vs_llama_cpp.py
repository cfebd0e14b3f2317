"""The model runtime against llama.cpp on the same files, in one run.

    python3 benches/vs_llama_cpp.py [--json] [--threads 1 2] [--rounds 3] [--busy] [--no-steps] FILE.gguf ...

Prompt: 512 tokens. Decode: 64 tokens behind them, one by one, whole output head. Steps: those
that `foretrace predict` takes on a few sample programs, with one general model (prompted
dialect). llama.cpp, which keeps its prefix too, reads as many new prompt tokens a step and
samples as many answer tokens one by one; or (GBNF) it reads the same states as text and
answers each under a grammar of the same form, sampled as llama.cpp's own programs do: the
likeliest token if the grammar takes it, else the likeliest of those it takes. Peak: resident
memory. Rounds of both engines alternate; figures are ratios of medians, above 1 where
foretrace is faster, and for the peak below 1 where it needs less. `--busy` runs two other
busy processes beside both.

Needs `cargo build --release`, `cargo bench --no-run` and a Python with llama-cpp-python, which
`--llama PYTHON` names.
"""

import argparse
import glob
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROMPT, DECODE = 512, 64
# small general models do not end these early
PROGRAMS = ["bubble_sort", "gcd", "palindrome", "stack"]
STEPS = 8
NO_WORK = {"first": 0, "read": 0, "answer": 0, "programs": []}

LLAMA = r'''
import ctypes, json, random, resource, sys, time
import llama_cpp as L
import numpy as np
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
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
def steps(count):
    for _ in range(count):
        feed(work["read"]); decode(work["answer"], True)
seconds = 0
for program in work["programs"]:
    clear(); feed(work["first"])
    seconds += timed(lambda: steps(len(program["states"]) - 1))

buffer = (L.llama_token * 8192)()
def tokens(text):
    text = text.encode()
    return list(buffer[: L.llama_tokenize(vocab, text, len(text), buffer, 8192, False, False)])
piece = ctypes.create_string_buffer(256)
def read(ids):
    """Puts text ids into the context; logits of the last."""
    global at
    while ids:
        part, ids = ids[:512], ids[512:]
        for i, id in enumerate(part):
            batch.token[i] = id; batch.pos[i] = at + i
            batch.n_seq_id[i] = 1; batch.seq_id[i][0] = 0; batch.logits[i] = not ids and i == len(part) - 1
        batch.n_tokens = len(part)
        assert L.llama_decode(ctx, batch) == 0
        at += len(part)
def apply(sampler, ids, logits):
    data = (L.llama_token_data * len(ids))(*[L.llama_token_data(i, logits[i], 0.0) for i in ids]) if len(ids) < 9 else None
    if data is None:
        data = (L.llama_token_data * n)()
        table = np.frombuffer(data, dtype=[("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
        table["id"] = np.arange(n); table["logit"] = np.ctypeslib.as_array(logits, (n,))
    array = L.llama_token_data_array(data, len(data), -1, False)
    L.llama_sampler_apply(sampler, ctypes.byref(array))
    table = np.frombuffer(data, dtype=[("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
    best = int(table["logit"].argmax())
    return int(table["id"][best]), float(table["logit"][best])
def answer(grammar):
    """One state under a grammar; the number of its tokens."""
    text, count = b"", 0
    while not text.endswith(b"\n\n") and count < 192:
        logits = L.llama_get_logits_ith(ctx, -1)
        likeliest = int(np.ctypeslib.as_array(logits, (n,)).argmax())
        id, logit = apply(grammar, [likeliest], logits)
        if logit == float("-inf"):
            id, logit = apply(grammar, range(n), logits)
        L.llama_sampler_accept(grammar, id)
        size = L.llama_token_to_piece(vocab, id, piece, 256, 0, True)
        text += piece.raw[:size]; count += 1
        read([id])
    return count
gbnf_seconds = gbnf_tokens = gbnf_steps = 0
for program in work["programs"]:
    clear(); feed(max(work["first"] - len(tokens(program["listing"])), 1)); read(tokens(program["listing"]))
    for number, state in enumerate(program["states"][:-1]):
        start = time.perf_counter()
        read(tokens(state))
        kept = at
        grammar = L.llama_sampler_init_grammar(vocab, program["gbnf"].encode(), b"root")
        assert grammar
        gbnf_tokens += answer(grammar)
        L.llama_sampler_free(grammar)
        gbnf_seconds += time.perf_counter() - start
        gbnf_steps += 1
        L.llama_memory_seq_rm(L.llama_get_memory(ctx), 0, kept, -1); at = kept
count = sum(len(program["states"]) - 1 for program in work["programs"])
speed = lambda count, seconds: count / seconds if count else 0
print(json.dumps({"prompt": PROMPT / prompt, "decode": DECODE / one, "steps": speed(count, seconds),
                  "gbnf": speed(gbnf_steps, gbnf_seconds), "peak": peak}))
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
    """(steps a second, work for llama.cpp, what they cost). First answers read the program: left out."""
    programs, cost, count, first = [], dict.fromkeys(("prompt", "forced", "sampled", "speculated", "accepted", "seconds"), 0), 0, 0
    for name in PROGRAMS:
        path = ROOT / "sample_programs" / f"{name}.py"

        def run(steps):
            line = [str(ROOT / "target/release/foretrace"), "predict", str(path), "--model", model, "--threads", str(threads), "--json", "--stats"]
            done = subprocess.run(line + ["-c", "s"] * steps, capture_output=True, text=True, check=True)
            states = [row["raw"] for row in map(json.loads, done.stdout.splitlines()) if row.get("raw")]
            return states, json.loads(done.stderr.splitlines()[-1])

        (_, one), (states, all_) = run(1), run(STEPS)
        if len(states) < 3:
            continue
        lines = path.read_text().splitlines()
        places = " | ".join(json.dumps(f"{event} {i}: {line.strip()}") for i, line in enumerate(lines, 1) if line.strip() for event in ("line", "call", "return"))
        names = " | ".join(json.dumps(name) for name in sorted(set(re.findall(r"[a-z_]\w*", path.read_text()))))
        gbnf = f'root ::= place (" => " value)? "\\n" (name " = " value "\\n")* "\\n"\nplace ::= {places}\nname ::= {names}\nvalue ::= [^\\n]+\n'
        listing = "".join(f"{i}: {line}\n" for i, line in enumerate(lines, 1)) + "\nTrace:\n"
        programs.append({"states": states, "gbnf": gbnf, "listing": listing})
        count += all_["answers"] - one["answers"]
        first += one["prompt"] + one["cached"]
        for key in cost:
            cost[key] += all_[key] - one[key]
    if not count:
        raise SystemExit(f"{model} ends every program at once; --no-steps leaves them out")
    # the last answer's ids are read as part of the next prompt, here and by llama.cpp
    read, answer = max(cost["prompt"] / count - 1, 1), (cost["forced"] + cost["sampled"]) / count
    work = {"first": first // len(programs), "read": round(read), "answer": round(answer), "programs": programs}
    return count / cost["seconds"], work, {"steps": count, **cost}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("models", nargs="+")
    p.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--no-steps", dest="steps", action="store_false", help="for random weights, which answer nonsense at great length")
    p.add_argument("--busy", action="store_true", help="with two busy processes beside both")
    p.add_argument("--json", action="store_true")
    p.add_argument("--llama", default=os.path.expanduser("~/.cache/foretrace-train/llama/bin/python"), help="a Python with llama-cpp-python")
    a = p.parse_args()
    bench = newest("target/release/deps/runtime-*")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 if a.busy else 0)]
    try:
        for model in a.models:
            for threads in a.threads:
                ours, theirs = [], []
                for _ in range(a.rounds):
                    mine = runtime(bench, model, threads)
                    mine["steps"], work, cost = predicted(model, threads) if a.steps else (0, NO_WORK, {})
                    ours.append(mine)
                    line = [a.llama, "-c", LLAMA, model, str(threads), json.dumps(work)]
                    theirs.append(json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout))
                middle = lambda runs, key: statistics.median(run[key] for run in runs)
                ratio = lambda key, other=None: round(middle(ours, key) / middle(theirs, other or key), 2) if middle(ours, key) else None
                row = {"model": Path(model).name, "threads": threads, "busy": a.busy, "prompt_ratio": ratio("prompt"), "decode_ratio": ratio("decode"),
                       "steps_ratio": ratio("steps"), "steps_ratio_gbnf": ratio("steps", "gbnf"), "peak_ratio": ratio("peak")}  # fmt: skip
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
