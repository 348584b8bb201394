//! A budget over all checks.

use std::time::{Duration, Instant};

use whydunit_terms::{Pool, Term};

use crate::{Answer, Capabilities, Limits, SolveError, Solver};

/// Spends no more than a budget on all checks together: time, and their number. Afterwards every answer is unknown.
pub struct Limited {
    inner: Box<dyn Solver>,
    time: Option<Duration>,
    checks: Option<u64>,
}

impl Limited {
    /// Around a solver, without a budget yet.
    pub fn new(inner: Box<dyn Solver>) -> Self {
        Self { inner, time: None, checks: None }
    }

    /// With so much time.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// With so many checks.
    pub fn checks(mut self, checks: u64) -> Self {
        self.checks = Some(checks);
        self
    }
}

impl Solver for Limited {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        self.inner.assert(pool, term)
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        if self.time.is_some_and(|left| left.is_zero()) {
            return Ok(Answer::Unknown("the time for all checks is spent".into()));
        }
        if let Some(left) = &mut self.checks {
            if *left == 0 {
                return Ok(Answer::Unknown("all checks are made".into()));
            }
            *left -= 1;
        }
        let time = match (limits.time, self.time) {
            (Some(one), Some(all)) => Some(one.min(all)),
            (one, all) => one.or(all),
        };
        let start = Instant::now();
        let answer = self.inner.check(pool, assumptions, &Limits { time, ..limits.clone() });
        self.time = self.time.map(|left| left.saturating_sub(start.elapsed()));
        answer
    }

    fn reset(&mut self) {
        self.inner.reset();
    }
}
