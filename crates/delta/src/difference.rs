//! The minimal difference between a passing and a failing set (Zeller and Hildebrandt 2002, section 4, algorithm dd).

use crate::{Outcome, Set, Test, split, union, without};

/// Two sets that are as close as could be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// It passes.
    pub passing: Set,
    /// It holds the passing one, and fails.
    pub failing: Set,
}

impl Difference {
    /// What only the failing one has.
    pub fn set(&self) -> Set {
        without(&self.failing, &self.passing)
    }
}

/// Narrows the difference between `passing`, which passes, and `failing`, which holds it and fails.
pub fn difference<E>(passing: &[usize], failing: &[usize], test: &mut impl Test<E>) -> Result<Difference, E> {
    let mut now = Difference { passing: passing.to_vec(), failing: failing.to_vec() };
    let mut parts = 2;
    'narrow: loop {
        let between = now.set();
        if between.len() < 2 {
            return Ok(now);
        }
        let pieces = split(&between, parts);
        let with: Vec<Set> = pieces.iter().map(|piece| union(&now.passing, piece)).collect();
        let less: Vec<Set> = pieces.iter().map(|piece| without(&now.failing, piece)).collect();
        let mut ways = Vec::new();
        for (with, less) in with.iter().zip(&less) {
            ways.push((test.test(with)?, with, less));
            if ways.last().is_some_and(|way| way.0 == Outcome::Fail) {
                break;
            }
        }
        if let Some((_, with, _)) = ways.iter().find(|way| way.0 == Outcome::Fail) {
            (now.failing, parts) = ((*with).clone(), 2);
            continue;
        }
        let mut found = None;
        for less in &less {
            let outcome = test.test(less)?;
            if outcome != Outcome::Unresolved {
                found = Some((outcome, less.clone()));
                if outcome == Outcome::Pass {
                    break;
                }
            }
        }
        if let Some((Outcome::Pass, less)) = &found {
            (now.passing, parts) = (less.clone(), 2);
            continue;
        }
        for (outcome, with, _) in ways {
            if outcome == Outcome::Pass {
                (now.passing, parts) = (with.clone(), (parts - 1).max(2));
                continue 'narrow;
            }
        }
        if let Some((Outcome::Fail, less)) = found {
            (now.failing, parts) = (less, (parts - 1).max(2));
            continue;
        }
        if parts >= between.len() {
            return Ok(now);
        }
        parts = (2 * parts).min(between.len());
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn one_cause_is_isolated_among_eight() {
        let all: Set = (0..8).collect();
        let mut test =
            |set: &[usize]| Ok::<_, Infallible>(if set.contains(&5) { Outcome::Fail } else { Outcome::Pass });
        let found = difference(&[], &all, &mut test).unwrap();
        assert_eq!(found.set(), [5]);
    }

    #[test]
    fn of_two_that_must_come_together_one_remains() {
        let all: Set = (0..8).collect();
        let mut test = |set: &[usize]| {
            Ok::<_, Infallible>(if set.contains(&1) && set.contains(&6) { Outcome::Fail } else { Outcome::Pass })
        };
        let found = difference(&[], &all, &mut test).unwrap();
        assert_eq!(found.set().len(), 1);
        assert!(found.set() == [1] || found.set() == [6]);
        assert_eq!((test(&found.passing), test(&found.failing)), (Ok(Outcome::Pass), Ok(Outcome::Fail)));
    }
}
