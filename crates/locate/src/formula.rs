//! A trace formula and a solver for it: which statements may change so that it holds.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use whydunit_solve::correction::{Oracle, Verdict};
use whydunit_solve::{Answer, Limits, Solver};
use whydunit_symbolic::{Encoding, Free, Known, StatementId};
use whydunit_terms::{Assignment, Evaluator, Term};

use crate::Error;

/// A way of a branch that a model goes and nobody has explored.
pub type NewWay = (whydunit_symbolic::Instance, u32);

/// The formula of one iteration, with its solver.
pub struct Formula {
    encoding: Encoding,
    solver: Box<dyn Solver>,
    /// Statements with a selector, in order; what sets are made of.
    pub statements: Vec<StatementId>,
    /// That each of them does what it does.
    kept: Vec<Term>,
    deadline: Instant,
    /// Checks made.
    pub checks: u64,
    /// Time spent in the solver.
    pub solving: Duration,
}

impl Formula {
    /// Gives a formula to a solver.
    pub fn new(mut encoding: Encoding, mut solver: Box<dyn Solver>, deadline: Instant) -> Result<Self, Error> {
        let mut statements: Vec<StatementId> = encoding.selectors.keys().copied().collect();
        statements.sort_unstable();
        let kept = statements.iter().map(|statement| encoding.pool.not(encoding.selectors[statement])).collect();
        for &term in &encoding.hard {
            solver.assert(&mut encoding.pool, term)?;
        }
        Ok(Self { encoding, solver, statements, kept, deadline, checks: 0, solving: Duration::ZERO })
    }

    /// Whether the formula can hold when the statements outside `relaxed` (by their places in [`Formula::statements`]) stay as
    /// they are, where `explored` says so on explored ways only.
    pub fn solve(&mut self, relaxed: &BTreeSet<usize>, explored: bool) -> Result<Solution, Error> {
        self.solve_with(relaxed, explored, &[])
    }

    fn solve_with(&mut self, relaxed: &BTreeSet<usize>, explored: bool, more: &[Term]) -> Result<Solution, Error> {
        let fixed: Vec<usize> = (0..self.statements.len()).filter(|index| !relaxed.contains(index)).collect();
        let mut assumptions: Vec<Term> = fixed.iter().map(|&index| self.kept[index]).collect();
        if explored {
            assumptions.push(self.encoding.explored);
        }
        assumptions.extend(more);
        let left = self.deadline.saturating_duration_since(Instant::now());
        let started = Instant::now();
        let answer = self.solver.check(&mut self.encoding.pool, &assumptions, &Limits::of_time(left))?;
        self.solving += started.elapsed();
        self.checks += 1;
        Ok(match answer {
            Answer::Sat(model) => Solution::Holds(model),
            Answer::Unsat { core } => {
                Solution::Fails(core.into_iter().filter_map(|place| fixed.get(place).copied()).collect())
            }
            Answer::Unknown(_) => Solution::Unknown,
        })
    }

    /// A model in which as many values as possible stay as they are in the run, and those that do not are small: people read
    /// it. `model` is one that is not chosen so.
    pub fn plain_model(
        &mut self,
        relaxed: &BTreeSet<usize>,
        explored: bool,
        model: Assignment,
    ) -> Result<Assignment, Error> {
        let statements: Vec<StatementId> = relaxed.iter().map(|&place| self.statements[place]).collect();
        let free: Vec<Free> =
            self.encoding.free.iter().filter(|free| statements.contains(&free.statement)).copied().collect();
        let (mut kept, mut best) = (Vec::new(), model);
        for wish in [Wish::Same, Wish::Bits(8), Wish::Bits(16)] {
            for free in free.iter().take(MOST_WISHES) {
                let Some(term) = self.wish(free, wish) else { continue };
                kept.push(term);
                // Most wishes hold already.
                if Evaluator::new(&self.encoding.pool, &best).holds(term) {
                    continue;
                }
                match self.solve_with(relaxed, explored, &kept)? {
                    Solution::Holds(model) => best = model,
                    _ => _ = kept.pop(),
                }
            }
        }
        Ok(best)
    }

    fn wish(&mut self, free: &Free, wish: Wish) -> Option<Term> {
        let pool = &mut self.encoding.pool;
        match wish {
            Wish::Same => {
                let value = pool.constant(free.width, free.value.into());
                Some(pool.eq(free.term, value))
            }
            Wish::Bits(bits) if free.width > bits => {
                let low = pool.truncate(free.term, bits);
                let wide = pool.sext(low, free.width);
                Some(pool.eq(wide, free.term))
            }
            Wish::Bits(_) => None,
        }
    }

