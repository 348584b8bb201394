//! A trace formula and a solver for it: which statements may change so that it holds.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use whydunit_solve::{Answer, Descent, Limits, Solver};
use whydunit_symbolic::{Encoding, Free, Known, StatementId, Unsaid};
use whydunit_terms::{Assignment, Evaluator, FloatOp, FloatUnary, Node, Term, reachable};

use crate::Error;
use crate::question::Question;
use crate::unasked::Unasked;

/// A way of a branch that a model goes and nobody has explored.
pub type NewWay = (whydunit_symbolic::Instance, u32);

/// The formula of one iteration, with its solver.
pub struct Formula {
    encoding: Encoding,
    solver: Box<dyn Solver>,
    /// The solver knows the formula.
    asserted: bool,
    /// Statements with a selector, in order; what sets are made of.
    pub statements: Vec<StatementId>,
    /// That each of them does what it does.
    kept: Vec<Term>,
    deadline: Instant,
    question: Question,
    /// Questions that were not answered in time.
    pub unanswered: u64,
    /// Checks made.
    pub checks: u64,
    /// Values of terms worked out while looking near the run.
    pub worked: u64,
    /// Time spent in the solver.
    pub solving: Duration,
}

impl Formula {
    /// Gives a formula to a solver.
    pub fn new(
        mut encoding: Encoding,
        solver: Box<dyn Solver>,
        deadline: Instant,
        question: Question,
    ) -> Result<Self, Error> {
        let mut statements: Vec<StatementId> = encoding.selectors.keys().copied().collect();
        statements.sort_unstable();
        let kept = statements.iter().map(|statement| encoding.pool.not(encoding.selectors[statement])).collect();
        Ok(Self {
            encoding,
            solver,
            asserted: false,
            statements,
            kept,
            deadline,
            question,
            unanswered: 0,
            checks: 0,
            worked: 0,
            solving: Duration::ZERO,
        })
    }

    /// That it cannot hold means little, because something was held as in the run.
    pub fn is_pinned(&self) -> bool {
        self.encoding.pinned
    }

    /// There may be values that it does not speak of: a way that nobody has gone, or that leads where the replay cannot
    /// follow, and what was printed before the failure could have been more.
    pub fn is_partial(&self) -> bool {
        let mut ways = self.encoding.branches.iter().flat_map(|branch| &branch.others);
        self.encoding.kept || ways.any(|way| matches!(way.known, Known::Blocked | Known::Unexplored))
    }

    /// Why values may do although it cannot hold; nothing where it says of all values of its statements that the run fails.
    /// `prints`: its statements print, and no other text would do.
    pub fn unasked(&self, prints: bool) -> Option<Unasked> {
        let Encoding { free, unsaid, kept, .. } = &self.encoding;
        let said = |unsaid: &Unsaid| Unasked::Formula(*unsaid);
        if free.is_empty() && !prints {
            return Some(Unasked::NoValue);
        }
        unsaid.first().map(said).or(kept.then_some(Unasked::Formula(Unsaid::Output)))
    }

    /// Terms.
    pub fn size(&self) -> usize {
        self.encoding.pool.len()
    }

    /// The values of the run itself.
    fn run_values(&self) -> Assignment {
        let free = self.encoding.free.iter().map(|free| (free.term, free.value.into()));
        free.chain(self.encoding.run.iter().copied()).collect()
    }

    /// Whether the formula holds for the run as it was, which it must not: the run fails.
    pub fn holds_for_the_run(&self) -> bool {
        let values = self.run_values();
        let mut evaluator = Evaluator::new(&self.encoding.pool, &values);
        self.encoding.hard.iter().all(|&term| evaluator.holds(term))
    }

    /// Whether no values at all can make it hold, as is plain to see.
    pub fn is_plainly_false(&self) -> bool {
        self.encoding.hard.iter().any(|&term| self.encoding.pool.as_bool(term) == Some(false))
    }

    /// What must hold; `explored`: on explored ways only.
    fn demands(&self, explored: bool) -> Vec<Term> {
        let mut formulas = self.encoding.hard.clone();
        formulas.extend(explored.then_some(self.encoding.explored));
        formulas
    }

