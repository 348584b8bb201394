//! Repositories of other forms than a usual one, what cannot be mined, and runs that are cut off.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::git::{git, state};
use crate::support::made::{CALC, Made, SOURCES};
use crate::support::project::{Project, WHYDUNIT, assert_one_message, notes};

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
    let made = Made::of_calc(SOURCES, "First version");
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

/// Where this file is, builds wait behind the fourth.
const HELD: &str = ".git/held";

/// A program with bugs, built as `.git/how.toml` says by a command that tells of each build; the file that it tells it in.
fn counted(made: &Made) -> PathBuf {
    let log = made.0.path(".git/builds");
    made.0.write("calc.c", CALC);
    let held = format!("[ -e '{}' ] && [ $(cat '{}' | wc -l) -ge 4 ]", made.0.path(HELD).display(), log.display());
    let command = format!(
        "if {held}; then sleep 60; fi; cat calc.c cases.jsonl | cksum >> '{}'; cc -o calc calc.c",
        log.display()
    );
    let config = format!("[build]\ncommand = \"{command}\"\nexecutable = \"calc\"\n[tests]\ncases = \"cases.jsonl\"\n");
    made.0.write(".git/how.toml", &config);
    made.case("nothing", &["sum", "0"], "0").commit("First version");
    log
}

/// A program with a bug, and a commit that mends it.
fn small(config: &str) -> Made {
    let made = Made::of_calc(config, "First version");
    made.edit("i < n", "i <= n").case("three", &["sum", "3"], "6").commit("Fix sums");
    made
}

