//! Suites that tools of builds and test frameworks list, with the real tools and programs.

use std::path::Path;
use std::process::Command;

use whydunit_process::Cancel;
use whydunit_suite::*;

fn copy(subject: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/suites").join(subject).join(".");
    assert!(Command::new("cp").arg("-r").arg(source).arg(dir.path()).status().unwrap().success());
    dir
}

fn build(dir: &Path, command: &str) {
    let output = Command::new("sh").args(["-c", command]).current_dir(dir).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn suite(dir: &Path, tests: &str) -> Result<Suite, Error> {
    Suite::load(&Config::parse(&dir.join("whydunit.toml"), &format!("[tests]\n{tests}\n")).unwrap(), &Cancel::new())
}

/// `NAME: pass`, or why not, the project's folder as `.`.
fn told(dir: &Path, results: &[TestResult]) -> Vec<String> {
    let line = |result: &TestResult| format!("{}: {}", result.name, result.outcome.reason().unwrap_or("pass".into()));
    results.iter().map(line).map(|line| line.replace(&dir.display().to_string(), ".")).collect()
}

fn run(suite: &Suite) -> Vec<TestResult> {
    suite.run(&RunOptions::default(), &|_| {})
}

const SKIPPED: &str = "skipped by the suite";

#[test]
fn ctest_with_programs_of_googletest_and_catch2_in_their_parts() {
    let dir = copy("cmake");
    build(dir.path(), "cmake -S . -B b && cmake --build b");
    let suite = suite(dir.path(), "kind = \"ctest\"\nfolder = \"b\"").unwrap();
    let expected = [
        "unit/Sum.One: pass".to_string(),
        "unit/Sum.Wrong: ./unit.cc:4: Expected equality of these values: 1 + 1 Which is: 2 3 as it is".into(),
        format!("unit/Sum.DISABLED_Later: {SKIPPED}"),
        format!("unit/Sum.Elsewhere: {SKIPPED}"),
        "unit/All/Numbers.Small/0: pass".into(),
        "unit/All/Numbers.Small/1: ./unit.cc:9: Expected: (GetParam()) < (2), actual: 2 vs 2".into(),
        "cases/sums, of [two]: ./cases.cc:4: failed: 1 + 1 == 3 for: 2 == 3".into(),
        "cases/fine: pass".into(),
        "plain: pass".into(),
        "wrong: exit status 3 instead of 0".into(),
        "fails: pass".into(),
        format!("apart: {SKIPPED}"),
        "environment: pass".into(),
        format!("left-out: {SKIPPED}"),
        "says: pass".into(),
        "says-not: ctest reports Failed  Required regular expression not found. Regex=[three".into(),
        "crashes: it was killed by SIGABRT".into(),
        "hangs: it ran into the time limit".into(),
        "gone: its program is not there: build it first".into(),
        "found.Sum.One: pass".into(),
    ];
    let mut results = told(dir.path(), &run(&suite));
    let mut expected = expected.to_vec();
    // CTest lists what modules found where it likes.
    results.sort();
    expected.sort();
    assert_eq!(results, expected);
    // A part by its own name, where no other test has it.
    assert_eq!(suite.test("fine").unwrap().name(), "cases/fine");
    assert_eq!(suite.test("Sum.Wrong").unwrap().name(), "unit/Sum.Wrong");
    assert!(suite.test("Sum.Wrogn").is_err());
}

#[test]
fn programs_of_frameworks_by_themselves() {
    let dir = copy("cmake");
    build(dir.path(), "cmake -S . -B b && cmake --build b --target cases");
    let catch2 = suite(dir.path(), "kind = \"catch2\"\nprograms = [\"b/cases\"]").unwrap();
    let results = told(dir.path(), &run(&catch2));
    assert_eq!(results, ["sums, of [two]: ./cases.cc:4: failed: 1 + 1 == 3 for: 2 == 3", "fine: pass"]);
    let error = |tests: &str| suite(dir.path(), tests).unwrap_err().to_string();
    assert!(error("kind = \"catch2\"").contains("set `programs` in [tests]"));
    let gone = error("kind = \"gtest\"\nprograms = [\"b/gone\"]");
    assert!(gone.contains("there is no program") && gone.contains("b/gone"), "{gone}");
    let other = error("kind = \"gtest\"\nprograms = [\"b/cases\"]");
    assert!(other.contains("the tests cannot be listed: `cases --gtest_list_tests` ended with"), "{other}");
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    assert!(error("kind = \"ctest\"\nfolder = \"empty\"").contains("no CMake build with tests is here: build first"));
    assert!(error("kind = \"meson\"\nfolder = \"empty\"").contains("no Meson build is here: build first"));
}

/// Nobody has told CTest of them.
#[test]
fn programs_of_doctest_boost_and_cpputest_are_found_in_a_build_without_tests() {
    let dir = copy("frameworks");
    build(dir.path(), "cmake -S . -B b && cmake --build b -j2");
    let found = suite(dir.path(), "kind = \"ctest\"\nfolder = \"b\"").unwrap();
    let mut results = told(dir.path(), &run(&found));
    results.sort();
    let mut expected = [
        "boosted/more/later: skipped by the suite",
        "boosted/more/power: ./boosted.cpp(9): error: in \"more/power\": check digits(100, 10) == 3 has failed [2 != 3]",
        "boosted/more/two: pass",
        "boosted/one: pass",
        "cpputested/Digits.later: skipped by the suite",
        "cpputested/Digits.one: pass",
        "cpputested/Digits.power: ./cpputested.cpp:8: LONGS_EQUAL(3, digits(100, 10)) failed expected <3 (0x3)> but was  <2 (0x2)>",
        "doctested/digits, of [all]/a power: ./doctested.cpp:10: ERROR: CHECK( digits(100, 10) == 3 ) is NOT correct!",
        "doctested/digits, of [all]/one, or more: pass",
        "doctested/fits<char>: pass",
        "doctested/fits<int>: pass",
        "doctested/later: skipped by the suite",
    ];
    expected.sort_unstable();
    assert_eq!(results, expected);
    assert_eq!(found.test("a power").unwrap().name(), "doctested/digits, of [all]/a power");
    let alone = suite(dir.path(), "kind = \"boost\"\nprograms = [\"b/boosted\"]").unwrap();
    assert_eq!(alone.tests.iter().map(Test::name).collect::<Vec<_>>(), ["one", "more/two", "more/power", "more/later"]);
    let other = suite(dir.path(), "kind = \"doctest\"\nprograms = [\"b/none\"]").unwrap_err().to_string();
    assert!(other.contains("this program lists no tests"), "{other}");
}

/// One that looks as if it had a framework, and never says which tests it has.
#[test]
fn listing_that_is_stopped_is_no_suite_without_tests() {
    let dir = tempfile::tempdir().unwrap();
    let source = "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n    puts(\"[doctest] list-test-cases\");\n    fflush(stdout);\n    \
        fclose(fopen(\"begun\", \"w\"));\n    for (;;)\n        pause();\n}\n";
    std::fs::write(dir.path().join("a.c"), source).unwrap();
    build(dir.path(), "mkdir b && cc -o b/a a.c");
    let cancel = Cancel::new();
    let config =
        Config::parse(&dir.path().join("whydunit.toml"), "[tests]\nkind = \"ctest\"\nfolder = \"b\"\n").unwrap();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !dir.path().join("b/begun").exists() {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            cancel.cancel();
        });
        Suite::load(&config, &cancel).unwrap_err().to_string()
    });
    assert!(error.contains("cannot be listed: that was stopped"), "{error}");
}

