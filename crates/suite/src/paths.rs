//! Paths as the suite needs them.

use std::path::{Component, Path, PathBuf};

/// The folder in a project for what this program keeps.
pub const STORE: &str = ".whydunit";

/// `path` as seen from `folder`, absolute and without `.` components. Symbolic links stay.
pub(crate) fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let joined = folder.join(path);
    let whole = std::path::absolute(&joined).unwrap_or(joined);
    whole.components().filter(|component| *component != Component::CurDir).collect()
}

/// The folder of what this program keeps of the project in `folder`: `.whydunit` there, or, where it is not there and
/// cannot be made, one in the user's cache.
pub fn store_of(folder: &Path) -> PathBuf {
    let own = folder.join(STORE);
    if own.exists() || nix::unistd::access(folder, nix::unistd::AccessFlags::W_OK).is_ok() {
        return own;
    }
    // One name for each folder, that can be read.
    let name = folder.to_string_lossy().replace('%', "%25").replace('/', "%");
    cache().map_or(own, |cache| cache.join(name))
}

/// The folder in the user's cache for what is kept of projects whose folders cannot be written, whether it is there or not; `None`
/// where neither `XDG_CACHE_HOME` nor `HOME` is set.
pub fn cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(caches.join("whydunit"))
}

/// Whether a path stays below the folder that it is taken from.
pub(crate) fn stays_inside(path: &Path) -> bool {
    let mut any = false;
    path.components().all(|component| {
        any |= matches!(component, Component::Normal(_));
        matches!(component, Component::Normal(_) | Component::CurDir)
    }) && any
}
