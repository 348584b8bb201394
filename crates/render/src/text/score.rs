//! What `score` measured; here how well known faults are located.

use whydunit_findings::{FaultPlace, Score, ScoredBug, TOPS};

use super::{Page, regressions, repairs};
use crate::plain::plain;

pub fn score(page: &mut Page, score: &Score) {
    if !score.bugs.is_empty() {
        bugs(page, score);
    }
    if !score.regressions.is_empty() {
        if !score.bugs.is_empty() {
            page.line("");
        }
        regressions::regressions(page, score);
    }
    if !score.repairs.is_empty() {
        if !score.bugs.is_empty() || !score.regressions.is_empty() {
            page.line("");
        }
        repairs::repairs(page, score);
    }
}

fn bugs(page: &mut Page, score: &Score) {
    let width = score.bugs.iter().map(|bug| bug.name.chars().count()).max().unwrap_or(0).max(4);
    let mut head = format!("{:width$}  {:>8}", "", "failing");
    for method in &score.methods {
        head += &format!("  {:>16}", method.method);
    }
    page.line(page.style.faint(&head));
    for bug in &score.bugs {
        one(page, bug, width);
    }
    page.line("");
    let tops: String = TOPS.iter().map(|top| format!("{:>7}", format!("top {top}"))).collect();
    page.line(page.style.strong(&format!(
        "{:12}  {:>5}  {:>6}{tops}  {:>8}  {:>6}  {:>8}  {:>8}  {:>8}  {:>7}",
        "method", "bugs", "found", "examined", "median", "seconds", "worst", "excluded", "falsely"
    )));
    for method in &score.methods {
        let tops: String = method.top.iter().map(|number| format!("{number:>7}")).collect();
        let excluded = method
            .exclusions
            .map_or_else(String::new, |exclusions| format!("  {:>8}  {:>7}", exclusions.rightly, exclusions.falsely));
        page.line(format!(
            "{:12}  {:>5}  {:>6}{tops}  {:>8.2}  {:>6.1}  {:>8.3}  {:>8.3}{excluded}",
            method.method,
            method.bugs,
            method.found,
            method.examined,
            method.median,
            method.seconds,
            method.seconds_worst
        ));
    }
    for method in &score.methods {
        if let Some(phases) = &method.phases {
            let phases = phases.by_name().map(|(name, seconds)| format!("{name} {seconds:.3}")).join(", ");
            page.line(page.style.faint(&format!("{}, mean seconds by phase: {phases}", method.method)));
        }
    }
}

fn one(page: &mut Page, bug: &ScoredBug, width: usize) {
    let name = plain(&bug.name);
    if let Some(problem) = &bug.problem {
        page.line(format!("{name:width$}  {}", page.style.warning(&plain(problem))));
        return;
    }
    let mut line = format!("{name:width$}  {:>8}", format!("{}/{}", bug.failing, bug.tests));
    for place in &bug.places {
        line += &format!("  {:>16}", cell(place));
    }
    page.line(line);
}

/// `2.5 0.123s`; what is not reported in brackets, what was cut short with a plus, what is excluded although it is at fault with
/// an exclamation mark.
fn cell(place: &FaultPlace) -> String {
    let examined = if place.found { format!("{:.1}", place.examined) } else { format!("({:.1})", place.examined) };
    let falsely = place.exclusions.is_some_and(|exclusions| exclusions.falsely > 0);
    format!("{examined} {:.2}s{}{}", place.seconds, if place.cut { "+" } else { "" }, if falsely { "!" } else { "" })
}
