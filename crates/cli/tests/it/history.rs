//! `whydunit history` on repositories of which all is known in advance.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::git::{commit_all, git, state};
use crate::support::project::{Project, WHYDUNIT, assert_one_message, notes};

const CALC: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum up to n. */
static int sum(int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += i;
    return total;
}

static int largest(int a, int b)
{
    return a < b ? a : b;
}

static int length(const char *text)
{
    return (int)strlen(text);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 3;
    if (strcmp(argv[1], "sum") == 0)
        printf("%d\n", sum(atoi(argv[2])));
    else if (strcmp(argv[1], "largest") == 0)
        printf("%d\n", largest(atoi(argv[2]), atoi(argv[3])));
    else
        printf("%d\n", length(argv[2]));
    return 0;
}
"#;

/// A repository that is written commit by commit.
struct Made(Project);

impl Made {
    fn new() -> Self {
        let project = Project::new();
        git(project.folder(), &["init", "-q"]);
        project.write(".gitignore", ".whydunit/\n");
        Self(project)
    }

    fn commit(&self, message: &str) {
        commit_all(self.0.folder(), message);
    }

    fn edit(&self, from: &str, to: &str) -> &Self {
        self.0.edit("calc.c", from, to);
        self
    }

    fn case(&self, name: &str, args: &[&str], stdout: &str) -> &Self {
        let line = serde_json::json!({ "name": name, "args": args, "stdout": format!("{stdout}\n"), "status": 0 });
        let known = std::fs::read_to_string(self.0.path("cases.jsonl")).unwrap_or_default();
        self.0.write("cases.jsonl", &format!("{known}{line}\n"));
        self
    }

    /// The commits of a program of C, of every kind.
    fn of_every_kind() -> Self {
        let made = Self::new();
        made.0.write("calc.c", CALC);
        made.0.write("whydunit.toml", "[build]\nsources = [\"calc.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
        made.case("nothing", &["sum", "0"], "0").case("never", &["sum", "1"], "77");
        made.commit("First version");
        made.case("three letters", &["length", "abc"], "3").commit("Measure a text");
        made.edit("    for (int i = 0; i < n; i++)", "    /* All of them. */\n    for (int i = 0; i <= n; i++)");
        made.edit("    return total;", "    return (total);").case("three", &["sum", "3"], "6");
        made.commit("Fix the sum: the last number was left out (#1)");
        made.edit("The sum up to", "The summ up to").commit("Tell what sums are");
        made.edit("The summ", "The sum").commit("Fix what stands above the function");
        made.edit("    return (int)strlen", "    if (text == NULL)\n        return 0;\n    return (int)strlen");
        made.case("no text", &["length"], "0").commit("Fix crash without a text");
        let folder = made.0.folder();
        git(folder, &["checkout", "-q", "-b", "side"]);
        made.edit("a < b ? a", "a > b ? a").case("largest", &["largest", "3", "5"], "5");
        made.commit("The larger one\n\nFixes: #2");
        git(folder, &["checkout", "-q", "main"]);
        made.0.write("NOTES", "x\n");
        made.commit("Notes");
        git(folder, &["merge", "-q", "--no-ff", "-m", "Merge the fix of side", "side"]);
        made.0.write("NOTES", "y\n");
        made.commit("Revert \"Notes\"");
        made.edit("return 3;", "return 4;").commit("Fix both, closes #3 and closes #4");
        made.edit("return 4;", "return 4").commit("Go on");
        made.edit("return 4", "return 4;").commit("Fix the end of a statement");
        made.case("four", &["sum", "4"], "10").commit("Fix the tests of sums");
        made.edit("return 4;", "return 5;").commit("Fix the status without arguments");
        made.edit("return 5;", "return 6;").commit("Fix the status (#9)");
        made.edit("return 6;", "return 7;").commit("Fix the status again (#9)");
        made.of_other_forms();
        made
    }

    /// Files that move, other line ends, tests that differ from run to run.
    fn of_other_forms(&self) {
        let folder = self.0.folder();
        self.edit("int a, int b", "long a, long b").edit("a > b ? a : b", "(int)(a > b ? a : b)");
        self.edit("largest(atoi(argv[2]), atoi(argv[3]))", "largest(atol(argv[2]), atol(argv[3]))");
        git(folder, &["mv", "calc.c", "my calc.c"]);
        self.0.edit("whydunit.toml", "calc.c", "my calc.c");
        self.case("long", &["largest", "1", "4294967295"], "-1").commit("Fix the largest of large numbers");
        let text = self.0.read("my calc.c").replace('\n', "\r\n");
        self.0.write("my calc.c", &text);
        self.commit("Fix line ends");
        self.0.edit("my calc.c", "        printf(\"%d\\n\", sum(", "        printf(\"%d\\n\", argc < 3 ? 0 : sum(");
        self.case("sum of nothing", &["sum"], "0").commit("Fix crash of a sum of nothing");
        let odd = "static int odd(const char *name)\r\n{\r\n    char path[4096];\r\n    snprintf(path, sizeof path, \"%s.count\", name);\r\n    FILE *file = fopen(path, \"a\");\r\n    fputc('x', file);\r\n    long runs = ftell(file);\r\n    fclose(file);\r\n    return (int)(runs % 2);\r\n}\r\n\r\nint main";
        self.0.edit("my calc.c", "int main", odd);
        self.0.edit(
            "my calc.c",
            "    if (argc < 2)",
            "    if (argc == 2 && strcmp(argv[1], \"odd\") == 0)\r\n        return odd(argv[0]);\r\n    if (argc < 2)",
        );
        let known = self.0.read("cases.jsonl");
        self.0.write("cases.jsonl", &format!("{known}{{\"name\":\"odd\",\"args\":[\"odd\"],\"status\":0}}\n"));
        self.commit("Count runs");
        self.0.edit("my calc.c", "return (int)(runs % 2)", "return runs % 2 != 0");
        self.commit("Fix the count of runs");
    }
}

/// The commits of an answer: what they say, and what came of them.
fn verdicts(answer: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let commits = answer["commits"].as_array().expect("commits");
    commits.iter().map(|commit| (word(&commit["subject"]), word(&commit["verdict"]))).collect()
}

fn bug<'a>(answer: &'a Value, subject: &str) -> &'a Value {
    let bugs = answer["bugs"].as_array().expect("bugs");
    let says = |bug: &&Value| bug["message"].as_str().is_some_and(|message| message.starts_with(subject));
    bugs.iter().find(says).unwrap_or_else(|| panic!("no bug `{subject}`: {answer:#}"))
}

