//! `whydunit review`: a right fix is never called bad, whatever kind of failure or change there is besides; what an incomplete one leaves
//! is found, or asked about.

use crate::support::project::{Project, assert_one_message};
use serde_json::{Value, json};

/// A pair of fixes.
struct Pair {
    project: Project,
}

impl Pair {
    fn new(name: &str) -> Self {
        let project = Project::new();
        project.copy_inside(&format!("fix-pairs/{name}"));
        let truth: Value = serde_json::from_str(&project.read("truth.json")).expect("an object");
        assert_eq!(truth["use"], "development", "{name}");
        Self { project }
    }

    fn review(&self, fix: &str, more: &[&str]) -> Value {
        self.review_within(fix, "40", more)
    }

    /// Looks for so many seconds.
    fn review_within(&self, fix: &str, seconds: &str, more: &[&str]) -> Value {
        let args = [&["review", fix, "--inputs", "200", "--time-limit", seconds][..], more].concat();
        let (status, answer, errors) = self.project.json(&args);
        assert_eq!(status, i32::from(answer["verdict"] != "no-counterexample"), "{errors} {answer:#}");
        answer
    }

    fn right(&self) -> Value {
        let answer = self.review("right.diff", &[]);
        assert_eq!(answer["verdict"], "no-counterexample", "{answer:#}");
        assert_eq!((&answer["counterexample"], &answer["disruptions"]), (&Value::Null, &json!([])), "{answer:#}");
        answer
    }

    fn found(&self) -> Value {
        let answer = self.review("first.diff", &[]);
        assert_eq!(answer["verdict"], "bad-coverage", "{answer:#}");
        answer
    }
}

/// What is said of a list of an answer.
fn said(answer: &Value, list: &str) -> Vec<String> {
    let list = answer[list].as_array().expect("a list").iter();
    list.map(|one| one["what"].as_str().expect("a text").to_string()).collect()
}

#[test]
fn a_status_that_passing_tests_have_is_output() {
    let pair = Pair::new("port-range");
    let right = pair.right();
    assert_eq!(right["predicate"], "", "of an output nobody knows for which inputs it is wrong");
    let first = pair.review("first.diff", &[]);
    let asked = first["questions"].as_array().expect("questions");
    let port: i64 = asked[0]["case"]["args"][0].as_str().and_then(|arg| arg.parse().ok()).expect("a number");
    assert!(port > 49_151 && asked[0]["before"] == asked[0]["after"], "{first:#}");
    assert!(asked[0]["case"]["status"].is_null(), "what is right there nobody knows: {first:#}");
}

#[test]
fn a_sanitizer_is_told_from_the_status_of_what_is_refused() {
    let pair = Pair::new("grid-cell");
    pair.right();
    let found = pair.found();
    let fails = found["counterexample"]["fails"].as_str().expect("a text");
    assert!(fails.contains("AddressSanitizer: heap-buffer-overflow"), "{fails}");
}

#[test]
fn a_stack_that_a_large_input_exhausts_is_a_remark() {
    let pair = Pair::new("small-balance");
    pair.right();
    pair.found();
}

#[test]
fn a_check_that_the_fix_brings_is_a_remark_and_the_condition_is_true_of_the_bug() {
    let pair = Pair::new("wide-seconds");
    let right = pair.right();
    assert!(said(&right, "remarks").iter().any(|what| what.contains("a check that the fix has brought")), "{right:#}");
    // 3000000000 is no negative number.
    assert_eq!(right["predicate"], "(arg1 cut to 32 bits) <= -1", "{right:#}");
    let found = pair.found();
    assert!(found["counterexample"]["case"]["status"].is_null(), "{found:#}");
}

#[test]
fn what_the_language_brings_below_a_new_check_is_a_failure_like_the_tests() {
    let pair = Pair::new("prefix-mask");
    assert_eq!(said(&pair.right(), "remarks"), [""; 0]);
    let first = pair.review("first.diff", &[]);
    let remarks = first["remarks"].as_array().expect("a list");
    let [remark] = &remarks[..] else { panic!("{first:#}") };
    let what = remark["what"].as_str().expect("a text");
    assert!(what.starts_with("it fails as the test does, in another place: "), "{what}");
    assert!(what.ends_with("attempt to shift left with overflow"), "{what}");
    assert_eq!(remark["case"]["args"], json!(["byte", "0"]), "{remark:#}");
}

