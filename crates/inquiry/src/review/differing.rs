//! What a fix changes where nothing fails, by kinds: how the end changes, whether only a message is worded otherwise, whether it is as
//! with the bug.

use whydunit_process::{Exit, signal_name};
use whydunit_suite::TestResult;

/// A kind of change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    before: Option<Exit>,
    after: Option<Exit>,
    /// What is printed differs.
    prints: bool,
    /// An input is refused as before, with another message.
    reworded: bool,
}

impl Change {
    /// That of two runs. None where they do the same.
    pub fn of(before: &TestResult, after: &TestResult) -> Option<Self> {
        let prints = before.stdout != after.stdout;
        let refused = |run: &TestResult| matches!(run.exit, Some(Exit::Status(status)) if status != 0);
        let reworded = prints && refused(before) && before.exit == after.exit;
        (prints || before.exit != after.exit).then_some(Self {
            before: before.exit,
            after: after.exit,
            prints,
            reworded,
        })
    }

    /// How much a person wants to know of it, the least first: what is unlike the bug, what is like it, other words.
    pub fn rank(self, bug: Option<Self>) -> u8 {
        match self {
            Self { reworded: true, .. } => 2,
            change if Some(change) == bug => 1,
            _ => 0,
        }
    }

    /// In words.
    pub fn words(self, bug: Option<Self>) -> String {
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
        if self.rank(bug) == 1 { format!("{what}; as the fix does with the test") } else { what }
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
        let of = |before: (i32, &str), after: (i32, &str)| Change::of(&run(before.0, before.1), &run(after.0, after.1));
        let bug = of((1, "no\n"), (0, "5\n"));
        assert_eq!(of((0, "1\n"), (0, "1\n")), None);
        let like = of((1, "no\n"), (0, "7\n")).expect("a change");
        let unlike = of((0, "1\n"), (1, "no\n")).expect("a change");
        let reworded = of((1, "no\n"), (1, "not a number\n")).expect("a change");
        assert_eq!([unlike, like, reworded].map(|change| change.rank(bug)), [0, 1, 2]);
        assert_eq!(unlike.words(bug), "status 0 becomes status 1");
        assert!(reworded.words(bug).starts_with("another message"));
    }
}
