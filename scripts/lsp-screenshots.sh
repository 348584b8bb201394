#!/bin/sh
# Pictures of an editor with `whydunit lsp`, for the manual: Neovim in a terminal without a screen (tmux), as SVG in docs/book/src/pictures.
# Needs nvim (0.7 or newer), tmux, node, cmake, and a build of whydunit (the first argument, else target/debug/whydunit).
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=$(realpath "${1:-$here/target/debug/whydunit}")
pictures=$here/docs/book/src/pictures
folder=$(mktemp -d)
socket=$folder/tmux
trap 'tmux -S "$socket" kill-server 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir -p "$pictures"

# screen: what the terminal shows.
screen() { tmux -S "$socket" capture-pane -p -e -t editor; }

# waits WORDS: until the terminal shows these.
waits() {
    for _ in $(seq 300); do
        if screen | grep -qF "$1"; then
            sleep 1
            return
        fi
        sleep 0.2
    done
    screen >&2
    echo "the editor does not show: $1" >&2
    exit 1
}

# picture NAME PROJECT FILE LINE WORDS KEYS THEN DESCRIPTION: opens a file at a line, waits until WORDS are shown, types KEYS, and takes
# the picture when THEN is shown.
picture() {
    cat >"$folder/init.lua" <<LUA
vim.opt.runtimepath:append('$here/editors/neovim')
vim.cmd('set noswapfile number laststatus=0 noruler noshowcmd signcolumn=yes termguicolors background=dark scrolloff=4 shortmess+=I')
vim.diagnostic.config({ severity_sort = true })
require('whydunit').setup({ command = { '$whydunit', 'lsp' } })
LUA
    tmux -S "$socket" -f /dev/null new-session -d -s editor -x 110 -y 24 \
        "cd '$2' && nvim -u '$folder/init.lua' '+$4' '$3'"
    sleep 1
    tmux -S "$socket" send-keys -t editor ':w' Enter
    waits "$5"
    if [ -n "$6" ]; then
        tmux -S "$socket" send-keys -t editor "$6" Enter
        waits "$7"
    fi
    screen | node "$here/scripts/lsp-clients/terminal.js" "$8" >"$pictures/$1.svg"
    tmux -S "$socket" kill-session -t editor
    echo "$pictures/$1.svg"
}

cp -r "$here/subjects/misuse" "$here/subjects/demo" "$folder"
(cd "$folder/misuse" && "$whydunit" build >/dev/null 2>&1)
(cd "$folder/demo" && "$whydunit" build >/dev/null 2>&1 && "$whydunit" record five-for-three-high-rest >/dev/null 2>&1
    "$whydunit" locate five-for-three-high-rest >/dev/null 2>&1 || [ $? -eq 1 ]
    "$whydunit" repair >/dev/null 2>&1 || [ $? -eq 1 ])
line=$(grep -n 'used_after_finish' "$folder/misuse/across.c" | head -1 | cut -d: -f1)
picture editor-misuse "$folder/misuse" across.c "$line" 'that is closed' '' '' \
    'Neovim with across.c: behind the line that reads a file which was closed stands what check says of it'
line=$(grep -n 'pieces += started' "$folder/demo/offer.c" | cut -d: -f1)
picture editor-values "$folder/demo" offer.c "$line" 'suspicious' \
    ":lua vim.fn.search('pieces'); vim.lsp.buf.hover()" 'in the failing run' \
    'Neovim with offer.c: a window over the variable pieces has its first and last value in the failing run'
picture editor-actions "$folder/demo" offer.c "$line" 'suspicious' \
    ':lua vim.lsp.buf.code_action()' 'replace' \
    'Neovim with offer.c: the list of actions has the patch that repair has found'
