//! A least set by its likeliest members: the shortest prefix of an order that passes ends with a member that is needed; with that in
//! any case a shorter one is looked for, and so on (progression; Marques-Silva, Janota and Belov, "Minimal Sets over Monotone Predicates in
//! Boolean Formulae", 2013, section 4). Prefixes are tried from the shortest on, each twice as long as the one before.

use crate::{Outcome, Set};

/// Members of the first `number` numbers, the likeliest first, with which together the test passes: where more never makes a passing set
/// fail, with none less. For one member at place `k` it takes some `2 log k` tests. None where no prefix that was tried passes, nor
/// all.
pub fn progression<E>(number: usize, test: &mut impl FnMut(&[usize]) -> Result<Outcome, E>) -> Result<Option<Set>, E> {
    let mut found = Set::new();
    // With what was found these pass; at first that is not known.
    let (mut end, mut known) = (number, false);
    loop {
        let with = |end: usize| -> Set { (0..end).chain(found.iter().copied()).collect() };
        if !found.is_empty() && test(&found)? == Outcome::Pass {
            return Ok(Some(found));
        }
        let (mut low, mut step, mut high) = (0, 1, None);
        while low < end && high.is_none() {
            let next = (low + step).min(end);
            if next == end && known || test(&with(next))? == Outcome::Pass {
                high = Some(next);
            } else {
                (low, step) = (next, 2 * step);
            }
        }
        let Some(mut high) = high else { return Ok(None) };
        while high - low > 1 {
            let middle = low.midpoint(high);
            match test(&with(middle))? {
                Outcome::Pass => high = middle,
                Outcome::Fail | Outcome::Unresolved => low = middle,
            }
        }
        found.insert(0, high - 1);
        (end, known) = (high - 1, true);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::testing::Cached;
    use crate::{Test as _, without};

    /// Passes where all that is needed is there.
    fn passes(needed: &[usize]) -> impl FnMut(&[usize]) -> Result<Outcome, Infallible> {
        let needed = needed.to_vec();
        move |set| Ok(if without(&needed, set).is_empty() { Outcome::Pass } else { Outcome::Fail })
    }

    #[test]
    fn one_of_a_thousand_takes_few_tests() {
        let mut test = Cached::new(passes(&[700]));
        assert_eq!(progression(1000, &mut |set: &[usize]| test.test(set)), Ok(Some(vec![700])));
        assert!(test.tests <= 21, "{}", test.tests);
        let mut test = Cached::new(passes(&[2]));
        assert_eq!(progression(1000, &mut |set: &[usize]| test.test(set)), Ok(Some(vec![2])));
        assert!(test.tests <= 4, "{}", test.tests);
    }

    #[test]
    fn nothing_is_found_where_nothing_passes() {
        let mut fails = |_: &[usize]| Ok::<_, Infallible>(Outcome::Fail);
        assert_eq!(progression(9, &mut fails), Ok(None));
        assert_eq!(progression(0, &mut fails), Ok(None));
    }

    #[test]
    fn what_cannot_be_told_counts_as_too_little() {
        let mut test = |set: &[usize]| {
            let built = set.len() != 3;
            Ok::<_, Infallible>(match (built, set.contains(&4)) {
                (false, _) => Outcome::Unresolved,
                (_, true) => Outcome::Pass,
                _ => Outcome::Fail,
            })
        };
        assert_eq!(progression(8, &mut test), Ok(Some(vec![4])));
    }

    proptest! {
        #[test]
        fn what_is_needed_is_found(n in 1usize..60, picks in proptest::collection::vec(any::<proptest::sample::Index>(), 1..5)) {
            let mut needed: Set = picks.iter().map(|pick| pick.index(n)).collect();
            needed.sort_unstable();
            needed.dedup();
            prop_assert_eq!(progression(n, &mut passes(&needed)), Ok(Some(needed)));
        }
    }
}
