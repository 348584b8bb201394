//! The examples of a documentation, run by one process: alone each has cargo and rustdoc begin anew, which takes longer than all of them.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use crate::options::RunOptions;
use crate::outcome::{Outcome, TestResult};
use crate::program::ProgramTest;
use crate::run::Context;
use crate::suite::{Progress, Suite};
use crate::test::Test;

/// Behind the words of a run of all examples stand a `--` and the line of one.
const OF_ONE: usize = 2;

impl Suite {
    /// Runs all tests as [`Suite::run`] does, results in the suite's order, but the examples of a package's documentation at once. Those
    /// that do not pass so are run alone.
    pub fn run_together(&self, options: &RunOptions<'_>, progress: &(dyn Fn(Progress<'_>) + Sync)) -> Vec<TestResult> {
        let mut groups: BTreeMap<(PathBuf, Vec<String>), Vec<&ProgramTest>> = BTreeMap::new();
        for test in self.tests.iter().filter_map(example) {
            let words = test.args[..test.args.len() - OF_ONE].to_vec();
            groups.entry((test.folder.clone(), words)).or_default().push(test);
        }
        let limits = options.limits.as_ref().unwrap_or(&self.limits);
        let executable = self.executable.as_deref();
        let context = Context { limits, options, folder: &self.folder, env: &self.env, executable };
        let mut passed: HashMap<String, TestResult> = HashMap::new();
        for group in groups.into_values().filter(|group| group.len() > 1) {
            let results = context.examples(&group).into_iter().filter(|result| result.outcome == Outcome::Pass);
            passed.extend(results.map(|result| (result.name.clone(), result)));
        }
        let alone: Vec<&Test> = self.tests.iter().filter(|test| !passed.contains_key(test.name())).collect();
        let mut others = self.run_selected(&alone, options, progress).into_iter();
        if passed.is_empty() {
            return others.collect();
        }
        // A test has one result here: cargo lists each for itself.
        let result = |test: &Test| passed.remove(test.name()).or_else(|| others.next());
        self.tests.iter().filter_map(result).collect()
    }
}

/// A test that is an example and is run.
fn example(test: &Test) -> Option<&ProgramTest> {
    match test {
        Test::Program(test) => {
            Some(test).filter(|test| test.is_example() && test.left_out.is_none() && test.args.len() > OF_ONE)
        }
        _ => None,
    }
}
