//! Loading what a replay needs: a recording and the models of all modules that it names.

use std::collections::{BTreeSet, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use whydunit_capture::{Store, face::depend, unit};
use whydunit_model::{ModelError, Module};
use whydunit_recording::{self as recording, Event, Recording};
use whydunit_replay::Program;

use crate::Error;

/// A recording, ready to be replayed.
pub struct Loaded {
    /// It; of a damaged one the events before the damage.
    pub recording: Recording,
    /// The models of its modules.
    pub program: Program,
    /// The damage.
    pub damage: Option<recording::Error>,
}

/// Opens the recording at `path` with its models. Fails where not a single event of it is intact.
pub fn load(store: &Store, path: &Path) -> Result<Loaded, Error> {
    let whole = Recording::open(path).map_err(Error::from).and_then(|recording| {
        recording.verify_kept()?;
        Ok(Loaded { program: models(store, path, &recording)?, recording, damage: None })
    });
    match whole {
        Err(Error::Recording(damage)) if damage.intact().is_some_and(|intact| intact.events > 0) => {
            let (recording, _) = Recording::open_partial(path)?;
            Ok(Loaded { program: models(store, path, &recording)?, recording, damage: Some(damage) })
        }
        whole => whole,
    }
}

/// Reads the models that the recording's modules need.
fn models(store: &Store, path: &Path, recording: &Recording) -> Result<Program, Error> {
    let mut program = Program::new();
    let mut seen = HashSet::new();
    let mut missing = None;
    let mut events = recording.events();
    while let Some(entry) = events.next_entry()? {
        let Event::Module(module) = &entry.event else { continue };
        let id = module.id_hex();
        if !seen.insert(id.clone()) {
            continue;
        }
        match model(&store.model(&id)) {
            Ok(model) => program.add(model),
            // All are looked at, so that all that are damaged are made again.
            Err(reason) => missing = missing.or(Some(Error::NoModel { recording: path.to_owned(), id, reason })),
        }
    }
    missing.map_or(Ok(program), Err)
}

/// Reads a model; what is wrong with it, to go after its name.
pub(crate) fn model(path: &Path) -> Result<Module, String> {
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "is not in the store: it was made from another build".into(),
        _ => format!("cannot be read ({error})"),
    })?;
    Module::from_bytes(&bytes).map_err(|error| match error {
        ModelError::Version(_) => format!("cannot be used ({error})"),
        _ => remove_damaged(path),
    })
}

/// Removes a damaged file that can be made again, which happens where it is not there. What to say of it.
pub(crate) fn remove_damaged(path: &Path) -> String {
    match std::fs::remove_file(path) {
        Ok(()) => "was damaged and has been removed".into(),
        Err(error) => format!("is damaged and cannot be removed ({error})"),
    }
}

/// Sources and headers that are no longer what the program was compiled from. Lines of a unit that the store does not
/// describe are taken as they are.
pub fn changed_sources(store: &Store, program: &Program) -> BTreeSet<PathBuf> {
    let units = program.models().filter_map(|model| unit(store, &model.id).ok());
    let mut seen = HashSet::new();
    units
        .flat_map(|unit| unit.dependencies)
        .filter(|dependency| seen.insert((dependency.path.clone(), dependency.hash.clone())))
        .filter(|dependency| !depend::is_current(dependency))
        .map(|dependency| dependency.path)
        .collect()
}
