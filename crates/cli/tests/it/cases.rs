//! `cases`: runs that a script drives become cases, where somebody says what they must print.

use std::collections::BTreeMap;

use crate::support::project::{Project, assert_one_message, notes};
use serde_json::Value;

fn built() -> Project {
    let project = Project::new();
    project.copy_inside("driven");
    let (status, _, errors) = project.json(&["build", "--", "make", "calc"]);
    assert_eq!(status, 0, "{errors}");
    project
}

fn made(project: &Project, args: &[&str]) -> Value {
    let mut all = vec!["cases"];
    all.extend(args);
    let (status, answer, errors) = project.json(&all);
    assert_eq!(status, 0, "{errors} {answer:#}");
    answer["cases"].clone()
}

/// Basis and outcome by name.
fn by_name(told: &Value) -> BTreeMap<String, (String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let made = told["made"].as_array().expect("a list");
    made.iter().map(|case| (text(&case["name"]), (text(&case["basis"]), text(&case["outcome"])))).collect()
}

fn expected(pairs: &[(&str, &str, &str)]) -> BTreeMap<String, (String, String)> {
    pairs.iter().map(|(name, basis, outcome)| ((*name).into(), ((*basis).into(), (*outcome).into()))).collect()
}

#[test]
fn a_script_that_compares_by_diff_shows_what_each_run_must_print() {
    let project = built();
    let told = made(&project, &["--", "make", "check"]);
    let wanted = expected(&[
        ("tests/run.sh minus.in", "compared", "fail"),
        ("tests/run.sh plus.in", "compared", "pass"),
        ("tests/run.sh times.in", "compared", "pass"),
    ]);
    assert_eq!(by_name(&told), wanted, "{told:#}");
    assert_eq!((told["ended"].as_str(), told["runs"].as_u64()), (Some("exited with 2"), Some(3)));
    let table = project.read("cases.jsonl");
    let minus = table.lines().find(|line| line.contains("minus")).expect("it is there");
    let case: Value = serde_json::from_str(minus).expect("JSON");
    assert_eq!(case["args"], serde_json::json!(["data/minus.in"]));
    assert_eq!(case["files"]["data/minus.in"], "- 7 4\n");
    assert_eq!(case["stdout"], "data/minus.in:1: 3\n");
    // The tree is as it was, but for the table.
    assert!(!project.path("tests/got.txt").exists() && !project.path("cases.files").exists());

    // `locate` as it is has one test that fails, and says what helps.
    project.write(
        "whydunit.toml",
        "[build]\ncommand = \"make calc\"\n[tests]\nkind = \"script\"\ncommand = \"make check\"\n",
    );
    let (_, answer, errors) = project.json(&["locate", "--time-limit", "5"]);
    assert!(notes(&answer).contains("whydunit cases -- make check"), "{errors} {answer:#}");

    // They are a suite: the fault is found by it.
    project.write(
        "whydunit.toml",
        "[build]\ncommand = \"make calc\"\nexecutable = \"calc\"\n[tests]\ncases = \"cases.jsonl\"\n",
    );
    let (status, answer, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let found = &answer["findings"][0]["location"];
    assert_eq!((found["file"].as_str(), found["line"].as_u64()), (Some("calc.c"), Some(10)), "{answer:#}");
}

#[test]
fn a_script_that_ends_well_accepts_its_runs_and_one_that_does_not_says_nothing() {
    let project = built();
    let told = made(&project, &["--", "make", "-k", "each"]);
    let wanted = expected(&[("tests/plus.sh", "accepted", "pass"), ("tests/plus.sh one.tmp", "accepted", "pass")]);
    assert_eq!(by_name(&told), wanted, "{told:#}");
    let left_out = told["left_out"].as_array().expect("a list");
    assert_eq!(left_out.len(), 1, "{told:#}");
    assert_eq!(left_out[0]["example"], "tests/words.sh");
    let table = project.read("cases.jsonl");
    let lines: Vec<Value> = table.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["stdin"], &lines[0]["status"]), (&"+ 1 2\n".into(), &0.into()));
    // The environment is a part of it where it does otherwise without, and files that the script has removed since are there.
    assert_eq!((&lines[1]["env"]["CALC_STATUS"], &lines[1]["status"]), (&"4".into(), &4.into()));
    assert_eq!(lines[1]["files"]["one.tmp"], "+ 2 2\n");
}

#[test]
fn what_a_runner_reads_beside_its_runs_is_what_they_must_print() {
    let project = built();
    let told = made(&project, &["--table", "more.jsonl", "--", "python3", "tests/run.py"]);
    let wanted = expected(&[
        ("tests/run.py minus.in", "compared", "fail"),
        ("tests/run.py plus.in", "compared", "pass"),
        ("tests/run.py times.in", "compared", "pass"),
    ]);
    assert_eq!(by_name(&told), wanted, "{told:#}");
    assert!(project.read("more.jsonl").contains("\"stdin\":\"- 7 4\\n\""));
}

#[test]
fn of_runs_that_print_into_one_file_each_has_its_part() {
    let project = built();
    let told = made(&project, &["--", "sh", "tests/many.sh"]);
    let wanted = expected(&[
        ("tests/many.sh minus.in", "compared", "fail"),
        ("tests/many.sh plus.in", "compared", "pass"),
        ("tests/many.sh times.in", "compared", "pass"),
    ]);
    assert_eq!(by_name(&told), wanted, "{told:#}");
    let table = project.read("cases.jsonl");
    assert!(table.contains("\"stdout\":\"tests/data/minus.in:1: 3\\n\""), "{table}");
}

