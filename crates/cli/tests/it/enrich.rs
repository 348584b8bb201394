//! Models enriched by calls that no test makes: the expected transitions were written down before they were run.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::project::{Project, assert_one_message};

fn enriched(project: &Project, args: &[&str]) -> Value {
    let (status, answer, errors) = project.json(&[&["enrich"], args].concat());
    assert_eq!(status, 0, "{errors}");
    answer
}

/// A state by the values of some paths; `start`, `ended` and `ex` by their names.
fn state(answer: &Value, name: &Value, paths: &[&str]) -> String {
    let states = answer["states"].as_array().expect("states");
    let found = states.iter().find(|state| state["name"] == *name);
    let values =
        found.map(|state| &state["values"]).filter(|values| values.as_object().is_some_and(|it| !it.is_empty()));
    match values {
        Some(values) => paths.iter().filter_map(|path| values[path].as_str()).collect::<Vec<_>>().join(" "),
        None => name.as_str().expect("a name").to_owned(),
    }
}

/// Transitions as `from -method> to`, an exceptional end with its reason.
fn transitions(answer: &Value, paths: &[&str], wanted: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    let line = |it: &Value| {
        let reason = it.get("reason").map(|reason| format!(" {} {}", word(&reason["kind"]), word(&reason["text"])));
        let (from, to) = (state(answer, &it["from"], paths), state(answer, &it["to"], paths));
        format!("{from} -{}> {to}{}", word(&it["method"]), reason.unwrap_or_default()).trim_end().to_owned()
    };
    answer["transitions"].as_array().expect("transitions").iter().filter(|it| wanted(it)).map(line).collect()
}

