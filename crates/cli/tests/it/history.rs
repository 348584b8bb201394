//! `whydunit history` on repositories of which all is known in advance.

use std::path::Path;

use serde_json::Value;

use crate::support::git::{git, state};
use crate::support::made::{CALC, Made, SOURCES};
use crate::support::project::assert_one_message;

/// The commits of an answer: what they say, and what came of them.
fn verdicts(answer: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let commits = answer["commits"].as_array().expect("commits");
    commits.iter().map(|commit| (word(&commit["subject"]), word(&commit["verdict"]))).collect()
}

fn bug<'a>(answer: &'a Value, subject: &str) -> &'a Value {
    let bugs = answer["bugs"].as_array().expect("bugs");
    let says = |bug: &&Value| bug["message"].as_str().is_some_and(|message| message.starts_with(subject));
    bugs.iter().find(says).unwrap_or_else(|| panic!("no bug `{subject}`: {answer:#}"))
}

fn numbers(bug: &Value, keys: &[&str]) -> Vec<u64> {
    keys.iter().map(|key| bug[*key].as_u64().or(bug["lines_needed"][*key].as_u64()).unwrap_or(999)).collect()
}

#[test]
fn commits_of_every_kind_come_to_what_they_are() {
    let made = Made::of_every_kind();
    let before = state(made.0.folder());
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!(status, 0, "{errors}");
    assert!(state(made.0.folder()) == before, "the repository was touched");
    let mut found = verdicts(&answer);
    found.sort();
    let first = [
        ("First version", "no-parent"),
        ("Measure a text", "no-fix"),
        ("Fix the sum: the last number was left out (#1)", "bug"),
        ("Tell what sums are", "no-fix"),
        ("Fix what stands above the function", "form-only"),
        ("Fix crash without a text", "bug"),
        ("The larger one", "bug"),
        ("Notes", "no-fix"),
        ("Merge the fix of side", "merge"),
        ("Revert \"Notes\"", "revert"),
        ("Fix both, closes #3 and closes #4", "several-bugs"),
        ("Go on", "no-fix"),
        ("Fix the end of a statement", "not-built"),
        ("Fix the tests of sums", "no-code"),
        ("Fix the status without arguments", "no-test"),
        ("Fix the status (#9)", "several-fixes"),
        ("Fix the status again (#9)", "several-fixes"),
        ("Fix the largest of large numbers", "bug"),
        ("Fix line ends", "form-only"),
        ("Fix crash of a sum of nothing", "bug"),
        ("Count runs", "no-fix"),
        ("Fix the count of runs", "no-test"),
    ];
    let all = first.iter().chain(FURTHER);
    let mut expected: Vec<(String, String)> =
        all.map(|(subject, verdict)| ((*subject).to_owned(), (*verdict).to_owned())).collect();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!((found.len(), answer["bugs"].as_array().map(Vec::len)), (61, Some(17)), "bugs, and fixes without tests");
    figures(&answer);
    // Nothing is built twice.
    let (_, again, errors) = made.0.json(&["history"]);
    assert_eq!(again["stats"]["builds"], 0, "{errors}");
    assert_eq!((&again["bugs"], &again["commits"]), (&answer["bugs"], &answer["commits"]));
    commands(&made, &answer);
}

