//! Captured units as instrumented objects and program models.

use std::{
    collections::{HashMap, HashSet},
    fs,
    os::unix::fs::MetadataExt,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use whydunit_canonical::layout::Layout;
use whydunit_face::store::{self, Store};
use whydunit_instrument::{Callee, Optimization};
use whydunit_llvm::Module;
use whydunit_model::{Module as Model, SpectrumTable};
use whydunit_process::{Cancel, Pool};

use super::{Cold, Flavour, kept, library};
use crate::{Error, Watch, program};

/// Code generation of large functions is deeply recursive.
const STACK: usize = 256 << 20;

/// Which build of this program makes models and objects: those of another one are made again.
pub fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let own = std::env::current_exe().and_then(fs::metadata).ok();
        let own = own.map(|metadata| (metadata.len(), metadata.mtime(), metadata.mtime_nsec()));
        store::hash(format!("{} {own:?}", env!("CARGO_PKG_VERSION")).as_bytes())[..16].to_owned()
    })
}

/// An object of a unit, or why it stays external; with notes.
type Made = (Result<PathBuf, String>, Vec<String>);

/// An object's bytes, with notes.
type Emitted = (Vec<u8>, Vec<String>);

/// The units of one flavour.
pub(super) struct Modules<'s> {
    store: &'s Store,
    flavour: Flavour,
    folder: PathBuf,
    made: HashMap<String, Made>,
    /// Those that were not there before, until they are counted.
    new: HashSet<String>,
    /// Units that are made only when all are asked for.
    left_out: HashSet<String>,
    /// By unit, functions that are not worth optimising.
    cold: HashMap<String, Cold>,
    /// Units in whose place others are linked, in the link under way.
    substitutes: HashMap<String, String>,
}

impl<'s> Modules<'s> {
    pub(super) fn new(store: &'s Store, flavour: Flavour) -> Result<Self, Error> {
        let objects = store.flavour(flavour.name()).join("objects");
        let folder = objects.join(version());
        if !folder.exists() {
            // Of another version.
            let _ = fs::remove_dir_all(&objects);
            fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        }
        Ok(Modules {
            store,
            flavour,
            folder,
            made: HashMap::new(),
            new: HashSet::new(),
            left_out: HashSet::new(),
            cold: HashMap::new(),
            substitutes: HashMap::new(),
        })
    }

    /// Where an object of this flavour and version goes.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// How many of these units were not there before; each counts once.
    pub(super) fn count_new(&mut self, units: &[String]) -> usize {
        units.iter().filter(|unit| self.new.remove(*unit)).count()
    }

    /// Leaves these units as they are, but for those that are there already.
    pub(super) fn leave_out(&mut self, units: HashSet<String>) {
        self.left_out = units;
    }

    /// Does not optimise these functions of units that are made from now on.
    pub(super) fn leave_unoptimised(&mut self, cold: &HashMap<String, Cold>) {
        self.cold.clone_from(cold);
    }

    /// Makes all units from now on; whether any was left out.
    pub(super) fn leave_out_nothing(&mut self) -> bool {
        let left_out = std::mem::take(&mut self.left_out);
        let mut any = false;
        self.made.retain(|unit, (object, _)| {
            let stays = object.is_ok() || !left_out.contains(unit);
            any |= !stays;
            stays
        });
        any
    }

    /// Whether a unit is not made because it was to be left out.
    pub(super) fn is_left_out(&self, unit: &str) -> bool {
        self.left_out.contains(unit) && self.object(unit).is_err()
    }

    /// Makes the objects of units.
    pub(super) fn make(&mut self, units: &[String]) -> Result<(), Error> {
        self.make_with(units, Watch::quietly(&Cancel::new()))
    }

    /// Makes the objects of units, side by side.
    pub(super) fn make_with(&mut self, units: &[String], watch: Watch<'_>) -> Result<(), Error> {
        let mut missing = Vec::new();
        for unit in units {
            if self.made.contains_key(unit) {
                continue;
            }
            match self.kept(unit) {
                Some(made) => _ = self.made.insert(unit.clone(), made),
                None if self.left_out.contains(unit) => {
                    self.made.insert(unit.clone(), (Err("nothing in question executes it".to_owned()), Vec::new()));
                }
                None => missing.push(unit.clone()),
            }
        }
        // The large ones first, so that none is left alone at the end.
        missing.sort_by_key(|unit| std::cmp::Reverse(fs::metadata(self.store.bitcode(unit)).map_or(0, |m| m.len())));
        let (this, number) = (&*self, missing.len());
        let (done, failed) = (Mutex::new(0), AtomicBool::new(false));
        let some_failed = || failed.load(Ordering::Relaxed);
        let made =
            Pool::of_cores().cancelled_by(Some(watch.cancel)).until(&some_failed).stack(STACK).run(&missing, |unit| {
                // What is outside input may be more than LLVM and we can take: an error, of this unit.
                let one = catch_unwind(AssertUnwindSafe(|| this.make_one(unit)))
                    .unwrap_or_else(|_| Err(Error::Module("instrumenting a unit failed".to_owned())));
                match &one {
                    Ok(_) => {
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        *done += 1;
                        (watch.progress)(*done, number);
                    }
                    Err(_) => failed.store(true, Ordering::Relaxed),
                }
                one.map(|one| (unit.clone(), one))
            });
        self.made.extend(made.into_iter().collect::<Result<Vec<_>, _>>()?);
        if watch.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        self.new.extend(missing);
        Ok(())
    }

