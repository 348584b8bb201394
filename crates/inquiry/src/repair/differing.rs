//! Inputs on which patches differ that all pass the suite: whoever knows what the program should do there knows the right one.

use std::collections::HashSet;

use whydunit_findings::Differing;
use whydunit_inputs::vary;
use whydunit_process::Exit;
use whydunit_suite::{Case, Content, Outcome, Suite, Test, TestResult};

use super::trial::{SIGPROF, Trial};
use crate::review::Violation;

/// Inputs that are tried.
const INPUTS: usize = 150;
/// The same ones each time.
const SEED: u64 = 1;
/// Runs that print more are not compared.
const MOST_OUTPUT: usize = 64 << 10;

/// New inputs made of the suite's, none where it has no cases, with what patches do with them.
#[derive(Default)]
pub struct Inputs {
    cases: Vec<Case>,
    /// Of each patch, in the order in which they were added, for each input; none where it did not end by itself.
    patches: Vec<(String, Vec<Option<Did>>)>,
    /// The diffs of patches with which something is wrong.
    refuted: HashSet<String>,
    /// Inputs on which each patch dies.
    deaths: Vec<Vec<bool>>,
    /// Those on which the program dies as it is.
    before: Option<Vec<bool>>,
    /// Inputs on which the program died with a patch.
    counterexamples: Vec<Case>,
}

/// What a program printed, and its exit status.
type Did = (Vec<u8>, i32);

/// Whether a run was ended by a signal, and not by a limit.
fn dies(result: &TestResult) -> bool {
    matches!((&result.outcome, result.exit), (Outcome::Crash(signal), Some(Exit::Signal(_))) if *signal != SIGPROF)
}

/// Runs cases in the place of a suite's own.
fn run(cases: &[Case], suite: &Suite, trial: &Trial<'_>, runs: &mut u64) -> Vec<TestResult> {
    trial.results(&Suite { tests: cases.iter().cloned().map(Test::Case).collect(), ..suite.clone() }, runs)
}

impl Inputs {
    /// Of a suite's cases.
    pub fn of(suite: &Suite) -> Self {
        let of = |test: &Test| if let Test::Case(case) = test { Some(case.clone()) } else { None };
        let cases: Vec<Case> = suite.tests.iter().filter_map(of).collect();
        Self { cases: vary(&cases, INPUTS, SEED), ..Self::default() }
    }

    /// Adds a patch by its diff, built; whether it does with some input what no patch before it does that stands, which is taken for
    /// granted where there are no inputs.
    pub fn is_new(&mut self, diff: &str, suite: &Suite, trial: &Trial<'_>, runs: &mut u64) -> bool {
        let results = run(&self.cases, suite, trial, runs);
        self.deaths.push(results.iter().map(dies).collect());
        let did = |result: TestResult| match result.exit {
            Some(Exit::Status(status)) if result.stdout.len() <= MOST_OUTPUT => Some((result.stdout, status)),
            _ => None,
        };
        let did: Vec<Option<Did>> = results.into_iter().map(did).collect();
        let mut standing = self.patches.iter().filter(|(diff, _)| !self.refuted.contains(diff));
        let is_new = self.cases.is_empty() || standing.all(|(_, known)| *known != did);
        self.patches.push((diff.to_string(), did));
        is_new
    }

    /// A patch, by its diff, with which something is wrong: one that does the same may be right.
    pub fn refute(&mut self, diff: &str) {
        self.refuted.insert(diff.to_owned());
    }

    /// Keeps an input on which the program dies with a patch.
    pub fn add_counterexample(&mut self, input: Case) {
        self.counterexamples.push(input);
    }

    /// How the program dies with a patch, built, on an input on which it did so with one before.
    pub fn known_death(&self, suite: &Suite, trial: &Trial<'_>, runs: &mut u64) -> Option<String> {
        let results = run(&self.counterexamples, suite, trial, runs);
        let how = |result: &TestResult| Violation::Death.of_run(result);
        let (case, how) =
            self.counterexamples.iter().zip(&results).find_map(|(case, result)| Some((case, how(result)?)))?;
        Some(format!("{how}: {}", case.to_json()))
    }

    /// The program as it is, built, where it is not known yet what it does.
    pub fn needs_before(&self) -> bool {
        self.before.is_none() && self.deaths.iter().flatten().any(|dies| *dies)
    }

    /// What it does.
    pub fn add_before(&mut self, suite: &Suite, trial: &Trial<'_>, runs: &mut u64) {
        self.before = Some(run(&self.cases, suite, trial, runs).iter().map(dies).collect());
    }

    /// A case on which the patch that was added last dies, and the program as it is does not.
    pub fn new_death(&self) -> Option<String> {
        let (deaths, before) = (self.deaths.last()?, self.before.as_ref()?);
        let new = deaths.iter().zip(before).position(|(dies, before)| *dies && !*before)?;
        Some(self.cases[new].to_json().to_string())
    }

    /// An input on which a patch differs from another one, the shortest, with what it does there.
    pub fn differing(&self, diff: &str, other: &str) -> Option<Differing> {
        let of = |diff: &str| self.patches.iter().find(|(known, _)| known == diff).map(|(_, did)| did);
        let (own, others) = (of(diff)?, of(other)?);
        let cases = self.cases.iter().zip(own.iter().zip(others));
        let differ = cases.filter_map(|(case, (own, other))| {
            let ((stdout, status), other) = (own.as_ref()?, other.as_ref()?);
            let expected = |(stdout, status): &Did| Case {
                stdout: Some(Content::Inline(stdout.clone())),
                status: Some(*status),
                ..case.clone()
            };
            let is_text = std::str::from_utf8(stdout).is_ok() && std::str::from_utf8(&other.0).is_ok();
            let same = stdout == &other.0 && *status == other.1;
            (is_text && !same).then(|| Differing {
                case: expected(&(stdout.clone(), *status)).to_json().to_string(),
                output: String::from_utf8_lossy(stdout).into_owned(),
                status: *status,
                other_output: String::from_utf8_lossy(&other.0).into_owned(),
                other_status: other.1,
                ..Differing::default()
            })
        });
        differ.min_by_key(|differing| differing.case.len())
    }
}
