//! Memory errors and undefined behaviour fail a test: programs of a page each, of which each faulty line is told and nothing else
//! (`subjects/checks`), and what `record --check`, `test --check`, `show` and `locate` say.

use std::collections::BTreeMap;
use std::fs;

use crate::support::project::{Project, subjects};
use serde_json::Value;

/// A faulty line of a program: where, and the kinds that tell it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fault {
    file: String,
    line: u64,
    kinds: Vec<String>,
}

/// The faults of each program: a program's part of a source reaches from the end of the one before to its own.
fn programs() -> BTreeMap<String, Vec<Fault>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(subjects().join("checks")).expect("a folder").flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        if !(file.ends_with(".c") || file.ends_with(".cpp")) {
            continue;
        }
        let (mut name, mut faults) = (None, Vec::new());
        for (line, text) in (1..).zip(fs::read_to_string(entry.path()).expect("a source").lines()) {
            if let Some(kinds) = text.split_once("fault: ").map(|(_, kinds)| kinds.trim_end_matches("*/").trim()) {
                let kinds = kinds.split(" or ").map(str::to_owned).collect();
                faults.push(Fault { file: file.clone(), line, kinds });
            }
            if let Some(rest) = text.strip_prefix("PROGRAM(") {
                name = Some(rest.trim_end_matches(')').to_owned());
            }
            if text == "}"
                && let Some(name) = name.take()
            {
                found.insert(name, std::mem::take(&mut faults));
            }
        }
    }
    found
}

/// What was found of a test: kind, file and line.
fn told(test: &Value) -> Vec<(String, String, u64)> {
    let of = |key: &str| test[key].as_array().cloned().unwrap_or_default();
    let found = of("memory_errors").into_iter().chain(of("undefined_behaviour"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    found
        .map(|it| {
            let place = &it["location"];
            (text(&it["kind"]), text(&place["file"]), place["line"].as_u64().unwrap_or_default())
        })
        .collect()
}

/// Checks the programs with this text in their names; what was told of each.
fn checked(filter: &str) -> BTreeMap<String, Vec<(String, String, u64)>> {
    let project = Project::of("checks");
    let (_, answer, errors) = project.json(&["test", "--check", filter]);
    let tests = answer["tests"].as_array().unwrap_or_else(|| panic!("{errors}"));
    for test in tests {
        let clean = told(test).is_empty();
        assert!(clean || test["outcome"] != "pass", "{test:#}");
        assert!(!clean || test["outcome"] != "fail", "{test:#}");
    }
    tests.iter().map(|test| (test["name"].as_str().unwrap_or_default().to_owned(), told(test))).collect()
}

#[test]
fn of_the_programs_of_a_page_each_fault_is_told_and_nothing_else() {
    let told = checked("");
    let programs = programs();
    assert!(programs.len() >= 150 && told.len() == programs.len(), "{} programs, {} tests", programs.len(), told.len());
    let mut wrong = Vec::new();
    for (name, faults) in &programs {
        let found = &told[name];
        let is_of = |fault: &Fault, (kind, file, line): &(String, String, u64)| {
            fault.kinds.contains(kind) && fault.file == *file && fault.line == *line
        };
        if faults.is_empty() && !found.is_empty() {
            wrong.push(format!("{name}: {found:?}, though nothing is wrong"));
        }
        if let Some(missed) = faults.iter().find(|fault| !found.iter().any(|found| is_of(fault, found))) {
            wrong.push(format!("{name}: {missed:?} is not among {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
