//! What the flags of a module's spectrum flavour mean.

use serde::{Deserialize, Serialize};
use whydunit_sealed::Format;

use crate::ModelError;

const FORMAT: Format = Format { kind: "spectrum-table", version: 3 };

/// A source line of a function that has instructions: what a reader sees as a statement. Which way a branch on it went is
/// an outcome's to say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpectrumStatement {
    /// Index in [`SpectrumTable::files`].
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// Lowest column of its instructions; 0 unknown.
    pub column: u32,
    /// Index in [`SpectrumTable::functions`].
    pub function: u32,
    /// It was executed when one of these flags is set.
    pub flags: Vec<u32>,
}

/// An outcome of a branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpectrumOutcome {
    /// Index in [`SpectrumTable::files`].
    pub file: u32,
    /// Line of the condition.
    pub line: u32,
    /// Column of the condition; 0 unknown.
    pub column: u32,
    /// Index in [`SpectrumTable::functions`].
    pub function: u32,
    /// `true`, `false`, `case 3`, `case 3, 4`, `default`.
    pub outcome: String,
    /// It came about when one of these flags is set.
    pub flags: Vec<u32>,
}

/// The meaning of the flag bytes of one module.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SpectrumTable {
    /// Content hash of the bitcode, in hexadecimal.
    pub id: String,
    /// How many flags there are (bytes beyond are padding).
    pub flags: u32,
    /// Source files, absolute where the compiler said so.
    pub files: Vec<String>,
    /// Names of the functions.
    pub functions: Vec<String>,
    /// Flags of each function's entry, in parallel to `functions`: it was called when one of them is set.
    pub entries: Vec<Vec<u32>>,
    /// Statements, by function, then by position.
    pub statements: Vec<SpectrumStatement>,
    /// Outcomes of branches that have a position.
    pub outcomes: Vec<SpectrumOutcome>,
    /// Symbols of the functions that are tests by themselves, each of which a run may be of alone.
    pub tests: Vec<String>,
}

impl SpectrumTable {
    /// The table as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        crate::store::pack(FORMAT, self)
    }

    /// The statements and outcomes that were executed in a run that left `flags` behind.
    pub fn executed<'a>(
        &'a self,
        flags: &'a [u8],
    ) -> (impl Iterator<Item = &'a SpectrumStatement>, impl Iterator<Item = &'a SpectrumOutcome>) {
        let set = move |own: &[u32]| own.iter().any(|&flag| flags.get(flag as usize).is_some_and(|&byte| byte != 0));
        (
            self.statements.iter().filter(move |statement| set(&statement.flags)),
            self.outcomes.iter().filter(move |outcome| set(&outcome.flags)),
        )
    }

    /// Reads what [`SpectrumTable::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<SpectrumTable, ModelError> {
        crate::store::unpack(FORMAT, bytes)
    }

    /// Whether these bytes are those of a table.
    pub fn is_whole(bytes: &[u8]) -> bool {
        FORMAT.open(bytes).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_survive_storage_and_damage_is_an_error() {
        let table = SpectrumTable {
            id: "ab".to_owned(),
            flags: 2,
            files: vec!["/a.c".to_owned()],
            functions: vec!["f".to_owned()],
            entries: vec![vec![0]],
            statements: vec![SpectrumStatement { file: 0, line: 3, column: 5, function: 0, flags: vec![0, 1] }],
            outcomes: Vec::new(),
            tests: vec!["test_f".to_owned()],
        };
        assert_eq!(table.executed(&[0, 1]).0.count(), 1);
        assert_eq!(table.executed(&[0, 0]).0.count(), 0);
        assert_eq!(table.executed(&[]).0.count(), 0);
        let bytes = table.to_bytes();
        assert_eq!(SpectrumTable::from_bytes(&bytes).unwrap(), table);
        assert!(matches!(SpectrumTable::from_bytes(&bytes[..bytes.len() - 3]), Err(ModelError::Damaged)));
        assert!(matches!(SpectrumTable::from_bytes(b"nothing"), Err(ModelError::NotAModel)));
    }
}
