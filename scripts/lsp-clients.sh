#!/bin/sh
# Drives `whydunit lsp` by clients that are not ours, on a program of make, a library of CMake and a workspace of cargo: Neovim's own
# client, Emacs's eglot, and the library of VS Code's clients under node (fetched from npm, pinned) for lenses, hints and progress.
# Needs node, npm, nvim (0.7 or newer), emacs with eglot (Debian: neovim emacs-nox elpa-eglot), and a build of whydunit (the first
# argument, else target/debug/whydunit). Clients that are not there are said to be left out.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
WHYDUNIT=$(realpath "${1:-$here/target/debug/whydunit}")
export WHYDUNIT
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" vscode-languageserver-protocol@3.18.5 >/dev/null

# client NAME PROJECT CASE TESTS TEST: drives one client; a failure ends the script.
client() {
    case $1 in
        neovim)
            command -v nvim >/dev/null || { echo "neovim is not there: left out"; return; }
            (cd "$2" && WHYDUNIT_CASE=$3 timeout 200 nvim --headless --clean -c "set runtimepath+=$here/editors/neovim" \
                -c "luafile $here/scripts/lsp-clients/neovim.lua") ;;
        emacs)
            command -v emacs >/dev/null || { echo "emacs is not there: left out"; return; }
            (cd "$2" && WHYDUNIT_CASE=$3 timeout 200 emacs --batch --no-init-file -L "$here/editors/emacs" \
                --eval '(progn (require (quote package)) (package-initialize))' -l "$here/scripts/lsp-clients/emacs.el" 2>&1) \
                >"$folder/emacs.log" || { cat "$folder/emacs.log" >&2; return 1; } ;;
        node)
            NODE_PATH="$folder/node_modules" node "$here/scripts/lsp-clients/client.js" "$WHYDUNIT" "$2" "$3" "$4" "$5" ;;
    esac
    echo "$(basename "$2") by $1: as it should be"
}

# drive SUBJECT TEST CASE TESTS: builds a subject, records its failing test and locates its fault; then each client opens it. CASE is a source, words of
# a diagnostic, a text where a variable stands, and words of its hover; TESTS is the source that declares the test.
drive() {
    project=$folder/$(basename "$1")
    cp -r "$here/subjects/$1" "$project"
    (cd "$project" && "$WHYDUNIT" build >/dev/null 2>&1 && "$WHYDUNIT" record "$2" >/dev/null 2>&1 &&
        "$WHYDUNIT" locate "$2" >/dev/null 2>&1 || [ $? -eq 1 ]) || {
        echo "$1 cannot be recorded and located" >&2
        exit 1
    }
    for name in neovim emacs node; do
        client "$name" "$project" "$3" "$4" "$2"
    done
}

drive demo five-for-three-high-rest 'offer.c|suspicious: rank 1|pieces += started|in the failing run of' cases.jsonl
drive editors/library counts 'notes.c|fgetc of FILE|count = 0|last `2`' CMakeLists.txt
drive editors/workspace 'till tests::two_are_paid' 'ledger/src/lib.rs|suspicious: rank |paid += price|last `10`' till/src/lib.rs
