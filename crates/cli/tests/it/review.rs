//! `whydunit review` on fixes that are bad and fixes that are good, end to end.

use std::process::Command;

use crate::support::project::{Project, assert_one_message, notes};
use serde_json::{Value, json};

/// A fix of a subject, reviewed within the subject's domain; the answer, and the subject.
fn reviewed(subject: &str, fix: &str, more: &[&str]) -> (Value, Project) {
    let project = Project::new();
    project.copy_inside(&format!("review/{subject}"));
    let args = [&["review", fix, "--domain", "domain.txt"][..], more].concat();
    let (status, answer, errors) = project.json(&args);
    let expected = i32::from(answer["verdict"] != "no-counterexample");
    assert_eq!(status, expected, "{errors} {answer:#}");
    (answer, project)
}

/// The arguments with which the fixed program is said to fail, after they have made it do so: as a case of the suite with the fix
/// applied.
fn counterexample(subject: &str, fix: &str) -> Vec<i64> {
    let (answer, project) = reviewed(subject, fix, &[]);
    assert_eq!(answer["verdict"], "bad-coverage", "{answer:#}");
    let found = &answer["counterexample"];
    assert_eq!((&found["by"], &found["fails_before"]), (&json!("paths"), &json!(true)), "{answer:#}");
    let cases = project.read("cases.jsonl");
    project.write("cases.jsonl", &format!("{cases}{}\n", found["case"]));
    let patch = Command::new("patch").args(["-p1", "-s", "-i", fix]).current_dir(project.folder()).status();
    assert!(patch.expect("patch runs").success());
    let (status, tests, _) = project.json(&["test"]);
    assert_eq!(status, 1, "{tests:#}");
    let failing = tests["tests"].as_array().expect("tests").iter().filter(|test| test["outcome"] != "pass");
    assert_eq!(failing.map(|test| &test["name"]).collect::<Vec<_>>(), [&found["case"]["name"]], "{tests:#}");
    let args = found["case"]["args"].as_array().expect("arguments");
    args.iter().map(|arg| arg.as_str().and_then(|arg| arg.parse().ok()).expect("a number")).collect()
}

fn is_good(subject: &str, fix: &str) -> Value {
    let (answer, _) = reviewed(subject, fix, &[]);
    assert_eq!(answer["verdict"], "no-counterexample", "{answer:#}");
    assert_eq!((&answer["counterexample"], &answer["disruptions"]), (&Value::Null, &json!([])), "{answer:#}");
    assert!(answer["exhausted"].as_bool().expect("whether all paths were looked at"), "{answer:#}");
    answer
}

/// The seven examples of FIXATION (Gu, Barr, Hamilton, Su, 2010, table 2).
mod published {
    use super::*;

    #[test]
    fn no_such_method() {
        assert_eq!(counterexample("no-such-method", "first.diff"), [3, 1]);
        let (answer, _) = reviewed("no-such-method", "second.diff", &[]);
        assert_eq!(answer["verdict"], "bad-disruption", "{answer:#}");
        assert_eq!(answer["disruptions"][0]["test"], "id-tail", "{answer:#}");
        assert_eq!(answer["predicate"], "arg1 != 0 and arg1 != 1 and arg1 != 2");
        is_good("no-such-method", "third.diff");
    }

    #[test]
    fn multi_task() {
        assert_eq!(counterexample("multi-task", "first.diff"), [2, 0]);
        is_good("multi-task", "second.diff");
    }

    #[test]
    fn substring() {
        assert_eq!(counterexample("substring", "first.diff"), [1, 0]);
        is_good("substring", "second.diff");
    }

    #[test]
    fn native_error() {
        assert_eq!(counterexample("native-error", "first.diff"), [3]);
        is_good("native-error", "second.diff");
    }

    #[test]
    fn a_loop() {
        let [interfaces, methods] = counterexample("loop", "first.diff")[..] else { panic!("two arguments") };
        assert!(interfaces > 5 || methods > 2, "{interfaces} {methods}");
        let answer = is_good("loop", "second.diff");
        let predicate = answer["predicate"].as_str().expect("a text");
        assert!(
            predicate.contains("arg1 == 5 and arg2 <= 2") && predicate.contains("arg1 == 6 and arg2 >= 3"),
            "{predicate}"
        );
    }

