//! Test suites: configuration, cases, and running them within limits.
//!
//! A [`Config`] is read from `whydunit.toml` or found out by [`discover`]; it gives a [`Suite`], whose tests run side by
//! side, each within [`Limits`](whydunit_process::Limits), as processes that are not trusted. What cargo, CTest, Meson
//! and programs with a test framework list are runs of programs ([`ProgramTest`]), whatever language these are written in.
//!
//! Environment of a test: the caller's, without what an outer `make` set; `PWD` is the working folder; cases have a
//! `TMPDIR` of their own beside it, which goes with it; then the case's `env`; then what [`RunOptions`] add. Scripts and
//! `make check` run in the project's folder and find the executable under test in [`EXECUTABLE_VARIABLE`].
//!
//! Invariants
//! - After a test nothing of it runs any more, and of a case no file is left.
//! - Results stand in the suite's order, however many tests run side by side.
//! - Every mistake in a file is an error that names file, line and field.
//!
//! Boundary: nothing is printed; who shows progress passes a callback, and who may stop a run passes a `Cancel`. No knowledge of recordings: a caller records by
//! running another executable with other variables.

mod automake;
mod cases;
mod compare;
mod compile;
mod config;
mod discover;
mod error;
mod examples;
mod framework;
mod init;
mod nearest;
mod options;
mod outcome;
mod own_test;
mod paths;
mod program;
mod reading;
mod run;
mod said;
mod shard;
mod suite;
mod switches;
mod system;
mod test;
mod tools;
mod truth;
mod workspace;

pub use cases::{Case, Content};
pub use compare::{OutputDifference, first_difference};
pub use compile::{Compile, compile};
pub use config::{
    BUILD_VARIABLE, BuildConfig, BuildHow, Config, FILE_NAME, HistoryConfig, MineConfig, TestsConfig, TestsKind,
    compiler_of,
};
pub use discover::{Discovered, builds_below, configuration, discover, find_executables};
pub use error::Error;
pub use framework::Framework;
pub use init::{Init, init};
pub use nearest::nearest;
pub use options::RunOptions;
pub use outcome::{Difference, Outcome, Reruns, TestResult};
pub use own_test::{ONE_TEST, OwnTests, bytes_of_own_tests, own_tests_of_bytes};
pub use paths::{STORE, cache, store_of};
pub use program::{ProgramTest, Reading};
pub use run::EXECUTABLE_VARIABLE;
pub use said::{reported, skeleton};
pub use shard::{Shard, fingerprint};
pub use suite::{Progress, Suite};
pub use test::Test;
pub use tools::{find_program, libtest::is_of_harness};
pub use truth::{FaultLine, HELD_OUT, TRUTH, Truth, TruthError};
