//! What a run of flavours needs around it.

use std::{ffi::OsString, path::{Path, PathBuf}};

use whydunit_face::store::Store;

use crate::{Error, Flavour};

/// The library that objects of a flavour call, installed in the store.
pub(crate) fn runtime_library(_store: &Store, flavour: Flavour) -> Result<Option<PathBuf>, Error> {
    match flavour {
        Flavour::Plain => Ok(None),
        Flavour::Record | Flavour::Spectrum => Ok(None),
    }
}

/// Variables under which scripts and `make check`, which run the products in their place, run the flavours. Recordings,
/// or counters, go to `folder`.
pub fn run_environment(store: &Store, flavour: Flavour, folder: &Path) -> Result<Vec<(OsString, OsString)>, Error> {
    let mut environment = vec![("WHYDUNIT_FLAVOUR_DIR".into(), store.flavour(flavour.name()).into_os_string())];
    match flavour {
        Flavour::Record => environment.push(("WHYDUNIT_RECORD_DIR".into(), folder.as_os_str().to_owned())),
        Flavour::Spectrum => environment.push(("WHYDUNIT_SPECTRUM_DIR".into(), folder.as_os_str().to_owned())),
        Flavour::Plain => {}
    }
    Ok(environment)
}
