//! What can go wrong with versions.

use std::path::{Path, PathBuf};

/// Why a version cannot be read or laid out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file system.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What.
        source: std::io::Error,
    },
    /// git cannot be started.
    #[error("git cannot be run: {0}")]
    NoGit(std::io::Error),
    /// git said no.
    #[error("git {command}: {message}")]
    Git {
        /// Its arguments.
        command: String,
        /// What it said.
        message: String,
    },
    /// The folder is in no repository.
    #[error("{folder} is in no git repository", folder = folder.display())]
    NoRepository {
        /// The folder.
        folder: PathBuf,
    },
    /// No such revision.
    #[error("there is no revision `{revision}` in {folder}", folder = folder.display())]
    NoRevision {
        /// As asked.
        revision: String,
        /// The repository.
        folder: PathBuf,
    },
    /// A commit of a submodule that is not here.
    #[error("`{revision}` needs commit {commit} of the submodule {submodule}, which has no such commit here")]
    NoCommit {
        /// The object's name.
        commit: String,
        /// The revision that names it.
        revision: String,
        /// The submodule's folder.
        submodule: String,
    },
    /// Two revisions that have nothing to do with each other.
    #[error("`{old}` and `{new}` have no common ancestor")]
    Unrelated {
        /// One.
        old: String,
        /// The other.
        new: String,
    },
    /// The project has no files there.
    #[error("revision `{revision}` has no files in {folder}")]
    Empty {
        /// As asked.
        revision: String,
        /// The project's folder in the repository.
        folder: String,
    },
    /// A file that would not lie in the folder of its version.
    #[error("the file `{file}` would be written outside of the version's folder: a patch or a revision names it so")]
    Outside {
        /// Its path.
        file: String,
    },
    /// More than can be compared.
    #[error(
        "{what} holds more than {limit} MB of files: name a smaller project folder, or leave out what is generated"
    )]
    TooLarge {
        /// Folder or revision.
        what: String,
        /// The limit.
        limit: u64,
    },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
        move |source| Error::Io { path: path.to_path_buf(), source }
    }
}
