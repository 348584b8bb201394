//! The changes at fault as results, with the ways from each to the failure as code flows.

use serde_json::{Value, json as value};
use whydunit_findings::{Cause, Change, Explained, Location};

use super::Place;
use crate::plain::plain;

/// So many statements of a cause are in a flow at most: the last ones before what they decide.
const STATEMENTS: usize = 200;

/// The rules of the results.
pub fn rules() -> Vec<Value> {
    vec![
        super::rule("change-at-fault", "A change that broke the test: with all of these reverted it passes"),
        super::rule("auxiliary-change", "A change that must be reverted with those at fault so that it can be built"),
    ]
}

/// A result for each change.
pub fn results(explained: &Explained, place: &Place<'_>) -> Vec<Value> {
    let root = explained.root.iter().map(|change| result(explained, change, 0, place));
    root.chain(explained.auxiliary.iter().map(|change| result(explained, change, 1, place))).collect()
}

fn result(explained: &Explained, change: &Change, rule: usize, place: &Place<'_>) -> Value {
    let (test, all) = (plain(&explained.test), explained.root.len() + explained.auxiliary.len());
    let message = match (rule, all) {
        (0, 1) => format!("With this change reverted the test {test} passes."),
        (0, _) => format!("With this change and {} reverted the test {test} passes.", others(all - 1)),
        _ => format!("This change must be reverted with those that broke the test {test}."),
    };
    let mut result = value!({
        "ruleId": if rule == 0 { "change-at-fault" } else { "auxiliary-change" },
        "ruleIndex": rule,
        "level": if rule == 0 { "warning" } else { "note" },
        "message": { "text": format!("{message}\n{}", plain(&change.diff)) },
        "locations": [place.location(&change.location, None)],
        "partialFingerprints": { "change/v1": change.id },
    });
    let touched = explained.causes.iter().filter(|cause| cause.changes.contains(&change.id));
    let flows: Vec<Value> = touched.map(|cause| flow(explained, change, cause, place)).collect();
    if rule == 0 && !flows.is_empty() {
        result["codeFlows"] = flows.into();
    }
    result
}

fn others(count: usize) -> String {
    if count == 1 { "the other one".into() } else { format!("the {count} others") }
}

/// From a change by a cause that it touches, and by what that leads to, to the failure.
fn flow(explained: &Explained, change: &Change, cause: &Cause, place: &Place<'_>) -> Value {
    let step = |location: &Location, text: String, importance: &str| {
        let mut location = place.location(location, None);
        location["message"] = value!({ "text": text });
        value!({ "location": location, "importance": importance })
    };
    let mut steps = vec![step(&change.location, format!("changed ({})", change.id), "essential")];
    let hidden = cause.statements.len().saturating_sub(STATEMENTS);
    steps.extend(cause.statements[hidden..].iter().map(|statement| {
        let value = match &statement.value[..] {
            "" => String::new(),
            value => format!(" ({})", plain(value)),
        };
        step(&statement.location, format!("{}{value}", plain(statement.code.trim())), "important")
    }));
    // A chain is no longer than there are causes.
    let above = |cause: &Cause| cause.leads_to.and_then(|id| explained.causes.iter().find(|other| other.id == id));
    let chain = std::iter::successors(Some(cause), |cause| above(cause)).take(explained.causes.len());
    steps.extend(chain.map(|cause| {
        let what = if cause.leads_to.is_none() { "the failure" } else { "decides what is done then" };
        step(&cause.predicate, format!("{what}: {}", plain(cause.code.trim())), "essential")
    }));
    value!({ "threadFlows": [{ "locations": steps }] })
}
