//! Patches as results with fixes, which editors can apply.

use serde_json::{Value, json as value};
use whydunit_findings::{Grade, Patch, Repaired, Replacement};

use super::Place;
use crate::plain::plain;
use crate::text::repair::{missing, short, unlike};

/// The rules of the results.
pub fn rules() -> Vec<Value> {
    vec![
        super::rule("verified-patch", "A change with which the whole suite passes, which says enough of the place"),
        super::rule("doubtful-patch", "A change with which tests pass, and something is missing or speaks against it"),
    ]
}

/// A result for each patch, the best first.
pub fn results(repaired: &Repaired, place: &Place<'_>) -> Vec<Value> {
    repaired.patches.iter().enumerate().map(|(index, patch)| result(index + 1, patch, place)).collect()
}

fn result(number: usize, patch: &Patch, place: &Place<'_>) -> Value {
    let verified = patch.grade == Grade::Verified;
    let changes: Vec<String> = patch.replacements().enumerate().map(change).collect();
    let built = patch.grade > Grade::Display || patch.deciding.is_some();
    let tests = if built { "the whole suite passes" } else { "the failing tests pass" };
    let mut message = format!("{} {tests} ({}).", changes.join(" and "), patch.grade.name());
    patch.demands.iter().for_each(|demand| message += &format!("\n{}", plain(demand)));
    missing(patch).iter().chain(&unlike(patch)).for_each(|line| message += &format!("\n{line}"));
    value!({
        "ruleId": if verified { "verified-patch" } else { "doubtful-patch" },
        "ruleIndex": usize::from(!verified),
        "level": "warning",
        "message": { "text": message },
        "locations": patch
            .replacements()
            .map(|replaced| place.location(&replaced.location, Some(&replaced.function)))
            .collect::<Vec<_>>(),
        "rank": 100.0 / number as f64,
        "fixes": [{
            "description": { "text": format!("patch {number}, {}", patch.grade.name()) },
            "artifactChanges": patch.files().into_iter().map(|file| changed(file, patch, place)).collect::<Vec<_>>(),
        }],
    })
}

/// A replacement in words; the first one begins a sentence.
fn change((at, replaced): (usize, &Replacement)) -> String {
    let with = if at == 0 { "With" } else { "with" };
    match short(&replaced.before) {
        nothing if nothing.is_empty() => format!("{with} {} before it", short(&replaced.after)),
        before => format!("{with} {} in the place of {before}", short(&replaced.after)),
    }
}

/// What a patch replaces in a file.
fn changed(file: &str, patch: &Patch, place: &Place<'_>) -> Value {
    let own = patch.replacements().filter(|replaced| replaced.location.file == file);
    let replacement = |replaced: &Replacement| {
        value!({
            // The offsets count bytes: exact in any encoding.
            "deletedRegion": { "byteOffset": replaced.bytes.start, "byteLength": replaced.bytes.len() },
            "insertedContent": { "text": replaced.after },
        })
    };
    value!({
        "artifactLocation": { "uri": place.uri(file) },
        "replacements": own.map(replacement).collect::<Vec<_>>(),
    })
}
