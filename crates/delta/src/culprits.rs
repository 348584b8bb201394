//! Which of some changes must be reverted so that the test passes: the asymmetric search of AFTER (Yi et al., "A Synergistic
//! Analysis Method for Explaining Failed Regression Tests", 2015, section II-B). A change whose reverting alone still fails is not
//! excluded: several may be at fault together.

use crate::{Outcome, Set, Test, split, without};

/// A subset of `changes` such that the test of it (with these reverted) passes, and that of no subset with one less does; none
/// where the search finds none.
pub fn culprits<E>(changes: &[usize], test: &mut impl Test<E>) -> Result<Option<Set>, E> {
    if changes.is_empty() || test.test(changes)? != Outcome::Pass {
        return Ok(None);
    }
    narrow(changes, test).map(Some)
}

/// The same search where `changes` as a whole need not pass: the least passing subset that it comes to, else `changes`.
pub fn narrow<E>(changes: &[usize], test: &mut impl Test<E>) -> Result<Set, E> {
    let found = recur(changes.to_vec(), test)?;
    thin(found, test)
}

/// `recur` of the paper, as a loop: `now` passes.
fn recur<E>(mut now: Set, test: &mut impl Test<E>) -> Result<Set, E> {
    let mut parts = 2;
    'narrow: while parts <= now.len() {
        let pieces = split(&now, parts);
        for piece in &pieces {
            if test.test(piece)? == Outcome::Pass {
                (now, parts) = (piece.clone(), 2);
                continue 'narrow;
            }
            let rest = without(&now, piece);
            if pieces.len() > 2 && test.test(&rest)? == Outcome::Pass {
                (now, parts) = (rest, 2);
                continue 'narrow;
            }
        }
        if parts == now.len() {
            break;
        }
        parts = (2 * parts).min(now.len());
    }
    Ok(now)
}

/// Leaves out single changes while the rest still passes.
fn thin<E>(mut now: Set, test: &mut impl Test<E>) -> Result<Set, E> {
    let mut index = 0;
    while now.len() > 1 && index < now.len() {
        let rest = without(&now, &[now[index]]);
        if test.test(&rest)? == Outcome::Pass {
            now = rest;
            index = 0;
        } else {
            index += 1;
        }
    }
    Ok(now)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::minimise;
    use crate::testing::Cached;

    /// A test of what is reverted, for a program that a set of changes breaks if `breaks` says so.
    fn reverting(n: usize, breaks: impl Fn(&[usize]) -> bool) -> impl FnMut(&[usize]) -> Result<Outcome, Infallible> {
        let all: Set = (0..n).collect();
        move |reverted| Ok(if breaks(&without(&all, reverted)) { Outcome::Fail } else { Outcome::Pass })
    }

    /// The worked example: a set breaks the program if it holds c3, or c1 and c2 (c1 is 0 here).
    fn example(set: &[usize]) -> bool {
        set.contains(&2) || set.contains(&0) && set.contains(&1)
    }

    #[test]
    fn what_ddmin_reports_does_not_mend_the_example_and_this_does() {
        let mut applied = |set: &[usize]| Ok::<_, Infallible>(if example(set) { Outcome::Fail } else { Outcome::Pass });
        let reported = minimise(&[0, 1, 2, 3], &mut applied).unwrap();
        assert_eq!(reported, [0, 1]);
        let mut test = Cached::new(reverting(4, example));
        assert_eq!(test.test(&reported), Ok(Outcome::Fail));
        // The first cause has c3 alone, the second one brings c2 in.
        assert_eq!(culprits(&[2], &mut test), Ok(None));
        assert_eq!(culprits(&[1, 2], &mut test), Ok(Some(vec![1, 2])));
    }

    proptest! {
        /// Several reasons to fail, each a set of changes: what is found undoes all of them, and no less does.
        #[test]
        fn what_is_found_mends_and_no_less_does(
            n in 1usize..12,
            reasons in proptest::collection::vec(proptest::collection::vec(any::<proptest::sample::Index>(), 1..3), 1..4),
        ) {
            let reasons: Vec<Set> = reasons.iter().map(|reason| reason.iter().map(|pick| pick.index(n)).collect()).collect();
            let breaks = |set: &[usize]| reasons.iter().any(|reason| reason.iter().all(|change| set.contains(change)));
            let all: Set = (0..n).collect();
            let mut test = reverting(n, breaks);
            let found = culprits(&all, &mut test).unwrap().unwrap();
            prop_assert_eq!(test(&found), Ok(Outcome::Pass));
            for &change in &found {
                if found.len() > 1 {
                    prop_assert_eq!(test(&without(&found, &[change])), Ok(Outcome::Fail));
                }
            }
        }
    }
}
