//! Ranked findings.

use whydunit_findings::{CorrectionSet, Finding, Located, Report};

use super::Page;
use super::excerpt::{excerpt, excerpt_within};
use crate::plain::plain;
use crate::ranking::{self, Part};

/// So many findings are shown with the lines around them.
const WITH_CONTEXT: usize = 3;

pub fn located(page: &mut Page, located: &Located, report: &Report) {
    if let Some(failing) = ranking::failing(report) {
        page.line(failing);
    }
    for failure in &located.failures {
        page.line(plain(&ranking::fails(failure)));
        if let Some(predicate) = &failure.predicate {
            page.line(page.style.faint(&format!("      should have held: {}", plain(predicate))));
        }
    }
    if located.findings.is_empty() {
        page.line("nothing to rank: no failing test executes a statement that is asked about");
    } else {
        findings(page, located);
    }
    correction_sets(page, located);
    if let Some(anomalies) = &located.anomalies {
        super::mine::anomalies(page, anomalies);
    }
    if let Some(stats) = &report.stats.formulas {
        page.line("");
        page.line(ranking::explored(stats));
        page.line(page.style.faint(&ranking::phases(stats)));
        left_out(page, &stats.left_out);
    }
}

/// What formulas left out: how much, where not all is asked for.
fn left_out(page: &mut Page, texts: &[String]) {
    if page.limit.is_some() {
        if let Some(counts) = ranking::left_out(texts) {
            page.line(format!("left out: {counts} (--all says which)"));
        }
        return;
    }
    if !texts.is_empty() {
        page.line("left out:");
    }
    for text in texts {
        page.line(format!("  {}", plain(text)));
    }
}

fn findings(page: &mut Page, located: &Located) {
    let title = page.style.strong("the most suspicious statements");
    page.line(format!("{title}, by {}:", plain(&located.method)));
    let (parts, less) = ranking::parts(&located.findings, page.limit);
    for (index, part) in parts.iter().enumerate() {
        page.line("");
        match part {
            Part::Full(finding) => one(page, finding, index < WITH_CONTEXT),
            Part::More(rest) => {
                let text = format!("and {} more of rank {}: ", rest.len(), ranking::rank(&rest[0]));
                let places = plain(&ranking::places(rest)).into_owned();
                page.line(format!("{:7}{}{places}", "", page.style.faint(&text)));
            }
        }
    }
    if less > 0 {
        page.line("");
        let text = format!("and {} (--top N shows more, --all shows all)", ranking::less(less));
        page.line(page.style.faint(&text));
    }
}

fn one(page: &mut Page, finding: &Finding, context: bool) {
    let rank = ranking::rank(finding);
    let place = page.style.strong(&plain(&finding.location.to_string()));
    let function = plain(&finding.function);
    let mut line = format!("{rank:>5}  {:>5}  {place} in {function}", ranking::score(finding.score));
    if let Some(branch) = &finding.branch {
        line += &format!(", outcome {}", plain(branch));
    }
    if let Some(counts) = finding.counts {
        line += &page.style.faint(&format!("  ({})", ranking::counts(counts)));
    }
    page.line(line);
    if context {
        excerpt_within(page, &finding.location, 9);
    } else {
        excerpt(page, &finding.location, 9);
    }
    for reason in ranking::reasons(finding) {
        page.line(format!("         {}", plain(&reason)));
    }
    if let Some(verdict) = ranking::verdict(finding) {
        page.line(page.style.faint(&format!("         {}", plain(&verdict))));
    }
    if let Some(sets) = ranking::sets(&finding.sets) {
        page.line(page.style.faint(&format!("         {sets}")));
    }
}

fn correction_sets(page: &mut Page, located: &Located) {
    let sets: &[CorrectionSet] = &located.correction_sets;
    let shown = page.limit.unwrap_or(sets.len()).min(sets.len());
    for (index, set) in sets[..shown].iter().enumerate() {
        if index == 0 {
            page.line("");
            let title = page.style.strong("correction sets");
            page.line(format!("{title} (were their values others, the test would pass), cheapest first:"));
        }
        let statements: Vec<_> = set.statements.iter().map(ToString::to_string).collect();
        let statements = page.style.strong(&plain(&statements.join(", ")));
        let doubt = ranking::doubt(set).map_or(String::new(), |doubt| page.style.warning(&format!("  {doubt}")));
        let cost = page.style.faint(&format!("  cost {}", (set.cost * 1000.0).round() / 1000.0));
        let tests = ranking::of_tests(set, located.failures.len());
        let tests = tests.map_or(String::new(), |tests| page.style.faint(&format!("  {}", plain(&tests))));
        page.line(format!("{:>5}  {statements}{cost}{tests}{doubt}", index + 1));
        for witness in &set.witness {
            page.line(format!("         {}", plain(witness)));
        }
    }
    if shown < sets.len() {
        page.line(page.style.faint(&format!("       and {} (--all shows all)", ranking::dearer(sets.len() - shown))));
    }
}
