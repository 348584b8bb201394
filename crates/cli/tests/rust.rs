//! Rust through cargo, without any configuration: where tests fail and why, and where the fault is.

#[path = "support/project.rs"]
mod project;

use project::Project;
use serde_json::Value;

/// Tests, and of their failure points: kind, line, and what should have held.
const FAILURES: &[(&str, &str, u64, &str)] = &[
    ("middle_comes_first", "assertion", 75, "left == right (left: 1, right: 2)"),
    ("overflow", "panic", 21, "the difference does not overflow"),
    ("bounds", "panic", 25, "the index is inside of the length"),
    ("nothing_there", "panic", 29, "the option has a value"),
    ("no_number", "panic", 33, "the result is Ok"),
    ("by_zero", "panic", 37, "the divisor is not 0"),
    ("said_by_the_program", "panic", 44, ""),
    ("condition", "assertion", 117, "word.len() > 2"),
];

#[test]
fn panics_are_failure_points_at_the_line_of_the_project() {
    let project = Project::of("crate");
    for (test, kind, line, predicate) in FAILURES {
        let (status, recorded, errors) = project.json(&["record", &format!("tests::{test}")]);
        assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &"fail".into()), "{test}: {errors}");
        let (status, replayed, errors) = project.json(&["replay"]);
        assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{test}: {errors}");
        let (_, shown, errors) = project.json(&["show"]);
        let failure = &shown["failure"];
        assert_eq!(failure["kind"], *kind, "{test}: {failure:#} {errors}");
        assert_eq!(failure["location"]["line"], *line, "{test}: {failure:#}");
        assert_eq!(failure["location"]["file"], "src/lib.rs", "{test}: {failure:#}");
        assert_eq!(failure["predicate"].as_str().unwrap_or(""), *predicate, "{test}: {failure:#}");
        let message = failure["message"].as_str().unwrap_or("");
        assert!(message.starts_with("panic: "), "{test}: {message}");
        // Slices, strings and numbers as one writes them.
        let variable = |name: &str| failure["variables"][name].as_str().unwrap_or("").to_owned();
        match *test {
            "bounds" => assert_eq!(variable("list"), "[1, 2]", "{failure:#}"),
            "nothing_there" => assert_eq!(variable("text"), "\"  \"", "{failure:#}"),
            "overflow" => assert_eq!((variable("a"), variable("b")), ("3".into(), "5".into()), "{failure:#}"),
            _ => {}
        }
    }
    for (test, outcome) in [("panics_as_it_should", "pass"), ("does_not_panic", "fail"), ("gives_an_error", "fail")] {
        let (status, recorded, errors) = project.json(&["record", &format!("tests::{test}")]);
        assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &outcome.into()), "{test}: {errors}");
        let (status, replayed, errors) = project.json(&["replay"]);
        assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{test}: {errors}");
        let (status, shown, errors) = project.json(&["show"]);
        assert!(status <= 1 && shown["failure"]["kind"] != "panic", "{test}: {shown:#} {errors}");
    }
    assert!(!project.path("target").exists(), "cargo's own folder was touched");
}

#[test]
fn the_fault_of_a_crate_is_located() {
    let project = Project::of("crate");
    let (status, located, errors) = project.json(&["locate", "tests::middle_comes_first"]);
    assert_eq!(status, 1, "{errors}");
    let first = &located["findings"][0];
    assert_eq!(
        (&first["location"]["file"], &first["location"]["line"]),
        (&"src/lib.rs".into(), &10.into()),
        "{first:#}"
    );
    assert_eq!(first["function"], "small::middle");
    // The test itself is not suspected, unless that is asked for.
    let of_tests = |answer: &Value| {
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        findings.iter().any(|finding| finding["function"].as_str().is_some_and(|name| name.contains("tests::")))
    };
    assert!(!of_tests(&located), "{located:#}");
    let (_, with_tests, _) =
        project.json(&["locate", "tests::middle_comes_first", "--method", "ochiai", "--test-code"]);
    assert!(of_tests(&with_tests), "{with_tests:#}");
}
