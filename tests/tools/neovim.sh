#!/bin/sh
# Prints the path of a Neovim: 0.10 or newer where no version is asked for, else one of that minor version.
# usage: neovim.sh [0.10|0.12]
# The machine's own is taken where it fits. Else, on Debian and Ubuntu for x86-64, the packages of a newer Debian suite are
# fetched through apt from the archive this machine already uses and unpacked into .deps/, next to the system.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
wanted=${1:-}

version_of() { "$1" --version 2>/dev/null | sed -n '1s/^NVIM v\([0-9]*\.[0-9]*\).*/\1/p'; }
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }
fits() {
  have=$(version_of "$1")
  case "$wanted" in
    "") [ -n "$have" ] && at_least "$have" 0.10 ;;
    0.10) [ "$have" = 0.10 ] ;;
    *) [ -n "$have" ] && at_least "$have" "$wanted" ;;
  esac
}

own=$(command -v nvim || true)
if [ -n "$own" ] && fits "$own"; then echo "$own"; exit 0; fi

case "$wanted" in "" | 0.10) suite=trixie ;; *) suite=forky ;; esac
dir=$root/.deps/neovim-$suite
if [ -x "$dir/nvim" ] && fits "$dir/nvim"; then echo "$dir/nvim"; exit 0; fi

cannot() {
  echo "Neovim ${wanted:-0.10} or newer is needed and $1." >&2
  echo "Releases for Linux and macOS are at github.com/neovim/neovim/releases; put nvim on the PATH." >&2
  exit 1
}
command -v apt-get >/dev/null || cannot "this system has no apt to fetch it with"
command -v patchelf >/dev/null || cannot "patchelf, needed to set it up, is missing"
[ "$(uname -m)" = x86_64 ] || cannot "only x86-64 packages can be set up here"
site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' | sort | uniq -c | sort -rn | awk 'NR==1 {print $2}')
[ -n "$site" ] || cannot "apt knows no Debian archive here"

# A run that was cut off must not leave half a Neovim behind: it is made beside its place and moved there. The path is
# written into the program, so the move comes first and the last step after it.
rm -rf "$dir"
state=$dir/apt
mkdir -p "$state/lists/partial" "$state/archives/partial" "$dir/root"
: > "$state/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $suite main" > "$state/sources.list"
separate_apt() {
  apt-get -qq -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::Lists="$state/lists" -o Dir::State::status="$state/status" \
    -o Dir::Cache="$state" -o Dir::Cache::archives="$state/archives" -o APT::Sandbox::User=root "$@" >&2
}
echo "Fetching Neovim from the archive's suite $suite" >&2
separate_apt update
separate_apt -y --no-install-recommends --download-only install neovim
for deb in "$state"/archives/*.deb; do dpkg-deb -x "$deb" "$dir/root"; done
rm -rf "$state"
# The package looks for its tree-sitter parsers beside the runtime.
ln -sfn ../../../lib/nvim/parser "$dir/root/usr/share/nvim/runtime/parser"
# It starts itself a second time for the screen, so it has to run without a loader in front of it.
patchelf --set-interpreter "$dir/root/usr/lib64/ld-linux-x86-64.so.2" --force-rpath \
  --set-rpath "$dir/root/usr/lib/x86_64-linux-gnu" "$dir/root/usr/bin/nvim"
printf '#!/bin/sh\nexport VIMRUNTIME="%s"\nexec "%s" "$@"\n' \
  "$dir/root/usr/share/nvim/runtime" "$dir/root/usr/bin/nvim" > "$dir/nvim.new"
chmod +x "$dir/nvim.new"
mv "$dir/nvim.new" "$dir/nvim"
fits "$dir/nvim" || cannot "the archive's suite $suite has $(version_of "$dir/nvim")"
echo "$dir/nvim"
