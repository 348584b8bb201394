#!/usr/bin/env bash
# tree.sh FOLDER: lays out in FOLDER (which is made anew) what is installed, as it lies below a prefix such as /usr: the programs
# without their debug information, pages for man, completions, what jobs of CI run, licences. The debug information goes to FOLDER.debug, where
# debuggers look for it when that is copied below the prefix, too.
# The programs are those that `cargo build --release` made, below CARGO_TARGET_DIR [target].
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/.."
tree=$1 built=${CARGO_TARGET_DIR:-target}/release
for program in whydunit whydunit-face; do
    [ -x "$built/$program" ] || { echo "tree.sh: $built/$program is not there: make it with \`make build\`" >&2; exit 1; }
done
rm -rf "$tree" "$tree.debug"
mkdir -p "$tree/bin" "$tree.debug/lib/debug/bin"
for program in whydunit whydunit-face; do
    debug=$tree.debug/lib/debug/bin/$program.debug
    objcopy --only-keep-debug "$built/$program" "$debug"
    install -m 755 "$built/$program" "$tree/bin/$program"
    strip --strip-all "$tree/bin/$program"
    # A debugger finds it by this name and its checksum.
    objcopy --add-gnu-debuglink="$debug" "$tree/bin/$program"
    chmod 644 "$debug"
done
"$tree/bin/whydunit" manual --man-pages "$tree/share/man/man1"
completions() {
    mkdir -p "$tree/share/$2"
    "$tree/bin/whydunit" completions "$1" >"$tree/share/$2/$3"
}
completions bash bash-completion/completions whydunit
completions zsh zsh/site-functions _whydunit
completions fish fish/vendor_completions.d whydunit.fish
install -D -m 755 -t "$tree/share/whydunit/ci" ci/*.sh
install -D -m 644 -t "$tree/share/whydunit/ci" ci/*.yml
install -D -m 644 -t "$tree/share/doc/whydunit" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE
