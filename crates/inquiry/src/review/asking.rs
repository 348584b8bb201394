//! What is asked of inputs on which the fix changes nothing, where the failure is an output: nobody has said what is right there.

use std::collections::HashSet;

use whydunit_findings::Remark;
use whydunit_inputs::{Input, Keep};
use whydunit_process::Exit;
use whydunit_review::Version;
use whydunit_suite::TestResult;

use super::death::Death;
use super::echo;
use super::judging;
use super::programs::Pair;
use super::symptom::Symptom;
use super::told::did;

/// So many questions are asked of a fix.
const MOST: usize = 3;
/// So much of an input is told in words.
const TOLD: usize = 60;

/// What was looked for to ask, beside what the search has seen.
#[derive(Default)]
pub struct Asked {
    /// Relations that do not hold: those that hold in the tests with the fix, and those that do before it only.
    pub relations: [Vec<Remark>; 2],
    /// Inputs next to the test's.
    pub nearby: Vec<Remark>,
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

/// Whether two runs do the same, as far as that shows.
pub fn same(one: &TestResult, two: &TestResult) -> bool {
    one.stdout == two.stdout && one.exit == two.exit
}

impl Pair<'_> {
    /// Both versions do the same on an input that is no test's, and end by themselves.
    pub fn is_unchanged(&self, input: &Input, before: &TestResult, after: &TestResult) -> bool {
        let ended = |run: &TestResult| matches!(run.exit, Some(Exit::Status(_))) && Death::of(run).is_none();
        ended(before) && ended(after) && same(before, after) && !self.suite.contains(input)
    }

    /// Asks about an input on which the program with the fix prints a number that nobody has given it, where tests do not.
    pub fn see_numbers(&self, input: &Input, before: &TestResult, after: &TestResult) {
        let ended = matches!(after.exit, Some(Exit::Status(_))) && Death::of(after).is_none();
        if self.echoes && ended && !self.suite.contains(input) && echo::has_other(input, after) {
            self.put_question(echo::WHAT.into(), input, before, after);
        }
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

    /// What is asked: what shows the bug's symptom, broken relations, ways near the test's, inputs next to it, and of all that not too
    /// much.
    pub fn questions(&self, asked: Asked) -> Vec<Remark> {
        let Asked { relations: [strong, weak], nearby } = asked;
        let seen = self.questions.borrow_mut().take();
        let symptom = self.symptom.as_ref().map(Symptom::words);
        let (shown, others): (Vec<_>, Vec<_>) = seen.into_iter().partition(|one| Some(&one.what) == symptom.as_ref());
        let (numbers, mut ways): (Vec<_>, Vec<_>) = others.into_iter().partition(|one| one.what == echo::WHAT);
        // What is near the test's own way is asked about where there is nothing on it.
        if ways.iter().any(|one| one.what.ends_with(judging::OWN)) {
            ways.retain(|one| one.what.ends_with(judging::OWN));
        }
        ways.truncate(1);
        // What lies next to the test's input says less than what the suite shows.
        let nearby = if shown.is_empty() && numbers.is_empty() && strong.is_empty() { nearby } else { Vec::new() };
        let mut known = HashSet::new();
        let seen = shown.into_iter().take(1).chain(numbers.into_iter().take(1));
        let all = seen.chain(strong).chain(ways).chain(nearby.into_iter().take(1)).chain(weak.into_iter().take(1));
        all.filter(|one| known.insert(one.case.clone())).take(MOST).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_told_briefly() {
        assert_eq!(brief(&Input::given(&["a"], "b\n")), "`b\\n` `a`");
        assert_eq!(brief(&Input::default()), "an empty input");
        assert!(brief(&Input::given(&[], &"x".repeat(100))).chars().count() == TOLD + 1);
    }
}
