//! Memory errors and undefined behaviour fail a test: programs of a page each, of which each faulty line is told and nothing else
//! (`subjects/checks`), and what `record --check`, `test --check`, `show` and `locate` say.

use std::collections::BTreeMap;
use std::fs;

use crate::support::project::{Project, subjects};
use serde_json::Value;

/// A faulty line of a program: where, and the kinds that tell it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fault {
    file: String,
    line: u64,
    kinds: Vec<String>,
}

/// The faults of each program: a program's part of a source reaches from the end of the one before to its own.
fn programs() -> BTreeMap<String, Vec<Fault>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(subjects().join("checks")).expect("a folder").flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        if !(file.ends_with(".c") || file.ends_with(".cpp")) {
            continue;
        }
        let (mut name, mut faults) = (None, Vec::new());
        for (line, text) in (1..).zip(fs::read_to_string(entry.path()).expect("a source").lines()) {
            if let Some(kinds) = text.split_once("fault: ").map(|(_, kinds)| kinds.trim_end_matches("*/").trim()) {
                let kinds = kinds.split(" or ").map(str::to_owned).collect();
                faults.push(Fault { file: file.clone(), line, kinds });
            }
            if let Some(rest) = text.strip_prefix("PROGRAM(") {
                name = Some(rest.trim_end_matches(')').to_owned());
            }
            if text == "}"
                && let Some(name) = name.take()
            {
                found.insert(name, std::mem::take(&mut faults));
            }
        }
    }
    found
}

