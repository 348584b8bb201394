//! What went wrong on the way.

use crate::Location;

/// Something that the user should know and that did not stop the command: what, where, and what to do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// What.
    pub message: String,
    /// Where, if it has a place in a source or configuration file.
    pub location: Option<Location>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), location: None, help: None }
    }

    /// With its place.
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// With what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
