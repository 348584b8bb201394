//! How the program dies before the fix on other inputs than the test's: a fix that only moves which inputs do has not brought that.

use whydunit_inputs::{Input, neighbours};
use whydunit_review::Version;
use whydunit_suite::TestResult;

use super::death::Death;
use super::programs::Pair;
use crate::Error;

/// So many deaths are kept, and looked into.
const KEPT: usize = 8;
/// So many inputs next to one that dies with the fix are run before it.
const NEXT: usize = 100;

/// Deaths before the fix, one of each look, with inputs that show them.
#[derive(Default)]
pub struct Deaths {
    list: Vec<(Death, Input)>,
}

impl Deaths {
    fn see(&mut self, input: &Input, run: &TestResult) {
        let Some(death) = Death::of(run).filter(|death| !death.kind.is_exhausted()) else { return };
        let known =
            |(other, _): &(Death, Input)| (other.kind, &other.at, &other.says) == (death.kind, &death.at, &death.says);
        if self.list.len() < KEPT && !self.list.iter().any(known) {
            self.list.push((death, input.clone()));
        }
    }
}

impl Pair<'_> {
    /// Keeps how a run of the program before the fix died, if it did.
    pub fn see_death(&self, input: &Input, before: &TestResult) {
        self.deaths.borrow_mut().see(input, before);
    }

    /// Whether the program dies as it does with the fix on this input before the fix, too, on others: on those that were run and, where
    /// nobody has said which inputs there are, on those next to this one. The bug's own death is none of these.
    pub fn dies_so_before(&self, input: &Input, after: &Death) -> Result<bool, Error> {
        let is_after = |before: &Death| self.is_same((before, Version::Broken), (after, Version::Mended));
        // Where nothing tells the places, two deaths are too easily one.
        let told = after.at.is_some() || after.is_specific();
        if !told || self.plain.bug.death.as_ref().is_some_and(is_after) {
            return Ok(false);
        }
        if self.is_among_deaths(&is_after)? {
            return Ok(true);
        }
        if self.in_domain || self.is_over() {
            return Ok(false);
        }
        let near = neighbours(input, &self.suite, NEXT);
        for (near, run) in near.iter().zip(self.plain.results(Version::Broken, &near)) {
            self.see_death(near, &run);
        }
        self.is_among_deaths(&is_after)
    }

    /// Whether one of the deaths that were seen is such a one. What has no place from outside gets it from a recording.
    fn is_among_deaths(&self, is_it: &dyn Fn(&Death) -> bool) -> Result<bool, Error> {
        let list = std::mem::take(&mut self.deaths.borrow_mut().list);
        let mut placed = Vec::new();
        for (death, input) in list {
            let death = match death.at {
                None => self.with_place(Version::Broken, &input, death)?,
                Some(_) => death,
            };
            placed.push((death, input));
        }
        let found = placed.iter().any(|(death, _)| {
            (death.at.is_some() || death.is_specific()) && !death.kind.is_exhausted() && is_it(death)
        });
        self.deaths.borrow_mut().list = placed;
        Ok(found)
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
