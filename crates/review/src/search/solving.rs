//! Values that meet demands, as near as possible to those of a run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use whydunit_solve::{Answer, Cadical, Descent, Limits, Solver};
use whydunit_terms::{Assignment, Evaluator, Term, support};

use crate::given::Key;
use crate::path::Shared;

/// So many moves values are looked for near the run's, before the solver is asked.
const MOVES: u64 = 60;
/// So many values of terms are worked out for that.
const WORK: u64 = 200_000;
/// So many conflicts a question may cost.
const CONFLICTS: u32 = 20_000;
/// So long a question may take at most.
const LONGEST: Duration = Duration::from_secs(5);
/// And so large a part of all the time: one that is hard must not use up what is there for others, and for other ways to look.
const PART: u32 = 20;

pub struct Solving {
    solver: Cadical,
    /// So long a question may take.
    patience: Duration,
    pub questions: u64,
    pub unanswered: u64,
    pub spent: Duration,
}

impl Solving {
    /// With so much time for all questions.
    pub fn within(all: Duration) -> Self {
        Self {
            solver: Cadical::default(),
            patience: (all / PART).min(LONGEST),
            questions: 0,
            unanswered: 0,
            spent: Duration::ZERO,
        }
    }

    /// What of `values` must be another for all demands to hold; none where they cannot, or nobody knows.
    pub fn values(
        &mut self,
        shared: &mut Shared,
        demands: &[Term],
        values: &BTreeMap<Key, u128>,
        deadline: Instant,
    ) -> Option<Vec<(Key, u128)>> {
        if demands.iter().any(|&demand| shared.pool.as_bool(demand) == Some(false)) {
            return None;
        }
        let started = Instant::now();
        self.questions += 1;
        let preferred = shared.assignment(values);
        let readable = shared.writable(demands, true);
        let possible = shared.writable(demands, false);
        let mut found = None;
        for bytes in [readable, possible] {
            let demands = [demands, &bytes].concat();
            found = self.model(shared, &demands, &preferred, deadline);
            if found.is_some() || bytes.is_empty() {
                break;
            }
        }
        self.spent += started.elapsed();
        let found = found?;
        let changed = found.iter().filter(|&(term, value)| preferred.get(term) != Some(value));
        Some(changed.filter_map(|(term, value)| Some((shared.key(term)?.clone(), value))).collect())
    }

    fn model(
        &mut self,
        shared: &mut Shared,
        demands: &[Term],
        preferred: &Assignment,
        deadline: Instant,
    ) -> Option<Assignment> {
        let mut nearby = Descent::new(&shared.pool, demands, preferred);
        if nearby.search(MOVES, WORK) {
            nearby.settle(WORK);
            return Some(nearby.assignment());
        }
        let left = deadline.saturating_duration_since(Instant::now()).min(self.patience);
        let limits = Limits { conflicts: Some(CONFLICTS), ..Limits::of_time(left) };
        match self.solver.check(&mut shared.pool, demands, &limits) {
            Ok(Answer::Sat(model)) => {
                let variables = support(&shared.pool, demands);
                let model: Assignment =
                    variables.into_iter().filter_map(|term| Some((term, model.get(term)?))).collect();
                let mut near = Descent::from(&shared.pool, demands, preferred, &model);
                near.settle(WORK);
                let settled = near.assignment();
                let mut evaluator = Evaluator::new(&shared.pool, &settled);
                let holds = demands.iter().all(|&demand| evaluator.holds(demand));
                Some(if holds { settled } else { model })
            }
            Ok(Answer::Unsat { .. }) => None,
            Ok(Answer::Unknown(_)) | Err(_) => {
                self.unanswered += 1;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_a_part_of_the_time_and_no_more_than_is_usual() {
        assert_eq!(Solving::within(Duration::from_secs(20)).patience, Duration::from_secs(1));
        assert_eq!(Solving::within(Duration::from_secs(3600)).patience, LONGEST);
    }
}
