//! `whydunit explain` where there is a history between the two versions, and where most of what changed is another program's.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::git::{commit_all, git};
use crate::support::project::{Project, WHYDUNIT, answer, notes};
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
    let subject = found["commit"].as_array().map(|commit| commit[1].clone()).unwrap_or_default();
    assert!(found["commit"].to_string().contains(&format!("step {CULPRIT}")), "{subject}: {}", found["commit"]);
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
    let (status, found, told) = answer(&explain(&project, &["--good", &first, "--builds", "2"]));
    assert_eq!((status, &found["partial"], &found["reduced"]), (5, &true.into(), &false.into()), "{told}");
    assert!(notes(&found).contains("the commit that broke the test is one of 4"), "{found:#}");
    assert!(diffs(&found).contains("x - amount"), "{found:#}");
    let (status, found, told) = answer(&explain(&project, &["--good", &first]));
    assert_eq!((status, &found["reduced"]), (1, &true.into()), "{told}");
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
