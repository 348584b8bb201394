//! Figures of what a solver does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use whydunit_terms::{Pool, Term, TermMap};

use crate::{Answer, Capabilities, Limits, SolveError, Solver};

/// What a solver did so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Checks.
    pub checks: u64,
    /// Those with a model.
    pub sat: u64,
    /// Those without.
    pub unsat: u64,
    /// Those without an answer, errors included.
    pub unknown: u64,
    /// The time that checks took.
    pub time: Duration,
    /// The longest one's.
    pub longest: Duration,
    /// The distinct terms of the largest formula, assertions and assumptions together.
    pub largest: usize,
}

/// Counts and times checks.
pub struct Timed {
    inner: Box<dyn Solver>,
    figures: Arc<Mutex<Figures>>,
    /// The terms of the assertions.
    asserted: TermMap<()>,
    size: usize,
}

impl Timed {
    /// Around a solver.
    pub fn new(inner: Box<dyn Solver>) -> Self {
        Self { inner, figures: Arc::default(), asserted: TermMap::new(), size: 0 }
    }

    /// The figures, which go on counting.
    pub fn figures(&self) -> Arc<Mutex<Figures>> {
        self.figures.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many terms of `roots` are not in `known`; they are put in.
fn count(pool: &Pool, roots: &[Term], known: impl Fn(Term) -> bool, seen: &mut TermMap<()>) -> usize {
    let mut open = roots.to_vec();
    let mut found = 0;
    while let Some(term) = open.pop() {
        if !known(term) && seen.insert(term, ()).is_none() {
            found += 1;
            open.extend(pool.node(term).operands());
        }
    }
    found
}

impl Solver for Timed {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        self.size += count(pool, &[term], |_| false, &mut self.asserted);
        self.inner.assert(pool, term)
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        let size = self.size + count(pool, assumptions, |term| self.asserted.contains(term), &mut TermMap::new());
        let start = Instant::now();
        let answer = self.inner.check(pool, assumptions, limits);
        let time = start.elapsed();
        let mut figures = self.lock();
        figures.checks += 1;
        match &answer {
            Ok(Answer::Sat(_)) => figures.sat += 1,
            Ok(Answer::Unsat { .. }) => figures.unsat += 1,
            Ok(Answer::Unknown(_)) | Err(_) => figures.unknown += 1,
        }
        figures.time += time;
        figures.longest = figures.longest.max(time);
        figures.largest = figures.largest.max(size);
        drop(figures);
        answer
    }

    fn reset(&mut self) {
        self.inner.reset();
        self.asserted.clear();
        self.size = 0;
    }
}
