//! A real fault, end to end: CVE-2022-37434 in zlib 1.2.11, fetched by package name and version.

use std::path::Path;
use std::process::Command;

use crate::support::project::Project;
use serde_json::Value;

/// The driver with zlib's sources, built under capture.
pub fn driver(version: &[&str]) -> Project {
    let project = Project::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/cve-2022-37434.sh");
    let output = Command::new(script).args(version).arg(project.folder()).output().expect("the script starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (status, _, errors) = project.json(&["build", "--", "make"]);
    assert_eq!(status, 0, "{errors}");
    project
}

fn lines(steps: &Value) -> Vec<(String, u64)> {
    let step = |step: &Value| {
        let text = step["variable"].as_str().unwrap_or_default().to_string();
        (text, step["location"]["line"].as_u64().unwrap_or(0))
    };
    steps.as_array().into_iter().flatten().map(step).collect()
}

#[test]
fn the_write_past_the_buffer_is_found_and_its_length_explained() {
    let project = driver(&[]);
    let (status, tested, errors) = project.json(&["test"]);
    assert_eq!((status, &tested["tests"][0]["outcome"]), (1, &Value::from("crash")), "{errors}");
    let (status, recorded, errors) = project.json(&["record", "--check", "--", "./driver"]);
    assert_eq!(status, 1, "{errors}");
    let error = &recorded["memory_errors"][0];
    assert_eq!(error["kind"], "out-of-bounds", "{recorded}");
    assert_eq!((&error["location"]["file"], &error["location"]["line"]), (&"zlib/inflate.c".into(), &764.into()));
    assert_eq!(error["access"]["kind"], "write");
    assert_eq!((&error["object"]["kind"], &error["object"]["size"]), (&"heap".into(), &8.into()));
    assert_eq!(error["object"]["allocated"]["file"], "driver.c");
    assert_eq!(recorded["memory_errors"].as_array().map(Vec::len), Some(1), "{recorded}");

    let (status, shown, errors) = project.json(&["show", "driver"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(shown["failure"]["location"]["line"], 764, "{shown}");
    let (status, why, errors) = project.json(&["why", "len", "at", "inflate.c:764"]);
    assert_eq!(status, 0, "{errors}");
    let steps = lines(&why["steps"]);
    for (variable, line) in [("len", 763), ("state->head->extra_len", 748), ("state->length", 772), ("condition", 761)]
    {
        assert!(steps.contains(&(variable.to_string(), line)), "{variable} at {line} is not among {steps:?}");
    }
}

#[test]
fn the_mended_version_passes_without_memory_errors() {
    let project = driver(&["--fixed"]);
    let (status, tested, errors) = project.json(&["test"]);
    assert_eq!((status, &tested["tests"][0]["outcome"]), (0, &Value::from("pass")), "{errors}");
    let (status, recorded, errors) = project.json(&["record", "--check", "--", "./driver"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(recorded["memory_errors"], Value::Array(Vec::new()), "{recorded}");
}
