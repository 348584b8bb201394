//! A step of the walk back: a statement with its value, a condition, or what came from outside.

use whydunit_replay::{FuncId, Position};

use crate::condition::Tested;

/// How a step was reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dependence {
    /// A value was computed from this one.
    Data,
    /// This condition, or call, decided that a statement ran.
    Control,
    /// A value stayed as it was, since this condition left out what may have changed it.
    Kept,
    /// The value came from outside the captured code, or was there from the start.
    Input,
}

/// A cause.
#[derive(Clone, PartialEq, Debug)]
pub struct Cause {
    /// The statement; none for what was there from the start.
    pub position: Option<Position>,
    /// The variable, member, element or condition that got the value.
    pub variable: String,
    /// The value as text.
    pub value: String,
    /// How the step before depends on it.
    pub kind: Dependence,
    /// What else to say.
    pub note: Option<String>,
    /// What a `switch` decides by.
    pub condition: Option<String>,
    /// It is a branch: `value` is the truth of what the branch depends on, which need not be that of what stands in the source.
    pub is_branch: bool,
    /// What a branch tests, where debug information tells, and whether it was taken.
    pub tested: Option<(Tested, bool)>,
    /// The step that led here.
    pub from: Option<usize>,
    /// The thread that executed the statement.
    pub thread: u32,
    /// When it was executed; none for what was there from the start.
    pub when: Option<When>,
}

/// When an operation was executed. No other execution of the run has the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct When {
    /// The instructions executed by then, its block included as a whole.
    pub instruction: u64,
    /// Its function; [`FuncId::NONE`] where that is not known.
    pub function: FuncId,
    /// The operation.
    pub pc: u32,
}
