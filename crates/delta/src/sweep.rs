//! Leaving out piece by piece: the complements of ddmin only, going on where one was left out instead of beginning again (as
//! Ruderman's Lithium does). Where most of a set is needed that takes half the tests of ddmin.

use crate::{Set, Test};

/// A subset of `set` that fails, and of which nothing single can be left out without its not failing. `set` itself must fail.
pub fn sweep<E>(set: &[usize], test: &mut impl Test<E>) -> Result<Set, E> {
    let mut now = set.to_vec();
    let mut size = now.len().max(1);
    loop {
        let (mut start, mut changed) = (0, false);
        while start < now.len() {
            let piece = |number: usize| {
                let from = start + number * size;
                from..(from + size).min(now.len())
            };
            let rest = |number: usize| {
                let piece = piece(number);
                [&now[..piece.start], &now[piece.end..]].concat()
            };
            let Some(number) = test.first_failing((now.len() - start).div_ceil(size), &rest)? else { break };
            let out = piece(number);
            start = out.start;
            now.drain(out);
            changed = true;
        }
        match size {
            1 if !changed => return Ok(now),
            1 => {}
            // Half of what there is now: pieces are never the whole twice.
            _ => size = size.div_ceil(2).min(now.len().max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::minimise;
    use crate::testing::{Cached, assert_1_minimal, fails};

    #[test]
    fn nothing_is_needed_of_what_fails_without_anything() {
        assert_eq!(sweep(&[], &mut fails(&[])), Ok(vec![]));
        let mut test = Cached::new(fails(&[]));
        assert_eq!(sweep(&(0..1000).collect::<Set>(), &mut test), Ok(vec![]));
        assert_eq!(test.tests, 1);
    }

    #[test]
    fn where_most_is_needed_it_takes_fewer_tests_than_ddmin() {
        let all: Set = (0..64).collect();
        let needed: Set = (0..64).filter(|item| item % 9 != 4).collect();
        let (mut one, mut other) = (Cached::new(fails(&needed)), Cached::new(fails(&needed)));
        assert_eq!(sweep(&all, &mut one), Ok(needed.clone()));
        assert_eq!(minimise(&all, &mut other), Ok(needed.clone()));
        assert!(2 * one.tests < other.tests, "{} and {}", one.tests, other.tests);
    }

    proptest! {
        #[test]
        fn what_is_needed_is_found(n in 1usize..40, picks in proptest::collection::vec(any::<proptest::sample::Index>(), 0..5)) {
            let mut needed: Set = picks.iter().map(|pick| pick.index(n)).collect();
            needed.sort_unstable();
            needed.dedup();
            let all: Set = (0..n).collect();
            prop_assert_eq!(sweep(&all, &mut fails(&needed)), Ok(needed));
        }

        #[test]
        fn the_answer_is_1_minimal(n in 1usize..14, salt in any::<u64>()) {
            assert_1_minimal(n, salt, &|all, outcome| sweep(all, &mut |set: &[usize]| Ok::<_, Infallible>(outcome(set))).unwrap());
        }
    }
}
