//! Objects that a failing run accesses behind their end: that they are too small may be the fault.

use whydunit_desk::{Desk, convert};
use whydunit_memcheck::{Kind, MemoryError};
use whydunit_symbolic::Failing;

use super::Place;

/// An object that the failing access lies behind.
pub struct Overrun {
    /// Where it is declared or allocated.
    pub place: Place,
    /// The statement that accesses it.
    pub statement: Place,
    /// Its name, or the function that allocates it.
    pub name: String,
    /// In words.
    pub told: String,
}

/// What is not asked of such an object.
pub const SIZE: &str = "whether it should be larger";

impl Overrun {
    /// Of a run that fails because it accesses memory behind the end of an object that has a line in the project's sources; `errors` is
    /// what it does wrong to memory.
    pub fn of(desk: &Desk, failing: &Failing, errors: &[MemoryError]) -> Option<Self> {
        let point = &failing.point;
        let is_failure = |error: &&MemoryError| error.instruction == point.instruction && error.position.pc == point.pc;
        let error = errors.iter().find(is_failure).filter(|error| error.kind == Kind::OutOfBounds)?;
        let object = error.object.as_ref()?;
        let beyond = error.address.wrapping_add(error.size).checked_sub(object.start.wrapping_add(object.size))?;
        let position = object.allocated.as_ref().filter(|_| error.address >= object.start && beyond > 0)?;
        let location = convert::location(&desk.project, position)?;
        let (name, made) = match object.kind {
            "heap" => ("the block".to_string(), "allocated"),
            _ => (format!("`{}`", object.name), "declared"),
        };
        let line = error.position.loc.line;
        let bytes = |n: u64| if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") };
        let told = format!(
            "line {line} needs {} more than the {} that {name} is {made} with",
            bytes(beyond),
            bytes(object.size)
        );
        let accesses = convert::location(&desk.project, &error.position)?;
        let [place, statement] = [location, accesses].map(|location| (location.file, location.line));
        Some(Self { place, statement, name: object.name.clone(), told })
    }
}
