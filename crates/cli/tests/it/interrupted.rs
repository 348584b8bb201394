//! Commands that are interrupted in the middle of something long: they end soon, say so, and leave nothing half done.

use std::process::{Child, Command, Stdio};

use crate::support::project::{Project, WHYDUNIT, answer, assert_one_message, names};

/// Starts a command of ours, and waits until it would take a SIGTERM as a wish.
fn start(project: &Project, args: &[&str]) -> Child {
    let mut command = project.bare_command("env");
    command.args(["--default-signal=INT,TERM,HUP", WHYDUNIT, "--format", "json"]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("whydunit starts");
    let status = format!("/proc/{}/status", child.id());
    let listens = || {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        caught >> (SIGTERM - 1) & 1 == 1
    };
    while !listens() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

/// The number of SIGTERM on Linux.
const SIGTERM: u32 = 15;

fn terminate(child: Child) -> (i32, serde_json::Value, String) {
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    answer(&child.wait_with_output().expect("it ends"))
}

#[test]
fn a_long_replay_ends_soon() {
    let project = Project::new();
    // Its replay takes far longer than anybody waits here.
    project.write("a.c", "int main(void) { volatile unsigned n = 0; while (n < 1500000000u) n++; return n == 0; }\n");
    assert_eq!(project.json(&["build", "--", "cc", "-g", "-O1", "-o", "a", "a.c"]).0, 0);
    assert_eq!(project.json(&["record", "--", "./a"]).0, 0);
    let before = names(project.folder());
    let (status, answered, errors) = terminate(start(&project, &["replay"]));
    assert_eq!(status, 5, "{errors}");
    assert!(answered.is_null(), "{answered}");
    assert_one_message(&errors, &["interrupted", "what to do: run the command again"]);
    assert_eq!(names(project.folder()), before);
    project.assert_clean();
}

#[test]
fn a_build_ends_soon_with_all_that_it_started() {
    let project = Project::new();
    project.write("build.sh", "sleep 600 & touch begun; wait\n");
    let child = start(&project, &["build", "--", "sh", "build.sh"]);
    while !project.path("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let (status, answered, errors) = terminate(child);
    assert_eq!(status, 5, "{errors}");
    assert!(answered.is_null(), "{answered}");
    assert_one_message(&errors, &["interrupted", "what to do: run the command again"]);
    assert_eq!(project.living(), [""; 0]);
}

#[test]
fn an_answer_that_never_comes_leaves_its_file_as_it_was() {
    let project = Project::new();
    project.write("build.sh", "touch begun; sleep 600\n");
    project.write("whydunit.toml", "[build]\ncommand = \"sh build.sh\"\n[tests]\ncases = \"cases.jsonl\"\n");
    project.write("cases.jsonl", "{\"name\":\"a\",\"stdout\":\"\"}\n");
    project.write("answer", "old");
    let child = start(&project, &["locate", "-o", "answer"]);
    while !project.path("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let (status, _, errors) = terminate(child);
    assert_eq!(status, 5, "{errors}");
    assert_eq!(std::fs::read_to_string(project.path("answer")).expect("a file"), "old");
    let left: Vec<String> = names(project.folder()).into_iter().filter(|name| name.starts_with(".whydunit-")).collect();
    assert_eq!(left, [""; 0]);
}
