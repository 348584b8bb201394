#!/usr/bin/env bash
# Whether two builds of whydunit answer the same: asks both the same questions about our subjects, each in a fresh folder at the same path, and compares answers,
# messages and exit statuses after taking away what differs from run to run (the tables `varying` and `masks`, each with its reason). Prints what differs.
# Exit status 0: the same; 1: something differs; 2: it could not be asked.
#
# same-answers.sh OLD NEW [OUT [SUBJECT...]]
#   OLD, NEW  `whydunit` binaries, each with whydunit-face beside it; whydunit-catalogue beside OLD makes the regressions and the faults
#   OUT       where answers are kept, OUT/old and OUT/new [a temporary folder, gone afterwards]      SUBJECT  only these [all: see `subjects`]
# Searches are bounded by work and have all time, and what works side by side works alone where its order tells, so that few answers depend on the clock.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n '6,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
for binary in "$1" "$2"; do
    for needed in "$binary" "$(dirname "$binary")/whydunit-face"; do
        [ -x "$needed" ] || { echo "$needed is not there" >&2; exit 2; }
    done
done
command -v jq >/dev/null || { echo "jq is not there, by which answers are compared" >&2; exit 2; }
old=$(realpath "$1") new=$(realpath "$2")
catalogue=$(dirname "$old")/whydunit-catalogue
[ -x "$catalogue" ] || { echo "$catalogue is not there" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=${3-$work/out}
mkdir -p "$out" && out=$(cd "$out" && pwd)
shift $(($# < 3 ? $# : 3))

# Everything is asked in the same places, so that no path tells the binaries apart.
project=$work/project
export LC_ALL=C TZ=UTC XDG_CACHE_HOME=$work/cache TMPDIR=$work/tmp CARGO_NET_OFFLINE=true
unset CARGO_TARGET_DIR CFLAGS LDFLAGS CC MAKEFLAGS
# A call that takes longer is ended, and its exit status (124) told like any other.
patience=300
# Time for searches: more than they need.
ample=100000

# Keys of answers that differ between two runs of one binary.
varying=(
    seconds duration_seconds          # wall-clock time
    trial_seconds replay_seconds      # wall-clock time of phases of locate
    encode_seconds solve_seconds
    search_seconds                    # wall-clock time of a review's search
    seconds_worst seconds_median      # wall-clock time of score
    phases                            # seconds by what they were spent on
    instructions_per_second           # how fast the machine is
    captured_share                    # processor cycles, measured
    log_bytes                         # the log has times and process ids, compressed
    recorded                          # the date of a recording
)
# Texts have the same figures.
masks=(
    -e 's/\b[0-9]+(\.[0-9]+)? (ms|s|seconds?|min)\b/TIME/g'          # wall-clock time
    -e 's/\btime="[0-9.]+"/time="TIME"/g'                             # the same in JUnit's XML
    -e 's/, [0-9.]+ (million|billion|thousand)? ?a second/, SPEED/g'  # how fast the machine is
    -e 's/captured: [0-9.]+ %/captured: SHARE/g'                      # processor cycles, measured
    -e 's/[0-9]+ bytes of log/LOG/g'                                  # times and process ids, compressed
    -e 's/recorded [0-9-]+ [0-9:]+ UTC/DATE/g'                        # the date of a recording
    -e 's#/whydunit-[A-Za-z0-9]{8}/#/whydunit-RANDOM/#g'              # temporary folders
)

# ask LABEL ARGUMENT...: one question, with the answer as JSON.
ask() {
    local label=$1
    shift
    put "$label" json --format json "$@"
}

# show LABEL FORMAT ARGUMENT...: one question, with the answer in another format.
show() {
    local label=$1 format=$2
    shift 2
    put "$label-$format" "$format" --format "$format" "$@"
}

# put LABEL SUFFIX ARGUMENT...
put() {
    local answer=$answers/$1.$2
    shift 2
    (cd "$project" && timeout --kill-after=10 $patience "$whydunit" "$@" >"$answer" 2>"$answer.told" </dev/null; echo "status $?" >>"$answer.told")
}

copy() { cp -r "$here/subjects/$1/." "$project"; }

# source_of FOLDER/FILE [CASE...]: a project around one source.
source_of() {
    local file=$1 name
    name=$(basename "$file")
    shift
    cp "$here/subjects/$file" "$project"
    printf '%s\n' "$@" >"$project/cases.jsonl"
    printf '[build]\nsources = ["%s"]\n[tests]\ncases = "cases.jsonl"\ntimeout = "2s"\n' "$name" >"$project/whydunit.toml"
}

# marked FILE MARK: what stands behind `MARK: ` in a source, line by line.
marked() { sed -nE "s@^[/ *]+$2: (.*)\$@\\1@p" "$here/subjects/$1" | sed 's@ \*/$@@'; }

# From init to show, with a test that passes.
subject_single() {
    copy single
    ask replay-before-build replay
    ask init init
    ask init-again init
    cp "$project/whydunit.toml" "$answers/whydunit.toml"
    ask build build
    ask test test
    ask list test --list
    ask unknown-test test nobody
    ask record record --check four
    ask record-command record -- ./twice 4
    ask replay replay four
    ask show show four
    ask locate locate
    ask refused locate --format sarif --method nothing
}

# Every command that is asked about recordings, and every format.
subject_demo() {
    copy demo
    ask broken-build build -- false
    ask build build -- make
    ask up-to-date build
    ask test test
    ask test-again test --again 2 stamps
    ask record record --check stamps-trade
    ask replay replay
    ask replay-alone replay --no-memory-check stamps-trade
    ask replay-dependences replay --track-dependences stamps-trade
    ask unknown-recording replay nothing
    ask show show stamps-trade
    ask show-short show --depth 3 --lines 6 stamps-trade
    ask why why pieces at offer.c:33 --recording stamps-trade --steps 30
    ask why-nothing why nothing at offer.c:33
    for method in ofc+cw ochiai dstar; do
        ask "locate-$method" locate --method $method --time-limit $ample
    done
    ask locate-one locate stamps-trade --failing 1 --only offer.c --time-limit $ample
    ask locate-z3 locate --solver z3 --time-limit $ample stamps-trade
    for format in text jsonl markdown sarif html junit github; do
        show locate $format locate --time-limit $ample
    done
    for format in text jsonl markdown junit; do
        show test $format test
        show record $format record stamps-trade
    done
    for format in text markdown; do
        show replay $format replay stamps-trade
        show show $format show stamps-trade
        show why $format why pieces at offer.c:33 --recording stamps-trade
    done
    show refused junit why pieces at offer.c:33
}

subject_tour() { ask demo demo --keep tour; }

# Each kind of failure, with its fault located.
subject_failures() {
    local file cases name
    for file in "$here"/subjects/failures/*.c; do
        name=$(basename "$file" .c)
        project=$base/$name
        mkdir "$project"
        mapfile -t cases < <(marked "failures/$name.c" case)
        source_of "failures/$name.c" "${cases[@]}"
        ask "$name" locate --time-limit $ample
        # What has no end is recorded up to a limit of time.
        case $name in recursion* | too_long) continue ;; esac
        ask "$name-record" record --check "$(jq -rn 'last(inputs).name' "$project/cases.jsonl")"
        ask "$name-show" show
    done
}

# Values followed back.
subject_causes() {
    local file name asked
    cp "$here"/subjects/causes/*.c "$project"
    for file in "$project"/*.c; do
        name=$(basename "$file" .c)
        asked=$(sed -n 's@.*/\* ask: \(.*\) \*/.*@\1@p' "$file" | head -n 1)
        ask "$name-build" build -- clang-22 -g -o "$name" "$name.c" -lm
        ask "$name-record" record -- "./$name"
        ask "$name-why" why "$asked" at "$name.c:$(grep -n '/\* ask: ' "$file" | head -n 1 | cut -d: -f1)" --steps 40
    done
}

# Correction sets, by on-demand formulas and by all ways at once.
subject_locate() {
    local name cases method
    for name in arms guards loop text; do
        project=$base/$name
        mkdir "$project"
        mapfile -t cases < <(marked "locate/$name.c" case)
        [ ${#cases[@]} -gt 0 ] || cases=('{"name":"it","status":0}')
        source_of "locate/$name.c" "${cases[@]}"
        for method in ofc ba ba+cw; do
            ask "$name-$method" locate --method $method --thorough --time-limit $ample
        done
    done
    project=$base/bills
    mkdir "$project"
    cp "$here/subjects/locate/bills.cpp" "$project"
    printf '[build]\ncommand = "c++ -std=c++17 -g -o bills bills.cpp"\nexecutable = "./bills"\n[tests]\ncases = "cases.jsonl"\n' >"$project/whydunit.toml"
    printf '%s\n' '{"name":"three","args":["pear","3","fig","x","plum","2"],"stdout":"no number: x\npear       8\nplum       8\nsum 16\n","status":0}' \
        '{"name":"two","args":["plum","2"],"stdout":"plum       8\nsum 8\n","status":0}' >"$project/cases.jsonl"
    ask bills locate --time-limit $ample
}

# Inputs that are in the way of locating.
subject_inputs() {
    local name
    for name in assembly bytes jump; do
        project=$base/$name
        mkdir "$project"
        source_of "inputs/$name.c" '{"name":"two","args":["2"],"stdout":"2\n","status":0}' '{"name":"seven","args":["7"],"stdout":"7\n","status":0}'
        ask "$name" locate --time-limit $ample
    done
}

# One fault of each program with known faults, by formulas and by counts.
subject_faults() {
    local name
    "$catalogue" make --faults --use development "$here/subjects/faults" "$base/faults" >"$answers/made.txt"
    for name in advisor ledger measure rounds; do
        project=$(find "$base/faults" -name truth.json -path "*$name*" | sort | head -n 1)
        project=${project%/truth.json}
        [ -d "$project" ] || { echo "no fault of $name" >"$answers/$name.json.told"; continue; }
        ask "$name" locate --time-limit $ample
        ask "$name-jaccard" locate --method jaccard
    done
    project=$base/faults
    ask score score . --only advisor --method ochiai --method ofc --time-limit $ample
}

# Patches in C, C++ and Rust, by each method.
subject_repair() {
    local name
    for name in upward ring list early ferry stock; do
        project=$base/$name
        mkdir "$project"
        copy "repair/$name"
        ask "$name" repair --patches 1 --top 5 --time-limit $ample
    done
    project=$base/upward
    ask upward-synthesis repair --method synthesis --patches 2 --top 5 --time-limit $ample
    for format in text markdown sarif html; do
        show upward $format repair --patches 1 --top 5 --time-limit $ample
    done
    ask upward-applied repair --patches 1 --top 5 --time-limit $ample --apply --yes --patch fix.diff
    cat "$project/fix.diff" "$project/upward.c" >"$answers/applied.txt"
    project=$base/twice
    mkdir "$project"
    copy repair/twice
    ask twice repair --method genprog --patches 1 --time-limit $ample
}

# Fixes that are bad and fixes that are good; inputs that programs read, and arguments of functions.
subject_review() {
    local name fix limits=(--time-limit "$ample" --runs 200 --inputs 200)
    for name in no-such-method loop paths; do
        project=$base/$name
        mkdir "$project"
        copy "review/$name"
        for fix in first second; do
            ask "$name-$fix" review $fix.diff --domain domain.txt "${limits[@]}"
        done
    done
    project=$base/no-such-method
    ask against review first.diff --against third.diff --domain domain.txt "${limits[@]}"
    ask unguided review first.diff --unguided --domain domain.txt "${limits[@]}"
    for format in text markdown sarif html; do
        show first $format review first.diff --domain domain.txt "${limits[@]}"
    done
    for name in kinds:run boxes:total slots:slot; do
        project=$base/${name%:*}
        mkdir "$project"
        copy "review/${name%:*}"
        ask "${name%:*}" review first.diff --entry "${name#*:}" "${limits[@]}"
    done
    for name in readers streams inputs; do
        project=$base/$name
        mkdir "$project"
        copy "review/$name"
        ask "$name" review first.diff --test "$(jq -rn 'first(inputs.name | select(startswith("bug")))' "$project/cases.jsonl")" --time-limit $ample --runs 200 --inputs 0
    done
}

# Changes that broke a test, by each method, in folders and in a repository.
subject_explain() {
    local name method format
    "$catalogue" regressions "$here/subjects/explain" "$base/regressions" >"$answers/made.txt"
    for name in sums ledger-shares levels-header fold-words; do
        project=$base/regressions/$name/bad
        ask "$name" explain --good ../good --jobs 1 --time-limit $ample
    done
    project=$base/regressions/sums/bad
    for method in add dd; do
        ask "sums-$method" explain --good ../good --method $method --jobs 1 --time-limit $ample
    done
    for format in text markdown sarif html; do
        show sums $format explain --good ../good --jobs 1 --time-limit $ample
    done
    (cd "$base/regressions/sums" && diff -u good/sums.c bad/sums.c | sed -e '1s@.*@--- a/sums.c@' -e '2s@.*@+++ b/sums.c@' >change.diff)
    ask sums-patch explain --change ../change.diff --jobs 1 --time-limit $ample --patch cause.diff
    ask sums-same explain --good . --jobs 1 --time-limit $ample
    project=$base/regressions/sums/good
    (
        cd "$project" && rm -rf .whydunit && echo .whydunit/ >.gitignore && git init -q
        git() { command git -c user.name=t -c user.email=t@example.org "$@"; }
        export GIT_AUTHOR_DATE=2020-01-01T00:00:00Z GIT_COMMITTER_DATE=2020-01-01T00:00:00Z
        git add -A && git commit -q -m good && git commit -q --allow-empty -m between
        cp ../bad/sums.c . && git commit -q -a -m bad && git commit -q --allow-empty -m after
    )
    ask sums-bisect explain --good HEAD~3 --bad HEAD --bisect --jobs 1 --time-limit $ample
    project=$base/regressions
    ask score score . --only sums --method after --method dd --time-limit $ample
}

# Failing inputs made smaller, by failure and by a script.
subject_shrink() {
    source_of shrink/records.c "$(jq -cn '{name: "crash", args: ["-q"], stdout: "",
        stdin: ([range(40) | if . == 27 then "limit_of_section = 5117 # too many\n" else "name\(.) = \(. * 7 % 90) # of section \(. / 10 | floor)\n" end] | add)}')"
    ask records shrink crash --jobs 1 --time-limit $ample
    ask records-lines shrink crash --jobs 1 --lines --keep args --time-limit $ample -o small.jsonl
    cat "$project/small.jsonl" >"$answers/small.txt"
    show records text shrink crash --jobs 1 --time-limit $ample
    printf '#!/bin/sh\ngrep -q 5117 records.txt\n' >"$project/still.sh"
    chmod +x "$project/still.sh"
    jq -rn 'inputs.stdin' "$project/cases.jsonl" >"$project/records.txt"
    ask script shrink --jobs 1 --script ./still.sh records.txt --time-limit $ample
}

# Suites that tools list.
subject_suites() {
    local name
    for name in cargo meson cmake tap; do
        project=$base/$name
        mkdir "$project"
        copy "suites/$name"
        ask "$name-init" init
        ask "$name-test" test
        ask "$name-list" test --list
        ask "$name-locate" locate --method ochiai
    done
}

# Panics of Rust, each located.
subject_crate() {
    local name names
    copy crate
    ask build build
    ask test test
    ask list test --list
    mapfile -t names < <(jq -r '.names[:4][]' "$answers/list.json")
    for name in "${names[@]}"; do
        ask "record-$name" record --check "$name"
        ask "show-$name" show
        ask "locate-$name" locate "$name" --time-limit $ample
    done
}

# Three languages in one program; other surroundings; a divergence.
subject_mixed() {
    project=$base/mixed
    mkdir "$project"
    copy mixed
    ask test test
    ask record record --check four
    ask show show
    project=$base/surroundings
    mkdir "$project"
    copy surroundings
    ask surroundings test
    project=$base/diverged
    mkdir "$project"
    copy diverged
    ask diverged-build build -- clang-22 -g -o diverged diverged.c
    ask diverged-record record -- ./diverged word
    ask diverged-replay replay
    ask diverged-show show
    ask diverged-why why result at diverged.c:11
    show diverged text show
}

# Constructs of the languages: recorded, replayed and checked for memory errors.
subject_constructs() {
    local name
    for name in aggregates computed_goto double_free exec_self float_special fork_pipes heap_write_past int128 long_double longjmp_qsort setjmp_longjmp \
        signals_raise stack_use_after_return stdio_formats swap_context uninitialised_branch use_after_free varargs vectors; do
        cp "$here/subjects/constructs/$name.c" "$project"
        ask "$name-build" build -- clang-22 -w -g -std=gnu17 -o "$name" "$name.c" -lm
        ask "$name" record --check -- "./$name"
        ask "$name-show" show
    done
    for name in cpp_exceptions cpp_containers cpp_unwinding cpp_virtual; do
        cp "$here/subjects/constructs/$name.cpp" "$project"
        ask "$name-build" build -- clang++-22 -w -g -std=gnu++17 -o "$name" "$name.cpp"
        ask "$name" record --check -- "./$name"
        ask "$name-show" show
    done
    for name in rust_collections rust_double_free rust_panics; do
        cp "$here/subjects/constructs/$name.rs" "$project"
        ask "$name-build" build -- rustc -A warnings -g --edition 2021 "$name.rs"
        ask "$name" record --check -- "./$name"
        ask "$name-show" show
    done
}

subjects=(single demo tour failures causes locate inputs faults repair review explain shrink suites crate mixed constructs)
[ $# = 0 ] || subjects=("$@")
base=$project

# answers_of SIDE BINARY SUBJECT
answers_of() {
    answers=$out/$1/$3 whydunit=$2 project=$base
    rm -rf "$base" "$work/tmp" "$answers"
    mkdir -p "$base" "$work/tmp" "$XDG_CACHE_HOME" "$answers"
    "subject_$3"
}

# comparable FILE: without what varies.
comparable() {
    # shellcheck disable=SC2016 # the variables are those of jq
    local keys='($varying | split(" ")) as $keys | walk(if type == "object" then with_entries(select(.key as $key | $keys | index($key) | not)) else . end)'
    case $1 in
    *.json) jq --arg varying "${varying[*]}" "$keys" "$1" 2>&1 ;;
    *.jsonl) jq -c --arg varying "${varying[*]}" "$keys" "$1" 2>&1 ;;
    *) cat "$1" ;;
    esac | sed -E "${masks[@]}"
}

# keep ROUND SUBJECT: what both answered, comparable, as kept/SUBJECT/NAME/SIDE.ROUND.
keep() {
    local side path
    for side in old new; do
        for path in "$out/$side/$2"/*; do
            mkdir -p "$kept/$2/$(basename "$path")"
            comparable "$path" >"$kept/$2/$(basename "$path")/$side.$1"
        done
    done
}

# agrees FOLDER: some answer of one is an answer of the other.
agrees() {
    local one other
    for one in "$1"/old.*; do
        for other in "$1"/new.*; do
            cmp -s "$one" "$other" && return 0
        done
    done
    return 1
}

# steady FOLDER: each binary gives one answer, as far as it was asked again.
steady() {
    local side answer
    for side in old new; do
        for answer in "$1/$side".*; do
            cmp -s "$1/$side.1" "$answer" || return 1
        done
    done
}

# Some searches look at the clock for single questions, so that one binary answers now so and now so: what differs is asked again, and
# differs only where no answer of one is an answer of the other.
rounds=3 kept=$work/kept differing=0 asked=0
for subject in "${subjects[@]}"; do
    declare -F "subject_$subject" >/dev/null || { echo "no subject $subject" >&2; exit 2; }
    start=$SECONDS
    for ((round = 1; round <= rounds; round++)); do
        answers_of old "$old" "$subject"
        answers_of new "$new" "$subject"
        keep $round "$subject"
        different=()
        for name in "$kept/$subject"/*; do agrees "$name" || different+=("$name"); done
        [ ${#different[@]} -gt 0 ] || break
    done
    echo "$subject: $((SECONDS - start)) s" >&2
    for name in "$kept/$subject"/*; do
        asked=$((asked + 1))
        steady "$name" || echo "$subject/$(basename "$name"): varies from run to run of one binary"
    done
    for name in "${different[@]}"; do
        differing=$((differing + 1))
        diff -N -U 2 --label "old/$subject/$(basename "$name")" --label "new/$subject/$(basename "$name")" "$name/old.1" "$name/new.1" | head -n 40
    done
done
echo "$differing of $asked answers and messages differ"
[ $differing = 0 ]
