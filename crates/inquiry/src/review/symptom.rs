//! What a failing test shows before the fix, and no test that passes.

use std::collections::HashSet;

use whydunit_inputs::{Input, Keep, tokens};
use whydunit_process::Exit;
use whydunit_suite::{Case, TestResult, skeleton};

use super::death::Death;
use super::suites::Outcomes;
use super::violation::{Bug, Violation};

/// What the failing test shows before the fix, and no test that passes: where another input shows it, too, that is likely to be the bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Symptom {
    /// It ends with this status.
    Status(i32),
    /// It prints this line, without its numbers.
    Line(String),
}

impl Symptom {
    /// That of a test that fails by its output, as it ran before the fix. None where passing tests show as much.
    pub fn of(bug: &Bug, case: &Case, before: &TestResult, outcomes: &Outcomes) -> Option<Self> {
        if bug.violation != Violation::Output || Death::of(before).is_some() {
            return None;
        }
        if let Some(Exit::Status(status)) = before.exit
            && status != case.status.unwrap_or(0)
            && !outcomes.statuses().contains(&status)
        {
            return Some(Self::Status(status));
        }
        let input = Input::of(case).ok()?;
        let given: HashSet<Vec<u8>> =
            input.parts(&Keep::default()).iter().flat_map(|part| words_of(input.text(part))).collect();
        let right: HashSet<String> = outcomes.passed().flat_map(|run| lines(&run.stdout).collect::<Vec<_>>()).collect();
        // What it was given says nothing of what it does.
        let says = |line: &&[u8]| words_of(line).iter().any(|word| word.len() > 1 && !given.contains(word));
        let own = before.stdout.split(|byte| *byte == b'\n').filter(says).flat_map(lines);
        own.into_iter().find(|line| !right.contains(line)).map(Self::Line)
    }

    /// Whether a run shows it.
    pub fn shows(&self, run: &TestResult) -> bool {
        match self {
            Self::Status(status) => run.exit == Some(Exit::Status(*status)),
            Self::Line(line) => lines(&run.stdout).any(|one| one == *line),
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Self::Status(status) => {
                format!("it ends with status {status}, as the test did before the fix, and no test that passes does")
            }
            Self::Line(_) => "it prints what the test printed before the fix, and no test that passes does".into(),
        }
    }
}

/// The words of a text.
fn words_of(text: &[u8]) -> Vec<Vec<u8>> {
    let words = tokens::tokens(text).filter(|token| token.kind == tokens::Kind::Word);
    words.map(|token| text[token.range].to_vec()).collect()
}

/// The lines of an output, without their numbers.
fn lines(text: &[u8]) -> impl Iterator<Item = String> {
    text.split(|byte| *byte == b'\n')
        .map(|line| skeleton(String::from_utf8_lossy(line).trim()))
        .filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_without_numbers() {
        assert_eq!(lines(b"a 7\n\nb\n").collect::<Vec<_>>(), lines(b"a 8\nb").collect::<Vec<_>>());
    }
}
