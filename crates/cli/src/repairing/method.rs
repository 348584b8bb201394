//! How patches are looked for.

use clap::ValueEnum;

/// A search for patches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Method {
    /// What could stand there, one after the other, the closest first
    #[default]
    Enumeration,
    /// What the values that would make the failing tests pass demand (SemFix)
    Synthesis,
}

impl Method {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Enumeration => "enumeration",
            Method::Synthesis => "synthesis",
        }
    }
}
