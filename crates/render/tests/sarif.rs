//! What is called SARIF fits the official schema, which comes with a crate of the registry.

#[path = "support/fixtures.rs"]
mod fixtures;

use std::path::Path;
use std::process::{Command, Stdio};

use fixtures::{Triangle, report};
use serde_json::Value;
use whydunit_render::{Options, sarif};

/// The crate that has the schema, its version and checksum.
const CRATE: [&str; 3] = ["serde-sarif", "0.8.0", "a053c46f18a8043570d4e32fefc4c6377f82bf29ec310a33e93f273048e3b0be"];

/// Fetched once, as the corpus is, and kept.
fn schema() -> Value {
    let output = Command::new("bash")
        .args(["-euc", ". scripts/corpus/fetch.sh; fetch_crate \"$@\"", "fetch"])
        .args(CRATE)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stderr(Stdio::inherit())
        .output()
        .expect("bash starts");
    assert!(output.status.success(), "the schema cannot be fetched");
    let folder = String::from_utf8(output.stdout).expect("a path");
    let text = std::fs::read_to_string(Path::new(folder.trim()).join("src/schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn it_fits_the_official_schema() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let kinds = ["locate", "explain", "repair", "review"]
        .into_iter()
        .flat_map(|name| ["", "sub/"].map(|prefix| (name, prefix)));
    for (name, prefix) in kinds {
        for limit in [None, Some(1)] {
            let text = sarif(&report(name), &Options { sources: &Triangle, limit, prefix, ..Options::default() });
            let log: Value = serde_json::from_str(&text).expect("it is JSON");
            let broken: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
            assert_eq!(broken, [""; 0]);
        }
    }
    let mut log: Value = serde_json::from_str(&sarif(&report("locate"), &Options::default())).expect("it is JSON");
    log["runs"][0]["results"][0]["rank"] = 101.into();
    assert!(!validator.is_valid(&log), "the check notices nothing");
}
