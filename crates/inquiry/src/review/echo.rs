//! Programs that give numbers back: whether all that passing tests print stands in what they were given. Then a number that does not is
//! worth a question.

use std::collections::BTreeSet;

use whydunit_inputs::{Input, Keep};
use whydunit_suite::{Case, TestResult};

/// Tests with different answers that show it.
const SHOWN: usize = 2;

/// What a run prints that its input does not have, where passing tests print nothing of the kind.
pub const WHAT: &str = "it prints a number that its input does not have, and no test that passes does that";

/// Whether passing tests print no number that their inputs do not have, and some print numbers.
pub fn is_kept<'a>(passed: impl Iterator<Item = (&'a Case, &'a TestResult)>) -> bool {
    let mut answers = BTreeSet::new();
    for (case, run) in passed {
        let Ok(input) = Input::of(case) else { return false };
        if has_other(&input, run) {
            return false;
        }
        if !numbers(&run.stdout).is_empty() {
            answers.insert(&run.stdout);
        }
    }
    answers.len() >= SHOWN
}

/// Whether a run prints a number that its input does not have.
pub fn has_other(input: &Input, run: &TestResult) -> bool {
    let given: BTreeSet<String> =
        input.parts(&Keep::default()).iter().flat_map(|part| numbers(input.text(part))).collect();
    numbers(&run.stdout).iter().any(|number| !given.contains(number))
}

/// The numbers in a text, with their signs and fractions, and without zeros that say nothing.
fn numbers(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        let run = |from: usize, is: fn(&u8) -> bool| from + text[from..].iter().take_while(|byte| is(byte)).count();
        if text[at].is_ascii_alphabetic() || text[at] == b'_' || !text[at].is_ascii() {
            // Digits of a word are no number.
            at = run(at, |byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii());
            continue;
        }
        if !text[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        at = run(at, u8::is_ascii_digit);
        if text.get(at) == Some(&b'.') && text.get(at + 1).is_some_and(u8::is_ascii_digit) {
            at = run(at + 1, u8::is_ascii_digit);
        }
        let before = |back: usize| start.checked_sub(back).map(|at| text[at]);
        let is_minus = before(1) == Some(b'-') && !before(2).is_some_and(|byte| byte.is_ascii_alphanumeric());
        found.push(plain(&String::from_utf8_lossy(&text[start..at]), is_minus));
    }
    found
}

/// A number written in one way.
fn plain(digits: &str, is_minus: bool) -> String {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let sign = if is_minus && !(whole.is_empty() && fraction.is_empty()) { "-" } else { "" };
    format!("{sign}{}.{fraction}", if whole.is_empty() { "0" } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_suite::Outcome;

    fn case(arg: &str) -> Case {
        Case { args: vec![arg.into()], ..Case::default() }
    }

    fn run(stdout: &str) -> TestResult {
        TestResult { stdout: stdout.into(), ..TestResult::new("x", Outcome::Pass) }
    }

    #[test]
    fn numbers_are_told_by_what_they_are() {
        assert_eq!(numbers(b"int8 007 -3, 1.50 a-4 -0"), ["7.", "-3.", "1.5", "4.", "0."]);
    }

    #[test]
    fn what_is_given_back_is_in_the_input() {
        let list = [(case("--byte=255"), run("byte 255\n")), (case("-7"), run("-7\n")), (case("x"), run("none\n"))];
        assert!(is_kept(list.iter().map(|(case, run)| (case, run))));
        let input = Input::of(&case("--byte=300")).expect("it is inline");
        assert!(has_other(&input, &run("byte 44\n")) && !has_other(&input, &run("byte 0300\n")));
        assert!(!is_kept(list.iter().take(1).map(|(case, run)| (case, run))), "one test shows little");
        let more = [(case("2"), run("4\n"))];
        assert!(!is_kept(list.iter().chain(&more).map(|(case, run)| (case, run))));
    }
}
