//! Cases that `cases` made of runs.

use crate::Outcome;

/// The runs of a program under a command, as cases.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cases {
    /// The command.
    pub command: String,
    /// How it ended, in words that go after its name.
    pub ended: String,
    /// The program, relative to the project.
    pub program: String,
    /// The table that was written, relative to the project.
    pub path: String,
    /// Runs of the program under the command.
    pub runs: u64,
    /// The cases, in the order of the table.
    pub cases: Vec<MadeCase>,
    /// Runs that are no cases.
    pub left_out: Vec<LeftOutRuns>,
}

/// A case that was made of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct MadeCase {
    /// Its name.
    pub name: String,
    /// Where it is from what is expected.
    pub basis: CaseBasis,
    /// How it came out when it was run by itself.
    pub outcome: Outcome,
}

/// Where it is from what is expected of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaseBasis {
    /// What drove the run ended well: what it did is right.
    Accepted,
    /// What it prints was compared with this file.
    Compared(String),
    /// It was to end with 0, or not by a signal.
    Checked,
}

impl CaseBasis {
    /// The word for it, as JSON has it.
    pub const fn name(&self) -> &'static str {
        match self {
            CaseBasis::Accepted => "accepted",
            CaseBasis::Compared(_) => "compared",
            CaseBasis::Checked => "checked",
        }
    }
}

/// Runs that are no cases, for one reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOutRuns {
    /// Why not.
    pub reason: String,
    /// How many.
    pub count: u64,
    /// The name that the first of them would have had.
    pub example: String,
}
