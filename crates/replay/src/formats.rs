//! Whether a recorded run tells what it prints by Rust's own library.

use std::collections::HashMap;
use std::sync::Arc;

use whydunit_recording::Recording;

use crate::code::Program;
use crate::divergence::Result;
use crate::machine::{Machine, formats_values};
use crate::observer::{At, Observer};
use crate::output::{OutputEvent, Stream};
use crate::run::{PrintKey, print_key};

/// What a recorded run prints by Rust's own library, call by call.
#[derive(Clone, Default, Debug)]
pub struct Formatted(pub(crate) Arc<HashMap<PrintKey, Option<Vec<u8>>>>);

/// All that a recorded run printed, for its machines to tell ([`Machine::tell_formats`]): the run is replayed, and what it tells is compared
/// with what was really printed. Bytes of which the replay knows nothing (zero, since external code has written them and no captured code
/// has read them) are as they were really printed. `None` for programs without such output, where that was not kept, or where anything else
/// differs.
pub fn formatted(program: &Program, recording: &Recording) -> Option<Formatted> {
    let formats = |model: &whydunit_model::Module| model.functions.iter().any(formats_values);
    if !program.models().any(|model| formats(model)) {
        return None;
    }
    let really = recording.stdout().ok().flatten().filter(|text| !text.is_empty())?;
    let mut machine = Machine::new(program.clone(), recording).ok()?;
    machine.tell_formats(&Formatted::default());
    let mut told = Told::default();
    if machine.run(&mut told).is_err() || told.is_long {
        return None;
    }
    told.into_printed(&really)
}

/// A machine at the start of a recorded run, which tells what that printed by Rust's own library where all of it can be told.
pub fn telling_machine(program: Program, recording: &Recording) -> Result<Machine> {
    let told = formatted(&program, recording);
    let mut machine = Machine::new(program, recording)?;
    if let Some(told) = told {
        machine.tell_formats(&told);
    }
    Ok(machine)
}

/// Runs of more instructions are not replayed only to compare what they print.
const LONGEST: u64 = 200_000_000;

/// What is printed to standard output.
#[derive(Default)]
struct Told {
    text: Vec<u8>,
    /// Where each piece of it is printed, and where it begins.
    pieces: Vec<(PrintKey, usize)>,
    is_long: bool,
}

impl Observer for Told {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        self.is_long = at.instruction() > LONGEST;
        self.is_long
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        if output.stream == Stream::Descriptor(1) {
            self.pieces.push((print_key(at.core, at.pc), self.text.len()));
            self.text.extend_from_slice(&output.bytes);
        }
    }
}

impl Told {
    /// The pieces as they were really printed; `None` where more than bytes of which nothing is known differ.
    fn into_printed(mut self, really: &[u8]) -> Option<Formatted> {
        // What is printed without the end of its line may be lost where a run does not end by itself.
        let (told, rest) = self.text.split_at_checked(really.len())?;
        let is_same = told.iter().zip(really).all(|(told, really)| told == really || *told == 0);
        if !is_same || rest.contains(&b'\n') {
            return None;
        }
        self.text[..really.len()].copy_from_slice(really);
        let ends = self.pieces.iter().skip(1).map(|(_, start)| *start).chain([self.text.len()]);
        let pieces = self.pieces.iter().zip(ends);
        Some(Formatted(Arc::new(
            pieces.map(|((key, start), end)| (*key, Some(self.text[*start..end].to_vec()))).collect(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pieces: &[&[u8]]) -> Told {
        let mut told = Told::default();
        for (number, piece) in pieces.iter().enumerate() {
            told.pieces.push(((number as u64, 1, 0), told.text.len()));
            told.text.extend_from_slice(piece);
        }
        told
    }

    #[test]
    fn what_is_not_known_is_as_it_was_printed() {
        let known = told(&[b"a \0\0 b\n", b"c\n", b"lost"]).into_printed(b"a xy b\nc\n").expect("only zeros differ");
        let piece = |number| known.0.get(&(number, 1, 0)).cloned().flatten();
        assert_eq!(piece(0).as_deref(), Some(&b"a xy b\n"[..]));
        assert_eq!((piece(1).as_deref(), piece(2).as_deref()), (Some(&b"c\n"[..]), Some(&b"lost"[..])));
        assert!(told(&[b"a 1 b\n"]).into_printed(b"a 2 b\n").is_none());
        assert!(told(&[b"a\n", b"b\n"]).into_printed(b"a\n").is_none());
        assert!(told(&[b"a"]).into_printed(b"ab").is_none());
    }
}
