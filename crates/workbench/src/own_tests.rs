//! Functions that are tests by themselves, in programs that are one test of the suite each: which there are, and which are known of the
//! project.

use std::path::PathBuf;

use whydunit_model::names;
use whydunit_suite::{OwnTests, Suite, bytes_of_own_tests, own_tests_of_bytes};

use crate::spectrum::Executed;
use crate::{Error, Project};

/// A function that is a test by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnTest {
    /// Its symbol.
    pub symbol: String,
    /// Its name in the source.
    pub name: String,
}

impl OwnTest {
    fn of(symbol: &str) -> Self {
        Self { symbol: symbol.to_owned(), name: names::readable(symbol).unwrap_or_else(|| symbol.to_owned()) }
    }

    /// Whether a run has come to it.
    pub fn is_in(&self, run: &Executed) -> bool {
        run.hits.iter().any(|hit| hit.function == self.name || hit.function == self.symbol)
    }
}

impl Project {
    /// The functions that are tests by themselves in the programs that a test ran, in the order of their modules.
    pub fn own_tests(&self, run: &Executed) -> Result<Vec<OwnTest>, Error> {
        let store = self.store()?;
        let mut tests: Vec<OwnTest> = Vec::new();
        for id in run.modules.keys() {
            let Some(table) = crate::spectrum::table(&store, id) else { continue };
            for symbol in &table.tests {
                if !tests.iter().any(|known| known.symbol == *symbol) {
                    tests.push(OwnTest::of(symbol));
                }
            }
        }
        Ok(tests)
    }

    /// Keeps which functions are tests by themselves in the program of a test of the suite, so that they are known by name.
    pub fn keep_own_tests(&self, whole: &str, tests: &[OwnTest]) -> Result<(), Error> {
        let mut known = self.known_own_tests();
        known.insert(whole.to_owned(), tests.iter().map(|test| test.symbol.clone()).collect());
        let written = self.store()?.write(&self.own_tests_path(), &bytes_of_own_tests(&known));
        Ok(written.map_err(whydunit_capture::Error::from)?)
    }

    /// A suite with the functions that are known to be tests.
    pub(crate) fn with_own_tests(&self, mut suite: Suite) -> Suite {
        let mut own = Vec::new();
        for (whole, symbols) in self.known_own_tests() {
            let Some(whole) = suite.tests.iter().find(|test| test.name() == whole) else { continue };
            own.extend(symbols.iter().filter_map(|symbol| {
                let OwnTest { symbol, name } = OwnTest::of(symbol);
                suite.own_test(whole, &symbol, &name)
            }));
        }
        suite.own = own;
        suite
    }

    /// What was kept; nothing where there is no such file.
    fn known_own_tests(&self) -> OwnTests {
        std::fs::read(self.own_tests_path()).map(|bytes| own_tests_of_bytes(&bytes)).unwrap_or_default()
    }

    fn own_tests_path(&self) -> PathBuf {
        self.store_folder().join("own-tests.json")
    }
}
