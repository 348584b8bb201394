//! Suites of all kinds, run.

use std::path::Path;
use std::sync::Mutex;

use whydunit_process::{Cancel, Exit, Limits};
use whydunit_suite::*;

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    if text.starts_with("#!") {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// A project with a program that is a shell script, and cases for it.
fn project(program: &str, cases: &[&str]) -> (tempfile::TempDir, Suite) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "prog", &format!("#!/bin/sh\n{program}\n"));
    write(dir.path(), "cases.jsonl", &cases.join("\n"));
    write(
        dir.path(),
        "whydunit.toml",
        "[build]\nexecutable = \"./prog\"\n[tests]\ncases = \"cases.jsonl\"\ntimeout = \"60s\"\n",
    );
    let suite = Suite::load(&Config::read(&dir.path().join("whydunit.toml")).unwrap(), &Cancel::new()).unwrap();
    (dir, suite)
}

fn run(suite: &Suite, options: &RunOptions) -> Vec<TestResult> {
    suite.run(options, &|_| {})
}

fn reasons(results: &[TestResult]) -> Vec<String> {
    results
        .iter()
        .map(|result| format!("{}: {}", result.name, result.outcome.reason().unwrap_or("pass".into())))
        .collect()
}

/// Working folders of ours that are left in the temporary folder.
fn leftovers(mark: &str) -> usize {
    let entries = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    entries.filter(|entry| entry.path().join("work").join(mark).exists()).count()
}

#[test]
fn cases_pass_and_fail_as_they_say() {
    let (_dir, suite) = project(
        "cat - $1; echo $VAR; exit ${2:-0}",
        &[
            r#"{"name":"good","args":["a.txt","3"],"stdin":"in ","files":{"a.txt":"file "},"env":{"VAR":"v"},"stdout":"in file v\n","status":3}"#,
            r#"{"name":"not compared","args":["a.txt","3"],"files":{"a.txt":""}}"#,
            r#"{"name":"bad output","args":["a.txt"],"files":{"a.txt":"x\ny\n"},"stdout":"x\nz\n\n","status":0}"#,
            r#"{"name":"bad both","args":["a.txt","4"],"files":{"a.txt":""},"stdout":"","status":0}"#,
        ],
    );
    let results = run(&suite, &RunOptions::default());
    assert_eq!(
        reasons(&results),
        [
            "good: pass",
            "not compared: pass",
            r"bad output: stdout differs at line 2, column 1: expected `z\n`, got `y\n`",
            r"bad both: exit status 4 instead of 0; stdout differs at line 1, column 1: expected its end, got `\n`",
        ]
    );
    assert_eq!(results[0].exit, Some(Exit::Status(3)));
    assert!(results[2].outcome.is_failure() && !results[2].is_flaky());
    assert!(results.iter().all(|result| result.problems.is_empty() && result.pid.is_some()));
}

#[test]
fn deaths_are_crashes_unless_expected() {
    let (_dir, suite) = project(
        "kill -$1 $$; sleep 60",
        &[
            r#"{"name":"crash","args":["SEGV"],"status":0}"#,
            r#"{"name":"expected","args":["ABRT"],"signal":"SIGABRT"}"#,
            r#"{"name":"another","args":["KILL"],"signal":"SIGABRT"}"#,
        ],
    );
    let results = run(&suite, &RunOptions::default());
    assert_eq!(results[0].outcome, Outcome::Crash(11));
    assert_eq!(
        reasons(&results),
        ["crash: it was killed by SIGSEGV", "expected: pass", "another: SIGKILL instead of SIGABRT"]
    );
}

#[test]
fn each_limit_has_its_outcome() {
    let (_dir, mut suite) = project(
        "case $1 in time) sleep 60;; out) yes;; procs) for i in 1 2 3 4 5 6 7 8 9 10; do sleep 60 & done; wait;; esac",
        &[
            r#"{"name":"time","args":["time"]}"#,
            r#"{"name":"out","args":["out"]}"#,
            r#"{"name":"procs","args":["procs"]}"#,
        ],
    );
    suite.limits = Limits {
        time: Some(std::time::Duration::from_secs(2)),
        output: 10_000,
        processes: Some(5),
        ..suite.limits.clone()
    };
    let outcomes: Vec<_> = run(&suite, &RunOptions::default()).into_iter().map(|result| result.outcome).collect();
    assert_eq!(outcomes, [Outcome::Timeout, Outcome::OutputLimit, Outcome::ProcessLimit]);
}

