#!/bin/sh
# The C++ tests under the sanitizers.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
for preset in asan tsan; do
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" -j "$(nproc 2>/dev/null || echo 2)"
  ctest --preset "$preset" --output-on-failure
done
