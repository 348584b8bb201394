#!/usr/bin/env bash
# What recording costs: whole-process times of real programs, plain at -O2 and -O0 by the same compiler, recorded, recorded with `optimised = true`, and with spectrum
# counters, in one run.
# What replay costs: speed and memory on runs of some 10^9 instructions, plain, tracking all dependences, and looking for memory errors.
#
# bench.sh [--runs N] [--plain] [--clock] [zlib|lua|sqlite|bc|gawk|pugixml|jsoncpp|leveldb|serde_json|regex_syntax|crossbeam_channel ...]
#   --runs N  so many runs of each, in turn [5]; the least time of each counts       --plain  only the plain builds
#   --clock   times by the clock
# -O2 and -O0 of Rust are the profiles release and debug. leveldb and crossbeam_channel run threads, plainly on all processors.
# Times are user and system time of the process and its children where `--clock` is not given, replay's are the processor's too; memory is the largest resident set. The log is measured as written, and compressed as `whydunit record` keeps it.
# WHYDUNIT: the binary [target/release/whydunit]. WHYDUNIT_CACHE: sources and work folders [~/.cache/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
workloads=$here/subjects/workloads
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
. "$here/scripts/corpus/fetch.sh"
. "$here/scripts/bench/workloads.sh"
all=(zlib lua sqlite bc gawk pugixml jsoncpp leveldb serde_json regex_syntax crossbeam_channel)
runs=5 plain=0 format='%U %S' subjects=()
command -v time >/dev/null || [ -x /usr/bin/time ] || die "the command time is not there: scripts/setup.sh --tests installs it"
while [ $# -gt 0 ]; do
    case $1 in
    --runs) runs=$2; shift ;;
    --plain) plain=1 ;;
    --clock) format='%R 0' ;;
    *) case " ${all[*]} " in
        *" $1 "*) subjects+=("$1") ;;
        *) die "unknown argument $1" ;;
        esac ;;
    esac
    shift
done
[ ${#subjects[@]} -gt 0 ] || subjects=("${all[@]}")
[ $plain = 1 ] || [ -x "$whydunit" ] || die "$whydunit is not there: make it with cargo build --release, or set WHYDUNIT"
export LC_ALL=C TZ=UTC workloads inputs out
unset CFLAGS LDFLAGS CC MAKEFLAGS
TIMEFORMAT=$format

# flavour_environment KIND FOLDER FILE: makes the flavour of the program built in FOLDER and writes to FILE the variables under which a command in FOLDER
# runs it. The only place that knows how flavours are asked for.
flavour_environment() {
    local kind=$1 folder=$2 file=$3
    rm -f "$file"
    case $kind in
    record) (cd "$folder" && "$whydunit" record --output "$base/probe" -- sh -c "env >'$file'") >"$file.log" 2>&1 ;;
    spectrum)
        # Only what ranks by counts runs tests with counters; a test that fails is what it is asked about.
        printf '[build]\ncommand = "true"\n[tests]\nkind = "script"\ncommand = "[ -z \\"$WHYDUNIT_SPECTRUM_DIR\\" ] || env >%s; false"\ntimeout = "60s"\n' "$file" >"$folder/whydunit.toml"
        (cd "$folder" && "$whydunit" locate --method ochiai) >"$file.log" 2>&1
        rm -f "$folder/whydunit.toml" ;;
    esac
    [ -s "$file" ] || die "no $kind flavour: see $file.log"
    grep -E '^(LD_PRELOAD|WHYDUNIT_[A-Z_]*)=' "$file" | grep -vE '^WHYDUNIT(_CACHE)?=' >"$file.new" && mv "$file.new" "$file"
    rm -rf "$base/probe"
}

