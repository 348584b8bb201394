//! Memory errors that a replay found.

use crate::Location;

/// The first access of its kind that C leaves undefined.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MemoryError {
    /// `out-of-bounds`, `use-after-free`, `use-after-return`, `double-free`, `invalid-free`, `null-pointer`, `wild-pointer`
    /// or `uninitialised`.
    pub kind: String,
    /// The access, where the position is known.
    pub location: Option<Location>,
    /// The function that it stands in.
    pub function: String,
    /// In words.
    pub message: String,
    /// What was done there.
    pub access: Option<Access>,
    /// The calls under way, innermost first, but for the one of the access: function and position.
    pub stack: Vec<(String, Option<Location>)>,
    /// The object concerned, where there is one.
    pub object: Option<MemoryObject>,
}

/// A read or write.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// Write or read.
    pub write: bool,
    /// Bytes.
    pub size: u64,
}

/// An object in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryObject {
    /// `heap`, `stack` or `global`.
    pub kind: String,
    /// Name of the variable; of the function that allocated it for heap blocks.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Where the access begins, from the object's start.
    pub offset: i64,
    /// Where it was allocated or declared.
    pub allocated: Option<Location>,
    /// Where it was freed.
    pub freed: Option<Location>,
    /// The calls under way where a heap block was allocated, innermost first: function and position.
    pub allocation: Vec<(String, Option<Location>)>,
    /// Those where it was freed.
    pub freeing: Vec<(String, Option<Location>)>,
}
