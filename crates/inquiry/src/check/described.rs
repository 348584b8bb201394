//! Whether what a project's build did the last time is still what it would do: what describes it, and which sources there are.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use whydunit_capture::Store;
use whydunit_variants::describes_build;

/// Names of sources that builds may pick up by themselves end so.
const SOURCES: [&str; 7] = ["c", "cc", "cpp", "cxx", "c++", "C", "cp"];

/// Whether something that tells what is to be built has changed since the last build: what describes it, or a source that no unit was
/// compiled from, which `is_known` holds for. Hidden folders are not looked at.
pub(super) fn is_changed(project: &Path, store: &Store, is_known: &dyn Fn(&Path) -> bool) -> bool {
    let Some(built) = last_build(store) else { return false };
    let mut folders: Vec<PathBuf> = vec![project.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten().filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if tells(&entry) && modified(&entry.path()).is_some_and(|it| it > built) && !is_known(&entry.path())
            {
                return true;
            }
        }
    }
    false
}

/// Whether a file may tell what is to be built, by its name.
fn tells(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let ending = Path::new(&name).extension().and_then(|ending| ending.to_str());
    let name = name.to_string_lossy();
    name == "whydunit.toml" || describes_build(&name) || ending.is_some_and(|ending| SOURCES.contains(&ending))
}

/// When the last build ended: it writes what it says and what it has made until then. `None` where nothing was built.
fn last_build(store: &Store) -> Option<SystemTime> {
    let entries = fs::read_dir(store.root().join("builds")).ok()?;
    entries.flatten().filter_map(|entry| modified(&entry.path())).max()
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|it| it.modified()).ok()
}
