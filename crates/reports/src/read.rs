//! Answers that were kept, read again.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use whydunit_findings::{Finding, Location, SpectrumCounts, TriedChange};

use crate::Kind;
use crate::location::JsonLocation;

/// A kept answer of `locate`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KeptLocate {
    /// The method that ranked.
    pub method: String,
    /// Statements and branch outcomes, the most suspicious first, without their verdicts.
    pub findings: Vec<Finding>,
}

/// A kept patch of `repair`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptPatch {
    /// `verified`, `plausible` or `display`.
    pub grade: String,
    /// What it replaces.
    pub replaced: Vec<KeptReplacement>,
}

/// An expression in the place of another one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptReplacement {
    /// Where.
    pub location: Location,
    /// The expression as it was.
    pub before: String,
    /// The expression with which tests pass.
    pub after: String,
}

/// A kept answer of `review` that holds something against a fix.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptReview {
    /// The fix, as it was named.
    pub fix: String,
    /// The test that it is for.
    pub test: String,
    /// `bad-coverage` or `bad-disruption`.
    pub verdict: String,
    /// How the program fails with it or what else it changes, in words, each with its input where that is known.
    pub against: Vec<String>,
    /// The first line of each change, as it was and as it is with the fix: where, and its text.
    pub changes: Vec<[Option<(Location, String)>; 2]>,
}

#[derive(Deserialize)]
struct JsonReview {
    fix: String,
    test: String,
    verdict: String,
    counterexample: Option<JsonCounterexample>,
    disruptions: Vec<JsonDisruption>,
    #[serde(default)]
    changes: Vec<JsonChanged>,
}

#[derive(Deserialize)]
struct JsonCounterexample {
    case: serde_json::Value,
    fails: String,
}

#[derive(Deserialize)]
struct JsonDisruption {
    what: String,
    test: Option<String>,
    case: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct JsonChanged {
    before: Option<JsonLine>,
    after: Option<JsonLine>,
}

#[derive(Deserialize)]
struct JsonLine {
    location: JsonLocation,
    code: String,
}

#[derive(Deserialize)]
struct JsonLocate {
    #[serde(default)]
    method: String,
    findings: Vec<JsonFinding>,
}

#[derive(Deserialize)]
struct JsonFinding {
    rank: f64,
    rank_best: u64,
    rank_worst: u64,
    score: f64,
    location: JsonLocation,
    function: String,
    code: String,
    #[serde(default)]
    witness: Vec<String>,
    branch: Option<String>,
    counts: Option<JsonCounts>,
    #[serde(default)]
    changes: Vec<JsonChange>,
}

#[derive(Deserialize)]
struct JsonCounts {
    failed: u64,
    passed: u64,
    failed_total: u64,
    passed_total: u64,
}

#[derive(Deserialize)]
struct JsonChange {
    change: String,
    failing: u64,
    failing_passed: u64,
    passing: u64,
    passing_kept: u64,
}

#[derive(Deserialize)]
struct JsonRepair {
    patches: Vec<JsonPatch>,
}

#[derive(Deserialize)]
struct JsonPatch {
    grade: String,
    #[serde(flatten)]
    first: JsonReplacement,
    #[serde(default)]
    also: Vec<JsonReplacement>,
}

#[derive(Deserialize)]
struct JsonReplacement {
    location: JsonLocation,
    before: String,
    after: String,
}

/// The last answer of `locate` in a project's store; `None` where none is kept, or it cannot be understood.
pub fn locate(store: &Path) -> Option<KeptLocate> {
    let read: JsonLocate = read(store, Kind::Locate)?;
    Some(KeptLocate { method: read.method, findings: read.findings.into_iter().map(finding).collect() })
}

/// The patches of the last answer of `repair` in a project's store, the best first; none where none is kept.
pub fn patches(store: &Path) -> Vec<KeptPatch> {
    let read: Option<JsonRepair> = read(store, Kind::Repair);
    let replacement =
        |it: JsonReplacement| KeptReplacement { location: it.location.into(), before: it.before, after: it.after };
    let patch = |patch: JsonPatch| KeptPatch {
        grade: patch.grade,
        replaced: std::iter::once(patch.first).chain(patch.also).map(replacement).collect(),
    };
    read.map_or_else(Vec::new, |read| read.patches.into_iter().map(patch).collect())
}

/// The last answer of `review` in a project's store; `None` where none is kept, or nothing was found against the fix.
pub fn review(store: &Path) -> Option<KeptReview> {
    let read: JsonReview = read(store, Kind::Review)?;
    let on = |case: &serde_json::Value| match case.as_str() {
        Some(text) => text.to_owned(),
        None => case.to_string(),
    };
    let fails = |it: &JsonCounterexample| format!("it still fails: {}, on {}", it.fails, on(&it.case));
    let disrupts = |it: &JsonDisruption| {
        let what = if it.what.is_empty() { "the program does something else" } else { &it.what };
        match (&it.test, &it.case) {
            (Some(test), _) => format!("it changes {test}: {what}"),
            (None, Some(case)) => format!("{what}, on {}", on(case)),
            (None, None) => what.to_owned(),
        }
    };
    let against: Vec<String> =
        read.counterexample.iter().map(fails).chain(read.disruptions.iter().map(disrupts)).collect();
    let line = |line: JsonLine| (line.location.into(), line.code);
    let changes = read.changes.into_iter().map(|it| [it.before.map(line), it.after.map(line)]).collect();
    let review = KeptReview { fix: read.fix, test: read.test, verdict: read.verdict, against, changes };
    Some(review).filter(|review| !review.against.is_empty())
}

fn read<T: DeserializeOwned>(store: &Path, kind: Kind) -> Option<T> {
    serde_json::from_slice(&std::fs::read(kind.file(store)).ok()?).ok()
}

fn finding(it: JsonFinding) -> Finding {
    let change = |it: JsonChange| TriedChange {
        change: it.change,
        failing: it.failing,
        failing_passed: it.failing_passed,
        passing: it.passing,
        passing_kept: it.passing_kept,
        ..TriedChange::default()
    };
    Finding {
        rank: it.rank,
        rank_best: it.rank_best,
        rank_worst: it.rank_worst,
        // Infinity is no number of JSON's.
        score: if it.score < f64::MAX { it.score } else { f64::INFINITY },
        location: it.location.into(),
        function: it.function,
        code: it.code,
        witness: it.witness,
        branch: it.branch,
        counts: it.counts.map(|it| SpectrumCounts {
            failed: it.failed,
            passed: it.passed,
            failed_total: it.failed_total,
            passed_total: it.passed_total,
        }),
        changes: it.changes.into_iter().map(change).collect(),
        ..Finding::default()
    }
}
