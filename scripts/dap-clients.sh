#!/bin/sh
# Drives `whydunit dap` by clients that are not ours, on failing programs of C, C++ and Rust, back from the failure to the fault: the
# library that VS Code's own adapters are tested with, under node (@vscode/debugadapter-testsupport, fetched from npm, pinned), and
# Emacs's dap-mode. Needs node, npm, emacs with dap-mode (Debian: emacs-nox elpa-dap-mode), and a build of whydunit (the first argument,
# else target/debug/whydunit). Clients that are not there are said to be left out.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
WHYDUNIT=$(realpath "${1:-$here/target/debug/whydunit}")
export WHYDUNIT
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Emacs keeps its files in a home of its own; those of Rust stay where they are.
export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}"
npm install --silent --no-audit --no-fund --prefix "$folder" @vscode/debugadapter-testsupport@1.68.0 >/dev/null

# client NAME PROJECT CASE: drives one client; a failure ends the script.
client() {
    case $1 in
        emacs)
            command -v emacs >/dev/null || { echo "emacs is not there: left out"; return; }
            (cd "$2" && HOME=$folder WHYDUNIT_CASE=$3 timeout 200 emacs --batch --no-init-file \
                --eval '(progn (require (quote package)) (package-initialize))' -l "$here/scripts/dap-clients/emacs.el" 2>&1) \
                >"$folder/emacs.log" || { cat "$folder/emacs.log" >&2; return 1; } ;;
        node)
            (cd "$2" && NODE_PATH="$folder/node_modules" WHYDUNIT_CASE=$3 timeout 200 node "$here/scripts/dap-clients/client.js") ;;
    esac
    echo "$(basename "$2") by $1: as it should be"
}

# drive PROJECT CASE: each client debugs a program that was built. CASE is a source, a text in the line of the fault, its function, an
# expression, its value there, and the failing test; an empty test: the latest recording.
drive() {
    for name in node emacs; do
        client "$name" "$1" "$2"
    done
}

cp -r "$here/subjects/demo" "$folder/demo"
(cd "$folder/demo" && "$WHYDUNIT" build >/dev/null 2>&1)
drive "$folder/demo" 'offer.c|pieces += started|free_pieces|started|4|five-for-three-high-rest'

cp -r "$here/subjects/crate" "$folder/crate"
(cd "$folder/crate" && "$WHYDUNIT" build >/dev/null 2>&1 && "$WHYDUNIT" record tests::middle_comes_first >/dev/null 2>&1)
drive "$folder/crate" 'src/lib.rs|middle = y; // the fault: x|middle|x < z && y < x|true|tests::middle_comes_first'

# A failed assertion in a program of C++.
mkdir "$folder/values"
cp "$here/subjects/failures/values.cpp" "$folder/values"
(cd "$folder/values" && "$WHYDUNIT" build -- clang++-22 -g -o program values.cpp >/dev/null 2>&1 &&
    { "$WHYDUNIT" record -- ./program >/dev/null 2>&1 || true; })
drive "$folder/values" 'values.cpp|auto second = |main|own.weight > 1.4|true|'
