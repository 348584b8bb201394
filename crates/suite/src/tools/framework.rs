//! Test frameworks that are linked into programs: which one a program has, its tests, and how one went.

use std::path::Path;

use super::{Lister, boost, catch2, cpputest, doctest, gtest};
use crate::error::Error;
use crate::framework::Framework;
use crate::outcome::Outcome;
use crate::program::{ProgramTest, Reading};
use whydunit_process::Exit;

impl Framework {
    /// Looks for the texts of a framework in a program's file; `None` where there are none, and where it is no program.
    pub(crate) fn of(program: &Path) -> Option<Self> {
        /// A test program is not larger.
        const LARGEST: u64 = 1 << 30;
        let meta = std::fs::metadata(program).ok().filter(|meta| meta.is_file() && meta.len() < LARGEST)?;
        let bytes = std::fs::read(program).ok().filter(|bytes| bytes.starts_with(b"\x7fELF") && meta.len() > 0)?;
        let has = |text: &[u8]| memchr::memmem::find(&bytes, text).is_some();
        let is_of = |framework: &Framework| match framework {
            Framework::Gtest => has(b"gtest_list_tests") || has(b"libgtest.so"),
            Framework::Catch2 => has(b"list-tests") && (has(b"Catch2") || has(b"Catch v")),
            Framework::Doctest => has(b"list-test-cases") && has(b"[doctest] "),
            Framework::Boost => has(b"libboost_unit_test_framework") || has(b"list_content") && has(b"boost"),
            Framework::CppUTest => has(b"libCppUTest.so") || has(b"usage [-h] [-v]") && has(b"CommandLineTestRunner"),
        };
        Framework::ALL.into_iter().find(is_of)
    }

    /// The tests of a program that has it, as the program lists them; `folder` is where it runs.
    pub(crate) fn tests(self, lister: &Lister<'_>, program: &Path, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
        let tests = match self {
            Framework::Gtest => gtest::tests(lister, program, folder),
            Framework::Catch2 => catch2::tests(lister, program, folder),
            Framework::Doctest => doctest::tests(lister, program, folder),
            Framework::Boost => boost::tests(lister, program, folder),
            Framework::CppUTest => cpputest::tests(lister, program, folder),
        };
        Ok(tests?.into_iter().map(|test| ProgramTest { reading: Reading::Framework(self), ..test }).collect())
    }

    /// How a run with one of its tests went: by what the program wrote on standard output and how it ended.
    pub(crate) fn outcome(self, text: &str, exit: Exit) -> Outcome {
        match self {
            Framework::Gtest => gtest::outcome(text, exit),
            Framework::Catch2 => catch2::outcome(text, exit),
            Framework::Doctest => doctest::outcome(text, exit),
            Framework::Boost => boost::outcome(text, exit),
            Framework::CppUTest => cpputest::outcome(text, exit),
        }
    }
}
