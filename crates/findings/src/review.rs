//! What `review` finds of a fix.

use crate::Location;

/// A fix, reviewed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reviewed {
    /// The fix, as it was named.
    pub fix: String,
    /// The test that shows the bug.
    pub test: String,
    /// How it fails before the fix.
    pub failure: String,
    /// The verdict.
    pub verdict: FixVerdict,
    /// An input on which the program fails with the fix.
    pub counterexample: Option<Counterexample>,
    /// What the fix changes that it should not.
    pub disruptions: Vec<Disruption>,
    /// Inputs whose output is another one with the fix, where nobody knows which one is right: one of each kind, those unlike the
    /// bug first.
    pub differences: Vec<Disruption>,
    /// Inputs like the failing test's of which nobody knows whether they are right with the fix.
    pub questions: Vec<Remark>,
    /// What else was seen and is held against nobody.
    pub remarks: Vec<Remark>,
    /// When the program fails before the fix, as far as paths were looked at: one of these.
    pub predicate: Vec<String>,
    /// By distance from the failing run's path.
    pub distances: Vec<Distance>,
    /// The distance of the counterexample; without one that to which all paths were looked at, where they could be.
    pub distance: Option<u64>,
    /// Within the distance nothing was left out, of inputs whose texts are as long as those that were run.
    pub complete: bool,
    /// The same, and nothing is left within the distance that was asked for.
    pub exhausted: bool,
    /// Runs of the program before the fix, and with it, for paths.
    pub followed: [u64; 2],
    /// Inputs that were made to look for disruptions.
    pub inputs: u64,
    /// Time that solving took.
    pub solving: f64,
    /// Time that the search took, builds not counted.
    pub searching: f64,
    /// Inputs that there may be, as the suite suggests, where no domain was given.
    pub proposed_domain: Option<String>,
    /// Another fix, compared with it.
    pub compared: Option<Compared>,
    /// The function whose arguments are the input, where one is.
    pub entry: Option<UnderTest>,
    /// The first line of each change of the fix, those that only take lines away or only add some without the other side.
    pub changes: Vec<ChangedLine>,
}

/// A line that a fix changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedLine {
    /// Before the fix.
    pub before: Option<Executed>,
    /// With it.
    pub after: Option<Executed>,
}

/// A function under test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnderTest {
    /// Its name.
    pub function: String,
    /// The file that has it.
    pub file: String,
    /// What it is given: parameters, and numbers and texts that they point to.
    pub parameters: Vec<String>,
    /// Of the counterexample: their values, in the same order. Empty where there is none.
    pub arguments: Vec<String>,
    /// A test that calls it so, as source.
    pub unit_test: Option<String>,
}

/// Whether a fix is bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FixVerdict {
    /// It does not cover the bug.
    Coverage,
    /// It breaks something else.
    Disruption,
    /// Nothing was found against it.
    #[default]
    NoCounterexample,
}

impl FixVerdict {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            FixVerdict::Coverage => "bad-coverage",
            FixVerdict::Disruption => "bad-disruption",
            FixVerdict::NoCounterexample => "no-counterexample",
        }
    }
}

/// An input on which the program fails with the fix.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counterexample {
    /// A line of `cases.jsonl`.
    pub case: String,
    /// How it fails.
    pub fails: String,
    /// It fails before the fix, too; else the fix has broken it.
    pub covered: bool,
    /// How it was found: `suite`, `paths` or `inputs`.
    pub by: String,
    /// The distance of its path from the failing test's, before the fix.
    pub distance: Option<u64>,
    /// What it does before the fix.
    pub before: Did,
    /// And with it.
    pub after: Did,
    /// Where the two runs part.
    pub parts: Option<Parting>,
}

/// Where two runs part: what they execute from there on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parting {
    /// The last statement that both execute, where it stands with the fix.
    pub common: Option<Executed>,
    /// Statements before the fix.
    pub before: Vec<Executed>,
    /// Statements with it.
    pub after: Vec<Executed>,
}

/// A line that a run executes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Executed {
    /// Where it stands.
    pub location: Location,
    /// Its text.
    pub code: String,
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Did {
    /// What it printed.
    pub output: String,
    /// How it ended.
    pub end: String,
}

/// Something that was seen and is no verdict.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Remark {
    /// What, in words.
    pub what: String,
    /// An input that shows it, as a line of `cases.jsonl`.
    pub case: String,
    /// So many inputs show it.
    pub inputs: u64,
    /// What it does before the fix.
    pub before: Did,
    /// And with it.
    pub after: Did,
}

/// Something that the fix changes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Disruption {
    /// What kind of change, in words; empty where the two runs say it.
    pub what: String,
    /// So many inputs show it.
    pub inputs: u64,
    /// A test of the suite that the fix breaks.
    pub test: Option<String>,
    /// A line of `cases.jsonl`, where the input is a case.
    pub case: Option<String>,
    /// What it does before the fix.
    pub before: Did,
    /// And with it.
    pub after: Did,
}

/// Paths within a distance of the failing run's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Distance {
    /// The distance.
    pub distance: u64,
    /// Paths within it.
    pub paths: u64,
    /// Those that fail.
    pub feasible: u64,
}

/// Two fixes, compared by all inputs that were tried.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Compared {
    /// The other fix.
    pub other: String,
    /// Failing inputs that each covers: this one, the other one, both.
    pub covered: [u64; 3],
    /// Inputs that each disrupts: this one, the other one, both.
    pub disrupted: [u64; 3],
    /// Inputs that fail before the fix.
    pub failing: u64,
    /// Which is better.
    pub better: Better,
}

/// The partial order of fixes: one is better that covers more and disrupts less.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Better {
    /// The one that is reviewed.
    This,
    /// The other one.
    Other,
    /// They do the same on all inputs.
    Equal,
    /// Neither.
    #[default]
    Neither,
}

impl Better {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Better::This => "this",
            Better::Other => "other",
            Better::Equal => "equal",
            Better::Neither => "neither",
        }
    }

    /// By what each covers and disrupts: counts of this one, of the other one, and of what both do.
    pub fn of(covered: [u64; 3], disrupted: [u64; 3]) -> Self {
        let this = covered[2] == covered[1] && disrupted[2] == disrupted[0];
        let other = covered[2] == covered[0] && disrupted[2] == disrupted[1];
        match (this, other) {
            (true, true) => Better::Equal,
            (true, false) => Better::This,
            (false, true) => Better::Other,
            (false, false) => Better::Neither,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fix_is_better_that_covers_more_and_disrupts_less() {
        assert_eq!(Better::of([3, 2, 2], [0, 1, 0]), Better::This);
        assert_eq!(Better::of([2, 3, 2], [0, 0, 0]), Better::Other);
        assert_eq!(Better::of([2, 2, 2], [1, 1, 1]), Better::Equal);
        assert_eq!(Better::of([3, 2, 2], [1, 0, 0]), Better::Neither, "it covers more, and disrupts more");
        assert_eq!(Better::of([2, 2, 1], [0, 0, 0]), Better::Neither, "each covers something else");
    }
}
