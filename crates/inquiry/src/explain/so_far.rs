//! What is known while the search goes on: the least set of changes so far with which reverted the test passes. Another thread can ask
//! for it at any moment; it is kept in a file as well, so that nothing is lost when the process is killed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use whydunit_changes::Changes;
use whydunit_delta::Set;
use whydunit_desk::Output;
use whydunit_findings::{Problem, Variants};
use whydunit_variants::Counts;

use super::{Answer, told};

/// What ended a search before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The caller.
    Interrupted,
    /// The time that there is for all of it.
    Time,
    /// The number of builds that are allowed.
    Builds(u64),
}

impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => write!(out, "interrupted"),
            Self::Time => write!(out, "out of time"),
            Self::Builds(builds) => write!(out, "stopped after {builds} builds"),
        }
    }
}

/// The answer so far.
#[derive(Default)]
pub struct SoFar(Mutex<Option<Answer>>);

impl SoFar {
    /// The answer as it is where a search is ended now; none as long as no changes are known with which reverted the test passes.
    pub fn answer(&self, ended: Ended) -> Option<Answer> {
        let mut answer = self.locked().clone().filter(|answer| !answer.explained.root.is_empty())?;
        let (root, all) = (answer.explained.root.len(), answer.explained.changes);
        let text = format!(
            "{ended}: with {root} of the {all} changes reverted the test passes, and whether it does with fewer is not known yet; the same command goes on from here"
        );
        answer.problems.push(Problem::new(text));
        answer.ended = Some(ended);
        Some(answer)
    }

    /// Begins with an answer in which nothing is known yet; what is known of the same two versions stays.
    pub(super) fn begin(&self, answer: Answer) {
        let mut known = self.locked();
        let between = |answer: &Answer| (answer.explained.good.clone(), answer.explained.bad.clone());
        if known.as_ref().is_none_or(|known| between(known) != between(&answer)) {
            *known = Some(answer);
        }
    }

    /// The answer as it is; empty where there is none.
    pub(super) fn taken(&self) -> Answer {
        self.locked().clone().unwrap_or_default()
    }

    /// Changes the answer so far, where there is one.
    pub(super) fn change(&self, change: impl FnOnce(&mut Answer)) {
        if let Some(answer) = self.locked().as_mut() {
            change(answer);
        }
    }

    /// Takes in a set of changes with which reverted the test passes, known after so much work.
    pub(super) fn mends(&self, changes: &Changes, set: &[usize]) {
        let root: Vec<_> = set.iter().map(|&number| told(changes, number)).collect();
        let patch = String::from_utf8_lossy(&changes.patch(set)).into_owned();
        self.change(|answer| {
            answer.explained.root = root;
            answer.explained.patch = patch;
            answer.passes = true;
        });
    }

    /// Takes in what was done.
    pub(super) fn count(&self, counts: &Counts) {
        self.change(|answer| {
            answer.explained.saved = counts.saved;
            answer.explained.variants = variants(counts);
            (answer.builds, answer.runs) = (counts.builds, counts.runs);
        });
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Option<Answer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What versions came to, as it is told.
pub fn variants(counts: &Counts) -> Variants {
    let Counts { passed, failed, other, not_built, saved, .. } = *counts;
    Variants { passed, failed, other, not_built, known: saved }
}

/// The file of the least set so far: a patch, with the changes' ids on a line before it.
pub struct Kept {
    file: PathBuf,
    test: String,
}

/// Before the ids of the changes.
const IDS: &str = "changes: ";

impl Kept {
    /// Of a test, in the folder of all that is kept for explaining.
    pub fn of(folder: &Path, test: &str) -> Self {
        Self { file: folder.join("best.diff"), test: test.into() }
    }

    /// Writes a set; where that cannot be done only less is known later.
    pub fn write(&self, changes: &Changes, set: &[usize]) {
        let ids: Vec<&str> = set.iter().map(|&number| &changes.list[number].id[..]).collect();
        let all = changes.list.len();
        let head = format!("{}{IDS}{}\n\n", self.head(set.len(), all), ids.join(" "));
        let text = [head.as_bytes(), &changes.patch(set)].concat();
        Output::open(&self.file).and_then(|file| file.write(&text)).ok();
    }

    fn head(&self, number: usize, all: usize) -> String {
        format!("With these {number} of {all} changes reverted the test passes:\ntest: {}\n", self.test)
    }

    /// The set that was written, where it is one of these changes for this test.
    pub fn read(&self, changes: &Changes) -> Option<Set> {
        let text = String::from_utf8_lossy(&std::fs::read(&self.file).ok()?).into_owned();
        let ids: Vec<&str> = text.lines().find_map(|line| line.strip_prefix(IDS))?.split(' ').collect();
        if !text.starts_with(&self.head(ids.len(), changes.list.len())) {
            return None;
        }
        let number = |id: &&str| changes.list.iter().position(|change| change.id == **id);
        let mut set = ids.iter().map(number).collect::<Option<Set>>()?;
        set.sort_unstable();
        set.dedup();
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use whydunit_changes::{File, Mode, Tree};

    use super::*;

    fn changes(new: &str) -> Changes {
        let tree = |text: &str| {
            let file = File { bytes: text.as_bytes().into(), mode: Mode::Plain };
            Tree { files: [("a.c".to_string(), file)].into() }
        };
        Changes::between(tree("1\n2\n3\n4\n5\n"), tree(new), &|_| false)
    }

    #[test]
    fn a_set_is_read_again_for_the_same_changes_and_test_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let (own, other) = (changes("one\n2\nthree\n4\nfive\n"), changes("1\n2\nIII\n4\n5\n"));
        let kept = Kept::of(folder.path(), "first");
        assert_eq!(kept.read(&own), None);
        kept.write(&own, &[0, 2]);
        assert_eq!((kept.read(&own), kept.read(&other)), (Some(vec![0, 2]), None));
        assert_eq!(Kept::of(folder.path(), "second").read(&own), None);
    }

    #[test]
    fn there_is_no_answer_before_something_mends() {
        let (so_far, own) = (SoFar::default(), changes("one\n2\nthree\n4\nfive\n"));
        so_far.begin(Answer::default());
        assert!(so_far.answer(Ended::Interrupted).is_none());
        so_far.mends(&own, &[0, 1, 2]);
        so_far.mends(&own, &[1]);
        let answer = so_far.answer(Ended::Builds(7)).expect("an answer");
        assert_eq!((answer.explained.root.len(), answer.passes, answer.explained.reduced), (1, true, false));
        assert!(answer.problems[0].message.starts_with("stopped after 7 builds: with 1 of"), "{:?}", answer.problems);
    }
}
