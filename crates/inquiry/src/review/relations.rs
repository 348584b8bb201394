//! Relations that a suite shows: inputs spelled in two ways on which the program does the same, for all tests that pass. Where the fix
//! touches an input and the relation does not hold there any more, or not yet, that is asked about.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use whydunit_findings::Remark;
use whydunit_inputs::{Input, Spelling};
use whydunit_review::{Domain, Version};
use whydunit_suite::TestResult;

use super::asking::{brief, remark, same};
use super::death::Death;
use super::programs::Pair;

/// Tests that are looked at.
const TESTS: usize = 24;
/// Runs at a time: a relation that does not hold is known after few.
const BATCH: usize = 6;
/// A relation is shown by so many tests with different answers.
const SHOWN: usize = 2;

/// The rank of what is asked last.
const WEAK: usize = 2;

/// What both versions do on an input.
type Sides = [TestResult; 2];

/// Looks for relations, and for inputs that break them.
pub struct Relations<'a, 'b> {
    pair: &'a Pair<'b>,
    domain: &'a Domain,
    /// What the tests that pass are given.
    tests: Vec<Input>,
    /// The input that shows the bug.
    bug: Input,
    deadline: Instant,
    known: HashMap<[u8; 32], Sides>,
    /// Runs of both versions.
    pub runs: u64,
}

/// Of which versions a spelling changes nothing on the tests that pass.
#[derive(Clone, Copy)]
struct Kept {
    before: bool,
    after: bool,
}

impl<'a, 'b> Relations<'a, 'b> {
    /// Of a suite's passing tests and the input that shows the bug.
    pub fn new(pair: &'a Pair<'b>, domain: &'a Domain, passing: &[Input], bug: &Input, deadline: Instant) -> Self {
        let tests = passing.iter().filter(|input| domain.holds(input)).take(TESTS).cloned().collect();
        Self { pair, domain, tests, bug: bug.clone(), deadline, known: HashMap::new(), runs: 0 }
    }

    /// What is asked of each relation that is broken: of those that hold in the tests with the fix, and of those that do before it only.
    /// `near` are inputs that the fix changes. What is not known in time is not asked.
    pub fn ask(&mut self, near: &[Input]) -> [Vec<Remark>; 2] {
        let mut found: Vec<(usize, Remark)> = Vec::new();
        let mut all = Spelling::all(&self.pair.suite);
        // What suites often write in two ways comes first.
        all.sort_by_key(|one| !matches!(one, Spelling::Returns | Spelling::NoReturns | Spelling::Between(_)));
        for spelling in all {
            if let Some(kept) = self.kept(&spelling)
                && let Some((from, to)) = self.broken(&spelling, kept, near)
                && !found.iter().any(|(_, one)| one.case == self.pair.told_case(&to, "asked"))
            {
                let what = format!(
                    "with the fix it does something else than on {}, though {}{} changes nothing in the tests that pass",
                    if from == self.bug { "the test's own input".into() } else { brief(&from) },
                    if kept.after { "" } else { "before it " },
                    spelling.words()
                );
                // What is said of the bug's own input says most; what held before the fix only may have been the bug's doing.
                let rank = usize::from(from != self.bug) + if kept.after { 0 } else { WEAK };
                let Some(sides) = self.known.get(&to.digest()) else { continue };
                found.push((rank, remark(what, self.pair.told_case(&to, "asked"), sides)));
            }
        }
        found.sort_by_key(|(rank, _)| *rank);
        let (strong, weak): (Vec<_>, Vec<_>) = found.into_iter().partition(|(rank, _)| *rank < WEAK);
        [strong, weak].map(|list| list.into_iter().map(|(_, remark)| remark).collect())
    }

    /// Whether a spelling changes nothing on the tests that pass. None where it does, or they do not show it.
    fn kept(&mut self, spelling: &Spelling) -> Option<Kept> {
        let tests = self.tests.clone();
        let pairs: Vec<(&Input, Input)> =
            tests.iter().flat_map(|test| spelling.of(test).into_iter().map(move |other| (test, other))).collect();
        let mut kept = Kept { before: true, after: true };
        let mut answers: HashSet<Vec<u8>> = HashSet::new();
        for some in pairs.chunks(BATCH) {
            let inputs: Vec<Input> = some.iter().flat_map(|(test, other)| [(*test).clone(), other.clone()]).collect();
            self.run(&inputs)?;
            for (test, other) in some {
                let (one, two) = (self.known.get(&test.digest())?, self.known.get(&other.digest())?);
                kept.before &= same(&one[0], &two[0]);
                kept.after &= same(&one[1], &two[1]);
                answers.insert(one[1].stdout.clone());
            }
            if !kept.before && !kept.after {
                return None;
            }
        }
        (answers.len() >= SHOWN).then_some(kept)
    }

    /// Two spellings of one input on which the program with the fix does not do the same, one of which the fix touches. None where it
    /// always does.
    fn broken(&mut self, spelling: &Spelling, kept: Kept, near: &[Input]) -> Option<(Input, Input)> {
        let tests: &[Input] = if kept.before { &self.tests } else { &[] };
        let from: Vec<Input> = [&self.bug].into_iter().chain(tests).chain(near).cloned().collect();
        for one in from {
            let others = spelling.of(&one);
            let inputs: Vec<Input> = [&one].into_iter().chain(&others).cloned().collect();
            self.run(&inputs)?;
            for two in others {
                if self.domain.holds(&two) && self.breaks(&one, &two) && self.is_steady(&one) && self.is_steady(&two) {
                    return Some((one, two));
                }
            }
        }
        None
    }

    fn breaks(&self, one: &Input, two: &Input) -> bool {
        let (Some(first), Some(second)) = (self.known.get(&one.digest()), self.known.get(&two.digest())) else {
            return false;
        };
        let touched = !same(&first[0], &first[1]) || !same(&second[0], &second[1]);
        let ended = first.iter().chain(second).all(|run| run.exit.is_some() && Death::of(run).is_none());
        touched && ended && !same(&first[1], &second[1])
    }

    /// Whether the program with the fix does the same once more.
    fn is_steady(&self, input: &Input) -> bool {
        let again = self.pair.plain.result(Version::Mended, input);
        again.zip(self.known.get(&input.digest())).is_some_and(|(again, known)| same(&again, &known[1]))
    }

    /// Runs both versions on inputs that they have not been run on. None where time is up.
    fn run(&mut self, inputs: &[Input]) -> Option<()> {
        let mut new: Vec<Input> = Vec::new();
        for input in inputs {
            if !self.known.contains_key(&input.digest()) && !new.contains(input) {
                new.push(input.clone());
            }
        }
        if Instant::now() >= self.deadline || self.pair.is_over() {
            return None;
        }
        let [before, after] = [Version::Broken, Version::Mended].map(|version| self.pair.plain.results(version, &new));
        self.runs += 2 * new.len() as u64;
        for ((input, before), after) in new.iter().zip(before).zip(after) {
            self.known.insert(input.digest(), [before, after]);
        }
        Some(())
    }
}
