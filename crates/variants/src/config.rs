//! The configuration of a version.

use std::path::{Path, PathBuf};

use whydunit_suite::{Config, Discovered};

use crate::Error;

/// What the files in `folder` say, or lead to; `executable` is what the tests run, relative to it, where it is known.
pub fn configured(folder: &Path, executable: Option<&Path>) -> Result<Config, Error> {
    let file = folder.join(whydunit_suite::FILE_NAME);
    let found = if file.is_file() {
        whydunit_suite::complete(Config { folder: folder.to_path_buf(), ..Config::read(&file)? })
    } else {
        whydunit_suite::discover(folder)?
    };
    let Discovered { mut config, .. } = found;
    if config.executable().is_none() {
        config.build.executable = executable.map(PathBuf::from);
    }
    Ok(config)
}
