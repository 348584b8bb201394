//! What a caller says about a run of a suite.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use whydunit_process::{Cancel, Limits};

/// What a caller says about a run. `Default` runs everything as the suite says.
#[derive(Clone, Default)]
pub struct RunOptions<'a> {
    /// Runs instead of the configured executable, under its name.
    pub executable: Option<PathBuf>,
    /// Runs instead of a program that a test names.
    #[allow(clippy::type_complexity)]
    pub programs: Option<&'a (dyn Fn(&Path) -> PathBuf + Sync)>,
    /// Added to the environment of every test, over the tests' own variables.
    pub env: Vec<(OsString, OsString)>,
    /// Taken out of the inherited environment.
    pub env_remove: Vec<OsString>,
    /// Further variables for the test of this name (a folder for its recording).
    #[allow(clippy::type_complexity)]
    pub test_env: Option<&'a (dyn Fn(&str) -> Vec<(OsString, OsString)> + Sync)>,
    /// Instead of the suite's.
    pub limits: Option<Limits>,
    /// Instead of the suite's.
    pub jobs: Option<NonZeroUsize>,
    /// Instead of the suite's.
    pub reruns: Option<u32>,
    /// Tests that pass are run again as well.
    pub rerun_all: bool,
    /// Leave address randomisation as the system has it.
    pub randomise_addresses: bool,
    /// Ends the run once it is cancelled; what has not started then is left out.
    pub cancel: Option<&'a Cancel>,
}
