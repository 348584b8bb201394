//! Where in the source.

use std::fmt;

/// A range of source text. Lines and columns count from 1; a column of 0 is unknown. A position whose extent is unknown
/// ends where it starts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Location {
    /// Relative to the project where the file lies inside it.
    pub file: String,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Last column, included.
    pub end_column: u32,
}

impl Location {
    /// A position without extent.
    pub fn point(file: impl Into<String>, line: u32, column: u32) -> Self {
        Self { file: file.into(), line, column, end_line: line, end_column: column }
    }

    /// A whole line.
    pub fn line(file: impl Into<String>, line: u32) -> Self {
        Self::point(file, line, 0)
    }
}

impl fmt::Display for Location {
    /// `file:line:column`, the column left out where it is unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Location;

    #[test]
    fn an_unknown_column_is_not_shown() {
        assert_eq!(Location::point("a.c", 3, 7).to_string(), "a.c:3:7");
        assert_eq!(Location::line("a.c", 3).to_string(), "a.c:3");
    }
}
