//! The way back through the causes of a value.

use crate::{Divergence, Location};

/// What `why` tells: from the value asked for back to where it comes from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Why {
    /// The value asked for first.
    pub steps: Vec<Step>,
    /// How the run ended, in words; where the replay parted from the recording that it did.
    pub end: String,
    /// Where the replay parted from the recording: then the value is that of the last time before.
    pub divergence: Option<Divergence>,
    /// Where it is asked about a line: whether it was executed. The first step is the line.
    pub ran: Option<bool>,
    /// Where it is asked about the failure: the failure in words.
    pub failure: Option<String>,
}

/// One cause.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The statement that gave the value, where it has a position.
    pub location: Option<Location>,
    /// The variable, member, element or condition that got the value.
    pub variable: String,
    /// The value, as text.
    pub value: String,
    /// How the step before depends on this one.
    pub kind: StepKind,
    /// What else to say: who wrote it, which way a branch went.
    pub note: Option<String>,
    /// The condition as it stands in the source: `value` is its truth. None where `value` is what the branch itself depends on,
    /// or, where it is empty, no truth can be told.
    pub condition: Option<String>,
    /// Number of the thread that executed the statement, where several did: the main one has 0.
    pub thread: Option<u32>,
}

/// A kind of cause.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StepKind {
    /// The value was computed from this one.
    Data,
    /// This condition decided that the statement ran.
    Control,
    /// The value stayed as it was: this condition left out what may have changed it.
    Kept,
    /// The value came from outside: the way ends here.
    Input,
}

impl StepKind {
    /// The word for it, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            StepKind::Data => "data",
            StepKind::Control => "control",
            StepKind::Kept => "kept",
            StepKind::Input => "input",
        }
    }
}