#[test]
fn tests_of_meson_by_their_protocols() {
    let dir = copy("meson");
    build(dir.path(), "meson setup b && meson compile -C b");
    let suite = suite(dir.path(), "kind = \"meson\"\nfolder = \"b\"").unwrap();
    assert_eq!(
        told(dir.path(), &run(&suite)),
        [
            "last: pass".to_string(),
            "first: pass".into(),
            "negative: exit status 1 instead of 0".into(),
            "wrong: pass".into(),
            format!("apart: {SKIPPED}"),
            "speaks: not ok: two".into(),
            "largest:one/twice: pass".into(),
            "largest:two/twice: pass".into(),
        ]
    );
}

#[test]
fn tests_of_cargo_with_those_of_the_documentation() {
    // rustdoc puts the examples of edition 2024 into one program.
    ["2021", "2024"].into_iter().for_each(tests_of_cargo_in_edition);
}

fn tests_of_cargo_in_edition(edition: &str) {
    let dir = copy("cargo");
    let manifest = dir.path().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("2021", edition)).unwrap();
    let suite_of = |tests: &str| suite(dir.path(), tests);
    let all = suite_of("kind = \"cargo\"").unwrap();
    let mut results = told(dir.path(), &run(&all));
    results.sort();
    let starts = [
        "halves tests::even: pass",
        "halves tests::later: skipped by the suite",
        "halves tests::odd: src/lib.rs:25:9: assertion `left == right` failed: rounds up left: 3 right: 4",
        "halves tests::panics: pass",
        "halves::doc src/lib.rs - half #1: pass",
        "halves::doc src/lib.rs - half #2: ",
        "halves::own: pass",
        "halves::whole even: pass",
        "halves::whole stands_in_its_folder: pass",
    ];
    assert_eq!(results.len(), starts.len(), "{results:#?}");
    for (result, start) in results.iter().zip(starts) {
        assert!(result.starts_with(start), "{result} is not {start}");
    }
    assert!(results[5].contains("left: 3"), "{}", results[5]);
    assert_eq!(all.test("tests::odd").unwrap().name(), "halves tests::odd");
    // As cargo prints it, with the package or without.
    for name in ["src/lib.rs - half (line 7)", "halves::doc src/lib.rs - half (line 7)"] {
        assert_eq!(all.test(name).unwrap().name(), "halves::doc src/lib.rs - half #2");
    }
    assert!(all.test("even").is_ok_and(|test| test.name() == "halves::whole even"));
    let some = suite_of("kind = \"cargo\"\ncommand = \"cargo test --test whole\"").unwrap();
    assert_eq!(some.tests.len(), 2);
    let error = suite_of("kind = \"cargo\"\ncommand = \"cargo test --no-such-option\"").unwrap_err().to_string();
    assert!(error.contains("the tests cannot be listed") && error.contains("--no-such-option"), "{error}");
    std::fs::write(dir.path().join("tests/whole.rs"), "#[test] fn even() { nothing() }").unwrap();
    let error = suite_of("kind = \"cargo\"").unwrap_err().to_string();
    assert!(error.contains("error[E0425]"), "{error}");
}

