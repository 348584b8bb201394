# Published crates, and programs of ours on them. Sourced by suites.sh and bench.sh.

# crate_source NAME: the sources of a published crate, fetched in a pinned version.
crate_source() {
    case $1 in
    heck) fetch_crate heck 0.5.0 2304e00983f87ffb38b55b444b5e3b60a884b5d30c0fca7d82fe33449bbe55ea ;;
    itoa) fetch_crate itoa 1.0.18 8f42a60cbdf9a97f5d2305f08a87dc4e09308d1276d28c869c684d7777685682 ;;
    semver) fetch_crate semver 1.0.28 8a7852d02fc848982e0c167ef163aaff9cd91dc640ba85e263cb1ce46fae51cd ;;
    smallvec) fetch_crate smallvec 1.16.5 149309498a5f7334b12ddae0cad8aba81ce785fe91755068867e017cf98fee46 ;;
    indexmap) fetch_crate indexmap 2.14.2 cc4e190f5d26ca7051642629da2c52fc03bde85a03197c99408dcd291734c855 ;;
    regex-syntax) fetch_crate regex-syntax 0.8.12 d902046e6a28a1e4c3cab97258a0ce11e994903f01c2d97a9447a0b3df85f4f6 ;;
    serde_json) fetch_crate serde_json 1.0.145 402a6f66d8c709116cf22f558eab210f5a50187f702eb4d7e5ef38d9a7f1c79c ;;
    crossbeam-channel) fetch_crate crossbeam-channel 0.5.17 98b0cc327b5bc766e7fda9c9260cc0fa81b43a8e240440422dff70788e3f9ef1 ;;
    esac
}

# crate_program NAME FOLDER: our program of workloads/NAME on a crate, with nothing left to fetch.
crate_program() {
    local source
    source=$(crate_source "$1") || return 1
    rm -rf "$2" && mkdir -p "$2/src" "$2/.cargo" && cp "$workloads/$1/main.rs" "$2/src/"
    printf '[package]\nname = "program"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n[workspace]\n' "$1" "${source##*-}" >"$2/Cargo.toml"
    printf '[source.crates-io]\nreplace-with = "fetched"\n[source.fetched]\ndirectory = "%s"\n' "$(dirname "$source")" >"$2/.cargo/config.toml"
}
# The profile follows the flags: release at -O2, debug at -O0. Either is the only program below target.
crate_steps() { echo 'case $CFLAGS in -O2*) profile=--release ;; *) profile= ;; esac; CARGO_TARGET_DIR=target CARGO_BUILD_TARGET=x86_64-unknown-linux-gnu cargo build --offline $profile'; }

serde_json_unpack() { crate_program serde_json "$1"; }
serde_json_steps() { crate_steps; }
regex_syntax_unpack() { crate_program regex-syntax "$1"; }
regex_syntax_steps() { crate_steps; }
crossbeam_channel_unpack() { crate_program crossbeam-channel "$1"; }
crossbeam_channel_steps() { crate_steps; }
