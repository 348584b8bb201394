//! Every construct of C, C++ and Rust in `subjects/constructs`: captured, run as built and as recorded with the results that its
//! sidecar says, and replayed without divergence; memory errors are found where the sidecar says.

use crate::support::{dataflow, what_if};

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support::project::{Project, subjects};
use serde_json::{Value, json};
use whydunit_process::Pool;
use whydunit_replay::WhatIfStop;

/// A sidecar: keys, and the standard output.
struct Sidecar {
    keys: BTreeMap<String, String>,
    stdout: String,
}

impl Sidecar {
    fn read(name: &str) -> Self {
        let path = subjects().join("constructs").join(format!("{name}.expect"));
        let text = String::from_utf8_lossy(&fs::read(&path).expect("a sidecar")).into_owned();
        let (head, stdout) = text.split_once("stdout:\n").unwrap_or((&text, ""));
        let keys = head.lines().filter_map(|line| line.split_once(':'));
        let keys = keys.map(|(key, value)| (key.trim().to_string(), value.trim().to_string())).collect();
        Self { keys, stdout: stdout.to_string() }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.keys.get(key).map(String::as_str)
    }
}

fn unescape(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\t", "\t")
}

/// How a construct is built and captured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    /// As the source has it.
    Plain,
    /// As an optimiser leaves it.
    Optimised,
}

/// Sets up and builds the construct; what went wrong otherwise.
fn build(project: &Project, name: &str, sidecar: &Sidecar, code: Code) -> Result<(), String> {
    let (level, optimised) = match code {
        Code::Plain => ("-O0", ""),
        Code::Optimised => ("-O2", "optimised = true\n"),
    };
    let (compiler, cxx) = match sidecar.get("compiler") {
        Some("clang") => ("clang-22", "clang++-22"),
        Some("gcc") => ("gcc", "g++"),
        Some(other) => (other, other),
        // The same compiler, so that it makes the same of it.
        None if code == Code::Optimised => ("clang-22", "clang++-22"),
        None => ("cc", "c++"),
    };
    let flags = sidecar.get("flags").unwrap_or("");
    let (executable, command) = match sidecar.get("make") {
        Some(folder) => {
            project.copy(&format!("constructs/{folder}"));
            (
                format!("{folder}/{name}"),
                format!("make -s -C {folder} CC={compiler} CXX={cxx} CFLAGS='-w {level}' CXXFLAGS='-w {level}'"),
            )
        }
        None if subjects().join("constructs").join(format!("{name}.cpp")).exists() => {
            project.copy(&format!("constructs/{name}.cpp"));
            (name.to_string(), format!("{cxx} -w -std=gnu++17 {level} -o {name} {name}.cpp {flags}"))
        }
        None if subjects().join("constructs").join(format!("{name}.rs")).exists() => {
            project.copy(&format!("constructs/{name}.rs"));
            let rustc =
                "\"$RUSTC_WRAPPER\" rustc --target x86_64-unknown-linux-gnu --crate-type bin --emit=link -A warnings";
            let level = if code == Code::Optimised { "-C opt-level=2 -C debug-assertions" } else { "" };
            (
                name.to_string(),
                format!("{rustc} --edition 2021 --crate-name {name} --out-dir . {level} {flags} {name}.rs"),
            )
        }
        None => {
            project.copy(&format!("constructs/{name}.c"));
            (name.to_string(), format!("{compiler} -w -std=gnu17 {level} -o {name} {name}.c {flags}"))
        }
    };
    let timeout = sidecar.get("timeout").unwrap_or("20");
    project.write(
        "whydunit.toml",
        &format!("[build]\ncommand = {command:?}\nexecutable = {executable:?}\n{optimised}[tests]\ncases = \"cases.jsonl\"\ntimeout = \"{timeout}s\"\n"),
    );
    let words =
        |key: &str| -> Vec<String> { sidecar.get(key).unwrap_or("").split_whitespace().map(String::from).collect() };
    let mut case = json!({ "name": name, "args": words("args"), "stdout": sidecar.stdout });
    if let Some(stdin) = sidecar.get("stdin") {
        case["stdin"] = unescape(stdin).into();
    }
    for variable in words("env") {
        let (key, value) = variable.split_once('=').expect("NAME=value");
        case["env"][key] = value.into();
    }
    if let Some(signal) = sidecar.get("signal") {
        case["signal"] = signal.into();
    } else if let Some(Ok(status)) = sidecar.get("status").map(str::parse::<i32>) {
        case["status"] = status.into();
    }
    project.write("cases.jsonl", &format!("{case}\n"));
    match project.json(&["build"]) {
        (0, ..) => Ok(()),
        (status, _, errors) => Err(format!("build ends with {status}: {errors}")),
    }
}

