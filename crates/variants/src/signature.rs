//! What failure it is.

use whydunit_suite::{Difference, Outcome, TestResult};

/// Says of two failures whether they are the same: how the test ended, where its output parts from the expected one and what
/// is expected there, and what an assertion or a sanitizer said, without numbers and addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature(String);

/// Words of the messages that count.
const SAYS: &[&str] =
    &["assertion", "panicked at", "runtime error:", "ERROR: AddressSanitizer", "terminate called", "abort"];

impl Signature {
    /// Of a failed test.
    pub fn of(result: &TestResult) -> Self {
        let kind = match &result.outcome {
            Outcome::Fail { why } => why.iter().map(difference).collect::<Vec<_>>().join("; "),
            other => other.reason().unwrap_or_default(),
        };
        let said = String::from_utf8_lossy(&result.stderr);
        let lower = said.lines().find(|line| {
            let line = line.to_ascii_lowercase();
            SAYS.iter().any(|says| line.contains(&says.to_ascii_lowercase()))
        });
        Self(format!("{kind} | {}", without_numbers(lower.unwrap_or_default())))
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
        Difference::Reported(text) => without_numbers(text),
        other => other.to_string(),
    }
}

/// Lines move, and so do addresses.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut digits = false;
    for c in text.chars() {
        if c.is_ascii_digit() {
            if !digits {
                out.push('#');
            }
            digits = true;
        } else {
            out.push(c);
            digits = false;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_count() {
        let (one, other) = ("t.c:12: f: Assertion `a == 3' failed.", "t.c:140: f: Assertion `a == 4' failed.");
        assert_eq!(without_numbers(one), "t.c:#: f: Assertion `a == #' failed.");
        assert_eq!(without_numbers(one), without_numbers(other));
    }
}
