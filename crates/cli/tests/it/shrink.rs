//! `shrink`: the smallest input that fails the same way, and one message where there is none.

use std::os::unix::fs::PermissionsExt;

use crate::support::project::{Project, WHYDUNIT, assert_one_message, names, notes};
use serde_json::{Value, json};

/// A project around a subject, with these cases.
fn subject(name: &str, cases: &[Value]) -> Project {
    let (project, file) = (Project::new(), format!("{name}.c"));
    project.copy(&format!("shrink/{file}"));
    let cases: Vec<String> = cases.iter().map(ToString::to_string).collect();
    project.write("cases.jsonl", &cases.join("\n"));
    let config = format!("[build]\nsources = [\"{file}\"]\n[tests]\ncases = \"cases.jsonl\"\ntimeout = \"5s\"\n");
    project.write("whydunit.toml", &config);
    project
}

/// Lines of records, with these in between.
fn records(between: &[(usize, &str)]) -> String {
    let line = |n: usize| match between.iter().find(|(at, _)| *at == n) {
        Some((_, text)) => format!("{text}\n"),
        None => format!("name{n} = {} # of section {}\n", n * 7 % 90, n / 10),
    };
    (0..120).map(line).collect()
}

fn shrunk(project: &Project, args: &[&str]) -> Value {
    let mut all = vec!["shrink"];
    all.extend(args);
    let (status, answer, errors) = project.json(&all);
    assert_eq!(status, 0, "{errors} {answer:#}");
    answer["shrunk"].clone()
}

fn refused(project: &Project, args: &[&str], status: i32, words: &[&str]) {
    let mut all = vec!["shrink"];
    all.extend(args);
    let (got, _, errors) = project.json(&all);
    assert_eq!(got, status, "{errors}");
    assert_one_message(&errors, words);
}

/// A file that can be run.
fn script(project: &Project, name: &str, text: &str) {
    project.write(name, text);
    std::fs::set_permissions(project.path(name), PermissionsExt::from_mode(0o755)).expect("a mode");
}

#[test]
fn a_crash_on_a_line_of_standard_input() {
    let stdin = records(&[(77, "limit_of_section = 5117 # too many")]);
    let project = subject("records", &[json!({ "name": "crash", "args": ["-q"], "stdin": stdin, "stdout": "" })]);
    let answer = shrunk(&project, &["crash"]);
    assert_eq!(answer["case"], json!({ "name": "crash-small", "stdin": "=5117" }), "{answer:#}");
    assert!(answer["failure"].as_str().expect("a text").contains("SIGSEGV"), "{answer:#}");
    assert_eq!(answer["parts"][0]["before"]["lines"], 120);
    assert_eq!(answer["parts"][1]["after"], Value::Null);
    // The same is kept, as a suite of one case.
    let line = project.read(".whydunit/shrunk/crash/case.jsonl");
    assert_eq!(serde_json::from_str::<Value>(&line).expect("a line of JSON"), answer["case"]);
    assert_eq!(project.read(".whydunit/shrunk/crash/stdin"), "=5117");
    assert_eq!(names(project.folder()), [".whydunit", "cases.jsonl", "records.c", "whydunit.toml"]);
    project.assert_clean();
}

#[test]
fn the_same_assertion_and_no_other_death() {
    // Without the first line the last one would fail by a signal of its own.
    let stdin = records(&[(3, "open inner"), (50, "close it"), (80, "close the outer one"), (90, "n = 5000")]);
    let files = json!({ "in.txt": stdin, "more.txt": "a = 1\n" });
    let case = json!({ "name": "twice", "args": ["-q", "more.txt", "in.txt"], "files": files, "status": 0 });
    let answer = shrunk(&subject("records", &[case]), &["twice", "--jobs", "3"]);
    let expected = json!({ "name": "twice-small", "args": ["in.txt"], "files": { "in.txt": "close" }, "status": 0 });
    assert_eq!(answer["case"], expected, "{answer:#}");
    assert!(answer["failure"].as_str().expect("a text").contains("a section is open"), "{answer:#}");
}

#[test]
fn arguments_and_numbers_in_them() {
    let case = json!({ "name": "deep", "args": ["-d", "5123", "-q", "in.txt"], "files": { "in.txt": "open\n" } });
    let answer = shrunk(&subject("records", &[case]), &["deep"]);
    let args = answer["case"]["args"].as_array().expect("arguments");
    assert_eq!((args.len(), &args[0], &args[2]), (3, &json!("-d"), &json!("-q")), "{answer:#}");
    let depth: u32 = args[1].as_str().expect("a text").parse().expect("a number");
    assert!((51..=100).contains(&depth), "{answer:#}");
    assert_eq!(answer["case"]["files"], Value::Null);
}