fn outcome(answer: &Value) -> String {
    let test = &answer["tests"][0];
    format!("{} ({})", test["outcome"].as_str().unwrap_or("no outcome"), test["reason"].as_str().unwrap_or(""))
}

/// Replays a recording with and without observers, and holds static analyses and what-if runs against it: the memory errors. What is
/// wrong is added to `wrong`.
fn replay(
    project: &Project,
    path: &str,
    sidecar: &Sidecar,
    name: &str,
    code: Code,
    wrong: &mut Vec<String>,
) -> Vec<Value> {
    let timeout = sidecar.get("status") == Some("timeout");
    let defined = sidecar.get("memory").or(sidecar.get("undefined")).is_none();
    // A hanging loop runs thousands of millions of instructions in a second: the fast replay has to do.
    let mut command = vec!["replay", path];
    command.extend(timeout.then_some("--no-memory-check"));
    let (status, replayed, errors) = project.json(&command);
    if !matches!(status, 0 | 1) || !replayed["divergence"].is_null() || replayed.is_null() {
        wrong.push(format!("replay of {path} ends with {status}: {} {errors}", replayed["divergence"]));
    }
    for problem in replayed["problems"].as_array().cloned().unwrap_or_default() {
        let text = problem["message"].as_str().unwrap_or_default();
        if text.contains("differs") {
            wrong.push(text.to_string());
        }
    }
    // Memory errors reach what no pointer of the program points to.
    if defined && !timeout {
        let excluded = dataflow::hold(project.folder(), &project.path(path));
        match (dataflow::KNOWN.contains(&name), excluded.is_empty()) {
            (false, _) => wrong.extend(excluded),
            (true, false) => {}
            (true, true) => wrong.push("static analyses hold by now: it is no exception any more".into()),
        }
    }
    // The fast replay without observers must agree as well.
    if code == Code::Plain && !timeout {
        let (status, ..) = project.json(&["replay", "--no-memory-check", path]);
        if status != 0 {
            wrong.push(format!("plain replay of {path} ends with {status}"));
        }
        let left = what_if::leave(project.folder(), &project.path(path));
        wrong.extend(left.wrong);
        if sidecar.get("free").is_some() && !left.stops.iter().all(|stop| matches!(stop, WhatIfStop::Exited { .. })) {
            wrong.push(format!("what-if runs do not come to the end: {:?}", left.stops));
        }
        let printed = String::from_utf8_lossy(&left.printed);
        if sidecar.get("output").is_some() && printed != sidecar.stdout {
            wrong.push(format!("the replay sees that {printed:?} is printed"));
        }
    }
    if code == Code::Plain && !timeout {
        wrong.extend(check_kinds(sidecar.get("kinds").unwrap_or_default(), &replayed));
    }
    replayed["memory_errors"].as_array().cloned().unwrap_or_default()
}

/// The kinds of undefined behaviour that a run has, and no others.
fn check_kinds(expected: &str, replayed: &Value) -> Option<String> {
    let found = replayed["undefined_behaviours"].as_array().cloned().unwrap_or_default();
    let found: BTreeSet<&str> = found.iter().filter_map(|it| it["kind"].as_str()).collect();
    let expected = expected.split_whitespace().collect();
    (found != expected).then(|| format!("undefined behaviour {found:?} instead of {expected:?}"))
}