#[test]
fn what_the_fix_changes_is_told_by_kinds_and_judged_where_that_is_wanted() {
    let pair = Pair::new("parse-hour");
    let right = pair.right();
    let kinds = said(&right, "differences");
    assert!(kinds.iter().any(|what| what.contains("another message where it ends with status 1")), "{right:#}");
    pair.found();
    let pair = Pair::new("ticket-zone");
    assert!(said(&pair.right(), "differences").iter().all(|what| what.contains("as the fix does with the test")));
    // That is what it is for: nothing is held against it.
    let strict = pair.review("right.diff", &["--strict"]);
    assert_eq!(strict["verdict"], "no-counterexample", "{strict:#}");
}

#[test]
fn outputs_that_stay_as_they_were_are_asked_about() {
    // Four numbers are more than any test has.
    let pair = Pair::new("median");
    let asked = pair.review("first.diff", &[]);
    let questions = asked["questions"].as_array().expect("a list");
    let stdin = |one: &Value| one["case"]["stdin"].as_str().expect("a text").split_whitespace().count();
    assert!(questions.iter().any(|one| stdin(one) > 3 && one["before"] == one["after"]), "{asked:#}");
    pair.right();
}

#[test]
fn what_only_the_failing_test_showed_is_asked_about_where_it_is_still_there() {
    let pair = Pair::new("self-check");
    let asked = pair.review("first.diff", &[]);
    let question = &asked["questions"][0];
    let what = question["what"].as_str().expect("a text");
    assert!(what.starts_with("it ends with status 3, as the test did before the fix"), "{asked:#}");
    assert_eq!(question["after"]["end"], "status 3", "{asked:#}");
    assert!(!said(&pair.right(), "questions").iter().any(|what| what.contains("status 3")));
}

#[test]
fn relations_that_the_suite_shows_are_asked_about_where_they_do_not_hold() {
    let pair = Pair::new("trim-blanks");
    let asked = pair.review("first.diff", &[]);
    let broken = |answer: &Value| {
        let questions = answer["questions"].as_array().expect("a list").clone();
        questions
            .into_iter()
            .find(|one| one["what"].as_str().is_some_and(|what| what.contains("a blank more at the end")))
    };
    let question = broken(&asked).unwrap_or_else(|| panic!("{asked:#}"));
    let case = (&question["case"]["stdin"], &question["after"]["output"]);
    assert_eq!(case, (&json!("ab  \n"), &json!("[ab ]\n")), "{asked:#}");
    assert!(question["case"]["stdout"].is_null(), "what is right there nobody knows: {asked:#}");
    let right = pair.right();
    assert_eq!(broken(&right), None, "{right:#}");
}

#[test]
fn what_does_not_end_next_to_the_test_is_found() {
    let pair = Pair::new("collatz");
    pair.found();
}

#[test]
fn deaths_elsewhere_are_not_the_bug() {
    for name in ["queue-ring", "matrix-trace"] {
        let pair = Pair::new(name);
        pair.right();
        pair.found();
    }
}

#[test]
fn an_input_that_dies_where_others_do_before_the_fix_is_a_remark() {
    let right = Pair::new("ragged-rows").right();
    let remarks = said(&right, "remarks");
    let elsewhere = |what: &String| {
        what.starts_with("it fails elsewhere, as before the fix on other inputs: it panics at src/main.rs:")
    };
    assert!(remarks.iter().any(elsewhere), "{right:#}");
}

#[test]
fn what_goes_on_for_ever_where_it_died_before_is_a_remark() {
    let pair = Pair::new("jump-back");
    let right = pair.review_within("right.diff", "6", &[]);
    assert_eq!(right["verdict"], "no-counterexample", "{right:#}");
    let remarks = said(&right, "remarks");
    assert!(remarks.iter().any(|what| what.starts_with("it does not end where it died before the fix")), "{right:#}");
    let first = pair.review_within("first.diff", "6", &[]);
    assert_eq!(first["verdict"], "bad-coverage", "{first:#}");
}

#[test]
fn a_number_that_does_not_fit_is_followed_as_the_library_reads_it() {
    // -18446744073709551615 is the least number there is to strtoll, and no 1.
    let right = Pair::new("range-words").right();
    assert!(right["stats"]["runs_before"].as_u64().is_some_and(|runs| runs > 0), "{right:#}");
}

#[test]
fn a_parameter_of_a_librarys_type_is_refused_before_anything_is_built() {
    let project = Project::new();
    project.copy_inside("review/slots");
    let with = "use std::time::Instant;\npub fn since(start: &Instant) -> u64 {\n    start.elapsed().as_secs()\n}\n";
    project.write("src/lib.rs", &(project.read("src/lib.rs") + with));
    let (status, _, errors) = project.json(&["review", "first.diff", "--entry", "since"]);
    assert_eq!(status, 4, "{errors}");
    assert_one_message(&errors, &["since cannot be given other values", "std::time::Instant"]);
    assert!(!project.folder().join(".whydunit/review").exists());
}
