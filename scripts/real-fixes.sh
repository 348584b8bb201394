#!/usr/bin/env bash
# Makes folders of real fixes that were bad, for `whydunit review`: a folder for each of subjects/real-fixes with the program before the fix, and the fixes as
# bad.diff and good.diff. Sources and patches are fetched by package name and version, with checksums, and kept.
#
# real-fixes.sh OUT [NAME...]
# WHYDUNIT_CACHE: fetched sources [~/.cache/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
fixes=$here/subjects/real-fixes
. "$here/scripts/corpus/fetch.sh"
. "$here/scripts/corpus/package.sh"
[ $# -ge 1 ] || die 'usage: real-fixes.sh OUT [NAME...]'
mkdir -p "$1" && out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- $(cd "$fixes" && ls -d -- */ | tr -d /)

# version NAME PATCHES FOLDER: the source before the fix with patches of the package, in FOLDER/src.
version() {
    local file=$fixes/$1/fix.toml folder changes name
    folder=$(value source folder "$file")
    rm -rf "$3" && mkdir -p "$3/all/$folder" || return 1
    source_tree source "$file" "$3/all" || return 1
    set -- "$1" "$(value patches before "$file") $2" "$3"
    if [ -n "${2# }" ]; then
        changes=$(fetch_debian "$(value patches debian "$file")=$(value patches version "$file")" "$(value patches file "$file")" \
            "$(value patches sha256 "$file")" --diff-only "$(value patches suite "$file")") || return 1
        for name in $2; do
            # Patches name files from the top of the package; a crate has that in a folder.
            local top=$3/all
            [ -e "$top/$folder/inflate.c" ] && top=$top/$folder
            tar -xOf "$changes" "debian/patches/$name" | patch -s -p1 -d "$top" || { say "$1: $name does not apply"; return 1; }
        done
    fi
    mkdir -p "$3/src" && cp "$3/all/$folder"/*.[ch] "$3/src/" && rm -rf "$3/all"
}

for name in "$@"; do
    file=$fixes/$name/fix.toml
    [ -e "$file" ] || die "there is no fix $name"
    work=$(mktemp -d) || exit 1
    version "$name" "" "$work/a" && version "$name" "$(value patches bad "$file")" "$work/bad" &&
        version "$name" "$(value patches good "$file")" "$work/good" || die "$name could not be made"
    rm -rf "${out:?}/$name" && mkdir -p "$out/$name"
    cp "$fixes/$name"/* "$out/$name/" && cp -r "$work/a/src" "$out/$name/src"
    for fix in bad good; do
        rm -rf "$work/b" && mv "$work/$fix" "$work/b"
        (cd "$work" && diff -ru a b >"$out/$name/$fix.diff")
        [ -s "$out/$name/$fix.diff" ] || die "$name: $fix changes nothing"
    done
    rm -rf "$work"
    say "$out/$name"
done
