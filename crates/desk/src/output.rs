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
    /// In the same folder, so that renaming does it; none where the file is no regular one (a pipe, a device).
    temporary: Option<NamedTempFile>,
}

impl Output {
    /// Sees that it can be written, before the work is done.
    pub fn open(path: &Path) -> Result<Self, Error> {
        // What a link leads to is written, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if path.is_dir() {
            return Err(Error::OutputIsFolder(path));
        }
        if path.exists() && !path.is_file() {
            return Ok(Self { path, temporary: None });
        }
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let temporary = tempfile::Builder::new()
            .prefix(".whydunit-")
            // As any new file: less what the user's mask takes away.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .map_err(|source| Error::OutputClosed { path: path.clone(), source })?;
        Ok(Self { path, temporary: Some(temporary) })
    }

    /// Writes the answer.
    pub fn write(self, bytes: &[u8]) -> Result<(), Error> {
        let written = match self.temporary {
            None => File::options().write(true).open(&self.path).and_then(|mut file| file.write_all(bytes)),
            Some(mut temporary) => temporary
                .write_all(bytes)
                .and_then(|()| temporary.as_file().sync_all())
                .and_then(|()| temporary.persist(&self.path).map(drop).map_err(|error| error.error)),
        };
        written.map_err(|source| Error::OutputUnwritten { path: self.path, source })
    }
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