    #[test]
    fn paths() {
        let first = counterexample("paths", "first.diff");
        assert!(first[0] != -1 && first[1..3] == [3, 1] && first[3] >= 2, "{first:?}");
        let second = counterexample("paths", "second.diff");
        assert!(second[0] != -1 && second[1..4] == [3, 1, 2], "{second:?}");
        is_good("paths", "third.diff");
    }
}

/// Programs of our own with a bad fix and a good one: what is bad about the bad one is found, and nothing about the good one.
mod own {
    use super::*;

    fn told_apart(name: &str) {
        let project = Project::new();
        project.copy_inside(&format!("fixes/{name}"));
        let truth: Value = serde_json::from_str(&project.read("truth.json")).expect("an object");
        let verdict = |fix: &str, limit: &str| {
            let args = ["review", fix, "--inputs", "300", "--time-limit", limit];
            // That an answer which nobody has stated is another one is held against a fix where that is wanted.
            let strict = if fix == "bad.diff" && truth["bad"] == "disruption" { &["--strict"][..] } else { &[] };
            let (status, answer, errors) = project.json(&[&args[..], strict].concat());
            assert_eq!(status, i32::from(answer["verdict"] != "no-counterexample"), "{errors} {answer:#}");
            answer["verdict"].as_str().expect("a text").to_string()
        };
        // What is bad is found long before, but on a machine that has other things to do.
        assert_eq!(verdict("bad.diff", "120"), format!("bad-{}", truth["bad"].as_str().expect("a text")), "{name}");
        assert_eq!(verdict("good.diff", "25"), "no-counterexample", "{name}");
    }

    #[test]
    fn numbers_in_arguments() {
        told_apart("merge-intervals");
    }

    #[test]
    fn lines_of_words() {
        told_apart("text-wrap");
    }

    #[test]
    fn parts_of_a_text_in_a_stream_of_cpp() {
        told_apart("polynomial");
    }

    #[test]
    fn floats_of_standard_input() {
        told_apart("magnitudes");
    }

    #[test]
    fn a_crate() {
        told_apart("column-cut");
    }
}

/// Every way in which programs read what they are given is followed: the counterexamples come by paths, not by luck.
mod readers {
    use super::*;

    fn are_followed(subject: &str) {
        let project = Project::new();
        project.copy_inside(&format!("review/{subject}"));
        let cases = project.read("cases.jsonl");
        let names = cases.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case")["name"].clone());
        let bugs: Vec<Value> = names.filter(|name| name.as_str().is_some_and(|name| name.starts_with("bug"))).collect();
        assert!(bugs.len() > 5, "{bugs:?}");
        for bug in bugs {
            let test = bug.as_str().expect("a name");
            let (_, answer, errors) = project.json(&["review", "first.diff", "--test", test, "--inputs", "0"]);
            let found = (&answer["verdict"], &answer["counterexample"]["by"], &answer["problems"]);
            assert_eq!(found, (&json!("bad-coverage"), &json!("paths"), &json!([])), "{test}: {errors} {answer:#}");
        }
    }

    #[test]
    fn of_c() {
        are_followed("readers");
    }

    #[test]
    fn of_cpp() {
        are_followed("streams");
    }

    #[test]
    fn of_rust() {
        are_followed("inputs");
    }
}

/// The arguments of a function are the input.
mod entry {
    use super::*;

    fn under_test(subject: &str, function: &str, fix: &str, more: &[&str]) -> (Value, Project) {
        let project = Project::new();
        project.copy_inside(&format!("review/{subject}"));
        let args = [&["review", fix, "--entry", function, "--inputs", "300"][..], more].concat();
        let (status, answer, errors) = project.json(&args);
        assert_eq!(status, i32::from(answer["verdict"] != "no-counterexample"), "{errors} {answer:#}");
        (answer, project)
    }

    fn found(answer: &Value) -> Vec<(&str, &str)> {
        assert_eq!((&answer["verdict"], &answer["counterexample"]["by"]), (&json!("bad-coverage"), &json!("paths")));
        let arguments = answer["entry"]["arguments"].as_array().expect("arguments");
        arguments
            .iter()
            .map(|one| (one["name"].as_str().expect("a name"), one["value"].as_str().expect("a value")))
            .collect()
    }

