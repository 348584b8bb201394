//! Calls that protocols exclude as results, with their ways as code flows.

use serde_json::{Value, json as value};
use whydunit_findings::{Checked, Misuse};

use super::Place;
use crate::plain::plain;

/// The rules of the results, by grade.
pub fn rules() -> Vec<Value> {
    vec![
        super::rule("never", "A call that is never right in the state that the object is in"),
        super::rule("may-fail", "A call on an object that could not be made: the result that says so was not tested"),
        super::rule("unseen", "A call of which the model says nothing in this state"),
    ]
}

/// A result for each report.
pub fn results(checked: &Checked, place: &Place<'_>) -> Vec<Value> {
    checked.misuses.iter().map(|misuse| result(misuse, place)).collect()
}

fn result(misuse: &Misuse, place: &Place<'_>) -> Value {
    let rule = ["never", "may-fail", "unseen"].iter().position(|it| *it == misuse.grade).unwrap_or(0);
    let mut steps: Vec<Value> = misuse
        .path
        .iter()
        .map(|step| {
            let mut location = place.location(&step.location, None);
            location["message"] = value!({ "text": plain(&step.what) });
            value!({ "location": location, "importance": "important" })
        })
        .collect();
    let mut last = place.location(&misuse.location, Some(&misuse.function));
    last["message"] = value!({ "text": plain(&misuse.message) });
    steps.push(value!({ "location": last, "importance": "essential" }));
    value!({
        "ruleId": misuse.grade,
        "ruleIndex": rule,
        "level": if misuse.must { "error" } else { "warning" },
        "message": { "text": plain(&misuse.message) },
        "locations": [place.location(&misuse.location, Some(&misuse.function))],
        "codeFlows": [{ "threadFlows": [{ "locations": steps }] }],
        "rank": misuse.confidence * 100.0,
        "properties": { "class": misuse.class, "state": misuse.state, "certainty": misuse.certainty() },
    })
}
