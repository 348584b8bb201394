//! What was built of a project already, given to a copy of it: cargo makes anew only what has other sources.

use std::fs;
use std::io;
use std::path::Path;

/// Where builds are in what is kept of a project.
const BUILT: &str = "build";
/// What cargo writes into its folders and nobody else.
const OF_CARGO: &str = ".rustc_info.json";
/// What a build under capture keeps besides, by its content.
const CAPTURED: [&str; 7] = [BUILT, "version", "bitcode", "units", "objects", "models", "compiles"];

/// Copies what cargo has built of a project into a folder that the sources of a version lie in, with its dates, which are older than
/// those of the sources; `captured`: with what was captured of it. Nothing where another tool built it: what these make knows where
/// it lies.
pub fn sow(project: &Path, folder: &Path, captured: bool) -> io::Result<()> {
    let (from, to) = (whydunit_suite::store_of(project), whydunit_suite::store_of(folder));
    if !from.join(BUILT).join(OF_CARGO).is_file() {
        return Ok(());
    }
    let parts = if captured { &CAPTURED[..] } else { &CAPTURED[..1] };
    for part in parts.iter().filter(|part| from.join(part).exists()) {
        fs::create_dir_all(&to)?;
        copied(&from.join(part), &to.join(part))?;
    }
    Ok(())
}

/// Copies a file, or a folder with all that is in it.
fn copied(from: &Path, to: &Path) -> io::Result<()> {
    let about = fs::metadata(from)?;
    if about.is_file() {
        fs::copy(from, to)?;
        return fs::File::open(to)?.set_modified(about.modified()?);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() || kind.is_file() {
            copied(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn what_cargo_has_built_is_there_with_its_dates() {
        let place = tempfile::tempdir().unwrap();
        let project = place.path().join("project");
        let store = whydunit_suite::store_of(&project);
        fs::create_dir_all(store.join("build/debug")).unwrap();
        fs::create_dir_all(store.join("units")).unwrap();
        fs::write(store.join("build/debug/a"), "a").unwrap();
        fs::write(store.join("units/b"), "b").unwrap();
        let sown = |name: &str, captured: bool| {
            let folder = place.path().join(name);
            fs::create_dir_all(&folder).unwrap();
            sow(&project, &folder, captured).unwrap();
            let store = whydunit_suite::store_of(&folder);
            [store.join("build/debug/a"), store.join("units/b")]
        };
        // It is not cargo's folder, as far as it says.
        assert_eq!(sown("one", true).map(|path| path.exists()), [false, false]);
        fs::write(store.join("build").join(OF_CARGO), "{}").unwrap();
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        fs::File::open(store.join("build/debug/a")).unwrap().set_modified(old).unwrap();
        let [built, captured] = sown("two", false);
        assert_eq!((fs::metadata(built).unwrap().modified().unwrap(), captured.exists()), (old, false));
        assert_eq!(sown("three", true).map(|path| path.exists()), [true, true]);
    }
}
