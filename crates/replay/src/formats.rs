//! Whether a recorded run tells what it prints by Rust's own library.

use whydunit_recording::Recording;

use crate::code::Program;
use crate::divergence::Result;
use crate::machine::{Machine, formats_values};
use crate::observer::{At, Observer};
use crate::output::{OutputEvent, Stream};

/// Whether all that a recorded run printed is told where its machine is asked to ([`Machine::tell_formats`]): the run is replayed and what
/// it tells is compared with what was really printed. Not so for programs without such output, or where that was not kept.
pub fn tells_formats(program: &Program, recording: &Recording) -> bool {
    let formats = |model: &whydunit_model::Module| model.functions.iter().any(formats_values);
    if !program.models().any(|model| formats(model)) {
        return false;
    }
    let Some(really) = recording.stdout().ok().flatten().filter(|text| !text.is_empty()) else { return false };
    let Ok(mut machine) = Machine::new(program.clone(), recording) else { return false };
    machine.tell_formats();
    let mut told = Told::default();
    if machine.run(&mut told).is_err() || told.is_long {
        return false;
    }
    // What is printed without the end of its line may be lost where a run does not end by itself.
    told.text.strip_prefix(&really[..]).is_some_and(|rest| !rest.contains(&b'\n'))
}

/// A machine at the start of a recorded run, which tells what that printed by Rust's own library where all of it can be told.
pub fn telling_machine(program: Program, recording: &Recording) -> Result<Machine> {
    let tells = tells_formats(&program, recording);
    let mut machine = Machine::new(program, recording)?;
    if tells {
        machine.tell_formats();
    }
    Ok(machine)
}

/// Runs of more instructions are not replayed only to compare what they print.
const LONGEST: u64 = 200_000_000;

/// What is printed to standard output.
#[derive(Default)]
struct Told {
    text: Vec<u8>,
    is_long: bool,
}

impl Observer for Told {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        self.is_long = at.instruction() > LONGEST;
        self.is_long
    }

    fn output(&mut self, _: &At<'_>, output: &OutputEvent) {
        if output.stream == Stream::Descriptor(1) {
            self.text.extend_from_slice(&output.bytes);
        }
    }
}
