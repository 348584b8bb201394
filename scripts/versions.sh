#!/usr/bin/env bash
# Makes a git repository of the published versions of a package, one commit a version, for `whydunit history --versions`.
#
# versions.sh OUT crate|npm NAME [VERSION...]   all versions that are neither pre-releases nor withdrawn, or those named, in the order of their numbers
# versions.sh --last N OUT crate|npm NAME       the newest N of them
# versions.sh OUT debian PACKAGE                the original sources of a source package, then one commit for each of Debian's patches, of its own message
# versions.sh OUT folders FOLDER...             the folders as they are, in this order
# OUT must not be there. WHYDUNIT_CACHE: fetched sources [~/.cache/whydunit].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/corpus/fetch.sh"
usage='usage: versions.sh [--last N] OUT crate|npm NAME [VERSION...], OUT debian PACKAGE, or OUT folders FOLDER...'
last=100000
if [ "${1-}" = --last ]; then
    [[ ${2-} =~ ^[1-9][0-9]*$ ]] || die "$usage"
    last=$2
    shift 2
fi
[ $# -ge 3 ] || die "$usage"
out=$1 kind=$2 name=$3
shift 3
[ ! -e "$out" ] || die "$out is there already"

# commit FOLDER MESSAGE [DATE]: the files of a folder as the next commit; what differs in nothing from the last one is none.
commit() {
    find "$out" -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} + && cp -r "$1"/. "$out"/ || die "$1 cannot be copied"
    # What packaging added is no part of a version, and a repository inside would be a submodule.
    rm -rf "$out"/.cargo-checksum.json "$out"/.cargo_vcs_info.json "$out"/.cargo-ok "$out"/Cargo.toml.orig
    find "$out" -mindepth 2 -name .git -exec rm -rf {} +
    git -C "$out" add -A -f
    git -C "$out" diff --cached --quiet && git -C "$out" rev-parse -q --verify HEAD >/dev/null && return
    GIT_AUTHOR_DATE=${3:-2000-01-01T00:00:00Z} GIT_COMMITTER_DATE=${3:-2000-01-01T00:00:00Z} git -C "$out" \
        -c user.name=versions -c user.email=versions@example.org commit -q --no-verify -m "$2" || die "$2 cannot be committed"
}
# wanted NAMED...: versions from standard input, those that are named where some are, the newest --last, the oldest first.
wanted() {
    local version
    sort -V | while read -r version; do
        [ $# = 0 ] || [[ " $* " = *" $version "* ]] || continue
        echo "$version"
    done | tail -n "$last"
}
start() { git init -q "$out" && git -C "$out" config core.autocrlf false || die "cannot make a repository in $out"; }

case $kind in
crate)
    ask=$(mktemp -d) && mkdir "$ask/src" && : >"$ask/src/lib.rs"
    printf '[package]\nname = "ask"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n"%s" = "*"\n[workspace]\n' "$name" >"$ask/Cargo.toml"
    (cd "$ask" && cargo generate-lockfile -q) || die "cargo knows no crate $name"
    rm -rf "$ask"
    # Cargo keeps what the registry says of each version, one object a line.
    index=$(find "${CARGO_HOME:-$HOME/.cargo}"/registry/index -path "*/.cache/*/${name,,}" -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
    [ -n "$index" ] || die "cargo keeps nothing of the crate $name"
    known=$(tr '\0' '\n' <"$index" | grep '"vers"' | grep -vE '"yanked": ?true')
    # key NAME VERSION: what is said of a version.
    key() { grep -E "\"vers\": ?\"${2//./\\.}\"" <<<"$known" | sed -nE "s/.*\"$1\": ?\"([^\"]*)\".*/\1/p"; }
    mapfile -t versions < <(sed -E 's/.*"vers": ?"([^"]*)".*/\1/' <<<"$known" | grep -v -- - | wanted "$@")
    [ ${#versions[@]} -gt 0 ] || die "$name has no such version"
    start
    for version in "${versions[@]}"; do
        folder=$(fetch_crate "$name" "$version" "$(key cksum "$version")") || { say "$name $version is left out"; continue; }
        commit "$folder" "$name $version" "$(key pubtime "$version")"
    done
    ;;
npm)
    mapfile -t versions < <(npm view "$name" versions --json | grep -oE '"[0-9][^"]*"' | tr -d '"' | grep -v -- - | wanted "$@")
    [ ${#versions[@]} -gt 0 ] || die "$name has no such version"
    start
    for version in "${versions[@]}"; do
        place=$cache/npm/$name-$version
        if [ ! -e "$place/package" ]; then
            mkdir -p "$place"
            # Its scripts are not run.
            (cd "$place" && npm pack --ignore-scripts --silent "$name@$version" >/dev/null && tar xzf ./*.tgz) || { say "$name $version is left out"; continue; }
        fi
        commit "$(find "$place" -mindepth 1 -maxdepth 1 -type d | head -n 1)" "$name $version"
    done
    ;;
debian)
    place=$cache/debian-versions/$name
    if [ ! -e "$place/source" ]; then
        mkdir -p "$place"
        (cd "$place" && apt-get -q source --download-only "$name" >/dev/null 2>&1 && dpkg-source --skip-patches --no-check -x ./*.dsc source >/dev/null) ||
            die "apt-get cannot fetch the source of $name: are sources (deb-src) among those of the system?"
    fi
    start
    work=$(mktemp -d) && cp -r "$place/source/." "$work" && patches=$place/source/debian/patches && rm -rf "$work/debian" "$work/.pc"
    commit "$work" "$name as it was published"
    { grep -vE '^[[:space:]]*(#|$)' "$patches/series" 2>/dev/null || say "$name has no patches"; } | while read -r patch _; do
        # What a patch says of itself, by the rules for headings of patches.
        message=$(sed -nE '/^(---|Index:|diff )/q; s/^(Subject|Description): *(\[[^]]*\] *)?//p' "$patches/$patch" | head -n 1)
        patch -s -f -p1 -d "$work" <"$patches/$patch" >/dev/null || { say "$patch does not apply, and is left out with those behind it"; break; }
        find "$work" -name '*.orig' -delete
        commit "$work" "${message:-$patch}"
    done
    rm -rf "$work"
    ;;
folders)
    start
    for folder in "$name" "$@"; do
        [ -d "$folder" ] || die "$folder is no folder"
        commit "$folder" "$(basename "$folder")"
    done
    ;;
*) die "$usage" ;;
esac
say "$out: $(git -C "$out" rev-list --count HEAD) versions"
