//! What a spectrum counts.

/// A range of source lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Position {
    /// Source file.
    pub file: String,
    /// First line, from 1.
    pub line: u32,
    /// Column of the start, from 1; 0 unknown.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
}

/// What a spectrum counts: a statement, or an outcome of the branch that stands there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Entity {
    /// Where.
    pub position: Position,
    /// The function around it.
    pub function: String,
    /// For an outcome of a branch: which (`true`, `false`, `case 3`, `default`).
    pub outcome: Option<String>,
}