#[test]
fn what_comes_through_a_pipe_counts_as_it_is() {
    let project = built();
    let told = made(&project, &["--", "sh", "tests/pipes.sh"]);
    let wanted = expected(&[
        ("tests/pipes.sh minus.in", "compared", "fail"),
        ("tests/pipes.sh plus.in", "compared", "pass"),
        // The file has more white space than the program prints, which the script leaves out.
        ("tests/pipes.sh times.in", "compared", "pass"),
    ]);
    assert_eq!(by_name(&told), wanted, "{told:#}");
    // What was sorted in between is nothing that the program has to print.
    assert_eq!(told["left_out"][0]["example"], "tests/pipes.sh", "{told:#}");
}

#[test]
fn a_script_that_ends_well_and_says_that_tests_fail_accepts_nothing() {
    let project = built();
    let told = made(&project, &["--", "sh", "tests/tap.sh"]);
    let wanted = expected(&[
        ("tests/tap.sh minus.in", "compared", "fail"),
        ("tests/tap.sh plus.in", "compared", "pass"),
        ("tests/tap.sh times.in", "compared", "pass"),
    ]);
    assert_eq!(by_name(&told), wanted, "{told:#}");
    assert_eq!(told["left_out"][0]["example"], "tests/tap.sh", "{told:#}");
}

#[test]
fn a_run_of_the_program_itself_is_a_case_where_it_ends_well() {
    let project = built();
    let told = made(&project, &["--", "./calc", "tests/data/plus.in"]);
    assert_eq!(by_name(&told), expected(&[("run plus.in", "accepted", "pass")]), "{told:#}");
    // By the program's name alone, wherever it lies.
    std::fs::create_dir(project.path("bin")).expect("a folder");
    let (status, _, errors) = project.json(&["build", "--", "cc", "-g", "-o", "bin/calc", "calc.c"]);
    assert_eq!(status, 0, "{errors}");
    let named = ["--table", "named.jsonl", "--program", "calc", "--", "bin/calc", "tests/data/plus.in"];
    assert_eq!(made(&project, &named)["program"], "bin/calc");
    let (status, _, errors) = project.json(&["cases", "--table", "t.jsonl", "--", "./calc", "nowhere"]);
    assert_eq!(status, 4, "{errors}");
}

#[test]
fn an_observed_program_does_what_it_does_otherwise() {
    let project = built();
    let script = "printf '+ 1 1\\n' | ./calc | head -c 3\n./calc nowhere; echo $?\n./calc -o out.txt tests/data/plus.in; cat out.txt; rm out.txt\n\
                  printf '* 2000000 1\\n' | ./calc 2>/dev/null; echo $?\n(read line; ./calc; read last; echo $last) < tests/data/plus.in\n";
    project.write("t.sh", script);
    let done = project.command("sh").args(["-c", "sh t.sh > plain.txt 2>&1"]).output().expect("sh");
    assert!(done.status.success(), "{done:?}");
    let plain = project.read("plain.txt");
    project.write("observed", "sh t.sh > observed.txt 2>&1\n");
    made(&project, &["--", "sh", "observed"]);
    assert_eq!(project.read("observed.txt"), plain);
    assert!(plain.contains("134") && plain.contains("nowhere cannot be opened"), "{plain}");
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_lost() {
    let project = built();
    project.write("cases.jsonl", "mine\n");
    let refused = |args: &[&str], status: i32, words: &[&str]| {
        let (got, _, errors) = project.json(args);
        assert_eq!(got, status, "{errors}");
        assert_one_message(&errors, words);
    };
    refused(&["cases", "--", "make", "check"], 2, &["cases.jsonl", "--replace"]);
    assert_eq!(project.read("cases.jsonl"), "mine\n");
    refused(&["cases", "--table", "t.jsonl", "--", "true"], 4, &["`true`", "whydunit build"]);
    refused(&["cases", "--table", "t.jsonl", "--", "no-such-command"], 2, &["no-such-command"]);
    refused(&["cases", "--table", "t.jsonl", "--program", "other", "--", "make", "check"], 2, &["other", "calc"]);
    refused(&["cases", "--table", "t.jsonl", "--", "sh", "tests/words.sh"], 4, &["tests/words.sh", "nothing shows"]);
    assert!(!project.path("t.jsonl").exists());
    let told = made(&project, &["--replace", "--", "make", "check"]);
    assert_eq!(told["made"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_crate_that_scripts_start_by_cargo_run_is_observed() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"twice\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[workspace]\n");
    let source = "fn main() {\n    for word in std::env::args().skip(1) {\n        let n: i64 = word.parse().unwrap_or(0);\n        \
        println!(\"{}\", n * 2);\n    }\n}\n";
    project.write("src/main.rs", source);
    let script = "set -e\ndiff <(cargo run -- 3 2>/dev/null) <(echo 6)\ndiff <(cargo run -- 4 5 2>/dev/null) <(printf '8\\n10\\n')\n\
        test \"$(cargo run -- 2>/dev/null)\" = \"\"\n";
    project.write("test.sh", script);
    let (status, _, errors) = project.json(&["build", "--", "cargo", "build"]);
    assert_eq!(status, 0, "{errors}");
    let told = made(&project, &["--", "bash", "test.sh"]);
    let outcomes: Vec<(String, String)> = by_name(&told).into_values().collect();
    assert_eq!(outcomes, vec![("accepted".into(), "pass".into()); 3], "{told:#}");
}
