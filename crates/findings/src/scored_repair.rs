//! How well faults are repaired that are known.

use crate::repair::{Grade, Patch, RepairPhases};

/// A project with a known fault, and what methods of repair make of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ScoredRepair {
    /// Its folder, relative to the catalogue.
    pub name: String,
    /// The kind of fault, where its truth says it.
    pub kind: Option<String>,
    /// Failing tests.
    pub failing: u64,
    /// All tests.
    pub tests: u64,
    /// What each method finds; empty where nothing could be measured.
    pub answers: Vec<ScoredPatch>,
    /// Why it could not be measured.
    pub problem: Option<String>,
}

/// What a method finds for a fault.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ScoredPatch {
    /// The method.
    pub method: String,
    /// Patches with which all tests pass, and of which nothing wrong is known.
    pub patched: u64,
    /// The first of these.
    pub first: Option<Patch>,
    /// With the first all cases pass that were held out; none where there are none, or no patch.
    pub correct: Option<bool>,
    /// So they do with one of them.
    pub any_correct: Option<bool>,
    /// Cases that were held out.
    pub held_out: u64,
    /// Of these, those that fail with the first.
    pub held_out_failing: u64,
    /// Candidates that were made.
    pub candidates: u64,
    /// Of these, those that were run.
    pub tried: u64,
    /// Builds of the method.
    pub builds: u64,
    /// Its runs of tests.
    pub runs: u64,
    /// Time of the method, from the build under capture on, which all methods share; judging is not counted.
    pub seconds: f64,
    /// What took how long.
    pub phases: RepairPhases,
    /// Time was up before all was tried.
    pub cut: bool,
    /// Why there is no answer, or why it could not be judged.
    pub problem: Option<String>,
}

impl ScoredPatch {
    /// Whether the first patch is verified.
    pub fn is_verified(&self) -> bool {
        self.first.as_ref().is_some_and(|patch| patch.grade == Grade::Verified)
    }
}

/// A method of repair over all faults.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RepairScore {
    /// The method.
    pub method: String,
    /// Faults for which it was asked.
    pub faults: u64,
    /// Those for which it has a patch.
    pub patched: u64,
    /// Those of these that have cases held out.
    pub judged: u64,
    /// Those whose first patch is correct.
    pub correct: u64,
    /// Of those that are judged, those whose first patch is verified.
    pub verified: u64,
    /// Those of these whose first patch is correct.
    pub verified_correct: u64,
    /// Those with a correct patch.
    pub any_correct: u64,
    /// Median time.
    pub seconds_median: f64,
    /// Longest time.
    pub seconds_worst: f64,
    /// What took how long, on average.
    pub phases: RepairPhases,
}

impl RepairScore {
    /// Sums up what a method finds.
    pub fn of(method: &str, repairs: &[ScoredRepair]) -> Self {
        let answers: Vec<&ScoredPatch> =
            repairs.iter().flat_map(|repair| &repair.answers).filter(|answer| answer.method == method).collect();
        let count = |what: fn(&ScoredPatch) -> bool| answers.iter().filter(|answer| what(answer)).count() as u64;
        let mut seconds: Vec<f64> = answers.iter().map(|answer| answer.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        Self {
            method: method.into(),
            faults: answers.len() as u64,
            patched: count(|answer| answer.patched > 0),
            judged: count(|answer| answer.correct.is_some()),
            correct: count(|answer| answer.correct == Some(true)),
            verified: count(|answer| answer.correct.is_some() && answer.is_verified()),
            verified_correct: count(|answer| answer.correct == Some(true) && answer.is_verified()),
            any_correct: count(|answer| answer.any_correct == Some(true)),
            seconds_median: crate::median::median(&seconds),
            seconds_worst: seconds.last().copied().unwrap_or_default(),
            phases: RepairPhases::mean(answers.iter().map(|answer| &answer.phases)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_counted_by_method_and_only_what_is_judged_is_correct() {
        let answer = |method: &str, patched, correct, any_correct, seconds| ScoredPatch {
            method: method.into(),
            patched,
            correct,
            any_correct,
            seconds,
            phases: RepairPhases { run: seconds / 2.0, ..RepairPhases::default() },
            ..ScoredPatch::default()
        };
        let of = |answers: &[ScoredPatch]| ScoredRepair { answers: answers.to_vec(), ..ScoredRepair::default() };
        let all = [
            of(&[answer("a", 2, Some(true), Some(true), 1.0), answer("b", 0, None, None, 9.0)]),
            of(&[answer("a", 3, Some(false), Some(true), 4.0)]),
            of(&[answer("a", 1, None, None, 2.0)]),
            of(&[answer("a", 0, None, None, 9.0)]),
            of(&[]),
        ];
        let a = RepairScore::of("a", &all);
        assert_eq!((a.faults, a.patched, a.judged, a.correct, a.any_correct), (4, 3, 2, 1, 2));
        assert_eq!((a.seconds_median, a.seconds_worst), (3.0, 9.0));
        assert_eq!((a.phases.run, a.phases.build), (2.0, 0.0));
        let b = RepairScore::of("b", &all);
        assert_eq!((b.faults, b.patched, b.judged, b.seconds_median), (1, 0, 0, 9.0));
        assert_eq!(RepairScore::of("c", &all).seconds_worst, 0.0);
    }
}