#[test]
fn a_status_with_its_message_and_what_is_kept() {
    let stdin = records(&[(9, "way = exit now"), (40, "? what")]);
    let case = json!({ "name": "status", "args": ["-d", "1"], "stdin": stdin, "status": 0 });
    let project = subject("records", &[case]);
    // `? what` ends with the same status and says something else.
    let answer = shrunk(&project, &["status", "--keep", "args", "-o", "small.jsonl"]);
    assert_eq!(answer["case"]["args"], json!(["-d", "1"]));
    let mut letters: Vec<char> = answer["case"]["stdin"].as_str().expect("a text").chars().collect();
    letters.sort();
    assert_eq!(letters, ['=', 'e', 'i', 't', 'x'], "{answer:#}");
    assert_eq!(serde_json::from_str::<Value>(&project.read("small.jsonl")).expect("a line"), answer["case"]);
    let lines = shrunk(&project, &["status", "--lines"]);
    assert_eq!(lines["case"]["stdin"], "way = exit now\n");
}

#[test]
fn inputs_that_hang_are_other_failures() {
    let stdin = records(&[(5, "waiter = 4001 wait"), (6, "wait = 1"), (2, "top = 4321")]);
    let case = json!({ "name": "hangs", "args": ["-q"], "stdin": stdin });
    let project = subject("records", &[json!({ "name": "slow", "stdin": "a = wait\n" }), case]);
    assert_eq!(shrunk(&project, &["hangs"])["case"]["stdin"].as_str().map(|text| text.len()), Some(5));
    // A time limit is a failure like others.
    project.edit("whydunit.toml", "5s", "300ms");
    let mut letters: Vec<char> =
        shrunk(&project, &["slow"])["case"]["stdin"].as_str().expect("a text").chars().collect();
    letters.sort();
    assert_eq!(letters, ['=', 'a', 'i', 't', 'w']);
    project.assert_clean();
}

#[test]
fn the_time_limit_leaves_the_smallest_so_far() {
    let (project, stdin) = stops_at_half(":");
    let args = ["shrink", "slow", "--script", "still.sh", "--jobs", "1", "--time-limit", "10"];
    let (status, answer, errors) = project.json(&args);
    assert_eq!((status, &answer["partial"]), (5, &json!(true)), "{errors}");
    assert_half(&project, &answer, &stdin);
}

