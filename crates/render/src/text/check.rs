//! Calls that protocols exclude.

use whydunit_findings::{Checked, Misuse};

use super::excerpt::excerpt;
use super::{Page, counted};
use crate::plain::plain;

/// Each report with the source lines of its way, then what was checked.
pub fn checked(page: &mut Page, checked: &Checked) {
    for misuse in &checked.misuses {
        one(page, misuse);
        page.line("");
    }
    let found = match checked.misuses.len() {
        0 => "no misuse was found".to_string(),
        number => counted(number as u64, "misuse"),
    };
    let classes = if checked.classes.is_empty() { "no class".to_string() } else { checked.classes.join(", ") };
    match checked.functions {
        0 => page.line("nothing was checked"),
        functions => page.line(plain(&format!("{found} in {} (of {classes})", counted(functions, "function")))),
    }
    if checked.allowed > 0 {
        page.line(format!("{} allowed by comments", counted(checked.allowed, "report")));
    }
    if checked.known > 0 {
        page.line(format!("{} in the baseline", counted(checked.known, "report")));
    }
}

fn one(page: &mut Page, misuse: &Misuse) {
    let place = page.style.strong(&plain(&misuse.location.to_string()));
    page.line(format!("{place}: {}: {}", misuse.certainty(), plain(&misuse.message)));
    for step in &misuse.path {
        page.line(format!("  {}: {}", plain(&step.location.to_string()), plain(&step.what)));
        excerpt(page, &step.location, 4);
    }
    page.line(format!("  {}: here", plain(&misuse.location.to_string())));
    excerpt(page, &misuse.location, 4);
}
