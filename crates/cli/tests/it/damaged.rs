//! Recordings, sources and builds that are not what they were: a clear message each time, and never a wrong answer.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::project::{Project, answer, assert_one_message, names, notes};
use serde_json::Value;
use whydunit_process::Pool;

const CHANGED: &str = "changed or gone since the recorded program was built";

/// The program of `subjects/hostile`, and a recording of it as `long` with several chunks and all kept inputs and
/// outputs.
fn recorded() -> (Project, Vec<u8>) {
    let project = Project::of("hostile");
    project.write("cases.jsonl", r#"{"name": "long", "args": ["tally", "40000"], "stdin": "not read", "status": 3}"#);
    let (status, answer, errors) = project.json(&["record", "long"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(answer["tests"][0]["outcome"], "pass", "{answer}");
    let bytes = fs::read(project.path(".whydunit/recordings/long.rec")).expect("the recording");
    (project, bytes)
}

/// `number` positions over the whole of `length` bytes, and each of the first and the last ones, where heads stand.
fn positions(length: usize, number: usize) -> Vec<usize> {
    let spread = (0..number).map(|n| (2 * n + 1) * length / (2 * number));
    let mut all: Vec<usize> = (0..16).chain(spread).chain(length - 24..length).step_by(2).chain([12, 72]).collect();
    all.sort();
    all.dedup();
    all
}

/// `replay` and `show` of a damaged recording each give one message with status 2, and the run up to the damage where
/// something is intact. How many instructions that had; none where there was no answer.
fn check_damaged(project: &Project, name: &str, bytes: &[u8], words: &[&str]) -> Option<u64> {
    let file = format!("{name}.rec");
    fs::write(project.path(&file), bytes).expect("the damaged recording");
    let (status, replayed, errors) = project.json(&["replay", &file]);
    assert_eq!(status, 2, "{name}: {errors} {replayed}");
    assert_one_message(&errors, words);
    assert!(errors.contains(&file), "the file is named: {errors}");
    let (status, shown, show_errors) = project.json(&["show", "--lines", "10", &file]);
    assert_eq!((status, show_errors), (2, errors), "{name}");
    assert_eq!(replayed.is_null(), shown.is_null(), "{name}");
    fs::remove_file(project.path(&file)).expect("removed");
    if replayed.is_null() {
        return None;
    }
    assert!(replayed["divergence"].is_null(), "{name}: {replayed}");
    for answer in [&replayed, &shown] {
        assert!(notes(answer).contains("the recording is damaged"), "{name}: {answer}");
        assert!(!notes(answer).contains("differs"), "{name}: {answer}");
    }
    assert!(!shown["outline"].as_array().expect("an outline").is_empty());
    Some(replayed["stats"]["instructions"].as_u64().expect("instructions"))
}

#[test]
fn a_recording_cut_anywhere_is_replayed_up_to_the_cut() {
    let (project, bytes) = recorded();
    let whole = project.json(&["replay", "long"]).1["stats"]["instructions"].as_u64().expect("instructions");
    let replayed = Pool::of_cores().run(positions(bytes.len(), 16), |cut| match cut {
        0 => check_damaged(&project, "cut-0", &[], &["is not a recording", "whydunit record"]),
        cut => {
            let words = ["cut off at byte", &cut.to_string(), "record the run again"];
            check_damaged(&project, &format!("cut-{cut}"), &bytes[..cut], &words)
        }
    });
    assert!(replayed.is_sorted(), "more bytes, no less of the run: {replayed:?}");
    let mut parts: Vec<u64> = replayed.iter().flatten().copied().collect();
    parts.dedup();
    assert!(replayed[0].is_none() && parts.len() == 2, "nothing, a chunk, both: {replayed:?}");
    assert!(parts.iter().all(|part| *part <= whole), "{parts:?} of {whole}");
    project.assert_clean();
}

#[test]
fn a_bit_flipped_anywhere_is_noticed() {
    let (project, bytes) = recorded();
    Pool::of_cores().run(positions(bytes.len(), 16), |at| {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let words: &[&str] = match at {
            0..8 => &["is not a recording", "whydunit record"],
            8..12 => &["recording version", "record the run again"],
            _ => &["damaged", "at byte", "record the run again"],
        };
        check_damaged(&project, &format!("bit-{at}"), &changed, words)
    });
    // Zeros in the middle, as a file system leaves them; the end of another recording; something else altogether.
    let mut zeros = bytes.clone();
    zeros[bytes.len() / 2..][..4096].fill(0);
    check_damaged(&project, "zeros", &zeros, &["damaged in chunk"]);
    check_damaged(&project, "twice", &[&bytes[..], &bytes[..]].concat(), &["damaged"]);
    check_damaged(&project, "source", project.read("rogue.c").as_bytes(), &["is not a recording"]);
    project.assert_clean();
}

#[test]
fn what_is_no_recording_of_this_project_is_named() {
    let (project, bytes) = recorded();
    let mut newer = bytes.clone();
    newer[8..12].copy_from_slice(&77u32.to_le_bytes());
    check_damaged(&project, "newer", &newer, &["version 77", "reads version", "record the run again"]);

    // Another project has other models.
    let other = Project::of("hostile");
    other.edit("tally.c", "srand(7)", "srand(8)");
    assert_eq!(other.json(&["build"]).0, 0);
    fs::write(other.path("foreign.rec"), &bytes).expect("the recording");
    for command in ["replay", "show"] {
        let (status, answer, errors) = other.json(&[command, "foreign.rec"]);
        assert_eq!((status, answer), (2, Value::Null), "{errors}");
        assert_one_message(&errors, &["foreign.rec", "another build", "record the run again"]);
    }

    // What can be made again and is damaged is made again: models of bitcode, bitcode of sources.
    let whole = answer_of(&project, &["replay", "long"]);
    let shown = answer_of(&project, &["show", "--lines", "4", "long"]);
    cut_all(&project, ".whydunit/models");
    assert_eq!(answer_of(&project, &["show", "--lines", "4", "long"]), shown);
    for name in names(&project.path(".whydunit/models")) {
        let path = project.path(".whydunit/models").join(name);
        let bytes = fs::read(&path).expect("the model");
        for at in [0, 9, bytes.len() / 3, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 16;
            fs::write(&path, changed).expect("written");
            assert_eq!(answer_of(&project, &["replay", "long"]), whole, "byte {at}");
        }
    }
    cut_all(&project, ".whydunit/models");
    cut_all(&project, ".whydunit/bitcode");
    assert_eq!(answer_of(&project, &["replay", "long"]), whole);
    cut_all(&project, ".whydunit/models");
    cut_all(&project, ".whydunit/bitcode");
    for name in names(project.folder()).iter().filter(|name| name.ends_with(".c")) {
        project.write(name, &format!("{}\n", project.read(name)));
    }
    let (status, _, errors) = project.json(&["replay", "long"]);
    assert_eq!(status, 2, "{errors}");
    assert_one_message(&errors, &["long.rec needs the program model", "was damaged", ".bc", "record the run again"]);
    assert_eq!(project.json(&["record", "long"]).0, 0);
    assert_eq!(project.json(&["replay", "long"]).0, 0);
}

/// Cuts every file of a folder in half.
fn cut_all(project: &Project, folder: &str) {
    for name in names(&project.path(folder)) {
        let path = project.path(folder).join(name);
        let bytes = fs::read(&path).expect("the file");
        fs::write(&path, &bytes[..bytes.len() / 2]).expect("cut");
    }
}

/// The status of a command, and what it answers: nothing that is another one each time.
fn answer_of(project: &Project, command: &[&str]) -> (i32, Vec<Value>) {
    let (status, answer, errors) = project.json(command);
    assert_eq!(errors, "", "{command:?}");
    (status, of_answer(&answer))
}

fn of_answer(answer: &Value) -> Vec<Value> {
    let run = [&answer["tests"][0]["outcome"], &answer["recordings"][0]["end"]];
    KEYS.iter().map(|key| &answer[key]).chain(run).cloned().collect()
}

/// What the answers of the commands below have.
const KEYS: [&str; 6] = ["divergence", "end", "memory_errors", "outline", "failure", "findings"];

/// A file of each kind below `.whydunit` that is read again: by its folder, with no hashes in that, and its ending.
fn kinds(project: &Project) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        for name in names(&project.path(".whydunit").join(&folder)) {
            let below = folder.join(&name);
            let path = project.path(".whydunit").join(&below);
            // What is written for each build, for the user, or to hold it.
            if ["tmp", "faces", "builds", "lock", ".gitignore"].iter().any(|other| below.starts_with(other)) {
                continue;
            }
            let kind = fs::symlink_metadata(&path).expect("a file").file_type();
            if kind.is_dir() {
                open.push(below);
            } else if kind.is_file() {
                let hash = |part: &str| part.len() >= 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
                let parts = folder.iter().map(|part| part.to_string_lossy());
                let parts: Vec<_> = parts.map(|part| if hash(&part) { "HASH".into() } else { part }).collect();
                let name = name.split_once('.').map_or(if hash(&name) { "HASH" } else { &name }, |(_, ending)| ending);
                found.entry(format!("{}/{name}", parts.join("/"))).or_insert(path);
            }
        }
    }
    found
}

/// Whatever file of ours is damaged: each command answers as it did before, or names the file and says what to do.
#[test]
fn a_damaged_file_of_ours_changes_no_answer() {
    let project = Project::of("demo");
    let commands: [&[&str]; 3] =
        [&["replay", "stamps-trade"], &["record", "stamps-trade"], &["locate", "--method", "ochiai"]];
    assert_eq!(project.json(&["record", "two-lines"]).0, 0);
    for command in commands.iter().rev() {
        project.json(command);
    }
    let whole = commands.map(|command| answer_of(&project, command));
    assert!(whole.iter().all(|(status, _)| [0, 1].contains(status)), "{whole:?}");
    let kinds = kinds(&project);
    for kind in ["models/model", "bitcode/bc", "units/json", "links/json", "spectra/table", "flavours/record/HASH"] {
        assert!(kinds.contains_key(kind), "{kind} is not among {kinds:?}");
    }
    let (store, copy) = (project.path(".whydunit"), project.path("copy"));
    let copied = |from: &Path, to: &Path| {
        let status = project.command("cp").arg("-a").arg(from).arg(to).status().expect("cp starts");
        assert!(status.success());
    };
    copied(&store, &copy);
    for (kind, path) in kinds {
        let bytes = fs::read(&path).expect("the file");
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        for (how, damaged) in [("flipped", Some(&flipped[..])), ("gone", None)] {
            fs::remove_file(&path).expect("removed");
            if let Some(damaged) = damaged {
                fs::write(&path, damaged).expect("written");
                let before = fs::metadata(copy.join(path.strip_prefix(&store).expect("inside"))).expect("its copy");
                fs::set_permissions(&path, before.permissions()).expect("as before");
            }
            for (command, expected) in commands.iter().zip(&whole) {
                let (status, answer, errors) = project.json(command);
                let got = of_answer(&answer);
                if (status, &got) == (expected.0, &expected.1) {
                    continue;
                }
                let told = format!("{errors}{}", notes(&answer));
                let name = path.file_name().expect("a name").to_string_lossy();
                let name = if name == "version" { ".whydunit" } else { name.split('.').next().unwrap_or_default() };
                assert!(
                    told.contains(name),
                    "{kind} {how}: {command:?} gives {status} and does not name {name}: {told}"
                );
                let advice = ["again", "build the project first", "record a test"];
                assert!(advice.iter().any(|what| told.contains(what)), "{kind} {how}: {command:?}: {told}");
                assert!(status >= 2, "{kind} {how}: {command:?} gives another answer with {status}: {got:?}");
            }
            fs::remove_dir_all(&store).expect("removed");
            copied(&copy, &store);
        }
    }
}

#[test]
fn damaged_tables_are_made_again() {
    let project = Project::of("demo");
    let whole = answer_of(&project, &["locate", "--method", "ochiai"]);
    assert_eq!(whole.0, 1, "{whole:?}");
    cut_all(&project, ".whydunit/spectra");
    assert_eq!(answer_of(&project, &["locate", "--method", "ochiai"]), whole);
    project.assert_clean();
}

/// Checks every source line that a text shows: it is the line that stands in that file, and the file is not `hidden`.
/// How many there were.
fn check_excerpts(project: &Project, text: &str, hidden: &str) -> usize {
    let mut place = (String::new(), 0);
    let mut checked = 0;
    for line in text.lines() {
        let excerpt = line.trim_start().split_once(" | ").and_then(|(number, source)| {
            let number: usize = number.parse().ok()?;
            Some((number, source))
        });
        if let Some((number, source)) = excerpt {
            assert_ne!(place.0, hidden, "a line of a file that has changed: {text}");
            assert_eq!(number, place.1, "{text}");
            let file = project.read(&place.0);
            assert_eq!(file.lines().nth(number - 1).map(str::trim), Some(source.trim()), "{text}");
            checked += 1;
            continue;
        }
        let mentioned = line.split_whitespace().find_map(|word| {
            let (file, rest) = word.split_once(".c:")?;
            Some((format!("{file}.c"), rest.split(':').next()?.parse().ok()?))
        });
        place = mentioned.unwrap_or(place);
    }
    checked
}

fn text(project: &Project, args: &[&str]) -> String {
    let output = project.run(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn lines_of_sources_that_changed_are_not_shown() {
    let project = Project::of("demo");
    assert_eq!(project.json(&["record", "stamps-trade"]).0, 0);
    let commands: [&[&str]; 2] = [
        &["show", "--lines", "4", "stamps-trade"],
        &["why", "amount", "at", "invoice.c:54", "--recording", "stamps-trade"],
    ];
    let original = project.read("invoice.c");
    let check_shown = || {
        for command in commands {
            let shown = text(&project, command);
            assert!(check_excerpts(&project, &shown, "") > 0, "{shown}");
            assert!(!shown.contains(CHANGED), "{shown}");
        }
    };
    let check_hidden = || {
        for command in commands {
            let shown = text(&project, command);
            check_excerpts(&project, &shown, "invoice.c");
            assert!(shown.contains("invoice.c:54"), "the place is told: {shown}");
            assert!(shown.contains(&format!("{CHANGED}: invoice.c")) && shown.contains("record again"), "{shown}");
        }
        // The replay itself needs no source.
        let (status, replayed, errors) = project.json(&["replay", "stamps-trade"]);
        assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{errors}");
        assert!(notes(&replayed).contains(&format!("{CHANGED}: invoice.c")), "{replayed}");
    };
    check_shown();
    project.write("invoice.c", &format!("/* further down now */\n{original}"));
    check_hidden();
    fs::remove_file(project.path("invoice.c")).expect("removed");
    check_hidden();
    project.write("invoice.c", &original);
    check_shown();

    // Built anew: the old recording is still replayed, by the program that it was made with.
    project.write("invoice.c", &format!("/* further down now */\n{original}"));
    project.json(&["build"]);
    check_hidden();
    assert_eq!(project.json(&["record", "stamps-trade"]).0, 0);
    let shown = text(&project, commands[0]);
    assert!(shown.contains("invoice.c:55") && check_excerpts(&project, &shown, "") > 0, "{shown}");
    assert!(!shown.contains(CHANGED), "{shown}");
    project.assert_clean();
}

#[test]
fn a_build_that_fails_loses_nothing() {
    let project = Project::of("demo");
    assert_eq!(project.json(&["record", "stamps-trade"]).0, 0);
    let original = project.read("money.c");
    project.write("money.c", &format!("{original}\nint broken(void) {{ return }}\n"));
    let place = format!("money.c:{}", original.lines().count() + 2);
    for command in [&["build"][..], &["test"], &["record", "stamps-trade"], &["locate"]] {
        let (status, answer, errors) = project.json(command);
        assert_eq!((status, answer), (3, Value::Null), "{errors}");
        let words = ["the build failed", "make", &place, "expected expression", "what to do", ".whydunit/builds"];
        assert_one_message(&errors, &words);
    }
    project.assert_clean();
    // What was recorded before is there, and with the old source everything is.
    let (status, replayed, errors) = project.json(&["replay", "stamps-trade"]);
    assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{errors}");
    project.write("money.c", &original);
    for command in [&["record", "stamps-trade"][..], &["show", "stamps-trade"]] {
        let (status, answer, errors) = project.json(command);
        assert_eq!(status, 0, "{errors}");
        assert_eq!(notes(&answer), "");
    }
    project.assert_clean();
}

#[test]
fn code_without_bitcode_or_debug_information_stays_external() {
    let project = Project::of("hostile/bare");
    let made = project.command("make").arg("prebuilt").status().expect("make starts");
    assert!(made.success());
    let (status, built, errors) = project.json(&["build"]);
    assert_eq!(status, 0, "{errors}");
    let external = built["executables"][0]["external"].to_string();
    assert!(external.contains("sum.o") && external.contains("twice.o"), "{built}");
    let (status, recorded, errors) = project.json(&["record", "--", "./bare", "abcdefgh"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(recorded["recordings"][0]["end"], "exited with 5", "{recorded}");
    assert!(notes(&recorded).contains("sum.o stays external") && notes(&recorded).contains("twice.o"), "{recorded}");
    // The capture has debug information of its own for what it captured, whatever the build does to its own.
    let (status, replayed, errors) = project.json(&["replay"]);
    assert_eq!(status, 1, "{errors}");
    assert!(replayed["divergence"].is_null(), "{replayed}");
    let error = &replayed["memory_errors"][0];
    assert_eq!((&error["kind"], &error["function"]), (&"out-of-bounds".into(), &"length".into()), "{error}");
    let shown = text(&project, &["show"]);
    assert!(shown.contains("length(text = ") && shown.contains("\"abcdefgh\""), "{shown}");
    assert!(shown.contains("output: stdout: \"48\\n\"") && check_excerpts(&project, &shown, "") > 0, "{shown}");
    // A copy without symbols is still known for what it is.
    let copied = project.command("sh").args(["-c", "strip --strip-all -o copy bare"]).status().expect("strip starts");
    assert!(copied.success());
    let (status, recorded, errors) = answer(&project.run(&["--format", "json", "record", "--", "./copy", "abc"]));
    assert_eq!(status, 0, "{errors}");
    assert_eq!(recorded["recordings"][0]["end"], "exited with 0", "{recorded}");
    project.assert_clean();
}
