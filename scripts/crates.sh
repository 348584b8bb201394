#!/usr/bin/env bash
# Published crates under capture, without any configuration: fetches their sources, runs their suites plainly and under `whydunit test`, records and replays each
# test, and prints a table. Exit status 1 when a suite's results differ from cargo's, when a recorded test ends otherwise than as built, when a recording diverges, or
# when there are fewer than 50 recordings of one: suites of fewer tests are recorded again.
#
# crates.sh [--fetch] [--most N] [heck|itoa|semver|smallvec|indexmap|regex-syntax|serde_json|crossbeam-channel|workspace|all ...]
#   --fetch  only fetch        --most N  only the first N tests of each [60]
# crossbeam-channel's tests run many threads; workspace is one with heck and itoa as members.
# WHYDUNIT: the binary [target/release/whydunit]. WHYDUNIT_CACHE: sources and work folders [~/.cache/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
. "$here/scripts/corpus/fetch.sh"
all=(heck itoa semver smallvec indexmap regex-syntax serde_json crossbeam-channel workspace)
fetch_only=0 most=60 least=50 crates=()
while [ $# -gt 0 ]; do
    case $1 in
    --fetch) fetch_only=1 ;;
    --most) most=$2; shift ;;
    all) crates+=("${all[@]}") ;;
    *) case " ${all[*]} " in
        *" $1 "*) crates+=("$1") ;;
        *) die "unknown argument $1" ;;
        esac ;;
    esac
    shift
done
[ ${#crates[@]} -gt 0 ] || crates=("${all[@]}")
[ $fetch_only = 1 ] || [ -x "$whydunit" ] || die "$whydunit is not there: make it with cargo build --release, or set WHYDUNIT"
export LC_ALL=C TZ=UTC
unset RUSTFLAGS CARGO_TARGET_DIR CARGO_BUILD_TARGET RUSTC_WRAPPER

source_of() {
    case $1 in
    heck) fetch_crate heck 0.5.0 2304e00983f87ffb38b55b444b5e3b60a884b5d30c0fca7d82fe33449bbe55ea ;;
    itoa) fetch_crate itoa 1.0.18 8f42a60cbdf9a97f5d2305f08a87dc4e09308d1276d28c869c684d7777685682 ;;
    semver) fetch_crate semver 1.0.28 8a7852d02fc848982e0c167ef163aaff9cd91dc640ba85e263cb1ce46fae51cd ;;
    smallvec) fetch_crate smallvec 1.16.5 149309498a5f7334b12ddae0cad8aba81ce785fe91755068867e017cf98fee46 ;;
    indexmap) fetch_crate indexmap 2.14.2 cc4e190f5d26ca7051642629da2c52fc03bde85a03197c99408dcd291734c855 ;;
    regex-syntax) fetch_crate regex-syntax 0.8.12 d902046e6a28a1e4c3cab97258a0ce11e994903f01c2d97a9447a0b3df85f4f6 ;;
    serde_json) fetch_crate serde_json 1.0.145 402a6f66d8c709116cf22f558eab210f5a50187f702eb4d7e5ef38d9a7f1c79c ;;
    crossbeam-channel) fetch_crate crossbeam-channel 0.5.17 98b0cc327b5bc766e7fda9c9260cc0fa81b43a8e240440422dff70788e3f9ef1 ;;
    esac
}

# value KEY FILE: the first number or word of a key in JSON.
value() { sed -n "s/.*\"$1\": *\"\\{0,1\\}\\([^\",]*\\).*/\\1/p" "$2" | head -1; }

bad=0
printf '%-10s %6s %10s %10s %14s %10s\n' crate tests recordings diverged instructions log
for crate in "${crates[@]}"; do
    work=$cache/work/crate-$crate
    rm -rf "$work/.whydunit"
    members=("$crate")
    [ "$crate" != workspace ] || members=(heck itoa)
    for member in "${members[@]}"; do
        source=$(source_of "$member") || exit 1
        place=$work
        [ "$crate" != workspace ] || place=$work/$member
        mkdir -p "$place" && cp -r "$source/." "$place/" && rm -f "$place/.cargo-checksum.json" "$place/Cargo.lock"
    done
    [ "$crate" != workspace ] || printf '[workspace]\nresolver = "2"\nmembers = ["heck", "itoa"]\n' >"$work/Cargo.toml"
    [ $fetch_only = 0 ] || continue
    cd "$work" || exit 1
    # What cargo says of all tests but those of the documentation, and of those.
    cargo test --target-dir "$work/.plain" >plain.log 2>&1
    plain=$?
    "$whydunit" test --format json >test.json 2>test.err
    tested=$?
    { [ $plain = 0 ] && [ $tested = 0 ]; } || { [ $plain != 0 ] && [ $tested = 1 ]; } || { say "$crate: cargo test ends with $plain, whydunit test with $tested"; bad=1; }
    passed=$(awk '/^test result:/ { sum += $4 } END { print sum + 0 }' plain.log)
    counted=$(grep -c '"outcome": "pass"' test.json)
    [ "$passed" = "$counted" ] || { say "$crate: $passed tests pass plainly, $counted under capture"; bad=1; }
    recordings=0 diverged=0 instructions=0 log=0
    names=$(awk -F'": "' '/"name":/ { sub(/",?$/, "", $2); name = $2 } /"outcome": "pass"/ { print name }' test.json | grep -v '::doc ' | head -n "$most")
    tests=$(printf '%s\n' "$names" | grep -c .)
    again=$((tests > 0 ? (least + tests - 1) / tests : 0))
    while IFS= read -r test; do
        "$whydunit" record "$test" --format json >record.json 2>record.err || say "$crate: $test: $(head -3 record.err)"
        [ "$(value outcome record.json)" = pass ] || { say "$crate: $test: $(value outcome record.json) when recorded"; bad=1; }
        "$whydunit" replay "$test" --no-memory-check --format json >replay.json 2>replay.err
        if grep -q '"divergence": *null' replay.json; then
            recordings=$((recordings + 1))
        else
            say "$crate: $test: $(tr '\n' ' ' <replay.json | head -c 600) $(head -3 replay.err)"
            diverged=$((diverged + 1)) bad=1
        fi
        instructions=$((instructions + $(value instructions replay.json || echo 0)))
        log=$((log + $(value log_bytes replay.json || echo 0)))
    done < <(for _ in $(seq "$again"); do printf '%s\n' "$names"; done)
    [ $most -lt $least ] || [ $recordings -ge $least ] || { say "$crate: only $recordings recordings"; bad=1; }
    printf '%-10s %6d %10d %10d %14d %10d\n' "$crate" "$tests" "$recordings" "$diverged" "$instructions" "$log"
done
exit $bad
