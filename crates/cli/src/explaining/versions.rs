//! The two versions that are asked about.

use std::path::{Path, PathBuf};

use whydunit_changes::{Error, Repository, Revision, Tree};
use whydunit_findings::Exit;

use crate::failure::{Failure, OrFail};

/// Two versions of a project.
pub struct Versions {
    /// How the good one was named.
    pub good: String,
    /// How the bad one was named.
    pub bad: String,
    pub old: Tree,
    pub new: Tree,
    /// The revisions, where both are.
    pub revisions: Option<(Repository, Revision, Revision)>,
    /// What should be known.
    pub notes: Vec<String>,
}

/// What was asked for.
pub struct Asked<'a> {
    pub good: &'a str,
    /// None: what lies in the project's folder.
    pub bad: Option<&'a str>,
}

impl Versions {
    /// Reads them.
    pub fn read(project: &Path, asked: &Asked<'_>) -> Result<Self, Failure> {
        let folder = |name: &str| -> Option<PathBuf> {
            let path = Path::new(name);
            (name.contains('/') || path.is_dir()).then(|| path.to_path_buf()).filter(|path| path.is_dir())
        };
        let repository = Repository::of(project);
        let mut notes = Vec::new();
        let revision = |name: &str| -> Result<(Tree, Revision), Failure> {
            let repository = match &repository {
                Ok(repository) => repository,
                Err(error) => {
                    return Err(Failure::usage(error)
                        .advice(format!("`{name}` is no folder either: name one, or a git revision")));
                }
            };
            let revision = repository.revision(name).map_err(failed)?;
            Ok((repository.tree(&revision).map_err(failed)?, revision))
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
            repository.related(good, bad).map_err(failed)?;
            let absent =
                [good, bad].map(|revision| repository.absent(revision)).into_iter().collect::<Result<Vec<_>, _>>();
            let mut absent = absent.map_err(failed)?.concat();
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
    pub fn around(project: &Path, path: &Path) -> Result<Self, Failure> {
        let patch = read_patch(path)?;
        let here = as_it_is(project)?;
        let name = path.display();
        let files = "the files as they are".to_string();
        let (good, bad, old, new) = match (here.without_patch(&patch), here.with_patch(&patch)) {
            (Ok(old), _) => (format!("the files without {name}"), files, old, here),
            (Err(_), Ok(new)) => (files, format!("the files with {name}"), here, new),
            (Err(back), Err(forward)) => {
                return Err(Failure::usage(format!(
                    "the patch is not in the project's files ({back}), nor applies to them ({forward})"
                ))
                .at(name)
                .advice(
                    "give a patch that `git apply` or `git apply -R` would apply to the project's files as they are",
                ));
            }
        };
        Ok(Self { good, bad, old, new, revisions: None, notes: Vec::new() })
    }
}

/// A patch, read from a file.
pub fn read_patch(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).or_fail(Exit::Usage).map_err(|failure| failure.at(path.display()))
}

/// The project's files as they are: those that git knows or would know, where there is git.
pub fn as_it_is(project: &Path) -> Result<Tree, Failure> {
    match Repository::of(project) {
        Ok(repository) => repository.work_tree().map_err(failed),
        Err(_) => of_folder(project),
    }
}

fn failed(error: Error) -> Failure {
    let failure = Failure::usage(&error);
    match error {
        Error::NoRevision { .. } => {
            failure.advice("name a commit, a branch or a tag; `git log --oneline` lists commits")
        }
        Error::NoCommit { submodule, .. } => failure.advice(format!("fetch it: git -C {submodule} fetch --all")),
        Error::Unrelated { .. } => {
            failure.advice("name a good revision that the bad one was made from, or two folders")
        }
        _ => failure,
    }
}

/// A folder's files, without those of git and of ours.
fn of_folder(folder: &Path) -> Result<Tree, Failure> {
    let leave = |path: &str| path.split('/').any(|part| part == ".git" || part == ".whydunit");
    Tree::of_folder(folder, &leave).or_fail(Exit::Usage)
}
