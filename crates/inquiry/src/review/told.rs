//! Runs as they are told.

use whydunit_findings::Did;
use whydunit_process::{Exit, signal_name};
use whydunit_suite::TestResult;

/// So much of an output is told.
const TOLD: usize = 4 << 10;

/// What a run did, as it is told.
pub fn did(result: &TestResult) -> Did {
    let end = match result.exit {
        Some(Exit::Status(status)) => format!("status {status}"),
        Some(Exit::Signal(signal)) => signal_name(signal),
        None => result.outcome.reason().unwrap_or_default(),
    };
    let shown = &result.stdout[..result.stdout.len().min(TOLD)];
    Did { output: String::from_utf8_lossy(shown).into_owned(), end }
}
