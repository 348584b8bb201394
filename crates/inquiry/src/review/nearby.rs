//! Inputs next to a failing test's on which the fix changes nothing: what is asked of them, where the failure is an output.

use std::collections::HashSet;

use whydunit_findings::Remark;
use whydunit_inputs::{Input, Keep, neighbours, tokens};
use whydunit_process::Exit;
use whydunit_review::{Domain, Version};

use super::asking::{remark, same};
use super::programs::Pair;
use super::suites::Outcomes;

/// Inputs next to the test's that are looked at.
const NEXT: usize = 100;
/// So many beginnings of a part are looked at.
const CUTS: usize = 20;
/// What programs of all kinds take for blank.
const BLANKS: [u8; 4] = [b'\n', b'\r', b'\t', b' '];

/// How an input stands to the test's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Near {
    /// A part of it ends earlier.
    Cut,
    /// A blank is another one.
    OtherBlank,
    /// It is one step away.
    Step,
}

/// The inputs next to one, the nearest of each kind first.
fn near(bug: &Input, suite: &[Input]) -> Vec<(Near, Input)> {
    let mut all: Vec<(Near, Input)> = Vec::new();
    for part in bug.parts(&Keep::default()) {
        let text = bug.text(&part);
        let (body, end) = text.strip_suffix(b"\n").map_or((text, &b""[..]), |body| (body, &b"\n"[..]));
        let cuts = (1..body.len()).rev().filter(|at| std::str::from_utf8(&body[..*at]).is_ok()).take(CUTS);
        all.extend(cuts.map(|at| (Near::Cut, bug.with(&part, [&body[..at], end].concat()))));
        for at in (0..body.len()).filter(|at| BLANKS.contains(&body[*at])) {
            for blank in BLANKS.into_iter().filter(|blank| *blank != body[at]) {
                let mut other = text.to_vec();
                other[at] = blank;
                all.push((Near::OtherBlank, bug.with(&part, other)));
            }
        }
    }
    all.extend(neighbours(bug, suite, NEXT).into_iter().map(|input| (Near::Step, input)));
    let mut known = HashSet::new();
    all.retain(|(_, input)| !suite.contains(input) && input != bug && known.insert(input.digest()));
    all
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

/// One question of each kind.
#[derive(Default)]
struct Kinds {
    cut: Option<Remark>,
    blank: Option<Remark>,
    same: Option<Remark>,
    other: Option<Remark>,
}

impl Pair<'_> {
    /// Asks about inputs next to the failing test's on which the fix changes nothing: those that get the test's wrong answer, one with
    /// another blank, one that is made of more or other things than any test. How many runs that took is told, too.
    pub fn ask_nearby(&self, domain: &Domain, outcomes: &Outcomes) -> (Vec<Remark>, u64) {
        let Ok(bug) = Input::of(self.plain.case) else { return Default::default() };
        let mut all = near(&bug, &self.suite);
        all.retain(|(_, input)| domain.holds(input));
        let inputs: Vec<Input> = all.iter().map(|(_, input)| input.clone()).collect();
        let [before, after] = [Version::Broken, Version::Mended].map(|version| self.plain.results(version, &inputs));
        let Some(wrong) = self.plain.result(Version::Broken, &bug) else { return Default::default() };
        let shapes: HashSet<Vec<String>> = outcomes.inputs().iter().chain([&bug]).map(shape).collect();
        let expected = Some(Exit::Status(self.plain.case.status.unwrap_or(0)));
        // Numbers may be the same by chance.
        let says = wrong.exit != expected || wrong.stdout.iter().any(u8::is_ascii_alphabetic);
        let mut asked = Kinds::default();
        for (((near, input), before), after) in all.iter().zip(&before).zip(&after) {
            if !self.is_unchanged(input, before, after) {
                continue;
            }
            let is_wrong = same(before, &wrong);
            let (place, what) = match near {
                Near::Cut if is_wrong => {
                    (&mut asked.cut, "it answers as the test did before the fix, where its input ends earlier")
                }
                Near::OtherBlank => {
                    (&mut asked.blank, "it does as before the fix, with another blank in the test's input")
                }
                _ if is_wrong && says => {
                    (&mut asked.same, "it answers as the test did before the fix, one step from its input")
                }
                _ if before.exit == expected && !shapes.contains(&shape(input)) => {
                    (&mut asked.other, "it does as before the fix, with more or other things than any test")
                }
                _ => continue,
            };
            if place.is_none() {
                *place = Some(remark(what.into(), self.told_case(input, "asked"), &[before.clone(), after.clone()]));
            }
        }
        let Kinds { cut, blank, same, other } = asked;
        ([cut, blank, same, other].into_iter().flatten().collect(), 2 * inputs.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_end_earlier_and_have_other_blanks() {
        let all = near(&Input::given(&["abc"], "1 2\n"), &[Input::given(&["a"], "1 2\n")]);
        assert_eq!(all[0], (Near::Cut, Input::given(&["abc"], "1 \n")));
        assert!(all.contains(&(Near::OtherBlank, Input::given(&["abc"], "1\t2\n"))));
        assert!(all.contains(&(Near::Cut, Input::given(&["ab"], "1 2\n"))));
        assert!(!all.iter().any(|(_, one)| *one == Input::given(&["a"], "1 2\n")), "a test has it");
    }

    #[test]
    fn shapes_are_what_an_input_is_made_of() {
        assert_eq!(shape(&Input::given(&["-3"], "1  cat\n")), ["nw", "mn"]);
        assert_eq!(shape(&Input::given(&[], "1 2\n")), shape(&Input::given(&[], "100 7")));
    }
}
