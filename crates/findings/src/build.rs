//! What `init` and `build` tell.

/// What `init` decided.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Init {
    /// The file that it wrote.
    pub path: String,
    /// What it found out and how to change it, a line each.
    pub decisions: Vec<String>,
}

/// What `build` captured.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Build {
    /// Translation units captured.
    pub units: u64,
    /// Executables, shared libraries and plugins that were linked.
    pub executables: Vec<Executable>,
    /// Notes: flags that were dropped, files that could not be captured and why.
    pub notes: Vec<String>,
}

/// A linked file with captured code.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Executable {
    /// Where it lies.
    pub path: String,
    /// Captured translation units inside, its own libraries included.
    pub units: u64,
    /// Inputs of the link without captured code, as given.
    pub external: Vec<String>,
}
