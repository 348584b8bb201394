//! What the formats for people share: which findings are shown in full, and figures in words.

use std::collections::BTreeMap;

use crate::plain::plain;
use whydunit_findings::{
    Body, CorrectionSet, Finding, FormulaStats, Group, Report, SpectrumCounts, TestFailure, Verdict,
};

/// A tie of more members than this is summed up.
const WHOLE_TIE: usize = 5;
/// So many members of a long tie are shown in full.
const OF_LONG_TIE: usize = 3;

/// A part of a ranked list.
#[derive(Debug, PartialEq)]
pub enum Part<'a> {
    /// A finding in full.
    Full(&'a Finding),
    /// Other findings of the same rank, summed up.
    More(&'a [Finding]),
}

/// The parts of a list that shows `limit` findings in full (none: all of them), and how many findings of lower rank are
/// not in it. Every tie that is begun is told whole; long ones are summed up.
pub fn parts(findings: &[Finding], limit: Option<usize>) -> (Vec<Part<'_>>, usize) {
    let Some(limit) = limit else { return (findings.iter().map(Part::Full).collect(), 0) };
    let mut parts = Vec::new();
    let (mut shown, mut told) = (0, 0);
    for tie in findings.chunk_by(|a, b| a.rank_best == b.rank_best) {
        if shown >= limit {
            break;
        }
        let most = if tie.len() > WHOLE_TIE { OF_LONG_TIE } else { tie.len() };
        let full = most.min(limit - shown);
        parts.extend(tie[..full].iter().map(Part::Full));
        if full < tie.len() {
            parts.push(Part::More(&tie[full..]));
        }
        shown += full;
        told += tie.len();
    }
    (parts, findings.len() - told)
}

/// `3`, or `3-18` for a tie.
pub fn rank(finding: &Finding) -> String {
    if finding.rank_best == finding.rank_worst {
        finding.rank_best.to_string()
    } else {
        format!("{}-{}", finding.rank_best, finding.rank_worst)
    }
}

/// A suspiciousness with three digits.
pub fn score(score: f64) -> String {
    if score.is_infinite() { "inf".into() } else { format!("{score:.3}") }
}

/// So many of a finding's changes are told.
const TOLD_CHANGES: usize = 2;

/// Why a statement can be at fault: changes of it that make failing tests pass and break few others, then values.
pub fn reasons(finding: &Finding) -> Vec<String> {
    let tests = |part: u64, of: u64, kind: &str| match (part, of) {
        (1, 1) => format!("the {kind} test asked"),
        (0, 1) => format!("not the {kind} test asked"),
        _ if part == of => format!("all {of} {kind} tests asked"),
        _ => format!("{part} of {of} {kind} tests asked"),
    };
    let changes = finding.changes.iter().take(TOLD_CHANGES).map(|tried| {
        let passing = match tried.passing {
            0 => String::new(),
            of => format!(", and {} still would", tests(tried.passing_kept, of, "passing")),
        };
        format!("{}, {} would pass{passing}", tried.change, tests(tried.failing_passed, tried.failing, "failing"))
    });
    changes.chain(finding.witness.iter().cloned()).collect()
}

/// How suspicious a finding is, by which method, and why it can be at fault: a line for each.
pub fn told(finding: &Finding, method: &str) -> String {
    let branch = finding.branch.as_ref().map(|branch| format!(", outcome {branch}")).unwrap_or_default();
    let counts = finding.counts.map(|known| format!(" ({})", counts(known))).unwrap_or_default();
    let suspicious =
        format!("suspicious{branch}: rank {}, {} by {method}{counts}", rank(finding), score(finding.score));
    std::iter::once(suspicious)
        .chain(reasons(finding))
        .map(|line| plain(&line).into_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Why it can be at fault, or what is said of it where nothing says so.
pub fn said(finding: &Finding) -> Vec<String> {
    reasons(finding).into_iter().chain(verdict(finding)).collect()
}

/// How many tests ran it.
pub fn counts(counts: SpectrumCounts) -> String {
    format!("{}/{} failing, {}/{} passing", counts.failed, counts.failed_total, counts.passed, counts.passed_total)
}

/// `n` things, by their singular.
pub fn number(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Findings of lower rank, by their number.
pub fn less(n: usize) -> String {
    number(n as u64, "less suspicious one")
}

/// Why an answer is partial.
pub fn cut_short(report: &Report) -> &'static str {
    match report.interrupted {
        true => "interrupted: this is what was found so far",
        false => "the time limit was reached: this is what was found so far",
    }
}

/// Correction sets of more cost, by their number.
pub fn dearer(n: usize) -> String {
    number(n as u64, "dearer one")
}

/// Correction sets by their numbers, which count from 1; none where there are none.
pub fn sets(sets: &[u64]) -> Option<String> {
    const NAMED: usize = 8;
    let names: Vec<String> = sets.iter().take(NAMED).map(|index| (index + 1).to_string()).collect();
    let more = sets.len().saturating_sub(NAMED);
    let noun = if sets.len() == 1 { "correction set" } else { "correction sets" };
    match more {
        _ if sets.is_empty() => None,
        0 => Some(format!("in {noun} {}", names.join(", "))),
        _ => Some(format!("in {noun} {} and {more} more", names.join(", "))),
    }
}

/// What a set rests on, where that is less than a run.
pub fn doubt(set: &CorrectionSet) -> Option<&'static str> {
    match (set.confirmed, set.ran) {
        (false, _) => Some("rests on ways that were not gone"),
        (true, false) => Some("by formula, not run"),
        (true, true) => None,
    }
}

/// The tests whose set it is, where several were looked at; none where it is a set of each of them.
pub fn of_tests(set: &CorrectionSet, failures: usize) -> Option<String> {
    (set.tests.len() < failures && !set.tests.is_empty()).then(|| format!("of {}", set.tests.join(", ")))
}

/// What formulas say of a statement that nothing else is said of; none where counts alone rank.
pub fn verdict(finding: &Finding) -> Option<String> {
    if !finding.witness.is_empty() || !finding.changes.is_empty() {
        return None;
    }
    Some(match finding.verdict? {
        Verdict::Undecided => "not decided whether other values of it would do".into(),
        Verdict::NotAsked => match &finding.unasked {
            Some(what) => format!("no value of it that was asked about would do; not asked: {what}"),
            None => "not asked".into(),
        },
        Verdict::Excluded => "a failing test of the same fault does not execute it".into(),
        Verdict::Alone | Verdict::Together => return None,
    })
}

/// Where a test fails, as in `three fails at list.c:14 in main: writes 4 bytes just past the end of …`.
pub fn fails(failure: &TestFailure) -> String {
    format!("{} fails {}: {}", failure.test, place(failure), failure.message)
}

/// The same for where the test itself stands beside it, with what should have held.
pub fn fails_there(failure: &TestFailure) -> String {
    let predicate = failure.predicate.iter().map(|predicate| format!("; should have held: {predicate}"));
    format!("{}: {}{}", place(failure), failure.message, predicate.collect::<String>())
}

fn place(failure: &TestFailure) -> String {
    let place = match &failure.location {
        Some(location) => format!("at {}:{}", location.file, location.line),
        None => "outside captured code".into(),
    };
    if failure.function.is_empty() { place } else { format!("{place} in {}", failure.function) }
}

/// The lines of findings, file by file in the order of their first finding: `offer.c 12-18, 40; text.c 3`.
pub fn places(findings: &[Finding]) -> String {
    let mut files: Vec<&str> = Vec::new();
    let mut lines: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for finding in findings {
        let own = lines.entry(&finding.location.file).or_insert_with(|| {
            files.push(&finding.location.file);
            Vec::new()
        });
        own.push(finding.location.line);
    }
    let told = files.into_iter().map(|file| format!("{file} {}", ranges(lines.remove(file).unwrap_or_default())));
    told.collect::<Vec<_>>().join("; ")
}

/// `12-18, 40`
fn ranges(mut lines: Vec<u32>) -> String {
    lines.sort_unstable();
    lines.dedup();
    let range = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        [only] => only.to_string(),
        [] => String::new(),
    };
    lines.chunk_by(|a, b| a + 1 == *b).map(range).collect::<Vec<_>>().join(", ")
}

/// How many tests fail, and which of them a ranking is of where they have several faults; none where none were run.
pub fn failing(report: &Report) -> Option<String> {
    let failing = report.tests.iter().filter(|test| test.outcome.is_failure()).count();
    let verb = if failing == 1 { "fails" } else { "fail" };
    let group = match &report.body {
        Body::Locate(located) => located.groups.first().map(of_group).unwrap_or_default(),
        _ => String::new(),
    };
    let tests = number(report.tests.len() as u64, "test");
    (!report.tests.is_empty()).then(|| format!("{failing} of {tests} {verb}{group}"))
}

/// Which tests a ranking is of.
fn of_group(group: &Group) -> String {
    const NAMED: usize = 5;
    let names = group.tests.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match group.tests.len().saturating_sub(NAMED) {
        0 => format!("; the ranking is of {names}"),
        more => format!("; the ranking is of {names} and {more} more"),
    }
}

/// What formulas left out, by its number; none where it is nothing.
pub fn left_out(texts: &[String]) -> Option<String> {
    let held = texts.iter().filter(|text| text.starts_with("held as in the run")).count();
    let held = (held as u64, number(held as u64, "value") + " held as in the run");
    let limits = texts.len() as u64 - held.0;
    let limits = (limits, number(limits, "limit"));
    let told: Vec<String> = [held, limits].into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// How far formulas went, in words.
pub fn explored(stats: &FormulaStats) -> String {
    format!(
        "{} of {} explored, on {} in {}; {}",
        stats.branches_explored,
        number(stats.branches_total, "branch outcome"),
        number(stats.paths, "path"),
        number(stats.iterations, "iteration"),
        number(stats.solver_calls, "question") + " to the solver"
    )
}

/// What formulas took, in words.
pub fn phases(stats: &FormulaStats) -> String {
    format!(
        "replaying {:.1} s, trial runs {:.1} s, encoding {:.1} s, solving {:.1} s",
        stats.replay_seconds, stats.trial_seconds, stats.encode_seconds, stats.solve_seconds
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::Location;

    fn tie(best: u64, lines: std::ops::RangeInclusive<u32>) -> Vec<Finding> {
        let worst = best + u64::from(lines.end() - lines.start());
        let finding = |line| Finding {
            rank_best: best,
            rank_worst: worst,
            location: Location::line("a.c", line),
            ..Finding::default()
        };
        lines.map(finding).collect()
    }

    #[test]
    fn a_long_tie_is_summed_up_and_a_short_one_is_not() {
        let findings = [tie(1, 1..=2), tie(3, 10..=20), tie(14, 30..=30)].concat();
        let (shown, less) = parts(&findings, Some(4));
        assert_eq!(shown.len(), 5);
        assert_eq!(shown[4], Part::More(&findings[4..13]));
        assert_eq!(less, 1);
        let (shown, less) = parts(&findings, Some(5));
        assert_eq!(shown[5], Part::More(&findings[5..13]));
        assert_eq!(less, 1);
        let (shown, less) = parts(&findings, Some(6));
        assert_eq!((shown.len(), less), (7, 0));
        let (shown, less) = parts(&findings, None);
        assert_eq!((shown.len(), less), (14, 0));
    }

    #[test]
    fn a_tie_that_the_limit_cuts_is_told_whole() {
        let findings = tie(1, 1..=4);
        let (shown, less) = parts(&findings, Some(1));
        assert_eq!(shown, [Part::Full(&findings[0]), Part::More(&findings[1..])]);
        assert_eq!(less, 0);
    }

    #[test]
    fn lines_are_told_in_ranges() {
        let at = |file: &str, line| Finding { location: Location::line(file, line), ..Finding::default() };
        let findings = [at("b.c", 40), at("b.c", 12), at("a.c", 3), at("b.c", 13), at("b.c", 13), at("b.c", 14)];
        assert_eq!(places(&findings), "b.c 12-14, 40; a.c 3");
    }

    #[test]
    fn sets_are_named_from_one() {
        assert_eq!(sets(&[]), None);
        assert_eq!(sets(&[0]).as_deref(), Some("in correction set 1"));
        let many: Vec<u64> = (0..10).collect();
        assert_eq!(sets(&many).as_deref(), Some("in correction sets 1, 2, 3, 4, 5, 6, 7, 8 and 2 more"));
    }
}