#[test]
fn a_case_may_do_what_it_likes_to_its_folder() {
    let mark = format!("mark-{}", std::process::id());
    let cases = [
        r#"{"name":"deletes","args":["rm -rf \"$PWD\"; rm -rf \"$TMPDIR\"; echo gone"],"stdout":"gone\n"}"#,
        r#"{"name":"deletes all","args":["rm -rf \"$PWD/..\"; echo gone"],"stdout":"gone\n"}"#,
        r#"{"name":"locks","args":["mkdir -p a/b; touch a/b/c; chmod 0 a/b a; chmod 555 .; echo done"],"stdout":"done\n"}"#,
        r#"{"name":"links","args":["ln -s / root; ln -s . loop; echo done"],"stdout":"done\n"}"#,
        r#"{"name":"is there","args":["cd \"$PWD\" && touch x && test $(ls | wc -l) = 2 && touch $TMPDIR/y"],"status":0,"files":{"MARK":""}}"#,
    ]
    .map(|case| case.replace("MARK", &mark));
    let (_dir, suite) = project("eval \"$1\"", &cases.each_ref().map(String::as_str));
    let results = run(&suite, &RunOptions::default());
    for result in &results {
        assert_eq!((&result.outcome, result.problems.as_slice()), (&Outcome::Pass, &[][..]), "{result:?}");
    }
    assert_eq!(leftovers(&mark), 0);
}

#[test]
fn results_stand_in_order_and_progress_is_told() {
    let cases: Vec<String> =
        (0..12).map(|n| format!("{{\"name\":\"c{n}\",\"args\":[\"{}\"],\"stdout\":\"{n}\\n\"}}", n)).collect();
    let (_dir, suite) =
        project("sleep 0.0$((12 - $1)); echo $1", &cases.iter().map(String::as_str).collect::<Vec<_>>());
    let seen = Mutex::new(Vec::new());
    let options = RunOptions { jobs: std::num::NonZeroUsize::new(6), ..RunOptions::default() };
    let results = suite.run(&options, &|progress| {
        if let Progress::Finished { result, done, total } = progress {
            seen.lock().unwrap().push((result.name.clone(), done, total));
        }
    });
    let names: Vec<_> = results.iter().map(|result| result.name.clone()).collect();
    assert_eq!(names, (0..12).map(|n| format!("c{n}")).collect::<Vec<_>>());
    assert!(results.iter().all(|result| result.outcome == Outcome::Pass));
    let seen = seen.into_inner().unwrap();
    assert_eq!(
        seen.iter().map(|(_, done, total)| (*done, *total)).collect::<Vec<_>>(),
        (1..=12).map(|n| (n, 12)).collect::<Vec<_>>()
    );
}

