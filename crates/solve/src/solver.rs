//! What a solver is.

use std::time::{Duration, Instant};

use whydunit_process::Cancel;
use whydunit_terms::{Assignment, LowerError, Pool, Term, TermMap};

/// Decides formulas. One solver works with the terms of one pool until it is reset.
pub trait Solver {
    /// A short name, for messages and figures.
    fn name(&self) -> &str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// From now on `term` holds.
    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError>;

    /// Whether the assertions can hold together with `assumptions`, which count for this check only.
    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError>;

    /// Forgets all assertions.
    fn reset(&mut self);
}

/// What a solver can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Capabilities {
    /// It reasons about floats itself; otherwise they are lowered to bits.
    pub floats: bool,
    /// What it learns in one check serves the next.
    pub incremental: bool,
    /// It names the assumptions that an answer rests on; otherwise a core is all of them.
    pub cores: bool,
}

/// How far a check may go.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time, the translation of the formula included.
    pub time: Option<Duration>,
    /// Conflicts of the search, for solvers that count them.
    pub conflicts: Option<u32>,
    /// Ends the check once it is cancelled.
    pub interrupt: Option<Cancel>,
}

impl Limits {
    /// With a limit of time alone.
    pub fn of_time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Starts the clock.
    pub(crate) fn start(&self) -> Watch {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Watch { deadline, interrupt: self.interrupt.clone() }
    }
}

/// The limits of a check that runs.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    deadline: Option<Instant>,
    interrupt: Option<Cancel>,
}

impl Watch {
    /// Why the check must end, if it must.
    pub(crate) fn over(&self) -> Option<&'static str> {
        if self.interrupt.as_ref().is_some_and(Cancel::is_cancelled) {
            return Some("interrupted");
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some("out of time")
    }

    /// The time that is left, if it is limited.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether anything could end it.
    pub(crate) fn watches(&self) -> bool {
        self.deadline.is_some() || self.interrupt.is_some()
    }
}

/// What a check finds.
#[derive(Clone, Debug)]
pub enum Answer {
    /// They hold under this assignment, which has a value for every variable that assertions and assumptions depend on.
    Sat(Assignment),
    /// They cannot.
    Unsat {
        /// The assumptions by their places, in order, that already contradict the assertions; not always fewest.
        core: Vec<usize>,
    },
    /// Not found within the limits, and why.
    Unknown(String),
}

impl Answer {
    /// Whether it is [`Answer::Sat`].
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Whether it is [`Answer::Unsat`].
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat { .. })
    }
}

/// A check that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// An assertion or an assumption is no truth value.
    #[error("a formula must be a truth value, not a bit-vector of {0} bits")]
    NotBoolean(u32),
    /// A float operation that the solver cannot be given.
    #[error(transparent)]
    Float(#[from] LowerError),
    /// A solver failed.
    #[error("the solver {solver} failed: {message}")]
    Failed {
        /// Which.
        solver: String,
        /// What it said.
        message: String,
    },
}

/// A formula must be a truth value.
pub(crate) fn require_truth(pool: &Pool, term: Term) -> Result<(), SolveError> {
    if pool.is_bool(term) { Ok(()) } else { Err(SolveError::NotBoolean(pool.width(term))) }
}

/// Whether terms have float operations; what is `known` has none.
pub(crate) fn has_floats(pool: &Pool, roots: impl Iterator<Item = Term>, known: impl Fn(Term) -> bool) -> bool {
    let mut open: Vec<Term> = roots.collect();
    let mut seen = TermMap::new();
    while let Some(term) = open.pop() {
        if known(term) || seen.insert(term, ()).is_some() {
            continue;
        }
        let node = pool.node(term);
        if node.is_float() {
            return true;
        }
        open.extend(node.operands());
    }
    false
}
