#!/usr/bin/env bash
# A few minutes of one large GPU, on a machine that has PyTorch and nothing else of ours.
#
#   training/gpu.sh pack DATA.tar.xz SHARDS HELD     here: the shard folders in one small file
#   training/gpu.sh train DATA.tar.xz OUT [MINUTES]  there: weights come back in OUT as pieces of 15 MB
#   training/gpu.sh join OUT RUN                     here: pieces -> RUN/last.pt, for export.py and --init
#
# The model is the largest that is 20 MB once quantized. MINUTES (10) are all that `train`
# takes, unpacking and saving included. SIZE overrides the model's, for a rehearsal without a GPU.
set -euo pipefail
cd "$(dirname "$0")"
: "${SIZE:=--dim 384 --layers 9 --heads 6 --ff 1024 --tokens 65536}"

case "${1:-}" in
pack)
    folder="$(mktemp -d)"
    trap 'rm -rf "$folder"' EXIT
    ln -s "$(realpath "$3")" "$folder/shards"
    ln -s "$(realpath "$4")" "$folder/held"
    tar -C "$folder" -chf - shards held | xz -T0 -6 >"$2"
    ls -l "$2"
    ;;
train)
    work="$(mktemp -d)"
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$3"
    xz -dc "$2" | tar -C "$work" -xf -
    hours="$(python3 -c "print(max(float('${4:-10}') - 1 - $SECONDS / 60, 0.1) / 60)")"
    # shellcheck disable=SC2086
    python3 train.py --data "$work/shards" --held "$work/held" --out "$work/run" --hours "$hours" \
        --rate .005 --other-rate .002 --decay .5 --save-minutes 1 --evaluations 6 $SIZE | tee "$3/log.jsonl"
    python3 - "$work/run/last.pt" "$work/weights.pt" <<'PY'
import sys, torch
saved = torch.load(sys.argv[1], map_location="cpu", weights_only=True)
saved["model"] = {name: weight.half() for name, weight in saved["model"].items()}
del saved["optimiser"]  # twice the weights, and a run from them begins a schedule of its own
torch.save(saved, sys.argv[2])
PY
    split -b 15M -d "$work/weights.pt" "$3/weights."
    ls -l "$3"
    ;;
join)
    mkdir -p "$3"
    cat "$2"/weights.* >"$3/last.pt"
    ls -l "$3/last.pt"
    ;;
*)
    sed -n '2,10s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
