//! Whether a case does what the run did that it was made of.

use std::path::{Path, PathBuf};

use whydunit_desk::{Desk, prepare};
use whydunit_observe::Basis;
use whydunit_process::Exit;
use whydunit_suite::{Case, Outcome, RunOptions, Test, TestResult};
use whydunit_workbench::Project;

use super::{Candidate, LeftOut, table};
use crate::Error;

/// A case that does in a folder of its own what the run did.
pub(super) struct Verified<'a> {
    pub candidate: Candidate<'a>,
    pub case: Case,
    /// What it prints names files as the case does, not as the run did.
    pub renamed: bool,
}

/// Runs each candidate by itself, then those that do otherwise with the environment that they had. What does otherwise even then is
/// left out.
pub(super) fn verified<'a>(
    desk: &Desk,
    project: &Project,
    program: &Path,
    candidates: Vec<Candidate<'a>>,
    left_out: &mut LeftOut,
) -> Result<Vec<Verified<'a>>, Error> {
    let plain = |candidate: &Candidate<'_>| candidate.draft.case.clone();
    let (mut verified, others) = tried(desk, project, program, candidates.into_iter().enumerate().collect(), plain)?;
    let same = |candidate: &Candidate<'_>| Case { env: candidate.draft.env.clone(), ..candidate.draft.case.clone() };
    let (more, others) = tried(desk, project, program, others, same)?;
    for (_, candidate) in &others {
        let mixed = candidate.run.mixed && candidate.run.stdout != b"";
        let reason = if mixed { MIXED } else { OTHERWISE };
        left_out.add(reason, &candidate.draft.case.name);
    }
    verified.extend(more);
    verified.sort_by_key(|(index, _)| *index);
    Ok(verified.into_iter().map(|(_, verified)| verified).collect())
}

const OTHERWISE: &str = "they do otherwise in a folder of their own";
const MIXED: &str = "standard output and standard error go to one place, or they do otherwise in a folder of their own";

type Numbered<T> = Vec<(usize, T)>;

/// Those that do the same as `case` makes them, and the others.
fn tried<'a>(
    desk: &Desk,
    project: &Project,
    program: &Path,
    candidates: Numbered<Candidate<'a>>,
    case: impl Fn(&Candidate<'_>) -> Case,
) -> Result<(Numbered<Verified<'a>>, Numbered<Candidate<'a>>), Error> {
    let cases: Vec<Case> = candidates.iter().map(|(_, candidate)| case(candidate)).collect();
    let results = run(desk, project, program, &cases)?;
    let (mut same, mut others) = (Vec::new(), Vec::new());
    for (((index, candidate), case), result) in candidates.into_iter().zip(cases).zip(&results) {
        let printed = &candidate.run.stdout;
        let ends = match result.exit {
            Some(Exit::Status(status)) => candidate.run.status == Some(status),
            Some(Exit::Signal(signal)) => candidate.run.signal == Some(signal),
            None => false,
        };
        let renamed = result.stdout != *printed;
        if ends && (!renamed || result.stdout == candidate.draft.renamed(printed)) {
            same.push((index, Verified { candidate, case, renamed }));
        } else {
            others.push((index, candidate));
        }
    }
    Ok((same, others))
}

/// Cases, where it is from what is expected of them, and their results.
type Steady<'a> = (Vec<Case>, Vec<&'a Basis>, Vec<TestResult>);

/// Runs the cases with what is expected of them: their results. What the command took for right must pass; what does not is left out.
pub(super) fn steady<'a>(
    desk: &Desk,
    project: &Project,
    program: &Path,
    cases: Vec<Case>,
    bases: Vec<&'a Basis>,
    left_out: &mut LeftOut,
) -> Result<Steady<'a>, Error> {
    let results = run(desk, project, program, &cases)?;
    let mut out = (Vec::new(), Vec::new(), Vec::new());
    for ((case, basis), result) in cases.into_iter().zip(bases).zip(results) {
        if *basis == Basis::Accepted && !matches!(result.outcome, Outcome::Pass) {
            left_out.add("they do not do the same each time", &case.name);
            continue;
        }
        out.0.push(case);
        out.1.push(basis);
        out.2.push(result);
    }
    Ok(out)
}

/// Runs cases of a program as a suite does.
fn run(desk: &Desk, project: &Project, program: &Path, cases: &[Case]) -> Result<Vec<TestResult>, Error> {
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    let folder = tempfile::tempdir().map_err(whydunit_desk::Error::from)?;
    let path: PathBuf = folder.path().join("cases.jsonl");
    table::write(&path, cases)?;
    let project = project.clone().with_cases(program.to_owned(), path);
    let suite = prepare::suite(desk, &project)?;
    let tests: Vec<&Test> = suite.tests.iter().collect();
    let options = RunOptions { reruns: Some(0), cancel: Some(&desk.cancel), ..RunOptions::default() };
    let results = prepare::run(desk, &suite, &tests, &options);
    if desk.is_cancelled() {
        return Err(whydunit_desk::Error::Interrupted.into());
    }
    Ok(results)
}
