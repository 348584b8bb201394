//! What is asked of inputs on which the fix changes nothing, where the failure is an output: nobody has said what is right there.

use std::collections::HashSet;

use whydunit_findings::Remark;
use whydunit_inputs::{Input, Keep, neighbours, tokens};
use whydunit_process::Exit;
use whydunit_review::{Domain, Version};
use whydunit_suite::{Case, TestResult, skeleton};

use super::death::Death;
use super::judging;
use super::programs::Pair;
use super::suites::Outcomes;
use super::told::did;
use super::violation::{Bug, Violation};

/// So many questions are asked of a fix.
const MOST: usize = 3;
/// Inputs next to the test's that are looked at.
const NEXT: usize = 100;
/// So much of an input is told in words.
const TOLD: usize = 60;

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
        let right: HashSet<String> = outcomes.passed().flat_map(|run| lines(&run.stdout).collect::<Vec<_>>()).collect();
        let says = |line: &String| line.chars().any(char::is_alphabetic) && !right.contains(line);
        lines(&before.stdout).find(says).map(Self::Line)
    }

    /// Whether a run shows it.
    fn shows(&self, run: &TestResult) -> bool {
        match self {
            Self::Status(status) => run.exit == Some(Exit::Status(*status)),
            Self::Line(line) => lines(&run.stdout).any(|one| one == *line),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Status(status) => {
                format!("it ends with status {status}, as the test did before the fix, and no test that passes does")
            }
            Self::Line(_) => "it prints what the test printed before the fix, and no test that passes does".into(),
        }
    }
}

/// The lines of an output, without their numbers.
fn lines(text: &[u8]) -> impl Iterator<Item = String> {
    text.split(|byte| *byte == b'\n')
        .map(|line| skeleton(String::from_utf8_lossy(line).trim()))
        .filter(|line| !line.is_empty())
}

/// A remark on one input.
pub fn remark(what: String, case: String, [before, after]: &[TestResult; 2]) -> Remark {
    Remark { what, case, inputs: 1, before: did(before), after: did(after) }
}

/// An input in a few words.
pub fn brief(input: &Input) -> String {
    let parts = input.parts(&Keep::default());
    let text = |part| String::from_utf8_lossy(input.text(part)).escape_debug().to_string();
    let all = parts.iter().map(|part| format!("`{}`", text(part))).collect::<Vec<_>>().join(" ");
    if all.is_empty() {
        return "an empty input".into();
    }
    if all.chars().count() > TOLD { format!("{}…", all.chars().take(TOLD).collect::<String>()) } else { all }
}

/// What an input is made of: a letter for each word, number and mark of each part.
fn shape(input: &Input) -> Vec<String> {
    let letter = |kind| match kind {
        tokens::Kind::Word => Some('w'),
        tokens::Kind::Number => Some('n'),
        tokens::Kind::Mark => Some('m'),
        tokens::Kind::Blank => None,
    };
    let of = |part| tokens::tokens(input.text(part)).filter_map(|token| letter(token.kind)).collect();
    input.parts(&Keep::default()).iter().map(of).collect()
}

