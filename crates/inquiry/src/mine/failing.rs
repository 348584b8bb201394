//! What objects do in a failing test that they do in no passing one.

use whydunit_behavior::Miner;
use whydunit_findings::Mined;

use super::runs::{Ran, Reading};
use super::{MineError, Question, check, differences, options, told};
use crate::Error;
use crate::anomalies::{self, Asked};

/// The models of a failing test, and what only its objects do.
pub(super) fn answer(
    reading: &mut Reading<'_>,
    question: &Question<'_>,
    class: Option<usize>,
    test: &str,
) -> Result<Mined, Error> {
    let options = options::of(reading, question, class);
    let (mut passing, mut failing) = (Miner::new(options.clone()), Miner::new(options.clone()));
    let (mut runs, mut fails, mut passed) = (0, false, false);
    reading.whole(question.runs(), &mut |ran: &Ran<'_>, event| {
        if ran.name == test {
            runs += u64::from(matches!(event, whydunit_events::Event::Run(_)));
            fails |= ran.failed;
            failing.event(event);
        } else if !ran.failed {
            passed = true;
            passing.event(event);
        }
    })?;
    if runs == 0 {
        return Err(MineError::NotRead { test: test.to_owned() }.into());
    }
    if !fails {
        return Err(MineError::Passes { test: test.to_owned() }.into());
    }
    if !passed {
        return Err(MineError::NonePasses.into());
    }
    passing.agree_with(&mut failing);
    let (passing, failing) = (passing.finish(), failing.finish());
    class.map_or(Ok(()), |class| check(reading.catalogue, class, &failing, runs))?;
    options::check_paths(&options, &passing)?;
    let mut mined = told(reading, class, &failing, runs);
    mined.differences = Some(differences::only(&reading.desk.project, &passing, &failing));
    let asked = Asked { test, class, depth: question.depth, inspectors: question.inspectors, baseline: None };
    let found = anomalies::find(reading, &asked)?;
    mined.anomalies = Some(anomalies::told(&reading.desk.project, test, &found.anomalies));
    reading.problems.extend(found.problems);
    reading.instructions += found.instructions;
    Ok(mined)
}
