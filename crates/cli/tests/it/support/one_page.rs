//! Programs of one page, and what `locate` says of them.

use super::project::{Project, notes};
use serde_json::Value;

/// The findings of a program with these cases, and all that was told besides.
pub fn located(source: &str, cases: &str) -> (Vec<Value>, String) {
    located_with(source, cases, "")
}

/// The same where the project's own build finds memory errors.
pub fn located_checked(source: &str, cases: &str) -> (Vec<Value>, String) {
    located_with(source, cases, "flags = [\"-fsanitize=address\"]\n")
}

fn located_with(source: &str, cases: &str, flags: &str) -> (Vec<Value>, String) {
    let project = Project::new();
    project.write("p.c", source);
    project.write("cases.jsonl", cases);
    let tests = "[tests]\ncases = \"cases.jsonl\"\ntimeout = \"5s\"\n";
    project.write("whydunit.toml", &format!("[build]\nsources = [\"p.c\"]\n{flags}{tests}"));
    let (status, answer, told) = project.json(&["locate"]);
    assert_eq!(status, 1, "{told}");
    (answer["findings"].as_array().expect("findings").clone(), told + &notes(&answer))
}

/// What is said for the statements with the best rank that stand in lines with this text.
pub fn first(source: &str, cases: &str, line: &str) -> String {
    first_of(&located(source, cases), source, line)
}

/// The same of what was located.
pub fn first_of((findings, told): &(Vec<Value>, String), source: &str, line: &str) -> String {
    let place = source.lines().position(|text| text.contains(line)).expect("the line") as u64 + 1;
    let best = findings.iter().filter(|finding| finding["rank_best"] == 1);
    let finding = best.clone().find(|finding| finding["location"]["line"] == place);
    let finding = finding.unwrap_or_else(|| panic!("{place} is not first: {findings:#?}\n{told}"));
    let changes = finding["changes"].as_array().into_iter().flatten().map(|change| change["change"].to_string());
    let witness = finding["witness"].as_array().into_iter().flatten().map(Value::to_string);
    changes.chain(witness).collect::<Vec<_>>().join("\n").replace("\\\"", "\"").replace("\\\\", "\\")
}
