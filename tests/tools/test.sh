#!/bin/sh
# Builds everything with assertions and runs all tests: C++, then Lua and end to end in each Neovim. The last line counts
# them. usage: test.sh [PART]: only C++ test programs and Lua files whose name holds PART.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
part=${1:-}
build=$root/build/dev
jobs=$(nproc 2>/dev/null || echo 2)
passed=0
failed=0

stop() { echo "$1"; echo "$passed passed, $((failed + 1)) failed"; exit 1; }

cmake --preset dev >"$root/build-dev.log" 2>&1 || { cat "$root/build-dev.log"; rm -f "$root/build-dev.log"; stop "cmake failed"; }
rm -f "$root/build-dev.log"
cmake --build "$build" -j "$jobs" || stop "the build failed"

for program in "$build"/bin/*_test; do
  name=$(basename "$program")
  case "$name" in *"$part"*) ;; *) continue ;; esac
  report=$build/$name.xml
  rm -f "$report"
  "$program" -r xml -o "$report" >/dev/null 2>"$build/$name.err"
  code=$?
  counts=$(sed -n 's/.*<OverallResultsCases successes="\([0-9]*\)" failures="\([0-9]*\)".*/\1 \2/p' "$report" 2>/dev/null | tail -n 1)
  ok=${counts% *}; bad=${counts#* }
  [ -n "$counts" ] || { ok=0; bad=1; }
  [ "$code" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
  printf '%-16s %4d passed, %d failed\n' "$name" "$ok" "$bad"
  [ "$bad" -eq 0 ] || { cat "$build/$name.err"; "$program" 2>&1 | tail -n 60; }
  passed=$((passed + ok)); failed=$((failed + bad))
done

for version in 0.10 0.12; do
  nvim=$(tests/tools/neovim.sh "$version") || { failed=$((failed + 1)); continue; }
  for suite in lua e2e; do
    log=$build/$suite-$version.log
    SELFMIND_BIN="$build/bin" SELFMIND_NVIM="$nvim" "$nvim" -l "tests/$suite/run.lua" $part >"$log" 2>&1
    code=$?
    counts=$(sed -n 's/^\([0-9]*\) success[a-z]* \/ \([0-9]*\) failure[s]* \/ \([0-9]*\) error[s]* .*/\1 \2 \3/p' "$log" | tail -n 1)
    set -- $counts
    ok=${1:-0}; bad=$((${2:-1} + ${3:-0}))
    [ "$code" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    printf '%-16s %4d passed, %d failed (Neovim %s)\n' "$suite" "$ok" "$bad" "$version"
    [ "$bad" -eq 0 ] || cat "$log"
    passed=$((passed + ok)); failed=$((failed + bad))
  done
done

if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ]; then
  echo "no test has \"$part\" in its name"
  failed=1
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