    /// The fix is applied, and the test of the answer compiled and run: it fails as the answer says.
    fn fails_as_a_test(answer: &Value, project: &Project, fix: &str, file: &str, compile: &[&str]) {
        let run = |program: &str, args: &[&str]| {
            Command::new(program).args(args).current_dir(project.folder()).output().expect("it starts")
        };
        assert!(run("patch", &["-p1", "-s", "-i", fix]).status.success());
        project.write(file, answer["entry"]["unit_test"].as_str().expect("a test"));
        let compiled = run(compile[0], &compile[1..]);
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = run("./again", &[]);
        assert!(!ran.status.success(), "{ran:?}");
    }

    #[test]
    fn of_c() {
        let (answer, project) = under_test("kinds", "run", "first.diff", &[]);
        assert_eq!(found(&answer), [("kind", "SHIM"), ("op", "1")], "{answer:#}");
        assert_eq!(answer["predicate"], "kind != 0 and kind != 1 and kind != 2");
        fails_as_a_test(&answer, &project, "first.diff", "again.c", &["cc", "-o", "again", "again.c"]);
        assert_eq!(under_test("kinds", "run", "second.diff", &[]).0["exhausted"], true);
    }

    /// Structures that point to others, arrays, all kinds of numbers.
    #[test]
    fn what_pointers_lead_to() {
        let (answer, project) = under_test("boxes", "total", "first.diff", &[]);
        let found = found(&answer);
        let values = ["b.items.value", "b.items.next.value", "b.items.next.next.value"].map(|name| {
            let value = found.iter().find(|one| one.0 == name).expect("an item").1;
            value.parse::<i32>().expect("a number")
        });
        assert_ne!(values.iter().sum::<i32>(), 6, "{answer:#}");
        for name in ["b.name[0]", "b.id", "b.flags", "b.open", "b.weight", "b.note", "out[2]", "limits[0]", "sep"] {
            assert!(found.iter().any(|one| one.0 == name), "{name}: {answer:#}");
        }
        fails_as_a_test(&answer, &project, "first.diff", "again.c", &["cc", "-o", "again", "again.c"]);
    }

    #[test]
    fn of_cpp() {
        let (answer, project) = under_test("along", "along", "first.diff", &[]);
        let tag = found(&answer).into_iter().find(|one| one.0 == "p.tag").map(|one| one.1.parse::<i32>());
        assert!(matches!(tag, Some(Ok(..=0))), "{answer:#}");
        fails_as_a_test(&answer, &project, "first.diff", "again.cpp", &["c++", "-o", "again", "again.cpp"]);
        assert_eq!(under_test("along", "geo::along", "second.diff", &[]).0["exhausted"], true);
    }

    #[test]
    fn of_rust() {
        let (answer, project) = under_test("slots", "slot", "first.diff", &["--domain", "domain.txt"]);
        let found = found(&answer);
        let is_first = ["place.row", "place.column"].iter().all(|part| found.contains(&(part, "0")));
        assert!(found.contains(&("kind", "Huge")) && !is_first, "{answer:#}");
        assert!(
            Command::new("patch")
                .args(["-p1", "-s", "-i", "first.diff"])
                .current_dir(project.folder())
                .status()
                .is_ok_and(|status| status.success())
        );
        let test = answer["entry"]["unit_test"].as_str().expect("a test");
        project.write("src/lib.rs", &(project.read("src/lib.rs") + test));
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--offline", "--target-dir", "target", "slot_again"]).current_dir(project.folder());
        let ran = cargo.output().expect("cargo starts");
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(said.contains("test slot_again ... FAILED"), "{said}");
        let (good, _) = under_test("slots", "slots::slot", "second.diff", &["--domain", "domain.txt"]);
        assert_eq!((&good["verdict"], &good["exhausted"]), (&json!("no-counterexample"), &json!(true)), "{good:#}");
        let (bad, _) = under_test("slots", "slot", "second.diff", &[]);
        // Numbers that are too large overflow before the fix and with it: that is another matter.
        let overflows = bad["remarks"].as_array().expect("remarks").iter().any(|remark| {
            remark["what"].as_str().is_some_and(|what| what.contains("elsewhere") && what.contains("overflow"))
        });
        assert!(overflows && bad["verdict"] == "no-counterexample", "{bad:#}");
    }

