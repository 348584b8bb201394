//! What `review` found of a fix, as text.

use whydunit_findings::{
    Better, Compared, Counterexample, Did, Disruption, Executed, FixVerdict, Remark, Report, Reviewed, UnderTest,
};

use super::{Page, counted};
use crate::plain::{plain, plain_line};

/// So many lines of an output are shown.
const LINES: usize = 6;
/// So many parts of a predicate are shown.
const PARTS: usize = 3;

pub(super) fn reviewed(page: &mut Page<'_>, reviewed: &Reviewed, report: &Report) {
    let verdict = match reviewed.verdict {
        FixVerdict::Coverage => page.style.warning("bad: the bug is not covered"),
        FixVerdict::Disruption => page.style.warning("bad: it breaks something else"),
        FixVerdict::NoCounterexample => page.style.strong("no counterexample found"),
    };
    page.line(format!("{}: {verdict}", plain(&reviewed.fix)));
    page.line(format!("  the bug: {}: {}", plain(&reviewed.test), plain_line(&reviewed.failure)));
    page.line(format!("  {}", within(reviewed, report)));
    if let Some(found) = &reviewed.counterexample {
        page.line(format!("\nwith the fix {} ({})", plain_line(&found.fails), found_by(found)));
        if !found.case.is_empty() {
            page.line(format!("  {}", plain(&found.case)));
        }
        if let Some(entry) = &reviewed.entry {
            call(page, entry);
        }
        sides(page, &found.before, &found.after);
        if let Some(parts) = &found.parts {
            if let Some(common) = &parts.common {
                page.line(format!("  the runs part behind {}", plain_line(&line(common))));
            }
            for (name, steps) in [("before", &parts.before), ("with it", &parts.after)] {
                page.line(format!("    {name}:"));
                steps.iter().for_each(|step| page.line(format!("      {}", plain_line(&line(step)))));
            }
        }
    }
    for disruption in &reviewed.disruptions {
        page.line("\nthe fix changes what was right");
        changed(page, disruption);
    }
    for difference in &reviewed.differences {
        page.line(format!(
            "\nthe fix changes this; see whether it should{}",
            kind(&difference.what, difference.inputs)
        ));
        changed(page, difference);
    }
    for question in &reviewed.questions {
        page.line(format!("\n{}: is that right? ({})", plain_line(&question.what), counted(question.inputs, "input")));
        remarked(page, question);
    }
    for remark in &reviewed.remarks {
        let inputs = counted(remark.inputs, "input");
        page.line(format!("\nseen besides, and not held against the fix ({inputs}): {}", plain_line(&remark.what)));
        remarked(page, remark);
    }
    if !reviewed.predicate.is_empty() {
        page.line("\nthe program fails before the fix where");
        for (number, part) in reviewed.predicate.iter().take(PARTS).enumerate() {
            let or = if number == 0 { "" } else { "or " };
            page.line(format!("  {or}{}", plain_line(part)));
        }
        if reviewed.predicate.len() > PARTS {
            page.line(format!("  or on {} more", counted((reviewed.predicate.len() - PARTS) as u64, "path")));
        }
    }
    if let Some(compared) = &reviewed.compared {
        page.line("");
        comparison(compared).into_iter().for_each(|line| page.line(line));
    }
    if let Some(domain) = &reviewed.proposed_domain {
        page.line("\nno --domain was given; the suite's inputs lie in");
        domain.lines().for_each(|line| page.line(format!("  {}", plain_line(line))));
    }
}

/// A call of a function under test, and a test of it.
fn call(page: &mut Page<'_>, entry: &UnderTest) {
    let given = entry.parameters.iter().zip(&entry.arguments);
    let given: Vec<String> = given.map(|(name, value)| format!("{name} = {}", plain_line(value))).collect();
    if given.is_empty() {
        return;
    }
    page.line(format!("  {}: {}", plain(&entry.function), given.join(", ")));
    if let Some(test) = &entry.unit_test {
        page.line("  as a test:");
        test.lines().for_each(|line| page.line(format!("    {}", plain_line(line))));
    }
}

