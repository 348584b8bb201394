//! CaDiCaL: formulas as circuits, circuits as clauses.

use whydunit_terms::{Assignment, Lowering, Pool, Term};

use crate::blast::{Blaster, Stop};
use crate::gates::{Clauses, Lit};
use crate::solver::{Watch, require_truth};
use crate::{Answer, Capabilities, Limits, SolveError, Solver};

/// Bit-blasting onto CaDiCaL: incremental, with cores; floats are lowered.
pub struct Cadical {
    sat: Sat,
    blaster: Blaster,
    lowering: Lowering,
    /// The assertions are contradictory.
    refuted: bool,
}

/// The clauses' way into CaDiCaL.
struct Sat {
    solver: cadical::Solver<Guard>,
    /// An empty clause was among them.
    empty: bool,
}

/// Ends a search that runs out of its limits.
struct Guard(Watch);

impl cadical::Callbacks for Guard {
    fn terminate(&mut self) -> bool {
        self.0.over().is_some()
    }
}

impl Clauses for Sat {
    fn clause(&mut self, literals: &[i32]) {
        self.empty |= literals.is_empty();
        self.solver.add_clause(literals.iter().copied());
    }
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl Cadical {
    /// Without assertions.
    pub fn new() -> Self {
        Self {
            sat: Sat { solver: cadical::Solver::new(), empty: false },
            blaster: Blaster::new(),
            lowering: Lowering::new(),
            refuted: false,
        }
    }

    fn failed(message: impl Into<String>) -> SolveError {
        SolveError::Failed { solver: "cadical".into(), message: message.into() }
    }

    /// The literal of a truth value; none when the limits end it.
    fn literal(&mut self, pool: &mut Pool, term: Term, watch: &Watch) -> Result<Result<Lit, &'static str>, SolveError> {
        require_truth(pool, term)?;
        let mut literal = self.blaster.literal(pool, term, watch);
        if let Err(Stop::Float) = literal {
            let lowered = self.lowering.lower(pool, term)?;
            literal = self.blaster.literal(pool, lowered, watch);
        }
        match literal {
            Ok(literal) => Ok(Ok(literal)),
            Err(Stop::Limit(reason)) => Ok(Err(reason)),
            Err(Stop::Float) => Err(Self::failed("a float is left after lowering")),
        }
    }

    fn assignment(&self, pool: &Pool) -> Assignment {
        let value = |literal: i32| self.sat.solver.value(literal).unwrap_or(false);
        let variables = self.blaster.variables().iter();
        variables.map(|variable| (*variable, self.blaster.value(pool, *variable, value))).collect()
    }
}

impl Solver for Cadical {
    fn name(&self) -> &str {
        "cadical"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { floats: false, incremental: true, cores: true }
    }

    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        let literal = self.literal(pool, term, &Limits::default().start())?.map_err(Self::failed)?;
        self.blaster.gates.assert(literal, &mut self.sat);
        self.refuted |= self.sat.empty;
        Ok(())
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        let watch = limits.start();
        if self.refuted {
            return Ok(Answer::Unsat { core: Vec::new() });
        }
        // Each assumption's number, none for one that holds anyway.
        let mut numbers = Vec::with_capacity(assumptions.len());
        for (at, assumption) in assumptions.iter().enumerate() {
            let literal = match self.literal(pool, *assumption, &watch)? {
                Ok(literal) => literal,
                Err(reason) => return Ok(Answer::Unknown(reason.into())),
            };
            if self.blaster.gates.settled(literal) == Some(false) {
                return Ok(Answer::Unsat { core: vec![at] });
            }
            numbers.push(self.blaster.gates.number(literal, &mut self.sat));
        }
        let solver = &mut self.sat.solver;
        if let Some(conflicts) = limits.conflicts {
            let conflicts = i32::try_from(conflicts).unwrap_or(i32::MAX);
            solver.set_limit("conflicts", conflicts).map_err(|error| Self::failed(error.to_string()))?;
        }
        solver.set_callbacks(watch.watches().then(|| Guard(watch.clone())));
        match solver.solve_with(numbers.iter().flatten().copied()) {
            Some(true) => Ok(Answer::Sat(self.assignment(pool))),
            Some(false) => {
                let failed = |number: &Option<i32>| number.is_some_and(|number| solver.failed(number));
                let core: Vec<usize> = (0..numbers.len()).filter(|at| failed(&numbers[*at])).collect();
                self.refuted = core.is_empty();
                Ok(Answer::Unsat { core })
            }
            None => Ok(Answer::Unknown(watch.over().unwrap_or("out of conflicts").into())),
        }
    }

    fn reset(&mut self) {
        *self = Self::new();
    }
}
