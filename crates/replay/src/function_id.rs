//! What names a function of a run.

/// Number of a function among all functions of the loaded modules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub u32);

impl FuncId {
    /// No function.
    pub const NONE: FuncId = FuncId(u32::MAX);
}
