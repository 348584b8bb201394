//! Fewer assumptions that still contradict.

use whydunit_terms::{Pool, Term};

use crate::{Answer, Limits, SolveError, Solver};

/// The places of assumptions that contradict the assertions, none of which can be left out; none when all of them do not.
/// Each check has the limits; an assumption whose check does not end within them stays, so that the core may then not be
/// minimal.
///
/// By deletion with refinement: what an answer's core does not need is dropped at once (Marques-Silva and Lynce, "On
/// Improving MUS Extraction Algorithms", SAT 2011).
pub fn minimise_core(
    solver: &mut dyn Solver,
    pool: &mut Pool,
    assumptions: &[Term],
    limits: &Limits,
) -> Result<Option<Vec<usize>>, SolveError> {
    let Answer::Unsat { mut core } = solver.check(pool, assumptions, limits)? else { return Ok(None) };
    // What was tried to be left out and stays.
    let mut tried = vec![false; assumptions.len()];
    while let Some(at) = core.iter().position(|place| !tried[*place]) {
        tried[core[at]] = true;
        let rest: Vec<usize> = core[..at].iter().chain(&core[at + 1..]).copied().collect();
        let terms: Vec<Term> = rest.iter().map(|place| assumptions[*place]).collect();
        if let Answer::Unsat { core: smaller } = solver.check(pool, &terms, limits)? {
            core = smaller.into_iter().map(|at| rest[at]).collect();
        }
    }
    Ok(Some(core))
}
