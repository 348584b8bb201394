#!/usr/bin/env bash
# Reviews the incomplete fix and the right one of each pair of subjects/fix-pairs, or of subjects/real-fixes, and says what is said of them.
#
# fix-pairs.sh [--real] --use development|final OUT [NAME...] [-- OPTION...]: works in OUT; the options go to `whydunit review`. Pairs for the
# final measurement are for nothing else. `processor` is what a whole review takes with its builds. `asked` and `told`: what is asked, and what is
# told as a change, and whether it shows that the fix is incomplete: an input of it on which the right fix does something else.
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
# differs LIST ANSWER FOLDER: whether an input in a list of an answer does something else with the fix that is built in a folder.
differs() {
    jq -c ".$1 | to_entries[] | select(.value.case and (.value.after.end | startswith(\"status \"))) | .key as \$n | .value |
        .case + {name: \"asked-\(\$n)\", stdout: .after.output, status: (.after.end | ltrimstr(\"status \") | tonumber)}" "$2" >"$3/cases.jsonl"
    [ -s "$3/cases.jsonl" ] && ! (cd "$3" && "$whydunit" test >test.log 2>&1) && grep -q '^fail' "$3/test.log"
}
# said LIST ANSWER FOLDER: how many of a list there are, and whether they show that a fix is incomplete; FOLDER is empty where that is not asked.
said() {
    local number
    number=$(jq ".$1 | length" "$2" 2>/dev/null)
    if [ "${number:-0}" = 0 ] || [ -z "$3" ]; then
        echo "${number:-0}"
    else
        differs "$@" && echo "$number:shows" || echo "$number"
    fi
}

wrong=0 rights=0
declare -A found asked told all
printf '%-20s %-10s %-7s %-6s %-17s %-8s %-8s %8s %9s\n' pair kind shows fix verdict asked told seconds processor
for name in "${names[@]}"; do
    [ "$(of use "$name")" = "$use" ] || continue
    lay "$name"
    shows=$(of shows "$name") kind=$(of kind "$name")
    declare -A processor
    for fix in "${fixes[@]}"; do
        answer=$out/$name/$fix.json
        processor[$fix]=$({ TIMEFORMAT='%U %S'; time (cd "$out/$name" && "$whydunit" --format json review "$fix.diff" "$@" >"$answer" 2>"$answer.err"); } 2>&1 | awk '{ print $1 + $2 }')
    done
    for fix in "${fixes[@]}"; do
        # What was built last is the right fix.
        answer=$out/$name/$fix.json built=
        [ "$fix" = "${fixes[1]}" ] || built=$out/$name/.whydunit/review/after
        verdict=$(key verdict "$answer") questions=$(said questions "$answer" "$built") changes=$(said differences "$answer" "$built")
        printf '%-20s %-10s %-7s %-6s %-17s %-8s %-8s %8.1f %9.1f\n' "$name" "${kind:--}" "$shows" "$fix" "${verdict:-none}" "$questions" \
            "$changes" "$(key search_seconds "$answer")" "${processor[$fix]}"
        if [ "$fix" = "${fixes[1]}" ]; then
            rights=$((rights + 1))
            [ "$verdict" = no-counterexample ] || wrong=$((wrong + 1))
        else
            all[$shows]=$((${all[$shows]:-0} + 1))
            if calls "$verdict"; then
                found[$shows]=$((${found[$shows]:-0} + 1))
            elif [[ $questions = *shows ]]; then
                asked[$shows]=$((${asked[$shows]:-0} + 1))
            elif [[ $changes = *shows ]]; then
                told[$shows]=$((${told[$shows]:-0} + 1))
            fi
        fi
    done
done
echo "$wrong of $rights right fixes are called bad, or could not be reviewed"
for shows in "${!all[@]}"; do
    echo "incomplete fixes that show by $shows: ${found[$shows]:-0} of ${all[$shows]} found, ${asked[$shows]:-0} asked about, ${told[$shows]:-0} told as a change only"
done
