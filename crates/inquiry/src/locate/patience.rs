//! How long tests are waited for that do not end, where nobody has said how long a test may take.

use std::time::{Duration, Instant};

use whydunit_desk::{Desk, prepare};
use whydunit_suite::{Outcome, RunOptions, Suite, Test};
use whydunit_workbench::{Executed, Project};

use crate::Error;

/// So long a test is waited for at first.
const FIRST: Duration = Duration::from_secs(10);

/// A test that takes so many times as long as each of the others that ended is taken for one that does not end.
const LONGER: u32 = 20;

/// Of what is left of the time, tests that have not ended are waited for so large a part.
const PART: u32 = 2;

/// Makes the time that a suite's tests may take a short one, unless the configuration states it. What it was; none where it stays.
pub(super) fn shorten(suite: &mut Suite) -> Option<Duration> {
    let whole = suite.limits.time.filter(|time| *time > FIRST && !suite.states_time)?;
    suite.limits.time = Some(FIRST);
    Some(whole)
}

/// Whether a test that has not ended after the first time would hardly end, by the longest time of those that ended.
fn is_hopeless(longest: Option<Duration>) -> bool {
    longest.is_some_and(|longest| longest.saturating_mul(LONGER) <= FIRST)
}

/// What is done with tests that had not ended after [`shorten`]'s time.
pub(super) struct Patience<'a> {
    pub desk: &'a Desk,
    pub project: &'a Project,
    /// The time that a test may take otherwise.
    pub whole: Duration,
    /// When all of the work must have ended.
    pub deadline: Option<Instant>,
}

impl Patience<'_> {
    /// Tests that had not ended are run again, for longer, unless the others show that they would hardly end. The suite keeps the time
    /// for which tests were waited for. What to say of those that have not ended, in a sentence; none where all have.
    pub fn decide(
        &self,
        suite: &mut Suite,
        options: &RunOptions<'_>,
        executed: &mut [Executed],
    ) -> Result<Option<String>, Error> {
        let endless = |executed: &[Executed]| -> Vec<String> {
            let waited = |test: &&Executed| test.result.outcome == Outcome::Timeout && test.result.time > FIRST / 2;
            executed.iter().filter(waited).map(|test| test.result.name.clone()).collect()
        };
        let names = endless(executed);
        if names.is_empty() {
            suite.limits.time = Some(self.whole);
            return Ok(None);
        }
        let ended = executed.iter().filter(|test| test.result.outcome != Outcome::Timeout);
        let longest = ended.map(|test| test.result.time).max();
        let short = suite.limits.time;
        let hopeless = is_hopeless(longest);
        let mut waited = FIRST;
        if !hopeless {
            let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / PART);
            waited = left.map_or(self.whole, |left| left.min(self.whole)).max(FIRST);
            suite.limits.time = Some(waited);
            self.again(suite, options, &names, executed)?;
        }
        let names = endless(executed);
        if names.is_empty() {
            suite.limits.time = Some(self.whole);
            return Ok(None);
        }
        if hopeless {
            suite.limits.time = short;
        }
        let others = match longest {
            Some(longest) => format!(", while the others took {:.1} s at most", longest.as_secs_f64()),
            None => String::new(),
        };
        let names = prepare::some_of(&names).unwrap_or_default();
        Ok(Some(format!(
            "taken for tests that do not end, because they had not after {:.0} s{others} (`timeout` in [tests] of whydunit.toml says how \
             long a test may take): {names}",
            waited.as_secs_f64()
        )))
    }

    /// Runs tests again, and takes the results of those that were not cancelled.
    fn again(
        &self,
        suite: &Suite,
        options: &RunOptions<'_>,
        names: &[String],
        executed: &mut [Executed],
    ) -> Result<(), Error> {
        let tests: Vec<&Test> = names.iter().filter_map(|name| suite.test(name).ok()).collect();
        let task = self.desk.task("waiting longer for tests that have not ended", Some(tests.len() as u64));
        let (rerun, _) = self.project.run_spectrum(suite, &tests, options, &|_| {})?;
        drop(task);
        for test in rerun.into_iter().filter(|test| test.result.outcome != Outcome::Cancelled) {
            if let Some(known) = executed.iter_mut().find(|known| known.result.name == test.result.name) {
                *known = test;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_tests_show_that_another_one_does_not_end() {
        assert!(is_hopeless(Some(Duration::from_millis(500))));
        assert!(!is_hopeless(Some(Duration::from_millis(501))) && !is_hopeless(None));
    }
}