fn numbers(bug: &Value, keys: &[&str]) -> Vec<u64> {
    keys.iter().map(|key| bug[*key].as_u64().or(bug["lines_needed"][*key].as_u64()).unwrap_or(999)).collect()
}

#[test]
fn commits_of_every_kind_come_to_what_they_are() {
    let made = Made::of_every_kind();
    let before = state(made.0.folder());
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!(status, 0, "{errors}");
    assert!(state(made.0.folder()) == before, "the repository was touched");
    let mut found = verdicts(&answer);
    found.sort();
    let mut expected: Vec<(String, String)> = [
        ("First version", "no-parent"),
        ("Measure a text", "no-fix"),
        ("Fix the sum: the last number was left out (#1)", "bug"),
        ("Tell what sums are", "no-fix"),
        ("Fix what stands above the function", "form-only"),
        ("Fix crash without a text", "bug"),
        ("The larger one", "bug"),
        ("Notes", "no-fix"),
        ("Merge the fix of side", "merge"),
        ("Revert \"Notes\"", "revert"),
        ("Fix both, closes #3 and closes #4", "several-bugs"),
        ("Go on", "no-fix"),
        ("Fix the end of a statement", "not-built"),
        ("Fix the tests of sums", "no-code"),
        ("Fix the status without arguments", "no-test"),
        ("Fix the status (#9)", "several-fixes"),
        ("Fix the status again (#9)", "several-fixes"),
        ("Fix the largest of large numbers", "bug"),
        ("Fix line ends", "form-only"),
        ("Fix crash of a sum of nothing", "bug"),
        ("Count runs", "no-fix"),
        ("Fix the count of runs", "no-test"),
    ]
    .map(|(subject, verdict)| (subject.to_owned(), verdict.to_owned()))
    .into();
    expected.sort();
    assert_eq!(found, expected);
    figures(&answer);
    // Nothing is built twice.
    let (_, again, errors) = made.0.json(&["history"]);
    assert_eq!(again["stats"]["builds"], 0, "{errors}");
    assert_eq!((&again["bugs"], &again["commits"]), (&answer["bugs"], &answer["commits"]));
    commands(&made, &answer);
}

