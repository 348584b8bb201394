//! The checks that watch recorded runs and the calls that are tried.

use whydunit_memcheck::Memcheck;
use whydunit_undefined::Undefined;

/// The check for errors of memory, and the check for undefined behaviour. They must watch from the start of a run.
pub type Checks = (Memcheck, Undefined);

/// Checks of which only what they find from here on counts.
pub(crate) fn fresh(checks: &Checks) -> Checks {
    let mut checks = checks.clone();
    checks.0.forget_errors();
    checks.1.forget_found();
    checks
}
