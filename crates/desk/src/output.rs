//! The file that an answer is written to.

use std::fs::{File, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::Error;

/// A file that will hold the answer whole, or stay what it is.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    /// Written beside first and renamed, which a pipe or a device cannot be.
    regular: bool,
}

impl Output {
    /// Sees that it can be written, before the work is done. Nothing is left beside it if the work never ends.
    pub fn open(path: &Path) -> Result<Self, Error> {
        // What a link leads to is written, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if path.is_dir() {
            return Err(Error::OutputIsFolder(path));
        }
        let regular = path.is_file() || !path.exists();
        if regular {
            beside(&path).map(drop).map_err(|source| Error::OutputClosed { path: path.clone(), source })?;
        }
        Ok(Self { path, regular })
    }

    /// Writes the answer.
    pub fn write(self, bytes: &[u8]) -> Result<(), Error> {
        let replaced = || {
            let mut temporary = beside(&self.path)?;
            temporary.write_all(bytes)?;
            temporary.as_file().sync_all()?;
            temporary.persist(&self.path).map(drop).map_err(|error| error.error)
        };
        let written = match self.regular {
            true => replaced(),
            false => File::options().write(true).open(&self.path).and_then(|mut file| file.write_all(bytes)),
        };
        written.map_err(|source| Error::OutputUnwritten { path: self.path, source })
    }
}

/// A new file in the same folder, so that renaming does it; it goes when it is dropped.
fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".whydunit-")
        // As any new file: less what the user's mask takes away.
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_changes_only_when_the_answer_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("answer");
        std::fs::write(&path, "old").expect("a file");
        drop(Output::open(&path).expect("it can be written"));
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "old");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("answer", &link).expect("a link");
        Output::open(&link).expect("it can be written").write(b"new").expect("it is written");
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "new");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_told_before_the_work() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Output::open(folder.path()).is_err());
        assert!(Output::open(&folder.path().join("gone/answer")).is_err());
    }

    #[test]
    fn devices_stay_devices() {
        Output::open(Path::new("/dev/null")).expect("it can be written").write(b"x").expect("it is written");
        assert!(!Path::new("/dev/null").is_file());
    }
}
