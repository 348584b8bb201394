//! What a debugger and the sanitizers tell: conditions as the source has them, values by their types, runs whose stack overflows,
//! stacks of accesses and blocks.

use std::time::{Duration, Instant};

use crate::support::project::Project;
use serde_json::Value;

const C: [&str; 5] = ["clang-22", "-g", "-o", "program", "program.c"];

/// A project of this program, its recording made with these arguments; what was told of it.
fn recorded(source: &str, args: &[&str]) -> (Project, Value) {
    let project = Project::new();
    project.write("program.c", source);
    let (status, _, errors) = project.json(&[&["build", "--"], &C[..]].concat());
    assert_eq!(status, 0, "{errors}");
    let (_, answer, errors) = project.json(&[&["record", "--check", "--", "./program"], args].concat());
    assert!(answer["recordings"].is_array(), "{errors}");
    (project, answer)
}

/// The same of a program of Rust.
fn recorded_rust(source: &str) -> Project {
    let project = Project::new();
    std::fs::create_dir(project.path("src")).expect("a folder");
    project
        .write("Cargo.toml", "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n");
    project.write("src/main.rs", source);
    let build = "[build]\ncommand = \"cargo build --target-dir built\"\nexecutable = \"built/debug/program\"\n";
    project.write("whydunit.toml", &format!("{build}[tests]\ncases = \"cases.jsonl\"\n"));
    project.write("cases.jsonl", "{\"name\":\"one\",\"args\":[\"1\"]}\n");
    let (status, _, errors) = project.json(&["record", "one"]);
    assert_eq!(status, 0, "{errors}");
    project
}

/// The steps of `why`.
fn steps(project: &Project, variable: &str, place: &str) -> Vec<Value> {
    let (status, answer, errors) = project.json(&["why", variable, "at", place, "--steps", "60"]);
    assert_eq!(status, 0, "{errors}");
    answer["steps"].as_array().expect("steps").clone()
}

/// Every condition of steps with its truth.
fn conditions(steps: &[Value]) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let own = steps.iter().filter(|step| step["kind"] == "control" && step["condition"].is_string());
    own.map(|step| (text(&step["condition"]), text(&step["value"]))).collect()
}

fn line(source: &str, text: &str) -> usize {
    source.lines().position(|line| line.contains(text)).expect("a line") + 1
}

const STOCK: &str = r#"#include <stdio.h>
#include <stdlib.h>
enum grade { FINE, DENTED, LOST };
struct crate { int eggs; enum grade grade; struct crate *below; };
#define SPOILT(c) (!(c) || (c)->grade == LOST)
static int count(const struct crate *top, int most) {
    int eggs = 0;
    if (!top || most == 0)
        return -3;
    while (top && !(eggs > most)) {
        switch (top->grade) {
        case DENTED: eggs += top->eggs; break;
        case LOST: return -2;
        default: eggs += 1;
        }
        top = top->below;
    }
    return eggs;
}
int main(int argc, char **argv) {
    struct crate low = {7, LOST, NULL}, mid = {4, DENTED, &low}, high = {2, FINE, &mid};
    int most = argc > 1 ? atoi(argv[1]) : 50;
    int eggs = count(&high, most);
    int verdict = 0;
    if (!(eggs >= 0) && (most == 50 || !argv[1]))
        verdict = 1;
    if (!SPOILT(&high))
        verdict += 2;
    printf("%d %d\n", eggs, verdict);
    return 0;
}
"#;

#[test]
fn conditions_have_the_words_and_the_truth_of_the_source() {
    let (project, _) = recorded(STOCK, &[]);
    let steps = steps(&project, "verdict", &format!("program.c:{}", line(STOCK, "printf")));
    let told = conditions(&steps);
    let says = |condition: &str, truth: &str| told.contains(&(condition.to_string(), truth.to_string()));
    assert!(says("!(eggs >= 0)", "true") && says("most == 50", "true"), "{told:?}");
    assert!(says("!top", "false") && says("most == 0", "false"), "{told:?}");
    assert!(says("top->grade", "LOST (2)") && says("top->grade", "DENTED (1)"), "{told:?}");
    assert!(!told.iter().any(|(condition, _)| condition.contains("SPOILT")), "{told:?}");
    // What a macro hides has no truth.
    let hidden = steps.iter().find(|step| step["location"]["line"] == line(STOCK, "if (!SPOILT"));
    assert_eq!(hidden.map(|step| &step["value"]), Some(&"".into()), "{steps:#?}");
    let returned = steps.iter().find(|step| step["location"]["line"] == line(STOCK, "return -2"));
    assert_eq!(returned.map(|step| &step["value"]), Some(&"-2".into()), "{steps:#?}");
}

