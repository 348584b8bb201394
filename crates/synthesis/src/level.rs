//! The search through the levels of components: those of the lowest first.

use whydunit_solve::{Limits, SolveError, Solver};
use whydunit_terms::Pool;

use crate::encode::{Found, Problem, Search};
use crate::made::Made;
use crate::shape::{Shape, shapes};

/// The first expression that meets all demands, of levels up to `most`: of the same components those come first that are made of
/// what stands there. None where there is none, or none was found within the limits, which are those of one question each.
pub fn find(
    pool: &mut Pool,
    problem: &Problem<'_>,
    most: u8,
    solver: &dyn Fn() -> Box<dyn Solver>,
    limits: &dyn Fn() -> Option<Limits>,
) -> Result<Option<Made>, SolveError> {
    let possible = |shape: &&Shape| shape.level <= most && Search::is_possible(problem, shape);
    let shapes: Vec<&Shape> = shapes(problem.result).iter().filter(possible).collect();
    for same in shapes.chunk_by(|a, b| (a.level, a.components) == (b.level, b.components)) {
        for near in [true, false] {
            for shape in same {
                let Some(limits) = limits() else { return Ok(None) };
                let search = Search::new(pool, problem, shape);
                if let Found::Made(made) = search.solve(near, &mut *solver(), &limits)? {
                    return Ok(Some(made));
                }
            }
        }
    }
    Ok(None)
}
