//! The page of a repair: the patches with both versions side by side, and why each of them helps.

use askama::Template;
use whydunit_findings::{Grade, Patch, Repaired, Replacement, Report};

use super::sides::{Row, Sides};
use super::{Note, STYLE, STYLE_HASH, note};
use crate::plain::{plain, plain_line, words};
use crate::text::repair::{counts, evidence, missing, short, summary, unlike};

/// What the template shows. All texts in it are plain, and escaped where they are put into the page.
#[derive(Template)]
#[template(path = "repair.html")]
struct Page {
    style: &'static str,
    style_hash: &'static str,
    version: &'static str,
    headline: String,
    summary: String,
    tests: Vec<String>,
    partial: bool,
    patches: Vec<Shown>,
    /// Lines that were looked at, where nothing was found.
    tried: Vec<String>,
    figures: Vec<(&'static str, String)>,
    problems: Vec<Note>,
}

/// A patch.
struct Shown {
    number: usize,
    place: String,
    function: String,
    grade: &'static str,
    verified: bool,
    replaced: Vec<Replaced>,
    /// Why: words, and whether they are code.
    demands: Vec<Vec<(bool, String)>>,
    /// What tests show of it.
    evidence: Vec<String>,
    /// What it lacks to be verified.
    missing: Vec<String>,
    /// On which input it differs from another one.
    unlike: Vec<String>,
    change: Sides,
    /// For `git apply`.
    diff: String,
}

/// What a patch replaces.
struct Replaced {
    place: String,
    /// What stands there; empty where something is added.
    before: String,
    after: String,
}

/// The page of a repair.
pub fn page(report: &Report, repaired: &Repaired) -> String {
    let shown = repaired.patches.iter().enumerate().map(|(index, patch)| shown(index + 1, patch));
    let page = Page {
        style: STYLE,
        style_hash: STYLE_HASH,
        version: env!("CARGO_PKG_VERSION"),
        headline: match &repaired.patches[..] {
            [] => "No patch was found".into(),
            [first, ..] => plain(&first.replaced.location.to_string()).into_owned(),
        },
        summary: summary(repaired).unwrap_or_default(),
        tests: repaired.tests.iter().map(|test| plain(test).into_owned()).collect(),
        partial: report.partial || report.interrupted,
        tried: match repaired.patches.is_empty() {
            true => repaired.lines.iter().map(|line| plain(&format!("{}:{}", line.file, line.line)).into()).collect(),
            false => Vec::new(),
        },
        patches: shown.collect(),
        figures: figures(report, repaired),
        problems: report.problems.iter().map(note).collect(),
    };
    // The template writes to a string: nothing can go wrong on the way.
    page.render().unwrap_or_default()
}

fn shown(number: usize, patch: &Patch) -> Shown {
    let place_of = |replaced: &Replacement| plain(&replaced.location.to_string()).into_owned();
    let place = place_of(&patch.replaced);
    Shown {
        number,
        function: plain(&patch.replaced.function).into_owned(),
        grade: if patch.refuted.is_some() { "refuted" } else { patch.grade.name() },
        verified: patch.grade == Grade::Verified,
        replaced: patch
            .replacements()
            .map(|replaced| Replaced {
                place: place_of(replaced),
                before: short(&replaced.before),
                after: short(&replaced.after),
            })
            .collect(),
        demands: patch.demands.iter().map(|demand| words(&plain_line(demand))).collect(),
        evidence: patch.evidence.iter().flat_map(|found| evidence(patch, found)).collect(),
        missing: missing(patch),
        unlike: unlike(patch),
        change: Sides::of_patch(number.to_string(), place.clone(), &patch.diff),
        place,
        diff: patch.diff.lines().map(plain).map(|line| format!("{line}\n")).collect(),
    }
}

fn figures(report: &Report, repaired: &Repaired) -> Vec<(&'static str, String)> {
    let mut figures = vec![
        ("found by", plain(&repaired.method).into_owned()),
        ("expressions looked at", repaired.sites.to_string()),
        ("candidates made for them", repaired.candidates.to_string()),
        ("of them run", repaired.tried.to_string()),
        ("builds", report.stats.builds.to_string()),
        ("test runs", report.stats.test_runs.to_string()),
        ("in all", format!("{:.1} s", report.stats.seconds)),
    ];
    figures.extend(counts(repaired));
    let phases = repaired.phases.by_name().into_iter().filter(|(_, seconds)| *seconds >= 0.05);
    figures.extend(phases.map(|(name, seconds)| (name, format!("{seconds:.1} s"))));
    figures
}
