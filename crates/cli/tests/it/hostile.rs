//! Programs and surroundings that mean harm, as tests of a suite and while they are recorded. Whatever they do: the
//! answer is there with the right status, the recording goes up to the end that the run had, and nothing is left behind.

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::project::{Project, WHYDUNIT, answer, assert_one_message, notes};
use serde_json::Value;

/// The subject with limits: what hangs comes to the first soon, what does not has time enough.
fn subject(time_limit: &str) -> Project {
    let project = Project::of("hostile");
    project.edit("whydunit.toml", "timeout   = \"10s\"", &format!("timeout = \"{time_limit}\""));
    project
}

fn outcomes(answer: &Value) -> Vec<(&str, &str)> {
    let tests = answer["tests"].as_array().expect("tests");
    tests.iter().map(|test| (test["name"].as_str().unwrap_or(""), test["outcome"].as_str().unwrap_or(""))).collect()
}

#[test]
fn a_suite_of_them_ends_with_their_outcomes() {
    let project = subject("5s");
    let (status, tested, errors) = project.json(&["test"]);
    assert_eq!(status, 1, "{errors}");
    let expected = [
        ("behaves", "pass"),
        ("hang", "timeout"),
        ("stubborn", "timeout"),
        ("flood", "fail"),
        ("forks", "fail"),
        ("lingering", "pass"),
        ("closed", "pass"),
        ("unhoused", "pass"),
        ("untracked", "pass"),
    ];
    assert_eq!(outcomes(&tested), expected, "{errors}");
    let reason = |number: usize| tested["tests"][number]["reason"].as_str().unwrap_or("");
    assert!(reason(1).contains("time limit") && reason(3).contains("output limit"), "{tested}");
    assert!(reason(4).contains("processes than the limit"), "{tested}");
    assert!(notes(&tested).contains("lingering: a process that it started outlived it"), "{tested}");
    project.assert_clean();
}

/// Records the case `name`; its outcome and the recordings, each of which is replayed without divergence to `end`.
fn record(project: &Project, name: &str, end: &str) -> (String, Vec<Value>) {
    let (status, recorded, errors) = project.json(&["record", name]);
    assert_eq!(status, 0, "{name}: {errors}");
    project.assert_clean();
    let recordings = recorded["recordings"].as_array().expect("recordings").clone();
    assert!(!recordings.is_empty(), "{name}: {recorded}");
    for recording in &recordings {
        let path = recording["path"].as_str().expect("a path");
        let (status, replayed, errors) = project.json(&["replay", path]);
        assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{path}: {replayed} {errors}");
        assert!(!notes(&replayed).contains("differs"), "{path}: {replayed}");
    }
    let (_, first, _) = project.json(&["replay", name]);
    assert!(first["end"].as_str().is_some_and(|text| text.contains(end)), "{name}: {first}");
    (recorded["tests"][0]["outcome"].as_str().unwrap_or("").to_owned(), recordings)
}

/// The failure that `show` tells.
fn failure(project: &Project, name: &str) -> Value {
    let (status, shown, errors) = project.json(&["show", name]);
    assert_eq!(status, 0, "{name}: {errors}");
    shown["failure"].clone()
}

#[test]
fn what_a_limit_ends_is_recorded_up_to_there() {
    let project = subject("5s");
    let stopped = [
        ("hang", "timeout", "time limit", "limits.c"),
        ("stubborn", "timeout", "time limit", "limits.c"),
        ("flood", "fail", "output limit", "limits.c"),
        ("forks", "fail", "processes than the limit", "processes.c"),
    ];
    for (name, outcome, limit, file) in stopped {
        let (got, recordings) = record(&project, name, "was killed");
        assert_eq!(got, outcome, "{name}");
        assert!(name != "forks" || recordings.len() > 1, "the children, too: {recordings:?}");
        let failure = failure(&project, name);
        assert!(failure["message"].as_str().is_some_and(|text| text.contains(limit)), "{name}: {failure}");
        assert_eq!(failure["location"]["file"], file, "{name}: {failure}");
        let (_, replayed, _) = project.json(&["replay", name]);
        assert!(notes(&replayed).contains(limit), "{name}: {replayed}");
    }
}

#[test]
fn what_spoils_its_surroundings_is_recorded_all_the_same() {
    let project = subject("60s");
    for (name, end, processes) in
        [("closed", "exited with 4", 1), ("unhoused", "exited with 0", 1), ("lingering", "exited with 0", 2)]
    {
        let (outcome, recordings) = record(&project, name, end);
        assert_eq!((outcome.as_str(), recordings.len()), ("pass", processes), "{name}");
        assert_eq!(failure(&project, name), Value::Null, "a test that passes has no failure");
    }
    // Only the log itself must stay.
    let (status, _, errors) = project.json(&["record", "untracked"]);
    assert_eq!(status, 2, "{errors}");
    assert_one_message(&errors, &["nothing was recorded", "`untracked`", "its log was removed", "record again"]);
    project.assert_clean();
}

