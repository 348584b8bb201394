//! What the suite does not see of a patch: the program is recorded without it and with it, memory is looked at, and the paths
//! near that of a failing test.

mod covering;
mod memory;

use std::path::Path;
use std::time::Instant;

use whydunit_changes::Tree;
use whydunit_suite::Case;

use super::copies;
use crate::Error;
use crate::review::Fix;
use whydunit_desk::{BuiltVersion, Desk, Recorder};

pub use covering::Covering;
pub use memory::Memory;
use memory::MemoryVerdict;

/// Checks patches that pass the suite.
pub struct Checking<'a> {
    desk: &'a Desk,
    before: Recorder<'a>,
    patched: Recorder<'a>,
    /// The program as it is, once it was built.
    as_it_is: Option<BuiltVersion>,
    memory: Memory<'a>,
    covering: Covering,
}

/// What was found out about a patch.
#[derive(Default)]
pub struct Checked {
    /// What is wrong with the program, in words.
    pub wrong: Option<String>,
    /// What could not be looked at, and why, in words.
    pub unchecked: Vec<String>,
    /// An input that shows it.
    pub input: Option<Case>,
    pub runs: u64,
}

impl<'a> Checking<'a> {
    /// Builds in folders below this one.
    pub fn new(desk: &'a Desk, folder: &Path, memory: Memory<'a>, covering: Covering) -> Result<Self, Error> {
        let tests: Vec<String> = memory.tests().map(String::from).collect();
        let recorder =
            |name| Ok(Recorder::new(desk, copies(folder, name, &desk.project))?.seeded().of_tests(tests.clone()));
        let [before, patched]: [Result<Recorder<'_>, Error>; 2] = ["unpatched", "patched"].map(recorder);
        Ok(Self { desk, before: before?, patched: patched?, as_it_is: None, memory, covering })
    }

    /// Looks at a patched program, until the deadline.
    pub fn look(&mut self, before: &Tree, patched: &Tree, deadline: Instant) -> Result<Checked, Error> {
        let laid = self.patched.lay(patched)?;
        let Self { desk, before: recorder, as_it_is, .. } = self;
        let unchecked = match self.memory.look(&laid, || built(as_it_is, recorder, before), deadline)? {
            MemoryVerdict::Sound => None,
            MemoryVerdict::Wrong(error) => {
                return Ok(Checked {
                    wrong: Some(format!("memory is wrong: {}", error.message)),
                    ..Checked::default()
                });
            }
            MemoryVerdict::Unknown(reason) => Some(format!("the memory check could not be made: {reason}")),
        };
        let fix = Fix { broken: before.clone(), mended: patched.clone(), notes: Vec::new() };
        let mut checked = self.covering.look(desk, &fix, &laid, || built(as_it_is, recorder, before), deadline)?;
        checked.unchecked.extend(unchecked);
        Ok(checked)
    }
}

/// The program as it is, built once.
fn built<'b>(
    as_it_is: &'b mut Option<BuiltVersion>,
    recorder: &mut Recorder<'_>,
    tree: &Tree,
) -> Result<&'b BuiltVersion, Error> {
    match as_it_is {
        Some(laid) => Ok(laid),
        None => Ok(as_it_is.insert(recorder.lay(tree)?)),
    }
}
