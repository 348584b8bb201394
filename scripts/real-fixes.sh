#!/usr/bin/env bash
# Makes folders of real fixes that were bad, for `whydunit review`: a folder for each of subjects/real-fixes with the program before the fix, and the fixes as
# bad.diff and good.diff. Sources and patches are fetched by package name and version, or by a commit of a public repository, with
# checksums, and kept.
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
if [ $# -eq 0 ]; then
    mapfile -t all < <(find "$fixes" -mindepth 2 -maxdepth 2 -name fix.toml -printf '%h\n' | xargs -r -d '\n' -n 1 basename | LC_ALL=C sort)
    set -- "${all[@]}"
fi

# version FILE before|bad|good FOLDER: a version of the source, in FOLDER/src: the package of the section of that name, or [source] with patches.
version() {
    local section=source patches changes name
    rm -rf "$3" && mkdir -p "$3/src" || return 1
    if [ -n "$(value "$2" version "$1")$(value "$2" commit "$1")" ]; then
        section=$2 patches=
    else
        patches=$(value patches before "$1")
        [ "$2" = before ] || patches="$patches $(value patches "$2" "$1")"
    fi
    source_tree "$section" "$1" "$3/all" || return 1
    if [ -n "${patches# }" ]; then
        changes=$(fetch_debian "$(value patches debian "$1")=$(value patches version "$1")" "$(value patches file "$1")" \
            "$(value patches sha256 "$1")" --diff-only "$(value patches suite "$1")") || return 1
        for name in $patches; do
            # Patches name files from the top of the package; a crate has that in a folder.
            tar -xOf "$changes" "debian/patches/$name" | patch -s -p1 -d "$3/all/$(value patches top "$1")" || { say "$name does not apply"; return 1; }
        done
    fi
    (cd "$3/all/$(value "$section" folder "$1")" && find . \( -name test -o -name tests -o -name benches \) -prune -o \( -name '*.[chC]' -o -name '*.hpp' -o -name '*.rs' \) -print0 | xargs -0 cp --parents -t "$3/src") && rm -rf "$3/all"
}

for name in "$@"; do
    file=$fixes/$name/fix.toml
    [ -e "$file" ] || die "there is no fix $name"
    work=$(mktemp -d) || exit 1
    version "$file" before "$work/a" && version "$file" bad "$work/bad" && version "$file" good "$work/good" || die "$name could not be made"
    rm -rf "${out:?}/$name" && mkdir -p "$out/$name"
    program=$(value "" program "$file")
    [ -z "$program" ] || cp "$fixes/programs/$program"/* "$out/$name/"
    cp "$fixes/$name"/* "$out/$name/" && cp -r "$work/a/src" "$out/$name/src"
    for fix in bad good; do
        rm -rf "$work/b" && mv "$work/$fix" "$work/b"
        (cd "$work" && git diff --no-index --no-prefix a b >"$out/$name/$fix.diff")
        [ -s "$out/$name/$fix.diff" ] || die "$name: $fix changes nothing"
    done
    rm -rf "$work"
    say "$out/$name"
done
