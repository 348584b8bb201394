#!/usr/bin/env bash
# Reviews the incomplete fix and the right one of each pair of subjects/fix-pairs, and says what is said of them.
#
# fix-pairs.sh --use development|final OUT [NAME...] [-- OPTION...]: works in OUT; the options go to `whydunit review`. Pairs for the
# final measurement are for nothing else.
# WHYDUNIT: the binary [target/release/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
usage="usage: fix-pairs.sh --use development|final OUT [NAME...] [-- OPTION...]; needs $whydunit"
[ $# -ge 3 ] && [ "$1" = --use ] && [ -x "$whydunit" ] || { echo "$usage" >&2; exit 2; }
use=$2
mkdir -p "$3" && out=$(cd "$3" && pwd)
shift 3
names=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do names+=("$1"); shift; done
[ $# = 0 ] || shift
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(find "$here/subjects/fix-pairs" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | LC_ALL=C sort)

# key NAME FILE: the first value of a key in indented JSON.
key() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" | head -n 1; }
# of NAME FILE: that of a key of truth.json, which is one line.
of() { sed -n "s/.*\"$1\": *\"\([a-z]*\)\".*/\1/p" "$2"; }
# some NAME FILE: yes where a list is not empty.
some() { grep -q "^  \"$1\": \[$" "$2" && echo yes || echo no; }

wrong=0 rights=0
declare -A found asked all
printf '%-14s %-10s %-7s %-6s %-17s %-9s %-7s %8s\n' pair kind shows fix verdict questions changes seconds
for name in "${names[@]}"; do
    truth=$here/subjects/fix-pairs/$name/truth.json
    [ "$(of use "$truth")" = "$use" ] || continue
    rm -rf "${out:?}/$name" && cp -r "$here/subjects/fix-pairs/$name" "$out/$name"
    shows=$(of shows "$truth")
    for fix in first right; do
        answer=$out/$name/$fix.json
        (cd "$out/$name" && "$whydunit" --format json review $fix.diff "$@" >"$answer" 2>"$answer.err")
        verdict=$(key verdict "$answer") questions=$(some questions "$answer")
        printf '%-14s %-10s %-7s %-6s %-17s %-9s %-7s %8s\n' "$name" "$(of kind "$truth")" "$shows" $fix "${verdict:-none}" "$questions" \
            "$(some differences "$answer")" "$(key search_seconds "$answer")"
        if [ $fix = right ]; then
            rights=$((rights + 1))
            [ "$verdict" = no-counterexample ] || wrong=$((wrong + 1))
        else
            all[$shows]=$((${all[$shows]:-0} + 1))
            if [ "$verdict" = bad-coverage ]; then
                found[$shows]=$((${found[$shows]:-0} + 1))
            elif [ "$questions" = yes ]; then
                asked[$shows]=$((${asked[$shows]:-0} + 1))
            fi
        fi
    done
done
echo "$wrong of $rights right fixes are called bad"
for shows in "${!all[@]}"; do
    echo "incomplete fixes that show by $shows: ${found[$shows]:-0} of ${all[$shows]} found, ${asked[$shows]:-0} asked about"
done
