//! Where source lines come from.

/// Gives the project's source files.
pub trait Sources {
    /// The text of `file` as a [`Location`](crate::Location) names it; none when it cannot be had.
    fn text(&self, file: &str) -> Option<String>;

    /// Its line `line` (from 1), without its end.
    fn line(&self, file: &str, line: u32) -> Option<String> {
        self.text(file)?.lines().nth(line.checked_sub(1)? as usize).map(String::from)
    }
}

/// No sources at hand.
pub struct NoSources;

impl Sources for NoSources {
    fn text(&self, _file: &str) -> Option<String> {
        None
    }
}