#[test]
fn a_caller_replaces_the_executable_and_adds_variables() {
    let (dir, suite) =
        project("echo plain $0 $A $B $C", &[r#"{"name":"one","env":{"A":"case","B":"case"}}"#, r#"{"name":"two"}"#]);
    let other = dir.path().join("other");
    // A script sees its file as $0: a compiled program shows what name it was given.
    let source = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { \
                  printf(\"%s %s %s %s\\n\", v[0], getenv(\"A\") ?: \"-\", getenv(\"B\"), getenv(\"C\")); }";
    write(dir.path(), "other.c", source);
    let done = std::process::Command::new("cc").arg("-o").arg(&other).arg(dir.path().join("other.c")).status().unwrap();
    assert!(done.success());
    let test_env = |name: &str| vec![("C".into(), format!("for {name}").into())];
    let options = RunOptions {
        executable: Some(other),
        env: vec![("B".into(), "caller".into())],
        test_env: Some(&test_env),
        ..RunOptions::default()
    };
    let results = run(&suite, &options);
    let own = dir.path().join("prog");
    let text = |n: usize| String::from_utf8(results[n].stdout.clone()).unwrap();
    assert_eq!(text(0), format!("{} case caller for one\n", own.display()));
    assert_eq!(text(1), format!("{} - caller for two\n", own.display()));
}

#[test]
fn what_cannot_run_is_an_error_and_the_rest_runs() {
    let (dir, suite) = project(
        "exit 0",
        &[r#"{"name":"a","stdin":{"file":"input"}}"#.replace("input", "prog").as_str(), r#"{"name":"b"}"#],
    );
    std::fs::remove_file(dir.path().join("prog")).unwrap();
    let results = run(&suite, &RunOptions::default());
    assert!(results[0].outcome.reason().unwrap().contains("cannot read"), "{results:?}");
    assert!(results[1].outcome.reason().unwrap().contains("cannot start"), "{results:?}");
    assert!(results.iter().all(|result| result.outcome.is_failure()));
    // An executable that is not set is told before anything runs.
    write(dir.path(), "whydunit.toml", "[tests]\ncases = \"cases.jsonl\"\n");
    write(dir.path(), "cases.jsonl", "{\"name\":\"b\"}");
    let error = Suite::load(&Config::read(&dir.path().join("whydunit.toml")).unwrap(), &Cancel::new()).unwrap_err();
    assert!(error.to_string().contains("set `executable` in [build]"), "{error}");
    assert_eq!(suite.test("c").unwrap_err(), "unknown test `c`: did you mean `a`?");
    assert_eq!(suite.test("b").unwrap().name(), "b");
}

#[test]
fn flaky_tests_are_told_from_failing_ones() {
    let dir_of_state = tempfile::tempdir().unwrap();
    let state = dir_of_state.path().display();
    let (_dir, suite) = project(
        &format!("case $1 in fails) exit 1;; flaky) test -e {state}/ran || {{ touch {state}/ran; exit 1; }};; esac"),
        &[
            r#"{"name":"good","status":0}"#,
            r#"{"name":"fails","args":["fails"],"status":0}"#,
            r#"{"name":"flaky","args":["flaky"],"status":0}"#,
        ],
    );
    let results = run(&suite, &RunOptions { reruns: Some(3), ..RunOptions::default() });
    assert_eq!(results[0].reruns, None);
    assert_eq!(results[1].reruns, Some(Reruns { runs: 3, failures: 3 }));
    assert_eq!(results[2].reruns, Some(Reruns { runs: 3, failures: 0 }));
    assert_eq!(results.iter().map(TestResult::is_flaky).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn a_cancelled_run_gives_what_it_has() {
    let (_dir, suite) = project(
        "test $1 = quick || sleep 60",
        &[r#"{"name":"a","args":["quick"]}"#, r#"{"name":"b","args":["slow"]}"#, r#"{"name":"c","args":["slow"]}"#],
    );
    let cancel = Cancel::new();
    let options = RunOptions { cancel: Some(&cancel), jobs: std::num::NonZeroUsize::new(1), ..RunOptions::default() };
    let results = suite.run(&options, &|progress| {
        if let Progress::Started { name: "b" } = progress {
            cancel.cancel();
        }
    });
    let outcomes: Vec<_> = results.iter().map(|result| result.outcome.clone()).collect();
    assert_eq!(outcomes, [Outcome::Pass, Outcome::Cancelled]);
}

fn shell_project(tests: &str, files: &[(&str, &str)]) -> (tempfile::TempDir, Suite) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(dir.path(), name, text);
    }
    write(dir.path(), "whydunit.toml", &format!("[build]\nexecutable = \"prog\"\n[tests]\n{tests}\n"));
    let suite = Suite::load(&Config::read(&dir.path().join("whydunit.toml")).unwrap(), &Cancel::new()).unwrap();
    (dir, suite)
}

#[test]
fn scripts_exit_zero_or_not() {
    let (dir, suite) = shell_project(
        "kind = \"script\"\ncommand = [\"./good.sh\", \"exit 3\", \"kill -9 $$\"]",
        &[("good.sh", "#!/bin/sh\npwd; echo $WHYDUNIT_EXECUTABLE; test -z \"$MAKEFLAGS\"\n")],
    );
    let results = run(&suite, &RunOptions::default());
    assert_eq!(
        reasons(&results),
        ["./good.sh: pass", "exit 3: exit status 3 instead of 0", "kill -9 $$: it was killed by SIGKILL"]
    );
    let folder = dir.path().display();
    assert_eq!(String::from_utf8(results[0].stdout.clone()).unwrap(), format!("{folder}\n{folder}/prog\n"));
}

#[test]
fn automake_results_come_from_trs_files() {
    let makefile = "check:\n\tmkdir -p t\n\techo ':test-result: PASS' > t/a.trs\n\techo fine > t/a.log\n\
                    \techo ':test-result: FAIL' > t/b.sh.trs\n\techo broken > t/b.sh.log\n\
                    \techo ':test-result: SKIP' > c.trs\n\texit 1\n";
    let old = (":test-result: FAIL\n", "old/x.trs");
    let (_dir, suite) = shell_project("kind = \"automake\"", &[("Makefile", makefile), (old.1, old.0)]);
    let results = run(&suite, &RunOptions::default());
    assert_eq!(reasons(&results), ["c: skipped by the suite", "t/a: pass", "t/b.sh: make check reports FAIL"]);
    assert_eq!(results[2].stdout, b"broken\n");
    // A second run writes the same again: it counts again.
    assert_eq!(run(&suite, &RunOptions::default()).len(), 3);
}

#[test]
fn single_tests_of_the_parallel_harness_run_by_name() {
    let makefile = "TEST_LOGS = a.log b.sh.log\ncheck: check-am\ncheck-am: $(TEST_LOGS)\n.PHONY: a.log b.sh.log\n\
                    a.log b.sh.log:\n\techo ':test-result: PASS' > $(@:.log=.trs)\n\techo $@ $V >> ran; echo log > $@\n";
    let files = [("sub/Makefile", makefile), ("Makefile", "check:\n\t$(MAKE) -C sub check\n")];
    let (dir, suite) = shell_project("kind = \"automake\"\ncommand = \"make check V=v\"", &files);
    assert!(suite.single.is_empty() && suite.test("sub/a").unwrap_err().contains("`whydunit test`"));
    run(&suite, &RunOptions::default());
    // Left by a test that is no longer there.
    write(dir.path(), "sub/old.trs", ":test-result: PASS\n");
    let suite = Suite::load(&Config::read(&dir.path().join("whydunit.toml")).unwrap(), &Cancel::new()).unwrap();
    let names: Vec<&str> = suite.single.iter().map(Test::name).collect();
    assert_eq!(names, ["sub/a", "sub/b.sh", "sub/old"]);
    std::fs::remove_file(dir.path().join("sub/ran")).unwrap();
    let results = suite.run_test(suite.test("b.sh").unwrap(), &RunOptions::default());
    assert_eq!(reasons(&results), ["sub/b.sh: pass"]);
    assert_eq!(results[0].stdout, b"log\n");
    assert_eq!(std::fs::read_to_string(dir.path().join("sub/ran")).unwrap(), "b.sh.log v\n");
    let [gone] = &suite.run_test(suite.test("old").unwrap(), &RunOptions::default())[..] else { panic!("one result") };
    assert!(matches!(&gone.outcome, Outcome::Error(reason) if reason.contains("No rule to make target")), "{gone:?}");
}

#[test]
fn a_check_without_trs_files_is_one_test() {
    let (_dir, suite) = shell_project(
        "kind = \"automake\"\ncommand = \"make -s -C sub check\"",
        &[("sub/Makefile", "check:\n\t@echo comparing; echo differs >&2; exit 1\n")],
    );
    let results = run(&suite, &RunOptions::default());
    assert_eq!(reasons(&results), ["make -s -C sub check: exit status 2 instead of 0"]);
    assert_eq!(results[0].stdout, b"comparing\n");
    assert!(String::from_utf8_lossy(&results[0].stderr).starts_with("differs\n"));

    // Tests that pass do not hide that the command failed, or was stopped.
    let makefile = "check:\n\techo ':test-result: PASS' > a.trs\n\texit 1\n";
    let (_dir, suite) = shell_project("kind = \"automake\"", &[("Makefile", makefile)]);
    assert_eq!(reasons(&run(&suite, &RunOptions::default())), ["a: pass", "make check: exit status 2 instead of 0"]);
}
