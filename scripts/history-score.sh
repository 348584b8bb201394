#!/usr/bin/env bash
# Measures on the bugs of a catalogue that `whydunit history` made: locate and repair by `whydunit score`, and review, which is asked about the least part of each
# true fix. That a true fix is called bad is an error of review, or of the fix.
#
# history-score.sh CATALOGUE [OPTION...]   CATALOGUE is the folder with bugs.json; the options go to `whydunit score` [--method ofc+cw --method ochiai --method combined --time-limit 60]
# WHYDUNIT: the binary [target/release/whydunit]. LIMIT: seconds for one review [120].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit} limit=${LIMIT:-120}
[ $# -ge 1 ] && [ -e "$1/bugs.json" ] && [ -x "$whydunit" ] || { echo "usage: history-score.sh CATALOGUE [OPTION...]; needs $whydunit and a folder with bugs.json" >&2; exit 2; }
catalogue=$1
shift
[ $# -gt 0 ] || set -- --method ofc+cw --method ochiai --method combined --time-limit 60
"$whydunit" score "$catalogue/bugs" "$@"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
declare -A sum
printf '\n%-14s %-18s %9s  %s\n' review verdict seconds ''
for bug in "$catalogue"/bugs/*/; do
    [ -e "$bug/project/truth.json" ] || continue
    rm -rf "${work:?}/project" && cp -r "$bug/project" "$work/project"
    SECONDS=0
    # What `score` left there is no part of the project.
    rm -rf "$work/project/.whydunit"
    cp "$bug/minimal.patch" "$work/fix.patch"
    timeout -s INT "$limit" "$whydunit" --project "$work/project" --format json review "$work/fix.patch" >"$work/answer" 2>"$work/errors"
    verdict=$(jq -r '.verdict // empty' "$work/answer" 2>/dev/null)
    why=
    [ -n "$verdict" ] || { verdict=none why=$(grep -m 1 '^error' "$work/errors"); }
    sum[$verdict]=$((${sum[$verdict]:-0} + 1))
    printf '%-14s %-18s %9s  %s\n' "$(basename "$bug")" "$verdict" "$SECONDS" "$why"
done
for verdict in "${!sum[@]}"; do echo "${sum[$verdict]} $verdict"; done | sort
