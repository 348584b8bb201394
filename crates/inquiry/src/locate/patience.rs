//! How long tests are waited for that do not end, where nobody has said how long a test may take.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use whydunit_desk::{Desk, prepare};
use whydunit_process::Limits;
use whydunit_suite::{Outcome, RunOptions, Suite, Test};
use whydunit_workbench::{Executed, Project};

use crate::Error;

/// So long a test is waited for at first, and recorded where it does not end.
pub(super) const FIRST: Duration = Duration::from_secs(10);

/// A test that takes so many times as long as each of the others that ended is taken for one that does not end.
const LONGER: u32 = 20;

/// Of what is left of the time, tests that have not ended are waited for so large a part.
const PART: u32 = 2;

/// So long a test that has not ended with counts is waited for without them: it would end sooner there.
const WITHOUT_COUNTS: Duration = Duration::from_secs(20);

/// What comes to the time for which a test is waited for, until it is seen to have ended.
const GRACE: Duration = Duration::from_secs(2);

/// The limits of a test that has not ended with counts, where it is run without.
pub(super) fn without_counts(suite: &Suite) -> Limits {
    let time = suite.limits.time.map(|time| if suite.states_time { time } else { time.min(WITHOUT_COUNTS) });
    Limits { time, ..suite.limits.clone() }
}

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

/// Whether the time ended a test for which so long was waited: one with a shorter time of its own has that from its suite.
fn has_not_ended(test: &Executed) -> bool {
    test.result.outcome == Outcome::Timeout && test.result.time > FIRST / 2
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
    /// Tests that had not ended are run again, for longer, unless the others show that they would hardly end. Those that have not ended
    /// then are taken for failing ones where they are `asked` about, or where nothing else fails and nobody asks; else they are left
    /// out. The suite keeps the time for which tests were waited for. What to say of them, in sentences.
    pub fn decide(
        &self,
        suite: &mut Suite,
        (asked, options): (&BTreeSet<String>, &RunOptions<'_>),
        executed: &mut Vec<Executed>,
    ) -> Result<Vec<String>, Error> {
        let ended = executed.iter().filter(|test| !has_not_ended(test)).map(|test| test.result.time).max();
        if executed.iter().any(has_not_ended) && !is_hopeless(ended) {
            suite.limits.time = Some(self.longer());
            self.again(suite, options, executed)?;
        }
        let endless = executed.iter().filter(|test| has_not_ended(test));
        // Of several the shortest: no more was left for it.
        let Some(waited) = endless.map(|test| test.result.time).min() else {
            suite.limits.time = Some(self.whole);
            return Ok(Vec::new());
        };
        let fails = executed.iter().any(|test| test.result.outcome.is_failure() && !has_not_ended(test));
        let taken = |test: &Executed| asked.contains(&test.result.name) || asked.is_empty() && !fails;
        let told = |verdict: &str, of: &dyn Fn(&Executed) -> bool| {
            let names = executed.iter().filter(|test| has_not_ended(test) && of(test));
            let names = prepare::some_of(&names.map(|test| test.result.name.clone()).collect::<Vec<_>>())?;
            let beside = ended.map(|longest| format!(", while the others took {:.2} s at most", longest.as_secs_f64()));
            Some(format!(
                "{verdict}, because they had not ended after {:.0} s{} (`timeout` in [tests] of whydunit.toml says how long a test may \
                 take): {names}",
                waited.as_secs_f64(),
                beside.unwrap_or_default()
            ))
        };
        let told = [told("taken for tests that do not end", &taken), told("left out", &|test| !taken(test))];
        executed.retain(|test| !has_not_ended(test) || taken(test));
        Ok(told.into_iter().flatten().collect())
    }

    /// How long tests are waited for that may still end.
    fn longer(&self) -> Duration {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / PART);
        left.map_or(self.whole, |left| left.min(self.whole)).max(FIRST)
    }

    /// Runs tests again that had not ended, and takes the results of those that were not cut short.
    fn again(&self, suite: &Suite, options: &RunOptions<'_>, executed: &mut [Executed]) -> Result<(), Error> {
        let names: Vec<String> =
            executed.iter().filter(|test| has_not_ended(test)).map(|test| test.result.name.clone()).collect();
        let tests: Vec<&Test> = names.iter().filter_map(|name| suite.test(name).ok()).collect();
        // All of them together may not take what the rest of the work needs.
        let own = self.desk.cancel.apart();
        let own = match self.deadline {
            Some(_) => own.by(Instant::now() + self.longer() + GRACE),
            None => own,
        };
        let options = RunOptions { cancel: Some(&own), ..options.clone() };
        let task = self.desk.task("waiting longer for tests that have not ended", Some(tests.len() as u64));
        let (rerun, _) = self.project.run_spectrum(suite, &tests, &options, &|_| {})?;
        drop(task);
        let is_known = |test: &Executed| !matches!(test.result.outcome, Outcome::Cancelled | Outcome::Error(_));
        for test in rerun.into_iter().filter(is_known) {
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
