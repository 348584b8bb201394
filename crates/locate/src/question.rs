//! What locating asks for and answers.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use whydunit_memcheck::MemoryError;
use whydunit_process::Cancel;
use whydunit_solve::Solver;
use whydunit_symbolic::{Bounds, Free, Statement, StatementId};

use crate::prints::Printed;
use crate::trial::Mutant;
use crate::unasked::Unasked;

/// Which formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All ways at once, loops unrolled as often as the bounds say.
    BugAssist,
    /// Ways as answers need them.
    OnDemand,
}

/// How much is tried, in instructions of trial runs: limits that do not depend on how fast the machine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trials {
    /// Other values of one statement.
    pub values: u64,
    /// Mutants of one statement.
    pub mutants: u64,
    /// Guards of one statement.
    pub guards: u64,
    /// Assignments behind other statements, for what one statement reads.
    pub assignments: u64,
    /// Other initial values of variables that the run reads.
    pub initial: u64,
    /// Statements that are given guards and assignments, the most suspicious ones.
    pub guarded: usize,
    /// All of them together.
    pub total: u64,
    /// Instructions that are followed under the memory check, for those with which the run passes.
    pub checked: u64,
}

/// How to locate.
pub struct Settings<'a> {
    /// Which formulas.
    pub method: Method,
    /// The cost of changing a statement, at least 1.
    pub cost: &'a dyn Fn(&Statement) -> u64,
    /// Which statements are relaxed first: the smallest.
    pub order: &'a dyn Fn(&Statement) -> u64,
    /// Which statements are looked at.
    pub candidate: &'a dyn Fn(&Statement) -> bool,
    /// Statements of which it is known that the run passes with a mutant of them: no others are made.
    pub mends: &'a dyn Fn(&Statement) -> bool,
    /// Statements in a set at most.
    pub most_statements: usize,
    /// Where more statements than this are executed, sets of several are looked for only when none does it alone.
    pub few: usize,
    /// Sets at most.
    pub most_sets: usize,
    /// So often a candidate's formula grows at most.
    pub most_iterations: usize,
    /// Candidates of more than one statement that are looked at, at most.
    pub most_candidates: usize,
    /// The sets of each iteration are wanted.
    pub rounds: bool,
    /// When to stop.
    pub deadline: Instant,
    /// Set when it is to stop at once.
    pub cancel: &'a Cancel,
    /// What statements print is asked about, and texts of the source.
    pub texts: bool,
    /// Numbers that failing tests state: what they are given.
    pub numbers: Rc<[i64]>,
    /// What the run does wrong to memory.
    pub errors: &'a [MemoryError],
    /// Trial runs for candidates on which formulas say nothing.
    pub trials: Option<Trials>,
    /// So long one candidate is looked at, at most.
    pub patience: Duration,
    /// Terms of all formulas together, where more statements are executed than `few`.
    pub terms: u64,
    /// Values of terms that are worked out while looking for answers near the run, where there are trial runs as well.
    pub work: u64,
    /// Terms of all formulas that the solver is given, where there are trial runs as well.
    pub solved: u64,
    /// Terms of a formula that the solver is given, where there are trial runs as well.
    pub large: u64,
    /// What one question to the solver may cost.
    pub question: Question,
    /// Bounds of one encoding.
    pub bounds: Bounds,
    /// Makes a solver.
    pub solver: &'a dyn Fn() -> Box<dyn Solver>,
    /// Told after each statement: how many were looked at, how many of them could make the run pass, and the best so far.
    pub progress: &'a dyn Fn(usize, usize, Option<&Statement>),
}

impl Settings<'_> {
    /// Time is up.
    pub(crate) fn late(&self) -> bool {
        self.cancel.is_cancelled() || Instant::now() >= self.deadline
    }
}

/// Limits of one question to a solver. Conflicts come first, so that answers do not depend on how fast the machine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Conflicts of its search.
    pub conflicts: u32,
    /// Time, in case that conflicts are rare and long.
    pub time: Duration,
}

impl Question {
    /// A part of it.
    pub(crate) fn part(self, of: u32) -> Self {
        Self { conflicts: (self.conflicts / of).max(1), time: self.time / of }
    }
}

/// A value that would have made the run pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The value.
    pub free: Free,
    /// What it would have to be.
    pub now: u64,
    /// How many values of the statement change.
    pub times: usize,
}

/// What would have to be otherwise for the run to pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// A value.
    Value(Change),
    /// What is printed.
    Printed(Printed),
}

impl Witness {
    /// The statement.
    pub fn statement(&self) -> StatementId {
        match self {
            Self::Value(change) => change.free.statement,
            Self::Printed(printed) => printed.statement,
        }
    }

    /// How often something of the statement changes.
    pub fn times(&self) -> usize {
        match self {
            Self::Value(change) => change.times,
            Self::Printed(printed) => printed.times,
        }
    }
}

/// What says that a run would pass, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Support {
    /// A formula with ways that nobody has gone.
    Unexplored,
    /// A formula on explored ways only, as far as it goes: of a wrong output to its first wrong call.
    Explored,
    /// A trial run to its end.
    Ran,
}

impl Support {
    /// Of a formula's answer.
    pub(crate) fn of_formula(explored: bool) -> Self {
        if explored { Self::Explored } else { Self::Unexplored }
    }
}

/// A correction set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorrectionSet {
    /// Its statements.
    pub statements: Vec<StatementId>,
    /// Its cost.
    pub cost: u64,
    /// What it rests on.
    pub support: Support,
    /// For each statement something that changes.
    pub witness: Vec<Witness>,
}

/// Why the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// There is nothing more to find.
    Complete,
    /// There may be sets of more statements than were allowed.
    Size,
    /// Enough statements were found that do it alone; sets of several were not looked for.
    Single,
    /// There are more sets.
    Sets,
    /// Time is up.
    Time,
    /// There may be more sets of several statements: as many candidates were looked at as should be.
    Candidates,
}

/// Time by what it was spent on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Phases {
    /// Replaying and encoding.
    pub encode: Duration,
    /// Solving.
    pub solve: Duration,
    /// Listing what is executed.
    pub list: Duration,
    /// Trial runs, those of mutants among them.
    pub trials: Duration,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// Sets of the last iteration, cheapest first.
    pub sets: Vec<CorrectionSet>,
    /// How often a formula grew by ways that its own answer went, at most.
    pub iterations: u64,
    /// The minimal sets of each iteration, those of the last one among them.
    pub rounds: Vec<Vec<Vec<StatementId>>>,
    /// Ways explored, the run among them.
    pub paths: u64,
    /// Outcomes of open branches that were explored.
    pub branches_explored: u64,
    /// All outcomes of open branches.
    pub branches_total: u64,
    /// Questions to the solver.
    pub solver_calls: u64,
    /// Terms of the last formula.
    pub terms: usize,
    /// Why it ended.
    pub stopped: Stopped,
    /// Statements that were not decided within the limits.
    pub undecided: Vec<StatementId>,
    /// Statements that can do nothing alone: whatever their values, the run fails.
    pub excluded: Vec<StatementId>,
    /// Statements of which no value was found that makes the run pass, and which were not asked about as a whole: why.
    pub unasked: Vec<(StatementId, Unasked)>,
    /// Mutants that make the run pass.
    pub mutants: Vec<Mutant>,
    /// What was left out.
    pub notes: BTreeSet<String>,
    /// Time.
    pub phases: Phases,
}
