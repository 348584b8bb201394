//! Replaying a recording as a whole: does it agree with the run, and did the run make memory errors?

use std::time::{Duration, Instant};

use whydunit_memcheck::{Memcheck, MemoryError};
use whydunit_recording::Recording;
use whydunit_replay::{Divergence, Program, ReplayError, Verified, verify, verify_watched};

use crate::Error;

/// What a replay of a whole recording gave.
#[derive(Debug)]
pub struct Checked {
    /// What it verified, or where it parted from the recording.
    pub verified: Result<Verified, Box<Divergence>>,
    /// Memory errors, when they were looked for.
    pub memory_errors: Vec<MemoryError>,
    /// Wall-clock time of the replay.
    pub time: Duration,
}

/// Replays everything. `memory_check`: look for memory errors on the way (slower).
pub fn check(program: &Program, recording: &Recording, memory_check: bool) -> Result<Checked, Error> {
    let mut memcheck = Memcheck::new();
    let started = Instant::now();
    let outcome =
        if memory_check { verify_watched(program, recording, &mut memcheck) } else { verify(program, recording) };
    let time = started.elapsed();
    let verified = match outcome {
        Ok(verified) => Ok(verified),
        Err(ReplayError::Divergence(divergence)) => Err(divergence),
        Err(other) => return Err(other.into()),
    };
    Ok(Checked { verified, memory_errors: memcheck.into_errors(), time })
}
