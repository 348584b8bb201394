#!/bin/sh
# Asks the servers of clangd, rust-analyzer and ruff, and our own, what they can do, and tries what a client may do to them: a line of
# JSON for each, which the table in docs/book/src/lsp.md is made of. Needs node, and what is there of clangd-22 (Debian), rust-analyzer
# (`rustup component add rust-analyzer`) and pip, which fetches ruff (pinned); the argument is a build of whydunit, else
# target/debug/whydunit.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=$(realpath "${1:-$here/target/debug/whydunit}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/project"
set --
command -v clangd-22 >/dev/null && set -- "$@" 'clangd=clangd-22'
rust-analyzer --version >/dev/null 2>&1 && set -- "$@" 'rust-analyzer=rust-analyzer'
pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$folder/ruff" ruff==0.14.5 &&
    set -- "$@" "ruff=$folder/ruff/bin/ruff server"
node "$here/scripts/lsp-clients/servers.js" "$folder/project" "$@" "whydunit=$whydunit lsp"
