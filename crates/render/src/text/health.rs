//! What is installed, what is missing, and what to type.

use whydunit_findings::{Health, HealthCheck, HealthState, HealthTopic};

use super::{Page, counted};
use crate::plain::plain;

/// Topic by topic, a line for each thing that was looked at, its remedy below it.
pub fn health(page: &mut Page, health: &Health) {
    page.line(format!("whydunit {}", plain(&health.version)));
    for topic in HealthTopic::ALL {
        let checks: Vec<&HealthCheck> = health.checks.iter().filter(|check| check.topic == topic).collect();
        if checks.is_empty() {
            continue;
        }
        let width = checks.iter().map(|check| check.name.chars().count()).max().unwrap_or_default();
        page.line("");
        page.line(page.style.strong(topic.name()));
        checks.iter().for_each(|check| one(page, check, width));
    }
    page.line("");
    let closing = match health.missing() {
        0 => page.style.good("all that is needed here is there"),
        number => page.style.bad(&format!("missing: {}", counted(number as u64, "thing"))),
    };
    page.line(closing);
}

fn one(page: &mut Page, check: &HealthCheck, width: usize) {
    let word = format!("{:<8}", check.state.name());
    let word = match check.state {
        HealthState::Good => page.style.good(&word),
        HealthState::Doubtful => page.style.warning(&word),
        HealthState::Absent => page.style.faint(&word),
        HealthState::Missing => page.style.bad(&word),
    };
    page.line(format!("  {word}  {:<width$}  {}", plain(&check.name), plain(&check.found)));
    if let Some(remedy) = &check.remedy {
        page.line(format!("            {:<width$}  -> {}", "", plain(remedy)));
    }
}