    /// What the test prepares is no part of the function: nothing that fails without it counts against the fix.
    #[test]
    fn what_the_test_prepares_is_missing() {
        let project = Project::new();
        project.copy_inside("review/kinds");
        let prepared = |text: String| {
            text.replace("enum kind kind, int op) {\n", "enum kind kind, int op) {\n    assert(ready);\n")
        };
        project.write("kinds.c", &prepared(project.read("kinds.c")).replace("int run", "int ready;\n\nint run"));
        project.write(
            "test.c",
            &project
                .read("test.c")
                .replace("char **argv) {\n", "char **argv) {\n    extern int ready;\n    ready = 1;\n"),
        );
        let (status, _, errors) = project.json(&["review", "second.diff", "--entry", "run"]);
        assert_eq!(status, 4, "{errors}");
        assert_one_message(&errors, &["run fails by itself with the fix, too", "what the test prepares is missing"]);
    }

    #[test]
    fn what_cannot_be_the_input_says_why() {
        let project = Project::new();
        project.copy_inside("review/kinds");
        let (status, _, errors) = project.json(&["review", "first.diff", "--entry", "walk"]);
        assert_eq!(status, 4, "{errors}");
        assert_one_message(&errors, &["./check shim does not call a function `walk`"]);
        project.write("domain.txt", "size < 3\n");
        let (status, _, errors) = project.json(&["review", "first.diff", "--entry", "run", "--domain", "domain.txt"]);
        assert_eq!(status, 2, "{errors}");
        assert!(errors.contains("parameters are kind, op"), "{errors}");
        // What fails lies outside the function.
        project.write("test.c", &project.read("test.c").replace("return run(SHIM, 2) == 0", "return run(ID, 2) == 4"));
        let fix = "--- a/kinds.c\n+++ b/kinds.c\n@@ -11,2 +11,2 @@\n     if (kind == ID)\n-        return op * 2;\n+        return op * 3;\n";
        project.write("fix.diff", fix);
        let (status, _, errors) = project.json(&["review", "fix.diff", "--entry", "run", "--test", "./check shim"]);
        assert_eq!(status, 4, "{errors}");
        assert_one_message(&errors, &["run does not fail by itself when it is called as in ./check shim"]);
    }
}

#[test]
fn more_paths_are_seen_farther_away() {
    let near = reviewed("paths", "first.diff", &["--distance", "3"]).0;
    // Nothing that the fix misses is that near; the inputs that are made of the suite's may still show it.
    assert!(near["counterexample"].is_null() || near["counterexample"]["by"] == "inputs", "{near:#}");
    let far = reviewed("paths", "first.diff", &[]).0;
    let distances = far["distances"].as_array().expect("distances");
    let counts: Vec<u64> = distances.iter().map(|at| at["paths"].as_u64().expect("a number")).collect();
    assert!(counts.is_sorted() && counts.len() > 2, "{far:#}");
    assert_eq!(far["stats"]["distance"], distances[distances.len() - 1]["distance"]);
    let unguided = reviewed("paths", "first.diff", &["--unguided"]).0;
    assert_eq!((&unguided["verdict"], &unguided["stats"]["runs_before"]), (&json!("bad-coverage"), &json!(1)));
}

#[test]
fn fixes_are_compared() {
    let better =
        |fix: &str, against: &str| reviewed("paths", fix, &["--against", against]).0["compared"]["better"].clone();
    assert_eq!(better("second.diff", "first.diff"), "this");
    assert_eq!(better("first.diff", "third.diff"), "other");
    assert_eq!(better("third.diff", "third.diff"), "equal");
}