    /// A model near the run, where one is found by so many moves and so much work.
    pub fn nearby(&mut self, explored: bool, moves: u64, work: u64) -> Option<Assignment> {
        let started = Instant::now();
        let run = self.run_values();
        let mut nearby = Descent::new(&self.encoding.pool, &self.demands(explored), &run);
        let found = nearby.search(moves, work);
        nearby.settle(work);
        self.worked += nearby.work();
        self.checks += 1;
        self.solving += started.elapsed();
        found.then(|| nearby.assignment())
    }

    /// Whether the formula can hold, where `explored` says so on explored ways only, by the solver; a model is brought near
    /// the run.
    pub fn decide(&mut self, explored: bool) -> Result<Solution, Error> {
        // As assumptions: translating an assertion has no limits.
        let demands = self.demands(explored);
        let solution = self.checked(&demands, &[], self.question)?;
        let Solution::Holds(model) = solution else { return Ok(solution) };
        let started = Instant::now();
        let run = self.run_values();
        let mut near = Descent::from(&self.encoding.pool, &self.demands(explored), &run, &model);
        near.settle(SETTLING);
        let model = near.assignment();
        self.solving += started.elapsed();
        Ok(Solution::Holds(model))
    }

    /// Whether it has more arithmetic on floats than a solver decides in the time of a question.
    pub fn is_hopeless(&self) -> bool {
        let pool = &self.encoding.pool;
        let heavy = |term: &&Term| match pool.node(**term) {
            Node::Float(op, format, ..) => *op != FloatOp::Add && *op != FloatOp::Sub && format.width() > 16,
            Node::Fma(..) | Node::FloatUnary(FloatUnary::Sqrt, ..) => true,
            _ => false,
        };
        reachable(pool, &self.encoding.hard).iter().filter(heavy).count() > MOST_FLOATS
    }

    /// Whether a model goes explored ways only.
    pub fn is_explored(&self, model: &Assignment) -> bool {
        Evaluator::new(&self.encoding.pool, model).holds(self.encoding.explored)
    }

    /// Whether the formula can hold when the statements outside `relaxed` (by their places in [`Formula::statements`]) stay as
    /// they are.
    pub fn solve(&mut self, relaxed: &BTreeSet<usize>) -> Result<Solution, Error> {
        self.solve_with(relaxed, self.question)
    }

    fn solve_with(&mut self, relaxed: &BTreeSet<usize>, most: Question) -> Result<Solution, Error> {
        if !std::mem::replace(&mut self.asserted, true) {
            for &term in &self.encoding.hard {
                self.solver.assert(&mut self.encoding.pool, term)?;
            }
        }
        let fixed: Vec<usize> = (0..self.statements.len()).filter(|index| !relaxed.contains(index)).collect();
        let assumptions: Vec<Term> = fixed.iter().map(|&index| self.kept[index]).collect();
        self.checked(&assumptions, &fixed, most)
    }

    /// Asks the solver; a core is made of those of the first assumptions whose statements are `fixed`.
    fn checked(&mut self, assumptions: &[Term], fixed: &[usize], most: Question) -> Result<Solution, Error> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let started = Instant::now();
        let limits = Limits { time: Some(left.min(most.time)), conflicts: Some(most.conflicts), interrupt: None };
        let answer = self.solver.check(&mut self.encoding.pool, assumptions, &limits)?;
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

    /// The formula by itself.
    pub fn into_encoding(self) -> Encoding {
        self.encoding
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
        let limit = self.question.part(8);
        let mut index = 0;
        while index < core.len() && core.len() > 1 {
            let relaxed: BTreeSet<usize> =
                (0..all).filter(|place| !core.contains(place) || *place == core[index]).collect();
            match self.solve_with(&relaxed, limit) {
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

/// So much work it may be to bring a solver's model near the run.
const SETTLING: u64 = 1_000_000;

/// Products, quotients and roots of floats that a solver is given at most.
const MOST_FLOATS: usize = 2;

/// What the solver says.
pub enum Solution {
    /// It can.
    Holds(Assignment),
    /// It cannot, because of these statements (by their places) already.
    Fails(Vec<usize>),
    /// Time was up.
    Unknown,
}