    /// The unexplored ways that a model goes.
    pub fn new_ways(&self, model: &Assignment) -> Vec<NewWay> {
        let mut evaluator = Evaluator::new(&self.encoding.pool, model);
        let mut ways = Vec::new();
        for branch in &self.encoding.branches {
            for way in branch.others.iter().filter(|way| way.known == Known::Unexplored) {
                if evaluator.holds(branch.reach) && evaluator.holds(way.guard) {
                    ways.push((branch.instance, way.target));
                }
            }
        }
        ways
    }

    /// The values of these statements that a model changes, in order of execution.
    pub fn changes(&self, model: &Assignment, statements: &[StatementId]) -> Vec<(Free, u64)> {
        let mut evaluator = Evaluator::new(&self.encoding.pool, model);
        let mut selected: HashMap<StatementId, bool> = HashMap::new();
        let mut changes = Vec::new();
        for free in self.encoding.free.iter().filter(|free| statements.contains(&free.statement)) {
            let selector = self.encoding.selectors.get(&free.statement);
            let relaxed = *selected
                .entry(free.statement)
                .or_insert_with(|| selector.is_none_or(|&selector| evaluator.holds(selector)));
            let Some(now) = model.get(free.term).filter(|_| relaxed) else { continue };
            if now as u64 != free.value {
                changes.push((*free, now as u64));
            }
        }
        changes.sort_by_key(|(free, _)| free.instruction);
        changes
    }
}

/// What would be nice of a value.
#[derive(Clone, Copy)]
enum Wish {
    /// It is the run's.
    Same,
    /// It is a number of so many bits.
    Bits(u32),
}

/// So many values are wished for in turn.
const MOST_WISHES: usize = 24;

/// What the solver says.
pub enum Solution {
    /// It can.
    Holds(Assignment),
    /// It cannot, because of these statements (by their places) already.
    Fails(Vec<usize>),
    /// Time was up.
    Unknown,
}

/// The formula as an oracle for the enumeration of correction sets, with what is known from earlier iterations: exploring
/// more ways only makes formulas harder, so cores stay cores.
pub struct Asked<'a> {
    /// The formula.
    pub formula: &'a mut Formula,
    /// Statements of which one must change, from all iterations.
    pub cores: &'a mut Vec<Vec<StatementId>>,
    /// The model of the last set that holds.
    pub model: Option<Assignment>,
    /// What went wrong.
    pub error: Option<Error>,
}

impl Oracle for Asked<'_> {
    fn check(&mut self, relaxed: &BTreeSet<usize>) -> Verdict {
        let statements = &self.formula.statements;
        let place = |statement: &StatementId| statements.binary_search(statement).ok();
        for core in self.cores.iter() {
            let places: Vec<usize> = core.iter().filter_map(place).collect();
            if places.iter().all(|place| !relaxed.contains(place)) {
                return Verdict::Fails { core: places.into_iter().collect() };
            }
        }
        match self.formula.solve(relaxed, false) {
            Ok(Solution::Holds(model)) => {
                self.model = Some(model);
                Verdict::Holds
            }
            Ok(Solution::Fails(core)) => {
                let core = self.smaller(core);
                self.cores.push(core.iter().map(|&place| self.formula.statements[place]).collect());
                Verdict::Fails { core: core.into_iter().collect() }
            }
            Ok(Solution::Unknown) => Verdict::Unknown,
            Err(error) => {
                self.error = Some(error);
                Verdict::Unknown
            }
        }
    }
}

impl Asked<'_> {
    /// A core without what it does not need: each statement is left out once (deletion).
    fn smaller(&mut self, mut core: Vec<usize>) -> Vec<usize> {
        let all = self.formula.statements.len();
        let mut index = 0;
        while index < core.len() {
            let relaxed: BTreeSet<usize> =
                (0..all).filter(|place| !core.contains(place) || *place == core[index]).collect();
            match self.formula.solve(&relaxed, false) {
                Ok(Solution::Fails(smaller)) => {
                    let kept: Vec<usize> = core.iter().copied().filter(|place| smaller.contains(place)).collect();
                    core = kept;
                    index = 0;
                }
                _ => index += 1,
            }
            if core.len() <= 1 {
                break;
            }
        }
        core
    }
}
