//! The folder of a catalogue: a file of all bugs, and a folder for each.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::json;
use whydunit_changes::{Changes, File, Mode, Repository, Revision, Tree};
use whydunit_desk::prepare;
use whydunit_findings::{History, HistoryBug};
use whydunit_history::{LineChanges, Screened, TestFiles};
use whydunit_suite::TRUTH;
use whydunit_variants::LOCK;

use super::examine::Bug;
use super::sides::Sides;
use super::{HistoryError, stored};
use crate::Error;

/// The configuration that all versions of a catalogue were built by, where one was given.
pub const CONFIG: &str = "config.toml";

/// A side of a fix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The parent with the tests of the fix.
    Pre,
    /// The parent as it was committed.
    Parent,
    /// The fix.
    Post,
}

/// Writes the file of all bugs: it is there whole, or as it was.
pub fn write(folder: &Path, text: &str) -> Result<(), Error> {
    let mut file = tempfile::Builder::new().prefix(".whydunit-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    let path = stored::file(folder);
    file.persist(&path).map_err(|error| whydunit_desk::Error::io(path)(error.error))?;
    Ok(())
}

/// Writes the folder of a bug: its patches, and where tests show it its code with the truth for `score`. A folder that is there is replaced.
pub fn keep(folder: &Path, bug: &Bug) -> Result<(), Error> {
    let whole = folder.join("bugs").join(&bug.told.id);
    let part = folder.join("bugs").join(format!(".{}", bug.told.id));
    prepare::removed(&part)?;
    fs::create_dir_all(&part)?;
    fs::write(part.join("fix.patch"), &bug.patch)?;
    if !bug.tests_patch.is_empty() {
        fs::write(part.join("tests.patch"), &bug.tests_patch)?;
    }
    if let Some(lock) = &bug.lock {
        fs::write(part.join(LOCK), &lock.bytes)?;
    }
    if let Some(minimised) = &bug.told.minimised {
        fs::write(part.join("minimal.patch"), &minimised.patch)?;
        let places: Vec<_> = minimised.places.iter().filter(|(file, _)| bug.told.files.contains(file)).collect();
        if !places.is_empty() {
            let project = part.join("project");
            fs::create_dir_all(&project)?;
            bug.before.lay_out(&project, &Tree::default())?;
            let lines: Vec<_> = places.iter().map(|(file, line)| json!({ "file": file, "line": line })).collect();
            let truth = json!({ "fault": lines, "kind": bug.told.kind, "test": bug.told.tests.first() });
            fs::write(project.join(TRUTH), truth.to_string() + "\n")?;
        }
    }
    prepare::removed(&whole)?;
    fs::rename(&part, &whole)?;
    Ok(())
}

/// Takes the bugs of a fix out of the catalogue, with their folders.
pub fn forget(folder: &Path, history: &mut History, fix: &str) -> Result<(), Error> {
    for bug in history.bugs.extract_if(.., |bug| bug.fix == fix) {
        prepare::removed(&folder.join("bugs").join(&bug.id))?;
    }
    Ok(())
}

/// Lays a side out, built as the catalogue's versions were.
pub fn check_out(history: &History, bug: &HistoryBug, side: Side, catalogue: &Path, to: &Path) -> Result<(), Error> {
    let is_empty = fs::read_dir(to)
        .map_or_else(|error| error.kind() == std::io::ErrorKind::NotFound, |mut of| of.next().is_none());
    if !is_empty {
        return Err(HistoryError::NotEmpty { folder: to.to_path_buf() }.into());
    }
    let folder = Path::new(&history.repository);
    let config = Some(catalogue.join(CONFIG)).filter(|path| path.is_file());
    let sides = Sides::new(Repository::of(folder)?, folder, config.as_deref())?;
    let tree = |id: &String| sides.tree(&Revision { name: id.clone(), commit: id.clone() });
    let mut tree = match side {
        Side::Post => tree(&bug.fix)?,
        Side::Parent => tree(&bug.parent)?,
        Side::Pre if !bug.left_out.is_empty() => {
            let path = catalogue.join("bugs").join(&bug.id).join("tests.patch");
            let damaged = |reason: String| HistoryError::Damaged { path: path.clone(), reason };
            let patch = fs::read_to_string(&path).map_err(|error| damaged(error.to_string()))?;
            tree(&bug.parent)?.with_patch(&patch).map_err(|error| damaged(error.to_string()))?
        }
        Side::Pre => {
            let changes = Changes::between(tree(&bug.parent)?, tree(&bug.fix)?, &|_| false);
            let patterns = super::sides::configured(config.as_deref(), folder)?.tests;
            let screened = Screened::of(&changes, &TestFiles { patterns });
            LineChanges::of(&changes, &screened).with(&[])
        }
    };
    if bug.locked {
        let path = catalogue.join("bugs").join(&bug.id).join(LOCK);
        let bytes = fs::read(&path).map_err(|source| HistoryError::Unread { path, source })?;
        tree.files.insert(LOCK.to_owned(), File { bytes: bytes.into(), mode: Mode::Plain });
    }
    fs::create_dir_all(to)?;
    tree.lay_out(to, &Tree::default())?;
    Ok(())
}
