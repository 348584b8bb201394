//! What is installed, and what is missing.

use serde_json::{Value, json as value};
use whydunit_findings::{Health, HealthCheck};

use super::{list, text, with};

/// The keys of `doctor`.
pub(super) fn put(health: &Health, put: &mut dyn FnMut(&str, Value)) {
    put("version", text(&health.version));
    put("missing", health.missing().into());
    put("checks", list(&health.checks, check));
}

fn check(check: &HealthCheck) -> Value {
    let object = value!({
        "topic": check.topic.name(),
        "name": text(&check.name),
        "state": check.state.name(),
        "found": text(&check.found),
    });
    with(object, "remedy", &check.remedy, |it| text(it))
}
