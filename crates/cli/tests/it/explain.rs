//! `whydunit explain` on two versions of a program, end to end.

use crate::support::regression;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::git::{commit_all, git, state};
use crate::support::project::{self, Project, WHYDUNIT};
use serde_json::Value;

/// A subject's two versions; they go with the first value.
fn versions(name: &str) -> (Project, PathBuf, PathBuf) {
    let project = Project::new();
    let (good, bad) = regression::lay_out(&project, name);
    (project, good, bad)
}

fn run(project: &Path, args: &[&str]) -> Output {
    Command::new("timeout")
        .args(["--kill-after=10", "300", WHYDUNIT])
        .args(args)
        .current_dir(project)
        .output()
        .expect("it runs")
}

fn answer(project: &Path, args: &[&str]) -> Value {
    let output = run(project, &[&["explain", "--format", "json"], args].concat());
    let (code, answer, told) = project::answer(&output);
    assert_eq!(code, 1, "{answer:#}{told}");
    answer
}

fn lines(changes: &Value) -> Vec<u64> {
    let changes = changes.as_array().expect("changes");
    changes.iter().map(|change| change["line"].as_u64().expect("a line")).collect()
}

/// The worked example of the paper: c3 lies in the first cause, and reverting it alone does not help; the critical predicate
/// `x < y` brings in c2.
#[test]
fn the_worked_example() {
    let (_project, good, bad) = versions("sums");
    let good = good.to_str().expect("UTF-8");
    let found = answer(&bad, &["--good", good]);
    assert_eq!(found["changes"], 4);
    assert_eq!(lines(&found["root"]), [11, 17]);
    assert_eq!(found["auxiliary"], Value::Array(Vec::new()));
    let causes = found["causes"].as_array().expect("causes");
    assert_eq!(causes.len(), 2, "{causes:#?}");
    assert_eq!((&causes[0]["leads_to"], &causes[1]["leads_to"]), (&Value::Null, &causes[0]["id"]));
    let of = |cause: &Value| -> Vec<u64> {
        let statements = cause["statements"].as_array().expect("statements");
        statements.iter().map(|statement| statement["location"]["line"].as_u64().expect("a line")).collect()
    };
    // `a = y`, `b = z + 1`, and what adds them; not the branch, nor the initial value of `sorted`.
    for line in [14, 17, 20] {
        assert!(of(&causes[0]).contains(&line), "{:?}", of(&causes[0]));
    }
    assert!(!of(&causes[0]).contains(&5) && causes[1]["predicate"]["line"] == 11);
    let ids = |cause: &Value| cause["changes"].as_array().expect("ids").clone();
    assert!(ids(&causes[0]).contains(&found["root"][1]["id"]) && ids(&causes[1]).contains(&found["root"][0]["id"]));
    // With what it reports reverted the test passes.
    let patch = bad.join("found.diff");
    std::fs::write(&patch, found["patch"].as_str().expect("a patch")).expect("written");
    let applied = Command::new("git").args(["apply", "-R", "found.diff"]).current_dir(&bad).status().expect("git");
    assert!(applied.success());
    assert_eq!(run(&bad, &["test"]).status.code(), Some(0));
}

/// What delta debugging reports does not mend it, and that is said.
#[test]
fn delta_debugging_on_the_worked_example() {
    let (_project, good, bad) = versions("sums");
    let found = answer(&bad, &["--good", good.to_str().expect("UTF-8"), "--method", "dd"]);
    assert_ne!(lines(&found["root"]), [11, 17]);
    assert!(found["problems"][0]["message"].as_str().expect("a message").contains("still fails"), "{found:#}");
    assert_eq!(found["causes"], Value::Array(Vec::new()));
}

