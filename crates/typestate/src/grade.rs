//! How sure it is that a method may be called in a state.

use std::collections::BTreeSet;

use crate::automaton::{End, Typestate};

/// So many executions with different arguments, all of them with an exceptional end, show that it is the state and not the data.
pub const ENOUGH: usize = 3;

/// The grade of a state and a method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// It was never executed: nothing is known.
    Unseen,
    /// It always returned.
    Fine,
    /// It has ended exceptionally: at times, or always but too seldom to be called [`Grade::Never`].
    MayFail,
    /// It has always ended exceptionally, with [`ENOUGH`] different arguments or in a way that tells of wrong use; or a person says so.
    Never,
}

impl Grade {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unseen => "unseen",
            Self::Fine => "fine",
            Self::MayFail => "may fail",
            Self::Never => "never",
        }
    }
}

impl Typestate {
    /// The grade of a method in the state with this index.
    pub fn grade(&self, state: usize, method: &str) -> Grade {
        let (mut returns, mut fails, mut certain) = (false, false, false);
        let mut arguments = BTreeSet::new();
        for it in self.of_pair(state, method) {
            match &it.end {
                End::To(_) => returns = true,
                End::Ex { reason, .. } => {
                    fails = true;
                    certain |= it.evidence.is_asserted() || it.evidence.misuse || reason.is_misuse();
                    arguments.extend(&it.evidence.arguments);
                }
            }
        }
        match (returns, fails) {
            (false, false) => Grade::Unseen,
            (true, false) => Grade::Fine,
            (false, true) if certain || arguments.len() >= ENOUGH => Grade::Never,
            (_, true) => Grade::MayFail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn grade(transitions: &str) -> Grade {
        let text = format!("typestate T\nmethod m\nstate 1\nstate 2\n{transitions}");
        parse(&text).expect("a text without mistakes").grade(1, "m")
    }

    #[test]
    fn a_method_that_was_not_called_is_unseen_and_one_that_returned_is_fine() {
        assert_eq!(grade("2 -> ex m [exception; seen 1]"), Grade::Unseen);
        assert_eq!(grade("1 -> 2 m [seen 1]\n1 -> 1 m [tried 2]"), Grade::Fine);
    }

    #[test]
    fn never_takes_three_different_arguments_or_a_sign_of_misuse() {
        assert_eq!(grade("1 -> ex m [exception; seen 9]"), Grade::MayFail);
        assert_eq!(grade("1 -> ex m [error \"-1\"; tried 3; with \"1\"; with \"2\"]"), Grade::MayFail);
        assert_eq!(grade("1 -> ex m [error \"-1\"; tried 3; with 1; with 2; with 3]"), Grade::Never);
        // The same arguments with two ends are no more arguments.
        let twice =
            "1 -> ex m [error \"-1\"; tried 2; with 1; with 2]\n1 -> ex m [error \"-2\"; tried 2; with 1; with 2]";
        assert_eq!(grade(twice), Grade::MayFail);
        assert_eq!(grade("1 -> ex m [exception std::logic_error; seen 1]"), Grade::Never);
        assert_eq!(grade("1 -> ex m [exception std::runtime_error; seen 1]"), Grade::MayFail);
        assert_eq!(grade("1 -> ex m [error \"-2\"; misuse; seen 1]"), Grade::Never);
    }

    #[test]
    fn a_method_that_has_returned_once_may_fail_at_most() {
        assert_eq!(grade("1 -> ex m [exception std::logic_error; seen 5]\n1 -> 2 m [seen 1]"), Grade::MayFail);
    }

    #[test]
    fn what_a_person_writes_needs_no_executions() {
        assert_eq!(grade("1 -> ex m"), Grade::Never);
        assert_eq!(grade("1 -> 2 m"), Grade::Fine);
        assert_eq!(grade("1 -> 2 m\n1 -> ex m"), Grade::MayFail);
    }
}