# measure FOLDER ENVIRONMENT COMMAND: seconds of user and system time.
measure() {
    local logs=$base/logs
    rm -rf "$logs" && mkdir -p "$logs"
    local variables=()
    [ -z "$2" ] || while IFS= read -r line; do
        case $line in WHYDUNIT_RECORD_DIR=* | WHYDUNIT_SPECTRUM_DIR=*) line=${line%%=*}=$logs ;; esac
        variables+=("$line")
    done <"$2"
    { time (cd "$1" && env "${variables[@]}" sh -c "$3" >"$out/stdout" 2>"$out/stderr" </dev/null); } 2>&1 | awk '{ print $1 + $2 }'
}

build() { # KIND FLAGS
    [ -e "$base/$1/.built" ] && return
    "${name}_unpack" "$base/$1" || exit 1
    # What asks for g++ by name gets the same compiler.
    mkdir -p "$base/compilers" && ln -sf "$(command -v clang++-22)" "$base/compilers/g++"
    (cd "$base/$1" && PATH=$base/compilers:$PATH CC=clang-22 CFLAGS="$2 -w" sh -c "$(steps)" >build.log 2>&1) || die "$name does not build, see $base/$1/build.log"
    : >"$base/$1/.built"
}

# steps: how the program is built, without what is not measured.
steps() { if [ "$(type -t "bench_${name}_steps")" = function ]; then "bench_${name}_steps"; else "${name}_steps"; fi; }

least() { sort -n | head -1; }

bench() {
    name=$1 base=$cache/bench/$1
    # The flags of the captured build: programs on crates are captured as what they are tested as.
    local file flags=-O2
    file=$here/scripts/corpus/$name.sh
    [ -e "$file" ] || file=$here/scripts/corpus/crates.sh flags=-O0
    # shellcheck source=/dev/null
    . "$file"
    inputs=$base/inputs out=$base/out
    mkdir -p "$inputs" "$out"
    "bench_${name}_inputs" "$inputs" || exit 1
    local command kind kinds="O2 O0" instrumenting=-
    command=$("bench_${name}_command")
    say "$name: building"
    build O2 -O2
    build O0 -O0
    if [ $plain = 0 ]; then
        "${name}_unpack" "$base/captured" || exit 1
        (cd "$base/captured" && CFLAGS="$flags -w" "$whydunit" build -- sh -c "$(steps)" >build.log 2>&1) || die "$name does not build under capture, see $base/captured/build.log"
        local start=$SECONDS
        flavour_environment record "$base/captured" "$base/record.env"
        instrumenting=$((SECONDS - start))
        flavour_environment spectrum "$base/captured" "$base/spectrum.env"
        "${name}_unpack" "$base/optimised" || exit 1
        printf '[build]\ncommand = "true"\noptimised = true\n[tests]\nkind = "script"\ncommand = "true"\n' >"$base/optimised/whydunit.toml"
        (cd "$base/optimised" && PATH=$base/compilers:$PATH CC=clang-22 CFLAGS="-O2 -w" "$whydunit" build -- sh -c "$(steps)" >build.log 2>&1) || die "$name does not build under capture, see $base/optimised/build.log"
        flavour_environment record "$base/optimised" "$base/optimised.env"
        kinds="O2 O0 record optimised spectrum"
    fi
    rm -f "$base"/times.*
    say "$name: running"
    local run folder environment
    for ((run = 0; run < runs; run++)); do
        for kind in $kinds; do
            folder=$base/captured environment=$base/$kind.env
            case $kind in
            O*) folder=$base/$kind environment= ;;
            optimised) folder=$base/optimised ;;
            esac
            measure "$folder" "$environment" "$command" >>"$base/times.$kind"
            cp "$out/stdout" "$out/stdout.$kind"
            cmp -s "$out/stdout.O2" "$out/stdout.$kind" || say "$name: other output with $kind: $out/stdout.{O2,$kind}"
            [ $kind != record ] || find "$base/logs" -name 'log.*' -printf '%b\n' | awk '{ n += $1 * 512 } END { print n + 0 }' >"$base/raw"
        done
    done
    local packed=0
    if [ $plain = 0 ]; then
        rm -rf "$base/recordings"
        (cd "$base/captured" && COMMAND=$command "$whydunit" record --output "$base/recordings" -- sh -c 'sh -c "$COMMAND" >/dev/null 2>&1 </dev/null') >"$base/record.log" 2>&1
        packed=$(find "$base/recordings" -type f -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }')
        say "$name: replaying"
        replay_figures >"$base/replay.row"
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$(least <"$base/times.O2")" "$(least <"$base/times.O0")" "$(least 2>/dev/null <"$base/times.record" || echo 0)" \
        "$(least 2>/dev/null <"$base/times.spectrum" || echo 0)" "$(cat "$base/raw" 2>/dev/null || echo 0)" "$packed" "$instrumenting" \
        "$(least 2>/dev/null <"$base/times.optimised" || echo 0)" >"$base/row"
}

