//! `locate` on programs of ours that say themselves what is found: `sets: a | b c` names the correction sets by the labels
//! (`/* @a */`) of their lines. On-demand formulas give the same sets as all ways at once.

#[path = "support/project.rs"]
mod project;

use std::collections::{BTreeMap, BTreeSet};

use project::{Project, subjects};

type Sets = BTreeSet<BTreeSet<u64>>;

/// The sets that a subject names, by lines.
fn expected(source: &str) -> Sets {
    let mut labels = BTreeMap::new();
    for (number, line) in source.lines().enumerate() {
        if let Some(label) = line.split("/* @").nth(1).and_then(|rest| rest.split(" */").next()) {
            labels.insert(label, number as u64 + 1);
        }
    }
    let named = source.split("sets: ").nth(1).and_then(|rest| rest.lines().next()).expect("sets");
    named.split('|').map(|set| set.split_whitespace().map(|label| labels[label]).collect()).collect()
}

fn found(project: &Project, method: &str) -> Sets {
    let (status, answer, errors) = project.json(&["locate", "--method", method]);
    assert_eq!(status, 1, "{errors}");
    let sets = answer["correction_sets"].as_array().expect("sets");
    assert!(sets.iter().all(|set| set["confirmed"] == true), "{answer:#}");
    let lines = |set: &serde_json::Value| {
        let statements = set["statements"].as_array().expect("statements");
        statements.iter().map(|statement| statement["line"].as_u64().expect("a line")).collect()
    };
    sets.iter().map(lines).collect()
}

fn check(name: &str) {
    let project = Project::new();
    let file = format!("{name}.c");
    project.copy(&format!("locate/{file}"));
    let source = std::fs::read_to_string(subjects().join("locate").join(&file)).expect("the subject");
    let case = source.split("case: ").nth(1).and_then(|rest| rest.lines().next());
    project.write("cases.jsonl", case.unwrap_or("{\"name\":\"it\",\"status\":0}"));
    let config = format!("[build]\nsources = [\"{file}\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    project.write("whydunit.toml", &config);
    for method in ["ofc", "ba"] {
        assert_eq!(found(&project, method), expected(&source), "{name} by {method}");
    }
}

#[test]
fn a_way_that_did_not_run_is_explored_when_an_answer_goes_it() {
    check("arms");
}

#[test]
fn sets_whose_guard_changes_through_data_are_found() {
    check("guards");
}

#[test]
fn a_number_is_followed_through_the_text_that_is_made_of_it() {
    check("text");
}

#[test]
fn every_statement_of_a_loop_that_turns_too_often_can_be_at_fault() {
    check("loop");
}
