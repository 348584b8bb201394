//! Tests that are functions of a program which is one test of its suite.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::program::{ProgramTest, Reading};
use crate::run::EXECUTABLE_VARIABLE;
use crate::suite::Suite;
use crate::test::Test;

/// The variable that names, by its symbol, the one of a program's own tests that a run is of: in copies of the program that are counted or
/// recorded all others return at once. Nothing else looks at it: as it is built the program runs all of them.
pub const ONE_TEST: &str = "WHYDUNIT_ONE_TEST";

/// Which functions are known to be tests, by their symbols: of each test of the suite whose program has them.
pub type OwnTests = BTreeMap<String, Vec<String>>;

/// What [`bytes_of_own_tests`] gave; nothing where it is something else: it is found out again.
pub fn own_tests_of_bytes(bytes: &[u8]) -> OwnTests {
    serde_json::from_slice(bytes).unwrap_or_default()
}

/// Which functions are known to be tests, to be kept.
pub fn bytes_of_own_tests(known: &OwnTests) -> Vec<u8> {
    // Texts only: it cannot fail.
    serde_json::to_vec_pretty(known).unwrap_or_default()
}

impl Suite {
    /// The run of one function alone of those that are tests in the program of a test, named by that test and `name`. `None` where the
    /// outcome is not an exit status alone, which does for any of them, or which is such a run itself.
    pub fn own_test(&self, whole: &Test, symbol: &str, name: &str) -> Option<Test> {
        let executable = self.executable.as_ref().map(|path| (EXECUTABLE_VARIABLE.into(), path.display().to_string()));
        let mut test = match whole {
            Test::Script { command, .. } => ProgramTest {
                args: vec!["-c".into(), command.clone()],
                env: executable.into_iter().collect(),
                ..ProgramTest::new("", PathBuf::from("/bin/sh"), self.folder.clone())
            },
            Test::Program(test)
                if test.left_out.is_none() && whole.own_function().is_none() && is_by_success(&test.reading) =>
            {
                test.clone()
            }
            _ => return None,
        };
        test.name = format!("{}/{name}", whole.name());
        test.short = Some(name.to_owned());
        test.env.push((ONE_TEST.into(), symbol.to_owned()));
        Some(Test::Program(test))
    }

    /// The known runs of functions of the program of a test; empty where none are known.
    pub fn own_tests_of<'s>(&'s self, whole: &str) -> impl Iterator<Item = &'s Test> + use<'s> {
        let begin = format!("{whole}/");
        self.own.iter().filter(move |test| test.name().starts_with(&begin))
    }

    /// The test of a program of which a test is one function; itself where it is none.
    pub fn whole_of<'s>(&'s self, test: &'s Test) -> &'s Test {
        let is_whole = |whole: &&Test| self.own_tests_of(whole.name()).any(|own| own.name() == test.name());
        test.own_function().and_then(|_| self.tests.iter().find(is_whole)).unwrap_or(test)
    }

    /// The suite's tests one by one, with other ones in the place of some of them.
    pub fn put_in_place(&mut self, instead: impl Fn(&Test) -> Option<Vec<Test>>) {
        let all = if self.single.is_empty() { &self.tests } else { &self.single };
        self.single = all.iter().flat_map(|test| instead(test).unwrap_or_else(|| vec![test.clone()])).collect();
    }
}

impl Test {
    /// The function, by its name, that it is a run of alone; `None` of all other tests.
    pub fn own_function(&self) -> Option<&str> {
        let Test::Program(test) = self else { return None };
        test.env.iter().any(|(name, _)| name == ONE_TEST).then_some(test.short.as_deref()).flatten()
    }
}

/// Whether a program's exit status is to be 0.
fn is_by_success(reading: &Reading) -> bool {
    matches!(reading, Reading::Exit { fails: false, .. })
}