/// What the commits are to come to that are made after the first twenty-two.
const FURTHER: &[(&str, &str)] = &[
    ("Prefix all names", "no-fix"),
    ("Fix typo in a comment", "no-fix"),
    ("docs: fix the example", "no-fix"),
    ("Fix compiler warning", "no-fix"),
    ("Fix the build with cmake", "no-fix"),
    ("Release 1.1, with fixes", "no-fix"),
    ("Bump version: bug fixes", "no-fix"),
    ("refactor: fix the order of branches", "no-fix"),
    ("test: fix a case", "no-fix"),
    ("Fix permissions of notes", "no-code"),
    ("Fix nothing", "no-code"),
    ("Test for bug #20", "no-code"),
    ("Fix the sum of negative numbers (#20)", "bug"),
    ("hotfix(cli): tell how it is called", "bug"),
    ("Add a second file", "no-fix"),
    ("Fix the level (#30)", "no-test"),
    ("Fix the name of a file", "form-only"),
    ("Keep the level in a header", "no-fix"),
    ("Fix the level: it was one too low", "bug"),
    ("Add a table that is generated", "no-fix"),
    ("Fix the table of squares: it was made wrong", "bug"),
    ("Fix the level of names", "bug"),
    ("Raise the level", "no-fix"),
    ("Revert \"Raise the level\"", "revert"),
    ("Fix what no test shows: this one fails before and after", "no-test"),
    ("Fixes #50, fixes #51", "several-bugs"),
    ("Add a library", "no-fix"),
    ("Fix the library: a newer one", "no-code"),
    ("Fix the data", "no-code"),
    ("Fix the square of two, beside a file with an odd name", "bug"),
    ("Fix der größeren Zahl", "no-test"),
    ("Use a library", "no-fix"),
    ("Fix the use of a library", "not-built"),
    ("Link one more", "no-fix"),
    ("Fix the last argument", "not-built"),
    ("Raise it", "no-fix"),
    ("Notes again", "no-fix"),
    ("Fix everything: merge of other", "merge"),
    ("The level was wrong after a merge", "bug"),
];

/// The figures of each bug.
fn figures(answer: &Value) {
    let keys = ["lines_churned", "hunks", "changed", "needed", "changed_code", "needed_code", "needed_alone"];
    let sum = bug(answer, "Fix the sum");
    assert_eq!(numbers(sum, &keys), [3, 2, 3, 1, 2, 1, 1], "{sum:#}");
    assert_eq!((sum["fingerprint"].as_str(), sum["kind"].as_str()), (Some("Z"), Some("output")));
    assert_eq!(
        (&sum["tests"][0], &sum["functions"][0], &sum["issues"][0]),
        (&"three".into(), &"sum".into(), &"1".into())
    );
    let patch = sum["minimised"].as_str().expect("a patch");
    assert!(patch.contains("+    for (int i = 0; i <= n; i++)") && !patch.contains("All of them"), "{patch}");
    let text = bug(answer, "Fix crash without");
    // `return 0;` alone makes the failing test pass, and others fail.
    assert_eq!(numbers(text, &keys), [2, 1, 2, 2, 2, 2, 1], "{text:#}");
    assert_eq!((text["fingerprint"].as_str(), text["kind"].as_str()), (Some("KZ"), Some("crash")));
    let larger = bug(answer, "The larger one");
    assert_eq!(numbers(larger, &keys), [1, 1, 1, 1, 1, 1, 1], "{larger:#}");
    let moved = bug(answer, "Fix the largest of");
    assert_eq!(numbers(moved, &keys[..2]), [3, 3], "{moved:#}");
    assert_eq!(moved["tests"], serde_json::json!(["long"]));
    let nothing = bug(answer, "Fix crash of a sum");
    assert_eq!(numbers(nothing, &keys), [1, 1, 1, 1, 1, 1, 1], "{nothing:#}");
    assert!(nothing["minimised"].as_str().is_some_and(|patch| patch.contains("\r\n")), "{nothing:#}");
    assert_eq!(bug(answer, "Fix the count")["flaky"], serde_json::json!(["odd"]));
    let broken = answer["commits"].as_array().expect("commits").iter().find(|commit| commit["verdict"] == "not-built");
    let broken = broken.expect("one that is not built");
    assert_eq!(broken["reason"], "compiler");
    assert!(broken["detail"].as_str().is_some_and(|detail| detail.starts_with("the parent: calc.c:")), "{broken}");
    further_figures(answer);
}