    /// The object of a unit that was made, or why it stays external.
    pub(super) fn object(&self, unit: &str) -> Result<PathBuf, String> {
        let unit = self.substitutes.get(unit).map_or(unit, String::as_str);
        self.made.get(unit).map_or_else(|| Err("it was not made".to_owned()), |(object, _)| object.clone())
    }

    /// Takes the object of `other`, which must have been made, for `unit` in the link under way.
    pub(super) fn substitute(&mut self, unit: &str, other: &str) {
        self.substitutes.insert(unit.to_owned(), other.to_owned());
    }

    /// Begins a link: nothing is substituted. Gives what the link around it had, for [`Modules::end_link`].
    pub(super) fn begin_link(&mut self) -> HashMap<String, String> {
        std::mem::take(&mut self.substitutes)
    }

    /// Ends a link.
    pub(super) fn end_link(&mut self, around: HashMap<String, String>) {
        self.substitutes = around;
    }

    /// What is to be said about a unit.
    pub(super) fn notes(&self, unit: &str) -> Vec<String> {
        self.made.get(unit).map(|(_, notes)| notes.clone()).unwrap_or_default()
    }

    fn kept(&self, unit: &str) -> Option<Made> {
        let object = self.place(&format!("{unit}.o"));
        let notes = kept::described(&object, &kept::beside(&object))?;
        let is_whole = match self.flavour {
            Flavour::Record => fs::read(self.store.model(unit)).is_ok_and(|bytes| Model::is_whole(&bytes)),
            Flavour::Spectrum => {
                fs::read(self.store.spectrum_table(unit)).is_ok_and(|bytes| SpectrumTable::is_whole(&bytes))
            }
            Flavour::Plain => true,
        };
        is_whole.then(|| (Ok(object), notes.lines().map(str::to_owned).collect()))
    }

    /// One unit. What LLVM refuses makes the unit external; what the disk refuses is an error.
    fn make_one(&self, unit: &str) -> Result<Made, Error> {
        match self.instrument(unit)? {
            Ok((object, notes)) => {
                let path = self.place(&format!("{unit}.o"));
                self.store.write(&path, &object)?;
                kept::describe(self.store, &path, &kept::beside(&path), &notes.join("\n"))?;
                Ok((Ok(path), notes))
            }
            Err(reason) => Ok((Err(reason), Vec::new())),
        }
    }

    /// Object and notes of a unit, or why there is none.
    fn instrument(&self, unit: &str) -> Result<Result<Emitted, String>, Error> {
        let bitcode = program::bitcode(self.store, unit)?;
        let mut module = match Module::parse(&bitcode, &self.store.bitcode(unit).display().to_string()) {
            Ok(module) => module,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let of_library = program::unit(self.store, unit)?.library;
        if of_library && let Err(reason) = library::keep_recorded(&mut module) {
            return Ok(Err(reason));
        }
        let (optimization, notes) = match self.flavour {
            Flavour::Plain => (Optimization::Spectrum, Vec::new()),
            Flavour::Record => match record(&mut module, unit, of_library) {
                Ok((model, notes)) => {
                    self.store.write(&self.store.model(unit), &model)?;
                    if let Some(cold) = self.cold.get(unit) {
                        whydunit_instrument::leave_unoptimised(&module, |name| cold.has(name));
                    }
                    (Optimization::Record, notes)
                }
                Err(reason) => return Ok(Err(reason)),
            },
            Flavour::Spectrum => match whydunit_instrument::spectrum(&mut module, unit) {
                Ok((table, notes)) => {
                    self.store.write(&self.store.spectrum_table(unit), &table.to_bytes())?;
                    (Optimization::Spectrum, notes.lines)
                }
                Err(error) => return Ok(Err(error.to_string())),
            },
        };
        let object = whydunit_instrument::emit_object(&mut module, optimization);
        Ok(object.map(|object| (object, notes)).map_err(|error| error.to_string()))
    }
}

/// Brings a module to canonical form, lowers it to the program model, and instruments that very module.
fn record(module: &mut Module, unit: &str, of_library: bool) -> Result<(Vec<u8>, Vec<String>), String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let mut notes = whydunit_canonical::canonicalise(module).map_err(|error| text(&error))?.lines;
    let model = whydunit_lower::lower(module, &Layout::of(module), unit).map_err(|error| text(&error))?;
    if of_library {
        library::check(&model)?;
    }
    let callee = if of_library { Callee::Native } else { Callee::Recorded };
    notes.extend(whydunit_instrument::record(module, unit, callee).map_err(|error| text(&error))?.lines);
    Ok((model.to_bytes(), notes))
}
