#!/usr/bin/env bash
# The programs of subjects/checks by `whydunit test --check --leaks`, by clang's sanitizers and by valgrind: which faulty ones each finds, at which line, and what it says of those
# without a fault. Prints a table. Exit status 1 when whydunit reports something in a program without a fault, or finds less than 95 % of the faulty ones.
#
# checks.sh [--list]      --list: also the programs that each misses or accuses
# WHYDUNIT: the binary [target/release/whydunit]. CLANG: the compiler of the sanitizers [clang-22]. A tool that is not there is left out.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
clang=${CLANG:-clang-22}
list=0
[ "${1:-}" = --list ] && list=1
[ -x "$whydunit" ] || { echo "$whydunit is not there: make it with cargo build --release, or set WHYDUNIT" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# A program's part of a source reaches from the end of the one before to its own: NAME, then FILE:LINE of each fault.
faults() {
    (cd "$here/subjects/checks" && for source in *.c *.cpp; do
        awk -v file="$source" '/fault: |not told: /{ places = places " " file ":" FNR }
            /^PROGRAM\(/{ name = $0; sub(/^PROGRAM\(/, "", name); sub(/\).*/, "", name) }
            /^}/ && name != ""{ print name places; name = places = "" }' "$source"
    done)
}
faults > "$work/programs"

# Each tool leaves a file for each program: the places that it reports, and nothing where it reports nothing.
seconds() { date +%s.%N; }
with_whydunit() {
    cp -r "$here/subjects/checks" "$work/project"
    (cd "$work/project" && "$whydunit" build > "$work/build.log" 2>&1 && "$whydunit" test --check --leaks --format json > "$work/answer.json" 2>> "$work/build.log")
    mkdir "$work/whydunit"
    jq -r '.tests[] | .name as $n | ((.memory_errors // []) + (.undefined_behaviours // []))[] | "\($n) \(.location.file):\(.location.line)"' "$work/answer.json" |
        while read -r name place; do echo "$place" >> "$work/whydunit/$name"; done
}
# sanitizer NAME FLAGS...
sanitizer() {
    local name=$1
    shift
    mkdir -p "$work/$name.build" "$work/$name"
    (cd "$work/$name.build" && cp "$here/subjects/checks/"* . && make -s CC="$clang" CXX="${clang/clang/clang++}" CFLAGS="-O0 -fno-omit-frame-pointer $*" LDFLAGS="$*") \
        > "$work/$name.log" 2>&1 || return 1
    while read -r program _; do
        (cd "$work/$name.build" && timeout 20 ./checks "$program") > "$work/out" 2>&1
        if grep -qE 'runtime error: |ERROR: (Address|Leak|Memory)Sanitizer|WARNING: MemorySanitizer' "$work/out"; then
            grep -oE '[a-z]+\.(c|cpp):[0-9]+' "$work/out" > "$work/$name/$program"
            [ -s "$work/$name/$program" ] || echo unknown > "$work/$name/$program"
        fi
    done < "$work/programs"
}
with_valgrind() {
    mkdir -p "$work/plain" "$work/valgrind"
    (cd "$work/plain" && cp "$here/subjects/checks/"* . && make -s CC="$clang" CXX="${clang/clang/clang++}" CFLAGS="-O0 -gdwarf-4") > "$work/plain.log" 2>&1 || return 1
    while read -r program _; do
        (cd "$work/plain" && timeout 60 valgrind -q --leak-check=full --show-leak-kinds=definite ./checks "$program") > "$work/out" 2>&1
        if grep -q '^==[0-9]*== ' "$work/out"; then
            grep -oE '[a-z]+\.(c|cpp):[0-9]+' "$work/out" > "$work/valgrind/$program"
            [ -s "$work/valgrind/$program" ] || echo unknown > "$work/valgrind/$program"
        fi
    done < "$work/programs"
}

# row TITLE FOLDER...: of several tools together. Found: reported at all; at the line: some report has the faulty line in its calls.
row() {
    local title=$1 faulty=0 found=0 exact=0 clean=0 accused=0 missed='' wrong='' name places place hit
    shift
    while read -r name places; do
        hit=$(for tool in "$@"; do cat "$work/$tool/$name" 2> /dev/null; done)
        if [ -z "$places" ]; then
            clean=$((clean + 1))
            [ -z "$hit" ] || { accused=$((accused + 1)); wrong+=" $name"; }
            continue
        fi
        faulty=$((faulty + 1))
        [ -n "$hit" ] && found=$((found + 1)) || { missed+=" $name"; continue; }
        for place in $places; do
            grep -qx "$place" <<< "$hit" && { exact=$((exact + 1)); break; }
        done
    done < "$work/programs"
    printf '| %s | %d of %d (%d %%) | %d | %d of %d |\n' "$title" $found $faulty $((100 * found / faulty)) $exact $accused $clean
    if [ $list = 1 ]; then
        [ -z "$missed" ] || echo "    missed:$missed"
        [ -z "$wrong" ] || echo "    accused:$wrong"
    fi
    [ "$title" != 'whydunit `test --check --leaks`' ] || { [ $accused = 0 ] && [ $((100 * found)) -ge $((95 * faulty)) ] || failed=1; }
}

failed=0
start=$(seconds); with_whydunit; own=$(echo "$(seconds) - $start" | bc)
start=$(seconds); sanitizer asan -fsanitize=address; asan=$(echo "$(seconds) - $start" | bc)
sanitizer ubsan -fsanitize=undefined
sanitizer msan -fsanitize=memory
echo '| | faulty programs found | at the faulty line | programs without a fault accused |'
echo '|---|---|---|---|'
row 'whydunit `test --check --leaks`' whydunit
row 'AddressSanitizer' asan
row 'UndefinedBehaviorSanitizer' ubsan
row 'AddressSanitizer, UndefinedBehaviorSanitizer' asan ubsan
row 'the same and MemorySanitizer' asan ubsan msan
if command -v valgrind > /dev/null; then
    with_valgrind
    row valgrind valgrind
fi
printf 'building and checking all: whydunit %.1f s; AddressSanitizer %.1f s\n' "$own" "$asan"
exit $failed