/// The versions that were built, one a line.
fn built(log: &Path) -> Vec<String> {
    std::fs::read_to_string(log).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// How many of these builds were of a version that was built before.
fn twice(built: &[String]) -> usize {
    built.len() - built.iter().collect::<BTreeSet<_>>().len()
}

fn bugs(answer: &Value) -> Option<usize> {
    answer["bugs"].as_array().map(Vec::len)
}

#[test]
fn a_bug_takes_three_builds_and_nothing_is_built_twice() {
    let made = Made::new();
    let log = counted(&made);
    made.edit("The sum", "A sum").commit("Words");
    made.edit("i < n", "i <= n").case("three", &["sum", "3"], "6").commit("Fix sums");
    made.edit("A sum", "The sum").commit("Other words");
    made.edit("a < b ? a", "a > b ? a").case("largest", &["largest", "3", "5"], "5").commit("Fix the largest");
    let history = ["history", "--config", ".git/how.toml"];
    let (status, answer, errors) = made.0.json(&[&history[..], &["--builds", "0"]].concat());
    assert_eq!((status, answer["stats"]["builds"].as_u64(), bugs(&answer)), (0, Some(6), Some(2)), "{errors}");
    assert_eq!((built(&log).len(), twice(&built(&log))), (6, 0));
    // Of a line the whole and nothing are known: making the fixes smaller takes no build.
    let (_, answer, errors) = made.0.json(&history);
    assert_eq!((answer["stats"]["builds"].as_u64(), built(&log).len()), (Some(0), 6), "{errors}");
    assert_eq!(answer["bugs"][0]["lines_needed"]["complete"], true, "{answer:#}");
}

/// A run over eight fixes that has come so far that `known` versions are known.
fn started(made: &Made, known: usize) -> Child {
    for number in 4..12 {
        made.edit(&format!("return {};", number - 1), &format!("return {number};")).commit("Fix the status");
    }
    made.0.write(HELD, "");
    // Tests may themselves be run in the background of a shell, where interrupts are ignored.
    let mut command = made.0.bare_command("env");
    command.args(["--default-signal=INT", WHYDUNIT, "history", "--config", ".git/how.toml"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().expect("it starts");
    let (begun, outcomes) = (Instant::now(), made.0.path(".whydunit/history/outcomes"));
    while std::fs::read_to_string(&outcomes).unwrap_or_default().lines().count() < known {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is built");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

/// The same command goes on: at most one version is built a second time.
fn goes_on(made: &Made, log: &Path) {
    std::fs::remove_file(made.0.path(HELD)).expect("builds go on");
    let kept: Value = serde_json::from_str(&made.0.read(".whydunit/history/bugs.json")).expect("a whole file");
    assert!(kept["bugs"].is_array());
    let (status, answer, errors) = made.0.json(&["history", "--config", ".git/how.toml"]);
    assert_eq!((status, bugs(&answer)), (0, Some(8)), "{errors}");
    let built = built(log);
    assert!(twice(&built) <= 1 && built.len() - twice(&built) == 9, "{built:?}");
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    for signal in ["-TERM", "-INT"] {
        let made = Made::new();
        let log = counted(&made);
        let mut child = started(&made, 3);
        let before = state(made.0.folder()).status;
        let asked = Instant::now();
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
        let status = child.wait().expect("it ends");
        // Builds are held for a minute: what ends long before is ended by the signal, however busy the machine is.
        let took = asked.elapsed();
        assert!(sent.success() && took < Duration::from_secs(30) && !status.success(), "{status} after {took:?}");
        assert!(state(made.0.folder()).status == before && made.0.living() == [""; 0]);
        goes_on(&made, &log);
    }
}

#[test]
fn a_run_that_is_killed_loses_only_the_version_under_way() {
    let made = Made::new();
    let log = counted(&made);
    let mut child = started(&made, 4);
    let before = state(made.0.folder()).status;
    child.kill().expect("it lives");
    child.wait().expect("it ends");
    assert!(state(made.0.folder()).status == before);
    goes_on(&made, &log);
}

#[test]
fn work_trees_that_are_dirty_or_detached_are_no_part_of_it() {
    let made = small(SOURCES);
    let (_, whole, _) = made.0.json(&["history"]);
    git(made.0.folder(), &["checkout", "-q", "--detach"]);
    made.0.write("calc.c", "no program\n");
    made.0.write("untracked.c", "int main(void) { return 1; }\n");
    git(made.0.folder(), &["rm", "-q", "--cached", "cases.jsonl"]);
    let before = state(made.0.folder());
    let (status, answer, errors) = made.0.json(&["history", "--fresh"]);
    assert_eq!((status, &answer["bugs"], &answer["commits"]), (0, &whole["bugs"], &whole["commits"]), "{errors}");
    assert!(state(made.0.folder()) == before, "the repository was touched");
    // Which commits are fixes is told without building anything.
    let (status, told, errors) = made.0.json(&["history", "--dry-run", "--catalogue", "none"]);
    let verdicts: Vec<&str> =
        told["commits"].as_array().expect("commits").iter().filter_map(|it| it["verdict"].as_str()).collect();
    assert_eq!(
        (status, verdicts, told["stats"]["builds"].as_u64()),
        (0, vec!["no-parent", "fix"], Some(0)),
        "{errors}"
    );
    assert!(!made.0.path("none").exists());
}

#[test]
fn hooks_filters_and_monitors_of_a_repository_are_never_run() {
    let made = small(SOURCES);
    made.0.write(".gitattributes", "*.c filter=evil diff=evil\n*.jsonl filter=lfs\n");
    made.edit("a < b ? a", "a > b ? a").case("largest", &["largest", "3", "5"], "5").commit("Fix the largest");
    let mark = made.0.path(".git/ran");
    let touch = format!("touch '{}'", mark.display());
    let keys =
        ["filter.evil.smudge", "filter.evil.clean", "filter.evil.process", "filter.lfs.smudge", "diff.evil.textconv"];
    for key in keys.into_iter().chain(["core.fsmonitor", "core.pager", "core.sshCommand"]) {
        git(made.0.folder(), &["config", key, &touch]);
    }
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "post-rewrite", "fsmonitor-watchman"] {
        let path = format!(".git/hooks/{hook}");
        std::fs::create_dir_all(made.0.path(".git/hooks")).expect("a folder");
        made.0.write(&path, &format!("#!/bin/sh\n{touch}\n"));
        let all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(made.0.path(&path), all).expect("it may be run");
    }
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!((status, bugs(&answer)), (0, Some(2)), "{errors}");
    let id = answer["bugs"][1]["id"].as_str().expect("a name").to_owned();
    assert!(made.0.run(&["history", "checkout", &id, "--side", "post", "post"]).status.success());
    assert!(!mark.exists(), "something of the repository was run");
    assert!(made.0.path("post/.gitattributes").is_file());
}

#[test]
fn builds_that_warnings_end_are_built_all_the_same() {
    let command = "[build]\ncommand = \"cc -Wall -Werror -o calc calc.c\"\nexecutable = \"calc\"\n";
    let made = small(&format!("{command}[tests]\ncases = \"cases.jsonl\"\n"));
    made.edit("if (argc < 2)\n", "int unused;\n    if (argc < 2)\n").commit("Warn");
    made.edit("a < b ? a", "a > b ? a").case("largest", &["largest", "3", "5"], "5").commit("Fix the largest");
    let of = |answer: &Value| answer["commits"][3]["verdict"].as_str().unwrap_or_default().to_owned();
    let (_, lenient, errors) = made.0.json(&["history"]);
    assert_eq!(of(&lenient), "bug", "{errors}");
    assert!(lenient["flags"][0].as_str().is_some_and(|flags| flags.contains("-Wno-error")), "{lenient:#}");
    let (_, strict, errors) = made.0.json(&["history", "--strict"]);
    assert_eq!((of(&strict).as_str(), &strict["flags"]), ("not-built", &serde_json::json!([])), "{errors}");
}

#[test]
fn a_full_disk_ends_it_with_one_message_and_nothing_false_is_kept() {
    // Room for the versions, not for what they are built to.
    let command = "head -c 3000000 /dev/urandom > big && cc -o calc calc.c && rm big";
    let build = format!("[build]\ncommand = \"{command}\"\nexecutable = \"calc\"\n[tests]\ncases = \"cases.jsonl\"\n");
    let made = small(&build);
    std::fs::create_dir_all(made.0.path(".whydunit/history")).expect("a folder");
    let on_disk = |then: &[&str]| {
        let script = "mount -t tmpfs -o size=1m none .whydunit/history && { \"$@\"; status=$?; cat .whydunit/history/outcomes; exit $status; }";
        let mut unshare = made.0.command("unshare");
        unshare.args(["--map-root-user", "--mount", "sh", "-c", script, "sh"]).args(then);
        unshare.output().expect("timeout starts")
    };
    if on_disk(&["touch", ".whydunit/history/outcomes"]).status.code() != Some(0) {
        eprintln!("not tested: nobody may mount a disk here, not even in a name space of his own");
        return;
    }
    let output = on_disk(&[WHYDUNIT, "history"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let of_history: String =
        errors.lines().filter(|line| !line.starts_with("cat:")).map(|line| format!("{line}\n")).collect();
    assert_one_message(&of_history, &["the disk is full", "what to do", "free some space"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("not-built"), "what was not tried is no outcome");
}

#[test]
fn what_lies_around_a_version_is_no_part_of_it() {
    let made = Made::new();
    made.0.write(
        "Cargo.toml",
        "[package]\nname = \"first\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ndoctest = false\n",
    );
    std::fs::create_dir_all(made.0.path("src")).expect("a folder");
    let source = |body: &str, more: &str, tests: &str| {
        format!(
            "pub fn double(number: u32) -> u32 {{\n    {body}\n}}\n{more}#[test]\nfn of_three() {{\n    assert_eq!(double(3), 6);\n}}\n{tests}"
        )
    };
    made.0.write("src/lib.rs", &source("number + 3", "", ""));
    made.commit("First version");
    // The parent does not build with one of the tests of the fix; the other one shows the bug.
    let tests = "#[test]\nfn of_two() {\n    assert_eq!(double(2), 4);\n}\n#[test]\nfn of_one() {\n    assert_eq!(triple(1), 3);\n}\n";
    let triple = "pub fn triple(number: u32) -> u32 {\n    number * 3\n}\n";
    made.0.write("src/lib.rs", &source("number * 2", triple, tests));
    made.commit("Fix doubles");
    // What lies in the work tree would end each build: another workspace, and a toolchain that is not there.
    made.0.edit("Cargo.toml", "[lib]", "[workspace]\nmembers = [\"other\"]\n[lib]");
    made.0.write("rust-toolchain.toml", "[toolchain]\nchannel = \"1.0.1\"\n");
    std::fs::create_dir_all(made.0.path("other")).expect("a folder");
    made.commit("Go on");
    let (status, answer, errors) = made.0.json(&["history"]);
    assert_eq!((status, bugs(&answer)), (0, Some(1)), "{errors}");
    let found = &answer["bugs"][0];
    assert_eq!(
        (&found["tests"], &found["left_out"]),
        (&serde_json::json!(["first of_two"]), &serde_json::json!(["of_one"])),
        "{answer:#}"
    );
    // The parent with these tests is laid out as it was tried.
    let id = found["id"].as_str().expect("a name");
    assert!(made.0.run(&["history", "checkout", id, "pre"]).status.success());
    let laid = made.0.read("pre/src/lib.rs");
    assert!(laid.contains("number + 3") && laid.contains("fn of_two") && !laid.contains("triple"), "{laid}");
}
