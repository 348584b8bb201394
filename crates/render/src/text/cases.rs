//! What `cases` made, as text.

use whydunit_findings::{CaseBasis, Cases};

use super::{Page, counted};
use crate::plain::plain;

/// So many cases that do not pass are named.
const NAMED: usize = 10;

pub fn cases(page: &mut Page, told: &Cases) {
    let made = counted(told.cases.len() as u64, "case");
    let runs = counted(told.runs, "run");
    let (command, program) = (plain(&told.command), plain(&told.program));
    page.line(format!("{runs} of {program} under `{command}`, which {}", plain(&told.ended)));
    page.line(format!("{} in {}", page.style.strong(&made), plain(&told.path)));
    let with = |wanted: fn(&CaseBasis) -> bool| told.cases.iter().filter(|case| wanted(&case.basis)).count();
    let kinds = [
        (with(|basis| *basis == CaseBasis::Accepted), "as the command took for right"),
        (with(|basis| matches!(basis, CaseBasis::Compared(_))), "with the text that the command compares with"),
        (with(|basis| *basis == CaseBasis::Checked), "that had to end otherwise"),
    ];
    for (count, what) in kinds.into_iter().filter(|(count, _)| *count > 0) {
        page.line(format!("  {count:>4} {what}"));
    }
    let failing: Vec<_> = told.cases.iter().filter(|case| case.outcome.is_failure()).collect();
    if !failing.is_empty() {
        let told = if failing.len() == 1 {
            "1 fails by itself".into()
        } else {
            format!("{} fail by themselves", failing.len())
        };
        page.line(page.style.strong(&told));
    }
    for case in failing.iter().take(NAMED) {
        let with = match &case.basis {
            CaseBasis::Compared(file) => format!(" (compared with {})", plain(file)),
            CaseBasis::Accepted | CaseBasis::Checked => String::new(),
        };
        page.line(format!("       {}: {}{with}", plain(&case.name), case.outcome.name()));
    }
    if failing.len() > NAMED {
        page.line(format!("       … and {} more", failing.len() - NAMED));
    }
    if !told.left_out.is_empty() {
        page.line("runs that are no cases");
    }
    for left in &told.left_out {
        page.line(format!("  {:>4} {} ({})", left.count, plain(&left.reason), plain(&left.example)));
    }
    page.line(format!("to use them, in whydunit.toml: [tests] cases = \"{}\"", plain(&told.path)));
}