/// `score` asks each method from nothing; the least set is as large as AFTER's.
#[test]
fn methods_are_measured_on_a_catalogue() {
    let (project, _good, _bad) = versions("sums");
    let (status, scored, told) = project.json(&["score", ".", "--least"]);
    assert_eq!(status, 0, "{told}");
    let regression = &scored["regressions"][0];
    assert_eq!((&regression["changes"], &regression["least"]), (&4.into(), &2.into()), "{scored:#}");
    let answers = regression["answers"].as_array().expect("answers");
    let of = |key: &str| answers.iter().map(|answer| answer[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("method"), ["after", "add", "dd"]);
    assert_eq!(of("found"), [true, false, false]);
    assert_eq!(of("passes"), [true, false, false]);
    assert!(answers.iter().all(|answer| answer["builds"].as_u64() >= Some(4)), "{scored:#}");
    assert_eq!(scored["explainers"][0]["passing"], 1);
    // One that gives up says so, and the others are not kept from their answers.
    let (_, scored, _) = project.json(&["score", ".", "--method", "dd", "--method", "after", "--builds", "4"]);
    let answers = &scored["regressions"][0]["answers"];
    assert!(answers[0]["problem"].as_str().is_some_and(|text| text.contains("after 4 builds")), "{scored:#}");
    assert_eq!(scored["explainers"][0]["regressions"], 0);
}

/// Commits one by one: the commit that breaks the test is found, then the changes in it; nothing of git's is touched.
#[test]
fn bisection_in_a_repository_that_stays_as_it_is() {
    let (_project, good, bad) = versions("sums");
    let project = good;
    std::fs::write(project.join(".gitignore"), ".whydunit/\n").expect("written");
    git(&project, &["init", "-q"]);
    let commit = |message: &str| commit_all(&project, message);
    commit("first");
    let source = std::fs::read_to_string(project.join("sums.c")).expect("a source");
    let write = |text: &str| std::fs::write(project.join("sums.c"), text).expect("written");
    write(&source.replace("sum:%d", "total:%d"));
    commit("another word");
    write(&source.replace("sum:%d", "total:%d").replace("int a, b;", "int a, b"));
    commit("does not build");
    write(&std::fs::read_to_string(bad.join("sums.c")).expect("a source"));
    commit("breaks it");
    std::fs::write(project.join("notes.txt"), "not committed\n").expect("written");
    let before = state(&project);
    let found = answer(&project, &["--good", "HEAD~3", "--bisect"]);
    assert_eq!(found["commit"]["subject"], "breaks it", "{found:#}");
    assert!(!found["root"].as_array().expect("changes").is_empty());
    assert!(state(&project) == before);
}

/// Mistakes get one message each.
#[test]
fn mistakes() {
    let (_project, good, bad) = versions("sums");
    let told = |project: &Path, args: &[&str]| {
        let output = run(project, &[&["explain"], args].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let good_name = good.to_str().expect("UTF-8");
    for (project, args, status, message) in [
        (&bad, &["--good", "v0.1"][..], 2, "is in no git repository"),
        (&good, &["--good", good_name, "three"], 2, "passes in the bad version"),
        (&bad, &["--good", bad.to_str().expect("UTF-8")], 2, "do not differ"),
        (&bad, &["--good", good_name, "four"], 2, "unknown test `four`"),
    ] {
        let (code, text) = told(project, args);
        assert_eq!((code, text.contains(message)), (Some(status), true), "{args:?}: {text}");
    }
    std::fs::write(good.join("sums.c"), "int main(void) { return 1 }\n").expect("written");
    let (code, text) = told(&bad, &["--good", good_name]);
    assert_eq!((code, text.contains("does not build")), (Some(3), true), "{text}");
    std::fs::write(good.join("sums.c"), "int main(void) { return 1; }\n").expect("written");
    let (code, text) = told(&bad, &["--good", good_name]);
    assert_eq!((code, text.contains("does not pass")), (Some(2), true), "{text}");
}

/// Submodules are part of a version, at the commit that it names; what is not committed is looked at, and what git does not keep is
/// left out. Nothing of git's is touched, in the submodule neither.
#[test]
fn a_submodule_and_an_uncommitted_tree() {
    let (_project, good, bad) = versions("sums");
    let (project, module) = (&good, bad.with_file_name("code"));
    std::fs::create_dir(&module).expect("a folder");
    let text = |folder: &Path, name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let write = |folder: &Path, name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    let commit = |folder: &Path| commit_all(folder, "more");
    write(&module, "sums.c", &text(&good, "sums.c"));
    git(&module, &["init", "-q"]);
    commit(&module);
    std::fs::remove_file(project.join("sums.c")).expect("removed");
    write(project, "whydunit.toml", &text(project, "whydunit.toml").replace("sums.c", "code/sums.c"));
    write(project, ".gitignore", ".whydunit/\n*.generated\n");
    git(project, &["init", "-q"]);
    git(project, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../code"]);
    commit(project);
    let code = project.join("code");
    write(&code, "sums.c", &text(&bad, "sums.c"));
    commit(&code);
    commit(project);
    write(project, "large.generated", &"x\n".repeat(1 << 20));
    write(project, "notes.txt", "not committed\n");
    let before = (state(project), git(&code, &["status", "--porcelain"]));
    let found = answer(project, &["--good", "HEAD~1"]);
    assert!(state(project) == before.0);
    let files = |changes: &Value| -> Vec<String> {
        let changes = changes.as_array().expect("changes");
        changes.iter().map(|change| change["file"].as_str().expect("a file").to_string()).collect()
    };
    assert_eq!((files(&found["root"]), lines(&found["root"])), (vec!["code/sums.c".to_string(); 2], vec![11, 17]));
    // The same where the commit is not named yet, and where nothing is committed.
    git(&code, &["reset", "-q", "--soft", "HEAD~1"]);
    git(project, &["reset", "-q", "--soft", "HEAD~1"]);
    let again = answer(project, &["--good", "HEAD"]);
    assert_eq!(again["root"], found["root"]);
    git(&code, &["commit", "-q", "-m", "again"]);
    git(project, &["commit", "-q", "-a", "-m", "again"]);
    assert_eq!((state(project).status, git(&code, &["status", "--porcelain"])), (before.0.status, before.1));
    // A commit that is not here.
    let hash = "1".repeat(40);
    git(project, &["update-index", "--cacheinfo", &format!("160000,{hash},code")]);
    git(project, &["commit", "-q", "-m", "lost"]);
    git(
        project,
        &["update-index", "--cacheinfo", &format!("160000,{},code", git(&code, &["rev-parse", "HEAD"]).trim())],
    );
    git(project, &["commit", "-q", "-m", "back"]);
    let output = run(project, &["explain", "--good", "HEAD~1"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains(&hash) && told.contains("git -C code fetch"), "{told}");
}

/// A program that counts its runs in a file.
const COUNTS: &str = r#"#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int x = atoi(argv[1]), runs = 0;
    FILE *file = fopen(argv[2], "r+");
    fscanf(file, "%d", &runs);
    rewind(file);
    fprintf(file, "%d\n", runs + 1);
    fclose(file);

    x = x;

    int size = 4;
    printf("%d %d\n", x, size);
    return 0;
}
"#;

/// A test that fails two times of three: versions are run until it fails or has passed often enough, and the probability is said.
#[test]
fn a_flaky_test() {
    let project = Project::new();
    project.write("runs", "0\n");
    let case = serde_json::json!({"name": "seven", "args": ["7", project.path("runs")], "stdout": "7 4\n"});
    for name in ["good", "bad"] {
        std::fs::create_dir(project.path(name)).expect("a folder");
        project.write(&format!("{name}/main.c"), COUNTS);
        project.write(&format!("{name}/cases.jsonl"), &case.to_string());
        let told = "[build]\nsources = [\"main.c\"]\n[tests]\ncases = \"cases.jsonl\"\n";
        project.write(&format!("{name}/whydunit.toml"), told);
    }
    let broken = COUNTS.replace("x = x;", "x = runs % 3 ? x + 1 : x;").replace("size = 4", "size = sizeof x");
    project.write("bad/main.c", &broken);
    let bad = project.path("bad");
    let found = answer(&bad, &["--good", "../good", "seven"]);
    assert_eq!((lines(&found["root"]), &found["changes"]), (vec![15], &Value::from(2)), "{found:#}");
    let problems = found["problems"].to_string();
    assert!(
        problems.contains("seven is flaky: it failed") && problems.contains("with a probability of 0."),
        "{problems}"
    );
}

/// A patch says the same as two versions, whether the files hold it or it is to come into them.
#[test]
fn a_patch_instead_of_two_versions() {
    let (_project, good, bad) = versions("sums");
    let two = answer(&bad, &["--good", good.to_str().expect("UTF-8")]);
    let diff = Command::new("diff").arg("-u").arg(good.join("sums.c")).arg(bad.join("sums.c")).output().expect("diff");
    let text = String::from_utf8(diff.stdout).expect("UTF-8");
    let hunks = text.split_once("@@").expect("hunks").1;
    for project in [&bad, &good] {
        let patch = project.with_extension("diff");
        std::fs::write(&patch, format!("--- a/sums.c\n+++ b/sums.c\n@@{hunks}")).expect("written");
        let one = answer(project, &["--patch", patch.to_str().expect("UTF-8")]);
        assert_eq!((&one["root"], &one["changes"]), (&two["root"], &two["changes"]));
        // The same by its own name, with the changes at fault as a patch.
        let args = ["--change", patch.to_str().expect("UTF-8"), "--patch", "cause.diff"];
        let one = answer(project, &args);
        assert_eq!(&one["root"], &two["root"]);
        let written = std::fs::read_to_string(project.join("cause.diff")).expect("it is written");
        assert_eq!(Some(written.as_str()), one["patch"].as_str());
    }
    let patch = bad.join("other.diff");
    std::fs::write(&patch, "--- a/sums.c\n+++ b/sums.c\n@@ -1 +1 @@\n-not there\n+neither\n").expect("written");
    let output = run(&bad, &["explain", "--patch", "other.diff"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), text.contains("is not in the project's files")), (Some(2), true), "{text}");
}
