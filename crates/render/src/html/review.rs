//! The page of a review: what stands against the fix, and both runs side by side from where they part.

use askama::Template;
use whydunit_findings::{Counterexample, Did, Disruption, FixVerdict, Remark, Report, Reviewed};

use super::{Note, STYLE, STYLE_HASH, note};
use crate::plain::{plain, plain_line};
use crate::text::review::{comparison, found_by, kind, line, within};

/// So many conditions are shown.
const PARTS: usize = 12;

/// What the template shows. All texts in it are plain, and escaped where they are put into the page.
#[derive(Template)]
#[template(path = "review.html")]
struct Page {
    style: &'static str,
    style_hash: &'static str,
    version: &'static str,
    fix: String,
    headline: &'static str,
    verdict: &'static str,
    bad: bool,
    test: String,
    failure: String,
    within: String,
    interrupted: bool,
    shown: Option<Shown>,
    changes: Vec<Change>,
    predicate: Vec<String>,
    /// Conditions that are not shown.
    more_predicate: usize,
    compared: Vec<String>,
    domain: Vec<String>,
    figures: Vec<(&'static str, String)>,
    problems: Vec<Note>,
}

/// A counterexample.
struct Shown {
    fails: String,
    found: String,
    /// The input, in lines.
    input: Vec<String>,
    /// What both runs have in common.
    common: String,
    /// The statements of both runs from there on, with their number.
    steps: Vec<(usize, String, String)>,
    before: String,
    after: String,
    /// Lines of a test.
    unit_test: Vec<String>,
}

/// Something that the fix changes.
struct Change {
    what: String,
    name: String,
    input: String,
    before: String,
    after: String,
}

/// The page of a review.
pub fn page(report: &Report, reviewed: &Reviewed) -> String {
    let (headline, verdict, bad) = match reviewed.verdict {
        FixVerdict::Coverage => ("does not cover the bug", "bad: coverage", true),
        FixVerdict::Disruption => ("breaks something else", "bad: disruption", true),
        FixVerdict::NoCounterexample => ("stands so far", "no counterexample found", false),
    };
    let lines = |text: &str| text.lines().map(plain_line).collect::<Vec<_>>();
    let changes = |what: &str, list: &[Disruption]| list.iter().map(|one| change(what, one)).collect::<Vec<_>>();
    let mut all = changes("It changes what was right:", &reviewed.disruptions);
    all.extend(changes("It changes this; should it?", &reviewed.differences));
    all.extend(reviewed.questions.iter().map(|one| remarked("Is this right?", one)));
    all.extend(reviewed.remarks.iter().map(|one| remarked("Seen besides, and not held against it:", one)));
    let page = Page {
        style: STYLE,
        style_hash: STYLE_HASH,
        version: env!("CARGO_PKG_VERSION"),
        fix: plain(&reviewed.fix).into_owned(),
        headline,
        verdict,
        bad,
        test: plain(&reviewed.test).into_owned(),
        failure: plain(&reviewed.failure).into_owned(),
        within: within(reviewed, report),
        interrupted: report.interrupted,
        shown: reviewed.counterexample.as_ref().map(|found| shown(reviewed, found)),
        changes: all,
        predicate: reviewed.predicate.iter().take(PARTS).map(|part| plain_line(part)).collect(),
        more_predicate: reviewed.predicate.len().saturating_sub(PARTS),
        compared: reviewed.compared.iter().flat_map(comparison).collect(),
        domain: reviewed.proposed_domain.as_deref().map(lines).unwrap_or_default(),
        figures: vec![
            ("paths looked at", reviewed.distances.last().map_or(0, |last| last.paths).to_string()),
            ("of them failing", reviewed.distances.last().map_or(0, |last| last.feasible).to_string()),
            ("runs followed", reviewed.followed.iter().sum::<u64>().to_string()),
            ("questions to the solver", report.stats.solver_calls.to_string()),
            ("inputs compared", reviewed.inputs.to_string()),
            ("builds", report.stats.builds.to_string()),
        ],
        problems: report.problems.iter().map(note).collect(),
    };
    // The template writes to a string: nothing can go wrong on the way.
    page.render().unwrap_or_default()
}

fn shown(reviewed: &Reviewed, found: &Counterexample) -> Shown {
    let entry = reviewed.entry.as_ref();
    let given = entry.into_iter().flat_map(|entry| entry.parameters.iter().zip(&entry.arguments));
    let given = given.map(|(name, value)| format!("{name} = {value}"));
    let input = std::iter::once(found.case.clone()).filter(|case| !case.is_empty()).chain(given);
    let parts = found.parts.as_ref();
    let side = |steps: Option<&Vec<_>>, at: usize| steps.and_then(|steps| steps.get(at)).map(line).unwrap_or_default();
    let (before, after) = (parts.map(|parts| &parts.before), parts.map(|parts| &parts.after));
    let most = before.map_or(0, Vec::len).max(after.map_or(0, Vec::len));
    let row = |at| (at + 1, plain(&side(before, at)).into_owned(), plain(&side(after, at)).into_owned());
    let test = entry.and_then(|entry| entry.unit_test.as_deref()).unwrap_or_default();
    Shown {
        fails: plain(&found.fails).into_owned(),
        found: found_by(found),
        input: input.map(|line| plain_line(&line)).collect(),
        common: match parts.and_then(|parts| parts.common.as_ref()) {
            Some(common) => format!("behind {}", plain(&line(common))),
            None => "from the start".into(),
        },
        steps: (0..most).map(row).collect(),
        before: did(&found.before),
        after: did(&found.after),
        unit_test: test.lines().map(|line| plain(line).into_owned()).collect(),
    }
}

fn remarked(what: &str, remark: &Remark) -> Change {
    Change {
        what: what.into(),
        name: plain_line(&remark.what),
        input: plain(&remark.case).into_owned(),
        before: did(&remark.before),
        after: did(&remark.after),
    }
}

fn change(what: &str, disruption: &Disruption) -> Change {
    Change {
        what: format!("{what}{}", kind(&disruption.what, disruption.inputs).trim_start_matches(':')),
        name: disruption.test.as_deref().map(plain).unwrap_or_default().into_owned(),
        input: disruption.case.as_deref().map(plain).unwrap_or_default().into_owned(),
        before: did(&disruption.before),
        after: did(&disruption.after),
    }
}

fn did(did: &Did) -> String {
    let printed = plain_line(&did.output);
    if printed.is_empty() { plain(&did.end).into_owned() } else { format!("{}, printed: {printed}", plain(&did.end)) }
}
