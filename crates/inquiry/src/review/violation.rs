//! What counts as the bug: how the test fails before the fix, as far as that can be told of other inputs.

use whydunit_causes::failure::FailureKind;
use whydunit_process::Exit;
use whydunit_suite::{Case, Difference, Outcome, Test, TestResult};

use super::death::{At, Death, Kind};
use crate::Error;
use crate::locate::failing;
use whydunit_desk::BuiltVersion;

/// A failure that runs on other inputs may have, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// It dies: an assertion, a panic, a signal, what a sanitizer tells, no end.
    Death,
    /// Memory is accessed that must not be, and nothing tells but the replay.
    Memory,
    /// It ends with this exit status, which it should not, and which no passing test has.
    Status(i32),
    /// It prints something wrong, or ends with a status that may be right: of other inputs nobody knows what is right.
    Output,
}

/// The bug, as the failing test shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Bug {
    pub violation: Violation,
    /// In words.
    pub how: String,
    /// The death that it is. None where it is none.
    pub death: Option<Death>,
}

impl Bug {
    /// That of a failing case, as it ran; `statuses` are those of the tests that pass. Where somebody has stated the domain
    /// (`in_domain`) no input is one that may be refused.
    pub fn of(
        laid: &BuiltVersion,
        case: &Case,
        result: &TestResult,
        statuses: &[i32],
        in_domain: bool,
    ) -> Result<Self, Error> {
        if let Some(death) = Death::of(result) {
            return Ok(Self { violation: Violation::Death, how: death.how.clone(), death: Some(death) });
        }
        let should = case.status.unwrap_or(0);
        if let Some(Exit::Status(status)) = result.exit
            && status != should
        {
            let how = format!("it exits with status {status}{}", last_words(result));
            let shows = in_domain && is_status_alone(&result.outcome) || checks_itself(result);
            let violation =
                if shows && !statuses.contains(&status) { Violation::Status(status) } else { Violation::Output };
            return Ok(Self { violation, how, death: None });
        }
        let recorded =
            failing::record(&laid.desk, &laid.project, &Test::Case(case.clone()), (None, &laid.desk.cancel))?;
        Ok(match recorded {
            Ok(failed) if failed.found.kind == FailureKind::MemoryError => {
                let position = &failed.found.position;
                let at = At { file: position.file.clone(), line: position.loc.line };
                let at = Some(at).filter(|at| !at.file.is_empty() && at.line > 0);
                let how = failed.found.message;
                let death = Death { kind: Kind::Memory, at, says: String::new(), how: how.clone() };
                Self { violation: Violation::Memory, how, death: Some(death) }
            }
            Ok(failed) => Self { violation: Violation::Output, how: failed.found.message, death: None },
            Err(_) => {
                Self { violation: Violation::Output, how: result.outcome.reason().unwrap_or_default(), death: None }
            }
        })
    }
}

/// Whether nothing is wrong but the exit status.
fn is_status_alone(outcome: &Outcome) -> bool {
    let is_status = |one: &Difference| matches!(one, Difference::Status { .. });
    matches!(outcome, Outcome::Fail { why } if why.iter().all(is_status))
}

/// Whether a program has answered, and said besides that something is wrong with that: what refuses an input gives no answer.
fn checks_itself(result: &TestResult) -> bool {
    let says = |text: &[u8]| !text.trim_ascii().is_empty();
    says(&result.stdout) && says(&result.stderr)
}

impl Violation {
    /// How a run fails in this way, as far as it shows from outside. None where it does not.
    pub fn of_run(&self, result: &TestResult) -> Option<String> {
        if let Some(death) = Death::of(result) {
            return Some(death.how);
        }
        match (self, result.exit) {
            (Self::Status(bad), Some(Exit::Status(status))) if status == *bad => {
                Some(format!("it exits with status {status}{}", last_words(result)))
            }
            _ => None,
        }
    }
}

/// The last line that a run printed to standard error.
fn last_words(result: &TestResult) -> String {
    let errors = String::from_utf8_lossy(&result.stderr);
    let last = errors.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map(|line| format!(": {}", line.chars().take(120).collect::<String>())).unwrap_or_default()
}
