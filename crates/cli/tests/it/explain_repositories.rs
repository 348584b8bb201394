//! `whydunit explain` in repositories as people have them: nothing of git's is touched, whatever comes of it.

use crate::support::regression;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::git::{commit_all, git, state};
use crate::support::project::{Project, WHYDUNIT, answer, assert_one_message, notes};
use serde_json::Value;

/// A repository with the good version of a subject in its first commit and the bad one in its second; the project goes with it.
fn repository(name: &str) -> (Project, PathBuf) {
    let project = Project::new();
    let (good, bad) = regression::lay_out(&project, name);
    git(&good, &["init", "-q"]);
    std::fs::write(good.join(".gitignore"), ".whydunit/\n").expect("written");
    commit_all(&good, "good");
    copied(&bad, &good);
    commit_all(&good, "bad");
    (project, good)
}

/// The files of a folder, into another one.
fn copied(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-r").arg(from.join(".")).arg(to).status().expect("cp starts");
    assert!(status.success());
}

fn explain(project: &Path, args: &[&str]) -> (i32, Value, String) {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=10", "300", WHYDUNIT, "explain", "--format", "json"]).args(args);
    answer(&command.current_dir(project).output().expect("it runs"))
}

fn files(changes: &Value) -> Vec<&str> {
    let changes = changes.as_array().expect("changes");
    changes.iter().map(|change| change["file"].as_str().expect("a file")).collect()
}

/// A stash, an index that is ahead of the commit, a worktree that is ahead of the index and a file that git does not know: all of
/// it is part of what is explained or of no account, and stays as it is to the byte, what git itself keeps included.
#[test]
fn a_dirty_repository_stays_as_it_is_to_the_byte() {
    let (_project, project) = repository("sums");
    let text = std::fs::read_to_string(project.join("sums.c")).expect("a source");
    let write = |text: &str| std::fs::write(project.join("sums.c"), text).expect("written");
    write(&format!("{text}/* put away */\n"));
    git(&project, &["stash", "push", "-q"]);
    write(&format!("{text}/* in the index */\n"));
    git(&project, &["add", "-A"]);
    write(&format!("{text}/* in the index */\n/* in the file */\n"));
    std::fs::write(project.join("notes.txt"), "not known to git\n").expect("written");
    let before = state(&project);
    let (status, found, told) = explain(&project, &["--good", "HEAD~1"]);
    assert_eq!((status, files(&found["root"])), (1, vec!["sums.c"; 2]), "{told}");
    assert!(state(&project) == before);
}

/// Two histories that have nothing in common: said, with what to do.
#[test]
fn revisions_without_a_common_ancestor() {
    let (_project, project) = repository("sums");
    git(&project, &["checkout", "-q", "--orphan", "apart"]);
    commit_all(&project, "another beginning");
    let before = state(&project);
    let (status, _, told) = explain(&project, &["--good", "main~1"]);
    assert_eq!(status, 2, "{told}");
    assert_one_message(&told, &["main~1", "no common", "what to do", "two folders"]);
    assert!(state(&project) == before);
}

/// A program made of a file that the build makes of another: the other is at fault, and what is made of it is no change.
#[test]
fn a_generated_file_is_no_change() {
    let (_project, project) = repository("sums");
    let make = "sums: sums.c limit.h\n\tcc -g -o sums sums.c\nlimit.h: limit.txt\n\tsed 's/^/#define LIMIT /' limit.txt > limit.h\n";
    let told = std::fs::read_to_string(project.join("whydunit.toml")).expect("a configuration");
    let suite = told.split_once("[tests]").expect("tests").1;
    let built = format!("[build]\ncommand = \"make\"\nexecutable = \"./sums\"\n[tests]{suite}");
    let source = "#include <stdio.h>\n#include \"limit.h\"\nint main(void) { puts(LIMIT > 3 ? \"more\" : \"less\"); return 0; }\n";
    let case = "{\"name\": \"limit\", \"stdout\": \"less\\n\"}\n";
    for (name, text) in [
        ("Makefile", make),
        ("whydunit.toml", &built),
        ("sums.c", source),
        ("cases.jsonl", case),
        ("limit.txt", "3\n"),
        (".gitignore", ".whydunit/\nsums\nlimit.h\n"),
    ] {
        std::fs::write(project.join(name), text).expect("written");
    }
    commit_all(&project, "a limit");
    std::fs::write(project.join("limit.txt"), "4\n").expect("written");
    // What a build of the good version has left, newer than all it is made of.
    std::fs::write(project.join("limit.h"), "#define LIMIT 3\n").expect("written");
    let before = state(&project);
    let (status, found, told) = explain(&project, &["--good", "HEAD"]);
    assert_eq!((status, &found["changes"], files(&found["root"])), (1, &1.into(), vec!["limit.txt"]), "{told}");
    assert!(state(&project) == before);
    assert_eq!(std::fs::read_to_string(project.join("limit.h")).expect("a file"), "#define LIMIT 3\n");
}

/// Thousands of files that no program is made of, and one of them changed: laid out once for each version, and of no account.
#[test]
fn a_repository_with_thousands_of_files() {
    let (_project, project) = repository("sums");
    let back = |revision: &str| git(&project, &["checkout", "-q", revision, "--", "sums.c"]);
    back("HEAD~1");
    for folder in 0..60 {
        let folder = project.join(format!("data/{folder}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        for file in 0..100 {
            std::fs::write(folder.join(format!("{file}.txt")), format!("{file}\n").repeat(200)).expect("written");
        }
    }
    commit_all(&project, "much data");
    back("main~1");
    std::fs::write(project.join("data/7/7.txt"), "other\n").expect("written");
    commit_all(&project, "bad again");
    let before = state(&project);
    let (status, found, told) = explain(&project, &["--good", "HEAD~1"]);
    assert_eq!((status, files(&found["root"])), (1, vec!["sums.c"; 2]), "{told}");
    assert!(state(&project) == before);
}

/// A run that was interrupted goes on where it was: what is known of versions is not built again.
#[test]
fn an_interrupted_run_goes_on() {
    let (_project, project) = repository("fold-words");
    let before = state(&project);
    let args = ["explain", "--format", "json", "--good", "HEAD~1", "--method", "dd"];
    // In the background of a shell interrupts are ignored, and whydunit would ignore them as well.
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", WHYDUNIT]).args(args).current_dir(&project);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let verdicts = project.join(".whydunit/explain/verdicts");
    let known = || std::fs::read_to_string(&verdicts).map_or(0, |text| text.lines().count());
    let started = Instant::now();
    while known() < 4 && started.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(interrupted.success());
    let output = child.wait_with_output().expect("it ends");
    let (status, known, told) = answer(&output);
    assert_eq!((status, &known["partial"], &known["reduced"]), (5, &true.into(), &false.into()), "{told}");
    assert!(notes(&known).contains("interrupted: with "), "{known:#}");
    assert!(state(&project) == before);
    let (status, found, told) = explain(&project, &args[3..]);
    let (saved, root) = (found["saved_builds"].as_u64().expect("a number"), files(&found["root"]));
    assert_eq!((status, root, saved >= 4), (1, vec!["words.txt"], true), "{saved}: {told}");
    assert!(state(&project) == before);
}
