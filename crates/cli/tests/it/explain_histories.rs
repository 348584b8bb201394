//! `whydunit explain` where there is a history between the two versions, and where most of what changed is another program's.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::git::{commit_all, git};
use crate::support::project::{Project, WHYDUNIT, answer, assert_one_message, notes};
use crate::support::summed::versions;
use serde_json::Value;

/// Functions of the program, and commits: each changes some of the functions.
const FUNCTIONS: usize = 80;
const COMMITS: usize = 16;
/// The function that is wrong in the bad version, and the commit that changes it.
const WRONG: usize = 33;
const CULPRIT: usize = WRONG * COMMITS / FUNCTIONS;

/// A function of a version.
fn function(number: usize, bad: bool) -> String {
    let sign = if bad && number == WRONG { '-' } else { '+' };
    let (name, zero) = if bad { ("amount", " | 0") } else { ("value", "") };
    format!("static int f{number}(int x)\n{{\n    int {name} = {number}{zero};\n\n    return x {sign} {name};\n}}\n\n")
}

/// A repository whose commits lead from the good version to the bad one, a few functions each.
fn repository() -> (Project, PathBuf) {
    let (project, bad) = versions(FUNCTIONS, function);
    let good = bad.with_file_name("good");
    git(&good, &["init", "-q"]);
    std::fs::write(good.join(".gitignore"), ".whydunit/\n").expect("written");
    for file in ["whydunit.toml", "cases.jsonl"] {
        std::fs::copy(bad.join(file), good.join(file)).expect("copied");
    }
    commit_all(&good, "good");
    let mut source = std::fs::read_to_string(good.join("main.c")).expect("a source");
    for commit in 0..COMMITS {
        for number in (0..FUNCTIONS).filter(|number| number * COMMITS / FUNCTIONS == commit) {
            source = source.replace(&function(number, false), &function(number, true));
        }
        std::fs::write(good.join("main.c"), &source).expect("written");
        commit_all(&good, &format!("step {commit}"));
    }
    (project, good)
}

fn explain(project: &Path, args: &[&str]) -> Output {
    Command::new(WHYDUNIT)
        .args(["explain", "--format", "json"])
        .args(args)
        .current_dir(project)
        .output()
        .expect("it runs")
}

/// The lines of the changes at fault.
fn diffs(found: &Value) -> String {
    let root = found["root"].as_array().expect("changes").iter();
    root.map(|change| change["diff"].as_str().expect("a diff")).collect()
}

/// Where there are many changes, and several commits between the two revisions, the commit is found first without being asked for.
#[test]
fn the_commit_first() {
    let (_project, project) = repository();
    let first = format!("HEAD~{COMMITS}");
    let (status, found, told) = answer(&explain(&project, &["--good", &first]));
    assert_eq!((status, &found["reduced"]), (1, &true.into()), "{told}");
    assert_eq!(found["commit"]["subject"], format!("step {CULPRIT}"), "{found:#}");
    assert!(diffs(&found).contains("x - amount"), "{found:#}");
    assert!(found["changes"].as_u64() <= Some(2 * (FUNCTIONS / COMMITS) as u64), "{found:#}");
    // Among all changes where that is asked for.
    let (status, found, told) = answer(&explain(&project, &["--good", &first, "--no-bisect"]));
    assert_eq!((status, &found["commit"]), (1, &Value::Null), "{told}");
    assert!(found["changes"].as_u64() >= Some(FUNCTIONS as u64) && diffs(&found).contains("x - amount"), "{found:#}");
}

/// A bisection that is ended before it is done tells what is known by then, and how many commits are left.
#[test]
fn a_bisection_that_is_ended_tells_what_is_left() {
    let (_project, project) = repository();
    let first = format!("HEAD~{COMMITS}");
    let (status, found, told) = answer(&explain(&project, &["--good", &first, "--builds", "3"]));
    assert_eq!((status, &found["partial"], &found["reduced"]), (5, &true.into(), &false.into()), "{told}");
    assert!(notes(&found).contains("the commit that broke the test is one of 4"), "{found:#}");
    assert!(diffs(&found).contains("x - amount"), "{found:#}");
    let (status, found, told) = answer(&explain(&project, &["--good", &first]));
    assert_eq!((status, &found["reduced"]), (1, &true.into()), "{told}");
}