impl Pair<'_> {
    /// Both versions do the same on an input that is no test's, and end by themselves.
    fn is_unchanged(&self, input: &Input, before: &TestResult, after: &TestResult) -> bool {
        let ended = |run: &TestResult| matches!(run.exit, Some(Exit::Status(_))) && Death::of(run).is_none();
        let same = before.stdout == after.stdout && before.exit == after.exit;
        ended(before) && ended(after) && same && !self.suite.contains(input)
    }

    /// Of a bug that is an output: asks about an input where the fix changes nothing and the bug's symptom is still there.
    pub fn see_unchanged(&self, input: &Input, before: &TestResult, after: &TestResult) {
        let Some(symptom) = self.symptom.as_ref().filter(|symptom| symptom.shows(after)) else { return };
        if self.is_unchanged(input, before, after) {
            self.put_question(symptom.words(), input, before, after);
        }
    }

    /// The same of an input of the bug's own path, or of one near it.
    pub fn ask(&self, input: &Input) {
        let run = |version| self.plain.result(version, input);
        if self.suite.contains(input) {
            return;
        }
        let (Some(before), Some(after)) = (run(Version::Broken), run(Version::Mended)) else { return };
        self.see_unchanged(input, &before, &after);
        if self.is_unchanged(input, &before, &after) {
            let way = if self.is_own(input) { judging::OWN } else { "on a way near that of the test" };
            self.put_question(format!("it does as before the fix, {way}"), input, &before, &after);
        }
    }

    fn put_question(&self, what: String, input: &Input, before: &TestResult, after: &TestResult) {
        let case = || self.told_case(input, "asked");
        self.questions.borrow_mut().add(what, input, case, [did(before), did(after)]);
    }

    /// Asks about inputs next to the failing test's on which the fix changes nothing: one that gets the test's wrong answer, and one that
    /// is made of more or other things than any test.
    pub fn ask_nearby(&self, domain: &Domain, outcomes: &Outcomes) -> (Vec<Remark>, u64) {
        let Ok(bug) = Input::of(self.plain.case) else { return Default::default() };
        let mut inputs = neighbours(&bug, &self.suite, NEXT);
        inputs.retain(|input| domain.holds(input));
        let [before, after] = [Version::Broken, Version::Mended].map(|version| self.plain.results(version, &inputs));
        let Some(wrong) = self.plain.result(Version::Broken, &bug) else { return Default::default() };
        let mut shapes: HashSet<Vec<String>> = outcomes.inputs().iter().map(shape).collect();
        shapes.insert(shape(&bug));
        let expected = Some(Exit::Status(self.plain.case.status.unwrap_or(0)));
        let (mut same_answer, mut other_shape) = (None, None);
        for ((input, before), after) in inputs.iter().zip(&before).zip(&after) {
            if !self.is_unchanged(input, before, after) {
                continue;
            }
            // Numbers may be the same by chance.
            let says = wrong.exit != expected || wrong.stdout.iter().any(u8::is_ascii_alphabetic);
            let told = |what: &str| {
                let case = self.told_case(input, "asked");
                Some(remark(what.into(), case, &[before.clone(), after.clone()]))
            };
            if says && before.stdout == wrong.stdout && before.exit == wrong.exit {
                same_answer =
                    same_answer.or_else(|| told("it answers as the test did before the fix, one step from its input"));
            } else if before.exit == expected && !shapes.contains(&shape(input)) {
                other_shape =
                    other_shape.or_else(|| told("it does as before the fix, with more or other things than any test"));
            }
        }
        (same_answer.into_iter().chain(other_shape).collect(), 2 * inputs.len() as u64)
    }

    /// What is asked: what shows the bug's symptom, broken relations, ways near the test's, inputs next to it, and of all that not too
    /// much.
    pub fn questions(&self, relations: Vec<Remark>, nearby: Vec<Remark>) -> Vec<Remark> {
        let seen = self.questions.borrow_mut().take();
        let symptom = self.symptom.as_ref().map(Symptom::words);
        let (shown, mut ways): (Vec<_>, Vec<_>) = seen.into_iter().partition(|one| Some(&one.what) == symptom.as_ref());
        // What is near the test's own way is asked about where there is nothing on it.
        if ways.iter().any(|one| one.what.ends_with(judging::OWN)) {
            ways.retain(|one| one.what.ends_with(judging::OWN));
        }
        ways.truncate(1);
        let mut known = HashSet::new();
        let all = shown.into_iter().take(1).chain(relations).chain(ways).chain(nearby);
        all.filter(|one| known.insert(one.case.clone())).take(MOST).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(args: &[&str], stdin: &str) -> Input {
        let args = args.iter().map(ToString::to_string).collect();
        Input { args, stdin: Some(stdin.into()), ..Input::default() }
    }

    #[test]
    fn shapes_are_what_an_input_is_made_of() {
        assert_eq!(shape(&input(&["-3"], "1  cat\n")), ["nw", "mn"]);
        assert_eq!(shape(&input(&[], "1 2\n")), shape(&input(&[], "100 7")));
    }

    #[test]
    fn inputs_are_told_briefly() {
        assert_eq!(brief(&input(&["a"], "b\n")), "`b\\n` `a`");
        assert_eq!(brief(&Input::default()), "an empty input");
        assert!(brief(&input(&[], &"x".repeat(100))).chars().count() == TOLD + 1);
    }

    #[test]
    fn lines_are_told_without_numbers() {
        assert_eq!(lines(b"a 7\n\nb\n").collect::<Vec<_>>(), lines(b"a 8\nb").collect::<Vec<_>>());
    }
}
