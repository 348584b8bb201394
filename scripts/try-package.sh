#!/usr/bin/env bash
# try-package.sh DEB [SUITE|TARBALL]: installs the package in a fresh system of Debian, made by mmdebstrap (SUITE is bookworm or trixie
# [bookworm]) or unpacked from a tarball of one, and asks it for a first answer: `whydunit doctor`, then the tour, as a user without rights. Tells how long each took and
# fails where one fails. Needs root, and a network that reaches Debian's archive.
set -euo pipefail
{ [ $# -ge 1 ] && [ $# -le 2 ] && [ -f "$1" ]; } || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
deb=$(realpath "$1") suite=${2:-bookworm}
[ -f "$suite" ] || command -v mmdebstrap >/dev/null || { echo 'try-package.sh: mmdebstrap is not there: apt-get install mmdebstrap' >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
mirror=http://deb.debian.org
start=$SECONDS
if [ -f "$suite" ]; then
    mkdir "$work/root" && tar -C "$work/root" -xf "$suite"
else
    mmdebstrap --quiet --variant=minbase "$suite" "$work/root" <<SOURCES
deb $mirror/debian $suite main
deb $mirror/debian $suite-updates main
deb $mirror/debian-security $suite-security main
SOURCES
fi
printf 'a system of %s: %d s\n' "$suite" $((SECONDS - start))
cp "$deb" "$work/root/whydunit.deb"
cp /etc/resolv.conf "$work/root/etc/resolv.conf"

# What is done inside; each step tells its time.
cat >"$work/root/try.sh" <<'INSIDE'
set -eu
step() {
    began=$(date +%s)
    echo "== $*"
    "$@"
    echo "== $* took $(($(date +%s) - began)) s"
}
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
step apt-get -qq update
step apt-get -qq -o=Dpkg::Use-Pty=0 install -y --no-install-recommends /whydunit.deb >/install.log 2>&1 || { tail -n 20 /install.log; exit 1; }
tail -n 1 /install.log
useradd --create-home tester
step su tester -c 'cd && whydunit --version && whydunit doctor'
step su tester -c 'cd && whydunit demo'
INSIDE
# Mounts of its own, which go with it.
unshare --mount --pid --fork --kill-child sh -c '
    mount --make-rprivate / &&
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp" &&
    exec chroot "$1" /bin/sh /try.sh' sh "$work/root"
