//! `repair` as text: the patches, and what was tried.

use whydunit_findings::{Grade, Patch, Repaired, Report};

use super::{Page, counted};
use crate::plain::plain;

pub(super) fn repaired(page: &mut Page<'_>, repaired: &Repaired, report: &Report) {
    match repaired.patches.len() {
        0 if repaired.tests.is_empty() => {}
        0 => page.line("no patch of one expression was found with which all tests pass"),
        n => {
            let all = repaired.patches.iter().all(|patch| patch.grade == Grade::Verified);
            let with = if all { "built, and the whole suite passes with each" } else { "not all are verified" };
            page.line(format!("{}: {with}", counted(n as u64, "patch")));
        }
    }
    for (number, patch) in repaired.patches.iter().enumerate() {
        one(page, number + 1, patch);
    }
    if repaired.patches.is_empty() && !repaired.lines.is_empty() {
        let lines: Vec<String> = repaired.lines.iter().map(|line| format!("{}:{}", line.file, line.line)).collect();
        page.line(format!("tried: {}", lines.join(", ")));
    }
    if repaired.sites > 0 {
        let made = counted(repaired.candidates, "candidate");
        let sites = counted(repaired.sites, "expression");
        page.line(format!(
            "\n{made} for {sites}, {} of them run; {}, {:.1} s",
            repaired.tried,
            counted(report.stats.builds, "build"),
            report.stats.seconds
        ));
        if repaired.alike > 0 {
            let alike = counted(repaired.alike, "patch");
            page.line(format!("{alike} left out that did the same as another with all new inputs"));
        }
        if repaired.hopeless > 0 {
            let none = counted(repaired.hopeless, "expression");
            page.line(format!("{none} left out: whatever the values, a failing test fails"));
        }
        let phases = repaired.phases.by_name();
        let spent =
            phases.iter().filter(|(_, spent)| *spent >= 0.05).map(|(name, spent)| format!("{name} {spent:.1} s"));
        let spent: Vec<String> = spent.collect();
        if !spent.is_empty() {
            page.line(format!("of the time: {}", spent.join(", ")));
        }
    }
}

fn one(page: &mut Page<'_>, number: usize, patch: &Patch) {
    let place = page.style.strong(&patch.location.to_string());
    page.line(format!("\n{number}. {place} in {}  ({})", plain(&patch.function), patch.grade.name()));
    let joined = |text: &str| plain(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned();
    match joined(&patch.before) {
        nothing if nothing.is_empty() => page.line(format!("   new:  {}", joined(&patch.after))),
        before => page.line(format!("   {before}  ->  {}", joined(&patch.after))),
    }
    for line in patch.diff.lines() {
        page.line(format!("    {}", plain(line)));
    }
    let Some(differing) = &patch.differing else { return };
    let (own, other) = first_difference(&differing.output, &differing.other_output);
    let ends = |line: Option<&str>, status: i32| match line {
        Some(line) if differing.status == differing.other_status => format!("`{}`", plain(line)),
        Some(line) => format!("`{}`, status {status}", plain(line)),
        None if differing.status == differing.other_status => "nothing more".to_string(),
        None => format!("status {status}"),
    };
    let other_number = differing.other;
    page.line(format!("   unlike patch {other_number}: {}", plain(&differing.case)));
    let (own, other) = (ends(own, differing.status), ends(other, differing.other_status));
    page.line(format!("   prints {own}; patch {other_number} prints {other}"));
}

/// The first lines in which two outputs differ; none where there is no such line.
fn first_difference<'a>(one: &'a str, other: &'a str) -> (Option<&'a str>, Option<&'a str>) {
    let (mut one, mut other) = (one.lines(), other.lines());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return (None, None),
            (one, other) if one != other => return (one, other),
            _ => {}
        }
    }
}
