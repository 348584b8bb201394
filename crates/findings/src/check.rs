//! What `check` finds.

use crate::Location;

/// Calls that protocols exclude.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checked {
    /// The surest first.
    pub misuses: Vec<Misuse>,
    /// The classes that were checked.
    pub classes: Vec<String>,
    /// Functions that were looked at.
    pub functions: u64,
    /// Reports that comments in the source allow.
    pub allowed: u64,
    /// Reports that the baseline has.
    pub known: u64,
}

/// A call that a protocol excludes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Misuse {
    /// Where.
    pub location: Location,
    /// The function that it stands in.
    pub function: String,
    /// The class of the object.
    pub class: String,
    /// The method, or what is done to the object.
    pub method: String,
    /// The state that the object is in.
    pub state: String,
    /// On every followed path that leads there with the object; else on some.
    pub must: bool,
    /// How the model grades it: `never`, `may-fail`, `unseen`.
    pub grade: &'static str,
    /// From 0 to 1, by how it was found.
    pub confidence: f64,
    /// In a sentence.
    pub message: String,
    /// The way there, first to last.
    pub path: Vec<MisuseStep>,
}

/// A step on the way to a wrong call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MisuseStep {
    /// Where.
    pub location: Location,
    /// What happens there.
    pub what: String,
}

impl Misuse {
    /// `must` or `may`.
    pub const fn certainty(&self) -> &'static str {
        if self.must { "must" } else { "may" }
    }
}
