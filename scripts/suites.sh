#!/usr/bin/env bash
# Published projects with their own suites under capture, without any configuration: crates, and C++ through CMake. Fetches their sources, builds and runs their suites
# plainly and by `whydunit build` and `whydunit test`, records and replays each test, and prints a table. Exit status 1 when a suite's results differ from the plain ones, when
# a recorded test ends otherwise than as built, when a recording diverges, or when there are fewer than 50 recordings of one: suites of fewer tests are recorded again.
#
# suites.sh [--fetch] [--optimised] [--most N] [heck|itoa|semver|smallvec|indexmap|regex-syntax|serde_json|crossbeam-channel|workspace|leveldb|all ...]
#   --optimised  crates in their release profile, with debug assertions, captured as optimised as that is
#   --fetch  only fetch        --most N  only so many tests of each, evenly chosen [60]
# crossbeam-channel's and leveldb's tests run many threads; workspace is one with heck and itoa as members. Times are user and system time of both builds.
# WHYDUNIT: the binary [target/release/whydunit]. WHYDUNIT_CACHE: sources and work folders [~/.cache/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
. "$here/scripts/corpus/fetch.sh"
. "$here/scripts/corpus/crates.sh"
. "$here/scripts/corpus/leveldb.sh"
all=(heck itoa semver smallvec indexmap regex-syntax serde_json crossbeam-channel workspace leveldb)
fetch_only=0 optimised=0 most=60 least=50 subjects=()
while [ $# -gt 0 ]; do
    case $1 in
    --fetch) fetch_only=1 ;;
    --optimised) optimised=1 ;;
    --most) most=$2; shift ;;
    all) subjects+=("${all[@]}") ;;
    *) case " ${all[*]} " in
        *" $1 "*) subjects+=("$1") ;;
        *) die "unknown argument $1" ;;
        esac ;;
    esac
    shift
done
[ ${#subjects[@]} -gt 0 ] || subjects=("${all[@]}")
[ $fetch_only = 1 ] || [ -x "$whydunit" ] || die "$whydunit is not there: make it with cargo build --release, or set WHYDUNIT"
export LC_ALL=C TZ=UTC
unset RUSTFLAGS CARGO_TARGET_DIR CARGO_BUILD_TARGET RUSTC_WRAPPER CARGO_INCREMENTAL CFLAGS CXXFLAGS LDFLAGS CC CXX
TIMEFORMAT='%U %S'

# lay_out NAME FOLDER: the project as its users have it.
lay_out() {
    local source member
    case $1 in
    workspace)
        for member in heck itoa; do lay_out "$member" "$2/$member" || return 1; done
        printf '[workspace]\nresolver = "2"\nmembers = ["heck", "itoa"]\n' >"$2/Cargo.toml" ;;
    leveldb)
        # Its submodules are what Debian packages.
        leveldb_unpack "$2" &&
            source=$(fetch_debian googletest googletest_1.12.1.orig.tar.gz 81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2) && unpack "$source" "$2/third_party/googletest" &&
            source=$(fetch_debian benchmark benchmark_1.7.1.orig.tar.gz 6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7) && unpack "$source" "$2/third_party/benchmark" ;;
    *) source=$(crate_source "$1") && mkdir -p "$2" && cp -r "$source/." "$2/" && rm -f "$2/.cargo-checksum.json" "$2/Cargo.lock" ;;
    esac
}

# Some of leveldb's test programs end with benchmarks, whatever test they are to run.
export BENCHMARK_FILTER=none

# plain_build, plain_test, plain_passed: how a project in this folder is built and tested without us, and how many tests passed in plain.log.
plain_build() { # the compile jobs that `whydunit build` takes too
    if [ -e Cargo.toml ]; then cargo test $profile --no-run --target-dir .plain; else cmake -S . -B .plain && cmake --build .plain --parallel "$(nproc)"; fi
}
plain_test() { if [ -e Cargo.toml ]; then cargo test $profile --target-dir .plain; else ctest --test-dir .plain --verbose; fi; }
plain_passed() {
    if [ -e Cargo.toml ]; then
        awk '/^test result:/ { sum += $4 } END { print sum + 0 }' plain.log
    else
        # The tests of programs with GoogleTest one by one, and the other programs.
        awk '/^[0-9]+: \[       OK \]/ { n++ } /^[0-9]+: \[==========\] Running/ { split($0, id, ":"); google[id[1]] = 1 }
            /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: .* Passed / { split($0, id, "#"); if (!(id[2] + 0 in google)) n++ } END { print n + 0 }' plain.log
    fi
}