/// The figures of each bug.
fn figures(answer: &Value) {
    let keys = ["lines_churned", "hunks", "changed", "needed", "changed_code", "needed_code", "needed_alone"];
    let sum = bug(answer, "Fix the sum");
    assert_eq!(numbers(sum, &keys), [3, 2, 3, 1, 2, 1, 1], "{sum:#}");
    assert_eq!((sum["fingerprint"].as_str(), sum["kind"].as_str()), (Some("Z"), Some("output")));
    assert_eq!(
        (&sum["tests"][0], &sum["functions"][0], &sum["issues"][0]),
        (&"three".into(), &"sum".into(), &"1".into())
    );
    let patch = sum["minimised"].as_str().expect("a patch");
    assert!(patch.contains("+    for (int i = 0; i <= n; i++)") && !patch.contains("All of them"), "{patch}");
    let text = bug(answer, "Fix crash without");
    // `return 0;` alone makes the failing test pass, and others fail.
    assert_eq!(numbers(text, &keys), [2, 1, 2, 2, 2, 2, 1], "{text:#}");
    assert_eq!((text["fingerprint"].as_str(), text["kind"].as_str()), (Some("KZ"), Some("crash")));
    let larger = bug(answer, "The larger one");
    assert_eq!(numbers(larger, &keys), [1, 1, 1, 1, 1, 1, 1], "{larger:#}");
    let moved = bug(answer, "Fix the largest of");
    assert_eq!(numbers(moved, &keys[..2]), [3, 3], "{moved:#}");
    assert_eq!(moved["tests"], serde_json::json!(["long"]));
    let nothing = bug(answer, "Fix crash of a sum");
    assert_eq!(numbers(nothing, &keys), [1, 1, 1, 1, 1, 1, 1], "{nothing:#}");
    assert!(nothing["minimised"].as_str().is_some_and(|patch| patch.contains("\r\n")), "{nothing:#}");
    assert_eq!(bug(answer, "Fix the count")["flaky"], serde_json::json!(["odd"]));
    let broken = answer["commits"].as_array().expect("commits").iter().find(|commit| commit["verdict"] == "not-built");
    let broken = broken.expect("one that is not built");
    assert_eq!(broken["reason"], "compiler");
    assert!(broken["detail"].as_str().is_some_and(|detail| detail.starts_with("the parent: calc.c:")), "{broken}");
}