/// By what a counterexample was found, and whether the fix has made it one.
pub(crate) fn found_by(found: &Counterexample) -> String {
    let before = if found.covered { "it fails before the fix, too" } else { "before the fix it does not fail" };
    let by = match (&found.by[..], found.distance) {
        ("suite", _) => "the suite's own test".to_string(),
        ("paths", Some(distance)) => format!("a path at distance {distance}"),
        ("paths", None) => "a path".to_string(),
        _ => "an input made of the suite's".to_string(),
    };
    format!("{by}; {before}")
}

/// A line that is executed, with its place.
pub(crate) fn line(executed: &Executed) -> String {
    format!("{}: {}", executed.location, executed.code)
}

/// How far the search came, in a line.
pub(crate) fn within(reviewed: &Reviewed, report: &Report) -> String {
    let mut parts = Vec::new();
    if let (Some(distance), Some(last)) = (reviewed.distance, reviewed.distances.last()) {
        let all = if reviewed.complete { "all paths" } else { "paths" };
        parts.push(format!(
            "{all} within distance {distance}: {}, {} failing",
            counted(last.paths, "path"),
            last.feasible
        ));
    }
    let followed: u64 = reviewed.followed.iter().sum();
    if followed > 0 {
        parts.push(format!(
            "{} followed, {}, {:.2} s in the solver",
            counted(followed, "run"),
            counted(report.stats.solver_calls, "question"),
            reviewed.solving
        ));
    }
    if reviewed.inputs > 0 {
        parts.push(format!("{} compared", counted(reviewed.inputs, "input")));
    }
    parts.push(format!("{:.1} s", reviewed.searching));
    parts.join("; ")
}

/// What kind of change, and on how many inputs; nothing where that is not told.
pub(crate) fn kind(what: &str, inputs: u64) -> String {
    if what.is_empty() { String::new() } else { format!(": {} ({})", plain_line(what), counted(inputs, "input")) }
}

fn remarked(page: &mut Page<'_>, remark: &Remark) {
    page.line(format!("  {}", plain(&remark.case)));
    sides(page, &remark.before, &remark.after);
}

fn changed(page: &mut Page<'_>, disruption: &Disruption) {
    if let Some(test) = &disruption.test {
        page.line(format!("  test {}", plain(test)));
    }
    if let Some(case) = &disruption.case {
        page.line(format!("  {}", plain(case)));
    }
    sides(page, &disruption.before, &disruption.after);
}

/// What both versions did.
fn sides(page: &mut Page<'_>, before: &Did, after: &Did) {
    for (name, did) in [("before", before), ("with it", after)] {
        let lines: Vec<&str> = did.output.lines().collect();
        let shown: Vec<String> = lines.iter().take(LINES).map(|line| plain_line(line)).collect();
        let more = if lines.len() > LINES { " …" } else { "" };
        let printed = if shown.is_empty() { String::new() } else { format!(", printed: {}{more}", shown.join(" | ")) };
        page.line(format!("    {name:7}: {}{printed}", plain(&did.end)));
    }
}

/// Which of two fixes is better, in lines.
pub(crate) fn comparison(compared: &Compared) -> Vec<String> {
    let other = plain(&compared.other);
    let better = match compared.better {
        Better::This => format!("it is better than {other}"),
        Better::Other => format!("{other} is better"),
        Better::Equal => format!("it does as much as {other}, on all inputs that were tried"),
        Better::Neither => format!("neither it nor {other} is better"),
    };
    let [this, that, _] = compared.covered;
    let [worse, worse_that, _] = compared.disrupted;
    vec![
        better,
        format!("  of {} it covers {this}, the other one {that}", counted(compared.failing, "failing input")),
        format!("  it changes or breaks {} that did not fail, the other one {worse_that}", counted(worse, "input")),
    ]
}
