//! The same question once more, soon after: only what has changed is compiled and looked at again.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use whydunit_capture::face::recipe::Unit;
use whydunit_capture::{Store, changed_since, closure, compile_again, lowered, products, unit};
use whydunit_desk::{Desk, prepare};
use whydunit_misuse::Options;
use whydunit_model::Module;
use whydunit_process::Pool;
use whydunit_workbench::ProgramModel;

use super::{Answer, CheckError, Looked, Question, described, looked_through, models, of_class, options_of, told_of};
use crate::Error;

/// Code generation and lowering of large functions are deeply recursive.
const STACK: usize = 256 << 20;

/// What one answer has left for the next one.
pub struct Kept {
    /// How much work is done for a program, see [`Options::work`].
    pub work: u64,
    /// Program models, by the ids of units.
    models: HashMap<String, Arc<Module>>,
    /// What a unit of the last build has become, by its id there.
    compiled: HashMap<String, Unit>,
    /// Descriptions of units of the last build, by their ids.
    units: HashMap<String, Arc<Unit>>,
    looked: Looked,
    /// The project's own build was to run, and has failed.
    unbuilt: bool,
    /// How the last answer came about.
    pub how: How,
}

impl Default for Kept {
    /// Of no answer yet.
    fn default() -> Self {
        Self {
            work: Options::default().work,
            models: HashMap::new(),
            compiled: HashMap::new(),
            units: HashMap::new(),
            looked: Looked::default(),
            unbuilt: false,
            how: How::default(),
        }
    }
}

/// How an answer came about, and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct How {
    /// Units that were compiled for it; `None` where the project's own build ran.
    pub compiled: Option<usize>,
    /// How long compiling took until the last bitcode was there.
    pub compiling: Duration,
    /// How long all that came after it took.
    pub checking: Duration,
    /// Analyses of functions, one for every way in which a function is entered.
    pub analysed: usize,
    /// What these and those that were used again looked at, in operations: as much as a whole check does.
    pub work: u64,
}

/// Checks the project as [`answer`](super::answer) does, after the files `saved` were. Where all that has changed since the last build are
/// sources and headers of units of C and C++, these are compiled to bitcode, as their build did, and nothing is built; else the project
/// is brought up to date by its own build. The models that come with the tool are used. An error is also that a source does not compile.
pub fn answer_again(desk: &Desk, saved: &[PathBuf], kept: &mut Kept) -> Result<Answer, Error> {
    let start = Instant::now();
    let question = Question::default();
    let protocols = of_class(models(&question)?.0, &question)?;
    let (programs, problems) = match units_alone(desk, saved, kept)? {
        Some(programs) => (programs, Vec::new()),
        None => built(desk, kept)?,
    };
    let compiling = start.elapsed();
    let programs = with_models(desk, &programs, kept)?;
    let options = Options { work: kept.work, ..options_of(&question) };
    let looked = looked_through(desk, &programs, &protocols, options, &mut kept.looked);
    kept.how.compiling = compiling;
    kept.how.checking = start.elapsed() - compiling;
    kept.how.analysed = looked.analysed;
    kept.how.work = looked.work;
    told_of(desk, (looked, problems), protocols, (&question, None), start)
}

/// A program or library, and the ids of its units.
type Linked = (PathBuf, Vec<String>);

