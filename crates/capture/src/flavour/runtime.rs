//! The libraries that objects of flavours call, installed in the store.

use std::path::PathBuf;

use whydunit_face::store::Store;
use whydunit_runtime::Installed;

use super::Flavour;
use crate::Error;

pub(crate) fn install(store: &Store) -> Result<Installed, Error> {
    whydunit_runtime::install(&store.runtime()).map_err(Error::io(store.runtime()))
}

/// The library that objects of a flavour call, installed in the store.
pub(crate) fn runtime_library(store: &Store, flavour: Flavour) -> Result<Option<PathBuf>, Error> {
    Ok(match flavour {
        Flavour::Plain => None,
        Flavour::Record => Some(install(store)?.so),
        Flavour::Spectrum => Some(install(store)?.spectrum),
    })
}