/// What is wrong with a construct; empty when all is well.
fn check(name: &str, code: Code) -> Vec<String> {
    let sidecar = Sidecar::read(name);
    let project = Project::new();
    if let Err(message) = build(&project, name, &sidecar, code) {
        return vec![message];
    }
    let expected = if sidecar.get("status") == Some("timeout") { "timeout" } else { "pass" };
    let mut wrong = Vec::new();
    let (_, plain, errors) = project.json(&["test"]);
    if code == Code::Plain && !outcome(&plain).starts_with(expected) {
        wrong.push(format!("as built: {} {errors}", outcome(&plain)));
    }
    let (status, recorded, errors) = project.json(&["record", name]);
    if let Some(word) = sidecar.get("refused") {
        let text = format!("{recorded}{errors}");
        if !text.contains(word) {
            wrong.push(format!("refusal without `{word}`: {text}"));
        }
        return wrong;
    }
    // What a program does that relies on what is undefined is the optimiser's choice.
    let expected_now = match code {
        Code::Plain => expected.to_string(),
        Code::Optimised => outcome(&plain),
    };
    let defined = sidecar.get("memory").or(sidecar.get("undefined")).is_none();
    if (defined || code == Code::Plain) && !outcome(&recorded).starts_with(&expected_now) {
        let recorded = outcome(&recorded);
        wrong.push(format!("recorded ({status}): {recorded} instead of {expected_now} {errors}"));
    }
    let recordings = recorded["recordings"].as_array().cloned().unwrap_or_default();
    if recordings.is_empty() {
        wrong.push("no recording".into());
    }
    let mut memory = Vec::new();
    for recording in &recordings {
        let path = recording["path"].as_str().unwrap_or_default();
        memory.extend(replay(&project, path, &sidecar, name, code, &mut wrong));
    }
    if code == Code::Plain || sidecar.get("memory").is_none() {
        wrong.extend(check_memory(sidecar.get("memory"), &memory));
    }
    wrong
}

/// `KIND [heap|stack|global] line LINE [size BYTES]` against the first error found.
fn check_memory(expected: Option<&str>, found: &[Value]) -> Option<String> {
    let Some(expected) = expected else {
        return (!found.is_empty()).then(|| format!("memory errors that are none: {found:?}"));
    };
    let Some(first) = found.first() else { return Some(format!("the memory error is not found: {expected}")) };
    let mut words = expected.split_whitespace();
    let kind = words.next().unwrap_or_default();
    let mut wrong = first["kind"] != kind;
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|number| number.parse::<u64>().ok());
        match word {
            "line" => wrong |= first["location"]["line"].as_u64() != number(),
            "size" => wrong |= first["object"]["size"].as_u64() != number(),
            object => wrong |= first["object"]["kind"] != object,
        }
    }
    wrong.then(|| format!("expected {expected}, found {first}"))
}

#[test]
fn every_construct_is_recorded_and_replayed_exactly() {
    check_all(Code::Plain);
}

#[test]
fn every_construct_is_recorded_and_replayed_exactly_as_it_is_optimised() {
    check_all(Code::Optimised);
}

fn check_all(code: Code) {
    let mut names: Vec<String> = fs::read_dir(subjects().join("constructs"))
        .expect("constructs")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok()?.strip_suffix(".expect").map(String::from))
        .collect();
    names.sort();
    assert!(names.len() > 60, "the constructs are there");
    if let Ok(only) = std::env::var("CONSTRUCTS") {
        names.retain(|name| only.split(',').any(|wanted| wanted == name));
    }
    let wrong = Pool::of_cores().run(names, |name| {
        let messages = check(&name, code).into_iter();
        messages.map(|message| format!("{name}: {message}")).collect::<Vec<_>>()
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