/// Checks a recording that stopped early, of a run that went on to its own end.
fn check_incomplete(project: &Project, output: &Output, name: &str, reason: &str) {
    let (status, recorded, errors) = answer(output);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(recorded["recordings"][0]["end"], "exited with 3", "{recorded}");
    assert_eq!(recorded["recordings"].as_array().map(Vec::len), Some(1));
    let note = notes(&recorded);
    assert!(note.contains("stopped before the run did") && note.contains(reason), "{recorded}");
    assert!(note.contains("free some space, or allow larger files, and record again"), "{recorded}");
    let (status, replayed, errors) = project.json(&["replay", name]);
    assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{errors}");
    let end = replayed["end"].as_str().unwrap_or("");
    assert!(end.contains("the recording ends") && end.contains(reason), "{replayed}");
    assert!(notes(&replayed).contains(reason) && !notes(&replayed).contains("differs"), "{replayed}");
    let (status, shown, errors) = project.json(&["show", name]);
    assert_eq!((status, &shown["failure"]), (0, &Value::Null), "{errors}");
}

/// What the subject prints, wherever that goes.
fn assert_whole_output(errors: &[u8]) {
    let text = String::from_utf8_lossy(errors);
    let counts: Vec<u32> = text.lines().filter_map(|line| line.split_once(": ")?.1.parse().ok()).collect();
    assert_eq!((counts.len(), counts.iter().sum()), (6, 40000), "{text}");
}

const RECORD: &[&str] = &["--format", "json", "record", "--", "./rogue", "tally", "40000"];

#[test]
fn a_log_that_may_not_grow_stops_and_the_program_goes_on() {
    let project = subject("60s");
    let reason = "the limit on file sizes";
    // The limit of a test: 100 KiB are the first file of a log, and no second one.
    project.edit("whydunit.toml", "[tests]", "[tests]\nfile_size = \"100KiB\"");
    project.write("cases.jsonl", r#"{"name": "long", "args": ["tally", "40000"], "status": 3}"#);
    let output = project.run(&["--format", "json", "record", "long"]);
    assert_eq!(outcomes(&answer(&output).1), [("long", "pass")]);
    check_incomplete(&project, &output, "long", reason);
    // That of the caller, who is under it as well.
    let limited = |blocks: u32, more: &str| {
        let script = format!("ulimit -f {blocks}; exec \"$@\"");
        let mut command = project.command("sh");
        command.args(["-c", &script, "sh", WHYDUNIT]).args(RECORD);
        command.args((!more.is_empty()).then_some(more)).output().expect("sh starts")
    };
    let output = limited(200, "");
    check_incomplete(&project, &output, "rogue", reason);
    assert_whole_output(&output.stderr);
    project.assert_clean();
    let before = std::fs::read(project.path(".whydunit/recordings/rogue.rec")).expect("the recording");

    // The log fits, the recording does not: it has the arguments as well, and these do not pack.
    let mut state = 7u64;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        char::from(b'0' + (state >> 33) as u8 % 75)
    });
    let output = limited(140, &noise.take(60_000).collect::<String>());
    let (status, recorded, errors) = answer(&output);
    assert_eq!((status, &recorded["recordings"]), (2, &Value::Array(Vec::new())), "{errors}");
    assert!(errors.contains("error: the run went through, but nothing of it could be kept"), "{errors}");
    assert!(errors.contains(".whydunit/recordings") && errors.contains("what to do: free some space"), "{errors}");
    assert!(notes(&recorded).contains("File too large"), "{recorded}");
    assert_whole_output(&output.stderr);
    project.assert_clean();
    let after = std::fs::read(project.path(".whydunit/recordings/rogue.rec")).expect("the recording");
    assert!(before == after, "the earlier recording stays");
}

/// Runs a command with a disk of its own of that size in place of a folder of the store, in a name space of its own.
fn on_disk(project: &Project, folder: &str, size: &str, command: &[&str]) -> Output {
    let script = format!("mount -t tmpfs -o size={size} none .whydunit/{folder} && exec \"$@\"");
    let mut unshare = project.command("unshare");
    unshare.args(["--map-root-user", "--mount", "sh", "-c", &script, "sh"]).args(command);
    unshare.output().expect("timeout starts")
}

#[expect(clippy::print_stderr, reason = "what was not tested is told")]
fn may_mount(project: &Project) -> bool {
    let may = on_disk(project, "tmp", "64k", &["true"]).status.success();
    if !may {
        eprintln!("not tested: nobody may mount a disk here, not even in a name space of his own");
    }
    may
}

#[test]
fn a_ranking_without_room_for_what_tests_execute_says_so() {
    let project = subject("60s");
    let case =
        |name: &str, status: i32| format!("{{\"name\": \"{name}\", \"args\": [\"tally\"], \"status\": {status}}}\n");
    project.write("cases.jsonl", &[case("right", 3), case("wrong", 0), case("fine", 3)].concat());
    let (status, whole, errors) = project.json(&["locate"]);
    assert_eq!((status, notes(&whole).as_str()), (1, ""), "{errors}");
    if !may_mount(&project) {
        return;
    }
    let output = on_disk(&project, "tmp", "100k", &[WHYDUNIT, "--format", "json", "locate", "--jobs", "1"]);
    let (status, part, errors) = answer(&output);
    assert_eq!(status, 2, "{errors}");
    assert_one_message(&errors, &["left out", "is not known", "fine", "what to do", "the disk is not full"]);
    assert_eq!(outcomes(&part), outcomes(&whole), "the tests themselves ran");
    assert!(notes(&part).contains("left out") && notes(&part).contains("fine"), "{part}");
    project.assert_clean();
}