# replay_figures: records a shorter run, and replays it in the three ways: instructions, then for each way million instructions a second and megabytes.
replay_figures() {
    local recording how figures instructions
    rm -rf "$base/short"
    (cd "$base/captured" && COMMAND=$("bench_${name}_short") "$whydunit" record --output "$base/short" -- sh -c 'sh -c "$COMMAND" >/dev/null 2>&1 </dev/null') >"$base/short.log" 2>&1
    recording=$(find "$base/short" -type f -name '*.rec' -printf '%s %p\n' | sort -rn | sed -n '1s/^[0-9]* //p')
    printf '%s' "$name"
    for how in --no-memory-check --track-dependences ""; do
        figures=$(command time -f '%U %M' "$whydunit" --project "$base/captured" replay "$recording" $how --format json 2>&1 >"$base/replay.json" | tail -1)
        instructions=$(sed -n 's/.*"instructions": *\([0-9]*\).*/\1/p' "$base/replay.json" | head -1)
        [ "$how" = --no-memory-check ] && printf '\t%s' "$instructions"
        awk -v figures="$figures" -v n="$instructions" 'BEGIN { split(figures, f, " "); printf "\t%.0f\t%.0f", n / 1e6 / (f[1] + 0.001), f[2] / 1024 }'
    done
    printf '\n'
}

failed=0
for subject in "${subjects[@]}"; do (bench "$subject") || failed=1; done
for subject in "${subjects[@]}"; do cat "$cache/bench/$subject/row" 2>/dev/null; done | awk -F'\t' -v plain=$plain '
    BEGIN { printf "%-18s %9s %9s %9s %9s %12s %11s %12s %13s %12s\n", "program", "-O2 s", "-O0/-O2", "rec/-O2", "rec/-O0", "opt.rec/-O2", "spect/-O2", "raw MB/s", "packed MB/s", "flavour s" }
    { printf "%-18s %9.2f %9.2f", $1, $2, $3 / $2; o += $3 / $2; n++ }
    !plain { printf " %9.2f %9.2f %12.2f %11.2f %12.2f %13.2f %12s", $4 / $2, $4 / $3, $9 / $2, $5 / $2, $6 / 1e6 / $4, $7 / 1e6 / $4, $8; r += $4 / $2; s += $5 / $2; q += $9 / $2; if ($4 / $3 > worst) worst = $4 / $3 }
    { printf "\n" }
    END { if (n) printf "%-18s %9s %9.2f", "mean", "", o / n; if (n && !plain) printf " %9.2f %9.2f %12.2f %11.2f   (rec/-O0: the worst)", r / n, worst, q / n, s / n; printf "\n" }'
[ $plain = 1 ] || for subject in "${subjects[@]}"; do cat "$cache/bench/$subject/replay.row" 2>/dev/null; done | awk -F'\t' '
    BEGIN { printf "\n%-18s %14s %14s %6s %14s %6s %14s %6s\n", "replay", "instructions", "plain M/s", "MB", "dependences", "MB", "memory check", "MB" }
    { printf "%-18s %14.0f %14s %6s %14s %6s %14s %6s\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
exit $failed