#[test]
fn two_revisions_are_compared_as_they_are() {
    let project = Project::new();
    project.copy_inside("review/substring");
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]).args(args);
        assert!(command.current_dir(project.folder()).output().expect("git runs").status.success(), "{args:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "substring.c", "whydunit.toml", "cases.jsonl"]);
    git(&["commit", "-q", "-m", "as it was"]);
    git(&["apply", "first.diff"]);
    git(&["commit", "-q", "-a", "-m", "a fix"]);
    project.write("substring.c", "what lies in the folder does not count\n");
    let (status, answer, errors) =
        project.json(&["review", "HEAD~1..HEAD", "--test", "missing", "--domain", "domain.txt"]);
    assert_eq!((status, &answer["verdict"]), (1, &json!("bad-coverage")), "{errors} {answer:#}");
    assert_eq!(answer["counterexample"]["case"]["args"], json!(["1", "0"]));
    assert!(project.read("substring.c").starts_with("what lies"));
}

#[test]
fn what_cannot_be_reviewed_says_why() {
    let project = Project::new();
    project.copy_inside("review/substring");
    let refused = |args: &[&str], status: i32, words: &[&str]| {
        let (got, _, errors) = project.json(&[&["review"], args].concat());
        assert_eq!(got, status, "{errors}");
        assert_one_message(&errors, words);
    };
    refused(&["none.diff"], 2, &["none.diff", "no patch"]);
    refused(&["first.diff", "--test", "text"], 4, &["text", "passes before the fix"]);
    refused(&["first.diff", "--test", "nothing"], 2, &["nothing", "no test"]);
    project.write("wrong.diff", "--- a/substring.c\n+++ b/substring.c\n@@ -1 +1 @@\n-nothing of it\n+x\n");
    refused(&["wrong.diff"], 2, &["wrong.diff", "apply"]);
    project.write(
        "broken.diff",
        &project.read("first.diff").replace("return -1;\n     assert", "return minus_one;\n     assert"),
    );
    refused(&["broken.diff"], 3, &["the version with the fix"]);
    project.write("domain.txt", "arg1 in 1..0\n");
    refused(&["first.diff", "--domain", "domain.txt"], 4, &["domain.txt", "not in the domain"]);
    project.write("domain.txt", "arg1 is small\n");
    refused(&["first.diff", "--domain", "domain.txt"], 2, &["domain.txt", "line 1", "`is`"]);
    // A fix that does not even mend what shows the bug is told by that.
    project.write("nothing.diff", "--- a/substring.c\n+++ b/substring.c\n@@ -1 +1 @@\n-/* Where a part of a text begins; a part may be missing. */\n+/* Where. */\n");
    let (status, answer, _) = project.json(&["review", "nothing.diff"]);
    assert_eq!((status, &answer["counterexample"]["by"]), (1, &json!("suite")), "{answer:#}");
    // A domain that leaves out tests of the suite is told of.
    project.write("domain.txt", "arg2 in 0..1\n");
    let (_, answer, _) = project.json(&["review", "first.diff", "--domain", "domain.txt"]);
    assert!(notes(&answer).contains("leaves out the input of text"), "{answer:#}");
    // Without any domain what the suite's inputs have in common is proposed.
    let (_, answer, _) = project.json(&["review", "second.diff", "--inputs", "10"]);
    assert_eq!(answer["proposed_domain"], "arg1 in 0..1\narg2 in 0..2", "{answer:#}");
}

#[test]
fn nothing_shows_the_bug_where_all_tests_pass() {
    let project = Project::new();
    project.copy_inside("review/substring");
    let cases = project.read("cases.jsonl");
    let passing: Vec<&str> = cases.lines().filter(|line| !line.contains("missing")).collect();
    project.write("cases.jsonl", &passing.join("\n"));
    let (status, _, errors) = project.json(&["review", "first.diff"]);
    assert_eq!(status, 4, "{errors}");
    assert_one_message(&errors, &["no test fails before the fix"]);
}

#[test]
fn the_answer_is_told_in_words() {
    let project = Project::new();
    project.copy_inside("review/no-such-method");
    let output = project.run(&["review", "first.diff", "--domain", "domain.txt"]);
    let text = String::from_utf8_lossy(&output.stdout);
    for words in [
        "bad: the bug is not covered",
        "\"args\":[\"3\",\"1\"]",
        "a path at distance 0",
        "the runs part behind",
        "arg1 != 2",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
