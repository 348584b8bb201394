//! Runs of the project's programs that a command drives.

use std::ffi::OsString;

use whydunit_observe::Observation;
use whydunit_process::{self as process, Cancel, Ended, Stdin, Watch};

use crate::Error;
use crate::project::Project;
use crate::record::{RawFolder, limits_of_command, program_of};

/// A command that drove programs of the project.
pub struct Observed {
    /// The runs.
    pub observation: Observation,
    /// How the command ended.
    pub ended: Ended,
    /// What the runs read lies there.
    _folder: RawFolder,
}

impl Project {
    /// Runs a command in the project's folder and observes the runs of the project's programs, as they were built. Set, `cancel` ends
    /// it; what was seen until then is there.
    pub fn observe(&self, command: &[OsString], cancel: &Cancel) -> Result<Observed, Error> {
        let store = self.store()?;
        let folder = RawFolder::new(&store, "observed")?;
        let (place, mut environment) = whydunit_capture::observing(&store, folder.path())?;
        // `cargo run` finds what was built under capture.
        environment.extend(self.config.build_environment());
        let mut program = program_of(command, &self.folder, environment)?;
        // The libraries of the runtime put an observer in the place of what a program starts, but not of the first one.
        let own = whydunit_capture::link_id_of(&program.executable).ok().and_then(|(id, _)| place.observer(&id));
        program.executable = own.unwrap_or(program.executable);
        let watch = Watch { cancel: Some(cancel), on_output: None };
        let ended = process::run(&program, Stdin::Null, &limits_of_command(), watch)?;
        Ok(Observed { observation: Observation::read(&place)?, ended, _folder: folder })
    }
}
