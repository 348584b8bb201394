//! ddmin (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002, section 3).

use crate::{Outcome, Set, Test, split, without};

/// A subset of `set` that fails, and of which nothing single can be left out without its not failing. `set` itself must fail.
pub fn minimise<E>(set: &[usize], test: &mut impl Test<E>) -> Result<Set, E> {
    let mut now = set.to_vec();
    let mut parts = 2;
    'reduce: while now.len() >= 2 {
        let pieces = split(&now, parts);
        for piece in &pieces {
            if pieces.len() > 1 && test.test(piece)? == Outcome::Fail {
                (now, parts) = (piece.clone(), 2);
                continue 'reduce;
            }
        }
        // Of two halves each is the other's complement.
        for piece in pieces.iter().filter(|_| pieces.len() > 2) {
            let rest = without(&now, piece);
            if test.test(&rest)? == Outcome::Fail {
                (now, parts) = (rest, (parts - 1).max(2));
                continue 'reduce;
            }
        }
        if parts >= now.len() {
            break;
        }
        parts = (2 * parts).min(now.len());
    }
    if now.len() == 1 && test.test(&[])? == Outcome::Fail {
        now.clear();
    }
    Ok(now)
}

/// The same, coarse groups first: `levels` are partitions of the things, from coarse to fine; what is in no group of a level
/// is a group for itself. At last single things.
pub fn shrink_grouped<E>(set: &[usize], levels: &[Vec<Set>], test: &mut impl Test<E>) -> Result<Set, E> {
    let mut now = set.to_vec();
    for level in levels {
        let mut groups: Vec<Set> = Vec::new();
        let mut rest = now.clone();
        for group in level {
            let here: Set = group.iter().copied().filter(|item| now.binary_search(item).is_ok()).collect();
            if !here.is_empty() {
                rest = without(&rest, &here);
                groups.push(here);
            }
        }
        groups.extend(rest.into_iter().map(|item| vec![item]));
        if groups.len() < 2 {
            continue;
        }
        let members = |chosen: &[usize]| {
            let mut all: Set = chosen.iter().flat_map(|&group| groups[group].iter().copied()).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let all: Set = (0..groups.len()).collect();
        let kept = minimise(&all, &mut |chosen: &[usize]| test.test(&members(chosen)))?;
        now = members(&kept);
    }
    minimise(&now, test)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::testing::{Cached, assert_1_minimal, fails};

    #[test]
    fn the_literatures_example_of_two_of_eight() {
        // Changes 1, 7 and 8 of eight (section 3.2), counted from 0.
        let all: Set = (0..8).collect();
        assert_eq!(minimise(&all, &mut fails(&[0, 6, 7])), Ok(vec![0, 6, 7]));
        assert_eq!(minimise(&all, &mut fails(&[])), Ok(vec![]));
    }

    #[test]
    fn groups_are_left_out_whole_first() {
        let all: Set = (0..64).collect();
        let level: Vec<Set> = (0..8).map(|file| (8 * file..8 * file + 8).collect()).collect();
        let (mut plain, mut grouped) = (Cached::new(fails(&[9, 14])), Cached::new(fails(&[9, 14])));
        assert_eq!(minimise(&all, &mut plain), Ok(vec![9, 14]));
        assert_eq!(shrink_grouped(&all, &[level], &mut grouped), Ok(vec![9, 14]));
        assert!(grouped.tests <= plain.tests + 8);
    }

    proptest! {
        #[test]
        fn what_is_needed_is_found(n in 1usize..40, picks in proptest::collection::vec(any::<proptest::sample::Index>(), 0..5)) {
            let mut needed: Set = picks.iter().map(|pick| pick.index(n)).collect();
            needed.sort_unstable();
            needed.dedup();
            let all: Set = (0..n).collect();
            prop_assert_eq!(minimise(&all, &mut fails(&needed)), Ok(needed));
        }

        #[test]
        fn the_answer_is_1_minimal(n in 1usize..14, salt in any::<u64>()) {
            assert_1_minimal(n, salt, &|all, outcome| minimise(all, &mut |set: &[usize]| Ok::<_, Infallible>(outcome(set))).unwrap());
        }
    }
}
