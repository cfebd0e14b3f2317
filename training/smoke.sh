#!/usr/bin/env bash
# The whole recipe in small: programs -> recordings -> shards -> a model -> GGUF -> one
# debugged program. Installs PyTorch into a cached virtual environment on first use.
set -euo pipefail
cd "$(dirname "$0")/.."

cache="${XDG_CACHE_HOME:-$HOME/.cache}/foretrace-train"
python="$cache/venv/bin/python"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
foretrace="${FORETRACE:-target/release/foretrace}"

if ! "$python" -c 'import torch, gguf, transformers, accelerate' 2>/dev/null; then
    mkdir -p "$cache"
    python3 -m venv "$cache/venv"
    "$cache/venv/bin/pip" install --quiet -r training/requirements.txt
fi

"$python" -m unittest discover -s training/tests

for part in "train 400 1" "held 40 2"; do
    read -r name count seed <<<"$part"
    python3 training/programs --count "$count" --seed "$seed" --easy 1 >"$work/$name.jsonl"
    python3 training/decontaminate.py "$work/$name.jsonl" # the generator does it too: nothing is left
    "$foretrace" trace --batch "$work/$name.jsonl" -o "$work/$name-recordings"
    "$foretrace" dataset "$work/$name-recordings" -o "$work/$name" --dialect compact --window 512 --seed 1 --actions into
done

# Stopped half way and started again: a resumed run must go on, not begin anew.
train() { "$python" "${launch[@]}" training/train.py --data "$work/train" --held "$work/held" --out "$work/run" --dim 64 --layers 2 --heads 1 --ff 128 --window 512 --tokens 2048 --evaluations 2 --held-documents 20 "$@"; }
launch=()
train --steps 30 >"$work/first.log"
train --steps 60 >"$work/second.log"
launch=(-m torch.distributed.run --nproc-per-node 2) # two processes go on with one model
train --steps 64 >"$work/third.log" 2>"$work/third.err"
"$python" - "$work"/{first,second,third}.log <<'PY'
import json, sys
first, second, third = ([json.loads(line) for line in open(path)] for path in sys.argv[1:])
before = [r["loss"] for r in first if "exact" in r]
after = [r["loss"] for r in second if "exact" in r]
assert any(r.get("resumed") for r in second), "the second run did not resume"
assert after[-1] < before[0], f"the loss did not fall: {before} then {after}"
assert third[-1]["step"] == 64 and any(r.get("ranks") == 2 for r in third), "two processes did not go on"
alone = second[-1]["tokens"] / second[-1]["step"]
together = (third[-1]["tokens"] - second[-1]["tokens"]) / 4
assert 1.2 * alone < together, f"a step of two processes read {together:.0f} tokens, of one {alone:.0f}"
print(f"loss {before[0]:.2f} -> {after[-1]:.2f} over {second[-1]['step']} steps")
PY

"$python" training/export.py "$work/run/last.pt" "$work/train" "$work/tiny.gguf"
"$foretrace" predict sample_programs/count_letters.py --model "$work/tiny.gguf" -c s -c s --json >"$work/out.jsonl"
python3 tests/legal_output.py sample_programs/count_letters.py "$work/out.jsonl"

# A model that exists already learns the paper's language: two steps, then it is debugged with.
if [ -n "${FORETRACE_SMOLLM2:-}" ]; then
    "$foretrace" dataset "$work/held-recordings" -o "$work/native" --dialect native --actions into
    tune() { "$python" training/finetune.py --init "$FORETRACE_SMOLLM2" --out "$work/tuned" "$@" 2>>"$work/tune.log"; }
    tune --data "$work/native" --held "$work/native" --window 700 --steps 2 --tokens 700 --held-documents 2 --evaluations 1 || { cat "$work/tune.log"; exit 1; }
    tune --export "$work/tuned.gguf" || { cat "$work/tune.log"; exit 1; }
    "$foretrace" predict sample_programs/count_letters.py --model "$work/tuned.gguf" -c s -c s --json >"$work/out.jsonl"
    python3 tests/legal_output.py sample_programs/count_letters.py "$work/out.jsonl"
fi
echo "training smoke test passed"