/// What else there is to do with the catalogue.
fn commands(made: &Made, answer: &Value) {
    let (_, listed, _) = made.0.json(&["history", "list", "--where", "fingerprint=KZ lines<10"]);
    assert_eq!(listed["bugs"].as_array().map(Vec::len), Some(1));
    let id = listed["bugs"][0]["id"].as_str().expect("a name").to_owned();
    let (_, shown, _) = made.0.json(&["history", "show", &id[..6]]);
    assert_eq!(shown["bugs"][0], *bug(answer, "Fix crash without"));
    for (side, passes) in [("pre", false), ("post", true)] {
        let output = made.0.run(&["history", "checkout", &id, "--side", side, side]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let ran = made.0.run(&["--project", side, "test", "no text"]);
        assert_eq!(ran.status.success(), passes, "{side}: {}", String::from_utf8_lossy(&ran.stdout));
    }
    let output = made.0.run(&["history", "checkout", &id, "pre"]);
    assert_one_message(&String::from_utf8_lossy(&output.stderr), &["pre is not empty", "what to do"]);
    // An author's commits count that are not looked at, too.
    let (_, newest, _) = made.0.json(&["history", "--since", "HEAD~3", "--catalogue", "newest"]);
    let experience =
        newest["bias"].as_array().expect("a list").iter().find(|it| it["what"] == "commits of the author before");
    let experience = experience.expect("it is compared");
    assert_eq!((experience["kept"].as_f64(), experience["others"].as_f64()), (Some(19.0), Some(21.0)));
    let page = String::from_utf8(made.0.run(&["history", "--format", "html"]).stdout).expect("text");
    assert!(page.contains("5 bugs with tests in 22 commits") && page.matches("<svg").count() == 3);
    let project = made.0.path(&format!(".whydunit/history/bugs/{id}/project"));
    assert!(project.join("truth.json").is_file() && project.join("calc.c").is_file());
}

#[test]
fn the_commit_that_a_bug_came_with_is_found() {
    let made = Made::new();
    made.0.write("calc.c", &CALC.replace("i < n", "i <= n"));
    made.0.write("whydunit.toml", "[build]\nsources = [\"calc.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    made.case("nothing", &["sum", "0"], "0").commit("First version");
    for number in 0..3 {
        made.edit("return 3;", &format!("return 3; /* {number} */")).commit(&format!("Remark {number}"));
        made.0.edit("calc.c", &format!(" /* {number} */"), "");
    }
    made.edit("i <= n", "i < n").commit("Sum faster");
    made.edit("The sum", "A sum").commit("Words");
    made.edit("i < n", "i <= n").case("three", &["sum", "3"], "6").commit("Fix sums");
    // Commits that are older than the oldest fix that is examined count, too.
    let (status, answer, errors) = made.0.json(&["history", "--introduced", "--max", "1"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(bug(&answer, "Fix sums")["introduced"]["subject"], "Sum faster", "{answer:#}");
    assert_eq!(answer["bias"], serde_json::json!([]), "one fix is compared with none");
}

#[test]
fn of_versions_each_test_that_one_mends_is_a_bug() {
    let made = Made::new();
    made.0.write("calc.c", CALC);
    made.0.write("whydunit.toml", "[build]\nsources = [\"calc.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    made.case("nothing", &["sum", "0"], "0").commit("1.0");
    made.edit("i < n", "i <= n").edit("a < b ? a", "a > b ? a");
    made.case("three", &["sum", "3"], "6").case("largest", &["largest", "3", "5"], "5").commit("1.1");
    let (status, answer, errors) = made.0.json(&["history", "--versions"]);
    assert_eq!(status, 0, "{errors}");
    let bugs = answer["bugs"].as_array().expect("bugs");
    let of = |bug: &Value| {
        (bug["tests"][0].as_str().unwrap_or_default().to_owned(), numbers(bug, &["changed", "needed_alone"]))
    };
    let mut found: Vec<_> = bugs.iter().map(of).collect();
    found.sort();
    assert_eq!(found, [("largest".to_owned(), vec![2, 1]), ("three".to_owned(), vec![2, 1])]);
}

#[test]
fn tests_inside_of_rust_sources_are_run_on_the_parents_code() {
    let made = Made::new();
    made.0.write(
        "Cargo.toml",
        "[package]\nname = \"first\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ndoctest = false\n",
    );
    std::fs::create_dir_all(made.0.path("src")).expect("a folder");
    let source = |body: &str, test: &str| {
        format!(
            "/// The first.\npub fn first(list: &[u8]) -> u8 {{\n{body}}}\n\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n    #[test]\n    fn of_two() {{\n        assert_eq!(first(&[1, 2]), 1);\n    }}\n{test}}}\n"
        )
    };
    made.0.write("src/lib.rs", &source("    list[0]\n", ""));
    made.commit("First version");
    let test = "\n    #[test]\n    fn of_none() {\n        assert_eq!(first(&[]), 0);\n    }\n";
    made.0.write("src/lib.rs", &source("    if list.is_empty() {\n        return 0;\n    }\n    list[0]\n", test));
    made.commit("Fix panic on an empty list");
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!(status, 0, "{errors}");
    let found = bug(&answer, "Fix panic");
    assert_eq!((found["kind"].as_str(), found["fingerprint"].as_str()), (Some("bounds"), Some("KMZ")), "{found:#}");
    assert_eq!(numbers(found, &["lines_churned", "changed", "needed"]), [3, 3, 3]);
    assert_eq!(found["tests"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_cannot_be_mined_is_told_in_one_message() {
    let told = |project: &Project, args: &[&str], status: i32, words: &[&str]| {
        let output = project.run(&[&["history"], args].concat());
        assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stderr));
        assert_one_message(&String::from_utf8_lossy(&output.stderr), words);
    };
    let none = Project::new();
    told(&none, &[], 2, &["in no git repository"]);
    told(&none, &["list"], 2, &["holds no catalogue", "whydunit history"]);
    let made = Made::new();
    told(&made.0, &[], 2, &["has no commits"]);
    made.0.write("a.c", "int a;\n");
    made.commit("First version");
    told(&made.0, &["--since", "v9"], 2, &["v9"]);
    told(&made.0, &[], 2, &["none of 1 commits says that it fixes something", "patterns"]);
    made.0.write("a.c", "int b;\n");
    made.commit("Fix a");
    told(&made.0, &[], 4, &["no tests are known of any version", "--config"]);
    made.0.write("export.csv", "name\nx\n");
    told(&made.0, &["--tracker", "export.csv"], 2, &["export.csv", "no report has a number"]);
    told(&made.0, &["--config", "gone.toml"], 2, &["gone.toml"]);
    told(&made.0, &["show", "1"], 2, &["no bug `1`"]);
    told(&made.0, &["list", "--where", "colour=1"], 2, &["there is no key `colour`", "fingerprint"]);
    made.0.write("whydunit.toml", "[history]\npatterns = [\"(\"]\n");
    told(&made.0, &[], 2, &["`(`", "no regular expression"]);
}

#[test]
fn bare_and_shallow_repositories_are_read() {
    let made = Made::new();
    made.0.write("calc.c", CALC);
    made.0.write("whydunit.toml", "[build]\nsources = [\"calc.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    made.case("nothing", &["sum", "0"], "0").commit("First version");
    made.edit("i < n", "i <= n").case("three", &["sum", "3"], "6").commit("Fix sums");
    let place = Project::new();
    let from = format!("file://{}", made.0.folder().display());
    for (args, name) in [(&["clone", "-q", "--bare"][..], "bare"), (&["clone", "-q", "--depth", "1"], "shallow")] {
        git(place.folder(), &[args, &[&from, name]].concat());
    }
    let before = crate::support::project::names(&place.path("bare"));
    let (status, answer, errors) = place.json(&["history", "bare"]);
    assert_eq!((status, answer["bugs"].as_array().map(Vec::len)), (0, Some(1)), "{errors}");
    assert_eq!(crate::support::project::names(&place.path("bare")), before);
    let (status, answer, errors) = place.json(&["history", "shallow"]);
    assert_eq!((status, answer["bugs"].as_array().map(Vec::len)), (0, Some(0)), "{errors}");
    assert!(notes(&answer).contains("shallow"), "{answer:#}");
    assert_eq!(answer["commits"][0]["verdict"], "no-parent");
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let made = Made::new();
    made.0.write("calc.c", CALC);
    let config = "[build]\ncommand = \"sleep 0.3; cc -o calc calc.c\"\nexecutable = \"calc\"\n[tests]\ncases = \"cases.jsonl\"\n";
    made.0.write("whydunit.toml", config);
    made.case("nothing", &["sum", "0"], "0").commit("First version");
    for number in 4..12 {
        made.edit(&format!("return {};", number - 1), &format!("return {number};")).commit("Fix the status");
    }
    let before = state(made.0.folder());
    let mut child =
        made.0.bare_command(WHYDUNIT).args(["history"]).stdout(std::process::Stdio::null()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(1500));
    let asked = Instant::now();
    kill(child.id());
    let status = child.wait().expect("it ends");
    assert!(asked.elapsed() < Duration::from_secs(2) && !status.success(), "{status} after {:?}", asked.elapsed());
    let kept: Value = serde_json::from_str(&made.0.read(".whydunit/history/bugs.json")).expect("a whole file");
    let kept = kept["bugs"].as_array().map(Vec::len).expect("bugs");
    assert!(state(made.0.folder()) == before && made.0.living() == [""; 0]);
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!((status, answer["bugs"].as_array().map(Vec::len)), (0, Some(8)), "{errors}");
    let builds = answer["stats"]["builds"].as_u64().expect("a number");
    assert!(builds < 9 && builds >= 8 - kept as u64 - 1, "{builds} builds after {kept}");
}

fn kill(process: u32) {
    let status = Command::new("kill").args(["-TERM", &process.to_string()]).status().expect("kill starts");
    assert!(status.success());
}

#[test]
fn a_catalogue_and_an_answer_fit_their_schemas() {
    let made = Made::new();
    made.0.write("calc.c", CALC);
    made.0.write("whydunit.toml", "[build]\nsources = [\"calc.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    made.case("nothing", &["sum", "0"], "0").commit("First version");
    made.edit("i < n", "i <= n").case("three", &["sum", "3"], "6").commit("Fix sums");
    let (_, answer, errors) = made.0.json(&["history", "--introduced"]);
    let schemas = crate::support::schema::Schemas::of_repository();
    assert_eq!(schemas.violations("history.json", &answer), Vec::<String>::new(), "{errors}");
    let kept = std::fs::read_to_string(Path::new(&made.0.path(".whydunit/history/bugs.json"))).expect("a catalogue");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!(schemas.violations("bugs.json", &kept), Vec::<String>::new());
}
