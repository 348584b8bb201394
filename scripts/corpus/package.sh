# Packages that a file in the form of TOML names, as in subjects/real. Sourced behind fetch.sh.

# value SECTION KEY FILE: the text of a key in a fault.toml; section "" is the part before the first one.
value() { awk -v section="$1" -v key="$2" '
    /^\[/ { current = substr($0, 2, length($0) - 2); next }
    current == section && $1 == key && $2 == "=" { sub(/^[^"]*"/, ""); sub(/"[^"]*$/, ""); print; exit }' "$3"; }

# source_of SECTION FILE: the fetched folder or tarball of a version.
source_of() {
    local version sha256 name
    version=$(value "$1" version "$2") sha256=$(value "$1" sha256 "$2")
    if name=$(value "$1" crate "$2") && [ -n "$name" ]; then
        fetch_crate "$name" "$version" "$sha256"
    elif name=$(value "$1" git "$2") && [ -n "$name" ]; then
        fetch_git "$name" "$(value "$1" commit "$2")"
    elif name=$(value "$1" debian "$2") && [ -n "$name" ]; then
        fetch_debian "$name=$version" "$(value "$1" file "$2")" "$sha256" --tar-only "$(value "$1" suite "$2")"
    else
        die "$2: [$1] names no package"
    fi
}

# source_tree SECTION FILE FOLDER: the source of a version, in a folder.
source_tree() {
    local source
    source=$(source_of "$1" "$2") || return 1
    if [ -d "$source" ]; then
        rm -rf "$3" && cp -r "$source" "$3"
    else
        unpack "$source" "$3"
    fi
}
