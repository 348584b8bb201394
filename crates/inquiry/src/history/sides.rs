//! The versions of a repository as they are built: with the configuration that the user gives.

use std::path::Path;
use std::sync::Arc;

use whydunit_changes::{File, Mode, Repository, Revision, Tree};
use whydunit_suite::{Config, FILE_NAME, HistoryConfig};

use super::HistoryError;
use crate::Error;

/// Reads versions.
pub struct Sides {
    /// The repository.
    pub repository: Repository,
    /// A configuration, and whether it goes before that of a version.
    config: Option<(Arc<[u8]>, bool)>,
}

impl Sides {
    /// For a repository; `config` is laid over all versions. Without one, that of the work tree is added to those that have none.
    pub fn new(repository: Repository, folder: &Path, config: Option<&Path>) -> Result<Self, Error> {
        let read = |path: &Path| std::fs::read(path);
        let config = match config {
            Some(path) => {
                let bytes = read(path).map_err(|source| HistoryError::Unread { path: path.to_path_buf(), source })?;
                // A mistake in it is told here, not of each version.
                Config::read(path)?;
                Some((bytes.into(), true))
            }
            None => read(&folder.join(FILE_NAME)).ok().map(|bytes| (bytes.into(), false)),
        };
        Ok(Self { repository, config })
    }

    /// A version.
    pub fn tree(&self, revision: &Revision) -> Result<Tree, Error> {
        let mut tree = self.repository.tree(revision)?;
        if let Some((bytes, first)) = &self.config
            && (*first || !tree.files.contains_key(FILE_NAME))
        {
            tree.files.insert(FILE_NAME.to_owned(), File { bytes: bytes.clone(), mode: Mode::Plain });
        }
        // What is kept of runs is no part of a version.
        tree.files.retain(|path, _| !path.starts_with(".whydunit/"));
        Ok(tree)
    }
}

/// How fixes and tests are told in a repository: by a configuration that was given, or by that of the work tree.
pub fn configured(config: Option<&Path>, folder: &Path) -> Result<HistoryConfig, Error> {
    let file = config.map_or_else(|| folder.join(FILE_NAME), Path::to_path_buf);
    if !file.is_file() {
        return Ok(HistoryConfig::default());
    }
    Ok(Config::read(&file)?.history)
}