/// A repository of a crate whose second commit has the fault, and whose third one the check that shows it.
fn crate_with_a_later_test() -> (Project, PathBuf) {
    let project = Project::new();
    let write = |file: &str, text: &str| project.write(file, text);
    write("Cargo.toml", "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n");
    write(".gitignore", ".whydunit/\ntarget/\nCargo.lock\n");
    let source = |sign: char| {
        format!("pub fn double(x: u32) -> u32 {{\n    x {sign} x\n}}\n\npub fn one() -> u32 {{\n    1\n}}\n")
    };
    let test = |more: &str| format!("#[test]\nfn sums() {{\n    assert_eq!(sums::one(), 1);\n{more}}}\n");
    write("src/lib.rs", &source('+'));
    write("tests/sums.rs", &test(""));
    let folder = project.path("");
    git(&folder, &["init", "-q"]);
    commit_all(&folder, "good");
    write("src/lib.rs", &source('*'));
    commit_all(&folder, "the fault");
    write("tests/sums.rs", &test("    assert_eq!(sums::double(3), 6);\n"));
    commit_all(&folder, "the check");
    (project, folder)
}

/// A test that was written after the fault leads to the fault, and not to itself: the older versions are tested as the bad one is.
#[test]
fn a_check_that_came_later_is_not_the_fault() {
    let (_project, folder) = crate_with_a_later_test();
    let held = "tested with the bad version's test files: tests/sums.rs";
    let (status, found, told) = answer(&explain(&folder, &["--good", "HEAD~2"]));
    assert_eq!((status, &found["root"][0]["file"]), (1, &"src/lib.rs".into()), "{told}");
    assert!(notes(&found).contains(held), "{found:#}");
    let (status, found, told) = answer(&explain(&folder, &["--good", "HEAD~2", "--bisect"]));
    assert_eq!((status, &found["commit"]["subject"]), (1, &"the fault".into()), "{told}");
    assert_eq!(found["root"][0]["file"], "src/lib.rs", "{found:#}");
    assert_eq!(notes(&found).matches(held).count(), 1, "{found:#}");
}

/// Where the test passes in the good revision only as it is there, its own change is one as others are.
#[test]
fn a_test_that_passed_for_less_is_told() {
    let (_project, folder) = crate_with_a_later_test();
    let (status, found, told) = answer(&explain(&folder, &["--good", "HEAD~1"]));
    assert_eq!((status, &found["root"][0]["file"]), (1, &"tests/sums.rs".into()), "{told}");
    assert!(!notes(&found).contains("test files"), "{found:#}");
}

/// A good revision in which the test fails is told before any other commit is built.
#[test]
fn a_good_revision_that_is_none_is_told_at_once() {
    let (_project, project) = repository();
    let output = explain(&project, &["--good", "HEAD~3", "--bisect"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_one_message(&told, &["does not pass in HEAD~3 either", "what to do"]);
    let verdicts = std::fs::read_to_string(project.join(".whydunit/explain/verdicts")).expect("what was built");
    assert_eq!(verdicts.lines().count(), 1, "{verdicts}");
}

/// Changes of other programs' sources, of documents and of what services read are set aside in one build, whatever names stand in them.
#[test]
fn changes_of_other_programs_are_set_aside() {
    let (_project, bad) = versions(FUNCTIONS, function);
    let other = |value: usize| -> String {
        (0..FUNCTIONS)
            .map(|number| {
                format!("int amount{number} = {value}, x{number};\n\nint f{number}(int x) {{ return x; }}\n\n")
            })
            .collect()
    };
    for (side, value) in [("good", 1), ("bad", 2)] {
        let folder = bad.with_file_name(side);
        for file in ["other.c", "tools/make.rb", "notes.md"] {
            std::fs::create_dir_all(folder.join(file).parent().expect("a folder")).expect("made");
            std::fs::write(folder.join(file), other(value)).expect("written");
        }
    }
    let (status, found, told) = answer(&explain(&bad, &["--good", "../good", "-j", "1"]));
    assert_eq!((status, &found["reduced"]), (1, &true.into()), "{told}");
    assert!(found["changes"].as_u64() >= Some(4 * FUNCTIONS as u64), "{found:#}");
    assert!(diffs(&found).contains("x - amount"), "{found:#}");
    assert!(found["stats"]["builds"].as_u64() <= Some(30), "{found:#}");
}
