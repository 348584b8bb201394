//! How a report is rendered.

use crate::{NoSources, Sources};

/// What renderers are told besides the report. Each uses what means something to it.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Text with colour and emphasis by escape sequences.
    pub colour: bool,
    /// Where source lines come from.
    pub sources: &'a dyn Sources,
    /// How many findings formats for people show in full; none: all.
    pub limit: Option<usize>,
    /// The exit status that the program ends with.
    pub exit_code: u8,
    /// What stands before the project's paths for those who look from the root of its repository: empty, or `path/to/`.
    pub prefix: &'a str,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { colour: false, sources: &NoSources, limit: Some(10), exit_code: 0, prefix: "" }
    }
}
