//! One request on one project.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use whydunit_capture::Store;
use whydunit_workbench::Project;

use crate::{Cancel, Decisions, Error, Notes, Progress, ProjectSources, Silent, Task};

/// What a request is worked on with.
pub struct Desk {
    /// The project's folder, absolute.
    pub project: PathBuf,
    /// The project is not the folder that it was asked for in.
    pub elsewhere: bool,
    /// Ends the request.
    pub cancel: Cancel,
    progress: Arc<dyn Progress>,
    notes: RefCell<Notes>,
}

impl Desk {
    /// For the project in `folder`; fails where that is no folder.
    pub fn new(folder: &Path, cancel: Cancel, progress: Arc<dyn Progress>) -> Result<Self, Error> {
        let project = folder.canonicalize().map_err(|source| Error::NoFolder { path: folder.to_path_buf(), source })?;
        if !project.is_dir() {
            return Err(Error::NotAFolder(project));
        }
        Ok(Self { project, elsewhere: false, cancel, progress, notes: RefCell::default() })
    }

    /// The nearest folder from `start` upward that was set up for this program: it has a configuration, or was built. `None` where
    /// there is none.
    pub fn set_up_above(start: &Path) -> Option<&Path> {
        let set_up = |folder: &&Path| {
            folder.join(whydunit_suite::FILE_NAME).is_file() || whydunit_suite::store_of(folder).is_dir()
        };
        start.ancestors().find(set_up)
    }

    /// For another project, as a part of the same request; nobody is told of progress.
    pub fn quietly_in(&self, folder: &Path) -> Result<Self, Error> {
        Self::new(folder, self.cancel.clone(), Arc::new(Silent))
    }

    /// The same request for another thread, which takes its own notes; ended by `cancel`.
    pub fn beside(&self, cancel: Cancel) -> Self {
        let (project, progress) = (self.project.clone(), Arc::clone(&self.progress));
        Self { project, elsewhere: self.elsewhere, cancel, progress, notes: RefCell::default() }
    }

    /// The same request for a part of the work that ends at `deadline`; what is noted there is noted here.
    pub fn until<T>(&self, deadline: Option<Instant>, work: impl FnOnce(&Self) -> T) -> T {
        let Some(deadline) = deadline else { return work(self) };
        let part = self.beside(self.cancel.by(deadline));
        let done = work(&part);
        let Notes { changed_sources, shortfall } = part.take_notes();
        let mut notes = self.notes.borrow_mut();
        notes.changed_sources.extend(changed_sources);
        notes.shortfall = shortfall.or(notes.shortfall.take());
        done
    }

    /// Tells what the answer would be if the work ended now, in a line: the last one counts.
    pub fn so_far(&self, answer: &str) {
        self.progress.so_far(answer);
    }

    /// Begins something that may take long; it ends when the result is dropped. `total` is how many steps it has, where that is known.
    pub fn task(&self, name: &str, total: Option<u64>) -> Task {
        self.progress.task(name, total)
    }

    /// Tells what was decided of the project, where anything was.
    pub fn decided(&self, decisions: &[String]) {
        if !decisions.is_empty() {
            let configured = self.project.join(whydunit_suite::FILE_NAME).is_file();
            self.progress.decided(&Decisions { list: decisions.to_vec(), configured });
        }
    }

    /// Tells that something else has to end first.
    pub fn waits(&self, what_for: &str) {
        self.progress.waits(what_for);
    }

    /// Whether the end of the request was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The project, with its configuration.
    pub fn open_project(&self) -> Result<Project, Error> {
        Ok(Project::open(&self.project)?)
    }

    /// The store of the project; fails where it was never built.
    pub fn store(&self) -> Result<Store, Error> {
        Store::open(&whydunit_suite::store_of(&self.project)).map_err(|error| Error::NoStore(error.into()))
    }

    /// Notes beside the answer. A front end takes them when the answer is there.
    pub fn take_notes(&self) -> Notes {
        self.notes.take()
    }

    /// The answer will be less than what was asked for.
    pub fn note_shortfall(&self, error: Error) {
        self.notes.borrow_mut().shortfall = Some(error);
    }

    /// Lines of these files are not what the answer is about.
    pub fn note_changed(&self, sources: impl IntoIterator<Item = PathBuf>) {
        self.notes.borrow_mut().changed_sources.extend(sources);
    }

    /// The sources of the project, without the lines of those that are known to have changed since the program was built.
    pub fn sources(&self) -> ProjectSources {
        ProjectSources::new(&self.project).without(self.notes.borrow().changed_sources.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_the_nearest_folder_that_was_set_up() {
        let root = tempfile::tempdir().expect("a folder");
        let deep = root.path().join("a/b/c");
        std::fs::create_dir_all(&deep).expect("folders");
        assert_eq!(Desk::set_up_above(&deep), None);
        std::fs::write(root.path().join("a/whydunit.toml"), "").expect("a file");
        assert_eq!(Desk::set_up_above(&deep), Some(&*root.path().join("a")));
        std::fs::create_dir(root.path().join("a/b/.whydunit")).expect("a folder");
        assert_eq!(Desk::set_up_above(&deep), Some(&*root.path().join("a/b")));
    }
}
