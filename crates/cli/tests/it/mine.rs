//! Models of objects: the worked examples, and what stands in the way of a model.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::project::{Project, assert_one_message};

/// The only model of an answer.
fn model(project: &Project, args: &[&str]) -> Value {
    let (status, answer, errors) = project.json(&[&["mine"], args].concat());
    assert_eq!(status, 0, "{errors}");
    let models = answer["models"].as_array().expect("models");
    assert_eq!(models.len(), 1, "{answer}");
    models[0].clone()
}

/// Transitions as `from -[label]> to`, states by the values of some paths.
fn transitions(model: &Value, paths: &[&str]) -> BTreeSet<String> {
    let states = model["states"].as_array().expect("states");
    let name = |id: &Value| {
        let values = &states[id.as_u64().expect("a number") as usize]["values"];
        let shown: Vec<&str> = paths.iter().filter_map(|path| values[path].as_str()).collect();
        if *id == 0 { "start".to_owned() } else { shown.join(" ") }
    };
    let line = |transition: &Value| {
        let mark = match transition["ending"].as_str() {
            Some("exception") => "!",
            Some("failure") => "?",
            _ => "",
        };
        let method = transition["method"].as_str().expect("a method");
        format!("{} -{mark}{method}> {}", name(&transition["from"]), name(&transition["to"]))
    };
    model["transitions"].as_array().expect("transitions").iter().map(line).collect()
}

fn set(lines: &[&str]) -> BTreeSet<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn a_growable_vector_is_empty_or_not() {
    let project = Project::of("behavior/vector");
    let model = model(&project, &["IntVector"]);
    assert_eq!(model["states"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        transitions(&model, &["is_empty()"]),
        set(&[
            "start -IntVector> true",
            "true -add> false",
            "true -!remove> true",
            "false -add> false",
            "false -remove> false",
            "false -remove> true",
            "false -clear> true",
        ])
    );
    let exceptional = model["transitions"].as_array().expect("transitions").iter().find(|it| it["exceptional"] == true);
    let exceptional = exceptional.expect("one that ends exceptionally");
    assert_eq!(exceptional["reason"], "std::out_of_range");
    assert_eq!(exceptional["examples"][0]["test"], "exhaust");
    assert_eq!(exceptional["examples"][0]["location"]["file"], "main.cpp");
}

#[test]
fn an_integer_that_is_only_given_constants_has_their_names() {
    let project = Project::of("behavior/protocol");
    let seen = transitions(&model(&project, &["Protocol"]), &["state", "sent"]);
    assert_eq!(
        seen,
        set(&[
            "start -Protocol> CLOSED = 0",
            "CLOSED = 0 -!auth_send> CLOSED = 0",
            "CLOSED = 0 -open_port> CONNECTED = 0",
            "CONNECTED = 0 -!open_port> CONNECTED = 0",
            "CONNECTED = 0 -quit> CLOSED = 0",
            "CONNECTED = 0 -auth_send> AUTHENTICATED > 0",
            "AUTHENTICATED > 0 -quit> CLOSED > 0",
        ])
    );
}

#[test]
fn a_transaction_is_a_part_of_its_managers_state_at_depth_two() {
    let project = Project::of("behavior/manager");
    let deep = transitions(&model(&project, &["Manager", "--depth", "2"]), &["closed", "transaction.active"]);
    for expected in [
        "start -Manager> false false",
        "false false -transaction.begin> false true",
        "false true -transaction.commit> false false",
        "false false -!get_object> false false",
        "false true -get_object> false true",
        "false false -close> true false",
    ] {
        assert!(deep.contains(expected), "{expected} is not in {deep:#?}");
    }
    let flat = transitions(&model(&project, &["Manager"]), &["closed"]);
    assert!(!flat.iter().any(|line| line.contains("begin")), "{flat:#?}");
}

#[test]
fn classes_with_objects_are_listed() {
    let project = Project::of("behavior/manager");
    let (status, answer, _) = project.json(&["mine"]);
    assert_eq!((status, &answer["runs"]), (0, &2.into()));
    let classes = answer["classes"].as_array().expect("classes");
    let manager = classes.iter().find(|class| class["class"] == "Manager").expect("it is there");
    assert_eq!((&manager["objects"], &manager["exceptional"]), (&2.into(), &true.into()));
}

#[test]
fn models_are_drawn() {
    let project = Project::of("behavior/vector");
    let text =
        |format| String::from_utf8(project.run(&["mine", "IntVector", "--format", format]).stdout).expect("text");
    assert!(text("dot").contains("start -> s1 [label=\"IntVector \u{d7}3\"]"), "{}", text("dot"));
    assert!(text("mermaid").contains("[*] --> s1: IntVector \u{d7}3"), "{}", text("mermaid"));
    assert!(text("text").contains("start -> s1  IntVector \u{d7}3"), "{}", text("text"));
}

#[test]
fn what_cannot_be_mined_is_one_message() {
    let project = Project::of("behavior/vector");
    let errors = |args: &[&str]| {
        let output = project.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_one_message(&errors(&["mine", "IntVecto"]), &["no class `IntVecto`", "IntVector"]);
    assert_one_message(&errors(&["mine", "IntVector", "--tests", "nothing"]), &["`nothing`"]);
    assert_one_message(&errors(&["locate", "--format", "dot"]), &["`--format dot` is for `whydunit mine`"]);
    project.edit("whydunit.toml", "\"is_empty\"", "\"is_emty\"");
    assert_one_message(&errors(&["mine", "IntVector"]), &["[mine.IntVector]", "`is_emty`", "is_empty()"]);
    project.edit("whydunit.toml", "state =", "states =");
    assert_one_message(&errors(&["mine", "IntVector"]), &["whydunit.toml:7", "state"]);
}
