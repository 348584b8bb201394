//! Replaying a recording as a whole: does it agree with the run, and did the run do what the language leaves undefined?

use std::time::{Duration, Instant};

use whydunit_causes::trace::Trace;
use whydunit_memcheck::{Memcheck, MemoryError};
use whydunit_recording::Recording;
use whydunit_replay::{Divergence, Program, ReplayError, Verified, verify, verify_watched};
use whydunit_undefined::{Undefined, UndefinedBehaviour};

use crate::Error;
use crate::undefined::certain;

/// A trace of dependences goes back over so many executions.
const TRACE_NODES: usize = 1 << 18;

/// What goes along with a replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// Nothing: as fast as it goes.
    Nothing,
    /// A look for memory errors.
    MemoryCheck,
    /// The same, and for other undefined behaviour; on request for blocks that are lost.
    Check {
        /// Whether they are looked for.
        leaks: bool,
    },
    /// All data and control dependences, as a walk back through the run needs them.
    Dependences,
}

/// What a replay of a whole recording gave.
#[derive(Debug)]
pub struct Checked {
    /// What it verified, or where it parted from the recording.
    pub verified: Result<Verified, Box<Divergence>>,
    /// Memory errors, when they were looked for.
    pub memory_errors: Vec<MemoryError>,
    /// Lost blocks were looked for, and it is not known which there are.
    pub blind_to_leaks: bool,
    /// Other undefined behaviour, when it was looked for.
    pub undefined: Vec<UndefinedBehaviour>,
    /// Wall-clock time of the replay.
    pub time: Duration,
}

/// Replays everything.
pub fn check(program: &Program, recording: &Recording, along: Along) -> Result<Checked, Error> {
    let (mut memcheck, mut undefined) = (Memcheck::new(), Undefined::new());
    if along == (Along::Check { leaks: true }) {
        memcheck = memcheck.looking_for_leaks();
    }
    let started = Instant::now();
    let outcome = match along {
        Along::Nothing => verify(program, recording),
        Along::MemoryCheck => verify_watched(program, recording, &mut memcheck),
        Along::Check { .. } => verify_watched(program, recording, &mut (&mut memcheck, &mut undefined)),
        Along::Dependences => verify_watched(program, recording, &mut Trace::window(TRACE_NODES)),
    };
    let time = started.elapsed();
    let verified = match outcome {
        Ok(verified) => Ok(verified),
        Err(ReplayError::Divergence(divergence)) => Err(divergence),
        Err(other) => return Err(other.into()),
    };
    let blind_to_leaks = memcheck.is_blind_to_leaks();
    let memory_errors = memcheck.into_errors();
    Ok(Checked { verified, memory_errors, blind_to_leaks, undefined: certain(undefined.into_found()), time })
}
