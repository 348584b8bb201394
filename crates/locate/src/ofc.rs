//! On-demand formulas: the formula grows by the ways that its own answers go, until all answers rest on ways that were
//! gone. BugAssist is the same with all ways at once.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use whydunit_replay::{Machine, Snapshot};
use whydunit_solve::Solver;
use whydunit_solve::correction::{self, enumerate};
use whydunit_symbolic::{
    Arms, Bounds, Failing, Free, Instance, Knowledge, Known, Relaxation, Statement, StatementId, encode, open_branches,
};

use crate::Error;
use crate::formula::{Asked, Formula, Solution};

/// Which formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All ways at once, loops unrolled so often.
    BugAssist {
        /// How often a branch may stand inside itself.
        bound: usize,
    },
    /// Ways as answers need them.
    OnDemand,
}

/// How to locate.
pub struct Settings<'a> {
    /// Which formulas.
    pub method: Method,
    /// The cost of changing a statement, at least 1.
    pub cost: &'a dyn Fn(&Statement) -> u64,
    /// Statements in a set at most.
    pub most_statements: usize,
    /// Sets at most.
    pub most_sets: usize,
    /// Iterations at most.
    pub most_iterations: usize,
    /// When to stop.
    pub deadline: Instant,
    /// Bounds of one encoding.
    pub bounds: Bounds,
    /// Makes a solver.
    pub solver: &'a dyn Fn() -> Box<dyn Solver>,
    /// Told after each iteration: its number and the sets so far.
    pub progress: &'a dyn Fn(u64, usize),
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

/// A correction set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorrectionSet {
    /// Its statements.
    pub statements: Vec<StatementId>,
    /// Its cost.
    pub cost: u64,
    /// It rests on explored ways only.
    pub confirmed: bool,
    /// For each statement a value that changes.
    pub witness: Vec<Change>,
}

/// Why the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// There is nothing more to find.
    Complete,
    /// There may be sets of more statements.
    Size,
    /// There are more sets.
    Sets,
    /// There are unexplored ways.
    Iterations,
    /// Time is up.
    Time,
    /// The formula became too large.
    Terms,
}

/// Time by what it was spent on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Phases {
    /// Replaying and encoding.
    pub encode: Duration,
    /// Solving.
    pub solve: Duration,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// Sets of the last iteration, cheapest first.
    pub sets: Vec<CorrectionSet>,
    /// Iterations.
    pub iterations: u64,
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
    /// What was left out.
    pub notes: Vec<String>,
    /// Time.
    pub phases: Phases,
}

/// Locates the fault of one failing run.
pub fn locate(
    machine: &mut Machine,
    start: &Snapshot,
    knowledge: &mut Knowledge,
    failing: &Failing,
    settings: &Settings<'_>,
) -> Result<Located, Error> {
    let mut failing = failing.clone();
    failing.open = open_branches(machine, start, knowledge, &failing)?;
    let mut listed: HashSet<(Instance, u32)> = HashSet::new();
    let mut cores: Vec<Vec<StatementId>> = Vec::new();
    let mut located = Located {
        sets: Vec::new(),
        iterations: 0,
        paths: 1,
        branches_explored: 0,
        branches_total: 0,
        solver_calls: 0,
        terms: 0,
        stopped: Stopped::Complete,
        notes: Vec::new(),
        phases: Phases::default(),
    };
    loop {
        located.iterations += 1;
        let arms = match settings.method {
            Method::BugAssist { bound } => Arms::All { bound },
            Method::OnDemand => Arms::Listed(listed.clone()),
        };
        let started = Instant::now();
        let relaxation = Relaxation::selectable();
        let encoding = encode(machine, start, knowledge, &relaxation, &arms, &failing, settings.bounds)?;
        located.phases.encode += started.elapsed();
        located.terms = encoding.pool.len();
        located.notes.clone_from(&encoding.notes);
        if encoding.full {
            located.stopped = Stopped::Terms;
            return Ok(located);
        }
        let ways = encoding.branches.iter().flat_map(|branch| &branch.others);
        located.branches_total = 2 * encoding.branches.len() as u64;
        let explored = ways.filter(|way| way.known == Known::Explored).count();
        located.branches_explored = encoding.branches.len() as u64 + explored as u64;
        located.paths = 1 + listed.len() as u64;
        let mut formula = Formula::new(encoding, (settings.solver)(), settings.deadline)?;
        let cost = |&statement: &StatementId| knowledge.statements.get(statement).map_or(1, settings.cost).max(1);
        let costs: Vec<u64> = formula.statements.iter().map(cost).collect();
        let (sets, new, stopped) = iterate(&mut formula, &costs, &mut cores, settings)?;
        located.solver_calls += formula.checks;
        located.phases.solve += formula.solving;
        located.sets = sets;
        located.stopped = stopped;
        (settings.progress)(located.iterations, located.sets.len());
        let before = listed.len();
        listed.extend(new);
        if listed.len() == before || stopped == Stopped::Time {
            return Ok(located);
        }
        if located.iterations as usize >= settings.most_iterations {
            located.stopped = Stopped::Iterations;
            return Ok(located);
        }
        if Instant::now() >= settings.deadline {
            located.stopped = Stopped::Time;
            return Ok(located);
        }
    }
}

