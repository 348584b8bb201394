//! Trial runs of programs that print and read by the libraries of C++ and Rust: they go on where the recorded run was left.

use crate::support::project::Project;
use serde_json::{Value, json};

/// Cases by what is read, and what is printed.
fn cases(of: &[(&str, &str)]) -> String {
    let case = |(number, (stdin, stdout)): (usize, &(&str, &str))| {
        json!({ "name": format!("t{number}"), "args": [], "stdin": stdin, "stdout": stdout }).to_string() + "\n"
    };
    of.iter().enumerate().map(case).collect()
}

/// What is said first of a project, which must be of the line with this text.
fn first(project: &Project, source: &str, line: &str) -> String {
    let (_, answer, told) = project.json(&["locate"]);
    let place = source.lines().position(|text| text.contains(line)).expect("the line") as u64 + 1;
    let best = answer["findings"].as_array().into_iter().flatten().filter(|finding| finding["rank_best"] == 1);
    let finding = best.clone().find(|finding| finding["location"]["line"] == place);
    let finding: &Value = finding.unwrap_or_else(|| panic!("{place} is not first: {answer:#}\n{told}"));
    format!("{} {}", finding["changes"], finding["witness"]).replace("\\\"", "\"").replace("\\\\", "\\")
}

/// A project of one source of C++.
fn of_cpp(source: &str, suite: &str) -> Project {
    let project = Project::new();
    project.write("p.cpp", source);
    project.write("cases.jsonl", suite);
    project.write("whydunit.toml", "[build]\nsources = [\"p.cpp\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    project
}

/// A project of one source of Rust.
fn of_rust(source: &str, suite: &str) -> Project {
    let project = Project::new();
    project.write(
        "Cargo.toml",
        "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[[bin]]\nname = \"p\"\npath = \"p.rs\"\n[workspace]\n",
    );
    project.write("p.rs", source);
    project.write("cases.jsonl", suite);
    project.write(
        "whydunit.toml",
        "[build]\ncommand = \"cargo build --offline\"\nexecutable = \"target/debug/p\"\n[tests]\ncases = \"cases.jsonl\"\n",
    );
    project
}

#[test]
fn words_and_numbers_are_read_from_the_streams_of_cpp() {
    let source = r#"#include <iostream>
#include <string>
static int worth(const std::string &what, int count)
{
    if (what == "apple")
        return 20 * count;
    return count > 10 ? 4 * count : 5 * count;
}
int main()
{
    std::string what;
    int count, sum = 0;
    while (std::cin >> what >> count)
        sum += worth(what, count);
    std::cout << sum << "\n";
}
"#;
    let suite = cases(&[
        ("apple 2\nplum 3\n", "55\n"),
        ("plum 10\nplum 1\n", "45\n"),
        ("plum 12", "48\n"),
        ("", "0\n"),
        ("apple 1\nplum 11\napple 1\n", "84\n"),
        ("plum 9\n", "45\n"),
    ]);
    let said = first(&of_cpp(source, &suite), source, "count > 10");
    assert!(said.contains("`>=` in the place of `>`") || said.contains("9 in the place of 10"), "{said}");
}

#[test]
fn lines_are_taken_apart_by_string_streams() {
    let source = r#"#include <iostream>
#include <sstream>
#include <string>
int main()
{
    std::string line;
    int most = 0;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string name;
        int points = 0, point;
        words >> name;
        while (words >> point)
            points = point;
        if (points > most)
            most = points;
    }
    std::cout << most << std::endl;
}
"#;
    let suite =
        cases(&[("ann 3\nben 4\n", "4\n"), ("ann 3 4\nben 5\n", "7\n"), ("ann\n", "0\n"), ("cleo 0 9\n", "9\n")]);
    let said = first(&of_cpp(source, &suite), source, "points = point;");
    assert!(said.contains("added to what is there"), "{said}");
}

