//! How the program dies before the fix on other inputs than the test's: a fix that only moves which inputs do has not brought that.

use whydunit_inputs::Input;
use whydunit_suite::TestResult;

use super::death::Death;

/// So many deaths are kept, and looked into.
const KEPT: usize = 8;

/// Deaths before the fix, one of each look, with inputs that show them.
#[derive(Default)]
pub struct Deaths {
    /// Each with an input that it was seen on.
    pub list: Vec<(Death, Input)>,
}

impl Deaths {
    /// Keeps how a run died, if it did and no other did so.
    pub fn see(&mut self, input: &Input, run: &TestResult) {
        let Some(death) = Death::of(run).filter(|death| !death.kind.is_exhausted()) else { return };
        let known =
            |(other, _): &(Death, Input)| (other.kind, &other.at, &other.says) == (death.kind, &death.at, &death.says);
        if self.list.len() < KEPT && !self.list.iter().any(known) {
            self.list.push((death, input.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_process::Exit;
    use whydunit_suite::Outcome;

    #[test]
    fn one_death_of_each_look_is_kept() {
        let panic = |line: u32| {
            TestResult {
            exit: Some(Exit::Status(101)),
            stderr: format!("thread 'main' panicked at src/main.rs:{line}:5:\nindex out of bounds: the len is 3 but the index is {line}\n").into(),
            ..TestResult::new("x", Outcome::Pass)
        }
        };
        let mut deaths = Deaths::default();
        for line in [3, 4, 3] {
            deaths.see(&Input::given(&[], "x"), &panic(line));
        }
        deaths.see(&Input::given(&[], "y"), &TestResult::new("x", Outcome::Pass));
        assert_eq!(
            deaths.list.iter().filter_map(|(death, _)| Some(death.at.as_ref()?.line)).collect::<Vec<_>>(),
            [3, 4]
        );
    }
}
