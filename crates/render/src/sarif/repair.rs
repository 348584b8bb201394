//! Patches as results with fixes, which editors can apply.

use serde_json::{Value, json as value};
use whydunit_findings::{Grade, Patch, Repaired};

use super::Place;
use crate::plain::plain;
use crate::text::repair::{short, unlike};

/// The rules of the results.
pub fn rules() -> Vec<Value> {
    vec![
        super::rule("verified-patch", "A change of one expression with which the whole suite passes"),
        super::rule(
            "doubtful-patch",
            "A change of one expression with which tests pass, and something speaks against it",
        ),
    ]
}

/// A result for each patch, the best first.
pub fn results(repaired: &Repaired, place: &Place<'_>) -> Vec<Value> {
    repaired.patches.iter().enumerate().map(|(index, patch)| result(index + 1, patch, place)).collect()
}

fn result(number: usize, patch: &Patch, place: &Place<'_>) -> Value {
    let verified = patch.grade == Grade::Verified;
    let change = match short(&patch.before) {
        nothing if nothing.is_empty() => format!("With {} before it", short(&patch.after)),
        before => format!("With {} in the place of {before}", short(&patch.after)),
    };
    let tests = if verified { "the whole suite passes" } else { "the failing tests pass" };
    let mut message = format!("{change} {tests} ({}).", patch.grade.name());
    patch.demands.iter().for_each(|demand| message += &format!("\n{}", plain(demand)));
    unlike(patch).iter().for_each(|line| message += &format!("\n{line}"));
    value!({
        "ruleId": if verified { "verified-patch" } else { "doubtful-patch" },
        "ruleIndex": usize::from(!verified),
        "level": "warning",
        "message": { "text": message },
        "locations": [place.location(&patch.location, Some(&patch.function))],
        "rank": 100.0 / number as f64,
        "fixes": [{
            "description": { "text": format!("patch {number}, {}", patch.grade.name()) },
            "artifactChanges": [{
                "artifactLocation": { "uri": place.uri(&patch.location.file) },
                "replacements": [{
                    // The offsets count bytes: exact in any encoding.
                    "deletedRegion": { "byteOffset": patch.bytes.start, "byteLength": patch.bytes.len() },
                    "insertedContent": { "text": patch.after },
                }],
            }],
        }],
    })
}
