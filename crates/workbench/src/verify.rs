//! Replaying a recording as a whole: does it agree with the run, and did the run make memory errors?

use std::time::{Duration, Instant};

use whydunit_memcheck::{Memcheck, MemoryError};
use whydunit_recording::{Exit, Recording, RunEnd};
use whydunit_replay::{At, Divergence, End, Machine, Nothing, Observer, OutputEvent, Program, ReplayError, Stream};

use crate::Error;

/// What a replay of a whole recording gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified {
    /// How the run ended; none when the replay diverged.
    pub end: Option<End>,
    /// Where the replay parted from the recording.
    pub divergence: Option<Box<Divergence>>,
    /// The run's standard output, as far as captured code printed it, agrees with the replay's.
    pub output: OutputCheck,
    /// Memory errors, when they were looked for.
    pub memory_errors: Vec<MemoryError>,
    /// IR instructions executed.
    pub instructions: u64,
    /// Wall-clock time of the replay.
    pub time: Duration,
}

/// How the replayed standard output compares with the one that the run left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutputCheck {
    /// Byte for byte the same.
    Same(u64),
    /// The recording has no output to compare with, or external code may have printed as well.
    NotCompared(String),
    /// They differ at this byte, and captured code alone printed.
    Differs(u64),
}

/// Collects what is printed to standard output.
struct Printed {
    stdout: Option<u64>,
    bytes: Vec<u8>,
    uncertain: bool,
    descriptors: bool,
    streams: bool,
}

impl Observer for Printed {
    fn output(&mut self, _: &At<'_>, output: &OutputEvent) {
        match output.stream {
            Stream::Descriptor(1) => self.descriptors = true,
            Stream::File(file) if Some(file) == self.stdout => self.streams = true,
            _ => return,
        }
        self.uncertain |= output.uncertain;
        self.bytes.extend(&output.bytes);
    }
}

/// Replays everything. `memory_check`: look for memory errors on the way (slower).
pub fn verify(program: Program, recording: &Recording, memory_check: bool) -> Result<Verified, Error> {
    let mut machine = Machine::new(program, recording)?;
    let stdout = start_of(recording)?;
    let mut printed = Printed { stdout, bytes: Vec::new(), uncertain: false, descriptors: false, streams: false };
    let mut memcheck = Memcheck::new();
    let started = Instant::now();
    let run = if memory_check {
        let mut observers = (printed, memcheck);
        let run = machine.run(&mut observers);
        (printed, memcheck) = observers;
        run
    } else {
        let mut observers = (printed, Nothing);
        let run = machine.run(&mut observers);
        printed = observers.0;
        run
    };
    let time = started.elapsed();
    let (end, mut divergence) = match run {
        Ok(end) => (Some(end), None),
        Err(ReplayError::Divergence(divergence)) => (None, Some(divergence)),
        Err(other) => return Err(other.into()),
    };
    if let Some(end) = &end
        && let Some(difference) = wrong_end(recording, end)
    {
        let at = machine.at();
        divergence = Some(Box::new(Divergence {
            position: if at.in_frame() { at.position() } else { Default::default() },
            instruction: at.instruction(),
            counter: at.counter(),
            expected: difference.0,
            got: difference.1,
        }));
    }
    let output = match &end {
        Some(end) if divergence.is_none() => compare_output(recording, end, &printed)?,
        _ => OutputCheck::NotCompared("the replay did not reach the end".into()),
    };
    Ok(Verified {
        end,
        divergence,
        output,
        memory_errors: memcheck.into_errors(),
        instructions: machine.at().instruction(),
        time,
    })
}

/// Address of the C stream `stdout` in the run.
pub fn start_of(recording: &Recording) -> Result<Option<u64>, Error> {
    let mut events = recording.events();
    Ok(match events.next_entry()?.map(|entry| entry.event) {
        Some(whydunit_recording::Event::Start(start)) => Some(start.stdout),
        _ => None,
    })
}

/// Expected and got, where the replay ends otherwise than the process did.
fn wrong_end(recording: &Recording, end: &End) -> Option<(String, String)> {
    let exit = recording.info().run.exit?;
    match (end, exit) {
        (End::Exited { status: Some(got) }, Exit::Status(expected)) if *got != expected => {
            Some((format!("exit status {expected}"), format!("exit status {got}")))
        }
        (End::Exited { .. }, Exit::Signal(signal)) if matches!(recording.end(), RunEnd::Fault { .. }) => {
            Some((format!("signal {signal}"), "an orderly end".into()))
        }
        (End::Fault { signal, .. }, Exit::Signal(expected)) if *signal != expected => {
            Some((format!("signal {expected}"), format!("signal {signal}")))
        }
        _ => None,
    }
}

fn compare_output(recording: &Recording, end: &End, printed: &Printed) -> Result<OutputCheck, Error> {
    let no = |why: &str| Ok(OutputCheck::NotCompared(why.into()));
    let Some(stdout) = recording.stdout()? else { return no("the recording keeps no output") };
    if printed.uncertain {
        return no("external code may have printed as well");
    }
    if printed.descriptors && printed.streams {
        return no("standard output was written both buffered and unbuffered");
    }
    // Buffered output of a process that died never came out.
    let orderly = matches!(end, End::Exited { .. });
    if stdout == printed.bytes || !orderly && printed.bytes.starts_with(&stdout) {
        return Ok(OutputCheck::Same(stdout.len() as u64));
    }
    let same = stdout.iter().zip(&printed.bytes).take_while(|(a, b)| a == b).count() as u64;
    Ok(OutputCheck::Differs(same))
}
