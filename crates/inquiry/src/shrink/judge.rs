//! Who says whether a smaller input still fails the same way: the program itself, or a script.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_desk::Desk;
use whydunit_process::Limits;
use whydunit_shrink::{Input, NoFailure, Script};
use whydunit_suite::{Outcome, RunOptions, Test, TestResult};

use super::error::ShrinkError;
use super::subject::Subject;
use crate::Error;

/// A candidate may take so many times as long as the case did, and at least this: one that hangs is not waited for.
const SLOWER: u32 = 10;
const SHORTEST: Duration = Duration::from_secs(1);

/// How a failing case is judged.
pub struct Judge {
    /// By this script; none: by the program itself.
    pub script: Option<PathBuf>,
    /// How it fails, in words.
    pub reason: String,
    /// For each run.
    pub limits: Limits,
    /// The first run, where the program judges.
    pub result: Option<TestResult>,
    failure: Option<whydunit_shrink::Failure>,
}

/// A script, absolute, that can be run.
pub fn script(path: &Path) -> Result<PathBuf, Error> {
    let unreached = |source| ShrinkError::NoScript { path: path.to_path_buf(), source };
    let whole = path.canonicalize().map_err(unreached)?;
    let meta = whole.metadata().map_err(unreached)?;
    if !meta.is_file() {
        return Err(ShrinkError::ScriptNoFile(path.to_path_buf()).into());
    }
    if meta.permissions().mode() & 0o111 == 0 {
        return Err(ShrinkError::ScriptNotExecutable(path.to_path_buf()).into());
    }
    Ok(whole)
}

impl Judge {
    /// Runs the case, or the script on it, for the first time.
    pub fn of(desk: &Desk, subject: &Subject, input: &Input, script: Option<PathBuf>) -> Result<Self, Error> {
        let (suite, limits) = (&subject.suite, subject.suite.limits.clone());
        if let Some(script) = script {
            sees(desk, subject, input, &script)?;
            let name = script.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let reason = format!("{name} says that it fails");
            return Ok(Self { script: Some(script), reason, limits, result: None, failure: None });
        }
        let (name, options) = (&subject.case.name, RunOptions { cancel: Some(&desk.cancel), ..RunOptions::default() });
        let mut results = suite.run_test(&Test::Case(subject.case.clone()), &options);
        let result = results.swap_remove(0);
        let failure = whydunit_shrink::Failure::of(&result).map_err(|why| match why {
            NoFailure::Passes => ShrinkError::Passes { test: name.clone() }.into(),
            NoFailure::Output(how) => ShrinkError::FailsByOutput { test: name.clone(), how }.into(),
            NoFailure::NotRun(reason) => ShrinkError::NotRun { test: name.clone(), reason }.into(),
            NoFailure::Cancelled => Error::from(whydunit_desk::Error::Interrupted),
        })?;
        let time = match result.outcome {
            Outcome::Timeout => limits.time,
            _ => Some((result.time * SLOWER).max(SHORTEST)).map(|own| limits.time.map_or(own, |limit| own.min(limit))),
        };
        let limits = Limits { time, ..limits };
        Ok(Self { script: None, reason: failure.to_string(), limits, result: Some(result), failure: Some(failure) })
    }

    /// The failure, where the program itself judges.
    pub fn failure(&self) -> Result<whydunit_shrink::Failure, Error> {
        self.failure.clone().ok_or_else(|| Error::Internal("no failure is known".into()))
    }
}

/// Sees that a script takes the case as it is for a failing one.
fn sees(desk: &Desk, subject: &Subject, input: &Input, script: &Path) -> Result<(), Error> {
    let result = Script { suite: &subject.suite, case: &subject.case, script }.run(input, &desk.cancel);
    let why = match &result.outcome {
        Outcome::Pass => return Ok(()),
        Outcome::Cancelled => return Err(whydunit_desk::Error::Interrupted.into()),
        Outcome::Fail { .. } => {
            format!("it ended with {}", result.exit.map(|exit| exit.to_string()).unwrap_or_default())
        }
        outcome => outcome.reason().unwrap_or_default(),
    };
    let said = String::from_utf8_lossy(&result.stderr);
    let said = said.lines().rfind(|line| !line.trim().is_empty()).map(|line| format!(" ({line})")).unwrap_or_default();
    let (script, test) = (script.to_path_buf(), subject.case.name.clone());
    Err(ShrinkError::ScriptSeesNothing { script, test, why: why + &said }.into())
}
