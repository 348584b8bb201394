//! Answers from earlier answers.

use std::collections::VecDeque;

use whydunit_terms::{Assignment, Pool, Term, Valuation, support};

use crate::solver::require_truth;
use crate::{Answer, Capabilities, Limits, SolveError, Solver};

/// How many models are tried before the solver is asked.
const MODELS: usize = 8;

/// How many cores are looked through.
const CORES: usize = 1000;

/// Answers a check from what is known: an earlier model that satisfies the formula by evaluation, or an earlier core
/// among the assumptions. Both outlive further assertions.
pub struct Cached {
    inner: Box<dyn Solver>,
    assertions: Vec<Term>,
    /// The latest used first, each with how many of the assertions it is known to satisfy.
    models: VecDeque<Model>,
    /// The latest found first; terms in order.
    cores: VecDeque<Vec<Term>>,
    hits: u64,
}

struct Model {
    valuation: Valuation,
    satisfied: usize,
}

impl Cached {
    /// Around a solver.
    pub fn new(inner: Box<dyn Solver>) -> Self {
        Self { inner, assertions: Vec::new(), models: VecDeque::new(), cores: VecDeque::new(), hits: 0 }
    }

    /// How many checks did not reach the solver.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    fn known_core(&self, assumptions: &[Term]) -> Option<Vec<usize>> {
        let mut sorted = assumptions.to_vec();
        sorted.sort_unstable();
        let core = self.cores.iter().find(|core| core.iter().all(|term| sorted.binary_search(term).is_ok()))?;
        let mut places: Vec<usize> =
            core.iter().filter_map(|term| assumptions.iter().position(|assumption| assumption == term)).collect();
        places.sort_unstable();
        Some(places)
    }

    fn known_model(&mut self, pool: &Pool, assumptions: &[Term]) -> Option<Assignment> {
        let assertions = &self.assertions;
        let at = self.models.iter_mut().position(|model| {
            let Model { valuation, satisfied } = model;
            while *satisfied < assertions.len() && valuation.holds(pool, assertions[*satisfied]) {
                *satisfied += 1;
            }
            *satisfied == assertions.len() && assumptions.iter().all(|term| valuation.holds(pool, *term))
        })?;
        let model = self.models.remove(at)?;
        let mut assignment = model.valuation.assignment().clone();
        self.models.push_front(model);
        // Variables that the model was not asked for were 0 in its evaluation.
        let formula: Vec<Term> = self.assertions.iter().chain(assumptions).copied().collect();
        for variable in support(pool, &formula) {
            if assignment.get(variable).is_none() {
                assignment.set(variable, 0);
            }
        }
        Some(assignment)
    }
}

impl Solver for Cached {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        self.inner.assert(pool, term)?;
        self.assertions.push(term);
        Ok(())
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        for assumption in assumptions {
            require_truth(pool, *assumption)?;
        }
        if let Some(core) = self.known_core(assumptions) {
            self.hits += 1;
            return Ok(Answer::Unsat { core });
        }
        if let Some(assignment) = self.known_model(pool, assumptions) {
            self.hits += 1;
            return Ok(Answer::Sat(assignment));
        }
        let answer = self.inner.check(pool, assumptions, limits)?;
        match &answer {
            Answer::Sat(assignment) => {
                self.models.truncate(MODELS - 1);
                self.models.push_front(Model { valuation: Valuation::new(assignment.clone()), satisfied: 0 });
            }
            Answer::Unsat { core } => {
                let mut core: Vec<Term> = core.iter().map(|at| assumptions[*at]).collect();
                core.sort_unstable();
                core.dedup();
                self.cores.truncate(CORES - 1);
                self.cores.push_front(core);
            }
            Answer::Unknown(_) => {}
        }
        Ok(answer)
    }

    fn reset(&mut self) {
        self.inner.reset();
        self.assertions.clear();
        self.models.clear();
        self.cores.clear();
    }
}
