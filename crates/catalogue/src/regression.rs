//! Regressions that are known: a program that is right, and a patch to the version that fails a test.
//!
//! The folder of one holds `bad.diff`, a unified diff from the good version to the bad one, `truth.json`, and the good version in
//! `good`, or the name of a folder with it in `base`, a file of one line.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use whydunit_suite::{TRUTH, Truth};

use crate::error::Error;
use crate::patched::patched;
use crate::subject::{entries, name};

const GOOD: &str = "good";
const BAD: &str = "bad";
const DIFF: &str = "bad.diff";
const BASE: &str = "base";

/// Files by their paths.
type Files = BTreeMap<String, String>;

/// A program in two versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Regression {
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The files of the version that passes all tests.
    pub good: Files,
    /// Those of the version that does not.
    pub bad: Files,
}

impl Regression {
    /// The regressions of a folder, in the order of their names: its folders with a `bad.diff`.
    pub fn all(folder: &Path) -> Result<Vec<Self>, Error> {
        let folders = entries(folder)?.into_iter().filter(|path| path.join(DIFF).is_file());
        let found = folders.map(|folder| Self::load(&folder)).collect::<Result<Vec<_>, _>>()?;
        if found.is_empty() {
            return Err(Error::at(folder, format!("there is no regression in it: each is a folder with a {DIFF}")));
        }
        Ok(found)
    }

    /// The regression of this folder. Fails where the patch does not apply, or the truth names a line that is not there.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        let base = folder.join(BASE);
        let mut good = Files::new();
        if base.is_file() {
            let text = fs::read_to_string(&base).map_err(Error::io("read", &base))?;
            let place = folder.join(text.trim());
            // Of a program with faults its own files count, which lie side by side.
            for path in entries(&place)?.into_iter().filter(|path| path.is_file()) {
                good.insert(name(&path)?, fs::read_to_string(&path).map_err(Error::io("read", &path))?);
            }
        } else {
            collect(&folder.join(GOOD), "", &mut good)?;
        }
        let diff = folder.join(DIFF);
        let patch = fs::read_to_string(&diff).map_err(Error::io("read", &diff))?;
        let bad: Files =
            patched(good.clone().into_iter(), &patch).map_err(|message| Error::at(&diff, message))?.collect();
        let truth = Truth::of(folder).map_err(|error| Error::at(&folder.join(TRUTH), error.reason))?;
        for place in &truth.fault {
            let lines = bad.get(&place.file).or(good.get(&place.file)).map_or(0, |text| text.lines().count());
            // What was deleted at the end of a file stood before the line after it.
            if !(1..=lines + 1).contains(&(place.line as usize)) {
                let message = format!("the bad version has no line {}:{}", place.file, place.line);
                return Err(Error::at(&folder.join(TRUTH), message));
            }
        }
        Ok(Self { name: name(folder)?, folder: folder.to_path_buf(), good, bad })
    }

    /// Writes both versions and the truth into a folder of a catalogue.
    pub fn write(&self, out: &Path) -> Result<(), Error> {
        let place = out.join(&self.name);
        if place.exists() {
            return Err(Error::at(&place, "it exists already: remove it or name another folder"));
        }
        for (version, files) in [(GOOD, &self.good), (BAD, &self.bad)] {
            for (path, text) in files {
                let path = place.join(version).join(path);
                let parent = path.parent().unwrap_or(&place);
                fs::create_dir_all(parent).map_err(Error::io("make the folder", parent))?;
                fs::write(&path, text).map_err(Error::io("write", &path))?;
            }
        }
        let (from, to) = (self.folder.join(TRUTH), place.join(TRUTH));
        fs::copy(&from, &to).map_err(Error::io("write", &to))?;
        Ok(())
    }
}

/// The files below a folder.
fn collect(folder: &Path, below: &str, files: &mut Files) -> Result<(), Error> {
    for path in entries(folder)? {
        let own = format!("{below}{}", name(&path)?);
        if path.is_dir() {
            collect(&path, &format!("{own}/"), files)?;
        } else {
            files.insert(own, fs::read_to_string(&path).map_err(Error::io("read", &path))?);
        }
    }
    Ok(())
}
