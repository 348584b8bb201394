//! Tests that are recorded and replayed for what they do wrong without failing.

use std::num::NonZeroUsize;
use std::path::Path;

use whydunit_findings::{Outcome, Problem, RunErrors, TestResult};
use whydunit_process::{Cancel, Pool};
use whydunit_suite::Test;
use whydunit_workbench::{self as workbench, Along, Loaded, Project, Recordings, load};

use crate::recordings::BLIND_TO_LEAKS;
use crate::{Desk, Error, convert};

/// What the recorded run of a test does wrong.
#[derive(Default)]
struct Checked {
    errors: RunErrors,
    problems: Vec<Problem>,
}

/// Records each test, `jobs` at a time, and replays what was recorded. A test whose run does what the language leaves undefined
/// fails, with `leaks` also one that loses blocks: `results`, in parallel to `tests`, get what was found. Recordings of tests that do nothing wrong are not kept. Returns what
/// should be known.
pub fn check(
    desk: &Desk,
    project: &Project,
    tests: &[&Test],
    results: &mut [TestResult],
    jobs: Option<NonZeroUsize>,
    leaks: bool,
) -> Result<Vec<Problem>, Error> {
    Recordings::of(&desk.store()?).create()?;
    let (folder, cancel) = (&desk.project, &desk.cancel);
    let task = desk.task("checking tests", Some(tests.len() as u64));
    let pool = jobs.map_or_else(Pool::of_cores, Pool::new).cancelled_by(Some(&desk.cancel));
    let checked = pool.run(tests.iter().copied(), |test| {
        let checked = of_test(project, folder, cancel, test, leaks);
        task.step(test.name());
        checked
    });
    drop(task);
    let mut problems = Vec::new();
    for ((test, result), checked) in tests.iter().zip(results).zip(checked) {
        let checked = checked.unwrap_or_else(|error| Checked {
            problems: vec![Problem::new(format!("{} was not checked: {error}", test.name()))],
            ..Checked::default()
        });
        fail(result, checked.errors);
        problems.extend(checked.problems);
    }
    Ok(problems)
}

/// Lets a test fail whose run does wrong. What it fails by already stays its reason.
pub fn fail(result: &mut TestResult, errors: RunErrors) {
    if result.outcome == Outcome::Pass
        && let Some(reason) = errors.reason()
    {
        result.outcome = Outcome::Fail;
        result.reason = Some(reason);
    }
    result.errors = errors;
}

/// What the recorded run of a test does wrong; nothing where it starts nothing of the program.
pub fn errors_of(desk: &Desk, project: &Project, test: &Test) -> Result<RunErrors, Error> {
    of_test(project, &desk.project, &desk.cancel, test, false).map(|checked| checked.errors)
}

fn of_test(project: &Project, folder: &Path, cancel: &Cancel, test: &Test, leaks: bool) -> Result<Checked, Error> {
    let (store, name) = (project.store()?, test.name());
    let run = match project.record_test(test, &Recordings::of(&store), cancel) {
        // What starts nothing of the program does nothing wrong in it.
        Err(workbench::Error::NothingRecorded { .. }) => return Ok(Checked::default()),
        run => run?,
    };
    let mut checked = Checked::default();
    checked.problems.extend(run.lost.iter().map(|reason| Problem::new(format!("{name}: {reason}"))));
    for recorded in &run.recordings {
        let Loaded { recording, program, damage } = load(&store, &recorded.path)?;
        let replayed = workbench::check(&program, &recording, Along::Check { leaks })?;
        let divergence = replayed.verified.as_ref().err().map(ToString::to_string);
        let limit = recording.info().run.limit_hit.clone();
        let cut = damage.map(|damage| damage.to_string()).or(divergence).or(limit);
        let errors = convert::errors(folder, &replayed.memory_errors, &replayed.undefined);
        if errors.is_empty() && cut.is_none() {
            std::fs::remove_file(&recorded.path).map_err(Error::io(&recorded.path))?;
        }
        if replayed.blind_to_leaks {
            checked.problems.push(Problem::new(format!("{name}: {BLIND_TO_LEAKS}")));
        }
        let partly = |reason| Problem::new(format!("{name} was only checked in part: {reason}"));
        checked.problems.extend(cut.map(partly));
        checked.errors.extend(errors);
    }
    Ok(checked)
}
