//! `locate` where there is little to locate in, or something in the way: one message that says what, where and what to do, and
//! the best answer that there is.

use crate::support::project::{Project, notes};
use serde_json::{Value, json};

fn subject(name: &str, cases: &[Value]) -> Project {
    let (project, file) = (Project::new(), format!("{name}.c"));
    project.copy(&format!("inputs/{file}"));
    let cases: Vec<String> = cases.iter().map(ToString::to_string).collect();
    project.write("cases.jsonl", &cases.join("\n"));
    let config = format!("[build]\nsources = [\"{file}\"]\n[tests]\ncases = \"cases.jsonl\"\ntimeout = \"5s\"\n");
    project.write("whydunit.toml", &config);
    project
}

fn case(name: &str, args: &[&str], stdout: &str) -> Value {
    json!({ "name": name, "args": args, "stdout": stdout, "status": 0 })
}

/// A case that fails in its first `failures` runs only, or in all but so many where that is negative.
fn varies(project: &Project, name: &str, failures: i32) -> Value {
    let state = project.path(&format!("{name}.state"));
    let env = json!({ "STATE": state.to_str().expect("a path"), "FAILURES": failures.to_string() });
    json!({ "name": name, "args": ["5"], "stdout": "5\n", "status": 0, "env": env })
}

fn locate(project: &Project, expected: i32) -> Value {
    let (status, answer, errors) = project.json(&["locate"]);
    assert_eq!(status, expected, "{errors} {answer:#}");
    assert!(!errors.contains("panicked") && !errors.contains("internal error"), "{errors}");
    answer
}

fn outcomes(answer: &Value) -> Vec<(&str, &str)> {
    let tests = answer["tests"].as_array().expect("tests");
    tests.iter().map(|test| (test["name"].as_str().unwrap_or(""), test["outcome"].as_str().unwrap_or(""))).collect()
}

/// The tests whose failures were looked at.
fn looked_at(answer: &Value) -> Vec<&str> {
    let failures = answer["failures"].as_array().expect("failures");
    failures.iter().map(|failure| failure["test"].as_str().unwrap_or("")).collect()
}

/// Whether the statement labelled `@fault` is among the findings, with this verdict.
fn finds_fault(answer: &Value, verdict: &str) -> bool {
    let findings = answer["findings"].as_array().expect("findings");
    let is_fault = |finding: &&Value| finding["code"].as_str().is_some_and(|code| code.contains("@fault"));
    findings.iter().filter(is_fault).any(|finding| finding["verdict"] == verdict)
}

