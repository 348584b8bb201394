//! Files that a command read beside the runs that it drove.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::observation::{Observation, ObservedRun};

/// What is larger is not compared with.
const MOST: u64 = 4 << 20;

/// Files that the command read beside the runs, and which of them are what runs printed.
pub(super) struct Beside<'a> {
    /// By path: their text, without white space at the end.
    texts: HashMap<&'a Path, Vec<u8>>,
    /// The endings of files that were what a run printed whose input has the same name but for the ending.
    endings: BTreeSet<OsString>,
}

impl<'a> Beside<'a> {
    pub fn of(observation: &'a Observation) -> Self {
        let mut texts = HashMap::new();
        for read in observation.given() {
            let Some(copy) = &read.content else { continue };
            if fs::metadata(copy).is_ok_and(|meta| meta.len() <= MOST)
                && let Ok(text) = fs::read(copy)
            {
                texts.entry(read.path.as_path()).or_insert(text);
            }
        }
        let mut beside = Self { texts, endings: BTreeSet::new() };
        let endings = observation.runs.iter().flat_map(|run| {
            let same = |path: &&&Path| {
                beside.texts.get(**path).is_some_and(|text| text.trim_ascii_end() == run.stdout.trim_ascii_end())
            };
            let named = beside.named(run);
            named.iter().filter(same).map(|path| ending(path)).collect::<Vec<_>>()
        });
        beside.endings = endings.collect();
        beside
    }

    /// Files with the name of one that the run was given, but for the ending.
    fn named(&self, run: &ObservedRun) -> Vec<&'a Path> {
        let given: BTreeSet<PathBuf> = run.inputs();
        let stems: BTreeSet<&OsStr> = given.iter().filter_map(|path| path.file_stem()).collect();
        let other =
            |path: &&&'a Path| path.file_stem().is_some_and(|stem| stems.contains(stem)) && !given.contains(**path);
        self.texts.keys().filter(other).copied().collect()
    }

    /// The text that must be printed: the file that is it already, or the only one that is called as those of other runs are.
    pub fn expected(&self, run: &ObservedRun) -> Option<(PathBuf, Vec<u8>)> {
        let mut named = self.named(run);
        named.retain(|path| self.endings.contains(&ending(path)));
        let [path] = named[..] else { return None };
        let text = &self.texts[path];
        let same = text.trim_ascii_end() == run.stdout.trim_ascii_end();
        // Shells and scripts compare without what ends the last line.
        Some((path.to_owned(), if same { run.stdout.clone() } else { text.clone() }))
    }
}

fn ending(path: &Path) -> OsString {
    path.extension().unwrap_or_default().to_owned()
}
