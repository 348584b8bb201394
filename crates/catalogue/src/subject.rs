//! Programs to put faults into.

use std::fs;
use std::path::{Path, PathBuf};

use whydunit_process::Cancel;
use whydunit_suite::{Case, Config, FILE_NAME, Suite, Test};

use crate::compiler::Language;
use crate::error::Error;
use crate::fault::Fault;

/// The folder of a subject's faults.
const FAULTS: &str = "faults";

/// A program with cases that it passes, and faults that are known.
#[derive(Clone, PartialEq, Debug)]
pub struct Subject {
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its files by name, as text: sources, cases, configuration. Sorted.
    pub files: Vec<(String, String)>,
    /// Its cases.
    pub suite: Suite,
    /// In the order of their names.
    pub faults: Vec<Fault>,
}

impl Subject {
    /// The subjects of a folder, in the order of their names: its folders with a `whydunit.toml`.
    pub fn all(folder: &Path) -> Result<Vec<Subject>, Error> {
        let folders = entries(folder)?.into_iter().filter(|path| path.join(FILE_NAME).is_file());
        let subjects = folders.map(|folder| Subject::load(&folder)).collect::<Result<Vec<_>, _>>()?;
        if subjects.is_empty() {
            let message = "there is no program in it: each is a folder with sources, cases and a whydunit.toml";
            return Err(Error::at(folder, message));
        }
        Ok(subjects)
    }

    /// The subject of this folder.
    pub fn load(folder: &Path) -> Result<Subject, Error> {
        let suite = Suite::load(&Config::read(&folder.join(FILE_NAME))?, &Cancel::new())?;
        let mut files = Vec::new();
        for path in entries(folder)?.into_iter().filter(|path| path.is_file()) {
            let text = fs::read_to_string(&path).map_err(Error::io("read", &path))?;
            files.push((name(&path)?, text));
        }
        let faults = match folder.join(FAULTS) {
            path if path.is_dir() => entries(&path)?.iter().map(|path| Fault::read(path)).collect::<Result<_, _>>()?,
            _ => Vec::new(),
        };
        let subject = Subject { name: name(folder)?, folder: folder.to_path_buf(), files, suite, faults };
        let rust = subject.languages().filter(|language| *language == Language::Rust).count();
        match subject.languages().count() {
            0 => Err(Error::at(folder, "there is no source of C, C++ or Rust in it")),
            sources if rust > 0 && sources > 1 => Err(Error::at(folder, "a program of Rust is one file")),
            _ => Ok(subject),
        }
    }

    /// The sources of C, C++ or Rust: their names and texts.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        all.filter(|(name, _)| Language::of(name).is_some())
    }

    /// The languages of its sources.
    pub(crate) fn languages(&self) -> impl Iterator<Item = Language> {
        self.sources().filter_map(|(name, _)| Language::of(name))
    }

    /// Its cases; none where its tests are something else.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.suite.tests.iter().filter_map(|test| if let Test::Case(case) = test { Some(case) } else { None })
    }

    /// The text of a file.
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|(own, _)| own == name).map(|(_, text)| text.as_str())
    }
}

/// What a folder holds, by name, without what is hidden.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io("read the folder", folder))? {
        let path = entry.map_err(Error::io("read the folder", folder))?.path();
        if !name(&path)?.starts_with('.') {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

pub(crate) fn name(path: &Path) -> Result<String, Error> {
    let path = if path.file_name().is_none() { &path.canonicalize().map_err(Error::io("find", path))? } else { path };
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(String::from).ok_or_else(|| Error::at(path, "the name is not UTF-8"))
}
