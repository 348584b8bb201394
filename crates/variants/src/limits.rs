//! How long a test may take.

use std::time::Duration;

use whydunit_process::Limits;
use whydunit_suite::Suite;

/// A test may take so much longer than `longest`.
const SLOWER: u32 = 10;

/// The limits of a suite's tests where `longest` is the longest time that counts, if any is known: so much longer, at least `least`, and
/// no more than the suite says.
pub(crate) fn limits(suite: &Suite, longest: Duration, least: Duration) -> Limits {
    let mut limits = suite.limits.clone();
    if longest > Duration::ZERO {
        let most = (longest * SLOWER).max(least);
        limits.time = Some(limits.time.map_or(most, |time| time.min(most)));
    }
    limits
}
