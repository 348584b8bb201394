//! Commands that are interrupted in the middle of something long: they end soon, say so, and leave nothing half done.

use std::process::{Child, Command, Stdio};

use crate::support::project::{Project, WHYDUNIT, answer, assert_one_message, names};
use serde_json::Value;

/// Starts a command of ours, and waits until it would take a SIGTERM as a wish.
fn start(project: &Project, args: &[&str]) -> Child {
    let mut command = project.bare_command("env");
    command.args(["--default-signal=INT,TERM,HUP", WHYDUNIT, "--format", "json"]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("whydunit starts");
    let status = format!("/proc/{}/status", child.id());
    let listens = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        caught >> (SIGTERM - 1) & 1 == 1
    };
    while !listens() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

/// The number of SIGTERM on Linux.
const SIGTERM: u32 = 15;

/// Twice, as `timeout` sends it: to the process and to its group.
fn terminate(child: Child) -> (i32, serde_json::Value, String) {
    let process = child.id().to_string();
    for _ in 0..2 {
        let sent = Command::new("kill").args(["-TERM", &process]).status().expect("kill starts");
        assert!(sent.success());
    }
    answer(&child.wait_with_output().expect("it ends"))
}

#[test]
fn a_long_replay_ends_soon() {
    let project = Project::new();
    // Its replay takes far longer than anybody waits here.
    project.write("a.c", "int main(void) { volatile unsigned n = 0; while (n < 1500000000u) n++; return n == 0; }\n");
    assert_eq!(project.json(&["build", "--", "cc", "-g", "-O1", "-o", "a", "a.c"]).0, 0);
    assert_eq!(project.json(&["record", "--", "./a"]).0, 0);
    let before = names(project.folder());
    let (status, answered, errors) = terminate(start(&project, &["replay"]));
    assert_eq!(status, 5, "{errors}");
    assert!(answered.is_null(), "{answered}");
    assert_one_message(&errors, &["interrupted", "what to do: run the command again"]);
    assert_eq!(names(project.folder()), before);
    project.assert_clean();
}

#[test]
fn a_build_ends_soon_with_all_that_it_started() {
    let project = Project::new();
    project.write("build.sh", "sleep 600 & touch begun; wait\n");
    let child = start(&project, &["build", "--", "sh", "build.sh"]);
    while !project.path("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let (status, answered, errors) = terminate(child);
    assert_eq!(status, 5, "{errors}");
    assert!(answered.is_null(), "{answered}");
    assert_one_message(&errors, &["interrupted", "what to do: run the command again"]);
    assert_eq!(project.living(), [""; 0]);
}

#[test]
fn an_answer_that_never_comes_leaves_its_file_as_it_was() {
    let project = Project::new();
    project.write("build.sh", "touch begun; sleep 600\n");
    project.write("whydunit.toml", "[build]\ncommand = \"sh build.sh\"\n[tests]\ncases = \"cases.jsonl\"\n");
    project.write("cases.jsonl", "{\"name\":\"a\",\"stdout\":\"\"}\n");
    project.write("answer", "old");
    let child = start(&project, &["locate", "-o", "answer"]);
    while !project.path("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let (status, _, errors) = terminate(child);
    assert_eq!(status, 5, "{errors}");
    assert_eq!(std::fs::read_to_string(project.path("answer")).expect("a file"), "old");
    let left: Vec<String> = names(project.folder()).into_iter().filter(|name| name.starts_with(".whydunit-")).collect();
    assert_eq!(left, [""; 0]);
}

/// A program that is wrong for 3; one of its cases marks that it has begun, and then takes far longer than anybody waits.
const SLOW: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc == 3) {
        fclose(fopen(argv[2], "w"));
        sleep(600);
    }
    int n = atoi(argv[1]);
    int twice = n * 2;
    if (n == 3)
        twice = 7;
    printf("%d\n", twice);
    return 0;
}
"#;
/// The line at fault in it.
const AT_FAULT: u64 = 13;

/// A suite over [`SLOW`] with a failing case, some that pass, and the slow one, which comes last.
fn with_a_slow_case(passing: usize) -> Project {
    let project = Project::new();
    project.write("a.c", SLOW);
    let case = |name: String, args: &str, stdout: usize| {
        format!("{{\"name\":\"{name}\",\"args\":[{args}],\"stdout\":\"{stdout}\\n\"}}\n")
    };
    let mut cases = case("three".into(), "\"3\"", 6);
    (10..10 + passing).for_each(|n| cases += &case(format!("pass{n}"), &format!("\"{n}\""), 2 * n));
    cases += &case("slow".into(), &format!("\"1\",\"{}\"", project.path("begun").display()), 2);
    project.write("cases.jsonl", &cases);
    let config = "[build]\nsources = [\"a.c\"]\n[tests]\ncases = \"cases.jsonl\"\ntimeout = 600\njobs = 1\n";
    project.write("whydunit.toml", config);
    project
}

/// That an answer names the fault, by counts alone, and says that not all tests were run, and why.
fn assert_by_some(answer: &Value, why: &str) {
    let findings = answer["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|finding| finding["location"]["line"] == AT_FAULT), "{answer:#}");
    let problems = answer["problems"].to_string();
    assert!(problems.contains(why), "{problems}");
}

#[test]
fn locating_that_is_interrupted_answers_by_the_tests_that_were_run() {
    let project = with_a_slow_case(4);
    let child = start(&project, &["locate"]);
    while !project.path("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let (status, answered, errors) = terminate(child);
    assert_eq!(status, 5, "{errors}");
    assert_by_some(&answered, "5 of 6 tests were run (interrupted)");
    assert_eq!(answered["partial"], true, "{answered:#}");
    let tests: Vec<&str> =
        answered["tests"].as_array().expect("tests").iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(tests, ["three", "pass10", "pass11", "pass12", "pass13"]);
    project.assert_clean();
}

#[test]
fn locating_takes_no_longer_than_it_may_whatever_tests_take() {
    let project = with_a_slow_case(4);
    let (status, _, errors) = project.json(&["locate", "--time-limit", "0"]);
    assert_eq!(status, 5, "{errors}");
    assert_one_message(
        &errors,
        &["the time limit was over while the copies of the programs were made", "--time-limit"],
    );
    // Makes what counts, so that the next limit is spent on tests alone.
    let (status, answered, errors) = project.json(&["locate", "--passing", "3"]);
    assert_eq!(status, 1, "{errors}");
    assert_by_some(&answered, "4 of 6 tests were run (with as many passing ones as asked for)");
    assert_eq!(answered["findings"][0]["counts"]["passed_total"], 3, "{answered:#}");
    let (status, answered, errors) = project.json(&["locate", "--time-limit", "8"]);
    assert_eq!(status, 5, "{errors}");
    assert_by_some(&answered, "5 of 6 tests were run (the time limit leaves none for more)");
    assert_eq!(answered["partial"], true, "{answered:#}");
    project.assert_clean();
}

#[test]
fn tests_near_the_one_in_question_come_first() {
    let project = with_a_slow_case(4);
    project.edit("cases.jsonl", "pass13", "three-or-so");
    let (status, answered, errors) = project.json(&["locate", "three", "--passing", "1"]);
    assert_eq!(status, 1, "{errors}");
    let tests: Vec<&str> =
        answered["tests"].as_array().expect("tests").iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(tests, ["three", "three-or-so"]);
}
