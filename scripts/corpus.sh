#!/usr/bin/env bash
# Real programs under capture: fetches their sources, builds each plainly and under `whydunit build`, runs its workloads in both, records and replays every
# captured process, and prints a table. Exit status 1 when a recording diverges, when the captured program behaves otherwise than the plain one, when less than 80 % of a
# program's run was captured, and, for all programs in full, when there were fewer than 200 recordings or 10^10 instructions.
#
# corpus.sh [--ci] [--plain] [--fetch] [lua|zlib|sqlite|bc|gawk|jq|tinyxml2|jsoncpp|pugixml|yamlcpp|all ...]
#   --ci     only the workloads that fit into some minutes        --plain  no capture: fetch, build and run plainly
#   --fetch  only fetch
# WHYDUNIT: the binary [target/release/whydunit]. WHYDUNIT_CACHE: sources and work folders [~/.cache/whydunit]. JOBS: replays side by side [processors].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
workloads=$here/subjects/workloads
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
. "$here/scripts/corpus/fetch.sh"
work_root=$cache/work
part=full mode=all subjects=() checked=300000000
known=(lua zlib sqlite bc gawk jq tinyxml2 jsoncpp pugixml yamlcpp)
for argument; do
    case $argument in
    --ci) part=ci ;;
    --plain) mode=plain ;;
    --fetch) mode=fetch ;;
    all) subjects+=("${known[@]}") ;;
    *) case " ${known[*]} " in
        *" $argument "*) subjects+=("$argument") ;;
        *) die "unknown argument $argument" ;;
        esac ;;
    esac
