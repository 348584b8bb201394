//! Loading what a replay needs: a recording and the models of all modules that it names.

use std::collections::HashSet;
use std::path::Path;

use whydunit_capture::Store;
use whydunit_model::Module;
use whydunit_recording::{Event, Recording};
use whydunit_replay::Program;

use crate::Error;

/// Reads the models that the recording's modules need.
pub fn load(store: &Store, path: &Path, recording: &Recording) -> Result<Program, Error> {
    let mut program = Program::new();
    let mut seen = HashSet::new();
    let mut events = recording.events();
    while let Some(entry) = events.next_entry()? {
        let Event::Module(module) = &entry.event else { continue };
        let id = module.id_hex();
        if !seen.insert(id.clone()) {
            continue;
        }
        let no_model = |reason: String| Error::NoModel { recording: path.to_owned(), id: id.clone(), reason };
        let bytes = std::fs::read(store.model(&id)).map_err(|error| no_model(format!("cannot be read ({error})")))?;
        program.add(Module::from_bytes(&bytes).map_err(|error| no_model(format!("cannot be used ({error})")))?);
    }
    Ok(program)
}
