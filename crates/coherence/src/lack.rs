//! What a mixture lacks, and the sources that it is told of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::facts::Facts;

/// Something that keeps a mixture from being a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lack {
    /// File and line (from 1): where it shows, then other places of it.
    pub places: Vec<(String, u32)>,
    /// The names that it is about; none where a text is no syntax, `#` of a directive without its other half.
    pub names: BTreeSet<String>,
    /// In words, as a compiler would have them.
    pub says: String,
}

/// The sources of a version.
pub(crate) type Sources = BTreeMap<String, Arc<Facts>>;