done
[ ${#subjects[@]} -gt 0 ] || subjects=("${known[@]}")
[ $mode != all ] || [ -x "$whydunit" ] || die "$whydunit is not there: make it with cargo build --release, or set WHYDUNIT"
export LC_ALL=C TZ=UTC
# The wrapper must see the compiler that is asked for by name, not one from the user's surroundings.
unset CFLAGS LDFLAGS CC MAKEFLAGS

# work PART LABEL COMMAND: a workload, as one line for the driver.
work() { [ $part = full ] || [ "$1" = ci ] && printf '%s\t%s\n' "$2" "$3"; }

# run_plain FOLDER OUT COMMAND: stdout and status of a command in a build folder.
run_plain() { (cd "$1" && timeout 1800 sh -c "$3" >"$2" 2>"$2.err" </dev/null; echo "status $?" >>"$2"); }

recordings_in() { find "$1" -type f -size +8c 2>/dev/null | while IFS= read -r f; do [ "$(head -c 7 "$f" | tail -c 6)" = whyrec ] && printf '%s\n' "$f"; done; }
number() { sed -n "s/.*\"$1\": *\\([0-9.]*\\).*/\\1/p" "$2" | head -1; }

# replay_one FILE: a line of figures: instructions, surprises, external calls, log bytes, captured share, ok|diverged|failed, memory errors, file. The
# memory check takes several times the replay's time: it looks at recordings of up to $checked instructions.
replay_one() {
    local file=$1 out=$1.replay.json status result=ok errors=-
    nice timeout 3600 "$whydunit" --project "$project" replay "$file" --no-memory-check --format json >"$out" 2>"$out.err"
    status=$?
    if ! grep -q '"divergence": *null' "$out"; then
        result=diverged
        grep -q '"divergence"' "$out" || result=failed
    elif [ $status != 0 ] && [ $status != 1 ]; then
        result=failed
    elif [ "$(number instructions "$out")" -le "$checked" ]; then
        nice timeout 3600 "$whydunit" --project "$project" replay "$file" --format json >"$file.memory.json" 2>"$file.memory.json.err"
        grep -q '"divergence": *null' "$file.memory.json" || result=diverged
        errors=$(sed -n '/"memory_errors"/,$p' "$file.memory.json" | grep -c '"message"')
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$(number instructions "$out")" "$(number surprises "$out")" "$(number external_calls "$out")" \
        "$(number log_bytes "$out")" "$(number captured_share "$out")" $result "$errors" "$file"
}

run_subject() {
    local name=$1 base=$work_root/$1 label command differ=0 count=0
    # shellcheck source=/dev/null
    . "$here/scripts/corpus/$name.sh"
    mkdir -p "$base"
    if [ ! -e "$base/plain/.built" ]; then
        "${name}_unpack" "$base/plain" || return 1
        [ $mode = fetch ] && return 0
        say "$name: plain build"
        (cd "$base/plain" && CFLAGS="-O2 -w" sh -c "$("${name}_steps")" >build.log 2>&1) || { say "$name: the plain build failed, see $base/plain/build.log"; return 1; }
        : >"$base/plain/.built"
    fi
    [ $mode = fetch ] && return 0
    if [ $mode = all ]; then
        "${name}_unpack" "$base/captured" || return 1
        say "$name: build under capture"
        local start=$SECONDS
        (cd "$base/captured" && CFLAGS="-O2 -w" nice "$whydunit" build -- sh -c "$("${name}_steps")" >build.log 2>&1) || { say "$name: the build under capture failed, see $base/captured/build.log"; return 1; }
        say "$name: built in $((SECONDS - start)) s"
    fi
    rm -rf "$base/out" "$base/recordings" && mkdir -p "$base/out" "$base/recordings"
    while IFS=$'\t' read -r label command; do
        count=$((count + 1))
        run_plain "$base/plain" "$base/out/$label.plain" "$command"
        [ $mode = all ] || continue
        # The command keeps its own output and status, whatever the recording command prints.
        export COMMAND=$command OUT=$base/out/$label.captured
        (cd "$base/captured" && nice timeout 3600 "$whydunit" record --output "$base/recordings/$label" -- \
            sh -c 'sh -c "$COMMAND" >"$OUT" 2>"$OUT.err" </dev/null; echo "status $?" >>"$OUT"' >"$base/out/$label.record" 2>&1)
        if ! cmp -s "$base/out/$label.plain" "$base/out/$label.captured"; then
            differ=$((differ + 1))
            say "$name: $label: output or status differs from the plain build: $base/out/$label.{plain,captured}"
        fi
    done < <("${name}_workloads")
    if [ $mode = plain ]; then
        say "$name: $count workloads run"
        return 0
    fi
    export -f replay_one number
    export checked whydunit project=$base/captured
    recordings_in "$base/recordings" | xargs -r -d '\n' -P "${JOBS:-$(nproc)}" -I{} bash -c 'replay_one "$1"' replay {} >"$base/figures.tsv"
    awk -F'\t' -v name="$name" -v workloads="$count" -v differ=$differ '
        { n++; i += $1; s += $2; x += $3; b += $4; if ($5 != "") { c += $5 * $1; ci += $1 } if ($6 == "ok") ok++; else bad++ }
        $7 != "-" { checked++; e += $7 }
        END { printf "%s\t%d\t%d\t%d\t%d\t%d\t%.0f\t%.0f\t%.0f\t%s\t%d\t%d\n", name, workloads, differ, n, ok, bad, i, x, b, ci ? sprintf("%.1f %%", 100 * c / ci) : "-", checked, e }' \
        "$base/figures.tsv" >"$base/summary.tsv"
    awk -F'\t' '$6 != "ok" { print "  " $6 ": " $8 }
        $7 + 0 > 0 { print "  memory errors: " $8 }' "$base/figures.tsv" | head -20 >&2
    awk -F'\t' '{ exit !($3 == 0 && $6 == 0 && $4 > 0 && ($10 == "-" || $10 + 0 >= 80)) }' "$base/summary.tsv"
}

failed=0
for name in "${subjects[@]}"; do
    (run_subject "$name") || failed=1
done
[ $mode = all ] || exit $failed
{
    printf 'subject\tworkloads\tdiffering\trecordings\treplayed\tdiverged\tinstructions\texternal calls\tlog bytes\tcaptured\tchecked\tmemory errors\n'
    for name in "${subjects[@]}"; do cat "$work_root/$name/summary.tsv" 2>/dev/null; done
} | awk -F'\t' '
    { for (i = 1; i <= 12; i++) printf i == 1 ? "%-9s" : "%16s", $i; printf "\n" }
    NR > 1 { for (i = 2; i <= 12; i++) t[i] += $i }
    END { printf "%-9s", "all"; for (i = 2; i <= 9; i++) printf "%16.0f", t[i]; printf "%16s%16.0f%16.0f\n", "", t[11], t[12] }'
if [ $part = full ] && [ ${#subjects[@]} -ge ${#known[@]} ]; then
    for name in "${subjects[@]}"; do cat "$work_root/$name/summary.tsv"; done |
        awk -F'\t' '{ n += $4; i += $7 } END { exit !(n >= 200 && i >= 1e10) }' || { say "fewer than 200 recordings or 10^10 instructions"; failed=1; }
fi
exit $failed
