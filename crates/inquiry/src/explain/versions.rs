//! The two versions that are asked about.

use std::path::{Path, PathBuf};

use whydunit_changes::{Repository, Revision, Tree};

use super::error::ExplainError;
use crate::Error;

/// Two versions of a project.
pub struct Versions {
    /// How the good one was named.
    pub good: String,
    /// How the bad one was named.
    pub bad: String,
    /// The good one's files.
    pub old: Tree,
    /// The bad one's files.
    pub new: Tree,
    /// The revisions, where both are.
    pub revisions: Option<(Repository, Revision, Revision)>,
    /// What should be known.
    pub notes: Vec<String>,
}

/// What was asked for.
pub struct Asked<'a> {
    /// The good version: a git revision, or a folder.
    pub good: &'a str,
    /// None: what lies in the project's folder.
    pub bad: Option<&'a str>,
}

impl Versions {
    /// Reads them.
    pub fn read(project: &Path, asked: &Asked<'_>) -> Result<Self, Error> {
        let folder = |name: &str| -> Option<PathBuf> {
            let path = Path::new(name);
            (name.contains('/') || path.is_dir()).then(|| path.to_path_buf()).filter(|path| path.is_dir())
        };
        let repository = Repository::of(project);
        let mut notes = Vec::new();
        let revision = |name: &str| -> Result<(Tree, Revision), Error> {
            let repository = match &repository {
                Ok(repository) => repository,
                Err(error) => {
                    let reason = error.to_string();
                    return Err(ExplainError::NoVersion { name: name.to_owned(), reason }.into());
                }
            };
            let revision = repository.revision(name)?;
            Ok((repository.tree(&revision)?, revision))
        };
        let (old, good) = match folder(asked.good) {
            Some(path) => (of_folder(&path)?, None),
            None => revision(asked.good).map(|(tree, revision)| (tree, Some(revision)))?,
        };
        let (new, bad, name) = match asked.bad {
            Some(name) => match folder(name) {
                Some(path) => (of_folder(&path)?, None, name.to_string()),
                None => revision(name).map(|(tree, revision)| (tree, Some(revision), name.to_string()))?,
            },
            None => {
                let head = repository.as_ref().ok().and_then(|repository| repository.revision("HEAD").ok());
                (as_it_is(project)?, head, "the files as they are".to_string())
            }
        };
        if let Ok(repository) = &repository
            && let (Some(good), Some(bad)) = (&good, &bad)
        {
            repository.related(good, bad)?;
            let absent =
                [good, bad].map(|revision| repository.absent(revision)).into_iter().collect::<Result<Vec<_>, _>>();
            let mut absent = absent?.concat();
            absent.sort_unstable();
            absent.dedup();
            if !absent.is_empty() {
                notes.push(format!("submodules that are not checked out are left out: {}", absent.join(", ")));
            }
        }
        let revisions = match (repository, good, bad) {
            (Ok(repository), Some(good), Some(bad)) => Some((repository, good, bad)),
            _ => None,
        };
        Ok(Self { good: asked.good.to_string(), bad: name, old, new, revisions, notes })
    }

    /// The project's files without a patch and with it: the patch is in them, or applies to them.
    pub fn around(project: &Path, path: &Path) -> Result<Self, Error> {
        let patch = read_patch(path)?;
        let here = as_it_is(project)?;
        let name = path.display();
        let files = "the files as they are".to_string();
        let (good, bad, old, new) = match (here.without_patch(&patch), here.with_patch(&patch)) {
            (Ok(old), _) => (format!("the files without {name}"), files, old, here),
            (Err(_), Ok(new)) => (files, format!("the files with {name}"), here, new),
            (Err(back), Err(forward)) => {
                return Err(ExplainError::PatchOfAnother { path: path.to_path_buf(), back, forward }.into());
            }
        };
        Ok(Self { good, bad, old, new, revisions: None, notes: Vec::new() })
    }
}

/// A patch, read from a file.
pub fn read_patch(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| ExplainError::Unread { path: path.to_path_buf(), source }.into())
}

/// The project's files as they are: those that git knows or would know, where there is git.
pub fn as_it_is(project: &Path) -> Result<Tree, Error> {
    match Repository::of(project) {
        Ok(repository) => repository.work_tree().map_err(Error::from),
        Err(_) => of_folder(project),
    }
}

/// A folder's files, without those of git and of ours.
fn of_folder(folder: &Path) -> Result<Tree, Error> {
    let leave = |path: &str| path.split('/').any(|part| part == ".git" || part == ".whydunit");
    Ok(Tree::of_folder(folder, &leave)?)
}