fn word(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn seen(transition: &Value) -> bool {
    transition["seen"] != 0
}

/// Methods in states as `method in state: grade`.
fn grades(answer: &Value, paths: &[&str]) -> BTreeSet<String> {
    let line = |it: &Value| {
        format!("{} in {}: {}", word(&it["method"]), state(answer, &it["state"], paths), word(&it["grade"]))
    };
    answer["pairs"].as_array().expect("pairs").iter().map(line).collect()
}

fn set(lines: &[&str]) -> BTreeSet<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn a_protocol_whose_suite_shows_no_exceptional_end_is_known_in_every_state() {
    let project = Project::of("enrich/mail");
    let answer = enriched(&project, &["Mail"]);
    let known = transitions(&answer, &["state"], seen);
    assert_eq!(
        known,
        set(&[
            "start -Mail> CLOSED",
            "CLOSED -open> OPEN",
            "OPEN -authenticate> READY",
            "READY -mail> SENDER",
            "READY -quit> CLOSED",
            "SENDER -recipient> RECIPIENT",
            "RECIPIENT -data> READY",
        ])
    );
    let mut expected = set(&[
        "OPEN -quit> CLOSED",
        "SENDER -quit> CLOSED",
        "RECIPIENT -quit> CLOSED",
        "RECIPIENT -recipient> RECIPIENT",
    ]);
    for (from, methods) in [
        ("CLOSED", &["authenticate", "mail", "recipient", "data", "quit"][..]),
        ("OPEN", &["open", "mail", "recipient", "data"]),
        ("READY", &["open", "authenticate", "recipient", "data"]),
        ("SENDER", &["open", "authenticate", "mail", "data"]),
        ("RECIPIENT", &["open", "authenticate", "mail"]),
    ] {
        expected.extend(methods.iter().map(|method| format!("{from} -{method}> ex exception std::logic_error")));
    }
    assert_eq!(transitions(&answer, &["state"], |it| !seen(it)), expected);
    assert!(!grades(&answer, &["state"]).iter().any(|line| line.ends_with("unseen")), "{answer}");
    let quit = |it: &&Value| word(&it["method"]) == "quit" && it["to"] == "ex";
    let quit = answer["transitions"].as_array().expect("transitions").iter().find(quit).expect("quit before open");
    assert_eq!(quit["how"]["test"], "none");
    assert_eq!(state(&answer, &quit["left_in"], &["state"]), "CLOSED");
}

#[test]
fn a_handle_that_is_used_after_its_memory_was_freed_is_misused() {
    let project = Project::of("enrich/handle");
    let answer = enriched(&project, &["handle"]);
    assert_eq!(
        transitions(&answer, &["started"], seen),
        set(&[
            "start -handle_open> = 0",
            "= 0 -handle_put> = 0",
            "= 0 -handle_put> ex error -1",
            "= 0 -handle_start> > 0",
            "> 0 -handle_sum> > 0",
        ])
    );
    assert_eq!(
        transitions(&answer, &["started"], |it| !seen(it)),
        set(&[
            "= 0 -handle_sum> ex error -1",
            "= 0 -handle_close> ended",
            "> 0 -handle_put> ex error -1",
            "> 0 -handle_start> ex error -1",
            "> 0 -handle_close> ended",
            "ended -handle_put> ex memory use-after-free",
            "ended -handle_start> ex memory use-after-free",
            "ended -handle_sum> ex memory use-after-free",
            "ended -handle_close> ex memory use-after-free",
        ])
    );
    let grades = grades(&answer, &["started"]);
    for expected in ["handle_sum in = 0: never", "handle_put in > 0: never", "handle_put in ended: never"] {
        assert!(grades.contains(expected), "{expected} is not in {grades:#?}");
    }
}

#[test]
fn errors_of_rust_and_panics_are_exceptional_ends() {
    let project = Project::of("enrich/session");
    let answer = enriched(&project, &["Session"]);
    let paths = &["user", "reads"];
    assert_eq!(
        transitions(&answer, paths, |it| !seen(it)),
        set(&[
            "None = 0 -read> ex error Err",
            "None = 0 -logout> ex error Err",
            "None = 0 -rename> ex panic nobody has logged in",
            "Some = 0 -login> ex error Err",
            "Some = 0 -logout> None = 0",
            "Some > 0 -login> ex error Err",
            "None > 0 -read> ex error Err",
            "None > 0 -logout> ex error Err",
            "None > 0 -rename> ex panic nobody has logged in",
        ])
    );
    let grades = grades(&answer, paths);
    for expected in ["read in None = 0: never", "rename in None = 0: may fail", "logout in Some = 0: fine"] {
        assert!(grades.contains(expected), "{expected} is not in {grades:#?}");
    }
}

/// The lines of a file that are marked as wrong.
fn wrong(project: &Project, file: &str) -> BTreeSet<String> {
    let text = project.read(file);
    let marked = text.lines().enumerate().filter(|(_, line)| line.contains(" wrong"));
    marked.map(|(number, _)| format!("{file}:{}", number + 1)).collect()
}

/// The places that `check` reports by the automaton that `enrich` wrote of a class.
fn checked(project: &Project, class: &str) -> BTreeSet<String> {
    assert_eq!(project.run(&["enrich", class, "-o", "class.model"]).status.code(), Some(0));
    let (_, answer, errors) = project.json(&["check", "class.model"]);
    let place = |it: &Value| format!("{}:{}", word(&it["location"]["file"]), it["location"]["line"]);
    let misuses = answer["findings"].as_array().unwrap_or_else(|| panic!("{errors}"));
    misuses.iter().map(place).collect()
}

#[test]
fn what_was_learned_of_a_structure_of_c_finds_its_misuse_where_no_test_runs() {
    let project = Project::of("enrich/handle");
    assert_eq!(checked(&project, "handle"), wrong(&project, "uses.c"));
}

#[test]
fn what_was_learned_of_a_class_finds_its_misuse_where_no_test_runs() {
    let project = Project::of("enrich/mail");
    assert_eq!(checked(&project, "Mail"), wrong(&project, "uses.cpp"));
}

#[test]
fn what_was_learned_of_a_type_of_rust_finds_its_misuse_where_no_test_runs() {
    let project = Project::of("enrich/session");
    assert_eq!(checked(&project, "Session"), wrong(&project, "src/main.rs"));
}

#[test]
fn automata_are_drawn_with_a_state_for_exceptional_ends() {
    let project = Project::of("enrich/handle");
    let text = |format| String::from_utf8(project.run(&["enrich", "handle", "--format", format]).stdout).expect("text");
    let (dot, mermaid) = (text("dot"), text("mermaid"));
    assert!(dot.contains("s3 -> s4") && dot.contains("ex: an exceptional end"), "{dot}");
    assert!(mermaid.contains("s1 --> s3: handle_close \u{d7}3"), "{mermaid}");
}

#[test]
fn without_time_nothing_is_tried_and_that_is_said() {
    let project = Project::of("enrich/handle");
    let (status, answer, _) = project.json(&["enrich", "handle", "--within", "0"]);
    assert_eq!((status, &answer["partial"], &answer["calls"]), (5, &true.into(), &0.into()));
    let unseen = |it: &&Value| it["grade"] == "unseen";
    assert_eq!(answer["pairs"].as_array().expect("pairs").iter().filter(unseen).count(), 5, "{answer}");
}

#[test]
fn a_class_that_is_not_there_is_one_message() {
    let project = Project::of("enrich/mail");
    let output = project.run(&["enrich", "Male"]);
    assert_eq!(output.status.code(), Some(2));
    assert_one_message(&String::from_utf8_lossy(&output.stderr), &["there is no class `Male`"]);
}
