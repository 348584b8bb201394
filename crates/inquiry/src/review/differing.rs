//! What a fix changes where nothing fails, by kinds: how the end changes, whether only a message is worded otherwise, whether it is as
//! with the bug.

use whydunit_inputs::Input;
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
    /// An option is given that the failing test does not give.
    optional: bool,
}

/// What the fix does with the failing test.
pub struct Own {
    change: Change,
    /// What it prints then, without its numbers.
    words: String,
    /// What the test gives.
    args: Vec<String>,
}

impl Own {
    /// That of the test's two runs on its input. None where they do the same.
    pub fn of(input: &Input, before: &TestResult, after: &TestResult) -> Option<Self> {
        Some(Self { change: Change::of(before, after, None)?, words: words(after), args: input.args.clone() })
    }

    /// Whether an option is given that the test does not give.
    fn is_with_another_option(&self, input: &Input) -> bool {
        let is_option = |arg: &&String| {
            let word = arg.trim_start_matches('-');
            word.len() < arg.len() && word.starts_with(|first: char| first.is_ascii_alphabetic())
        };
        input.args.iter().filter(is_option).any(|arg| !self.args.contains(arg))
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
        let change = Self { before: before.exit, after: after.exit, prints, reworded, other: false, optional: false };
        let other = own.is_some_and(|own| change == own.change && own.words != words(after));
        (prints || before.exit != after.exit).then_some(Self { other, ..change })
    }

    /// The same of runs on an input, beside what the fix does with the failing test.
    pub fn on(input: &Input, [before, after]: [&TestResult; 2], own: Option<&Own>) -> Option<Self> {
        let optional = own.is_some_and(|own| own.is_with_another_option(input));
        Self::of(before, after, own).map(|change| Self { optional, ..change })
    }

    /// How much a person wants to know of it, the least first: what is unlike the bug, what is like it but for the words, what is like
    /// it, other messages.
    pub fn rank(self, own: Option<&Own>) -> u8 {
        match self {
            Self { reworded: true, .. } => 3,
            Self { other: true, .. } => 1,
            change if own.is_some_and(|own| own.change == Self { optional: false, ..change }) => 2,
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
        let like = match self.rank(own) {
            1 => "; as the fix does with the test, in other words",
            2 => "; as the fix does with the test",
            _ => "",
        };
        let given = if self.optional { "; with an option that the test does not give" } else { "" };
        format!("{what}{like}{given}")
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
        let own = Own::of(&Input::given(&["-a"], ""), &run(1, "no\n"), &run(0, "5\n"));
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
        let on = |args: &[&str]| {
            let runs = [&run(1, "no\n"), &run(0, "7\n")];
            Change::on(&Input::given(args, ""), runs, own.as_ref()).expect("a change")
        };
        assert_eq!((on(&["-a", "-5"]), on(&[])), (like, like));
        let optional = on(&["-a", "-b"]);
        assert_eq!((optional.rank(own.as_ref()), optional == like), (2, false));
        assert!(optional.words(own.as_ref()).ends_with("the test; with an option that the test does not give"));
    }
}
