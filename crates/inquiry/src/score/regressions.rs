//! Which changes methods of `explain` report of a regression that is known.

use std::path::Path;

use whydunit_findings::{Change, ScoredAnswer, ScoredRegression};
use whydunit_suite::{FaultLine, Truth};

use super::{Question, ScoreError};
use crate::Error;
use crate::explain::{self, Asked, Method, SoFar, Versions};
use whydunit_desk::Desk;
use whydunit_desk::prepare;

/// The folders of the two versions.
const GOOD: &str = "good";
const BAD: &str = "bad";
/// Of so many changes at most all small sets are tried.
const FEW: u64 = 30;
/// So many changes the sets that are tried have at most.
const SMALL: usize = 2;

/// Whether a folder of a catalogue holds two versions.
pub fn is_regression(folder: &Path) -> bool {
    folder.join(GOOD).is_dir() && folder.join(BAD).is_dir()
}

/// Explains a regression by each method, each from nothing.
pub fn measure(
    desk: &Desk,
    folder: &Path,
    methods: &[Method],
    asked: &Question<'_>,
    regression: &mut ScoredRegression,
) -> Result<(), Error> {
    let truth = Truth::of(folder).map_err(ScoreError::Truth)?;
    regression.kind = truth.kind;
    let absolute = |name: &str| -> Result<String, Error> {
        let path = folder.join(name).canonicalize()?;
        path.into_os_string().into_string().map_err(|_| ScoreError::NotUtf8(folder.to_path_buf()).into())
    };
    let (good, bad) = (absolute(GOOD)?, absolute(BAD)?);
    let desk = desk.quietly_in(Path::new(&bad))?;
    let versions = Versions::read(&desk.project, &Asked { good: &good, bad: Some(&bad) })?;
    let limit = asked.limit;
    let so_far = SoFar::default();
    let question = |method| explain::Question {
        versions: &versions,
        test: truth.test.as_deref(),
        method,
        limit,
        builds: asked.builds,
        jobs: 1,
        so_far: &so_far,
    };
    for &method in methods {
        forget(&desk)?;
        let mut scored = ScoredAnswer { method: method.name().into(), ..ScoredAnswer::default() };
        match explain::answer(&desk, &question(method)) {
            // What is known where a method gives up is no answer of it.
            Ok(explain::Answer { ended: Some(ended), explained, .. }) => {
                scored.problem = Some(format!("there is no answer: {ended}"));
                regression.changes = explained.changes;
            }
            Ok(answer) => {
                let explained = answer.explained;
                regression.test = explained.test;
                regression.changes = explained.changes;
                let changes = explained.root.iter().chain(&explained.auxiliary);
                scored.found = found(&truth.fault, &changes.collect::<Vec<_>>());
                (scored.reported, scored.auxiliary) = (explained.root.len() as u64, explained.auxiliary.len() as u64);
                scored.passes = answer.passes;
                (scored.builds, scored.runs) = (answer.builds, answer.runs);
                scored.seconds = answer.seconds;
            }
            // A method may give up; where none can start all is said by the first.
            Err(error) if error.is_cut_short() => {
                scored.problem = Some(error.line());
                regression.changes = explain::number(&desk, &question(method))?;
            }
            Err(error) => return Err(error),
        }
        regression.answers.push(scored);
    }
    let passing = regression.answers.iter().filter(|answer| answer.passes);
    let known = passing.map(|answer| answer.reported + answer.auxiliary).min();
    regression.least = known.filter(|&known| known == 1);
    if regression.least.is_none() && asked.least && regression.changes <= FEW {
        let below = known.map_or(SMALL, |known| SMALL.min(known as usize - 1));
        let least = explain::least(&desk, &question(Method::After), below)?;
        // What is reported is as small as can be where no smaller set is.
        regression.least = least.or(known.filter(|&known| known as usize <= SMALL + 1));
    }
    Ok(())
}

/// Removes what is known of versions: no method is to find what another one has built.
fn forget(desk: &Desk) -> Result<(), Error> {
    Ok(prepare::removed(&explain::folder(&desk.project))?)
}

/// Whether a line of each group of a fault is one of a change.
fn found(fault: &[FaultLine], changes: &[&Change]) -> bool {
    let hit = |line: &FaultLine| {
        changes.iter().any(|change| {
            let place = &change.location;
            place.file == line.file && (place.line..=place.end_line.max(place.line)).contains(&line.line)
        })
    };
    fault.iter().all(|line| fault.iter().any(|other| other.group == line.group && hit(other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::Location;

    #[test]
    fn of_each_group_a_line_has_to_be_in_a_change() {
        let line = |line: u32, group: u32| FaultLine { file: "a.c".into(), line, group };
        let change = |line: u32, end: u32| Change {
            location: Location { end_line: end, ..Location::line("a.c", line) },
            ..Change::default()
        };
        let (one, two) = (change(3, 5), change(9, 9));
        assert!(found(&[line(7, 0), line(4, 0)], &[&one]));
        assert!(!found(&[line(7, 0), line(6, 0)], &[&one, &two]));
        assert!(!found(&[line(4, 0), line(9, 1)], &[&one]));
        assert!(found(&[line(4, 0), line(9, 1), line(8, 1)], &[&one, &two]));
    }
}
