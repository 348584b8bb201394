#!/usr/bin/env bash
# package.sh: packs what `cargo build --release` made, below CARGO_TARGET_DIR [target]: a Debian package, a tarball of the same tree,
# and a tarball with the debug information. They are put in packages/ there; the same sources give the same tarballs.
# cargo-deb is installed for that, in a pinned version, below the same folder.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
cargo_deb_version=3.8.0
# The oldest system that the packages are for: Debian 12's C library.
newest_glibc=2.36

die() { echo "package.sh: $*" >&2; exit 1; }

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
[ -n "$version" ] || die 'Cargo.toml has no version in [workspace.package]'
packages=$target/packages tree=$target/release/tree
scripts/tree.sh "$tree"

# A symbol of a newer C library would not be found on the oldest system.
newest=$(objdump -T "$tree"/bin/* | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
[ "$(printf '%s\n' "${newest#GLIBC_}" "$newest_glibc" | sort -V | tail -n 1)" = "$newest_glibc" ] ||
    die "the programs need $newest, and packages are for $newest_glibc and newer: build on Debian 12"

rm -rf "$packages" && mkdir -p "$packages"
stamp=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
# tarball NAME FOLDER LEVEL: FOLDER as NAME/ in NAME.tar.xz, compressed so hard.
tarball() {
    tar --sort=name --mtime="@$stamp" --owner=0 --group=0 --numeric-owner --transform="s,^\.,$1," -C "$2" -cf - . |
        xz -T0 "-$3" >"$packages/$1.tar.xz"
}
tarball "whydunit-$version-x86_64-linux" "$tree" 6
tarball "whydunit-$version-x86_64-linux-debug" "$tree.debug" 2

tools=$target/tools
if [ "$("$tools/bin/cargo-deb" --version 2>/dev/null)" != "cargo-deb $cargo_deb_version" ]; then
    cargo install --locked --version "$cargo_deb_version" --root "$tools" cargo-deb
fi
# The files of the package are listed in crates/cli/Cargo.toml; what stands there below target/release lies in the tree.
SOURCE_DATE_EPOCH=$stamp PATH=$tools/bin:$PATH cargo deb --package whydunit --no-build --no-strip --output "$packages/"
(cd "$packages" && sha256sum -- * >SHA256SUMS && ls -l)
