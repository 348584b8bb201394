//! A trace formula and a solver for it: which statements may change so that it holds.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

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
    question: Duration,
    /// Questions that were not answered in time.
    pub unanswered: u64,
    /// Checks made.
    pub checks: u64,
    /// Time spent in the solver.
    pub solving: Duration,
}

impl Formula {
    /// Gives a formula to a solver.
    pub fn new(
        mut encoding: Encoding,
        mut solver: Box<dyn Solver>,
        deadline: Instant,
        question: Duration,
    ) -> Result<Self, Error> {
        let mut statements: Vec<StatementId> = encoding.selectors.keys().copied().collect();
        statements.sort_unstable();
        let kept = statements.iter().map(|statement| encoding.pool.not(encoding.selectors[statement])).collect();
        for &term in &encoding.hard {
            solver.assert(&mut encoding.pool, term)?;
        }
        Ok(Self {
            encoding,
            solver,
            statements,
            kept,
            deadline,
            question,
            unanswered: 0,
            checks: 0,
            solving: Duration::ZERO,
        })
    }

    /// Terms.
    pub fn size(&self) -> usize {
        self.encoding.pool.len()
    }

    /// Whether the formula can hold when the statements outside `relaxed` (by their places in [`Formula::statements`]) stay as
    /// they are, where `explored` says so on explored ways only.
    pub fn solve(&mut self, relaxed: &BTreeSet<usize>, explored: bool) -> Result<Solution, Error> {
        self.solve_with(relaxed, explored, &[], self.question)
    }

    fn solve_with(
        &mut self,
        relaxed: &BTreeSet<usize>,
        explored: bool,
        more: &[Term],
        most: Duration,
    ) -> Result<Solution, Error> {
        let fixed: Vec<usize> = (0..self.statements.len()).filter(|index| !relaxed.contains(index)).collect();
        let mut assumptions: Vec<Term> = fixed.iter().map(|&index| self.kept[index]).collect();
        if explored {
            assumptions.push(self.encoding.explored);
        }
        assumptions.extend(more);
        let left = self.deadline.saturating_duration_since(Instant::now());
        let started = Instant::now();
        let answer = self.solver.check(&mut self.encoding.pool, &assumptions, &Limits::of_time(left.min(most)))?;
        self.solving += started.elapsed();
        self.checks += 1;
        Ok(match answer {
            Answer::Sat(model) => Solution::Holds(model),
            Answer::Unsat { core } => {
                Solution::Fails(core.into_iter().filter_map(|place| fixed.get(place).copied()).collect())
            }
            Answer::Unknown(_) => {
                self.unanswered += 1;
                Solution::Unknown
            }
        })
    }

    /// A model in which as many values as possible stay as they are in the run, and those that do not are small: people read
    /// it. `model` is one that is not chosen so.
    pub fn plain_model(&mut self, explored: bool, model: Assignment) -> Result<Assignment, Error> {
        let free = self.encoding.free.clone();
        let (mut kept, mut best) = (Vec::new(), model);
        for wish in [Wish::Same, Wish::Bits(8), Wish::Bits(16)] {
            for free in free.iter().take(MOST_WISHES) {
                let Some(term) = self.wish(free, wish) else { continue };
                kept.push(term);
                // Most wishes hold already.
                if Evaluator::new(&self.encoding.pool, &best).holds(term) {
                    continue;
                }
                match self.solve_with(&BTreeSet::new(), explored, &kept, self.question / 8)? {
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

    /// The values that a model changes, in order of execution.
    pub fn changes(&self, model: &Assignment) -> Vec<(Free, u64)> {
        let value = |free: &Free| model.get(free.term).map(|now| (*free, now as u64));
        let mut changes: Vec<(Free, u64)> =
            self.encoding.free.iter().filter_map(value).filter(|(free, now)| *now != free.value).collect();
        changes.sort_by_key(|(free, _)| free.instruction);
        changes
    }

    /// A core without what it does not need: each statement is left out once (deletion).
    pub fn smaller(&mut self, mut core: Vec<usize>) -> Vec<usize> {
        let all = self.statements.len();
        let limit = self.question / 8;
        let mut index = 0;
        while index < core.len() && core.len() > 1 {
            let relaxed: BTreeSet<usize> =
                (0..all).filter(|place| !core.contains(place) || *place == core[index]).collect();
            match self.solve_with(&relaxed, false, &[], limit) {
                Ok(Solution::Fails(smaller)) => {
                    core.retain(|place| smaller.contains(place));
                    index = 0;
                }
                _ => index += 1,
            }
        }
        core
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
