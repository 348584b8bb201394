//! What a fix changes where nothing fails, by kinds: how the end changes, whether only a message is worded otherwise, whether it is as
//! with the bug.

use whydunit_process::{Exit, signal_name};
use whydunit_suite::{TestResult, skeleton};

/// A kind of change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    before: Option<Exit>,
    after: Option<Exit>,
    /// What is printed differs.
    prints: bool,
    /// An input is refused as before, with another message.
    reworded: bool,
    /// It is of the kind that the fix makes of the failing test, but other words are printed then.
    other: bool,
}

/// What the fix does with the failing test.
pub struct Own {
    change: Change,
    /// What it prints then, without its numbers.
    words: String,
}

impl Own {
    /// That of the test's two runs. None where they do the same.
    pub fn of(before: &TestResult, after: &TestResult) -> Option<Self> {
        Some(Self { change: Change::of(before, after, None)?, words: words(after) })
    }
}

/// What a run prints, without its numbers.
fn words(run: &TestResult) -> String {
    skeleton(&String::from_utf8_lossy(&run.stdout))
}

impl Change {
    /// That of two runs, beside what the fix does with the failing test. None where they do the same.
    pub fn of(before: &TestResult, after: &TestResult, own: Option<&Own>) -> Option<Self> {
        let prints = before.stdout != after.stdout;
        let refused = |run: &TestResult| matches!(run.exit, Some(Exit::Status(status)) if status != 0);
        let reworded = prints && refused(before) && before.exit == after.exit;
        let change = Self { before: before.exit, after: after.exit, prints, reworded, other: false };
        let other = own.is_some_and(|own| change == own.change && own.words != words(after));
        (prints || before.exit != after.exit).then_some(Self { other, ..change })
    }

    /// How much a person wants to know of it, the least first: what is unlike the bug, what is like it but for the words, what is like
    /// it, other messages.
    pub fn rank(self, own: Option<&Own>) -> u8 {
        match self {
            Self { reworded: true, .. } => 3,
            Self { other: true, .. } => 1,
            change if own.is_some_and(|own| own.change == change) => 2,
            _ => 0,
        }
    }

    /// In words.
    pub fn words(self, own: Option<&Own>) -> String {
        let end = |exit: Option<Exit>| match exit {
            Some(Exit::Status(status)) => format!("status {status}"),
            Some(Exit::Signal(signal)) => signal_name(signal),
            None => "no status".into(),
        };
        let what = match (self.reworded, self.before == self.after) {
            (true, _) => format!("another message where it ends with {}, as before", end(self.after)),
            (false, true) => format!("it prints something else, with {} as before", end(self.after)),
            (false, false) => format!("{} becomes {}", end(self.before), end(self.after)),
        };
        match self.rank(own) {
            1 => format!("{what}; as the fix does with the test, in other words"),
            2 => format!("{what}; as the fix does with the test"),
            _ => what,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_suite::Outcome;

    fn run(status: i32, stdout: &str) -> TestResult {
        TestResult { exit: Some(Exit::Status(status)), stdout: stdout.into(), ..TestResult::new("x", Outcome::Pass) }
    }

    #[test]
    fn what_is_unlike_the_bug_is_told_first_and_other_words_last() {
        let own = Own::of(&run(1, "no\n"), &run(0, "5\n"));
        let of = |before: (i32, &str), after: (i32, &str)| {
            Change::of(&run(before.0, before.1), &run(after.0, after.1), own.as_ref())
        };
        assert_eq!(of((0, "1\n"), (0, "1\n")), None);
        let like = of((1, "no\n"), (0, "7\n")).expect("a change");
        let unlike = of((0, "1\n"), (1, "no\n")).expect("a change");
        let reworded = of((1, "no\n"), (1, "not a number\n")).expect("a change");
        let other = of((1, "no\n"), (0, "none\n")).expect("a change");
        let all = [unlike, other, like, reworded];
        assert_eq!(all.map(|change| change.rank(own.as_ref())), [0, 1, 2, 3]);
        assert_eq!(unlike.words(own.as_ref()), "status 0 becomes status 1");
        assert!(other.words(own.as_ref()).ends_with("as the fix does with the test, in other words"));
        assert!(reworded.words(own.as_ref()).starts_with("another message"));
    }
}
