#!/bin/sh
# Builds what measures speed, as the host is built for users, and runs it. BENCH_SIZES=1000,10000 and BENCH_TEXTS=brief
# choose stores of recall's.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
cmake -S . -B build/bench -DCMAKE_BUILD_TYPE=Release -DSELFMIND_BENCH=ON >/dev/null
cmake --build build/bench --target bench-recall -j "$(nproc 2>/dev/null || echo 2)" >build/bench/build.log 2>&1 ||
  { cat build/bench/build.log; exit 1; }

# Stores of hundreds of megabytes: also those of a run that is stopped must go.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM HUP
TMPDIR=$folder build/bench/bin/bench-recall
