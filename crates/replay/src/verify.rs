//! The whole replay of a recording, held against what the run itself left: standard output and exit status.

use whydunit_library::{Content, Destination, Ending, Output};
use whydunit_recording::{Exit, Recording};

use crate::code::Program;
use crate::divergence::{Divergence, Position, ReplayError, Result};
use crate::end::End;
use crate::machine::Machine;
use crate::observer::{At, External, Nothing, Observer};
use crate::output::{OutputEvent, Stream};

/// How the standard output of a run compares with what captured code printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutputCheck {
    /// Byte for byte the same.
    Equal,
    /// The run's output is the beginning of what was printed: it ended before all of it was written.
    Prefix,
    /// The recording keeps no copy.
    NotKept,
    /// They differ from this byte on, and external code may have printed too, or the order of a stream and its descriptor
    /// is not known, or the run went on after the recording.
    Uncertain {
        /// First differing byte.
        from: usize,
    },
    /// They differ from this byte on.
    Differs {
        /// First differing byte.
        from: usize,
    },
}

/// What a whole replay found.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified {
    /// How the run ended.
    pub end: End,
    /// Where.
    pub position: Position,
    /// Instructions executed.
    pub instructions: u64,
    /// Safepoints counted.
    pub safepoints: u64,
    /// Events taken.
    pub events: u64,
    /// Whether standard output is explained by captured code.
    pub stdout: OutputCheck,
}

/// Collects what captured code prints to standard output.
#[derive(Default)]
struct Collector {
    bytes: Vec<u8>,
    /// Printed through the stream, and by `write`.
    ways: [bool; 2],
    others_print: bool,
    /// It ended without writing what the streams hold.
    unflushed: bool,
}

impl Observer for Collector {
    fn external(&mut self, _at: &At<'_>, call: &External<'_>) {
        // What is not known may print in its own way.
        let known = whydunit_library::wrapped(call.name).map(|known| known.function);
        self.others_print |= known.is_none_or(|function| function.diverts_output);
        let Some(function) = known else { return };
        self.unflushed |= function.ending == Some(Ending::Exit { flushes: false });
        if let Some(Output { destination: Destination::Descriptor(descriptor), content: Content::Memory { .. } }) =
            function.output
        {
            self.ways[1] |= call.args.get(descriptor) == Some(&1);
        }
    }
    fn output(&mut self, _at: &At<'_>, output: &OutputEvent) {
        if output.stream == Stream::Descriptor(1) {
            self.bytes.extend_from_slice(&output.bytes);
            self.ways[0] = true;
        }
    }
}

/// Replays a recording to its end, and compares exit status and standard output with the run's.
pub fn verify(program: &Program, recording: &Recording) -> Result<Verified> {
    verify_watched(program, recording, &mut Nothing)
}

/// The same with an observer of the whole run.
pub fn verify_watched<O: Observer>(program: &Program, recording: &Recording, observer: &mut O) -> Result<Verified> {
    let mut machine = Machine::new(program.clone(), recording)?;
    let mut observers = (Collector::default(), observer);
    let end = machine.run(&mut observers)?;
    let collector = observers.0;
    let got = match &end {
        End::Exited { status: Some(status) } => Some(Exit::Status(*status)),
        End::Fault { signal, .. } => Some(Exit::Signal(*signal)),
        _ => None,
    };
    if let (Some(got), Some(expected)) = (got, recording.info().run.exit)
        && got != expected
    {
        return Err(ReplayError::Divergence(Box::new(Divergence {
            position: machine.at().position(),
            instruction: machine.core.instructions,
            counter: machine.core.counter,
            expected: format!("the run to end with {expected:?}"),
            got: format!("{got:?}"),
        })));
    }
    let inherited = recording.head().parent.is_some();
    let recorded = recording.stdout().map_err(|error| ReplayError::Recording {
        instruction: machine.core.instructions,
        reason: error.to_string(),
    })?;
    let stdout = match recorded {
        None => OutputCheck::NotKept,
        Some(recorded) => {
            let from = recorded.iter().zip(&collector.bytes).take_while(|(a, b)| a == b).count();
            let flushed = matches!(end, End::Exited { .. }) && !collector.unflushed;
            if recorded == collector.bytes {
                OutputCheck::Equal
            } else if from == recorded.len() && !flushed {
                OutputCheck::Prefix
            } else if matches!(end, End::Exec | End::RecordingEnds { .. })
                || collector.others_print
                || inherited
                || collector.ways == [true, true]
                // A call that waits may print before another thread's, and return behind it.
                || (collector.ways[1] && machine.core.threads.several())
            {
                OutputCheck::Uncertain { from }
            } else {
                OutputCheck::Differs { from }
            }
        }
    };
    Ok(Verified {
        position: machine.at().position(),
        instructions: machine.core.instructions,
        safepoints: machine.core.counter,
        events: machine.events_taken(),
        end,
        stdout,
    })
}
