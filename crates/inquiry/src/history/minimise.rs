//! A fix made as small as it can be, line by line (DDCHANGE).

use whydunit_delta::{Outcome, Set, sweep};
use whydunit_findings::Minimised;
use whydunit_history::LineChanges;
use whydunit_variants::{Outcomes, SuiteRunner};

use crate::Error;

/// What a part of a fix has to do.
pub struct Goal<'a> {
    /// Tests that have to pass.
    pub tests: &'a [String],
    /// What the whole fix comes to.
    pub after: &'a Outcomes,
    /// Builds at most.
    pub builds: u64,
}

/// The least part of a fix with which its tests pass: once with all others as they are after the whole fix, once whatever becomes of these.
/// And the units of the former.
pub fn minimise(
    lines: &LineChanges<'_>,
    runner: &mut SuiteRunner<'_>,
    goal: &Goal<'_>,
) -> Result<(Minimised, Set), Error> {
    let all: Set = (0..lines.len()).collect();
    let (start, mut complete) = (runner.counts.builds, true);
    let mut least = |from: &Set, alone: bool, runner: &mut SuiteRunner<'_>| -> Result<Set, Error> {
        sweep(from, &mut |set: &[usize]| -> Result<Outcome, Error> {
            if runner.counts.builds - start >= goal.builds {
                complete = false;
                return Ok(Outcome::Unresolved);
            }
            let outcomes = runner.run(&lines.with(set), &[])?;
            Ok(goal.reached(&outcomes, alone))
        })
    };
    let needed = least(&all, false, runner)?;
    let alone = least(&needed, true, runner)?;
    let ((changed, changed_code), (lines_needed, needed_code)) = (lines.count(&all), lines.count(&needed));
    let (needed_alone, needed_alone_code) = lines.count(&alone);
    let (patch, places) = lines.patch(&needed);
    let minimised = Minimised {
        changed,
        needed: lines_needed,
        changed_code,
        needed_code,
        needed_alone,
        needed_alone_code,
        complete,
        patch,
        places,
    };
    Ok((minimised, needed))
}

impl Goal<'_> {
    /// `Fail`, as delta debugging calls what it looks for, where the goal is reached.
    fn reached(&self, outcomes: &Outcomes, alone: bool) -> Outcome {
        let Outcomes::Ran(_) = outcomes else { return Outcome::Unresolved };
        let passes = |name: &String| outcomes.test(name).is_some_and(whydunit_variants::TestRun::passes);
        if !self.tests.iter().all(passes) {
            return Outcome::Pass;
        }
        let others = self.after.tests().iter().filter(|test| !test.is_flaky() && !self.tests.contains(&test.name));
        let kept = |test: &whydunit_variants::TestRun| {
            outcomes.test(&test.name).is_some_and(|now| now.outcome == test.outcome || now.is_flaky())
        };
        if alone || others.into_iter().all(kept) { Outcome::Fail } else { Outcome::Pass }
    }
}
