//! What failure it is.

use whydunit_suite::{Difference, Outcome, TestResult, reported, skeleton};

/// Says of two failures whether they are the same: how the test ended, where its output parts from the expected one and what
/// is expected there, and what an assertion or a sanitizer said, without numbers and addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature(String);

impl Signature {
    /// Of a failed test.
    pub fn of(result: &TestResult) -> Self {
        let kind = match &result.outcome {
            Outcome::Fail { why } => why.iter().map(difference).collect::<Vec<_>>().join("; "),
            other => other.reason().unwrap_or_default(),
        };
        let said = reported(&result.stderr).map(|said| skeleton(&said)).unwrap_or_default();
        Self(format!("{kind} | {said}"))
    }

    /// As text, to be kept.
    pub fn text(&self) -> &str {
        &self.0
    }
}

fn difference(why: &Difference) -> String {
    match why {
        Difference::Stdout(there) => {
            format!("output line {}, expected {:?}", there.line, there.expected.as_deref().unwrap_or("the end"))
        }
        Difference::Reported(text) => skeleton(text),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use whydunit_suite::OutputDifference;

    use super::*;

    fn failed(outcome: Outcome, stderr: &str) -> TestResult {
        TestResult {
            name: "t".into(),
            outcome,
            time: Duration::ZERO,
            exit: None,
            pid: None,
            stdout: Vec::new(),
            stderr: stderr.as_bytes().to_vec(),
            left_behind: 0,
            peak_memory: 0,
            work: Duration::ZERO,
            reruns: None,
            problems: Vec::new(),
        }
    }

    #[test]
    fn the_same_assertion_on_another_line_is_the_same_failure_and_another_one_is_not() {
        let of = |line: u32, text: &str| {
            Signature::of(&failed(Outcome::Crash(6), &format!("t: t.c:{line}: f: Assertion `{text}' failed.\n")))
        };
        assert_eq!(of(12, "a == 3"), of(140, "a == 3"));
        assert_ne!(of(12, "a == b"), of(12, "a < b"));
    }

    #[test]
    fn output_that_parts_elsewhere_is_another_failure() {
        let of = |line: usize| {
            let there = OutputDifference { line, column: 1, expected: Some("x".into()), got: None };
            Signature::of(&failed(Outcome::Fail { why: vec![Difference::Stdout(there)] }, ""))
        };
        assert_eq!(of(3), of(3));
        assert_ne!(of(3), of(4));
    }
}
