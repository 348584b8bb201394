//! Inputs that a program's suite does not have, with what the right program does with them: patches are judged by these.

use whydunit_inputs::vary;
use whydunit_suite::{Case, Content};

use crate::error::Error;
use crate::subject::Subject;
use crate::trial::Bench;

/// A case's output may have so many bytes.
const MOST_OUTPUT: u64 = 64 << 10;
/// So many times the inputs that are wanted are tried.
const TRIED: usize = 5;

/// Up to `number` cases. Inputs are left out with which the right program does not end by itself within its limits, prints what
/// is not UTF-8, or does what depends on how it was compiled.
pub(crate) fn held_out(subject: &Subject, bench: &Bench<'_>, number: usize, seed: u64) -> Result<Vec<Case>, Error> {
    let cases: Vec<Case> = subject.cases().cloned().collect();
    let inputs: Vec<Case> = vary(&cases, TRIED * number, seed).into_iter().filter(is_text).collect();
    let both = bench.both()?;
    let mut found = Vec::new();
    let mut rest = &inputs[..];
    while found.len() < number && !rest.is_empty() {
        let (some, more) = rest.split_at((number - found.len()).min(rest.len()));
        found.extend(both.expected(some, MOST_OUTPUT));
        rest = more;
    }
    Ok(found)
}

/// The cases as a `cases.jsonl`.
pub(crate) fn table(cases: &[Case]) -> String {
    cases.iter().map(|case| format!("{}\n", case.to_json())).collect()
}

/// A table of cases holds nothing else.
fn is_text(case: &Case) -> bool {
    let is_text = |content: &Content| content.read().is_ok_and(|bytes| std::str::from_utf8(&bytes).is_ok());
    case.files.values().chain(&case.stdin).all(is_text)
}
