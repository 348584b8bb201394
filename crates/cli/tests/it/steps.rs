//! Every step of `why` is true: the value named is the value replayed, the condition named evaluates so. Over C, C++ and Rust.

use crate::support::project::Project;
use crate::support::steps::{Held, claims, hold};

const C: &str = r#"#include <stdio.h>
#include <stdlib.h>
struct order { int pieces, price, rebate; };
static int limit = 40;
static int rebate(const struct order *order) {
    int part = 0;
    if (order->pieces >= 10 && order->price > 5)
        part = order->pieces / 10;
    if (!part)
        return 0;
    return part * order->rebate;
}
static int total(struct order *orders, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        int cost = orders[i].pieces * orders[i].price;
        cost -= rebate(&orders[i]);
        if (cost < 0)
            cost = 0;
        sum += cost;
    }
    return sum;
}
int main(int argc, char **argv) {
    int factor = argc > 1 ? atoi(argv[1]) : 1;
    struct order orders[3] = {{2, 7 * factor, 1}, {20, 9, 3}, {-4, 3, 2}};
    int sum = total(orders, 3);
    int over = sum - limit;
    int result = 0;
    if (over > 100)
        result = over;
    else if (over != 0)
        result = -over;
    printf("%d\n", result);
    return 0;
}
"#;

const CXX: &str = r#"#include <cstdio>
#include <string>
#include <vector>
class meter {
public:
    explicit meter(int start) : level(start) {}
    void add(int by) {
        if (by < 0 || locked)
            return;
        level += by;
        if (level > most)
            locked = true;
    }
    int read() const { return locked ? most : level; }
private:
    int level;
    int most = 50;
    bool locked = false;
};
static int scale(int value, int factor = 2) { return value * factor; }
int main(int argc, char **) {
    std::vector<int> steps = {5, -3, 20, 30, 7};
    meter one(argc);
    int rounds = 0;
    for (int step : steps) {
        one.add(step);
        rounds++;
    }
    int value = one.read();
    int scaled = scale(value);
    int rest = scaled - rounds;
    bool high = rest > 90;
    int shown = 0;
    if (high)
        shown = rest;
    std::printf("%d\n", shown);
    return 0;
}
"#;

const RUST: &str = r#"struct Till { coins: Vec<i64>, next: usize, open: bool }
impl Till {
    fn take(&mut self) -> Option<i64> {
        if !self.open || self.next >= self.coins.len() {
            return None;
        }
        let coin = self.coins[self.next];
        self.next += 1;
        if coin < 0 {
            self.open = false;
        }
        Some(coin)
    }
}
fn weight(coin: i64) -> i64 {
    if coin > 10 { coin * 2 } else { coin }
}
fn main() {
    let count = std::env::args().count() as i64;
    let mut till = Till { coins: vec![count, 12, 3, -4, 9], next: 0, open: true };
    let mut sum = 0;
    while let Some(coin) = till.take() {
        sum += weight(coin);
    }
    let rest = sum - 5;
    let mut shown = 0;
    if rest > 20 {
        shown = rest;
    }
    println!("{shown}");
}
"#;

/// All that `why` claims of these variables at these lines, or of the lines themselves, held against the run.
fn held(project: &Project, recording: &str, file: &str, asked: &[(&str, usize)]) -> Held {
    let mut all = Vec::new();
    for (variable, line) in asked {
        let place = format!("{file}:{line}");
        // Without a variable why the line ran.
        let question = if variable.is_empty() { vec![&place[..]] } else { vec![variable, "at", &place] };
        let (status, answer, errors) = project.json(&[&["why"], &question[..], &["--steps", "80"]].concat());
        assert_eq!(status, 0, "{errors}");
        for claim in claims(answer["steps"].as_array().expect("steps"), file) {
            if !all.contains(&claim) {
                all.push(claim);
            }
        }
    }
    hold(project.folder(), &project.path(recording), &all)
}

fn line(source: &str, text: &str) -> usize {
    source.lines().position(|line| line.contains(text)).expect("a line") + 1
}

fn compiled(file: &str, source: &str, compiler: &str) -> Project {
    let project = Project::new();
    project.write(file, source);
    let (status, _, errors) = project.json(&["build", "--", compiler, "-g", "-o", "program", file]);
    assert_eq!(status, 0, "{errors}");
    let (status, answer, errors) = project.json(&["record", "--", "./program"]);
    assert_eq!(status, 0, "{answer:#}{errors}");
    project
}

/// Nothing is wrong, and enough was held against the run.
fn assert_true(held: &Held, values: usize, conditions: usize) {
    assert!(held.wrong.is_empty(), "{}", held.wrong.join("\n"));
    assert!(held.values >= values && held.conditions >= conditions, "{held:?}");
}

#[test]
fn each_step_through_a_program_of_c_is_true() {
    let project = compiled("p.c", C, "clang-22");
    let asked = [("result", line(C, "printf")), ("sum", line(C, "int over")), ("over", line(C, "result = over"))];
    assert_true(&held(&project, ".whydunit/recordings/program.rec", "p.c", &asked), 9, 4);
}

#[test]
fn each_step_through_a_program_of_cpp_is_true() {
    let project = compiled("p.cpp", CXX, "clang++-22");
    let lines = ["shown = rest", "locked = true", "level += by", "            return;"];
    let lines = lines.map(|text| ("", line(CXX, text)));
    let values = [("shown", line(CXX, "std::printf")), ("value", line(CXX, "int scaled"))];
    let asked = [&lines[..], &values[..]].concat();
    assert_true(&held(&project, ".whydunit/recordings/program.rec", "p.cpp", &asked), 8, 4);
}

#[test]
fn each_step_through_a_program_of_rust_is_true() {
    let project = Project::new();
    std::fs::create_dir(project.path("src")).expect("a folder");
    project
        .write("Cargo.toml", "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n");
    project.write("src/main.rs", RUST);
    let build = "[build]\ncommand = \"cargo build --target-dir built\"\nexecutable = \"built/debug/program\"\n";
    project.write("whydunit.toml", &format!("{build}[tests]\ncases = \"cases.jsonl\"\n"));
    project.write("cases.jsonl", "{\"name\":\"one\",\"args\":[\"1\"]}\n");
    let (status, _, errors) = project.json(&["record", "one"]);
    assert_eq!(status, 0, "{errors}");
    let asked =
        [("shown", line(RUST, "println!")), ("rest", line(RUST, "let mut shown")), ("sum", line(RUST, "let rest"))];
    assert_true(&held(&project, ".whydunit/recordings/one.rec", "src/main.rs", &asked), 5, 2);
}