type Iteration = (Vec<CorrectionSet>, Vec<(Instance, u32)>, Stopped);

/// Enumerates the correction sets of a formula; with them the ways to explore next.
fn iterate(
    formula: &mut Formula,
    costs: &[u64],
    cores: &mut Vec<Vec<StatementId>>,
    settings: &Settings<'_>,
) -> Result<Iteration, Error> {
    let bounds = correction::Bounds {
        max_size: Some(settings.most_statements),
        max_sets: Some(settings.most_sets),
        deadline: Some(settings.deadline),
    };
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
    let mut asked = Asked { formula, cores, model: None, error: None };
    let enumeration = enumerate(costs, &mut asked, &bounds, |set| {
        found.push(set.statements.clone());
        ControlFlow::Continue(())
    });
    if let Some(error) = asked.error.take() {
        return Err(error);
    }
    let (mut sets, mut ways) = (Vec::new(), Vec::new());
    for set in found {
        let statements: Vec<StatementId> = set.iter().map(|&place| formula.statements[place]).collect();
        let cost = set.iter().map(|&place| costs[place]).sum();
        let (confirmed, model) = match formula.solve(&set, true)? {
            Solution::Holds(model) => (true, Some(model)),
            Solution::Fails(_) => match formula.solve(&set, false)? {
                Solution::Holds(model) => {
                    ways.extend(formula.new_ways(&model));
                    (false, Some(model))
                }
                _ => (false, None),
            },
            Solution::Unknown => (false, None),
        };
        let witness = match model {
            Some(model) => {
                let model = formula.plain_model(&set, confirmed, model)?;
                witness(formula, &model, &statements)
            }
            None => Vec::new(),
        };
        sets.push(CorrectionSet { statements, cost, confirmed, witness });
    }
    let stopped = match enumeration.stopped_by {
        correction::StoppedBy::Complete => Stopped::Complete,
        correction::StoppedBy::Size => Stopped::Size,
        correction::StoppedBy::Sets => Stopped::Sets,
        _ => Stopped::Time,
    };
    Ok((sets, ways, stopped))
}

/// For each statement the first value that changes.
fn witness(formula: &Formula, model: &whydunit_terms::Assignment, statements: &[StatementId]) -> Vec<Change> {
    let changes = formula.changes(model, statements);
    let mut out = Vec::new();
    for statement in statements {
        let mut of = changes.iter().filter(|(free, _)| free.statement == *statement);
        let times = of.clone().count();
        if let Some(&(free, now)) = of.next() {
            out.push(Change { free, now, times });
        }
    }
    out
}
