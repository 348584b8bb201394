//! `whydunit explain` on differences of many changes: few builds, hardly one that fails, and only the lines that matter.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::project::{WHYDUNIT, answer, notes};
use crate::support::summed::versions;
use serde_json::Value;

/// Functions of the program.
const FUNCTIONS: usize = 90;
/// The one that is wrong in the bad version.
const WRONG: usize = 41;

/// A function of a version. In the bad one a variable has another name, and what is told of it stands apart from where it is declared:
/// one cannot be reverted without the other.
fn function(number: usize, bad: bool) -> String {
    let name = if bad { "amount" } else { "value" };
    let sign = if bad && number == WRONG { '-' } else { '+' };
    let also = if bad { "    /* taken along */\n\tx = x | 0;\n" } else { "" };
    format!(
        "static int f{number}(int x)\n{{\n    int {name} = {number};\n\n    /* a comment */\n\n{also}\treturn x {sign} {name};\n}}\n\n"
    )
}

fn explain(bad: &PathBuf, args: &[&str]) -> Output {
    let mut command = Command::new(WHYDUNIT);
    command.args(["explain", "--good", "../good"]).args(args).current_dir(bad);
    command.output().expect("it runs")
}

/// The function at fault is found among ninety, in a few builds, of which one fails at most although half of all mixtures would; of its hunk
/// the line is told that matters, with its tab.
#[test]
fn one_function_of_ninety_in_few_builds() {
    let (_project, bad) = versions(FUNCTIONS, function);
    let (status, found, told) = answer(&explain(&bad, &["--format", "json", "-j", "1"]));
    assert_eq!((status, &found["reduced"]), (1, &true.into()), "{told}");
    assert!(found["changes"].as_u64() >= Some(2 * FUNCTIONS as u64), "{found:#}");
    assert!(found["variants"]["not_built"].as_u64() <= Some(1), "{found:#}");
    assert!(found["stats"]["builds"].as_u64() <= Some(40), "{found:#}");
    let all: Vec<&Value> =
        ["root", "auxiliary"].iter().flat_map(|key| found[*key].as_array().expect("changes")).collect();
    let diffs: String = all.iter().map(|change| change["diff"].as_str().expect("a diff")).collect();
    assert!(diffs.contains("-\treturn x + value;\n+\treturn x - amount;\n"), "{diffs}");
    assert_eq!(found["root"].as_array().map(Vec::len), Some(1), "{found:#}");
    assert!(all.len() <= 2 && !diffs.contains("x | 0") && !diffs.contains("taken along"), "{diffs}");
    assert!(notes(&found).contains("lines of code that these changes have"), "{found:#}");
    // What is told mends.
    std::fs::write(bad.join("found.diff"), found["patch"].as_str().expect("a patch")).expect("written");
    let applied = Command::new("git").args(["apply", "-R", "found.diff"]).current_dir(&bad).status().expect("git");
    assert!(applied.success());
    let test = Command::new(WHYDUNIT).arg("test").current_dir(&bad).output().expect("it runs");
    assert_eq!(test.status.code(), Some(0));
}

/// As text the way goes from the change to the failure, and lines are what stands in the file.
#[test]
fn told_from_the_change_to_the_failure() {
    let (_project, bad) = versions(FUNCTIONS, function);
    let told = String::from_utf8_lossy(&explain(&bad, &[]).stdout).into_owned();
    let place = |text: &str| told.find(text).unwrap_or_else(|| panic!("no {text} in {told}"));
    assert!(told.contains("    +\treturn x - amount;"), "{told}");
    assert!(place("changed at main.c") < place("the failure main.c"), "{told}");
}
