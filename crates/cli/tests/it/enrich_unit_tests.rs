//! Unit tests of what `enrich` has learned: what is expected of them was written down before they were made.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::project::{Project, assert_one_message};

/// The unit tests of a class, and the whole answer.
fn made(project: &Project, args: &[&str]) -> Value {
    let (status, answer, errors) = project.json(&[&["enrich"], args, &["--unit-tests"]].concat());
    assert_eq!(status, 0, "{errors}");
    answer
}

fn word(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn tests(answer: &Value) -> &Vec<Value> {
    answer["unit_tests"]["tests"].as_array().expect("tests")
}

fn names(answer: &Value) -> BTreeSet<String> {
    tests(answer).iter().map(|it| word(&it["name"]).to_owned()).collect()
}

fn text<'a>(answer: &'a Value, name: &str) -> &'a str {
    let found = tests(answer).iter().find(|it| it["name"] == name);
    word(&found.unwrap_or_else(|| panic!("no {name} in {:#}", answer["unit_tests"]))["text"])
}

/// Why methods have no test, as `method: reason`.
fn left_out(answer: &Value) -> BTreeSet<String> {
    let list = answer["unit_tests"]["left_out"].as_array().expect("those without");
    list.iter().map(|it| format!("{}: {}", word(&it["method"]), word(&it["reason"]))).collect()
}

/// Each transition that no recorded run has is shown by a test, or has a reason.
fn assert_all_told(answer: &Value) {
    let learned = answer["transitions"].as_array().expect("transitions").iter().filter(|it| it["seen"] == 0).count();
    let told = tests(answer).len() + answer["unit_tests"]["left_out"].as_array().expect("those without").len();
    assert_eq!(learned, told, "{answer:#}");
}

#[test]
fn of_googletest_there_are_tests_beside_those_that_they_begin_as() {
    let project = Project::of("enrich/port-gtest");
    let before = project.read("port_test.cpp");
    let answer = made(&project, &["Port"]);
    assert_all_told(&answer);
    let sent = text(&answer, "SendWhenNotOpenAndSentZeroThrows");
    let expected = "// `send` is never right where open_ = false, sent_ = 0, is_open() = false.\n\
                    TEST(PortTest, SendWhenNotOpenAndSentZeroThrows) {\n    Port port;\n    \
                    EXPECT_THROW((void)port.send(\"hello\"), std::runtime_error);\n}\n";
    assert_eq!(sent, expected);
    // A fixture's object has no statement of its own.
    let opened = text(&answer, "OpenWhenOpenAndSentZeroThrows");
    assert!(opened.contains("TEST_F(PortFixture, ") && opened.contains("EXPECT_THROW(port_.open(Mode::"), "{opened}");
    // Neither checks that change nothing nor what has nothing to do with the object; what the object is given stays.
    let again = text(&answer, "OpenWhenOpenAndSentPositiveThrows");
    assert!(again.contains("const std::string text") && again.contains("length(text)"), "{again}");
    assert!(!again.contains("unrelated") && !again.contains("EXPECT_FALSE"), "{again}");
    let signal = left_out(&answer).into_iter().find(|it| it.starts_with("average: "));
    assert!(signal.as_ref().is_some_and(|it| it.contains("undefined")), "{:#?}", left_out(&answer));
    // The user's file is what it was.
    assert_eq!(project.read("port_test.cpp"), before);
    assert_eq!(answer["unit_tests"]["written"], false);
}

#[test]
fn written_tests_are_a_part_of_the_suite_and_pass() {
    let project = Project::of("enrich/port-gtest");
    let answer = made(&project, &["Port", "--write"]);
    assert_eq!(answer["unit_tests"]["written"], true);
    let text = project.read("port_test.cpp");
    for name in names(&answer) {
        assert!(text.contains(&name), "{name} is not in {text}");
    }
    let (status, suite, errors) = project.json(&["test"]);
    assert_eq!(status, 0, "{errors}");
    let run: BTreeSet<&str> = suite["tests"].as_array().expect("tests").iter().map(|it| word(&it["name"])).collect();
    assert_eq!(run.len(), 2 + tests(&answer).len(), "{run:?}");
    // What was learned once is known by the suite then.
    let again = made(&project, &["Port"]);
    assert!(tests(&again).len() < tests(&answer).len(), "{:#}", again["unit_tests"]);
}

#[test]
fn the_change_that_is_told_applies() {
    let project = Project::of("enrich/port-gtest");
    let answer = made(&project, &["Port"]);
    project.write("tests.patch", word(&answer["unit_tests"]["patch"]));
    project.git_apply("tests.patch");
    assert!(project.read("port_test.cpp").contains("OpenWhenOpenAndSentZeroThrows"));
}

