//! How patches are looked for.

/// A search for patches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Enumeration where some values would make the failing tests pass, then synthesis
    #[default]
    Combined,
    /// What could stand there, one after the other, the closest first
    Enumeration,
    /// What the values that would make the failing tests pass demand (SemFix)
    Synthesis,
    /// Statements deleted, doubled elsewhere and replaced by others, bred by how many tests pass
    Genprog,
    /// Calls that find objects otherwise than those of passing tests: what they need comes before them, or they are left out (PACHIKA)
    Pachika,
}

impl Method {
    /// All of them, the default first.
    pub const ALL: [Method; 5] =
        [Method::Combined, Method::Enumeration, Method::Synthesis, Method::Genprog, Method::Pachika];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Combined => "combined",
            Method::Enumeration => "enumeration",
            Method::Synthesis => "synthesis",
            Method::Genprog => "genprog",
            Method::Pachika => "pachika",
        }
    }
}
