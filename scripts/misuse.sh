#!/usr/bin/env bash
# The pages of subjects/misuse-pages by `whydunit check` and by the checkers of clang's analyzer for streams, descriptors, memory and mutexes: how many of the marked lines each
# reports, and how many lines that are not marked. Prints a table. Exit status 1 when whydunit misses a marked line or reports another one.
#
# WHYDUNIT: the binary [target/release/whydunit]. CLANG: the analyzer [clang-22].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
clang=${CLANG:-clang-22}
[ -x "$whydunit" ] || { echo "$whydunit is not there: make it with cargo build --release, or set WHYDUNIT" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
cp -r "$here/subjects/misuse-pages" "$work/pages"
cd "$work/pages" || exit 2

grep -n '/\* wrong: ' -- *.c | cut -d: -f1,2 | sort -u > "$work/marked"
"$whydunit" check --format json 2> "$work/log" | jq -r '.findings[].location | "\(.file):\(.line)"' | sort -u > "$work/whydunit"
checkers=unix.Stream,unix.Malloc,unix.StdCLibraryFunctions,alpha.unix.PthreadLock
for page in *.c; do
    "$clang" --analyze --analyzer-no-default-checks -Xclang -analyzer-checker=$checkers "$page" -o "$work/plist" 2>&1
done | sed -n 's/^\([a-z]*\.c:[0-9]*\):.*warning: .*/\1/p' | sort -u > "$work/clang"

failed=0
echo '| half | marked lines | whydunit: found | not marked | clang: found | not marked |'
echo '|---|---|---|---|---|---|'
for half in tuned kept; do
    printf '| %s | %d' $half "$(grep -c "^$half" "$work/marked")"
    for tool in whydunit clang; do
        found=$(grep "^$half" "$work/marked" | comm -12 - "$work/$tool" | wc -l)
        other=$(grep "^$half" "$work/$tool" | comm -13 "$work/marked" - | wc -l)
        printf ' | %d | %d' "$found" "$other"
    done
    echo ' |'
done
cmp -s "$work/marked" "$work/whydunit" || failed=1
exit $failed
