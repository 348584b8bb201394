//! Single tests of an automake suite: named, recorded, ranked by.

use crate::support::project::{self, Project};

fn configured() -> Project {
    let project = Project::of("automake");
    let made = project.command("autoreconf").arg("-i").output().expect("autoreconf starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (status, _, errors) = project.json(&["build", "--", "sh", "-c", "./configure && make"]);
    assert_eq!(status, 0, "{errors}");
    project
}

#[test]
fn tests_of_make_check_have_names_once_it_was_run() {
    let project = configured();
    let (status, _, errors) = project.json(&["record", "tests/below.sh"]);
    assert_eq!(status, 2);
    assert!(errors.contains("known by name once `whydunit test` has run them"), "{errors}");
    let (status, tested, errors) = project.json(&["test"]);
    assert_eq!((status, tested["tests"].as_array().map(Vec::len)), (1, Some(4)), "{errors}");
    // By its whole name, and by the part that is clear.
    for name in ["tests/below.sh", "zero"] {
        let (status, recorded, errors) = project.json(&["record", "--check", name]);
        assert_eq!(status, 0, "{errors}");
        let tests = recorded["tests"].as_array().expect("tests");
        assert_eq!(tests.len(), 1, "{recorded}");
        assert_eq!(tests[0]["outcome"], if name == "zero" { "pass" } else { "fail" });
        assert_eq!(recorded["recordings"].as_array().map(Vec::len), Some(1), "{recorded}");
    }
    let (status, shown, errors) = project.json(&["show", "tests/below.sh"]);
    assert_eq!(status, 0, "{errors}");
    assert!(shown["outline"].to_string().contains("largest(count = 2"), "{shown:#}");
    let (status, tested, errors) = project.json(&["test", "largest"]);
    assert_eq!((status, &tested["tests"][0]["name"]), (0, &"tests/largest.sh".into()), "{errors}");
    let (status, _, errors) = project.json(&["record", "nought"]);
    assert_eq!(status, 2);
    assert!(errors.contains("tests/below.sh"), "names those that exist: {errors}");
}

#[test]
fn statements_are_ranked_by_the_tests_of_make_check() {
    let project = configured();
    let (status, located, errors) = project.json(&["locate", "--method", "ochiai"]);
    assert_eq!(status, 1, "{errors}");
    assert_eq!(located["tests"].as_array().map(Vec::len), Some(4), "{located:#}");
    let first = &located["findings"][0];
    assert_eq!((&first["location"]["file"], &first["function"]), (&"src/sums.c".into(), &"largest".into()));
    // A test that is gone cannot be run for itself, which is said; the others are what the ranking rests on.
    std::fs::write(project.path("tests/gone.sh.trs"), ":test-result: PASS\n").expect("a file");
    let (status, located, errors) = project.json(&["locate", "--method", "ochiai"]);
    assert_eq!((status, located["tests"].as_array().map(Vec::len)), (1, Some(4)), "{errors}");
    assert!(project::notes(&located).contains("could not be run for themselves: tests/gone.sh"), "{located:#}");
}

/// A program that `make` leaves to `make check` is built before the tests, so that it is recorded.
#[test]
fn programs_that_only_make_check_builds_are_captured() {
    let project = Project::of("automake");
    project.write("tests/Makefile.am", "check_PROGRAMS = middle\nmiddle_SOURCES = middle.c\nTESTS = middle\n");
    let program = "static int middle(int a, int b) {\n    return a + b / 2;\n}\nint main(void) {\n    return middle(2, 2) == 2 ? 0 : 1;\n}\n";
    project.write("tests/middle.c", program);
    let made = project.command("autoreconf").arg("-i").output().expect("autoreconf starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (status, located, errors) = project.json(&["locate", "--test-code"]);
    assert_eq!(status, 1, "{errors}");
    let mut places = located["findings"].as_array().into_iter().flatten().map(|finding| &finding["location"]);
    assert!(places.any(|place| place["file"] == "tests/middle.c" && place["line"] == 2), "{located:#}");
}