/// What was found of a test: kind, file and line.
fn told(test: &Value) -> Vec<(String, String, u64)> {
    let of = |key: &str| test[key].as_array().cloned().unwrap_or_default();
    let found = of("memory_errors").into_iter().chain(of("undefined_behaviours"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    found
        .map(|it| {
            let place = &it["location"];
            (text(&it["kind"]), text(&place["file"]), place["line"].as_u64().unwrap_or_default())
        })
        .collect()
}

/// Checks the programs with this text in their names; what was told of each.
fn checked(filter: &str) -> BTreeMap<String, Vec<(String, String, u64)>> {
    let project = Project::of("checks");
    let (_, answer, errors) = project.json(&["test", "--check", "--leaks", filter]);
    let tests = answer["tests"].as_array().unwrap_or_else(|| panic!("{errors}"));
    // A test that was checked in part, or not at all, would miss something.
    assert_eq!(answer["problems"].as_array().map(Vec::len), Some(0), "{}", answer["problems"]);
    for test in tests {
        let clean = told(test).is_empty();
        assert!(clean || test["outcome"] != "pass", "{test:#}");
        assert!(!clean || test["outcome"] != "fail", "{test:#}");
    }
    tests.iter().map(|test| (test["name"].as_str().unwrap_or_default().to_owned(), told(test))).collect()
}

#[test]
fn of_the_programs_of_a_page_each_fault_is_told_and_nothing_else() {
    let told = checked("");
    let programs = programs();
    assert!(programs.len() >= 150 && told.len() == programs.len(), "{} programs, {} tests", programs.len(), told.len());
    let mut wrong = Vec::new();
    for (name, faults) in &programs {
        let found = &told[name];
        let is_of = |fault: &Fault, (kind, file, line): &(String, String, u64)| {
            fault.kinds.contains(kind) && fault.file == *file && fault.line == *line
        };
        if faults.is_empty() && !found.is_empty() {
            wrong.push(format!("{name}: {found:?}, though nothing is wrong"));
        }
        if let Some(missed) = faults.iter().find(|fault| !found.iter().any(|found| is_of(fault, found))) {
            wrong.push(format!("{name}: {missed:?} is not among {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SUM: &str = "#include <stdio.h>\n#include <stdlib.h>\nstatic int grown(int n)\n{\n    return n * 1000003;\n}\nint main(int argc, char **argv)\n{\n    int n = atoi(argv[argc - 1]);\n    for (int i = 0; i < 12; i++)\n        printf(\"line %d\\n\", i);\n    fprintf(stderr, \"%d grows\\n\", n);\n    printf(\"%d\\n\", grown(n) > n);\n    return 0;\n}\n";

fn sums() -> Project {
    let project = Project::new();
    project.write("sum.c", SUM);
    let lines: String = (0..12).map(|i| format!("line {i}\\n")).collect();
    let case = |name: &str, n: &str| format!("{{\"name\":\"{name}\",\"args\":[\"{n}\"],\"stdout\":\"{lines}1\\n\"}}\n");
    project.write("cases.jsonl", &[case("small", "3"), case("large", "2148"), case("kept", "4295")].concat());
    project
        .write("whydunit.toml", "[build]\nsources = [\"sum.c\"]\nflags = [\"-w\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    project
}

/// A run that passes and overflows fails where it is checked, and only there.
#[test]
fn a_test_that_passes_by_an_overflow_fails_where_it_is_checked() {
    let project = sums();
    let outcome = |answer: &Value, name: &str| {
        let tests = answer["tests"].as_array().cloned().unwrap_or_default();
        let test = tests.into_iter().find(|test| test["name"] == name).expect("the test");
        (test["outcome"].as_str().unwrap_or_default().to_owned(), test)
    };
    let (status, answer, errors) = project.json(&["test", "kept"]);
    assert_eq!((status, outcome(&answer, "kept").0.as_str()), (0, "pass"), "{errors}");
    let (status, answer, _) = project.json(&["test", "--check"]);
    let (kept, test) = outcome(&answer, "kept");
    assert_eq!((status, kept.as_str()), (1, "fail"), "{answer:#}");
    let reason = test["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("sum.c:5:") && reason.contains("4295 * 1000003"), "{reason}");
    assert_eq!(outcome(&answer, "small").0, "pass", "{answer:#}");
    // What a run that is wrong leaves is kept, what a right one leaves is not.
    let (_, shown, _) = project.json(&["show", "kept"]);
    assert_eq!(shown["undefined_behaviours"][0]["kind"], "signed-overflow", "{shown:#}");
    assert_eq!(project.json(&["show", "small"]).0, 2);
    let (status, recorded, _) = project.json(&["record", "--check", "kept"]);
    assert_eq!((status, outcome(&recorded, "kept").0.as_str()), (1, "fail"), "{recorded:#}");
    let (status, recorded, _) = project.json(&["record", "--check", "small"]);
    assert_eq!((status, outcome(&recorded, "small").0.as_str()), (0, "pass"), "{recorded:#}");
}

#[test]
fn what_a_failing_run_leaves_undefined_is_noted_where_passing_runs_do_not_do_it() {
    let project = sums();
    let (_, answer, errors) = project.json(&["locate"]);
    let notes = answer["problems"].to_string();
    // The passing test `kept` overflows there, too: that is not what makes the other one fail.
    assert!(!notes.contains("does not fit"), "{notes}\n{errors}");
    project.edit("cases.jsonl", "\"4295\"", "\"2\"");
    let (_, answer, errors) = project.json(&["locate"]);
    let notes = answer["problems"].to_string();
    assert!(notes.contains("test large: undefined behaviour: 2148 * 1000003 does not fit"), "{notes}\n{errors}");
}

#[test]
fn the_end_of_what_a_failed_test_printed_is_shown() {
    let project = sums();
    let (_, answer, errors) = project.json(&["test", "large"]);
    let lines = answer["tests"][0]["output"].as_array().cloned().unwrap_or_else(|| panic!("{errors}"));
    assert_eq!((lines.len(), &lines[8], &lines[9]), (10, &"0".into(), &"2148 grows".into()), "{answer:#}");
    let (_, answer, _) = project.json(&["test", "large", "--output-lines", "0"]);
    assert_eq!(answer["tests"][0]["output"], Value::Null, "{answer:#}");
    let (_, answer, _) = project.json(&["test", "small"]);
    assert_eq!(answer["tests"][0]["output"], Value::Null, "a test that passes: {answer:#}");
    project.edit("sum.c", "#include <stdio.h>", "#include <assert.h>\n#include <stdio.h>");
    project.edit("sum.c", "    return 0;", "    assert(grown(n) > n);\n    return 0;");
    let (_, answer, _) = project.json(&["test", "large"]);
    let check = answer["tests"][0]["check"].as_str().unwrap_or_default();
    assert!(check.contains("Assertion `grown(n) > n' failed"), "{answer:#}");
}

/// What wraps by its language is no overflow: Rust's own operations, hashes, numbers that are cut.
#[test]
fn what_wraps_by_its_language_is_silent() {
    let project = Project::new();
    std::fs::create_dir(project.path("src")).expect("a folder");
    project
        .write("Cargo.toml", "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n");
    project.write(
        "src/main.rs",
        r#"use std::collections::{BTreeMap, HashMap};
use std::num::Wrapping;
#[derive(Clone, Copy, PartialEq)]
enum Way { North, South }
fn main() {
    let n: i32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let most = i32::MAX.wrapping_add(n);
    let hash = "a text".bytes().fold(14695981039346656037u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(1099511628211));
    let (sum, over) = i64::MAX.overflowing_add(i64::from(n));
    let shifted = 1u32.wrapping_shl(32 + n as u32) ^ 1u32.checked_shl(40).unwrap_or(7);
    let cut = 1e30f64 as i32 ^ f32::NAN as i32 ^ -5.5f64 as u8 as i32;
    let wrapping = Wrapping(200u8) + Wrapping(100);
    let mut counts: HashMap<String, i32> = HashMap::new();
    for word in ["a", "b", "a"] { *counts.entry(word.to_string()).or_default() += n; }
    let sorted: BTreeMap<_, _> = counts.iter().collect();
    let flags = [true, false, n == 1];
    let way = if flags.iter().filter(|flag| **flag).count() == 2 { Way::South } else { Way::North };
    let zeros = 0u32.leading_zeros() + 0u64.trailing_zeros() + (n as u32).leading_zeros();
    let lowest = i32::MIN.wrapping_abs().wrapping_neg().saturating_sub(n);
    let maybe: Option<&i32> = sorted.get(&"c".to_string()).copied();
    println!("{most} {hash} {sum} {over} {shifted} {cut} {wrapping} {sorted:?} {} {zeros} {lowest} {maybe:?}", way == Way::South);
}
"#,
    );
    let build = "[build]\ncommand = \"cargo build --target-dir built\"\nexecutable = \"built/debug/program\"\n";
    project.write("whydunit.toml", &format!("{build}[tests]\ncases = \"cases.jsonl\"\n"));
    project.write("cases.jsonl", "{\"name\":\"one\",\"args\":[\"1\"],\"status\":0}\n");
    let (status, answer, errors) = project.json(&["record", "--check", "one"]);
    assert_eq!((status, answer["undefined_behaviours"].as_array().map(Vec::len)), (0, Some(0)), "{answer:#}\n{errors}");
}

/// Code that was not captured gives a block another size and another owner, and fills what it was told of before; captured code goes through
/// that.
const OUTSIDE: &str = r#"#include <stdlib.h>
struct list { long *numbers; };
struct lists { struct list *first; };
long *grown(struct list *list)
{
    list->numbers = realloc(list->numbers, 5 * sizeof(long));
    list->numbers[3] = list->numbers[4] = 7;
    return list->numbers;
}
void cleared(struct lists *lists)
{
    for (int i = 0; i < 5; i++)
        lists->first->numbers[i] = 0;
}
long *same(long *numbers)
{
    return numbers;
}
static long *kept;
void keep(long *(*make)(void))
{
    kept = make();
}
void clear(void)
{
    for (int i = 0; i < 5; i++)
        kept[i] = 0;
}
"#;
const INSIDE: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct list { long *numbers; };
struct lists { struct list *first; };
long *grown(struct list *list);
void cleared(struct lists *lists);
long *same(long *numbers);
void keep(long *(*make)(void));
void clear(void);
static long *made;
static long *make(void)
{
    return made = malloc(5 * sizeof(long));
}
int main(int argc, char **argv)
{
    const char *what = argv[argc - 1];
    long *three = calloc(3, sizeof(long));
    struct list list = { three };
    if (strcmp(what, "grown") == 0)
        printf("%ld\n", grown(&list)[4]);
    else if (strcmp(what, "cleared") == 0) {
        struct list *one = malloc(sizeof *one);
        one->numbers = malloc(5 * sizeof(long));
        struct lists lists = { one };
        cleared(&lists);
        if (one->numbers[2] == 0)
            puts("cleared");
    } else if (strcmp(what, "kept") == 0) {
        keep(make);
        clear();
        if (made[2] == 0)
            puts("cleared");
    } else if (strcmp(what, "own") == 0) {
        long *own = malloc(5 * sizeof(long));
        keep(make);
        if (own[2] == 0)
            puts("own");
        free(own);
    } else
        printf("%d\n", same(three)[3] == 7);
    return 0;
}
"#;

#[test]
fn a_block_that_code_outside_may_have_moved_or_resized_is_not_judged() {
    let project = Project::new();
    project.write("inside.c", INSIDE);
    project.write("outside.c", OUTSIDE);
    let compiled = project.command("cc").args(["-g", "-c", "outside.c"]).status().expect("cc starts");
    assert!(compiled.success());
    let (status, _, errors) = project.json(&["build", "--", "cc", "-g", "inside.c", "outside.o", "-o", "program"]);
    assert_eq!(status, 0, "{errors}");
    let case = |name: &str| format!("{{\"name\":\"{name}\",\"args\":[\"{name}\"]}}\n");
    project.write("cases.jsonl", &["grown", "cleared", "same", "kept", "own"].map(case).concat());
    project.write("whydunit.toml", "[build]\nexecutable = \"program\"\n[tests]\ncases = \"cases.jsonl\"\n");
    let (_, answer, errors) = project.json(&["test", "--check"]);
    let tests = answer["tests"].as_array().unwrap_or_else(|| panic!("{errors}"));
    let of = |name: &str| told(tests.iter().find(|test| test["name"] == name).expect("the test"));
    assert!(of("grown").is_empty(), "{answer:#}");
    // What is far from what it was given may have been filled with what was there.
    assert!(of("cleared").is_empty(), "{answer:#}");
    // What it was given and gives back is the same block.
    assert_eq!(of("same"), [("out-of-bounds".to_owned(), "inside.c".to_owned(), 42)], "{answer:#}");
    // What captured code gave back when it was called; what it kept to itself is its own.
    assert!(of("kept").is_empty(), "{answer:#}");
    assert_eq!(of("own"), [("uninitialised".to_owned(), "inside.c".to_owned(), 38)], "{answer:#}");
}
