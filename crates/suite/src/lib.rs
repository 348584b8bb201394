//! Test suites: configuration, cases, and running them within limits.
pub mod process;
