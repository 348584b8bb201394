//! The classes of a captured program.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use whydunit_capture::face::{context::normalise, depend, recipe::Dependency};
use whydunit_capture::{Store, closure, products, unit};
use whydunit_classes::{Class, Options, gather};
use whydunit_model::paths;

use crate::Error;
use crate::load::model;

/// The classes of all that was built, with their methods; and the units without a program model, in sentences. The models
/// must have been made: see [`Project::flavours`](crate::Project::flavours).
pub fn classes(store: &Store, options: Options) -> Result<(Vec<Class>, Vec<String>), Error> {
    let mut units = BTreeSet::new();
    for product in products(store)? {
        units.extend(closure(store, &product.link_id)?.into_iter().flat_map(|recipe| recipe.units));
    }
    let (mut models, mut problems) = (Vec::new(), Vec::new());
    let mut dependencies: HashMap<PathBuf, Dependency> = HashMap::new();
    for id in units {
        let unit = unit(store, &id)?;
        match model(store, &id) {
            Ok(model) => models.push(model),
            Err(reason) => problems.push(format!("{}: its program model {reason}", unit.source.display())),
        }
        dependencies.extend(unit.dependencies.into_iter().map(|dependency| (dependency.path.clone(), dependency)));
    }
    // Lines of a source that has changed since are no longer those of the program. One that the store does not describe is
    // taken as it is.
    let text = |file: &str| {
        let path = normalise(file.as_ref());
        let current = dependencies.get(&path).is_none_or(depend::is_current);
        current.then(|| std::fs::read_to_string(&path).ok()).flatten()
    };
    let paths = dependencies.keys().map(|path| path.to_string_lossy().into_owned());
    let wanted = |path: &String| path.ends_with(".rs") && (options.libraries || !paths::is_library(path));
    let mut sources: Vec<String> = paths.filter(wanted).collect();
    sources.sort();
    Ok((gather(&models, &sources, &text, options), problems))
}
