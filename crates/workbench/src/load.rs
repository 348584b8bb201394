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
    let (mut models, mut one_test) = (Vec::new(), None);
    let mut seen = HashSet::new();
    let mut missing = None;
    let mut events = recording.events();
    while let Some(entry) = events.next_entry()? {
        let module = match &entry.event {
            Event::Module(module) => module,
            Event::OneTest { symbol } => {
                one_test = Some(String::from_utf8_lossy(symbol).into_owned());
                continue;
            }
            _ => continue,
        };
        let id = module.id_hex();
        if !seen.insert(id.clone()) {
            continue;
        }
        match model(store, &id) {
            Ok(model) => models.push(model),
            // All are looked at, so that all that are damaged are made again.
            Err(reason) => missing = missing.or(Some(Error::NoModel { recording: path.to_owned(), id, reason })),
        }
    }
    let mut program = Program::new();
    for mut model in models {
        one_test.iter().for_each(|one| leave_out(&mut model, one));
        program.add(model);
    }
    missing.map_or(Ok(program), Err)
}

/// Takes their effect from the tests that a run of one of them has left out.
fn leave_out(model: &mut Module, one: &str) {
    for function in model.functions.iter_mut().filter(|function| function.is_own_test && function.name != one) {
        *function = function.without_effect();
    }
}

/// The model of a unit; what is wrong with it, to go after its name, where it cannot be made again either.
pub(crate) fn model(store: &Store, id: &str) -> Result<Module, String> {
    let reason = match kept_model(store, id) {
        Ok(Some(model)) => return Ok(model),
        Ok(None) => "is not in the store: it was made from another build".into(),
        Err(Error::OldModel { error, .. }) => return Err(format!("cannot be used ({error})")),
        Err(Error::DamagedModel { how, .. }) => how,
        Err(error) => format!("cannot be read ({error})"),
    };
    if !store.bitcode(id).exists() && !store.unit(id).exists() {
        return Err(reason);
    }
    whydunit_capture::remake_model(store, id)
        .map_err(|error| format!("{reason}, and cannot be made again ({error})"))?;
    kept_model(store, id).ok().flatten().ok_or(reason)
}

/// The model of a unit as it lies in the store; `None` where there is none. One that is damaged is removed: it is made again
/// where it is not there.
pub fn kept_model(store: &Store, id: &str) -> Result<Option<Module>, Error> {
    let path = store.model(id);
    let bytes = match std::fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(Error::io(&path))?,
    };
    match Module::from_bytes(&bytes) {
        Ok(model) if model.id == id => Ok(Some(model)),
        Err(error @ ModelError::Version(_)) => Err(Error::OldModel { path, error }),
        _ => {
            let how = remove_damaged(&path);
            Err(Error::DamagedModel { path, how })
        }
    }
}

/// Removes a damaged file that can be made again, which happens where it is not there. What to say of it.
pub(crate) fn remove_damaged(path: &Path) -> String {
    match std::fs::remove_file(path) {
        Ok(()) => "was damaged and has been removed".into(),
        Err(error) => format!("is damaged and cannot be removed ({error})"),
    }
}

/// Sources and headers that are no longer what the program was compiled from, and why that is not known of some. Lines of
/// these are taken as they are.
pub fn changed_sources(store: &Store, program: &Program) -> (BTreeSet<PathBuf>, Vec<String>) {
    let (mut changed, mut unknown) = (BTreeSet::new(), Vec::new());
    let mut seen = HashSet::new();
    for model in program.models() {
        match unit(store, &model.id) {
            Ok(unit) => {
                let new = unit.dependencies.into_iter();
                let new = new.filter(|dependency| seen.insert((dependency.path.clone(), dependency.hash.clone())));
                changed.extend(new.filter(|one| !depend::is_current(one)).map(|one| one.path));
            }
            Err(error) => unknown.push(format!("whether {} has changed is not known: {error}", model.source)),
        }
    }
    unknown.sort();
    (changed, unknown)
}
