# Fetching third-party sources, by package name and pinned version, through the ordinary clients. Sourced by the scripts beside this folder.
# Everything lies in $cache (${WHYDUNIT_CACHE:-~/.cache/whydunit}); a source is fetched once.

cache=${WHYDUNIT_CACHE:-$HOME/.cache/whydunit}

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0" .sh): $*"; exit 1; }

# fetch_crate NAME VERSION CHECKSUM: the crate's folder on stdout. Cargo downloads it and compares the lock file's checksum with the content;
# the lock file's checksum is compared here with the pinned one.
fetch_crate() {
    local name=$1 version=$2 checksum=$3 place=$cache/crates/$1-$2
    if [ ! -e "$place/.complete" ]; then
        say "fetching crate $name $version"
        rm -rf "$place" && mkdir -p "$place/src" && : >"$place/src/lib.rs"
        printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n[workspace]\n' "$name" "$version" >"$place/Cargo.toml"
        # Versions that were withdrawn are only given to who has them locked.
        printf 'version = 3\n[[package]]\nname = "fetch"\nversion = "0.0.0"\ndependencies = ["%s"]\n[[package]]\nname = "%s"\nversion = "%s"\nsource = "%s"\nchecksum = "%s"\n' \
            "$name" "$name" "$version" registry+https://github.com/rust-lang/crates.io-index "$checksum" >"$place/Cargo.lock"
        (cd "$place" && cargo vendor -q --versioned-dirs vendor >/dev/null) || die "cannot fetch crate $name $version: is the registry reachable?"
        grep -A3 "^name = \"$name\"" "$place/Cargo.lock" | grep -q "checksum = \"$checksum\"" || die "crate $name $version has another checksum than the pinned one"
        : >"$place/.complete"
    fi
    echo "$place/vendor/$name-$version"
}

# fetch_debian PACKAGE FILE SHA256 [--tar-only|--diff-only [SUITE]]: the path of the source package's original tarball on stdout, or of Debian's changes to it, from a
# suite of Debian [bookworm] or its security updates. The system's own package lists stay untouched.
fetch_debian() {
    local package=$1 file=$2 sha256=$3 part=${4:---tar-only} suite=${5:-bookworm} place=$cache/debian lists
    if [ ! -e "$place/$file" ]; then
        command -v apt-get >/dev/null || die "$package needs apt-get (Debian), or $file put into $place"
        say "fetching source package $package"
        lists=$place/lists-$suite
        mkdir -p "$lists/partial" "$place/new"
        printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/%s main\n' \
            "debian $suite" "debian-security $suite-security" >"$lists.list"
        local options=(-q -o Dir::Etc::sourcelist="$lists.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$lists"
            -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
        cmp -s "$lists.list" "$lists.updated" || { apt-get "${options[@]}" update >/dev/null && cp "$lists.list" "$lists.updated"; } || die "cannot read Debian's list of sources"
        (cd "$place/new" && apt-get "${options[@]}" source --download-only "$part" "$package" >/dev/null 2>&1)
        [ -e "$place/new/$file" ] || die "Debian has no $file for $package any more; put it into $place"
        mv "$place/new/$file" "$place/$file"
    fi
    echo "$sha256  $place/$file" | sha256sum -c --quiet >&2 || die "$place/$file has another checksum than the pinned one; delete it"
    echo "$place/$file"
}

# fetch_git URL COMMIT: the files of a commit of a public repository, in a folder, on stdout. A commit's name is its checksum.
fetch_git() {
    local place=$cache/git/$2 store
    if [ ! -e "$place" ]; then
        say "fetching $1 at $2"
        store=$place.new && rm -rf "$store" && mkdir -p "$store/files"
        git init -q --bare "$store/git" && git --git-dir="$store/git" fetch -q --depth 1 "$1" "$2" &&
            git --git-dir="$store/git" archive "$2" | tar xf - -C "$store/files" || die "cannot fetch $2 of $1"
        mv "$store/files" "$place" && rm -rf "$store"
    fi
    echo "$place"
}

# unpack TARBALL FOLDER: its content without the leading folder, with times kept (autotools compare them).
unpack() {
    rm -rf "$2" && mkdir -p "$2" && tar --no-same-owner --strip-components=1 -xf "$1" -C "$2"
}
