//! Unit tests of what was learned, by file, and what has none.

use std::collections::BTreeMap;

use whydunit_findings::{Enriched, NoUnitTest, UnitTests};

use super::{Page, counted};
use crate::plain::plain;

/// Transitions of one reason that are named; of more it is said how many there are.
const NAMED: usize = 6;

/// The tests, each with the place that it has or is to have.
pub(super) fn unit_tests(page: &mut Page, enriched: &Enriched, tests: &UnitTests) {
    let made = counted(tests.tests.len() as u64, "unit test");
    let left_out = match tests.left_out.len() {
        0 => String::new(),
        some => format!("; {} without one", counted(some as u64, "transition")),
    };
    page.line("");
    page.line(format!("{}{left_out}", page.style.strong(&format!("{made}, compiled and passed"))));
    let mut last = None;
    for test in &tests.tests {
        if last != Some(&test.location) {
            let verb = if tests.written { "written" } else { "to stand" };
            let head =
                format!("  {verb} behind line {} of {}, `{}`", test.location.line, test.location.file, test.from_test);
            page.line("");
            page.line(page.style.faint(&plain(&head)));
        }
        page.line("");
        for line in test.text.lines() {
            page.line(plain(&format!("    {line}")).trim_end());
        }
        last = Some(&test.location);
    }
    if !tests.left_out.is_empty() {
        page.line("");
        without(page, enriched, &tests.left_out);
    }
}

/// The transitions that have no test, by reason.
fn without(page: &mut Page, enriched: &Enriched, left_out: &[NoUnitTest]) {
    page.line(page.style.strong("without a unit test"));
    let mut by_reason: BTreeMap<&str, Vec<&NoUnitTest>> = BTreeMap::new();
    for one in left_out {
        by_reason.entry(&one.reason).or_default().push(one);
    }
    for (reason, some) in by_reason {
        page.line(plain(&format!("  {} \u{d7}{}", reason, some.len())));
        for one in some.iter().take(NAMED) {
            let it = &enriched.transitions[one.transition];
            let name = |state: usize| enriched.states[state].name.as_str();
            let said = one.said.lines().next().map(|said| format!(": {said}")).unwrap_or_default();
            let told = format!("    {} -> {}  {}{said}", name(it.from), it.to.map_or("ex", name), it.method);
            page.line(page.style.faint(&plain(&told)));
        }
        if some.len() > NAMED {
            page.line(page.style.faint(&format!("    and {} more", some.len() - NAMED)));
        }
    }
}
