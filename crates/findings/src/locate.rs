//! Where the fault can be.

use crate::{Anomaly, Location, Replacement};

/// What `locate` found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Located {
    /// The method or formula that ranked.
    pub method: String,
    /// Statements and branch outcomes, most suspicious first.
    pub findings: Vec<Finding>,
    /// Correction sets, cheapest first; empty for methods that have none.
    pub correction_sets: Vec<CorrectionSet>,
    /// Suspiciousness of source lines by counts, where findings tell it of some lines only.
    pub lines: Vec<LineScore>,
    /// Where the failing tests fail that formulas looked at.
    pub failures: Vec<TestFailure>,
    /// What formulas found iteration by iteration, where all of it is asked for.
    pub rounds: Vec<Rounds>,
    /// The failing tests by the faults that they seem to have, where these are several: the first is what all else here is about.
    pub groups: Vec<Group>,
    /// Calls of the first failing test that find objects otherwise than those of passing tests do, where that was asked for.
    pub anomalies: Option<Vec<Anomaly>>,
}

/// Failing tests that seem to have a fault of their own.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Group {
    /// The tests.
    pub tests: Vec<String>,
    /// Why they are apart from the others.
    pub apart: Apart,
    /// Its ranking, without source lines and beginning with the most suspicious; empty for the first group.
    pub findings: Vec<Finding>,
}

/// Why failing tests are told apart from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Apart {
    /// A change makes these pass and breaks no passing test, and leaves the others failing.
    #[default]
    Mended,
    /// They fail at another place of the program.
    Symptom,
}

impl Apart {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Apart::Mended => "mended",
            Apart::Symptom => "symptom",
        }
    }
}

/// The correction sets of each iteration for a failing test: with the ways that had been gone until then.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rounds {
    /// The test.
    pub test: String,
    /// By iteration, the statements of each minimal set.
    pub sets: Vec<Vec<Vec<Location>>>,
}

/// Where a failing test fails, and what should have held there: what formulas are asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestFailure {
    /// The test.
    pub test: String,
    /// As in a [`Failure`](crate::Failure).
    pub kind: String,
    /// Where; none outside captured code.
    pub location: Option<Location>,
    /// The function around it.
    pub function: String,
    /// In words.
    pub message: String,
    /// What should have held there.
    pub predicate: Option<String>,
}

/// How suspicious a source line is, by the tests that execute it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LineScore {
    /// As in a [`Location`].
    pub file: String,
    /// From 1.
    pub line: u32,
    /// Suspiciousness.
    pub score: f64,
}

/// A statement, or an outcome of a branch, that can be at fault.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Finding {
    /// Mean position within its tie, from 1.
    pub rank: f64,
    /// First position of its tie.
    pub rank_best: u64,
    /// Last position of its tie.
    pub rank_worst: u64,
    /// Suspiciousness.
    pub score: f64,
    /// Where.
    pub location: Location,
    /// The function around it.
    pub function: String,
    /// The source line, trimmed; empty when the source is not there.
    pub code: String,
    /// For an outcome of a branch: which (`true`, `false`, `case 3`, `default`).
    pub branch: Option<String>,
    /// How many tests ran it.
    pub counts: Option<SpectrumCounts>,
    /// What formulas say of it; none where they were not asked.
    pub verdict: Option<Verdict>,
    /// What it was not asked about, where the verdict is [`Verdict::NotAsked`].
    pub unasked: Option<String>,
    /// Correction sets that it belongs to (indices).
    pub sets: Vec<u64>,
    /// What would have made the tests pass, in words.
    pub witness: Vec<String>,
    /// Changes of the statement that make failing tests pass, the best first.
    pub changes: Vec<TriedChange>,
}

/// A change of the program that was tried on recorded tests.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TriedChange {
    /// In words.
    pub change: String,
    /// Failing tests that it was tried on.
    pub failing: u64,
    /// Those of them that pass with it.
    pub failing_passed: u64,
    /// Passing tests that execute it and that it was tried on.
    pub passing: u64,
    /// Those of them that still pass.
    pub passing_kept: u64,
    /// From 0 to 1: how much it says for the statement.
    pub worth: f64,
    /// What it is in the source, where it is another number in an initial value or in the definition of a constant; `None` for all
    /// else, and where the source does not tell.
    pub replaced: Option<Replacement>,
}

impl TriedChange {
    /// From 0 to 1: how far it makes the failing tests pass and breaks no other. What few passing tests say weighs less, and where
    /// none was asked not much is known.
    pub fn share(&self) -> f64 {
        const UNKNOWN: f64 = 0.6;
        let mended = if self.failing == 0 { 1.0 } else { self.failing_passed as f64 / self.failing as f64 };
        let asked = self.passing as f64;
        let kept = match self.passing {
            0 => UNKNOWN,
            _ => (self.passing_kept as f64 / asked).powi(2) * (asked + 1.0) / (asked + 1.5),
        };
        mended * kept
    }

    /// Whether all tests that were asked pass with it.
    pub fn mends_all(&self) -> bool {
        self.failing_passed == self.failing && self.passing_kept == self.passing
    }
}

/// What formulas say of a statement, over all failing tests that they looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// With other values of it alone the tests would pass.
    Alone,
    /// With other values of it and others together.
    Together,
    /// Not found out.
    Undecided,
    /// No value of it was found that would do, and not all was asked that it does.
    NotAsked,
    /// Whatever it does and whatever is missing beside it, a test fails: one does not execute it that has the same fault as the
    /// others.
    Excluded,
}

impl Verdict {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Alone => "alone",
            Verdict::Together => "together",
            Verdict::Undecided => "undecided",
            Verdict::NotAsked => "not-asked",
            Verdict::Excluded => "excluded",
        }
    }
}

/// Tests that execute an entity, and totals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpectrumCounts {
    /// Failing tests that execute it.
    pub failed: u64,
    /// Passing tests that execute it.
    pub passed: u64,
    /// Failing tests.
    pub failed_total: u64,
    /// Passing tests.
    pub passed_total: u64,
}

/// A minimal set of statements whose relaxation makes the failing run pass.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CorrectionSet {
    /// Its cost.
    pub cost: f64,
    /// Its statements.
    pub statements: Vec<Location>,
    /// The values that would have made the test pass.
    pub witness: Vec<String>,
    /// It rests on ways through the program that were gone.
    pub confirmed: bool,
    /// A trial run with these values has passed.
    pub ran: bool,
    /// The failing tests whose set it is.
    pub tests: Vec<String>,
}
