//! `locate` on programs of ours that say themselves what is found: `sets: a | b c` names the correction sets by the labels
//! (`/* @a */`) of their lines. On-demand formulas give the same sets as all ways at once.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::project::{Project, subjects};
use serde_json::Value;

type Sets = BTreeSet<BTreeSet<u64>>;

/// The sets that a subject names, by lines.
fn expected(source: &str) -> Sets {
    let mut labels = BTreeMap::new();
    for (number, line) in source.lines().enumerate() {
        if let Some(label) = line.split("/* @").nth(1).and_then(|rest| rest.split(" */").next()) {
            labels.insert(label, number as u64 + 1);
        }
    }
    let named = source.split("sets: ").nth(1).and_then(|rest| rest.lines().next()).expect("sets");
    named.split('|').map(|set| set.split_whitespace().map(|label| labels[label]).collect()).collect()
}

fn found(project: &Project, method: &str) -> Sets {
    let (status, answer, errors) = project.json(&["locate", "--method", method]);
    assert_eq!(status, 1, "{errors}");
    let sets = answer["correction_sets"].as_array().expect("sets");
    assert!(sets.iter().all(|set| set["confirmed"] == true), "{answer:#}");
    let lines = |set: &serde_json::Value| {
        let statements = set["statements"].as_array().expect("statements");
        statements.iter().map(|statement| statement["line"].as_u64().expect("a line")).collect()
    };
    sets.iter().map(lines).collect()
}

