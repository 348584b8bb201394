//! Where a replay parts from its recording, and why a run cannot go on.

use whydunit_model::{Loc, Site};

/// A place in the program, spelled out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// Source of the module; empty outside captured code.
    pub module: String,
    /// Function.
    pub function: String,
    /// Operation of its code.
    pub pc: u32,
    /// Number of the instruction in its module.
    pub site: Site,
    /// Source file; empty when unknown.
    pub file: String,
    /// Line and column; 0 when unknown.
    pub loc: Loc,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.function.is_empty() {
            return f.write_str("outside captured code");
        }
        if self.loc.line != 0 {
            write!(f, "{}:{}:{} ", self.file, self.loc.line, self.loc.column)?;
        }
        write!(f, "in {} (operation {}, site {} of {})", self.function, self.pc, self.site, self.module)
    }
}

/// The replay does not stand where the recorder stood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the replay parts from the recording at instruction {instruction}, safepoint {counter}, {position}: expected {expected}, got {got}"
)]
pub struct Divergence {
    /// Where the replay stands.
    pub position: Position,
    /// Instructions executed.
    pub instruction: u64,
    /// Safepoints counted.
    pub counter: u64,
    /// What the recording says comes next.
    pub expected: String,
    /// What the replay found.
    pub got: String,
}

/// Why a replay stops without an end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// It parted from the recording.
    #[error(transparent)]
    Divergence(#[from] Box<Divergence>),
    /// The recording was made of another build.
    #[error(
        "the recording needs the model {id} of a module, which is not there: build the program again and record again"
    )]
    NoModel {
        /// Id of the module.
        id: String,
    },
    /// The model and the recording disagree about a module.
    #[error(
        "the model of {module} does not fit the recording ({reason}): it was built otherwise; build and record again"
    )]
    OtherModel {
        /// Source of the module.
        module: String,
        /// What differs.
        reason: String,
    },
    /// The recording cannot be read on.
    #[error("the recording cannot be read after instruction {instruction}: {reason}")]
    Recording {
        /// Instructions executed.
        instruction: u64,
        /// What the reader says.
        reason: String,
    },
    /// A snapshot of another machine.
    #[error("the snapshot belongs to another machine")]
    ForeignSnapshot,
}

pub(crate) type Result<T> = std::result::Result<T, ReplayError>;
