//! The fresh folder that a case runs in.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::cases::Case;
use crate::error::Error;

/// A folder with `work`, where the case runs, and `tmp`, its TMPDIR. Removed at the end, whatever the case did to it.
pub(crate) struct Workspace {
    root: Option<tempfile::TempDir>,
    /// The working folder.
    pub work: PathBuf,
    /// For temporary files.
    pub tmp: PathBuf,
}

impl Workspace {
    /// Makes the folder and the case's files.
    pub(crate) fn new(case: &Case) -> Result<Self, Error> {
        let place = std::env::temp_dir();
        // Names are of one length: paths on a program's stack must not move its addresses.
        let root = tempfile::Builder::new().prefix("whydunit-").rand_bytes(8).tempdir_in(&place);
        let root = root.map_err(Error::io("create a working folder in", &place))?;
        let (work, tmp) = (root.path().join("work"), root.path().join("tmp"));
        for folder in [&work, &tmp] {
            fs::create_dir(folder).map_err(Error::io("create the working folder", folder))?;
        }
        for (name, content) in &case.files {
            let path = work.join(name);
            let bytes = content.read()?;
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(Error::io("create the folder", folder))?;
            }
            fs::write(&path, bytes).map_err(Error::io("write the case's file", &path))?;
        }
        Ok(Self { root: Some(root), work, tmp })
    }

    /// Removes it; says so where something stays.
    pub(crate) fn remove(mut self) -> Result<(), Error> {
        match self.root.take() {
            Some(root) => remove_tree(&root.keep()),
            None => Ok(()),
        }
    }
}

/// Removes a folder, also where it holds folders that nobody may enter.
fn remove_tree(root: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(root) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(root);
            ignore_missing(fs::remove_dir_all(root))
        }
        other => ignore_missing(other),
    }
    .map_err(Error::io("remove the working folder", root))
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn open_up(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // Links are not followed: `file_type` is the link's own.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}
