//! Checks of test frameworks of C++: where they fail, what is located by them, and that the framework is not at fault.

use serde_json::Value;

use crate::support::project::Project;

/// The findings' files and lines, in their order.
fn places(located: &Value) -> Vec<(String, u64)> {
    let place = |finding: &Value| {
        let place = &finding["location"];
        (place["file"].as_str().unwrap_or_default().to_owned(), place["line"].as_u64().unwrap_or(0))
    };
    located["findings"].as_array().into_iter().flatten().map(place).collect()
}

/// Locates the fault of a test, whose failure is a check; the answer.
fn located(project: &Project, test: &str) -> Value {
    let (status, located, errors) = project.json(&["locate", test]);
    assert_eq!(status, 1, "{errors}");
    let places = places(&located);
    assert!(!places.is_empty() && places.iter().all(|(file, _)| file == "stats.cpp"), "{places:?} {errors}");
    let loop_at = places.iter().position(|(_, line)| *line == 5);
    assert!(loop_at.is_some_and(|at| at < 3), "{places:?}");
    let mends = &located["findings"][loop_at.unwrap_or(0)];
    assert_eq!(mends["verdict"], "alone", "{located:#}");
    located
}

/// They are told of checks that hold, too: what is asked is what they are given. What passing tests say counts where their runs are known
/// to their ends.
#[test]
fn a_check_of_doctest_boost_or_cpputest_that_fails_leads_to_the_condition_that_is_wrong() {
    let project = Project::of("suites/frameworks");
    for (test, place) in
        [("more/power", "boosted.cpp"), ("Digits.power", "cpputested.cpp"), ("a power", "doctested.cpp")]
    {
        let (status, located, errors) = project.json(&["locate", test]);
        assert_eq!(status, 1, "{errors}");
        let failure = &located["failures"][0];
        assert_eq!(
            (&failure["kind"], &failure["location"]["file"]),
            (&"assertion".into(), &place.into()),
            "{failure:#}"
        );
        let places = places(&located);
        assert_eq!(places.first(), Some(&("digits.hpp".into(), 4)), "{test}: {places:?}");
        let own = |(file, _): &(String, u64)| file == "digits.hpp" || file.starts_with("doctest");
        assert!(places.iter().all(own), "the tests are not at fault: {places:?}");
        let found = &located["findings"][0];
        assert_eq!(found["verdict"], "alone", "{test}: {found:#}");
        let right = |tried: &&Value| {
            tried["change"].as_str().is_some_and(|change| change.contains("`>=` in the place of `>`"))
                && tried["passing"] == tried["passing_kept"]
                && tried["failing"] == tried["failing_passed"]
        };
        let tried: Vec<&Value> = found["changes"].as_array().into_iter().flatten().collect();
        assert!(tried.iter().any(right), "{test}: {found:#}");
    }
}

/// One project has the tests of both, so that it is built once.
#[test]
fn a_check_of_googletest_or_catch2_that_fails_is_where_the_test_fails() {
    let project = Project::of("suites/checks");
    a_check_of_googletest(&project);
    a_check_of_catch2(&project);
}

fn a_check_of_googletest(project: &Project) {
    let located = located(project, "Largest.Last");
    let failure = &located["failures"][0];
    assert_eq!((&failure["kind"], &failure["location"]["file"]), (&"assertion".into(), &"googled.cpp".into()));
    assert_eq!(failure["location"]["line"], 9, "{failure:#}");
    assert_eq!(failure["predicate"], "8 == largest(values)", "{failure:#}");
    assert_eq!(failure["message"], "the check `8 == largest(values)` fails: `largest(values)` is 3", "{failure:#}");
    assert_eq!(project.run(&["record", "Largest.Last"]).status.code(), Some(0));
    let (status, shown, errors) = project.json(&["show"]);
    assert_eq!((status, &shown["failure"]["message"]), (0, &failure["message"]), "{errors}");
    let (status, why, errors) = project.json(&["why"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!((&why["failure"], &why["steps"][0]["location"]), (&failure["message"], &failure["location"]), "{why:#}");
}

fn a_check_of_catch2(project: &Project) {
    let (status, recorded, errors) = project.json(&["record", "--check", "the largest comes last"]);
    assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &"fail".into()), "{errors}");
    let (status, shown, errors) = project.json(&["show"]);
    let failure = &shown["failure"];
    assert_eq!((status, &failure["kind"]), (0, &"assertion".into()), "{shown:#} {errors}");
    assert_eq!(
        (&failure["location"]["file"], &failure["location"]["line"]),
        (&"caught.cpp".into(), &9.into()),
        "{failure:#}"
    );
    assert_eq!(failure["predicate"], "largest(values) == 8", "{failure:#}");
}

#[test]
fn a_check_of_check_that_fails_is_where_the_test_fails_in_its_process_or_in_one_for_all() {
    let project = Project::of("suites/check");
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let failures = located["failures"].as_array().cloned().unwrap_or_default();
    assert_eq!(failures.len(), 2, "{located:#}");
    for failure in &failures {
        assert_eq!(failure["location"]["file"], "tests/check_stats.c", "{failure:#}");
        assert_eq!(
            failure["message"], "the check `largest(values, 3) == 8` fails: largest(values, 3) == 2, 8 == 8",
            "{failure:#}"
        );
    }
    let places = places(&located);
    assert!(!places.is_empty() && places.iter().all(|(file, _)| file == "stats.c"), "{places:?} {errors}");
    let loop_at = places.iter().position(|(_, line)| *line == 5);
    assert!(loop_at.is_some_and(|at| at < 4), "{places:?}");
    for test in ["last", "last-in-one-process"] {
        assert_eq!(project.run(&["record", "--check", test]).status.code(), Some(0), "{test}");
        let (status, why, errors) = project.json(&["why"]);
        assert_eq!((status, &why["failure"]), (0, &failures[0]["message"]), "{errors}");
        assert_eq!(why["steps"][0]["location"], failures[0]["location"], "{why:#}");
    }
    // A run that passes is recorded since.
    assert_eq!(project.run(&["record", "first-in-one-process"]).status.code(), Some(0));
    let (status, why, errors) = project.json(&["why"]);
    assert_eq!((status, &why["failure"]), (0, &failures[0]["message"]), "{errors}");
    let note = "the latest recorded run did not fail; this is the latest that did, of test last-in-one-process";
    assert_eq!(why["problems"][0]["message"], note, "{why:#}");
}