/// Those of fixes in other files than the program.
fn further_figures(answer: &Value) {
    let keys = ["changed", "needed", "changed_code", "needed_code", "needed_alone"];
    // The test was committed before, the fix without any.
    let negative = bug(answer, "Fix the sum of negative");
    assert_eq!((numbers(negative, &keys), &negative["tests"]), (vec![1; 5], &serde_json::json!(["negative"])));
    let low = bug(answer, "Fix the level: it");
    assert_eq!((&low["files"], &low["tests"]), (&serde_json::json!(["level.h"]), &serde_json::json!(["level"])));
    let squares = bug(answer, "Fix the table of squares");
    assert_eq!((&squares["files"], numbers(squares, &keys)), (&serde_json::json!(["squares.inc"]), vec![1; 5]));
    let names = bug(answer, "Fix the level of names");
    // An empty line and a comment are not needed; for the new test alone the condition is not either.
    assert_eq!(numbers(names, &keys), [8, 6, 6, 6, 5], "{names:#}");
    let wrong = bug(answer, "Fix what no test shows");
    let row = wrong["outcomes"].as_array().expect("outcomes").iter().find(|row| row["test"] == "wrong").expect("a row");
    assert_eq!([&row["before"], &row["with_tests"], &row["after"]], ["absent", "fail", "fail"]);
    let commits = answer["commits"].as_array().expect("commits");
    let reasons = |subject: &str| {
        let commit = commits.iter().find(|commit| commit["subject"] == subject).expect("a commit");
        (commit["reason"].as_str(), commit["detail"].as_str().unwrap_or_default().to_owned())
    };
    let (reason, detail) = reasons("Fix the use of a library");
    assert!(reason == Some("dependency") && detail.contains("not/there.h"), "{detail}");
    let (reason, detail) = reasons("Fix the last argument");
    assert!(reason == Some("dependency") && detail.contains("-lnotthere"), "{detail}");
}

