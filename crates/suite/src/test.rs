//! A test of a suite.

use std::path::PathBuf;

use crate::cases::Case;
use crate::program::ProgramTest;

/// A test of a suite.
#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    /// A case: runs in a fresh folder.
    Case(Case),
    /// A shell command that exits 0 or not; runs in the project's folder.
    Script {
        /// Its name.
        name: String,
        /// The command.
        command: String,
    },
    /// A shell command that runs an automake suite; gives as many results as that has tests.
    Automake {
        /// The command; also the name.
        command: String,
    },
    /// One test of an automake suite, run for itself.
    AutomakeSingle {
        /// Its name: the path of its `.trs` file without the ending.
        name: String,
        /// A shell command that runs it.
        command: String,
        /// The file that it leaves.
        trs: PathBuf,
    },
    /// A shell command that prints TAP; gives as many results as that has points.
    Tap {
        /// Its name.
        name: String,
        /// What stands before the points' names.
        prefix: Option<String>,
        /// The command.
        command: String,
    },
    /// A run of a program, as tools of builds and test frameworks list them.
    Program(ProgramTest),
}

impl Test {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Test::Case(case) => &case.name,
            Test::Script { name, .. } | Test::AutomakeSingle { name, .. } | Test::Tap { name, .. } => name,
            Test::Program(test) => &test.name,
            Test::Automake { command } => command,
        }
    }

    /// Whether it is an example of a documentation: what runs it compiles it first.
    pub fn is_example(&self) -> bool {
        matches!(self, Test::Program(test) if test.is_example())
    }
}
