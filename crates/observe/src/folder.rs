//! The folder of an observation.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::Error;

/// The libraries that are loaded into the program under test, for observers.
pub(crate) const LIBRARIES_VARIABLE: &str = "WHYDUNIT_OBSERVED_PRELOAD";
/// Where processes write down what they open.
pub(crate) const OPENED_VARIABLE: &str = "WHYDUNIT_OPENED";
/// Set for the program under test and what it starts: no observer takes their place.
pub(crate) const RUN_VARIABLE: &str = "WHYDUNIT_OBSERVED_RUN";

const MARK: &str = "observation";
const OBSERVERS: &str = "observers";
const RUNS: &str = "runs";

/// Where an observation lies: observers under the link ids of the programs that they stand for, the runs, and the log of what the
/// processes of the command opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Makes it at `root`, which must be there, for programs by link id and path; `observer` is the program that observes.
    pub fn make(root: &Path, observer: &Path, programs: &[(String, PathBuf)]) -> Result<Self, Error> {
        let folder = Self { root: root.to_owned() };
        for made in [folder.observers(), folder.runs()] {
            fs::create_dir_all(&made).map_err(Error::io(&made))?;
        }
        let first = folder.root.join("observer");
        fs::copy(observer, &first).map_err(Error::io(&first))?;
        fs::set_permissions(&first, fs::Permissions::from_mode(0o755)).map_err(Error::io(&first))?;
        for (id, program) in programs {
            // Its own name tells an observer what it stands for.
            let link = folder.observers().join(id);
            fs::hard_link(&first, &link).map_err(Error::io(&link))?;
            let path = link.with_extension("program");
            fs::write(&path, program.as_os_str().as_bytes()).map_err(Error::io(&path))?;
        }
        let mark = folder.root.join(MARK);
        fs::write(&mark, "").map_err(Error::io(&mark))?;
        Ok(folder)
    }

    /// That of the observer at `path`; `None` where the program is no observer.
    pub(crate) fn of_observer(path: &Path) -> Option<Self> {
        let observers = path.parent().filter(|folder| folder.ends_with(OBSERVERS))?;
        let root = observers.parent().filter(|root| root.join(MARK).exists())?;
        Some(Self { root: root.to_owned() })
    }

    /// The program that the observer under this name stands for.
    pub(crate) fn program(&self, id: &str) -> Result<PathBuf, Error> {
        let path = self.observers().join(id).with_extension("program");
        let bytes = fs::read(&path).map_err(Error::io(&path))?;
        Ok(PathBuf::from(std::ffi::OsStr::from_bytes(&bytes)))
    }

    /// Variables under which a command is observed, besides the flavours' folder, which is that of [`Folder::observers`], and what is
    /// preloaded; `opened` is the library that tells of opened files, which the programs under test load, too.
    pub fn environment(&self, opened: &Path) -> [(OsString, OsString); 2] {
        [(OPENED_VARIABLE.into(), self.log().into()), (LIBRARIES_VARIABLE.into(), opened.into())]
    }

    /// What is started in the place of the program with this link id; `None` where it is no program of the project.
    pub fn observer(&self, id: &str) -> Option<PathBuf> {
        Some(self.observers().join(id)).filter(|path| path.is_file())
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the observers, under the link ids of their programs.
    pub fn observers(&self) -> PathBuf {
        self.root.join(OBSERVERS)
    }

    pub(crate) fn runs(&self) -> PathBuf {
        self.root.join(RUNS)
    }

    /// What the processes of the command opened.
    pub(crate) fn log(&self) -> PathBuf {
        self.root.join("opened")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_observer_knows_its_folder_and_its_program() {
        let root = tempfile::tempdir().expect("a folder");
        let own = std::env::current_exe().expect("this program");
        let programs = [("ab12".to_owned(), PathBuf::from("/project/tool"))];
        let folder = Folder::make(root.path(), &own, &programs).expect("it is made");
        let observer = root.path().join("observers/ab12");
        assert!(observer.is_file());
        assert_eq!(Folder::of_observer(&observer), Some(folder.clone()));
        assert_eq!(folder.program("ab12").expect("it is known"), Path::new("/project/tool"));
        assert_eq!((folder.observer("ab12"), folder.observer("ab13")), (Some(observer), None));
        assert_eq!(Folder::of_observer(&own), None);
    }
}
