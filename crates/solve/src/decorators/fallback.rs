//! A second solver for what the first does not know.

use std::time::{Duration, Instant};

use whydunit_process::Cancel;
use whydunit_terms::{Pool, Term};

use crate::solver::require_truth;
use crate::{Answer, Capabilities, Limits, SolveError, Solver};

/// Asks a second solver when the first does not know, or fails. The first has a share of the time for each check, the
/// second what is left.
pub struct Fallback {
    first: Box<dyn Solver>,
    second: Box<dyn Solver>,
    share: Duration,
    assertions: Vec<Term>,
    /// How many of the assertions the second solver knows.
    told: usize,
    /// The first solver could not be told an assertion.
    first_lacks: bool,
    name: String,
}

impl Fallback {
    /// Of two solvers, and the first one's share.
    pub fn new(first: Box<dyn Solver>, second: Box<dyn Solver>, share: Duration) -> Self {
        let name = format!("{} or {}", first.name(), second.name());
        Self { first, second, share, assertions: Vec::new(), told: 0, first_lacks: false, name }
    }
}

impl Solver for Fallback {
    fn name(&self) -> &str {
        &self.name
    }

    /// What both can do.
    fn capabilities(&self) -> Capabilities {
        let (a, b) = (self.first.capabilities(), self.second.capabilities());
        Capabilities {
            floats: a.floats && b.floats,
            incremental: a.incremental && b.incremental,
            cores: a.cores && b.cores,
        }
    }

    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        require_truth(pool, term)?;
        self.assertions.push(term);
        // What the first cannot be told keeps it out until the next reset.
        match self.first.assert(pool, term) {
            Ok(()) => {}
            Err(SolveError::Failed { .. } | SolveError::Float(_)) => self.first_lacks = true,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        let start = Instant::now();
        let share = limits.time.map_or(self.share, |time| time.min(self.share));
        let first = if self.first_lacks {
            Ok(Answer::Unknown(String::new()))
        } else {
            self.first.check(pool, assumptions, &Limits { time: Some(share), ..limits.clone() })
        };
        let interrupted = || limits.interrupt.as_ref().is_some_and(Cancel::is_cancelled);
        match first {
            Ok(Answer::Unknown(_)) if !interrupted() => {}
            Err(SolveError::Failed { .. } | SolveError::Float(_)) => {}
            settled => return settled,
        }
        while let Some(assertion) = self.assertions.get(self.told) {
            self.second.assert(pool, *assertion)?;
            self.told += 1;
        }
        let time = limits.time.map(|time| time.saturating_sub(start.elapsed()));
        self.second.check(pool, assumptions, &Limits { time, ..limits.clone() })
    }

    fn reset(&mut self) {
        self.first.reset();
        self.second.reset();
        self.assertions.clear();
        self.told = 0;
        self.first_lacks = false;
    }
}
