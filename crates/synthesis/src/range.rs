//! Which values of one execution meet a demand, when the other executions give what they gave: as people would say it.

use whydunit_solve::{Answer, Limits, SolveError, Solver};
use whydunit_terms::{Compare, Evaluator, Pool, Term};

use crate::component::WIDTH;
use crate::encode::Decided;

/// The values of an execution that meet a demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The smallest.
    pub least: i64,
    /// The largest.
    pub most: i64,
    /// Which between them do not.
    pub gaps: Gaps,
}

/// Values that do not meet a demand, between some that do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gaps {
    /// All do.
    None,
    /// One does not.
    One(i64),
    /// Several do not, or that is not known.
    Some,
}

/// Questions about one demand.
struct Asking<'a> {
    pool: &'a mut Pool,
    limits: &'a Limits,
    /// The value in question.
    value: Term,
}

/// What a question comes to.
enum Found {
    Value(i64),
    Nothing,
    Unknown,
}

impl Decided {
    /// The values of an execution with which the demand is met, as numbers of 32 bits, when each other one gives what `gave` says. None
    /// where no value does, or where that was not found out within the limits, which are those of one question.
    pub fn range(
        &self,
        pool: &mut Pool,
        execution: usize,
        gave: &[i64],
        solver: &dyn Fn() -> Box<dyn Solver>,
        limits: &Limits,
    ) -> Result<Option<Range>, SolveError> {
        let results = self.results();
        let Some(&result) = results.get(execution).filter(|_| gave.len() == results.len()) else { return Ok(None) };
        let (mut others, mut holds) = (pool.truth(), pool.truth());
        for (number, (&result, &gave)) in results.iter().zip(gave).enumerate() {
            if number != execution {
                let width = pool.width(result);
                let gave = pool.constant(width, gave as u128);
                let same = pool.eq(result, gave);
                others = pool.and(others, same);
            }
        }
        for &term in self.holds() {
            holds = pool.and(holds, term);
        }
        let value = number(pool, result);
        let mut asking = Asking { pool, limits, value };
        let (mut meets, mut fails) = (solver(), solver());
        let not = asking.pool.not(holds);
        for (solver, term) in [(&mut meets, holds), (&mut fails, not)] {
            solver.assert(asking.pool, others)?;
            solver.assert(asking.pool, term)?;
        }
        let Found::Value(any) = asking.any(&mut *meets, &[])? else { return Ok(None) };
        let least = asking.last(&mut *meets, any, -1)?;
        let most = asking.last(&mut *meets, any, 1)?;
        let (Some(least), Some(most)) = (least, most) else { return Ok(None) };
        let gaps = asking.gaps(&mut *fails, least, most)?;
        Ok(Some(Range { least, most, gaps }))
    }
}

/// A word as a number of 32 bits.
fn number(pool: &mut Pool, term: Term) -> Term {
    match pool.width(term) {
        width if width >= WIDTH => pool.extract(term, 0, WIDTH),
        _ => pool.zext(term, WIDTH),
    }
}

impl Asking<'_> {
    /// A value of which a solver's assertions and what is assumed hold.
    fn any(&mut self, solver: &mut dyn Solver, assumed: &[Term]) -> Result<Found, SolveError> {
        Ok(match solver.check(self.pool, assumed, self.limits)? {
            Answer::Sat(model) => {
                let value = Evaluator::new(self.pool, &model).value(self.value);
                Found::Value(i64::from(value as u32 as i32))
            }
            Answer::Unsat { .. } => Found::Nothing,
            Answer::Unknown(_) => Found::Unknown,
        })
    }

    /// That the value is at least (1) or at most (-1) so much.
    fn beyond(&mut self, bound: i64, direction: i64) -> Term {
        let bound = self.pool.constant(WIDTH, bound as u128);
        match direction {
            1 => self.pool.compare(Compare::Sle, bound, self.value),
            _ => self.pool.compare(Compare::Sle, self.value, bound),
        }
    }

    /// The last value in a direction, from one that is known; none where that is not found out.
    fn last(&mut self, solver: &mut dyn Solver, from: i64, direction: i64) -> Result<Option<i64>, SolveError> {
        let end = if direction == 1 { i32::MAX } else { i32::MIN };
        let (mut known, mut end) = (from, i64::from(end));
        // What lies between a value and the end is halved.
        while known != end {
            let middle = known + ((end - known).abs() + 1) / 2 * direction;
            let beyond = self.beyond(middle, direction);
            match self.any(solver, &[beyond])? {
                Found::Value(found) => known = found,
                Found::Nothing => end = middle - direction,
                Found::Unknown => return Ok(None),
            }
        }
        Ok(Some(known))
    }

    /// Which values between two there are, by a solver that asserts that the demand is not met.
    fn gaps(&mut self, fails: &mut dyn Solver, least: i64, most: i64) -> Result<Gaps, SolveError> {
        let between = [self.beyond(least, 1), self.beyond(most, -1)];
        let one = match self.any(fails, &between)? {
            Found::Nothing => return Ok(Gaps::None),
            Found::Unknown => return Ok(Gaps::Some),
            Found::Value(one) => one,
        };
        let here = self.pool.constant(WIDTH, one as u128);
        let here = self.pool.eq(self.value, here);
        let other = self.pool.not(here);
        let [above, below] = between;
        let another = self.any(fails, &[above, below, other])?;
        Ok(if matches!(another, Found::Nothing) { Gaps::One(one) } else { Gaps::Some })
    }
}

#[cfg(test)]
mod tests {
    use whydunit_solve::Cadical;
    use whydunit_terms::Sort;

    use super::*;
    use crate::encode::{Call, Demand};

    /// The range of the first of two executions, the second of which gives 7.
    fn range(holds: impl Fn(&mut Pool, Term, Term) -> Term) -> Option<Range> {
        let mut pool = Pool::new();
        let results = ["first", "second"].map(|name| pool.variable(Sort::BitVec(WIDTH), name));
        let holds = vec![holds(&mut pool, results[0], results[1])];
        let calls = results.map(|result| Call { result, inputs: Vec::new() }).to_vec();
        let decided = Demand { holds, calls }.decided(&pool).expect("values decide it");
        let limits = Limits::default();
        decided.range(&mut pool, 0, &[0, 7], &|| Box::new(Cadical::new()), &limits).expect("it is solved")
    }

    fn whole(least: i64, most: i64) -> Option<Range> {
        Some(Range { least, most, gaps: Gaps::None })
    }

    #[test]
    fn ranges_as_people_say_them() {
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        assert_eq!(range(|pool, first, second| pool.compare(Compare::Slt, second, first)), whole(8, most));
        assert_eq!(range(|pool, first, second| pool.compare(Compare::Sle, first, second)), whole(least, 7));
        assert_eq!(range(|pool, first, second| pool.eq(first, second)), whole(7, 7));
        let unlike = range(|pool, first, second| {
            let same = pool.eq(first, second);
            pool.not(same)
        });
        assert_eq!(unlike, Some(Range { least, most, gaps: Gaps::One(7) }));
        let even = range(|pool, first, _| {
            let (bit, zero) = (pool.extract(first, 0, 1), pool.constant(1, 0));
            pool.eq(bit, zero)
        });
        assert_eq!(even, Some(Range { least, most: most - 1, gaps: Gaps::Some }));
        assert_eq!(range(|pool, first, _| pool.compare(Compare::Slt, first, first)), None);
    }
}
