#!/usr/bin/env bash
# fuzz.sh [SECONDS]: gives each reader of outside input (crates/cli/tests/it/fuzz.rs) inputs that are changed at random, for so many
# seconds [60]. An input on which one panics is told; one on which it does not end, or the process dies, lies in target/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
keep=${CARGO_TARGET_DIR:-target}/fuzz
mkdir -p "$keep"
WHYDUNIT_FUZZ_SECONDS=${1:-60} WHYDUNIT_FUZZ_KEEP=$(realpath "$keep") cargo test --workspace --test it fuzz:: -- --nocapture
