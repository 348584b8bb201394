//! A test that fails now and then: recorded until it does, and the failing run beside one that passes.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use whydunit_causes::beside;
use whydunit_desk::{Desk, differences};
use whydunit_findings::UntilFails;
use whydunit_suite::{Test, TestResult};
use whydunit_workbench::{Project, Recorded, Recorder, Recordings, Run};

use crate::Error;

/// How long a failing run is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// So many runs.
    pub runs: u32,
    /// So much time.
    pub time: Duration,
}

/// The run that failed, or else the last one, and what is known of all of them.
pub struct Answer {
    /// The run.
    pub run: Run<Vec<TestResult>>,
    /// How often it was run, and how the failing run differs from one that passes.
    pub told: UntilFails,
}

/// Recordings of a run under another name.
struct Aside {
    paths: Vec<PathBuf>,
}

/// Records a test again and again, threads in another order each time, until one of its runs has failed and one has passed. The
/// recording of the failing one has the test's name, that of the passing one `.passing` behind it.
pub fn answer(
    desk: &Desk,
    project: &Project,
    test: &Test,
    recordings: &Recordings,
    limits: Limits,
) -> Result<Answer, Error> {
    let name = test.name();
    let task = desk.task(&format!("running {name} until it fails"), Some(limits.runs.into()));
    let deadline = Instant::now() + limits.time;
    let (mut failing, mut passing): (Option<Run<Vec<TestResult>>>, Option<Aside>) = (None, None);
    let mut told = UntilFails::default();
    let mut last = None;
    while told.runs < limits.runs && Instant::now() < deadline && !desk.is_cancelled() {
        let left = deadline.saturating_duration_since(Instant::now());
        let how = Recorder { time: Some(left), thread_order: order(told.runs) };
        let mut run = project.record_test_as(test, recordings, &desk.cancel, how)?;
        told.runs += 1;
        task.step(name);
        let fails = run.result.iter().any(|result| result.outcome.is_failure());
        told.failures += u32::from(fails);
        if fails && failing.is_none() {
            move_to(recordings, &format!("{name}.failing"), &mut run.recordings)?;
            failing = Some(run);
        } else if !fails && passing.is_none() {
            let paths = move_to(recordings, &format!("{name}.passing"), &mut run.recordings)?;
            passing = Some(Aside { paths });
            last = Some(run);
        }
        if failing.is_some() && passing.is_some() {
            break;
        }
    }
    drop(task);
    if let Some(run) = &mut failing {
        move_to(recordings, name, &mut run.recordings)?;
        let kept: Vec<PathBuf> = run.recordings.iter().map(|recorded| recorded.path.clone()).collect();
        recordings.clear(name, &kept).map_err(whydunit_desk::Error::from)?;
    }
    if let (Some(run), Some(passing)) = (&failing, &passing)
        && let (Some(failed), Some(passed)) = (run.recordings.first(), passing.paths.first())
    {
        told.passing = Some(project.relative(passed));
        compared(desk, failed, passed, &mut told)?;
    }
    let run = failing.or(last).ok_or(whydunit_desk::Error::Interrupted)?;
    Ok(Answer { run, told })
}

/// What the order of threads is drawn from in a run; the first has the usual order.
fn order(run: u32) -> Option<NonZeroU64> {
    NonZeroU64::new(u64::from(run).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Gives the recordings of a run the name `name`; where they lie then.
fn move_to(recordings: &Recordings, name: &str, kept: &mut [Recorded]) -> Result<Vec<PathBuf>, Error> {
    let mut paths = Vec::new();
    for (number, recorded) in (1..).zip(kept) {
        let path = recordings.path(name, number);
        std::fs::rename(&recorded.path, &path).map_err(whydunit_desk::Error::io(&path))?;
        recorded.path.clone_from(&path);
        paths.push(path);
    }
    Ok(paths)
}

/// Compares the failing run with the passing one.
fn compared(desk: &Desk, failed: &Recorded, passed: &std::path::Path, told: &mut UntilFails) -> Result<(), Error> {
    let store = desk.store()?;
    let (one, two) = (desk.open_recording(&store, &failed.path)?, desk.open_recording(&store, passed)?);
    let task = desk.task("comparing with a passing run", None);
    let found = beside::compare(&one.program, &one.recording, &two.recording);
    drop(task);
    let found = found.map_err(|error| Error::Show(error.into()))?;
    told.compared = true;
    told.cut = found.cut;
    told.differences = differences::differences(&desk.sources(), &desk.project, &found);
    told.differences.extend(differences::environments(one.recording.info(), two.recording.info()));
    Ok(())
}
