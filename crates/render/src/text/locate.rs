//! Ranked findings.

use whydunit_findings::{Finding, Located, TestResult};

use super::Page;
use super::excerpt::excerpt;
use super::style::plain;

pub fn located(page: &mut Page, located: &Located, tests: &[TestResult]) {
    let failing = tests.iter().filter(|test| test.outcome.is_failure()).count();
    if !tests.is_empty() {
        page.line(format!("{failing} of {} tests fail", tests.len()));
    }
    if located.findings.is_empty() {
        page.line("nothing to rank: no failing test executes a captured statement");
        return;
    }
    let shown = shown(&located.findings, page.limit);
    let title = page.style.strong("the most suspicious statements");
    page.line(format!("{title}, by {}:", located.method));
    for finding in &located.findings[..shown] {
        page.line("");
        one(page, finding);
    }
    for (index, set) in located.correction_sets.iter().enumerate() {
        if index == 0 {
            page.line("");
            let title = page.style.strong("correction sets");
            page.line(format!("{title}, cheapest first:"));
        }
        let statements: Vec<_> = set.statements.iter().map(ToString::to_string).collect();
        page.line(format!("{:>4}  {}", index, statements.join(", ")));
        for witness in &set.witness {
            page.line(format!("        {}", plain(witness)));
        }
    }
    if shown < located.findings.len() {
        page.line("");
        let rest = located.findings.len() - shown;
        page.line(page.style.faint(&format!("and {rest} less suspicious ones (--top N shows more)")));
    }
}

/// How many of `findings` are shown: at least `limit`, and whole ties.
fn shown(findings: &[Finding], limit: usize) -> usize {
    let Some(last) = findings.get(limit.saturating_sub(1)) else { return findings.len() };
    findings.iter().take_while(|finding| finding.rank_best <= last.rank_best).count()
}

fn one(page: &mut Page, finding: &Finding) {
    let rank = if finding.rank_best == finding.rank_worst {
        finding.rank_best.to_string()
    } else {
        format!("{}-{}", finding.rank_best, finding.rank_worst)
    };
    let place = page.style.strong(&finding.location.to_string());
    let mut line = format!("{rank:>5}  {}  {place} in {}", score(finding.score), plain(&finding.function));
    if let Some(branch) = &finding.branch {
        line += &format!(", outcome {}", plain(branch));
    }
    if let Some(counts) = finding.counts {
        let counts = format!(
            "  ({}/{} failing, {}/{} passing)",
            counts.failed, counts.failed_total, counts.passed, counts.passed_total
        );
        line += &page.style.faint(&counts);
    }
    page.line(line);
    excerpt(page, &finding.location, 9);
    for witness in &finding.witness {
        page.line(format!("         {}", plain(witness)));
    }
}

fn score(score: f64) -> String {
    if score.is_infinite() { "  inf".into() } else { format!("{score:.3}") }
}
