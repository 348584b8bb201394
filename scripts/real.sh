#!/usr/bin/env bash
# Makes a catalogue of real faults from the histories of published packages, for `whydunit score`: a folder for each fault of subjects/real with the sources of
# the faulty version, our driver and cases or tests, and truth.json. Sources are fetched by package name and version, with checksums, and kept.
#
# real.sh [--check] [--use development|final|repair] [--regressions] OUT [NAME...]
#   --check  also runs each suite, of the faulty version and of the mended one: the former must fail the cases that fault.toml names and no other, the latter none
#   --use    only faults, or regressions, for this use
#   --regressions  in place of faults the regressions of subjects/regressions: a folder for each with a good and a bad version; --check holds the good and the mended one to all cases
# WHYDUNIT: the binary for --check [target/release/whydunit]. WHYDUNIT_CACHE: fetched sources [~/.cache/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
real=$here/subjects/real
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
. "$here/scripts/corpus/fetch.sh"
. "$here/scripts/corpus/package.sh"
usage='usage: real.sh [--check] [--use development|final|repair] [--regressions] OUT [NAME...]'
check=0 use= file=fault.toml programs=$real/programs
while [ $# -gt 0 ]; do
    case $1 in
    --check) check=1 ;;
    --use) use=${2-}; [[ $use =~ ^(development|final|repair)$ ]] || die "$usage"; shift ;;
    --regressions) real=$here/subjects/regressions file=regression.toml ;;
    -*) die "$usage" ;;
    *) break ;;
    esac
    shift
done
[ $# -ge 1 ] || die "$usage"
out=$1
shift
[ $check = 0 ] || [ -x "$whydunit" ] || die "$whydunit is not there: make it with cargo build --release, or set WHYDUNIT"

# apply_patches SECTION FILE FOLDER: the patches of Debian that a version has.
apply_patches() {
    local patches changes name
    patches=$(value "$1" patches "$2")
    [ -n "$patches" ] || return 0
    changes=$(fetch_debian "$(value "$1" debian "$2")=$(value "$1" version "$2")" "$(value "$1" changes "$2")" \
        "$(value "$1" changes_sha256 "$2")" --diff-only "$(value "$1" suite "$2")") || return 1
    for name in $patches; do
        tar -xOf "$changes" "debian/patches/$name" | patch -s -p1 -d "$3" || { say "$2: $name does not apply"; return 1; }
    done
}

# lay_out NAME SECTION FOLDER: a project with the sources of a version.
lay_out() {
    local fault=$real/$1/$file program source part
    program=$(value "" program "$fault")
    source=$(source_of "$2" "$fault") || return 1
    rm -rf "$3" && mkdir -p "$3" || return 1
    cp "$programs/$program"/* "$real/$1/truth.json" "$3"/ || return 1
    if [ -e "$real/$1/ours.rs" ]; then
        mkdir "$3/tests" && cp "$real/$1/ours.rs" "$3/tests/"
    else
        cp "$real/$1/cases.jsonl" "$3"/
    fi || return 1
    if [ -d "$source" ]; then
        cp -r "$source/$(value "$2" folder "$fault")" "$3/$program"
    else
        unpack "$source" "$3/$program"
    fi || return 1
    apply_patches "$2" "$fault" "$3/$program" || return 1
    # Of a tarball the folder is what stays.
    part=$(value "$2" folder "$fault")
    if [ -n "$part" ] && [ ! -d "$source" ]; then
        mv "$3/$program/$part" "$3/.part" && rm -rf "${3:?}/$program" && mv "$3/.part" "$3/$program" || return 1
    fi
    # A driver that the workloads use as well is there.
    part=$(value "" driver "$fault")
    [ -z "$part" ] || cp "$here/$part" "$3"/
}

# failing FOLDER: the names of the cases or tests that a project fails, sorted; of a test of cargo without package and program.
failing() {
    nice "$whydunit" --project "$1" --format json test >"$1/test.json" 2>"$1/test.err"
    [ $? -le 1 ] || { say "$1: the suite does not run, see test.err there"; return 1; }
    python3 -c '
import json, sys
print(*sorted(t["name"].split()[-1] for t in json.load(open(sys.argv[1]))["tests"] if t["outcome"] != "pass"))' "$1/test.json"
}

# lay_out_both NAME: a regression, with its good and its bad version.
lay_out_both() {
    lay_out "$1" good "$out/$1/good" && lay_out "$1" bad "$out/$1/bad" && mv "$out/$1/bad/truth.json" "$out/$1/" && rm "$out/$1/good/truth.json"
}

# check_both NAME: the good and the mended version fail nothing, the bad one what it should.
check_both() {
    local expected got place version
    expected=$(value "" failing "$real/$1/$file" | tr ' ' '\n' | sort | xargs)
    place=$(mktemp -d)
    cp -r "$out/$1/good" "$out/$1/bad" "$place" || return 1
    # Of a behaviour that was meant there is no version in which it is mended.
    if grep -q '^\[mended\]' "$real/$1/$file"; then lay_out "$1" mended "$place/mended" || return 1; fi
    for version in good mended; do
        [ -e "$place/$version" ] || continue
        got=$(failing "$place/$version") || return 1
        [ -z "$got" ] || { say "$1: the $version version fails [$got]"; return 1; }
    done
    got=$(failing "$place/bad") || return 1
    rm -rf "$place"
    [ "$got" = "$expected" ] || { say "$1: the bad version fails [$got], not [$expected]"; return 1; }
    say "$1: the bad version fails [$expected], the good one and, if there is one, the mended one nothing"
}

check_one() {
    local expected got mended
    expected=$(value "" failing "$real/$1/fault.toml" | tr ' ' '\n' | sort | xargs)
    got=$(failing "$out/$1") || return 1
    (cd "$out/$1" && make clean >/dev/null 2>&1; rm -rf .whydunit test.json test.err)
    [ "$got" = "$expected" ] || { say "$1: fails [$got], not [$expected]"; return 1; }
    mended=$(mktemp -d)
    lay_out "$1" mended "$mended/$1" && got=$(failing "$mended/$1") || return 1
    rm -rf "$mended"
    [ -z "$got" ] || { say "$1: the mended version fails [$got]"; return 1; }
    say "$1: fails [$expected]; mended it fails none"
}

names=("$@")
if [ ${#names[@]} = 0 ]; then
    for fault in "$real"/*/"$file"; do names+=("$(basename "$(dirname "$fault")")"); done
fi
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 1
failed=0
for name in "${names[@]}"; do
    [ -e "$real/$name/$file" ] || die "there is no $name in $real"
    [ -z "$use" ] || [ "$(value "" use "$real/$name/$file")" = "$use" ] || continue
    if [ "$file" = regression.toml ]; then
        lay_out_both "$name" || { failed=1; continue; }
        [ $check = 0 ] || check_both "$name" || failed=1
        continue
    fi
    lay_out "$name" faulty "$out/$name" || { failed=1; continue; }
    [ $check = 0 ] || check_one "$name" || failed=1
done
exit $failed
