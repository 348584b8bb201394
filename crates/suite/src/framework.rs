//! Test frameworks of C++ that programs may be linked with, by their names.

/// A test framework whose programs list their tests and run one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framework {
    /// GoogleTest.
    Gtest,
    /// Catch2, version 2 or 3.
    Catch2,
    /// doctest.
    Doctest,
    /// Boost.Test.
    Boost,
    /// CppUTest.
    CppUTest,
}

impl Framework {
    /// All of them.
    pub const ALL: [Framework; 5] =
        [Framework::Gtest, Framework::Catch2, Framework::Doctest, Framework::Boost, Framework::CppUTest];

    /// How a configuration calls it: `gtest`.
    pub fn kind(self) -> &'static str {
        match self {
            Framework::Gtest => "gtest",
            Framework::Catch2 => "catch2",
            Framework::Doctest => "doctest",
            Framework::Boost => "boost",
            Framework::CppUTest => "cpputest",
        }
    }

    /// How people call it: `GoogleTest`.
    pub fn title(self) -> &'static str {
        match self {
            Framework::Gtest => "GoogleTest",
            Framework::Catch2 => "Catch2",
            Framework::Doctest => "doctest",
            Framework::Boost => "Boost.Test",
            Framework::CppUTest => "CppUTest",
        }
    }
}