#[test]
fn a_suite_without_a_failing_test_has_nothing_to_locate() {
    let answer = locate(&subject("varies", &[case("one", &["1"], "1\n"), case("two", &["2"], "2\n")]), 0);
    assert_eq!(answer["findings"], json!([]));
    let told = notes(&answer);
    assert!(told.contains("no test fails: there is nothing to locate") && told.contains("`stdout`"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[test]
fn a_test_that_passes_is_not_located() {
    let project = subject("varies", &[case("one", &["1"], "1\n"), case("wrong", &["101"], "101\n")]);
    let (status, answer, errors) = project.json(&["locate", "one"]);
    assert_eq!(status, 0, "{errors}");
    assert!(notes(&answer).contains("test one does not fail: there is nothing to locate"), "{answer:#}");
}

#[test]
fn a_suite_with_failing_tests_only_is_told_of_and_located_in() {
    let answer = locate(&subject("varies", &[case("wrong", &["101"], "101\n"), case("more", &["107"], "107\n")]), 1);
    let told = notes(&answer);
    assert!(told.contains("no test passes") && told.contains("add tests that pass"), "{told}");
    assert_eq!(looked_at(&answer), ["wrong", "more"]);
    assert!(finds_fault(&answer, "alone"), "{answer:#}");
}

#[test]
fn a_flaky_test_is_kept_apart() {
    let project = subject("varies", &[]);
    let cases = [case("one", &["1"], "1\n"), varies(&project, "flaky", 1), case("wrong", &["101"], "101\n")];
    project.write("cases.jsonl", &cases.map(|case| case.to_string()).join("\n"));
    let answer = locate(&project, 1);
    assert_eq!(outcomes(&answer), [("one", "pass"), ("flaky", "flaky"), ("wrong", "fail")]);
    let told = notes(&answer);
    assert!(told.contains("kept apart") && told.contains("flaky"), "{told}");
    assert_eq!(looked_at(&answer), ["wrong"]);
    // Of its statement that only the flaky test executes nothing is known.
    let counts = &answer["findings"][0]["counts"];
    assert_eq!((&counts["failed_total"], &counts["passed_total"]), (&json!(1), &json!(1)), "{answer:#}");
    assert_eq!(answer["stats"]["test_runs"], 5);
}

#[test]
fn a_flaky_test_alone_is_located_in_where_it_fails_once_more() {
    let project = subject("varies", &[]);
    let cases = [case("one", &["1"], "1\n"), varies(&project, "flaky", 1)];
    project.write("cases.jsonl", &cases.map(|case| case.to_string()).join("\n"));
    let answer = locate(&project, 1);
    let told = notes(&answer);
    assert!(told.contains("no test fails each time that it is run"), "{told}");
    assert!(told.contains("test flaky: it has failed, and passes when it is recorded"), "{told}");
    assert!(told.contains("`whydunit test flaky --again 10`"), "{told}");
    // What counts say of the run that failed is left.
    assert!(!answer["findings"].as_array().expect("findings").is_empty(), "{answer:#}");
}

#[test]
fn a_test_that_was_asked_for_and_passes_only_while_it_is_counted_is_told_of() {
    let project = subject("varies", &[]);
    let cases = [case("one", &["1"], "1\n"), varies(&project, "shy", -1), case("wrong", &["101"], "101\n")];
    project.write("cases.jsonl", &cases.map(|case| case.to_string()).join("\n"));
    let (status, answer, errors) = project.json(&["locate", "wrong", "shy"]);
    assert_eq!(status, 1, "{errors} {answer:#}");
    assert_eq!(outcomes(&answer), [("one", "pass"), ("shy", "fail"), ("wrong", "fail")]);
    let told = notes(&answer);
    assert!(told.contains("passed while it was counted") && told.contains("without counts"), "{told}");
    assert_eq!(looked_at(&answer), ["shy", "wrong"]);
}

#[test]
fn a_failure_that_does_not_come_again_when_it_is_recorded_is_told_of() {
    let project = subject("varies", &[]);
    let cases = [case("one", &["1"], "1\n"), varies(&project, "odd", 3), case("wrong", &["101"], "101\n")];
    project.write("cases.jsonl", &cases.map(|case| case.to_string()).join("\n"));
    let answer = locate(&project, 1);
    assert_eq!(outcomes(&answer), [("one", "pass"), ("odd", "fail"), ("wrong", "fail")]);
    let told = notes(&answer);
    assert!(told.contains("test odd: it has failed, and passes when it is recorded"), "{told}");
    assert_eq!(looked_at(&answer), ["wrong"]);
    assert!(finds_fault(&answer, "alone"), "{answer:#}");
}

#[test]
fn a_test_that_fails_outside_the_program_says_so() {
    let project = subject("varies", &[]);
    let config = "[build]\nsources = [\"varies.c\"]\nexecutable = \"./varies\"\n[tests]\nkind = \"script\"\ncommand = \"sh check.sh\"\n";
    project.write("whydunit.toml", config);
    project.write("check.sh", "exit 1\n");
    let answer = locate(&project, 0);
    assert_eq!((outcomes(&answer), &answer["findings"]), (vec![("sh check.sh", "fail")], &json!([])));
}

#[test]
fn expected_bytes_that_are_no_text_are_compared_and_shown() {
    let project = subject("bytes", &[]);
    let mut cases = Vec::new();
    for (name, n) in [("one", 1), ("two", 2), ("three", 3)] {
        let bytes = [b"\xff\xfe".as_slice(), &[0x80 + n], n.to_string().as_bytes(), b"\n"].concat();
        std::fs::write(project.path(&format!("{name}.out")), bytes).expect("a file");
        let stdout = json!({ "file": format!("{name}.out") });
        cases.push(json!({ "name": name, "args": [n.to_string()], "stdout": stdout, "status": 0 }).to_string());
    }
    project.write("cases.jsonl", &cases.join("\n"));
    let answer = locate(&project, 1);
    let failure = &answer["failures"][0];
    assert_eq!(failure["predicate"], r#"this prints "\xff""#, "{failure}");
    assert!(failure["message"].as_str().is_some_and(|text| text.contains(r#""\xfd" is printed"#)), "{failure}");
    assert!(!answer["correction_sets"].as_array().expect("sets").is_empty(), "{answer:#}");
    for format in ["text", "markdown", "html", "sarif", "jsonl", "github"] {
        let output = project.run(&["--format", format, "locate"]);
        assert!(String::from_utf8(output.stdout).is_ok(), "{format}");
    }
}

#[test]
fn what_assembly_gives_is_held_and_told_of() {
    let answer = locate(
        &subject("assembly", &[case("one", &["1"], "2\n"), case("three", &["3"], "6\n"), case("five", &["5"], "10\n")]),
        1,
    );
    let left_out = answer["stats"]["left_out"].to_string();
    assert!(left_out.contains("what inline assembly gives"), "{left_out}");
    // The fault lies before the assembly: it must not be ruled out.
    assert!(finds_fault(&answer, "undecided"), "{answer:#}");
}

#[test]
fn a_jump_out_of_a_branch_leaves_an_answer() {
    let answer = locate(&subject("jump", &[case("one", &["1"], "2\n"), case("six", &["6"], "7\n")]), 1);
    let left_out = answer["stats"]["left_out"].to_string();
    assert!(left_out.contains("longjmp"), "{left_out}");
    assert!(finds_fault(&answer, "alone"), "{answer:#}");
}
