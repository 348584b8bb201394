//! What a run of flavours needs around it.

use std::{
    env,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use whydunit_face::{recipe::Kind, store::Store};
use whydunit_observe::Folder;

use crate::flavour::{self, Flavour, runtime::install};
use crate::{Error, faces, program};

/// Variables under which scripts and `make check`, which run the products in their place, run the flavours. Recordings
/// (`p.PID.N`) or flags (`s.PID.N`) go to `folder`, which must exist.
pub fn run_environment(store: &Store, flavour: Flavour, folder: &Path) -> Result<Vec<(OsString, OsString)>, Error> {
    let mut environment = in_their_place(&[&install(store)?.redirect], store.flavour(flavour.name()));
    let variable = match flavour {
        Flavour::Record => "WHYDUNIT_RECORD_DIR",
        Flavour::Spectrum => "WHYDUNIT_SPECTRUM_DIR",
        Flavour::Plain => return Ok(environment),
    };
    environment.push((variable.into(), folder.as_os_str().to_owned()));
    Ok(environment)
}

/// Variables under which what lies in a folder under link ids runs in the place of programs that were built; `libraries` are preloaded,
/// before those that the caller has.
fn in_their_place(libraries: &[&Path], folder: PathBuf) -> Vec<(OsString, OsString)> {
    let own = libraries.iter().map(|library| library.as_os_str().to_owned());
    let others = env::var_os("LD_PRELOAD").filter(|others| !others.is_empty());
    let preload: Vec<OsString> = own.chain(others).collect();
    vec![("LD_PRELOAD".into(), preload.join(OsStr::new(":"))), ("WHYDUNIT_FLAVOUR_DIR".into(), folder.into_os_string())]
}

/// Makes the folder `root`, which must exist, one in which runs of the programs that were built are observed; with the variables under
/// which a command runs for that.
pub fn observing(store: &Store, root: &Path) -> Result<(Folder, Vec<(OsString, OsString)>), Error> {
    let installed = install(store)?;
    let programs = program::products(store)?.into_iter().filter(|product| product.kind == Kind::Executable);
    let programs: Vec<(String, PathBuf)> = programs.map(|product| (product.link_id, product.path)).collect();
    let folder = Folder::make(root, &faces::face_program(None)?, &programs)?;
    let mut environment = in_their_place(&[&installed.redirect, &installed.opened], folder.observers());
    environment.extend(folder.environment(&installed.opened));
    Ok((folder, environment))
}

/// What to start in the place of `program`: its flavour where it is a product that has one, else itself. The environment
/// of [`run_environment`] does that for whatever a program starts, but not for the first one.
pub fn run_path(store: &Store, flavour: Flavour, program: &Path) -> PathBuf {
    let copy = program::link_id_of(program).map(|(id, _)| flavour::flavour_path(store, &id, flavour));
    copy.ok().filter(|copy| copy.exists()).unwrap_or_else(|| program.to_owned())
}
