#!/bin/sh
# Builds what measures speed, as the host is built for users, and runs it. usage: bench.sh [recall|stream]
# BENCH_SIZES=1000,10000 and BENCH_TEXTS=brief choose stores of recall's, BENCH_EVENTS=1000 a shorter reply of stream's.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
part=${1:-recall stream}
build=$root/build/bench
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DSELFMIND_BENCH=ON -DSELFMIND_TESTS=ON >/dev/null
cmake --build "$build" --target bench-recall selfmind-host messages-server -j "$(nproc 2>/dev/null || echo 2)" \
  >"$build/build.log" 2>&1 || { cat "$build/build.log"; exit 1; }

# Stores of hundreds of megabytes: also those of a run that is stopped must go.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM HUP

case "$part" in *recall*) TMPDIR=$folder "$build/bin/bench-recall" ;; esac
case "$part" in *stream*)
  if [ -r /proc/self/schedstat ]; then
    nvim=$(tests/tools/neovim.sh 0.12)
    TMPDIR=$folder SELFMIND_BIN=$build/bin SELFMIND_NVIM=$nvim "$nvim" -l tests/bench/stream.lua
  else
    echo "The stream's bench reads processor times from /proc, which is not here."
  fi
  ;;
esac