#[test]
fn so_have_those_of_rust() {
    let source = r#"struct Till { open: bool, coins: Vec<i32>, next: usize }
impl Till {
    fn take(&mut self) -> i32 {
        if !self.open || self.next >= self.coins.len() {
            return -1;
        }
        self.next += 1;
        self.coins[self.next - 1]
    }
    fn is_debt(&self, coin: i32) -> bool {
        coin < 0
    }
}
fn main() {
    let mut till = Till { open: true, coins: vec![5, -8], next: 0 };
    let mut debts = 0;
    let mut rounds = 0;
    while rounds < 2 {
        rounds += 1;
        let coin = till.take();
        if !till.is_debt(coin) {
            continue;
        }
        debts = coin;
    }
    println!("{debts}");
}
"#;
    let project = recorded_rust(source);
    let steps = steps(&project, "debts", &format!("src/main.rs:{}", line(source, "println")));
    let told = conditions(&steps);
    let says = |condition: &str, truth: &str| told.contains(&(condition.to_string(), truth.to_string()));
    assert!(
        !steps.iter().any(|step| step["condition"].as_str().is_some_and(|text| text.contains("panic"))),
        "{told:?}"
    );
    assert!(says("!till.is_debt(coin)", "false") && says("rounds < 2", "true"), "{told:?}");
    assert!(says("!self.open", "false") && says("self.next >= self.coins.len()", "false"), "{told:?}");
    assert!(steps.iter().any(|step| step["value"] == "-8"), "{steps:#?}");
    assert!(
        !steps.iter().any(|step| step["value"].as_str().is_some_and(|text| text.starts_with("42949"))),
        "{steps:#?}"
    );
}

