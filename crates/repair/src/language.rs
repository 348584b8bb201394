//! What sources are written in.

/// A language whose expressions are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// C and C++.
    C,
    /// Rust.
    Rust,
}
