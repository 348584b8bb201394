#!/bin/sh
# How long `whydunit lsp` takes from a save to the findings of `check`, beside clang's own time for the source.
# Usage: scripts/lsp-speed.sh PROJECT SOURCE [WHYDUNIT]: PROJECT was built by `whydunit build -- COMMAND`, SOURCE is a path in it.
# Needs node and clang-22.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 2 ] || { echo "usage: $0 PROJECT SOURCE [WHYDUNIT]" >&2; exit 2; }
node "$here/scripts/lsp-clients/speed.js" "$(realpath "${3:-$here/target/debug/whydunit}")" "$(realpath "$1")" "$2"
