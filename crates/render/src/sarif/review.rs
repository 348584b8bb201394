//! What stands against a fix as results, where the runs before it and with it part.

use serde_json::{Value, json as value};
use whydunit_findings::{Counterexample, Executed, Reviewed};

use super::Place;
use crate::plain::plain;

/// The rules of the results.
pub fn rules() -> Vec<Value> {
    vec![
        super::rule("bug-not-covered", "With the fix the program still fails on an input"),
        super::rule("fix-breaks-something", "The fix changes what was right"),
    ]
}

/// A result for the counterexample, and for each disruption.
pub fn results(reviewed: &Reviewed, place: &Place<'_>) -> Vec<Value> {
    let counterexample = reviewed.counterexample.iter().map(|found| counterexample(reviewed, found, place));
    let disruptions = reviewed.disruptions.iter().map(|disruption| {
        let what = disruption.test.as_deref().or(disruption.case.as_deref()).unwrap_or_default();
        let (before, after) = (&disruption.before, &disruption.after);
        let ends = format!("{} and `{}`, and now {} and `{}`", before.end, before.output, after.end, after.output);
        result(1, format!("{} changes what was right: {what}: it was {ends}", reviewed.fix))
    });
    counterexample.chain(disruptions).collect()
}

fn result(rule: usize, message: String) -> Value {
    value!({
        "ruleId": if rule == 0 { "bug-not-covered" } else { "fix-breaks-something" },
        "ruleIndex": rule,
        "level": "warning",
        "message": { "text": plain(&message) },
    })
}

fn counterexample(reviewed: &Reviewed, found: &Counterexample, place: &Place<'_>) -> Value {
    let message = format!("With {} the program fails on {}: {}", reviewed.fix, found.case, found.fails);
    let mut result = result(usize::from(!found.covered), message);
    let Some(parts) = &found.parts else { return result };
    if let Some(first) = parts.after.first().or(parts.common.as_ref()) {
        result["locations"] = value!([place.location(&first.location, None)]);
    }
    let step = |line: &Executed| {
        let mut location = place.location(&line.location, None);
        location["message"] = value!({ "text": plain(&line.code) });
        value!({ "location": location, "importance": "important" })
    };
    let steps: Vec<Value> = parts.common.iter().chain(&parts.after).map(step).collect();
    if !steps.is_empty() {
        result["codeFlows"] = value!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}