fn check(name: &str) {
    let project = Project::new();
    let file = format!("{name}.c");
    project.copy(&format!("locate/{file}"));
    let source = std::fs::read_to_string(subjects().join("locate").join(&file)).expect("the subject");
    let case = source.split("case: ").nth(1).and_then(|rest| rest.lines().next());
    project.write("cases.jsonl", case.unwrap_or("{\"name\":\"it\",\"status\":0}"));
    let config = format!("[build]\nsources = [\"{file}\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    project.write("whydunit.toml", &config);
    for method in ["ofc", "ba"] {
        assert_eq!(found(&project, method), expected(&source), "{name} by {method}");
    }
}

#[test]
fn a_way_that_did_not_run_is_explored_when_an_answer_goes_it() {
    check("arms");
}

/// The iterations of the paper's example (Section 3): {6} and {5}, then {6} and {5, 8}. Two of four ways are gone: what the first
/// branch would do otherwise is never looked at.
#[test]
fn the_worked_example_iteration_by_iteration() {
    let project = Project::new();
    project.copy("locate/arms.c");
    project.write("cases.jsonl", "{\"name\":\"it\",\"status\":0}");
    project.write("whydunit.toml", "[build]\nsources = [\"arms.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let answer = located(&project, &["--method", "ofc", "--thorough"]);
    let source = std::fs::read_to_string(subjects().join("locate/arms.c")).expect("the subject");
    let line = |text: &str| 1 + source.lines().position(|line| line.contains(text)).expect("a line");
    let (five, six, eight) = (line("if (y < 5)"), line("b = a + 1;"), line("b = a + 2;"));
    let set =
        |lines: &Value| lines.as_array().unwrap().iter().map(|line| line["line"].as_u64().unwrap() as usize).collect();
    let sets = |round: &Value| round.as_array().unwrap().iter().map(set).collect::<BTreeSet<BTreeSet<usize>>>();
    let rounds: Vec<_> = answer["rounds"][0]["sets"].as_array().expect("rounds").iter().map(sets).collect();
    let first = BTreeSet::from([BTreeSet::from([six]), BTreeSet::from([five])]);
    let second = BTreeSet::from([BTreeSet::from([six]), BTreeSet::from([five, eight])]);
    assert_eq!(rounds, [first, second], "{answer:#}");
    assert_eq!(answer["stats"]["paths"], 2, "{answer:#}");
}

#[test]
fn sets_whose_guard_changes_through_data_are_found() {
    check("guards");
}

#[test]
fn a_number_is_followed_through_the_text_that_is_made_of_it() {
    check("text");
}

#[test]
fn what_is_passed_in_an_open_list_is_followed() {
    check("passed");
}

#[test]
fn every_statement_of_a_loop_that_turns_too_often_can_be_at_fault() {
    check("loop");
}

/// The place of the fault (labelled `@fault`) among the findings, and its witness.
fn place_of_fault(project: &Project, file: &str) -> (f64, String) {
    let source = std::fs::read_to_string(subjects().join("locate").join(file)).expect("the subject");
    let line = source.lines().position(|line| line.contains("@fault")).expect("a label") as u64 + 1;
    let answer = located(project, &[]);
    let findings = answer["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|finding| finding["location"]["line"] == line).expect("the fault is among them");
    (finding["rank"].as_f64().expect("a rank"), finding["witness"][0].as_str().unwrap_or_default().to_string())
}

fn subject(name: &str, cases: &str) -> Project {
    let project = Project::new();
    let file = format!("{name}.c");
    project.copy(&format!("locate/{file}"));
    project.write("cases.jsonl", cases);
    let config = format!("[build]\nsources = [\"{file}\"]\n[tests]\ncases = \"cases.jsonl\"\ntimeout = \"2s\"\n");
    project.write("whydunit.toml", &config);
    project
}

/// A variable that is made when it is first met is made in trial runs too.
#[test]
fn a_fault_before_a_static_variable_of_a_function_is_located() {
    let case = |n: u32| {
        let cost = n * if n >= 4 { 2 } else { 3 };
        format!("{{\"name\":\"{n}\",\"args\":[\"{n}\"],\"stdout\":\"{cost}\\n\",\"status\":0}}")
    };
    let answer = located(&cpp_subject("statics", &[1, 3, 4, 5, 9].map(case).join("\n")), &[]);
    let first = &answer["findings"][0];
    assert_eq!(first["location"]["line"], 20, "{answer:#}");
    assert_eq!(first_change(first).1, [Some(1), Some(1), Some(4), Some(4)], "{answer:#}");
}

#[test]
fn trial_runs_go_through_streams_trees_and_exceptions() {
    let cases = [
        r#"{"name":"three","args":["pear","3","fig","x","plum","2"],"stdout":"no number: x\npear       8\nplum       8\nsum 16\n","status":0}"#,
        r#"{"name":"two","args":["pear","2","fig","1"],"stdout":"fig        3\npear       8\nsum 11\n","status":0}"#,
        r#"{"name":"five","args":["fig","5"],"stdout":"fig       12\nsum 12\n","status":0}"#,
        r#"{"name":"none","args":["fig","y"],"stdout":"no number: y\nsum 0\n","status":0}"#,
    ];
    let answer = located(&cpp_subject("bills", &cases.join("\n")), &[]);
    let first = &answer["findings"][0];
    assert_eq!(first["location"]["line"], 27, "{answer:#}");
    assert!(first["changes"][0]["change"].as_str().is_some_and(|change| change.contains("`>=`")), "{answer:#}");
    // It fails where the program prints, not in a header.
    let place = &answer["failures"][0];
    assert_eq!((&place["location"]["line"], &place["function"]), (&47.into(), &"main".into()), "{place:#}");
}

/// A subject of C++ with these cases.
fn cpp_subject(name: &str, cases: &str) -> Project {
    let project = Project::new();
    project.copy(&format!("locate/{name}.cpp"));
    project.write("cases.jsonl", cases);
    let build = format!("[build]\ncommand = \"c++ -std=c++17 -o {name} {name}.cpp\"\nexecutable = \"./{name}\"\n");
    project.write("whydunit.toml", &format!("{build}[tests]\ncases = \"cases.jsonl\"\n"));
    project
}

/// What `locate` says, with these arguments.
fn located(project: &Project, arguments: &[&str]) -> serde_json::Value {
    let (status, answer, errors) = project.json(&[&["locate"], arguments].concat());
    assert_eq!(status, 1, "{errors}");
    answer
}

#[test]
fn trial_runs_read_what_the_recorded_run_read() {
    let cases = [
        r#"{"name":"few","stdin":"nail 3 1.5\n","stdout":"Nail 4.50\n","status":0}"#,
        r#"{"name":"two","stdin":"nail 3 1.5\nnut 1 2\n","stdout":"Nut 2.00\nNail 4.50\n","status":0}"#,
        r#"{"name":"many","stdin":"bolt 2 1\nnail 20 2.00\nnut 1 2\n","stdout":"Nut 2.00\nNail 36.00\nBolt 2.00\n","status":0}"#,
    ];
    let (rank, witness) = place_of_fault(&subject("stock", &cases.join("\n")), "stock.c");
    assert!(rank <= 3.0, "{rank}");
    assert!(witness.contains("line 18"), "{witness}");
}

/// The failing run did not read all of its input: trial runs read on.
#[test]
fn trial_runs_read_what_the_recorded_run_left() {
    let cases = [
        r#"{"name":"two","stdin":"ab\nabc\n","stdout":"2\n3\n","status":0}"#,
        r#"{"name":"gap","stdin":"ab\n\nabc\n","stdout":"2\n0\n3\n","status":0}"#,
        r#"{"name":"none","stdin":"","stdout":"","status":0}"#,
    ];
    let answer = located(&subject("further", &cases.join("\n")), &[]);
    let first = &answer["findings"][0];
    assert_eq!(first["location"]["line"], 19, "{answer:#}");
    let (text, tests) = first_change(first);
    assert!(text.contains("`>=` in the place of `>`"), "{text}");
    assert_eq!(tests, [Some(1), Some(1), Some(2), Some(2)], "{answer:#}");
}

/// Lines of two files are read in another order than recorded: each stream has its own.
#[test]
fn trial_runs_read_each_stream_by_itself() {
    let case = |name: &str, a: &str, b: &str, merged: &str| {
        let files = format!(r#"{{"a":"{a}","b":"{b}"}}"#);
        format!(r#"{{"name":"{name}","args":["a","b"],"files":{files},"stdout":"{merged}","status":0}}"#)
    };
    let cases = [
        case("first", r"a\n", "", r"a\n"),
        case("second", "", r"b\n", r"b\n"),
        case("same", r"a\na\n", r"a\n", r"a\na\na\n"),
        case("by-turns", r"a\nc\ne\n", r"b\nd\n", r"a\nb\nc\nd\ne\n"),
        case("none", "", "", ""),
    ];
    let project = subject("merged", &cases.join("\n"));
    project.edit("merged.c", "a.line) < 0", "a.line) > 0");
    let answer = located(&project, &[]);
    let first = &answer["findings"][0];
    assert_eq!(first["location"]["line"], 43, "{answer:#}");
    let changes = first["changes"].as_array().expect("changes");
    let is_it =
        |change: &&Value| change["change"].as_str().is_some_and(|text| text.contains("`<` in the place of `>`"));
    let change = changes.iter().find(is_it).unwrap_or_else(|| panic!("{answer:#}"));
    assert_eq!([&change["failing_passed"], &change["passing_kept"]], [1, 1], "{answer:#}");
}

/// Nothing has asked for `errno` where the recorded run was left.
#[test]
fn trial_runs_know_where_errno_is() {
    let case = |name: &str, limit: &str, printed: &str| {
        let args = format!(r#"["a","b"{limit}]"#);
        format!(r#"{{"name":"{name}","args":{args},"files":{{"a":"a\nc\n","b":"b\n"}},"stdout":"{printed}"}}"#)
    };
    let cases = [
        case("all", "", r"a\nb\nc\n"),
        case("two", r#","2""#, r"a\nb\n"),
        case("one", r#","1""#, r"a\n"),
        case("large", r#","99999999999999999999""#, r"no number of lines\n"),
    ];
    let project = subject("merged", &cases.join("\n"));
    project.edit("merged.c", "argc == 4 ?", "argc == 5 ?");
    let answer = located(&project, &[]);
    let first = &answer["findings"][0];
    let (text, tests) = first_change(first);
    assert!(text.contains("had 4 in the place of 5") && first["location"]["line"] == 39, "{answer:#}");
    assert_eq!(tests, [Some(3), Some(3), Some(1), Some(1)], "{answer:#}");
}

/// A text of Rust that was read from standard input is given back at the end, when something was printed.
#[test]
fn trial_runs_end_where_texts_of_rust_are_given_back() {
    let project = Project::new();
    project.copy_inside("fix-pairs/ragged-rows");
    let answer = located(&project, &[]);
    let first = &answer["findings"][0];
    let (text, tests) = first_change(first);
    assert!(text.contains("had 1 in the place of 2") && first["location"]["line"] == 7, "{answer:#}");
    assert_eq!(tests, [Some(1), Some(1), Some(4), Some(4)], "{answer:#}");
}

#[test]
fn a_loop_that_does_not_end_is_located() {
    let cases = [
        r#"{"name":"eight","args":["8"],"stdout":"3\n","status":0}"#,
        r#"{"name":"one","args":["1"],"stdout":"0\n","status":0}"#,
        r#"{"name":"none","args":["0"],"stdout":"0\n","status":0}"#,
        r#"{"name":"less","args":["-4"],"stdout":"0\n","status":0}"#,
    ];
    let project = subject("halves", &cases.join("\n"));
    let (rank, witness) = place_of_fault(&project, "halves.c");
    assert!(rank <= 4.0 && witness.contains("false"), "{rank}: {witness}");
}

#[test]
fn a_change_is_judged_by_the_other_tests() {
    let cases = [
        r#"{"name":"four","stdin":"4\n","stdout":"10\n","status":0}"#,
        r#"{"name":"some","stdin":"1 2 3\n","stdout":"1\n3\n6\n","status":0}"#,
        r#"{"name":"none","stdin":"0\n","stdout":"0\n","status":0}"#,
        r#"{"name":"less","stdin":"-2 0\n","stdout":"0\n0\n","status":0}"#,
    ];
    let project = subject("upto", &cases.join("\n"));
    let answer = located(&project, &[]);
    let first = &answer["findings"][0];
    assert_eq!(first["location"]["line"], 7, "{answer:#}");
    let (text, tests) = first_change(first);
    assert!(text.contains("`<=` in the place of `<`"), "{answer:#}");
    assert_eq!(tests, [Some(2); 4], "{answer:#}");
}

/// The first change of a finding, and how many tests it makes pass and leaves passing.
fn first_change(finding: &serde_json::Value) -> (String, [Option<u64>; 4]) {
    let change = &finding["changes"][0];
    let tests = ["failing", "failing_passed", "passing", "passing_kept"].map(|key| change[key].as_u64());
    (change["change"].as_str().unwrap_or_default().to_string(), tests)
}

#[test]
fn the_other_connector_is_found() {
    let case = |a: u32, b: u32| {
        let (args, most) = (format!("[\"{a}\",\"{b}\"]"), a.max(b).min(3));
        format!("{{\"name\":\"{a}{b}\",\"args\":{args},\"stdout\":\"{most}\\n\",\"status\":0}}")
    };
    let cases = [(0, 0), (1, 1), (2, 2), (3, 3), (1, 0), (2, 1), (0, 2), (3, 1)].map(|(a, b)| case(a, b));
    let answer = located(&subject("overlap", &cases.join("\n")), &[]);
    let first = &answer["findings"][0];
    assert_eq!(first["location"]["line"], 10, "{answer:#}");
    let (text, tests) = first_change(first);
    assert!(text.contains("had `||` in the place of `&&`"), "{answer:#}");
    assert_eq!(tests, [Some(3), Some(3), Some(4), Some(4)], "{answer:#}");
}

/// malloc, realloc and free through pointers: trial runs know them, and what they give is a block.
#[test]
fn an_allocator_behind_pointers_is_known() {
    let case = |n: usize| {
        let text = &"abcdefgh"[..n];
        format!("{{\"name\":\"{n}\",\"args\":[\"{n}\"],\"stdout\":\"{text}\\n\",\"status\":0}}")
    };
    let project = subject("hooks", &[1, 2, 4, 5, 7].map(case).join("\n"));
    let answer = located(&project, &[]);
    let lines = [0, 1].map(|index| answer["findings"][index]["location"]["line"].as_u64().unwrap());
    assert_eq!(BTreeSet::from(lines), BTreeSet::from([17, 18]), "{answer:#}");
    // A write past such a block is a memory error.
    project.edit("hooks.c", "text, 32", "text, 3");
    let answer = located(&project, &[]);
    assert_eq!(answer["failures"][0]["kind"], "memory-error", "{answer:#}");
    let message = answer["failures"][0]["message"].as_str().unwrap();
    assert!(message.contains("just past the end of a block of 3 bytes"), "{message}");
}

/// What is looked at begins in the middle of the recursion: calls are under way that a change leaves out.
#[test]
fn calls_under_way_return_to_what_a_change_leaves_out() {
    let cases = [
        r#"{"name":"3","args":["3"],"stdout":"23\n","status":0}"#,
        r#"{"name":"50","args":["50"],"stdout":"227\n","status":0}"#,
        r#"{"name":"2000","args":["2000"],"stdout":"8017\n","status":0}"#,
    ];
    let answer = located(&subject("deep", &cases.join("\n")), &[]);
    let first = &answer["findings"][0];
    assert_eq!(first["location"]["line"], 10, "{answer:#}");
    assert_eq!(first_change(first).1, [Some(1), Some(1), Some(2), Some(2)], "{answer:#}");
}

/// A slot beside the array makes the test pass, and is no answer: that is a write out of bounds.
#[test]
fn what_passes_by_a_write_out_of_bounds_is_no_answer() {
    let cases = [
        r#"{"name":"one","args":["5"],"stdout":"5\n","status":0}"#,
        r#"{"name":"two","args":["5","6"],"stdout":"5\n","status":0}"#,
    ];
    let answer = located(&subject("beside", &cases.join("\n")), &[]);
    let sets = answer["correction_sets"].as_array().expect("sets");
    let lines: Vec<&Value> = sets.iter().flat_map(|set| set["statements"].as_array().unwrap()).collect();
    let on = |line: u64| lines.iter().any(|statement| statement["line"] == line);
    assert!(on(11) && !on(10), "{answer:#}");
}

/// `equal` fails by a comparison, `empty` by another condition: no statement explains both, and that is said.
#[test]
fn failing_tests_with_different_faults_are_told_apart() {
    let cases = [
        r#"{"name":"sorted","stdin":"1 2 3","status":0}"#,
        r#"{"name":"equal","stdin":"1 2 2 3","status":0}"#,
        r#"{"name":"twice","stdin":"7 7","status":0}"#,
        r#"{"name":"falls","stdin":"3 2","status":4}"#,
        r#"{"name":"one","stdin":"3","status":0}"#,
        r#"{"name":"empty","stdin":"","status":0}"#,
    ];
    let answer = located(&subject("ascents", &cases.join("\n")), &[]);
    assert_eq!(answer["findings"][0]["location"]["line"], 18, "{answer:#}");
    let problems = answer["problems"].to_string();
    assert!(problems.contains("empty") && problems.contains("another fault"), "{problems}");
    assert!(problems.contains("whydunit locate empty"), "{problems}");
    // Where one fault explains all that fail nothing of the kind is said.
    let answer = located(&subject("ascents", &cases[..5].join("\n")), &[]);
    assert!(!answer["problems"].to_string().contains("another fault"), "{answer:#}");
}

#[test]
fn a_condition_that_is_missing_is_found() {
    let cases = [
        r#"{"name":"joined","stdin":"1_000_000 7 ","stdout":"1000000\n7\n","status":0}"#,
        r#"{"name":"plain","stdin":"12 ","stdout":"12\n","status":0}"#,
        r#"{"name":"more","stdin":"7 8 90 ","stdout":"7\n8\n90\n","status":0}"#,
    ];
    let project = subject("joined", &cases.join("\n"));
    let answer = located(&project, &[]);
    let first = &answer["findings"][0];
    assert_eq!(first["location"]["line"], 31, "{answer:#}");
    let (text, tests) = first_change(first);
    assert!(text.ends_with("left out where `c` is 95"), "{answer:#}");
    assert!(first["changes"][1]["change"].as_str().unwrap().contains("left out where `"), "{answer:#}");
    assert_eq!(tests, [1, 1, 2, 2].map(Some), "{answer:#}");
}

/// The assignment that is missing behind line 9 mends two failing tests and keeps two passing ones.
fn check_assigned(answer: &serde_json::Value, text: &str, worst: u64) {
    let findings = answer["findings"].as_array().unwrap();
    let fault = findings.iter().find(|finding| finding["location"]["line"] == 9).unwrap();
    let (change, tests) = first_change(fault);
    assert!(change.starts_with(text), "{answer:#}");
    assert_eq!(tests, [Some(2); 4], "{answer:#}");
    assert!(fault["rank_worst"].as_u64().unwrap() <= worst, "{answer:#}");
}

#[test]
fn an_assignment_that_is_missing_is_found() {
    let cases = [
        r#"{"name":"two","stdin":"1 2 -1 3 -1","stdout":"round 0: 3\nround 1: 3\n","status":0}"#,
        r#"{"name":"three","stdin":"4 -1 5 -1 1 1 -1","stdout":"round 0: 4\nround 1: 5\nround 2: 2\n","status":0}"#,
        r#"{"name":"one","stdin":"1 2 -1","stdout":"round 0: 3\n","status":0}"#,
        r#"{"name":"none","stdin":"-1","stdout":"round 0: 0\n","status":0}"#,
    ];
    let project = subject("rounds", &cases.join("\n"));
    let answer = located(&project, &[]);
    check_assigned(&answer, "if `points` were given 0 behind line 9", 3);
}

#[test]
fn an_array_that_is_not_cleared_is_found() {
    let cases = [
        r#"{"name":"two","stdin":"0012 33","stdout":"0012: 2 1 1 0\n33: 0 0 0 2\n","status":0}"#,
        r#"{"name":"more","stdin":"1 2 30","stdout":"1: 0 1 0 0\n2: 0 0 1 0\n30: 1 0 0 1\n","status":0}"#,
        r#"{"name":"one","stdin":"0123","stdout":"0123: 1 1 1 1\n","status":0}"#,
        r#"{"name":"none","stdin":"word","stdout":"word: 0 0 0 0\n","status":0}"#,
    ];
    let project = subject("tallies", &cases.join("\n"));
    let answer = located(&project, &[]);
    // Behind the call, the text before and the reading it would do as well.
    check_assigned(&answer, "if `tally` were given zeros behind line 9", 4);
}

#[test]
fn a_fault_behind_a_long_run_is_located_as_behind_a_short_one() {
    let turns = ["1000", "100000", "10000000"];
    let cases = turns.map(|turns| format!(r#"{{"name":"{turns}","args":["{turns}"],"stdout":"12\n","status":0}}"#));
    let project = subject("behind", &cases.join("\n"));
    let told = turns.map(|turns| {
        let answer = located(&project, &[turns]);
        let first = &answer["findings"][0];
        assert_eq!(first["location"]["line"], 18, "{answer:#}");
        (first["witness"].clone(), first["changes"].clone())
    });
    assert!(told[0].1[0]["change"].as_str().is_some_and(|change| change.contains("`height`")), "{told:#?}");
    assert!(told.iter().all(|other| *other == told[0]), "{told:#?}");
    // The fault's formula is the same, of all of the run.
    let terms = turns.map(|turns| {
        let answer = located(&project, &[turns, "--method", "ba", "--only", "behind.c:18"]);
        assert_eq!(answer["findings"].as_array().map(Vec::len), Some(1), "{answer:#}");
        assert_eq!(answer["findings"][0]["verdict"], "alone", "{answer:#}");
        answer["stats"]["terms"].as_u64().unwrap()
    });
    assert!(terms[0] > 0 && terms.iter().all(|other| *other == terms[0]), "{terms:?}");
}

#[test]
fn only_what_is_asked_for_is_ranked() {
    let project = subject("behind", r#"{"name":"few","args":["10"],"stdout":"12\n","status":0}"#);
    let lines = |only: &str, method: &str| -> Vec<u64> {
        let answer = located(&project, &["--only", only, "--method", method]);
        let mut lines: Vec<u64> =
            answer["findings"].as_array().unwrap().iter().filter_map(|f| f["location"]["line"].as_u64()).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    for method in ["ofc+cw", "ochiai"] {
        assert_eq!(lines("behind.c:18", method), [18], "{method}");
        assert!(lines("behind.c", method).len() > 4, "{method}");
    }
    let (status, answer, _) = project.json(&["locate", "--only", "behind.c:1"]);
    assert_eq!((status, answer["findings"].as_array().map(Vec::len)), (0, Some(0)), "{answer:#}");
    assert!(answer["problems"].to_string().contains("execute nothing in behind.c:1"), "{answer:#}");
    let (status, _, errors) = project.json(&["locate", "--only", "other.c"]);
    assert!(status == 2 && errors.contains("there is no such file"), "{errors}");
    let (status, _, errors) = project.json(&["locate", "--only", "behind.c:0"]);
    assert_eq!(status, 2);
    assert!(errors.contains("FILE:LINE"), "{errors}");
}

#[test]
fn what_is_executed_behind_the_failing_output_mends_nothing() {
    let cases = [
        r#"{"name":"five","args":["5"],"stdout":"6\n","status":0}"#,
        r#"{"name":"six","args":["6"],"stdout":"7\n","status":0}"#,
        r#"{"name":"three","args":["3"],"stdout":"5\n","status":0}"#,
        r#"{"name":"one","args":["1"],"stdout":"3\n","status":0}"#,
    ];
    let project = subject("after", &cases.join("\n"));
    let answer = located(&project, &[]);
    let findings = answer["findings"].as_array().expect("findings");
    for finding in findings.iter().filter(|finding| finding["location"]["line"].as_u64() > Some(16)) {
        assert!(finding["changes"][0].is_null(), "{answer:#}");
    }
    assert!(findings[0]["changes"][0]["change"].is_string(), "{answer:#}");
}

#[test]
fn a_way_that_prints_less_does_not_pass() {
    let case = r#"{"name":"two","args":["two"],"stdout":"row 0\nrow 1\nsum 3\n","status":0}"#;
    let project = subject("rows", case);
    for method in ["ba", "ofc"] {
        let answer = located(&project, &["--method", method]);
        let sets = answer["correction_sets"].as_array().expect("sets");
        let lines: Vec<u64> = sets.iter().filter_map(|set| set["statements"][0]["line"].as_u64()).collect();
        assert!(!lines.contains(&8) && lines.contains(&7), "{method}: {answer:#}");
    }
}

#[test]
fn conditions_are_told_in_the_sense_of_the_source() {
    let cases = [
        r#"{"name":"good","args":["0","1"],"stdout":"3\n","status":0}"#,
        r#"{"name":"bad","args":["4","1"],"stdout":"3\n","status":0}"#,
    ];
    let project = subject("negated", &cases.join("\n"));
    let answer = located(&project, &["--method", "ofc"]);
    let findings = answer["findings"].as_array().expect("findings");
    let of_condition = findings.iter().find(|finding| finding["location"]["line"] == 8).expect("the condition");
    assert_eq!(of_condition["witness"][0], "if the condition of line 8 (`if (!a)`) were true", "{answer:#}");
    let changes = of_condition["changes"].to_string();
    assert!(!changes.contains("!=") && !changes.contains("always false"), "{answer:#}");
}

#[test]
fn sets_of_several_tests_are_merged_and_say_whose_they_are() {
    let cases = [
        r#"{"name":"five","args":["5"],"stdout":"6\n","status":0}"#,
        r#"{"name":"six","args":["6"],"stdout":"7\n","status":0}"#,
        r#"{"name":"three","args":["3"],"stdout":"5\n","status":0}"#,
    ];
    let answer = located(&subject("after", &cases.join("\n")), &[]);
    let sets = answer["correction_sets"].as_array().expect("sets");
    let places: std::collections::BTreeSet<String> = sets.iter().map(|set| set["statements"].to_string()).collect();
    assert_eq!(places.len(), sets.len(), "{answer:#}");
    let costs: Vec<f64> = sets.iter().filter_map(|set| set["cost"].as_f64()).collect();
    assert!(costs.is_sorted(), "{costs:?}");
    assert_eq!(sets[0]["tests"], serde_json::json!(["five", "six"]), "{answer:#}");
    assert!(answer["stats"]["seconds"].as_f64() > Some(0.0));
    for finding in answer["findings"].as_array().expect("findings") {
        for set in finding["sets"].as_array().into_iter().flatten() {
            let set = &sets[set.as_u64().expect("a number") as usize];
            let lines = set["statements"].as_array().expect("statements").iter().map(|place| &place["line"]);
            assert!(lines.into_iter().any(|line| *line == finding["location"]["line"]), "{answer:#}");
        }
    }
}

/// `==` says of no number whether it has a sign: what is told of `<` and `>` in its place is what the source would do.
#[test]
fn other_comparisons_are_those_of_numbers_without_a_sign() {
    let project = Project::new();
    project.write(
        "place.c",
        "#include <stdio.h>\n#include <string.h>\n#define NOWHERE ((size_t)-1)\nstatic size_t place(const char *text, char wanted)\n{\n    \
         const char *at = strchr(text, wanted);\n    return at ? (size_t)(at - text) : NOWHERE;\n}\nint main(int argc, char **argv)\n{\n    \
         size_t at = place(\"abcd\", argv[argc - 1][0]);\n    if (at == NOWHERE)\n        puts(\"there\");\n    else\n        puts(\"not there\");\n    \
         return 0;\n}\n",
    );
    let case =
        |name: &str, there: &str| format!("{}\n", serde_json::json!({ "name": name, "args": [name], "stdout": there }));
    project.write("cases.jsonl", &[case("c", "there\n"), case("x", "not there\n"), case("a", "there\n")].concat());
    project.write("whydunit.toml", "[build]\nsources = [\"place.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let answer = located(&project, &[]);
    let findings = answer["findings"].as_array().expect("findings");
    let of = findings.iter().find(|finding| finding["location"]["line"] == 12).expect("the comparison");
    let changes = of["changes"].to_string();
    assert!(changes.contains("`<` in the place of `==`") && changes.contains("`!=` in the place of `==`"), "{of:#}");
    assert!(!changes.contains("`>` in the place") && !changes.contains("`>=` in the place"), "{of:#}");
}
