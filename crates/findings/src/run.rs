//! What `record`, `replay` and `show` tell of runs.

use crate::{Divergence, Location, Moments, RunErrors};

/// What `record` kept.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// One recording for each process with captured code.
    pub recordings: Vec<Recorded>,
    /// What the run does wrong, where `record` was asked to replay at once.
    pub errors: RunErrors,
    /// Where a test was run until it failed.
    pub until_fails: Option<UntilFails>,
}

/// How often a test was run until it failed, and how the failing run differs from one that passes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UntilFails {
    /// Runs in all.
    pub runs: u32,
    /// How many of them failed.
    pub failures: u32,
    /// The recording of a run that passes, where there was one beside a failing one.
    pub passing: Option<String>,
    /// Both were compared.
    pub compared: bool,
    /// They are longer than what was compared.
    pub cut: bool,
    /// What differs, as far as it was compared.
    pub differences: Vec<RunDifference>,
}

/// Something that is otherwise in a failing run than in a passing one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunDifference {
    /// `path`, `thread-order`, `clock`, `random`, `environment`, `input`, `files`, `state` or `arguments`.
    pub kind: String,
    /// Where.
    pub location: Option<Location>,
    /// The thread, in a run with several.
    pub thread: Option<u32>,
    /// In words.
    pub message: String,
}

/// A recording on disk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recorded {
    /// Where it lies.
    pub path: String,
    /// The program that ran.
    pub program: String,
    /// How the run ended, in words: `exited with 0`, `killed by SIGSEGV`, …
    pub end: String,
    /// Bytes of the compressed log.
    pub log_bytes: u64,
}

/// The run that a recording is of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// Where the recording lies.
    pub path: String,
    /// The test; none where the run was no test's.
    pub test: Option<String>,
    /// The command line, the program first.
    pub arguments: Vec<String>,
    /// The folder it ran in.
    pub folder: String,
    /// When it was recorded: date and time (UTC) as in `2026-11-21T19:34:45Z`.
    pub recorded: String,
}

/// What `replay` verified.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Replay {
    /// Of which run.
    pub recording: Ran,
    /// Where the replay parted from the recording, if it did.
    pub divergence: Option<Divergence>,
    /// How the run ended, in words.
    pub end: String,
    /// What the run does wrong, as seen on the way.
    pub errors: RunErrors,
}

/// What `show` tells of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Show {
    /// Of which run.
    pub recording: Ran,
    /// Calls, output and other events in the order of the run.
    pub outline: Vec<OutlineEntry>,
    /// How the run ended, in words; where the replay parted from the recording that it did.
    pub end: String,
    /// Where the replay parted from the recording: then the rest tells of the run up to there.
    pub divergence: Option<Divergence>,
    /// Where the run failed, if it did.
    pub failure: Option<Box<Failure>>,
    /// What the run does wrong, as seen on the way.
    pub errors: RunErrors,
    /// Moments to go through, where a page was asked for.
    pub moments: Option<Box<Moments>>,
}

/// A line of the outline.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OutlineEntry {
    /// Depth of the call.
    pub depth: u32,
    /// `call`, `output`, `input`, `signal`, `exit`, `left-out`, …
    pub kind: String,
    /// Where.
    pub location: Option<Location>,
    /// What, in a line.
    pub text: String,
    /// Number of the thread, in a run with several: the main one has 0.
    pub thread: Option<u32>,
}

/// Where and how a run failed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Failure {
    /// `assertion`, `abort`, `exit-status`, `signal`, `memory-error`, `output`, `time-limit`, `killed`, …
    pub kind: String,
    /// The failure point.
    pub location: Option<Location>,
    /// The predicate that should have held there.
    pub predicate: Option<String>,
    /// In words.
    pub message: String,
    /// The calls that were under way, innermost first: function and position.
    pub stack: Vec<(String, Option<Location>)>,
    /// How many more calls were under way than stand in the stack, and behind which index of it they are left out.
    pub stack_left_out: Option<(usize, usize)>,
    /// The variables in scope and their values, as text.
    pub variables: Vec<(String, String)>,
    /// Number of the thread, in a run with several.
    pub thread: Option<u32>,
}
