//! Listings: init, build, tests, the tour.

use whydunit_findings::{Build, DemoStep, Init, Outcome, Printed, TestResult};

use super::{Page, run};
use crate::plain::plain;

pub fn init(page: &mut Page, init: &Init) {
    page.line(format!("wrote {}", page.style.strong(&init.path)));
    for decision in &init.decisions {
        page.line(format!("  {}", plain(decision)));
    }
}

pub fn build(page: &mut Page, build: &Build) {
    page.line(format!("captured {}", count(build.units, "translation unit")));
    for executable in &build.executables {
        let path = page.style.strong(&executable.path);
        page.line(format!("  {path}  {}", count(executable.units, "unit")));
        if !executable.external.is_empty() {
            page.line(format!("    not captured: {}", plain(&executable.external.join(", "))));
        }
    }
    for note in &build.notes {
        page.line(format!("{}{}", page.style.warning("note: "), plain(note)));
    }
}

pub fn tests(page: &mut Page, tests: &[TestResult]) {
    if tests.is_empty() {
        page.line("no test was run");
        return;
    }
    // Flaky ones stand apart from those that fail each time.
    let (flaky, others): (Vec<&TestResult>, Vec<&TestResult>) =
        tests.iter().filter(|test| test.outcome != Outcome::Pass).partition(|test| test.outcome == Outcome::Flaky);
    for test in others.into_iter().chain(flaky) {
        let word = format!("{:<7}", test.outcome.name());
        let word = if test.outcome.is_failure() { page.style.bad(&word) } else { page.style.warning(&word) };
        let runs = test.runs.map(|runs| format!("failed {} of {} times", runs.failures, runs.runs));
        let parts: Vec<String> =
            runs.into_iter().chain(test.reason.as_deref().map(|it| plain(it).into_owned())).collect();
        let reason = if parts.is_empty() { String::new() } else { format!("  {}", parts.join(": ")) };
        page.line(format!("{word} {}  {:.2} s{reason}", plain(&test.name), test.seconds));
        test.printed.iter().for_each(|it| printed(page, it));
        run::errors(page, &test.errors);
    }
    let number = |outcome: Outcome| tests.iter().filter(|test| test.outcome == outcome).count();
    let mut parts = vec![page.style.good(&format!("{} pass", number(Outcome::Pass)))];
    let others =
        [Outcome::Fail, Outcome::Crash, Outcome::Timeout, Outcome::Error, Outcome::Flaky, Outcome::Skip].into_iter();
    for (outcome, number) in others.map(|outcome| (outcome, number(outcome))).filter(|(_, number)| *number > 0) {
        let part = format!("{number} {}", outcome.name());
        parts.push(if outcome.is_failure() { page.style.bad(&part) } else { page.style.warning(&part) });
    }
    page.line(format!("{}: {}", count(tests.len() as u64, "test"), parts.join(", ")));
}

/// The end of what a failed test printed, behind the words of its check.
fn printed(page: &mut Page, printed: &Printed) {
    if let Some(check) = &printed.check {
        page.line(format!("        {}", page.style.strong(&plain(check))));
    }
    if printed.left_out > 0 {
        let line = page.style.faint(&format!("… {} before", count(printed.left_out as u64, "line")));
        page.line(format!("      | {line}"));
    }
    for line in &printed.lines {
        page.line(format!("      | {}", plain(line)));
    }
}

pub fn demo(page: &mut Page, steps: &[DemoStep]) {
    for step in steps {
        page.line(page.style.strong(&format!("$ {}", plain(&step.command))));
        page.line(format!("# {}", plain(&step.purpose)));
        for line in step.result.lines() {
            page.line(format!("  {line}"));
        }
        page.line("");
    }
}

fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
