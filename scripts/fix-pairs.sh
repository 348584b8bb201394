#!/usr/bin/env bash
# Reviews the incomplete fix and the right one of each pair of subjects/fix-pairs, or of subjects/real-fixes, and says what is said of them.
#
# fix-pairs.sh [--real] --use development|final OUT [NAME...] [-- OPTION...]: works in OUT; the options go to `whydunit review`. Pairs for the
# final measurement are for nothing else. `processor` is what a whole review takes with its builds.
# WHYDUNIT: the binary [target/release/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/corpus/package.sh"
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
usage="usage: fix-pairs.sh [--real] --use development|final OUT [NAME...] [-- OPTION...]; needs $whydunit"
pairs=$here/subjects/fix-pairs fixes=(first right)
if [ "${1-}" = --real ]; then
    pairs=$here/subjects/real-fixes fixes=(bad good)
    shift
fi
[ $# -ge 3 ] && [ "$1" = --use ] && [ -x "$whydunit" ] || { echo "$usage" >&2; exit 2; }
use=$2
mkdir -p "$3" && out=$(cd "$3" && pwd)
shift 3
names=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do names+=("$1"); shift; done
[ $# = 0 ] || shift
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(find "$pairs" -mindepth 2 -maxdepth 2 -name cases.jsonl -printf '%h\n' | xargs -r -d '\n' -n 1 basename | LC_ALL=C sort)

# key NAME FILE: the first value of a key in indented JSON.
key() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" | head -n 1; }
# of KEY NAME: what is written of a pair: in truth.json, which is one line, or in fix.toml.
of() {
    if [ -e "$pairs/$2/truth.json" ]; then
        sed -n "s/.*\"$1\": *\"\([a-z]*\)\".*/\1/p" "$pairs/$2/truth.json"
    else
        value "" "$1" "$pairs/$2/fix.toml"
    fi
}
# lay NAME: makes the pair's folder in OUT.
lay() {
    if [ -e "$pairs/$1/truth.json" ]; then
        rm -rf "${out:?}/$1" && cp -r "$pairs/$1" "$out/$1"
    else
        "$here/scripts/real-fixes.sh" "$out" "$1" 2>/dev/null || { echo "$1 could not be made" >&2; exit 1; }
    fi
}
# calls VERDICT: whether it is against a fix.
calls() { [ "$1" = bad-coverage ] || [ "$1" = bad-disruption ]; }
# some NAME FILE: yes where a list is not empty.
some() { grep -q "^  \"$1\": \[$" "$2" && echo yes || echo no; }

wrong=0 rights=0
declare -A found asked all
printf '%-20s %-10s %-7s %-6s %-17s %-9s %-7s %8s %9s\n' pair kind shows fix verdict questions changes seconds processor
for name in "${names[@]}"; do
    [ "$(of use "$name")" = "$use" ] || continue
    lay "$name"
    shows=$(of shows "$name") kind=$(of kind "$name")
    for fix in "${fixes[@]}"; do
        answer=$out/$name/$fix.json
        processor=$({ TIMEFORMAT='%U %S'; time (cd "$out/$name" && "$whydunit" --format json review "$fix.diff" "$@" >"$answer" 2>"$answer.err"); } 2>&1 | awk '{ print $1 + $2 }')
        verdict=$(key verdict "$answer") questions=$(some questions "$answer")
        printf '%-20s %-10s %-7s %-6s %-17s %-9s %-7s %8s %9s\n' "$name" "${kind:--}" "$shows" "$fix" "${verdict:-none}" "$questions" \
            "$(some differences "$answer")" "$(key search_seconds "$answer")" "$processor"
        if [ "$fix" = "${fixes[1]}" ]; then
            rights=$((rights + 1))
            [ "$verdict" = no-counterexample ] || wrong=$((wrong + 1))
        else
            all[$shows]=$((${all[$shows]:-0} + 1))
            if calls "$verdict"; then
                found[$shows]=$((${found[$shows]:-0} + 1))
            elif [ "$questions" = yes ]; then
                asked[$shows]=$((${asked[$shows]:-0} + 1))
            fi
        fi
    done
done
echo "$wrong of $rights right fixes are called bad, or could not be reviewed"
for shows in "${!all[@]}"; do
    echo "incomplete fixes that show by $shows: ${found[$shows]:-0} of ${all[$shows]} found, ${asked[$shows]:-0} asked about"
done