#[test]
fn a_protocol_that_stops_to_throw_fails_its_new_tests() {
    let project = Project::of("enrich/port-gtest");
    made(&project, &["Port", "--write"]);
    project.edit("port.h", "throw std::logic_error(\"open already\");", "close();");
    let (status, suite, errors) = project.json(&["test"]);
    assert_eq!(status, 1, "{errors}");
    let failed = suite["tests"].as_array().expect("tests").iter().filter(|it| it["outcome"] != "pass");
    let failed: BTreeSet<&str> = failed.map(|it| word(&it["name"])).collect();
    assert!(failed.contains("PortFixture.OpenWhenOpenAndSentZeroThrows"), "{failed:?}");
}

#[test]
fn of_catch2_the_beginnings_of_sections_are_tests() {
    let project = Project::of("enrich/port-catch2");
    let answer = made(&project, &["Port"]);
    assert_all_told(&answer);
    let thrown = text(&answer, "open when open and sent positive throws");
    assert!(thrown.contains("TEST_CASE(\"open when open and sent positive throws\", \"[port]\") {"), "{thrown}");
    assert!(thrown.contains("REQUIRE_THROWS_AS(port.open(Mode::") && !thrown.contains("SECTION"), "{thrown}");
}

#[test]
fn of_rust_panics_errors_and_values_are_expected() {
    let project = Project::of("enrich/ring-cargo");
    let answer = made(&project, &["Ring"]);
    assert_all_told(&answer);
    let panics = text(&answer, "turn_when_empty_and_not_sealed_panics");
    assert!(panics.contains("#[should_panic(expected = \"the ring is empty\")]"), "{panics}");
    let popped = text(&answer, "pop_when_empty_and_not_sealed_gives_none");
    assert!(popped.contains("assert!(ring.pop().is_none());"), "{popped}");
    let sealed = text(&answer, "push_when_empty_and_sealed_fails");
    assert!(sealed.contains(".is_err());"), "{sealed}");
    for test in tests(&answer) {
        assert!(word(&test["text"]).contains("#[test]"), "{test:#}");
    }
    let (status, _, errors) = project.json(&["enrich", "Ring", "--unit-tests", "--write"]);
    assert_eq!(status, 0, "{errors}");
    let (status, suite, errors) = project.json(&["test"]);
    assert_eq!(status, 0, "{errors}");
    let run = suite["tests"].as_array().expect("tests").len();
    assert_eq!(run, 3 + tests(&answer).len(), "{suite:#}");
}

#[test]
fn functions_that_a_program_of_tests_calls_get_others_beside_them() {
    let project = Project::of("enrich/handle-functions");
    let answer = made(&project, &["handle", "--write"]);
    assert_all_told(&answer);
    let early = text(&answer, "handle_sum_when_started_zero_fails");
    assert!(early.contains("assert(handle_sum(handle) == -1);"), "{early}");
    assert!(early.contains("static void handle_sum_when_started_zero_fails(void) {"), "{early}");
    let file = project.read("tests/test_handle.c");
    assert!(file.contains("    handle_sum_when_started_zero_fails();\n"), "{file}");
    assert!(!file.contains("whydunit"), "{file}");
    let freed = left_out(&answer);
    assert!(freed.iter().any(|it| it.starts_with("handle_put: it makes an error of memory")), "{freed:#?}");
    assert_eq!(project.json(&["test"]).0, 0);
}

#[test]
fn runs_of_a_program_with_inputs_have_no_tests_to_begin_as() {
    let project = Project::of("enrich/mail");
    let answer = made(&project, &["Mail"]);
    assert_all_told(&answer);
    assert!(tests(&answer).is_empty());
    assert!(
        left_out(&answer).contains("quit: the run was left in `main`, which is no test"),
        "{:#?}",
        left_out(&answer)
    );
}

#[test]
fn what_does_not_compile_beside_the_others_is_left_out_with_the_compilers_words() {
    let project = Project::of("enrich/port-gtest");
    // What the tests are to call is not there for them.
    let shut = "void shut(Port &port) {\n    port.close();\n}\n\n#define close shut_it\n\nTEST(PortTest";
    project.edit("port_test.cpp", "TEST(PortTest", shut);
    project.edit("port_test.cpp", "port_.close();", "shut(port_);");
    let answer = made(&project, &["Port"]);
    assert_all_told(&answer);
    assert!(!tests(&answer).is_empty());
    let list = answer["unit_tests"]["left_out"].as_array().expect("those without");
    let close = list.iter().find(|it| it["method"] == "close").expect("a method that is not there");
    assert_eq!(close["reason"], "it does not compile");
    assert!(word(&close["said"]).contains("shut_it"), "{close}");
}

#[test]
fn tests_are_written_only_where_they_are_made() {
    let project = Project::of("enrich/mail");
    let output = project.run(&["enrich", "Mail", "--write"]);
    assert_eq!(output.status.code(), Some(2));
    assert_one_message(&String::from_utf8_lossy(&output.stderr), &["--unit-tests"]);
}