# seconds COMMAND...: its processor time, what it prints in the file $log.
seconds() { { time "$@" >"$log" 2>&1; } 2>&1 | awk '{ print $1 + $2 }'; }

# value KEY FILE: the first number or word of a key in JSON.
value() { sed -n "s/.*\"$1\": *\"\\{0,1\\}\\([^\",]*\\).*/\\1/p" "$2" | head -1; }

# The assertions that the tests of some crates are about.
[ $optimised = 0 ] || export CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true

bad=0
[ $fetch_only = 1 ] || printf '%-18s %6s %10s %10s %14s %10s %9s %10s %9s\n' project tests recordings diverged instructions log "build s" "capture s" "/build"
for subject in "${subjects[@]}"; do
    work=$cache/work/suite-$subject
    rm -rf "$work"
    lay_out "$subject" "$work" || exit 1
    [ $fetch_only = 0 ] || continue
    cd "$work" || exit 1
    profile=
    if [ $optimised = 1 ]; then
        profile=--release
        printf '[build]\ncommand = "cargo test --no-run --release"\noptimised = true\n[tests]\nkind = "cargo"\ncommand = "cargo test --release"\n' >whydunit.toml
    fi
    # Fetched once, for both.
    [ ! -e Cargo.toml ] || cargo fetch -q
    built=$(log=$work/build.log seconds plain_build)
    captured=$(log=$work/capture.log seconds "$whydunit" build)
    plain_test >plain.log 2>&1
    plain=$?
    "$whydunit" test --format json >test.json 2>test.err
    tested=$?
    { [ $plain = 0 ] && [ $tested = 0 ]; } || { [ $plain != 0 ] && [ $tested = 1 ]; } || { say "$subject: the plain suite ends with $plain, whydunit test with $tested"; bad=1; }
    passed=$(plain_passed)
    counted=$(grep -c '"outcome": "pass"' test.json)
    [ "$passed" = "$counted" ] || { say "$subject: $passed tests pass plainly, $counted under capture"; bad=1; }
    recordings=0 diverged=0 instructions=0 log=0
    names=$(awk -F'": "' '/"name":/ { sub(/",?$/, "", $2); name = $2 } /"outcome": "pass"/ { print name }' test.json | grep -v '::doc ' |
        awk -v most="$most" '{ line[NR] = $0 } END { for (i = 1; i <= NR; i++) if (int(i * most / NR) > int((i - 1) * most / NR) || NR <= most) print line[i] }')
    tests=$(printf '%s\n' "$names" | grep -c .)
    again=$((tests > 0 ? (least + tests - 1) / tests : 0))
    while IFS= read -r test; do
        "$whydunit" record "$test" --format json >record.json 2>record.err || say "$subject: $test: $(head -3 record.err)"
        [ "$(value outcome record.json)" = pass ] || { say "$subject: $test: $(value outcome record.json) when recorded"; bad=1; }
        "$whydunit" replay "$test" --no-memory-check --format json >replay.json 2>replay.err
        if grep -q '"divergence": *null' replay.json; then
            recordings=$((recordings + 1))
        else
            say "$subject: $test: $(tr '\n' ' ' <replay.json | head -c 600) $(head -3 replay.err)"
            diverged=$((diverged + 1)) bad=1
        fi
        instructions=$((instructions + $(value instructions replay.json || echo 0)))
        log=$((log + $(value log_bytes replay.json || echo 0)))
    done < <(for _ in $(seq "$again"); do printf '%s\n' "$names"; done)
    [ "$most" -lt "$least" ] || [ $recordings -ge $least ] || { say "$subject: only $recordings recordings"; bad=1; }
    printf '%-18s %6d %10d %10d %14d %10d %9s %10s %9s\n' "$subject" "$tests" "$recordings" "$diverged" "$instructions" "$log" "$built" "$captured" \
        "$(awk -v a="$captured" -v b="$built" 'BEGIN { printf "%.2f", a / b }')"
done
exit $bad
