#!/usr/bin/env bash
# What `locate` finds, and how long each of its phases takes, or what `repair` finds: makes the catalogue of our own faults, of mutants, or of real faults, and runs `whydunit score` on it.
#
# score.sh [--use development|final] [--program NAME]... [--mutants N --seed S | --real] [--held-out N] [--cases N] [OPTION OF SCORE...]
#   --use      only faults for this use [final]                 --program  only those of this program; several can be named [all]
#   --mutants  mutants of our programs, so many of each, of both uses; --seed says which [1]       --real  faults from the histories of published packages
#   --cases     only so many cases of each program, some of which fail [all]
#   --held-out  so many cases beside each of our programs, by which patches are judged: for --method enumeration [0]
# WHYDUNIT: the binary, with whydunit-catalogue beside it [target/release/whydunit]. WHYDUNIT_CACHE: fetched sources and the catalogues [~/.cache/whydunit].
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
make=$(dirname "$whydunit")/whydunit-catalogue
. "$here/scripts/corpus/fetch.sh"
use=final only=() fewer=() mutants= seed=1 real=0 held=0
while [ $# -gt 0 ]; do
    case $1 in
    --use) use=${2-}; shift 2 ;;
    --program) only+=(--program "${2-}"); shift 2 ;;
    --mutants) mutants=${2-}; shift 2 ;;
    --seed) seed=${2-}; shift 2 ;;
    --held-out) held=${2-}; shift 2 ;;
    --cases) fewer=(--cases "${2-}"); shift 2 ;;
    --real) real=1; shift ;;
    *) break ;;
    esac
done
[ -x "$whydunit" ] || die "$whydunit is not there: make it with cargo build --release, or set WHYDUNIT"
catalogue=$cache/score/$use
[ -z "$mutants" ] || catalogue=$cache/score/mutants-$mutants-$seed
[ $real = 0 ] || catalogue=$cache/score/real-$use
rm -rf "$catalogue" && mkdir -p "$(dirname "$catalogue")"
if [ $real = 1 ]; then
    WHYDUNIT=$whydunit "$here/scripts/real.sh" --use "$use" "$catalogue"
elif [ -n "$mutants" ]; then
    "$make" make "${only[@]}" --held-out "$held" --mutants "$mutants" --seed "$seed" --use all "$here/subjects/faults" "$catalogue"
else
    "$make" make "${only[@]}" "${fewer[@]}" --seed "$seed" --held-out "$held" --faults --use "$use" "$here/subjects/faults" "$catalogue"
fi
exec "$whydunit" score "$catalogue" "$@"
