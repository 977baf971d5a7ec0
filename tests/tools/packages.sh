#!/bin/sh
# Installs the system packages that are missing, where it may; elsewhere says what to install and goes on.
# usage: packages.sh build|test|check|soak
set -eu

build_apt="cmake make g++ pkg-config ca-certificates libmsgpack-cxx-dev libuv1-dev libcurl4-openssl-dev libsqlite3-dev
  nlohmann-json3-dev libcli11-dev libutf8proc-dev libstemmer-dev libspdlog-dev libsodium-dev patchelf"
test_apt="catch2 lua-busted lua-check git"
build_brew="cmake pkg-config msgpack-cxx libuv curl sqlite nlohmann-json cli11 utf8proc snowball spdlog libsodium"
test_brew="catch2 luarocks luacheck"

case "${1:-build}" in
  test) build_apt="$build_apt $test_apt"; build_brew="$build_brew $test_brew" ;;
  soak) build_apt="$build_apt $test_apt sqlite3"; build_brew="$build_brew $test_brew" ;;
  check) build_apt="$build_apt $test_apt clang-format"; build_brew="$build_brew $test_brew clang-format" ;;
esac

by_apt() {
  missing=
  for package in $build_apt; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ]; then as=
  elif sudo -n true 2>/dev/null; then as=sudo
  elif [ -t 0 ] && command -v sudo >/dev/null; then as=sudo
  else
    echo "Missing packages, and no right to install them. Please run: apt-get install$missing" >&2
    exit 1
  fi
  echo "Installing:$missing"
  # shellcheck disable=SC2086
  $as apt-get update -qq
  # shellcheck disable=SC2086
  $as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

by_brew() {
  missing=
  for package in $build_brew; do brew list --versions "$package" >/dev/null 2>&1 || missing="$missing $package"; done
  [ -n "$missing" ] || return 0
  echo "Installing:$missing"
  # shellcheck disable=SC2086
  brew install -q $missing
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then by_apt
elif command -v brew >/dev/null; then by_brew
else
  echo "This system has neither apt nor brew; the build needs, under its names here:" $build_apt
fi