#[test]
fn tests_of_nextest_where_it_is() {
    let dir = copy("cargo");
    if !Command::new("cargo").args(["nextest", "--version"]).output().is_ok_and(|output| output.status.success()) {
        let error = suite(dir.path(), "kind = \"nextest\"").unwrap_err().to_string();
        assert!(error.contains("the tests cannot be listed"), "{error}");
        return;
    }
    let suite = suite(dir.path(), "kind = \"nextest\"\ncommand = \"cargo nextest run --lib --test whole\"").unwrap();
    let results = told(dir.path(), &run(&suite));
    assert_eq!(results.iter().filter(|line| line.ends_with(": pass")).count(), 4, "{results:#?}");
    assert!(results.contains(&"halves tests::later: skipped by the suite".to_string()), "{results:#?}");
}

#[test]
fn points_of_tap_and_the_programs_as_one_test_each() {
    let dir = copy("tap");
    let two = suite(dir.path(), "kind = \"tap\"\ncommand = [\"sh t/sums.t\", \"sh t/texts.t\"]").unwrap();
    let lines = |suite: &Suite| told(dir.path(), &run(suite));
    assert_eq!(
        lines(&two),
        [
            "sh t/sums.t: adds: pass",
            "sh t/sums.t: subtracts: not ok 2",
            "sh t/sums.t: network: skipped by the suite",
            "sh t/sums.t: later: pass",
            "sh t/texts.t: test 1: pass",
            "sh t/texts.t: joins: pass",
        ]
    );
    let whole = two.run_test(two.test("sh t/sums.t").unwrap(), &RunOptions::default());
    assert_eq!(told(dir.path(), &whole), ["sh t/sums.t: not ok: subtracts"]);
    let prove = suite(dir.path(), "kind = \"tap\"\ncommand = \"prove -v -e sh t\"").unwrap();
    let results = lines(&prove);
    assert_eq!(results[1], "t/sums.t: subtracts: not ok 2");
    assert_eq!(results.len(), 6, "{results:#?}");
    let silent = suite(dir.path(), "kind = \"tap\"\ncommand = \"echo hello\"").unwrap();
    assert_eq!(lines(&silent), ["echo hello: it printed no TAP"]);
}

#[test]
fn tests_that_pass_at_times_are_flaky_whichever_way_they_went_first() {
    let dir = tempfile::tempdir().unwrap();
    // Fails every second time, and every second time the other way round.
    let script = "n=$(cat n$1 2>/dev/null || echo $2); echo $((n + 1)) > n$1; echo \"ok 1 - firm\"; [ $((n % 2)) = 0 ] && echo 'ok 2 - loose' || echo 'not ok 2 - loose'; echo 1..2\n";
    std::fs::write(dir.path().join("t.sh"), script).unwrap();
    let suite = suite(dir.path(), "kind = \"tap\"\ncommand = [\"sh t.sh a 0\", \"sh t.sh b 1\"]").unwrap();
    let flaky = |options: &RunOptions| -> Vec<(bool, (u32, u32))> {
        suite.run(options, &|_| {}).iter().map(|result| (result.is_flaky(), result.runs())).collect()
    };
    let all = flaky(&RunOptions { reruns: Some(3), rerun_all: true, ..RunOptions::default() });
    assert_eq!(all, [(false, (4, 0)), (true, (4, 2)), (false, (4, 0)), (true, (4, 2))]);
    // The first one passes and is not run again; of the second the points that can fail are.
    let failing = flaky(&RunOptions { reruns: Some(3), ..RunOptions::default() });
    assert_eq!(failing, [(false, (1, 0)), (false, (1, 0)), (false, (4, 0)), (true, (4, 2))]);
}
