#!/usr/bin/env bash
# Installs what building whydunit needs; with --tests also what its tests and corpus need.
# Debian 12: installs missing packages with apt-get (through sudo when not root). Elsewhere: says what is missing.
# Quick when everything is there; safe to run again.
set -euo pipefail

build_packages=(
    gcc g++ libc6-dev make pkg-config
    clang-22 lld-22 llvm-22-dev libclang-22-dev libclang-rt-22-dev libpolly-22-dev
    zlib1g-dev libzstd-dev libz3-dev
)
# For subjects with builds of their own: CMake, Meson, autotools, and what the packages of the corpus ask for. Solvers that
# are asked as processes. Java, for the tracer of its virtual machine and the programs that it is tried on. A browser for the pages of
# reports.
test_packages=(
    git curl ca-certificates xz-utils bzip2 patch file dpkg-dev
    cmake meson ninja-build libgtest-dev libgmock-dev catch2 doctest-dev libboost-test-dev cpputest check autoconf automake libtool bison flex m4 gettext texinfo ed python3
    libreadline-dev libmpfr-dev locales time
    z3 cvc5
    openjdk-17-jdk-headless libasm-java junit4 libhamcrest-java
    shellcheck
    chromium
)
# The oldest Rust that builds the workspace and its dependencies.
rust_needed=1.91

usage() {
    sed -n '2,4s/^# //p' "$0"
    echo "usage: scripts/setup.sh [--tests]"
}

packages=("${build_packages[@]}")
case "${1-}" in
    '') ;;
    --tests) packages+=("${test_packages[@]}") ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac

say() { printf 'setup: %s\n' "$*" >&2; }

debian_version() {
    [ -r /etc/os-release ] || return 0
    (. /etc/os-release && [ "${ID-}" = debian ] && echo "${VERSION_ID-}") || true
}

# The packages of "$@" that dpkg does not have installed.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
    local package
    for package in "$@"; do
        grep -qxF -- "$package" <<<"$installed" || echo "$package"
    done
}

install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "${packages[@]}")
    [ "${#missing[@]}" -gt 0 ] || return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
            exit 1
        fi
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    # apt's own retries help against a mirror's hiccups; its output is shown only when something fails.
    if ! { "${as_root[@]}" apt-get -o Acquire::Retries=3 update &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get -o Acquire::Retries=3 install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        say "apt-get failed (its whole output: $log). clang 22 comes from Debian 12's security archive:"
        say "\"bookworm-security main\" must stand in /etc/apt/sources.list or /etc/apt/sources.list.d."
        exit 1
    fi
    rm -f "$log"
}

# Elsewhere: the commands and libraries that must be there, whatever their packages are called.
report_missing() {
    local lacking=0 tool
    local tools=(cc c++ make pkg-config clang-22 ld.lld-22 llvm-config-22)
    [ "${#packages[@]}" -eq "${#build_packages[@]}" ] ||
        tools+=(git curl cmake meson ninja autoconf automake libtoolize bison flex m4 patch xz ed java javac jar chromium)
    for tool in "${tools[@]}"; do
        command -v "$tool" >/dev/null || { say "missing: $tool"; lacking=1; }
    done
    if [ "$lacking" -ne 0 ]; then
        say "this is not Debian 12: install the missing commands by your system's means (LLVM 22 and clang 22 with"
        say "their development files, zlib, zstd, Z3). The Debian 12 packages are: ${packages[*]}"
        exit 1
    fi
}

check_rust() {
    if ! command -v cargo >/dev/null; then
        # A fresh rustup install is often not in PATH yet.
        if [ -x "$HOME/.cargo/bin/cargo" ]; then
            say "cargo is installed but not in PATH: run  . \"\$HOME/.cargo/env\"  and start again"
        else
            say "no Rust toolchain: Debian 12's own (1.63) is too old. Install one for this user from https://rustup.rs :"
            say "    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y && . \"\$HOME/.cargo/env\""
        fi
        exit 1
    fi
    local have
    have=$(cargo --version | awk '{ print $2 }')
    if [ "$(printf '%s\n%s\n' "$rust_needed" "$have" | sort -V | head -n 1)" != "$rust_needed" ]; then
        say "Rust $have is too old, $rust_needed or newer is needed: run  rustup update stable"
        exit 1
    fi
}

if [ "$(debian_version)" = 12 ]; then
    install_packages
else
    report_missing
fi
check_rust
