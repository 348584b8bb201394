//! Objects that a failing run accesses behind their end: that they are too small may be the fault.

use whydunit_desk::{Desk, convert};
use whydunit_memcheck::MemoryError;
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
    /// Of a run that fails because it accesses memory behind the end of an object that has a line; `errors` is what it does wrong to
    /// memory. None where the access lies so far behind that it says nothing of the size.
    pub fn of(desk: &Desk, failing: &Failing, errors: &[MemoryError]) -> Option<Self> {
        let point = &failing.point;
        let is_failure = |error: &&MemoryError| error.instruction == point.instruction && error.position.pc == point.pc;
        let error = errors.iter().find(is_failure)?;
        let object = error.object.as_ref()?;
        let place = convert::location(&desk.project, object.allocated.as_ref()?)?;
        let access = convert::location(&desk.project, &error.position)?;
        let told = match place.file == access.file {
            true => error.too_small(&format!("line {}", access.line)),
            false => error.too_small(&format!("{}:{}", access.file, access.line)),
        };
        let [place, statement] = [place, access].map(|location| (location.file, location.line));
        Some(Self { place, statement, name: object.name.clone(), told: told? })
    }
}
