#!/bin/sh
# Opens a chat in a profile of its own; without a terminal it holds a scripted conversation over two Neovim runs instead.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
nvim=$("$root/tests/tools/neovim.sh")

if [ -n "${ANTHROPIC_API_KEY:-}${ANTHROPIC_AUTH_TOKEN:-}${ANTHROPIC_BASE_URL:-}" ]; then
  echo "An API key or a server is set: the demo talks to the model."
else
  echo "No API key is set (ANTHROPIC_API_KEY): the demo runs offline, with answers from memory alone."
fi

# A profile of its own: neither the user's configuration nor their memory is touched.
profile() {
  mkdir -p "$1/config" "$1/data" "$1/state" "$1/cache" "$1/project"
  export XDG_CONFIG_HOME="$1/config" XDG_DATA_HOME="$1/data" XDG_STATE_HOME="$1/state" XDG_CACHE_HOME="$1/cache"
  unset NVIM_APPNAME SELFMIND_DB || true
  cd "$1/project"
}

if [ -t 0 ] && [ -t 1 ]; then
  profile "$root/build/demo"
  exec "$nvim" -u "$root/tests/demo/init.lua" -c 'SelfMind chat'
fi

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
profile "$home"

run() { # run TITLE COMMAND MESSAGE
  echo
  echo "== $1"
  SELFMIND_DEMO_OPEN=$2 SELFMIND_DEMO_SAY=$3 \
    "$nvim" --headless -i NONE -u "$root/tests/demo/init.lua" -c "luafile $root/tests/demo/scripted.lua" 2>&1
  echo
}

run "The first Neovim: something is told, then it quits" chat "By the way, our staging database listens on port 5433."
run "A second Neovim, a new chat: asked in other words" new "Which port did I say staging uses?" | tee "$home/second"
grep -q 5433 "$home/second" || { echo "demo: the second Neovim did not get back what the first was told" >&2; exit 1; }
