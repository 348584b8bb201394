//! How well known faults are repaired.

use whydunit_findings::{Score, ScoredPatch, ScoredRepair};

use super::Page;
use crate::plain::plain;

/// So many characters of a patch are shown.
const SHOWN: usize = 60;

pub fn repairs(page: &mut Page, score: &Score) {
    let names = score.repairs.iter().map(|repair| repair.name.chars().count());
    let width = names.max().unwrap_or(0).max("fault".len());
    let methods = score.repairers.iter().map(|method| method.method.chars().count());
    let method_width = methods.max().unwrap_or(0).max("method".len());
    page.line(page.style.faint(&format!(
        "{:width$}  {:>8}  {:method_width$}  {:>7}  {:9}  {:7}  {:>8}  {:>6}  {:>8}  first patch",
        "fault", "failing", "method", "patches", "grade", "correct", "held out", "builds", "seconds"
    )));
    for repair in &score.repairs {
        one(page, repair, width, method_width);
    }
    page.line("");
    page.line(page.style.strong(&format!(
        "{:method_width$}  {:>6}  {:>7}  {:>6}  {:>7}  {:>11}  {:>8}  {:>7}  {:>8}  {:>8}",
        "method", "faults", "patched", "judged", "correct", "any correct", "verified", "correct", "median", "worst"
    )));
    for method in &score.repairers {
        page.line(format!(
            "{:method_width$}  {:>6}  {:>7}  {:>6}  {:>7}  {:>11}  {:>8}  {:>7}  {:>8.2}  {:>8.2}",
            method.method,
            method.faults,
            method.patched,
            method.judged,
            method.correct,
            method.any_correct,
            method.verified,
            method.verified_correct,
            method.seconds_median,
            method.seconds_worst
        ));
    }
    for method in &score.repairers {
        let phases = method.phases.by_name().into_iter().filter(|(_, seconds)| *seconds >= 0.05);
        let spent: Vec<String> = phases.map(|(name, seconds)| format!("{name} {seconds:.1} s")).collect();
        if !spent.is_empty() {
            page.line(format!("of the time of {}, on average: {}", method.method, spent.join(", ")));
        }
    }
}

/// A line for each method, the first with what is true of all.
fn one(page: &mut Page, repair: &ScoredRepair, width: usize, method_width: usize) {
    let name = plain(&repair.name);
    if let Some(problem) = &repair.problem {
        page.line(format!("{name:width$}  {}", page.style.warning(&plain(problem))));
        return;
    }
    let mut head = format!("{name:width$}  {:>8}", format!("{}/{}", repair.failing, repair.tests));
    for answer in &repair.answers {
        page.line(format!("{head}  {}", line(page, answer, method_width)));
        head = " ".repeat(width + 10);
    }
}

/// `enumeration  2  verified  yes  200  14  3.10  a.c:7 x -> y`: `later` says that another patch than the first is correct; of the cases held
/// out those that fail with the first stand before all of them; a time that was cut short has a plus.
fn line(page: &Page, answer: &ScoredPatch, method_width: usize) -> String {
    let correct = match (answer.correct, answer.any_correct) {
        (Some(true), _) => "yes",
        (_, Some(true)) => "later",
        (Some(false), _) => "no",
        (None, _) => "-",
    };
    let held_out = match (answer.held_out, answer.held_out_failing) {
        (0, _) => "-".into(),
        (all, 0) => all.to_string(),
        (all, failing) => format!("{failing}/{all}"),
    };
    let seconds = format!("{:.2}{}", answer.seconds, if answer.cut { "+" } else { "" });
    let mut text = format!(
        "{:method_width$}  {:>7}  {:9}  {correct:7}  {held_out:>8}  {:>6}  {seconds:>8}",
        answer.method,
        answer.patched,
        answer.first.as_ref().map_or("-", |patch| patch.grade.name()),
        answer.builds
    );
    if let Some(patch) = &answer.first {
        for (at, replaced) in patch.replacements().enumerate() {
            let place = format!("{}:{}", replaced.location.file, replaced.location.line);
            let before = if replaced.before.is_empty() { "nothing" } else { &replaced.before };
            let and = if at == 0 { "" } else { " and" };
            text += &format!("{and}  {} {} -> {}", plain(&place), short(before), short(&replaced.after));
        }
    }
    if let Some(problem) = &answer.problem {
        text += &format!("  {}", page.style.warning(&plain(problem)));
    }
    text
}

/// An expression in one line, and not all of a long one.
fn short(code: &str) -> String {
    let joined = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = joined.chars().take(SHOWN).collect();
    let more = if shown.len() < joined.len() { "…" } else { "" };
    format!("{}{more}", plain(&shown))
}
