#!/usr/bin/env bash
# Reviews the bad fix and the good fix of each subject of subjects/fixes, and says which verdicts are right.
#
# fixes.sh OUT [NAME...] [-- OPTION...]: works in OUT; the options go to `whydunit review`.
# WHYDUNIT: the binary [target/release/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
[ $# -ge 1 ] && [ -x "$whydunit" ] || { echo "usage: fixes.sh OUT [NAME...] [-- OPTION...]; needs $whydunit" >&2; exit 2; }
mkdir -p "$1" && out=$(cd "$1" && pwd)
shift
names=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do names+=("$1"); shift; done
[ $# = 0 ] || shift
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(find "$here/subjects/fixes" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | LC_ALL=C sort)

# key NAME FILE [head|tail]: the first or last value of a key in indented JSON.
key() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" | "${3:-head}" -n 1; }

right=0 all=0
printf '%-18s %-5s %-18s %-8s %9s %7s %9s %7s %9s %9s  %s\n' subject fix verdict by distance paths feasible runs solver seconds ''
for name in "${names[@]}"; do
    rm -rf "${out:?}/$name" && cp -r "$here/subjects/fixes/$name" "$out/$name"
    for fix in bad good; do
        answer=$out/$name/$fix.json
        (cd "$out/$name" && "$whydunit" --format json review $fix.diff "$@" >"$answer" 2>"$answer.err")
        wanted=no-counterexample
        [ $fix = good ] || wanted=bad-$(sed -n 's/.*"bad": *"\([a-z]*\)".*/\1/p' "$out/$name/truth.json")
        verdict=$(key verdict "$answer") mark=wrong
        [ "$verdict" != "$wanted" ] || { mark= right=$((right + 1)); }
        all=$((all + 1))
        runs=$(($(key runs_before "$answer") + $(key runs_after "$answer")))
        printf '%-18s %-5s %-18s %-8s %9s %7s %9s %7s %9s %9s  %s\n' "$name" $fix "${verdict:-none}" "$(key by "$answer")" "$(key distance "$answer")" \
            "$(key paths "$answer" tail)" "$(key feasible "$answer" tail)" "$runs" "$(key solve_seconds "$answer")" "$(key search_seconds "$answer")" "$mark"
    done
done
echo "$right of $all verdicts are right"