/// What else there is to do with the catalogue.
fn commands(made: &Made, answer: &Value) {
    let (_, listed, _) = made.0.json(&["history", "list", "--where", "fingerprint=KZ lines<10"]);
    assert_eq!(listed["bugs"].as_array().map(Vec::len), Some(1));
    let id = listed["bugs"][0]["id"].as_str().expect("a name").to_owned();
    let (_, shown, _) = made.0.json(&["history", "show", &id[..6]]);
    assert_eq!(shown["bugs"][0], *bug(answer, "Fix crash without"));
    for (side, passes) in [("pre", false), ("post", true)] {
        let output = made.0.run(&["history", "checkout", &id, "--side", side, side]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let ran = made.0.run(&["--project", side, "test", "no text"]);
        assert_eq!(ran.status.success(), passes, "{side}: {}", String::from_utf8_lossy(&ran.stdout));
    }
    let output = made.0.run(&["history", "checkout", &id, "pre"]);
    assert_one_message(&String::from_utf8_lossy(&output.stderr), &["pre is not empty", "what to do"]);
    // An author's commits count that are not looked at, too.
    let (_, newest, _) = made.0.json(&["history", "--until", "v1", "--since", "v1~3", "--catalogue", "newest"]);
    let experience =
        newest["bias"].as_array().expect("a list").iter().find(|it| it["what"] == "commits of the author before");
    let experience = experience.expect("it is compared");
    assert_eq!((experience["kept"].as_f64(), experience["others"].as_f64()), (Some(19.0), Some(21.0)));
    let page = String::from_utf8(made.0.run(&["history", "--format", "html"]).stdout).expect("text");
    assert!(page.contains("12 bugs with tests in 61 commits") && page.matches("<svg").count() == 4);
    let project = made.0.path(&format!(".whydunit/history/bugs/{id}/project"));
    assert!(project.join("truth.json").is_file() && project.join("calc.c").is_file());
}

#[test]
fn the_commit_that_a_bug_came_with_is_found() {
    let made = Made::new();
    made.0.write("calc.c", &CALC.replace("i < n", "i <= n"));
    made.0.write("whydunit.toml", SOURCES);
    made.case("nothing", &["sum", "0"], "0").commit("First version");
    for number in 0..3 {
        made.edit("return 3;", &format!("return 3; /* {number} */")).commit(&format!("Remark {number}"));
        made.0.edit("calc.c", &format!(" /* {number} */"), "");
    }
    made.edit("i <= n", "i < n").commit("Sum faster");
    made.edit("The sum", "A sum").commit("Words");
    made.edit("i < n", "i <= n").case("three", &["sum", "3"], "6").commit("Fix sums");
    // Commits that are older than the oldest fix that is examined count, too.
    let (status, answer, errors) = made.0.json(&["history", "--introduced", "--max", "1"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(bug(&answer, "Fix sums")["introduced"]["subject"], "Sum faster", "{answer:#}");
    assert_eq!(answer["bias"], serde_json::json!([]), "one fix is compared with none");
}

#[test]
fn of_versions_each_test_that_one_mends_is_a_bug() {
    let made = Made::of_calc(SOURCES, "1.0");
    made.edit("i < n", "i <= n").edit("a < b ? a", "a > b ? a");
    made.case("three", &["sum", "3"], "6").case("largest", &["largest", "3", "5"], "5").commit("1.1");
    let (status, answer, errors) = made.0.json(&["history", "--versions"]);
    assert_eq!(status, 0, "{errors}");
    let bugs = answer["bugs"].as_array().expect("bugs");
    let of = |bug: &Value| {
        (bug["tests"][0].as_str().unwrap_or_default().to_owned(), numbers(bug, &["changed", "needed_alone"]))
    };
    let mut found: Vec<_> = bugs.iter().map(of).collect();
    found.sort();
    assert_eq!(found, [("largest".to_owned(), vec![2, 1]), ("three".to_owned(), vec![2, 1])]);
}

#[test]
fn tests_inside_of_rust_sources_are_run_on_the_parents_code() {
    let made = Made::new();
    made.0.write(
        "Cargo.toml",
        "[package]\nname = \"first\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ndoctest = false\n",
    );
    std::fs::create_dir_all(made.0.path("src")).expect("a folder");
    let source = |body: &str, test: &str| {
        format!(
            "/// The first.\npub fn first(list: &[u8]) -> u8 {{\n{body}}}\n\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n    #[test]\n    fn of_two() {{\n        assert_eq!(first(&[1, 2]), 1);\n    }}\n{test}}}\n"
        )
    };
    made.0.write("src/lib.rs", &source("    list[0]\n", ""));
    made.commit("First version");
    let test = "\n    #[test]\n    fn of_none() {\n        assert_eq!(first(&[]), 0);\n    }\n";
    made.0.write("src/lib.rs", &source("    if list.is_empty() {\n        return 0;\n    }\n    list[0]\n", test));
    made.commit("Fix panic on an empty list");
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!(status, 0, "{errors}");
    let found = bug(&answer, "Fix panic");
    assert_eq!((found["kind"].as_str(), found["fingerprint"].as_str()), (Some("bounds"), Some("KMZ")), "{found:#}");
    assert_eq!(numbers(found, &["lines_churned", "changed", "needed"]), [3, 3, 3]);
    assert_eq!(found["tests"].as_array().map(Vec::len), Some(1));
}

/// A fix that was taken over from a branch that was merged later is one bug; one of the same words, line and day at another place is its own.
#[test]
fn a_fix_that_was_taken_over_counts_once() {
    let made = Made::of_calc(SOURCES, "First version");
    let git = |args: &[&str]| git(made.0.folder(), args);
    git(&["checkout", "-q", "-b", "side"]);
    made.edit("i < n", "i <= n").case("three", &["sum", "3"], "6").commit("Fix numbers");
    git(&["checkout", "-q", "-"]);
    made.0.write("notes", "x\n");
    made.commit("Notes");
    git(&["cherry-pick", "side"]);
    git(&["merge", "-q", "--no-edit", "side"]);
    // The same line at another place.
    let guards = |first: &str, second: &str| {
        let body = |guard: &str| format!("(int a)\n{{\n{guard}    return a;\n}}\n");
        made.0.write("guards.c", &format!("int one{}\nint two{}", body(first), body(second)));
    };
    let (guard, seen) = ("    if (a < 0) return 0;\n", "2020-02-01T12:00:00Z");
    for (first, second, message) in [("", "", "Guards"), (guard, "", "Fix guards"), (guard, guard, "Fix guards")] {
        guards(first, second);
        git(&["add", "-A"]);
        git(&["commit", "-q", "--date", seen, "-m", message]);
    }
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!(status, 0, "{errors}");
    let mut found: Vec<String> = verdicts(&answer).into_iter().map(|(_, verdict)| verdict).collect();
    found.sort();
    assert_eq!(
        found,
        ["bug", "merge", "no-fix", "no-fix", "no-parent", "no-test", "no-test", "repeated"],
        "{answer:#}"
    );
}

/// Code that uses what a newer version of a dependency took back builds with the one of the fix's day: bitflags 1.2 had a macro that 1.3 has not.
#[test]
fn code_that_fits_no_newer_dependency_is_built_with_those_of_its_day() {
    let made = Made::new();
    let settings = "[package]\nname = \"flags\"\nversion = \"0.1.0\"\nedition = \"2018\"\n";
    made.0.write("Cargo.toml", &format!("{settings}[lib]\ndoctest = false\n[dependencies]\nbitflags = \"1.2.1\"\n"));
    let source = |most: &str| {
        let name = "pub fn name() -> &'static str {\n    bitflags::__bitflags_stringify!(flag)\n}\n";
        format!("{name}\npub fn largest(list: &[u8]) -> u8 {{\n    list.iter().copied().{most}().unwrap_or(0)\n}}\n")
    };
    let test = |more: &str| format!("#[test]\nfn names() {{\n    assert_eq!(flags::name(), \"flag\");\n}}\n{more}");
    for folder in ["src", "tests"] {
        std::fs::create_dir_all(made.0.path(folder)).expect("a folder");
    }
    let commit = |most: &str, more: &str, message: &str| {
        made.0.write("src/lib.rs", &source(most));
        made.0.write("tests/flags.rs", &test(more));
        git(made.0.folder(), &["add", "-A"]);
        git(made.0.folder(), &["commit", "-q", "--date", "2020-02-01T12:00:00Z", "-m", message]);
    };
    commit("min", "", "First version");
    commit(
        "max",
        "\n#[test]\nfn largest() {\n    assert_eq!(flags::largest(&[1, 2]), 2);\n}\n",
        "Fix the largest flag",
    );
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!(status, 0, "{errors}");
    let found = bug(&answer, "Fix the largest");
    assert_eq!(
        (found["locked"].as_bool(), &found["tests"]),
        (Some(true), &serde_json::json!(["flags::flags largest"])),
        "{found:#}"
    );
}

#[test]
fn a_catalogue_and_an_answer_fit_their_schemas() {
    let made = Made::of_calc(SOURCES, "First version");
    made.edit("i < n", "i <= n").case("three", &["sum", "3"], "6").commit("Fix sums");
    let (_, answer, errors) = made.0.json(&["history", "--introduced"]);
    let schemas = crate::support::schema::Schemas::of_repository();
    assert_eq!(schemas.violations("history.json", &answer), Vec::<String>::new(), "{errors}");
    let kept = std::fs::read_to_string(Path::new(&made.0.path(".whydunit/history/bugs.json"))).expect("a catalogue");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!(schemas.violations("bugs.json", &kept), Vec::<String>::new());
}
