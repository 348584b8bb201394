//! Paths as the suite needs them.

use std::path::{Component, Path, PathBuf};

/// `path` as seen from `folder`, absolute and without `.` components. Symbolic links stay.
pub(crate) fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let joined = folder.join(path);
    let whole = std::path::absolute(&joined).unwrap_or(joined);
    whole.components().filter(|component| *component != Component::CurDir).collect()
}

/// Whether a path stays below the folder that it is taken from.
pub(crate) fn stays_inside(path: &Path) -> bool {
    let mut any = false;
    path.components().all(|component| {
        any |= matches!(component, Component::Normal(_));
        matches!(component, Component::Normal(_) | Component::CurDir)
    }) && any
}