#[test]
fn a_script_judges_what_is_printed() {
    let stdin = records(&[(11, "open"), (60, "odd = 1")]);
    let case = json!({ "name": "prints", "stdin": stdin, "stdout": "wrong\n", "status": 0 });
    let project = subject("records", &[case]);
    refused(&project, &["prints"], 2, &["only by what it prints", "--script", "125"]);
    // Each run has the candidate's input, and knows the program.
    script(
        &project,
        "still.sh",
        "#!/bin/sh\ncat > in\ngrep -q odd in && \"$WHYDUNIT_PROGRAM\" < in | grep -q '^[1-9]'\n",
    );
    let (status, answer, errors) = project.json(&["shrink", "prints", "--script", "./still.sh"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(answer["shrunk"]["case"], json!({ "name": "prints-small", "stdin": "odd", "status": 0 }));
    assert!(notes(&answer).contains("`stdout` is left out"), "{answer:#}");
    assert_eq!(answer["shrunk"]["failure"], "still.sh says that it fails");
}

#[test]
fn a_file_on_its_own_with_a_script() {
    let project = Project::new();
    let text: String = (0..40).map(|n| format!("fn f{n}(a) {{\n  call({n}, [a, \"x{n}\"]);\n}}\n")).collect();
    project.write("in.txt", &text);
    script(&project, "still.sh", "#!/bin/sh\ngrep -q 'call(' \"$1\" && grep -q x17 \"$1\" || exit 1\n");
    let answer = shrunk(&project, &["--script", "still.sh", "in.txt", "-o", "small.txt"]);
    assert_eq!(project.read("small.txt").len(), "call(x17".len(), "{answer:#}");
    assert_eq!(answer["text"], project.read("small.txt"));
    assert_eq!(answer["case"], Value::Null);
    // Without a place for it, it is kept aside; the file itself stays.
    shrunk(&project, &["--script", "still.sh", "in.txt", "--lines"]);
    assert_eq!(project.read(".whydunit/shrunk/in.txt/in.txt").lines().count(), 1);
    assert_eq!((project.read("in.txt") == text, project.read(".whydunit/.gitignore")), (true, "*\n".to_string()));
}

#[test]
fn bytes_that_are_no_text_are_kept_in_files() {
    let project = Project::new();
    let text = [b"many\xff\xfe things\n".repeat(9), b"\xc3(\x80".to_vec()].concat();
    std::fs::write(project.path("in.bin"), text).expect("a file");
    script(&project, "still.sh", "#!/bin/sh\nLC_ALL=C grep -aq \"$(printf '\\303')\" \"$1\"\n");
    let answer = shrunk(&project, &["--script", "still.sh", "in.bin"]);
    assert_eq!(answer["text"], Value::Null);
    assert_eq!(std::fs::read(project.path(".whydunit/shrunk/in.bin/in.bin")).expect("a file"), b"\xc3");
}

#[test]
fn the_answer_does_not_depend_on_how_many_run_at_a_time() {
    let stdin = records(&[(3, "x = 4100"), (8, "open"), (30, "y = 9000"), (31, "close"), (90, "z = 77777")]);
    let project = subject("records", &[json!({ "name": "many", "stdin": stdin })]);
    let one = shrunk(&project, &["many", "--jobs", "1"]);
    for jobs in ["2", "5"] {
        assert_eq!(shrunk(&project, &["many", "--jobs", jobs])["case"], one["case"]);
    }
}

#[test]
fn text_and_markdown_say_how_much_smaller() {
    let stdin = records(&[(77, "n = 5117")]);
    let project = subject("records", &[json!({ "name": "crash", "stdin": stdin })]);
    let said = |args: &[&str]| String::from_utf8(project.run(args).stdout).expect("it is text");
    let text = said(&["shrink", "crash"]);
    for part in ["in 120 lines -> 5 bytes in 1 line", "SIGSEGV", "spared", "\"stdin\":\"=", ".whydunit/shrunk/crash"] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    assert!(said(&["shrink", "crash", "--format", "markdown"]).starts_with("## whydunit shrink\n\n```text\n"));
}

#[test]
fn what_does_not_always_fail_is_refused() {
    let project = Project::new();
    let state = project.path("state").display().to_string();
    project.copy("shrink/unsteady.c");
    let case = json!({ "name": "unsteady", "stdin": "a\nb\n", "env": { "STATE": state } });
    project.write("cases.jsonl", &case.to_string());
    project.write("whydunit.toml", "[build]\nsources = [\"unsteady.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    refused(&project, &["unsteady"], 4, &["flaky", "of 3 runs", "--script"]);
}

#[test]
fn what_cannot_be_made_smaller_is_one_message() {
    let cases = [
        json!({ "name": "good", "stdin": "a = 1\n", "stdout": "1 records\n", "status": 0 }),
        json!({ "name": "bad", "args": ["none.txt"], "status": 0 }),
    ];
    let project = subject("records", &cases);
    refused(&project, &["good"], 4, &["good passes", "whydunit test"]);
    refused(&project, &["god"], 2, &["unknown test `god`", "did you mean `good`"]);
    refused(&project, &["bad", "--keep", "in.txt"], 2, &["`in.txt` is no part of bad", "args, stdin, files"]);
    refused(&project, &["records.c"], 2, &["unknown test `records.c`", "--script"]);
    refused(&project, &["bad", "-o", "none/small"], 2, &["none/small"]);
    project.write("still.sh", "#!/bin/sh\nexit 1\n");
    refused(&project, &["bad", "--script", "still.sh"], 2, &["not executable", "chmod +x"]);
    refused(&project, &["bad", "--script", "gone.sh"], 2, &["gone.sh", "No such file"]);
    script(&project, "still.sh", "#!/bin/sh\necho no such thing >&2\nexit 1\n");
    refused(
        &project,
        &["bad", "--script", "still.sh"],
        2,
        &["does not see the failure", "exit status 1 (no such thing)"],
    );
    script(&project, "still.sh", "#!/no/such/shell\n");
    refused(&project, &["bad", "--script", "still.sh"], 2, &["cannot start"]);
    // A suite whose tests have no input of their own.
    project.write(
        "whydunit.toml",
        "[build]\nsources = [\"records.c\"]\n[tests]\nkind = \"script\"\ncommand = \"exit 1\"\n",
    );
    refused(&project, &["exit 1"], 2, &["no case", "--script SCRIPT FILE"]);
}

/// A case, and a script that lets half of its input go and then does this at every call.
fn stops_at_half(then: &str) -> (Project, String) {
    let stdin = records(&[(70, "a = odd")]);
    let project = subject("records", &[json!({ "name": "slow", "stdin": stdin, "stdout": "wrong\n" })]);
    let (built, _, errors) = project.json(&["build"]);
    assert_eq!(built, 0, "{errors}");
    let (mark, half) = (project.path("half").display().to_string(), stdin.len() / 2);
    let then = then.replace("{pid}", &project.path("pid").display().to_string());
    let text = format!(
        "#!/bin/sh\ncat > in\n[ -e {mark} ] && {{ {then}; sleep 60; }}\ngrep -q odd in || exit 1\n\
         [ $(wc -c < in) -gt {half} ] || : > {mark}\n"
    );
    script(&project, "still.sh", &text);
    (project, stdin)
}

fn assert_half(project: &Project, answer: &Value, stdin: &str) {
    let text = answer["shrunk"]["case"]["stdin"].as_str().expect("a text");
    assert!(text.contains("odd") && text.len() <= stdin.len() / 2, "{text}");
    project.assert_clean();
}

#[test]
fn an_interrupt_leaves_the_smallest_so_far() {
    let (project, stdin) = stops_at_half("kill -INT $(cat {pid})");
    let mut command = project.bare_command("sh");
    command.args([
        "-c",
        "echo $$ > pid; exec env --default-signal=INT \"$@\"",
        "sh",
        WHYDUNIT,
        "shrink",
        "slow",
        "--format",
        "json",
    ]);
    let output = command.args(["--script", "still.sh", "--jobs", "1"]).output().expect("it runs");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
    assert_half(&project, &answer, &stdin);
    assert_one_message(&String::from_utf8_lossy(&output.stderr), &["interrupted", "smallest"]);
}
