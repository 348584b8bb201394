//! The command line as a user meets it: help, mistakes, exit statuses.

use std::path::Path;
use std::process::{Command, Output};

use whydunit::Exit;

fn whydunit(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_whydunit"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("WHYDUNIT_STORE")
        .output()
        .expect("whydunit runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are text")
}

#[track_caller]
fn check(arguments: &[&str], exit: Exit, words: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = whydunit(folder.path(), arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(exit.code().into()), "{arguments:?}: {message}");
    for word in words {
        assert!(message.contains(word), "{arguments:?}: `{word}` is not in: {message}");
    }
    assert!(output.stdout.is_empty(), "{arguments:?} printed an answer");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "{arguments:?} left something behind");
}

#[test]
fn a_mistake_in_the_command_line_is_said_and_ends_with_2() {
    check(&[], Exit::Usage, &["Usage: whydunit"]);
    check(&["loacte"], Exit::Usage, &["loacte", "locate"]);
    check(&["locate", "--method", "best"], Exit::Usage, &["best", "ochiai"]);
    check(&["why", "n", "at", "a.c"], Exit::Usage, &["FILE:LINE"]);
    check(&["why", "n", "in", "a.c:3"], Exit::Usage, &["in", "at"]);
    check(&["record"], Exit::Usage, &["TEST"]);
    check(&["record", "tall", "--", "./tool"], Exit::Usage, &["cannot be used with"]);
    check(&["test", "--jobs", "0"], Exit::Usage, &["--jobs"]);
    check(&["--format", "xml", "test"], Exit::Usage, &["xml", "json"]);
}

#[test]
fn a_project_that_is_not_there_is_named() {
    check(&["test", "--project", "gone"], Exit::Usage, &["error: ", "where: gone", "what to do: "]);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("a file");
    let output = whydunit(folder.path(), &["test", "--project", "file"]);
    assert_eq!(output.status.code(), Some(Exit::Usage.code().into()));
    assert!(stderr(&output).contains("no folder"), "{}", stderr(&output));
}

#[test]
fn help_and_version_are_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&["--help"][..], &["help", "locate"], &["--version"]] {
        let output = whydunit(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", stderr(&output));
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_went_away_is_no_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "\"$0\" --help | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}";
    let output = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_whydunit")])
        .current_dir(folder.path())
        .output()
        .expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n");
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
}
