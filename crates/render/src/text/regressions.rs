//! How well the changes are found that broke a test.

use whydunit_findings::{Score, ScoredAnswer, ScoredRegression};

use super::Page;
use crate::plain::plain;

pub fn regressions(page: &mut Page, score: &Score) {
    let names = score.regressions.iter().map(|regression| regression.name.chars().count());
    let width = names.max().unwrap_or(0).max("regression".len());
    page.line(page.style.faint(&format!(
        "{:width$}  {:>7}  {:>5}  {:6}  {:>8}  {:4}  {:6}  {:>6}  {:>8}",
        "regression", "changes", "least", "method", "reported", "true", "passes", "builds", "seconds"
    )));
    for regression in &score.regressions {
        one(page, regression, width);
    }
    page.line("");
    page.line(page.style.strong(&format!(
        "{:6}  {:>11}  {:>4}  {:>7}  {:>8}  {:>6}  {:>7}  {:>8}  {:>8}",
        "method", "regressions", "true", "passing", "reported", "builds", "of dd's", "seconds", "worst"
    )));
    for method in &score.explainers {
        let share = method.share.map_or_else(|| "-".into(), |share| format!("{:.0} %", 100.0 * share));
        page.line(format!(
            "{:6}  {:>11}  {:>4}  {:>7}  {:>8.2}  {:>6}  {share:>7}  {:>8.2}  {:>8.2}",
            method.method,
            method.regressions,
            method.found,
            method.passing,
            method.reported,
            method.builds,
            method.seconds,
            method.seconds_worst
        ));
    }
}

/// A line for each method, the first with what is true of all.
fn one(page: &mut Page, regression: &ScoredRegression, width: usize) {
    let name = plain(&regression.name);
    if let Some(problem) = &regression.problem {
        page.line(format!("{name:width$}  {}", page.style.warning(&plain(problem))));
        return;
    }
    let least = regression.least.map_or_else(|| "?".into(), |least| least.to_string());
    let mut head = format!("{name:width$}  {:>7}  {least:>5}", regression.changes);
    for answer in &regression.answers {
        page.line(format!("{head}  {}", line(page, answer)));
        head = " ".repeat(width + 16);
    }
}

/// `after  2+1  yes  yes  14  3.10`: changes that have to be reverted with those at fault behind a plus.
fn line(page: &Page, answer: &ScoredAnswer) -> String {
    let yes = |it: bool| if it { "yes" } else { "no" };
    if let Some(problem) = &answer.problem {
        return format!("{:6}  {}", answer.method, page.style.warning(&plain(problem)));
    }
    let reported = match answer.auxiliary {
        0 => answer.reported.to_string(),
        auxiliary => format!("{}+{auxiliary}", answer.reported),
    };
    format!(
        "{:6}  {reported:>8}  {:4}  {:6}  {:>6}  {:>8.2}",
        answer.method,
        yes(answer.found),
        yes(answer.passes),
        answer.builds,
        answer.seconds
    )
}
