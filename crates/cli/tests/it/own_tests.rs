//! Programs that are one test of their suite, and whose functions are tests by themselves: each is run alone, counted, recorded and
//! replayed, and what the others say counts.

use serde_json::Value;

use crate::support::project::{Project, notes};

/// The tests of an answer by name, with their outcomes.
fn tests(answer: &Value) -> Vec<(&str, &str)> {
    let tests = answer["tests"].as_array().into_iter().flatten();
    tests
        .map(|test| (test["name"].as_str().unwrap_or_default(), test["outcome"].as_str().unwrap_or_default()))
        .collect()
}

/// Where the first finding is.
fn first(answer: &Value) -> (&Value, &Value) {
    let place = &answer["findings"][0]["location"];
    (&place["file"], &place["line"])
}

#[test]
fn functions_that_are_tests_are_run_one_by_one_and_what_runs_them_is_no_test() {
    let project = Project::of("suites/own-tests");
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let expected = [
        ("make test/test_empty", "pass"),
        ("make test/test_order", "pass"),
        ("make test/test_full", "pass"),
        ("make test/test_around", "fail"),
    ];
    assert_eq!(tests(&located), expected, "{errors}");
    assert!(notes(&located).contains("each of its 4 functions that are tests is run by itself"), "{errors}");
    assert_eq!(first(&located), (&"ring.c".into(), &15.into()), "{located:#}");
    let found = &located["findings"][0];
    assert_eq!((&found["counts"]["failed"], &found["counts"]["passed"]), (&1.into(), &1.into()), "{found:#}");
    let right = |tried: &&Value| {
        tried["change"].as_str().is_some_and(|change| change.contains("4 in the place of 3"))
            && tried["passing_kept"] == 1
    };
    assert!(found["changes"].as_array().into_iter().flatten().any(|tried| right(&tried)), "{found:#}");
    let all = located["findings"].as_array().into_iter().flatten();
    let files: Vec<&Value> = all.map(|finding| &finding["location"]["file"]).collect();
    assert!(files.iter().all(|file| **file == "ring.c"), "what runs the tests is not at fault: {files:?}");

    // Known by its name from now on: recorded, only it has an effect, and the replay does the same.
    let (status, recorded, errors) = project.json(&["record", "test_order"]);
    assert_eq!((status, &recorded["tests"][0]["name"]), (0, &"make test/test_order".into()), "{errors}");
    assert_eq!(recorded["tests"][0]["outcome"], "pass", "{recorded:#}");
    for (test, called, not_called) in [("test_order", "push", "test_full"), ("test_around", "pop", "test_empty")] {
        assert_eq!(project.run(&["record", test]).status.code(), Some(0));
        let (status, replayed, errors) = project.json(&["replay"]);
        assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{test}: {errors}");
        let shown = String::from_utf8_lossy(&project.run(&["show"]).stdout).into_owned();
        let lines = |function: &str| shown.lines().filter(|line| line.contains(&format!("{function}("))).count();
        assert!(lines(called) > 0, "{test}: {shown}");
        // It is called, and does nothing.
        assert_eq!(lines(not_called), 1, "{test}: {shown}");
    }
    let (status, again, errors) = project.json(&["locate", "test_around"]);
    assert_eq!((status, tests(&again).len()), (1, 4), "{errors}");
    assert_eq!(first(&again), (&"ring.c".into(), &15.into()), "{again:#}");

    // Of the tests of C++, whose program ends at the first that fails, the others are known, too.
    project.edit("ring.c", "(SIZE - 1)", "SIZE");
    project.edit("words.cpp", "int count = 0;", "int count = text.empty() ? 1 : 0;");
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let failing: Vec<&str> =
        tests(&located).into_iter().filter(|(_, outcome)| *outcome != "pass").map(|(name, _)| name).collect();
    assert_eq!(failing, ["make test/(anonymous namespace)::no_words_test"], "{errors}");
    assert!(tests(&located).contains(&("make test/(anonymous namespace)::two_words_test", "pass")), "{located:#}");
    assert_eq!(first(&located), (&"words.cpp".into(), &7.into()), "{located:#}");
    project.assert_clean();
}

/// Tests and what they test in one file; one that only fails behind another one.
#[test]
fn what_stands_beside_tests_is_suspected_and_tests_that_fail_together_only_are_left_together() {
    let project = Project::new();
    project.write("Makefile", "all: sums\nsums: sums.c\n\tcc -g -o $@ sums.c\ntest: all\n\t./sums\n");
    let text = "#include <stdio.h>\n\
        static int last;\n\
        static int sum(int a, int b) {\n\
        \x20 return a - b;\n\
        }\n\
        static int keep(int a) {\n\
        \x20 int before = last;\n\
        \x20 last = a;\n\
        \x20 return before;\n\
        }\n\
        static int test_zero(void) { return sum(1, 0) != 1; }\n\
        static int test_one(void) { return sum(1, 1) != 2; }\n\
        static int test_keep(void) { return keep(3) != 0; }\n\
        int main(void) {\n\
        \x20 int bad = test_zero() + test_one() + test_keep();\n\
        \x20 return bad > 0;\n\
        }\n";
    project.write("sums.c", text);
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!((status, tests(&located).len()), (1, 3), "{errors}");
    assert_eq!(first(&located), (&"sums.c".into(), &4.into()), "{located:#}");
    let functions = located["findings"].as_array().into_iter().flatten().map(|finding| &finding["function"]);
    assert!(functions.clone().all(|name| *name == "sum" || *name == "keep"), "{:?}", functions.collect::<Vec<_>>());

    project.edit("sums.c", "return a - b;", "return a + b;");
    project.edit("sums.c", "test_one(void) { return", "test_one(void) { keep(2); return");
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    assert_eq!(tests(&located), [("make test", "fail")], "{errors}");
    assert!(
        notes(&located).contains("3 functions that are tests, none of which fails where it alone is run"),
        "{errors}"
    );
}
