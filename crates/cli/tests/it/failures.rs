//! Every row of the table of failure points, as a program that says itself how it fails: `fails: kind | predicate`, at the
//! line labelled `@point`, for a fault in the line labelled `@fault`. Labels in the predicate stand for lines.

use crate::support::project::{Project, notes, subjects};
use serde_json::Value;

/// What stands behind `key: ` in the lines of a source.
fn told<'a>(source: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    source.lines().filter_map(move |line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// The line with a label.
fn line(source: &str, label: &str) -> Option<u64> {
    let text = format!("/* @{label} */");
    source.lines().position(|line| line.contains(&text)).map(|index| index as u64 + 1)
}

/// The predicate with lines for labels.
fn spelled(source: &str, predicate: &str) -> String {
    let mut parts = predicate.split('@');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| !c.is_alphanumeric()).unwrap_or(part.len());
        text += &format!("{}{}", line(source, &part[..end]).expect("a label"), &part[end..]);
    }
    text
}

/// Locates in the subject; it and the answer, whose failure is the one that the subject names.
fn located(name: &str) -> (String, Value) {
    let (project, file) = (Project::new(), format!("{name}.c"));
    project.copy(&format!("failures/{file}"));
    let source = std::fs::read_to_string(subjects().join("failures").join(&file)).expect("the subject");
    let cases: Vec<&str> = told(&source, "case").collect();
    project.write("cases.jsonl", &cases.join("\n"));
    let config = format!("[build]\nsources = [\"{file}\"]\n[tests]\ncases = \"cases.jsonl\"\ntimeout = \"2s\"\n");
    project.write("whydunit.toml", &config);
    let (status, answer, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{name}: {errors} {answer:#}");
    let failing: Vec<&Value> =
        answer["tests"].as_array().expect("tests").iter().filter(|test| test["outcome"] != "pass").collect();
    let last: Value = serde_json::from_str(cases.last().expect("a case")).expect("a case is JSON");
    assert_eq!(failing.iter().map(|test| &test["name"]).collect::<Vec<_>>(), [&last["name"]], "{answer:#}");
    let failures = answer["failures"].as_array().expect("failures");
    assert_eq!(failures.len(), 1, "{answer:#}");
    let failure = &failures[0];
    let (kind, predicate) = told(&source, "fails").next().and_then(|text| text.split_once(" |")).expect("how it fails");
    assert_eq!(failure["kind"], kind, "{name}: {failure}");
    let predicate = Some(spelled(&source, predicate.trim())).filter(|text| !text.is_empty());
    assert_eq!(failure["predicate"].as_str(), predicate.as_deref(), "{name}: {failure}");
    if let Some(point) = line(&source, "point") {
        assert_eq!(failure["location"]["line"], point, "{name}: {failure}");
    }
    for note in told(&source, "note") {
        assert!(notes(&answer).contains(note), "{name}: {}", notes(&answer));
    }
    (source, answer)
}

/// The same, and the fault is among the statements that can make the test pass alone.
fn check(name: &str) {
    let (source, answer) = located(name);
    let fault = line(&source, "fault").expect("a fault");
    let findings = answer["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|finding| finding["location"]["line"] == fault);
    let finding = finding.unwrap_or_else(|| panic!("{name}: line {fault} is not among {findings:#?}"));
    assert_eq!(finding["verdict"], "alone", "{name}: {finding:#}");
}

#[test]
fn an_assertion() {
    check("assertion");
}

#[test]
fn an_abort() {
    check("abort");
}

#[test]
fn a_wrong_status() {
    check("status");
}

#[test]
fn a_null_pointer() {
    check("null_pointer");
}

#[test]
fn a_division_by_zero() {
    check("division");
}

#[test]
fn an_access_out_of_bounds_that_only_shows_in_the_output() {
    check("out_of_bounds");
}

#[test]
fn an_access_out_of_bounds_long_before_the_crash() {
    check("before_crash");
}

#[test]
fn a_block_that_is_too_small() {
    check("block_too_small");
}

#[test]
fn a_use_after_free() {
    check("use_after_free");
}

#[test]
fn a_block_that_is_freed_twice() {
    check("freed_twice");
    check("freed_through_pointer");
}

#[test]
fn a_value_that_nobody_gave() {
    check("uninitialised");
}

#[test]
fn another_text_than_expected() {
    check("other_text");
}

#[test]
fn output_that_is_missing() {
    check("ends_early");
}

#[test]
fn output_that_is_too_much() {
    check("too_much");
}

#[test]
fn a_loop_up_to_the_time_limit() {
    check("too_long");
}

#[test]
fn a_loop_without_end_behind_long_work() {
    check("hangs_late");
}

#[test]
fn a_recursion_without_end() {
    check("recursion");
    check("recursion_prints");
}

#[test]
fn a_death_that_is_expected_and_does_not_come() {
    check("no_death");
}

#[test]
fn a_death_that_is_expected_after_another_text() {
    check("text_before_death");
}

#[test]
fn a_null_pointer_for_a_function_of_the_library() {
    check("text_of_nothing");
    check("copied_to_nothing");
}

#[test]
fn a_stray_pointer_in_what_a_function_of_the_library_calls() {
    // How often it is called depends on values that external code was given: the fault is not found out.
    located("comparison");
}

#[test]
fn values_of_cpp_read_as_a_person_writes_them() {
    let project = Project::new();
    project.copy("failures/values.cpp");
    let command = "c++ -std=c++17 -g -o values values.cpp";
    project.write("whydunit.toml", &format!("[build]\ncommand = {command:?}\nexecutable = \"values\"\n"));
    let (status, recorded, errors) = project.json(&["record", "--", "./values"]);
    assert_eq!(status, 0, "{errors} {recorded:#}");
    let (_, shown, errors) = project.json(&["show"]);
    let variables = &shown["failure"]["variables"];
    for (name, value) in [
        ("text", r#""longer than what a string has room for itself""#),
        ("empty", r#""""#),
        ("part", r#""than""#),
        ("numbers", "{1, 2, 3}"),
        ("none", "{}"),
        ("words", r#"{"a", "bc"}"#),
        ("own", r#"{id = 7, weight = 1.5, label = "brick"}"#),
    ] {
        assert_eq!(variables[name], value, "{name}: {variables:#} {errors}");
    }
    let line = variables_line();
    for (asked, value) in [("*second", "2"), ("numbers[2]", "3"), ("owner->label", r#""brick""#), ("own.id", "7")] {
        let (status, answer, errors) = project.json(&["why", asked, "at", &line]);
        assert_eq!(status, 0, "{asked}: {errors}");
        assert_eq!(answer["steps"][0]["value"], value, "{asked}: {answer:#}");
    }
    // What let the checks of a library pass is no cause.
    let (_, answer, errors) = project.json(&["why", "*second", "at", &line]);
    assert_eq!(answer["steps"].as_array().map(Vec::len), Some(2), "{errors} {answer:#}");
    let (status, _, errors) = project.json(&["why", "numbers[3]", "at", &line]);
    assert_eq!(status, 2, "{errors}");
    assert!(errors.contains("`numbers` has 3 elements"), "{errors}");
}

/// The line of the subject at which all its variables have values.
fn variables_line() -> String {
    let source = std::fs::read_to_string(subjects().join("failures/values.cpp")).expect("the subject");
    let line = source.lines().position(|line| line.contains("assert(")).expect("an assertion");
    format!("values.cpp:{}", line + 1)
}
