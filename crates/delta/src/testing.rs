//! What the tests of the searches share.

use std::collections::HashMap;
use std::convert::Infallible;

use crate::{Outcome, Set, Test, without};

/// A test that fails where all that is needed is there.
pub fn fails(needed: &[usize]) -> impl FnMut(&[usize]) -> Result<Outcome, Infallible> {
    let needed = needed.to_vec();
    move |set| Ok(if without(&needed, set).is_empty() { Outcome::Fail } else { Outcome::Pass })
}

/// A search for a failing subset of the first argument.
pub type Search<'a> = &'a dyn Fn(&[usize], &mut dyn FnMut(&[usize]) -> Outcome) -> Set;

/// Whatever the test says (here something drawn), the answer fails and nothing single can be left out.
pub fn assert_1_minimal(n: usize, salt: u64, search: Search<'_>) {
    let all: Set = (0..n).collect();
    let outcome = |set: &[usize]| {
        if set.len() == n {
            return Outcome::Fail;
        }
        let mix = |hash: u64, &item: &usize| (hash ^ item as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        match set.iter().fold(salt, mix) % 5 {
            0 => Outcome::Fail,
            1 => Outcome::Unresolved,
            _ => Outcome::Pass,
        }
    };
    let answer = search(&all, &mut |set| outcome(set));
    assert_eq!(outcome(&answer), Outcome::Fail);
    for &item in &answer {
        assert_ne!(outcome(&without(&answer, &[item])), Outcome::Fail, "{item} of {answer:?}");
    }
}

/// Remembers what sets came to.
pub struct Cached<T> {
    inner: T,
    known: HashMap<Set, Outcome>,
    /// Tests that were made.
    pub tests: usize,
    /// Tests that were spared.
    pub saved: usize,
}

impl<T> Cached<T> {
    /// Around a test.
    pub fn new(inner: T) -> Self {
        Self { inner, known: HashMap::new(), tests: 0, saved: 0 }
    }
}

impl<E, T: Test<E>> Test<E> for Cached<T> {
    fn test(&mut self, set: &[usize]) -> Result<Outcome, E> {
        if let Some(&known) = self.known.get(set) {
            self.saved += 1;
            return Ok(known);
        }
        self.tests += 1;
        let outcome = self.inner.test(set)?;
        self.known.insert(set.to_vec(), outcome);
        Ok(outcome)
    }
}