/// What the last build linked, with the units that have changed since compiled again; `None` where that does not tell what the program
/// is now.
fn units_alone(desk: &Desk, saved: &[PathBuf], kept: &mut Kept) -> Result<Option<Vec<Linked>>, Error> {
    let Ok(store) = desk.store() else { return Ok(None) };
    let linked = linked(&store)?;
    if linked.is_empty() {
        return Ok(None);
    }
    let ids: BTreeSet<&String> = linked.iter().flat_map(|(_, units)| units).collect();
    kept.units.retain(|id, _| ids.contains(id));
    kept.compiled.retain(|id, _| ids.contains(id));
    let mut stale = Vec::new();
    let mut unknown: Vec<&PathBuf> = saved.iter().collect();
    for id in ids {
        let known = match kept.units.get(id) {
            Some(known) => Arc::clone(known),
            None => Arc::new(unit(&store, id).map_err(crate_error)?),
        };
        kept.units.insert(id.clone(), Arc::clone(&known));
        // Only cargo knows what of a crate has to be compiled again.
        if known.rust || known.dependencies.is_empty() {
            return Ok(None);
        }
        let now = kept.compiled.get(id);
        unknown.retain(|saved| !reads(now.unwrap_or(&known), saved));
        let changed = changed_since(&known);
        // The build may have ways without a file that is gone, or make it again.
        if changed.iter().any(|path| !path.exists()) {
            return Ok(None);
        }
        if changed.is_empty() {
            kept.compiled.remove(id);
        } else if now.is_none_or(|now| !changed_since(now).is_empty()) {
            stale.push((id.clone(), known));
        }
    }
    // What no unit was compiled from may tell what is to be compiled.
    let is_known = |path: &Path| kept.units.values().any(|unit| reads(unit, path));
    if kept.unbuilt || !unknown.is_empty() || described::is_changed(&desk.project, &store, &is_known) {
        return Ok(None);
    }
    let compiled =
        Pool::of_cores().cancelled_by(Some(&desk.cancel)).run(&stale, |(_, unit)| compile_again(&store, unit));
    kept.how.compiled = Some(stale.len());
    for ((id, unit), compiled) in stale.iter().zip(compiled) {
        let source_file = unit.source.strip_prefix(&desk.project).unwrap_or(&unit.source).to_path_buf();
        let compiled = compiled.map_err(|reason| CheckError::NotCompiled { source_file, reason })?;
        kept.compiled.insert(id.clone(), compiled);
    }
    let now = |id: String| kept.compiled.get(&id).map_or(id, |unit| unit.id.clone());
    // In the order that they have after a build.
    let sorted = |units: Vec<String>| units.into_iter().map(now).collect::<BTreeSet<String>>().into_iter().collect();
    Ok(Some(linked.into_iter().map(|(path, units)| (path, sorted(units))).collect()))
}

/// Whether a unit was compiled from a file.
fn reads(unit: &Unit, path: &Path) -> bool {
    unit.dependencies.iter().any(|file| is_same(&file.path, path))
}

/// Whether two names are of one file.
fn is_same(path: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let linked = || path.file_name() == other.file_name() && real(path).is_some_and(|path| Some(path) == real(other));
    path == other || linked()
}

fn crate_error(error: whydunit_capture::Error) -> Error {
    whydunit_desk::Error::from(error).into()
}

/// Programs and libraries of the last build, each with its units and those of the libraries that it is linked with.
fn linked(store: &Store) -> Result<Vec<Linked>, Error> {
    let mut linked = Vec::new();
    for product in products(store).map_err(crate_error)? {
        let recipes = closure(store, &product.link_id).map_err(crate_error)?;
        let units: BTreeSet<String> = recipes.into_iter().flat_map(|recipe| recipe.units).collect();
        linked.push((product.path, units.into_iter().collect()));
    }
    Ok(linked)
}

/// The same after the project's own build, and what should be known.
fn built(desk: &Desk, kept: &mut Kept) -> Result<(Vec<Linked>, Vec<String>), Error> {
    kept.how.compiled = None;
    kept.compiled.clear();
    kept.unbuilt = true;
    let project = desk.open_project()?;
    prepare::built(desk, &project)?;
    kept.unbuilt = false;
    Ok((linked(&desk.store()?)?, Vec::new()))
}

/// The models of programs. Those of units that were made into models already are taken as they are.
fn with_models(desk: &Desk, linked: &[Linked], kept: &mut Kept) -> Result<Vec<ProgramModel>, Error> {
    let store = desk.store()?;
    let ids: BTreeSet<&String> = linked.iter().flat_map(|(_, units)| units).collect();
    kept.models.retain(|id, _| ids.contains(id));
    let missing: Vec<&String> = ids.into_iter().filter(|id| !kept.models.contains_key(*id)).collect();
    let model = |id: &&String| match whydunit_workbench::kept_model(&store, id) {
        Ok(Some(model)) => Some(model),
        // Of a unit that cannot be read nothing is found; `check` says why.
        _ => lowered(&store, id).ok(),
    };
    let made = Pool::of_cores().cancelled_by(Some(&desk.cancel)).stack(STACK).run(&missing, model);
    let made = missing.iter().zip(made).filter_map(|(id, model)| Some(((*id).clone(), Arc::new(model?))));
    kept.models.extend(made);
    let models = |units: &Vec<String>| units.iter().filter_map(|id| kept.models.get(id).cloned()).collect();
    Ok(linked.iter().map(|(path, units)| ProgramModel { output: path.clone(), modules: models(units) }).collect())
}