#[test]
fn what_rust_prints_is_where_a_test_fails() {
    let source = r#"use std::io::BufRead;
const LEAST: i64 = 10;
fn main() {
    let (mut sum, mut lines) = (0, 0);
    for line in std::io::stdin().lock().lines() {
        let number: i64 = line.unwrap().trim().parse().unwrap_or(0);
        lines += 1;
        if number > LEAST {
            sum += number;
        }
    }
    println!("{lines} lines, {sum:>4}");
}
"#;
    let suite = cases(&[
        ("3\n20\n", "2 lines,   20\n"),
        ("11\n12\n30\n", "3 lines,   53\n"),
        ("10\n10\n", "2 lines,   20\n"),
        ("", "0 lines,    0\n"),
        ("9\n", "1 lines,    0\n"),
    ]);
    let project = of_rust(source, &suite);
    let said = first(&project, source, "number > LEAST");
    assert!(said.contains("`>=` in the place of `>`"), "{said}");
    let (_, answer, _) = project.json(&["locate"]);
    let failure = &answer["failures"][0];
    assert_eq!((&failure["location"]["line"], &failure["kind"]), (&12.into(), &"output".into()), "{answer:#}");
}

#[test]
fn a_constant_is_told_where_it_has_its_name() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#define DOZEN 13\nint main(int argc, char **argv) {\n    int n = 0;\n    (void)argv;\n    if (argc > 1 || scanf(\"%d\", &n) != 1) return 2;\n    printf(\"%d left\\n\", n % DOZEN);\n    return 0;\n}\n";
    let suite =
        cases(&[("5", "5 left\n"), ("12", "0 left\n"), ("26", "2 left\n"), ("3", "3 left\n"), ("0", "0 left\n")]);
    let project = Project::new();
    project.write("p.c", source);
    project.write("cases.jsonl", &suite);
    project.write("whydunit.toml", "[build]\nsources = [\"p.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let said = first(&project, source, "#define DOZEN");
    assert!(said.contains("12 in the place of `DOZEN` (13)"), "{said}");
}

#[test]
fn a_constant_of_a_long_expression_is_told_on_its_own_line() {
    let source = r#"use std::io::BufRead;
struct Pen {
    x: i64,
    step: i64,
    lines: i64,
}
fn main() {
    let mut pen = Pen {
        x: 0,
        step: 4,
        lines: 1,
    };
    for line in std::io::stdin().lock().lines() {
        pen.lines += 1;
        if line.unwrap() == "go" {
            pen.x += pen.step;
        }
    }
    println!("{} {}", pen.x, pen.lines);
}
"#;
    let suite = cases(&[("stay\n", "0 2\n"), ("go\n", "5 2\n"), ("go\nstay\ngo\n", "10 4\n"), ("", "0 1\n")]);
    let project = of_rust(source, &suite);
    let said = first(&project, source, "step: 4,");
    assert!(said.contains("had 5 in the place of 4"), "{said}");
}

/// The program cuts its arguments into pieces before the fault, and reads the pieces behind it.
#[test]
fn arguments_that_the_program_has_changed_stay_changed() {
    let source = r#"#include <stdio.h>
#include <string.h>
static int is_on(const char *value, double number)
{
    return value[0] == 'y' || number == 0;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals)
            return 2;
        *equals = 0;
        int on = is_on(equals + 1, equals[1] - '0');
        char key[40] = "";
        strncat(key, argv[i], sizeof key - 1);
        printf("%s: %s\n", key, on ? "on" : "off");
    }
    return 0;
}
"#;
    let project = Project::new();
    project.write("p.c", source);
    let case = |name: &str, args: &[&str], stdout: &str| {
        json!({ "name": name, "args": args, "stdout": stdout }).to_string() + "\n"
    };
    let suite = [
        case("yes", &["a=y"], "a: on\n"),
        case("none", &[], ""),
        case("number", &["b=1"], "b: on\n"),
        case("zero", &["c=0"], "c: off\n"),
    ];
    project.write("cases.jsonl", &suite.concat());
    project.write("whydunit.toml", "[build]\nsources = [\"p.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let (_, answer, errors) = project.json(&["locate"]);
    let findings = answer["findings"].as_array().expect("a list");
    let finding =
        findings.iter().find(|finding| finding["location"]["line"] == 5).unwrap_or_else(|| panic!("{errors}"));
    let told = finding["changes"].to_string();
    assert!(told.contains("had `!=` in the place of `==`"), "{told}");
}
