//! What is known of a project's fault: `truth.json`, and what stands beside it.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The name of the file in a project's folder.
pub const TRUTH: &str = "truth.json";
/// The name of a file beside it, where there is one: cases that patches of the fault are judged by. It is a `cases.jsonl` whose
/// inputs the suite does not have, with what the right program does with them.
pub const HELD_OUT: &str = "held-out.jsonl";

/// A known fault: `{"fault": [{"file": "a.c", "line": 7}], "kind": "constant"}`. Several lines: each is one that has to
/// change or is next to what is missing, and any of them counts as found. Of a regression, where several changes are at fault
/// together, the lines of each have a `group` of their own: one of each group has to be found.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Truth {
    /// Its lines.
    pub fault: Vec<FaultLine>,
    /// The kind of fault.
    pub kind: Option<String>,
    /// The failing test in question, of a regression that fails several.
    pub test: Option<String>,
}

/// A line of a fault.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct FaultLine {
    /// The file, relative to the project.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// Lines with the same number are alternatives.
    #[serde(default)]
    pub group: u32,
}

/// Why a truth is not usable.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct TruthError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
}

impl Truth {
    /// Reads the truth of a project's folder. Fails when it is not there, not of this form, or names no line.
    pub fn of(folder: &Path) -> Result<Self, TruthError> {
        let path = folder.join(TRUTH);
        let wrong = |reason: String| TruthError { path: path.clone(), reason };
        let text = std::fs::read(&path).map_err(|error| wrong(error.to_string()))?;
        let truth: Self = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
        if truth.fault.is_empty() {
            return Err(wrong("it names no line".into()));
        }
        Ok(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truth_names_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |text: &str| {
            std::fs::write(folder.path().join(TRUTH), text).expect("a file");
            Truth::of(folder.path())
        };
        let truth = read(r#"{"fault": [{"file": "a.c", "line": 7}], "more": 1}"#).expect("a truth");
        assert_eq!((truth.fault[0].line, truth.kind), (7, None));
        for (text, reason) in [("{}", "missing field"), (r#"{"fault": []}"#, "names no line"), ("", "EOF")] {
            let error = read(text).expect_err("it is wrong").to_string();
            assert!(error.contains(reason) && error.contains(TRUTH), "{error}");
        }
    }
}
