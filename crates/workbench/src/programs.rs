//! The program models of what was built.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use whydunit_capture::{Store, closure, products, unit};
use whydunit_model::Module;

use crate::Error;
use crate::load::model;

/// The units that are linked together.
pub struct ProgramModel {
    /// What they were linked to.
    pub output: PathBuf,
    /// Their models.
    pub modules: Vec<Arc<Module>>,
}

/// The programs and libraries that were built, with the models of their units; and the units without one, in sentences. The models
/// must have been made: see [`Project::flavours`](crate::Project::flavours).
pub fn programs(store: &Store) -> Result<(Vec<ProgramModel>, Vec<String>), Error> {
    let (mut programs, mut problems) = (Vec::new(), BTreeSet::new());
    let mut known: HashMap<String, Arc<Module>> = HashMap::new();
    for product in products(store)? {
        let units: BTreeSet<String> = closure(store, &product.link_id)?.into_iter().flat_map(|it| it.units).collect();
        let mut modules = Vec::new();
        for id in units {
            if let Some(module) = known.get(&id) {
                modules.push(Arc::clone(module));
                continue;
            }
            match model(store, &id) {
                Ok(module) => {
                    let module = Arc::new(module);
                    known.insert(id, Arc::clone(&module));
                    modules.push(module);
                }
                Err(reason) => {
                    let source = unit(store, &id)?.source;
                    problems.insert(format!("{}: its program model {reason}", source.display()));
                }
            }
        }
        programs.push(ProgramModel { output: product.path.clone(), modules });
    }
    Ok((programs, problems.into_iter().collect()))
}