/// `show`, `why` and `replay` tell of an overflow, each soon.
fn assert_overflow(project: &Project, place: &str, function: &str) {
    let begin = Instant::now();
    let (status, shown, errors) = project.json(&["show"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(shown["divergence"], Value::Null);
    let failure = &shown["failure"];
    assert!(failure["message"].as_str().is_some_and(|text| text.contains("the stack overflows")), "{failure:#}");
    let stack = failure["stack"].as_array().expect("a stack");
    assert!(stack.len() < 1000 && stack[0]["function"].as_str().is_some_and(|name| name.ends_with(function)));
    assert!(failure["stack_left_out"]["calls"].as_u64().is_some_and(|calls| calls > 10_000), "{failure:#}");
    let (status, replayed, errors) = project.json(&["replay"]);
    assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{errors}");
    assert!(!steps(project, "depth", place).is_empty());
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn a_stack_that_overflows_is_told_soon() {
    let source = r#"#include <stdio.h>
static int sink(int depth, int *total) {
    *total ^= depth;
    return depth < 0 ? 0 : 1 + sink(depth + 1, total);
}
int main(void) {
    int total = 0;
    printf("%d\n", sink(1, &total));
    return 0;
}
"#;
    let (project, _) = recorded(source, &[]);
    assert_overflow(&project, "program.c:3", "sink");
}

#[test]
fn so_is_one_of_rust_whose_handler_aborts() {
    let source = r#"fn sink(depth: u64) -> u64 {
    sink(depth + 1) + 1
}
fn main() {
    println!("{}", sink(std::env::args().count() as u64));
}
"#;
    assert_overflow(&recorded_rust(source), "src/main.rs:2", "sink");
}

#[test]
fn a_block_has_the_stacks_of_its_allocation_and_its_freeing() {
    let source = r#"#include <stdio.h>
#include <stdlib.h>
static void *need(size_t size) { void *p = malloc(size); if (!p) abort(); return p; }
static void drop(void *p) { free(p); }
static int *fresh(int value) { int *cell = need(sizeof *cell); *cell = value; return cell; }
static void sweep(int **cells) {
    for (int i = 0; i < 3; i++)
        if (*cells[i] % 2) drop(cells[i]);
}
static int total(int **cells) { return *cells[0] + *cells[2]; }
int main(void) {
    int *cells[3];
    for (int i = 0; i < 3; i++) cells[i] = fresh(i + 2);
    sweep(cells);
    int again = *cells[1];
    printf("%d %d\n", again, total(cells));
    return 0;
}
"#;
    let (_, answer) = recorded(source, &[]);
    let error = &answer["memory_errors"][0];
    let names = |calls: &Value| -> Vec<String> {
        let calls = calls.as_array().expect("calls").iter();
        calls.map(|call| call["function"].as_str().unwrap_or_default().to_string()).collect()
    };
    assert_eq!((&error["kind"], &error["function"]), (&"use-after-free".into(), &"main".into()), "{answer:#}");
    assert_eq!(names(&error["object"]["allocated_stack"]), ["fresh", "main"], "{error:#}");
    assert_eq!(error["object"]["wrappers"], serde_json::json!(["need"]), "{error:#}");
    assert_eq!(names(&error["object"]["freed_stack"]), ["drop", "sweep", "main"], "{error:#}");
    assert_eq!(error["object"]["freed_stack"][1]["location"]["line"], line(source, "drop(cells"), "{error:#}");
}

#[test]
fn bytes_of_a_wide_union_are_defined_each_for_itself() {
    let source = r#"#include <stdio.h>
union number { short small; __int128 large; };
struct tagged { union number number; char tag; };
static struct tagged wrap(short value) { struct tagged t; t.number.small = value; t.tag = 's'; return t; }
static union number same(union number n) { return n; }
static short low(__int128 all) { return (short)((all << 64) >> 64); }
int main(int argc, char **argv) {
    (void)argv;
    struct tagged t = wrap((short)(argc * 12));
    union number copy = same(t.number);
    if (copy.small < 10) puts("small");
    if (low(copy.large) == 12) puts("twelve");
    READ
    return 0;
}
"#;
    let right = source.replace("READ", "");
    let (_, answer) = recorded(&right, &[]);
    assert_eq!(answer["memory_errors"].as_array().map(Vec::len), Some(0), "{answer:#}");
    let wrong = source.replace("READ", "if (copy.large > 5) puts(\"large\");");
    let (_, answer) = recorded(&wrong, &[]);
    let error = &answer["memory_errors"][0];
    assert_eq!((&error["kind"], &error["location"]["line"]), (&"uninitialised".into(), &13.into()), "{answer:#}");
}

#[test]
fn a_line_tells_why_it_ran_or_did_not() {
    let (project, _) = recorded(STOCK, &[]);
    let asked = |text: &str, more: &[&str]| {
        let place = format!("program.c:{}", line(STOCK, text));
        let (status, answer, errors) = project.json(&[&["why", &place], more].concat());
        assert_eq!(status, 0, "{errors}");
        answer
    };
    let ran = asked("return -2", &[]);
    assert_eq!(ran["ran"], true, "{ran:#}");
    let first = conditions(ran["steps"].as_array().expect("steps"));
    assert_eq!(first[0], ("top->grade".into(), "LOST (2)".into()), "{ran:#}");
    let not = asked("return -3", &[]);
    assert_eq!(not["ran"], false, "{not:#}");
    let first = conditions(not["steps"].as_array().expect("steps"));
    assert_eq!(first[0], ("most == 0".into(), "false".into()), "{not:#}");
    // The first time round, the one after it, and one that there was not.
    let graded = |number: &str| {
        let answer = asked("eggs += top->eggs", &["--execution", number]);
        answer["ran"].clone()
    };
    assert_eq!(graded("1"), true);
    let place = format!("program.c:{}", line(STOCK, "default: eggs"));
    let (status, _, errors) = project.json(&["why", "eggs", "at", &place, "--execution", "7"]);
    assert!(status == 2 && errors.contains("was executed 1 times"), "{status}: {errors}");
    let place = format!("program.c:{}", line(STOCK, "switch (top->grade)"));
    let value = |which: &str| {
        let (status, answer, errors) = project.json(&["why", "eggs", "at", &place, "--execution", which]);
        assert_eq!(status, 0, "{errors}");
        answer["steps"][0]["value"].clone()
    };
    assert_eq!([value("first"), value("2"), value("last")], ["0", "1", "5"]);
}

#[test]
fn a_failure_is_walked_back_from_what_failed() {
    let source = r#"#include <assert.h>
#include <stdlib.h>
struct part { int mass; struct part *rest; };
static int heaviest(const struct part *parts) {
    int most = 0;
    for (; parts->mass > 0; parts = parts->rest)
        if (parts->mass > most) most = parts->mass;
    return most;
}
int main(int argc, char **argv) {
    struct part tail = {argc > 1 ? atoi(argv[1]) : 9, NULL}, head = {4, &tail};
    int most = heaviest(&head);
    assert(most > 5);
    return most;
}
"#;
    let walk = |args: &[&str]| {
        let (project, _) = recorded(source, args);
        let (status, answer, errors) = project.json(&["why"]);
        assert_eq!(status, 0, "{errors}");
        answer
    };
    let lines = |answer: &Value| -> Vec<u64> {
        let steps = answer["steps"].as_array().expect("steps").iter();
        steps.filter_map(|step| step["location"]["line"].as_u64()).collect()
    };
    let null = walk(&[]);
    assert!(null["failure"].as_str().is_some_and(|text| text.contains("null pointer")), "{null:#}");
    assert_eq!(null["steps"][0]["location"]["line"], line(source, "parts->mass > 0"), "{null:#}");
    assert!(lines(&null).contains(&(line(source, "struct part tail") as u64)), "{null:#}");
    let assertion = walk(&["0"]);
    assert!(assertion["failure"].as_str().is_some_and(|text| text.contains("most > 5")), "{assertion:#}");
    assert!(lines(&assertion).contains(&(line(source, "most = parts->mass") as u64)), "{assertion:#}");
}

#[test]
fn words_for_operators_and_macros_get_no_truth() {
    let source = r#"#include <iso646.h>
#include <stdio.h>
#define larger(a, b) ((a) > (b) ? (a) : (b))
#define none (!left)
int main(int argc, char **argv) {
    int left = argc - 1, got = 0;
    (void)argv;
    if (not left) got += 1;
    if (none) got += 2;
    if (larger(left, argc) > 0) got += 4;
    if (left == 0 and argc) got += 8;
    if (!left) got += 16;
    printf("%d\n", got);
    return 0;
}
"#;
    let (project, _) = recorded(source, &[]);
    let steps = steps(&project, "got", &format!("program.c:{}", line(source, "printf")));
    let told = conditions(&steps);
    let right = [("larger(left, argc) > 0", "true"), ("!left", "true")];
    let right = right.map(|(condition, truth)| (condition.to_string(), truth.to_string()));
    assert!(told.contains(&right[1]) && told.iter().all(|one| right.contains(one)), "{told:?}");
}

#[test]
fn a_value_out_of_a_freed_block_is_followed_to_who_freed_it() {
    let source = r#"#include <stdio.h>
#include <stdlib.h>
struct job { int left; int spare; };
static void drop(struct job *job) { free(job); }
static void tidy(struct job **jobs, int count) {
    for (int i = 0; i < count; i++)
        if (jobs[i]->left % 2 == 0 || i == 3)
            drop(jobs[i]);
}
int main(void) {
    struct job *jobs[4];
    for (int i = 0; i < 4; i++) {
        jobs[i] = malloc(sizeof *jobs[i]);
        jobs[i]->left = i + 1;
        jobs[i]->spare = 40 + i;
    }
    jobs[3]->left = 9;
    tidy(jobs, 4);
    int sum = jobs[0]->spare;
    sum += jobs[1]->spare;
    printf("%d\n", sum);
    return 0;
}
"#;
    let (project, _) = recorded(source, &[]);
    let found = steps(&project, "sum", &format!("program.c:{}", line(source, "printf")));
    let freed = found.iter().position(|step| step["variable"] == "the block").expect("a step");
    assert_eq!(found[freed]["location"]["line"], line(source, "free(job)"), "{found:#?}");
    let note = found[freed]["note"].as_str().unwrap_or_default();
    assert!(note.contains("`drop` freed here, called from `tidy`, `main`"), "{note}");
    // Why this block was freed, and not the one that was freed last, by the same line.
    let why: Vec<_> = conditions(&found[freed..]);
    assert!(why.contains(&("jobs[i]->left % 2 == 0".into(), "true".into())), "{found:#?}");
    // A run that reads no such block says nothing of one.
    let (project, _) = recorded(&source.replace("tidy(jobs, 4);", "tidy(jobs, 0);"), &[]);
    let found = steps(&project, "sum", &format!("program.c:{}", line(source, "printf")));
    assert!(!found.iter().any(|step| step["variable"] == "the block"), "{found:#?}");
}
