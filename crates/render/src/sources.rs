//! Where source lines come from.

/// Gives lines of the project's source files.
pub trait Sources {
    /// Line `line` (from 1) of `file` as a [`Location`](whydunit_findings::Location) names it, without its end; none
    /// when it cannot be had.
    fn line(&self, file: &str, line: u32) -> Option<String>;
}

/// No sources at hand.
pub struct NoSources;

impl Sources for NoSources {
    fn line(&self, _file: &str, _line: u32) -> Option<String> {
        None
    }
}
