#!/bin/sh
# What can be checked without running anything: formatting, Lua, help tags.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
bad=0
if command -v clang-format >/dev/null; then
  git ls-files 'native/*.h' 'native/*.cpp' 'tests/*.h' 'tests/*.cpp' | xargs clang-format --dry-run -Werror || bad=1
else
  echo "clang-format is missing: formatting was not checked"; bad=1
fi
luacheck -q lua plugin tests || bad=1
nvim=$(tests/tools/neovim.sh) || exit 1
"$nvim" --headless -u NONE --cmd "try | helptags doc | catch | echo v:exception | cquit | endtry" +q || bad=1
rm -f doc/tags
exit $bad
