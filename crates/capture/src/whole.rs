//! The bitcode of a whole program in one module, for other tools.

use std::{collections::HashSet, fs, path::PathBuf, process::Command};

use whydunit_face::store::Store;
use whydunit_llvm::{Linkage, Module, Value};

use crate::{Error, program};

/// Links the bitcode of a program and of the project's libraries that it is linked with. Where two modules define the same
/// name the first one counts, as for the dynamic linker; the others keep theirs for themselves.
pub fn whole_program_bitcode(store: &Store, link_id: &str) -> Result<PathBuf, Error> {
    let folder = store.root().join("whole");
    fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
    let mut units: Vec<String> = Vec::new();
    for unit in program::closure(store, link_id)?.into_iter().flat_map(|recipe| recipe.units) {
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    let mut defined = HashSet::new();
    let (mut inputs, mut temporary) = (Vec::new(), Vec::new());
    for unit in &units {
        let path = store.bitcode(unit);
        let bitcode = program::bitcode(store, unit)?;
        let mut module = Module::parse(&bitcode, unit).map_err(|error| Error::Module(error.to_string()))?;
        if hide_known(&mut module, &mut defined) {
            let changed = store.temporary(".bc");
            store.write(&changed, &module.bitcode())?;
            temporary.push(changed.clone());
            inputs.push(changed);
        } else {
            inputs.push(path);
        }
    }
    let output = store.temporary(".bc");
    let run = Command::new("llvm-link-22").args(&inputs).arg("-o").arg(&output).output();
    for path in temporary {
        let _ = fs::remove_file(path);
    }
    let tool = || "llvm-link-22 (Debian: apt-get install llvm-22)".to_owned();
    let run = run.map_err(|error| Error::Tool { tool: tool(), message: error.to_string() })?;
    if !run.status.success() {
        let _ = fs::remove_file(&output);
        return Err(Error::Tool { tool: tool(), message: String::from_utf8_lossy(&run.stderr).trim().to_owned() });
    }
    let place = folder.join(format!("{link_id}.bc"));
    store.rename(&output, &place)?;
    Ok(place)
}

/// Makes strong definitions of names that are defined already internal.
fn hide_known(module: &mut Module, defined: &mut HashSet<String>) -> bool {
    let mut changed = false;
    let strong = |value: &Value| !value.is_declaration() && value.linkage() == Linkage::LLVMExternalLinkage;
    for value in module.functions().chain(module.globals()).filter(strong) {
        if !defined.insert(value.name()) {
            value.set_linkage(Linkage::LLVMInternalLinkage);
            changed = true;
        }
    }
    changed
}
