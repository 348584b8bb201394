//! The code of tests, which is no candidate for the fault.

use std::collections::BTreeSet;

use whydunit_suite::{Reading, Suite, Test};

/// The code of a suite's tests, where they are Rust: by their paths in their crates (`tests::parses`).
#[derive(Clone, Default, Debug)]
pub struct TestCode(BTreeSet<String>);

impl TestCode {
    /// Of a suite.
    pub fn of(suite: &Suite) -> Self {
        let name = |test: &Test| match test {
            Test::Program(test) if test.reading == Reading::Libtest => test.short.clone(),
            _ => None,
        };
        Self(suite.tests.iter().filter_map(name).collect())
    }

    /// Whether code is a test, or stands with tests: in their file, or in their module.
    pub fn holds(&self, file: &str, function: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        if file.ends_with(".rs") && (file.starts_with("tests/") || file.contains("/tests/")) {
            return true;
        }
        // `<cr::tests::Thing as Drop>::drop` stands in `tests` as well.
        let Some((_, path)) = function.trim_start_matches(['<', '&']).split_once("::") else { return false };
        let path = path.split(" as ").next().unwrap_or(path);
        let module = |test: &str| test.rsplit_once("::").map(|(module, _)| module.len() + 2);
        self.0.iter().any(|test| {
            let own = path.strip_prefix(test.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
            own || module(test).is_some_and(|end| path.starts_with(&test[..end]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_what_stands_with_them_are_told_from_what_they_test() {
        let code = TestCode(["tests::parses", "deep::tests::fails", "alone"].map(String::from).into());
        let holds = |function: &str| code.holds("src/lib.rs", function);
        for function in
            ["cr::tests::parses", "cr::tests::helper", "cr::alone::{closure#0}", "<cr::tests::A as Drop>::drop"]
        {
            assert!(holds(function), "{function}");
        }
        for function in ["cr::parse", "cr::alone_too", "cr::deep::parse", "main", "<cr::A as tests::B>::c"] {
            assert!(!holds(function), "{function}");
        }
        assert!(code.holds("tests/whole.rs", "whole::helper"));
        assert!(!TestCode::default().holds("tests/whole.rs", "whole::helper"));
    }
}