#[test]
fn a_full_disk_stops_the_recording_and_the_program_goes_on() {
    let project = subject("60s");
    assert_eq!(project.json(&["record", "behaves"]).0, 0);
    if !may_mount(&project) {
        return;
    }
    let record: Vec<&str> = [&[WHYDUNIT][..], RECORD].concat();
    // Room for the start of the log; for none of it.
    for (size, replayed) in [("600k", true), ("40k", false)] {
        let output = on_disk(&project, "tmp", size, &record);
        check_incomplete(&project, &output, "rogue", "the disk is full");
        assert_whole_output(&output.stderr);
        let (_, answer, _) = project.json(&["replay", "rogue"]);
        assert_eq!(answer["stats"]["instructions"].as_u64() > Some(100_000), replayed, "{answer}");
        project.assert_clean();
    }
    // For nothing at all.
    let output = on_disk(&project, "tmp", "4k", &record);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("error: nothing was recorded") && errors.contains("the disk is full); see that"),
        "{errors}"
    );
    assert_whole_output(&output.stderr);
    // The log has room, its recording has not.
    let kept = project.recordings();
    let script = "\"$@\"; status=$?; ls -A .whydunit/recordings; exit $status";
    let command = [&["sh", "-c", script, "sh", WHYDUNIT], &RECORD[2..]].concat();
    let output = on_disk(&project, "recordings", "40k", &command);
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(text.contains("No space left on device"), "{text}");
    assert!(!text.lines().any(|line| line.contains(".rec") && !line.starts_with("note: ")), "a half recording: {text}");
    assert!(errors.contains("error: the run went through, but nothing of it could be kept"), "{errors}");
    assert_whole_output(&output.stderr);
    assert_eq!(project.recordings(), kept);
    project.assert_clean();
}

/// Waits until something is so, which it must become.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a command of ours and waits until the program that it runs waits for what never comes.
fn start_hanging(project: &Project, args: &[&str]) -> Child {
    // In the background of a shell interrupts are ignored, and whydunit would ignore them as well.
    let mut command = project.bare_command("env");
    command
        .args(["--default-signal=INT,TERM,HUP", WHYDUNIT])
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("whydunit starts");
    // Its recording flavour has a name of its own.
    wait_until("the program runs", || {
        project.living().iter().any(|name| !name.starts_with("whydunit") && !name.contains("env"))
    });
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
}

#[test]
fn an_interrupted_command_keeps_what_it_has() {
    let project = subject("100s");
    assert_eq!(project.json(&["record", "behaves"]).0, 0);
    // A process's log has what happened from its first bytes on.
    let logs = || {
        let temporary = project.path(".whydunit/tmp");
        let mut pending = vec![temporary];
        while let Some(folder) = pending.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                match path.is_dir() {
                    true => pending.push(path),
                    false if entry.file_name() == "log" => {
                        let mut start = [0; 8];
                        let read = std::fs::File::open(&path).and_then(|mut log| log.read_exact(&mut start));
                        return read.is_ok() && start != [0; 8];
                    }
                    false => {}
                }
            }
        }
        false
    };
    for (signal, args) in [("-INT", &["record", "hang"][..]), ("-TERM", &["record", "--", "./rogue", "hang"])] {
        let all = [&["--format", "json"], args].concat();
        let child = start_hanging(&project, &all);
        wait_until("it is recorded", logs);
        send(signal, &child);
        let (status, recorded, errors) = answer(&child.wait_with_output().expect("it ends"));
        assert_eq!(status, 0, "{errors}");
        let path = recorded["recordings"][0]["path"].as_str().expect("a recording").to_owned();
        let (status, shown, errors) = project.json(&["show", &path]);
        assert_eq!(status, 0, "{errors}");
        assert!(notes(&shown).contains("it was interrupted"), "{shown}");
        project.assert_clean();
    }
    let child = start_hanging(&project, &["--format", "json", "test", "hang"]);
    send("-INT", &child);
    let (status, tested, errors) = answer(&child.wait_with_output().expect("it ends"));
    assert_eq!(status, 5, "{errors}");
    assert_one_message(&errors, &["interrupted", "1 of 1", "what to do"]);
    assert_eq!(outcomes(&tested), [("hang", "error")]);
    project.assert_clean();

    // Killed, it can keep nothing; what it leaves goes with the next command.
    let child = start_hanging(&project, &["record", "--", "./rogue", "hang"]);
    wait_until("it is recorded", logs);
    send("-KILL", &child);
    child.wait_with_output().expect("it ends");
    wait_until("nothing runs", || project.living().is_empty());
    assert_eq!(project.json(&["record", "behaves"]).0, 0);
    project.assert_clean();
}
